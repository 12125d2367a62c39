"""What CuPy keeps on an NVIDIA GPU, by family or operation, for each kind of number.

Read in CuPy's source and NVIDIA's documentation, not measured: what they leave open is refused. No route
exists, so an operation that needs one refuses; the rows say what it takes.
"""

from __future__ import annotations

from .levels import Level
from .rows import Row

NONE, RUN, SCHEDULE, PORTABLE = Level

_RERUN = "more than a rerun is not examined yet"
_PARTS = "its parts are not examined one by one yet"
_STEPS = "own sequences of IEEE steps"
_SINGLE = "one IEEE operation a kernel"
_OWN_TREE = "C-contiguous copy; own tree"
_TREE = "the tree depends on layout, accelerator and number of multiprocessors"
_SEGMENTS = "stable sort and segmented sums"
_LAST = "last of each run after a stable sort"
_REPEATED = "where an index repeats, the value kept is undefined"
_ATOMIC = "atomic floating-point additions arrive in any order"
_COMPILED = (
    "compiled kernels contract to FMA and flush float32 subnormals to zero; integers are exact, but not yet compared "
    "with the CPU's"
)
_OPEN = "no documentation or measurement says that a rerun keeps its bits"
_GETRF = "a stack takes another algorithm than a single matrix, so more than a rerun is not kept"
_CUSOLVER = "cuSOLVER may choose a nondeterministic algorithm unless its deterministic mode is set"
_CUSPARSE = "cuSPARSE's default algorithm is not bitwise reproducible"

ROWS = (
    #   family or operation          bool,int  real      complex   route, reason
    Row("data movement",             PORTABLE, PORTABLE, PORTABLE, None, "it moves bits and computes nothing"),
    Row("uninitialized memory",      NONE,     NONE,     NONE,
        "zeros in its place", "it returns whatever bits the memory held"),
    Row("assignment by index",       NONE,     NONE,     NONE,     _LAST, _REPEATED),
    Row("put",                       NONE,     NONE,     NONE,     _LAST, _REPEATED),
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
    Row("running sums",              PORTABLE, NONE,     NONE,
        "blocked scan along axis 0", "with axis=None CUB's look-back scan adds in any order (cupy issue 8350)"),
    Row("running products",          PORTABLE, NONE,     NONE,
        "blocked scan along axis 0", "with axis=None CUB's look-back scan multiplies in any order (cupy issue 8350)"),
    Row("scattered sums",            PORTABLE, NONE,     NONE,
        _SEGMENTS, f"{_ATOMIC}; complex data are refused by CuPy"),
    Row("scattered products",        NONE,     NONE,     NONE,     None, "CuPy has no such operation"),
    Row("scattered extrema",         PORTABLE, RUN,      NONE,
        None, "which of 0.0 and -0.0 stays is not fixed; complex data are refused by CuPy"),
    Row("other ufunc methods",       NONE,     NONE,     NONE,     None, _OPEN),
    Row("bincount",                  PORTABLE, NONE,     NONE,     _SEGMENTS, _ATOMIC),
    Row("weighted counts",           RUN,      NONE,     NONE,     _SEGMENTS, _ATOMIC),
    Row("sorting",                   NONE,     NONE,     NONE,     None, _OPEN),
    Row("sorting, by index",         NONE,     NONE,     NONE,     None, _OPEN),
    Row("unique values",             NONE,     NONE,     NONE,     None, _OPEN),
    Row("partition",                 NONE,     NONE,     NONE,     None, _OPEN),
    Row("partition, by index",       NONE,     NONE,     NONE,     None, _OPEN),
    Row("matrix products",           PORTABLE, NONE,     NONE,
        "cuBLAS on one stream or with a fixed workspace, without TF32 and emulation; padded; exact slices",
        "cuBLAS keeps a rerun's bits only on one active stream, which nothing checks yet"),
    Row("LU",                        RUN,      RUN,      RUN,      "algorithm by matrix size only", _GETRF),
    Row("Cholesky",                  RUN,      RUN,      RUN,      "algorithm by matrix size only", _GETRF),
    Row("QR",                        NONE,     NONE,     NONE,     "cuSOLVER's deterministic mode", _CUSOLVER),
    Row("SVD",                       NONE,     NONE,     NONE,
        "cuSOLVER's deterministic mode, one matrix at a time", f"{_CUSOLVER}; the batched kernel is not covered by it"),
    Row("symmetric eigenvalues",     NONE,     NONE,     NONE,
        "cuSOLVER's deterministic mode, chosen by matrix size only", f"{_CUSOLVER}; a stack takes another algorithm"),
    Row("eigenvalues",               NONE,     NONE,     NONE,     None, _OPEN),
    Row("least squares",             NONE,     NONE,     NONE,     None, _OPEN),
    Row("Schur forms",               NONE,     NONE,     NONE,     None, _OPEN),
    Row("randomized norm estimates", NONE,     NONE,     NONE,     None, _OPEN),
    Row("random start vectors",      NONE,     NONE,     NONE,
        "start vector from a counter-based generator", "the iteration starts from an unseeded random vector"),
    Row("other linear algebra",      NONE,     NONE,     NONE,     None, _OPEN),
    Row("FFT",                       NONE,     NONE,     NONE,     None, _OPEN),
    Row("random numbers",            RUN,      RUN,      RUN,
        "counter-based generator", "cuRAND's stream follows from its seed, and is another than the CPU's"),
    Row("special functions",         RUN,      RUN,      RUN,      _STEPS, _COMPILED),
    Row("sparse times vector",       NONE,     NONE,     NONE,     "cusparseSpMV with CSR_ALG2", _CUSPARSE),
    Row("sparse times dense",        NONE,     NONE,     NONE,     "cusparseSpMM with CSR_ALG3", _CUSPARSE),
    Row("sparse solves",             NONE,     NONE,     NONE,     None, _OPEN),
    Row("sparse.matmul",             NONE,     NONE,     NONE,
        "cusparseSpGEMM with a fixed algorithm", "CuPy changes the algorithm under memory pressure"),
    Row("sparse.sum_duplicates",     NONE,     NONE,     NONE,     "segmented sums", _ATOMIC),
    Row("sparse.toarray",            NONE,     NONE,     NONE,
        "sum_duplicates first", f"for entries that repeat, {_ATOMIC}"),
    Row("sparse.getitem",            NONE,     NONE,     NONE,
        "sorted indices", "the order of the result's entries is undefined"),
    Row("other sparse operations",   NONE,     NONE,     NONE,     None, _OPEN),
    Row("compositions",              NONE,     NONE,     NONE,     None, _PARTS),
)  # fmt: skip
