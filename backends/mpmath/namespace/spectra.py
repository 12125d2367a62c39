"""Eigenvalues of general matrices, ranks, condition numbers, pseudo-inverses and least squares."""

from __future__ import annotations

import functools
import operator
from typing import Any

import mpmath
import numpy as np
from numpy.linalg import LinAlgError

from ...numpy_versions import EIG_IS_COMPLEX
from ...polynomial_fits import polynomial_fit
from ..array import array_of
from ..elements import COMPLEX, REAL, numbers
from ..tables import implements
from .matrices import as_matrix, as_object_array, kernel, over_stack, refuse_not_square

EIG: Any = type(np.linalg.eig(np.eye(1)))

_MODERATE = 500
"""The binary exponents of elements of which a matrix is not scaled."""


def in_doubles(a: Any, exponent: int) -> Any:
    """`a / 2**exponent` as doubles."""
    kind = complex if a.size and type(a.flat[0]) is mpmath.mpc else float
    return (a * mpmath.mpf(2) ** -exponent).astype(kind)


def exponent_of(a: Any) -> int:
    """The binary exponent of the largest element; 0 if it is moderate, so that doubles make the errors they make."""
    size = max((int(mpmath.mag(x)) for x in a.flat if x), default=0)
    return size if abs(size) > _MODERATE else 0


def order_like(found: Any, known: Any) -> list[int]:
    """Which of the numbers found is nearest to each that is known, in their order, and none twice."""
    order: list[int] = []
    for x in known:
        order.append(min(set(range(len(found))) - set(order), key=lambda k: abs(found[k] - x)))
    return order


# With twice the digits, so that real eigenvalues of a real matrix are told from pairs.  They stand in the order of
# those of the doubles, and the vectors have their convention: of each the element that is largest there is real.
def _eigenpairs(a: Any) -> tuple[Any, Any]:
    """The eigenvalues and the vectors of length one of a matrix."""
    n = len(a)
    if not all(map(mpmath.isfinite, a.flat)):
        raise LinAlgError("Array must not contain infs or NaNs")
    with mpmath.workprec(2 * mpmath.mp.prec):
        w, v = mpmath.eig(as_matrix(a)) if n else ([], mpmath.matrix(0, 0))
        w, v = numbers(np.array(list(w), object), COMPLEX), numbers(as_object_array(v), COMPLEX)
    largest = max(map(abs, w), default=0)
    size = exponent_of(a)
    known, vectors = np.linalg.eig(in_doubles(a, size))
    order = order_like(w, numbers(known, COMPLEX) * mpmath.mpf(2) ** size)
    w, v = w[order], v[:, order]
    if not any(type(x) is mpmath.mpc for x in a.flat):
        for k in range(n):
            if abs(w[k].imag) <= n * mpmath.eps * largest:
                w[k] = mpmath.mpc(w[k].real)
    for k in range(n):
        i = int(np.argmax(np.abs(vectors[:, k])))
        turn = mpmath.conj(v[i, k]) / abs(v[i, k]) if v[i, k] else mpmath.mpf(1)
        length = mpmath.sqrt(sum(abs(x) ** 2 for x in v[:, k]))
        v[:, k] = v[:, k] * (turn * (-1 if vectors[i, k].real < 0 else 1) / length)
    return w, v


@implements(np.linalg.eig)
def eig(a: Any) -> Any:
    """`numpy.linalg.eig`."""
    refuse_not_square(a)
    n = a.shape[-1]
    w, v = over_stack(_eigenpairs, [(n,), (n, n)], [COMPLEX, COMPLEX], a)
    if a.dtype is REAL and not EIG_IS_COMPLEX and not any(x.imag for x in w.host.flat):
        w, v = w.real.copy(), v.real.copy()
    return EIG(w, v)


@implements(np.linalg.eigvals)
def eigvals(a: Any) -> Any:
    """`numpy.linalg.eigvals`."""
    return eig(a)[0]


@implements(np.roots)
def roots(p: Any) -> Any:
    """`numpy.roots`."""
    p = np.atleast_1d(array_of(p))
    if p.ndim != 1:
        raise ValueError("Input must be a rank-1 array.")
    used = np.flatnonzero(p != 0)
    if not len(used):
        return np.zeros_like(p, shape=0)
    q, behind = p[used[0] : used[-1] + 1], len(p) - 1 - int(used[-1])
    companion = np.zeros_like(q, shape=(len(q) - 1,) * 2) + np.eye(len(q) - 1, k=-1)
    companion[:1] = -q[1:] / q[0]
    found = eigvals(companion)
    return np.concatenate([found, np.zeros_like(found, shape=behind)])


@implements(np.linalg.matrix_power)
def matrix_power(a: Any, n: int) -> Any:
    """`numpy.linalg.matrix_power`."""
    refuse_not_square(a)
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("exponent must be an integer") from None
    if n < 0:
        a, n = np.linalg.inv(a), -n
    x = np.zeros_like(a) + np.eye(a.shape[-1])
    for bit in f"{n:b}":
        x = x @ x
        if bit == "1":
            x = x @ a
    return x


@implements(np.linalg.multi_dot)
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """`numpy.linalg.multi_dot`."""
    x = functools.reduce(np.matmul, map(array_of, arrays))
    if out is None:
        return x
    out[...] = x
    return out


def phase_of(x: Any) -> Any:
    """`x / abs(x)`, and 1 of 0."""
    return x / abs(x) if x else mpmath.mpf(1)


def rounding(a: Any) -> Any:
    """The part of the largest singular value up to which others are rounding errors."""
    return max(a.shape[-2:]) * mpmath.eps


def _values(a: Any, hermitian: bool) -> Any:
    return np.sort(np.abs(np.linalg.eigvalsh(a)))[..., ::-1] if hermitian else np.linalg.svd(a, compute_uv=False)


@implements(np.linalg.matrix_rank)
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """`numpy.linalg.matrix_rank`; by default a singular value counts if it is no rounding error at this precision."""
    if A.ndim < 2:
        return int(np.any(A != 0))
    s = _values(A, hermitian)
    if tol is None:
        tol = np.max(s, axis=-1, initial=0.0) * (rounding(A) if rtol is None else array_of(rtol))
    return np.count_nonzero(s > array_of(tol)[..., None], axis=-1)


@implements(np.linalg.cond)
def cond(x: Any, p: Any = None) -> Any:
    """`numpy.linalg.cond`."""
    if 0 in x.shape[-2:]:
        raise LinAlgError("cond is not defined on empty arrays")
    if p is None or p in (2, -2):
        s = np.linalg.svd(x, compute_uv=False)
        first, last = (s[..., -1], s[..., 0]) if p == -2 else (s[..., 0], s[..., -1])
        found = first / last
        return np.where(np.isnan(found), mpmath.inf, found)
    items = []
    for item in np.reshape(x, (-1, *x.shape[-2:])):
        try:
            items.append(np.linalg.norm(item, p) * np.linalg.norm(np.linalg.inv(item), p))
        except LinAlgError:
            items.append(array_of(mpmath.inf))
    return np.reshape(np.stack(items), x.shape[:-2])


@implements(np.linalg.pinv)
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """`numpy.linalg.pinv`; by default singular values count as zero that are rounding errors at this precision."""
    cutoff = next((x for x in (rcond, rtol) if x is not None and x is not np._NoValue), None)
    u, s, vh = np.linalg.svd(a, full_matrices=False, hermitian=hermitian)
    cutoff = array_of(rounding(a) if cutoff is None else cutoff)[..., None]
    kept = s > cutoff * np.max(s, axis=-1, keepdims=True, initial=0.0)
    inverse = np.where(kept, 1 / np.where(kept, s, 1), 0)
    return (np.conjugate(vh).mT * inverse[..., None, :]) @ np.conjugate(u).mT


@implements(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """`numpy.linalg.lstsq`; by default the cutoff is that of this precision."""
    a, b = array_of(a), array_of(b)
    x, squares, rank, s = stacked_lstsq(a, b[:, None] if b.ndim == 1 else b, rcond=rcond)
    squares = squares if rank == a.shape[-1] else squares[:0]
    return (x[..., 0] if b.ndim == 1 else x), squares, rank, s


@kernel("stacked_lstsq")
def stacked_lstsq(a: Any, b: Any, *, rcond: Any) -> Any:
    """Least squares of stacks: solution, sums of squared residuals, ranks, singular values."""
    a, b = array_of(a), array_of(b)
    m, n = a.shape[-2:]
    rcond = rounding(a) if rcond is None else mpmath.eps if rcond < 0 else rcond
    x = pinv(a, rcond) @ b
    r = b - a @ x
    squares = np.sum(np.absolute(r) ** 2, axis=-2)
    s = np.linalg.svd(a, compute_uv=False)
    return x, squares if m > n else squares[..., :0], matrix_rank(a, rtol=rcond), s


@implements(np.polyfit)
def polyfit(x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Any:
    """`numpy.polyfit`; by default the cutoff is that of this precision."""
    x, y, w = array_of(x), array_of(y), None if w is None else array_of(w)
    return polynomial_fit(x, y, deg, len(x) * mpmath.eps if rcond is None else rcond, full, w, cov)
