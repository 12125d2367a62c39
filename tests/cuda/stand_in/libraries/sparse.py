"""cuSPARSE's descriptors and products, by SciPy.

A descriptor is a number; what it describes is kept in `DESCRIBED`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from scipy import sparse

from .exports import CUDA_TYPES, do_nothing, export, export_text
from .views import NORMAL, TRANSPOSED, put, scalar, strided, vector

INDICES = {1: np.uint16, 2: np.int32, 3: np.int64}
"""cusparseIndexType_t."""
BY_COLUMNS = 1
"""cusparseOrder_t."""


@dataclass
class Compressed:
    """A matrix by rows, columns or coordinates; `result` is what is not copied to its places yet."""

    rows: int
    columns: int
    nonzeros: int
    places: list[int]
    """Addresses of the rows' (or columns') starts, the columns (or rows), the values."""
    index: Any
    base: int
    dtype: Any
    by_coordinates: bool = False
    by_columns: bool = False
    result: Any = field(default=None, repr=False)

    def array(self) -> Any:
        """The matrix."""
        starts, columns, values = self.places
        shape = self.rows, self.columns
        lines = self.columns if self.by_columns else self.rows
        first = vector(starts, self.nonzeros if self.by_coordinates else lines + 1, 1, self.index) - self.base
        second = vector(columns, self.nonzeros, 1, self.index) - self.base
        data = vector(values, self.nonzeros, 1, self.dtype)
        if self.by_coordinates:
            return sparse.csr_array((data, (first, second)), shape=shape)
        kind = sparse.csc_array if self.by_columns else sparse.csr_array
        return kind((data, second, first), shape=shape)

    def keep(self, result: Any) -> None:
        """Keep a result, until it is copied."""
        self.result = sparse.csc_array(result) if self.by_columns else sparse.csr_array(result)
        self.result.sort_indices()
        self.nonzeros = self.result.nnz

    def copy(self) -> None:
        """Copy it to its places."""
        parts = (self.result.indptr + self.base, self.result.indices + self.base, self.result.data)
        if self.by_coordinates:
            first, second = self.result.tocoo().coords
            parts = (first + self.base, second + self.base, self.result.data)
        for place, values, dtype in zip(self.places, parts, (self.index, self.index, self.dtype), strict=True):
            vector(place, len(values), 1, dtype)[...] = values


@dataclass
class Dense:
    """A vector or a matrix."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    values: int
    dtype: Any

    def array(self) -> Any:
        """The array."""
        return strided(self.values, self.shape, self.strides, self.dtype)


@dataclass
class Indexed:
    """A sparse vector."""

    nonzeros: int
    indices: int
    values: int
    index: Any
    base: int
    dtype: Any


DESCRIBED: dict[int, Any] = {}
_numbers = count(1024)


def _describe(out: int, described: Any) -> None:
    number = next(_numbers)
    DESCRIBED[number] = described
    put(out, number, np.uint64)


# ---- descriptors ----


@export("cusparseCreateCsr", "plllpppiiii")
def create_csr(
    out: int, rows: int, columns: int, nonzeros: int, starts: int, indices: int, values: int, start_type: int,
    index_type: int, base: int, kind: int,
) -> None:  # fmt: skip
    """A matrix by rows."""
    places = [starts, indices, values]
    _describe(out, Compressed(rows, columns, nonzeros, places, INDICES[index_type], base, CUDA_TYPES[kind]))


@export("cusparseCreateCoo", "plllpppiii")
def create_coo(
    out: int, rows: int, columns: int, nonzeros: int, first: int, second: int, values: int, index_type: int, base: int,
    kind: int,
) -> None:  # fmt: skip
    """A matrix by coordinates."""
    places = [first, second, values]
    _describe(out, Compressed(rows, columns, nonzeros, places, INDICES[index_type], base, CUDA_TYPES[kind], True))


@export("cusparseCreateCsc", "plllpppiiii")
def create_csc(*arguments: int) -> None:
    """A matrix by columns."""
    create_csr(*arguments)
    DESCRIBED[scalar(arguments[0], np.uint64).item()].by_columns = True


@export("cusparseCsrSetPointers cusparseCscSetPointers", "pppp")
def set_pointers(number: int, starts: int, indices: int, values: int) -> None:
    """Where its parts stand."""
    DESCRIBED[number].places = [starts, indices, values]


@export("cusparseSpMatGetSize", "pppp")
def get_size(number: int, rows: int, columns: int, nonzeros: int) -> None:
    """Its extents."""
    described = DESCRIBED[number]
    for out, value in ((rows, described.rows), (columns, described.columns), (nonzeros, described.nonzeros)):
        put(out, value, np.int64)


@export("cusparseCreateDnVec", "plpi")
def create_vector(out: int, length: int, values: int, kind: int) -> None:
    """A dense vector."""
    _describe(out, Dense((length,), (1,), values, CUDA_TYPES[kind]))


@export("cusparseCreateDnMat", "plllpii")
def create_matrix(out: int, rows: int, columns: int, leading: int, values: int, kind: int, order: int) -> None:
    """A dense matrix."""
    strides = (1, leading) if order == BY_COLUMNS else (leading, 1)
    _describe(out, Dense((rows, columns), strides, values, CUDA_TYPES[kind]))


@export("cusparseCreateSpVec", "pllppiii")
def create_sparse_vector(
    out: int, length: int, nonzeros: int, indices: int, values: int, index_type: int, base: int, kind: int
) -> None:
    """A sparse vector."""
    _describe(out, Indexed(nonzeros, indices, values, INDICES[index_type], base, CUDA_TYPES[kind]))


export("cusparseCreateMatDescr cusparseSpGEMM_createDescr", "p")(lambda out: put(out, 16, np.uint64))
export("cusparseGetVersion", "pp")(lambda handle, out: put(out, 12600))
export_text("cusparseGetErrorName cusparseGetErrorString", b"refused by the stand-in")
do_nothing("cusparseDestroySpMat cusparseDestroyDnVec cusparseDestroyDnMat cusparseDestroySpVec cusparseSetPointerMode")
do_nothing("cusparseDestroyMatDescr cusparseSpGEMM_destroyDescr cusparseSetMatIndexBase cusparseSetMatType")
do_nothing("cusparseSetMatFillMode cusparseSetMatDiagType")

# ---- products ----


def _operated(a: Any, operation: int) -> Any:
    return a if operation == NORMAL else a.T if operation == TRANSPOSED else a.conj().T


def _put_product(out: Dense, alpha: int, beta: int, product: Any) -> None:
    target, factor = out.array(), scalar(beta, out.dtype)
    product = scalar(alpha, out.dtype) * product
    target[...] = product if factor == 0 else product + factor * target


@export("cusparseSpMV", "pipppppiip")
def spmv(handle: int, op: int, alpha: int, a: int, x: int, beta: int, y: int, *rest: int) -> None:
    """A sparse matrix times a vector."""
    _put_product(DESCRIBED[y], alpha, beta, _operated(DESCRIBED[a].array(), op) @ DESCRIBED[x].array())


@export("cusparseSpMM", "piipppppiip")
def spmm(handle: int, op_a: int, op_b: int, alpha: int, a: int, b: int, beta: int, c: int, *rest: int) -> None:
    """A sparse matrix times a dense one."""
    product = _operated(DESCRIBED[a].array(), op_a) @ _operated(DESCRIBED[b].array(), op_b)
    _put_product(DESCRIBED[c], alpha, beta, product)


@export("cusparseSpVV", "pipppip")
def spvv(handle: int, op: int, x: int, y: int, out: int, *rest: int) -> None:
    """A sparse vector times a dense one."""
    one = DESCRIBED[x]
    values = vector(one.values, one.nonzeros, 1, one.dtype)
    there = DESCRIBED[y].array()[vector(one.indices, one.nonzeros, 1, one.index) - one.base]
    put(out, (values.conj() if op == 2 else values) @ there, one.dtype)


@export("cusparseGather", "ppp")
def gather(handle: int, y: int, x: int) -> None:
    """The elements of a dense vector where a sparse one has some."""
    one = DESCRIBED[x]
    indices = vector(one.indices, one.nonzeros, 1, one.index) - one.base
    vector(one.values, one.nonzeros, 1, one.dtype)[...] = DESCRIBED[y].array()[indices]


@export("cusparseSpGEMM_workEstimation cusparseSpGEMM_compute", "piipppppiippp")
def spgemm(
    handle: int, op_a: int, op_b: int, alpha: int, a: int, b: int, beta: int, c: int, kind: int, algorithm: int,
    descriptor: int, size: int, buffer: int,
) -> None:  # fmt: skip
    """The product of sparse matrices, kept until it is copied."""
    put(size, 8, np.uint64)
    out = DESCRIBED[c]
    left, right = _operated(DESCRIBED[a].array(), op_a), _operated(DESCRIBED[b].array(), op_b)
    out.keep(scalar(alpha, out.dtype) * (left @ right))


@export("cusparseSpGEMM_copy", "piipppppiip")
def spgemm_copy(handle: int, op_a: int, op_b: int, alpha: int, a: int, b: int, beta: int, c: int, *rest: int) -> None:
    """Write it."""
    DESCRIBED[c].copy()


@export("cusparseDenseToSparse_analysis", "pppip")
def from_dense(handle: int, a: int, b: int, algorithm: int, buffer: int) -> None:
    """How many elements a dense matrix has that are not 0."""
    DESCRIBED[b].keep(DESCRIBED[a].array())


@export("cusparseDenseToSparse_convert", "pppip")
def from_dense_copy(handle: int, a: int, b: int, algorithm: int, buffer: int) -> None:
    """Write them; CuPy has made another descriptor since."""
    from_dense(handle, a, b, algorithm, buffer)
    DESCRIBED[b].copy()


@export("cusparseSparseToDense", "pppip")
def to_dense(handle: int, a: int, b: int, algorithm: int, buffer: int) -> None:
    """The dense matrix."""
    DESCRIBED[b].array()[...] = DESCRIBED[a].array().toarray()


def write_size(names: str, signature: str) -> None:
    """The functions that say how large a buffer must be: their last argument takes it."""
    export(names, signature)(lambda *arguments: put(arguments[-1], 8, np.uint64))


write_size("cusparseDenseToSparse_bufferSize cusparseSparseToDense_bufferSize", "pppip")
write_size("cusparseSpMV_bufferSize", "pipppppiip")
write_size("cusparseSpMM_bufferSize", "piipppppiip")
write_size("cusparseSpVV_bufferSize", "pipppip")
