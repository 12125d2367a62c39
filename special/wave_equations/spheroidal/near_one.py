"""The second derivative of spheroidal functions that are regular at `x = 1` and `x = -1`, next to these points.

By the spheroidal equation it is a difference of nearly equal numbers over `u = 1 - x**2`.  With the series about these
points the functions are multiples of `g = x**p |u|**(m/2) f(u)`, see `pole_series`, and `du / dx = -2 x`:

    g' / g = p / x - x (m / u + 2 F),            F = f' / f,
    g'' / g = (m (m - 2) x**2 / u - m - 2 p m) / u + 4 m x**2 F / u + 4 x**2 f'' / f - 2 (1 + 2 p) F
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.tridiagonal import row_before
from ...ufuncs.modes import by_modes
from .radial import pole_series, powers_of

_NEAR, _TERMS = 0.02, 12
"""Of `|u|`, and of `|u|` times the square of the wave number there, for which so many terms are enough."""


def is_near_one(m: Any, square: Any, value: Any, x: Any) -> Any:
    """Where the series is used; all of its terms are small relative to the first, so that `f` is not 0."""
    u = np.abs((1 - x) * (1 + x))
    return (u > 0) & (u * np.maximum(1.0, (np.abs(value) + np.abs(square)) / (m + 1)) < _NEAR)


def bend_near_one(w: Any, derivative: Any, m: Any, n: Any, square: Any, value: Any, x: Any) -> Any:
    """The second derivative by the function `w` and its first; `square` is `c**2`, or `-c**2` of oblate functions."""
    return by_modes(2, _bend, m, n, square, value, x, w, derivative)


def _bend(m: Any, n: Any, square: Any, value: Any, x: Any, w: Any, derivative: Any) -> Any:
    p = (n - m) % 2
    u = (1 - x) * (1 + x)
    k, f = pole_series(_TERMS, m, p, square, value)
    powers = powers_of(u, _TERMS)
    before = row_before(powers)
    total = np.sum(f * powers, axis=0)
    rise = np.sum(k * f * before, axis=0) / total
    bend = np.sum(k * (k - 1) * f * row_before(before), axis=0) / total
    regular = 4 * x * x * bend - 2 * (1 + 2 * p) * rise
    # where the function is 0 at the end, its derivative has lost fewer digits
    singular = m * ((m - 2) * x * x / u - 1 - 2 * p + 4 * x * x * rise)
    of_derivative = (singular + u * regular) / (u * p / x - x * (m + 2 * u * rise))
    return np.where(m > 0, of_derivative * derivative, regular * w)
