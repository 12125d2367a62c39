"""Eigenvalues of Hermitian matrices, and singular values: LAPACK's algorithms up to 32 columns, cuSOLVER above.

Up to 32 columns our kernels take LAPACK's steps (`syevd` and `gesdd` up to 25), so that phases and signs are LAPACK's.
Above, the phases are made LAPACK's: the first element of each eigenvector, or the last one if the upper triangle is
read, and the first of each singular vector on the shorter side, are real; signs are cuSOLVER's.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from . import library
from .launching import (
    adjoint,
    flat,
    identities,
    launch,
    precision,
    real_of,
    refuse_failures,
    require_matrices,
    require_square,
    shaped,
)
from .orthogonal import multiplied, reflected
from .schur import hessenberg_form

_EighResult: Any = type(np.linalg.eigh(np.ones((1, 1))))
_SVDResult: Any = type(np.linalg.svd(np.ones((1, 1))))


def full_hermitian(a: Any, lower: bool) -> Any:
    """The Hermitian matrices that have these triangles, with a real diagonal."""
    half = cupy.tril(a, -1) if lower else cupy.triu(a, 1)
    out = half + adjoint(half)
    cupy.einsum("...ii->...i", out)[...] = cupy.diagonal(a, 0, -2, -1).real
    return out


def real_phases(x: Any) -> Any:
    """Numbers of modulus one by which some numbers become real; 1 for zero."""
    size = cupy.abs(x)
    return cupy.where(size == 0, 1, cupy.conj(x) / cupy.where(size == 0, 1, size)).astype(x.dtype)


def eigh(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigh`, which computes in double precision."""
    return hermitian_eigen(a, UPLO, np.promote_types(precision(a), np.float64))


def hermitian_eigen(a: Any, UPLO: str, working: Any, pivotal: bool = False) -> Any:
    """The same, up to 32 rows in a working precision; `pivotal` as in `tridiagonal_eigen`."""
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    require_square(a)
    lower = UPLO.upper() == "L"
    stack, dtype, n = a.shape[:-2], precision(a), a.shape[-1]
    matrices = full_hermitian(flat(a, 2, stack, working if n < library.LARGE else dtype), lower)
    count = len(matrices)
    if matrices.size and n < library.LARGE:
        w, v, info = _by_tridiagonal(matrices, lower, pivotal)
        w, v = w.astype(real_of(dtype), copy=False), v.astype(dtype, copy=False)
    else:
        w, v = cupy.empty((count, n), real_of(dtype)), cupy.empty((count, n, n), dtype)
        info = cupy.zeros(count, np.int32)
        for k in range(count if n else 0):
            columns = cupy.ascontiguousarray(matrices[k].T)
            w[k] = library.hermitian(columns, lower, info[k : k + 1])
            v[k] = columns.T
        if dtype.kind == "c" and n:
            v *= real_phases(v[:, 0 if lower else -1])[:, None, :]
    refuse_failures(info, stack, "Eigenvalues did not converge")
    return _EighResult(shaped(w, stack), shaped(v, stack))


def _by_tridiagonal(a: Any, lower: bool, pivotal: bool) -> tuple[Any, Any, Any]:
    """Ascending eigenvalues, vectors, and what failed, of a flat stack.

    The upper triangle is reduced from the last row on: that is the reduction of the matrix with rows and columns in
    reverse by its lower triangle.
    """
    scale = scales(a)
    h, q = hessenberg_form(a / scale if lower else (a / scale)[:, ::-1, ::-1])
    d, e = cupy.diagonal(h, 0, 1, 2).real, cupy.diagonal(h, -1, 1, 2).real
    if not lower:
        d, e, q = d[:, ::-1], e[:, ::-1], q[:, ::-1, ::-1]
    w, v, info = tridiagonal_eigen(d, e, q, pivotal)
    return w * scale[:, :, 0], v, info


def scales(a: Any) -> Any:
    """Powers of two near the largest elements, (count, 1, 1): to divide by them is exact."""
    largest = cupy.abs(a.real).max((1, 2), keepdims=True)
    if a.dtype.kind == "c":
        largest = cupy.maximum(largest, cupy.abs(a.imag).max((1, 2), keepdims=True))
    exponents = cupy.frexp(cupy.where(cupy.isfinite(largest) & (largest > 0), largest, 1))[1]
    return cupy.ldexp(cupy.ones_like(largest), exponents - 1)


def tridiagonal_eigen(d: Any, e: Any, q: Any, pivotal: bool = False) -> tuple[Any, Any, Any]:
    """Ascending eigenvalues, vectors times `q`, and what failed, of flat stacks of diagonals and subdiagonals.

    The signs are those of LAPACK's `steqr`, or, with `pivotal`, of its `stein` and `stemr`: in the tridiagonal matrix's
    own vectors the largest element is positive.
    """
    count, n = d.shape
    if pivotal and n:
        w, v, info = tridiagonal_eigen(d, e, identities(count, n, d.dtype))
        largest = cupy.take_along_axis(v, cupy.argmax(cupy.abs(v), 1)[:, None], 1)
        return w, q @ (v * cupy.where(largest < 0, -1, 1).astype(v.dtype)), info
    w, v, info = cupy.array(d, order="C"), cupy.array(q, order="C"), cupy.zeros(count, np.int32)
    below = cupy.zeros_like(w)
    below[:, : n - 1] = e
    launch("tridiagonal.cu", "eigenvalues", v.dtype.char, count, w, below, v, info, n)
    order = cupy.argsort(w, -1)
    v = cupy.take_along_axis(v, cupy.broadcast_to(order[:, None, :], v.shape), -1)
    return cupy.take_along_axis(w, order, -1), v, info


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigvalsh`."""
    return eigh(a, UPLO)[0]


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """`numpy.linalg.svd`, which computes in double precision."""
    require_matrices(a)
    if hermitian:
        return _of_hermitian(a, compute_uv)
    return _singular(a, full_matrices, compute_uv, np.promote_types(precision(a), np.float64))


def _singular(a: Any, full_matrices: bool, compute_uv: bool, working: Any) -> Any:
    """The same, up to 32 rows or columns in a working precision."""
    stack, dtype = a.shape[:-2], precision(a)
    small = min(a.shape[-2:]) < library.LARGE
    matrices = flat(a, 2, stack, working if small else dtype)
    if matrices.size and small:
        u, s, v, info = _by_bidiagonal(matrices, bool(full_matrices), bool(compute_uv))
        u, s, v = u.astype(dtype, copy=False), s.astype(real_of(dtype), copy=False), v.astype(dtype, copy=False)
    else:
        u, s, v, info = _by_library(matrices, bool(full_matrices))
    refuse_failures(info, stack, "SVD did not converge")
    if not compute_uv:
        return shaped(s, stack)
    return _SVDResult(*(shaped(cupy.ascontiguousarray(x), stack) for x in (u, s, adjoint(v))))


def _by_library(a: Any, full: bool) -> tuple[Any, Any, Any, Any]:
    """`u`, `s`, `v` of a flat stack by cuSOLVER, which wants no fewer rows than columns, and what failed."""
    count, m, n = a.shape
    if m < n:
        v, s, u, info = _by_library(adjoint(a), full)
        return u, s, v, info
    info, s = cupy.zeros(count, np.int32), cupy.empty((count, n), real_of(a.dtype))
    u, v = cupy.empty((count, m, m if full else n), a.dtype), cupy.empty((count, n, n), a.dtype)
    if not a.size:
        u[...] = cupy.eye(*u.shape[1:])
        return u, s, v, info
    for k in range(count):
        columns, s[k], rows = library.singular(cupy.ascontiguousarray(a[k].T), full, info[k : k + 1])
        u[k], v[k] = columns.T, cupy.conj(rows)
    if a.dtype.kind == "c":
        phases = real_phases(v[:, :1])
        u[:, :, :n] *= phases
        v *= phases
    return u, s, v, info


def _by_bidiagonal(a: Any, full: bool, vectors: bool) -> tuple[Any, Any, Any, Any]:
    """The same by LAPACK's `gesdd`: of a long matrix, and of the adjoint of a wide one, the triangle is bidiagonalized.

    A matrix that is only a little wide has the lower bidiagonal form that is the adjoint of the upper one of its
    adjoint.
    """
    count, m, n = a.shape
    scale = scales(a)
    a, size = a / scale, min(m, n)
    wide, long = m < n, max(m, n) >= int(size * (17 / 9 if a.dtype.kind == "c" else 11 / 6))
    first = None
    if long:
        packed, tau, _ = reflected(cupy.array(adjoint(a) if wide else a, order="C"))
        a = cupy.triu(packed[:, :size])
        a = cupy.ascontiguousarray(adjoint(a)) if wide else a
        if vectors:
            first = multiplied(packed, tau, max(m, n) if full else size)
    u, d, e, v = _bidiagonal_form(a if long or not wide else adjoint(a), full and not long, vectors)
    if wide and not long:
        u, v = v, u
    info = cupy.zeros(count, np.int32)
    lower = wide and not long
    launch(
        "bidiagonal.cu", "singular_values", a.dtype.char, count, d, e, u, v, info,
        size, *u.shape[1:], *v.shape[1:], lower,
    )  # fmt: skip
    order = cupy.argsort(-d, -1)
    s = cupy.take_along_axis(d, order, -1) * scale[:, :, 0]
    if not vectors:
        return u, s, v, info
    u, v = _ordered(u, order), _ordered(v, order)
    if first is not None and wide:
        v = _with_first(first, v)
    elif first is not None:
        u = _with_first(first, u)
    return u, s, v, info


def _bidiagonal_form(a: Any, full: bool, vectors: bool) -> tuple[Any, Any, Any, Any]:
    """`q`, the diagonals of an upper bidiagonal `b`, and `p`, with `a = q b H(p)`, of no fewer rows than columns."""
    count, m, n = a.shape
    a = cupy.array(a, order="C")
    left, right = cupy.zeros((count, n), a.dtype), cupy.zeros((count, n), a.dtype)
    d, e = cupy.zeros((count, n), real_of(a.dtype)), cupy.zeros((count, n), real_of(a.dtype))
    launch("bidiagonal.cu", "bidiagonalize", a.dtype.char, count, a, left, right, d, e, m, n)
    if not vectors:
        return a[:, :0], d, e, a[:, :0]
    p = identities(count, n, a.dtype)
    if n > 1:
        rows = cupy.ascontiguousarray(cupy.swapaxes(a[:, : n - 1, 1:], 1, 2))
        p[:, 1:, 1:] = multiplied(rows, cupy.ascontiguousarray(right[:, : n - 1]), n - 1)
    return multiplied(a, left, m if full else n), d, e, p


def _ordered(x: Any, order: Any) -> Any:
    """The first columns in an order; further ones stay."""
    count = order.shape[-1]
    taken = cupy.take_along_axis(x[:, :, :count], cupy.broadcast_to(order[:, None, :], (*x.shape[:2], count)), -1)
    return cupy.concatenate([taken, x[:, :, count:]], -1)


def _with_first(first: Any, x: Any) -> Any:
    """The first columns times `x`; further ones stay."""
    count = x.shape[-1]
    return cupy.concatenate([first[:, :, :count] @ x, first[:, :, count:]], -1)


def _of_hermitian(a: Any, compute_uv: bool) -> Any:
    w, v = eigh(a)
    order = cupy.argsort(-cupy.abs(w), -1)
    w = cupy.take_along_axis(w, order, -1)
    if not compute_uv:
        return cupy.abs(w)
    u = cupy.take_along_axis(v, cupy.broadcast_to(order[..., None, :], v.shape), -1)
    sign = cupy.where(w < 0, -1, 1).astype(w.dtype)
    return _SVDResult(u, cupy.abs(w), adjoint(u * sign[..., None, :]))


def svdvals(a: Any) -> Any:
    """`numpy.linalg.svdvals`."""
    return svd(a, False, False)


def singular_problem(a: Any, *, driver: str, full: bool = False, vectors: bool = True) -> Any:
    """The kernel of `linalg.svd` with a LAPACK driver: the same method for both."""
    found = _singular(a, full, vectors, precision(a))
    return tuple(found) if vectors else found
