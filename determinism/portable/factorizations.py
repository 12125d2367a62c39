"""LU, Cholesky and QR decompositions of stacks of matrices, and triangular solutions, in a fixed order.

A block of columns is eliminated with elementwise operations, one column after the other; what lies right of it is
changed by an exact product.  Golub & Van Loan 2013, algorithms 3.4.1, 4.2.2 and 5.2.1, with blocks as in sections
3.2.11 and 5.2.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .arithmetic import absolute, divide, multiply
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
            pivot = k + np.argmax(absolute(a[..., k:, k]), axis=-1)[..., None]
            _exchange(a, k, pivot)
            _exchange(rows[..., None], k, pivot)
            below, after, top = slice(k + 1, m), slice(k + 1, block.stop), a[..., k, None, k]
            a[..., below, k] = divide(a[..., below, k], np.where(top == 0, 1, top))  # where it is 0, they are
            a[..., below, after] -= multiply(a[..., below, k, None], a[..., k, None, after])
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
                x[..., k, :] = divide(x[..., k, :], t[..., k, k, None])
            rest = slice(k + 1, block.stop) if lower else slice(block.start, k)
            x[..., rest, :] -= multiply(t[..., rest, k, None], x[..., k, None, :])
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
    sign, pivots = _pivots(a)
    return multiply(sign, reduced(multiply, pivots, -1, False, 1))


def _pivots(a: Any) -> tuple[Any, Any]:
    """The sign of the order of the rows, and the pivots."""
    packed, rows = lu(a)
    out_of_order = np.triu(rows[..., :, None] > rows[..., None, :], 1)
    sign = 1 - 2 * (np.count_nonzero(out_of_order, axis=(-2, -1)) % 2)
    return sign.astype(a.dtype), np.diagonal(packed, axis1=-2, axis2=-1)


def sign_and_logarithm(a: Any) -> tuple[Any, Any]:
    """The phase of the determinant, and the logarithm of its modulus.

    The moduli of the pivots are multiplied as fractions in [1/2, 1) and powers of two, so that nothing overflows.
    """
    sign, pivots = _pivots(a)
    moduli = absolute(pivots)
    is_singular = np.any(moduli == 0, axis=-1)
    phases = divide(pivots, np.where(moduli == 0, 1, moduli).astype(a.dtype))
    sign = np.where(is_singular, 0, multiply(sign, reduced(multiply, phases, -1, False, 1)))
    fraction, exponent = reduced_fractions(moduli)
    found = np.where(is_singular, -np.inf, logarithm(np.where(is_singular, 0.5, fraction), exponent))
    return sign.astype(a.dtype)[()], found.astype(moduli.dtype)[()]


def reduced_fractions(x: Any) -> tuple[Any, Any]:
    """The product over the last axis of numbers that are not negative, as a fraction and a power of two."""
    fraction, exponent = np.frexp(np.asarray(x, np.float64))
    total = np.sum(exponent, axis=-1, dtype=np.int64)
    while fraction.shape[-1] > 1:
        half = fraction.shape[-1] // 2
        product, shift = np.frexp(fraction[..., :half] * fraction[..., half : 2 * half])
        total = total + np.sum(shift, axis=-1, dtype=np.int64)
        fraction = np.concatenate([product, fraction[..., 2 * half :]], axis=-1)
    return (fraction[..., 0] if fraction.shape[-1] else np.ones(fraction.shape[:-1])), total


_LOG_2 = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""log 2 as a number of 32 bits, whose products with integers below 2**20 are exact, and the rest."""


def logarithm(fraction: Any, exponent: Any) -> Any:
    """`log(fraction 2**exponent)`: of `f` in [sqrt(1/2), sqrt(2)) it is `2 atanh(s)`, `s = (f - 1)/(f + 1)`.

    The series of `atanh` ends with `s**23 / 23`, below `1e-19 s` for `|s| <= 0.172`.
    """
    is_small = fraction < np.sqrt(0.5)
    fraction, exponent = np.where(is_small, 2 * fraction, fraction), exponent - is_small
    s = (fraction - 1) / (fraction + 1)
    square, series = s * s, np.zeros_like(s)
    for k in range(23, 1, -2):
        series = (series + 1 / k) * square
    return exponent * _LOG_2[0] + (2 * s + (2 * s * series + exponent * _LOG_2[1]))


def cholesky(a: Any) -> tuple[Any, Any]:
    """`a = L H(L)` from the lower triangle, and whether a pivot of an item is not positive."""
    a = np.tril(a)
    n, failed = a.shape[-1], np.zeros(a.shape[:-2], bool)
    for block in _blocks(n):
        for k in range(block.start, block.stop):
            pivot = a[..., k, k].real
            failed |= ~(pivot > 0)
            root = np.sqrt(np.where(pivot > 0, pivot, 1))
            a[..., k, k] = root
            column = _over(a[..., k + 1 :, k], root[..., None])
            a[..., k + 1 :, k] = column
            row = np.conjugate(column[..., None, : block.stop - k - 1])
            a[..., k + 1 :, k + 1 : block.stop] -= multiply(column[..., :, None], row)
        below = a[..., block.stop :, block]
        a[..., block.stop :, block.stop :] -= exact_matmul(below, np.conjugate(below.mT))
    return np.tril(a), failed


def _over(a: Any, b: Any) -> Any:
    """`a / b` for real `b`, part by part."""
    if a.dtype.kind != "c":
        return a / b
    x = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
    x.real, x.imag = a.real / b, a.imag / b
    return x


# Q_k = 1 - tau_k v_k H(v_k) with H(Q_k) x = beta e_1, and Q_1 Q_2 .. Q_b = 1 - V T H(V) with T**-1 = striu(H(V) V) +
# diag(1 / tau): Golub & Van Loan 2013, section 5.1; Joffrain, Low, Quintana-Orti, van de Geijn & Van Zee 2006, theorem
# 1.  As in LAPACK, the diagonal of R is real, with the sign that avoids cancellation.


def norms(x: Any) -> Any:
    """The lengths along the last axis, without overflow: of elements scaled by a power of two."""
    if x.dtype.kind == "c":
        x = np.concatenate([x.real, x.imag], axis=-1)
    _, e = np.frexp(np.max(np.abs(x), axis=-1, initial=0.0, keepdims=True))
    scaled = np.ldexp(x, -e)
    return np.ldexp(np.sqrt(reduced(np.add, scaled * scaled, -1, False, 0)), e[..., 0])


def scaled_by_power(x: Any, e: Any) -> Any:
    """`2**e x`."""
    if x.dtype.kind != "c":
        return np.ldexp(x, e)
    found = np.empty(np.broadcast_shapes(x.shape, np.shape(e)), x.dtype)
    found.real, found.imag = np.ldexp(x.real, e), np.ldexp(x.imag, e)
    return found


def _reflection(x: Any) -> tuple[Any, Any, Any]:
    """`v`, whose first element is 1, `tau` and `beta`, for which `(1 - conj(tau) v H(v)) x = beta e_1`."""
    alpha = x[..., 0]
    is_done = (norms(x[..., 1:]) == 0) & (alpha.imag == 0)
    beta = np.where(is_done, alpha.real, -np.copysign(norms(x), alpha.real))
    v = divide(x, np.where(is_done, 1, alpha - beta)[..., None])
    v[..., 0], v[..., 1:] = 1, np.where(is_done[..., None], 0, v[..., 1:])
    return v, np.where(is_done, 0, _over(beta - alpha, np.where(is_done, 1, beta))), beta


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
            sums = reduced(np.add, multiply(np.conjugate(v)[..., None], right), -2, True, 0)
            right -= multiply(v[..., None], multiply(np.conjugate(tau)[..., None, None], sums))
        if block.stop < n:
            v, right = vectors[..., block.start :, block], a[..., block.start :, block.stop :]
            inner = exact_matmul(_adjoint(_triangle(v, taus[..., block])), exact_matmul(_adjoint(v), right))
            right -= exact_matmul(v, inner)
    columns = m if is_full else least
    q = np.broadcast_to(np.eye(m, columns, dtype=a.dtype), (*stack, m, columns)).copy()
    for block in _blocks(least)[::-1]:
        v, below = vectors[..., block.start :, block], q[..., block.start :, :]
        below -= exact_matmul(v, exact_matmul(_triangle(v, taus[..., block]), exact_matmul(_adjoint(v), below)))
    return q, np.triu(a)[..., :columns, :]


def _adjoint(a: Any) -> Any:
    return np.conjugate(a.mT)


def _triangle(v: Any, tau: Any) -> Any:
    """`T`: of a reflection that is the identity, 0."""
    is_idle = tau == 0
    inverse = np.triu(exact_matmul(_adjoint(v), v), 1)
    inverse = np.where(is_idle[..., None, :] | is_idle[..., :, None], 0, inverse)
    n = tau.shape[-1]
    inverse[..., range(n), range(n)] = divide(tau.dtype.type(1), np.where(is_idle, 1, tau))
    identity = np.broadcast_to(np.eye(n, dtype=v.dtype), inverse.shape)
    return np.where(is_idle[..., None, :], 0, solve_triangular(inverse, identity, lower=False))
