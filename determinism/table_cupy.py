"""The levels of CuPy and of this package's kernels on an NVIDIA GPU, by family or operation and kind of number.

They are based on CuPy's source, NVIDIA's documentation, and the code of our own kernels; `tests/cuda` measures them,
on a GPU or on a stand-in with threads in random order.  While a level is in force, operations that CuPy implements
with atomic additions, or with a scan in any order, are computed by other kernels (`backends/cuda`).  Undecided cases
are refused.
"""

from __future__ import annotations

from .cuda_libraries import on_one_stream
from .levels import Level
from .rows import ON_EVERY_BACKEND, Row
from .ways import Wrapper

NONE, RUN, SCHEDULE, PORTABLE = Level

_RERUN = "more than a rerun is not examined yet"
_STEPS = "own sequences of IEEE steps"
_SINGLE = "one IEEE operation a kernel"
_OWN_TREE = "C-contiguous copy; own tree"
_TREE = "the tree depends on layout, accelerator and number of multiprocessors"
_ATOMIC = (
    "its terms are sorted by place, and one thread a place adds them in the order of the index, for atomic additions "
    "arrive in any order; more than a rerun is not examined yet"
)
_LAST = "of equal places the last is written, which an atomic maximum of integers finds"
_ROUNDS = "equal places take turns, in the order of the index; more than a rerun is not examined yet"
_BLOCKED = (
    "it goes by blocks of a fixed size, without an axis too, and not by CUB's scan, which combines in any order (cupy "
    "issue 8350); more than a rerun is not examined yet"
)
_STABLE = "a stable sort has one result; more than a rerun is not examined yet"
_COMPILED = (
    "compiled kernels contract to FMA and flush float32 subnormals to zero; integers are exact, but not yet compared "
    "with the CPU's"
)
_OPEN = "no documentation or measurement says that a rerun keeps its bits"
_STREAM = "one stream, or workspaces of a fixed size"
_CUBLAS = "cuBLAS keeps a rerun's bits on one active stream or with workspaces of a fixed size"
_CUSOLVER = f"cuSOLVER is set to its deterministic mode; {_CUBLAS}"
_PARTS = f"its parts are kernels of our own and of CuPy, and products: {_CUBLAS}"
_CUSPARSE = "cuSPARSE's default algorithm is not bitwise reproducible"

ROWS = (
    #   family or operation          bool,int  real      complex   route, reason
    *ON_EVERY_BACKEND,
    Row("assignment by index",       RUN,      RUN,      RUN,      None, _LAST),
    Row("put",                       RUN,      RUN,      RUN,      None, _LAST),
    Row("comparisons and logic",     SCHEDULE, RUN,      RUN,      _SINGLE, _COMPILED),
    Row("searching and counting",    RUN,      RUN,      RUN,      None, _RERUN),
    Row("componentwise arithmetic",  SCHEDULE, RUN,      RUN,      _SINGLE, _COMPILED),
    Row("arithmetic rounded once",   SCHEDULE, RUN,      RUN,      _SINGLE, _COMPILED),
    Row("rounded functions",         RUN,      RUN,      RUN,      _STEPS, _COMPILED),
    Row("powers",                    SCHEDULE, RUN,      RUN,      _STEPS, _COMPILED),
    Row("selection of the larger",   SCHEDULE, RUN,      RUN,      _SINGLE, _COMPILED),
    Row("selection past NaN",        SCHEDULE, RUN,      RUN,      _SINGLE, _COMPILED),
    Row("extrema",                   PORTABLE, RUN,      RUN,      _OWN_TREE, _TREE),
    Row("sums",                      PORTABLE, RUN,      RUN,      _OWN_TREE, _TREE),
    Row("products",                  PORTABLE, RUN,      RUN,      _OWN_TREE, _TREE),
    Row("means",                     RUN,      RUN,      RUN,      _OWN_TREE, _TREE),
    Row("running sums",              PORTABLE, RUN,      RUN,      None, _BLOCKED),
    Row("running products",          PORTABLE, RUN,      RUN,      None, _BLOCKED),
    Row("scattered sums",            PORTABLE, RUN,      RUN,      None, _ATOMIC),
    Row("scattered products",        RUN,      RUN,      RUN,      None, _ROUNDS),
    Row("scattered extrema",         PORTABLE, RUN,      RUN,
        None, "the larger of two by their bits, in whatever order they come"),
    Row("other ufunc methods",       RUN,      RUN,      RUN,      None, _ROUNDS),
    Row("bincount",                  PORTABLE, RUN,      RUN,      None, _ATOMIC),
    Row("weighted counts",           RUN,      RUN,      RUN,      None, _ATOMIC),
    Row("sorting",                   RUN,      RUN,      RUN,      None, _STABLE),
    Row("sorting, by index",         RUN,      RUN,      RUN,      None, _STABLE),
    Row("unique values",             RUN,      RUN,      RUN,      None, _STABLE),
    Row("partition",                 RUN,      RUN,      RUN,      None, _STABLE),
    Row("partition, by index",       RUN,      RUN,      RUN,      None, _STABLE),
    Row("matrix products",           PORTABLE, NONE,     NONE,     _STREAM, _CUBLAS),
    Row("LU",                        NONE,     NONE,     NONE,     _STREAM, _CUBLAS),
    Row("Cholesky",                  NONE,     NONE,     NONE,     _STREAM, _CUBLAS),
    Row("QR",                        NONE,     NONE,     NONE,     _STREAM, _CUSOLVER),
    Row("SVD",                       NONE,     NONE,     NONE,     _STREAM, _CUSOLVER),
    Row("symmetric eigenvalues",     NONE,     NONE,     NONE,     _STREAM, _CUSOLVER),
    Row("eigenvalues",               NONE,     NONE,     NONE,     _STREAM, _PARTS),
    Row("least squares",             NONE,     NONE,     NONE,     _STREAM, _CUSOLVER),
    Row("Schur forms",               NONE,     NONE,     NONE,     _STREAM, _PARTS),
    Row("randomized norm estimates", NONE,     NONE,     NONE,     None, _OPEN),
    Row("random start vectors",      NONE,     NONE,     NONE,
        "start vector from a counter-based generator", "the iteration starts from an unseeded random vector"),
    Row("other linear algebra",      NONE,     NONE,     NONE,     _STREAM, _PARTS),
    Row("FFT",                       RUN,      RUN,      RUN,
        None, "NVIDIA promises the bits of a plan on the same GPU model with the same version of cuFFT"),
    Row("random numbers",            RUN,      RUN,      RUN,
        "counter-based generator", "cuRAND's stream follows from its seed, and is another than the CPU's"),
    Row("streams of integers",       RUN,      RUN,      RUN,
        "counter-based generator", "cuRAND's stream follows from its seed, and is another than the CPU's"),
    Row("special functions",         RUN,      RUN,      RUN,      _STEPS, _COMPILED),
    Row("sparse times vector",       NONE,     NONE,     NONE,     "cusparseSpMV with CSR_ALG2", _CUSPARSE),
    Row("sparse times dense",        NONE,     NONE,     NONE,     "cusparseSpMM with CSR_ALG3", _CUSPARSE),
    Row("sparse solves",             NONE,     NONE,     NONE,     None, _OPEN),
    Row("sparse.matmul",             NONE,     NONE,     NONE,
        "cusparseSpGEMM with a fixed algorithm", "CuPy changes the algorithm under memory pressure"),
    Row("sparse.sum_duplicates",     NONE,     NONE,     NONE,
        "segmented sums", "atomic additions arrive in any order"),
    Row("sparse.toarray",            NONE,     NONE,     NONE,
        "sum_duplicates first", "for entries that repeat, atomic additions arrive in any order"),
    Row("sparse.getitem",            NONE,     NONE,     NONE,
        "sorted indices", "the order of the result's entries is undefined"),
    Row("other sparse operations",   NONE,     NONE,     NONE,     None, _OPEN),
    Row("compositions",              NONE,     NONE,     NONE,     _STREAM, _PARTS),
)  # fmt: skip

WRAPPERS: dict[str, Wrapper] = {row.name: on_one_stream for row in ROWS if row.route == _STREAM}
