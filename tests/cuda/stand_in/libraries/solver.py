"""cuSOLVER's factorizations and cuBLAS's batched ones, by SciPy's LAPACK.

Where cuSOLVER asks for a workspace, a word is enough here.  `info` is LAPACK's, as cuSOLVER promises.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import get_lapack_funcs

from .exports import TYPES, export, export_typed
from .views import matrix, pointers, put, real_of, vector

NOT_SUPPORTED = 3
"""CUSOLVER_STATUS_INVALID_VALUE, which it returns for what it does not do."""


def lapack(name: str, dtype: Any) -> Any:
    """SciPy's LAPACK routine for a type."""
    return get_lapack_funcs(name, dtype=dtype)


def _work(*names: str, at: int, signature: str) -> None:
    """The functions that say how large a workspace must be write 1 into one of their arguments."""
    for name in names:
        export_typed(name, signature)(lambda dtype, *arguments: put(arguments[at], 1))


# ---- LU ----


@export_typed("cusolverDn?getrf", "piipippp")
def getrf(dtype: Any, handle: int, m: int, n: int, a: int, lda: int, work: int, pivots: int, info: int) -> None:
    """LU with partial pivoting; without an array of pivots there is none in cuSOLVER, and here it is refused."""
    values = matrix(a, m, n, lda, dtype)
    lu, piv, status = lapack("getrf", dtype)(values)
    values[...] = lu
    vector(pivots, min(m, n))[...] = piv + 1
    put(info, status)


_work("cusolverDn?getrf_bufferSize", at=5, signature="piipip")


@export_typed("cusolverDn?getrs", "piiipippip")
def getrs(
    dtype: Any, handle: int, op: int, n: int, columns: int, a: int, lda: int, pivots: int, b: int, ldb: int, info: int
) -> None:
    """Solve with the factors."""
    out = matrix(b, n, columns, ldb, dtype)
    if out.size:
        out[...] = lapack("getrs", dtype)(matrix(a, n, n, lda, dtype), vector(pivots, n) - 1, out, trans=op)[0]
    put(info, 0)


@export_typed("cublas?getrfBatched", "pipippi")
def getrf_batched(dtype: Any, handle: int, n: int, a: int, lda: int, pivots: int, info: int, count: int) -> None:
    """LU of a stack; without an array of pivots, without pivoting."""
    for i, address in enumerate(pointers(a, count)):
        if pivots:
            getrf(dtype, handle, n, n, address, lda, 0, pivots + 4 * n * i, info + 4 * i)
        else:
            put(info + 4 * i, _without_pivots(matrix(address, n, n, lda, dtype)))


def _without_pivots(a: Any) -> int:
    status = 0
    for k in range(len(a)):
        if a[k, k] == 0:
            status = status or k + 1
            continue
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return status


@export_typed("cublas?getrsBatched", "piiipippipi")
def getrs_batched(
    dtype: Any, handle: int, op: int, n: int, columns: int, a: int, lda: int, pivots: int, b: int, ldb: int,
    info: int, count: int,
) -> None:  # fmt: skip
    """Solve with the factors of a stack; its `info` is one number on the host."""
    for i, (one, out) in enumerate(zip(pointers(a, count), pointers(b, count), strict=True)):
        getrs(dtype, handle, op, n, columns, one, lda, pivots + 4 * n * i, out, ldb, info)
    put(info, 0)


@export_typed("cublas?getriBatched", "pipippipi")
def getri_batched(
    dtype: Any, handle: int, n: int, a: int, lda: int, pivots: int, c: int, ldc: int, info: int, count: int
) -> None:
    """Inverses from the factors of a stack."""
    for i, (one, out) in enumerate(zip(pointers(a, count), pointers(c, count), strict=True)):
        inverse, status = lapack("getri", dtype)(matrix(one, n, n, lda, dtype), vector(pivots + 4 * n * i, n) - 1)
        matrix(out, n, n, ldc, dtype)[...] = inverse
        put(info + 4 * i, status)


# ---- Cholesky, LDL ----


@export_typed("cusolverDn?potrf", "piipipip")
def potrf(dtype: Any, handle: int, uplo: int, n: int, a: int, lda: int, work: int, size: int, info: int) -> None:
    """Cholesky's factor in its triangle."""
    values = matrix(a, n, n, lda, dtype)
    values[...], status = lapack("potrf", dtype)(values, lower=uplo == 0, clean=0)
    put(info, status)


_work("cusolverDn?potrf_bufferSize", at=5, signature="piipip")


@export_typed("cusolverDn?potrs", "piiipipip")
def potrs(
    dtype: Any, handle: int, uplo: int, n: int, columns: int, a: int, lda: int, b: int, ldb: int, info: int
) -> None:
    """Solve with it."""
    out = matrix(b, n, columns, ldb, dtype)
    if out.size:
        out[...] = lapack("potrs", dtype)(matrix(a, n, n, lda, dtype), out, lower=uplo == 0)[0]
    put(info, 0)


@export_typed("cusolverDn?potrfBatched", "piipipi")
def potrf_batched(dtype: Any, handle: int, uplo: int, n: int, a: int, lda: int, info: int, count: int) -> None:
    """Of a stack."""
    for i, address in enumerate(pointers(a, count)):
        potrf(dtype, handle, uplo, n, address, lda, 0, 0, info + 4 * i)


@export_typed("cusolverDn?potrsBatched", "piiipipipi")
def potrs_batched(
    dtype: Any, handle: int, uplo: int, n: int, columns: int, a: int, lda: int, b: int, ldb: int, info: int, count: int
) -> int:
    """Of a stack, with one right-hand side each: cuSOLVER takes no more."""
    if columns != 1:
        return NOT_SUPPORTED
    for one, out in zip(pointers(a, count), pointers(b, count), strict=True):
        potrs(dtype, handle, uplo, n, columns, one, lda, out, ldb, info)
    return 0


@export_typed("cusolverDn?sytrf", "piipippip")
def sytrf(
    dtype: Any, handle: int, uplo: int, n: int, a: int, lda: int, pivots: int, work: int, size: int, info: int
) -> None:
    """Bunch and Kaufman's LDL^T of a symmetric matrix."""
    values = matrix(a, n, n, lda, dtype)
    values[...], piv, status = lapack("sytrf", dtype)(values, lower=uplo == 0)
    if pivots:
        vector(pivots, n)[...] = piv
    put(info, status)


export_typed("cusolverDn?sytrf_bufferSize", "pipip")(lambda dtype, *arguments: put(arguments[4], 1))

# ---- QR ----


@export_typed("cusolverDn?geqrf", "piipippip")
def geqrf(dtype: Any, handle: int, m: int, n: int, a: int, lda: int, tau: int, work: int, size: int, info: int) -> None:
    """QR as reflections."""
    values = matrix(a, m, n, lda, dtype)
    values[...], factors, _, status = lapack("geqrf", dtype)(values)
    vector(tau, min(m, n), 1, dtype)[...] = factors
    put(info, status)


_work("cusolverDn?geqrf_bufferSize", at=5, signature="piipip")


@export_typed("cusolverDn?un|orgqr", "piiipippip")
def orgqr(
    dtype: Any, handle: int, m: int, n: int, k: int, a: int, lda: int, tau: int, work: int, size: int, info: int
) -> None:
    """The first columns of Q."""
    values = matrix(a, m, n, lda, dtype)
    name = "ungqr" if dtype.kind == "c" else "orgqr"
    values[...], _, status = lapack(name, dtype)(values, vector(tau, k, 1, dtype))
    put(info, status)


_work("cusolverDn?un|orgqr_bufferSize", at=7, signature="piiipipp")


@export_typed("cusolverDn?un|ormqr", "piiiiipippipip")
def ormqr(
    dtype: Any, handle: int, side: int, op: int, m: int, n: int, k: int, a: int, lda: int, tau: int, c: int, ldc: int,
    work: int, size: int, info: int,
) -> None:  # fmt: skip
    """Q times a matrix."""
    out, reflections = matrix(c, m, n, ldc, dtype), matrix(a, n if side else m, k, lda, dtype)
    name, transposed = ("unmqr", "C") if dtype.kind == "c" else ("ormqr", "T")
    out[...], _, status = lapack(name, dtype)(
        "LR"[side], transposed if op else "N", reflections, vector(tau, k, 1, dtype), out, max(64 * (m + n), 1)
    )
    put(info, status)


_work("cusolverDn?un|ormqr_bufferSize", at=11, signature="piiiiipippip")

# ---- bidiagonal form, least squares and solutions refined from a lower precision ----


@export_typed("cusolverDn?gebrd", "piipipppppip")
def gebrd(
    dtype: Any, handle: int, m: int, n: int, a: int, lda: int, d: int, e: int, tau_q: int, tau_p: int, work: int,
    size: int, info: int,
) -> None:  # fmt: skip
    """Bidiagonal form."""
    values = matrix(a, m, n, lda, dtype)
    least, real = min(m, n), real_of(dtype)
    values[...], diagonal, beside, left, right, status = lapack("gebrd", dtype)(values)
    vector(d, least, 1, real)[...], vector(e, max(least - 1, 0), 1, real)[...] = diagonal, beside
    vector(tau_q, least, 1, dtype)[...], vector(tau_p, least, 1, dtype)[...] = left, right
    put(info, status)


_work("cusolverDn?gebrd_bufferSize", at=3, signature="piip")


def _refined(letter: str) -> tuple[Any, Any]:
    dtype = TYPES[letter]

    def gesv(*arguments: int) -> None:
        _, n, columns, a, lda, _, b, ldb, x, ldx, _, _, iterations, info = arguments
        solution = lapack("gesv", dtype)(matrix(a, n, n, lda, dtype), matrix(b, n, columns, ldb, dtype))
        matrix(x, n, columns, ldx, dtype)[...] = solution[2]
        put(iterations, 0)
        put(info, solution[3])

    def gels(*arguments: int) -> None:
        _, m, n, columns, a, lda, b, ldb, x, ldx, _, _, iterations, info = arguments
        solution = np.linalg.lstsq(matrix(a, m, n, lda, dtype), matrix(b, m, columns, ldb, dtype), rcond=None)[0]
        matrix(x, n, columns, ldx, dtype)[...] = solution
        put(iterations, 0)
        put(info, 0)

    return gesv, gels


for _full, _lower in (("S", "SHX"), ("D", "DSHX"), ("C", "CKY"), ("Z", "ZCKY")):
    _gesv, _gels = _refined(_full)
    for _letter in _lower:
        export(f"cusolverDn{_full}{_letter}gesv", "piipippipiplpp")(_gesv)
        export(f"cusolverDn{_full}{_letter}gels", "piiipipipiplpp")(_gels)
        for _name, _signature in (("gesv", "piipippipipp"), ("gels", "piiipipipipp")):
            export(f"cusolverDn{_full}{_letter}{_name}_bufferSize", _signature)(
                lambda *arguments: put(arguments[-1], 8, np.uint64)
            )


@export("cusolverGetProperty", "ip")
def get_property(kind: int, out: int) -> None:
    """The version: 12.2.0."""
    put(out, (12, 2, 0)[kind])


def solve_tridiagonal(below: Any, on: Any, above: Any, right: Any) -> Any:
    """The solutions of tridiagonal systems; `below` has its first and `above` its last element unused."""
    return lapack("gtsv", right.dtype)(below[1:], on, above[:-1], right)[3]
