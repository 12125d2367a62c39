"""The oblate radial functions next to 0, where the equation is marched outwards from what is known there.

For large `c` the function of the second kind or its derivative is exponentially small there, and of a march from far
out nothing but roundings would be left of it; for high orders the Bessel functions of the first kind underflow.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import binom, rgamma

from ....complex_autograd.engine.traced import raw
from ...numerics.tridiagonal import counted
from .angular import angular_of_mode, value_at_zero
from .coefficients import MOST_CANCELLED, Recurrence
from .equation import marched
from .radial import pole_series, powers_of

_POLE_TERMS, _NEAR_POLE = 30, 0.04
"""Of a power series in `1 - x**2`, and the largest of those."""
_FEW_WAVES = 1.0
"""In radians, how far from 0 the march leads."""


def may_start_at_zero(sign: int, c: Any, value: Any, x: Any) -> Any:
    """Where the radial functions are marched from 0."""
    return (sign == -1) & (x >= 0) & (x * np.sqrt(np.abs(value) + c * c + 1) < _FEW_WAVES)


def _first_kind_at_zero(m: Any, n: Any, c: Any, value: Any) -> Any:
    """R1(0) if it is even, else R1'(0): what the first Bessel function of the expansion, DLMF 30.11.3, leaves there."""
    rows = Recurrence(m, n, c)
    d = rows.vector(-c * c, value)
    weights = d * rows.radial_weights
    total, size = np.sum(weights, axis=0), np.sum(np.abs(raw(weights)), axis=0)
    known = np.where(size > MOST_CANCELLED * np.abs(raw(total)), np.nan, 1.0 - 2.0 * ((n - m - rows.p) / 2 % 2))
    order = m + rows.p
    power = (c / 2) ** (order // 2) * (rgamma(order + 1.5) * math.sqrt(math.pi) / 2) * (c / 2) ** (order - order // 2)
    return known * d[0] / total * power


def first_kind_from_zero(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """R1 and its derivative."""
    p = (n - m) % 2
    first = _first_kind_at_zero(m, n, c, value)
    return _marched(m, c, value, x, np.where(p == 0, first, 0.0), np.where(p == 0, 0.0, first))


def second_kind_from_zero(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """R2 and its derivative, from those at 0; NaN where a sum cancels.

    By the Wronskian `R1 R2' - R1' R2 = 1 / (c (1 + x**2))`, DLMF 30.11.7, `R2 = R1 int dx / (c (1 + x**2) R1**2)`, so
    that `R2 = Q R1 (arctan(x) - pi / 2) + g` with `g` odd where `R1` is even, and even where it is odd (C. Flammer,
    Spheroidal Wave Functions, 1957, section 4.4).  `Q / 2 i` is the residue of the integrand at `x = i`.  The angular
    function is `S = C x**p (1 - x**2)**(m/2) f(1 - x**2)`, and `R1(x) = S(i x) / K`.  So with `h_j` the coefficients of
    `(1 - v)**-p f(v)**-2`, `Q = K**2 / (c C**2) sum_(j <= m) h_j (2 m - 2 j)! / ((m - j)! 2**(m - j))**2`.
    """
    p = (n - m) % 2
    zero = 0 * raw(x)
    first = _first_kind_at_zero(m, n, c, value)
    ratio = value_at_zero(m, n, counted(int(np.max(n - m, initial=0)) + 1, zero), p) / first  # K, over i**p
    near_pole = np.sqrt(1 - np.minimum(_NEAR_POLE, (m + 1) / (np.abs(raw(value)) + raw(c) ** 2)))
    distance = (1 - near_pole) * (1 + near_pole)
    s, _ = angular_of_mode(-1, m, n, c, value, near_pole)
    k, f = pole_series(max(_POLE_TERMS, int(np.max(m, initial=0)) + 1), m, p, -c * c, value)
    sum_at_pole = np.sum(f * powers_of(distance, len(k)), axis=0)
    of_pole = s / (distance ** (m / 2) * near_pole**p * sum_at_pole)
    total, size = _residue(m, p, f)
    known = np.where(size > MOST_CANCELLED * np.abs(raw(total)), np.nan, 1.0)
    q = known * (1.0 - 2.0 * p) * ratio**2 / (c * of_pole**2) * total
    small, large = -(math.pi / 2) * q * first, (1.0 - 2.0 * p) / (c * first)
    return _marched(m, c, value, x, np.where(p == 0, small, large), np.where(p == 0, large, small))


def _marched(m: Any, c: Any, value: Any, x: Any, r: Any, dr: Any) -> tuple[Any, Any]:
    """A solution and its derivative, from those at 0."""
    u, du = marched(-1, m, c * c, value, x, 0 * raw(x), r, dr)
    rest = 1 + x * x
    return rest ** (m / 2) * u, rest ** (m / 2) * (du + m * x / rest * u)


def _residue(m: Any, p: Any, f: Any) -> tuple[Any, Any]:
    """The sum over `j`, and that of the moduli.

    The coefficients of `f**-2` follow from `f g' = -2 f' g`, those of `(1 - v)**-1 g` are their sums; and
    `(2 n)! / (n! 2**n)**2` is a binomial coefficient of `n - 1 / 2`.
    """
    most = int(np.max(m, initial=0))
    g = [np.ones_like(raw(f[0]))]
    for k in range(1, most + 1):
        g.append(-sum((k + j) / k * f[j] * g[k - j] for j in range(1, k + 1)))
    total: Any = 0.0
    size: Any = 0.0
    h: Any = 0.0
    for j in range(most + 1):
        h = np.where(p == 1, h, 0.0) + g[j]
        term = np.where(j <= m, h * binom(m - j - 0.5, m - j), 0.0)
        total, size = total + term, size + np.abs(raw(term))
    return total, size
