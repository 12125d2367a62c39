"""Householder's reflections in all matrices of a stack at once.

The choices are LAPACK's, so that the factors are its factors up to rounding: `larfg` takes `x = (alpha, tail)` to
`(beta, 0)` by `1 - tau v H(v)`, with

    beta = -sign(Re alpha) norm(x),   tau = (beta - alpha) / beta,   v = (1, tail / (alpha - beta)),

and where the tail is zero and `alpha` real it leaves it as it is, `tau = 0`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .interleaved import deinterleaved, interleaved

__all__ = ["stack_qr"]

_TINY: Final = 1e-280
_HUGE: Final = 1e280
"""Sums of squares between these have lost nothing to underflow or overflow."""


def stack_qr(a: Any) -> tuple[Any, Any] | None:
    """`q` (..., m, k) and `r` (..., k, n), k = min(m, n); None if squares could underflow, so that LAPACK does it."""
    x = interleaved(a)
    m, n, count = x.shape
    k = min(m, n)
    scales = []
    with np.errstate(all="ignore"):
        for j in range(k):
            column = x[j:, j]
            squares = np.sum(_squares(column[1:]), axis=0)
            total = squares + _squares(column[0])
            zero = (squares == 0) & (column[0].imag == 0)
            if not (_is_safe(column[1:], squares) and _is_safe(column, total)):
                return None
            beta = np.where(zero, column[0].real, -np.copysign(np.sqrt(total), column[0].real))
            tau = np.where(zero, 0, (beta - column[0]) / beta)
            column[1:] /= np.where(zero, 1, column[0] - beta)
            column[0] = 1
            _reflect(column, np.conj(tau), x[j:, j + 1 :])
            scales.append((tau, beta))
    q = np.zeros((m, k, count), x.dtype)
    q[range(k), range(k)] = 1
    for j in reversed(range(k)):
        _reflect(x[j:, j], scales[j][0], q[j:, j:])
    r = x[:k] * ~np.tri(k, n, -1, dtype=bool)[..., None]
    r[range(k), range(k)] = [beta for _, beta in scales]
    return deinterleaved(q, a.shape[:-2]), deinterleaved(r, a.shape[:-2])


def _squares(x: Any) -> Any:
    return x.real**2 + x.imag**2 if x.dtype.kind == "c" else x**2


def _is_safe(x: Any, squares: Any) -> bool:
    """Whether the sums of squares over the first axis are of normal size, or of zeros."""
    if len(x) == 0 or (np.min(squares) > _TINY and np.max(squares) < _HUGE):
        return True
    return bool(np.all(((squares > _TINY) & (squares < _HUGE)) | ~np.any(x, axis=0)))


def _reflect(v: Any, tau: Any, x: Any) -> None:
    """`(1 - tau v H(v)) x` in the place of `x`, for `v` (m, count) and `x` (m, n, count)."""
    if x.shape[1] == 0:
        return
    adjoint = v.conj()
    inner = x[0].copy()
    for row, y in zip(adjoint[1:], x[1:], strict=True):
        inner += row * y
    inner *= tau
    x[0] -= inner
    for row, y in zip(v[1:], x[1:], strict=True):
        y -= row * inner
