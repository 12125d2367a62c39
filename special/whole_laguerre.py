"""Derivatives of Laguerre polynomials in degree and parameter at whole degrees, of plain vectors.

Both differentiate DLMF 18.9.1 for the differences, `(k + 1) rise_k = (k + alpha) rise_(k-1) - x L_k`, in place.  They
are kernels of `degree_sweeps.sweep`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import psi

from .degree_sweeps import steps
from .jet_vectors import part, split

__all__ = ["keeps_digits", "laguerre_in_degree", "laguerre_in_parameter"]

_LONG = 16.0
"""Elements whose series are longer than those up to here are summed apart."""
_FARTHEST = 700.0
"""The derivative in the degree grows as `exp(x)`."""


def laguerre_in_parameter(n: Any, alpha: Any, x: Any) -> Any:
    """The derivative in `alpha`."""
    value, slope, rise, turn = np.ones_like(x), np.zeros_like(x), np.ones_like(x), np.zeros_like(x)
    for k, going in steps(n, len(x)):
        v, dv, r, dr, y, a = (part(p, going) for p in (value, slope, rise, turn, x, alpha))
        a = a + k
        dr *= a
        dr += r
        dr -= y * dv
        dr *= 1 / (k + 1)
        r *= a
        r -= y * v
        r *= 1 / (k + 1)
        v += r
        dv += dr
    return slope


def laguerre_in_degree(n: Any, alpha: Any, x: Any) -> Any:
    """The derivative in `n`, of the hypergeometric sum term by term: `F_n` of powers up to the degree, and those above.

    `F` has a recurrence of its own, `(k + 1) (F_(k+1) - F_k) = (k + alpha) (F_k - F_(k-1)) - x F_k - rise_k +
    rise_(k-1) + (1 + (k + 1) / (k + 1 + alpha)) m_(k+1) - m_k` with the last terms `m_k = (-x)**k / k!` of the
    polynomials.  The terms above have one sign where `x > 0`.
    """
    value, rise, last = np.ones_like(x), np.ones_like(x), np.ones_like(x)
    slope = np.zeros_like(x) + (psi(alpha + 1) + np.euler_gamma)
    turn = slope.copy()
    for k, going in steps(n, len(x)):
        v, r, m, dv, dr, y, a = (part(p, going) for p in (value, rise, last, slope, turn, x, alpha))
        a = a + k
        dr *= a
        dr -= y * dv
        dr += r
        dr -= m
        r *= a
        r -= y * v
        r *= 1 / (k + 1)
        m *= y
        m *= -1 / (k + 1)
        dr -= r
        dr += m
        dr += m * ((k + 1) / (a + 1))
        dr *= 1 / (k + 1)
        v += r
        dv += dr
    slope -= last * split(np.abs(x) <= _LONG, _above, _above, n, alpha, x)
    return slope


def _above(n: Any, alpha: Any, x: Any) -> Any:
    """`sum_(k >= 1) (k - 1)! x**k / ((n + 1)_k (n + alpha + 1)_k)`, from the last term that counts to the first."""
    below = n + alpha + 1
    top = _count(float(np.min(n)) + 1, float(np.min(below)), float(np.max(np.abs(x))))
    total, weight = np.ones_like(x), 1.0
    for k in range(top, 0, -1):
        total *= x
        total /= below + k
        weight = weight * ((n + (k + 1)) / k)
        total += weight
    return total * (x / (weight * ((n + 1) * below)))


def _count(n: float, below: float, x: float) -> int:
    """How many terms this needs."""
    term, total, k = 1.0, 1.0, 1
    while term > 1e-16 * total:
        term *= k * x / ((n + k) * (below + k))
        total += term
        k += 1
    return k


def keeps_digits(n: Any, x: Any) -> Any:
    """Where the derivative in the degree loses at most 5e-14, as measured.

    There the powers above the degree are the largest part, or no part is much larger than the sum.
    """
    size = np.abs(x)
    is_balanced = (size <= 12) | (n <= 6) | (size >= 6 * n)
    return is_balanced & (size - np.real(x) <= 2) & (size <= _FARTHEST)
