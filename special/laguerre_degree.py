"""Laguerre functions of real degree, with their derivatives in degree, parameter and argument.

`L_n = (alpha + 1)_n / n! phi_n` with `phi_n = M(-n, alpha + 1, x)`, DLMF 13.6.19 at real `n`. The series gives `phi`
at the fractional part of the degree and one above, for moderate `|x|`; the recurrence DLMF 18.9.1 leads up to the
degree, stable in that disc; the Taylor series of Kummer's equation lead on to `x`, where `phi` of a real degree is
dominant. At real `x < 0` Kummer's transformation DLMF 13.2.39 gives a series of positive terms.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import gammaln

from ..complex_autograd.array import raw
from .parameters import flat, march
from .polynomial_degree import value_at_one

__all__ = ["laguerre_function"]

_STEP = 2.0
"""Its longest step: over it the solutions change by a moderate factor."""
_PHASE = 2.0
"""Nor may its phase change by more."""
_LOSS = 500.0
"""How many times the rounding error of the series may count."""
_FARTHEST = 10.0
"""The largest argument of the series."""
_TINY = 1e-18
_MOST_TERMS = 5000
_MOST_STEPS = 5000


def laguerre_function(n: Any, alpha: Any, x: Any) -> Any:
    """Laguerre's function of real degree."""
    return value_at_one(n, alpha) * laguerre_phi(n, alpha, x)


def laguerre_phi(n: Any, alpha: Any, x: Any) -> Any:
    """`M(-n, alpha + 1, x)`."""
    shape, (n, alpha, x) = flat(n, alpha, x)
    if raw(x).size == 0:
        return np.reshape(x + 0 * n, shape)
    is_left = (raw(x) < 0) if x.dtype.kind == "f" else np.zeros_like(raw(x), bool)
    a, z = np.where(is_left, n + alpha + 1, -n), np.where(is_left, -x, x)
    size, reach = np.maximum(np.abs(raw(z)), 1e-300), np.maximum(_reach(raw(n), z.dtype), raw(alpha) / 2)
    direct = is_left | (raw(n) < 1) | (size <= reach)
    first = np.where(direct, z, raw(z) * np.minimum(1.0, reach / size))
    value, slope = _first_point(n, a, alpha + 1, first, is_left)
    path = _path(raw(n), raw(alpha + 1), np.where(direct, raw(z), raw(first)), raw(z))
    value, _ = march(path, z, value, slope, _taylor, n, alpha + 1)
    return np.reshape(np.where(is_left, np.exp(np.where(is_left, x, 0.0)), 1.0) * value, shape)


def _reach(n: Any, dtype: Any) -> Any:
    """Where the recurrence starts; at positive `x`, where `phi` of a fractional degree is of size `exp(x)`.

    Over `m` steps this falls to about `m! / x**m` times it, and the rounding error does not.
    """
    if dtype.kind == "c":
        return 2.0
    steps = np.maximum(np.floor(n), 1.0)
    return np.minimum(_FARTHEST, np.exp((math.log(_LOSS) + gammaln(steps + 1)) / steps))


def _first_point(n: Any, a: Any, b: Any, y: Any, is_left: Any) -> tuple[Any, Any]:
    whole = np.where(is_left, 0.0, np.maximum(np.floor(raw(n)), 0.0))
    first = _series(a + whole, b, y)
    if not np.any(whole > 0):
        return first, first
    second = _series(np.where(is_left, a, a + whole - 1), b, y)
    value, lower = np.where(whole == 0, first, second), np.where(whole == 0, 0.0, first)
    fraction = n - whole
    for k in range(1, int(np.max(whole))):
        m = fraction + k
        upper = ((2 * m + b - y) * value - m * lower) / (m + b)
        goes_on = whole > k
        value, lower = np.where(goes_on, upper, value), np.where(goes_on, value, lower)
    # DLMF 13.3.15 with 13.3.1
    return value, n * (value - lower) / np.where(raw(y) == 0, 1.0, y)


def _series(a: Any, b: Any, z: Any) -> Any:
    """`M(a, b, z)`, DLMF 13.2.2."""
    term: Any = 1 + 0 * (a * z)
    value = term
    for k in range(_terms(a, b, z)):
        term = term * ((a + k) * (z / ((b + k) * (k + 1))))
        value = value + term
    return value


def _terms(a: Any, b: Any, z: Any) -> int:
    """How many terms the series needs, by a majorant."""
    a, b = float(np.max(np.abs(raw(a)))) + 1, float(np.min(np.abs(raw(b))))
    z = float(np.max(np.abs(raw(z))))
    term, largest, k = 1.0, 1.0, 0
    while term > _TINY * largest and k < _MOST_TERMS:
        term *= (a + k) / (b + k) * z / (k + 1)
        largest = max(largest, term)
        k += 1
    return k


def _path(n: Any, b: Any, here: Any, end: Any) -> list[Any]:
    """The points between which the march goes: over one step no solution changes by a large factor."""
    points = [here]
    while np.any(here != end) and len(points) < _MOST_STEPS:
        size = np.abs(here)
        smooth = np.minimum(_STEP, size * np.minimum(0.5, 4 / np.abs(b)))
        step = np.minimum(smooth, _PHASE * np.sqrt(size / (np.abs(n) + 1)))
        way = end - here
        part = step / (np.abs(way) + 1e-300)
        here = np.where(part < 1, here + np.minimum(part, 1.0) * way, end)
        points.append(here)
    return points


def _taylor(y: Any, h: Any, value: Any, slope: Any, n: Any, b: Any) -> tuple[Any, Any]:
    """The solution of Kummer's equation, DLMF 13.2.1, and its slope, at `y + h`.

    With `g_k` the terms of its Taylor series, `(k + 2) (k + 1) y g_(k+2) =
    (k + 1) (y - b - k) h g_(k+1) + (k - n) h**2 g_k`.
    """
    scale = h / y
    square = h * scale
    linear, product = (y - b) * scale, n * square
    ratio, longest = float(np.max(np.abs(raw(scale)), initial=0.0)), float(np.max(np.abs(raw(h)), initial=0.0))
    g, following = value, slope * h
    value, rise = g + following, following
    for k in range(_step_terms(b, ratio, longest)):
        upper = ((k + 1) * (linear - k * scale)) * following + (k * square - product) * g
        g, following = following, upper * (1.0 / ((k + 2) * (k + 1)))
        value = value + following
        rise = rise + (k + 2) * following
    return value, rise / h


def _step_terms(b: Any, ratio: float, longest: float) -> int:
    """How many terms a step needs: they fall at least as those of `(1 - ratio t)**-b exp(t longest)` with a phase."""
    p = float(np.max(np.abs(raw(b)))) + 2
    term, largest, k = 1.0, 1.0, 0
    while term > _TINY * largest:
        term *= ((p + k) * ratio + longest + _PHASE) / (k + 1)
        largest = max(largest, term)
        k += 1
    return k
