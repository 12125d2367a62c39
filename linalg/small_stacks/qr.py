"""Householder's reflections in all matrices of a stack at once.

The choices are LAPACK's, so that the factors are its factors up to rounding: `larfg` takes `x = (alpha, tail)` to
`(beta, 0)` by `1 - tau v H(v)`, with

    beta = -sign(Re alpha) norm(x),   tau = (beta - alpha) / beta,   v = (1, tail / (alpha - beta)),

and where the tail is zero and `alpha` real it leaves it as it is, `tau = 0`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .layout import interleaved, of_blocks, shown, subtract_products

_TINY: Final = 1e-280
_HUGE: Final = 1e280
"""Sums of squares between these neither underflow nor overflow."""


def stack_qr(a: Any) -> tuple[Any, Any] | None:
    """`q` (..., m, k) and `r` (..., k, n), k = min(m, n); None if squares could underflow, so that LAPACK does it."""
    flat, stack = a.reshape(-1, *a.shape[-2:]), a.shape[:-2]
    m, n = a.shape[-2:]
    q, r = (np.empty((len(flat), *shape), a.dtype) for shape in ((m, min(m, n)), (min(m, n), n)))

    def factorize(block: slice) -> bool | None:
        found = _factors(interleaved(flat[block]))
        if found is None:
            return None
        q[block], r[block] = map(shown, found)
        return True

    if of_blocks(factorize, flat) is None:
        return None
    return (q, r) if len(stack) == 1 else (q.reshape(*stack, *q.shape[1:]), r.reshape(*stack, *r.shape[1:]))


def _factors(x: Any) -> tuple[Any, Any] | None:
    """The factors of interleaved matrices, which are overwritten."""
    m, n, count = x.shape
    k = min(m, n)
    term, scales = np.empty_like(x), []
    for j in range(k):
        column = x[j:, j]
        squares = np.add.reduce(_squares(column[1:]))
        total = squares + _squares(column[0])
        zero = (squares == 0) & (column[0].imag == 0)
        if not (_is_safe(column[1:], squares) and _is_safe(column, total)):
            return None
        beta = np.where(zero, column[0].real, -np.copysign(np.sqrt(total), column[0].real))
        tau = np.where(zero, 0, (beta - column[0]) * (1 / beta))
        column[1:] *= np.reciprocal(np.where(zero, 1, column[0] - beta))
        column[0] = 1
        _reflect(column, np.conj(tau), x[j:, j + 1 :], term[j:, j + 1 :])
        scales.append((tau, beta))
    q = np.zeros((m, k, count), x.dtype)
    q[range(k), range(k)] = 1
    for j in reversed(range(k)):
        _reflect(x[j:, j], scales[j][0], q[j:, j:], term[j:, j:k])
    r = x[:k]
    for j in range(k):
        r[j, :j], r[j, j] = 0, scales[j][1]
    return q, r


def _squares(x: Any) -> Any:
    return x.real**2 + x.imag**2 if x.dtype.kind == "c" else x**2


def _is_safe(x: Any, squares: Any) -> bool:
    """Whether the sums of squares over the first axis are of normal size, or of zeros."""
    if len(x) == 0 or (np.min(squares) > _TINY and np.max(squares) < _HUGE):
        return True
    return bool(np.all(((squares > _TINY) & (squares < _HUGE)) | ~np.any(x, axis=0)))


def _reflect(v: Any, tau: Any, x: Any, term: Any) -> None:
    """`(1 - tau v H(v)) x` in place of `x`, for `v` (m, count) whose first elements are 1, and `x` (m, n, count).

    `term` is memory of the size of `x`.
    """
    if x.shape[1] == 0:
        return
    inner = x[0].copy()
    if len(x) > 1:
        inner += np.add.reduce(np.multiply(v[1:].conj()[:, None], x[1:], out=term[1:]))
    inner *= tau
    x[0] -= inner
    subtract_products(x[1:], v[1:], inner, term[1:])
