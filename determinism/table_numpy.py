"""What NumPy and SciPy keep on the CPU, by family or operation, for each kind of number.

`docs/determinism.md` says how this was measured; `tests/test_determinism_run.py` measures it again. A route in
brackets below is planned; `routes.py` has those that exist.
"""

from __future__ import annotations

from .levels import Level
from .policy import Row

NONE, RUN, SCHEDULE, PORTABLE = Level

_BLAS = "the order of its sums depends on the number of BLAS threads, the CPU's BLAS kernel and the call's shape"
_LAPACK = "it is built on BLAS, whose order of sums depends on the number of threads and on the CPU"
_LIBM = "its last bit depends on the CPU's SIMD and FMA instructions and on the memory layout"
_TREE = "the order of the additions depends on the memory layout"
_ZEROS = "between 0.0 and -0.0 the CPU's instructions choose"
_FMA = "complex products and moduli use FMA on some CPUs; real results are correctly rounded"

ROWS = (
    #   family                       bool, int  real      complex   route, reason
    Row("data movement",             PORTABLE,  PORTABLE, PORTABLE, None, "it moves bits and computes nothing"),
    Row("uninitialized memory",      NONE,      NONE,     NONE,
        "zeros in its place", "it returns whatever bits the memory held"),
    Row("assignment by index",       RUN,       RUN,      RUN,
        "C-contiguous index", "where an index repeats, the value kept depends on the index's memory order"),
    Row("comparisons and logic",     PORTABLE,  PORTABLE, PORTABLE, None, "its result is exact"),
    Row("searching and counting",    PORTABLE,  PORTABLE, PORTABLE, None, "its result is exact, and ties go by position"),
    Row("componentwise arithmetic",  PORTABLE,  PORTABLE, PORTABLE, None, "every component is one IEEE operation"),
    Row("arithmetic rounded once",   PORTABLE,  PORTABLE, RUN,      "real and imaginary parts apart", _FMA),
    Row("rounded functions",         RUN,       RUN,      RUN,      "contiguous copies; own sequences of IEEE steps", _LIBM),
    Row("powers",                    PORTABLE,  RUN,      RUN,      "contiguous copies; own sequences of IEEE steps", _LIBM),
    Row("selection of the larger",   PORTABLE,  SCHEDULE, SCHEDULE, "comparison and selection by bits", _ZEROS),
    Row("selection past NaN",        PORTABLE,  RUN,      RUN,
        "comparison and selection by bits", f"{_ZEROS}, differently at the end of an array than inside"),
    Row("extrema",                   PORTABLE,  RUN,      RUN,
        "comparison and selection by bits", f"{_ZEROS}, by the order in memory"),
    Row("sums",                      PORTABLE,  RUN,      RUN,      "tree of elementwise additions", _TREE),
    Row("products",                  PORTABLE,  RUN,      RUN,      "tree of elementwise products", _TREE),
    Row("means",                     RUN,       RUN,      RUN,      "tree of elementwise additions", _TREE),
    Row("running sums",              PORTABLE,  PORTABLE, PORTABLE, None, "each is one IEEE addition to the last, in order"),
    Row("running products",          PORTABLE,  PORTABLE, RUN,      "real and imaginary parts apart", _FMA),
    Row("scattered sums",            PORTABLE,  PORTABLE, PORTABLE, None, "it adds one at a time in the index's C order"),
    Row("scattered products",        PORTABLE,  PORTABLE, RUN,      "real and imaginary parts apart", _FMA),
    Row("scattered extrema",         PORTABLE,  RUN,      RUN,      "comparison and selection by bits", _ZEROS),
    Row("other ufunc methods",       RUN,       RUN,      RUN,      None, "the methods of this ufunc are not examined yet"),
    Row("bincount",                  PORTABLE,  PORTABLE, PORTABLE, None, "it adds one at a time, in order"),
    Row("weighted counts",           RUN,       RUN,      RUN,      None, "the edges of its bins are rounded functions"),
    Row("sorting",                   PORTABLE,  SCHEDULE, SCHEDULE,
        "stable sort", "the order among 0.0 and -0.0 depends on the CPU's sorting network"),
    Row("sorting, by index",         SCHEDULE,  SCHEDULE, SCHEDULE,
        "stable sort", "the order among equal elements depends on the CPU's sorting network"),
    Row("unique values",             PORTABLE,  SCHEDULE, SCHEDULE,
        "stable sort", "which of 0.0 and -0.0 stays depends on the CPU's sorting network"),
    Row("partition",                 SCHEDULE,  SCHEDULE, SCHEDULE,
        "stable sort", "the order inside the parts depends on the CPU's sorting network"),
    Row("partition, by index",       SCHEDULE,  SCHEDULE, SCHEDULE,
        "stable sort", "the order inside the parts depends on the CPU's sorting network"),
    Row("matrix products",           PORTABLE,  RUN,      RUN,
        "padded tiles on one BLAS thread each; products of exact slices", _BLAS),
    Row("LU",                        RUN,       RUN,      RUN,      "one BLAS thread; blocked on exact slices", _LAPACK),
    Row("Cholesky",                  RUN,       RUN,      RUN,      "one BLAS thread; blocked on exact slices", _LAPACK),
    Row("QR",                        RUN,       RUN,      RUN,      "one BLAS thread; blocked on exact slices", _LAPACK),
    Row("SVD",                       RUN,       RUN,      RUN,      "one BLAS thread; one-sided Jacobi", _LAPACK),
    Row("symmetric eigenvalues",     RUN,       RUN,      RUN,      "one BLAS thread; one-sided Jacobi", _LAPACK),
    Row("eigenvalues",               RUN,       RUN,      RUN,      "one BLAS thread, order and phases fixed", _LAPACK),
    Row("randomized norm estimates", NONE,      NONE,     NONE,
        "norms estimated from fixed vectors", "SciPy estimates a norm from unseeded random vectors, which decides the "
        "degree of its approximation"),
    Row("random start vectors",      NONE,      NONE,     NONE,
        "start vector from a counter-based generator", "SciPy starts the iteration from an unseeded random vector"),
    Row("other linear algebra",      RUN,       RUN,      RUN,      "one BLAS thread", _LAPACK),
    Row("FFT",                       RUN,       RUN,      RUN,      None, "more than a rerun is not examined yet"),
    Row("random numbers",            RUN,       RUN,      RUN,
        "counter-based generator", "the stream follows from its seed, so pass one, and draw from one thread"),
    Row("special functions",         RUN,       RUN,      RUN,      "own sequences of IEEE steps", _LIBM),
    Row("sparse times vector",       RUN,       RUN,      RUN,      None, "more than a rerun is not examined yet"),
    Row("sparse times dense",        RUN,       RUN,      RUN,      None, "more than a rerun is not examined yet"),
    Row("sparse solves",             RUN,       RUN,      RUN,      None, "more than a rerun is not examined yet"),
    Row("other sparse operations",   RUN,       RUN,      RUN,      None, "more than a rerun is not examined yet"),
    Row("compositions",              RUN,       RUN,      RUN,
        None, "it is made of several operations, not yet examined one by one"),
)  # fmt: skip
