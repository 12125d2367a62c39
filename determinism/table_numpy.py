"""The levels of NumPy and SciPy on the CPU, by family or operation and kind of number.

`tests/determinism/test_determinism_run.py` measures them. Higher levels are met through `routes.py`, `portable` or the
layout of the row.
"""

from __future__ import annotations

from .levels import Level
from .rows import ON_EVERY_BACKEND, Row

NONE, RUN, SCHEDULE, PORTABLE = Level

_RERUN = "more than a rerun is not examined yet"
_PARTS = "its parts are not examined one by one yet"
_STEPS = "contiguous copies; own sequences of IEEE steps"
_BLOCKED = "one BLAS thread; blocked on exact slices"
_BITS = "comparison and selection by bits"
_APART = "real and imaginary parts apart"
_BLAS = "the order of its sums depends on the number of BLAS threads, the CPU's BLAS kernel and the call's shape"
_LAPACK = "it is built on BLAS, whose order of sums depends on the number of threads and on the CPU"
_LIBM = "its last bit depends on the CPU's SIMD and FMA instructions and on the memory layout"
_GLIBC = "its last bit depends on the C library's use of FMA; layouts are not examined yet"
_TREE = "the order of the additions depends on the memory layout"
_ZEROS = "between 0.0 and -0.0 the CPU's instructions choose"
_FMA = "complex products and moduli use FMA on some CPUs; real results are correctly rounded"

ROWS = (
    #   family or operation          bool,int  real      complex   route, reason
    *ON_EVERY_BACKEND,
    Row("assignment by index",       RUN,      RUN,      RUN,
        "each place once, with its last value", "where an index repeats, the value kept depends on its memory order"),
    Row("comparisons and logic",     PORTABLE, PORTABLE, PORTABLE, None, "its result is exact"),
    Row("searching and counting",    PORTABLE, PORTABLE, PORTABLE, None, "its result is exact; ties go by position"),
    Row("componentwise arithmetic",  PORTABLE, PORTABLE, PORTABLE, None, "every component is one IEEE operation"),
    Row("arithmetic rounded once",   PORTABLE, PORTABLE, RUN,      _APART, _FMA),
    Row("rounded functions",         RUN,      RUN,      RUN,      _STEPS, _LIBM),
    Row("powers",                    PORTABLE, RUN,      RUN,      _STEPS, _LIBM),
    Row("selection of the larger",   PORTABLE, SCHEDULE, SCHEDULE, _BITS, _ZEROS),
    Row("selection past NaN",        PORTABLE, RUN,      RUN,      _BITS, f"{_ZEROS}; the end of an array differs"),
    Row("extrema",                   PORTABLE, RUN,      RUN,      _BITS, f"{_ZEROS}, by the order in memory"),
    Row("sums",                      PORTABLE, RUN,      RUN,      "tree of elementwise additions", _TREE),
    Row("products",                  PORTABLE, RUN,      RUN,      "tree of elementwise products", _TREE),
    Row("means",                     RUN,      RUN,      RUN,      "tree of elementwise additions", _TREE),
    Row("running sums",              PORTABLE, PORTABLE, PORTABLE, None, "it adds one at a time, in order"),
    Row("running products",          PORTABLE, PORTABLE, RUN,      _APART, _FMA),
    Row("scattered sums",            PORTABLE, PORTABLE, PORTABLE, None, "it adds one at a time, in C order"),
    Row("scattered products",        PORTABLE, PORTABLE, RUN,      _APART, _FMA),
    Row("scattered extrema",         PORTABLE, RUN,      RUN,      _BITS, _ZEROS),
    Row("other ufunc methods",       RUN,      RUN,      RUN,      None, _RERUN),
    Row("bincount",                  PORTABLE, PORTABLE, PORTABLE, None, "it adds one at a time, in order"),
    Row("weighted counts",           RUN,      RUN,      RUN,      None, "its bin edges are rounded functions"),
    Row("sorting",                   PORTABLE, SCHEDULE, SCHEDULE,
        "stable sort", "the order among 0.0 and -0.0 depends on the CPU's sorting network"),
    Row("sorting, by index",         SCHEDULE, SCHEDULE, SCHEDULE,
        "stable sort", "the order among equal elements depends on the CPU's sorting network"),
    Row("unique values",             PORTABLE, SCHEDULE, SCHEDULE,
        "stable sort", "which of 0.0 and -0.0 stays depends on the CPU's sorting network"),
    Row("partition",                 SCHEDULE, SCHEDULE, SCHEDULE,
        "stable sort", "the order inside the parts depends on the CPU's sorting network"),
    Row("partition, by index",       SCHEDULE, SCHEDULE, SCHEDULE,
        "stable sort", "the order inside the parts depends on the CPU's sorting network"),
    Row("matrix products",           PORTABLE, RUN,      RUN,
        "padded tiles on one BLAS thread each; products of exact slices", _BLAS),
    Row("LU",                        RUN,      RUN,      RUN,      _BLOCKED, _LAPACK),
    Row("Cholesky",                  RUN,      RUN,      RUN,      _BLOCKED, _LAPACK),
    Row("QR",                        RUN,      RUN,      RUN,      _BLOCKED, _LAPACK),
    Row("SVD",                       RUN,      RUN,      RUN,      "one BLAS thread; one-sided Jacobi", _LAPACK),
    Row("symmetric eigenvalues",     RUN,      RUN,      RUN,      "one BLAS thread; one-sided Jacobi", _LAPACK),
    Row("least squares",             RUN,      RUN,      RUN,
        "by the parts of the rule", "LAPACK takes other steps for one right side than for several"),
    Row("eigenvalues",               RUN,      RUN,      RUN,
        "one BLAS thread; complex results for stacks", f"whether a stack's are real follows from all of it; {_LAPACK}"),
    Row("Schur forms",               RUN,      RUN,      RUN,      "one BLAS thread", _LAPACK),
    Row("randomized norm estimates", NONE,     NONE,     NONE,
        "norms estimated from fixed vectors", "SciPy estimates norms from unseeded random vectors"),
    Row("random start vectors",      NONE,     NONE,     NONE,
        "start vector from a counter-based generator", "SciPy starts the iteration from an unseeded random vector"),
    Row("other linear algebra",      RUN,      RUN,      RUN,      "one BLAS thread", _LAPACK),
    Row("FFT",                       RUN,      RUN,      RUN,      None, _RERUN),
    Row("random numbers",            RUN,      RUN,      RUN,
        "counter-based generator", "the stream follows from its seed, so pass one, and draw from one thread"),
    Row("streams of integers",       PORTABLE, PORTABLE, PORTABLE,
        None, "NumPy's generators make integers from a seed, and scale them exactly; pass a seed"),
    Row("special functions",         RUN,      RUN,      RUN,      _STEPS, _GLIBC),
    Row("sparse times vector",       RUN,      RUN,      RUN,      None, _RERUN),
    Row("sparse times dense",        RUN,      RUN,      RUN,      None, _RERUN),
    Row("sparse solves",             RUN,      RUN,      RUN,      None, _RERUN),
    Row("other sparse operations",   RUN,      RUN,      RUN,      None, _RERUN),
    Row("special.nctdtridf",         RUN,      RUN,      RUN,
        "each element alone", "its elements share the steps of one search"),
    Row("compositions",              RUN,      RUN,      RUN,      None, _PARTS),
)  # fmt: skip
