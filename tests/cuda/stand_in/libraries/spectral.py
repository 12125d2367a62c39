"""cuSOLVER's eigenvalues and singular values, by LAPACK."""

from __future__ import annotations

from typing import Any

import numpy as np

from .exports import CUDA_TYPES, do_nothing, export, export_typed
from .solver import NOT_SUPPORTED, lapack
from .views import matrix, put, real_of, vector

# ---- Hermitian matrices ----


def hermitian(dtype: Any, vectors: int, uplo: int, n: int, a: int, lda: int, w: int, info: int) -> None:
    """Eigenvalues in rising order, and the vectors in place of the matrix; NaN where LAPACK refuses a NaN."""
    values = matrix(a, n, n, lda, dtype)
    name = "heevd" if dtype.kind == "c" else "syevd"
    eigenvalues, eigenvectors, status = lapack(name, dtype)(values, compute_v=vectors, lower=uplo == 0)
    vector(w, n, 1, real_of(dtype))[...] = eigenvalues
    if vectors:
        values[...] = eigenvectors
    put(info, status)


@export_typed("cusolverDn?he|syevd", "piiipippip")
def heevd(
    dtype: Any, handle: int, vectors: int, uplo: int, n: int, a: int, lda: int, w: int, work: int, size: int, info: int
) -> None:
    """Divide and conquer."""
    hermitian(dtype, vectors, uplo, n, a, lda, w, info)


@export_typed("cusolverDn?he|syevj", "piiipippipp")
def heevj(
    dtype: Any, handle: int, vectors: int, uplo: int, n: int, a: int, lda: int, w: int, work: int, size: int,
    info: int, parameters: int,
) -> None:  # fmt: skip
    """Jacobi's method."""
    hermitian(dtype, vectors, uplo, n, a, lda, w, info)


@export_typed("cusolverDn?he|syevjBatched", "piiipippippi")
def heevj_batched(
    dtype: Any, handle: int, vectors: int, uplo: int, n: int, a: int, lda: int, w: int, work: int, size: int,
    info: int, parameters: int, count: int,
) -> None:  # fmt: skip
    """Jacobi's method for a stack."""
    size_of_value = real_of(dtype).itemsize
    for i in range(count):
        one, values = a + i * lda * n * dtype.itemsize, w + i * n * size_of_value
        hermitian(dtype, vectors, uplo, n, one, lda, values, info + 4 * i)


def _work(at: int) -> Any:
    return lambda dtype, *arguments: put(arguments[at], 1)


export_typed("cusolverDn?he|syevd_bufferSize", "piiipipp")(_work(7))
export_typed("cusolverDn?he|syevj_bufferSize", "piiipippp")(_work(7))
export_typed("cusolverDn?he|syevjBatched_bufferSize", "piiipipppi")(_work(7))


@export("cusolverDnXsyevd", "ppiiliplipiplplp")
def xsyevd(*arguments: int) -> None:
    """The same with 64-bit sizes and named types."""
    _, _, vectors, uplo, n, kind, a, lda, _, w, _, _, _, _, _, info = arguments
    hermitian(CUDA_TYPES[kind], vectors, uplo, n, a, lda, w, info)


def _two_workspaces(*arguments: int) -> None:
    put(arguments[-2], 8, np.uint64)
    put(arguments[-1], 8, np.uint64)


export("cusolverDnXsyevd_bufferSize", "ppiiliplipipp")(_two_workspaces)

# ---- general matrices ----


@export("cusolverDnXgeev", "ppiiliplip" + "ipl" + "ipl" + "iplplp")
def xgeev(*arguments: int) -> None:
    """Eigenvalues, always complex, and right eigenvectors as LAPACK packs them."""
    right, n, kind, a, lda = arguments[3:8]
    w, vectors, leading, info = arguments[9], arguments[14], arguments[15], arguments[-1]
    dtype = CUDA_TYPES[kind]
    values = matrix(a, n, n, lda, dtype)
    result = lapack("geev", dtype)(values, compute_vl=0, compute_vr=right)
    eigenvalues = result[0] if dtype.kind == "c" else result[0] + 1j * result[1]
    vector(w, n, 1, eigenvalues.dtype)[...] = eigenvalues
    if right:
        matrix(vectors, n, n, leading, dtype)[...] = result[-2]
    put(info, result[-1])


export("cusolverDnXgeev_bufferSize", "ppiiliplip" + "ipl" + "ipl" + "ipp")(_two_workspaces)

# ---- singular values ----


def _gesvd(values: Any, vectors: bool, full: bool) -> tuple[Any, Any, Any, int]:
    u, s, vh, status = lapack("gesvd", values.dtype)(values, compute_uv=vectors, full_matrices=full)
    return u, s, vh, status


@export_typed("cusolverDn?gesvd", "pbbiipippipipipp")
def gesvd(
    dtype: Any, handle: int, job_u: int, job_v: int, m: int, n: int, a: int, lda: int, s: int, u: int, ldu: int,
    vh: int, ldv: int, work: int, size: int, real_work: int, info: int,
) -> int:  # fmt: skip
    """As LAPACK's, for matrices that are not wide."""
    if m < n:
        return NOT_SUPPORTED
    vectors, full = chr(job_u) != "N" or chr(job_v) != "N", "A" in (chr(job_u), chr(job_v))
    values = matrix(a, m, n, lda, dtype)
    left, singular, right, status = _gesvd(values, vectors, full)
    vector(s, n, 1, real_of(dtype))[...] = singular
    if chr(job_u) in "AS":
        columns = m if chr(job_u) == "A" else n
        matrix(u, m, columns, ldu, dtype)[...] = left[:, :columns]
    if chr(job_u) == "O":
        values[...] = left[:, :n]
    if chr(job_v) in "AS":
        matrix(vh, n, n, ldv, dtype)[...] = right
    if chr(job_v) == "O":
        values[:n] = right
    put(info, status)
    return 0


export_typed("cusolverDn?gesvd_bufferSize", "piip")(_work(3))


def jacobi(
    dtype: Any, vectors: int, economical: int, m: int, n: int, a: int, lda: int, s: int, u: int, ldu: int, v: int,
    ldv: int, info: int,
) -> None:  # fmt: skip
    """Singular values of any matrix; V, and not its adjoint, is written."""
    least = min(m, n)
    left, singular, right, status = _gesvd(matrix(a, m, n, lda, dtype), bool(vectors), not economical)
    vector(s, least, 1, real_of(dtype))[...] = singular
    if vectors:
        matrix(u, m, left.shape[1], ldu, dtype)[...] = left
        matrix(v, n, right.shape[0], ldv, dtype)[...] = right.conj().T
    put(info, status)


@export_typed("cusolverDn?gesvdj", "piiiipippipipipp")
def gesvdj(
    dtype: Any, handle: int, vectors: int, economical: int, m: int, n: int, a: int, lda: int, s: int, u: int,
    ldu: int, v: int, ldv: int, work: int, size: int, info: int, parameters: int,
) -> None:  # fmt: skip
    """Jacobi's method."""
    jacobi(dtype, vectors, economical, m, n, a, lda, s, u, ldu, v, ldv, info)


@export_typed("cusolverDn?gesvdjBatched", "piiipippipipippi")
def gesvdj_batched(
    dtype: Any, handle: int, vectors: int, m: int, n: int, a: int, lda: int, s: int, u: int, ldu: int, v: int,
    ldv: int, work: int, size: int, info: int, parameters: int, count: int,
) -> int:  # fmt: skip
    """For a stack of matrices up to 32 by 32: cuSOLVER takes no larger ones."""
    if max(m, n) > 32:
        return NOT_SUPPORTED
    item, value, least = dtype.itemsize, real_of(dtype).itemsize, min(m, n)
    for i in range(count):
        places = [a + i * lda * n * item, s + i * least * value, u + i * ldu * m * item, v + i * ldv * n * item]
        one, values, left, right = places
        jacobi(dtype, vectors, 0, m, n, one, lda, values, left, ldu, right, ldv, info + 4 * i)
    return 0


@export_typed("cusolverDn?gesvdaStridedBatched", "piiiipilplpilpilpippi")
def gesvda_strided(
    dtype: Any, handle: int, vectors: int, rank: int, m: int, n: int, a: int, lda: int, step_a: int, s: int,
    step_s: int, u: int, ldu: int, step_u: int, v: int, ldv: int, step_v: int, work: int, size: int, info: int,
    residuals: int, count: int,
) -> None:  # fmt: skip
    """The leading singular values of a stack of tall matrices."""
    item, value = dtype.itemsize, real_of(dtype).itemsize
    for i in range(count):
        left, singular, right, status = _gesvd(matrix(a + i * step_a * item, m, n, lda, dtype), bool(vectors), False)
        vector(s + i * step_s * value, rank, 1, real_of(dtype))[...] = singular[:rank]
        if vectors:
            matrix(u + i * step_u * item, m, rank, ldu, dtype)[...] = left[:, :rank]
            matrix(v + i * step_v * item, n, rank, ldv, dtype)[...] = right[:rank].conj().T
        put(info + 4 * i, status)


export_typed("cusolverDn?gesvdj_bufferSize", "piiiipippipipp")(_work(12))
export_typed("cusolverDn?gesvdjBatched_bufferSize", "piiipippipippi")(_work(11))
export_typed("cusolverDn?gesvdaStridedBatched_bufferSize", "piiiipilplpilpilpi")(_work(16))

# ---- parameters of Jacobi's method, which LAPACK does not need ----

export("cusolverDnCreateParams cusolverDnCreateGesvdjInfo cusolverDnCreateSyevjInfo", "p")(
    lambda out: put(out, 16, np.uint64)
)
do_nothing("cusolverDnDestroyParams cusolverDnDestroyGesvdjInfo cusolverDnDestroySyevjInfo")
for _kind in ("gesvdj", "syevj"):
    do_nothing(" ".join(f"cusolverDnX{_kind}Set{_what}" for _what in ("Tolerance", "MaxSweeps", "SortEig")))
    export(f"cusolverDnX{_kind}GetSweeps", "ppp")(lambda handle, parameters, out: put(out, 1))
    export(f"cusolverDnX{_kind}GetResidual", "ppp")(lambda handle, parameters, out: put(out, 0, np.float64))
