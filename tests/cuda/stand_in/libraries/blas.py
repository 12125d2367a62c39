"""cuBLAS's products, solutions and norms, by NumPy and by SciPy's BLAS."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import get_blas_funcs

from .exports import CUDA_TYPES, INVALID_VALUE, TYPES, export, export_typed
from .views import NORMAL, matrix, operand, pointers, put, real_of, scalar, vector

# ---- products ----


def multiply(
    dtype: Any, op_a: int, op_b: int, m: int, n: int, k: int, alpha: Any, a: int, lda: int, b: int, ldb: int,
    beta: Any, c: int, ldc: int, out_dtype: Any = None,
) -> int:  # fmt: skip
    """Overwrite C by alpha op(A) op(B) + beta C; with beta = 0 the old C is not read."""
    if min(m, n, k) < 0 or ldc < max(1, m) or lda < max(1, k if op_a else m) or ldb < max(1, n if op_b else k):
        return INVALID_VALUE
    exact = np.float32 if dtype == np.float16 else dtype
    left = operand(op_a, a, m, k, lda, dtype).astype(exact, copy=False)
    right = operand(op_b, b, k, n, ldb, dtype).astype(exact, copy=False)
    out = matrix(c, m, n, ldc, out_dtype or dtype)
    product = (left @ right) * alpha
    out[...] = product if beta == 0 else product + beta * out
    return 0


@export_typed("cublas?gemm_v2", "piiiiippipippi")
def gemm(
    dtype: Any, handle: int, op_a: int, op_b: int, m: int, n: int, k: int, alpha: int, a: int, lda: int, b: int,
    ldb: int, beta: int, c: int, ldc: int,
) -> int:  # fmt: skip
    """One product."""
    return multiply(
        dtype, op_a, op_b, m, n, k, scalar(alpha, dtype), a, lda, b, ldb, scalar(beta, dtype), c, ldc
    )  # fmt: skip


@export_typed("cublas?gemmBatched", "piiiiippipippii")
def gemm_batched(
    dtype: Any, handle: int, op_a: int, op_b: int, m: int, n: int, k: int, alpha: int, a: int, lda: int, b: int,
    ldb: int, beta: int, c: int, ldc: int, count: int,
) -> int:  # fmt: skip
    """Products of matrices that arrays of pointers name."""
    for one, other, out in zip(pointers(a, count), pointers(b, count), pointers(c, count), strict=True):
        status = gemm(dtype, handle, op_a, op_b, m, n, k, alpha, one, lda, other, ldb, beta, out, ldc)
        if status:
            return status
    return 0


@export_typed("cublas?gemmStridedBatched", "piiiiippilpilppili")
def gemm_strided(
    dtype: Any, handle: int, op_a: int, op_b: int, m: int, n: int, k: int, alpha: int, a: int, lda: int, step_a: int,
    b: int, ldb: int, step_b: int, beta: int, c: int, ldc: int, step_c: int, count: int,
) -> int:  # fmt: skip
    """Products of matrices that lie in equal distances."""
    size = dtype.itemsize
    for i in range(count):
        one, other, out = a + i * step_a * size, b + i * step_b * size, c + i * step_c * size
        status = gemm(dtype, handle, op_a, op_b, m, n, k, alpha, one, lda, other, ldb, beta, out, ldc)
        if status:
            return status
    return 0


def _scale_type(dtype: np.dtype[Any], compute: int) -> np.dtype[Any]:
    """The type of alpha and beta: the type that is computed in."""
    if dtype.kind == "c" or dtype.kind == "i":
        return np.dtype(np.int32) if dtype.kind == "i" and compute in (72, 73) else dtype
    by_compute = {64: np.float16, 65: np.float16, 70: np.float64, 71: np.float64}
    return np.dtype(by_compute.get(compute, np.float64 if dtype == np.float64 else np.float32))


@export("cublasGemmEx", "piiiiippiipiippiiii")
def gemm_ex(
    handle: int, op_a: int, op_b: int, m: int, n: int, k: int, alpha: int, a: int, type_a: int, lda: int, b: int,
    type_b: int, ldb: int, beta: int, c: int, type_c: int, ldc: int, compute: int, algorithm: int,
) -> int:  # fmt: skip
    """A product with named types."""
    dtype, out = CUDA_TYPES[type_a], CUDA_TYPES[type_c]
    scale = _scale_type(dtype, compute)
    return multiply(
        dtype, op_a, op_b, m, n, k, scalar(alpha, scale), a, lda, b, ldb, scalar(beta, scale), c, ldc, out
    )  # fmt: skip


@export("cublasSgemmEx", "piiiiippiipiippii")
def sgemm_ex(
    handle: int, op_a: int, op_b: int, m: int, n: int, k: int, alpha: int, a: int, type_a: int, lda: int, b: int,
    type_b: int, ldb: int, beta: int, c: int, type_c: int, ldc: int,
) -> int:  # fmt: skip
    """The same, computed in single precision."""
    return gemm_ex(handle, op_a, op_b, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc, 68, 0)


@export("cublasGemmStridedBatchedEx", "piiiiippiilpiilppiiliii")
def gemm_strided_ex(
    handle: int, op_a: int, op_b: int, m: int, n: int, k: int, alpha: int, a: int, type_a: int, lda: int, step_a: int,
    b: int, type_b: int, ldb: int, step_b: int, beta: int, c: int, type_c: int, ldc: int, step_c: int, count: int,
    compute: int, algorithm: int,
) -> int:  # fmt: skip
    """Products in equal distances with named types."""
    sizes = [CUDA_TYPES[kind].itemsize for kind in (type_a, type_b, type_c)]
    for i in range(count):
        one, other, out = (
            start + i * step * size
            for start, step, size in zip((a, b, c), (step_a, step_b, step_c), sizes, strict=True)
        )
        status = gemm_ex(handle, op_a, op_b, m, n, k, alpha, one, type_a, lda, other, type_b, ldb, beta, out, type_c,
                         ldc, compute, algorithm)  # fmt: skip
        if status:
            return status
    return 0


@export_typed("cublas?gemv_v2", "piiippipippi")
def gemv(
    dtype: Any, handle: int, op: int, m: int, n: int, alpha: int, a: int, lda: int, x: int, step_x: int, beta: int,
    y: int, step_y: int,
) -> None:  # fmt: skip
    """A matrix times a vector."""
    rows, columns = (m, n) if op == NORMAL else (n, m)
    out, factor = vector(y, rows, step_y, dtype), scalar(beta, dtype)
    product = scalar(alpha, dtype) * (operand(op, a, rows, columns, lda, dtype) @ vector(x, columns, step_x, dtype))
    out[...] = product if factor == 0 else product + factor * out


@export_typed("cublas?syrk_v2", "piiiippippi")
def syrk(
    dtype: Any, handle: int, uplo: int, op: int, n: int, k: int, alpha: int, a: int, lda: int, beta: int, c: int,
    ldc: int,
) -> None:  # fmt: skip
    """One triangle of A A^T."""
    left, out, factor = operand(op, a, n, k, lda, dtype), matrix(c, n, n, ldc, dtype), scalar(beta, dtype)
    product = scalar(alpha, dtype) * (left @ left.T)
    triangle = np.tri(n, dtype=bool) if uplo == 0 else np.tri(n, dtype=bool).T
    out[triangle] = (product if factor == 0 else product + factor * out)[triangle]


def _outer(conjugated: bool) -> Any:
    def ger(
        dtype: Any, handle: int, m: int, n: int, alpha: int, x: int, step_x: int, y: int, step_y: int, a: int, lda: int
    ) -> None:
        """Add an outer product."""
        right = vector(y, n, step_y, dtype)
        matrix(a, m, n, lda, dtype)[...] += scalar(alpha, dtype) * np.outer(
            vector(x, m, step_x, dtype), right.conj() if conjugated else right
        )

    return ger


export_typed("cublas?ger_v2", "piippipipi", "SD")(_outer(False))
export_typed("cublas?geru_v2", "piippipipi", "CZ")(_outer(False))
export_typed("cublas?gerc_v2", "piippipipi", "CZ")(_outer(True))


@export_typed("cublas?sbmv_v2", "piiippipippi", "SD")
def sbmv(
    dtype: Any, handle: int, uplo: int, n: int, k: int, alpha: int, a: int, lda: int, x: int, step_x: int, beta: int,
    y: int, step_y: int,
) -> None:  # fmt: skip
    """A symmetric band matrix times a vector."""
    product = get_blas_funcs("sbmv", dtype=dtype)(
        k, scalar(alpha, dtype), matrix(a, k + 1, n, lda, dtype), vector(x, n, step_x, dtype), lower=uplo == 0
    )
    out, factor = vector(y, n, step_y, dtype), scalar(beta, dtype)
    out[...] = product if factor == 0 else product + factor * out


# ---- triangular systems ----


@export_typed("cublas?trsm_v2", "piiiiiippipi")
def trsm(
    dtype: Any, handle: int, side: int, uplo: int, op: int, unit: int, m: int, n: int, alpha: int, a: int, lda: int,
    b: int, ldb: int,
) -> None:  # fmt: skip
    """Overwrite B by the solution of op(A) X = alpha B, or of X op(A) = alpha B."""
    order = n if side else m
    triangle, out = matrix(a, order, order, lda, dtype), matrix(b, m, n, ldb, dtype)
    if m and n:
        out[...] = get_blas_funcs("trsm", dtype=dtype)(
            scalar(alpha, dtype), triangle, out, side=side, lower=uplo == 0, trans_a=op, diag=unit
        )


@export_typed("cublas?trsmBatched", "piiiiiippipii")
def trsm_batched(
    dtype: Any, handle: int, side: int, uplo: int, op: int, unit: int, m: int, n: int, alpha: int, a: int, lda: int,
    b: int, ldb: int, count: int,
) -> None:  # fmt: skip
    """The same for a stack."""
    for one, out in zip(pointers(a, count), pointers(b, count), strict=True):
        trsm(dtype, handle, side, uplo, op, unit, m, n, alpha, one, lda, out, ldb)


# ---- vectors ----


@export_typed("cublas?axpy_v2", "pippipi")
def axpy(dtype: Any, handle: int, n: int, alpha: int, x: int, step_x: int, y: int, step_y: int) -> None:
    """Add alpha x to y."""
    vector(y, n, step_y, dtype)[...] += scalar(alpha, dtype) * vector(x, n, step_x, dtype)


@export_typed("cublas?scal_v2", "pippi")
def scal(dtype: Any, handle: int, n: int, alpha: int, x: int, step: int) -> None:
    """Multiply a vector by a number."""
    vector(x, n, step, dtype)[...] *= scalar(alpha, dtype)


def _real_scal(letter: str) -> Any:
    def real_scal(handle: int, n: int, alpha: int, x: int, step: int) -> None:
        vector(x, n, step, TYPES[letter])[...] *= scalar(alpha, real_of(TYPES[letter]))

    return real_scal


export("cublasCsscal_v2", "pippi")(_real_scal("C"))
export("cublasZdscal_v2", "pippi")(_real_scal("Z"))


def _dot(conjugated: bool) -> Any:
    def dot(dtype: Any, handle: int, n: int, x: int, step_x: int, y: int, step_y: int, out: int) -> None:
        left, right = vector(x, n, step_x, dtype), vector(y, n, step_y, dtype)
        put(out, np.dot(left.conj() if conjugated else left, right), dtype)

    return dot


export_typed("cublas?dot_v2", "pipipip", "SD")(_dot(False))
export_typed("cublas?dotu_v2", "pipipip", "CZ")(_dot(False))
export_typed("cublas?dotc_v2", "pipipip", "CZ")(_dot(True))


def _measure(letter: str, of: Any, dtype: Any = None) -> Any:
    def measure(handle: int, n: int, x: int, step: int, out: int) -> None:
        put(out, of(vector(x, n, step, TYPES[letter])), dtype or real_of(TYPES[letter]))

    return measure


def _taxicab(x: Any) -> Any:
    return np.sum(np.abs(x.real)) + (np.sum(np.abs(x.imag)) if x.dtype.kind == "c" else 0)


def _moduli(x: Any) -> Any:
    return np.abs(x.real) + (np.abs(x.imag) if x.dtype.kind == "c" else 0)


for _letter, _name in (("S", "S"), ("D", "D"), ("C", "Sc"), ("Z", "Dz")):
    export(f"cublas{_name}nrm2_v2", "pipip")(_measure(_letter, np.linalg.norm))
    export(f"cublas{_name}asum_v2", "pipip")(_measure(_letter, _taxicab))
    for _word, _extreme in (("max", np.argmax), ("min", np.argmin)):
        export(f"cublasI{_letter.lower()}a{_word}_v2", "pipip")(
            _measure(_letter, lambda x, of=_extreme: of(_moduli(x)) + 1 if x.size else 0, np.int32)
        )

# ---- sums and scaled matrices, and packed triangles ----


@export_typed("cublas?geam", "piiiippippipi")
def geam(
    dtype: Any, handle: int, op_a: int, op_b: int, m: int, n: int, alpha: int, a: int, lda: int, beta: int, b: int,
    ldb: int, c: int, ldc: int,
) -> None:  # fmt: skip
    """Overwrite C by alpha op(A) + beta op(B); what a zero multiplies is not read."""
    total = np.zeros((m, n), dtype)
    for factor, op, address, leading in ((alpha, op_a, a, lda), (beta, op_b, b, ldb)):
        if scalar(factor, dtype) != 0:
            total = total + scalar(factor, dtype) * operand(op, address, m, n, leading, dtype)
    matrix(c, m, n, ldc, dtype)[...] = total


@export_typed("cublas?dgmm", "piiipipipi")
def dgmm(
    dtype: Any, handle: int, side: int, m: int, n: int, a: int, lda: int, x: int, step: int, c: int, ldc: int
) -> None:
    """A diagonal matrix times a matrix, or the other way round."""
    diagonal = vector(x, n if side else m, step, dtype)
    matrix(c, m, n, ldc, dtype)[...] = matrix(a, m, n, lda, dtype) * (diagonal if side else diagonal[:, None])


def _packed(n: int, uplo: int) -> Any:
    """Where the elements of a triangle stand that is packed by columns."""
    columns, rows = np.tril_indices(n) if uplo else np.triu_indices(n)
    return rows, columns


@export_typed("cublas?tpttr", "piippi", "SD")
def tpttr(dtype: Any, handle: int, uplo: int, n: int, packed: int, a: int, lda: int) -> None:
    """Unpack a triangle."""
    matrix(a, n, n, lda, dtype)[_packed(n, uplo)] = vector(packed, n * (n + 1) // 2, 1, dtype)


@export_typed("cublas?trttp", "piipip", "SD")
def trttp(dtype: Any, handle: int, uplo: int, n: int, a: int, lda: int, packed: int) -> None:
    """Pack a triangle."""
    vector(packed, n * (n + 1) // 2, 1, dtype)[...] = matrix(a, n, n, lda, dtype)[_packed(n, uplo)]
