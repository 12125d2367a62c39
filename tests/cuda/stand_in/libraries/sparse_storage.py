"""cuSPARSE's sums of sparse matrices, its conversions and sorts of their storage, and tridiagonal systems."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .exports import CUDA_TYPES, export, export_typed
from .solver import solve_tridiagonal
from .sparse import write_size
from .views import matrix, put, scalar, vector

# ---- sums ----


def _csr(m: int, n: int, nonzeros: int, values: int, starts: int, indices: int, dtype: Any) -> Any:
    data = vector(values, nonzeros, 1, dtype) if values else np.ones(nonzeros)
    return sparse.csr_array((data, vector(indices, nonzeros), vector(starts, m + 1)), shape=(m, n))


@export("cusparseXcsrgeam2Nnz", "pii" + "pipp" + "pipp" + "pppp")
def geam_count(
    handle: int, m: int, n: int, descriptor_a: int, count_a: int, starts_a: int, indices_a: int, descriptor_b: int,
    count_b: int, starts_b: int, indices_b: int, descriptor_c: int, starts_c: int, total: int, work: int,
) -> None:  # fmt: skip
    """How many elements a sum has, and where its rows start."""
    pattern = _csr(m, n, count_a, 0, starts_a, indices_a, None) + _csr(m, n, count_b, 0, starts_b, indices_b, None)
    vector(starts_c, m + 1)[...] = pattern.indptr
    put(total, pattern.nnz)


_GEAM = "pii" + "ppippp" + "ppippp" + "pppp" + "p"


@export_typed("cusparse?csrgeam2", _GEAM)
def geam(
    dtype: Any, handle: int, m: int, n: int, alpha: int, descriptor_a: int, count_a: int, values_a: int, starts_a: int,
    indices_a: int, beta: int, descriptor_b: int, count_b: int, values_b: int, starts_b: int, indices_b: int,
    descriptor_c: int, values_c: int, starts_c: int, indices_c: int, work: int,
) -> None:  # fmt: skip
    """The sum; what is 0 by chance stays an element."""
    one = _csr(m, n, count_a, values_a, starts_a, indices_a, dtype)
    other = _csr(m, n, count_b, values_b, starts_b, indices_b, dtype)
    pattern = _csr(m, n, count_a, 0, starts_a, indices_a, None) + _csr(m, n, count_b, 0, starts_b, indices_b, None)
    pattern.sort_indices()
    dense = scalar(alpha, dtype) * one.toarray() + scalar(beta, dtype) * other.toarray()
    rows = np.repeat(np.arange(m), np.diff(pattern.indptr))
    vector(starts_c, m + 1)[...] = pattern.indptr
    vector(indices_c, pattern.nnz)[...] = pattern.indices
    vector(values_c, pattern.nnz, 1, dtype)[...] = dense[rows, pattern.indices]


export_typed("cusparse?csrgeam2_bufferSizeExt", _GEAM)(lambda dtype, *arguments: put(arguments[-1], 8, np.uint64))

# ---- conversions and sorting ----


@export("cusparseXcoo2csr", "ppiipi")
def coo_to_csr(handle: int, rows: int, nonzeros: int, m: int, starts: int, base: int) -> None:
    """Where rows start."""
    counts = np.bincount(vector(rows, nonzeros) - base, minlength=m)
    vector(starts, m + 1)[...] = base + np.concatenate([[0], np.cumsum(counts)])


@export("cusparseXcsr2coo", "ppiipi")
def csr_to_coo(handle: int, starts: int, nonzeros: int, m: int, rows: int, base: int) -> None:
    """The row of each element."""
    vector(rows, nonzeros)[...] = base + np.repeat(np.arange(m), np.diff(vector(starts, m + 1)))


def _sort(keys: list[int], permutation: int, nonzeros: int) -> None:
    """Sort coordinates by the last key first, and a permutation with them."""
    order = np.lexsort([vector(key, nonzeros) for key in keys])
    for place in [*dict.fromkeys(keys), *([permutation] if permutation else [])]:
        values = vector(place, nonzeros)
        values[...] = values[order]


@export("cusparseXcoosortByRow", "piiipppp")
def sort_by_row(handle: int, m: int, n: int, nonzeros: int, rows: int, columns: int, order: int, buffer: int) -> None:
    """Rows, then columns."""
    _sort([columns, rows], order, nonzeros)


@export("cusparseXcoosortByColumn", "piiipppp")
def sort_by_column(
    handle: int, m: int, n: int, nonzeros: int, rows: int, columns: int, order: int, buffer: int
) -> None:
    """Columns, then rows."""
    _sort([rows, columns], order, nonzeros)


def _sort_within(length: int, nonzeros: int, starts: int, indices: int, permutation: int) -> None:
    group = np.repeat(np.arange(length), np.diff(vector(starts, length + 1)))
    order = np.lexsort([vector(indices, nonzeros), group])
    for place in [indices, *([permutation] if permutation else [])]:
        values = vector(place, nonzeros)
        values[...] = values[order]


@export("cusparseXcsrsort", "piiippppp")
def sort_csr(
    handle: int, m: int, n: int, nonzeros: int, descriptor: int, starts: int, indices: int, order: int, buffer: int
) -> None:
    """Columns within rows."""
    _sort_within(m, nonzeros, starts, indices, order)


@export("cusparseXcscsort", "piiippppp")
def sort_csc(
    handle: int, m: int, n: int, nonzeros: int, descriptor: int, starts: int, indices: int, order: int, buffer: int
) -> None:
    """Rows within columns."""
    _sort_within(n, nonzeros, starts, indices, order)


@export("cusparseCreateIdentityPermutation", "pip")
def identity(handle: int, length: int, out: int) -> None:
    """0, 1, 2, and so on."""
    vector(out, length)[...] = np.arange(length)


@export("cusparseCsr2cscEx2", "piiippppppiiiip")
def csr_to_csc(
    handle: int, m: int, n: int, nonzeros: int, values: int, starts: int, indices: int, out_values: int,
    out_starts: int, out_indices: int, kind: int, with_values: int, base: int, algorithm: int, buffer: int,
) -> None:  # fmt: skip
    """By columns."""
    dtype = CUDA_TYPES[kind]
    rows = np.repeat(np.arange(m), np.diff(vector(starts, m + 1)))
    columns = vector(indices, nonzeros) - base
    order = np.lexsort([rows, columns])
    counts = np.bincount(columns, minlength=n)
    vector(out_starts, n + 1)[...] = base + np.concatenate([[0], np.cumsum(counts)])
    vector(out_indices, nonzeros)[...] = base + rows[order]
    if with_values:
        vector(out_values, nonzeros, 1, dtype)[...] = vector(values, nonzeros, 1, dtype)[order]


write_size("cusparseCsr2cscEx2_bufferSize", "piiippppppiiiip")
write_size(
    "cusparseXcoosort_bufferSizeExt cusparseXcsrsort_bufferSizeExt cusparseXcscsort_bufferSizeExt", "piiippp"
)  # fmt: skip

# ---- tridiagonal systems ----


@export_typed("cusparse?gtsv2", "piippppip")
@export_typed("cusparse?gtsv2_nopivot", "piippppip")
def gtsv(dtype: Any, handle: int, m: int, n: int, dl: int, d: int, du: int, b: int, ldb: int, buffer: int) -> None:
    """One matrix, several right-hand sides."""
    diagonals = [vector(place, m, 1, dtype) for place in (dl, d, du)]
    right = matrix(b, m, n, ldb, dtype)
    right[...] = solve_tridiagonal(*diagonals, right)


@export_typed("cusparse?gtsv2StridedBatch", "pippppiip")
def gtsv_strided(
    dtype: Any, handle: int, m: int, dl: int, d: int, du: int, x: int, number: int, step: int, buffer: int
) -> None:
    """Several matrices, each with a right-hand side."""
    for i in range(number):
        places = [place + i * step * dtype.itemsize for place in (dl, d, du)]
        gtsv(dtype, handle, m, 1, *places, x + i * step * dtype.itemsize, m, buffer)


for _name, _signature in (
    ("gtsv2", "piippppip"), ("gtsv2_nopivot", "piippppip"), ("gtsv2StridedBatch", "pippppiip")
):  # fmt: skip
    export_typed(f"cusparse?{_name}_bufferSizeExt", _signature)(
        lambda dtype, *arguments: put(arguments[-1], 8, np.uint64)
    )
