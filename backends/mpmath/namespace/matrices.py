"""The functions of `numpy.linalg`, one matrix at a time, by those of mpmath."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from numpy.linalg import LinAlgError

from ... import device_named
from ..array import Array, array_of
from ..dispatch import refuse
from ..elements import COMPLEX, REAL, numbers
from ..tables import implements


def kernel(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare what computes one of the kernels of `wirtinger.linalg`."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        device_named("mpmath").register_kernel(f"linalg.{name}", function)
        return function

    return declare


def as_matrix(host: Any) -> Any:
    """An array of objects as a matrix of mpmath's."""
    return mpmath.matrix(host.tolist())


def as_object_array(a: Any) -> Any:
    """A matrix of mpmath's as an array of objects."""
    return np.array(a.tolist(), object).reshape(a.rows, a.cols)


def over_stack(function: Callable[..., Any], shapes: list[tuple[int, ...]], dtypes: list[Any], *arrays: Any) -> Any:
    """Call a function of single matrices on each item of a stack, for results of these shapes and dtypes."""
    stack = np.broadcast_shapes(*[a.shape[:-2] for a in arrays])
    hosts = [np.broadcast_to(a.host, stack + a.shape[-2:]) for a in arrays]
    out = [np.empty(stack + shape, object) for shape in shapes]
    for index in np.ndindex(stack):
        try:
            found = function(*[host[index] for host in hosts])
        except RuntimeError as error:  # which mpmath raises
            raise LinAlgError(f"the iteration does not converge: {error}") from error
        for x, made in zip(out, found if type(found) is tuple else (found,), strict=True):
            x[index] = made
    made = tuple(Array(numbers(x, dtype), dtype) for x, dtype in zip(out, dtypes, strict=True))
    return made if len(made) > 1 else made[0]


def refuse_not_square(a: Any) -> None:
    """Raise NumPy's errors for what is no stack of square matrices."""
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")


def _eliminated(a: Any, b: Any) -> tuple[Any, Any, int]:
    """`a` and `b` after Gaussian elimination with partial pivoting, and the sign of the exchanges."""
    a, b, sign = a.copy(), b.copy(), 1
    for k in range(len(a)):
        p = k + max(range(len(a) - k), key=lambda i: abs(a[k + i, k]))
        if p != k:
            a[[k, p]], b[[k, p]], sign = a[[p, k]], b[[p, k]], -sign
        if not a[k, k]:
            continue
        factors = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k:] -= np.outer(factors, a[k, k:])
        b[k + 1 :] -= np.outer(factors, b[k])
    return a, b, sign


def solved(a: Any, b: Any) -> Any:
    """The solution of one system."""
    u, x, _ = _eliminated(a, b)
    if not all(u[k, k] for k in range(len(u))):
        raise LinAlgError("Singular matrix")
    for k in reversed(range(len(u))):
        x[k] = (x[k] - u[k, k + 1 :] @ x[k + 1 :]) / u[k, k] if k + 1 < len(u) else x[k] / u[k, k]
    return x


@implements(np.linalg.solve)
def solve(a: Any, b: Any) -> Any:
    """`numpy.linalg.solve`."""
    a, b = array_of(a), array_of(b)
    refuse_not_square(a)
    if b.ndim == 1:
        return solve(a, b[:, None])[..., 0]
    return over_stack(solved, [b.shape[-2:]], [np.result_type(a.dtype, b.dtype)], a, b)


@implements(np.linalg.cross)
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """`numpy.linalg.cross`."""
    return np.cross(x1, x2, axis=axis)


@implements(np.linalg.vecdot)
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """`numpy.linalg.vecdot`."""
    return np.sum(np.conjugate(x1) * x2, axis=axis)


@implements(np.linalg.inv)
def inv(a: Any) -> Any:
    """`numpy.linalg.inv`."""
    refuse_not_square(a)
    return solve(a, np.eye(a.shape[-1]))


@implements(np.linalg.tensorinv)
def tensorinv(a: Any, ind: int = 2) -> Any:
    """`numpy.linalg.tensorinv`."""
    rows, columns = a.shape[:ind], a.shape[ind:]
    return np.reshape(inv(np.reshape(a, (math.prod(rows), math.prod(columns)))), columns + rows)


@implements(np.linalg.tensorsolve)
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """`numpy.linalg.tensorsolve`."""
    a, b = array_of(a), array_of(b)
    last = [axis % a.ndim for axis in axes or ()]
    a = np.transpose(a, [axis for axis in range(a.ndim) if axis not in last] + last)
    shape = a.shape[b.ndim :]
    return np.reshape(solve(np.reshape(a, (-1, math.prod(shape))), np.reshape(b, (-1,))), shape)


def _determinant(a: Any) -> Any:
    u, _, sign = _eliminated(a, a[:, :0])
    return sign * np.prod(np.diagonal(u)) if len(u) else mpmath.mpf(1)


@implements(np.linalg.det)
def det(a: Any) -> Any:
    """`numpy.linalg.det`."""
    refuse_not_square(a)
    return over_stack(_determinant, [()], [a.dtype], a)


@implements(np.linalg.slogdet)
def slogdet(a: Any) -> Any:
    """`numpy.linalg.slogdet`."""
    x = det(a)
    length = np.absolute(x)
    return SLOGDET(x / np.where(length == 0, 1, length), np.log(length))


SLOGDET: Any = type(np.linalg.slogdet(np.eye(1)))


@kernel("potrf")
def potrf(a: Any, *, upper: bool) -> Any:
    """The Cholesky factor, and the order of the first leading minor that is not positive."""
    refuse_not_square(a)
    info = np.zeros(a.shape[:-2], np.int32)
    items = iter(np.ndindex(info.shape))

    def factor(host: Any) -> Any:
        item, l = next(items), np.tril(host)
        for k in range(len(l)):
            l[k:, k] = l[k:, k] - l[k:, :k] @ np.conjugate(l[k, :k]) if k else l[k:, k]
            l[k, k] = pivot = mpmath.re(l[k, k])  # of a diagonal the real part alone is read
            if not pivot > 0:
                info[item] = k + 1
                break
            l[k:, k] = l[k:, k] / mpmath.sqrt(pivot)
        return l

    l = over_stack(factor, [a.shape[-2:]], [a.dtype], np.conjugate(a).mT.copy() if upper else a)
    return np.conjugate(l).mT.copy() if upper else l, info[()]


@implements(np.linalg.cholesky)
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """`numpy.linalg.cholesky`."""
    factor, info = potrf(a, upper=upper)
    if np.any(info):
        raise LinAlgError("Matrix is not positive definite")
    return factor


def filled(host: Any, lower: bool, hermitian: bool = True) -> Any:
    """The Hermitian or symmetric matrix of which one triangle is read."""
    triangle, diagonal = np.tril(host, -1) if lower else np.triu(host, 1), np.diagonal(host)
    other = np.conjugate(triangle).T if hermitian else triangle.T
    return triangle + other + np.diag([x.real for x in diagonal] if hermitian else diagonal)


EIGH: Any = type(np.linalg.eigh(np.eye(1)))


@implements(np.linalg.eigh)
def eigh(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigh`."""
    refuse_not_square(a)
    n = a.shape[-1]

    def decomposed(host: Any) -> Any:
        found = (mpmath.eighe if a.dtype is COMPLEX else mpmath.eigsy)(as_matrix(filled(host, UPLO.upper() == "L")))
        return np.array(list(found[0]), object), as_object_array(found[1])

    return EIGH(*over_stack(decomposed, [(n,), (n, n)], [REAL, a.dtype], a))


@implements(np.linalg.eigvalsh)
def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigvalsh`."""
    return eigh(a, UPLO)[0]


SVD: Any = type(np.linalg.svd(np.eye(1)))


@implements(np.linalg.svd)
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """`numpy.linalg.svd`; of a Hermitian matrix it reads the lower triangle."""
    m, n = a.shape[-2:]
    k = min(m, n)
    decomposition = mpmath.svd_c if a.dtype is COMPLEX else mpmath.svd_r

    def values(host: Any) -> Any:
        host = filled(host, True) if hermitian else host
        return np.array(list(decomposition(as_matrix(host), compute_uv=False)) if k else [], object)

    def decomposed(host: Any) -> Any:
        host = filled(host, True) if hermitian else host
        if not k:
            sides = (m, n) if full_matrices else (0, 0)
            return np.eye(m, sides[0]), np.zeros(0), np.eye(sides[1], n)
        u, s, v = decomposition(as_matrix(host), full_matrices=full_matrices)
        return as_object_array(u), np.array(list(s), object), as_object_array(v)

    if not compute_uv:
        return over_stack(values, [(k,)], [REAL], a)
    shapes = [(m, m if full_matrices else k), (k,), (n if full_matrices else k, n)]
    return SVD(*over_stack(decomposed, shapes, [a.dtype, REAL, a.dtype], a))


@implements(np.linalg.svdvals)
def svdvals(x: Any, /) -> Any:
    """`numpy.linalg.svdvals`."""
    return svd(x, compute_uv=False)


def reflection(x: Any) -> tuple[Any, Any] | None:
    """`v` and `tau` of the reflection by which LAPACK takes a vector to `b e_1`; None if it is one already.

    The reflection `1 - v v^H / (v^H v / 2)` with `v = x - b e_1` takes a column `x` to `b e_1`, for a real `x^H e_1 b`;
    LAPACK takes a real `b` with the sign opposite to that of the real part of `x_1` (zlarfg), so its reflections have
    a complex factor: `H^H x = b e_1` with `H = 1 - tau v v^H`, `v = (x - b e_1) / (x_1 - b)`, `tau = (b - x_1) / b`.
    """
    if not any(x[1:]) and not mpmath.im(x[0]):
        return None
    b = mpmath.sqrt(sum(abs(z) ** 2 for z in x))
    b = -b if mpmath.re(x[0]) >= 0 else b
    v = x.copy()
    v[0] = v[0] - b
    return v / (x[0] - b), (b - x[0]) / b


def _reflected(a: Any) -> tuple[Any, Any]:
    """The unitary factor with all columns, and the triangular one, by reflections with the signs of LAPACK's."""
    r, q = a.copy(), np.array(np.eye(len(a)).astype(int), object)
    for k in range(min(a.shape)):
        found = reflection(r[k:, k])
        if found is None:
            continue
        v, tau = found
        r[k:] -= np.outer(mpmath.conj(tau) * v, np.conjugate(v) @ r[k:])
        q[:, k:] -= np.outer(q[:, k:] @ v, tau * np.conjugate(v))
        r[k + 1 :, k] = mpmath.mpf(0)
    return q, r


QR: Any = type(np.linalg.qr(np.eye(1)))


@implements(np.linalg.qr)
def qr(a: Any, mode: str = "reduced") -> Any:
    """`numpy.linalg.qr`, but for the mode "raw"."""
    if mode not in ("reduced", "complete", "r"):
        refuse(f"numpy.linalg.qr with mode={mode!r}")
    m, n = a.shape[-2:]
    k = m if mode == "complete" else min(m, n)

    def factors(host: Any) -> Any:
        q, r = _reflected(host)
        return q[:, :k], r[:k]

    q, r = over_stack(factors, [(m, k), (k, n)], [a.dtype, a.dtype], a)
    return r if mode == "r" else QR(q, r)
