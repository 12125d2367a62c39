"""LU, Cholesky and QR decompositions of stacks of real matrices, and triangular solutions, in a fixed order.

A block of columns is eliminated with elementwise operations, one column after the other; what lies right of it is
changed by an exact product.  Golub & Van Loan 2013, algorithms 3.4.1, 4.2.2 and 5.2.1, with blocks as in sections
3.2.11 and 5.2.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .exact_products import exact_matmul
from .trees import reduced

_BLOCK = 32
"""Columns that are eliminated before the rest is changed."""


def _blocks(n: int) -> list[slice]:
    return [slice(k, min(k + _BLOCK, n)) for k in range(0, n, _BLOCK)]


def lu(a: Any) -> tuple[Any, Any]:
    """`a[rows] = L U` with the largest pivot of each column, the first of equal ones.

    Parameters
    ----------
    a : array (..., m, n)

    Returns
    -------
    packed : array (..., m, n)
        `U`, and below its diagonal `L`.
    rows : array (..., m) of int
    """
    a = np.array(a)
    *stack, m, n = a.shape
    rows = np.broadcast_to(np.arange(m), (*stack, m)).copy()
    for block in _blocks(min(m, n)):
        for k in range(block.start, block.stop):
            pivot = k + np.argmax(np.abs(a[..., k:, k]), axis=-1)[..., None]
            _exchange(a, k, pivot)
            _exchange(rows[..., None], k, pivot)
            below, after, top = slice(k + 1, m), slice(k + 1, block.stop), a[..., k, None, k]
            a[..., below, k] /= np.where(top == 0, 1, top)  # where it is 0, they are
            a[..., below, after] -= a[..., below, k, None] * a[..., k, None, after]
        if block.stop < n:
            below, right = slice(block.stop, m), slice(block.stop, n)
            upper = solve_triangular(a[..., block, block], a[..., block, right], lower=True, unit=True)
            a[..., block, right] = upper
            a[..., below, right] -= exact_matmul(a[..., below, block], upper)
    return a, rows


def _exchange(a: Any, k: int, other: Any) -> None:
    """Rows `k` and `other` of each item."""
    row = np.take_along_axis(a, other[..., None], axis=-2)
    np.put_along_axis(a, other[..., None], a[..., k, None, :].copy(), axis=-2)
    a[..., k, :] = row[..., 0, :]


def solve_triangular(t: Any, b: Any, lower: bool, unit: bool = False) -> Any:
    """The solution of `t x = b`, block by block; where a pivot is 0 it is infinite or NaN."""
    n = t.shape[-1]
    shape = (*np.broadcast_shapes(t.shape[:-2], b.shape[:-2]), *b.shape[-2:])
    x = np.array(np.broadcast_to(b, shape))
    for block in _blocks(n) if lower else _blocks(n)[::-1]:
        for k in range(block.start, block.stop) if lower else range(block.stop - 1, block.start - 1, -1):
            if not unit:
                x[..., k, :] /= t[..., k, k, None]
            rest = slice(k + 1, block.stop) if lower else slice(block.start, k)
            x[..., rest, :] -= t[..., rest, k, None] * x[..., k, None, :]
        rest = slice(block.stop, n) if lower else slice(0, block.start)
        if rest.stop > rest.start:
            x[..., rest, :] -= exact_matmul(t[..., rest, block], x[..., block, :])
    return x


def solve(a: Any, b: Any) -> tuple[Any, Any]:
    """The solution of `a x = b`, and whether a pivot of an item is 0."""
    packed, rows = lu(a)
    shape = (*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:])
    index = np.broadcast_to(rows[..., None], (*shape[:-1], 1))
    chosen = np.take_along_axis(np.broadcast_to(b, shape), index, axis=-2)
    is_singular = np.any(np.diagonal(packed, axis1=-2, axis2=-1) == 0, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return solve_triangular(packed, solve_triangular(packed, chosen, True, unit=True), False), is_singular


def determinant(a: Any) -> Any:
    """By the pivots, multiplied as a tree."""
    packed, rows = lu(a)
    out_of_order = np.triu(rows[..., :, None] > rows[..., None, :], 1)
    sign = 1 - 2 * (np.count_nonzero(out_of_order, axis=(-2, -1)) % 2)
    return (sign * reduced(np.multiply, np.diagonal(packed, axis1=-2, axis2=-1), -1, False, 1)).astype(a.dtype)[()]


def cholesky(a: Any) -> tuple[Any, Any]:
    """`a = L L.T` from the lower triangle, and whether a pivot of an item is not positive."""
    a = np.tril(a)
    n, failed = a.shape[-1], np.zeros(a.shape[:-2], bool)
    for block in _blocks(n):
        for k in range(block.start, block.stop):
            pivot = a[..., k, k]
            failed |= ~(pivot > 0)
            root = np.sqrt(np.where(pivot > 0, pivot, 1))
            a[..., k, k] = root
            a[..., k + 1 :, k] /= root[..., None]
            column = a[..., k + 1 :, k]
            a[..., k + 1 :, k + 1 : block.stop] -= column[..., :, None] * column[..., None, : block.stop - k - 1]
        below = a[..., block.stop :, block]
        a[..., block.stop :, block.stop :] -= exact_matmul(below, below.mT)
    return np.tril(a), failed


# H_k = 1 - tau_k v_k v_k.T, and H_1 H_2 .. H_b = 1 - V T V.T with T**-1 = striu(V.T V) + diag(1 / tau): Golub & Van
# Loan 2013, section 5.1; Joffrain, Low, Quintana-Orti, van de Geijn & Van Zee 2006, theorem 1.  As in LAPACK, the
# diagonal of R has the sign that avoids cancellation.


def norms(x: Any) -> Any:
    """The lengths along the last axis, without overflow: of elements scaled by a power of two."""
    _, e = np.frexp(np.max(np.abs(x), axis=-1, initial=0.0, keepdims=True))
    scaled = np.ldexp(x, -e)
    return np.ldexp(np.sqrt(reduced(np.add, scaled * scaled, -1, False, 0)), e[..., 0])


def _reflection(x: Any) -> tuple[Any, Any, Any]:
    """`v`, whose first element is 1, `tau` and `beta`, for which `(1 - tau v v.T) x = beta e_1`."""
    alpha = x[..., 0]
    is_done = norms(x[..., 1:]) == 0
    beta = np.where(is_done, alpha, -np.copysign(norms(x), alpha))
    v = x / np.where(is_done, 1, alpha - beta)[..., None]
    v[..., 0], v[..., 1:] = 1, np.where(is_done[..., None], 0, v[..., 1:])
    return v, np.where(is_done, 0, (beta - alpha) / np.where(is_done, 1, beta)), beta


def qr(a: Any, is_full: bool = False) -> tuple[Any, Any]:
    """`Q` and `R`, of reduced or full size."""
    a = np.array(a)
    *stack, m, n = a.shape
    least = min(m, n)
    vectors, taus = np.zeros((*stack, m, least), a.dtype), np.zeros((*stack, least), a.dtype)
    for block in _blocks(least):
        for k in range(block.start, block.stop):
            v, tau, beta = _reflection(a[..., k:, k])
            vectors[..., k:, k], taus[..., k] = v, tau
            a[..., k, k], a[..., k + 1 :, k] = beta, 0
            right = a[..., k:, k + 1 : block.stop]
            right -= v[..., None] * (tau[..., None, None] * reduced(np.add, v[..., None] * right, -2, True, 0))
        if block.stop < n:
            v, right = vectors[..., block.start :, block], a[..., block.start :, block.stop :]
            right -= exact_matmul(v, exact_matmul(_triangle(v, taus[..., block]).mT, exact_matmul(v.mT, right)))
    columns = m if is_full else least
    q = np.broadcast_to(np.eye(m, columns, dtype=a.dtype), (*stack, m, columns)).copy()
    for block in _blocks(least)[::-1]:
        v, below = vectors[..., block.start :, block], q[..., block.start :, :]
        below -= exact_matmul(v, exact_matmul(_triangle(v, taus[..., block]), exact_matmul(v.mT, below)))
    return q, np.triu(a)[..., :columns, :]


def _triangle(v: Any, tau: Any) -> Any:
    """`T`: of a reflection that is the identity, 0."""
    is_idle = tau == 0
    inverse = np.triu(exact_matmul(v.mT, v), 1)
    inverse = np.where(is_idle[..., None, :] | is_idle[..., :, None], 0, inverse)
    n = tau.shape[-1]
    inverse[..., range(n), range(n)] = 1 / np.where(is_idle, 1, tau)
    identity = np.broadcast_to(np.eye(n, dtype=v.dtype), inverse.shape)
    return np.where(is_idle[..., None, :], 0, solve_triangular(inverse, identity, lower=False))
