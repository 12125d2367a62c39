"""Laguerre polynomials left of `alpha = -1`, or next to it, and their derivatives in degree and parameter there.

Recurrences cancel where `alpha` is next to a negative integer, and the polynomial is small.  The powers of
`L_n = sum_k c_k (-x)**k / n!`, DLMF 18.5.12, with `c_n = 1` and `c_(k-1) = c_k k (alpha + k) / (n - k + 1)`, do not.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np
from scipy.special import psi, rgamma

from ...gamma_and_beta.digamma_differences import digamma_by_pole
from ...numerics.regions import part
from ..real_degree.degree_sweeps import steps, sweep
from .exact import Exact, Pair, exact_sum

_LOSS = 1e4
"""So many times a sum may be less than that of the sizes of its terms."""
_NEGLIGIBLE, _MOST_TERMS = 1e-18, 5000


def _sums(n: Any, alpha: Any, x: Any) -> Any:
    """The polynomial, its derivative in `alpha`, and `sum_k psi(n - k + 1) c_k (-x)**k / n!`; NaN where they cancel."""
    c, dc, y = np.ones_like(x), np.zeros_like(x), -x
    sums = np.stack([c, dc, c * psi(1)])
    sizes = np.abs(sums)
    for j, going in steps(n, len(x)):
        k, a, term, derivative = part(n, going) - j, part(alpha, going), c[going], dc[going]
        derivative *= k * (a + k) / (j + 1)
        derivative += term * (k / (j + 1))
        term *= k * (a + k) / (j + 1)
        terms = np.stack([term, derivative, term * psi(j + 2)])
        sums[:, going] = sums[:, going] * y[going] + terms
        sizes[:, going] = sizes[:, going] * np.abs(y[going]) + np.abs(terms)
    return np.where(sizes > _LOSS * np.abs(sums), np.nan, sums) * rgamma(n + 1)


def _sum_above(n: Any, alpha: Any, x: Any) -> Any:
    """`sum_(k >= 1) (k - 1)! x**k / ((n + 1)_k (n + alpha + 1)_k)`."""
    below = n + (alpha + 1)
    term = x / ((n + 1) * below)
    total, size, k = term.copy(), np.abs(term), 0
    while k < _MOST_TERMS and (k < -np.min(below) or np.any(np.abs(term) > _NEGLIGIBLE * size)):
        k += 1
        term *= k * x / ((n + 1 + k) * (below + k))
        total += term
        size += np.abs(term)
    return np.where(size > _LOSS * np.abs(total), np.nan, total)


def in_degree_left(n: Any, alpha: Any, x: Any) -> Any:
    """The derivative in `n` term by term, of the powers up to the degree and of those above; NaN where they cancel."""
    value, _, weighted = sweep(_sums, n, alpha, x)
    first = digamma_by_pole(np.asarray(n + alpha + 1)) * value
    above = (-x) ** n * rgamma(n + 1) * _sum_above(n, alpha, x)
    derivative = first - weighted - above
    cancels = np.abs(first) + np.abs(weighted) + np.abs(above) > _LOSS * np.abs(derivative)
    return np.where(cancels, np.nan, derivative)


def _rounded(i: int | None, *args: Any) -> Any:
    return sweep(_sums, *args)[0 if i is None else 1]


def _exactly(n: int, one: int, unit: int, x: Pair, alpha: int) -> tuple[Pair, int]:
    """The sum of `exact.py` without the factors `(sigma)_k`."""
    return exact_sum(n, one, alpha + one, (-x[0], -x[1]), one, unit, 0), factorial(n) * (one * unit) ** n


LAGUERRE = Exact(_exactly, lambda alpha: (alpha,), _rounded)
