"""Laguerre functions of real degree, with their derivatives in degree and parameter.

`L_n = (alpha + 1)_n / n! phi_n` with `phi_n = M(-n, alpha + 1, x)`, DLMF 13.6.19 at real `n`. The series gives `phi`
at the fractional part `f` of the degree, for moderate `|x|`, and DLMF 13.3.15 leads to `f + 1`; the recurrence DLMF
18.9.1 leads up to the degree, stable in that disc; the Taylor series of Kummer's equation lead on to `x`, where `phi`
of a real degree is dominant, and far out at complex `x` stand the expansions of `laguerre_far.py`. At real `x < 0`
Kummer's transformation DLMF 13.2.39 gives a series of positive terms; it also raises degrees below `-(alpha + 1) / 2`
left of the imaginary axis.

An integer degree that is not differentiated needs the recurrence alone. Degree and parameter are numbers, vectors
or jets, and `x` is a vector.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import gammaln

from ....complex_autograd.engine.traced import Traced, raw
from ...numerics.jets import Jet
from ...numerics.regions import by_region, is_near_pole, part, plain, replaced
from .degree_climb import climb, fraction
from .laguerre_far import is_far, laguerre_far
from .values_at_one import value_at_one

_STEP = 2.0
"""Its longest step: over it the solutions change by a moderate factor."""
_PHASE = 2.0
"""Nor may its phase change by more."""
_FIRST = 2.0
"""Of the modulus of complex arguments."""
_LOSS = 500.0
"""How many times the rounding error of the series may count."""
_FARTHEST = 10.0
"""The largest argument of the series."""
_TINY = 1e-18
_SMALLEST = 1e-300
_NEAR_POLE = 1e-4
"""Left of -1, how far `alpha` is from integers."""
_MOST_TERMS = 5000
_MOST_STEPS = 5000
_OVERFLOW = 900.0
"""An exponent of which the exponential is infinite, and stays so when it is divided by the distance from a pole."""


def laguerre_function(n: Any, alpha: Any, x: Any) -> Any:
    """Laguerre's function of real degree."""
    return by_region([(_is_polynomial(n), _polynomial), (True, _function)], n, alpha, x)


def _is_polynomial(n: Any) -> Any:
    return (plain(n) >= 0) & (plain(n) == np.floor(plain(n))) & (not isinstance(n, (Jet, Traced)))


def _polynomial(n: Any, alpha: Any, x: Any) -> Any:
    """By DLMF 18.9.1 for the differences: `(k + 1) (L_(k+1) - L_k) = (k + alpha) (L_k - L_(k-1)) - x L_k`."""

    def rise(k: int, parameters: Any, value: Any, before: Any) -> Any:
        alpha, x = parameters
        return ((alpha + float(k)) * before - x * value) * (1 / (k + 1))

    return climb(n, rise, (alpha, x), alpha * (0.0 * x) + 1.0, alpha + -x)[0]


def _function(n: Any, alpha: Any, x: Any) -> Any:
    """NaN left of the domain: at real degrees, and at integers where terms with `1 / (alpha + k)` cancel."""
    is_integer = (plain(n) >= 0) & (plain(n) == np.floor(plain(n)))
    is_outside = (plain(alpha) <= -1) & (~is_integer | is_near_pole(plain(alpha), _NEAR_POLE))
    return by_region([(is_outside, _outside), (is_far(n, alpha, x), laguerre_far), (True, _inside)], n, alpha, x)


def _outside(n: Any, alpha: Any, x: Any) -> Any:
    return (n + alpha) * (x * np.nan)


def _inside(n: Any, alpha: Any, x: Any) -> Any:
    is_low = (2 * plain(n) + plain(alpha) + 1 < 0) & (np.real(raw(x)) < 0)
    phi = by_region([(is_low, _by_higher), (True, _phi)], n, alpha, x)
    return phi if type(alpha) is float and alpha == 0 else phi * value_at_one(n, alpha)


def _by_higher(n: Any, alpha: Any, x: Any) -> Any:
    """Kummer's transformation: left of 0 `phi` of a low degree may be as small as `exp(x)`."""
    return _phi(-n - (alpha + 1.0), alpha, -x) * np.exp(x)


def _phi(n: Any, alpha: Any, x: Any) -> Any:
    is_left = (raw(x) < 0) if x.dtype.kind == "f" else np.zeros_like(raw(x), bool)
    return by_region([(is_left, _by_kummer), (True, _by_steps)], n, alpha, x)


def _by_kummer(n: Any, alpha: Any, x: Any) -> Any:
    value, _ = _sums(n + (alpha + 1.0), alpha + 1.0, -x)
    return (value * (n + (alpha + 1.0)) + 1.0) * np.exp(x)


def _by_steps(n: Any, alpha: Any, x: Any) -> Any:
    size, reach = np.maximum(np.abs(raw(x)), _SMALLEST), np.maximum(_reach(plain(n), x.dtype), plain(alpha) / 2)
    is_direct = _is_polynomial(n) | (size <= reach) | (plain(n) < 1) & (x.dtype.kind == "f")
    passes_turn = _passes_turn(plain(n), plain(alpha), raw(x))
    ray = np.where(passes_turn, 1.0, raw(x) / size)
    first = np.where(is_direct, x, ray * np.minimum(size, reach))
    value, derivative = _first_point(n, alpha + 1.0, first)
    if np.all(is_direct):
        return value
    (far,) = np.nonzero(~is_direct)
    n, alpha, here, derivative, y, x, turns = (
        part(p, far) for p in (n, alpha, value, derivative, raw(first), x, passes_turn)
    )
    return replaced(value, far, _march(n, alpha + 1.0, here, derivative / y, y, x, turns))


def _turn(n: Any, alpha: Any) -> Any:
    """The turning point of Kummer's equation, about."""
    return 4 * n + 2 * (alpha + 1)


def _passes_turn(n: Any, alpha: Any, x: Any) -> Any:
    """Where the way to `x` is along the real axis and from the turning point.

    The solutions change by `exp(int lambda dx)`, `lambda = (1 +- sqrt(1 - turn / x)) / 2`.  On a ray that of the upper
    sign decays beside the other one until the real part of the root's product with `x` is positive, and then it grows
    from what roundings have left of it.  On the axis both stay as large as each other up to the turning point.
    """
    turn = _turn(n, alpha)
    if x.dtype.kind != "c":
        return np.zeros_like(x + turn, bool)
    return (turn > 2 * _FIRST) & (np.real(x * np.sqrt(1 - turn / x)) > 0)


def _reach(n: Any, dtype: Any) -> Any:
    """Where the recurrence starts; at positive `x`, where `phi` of a fractional degree is of size `exp(x)`.

    Over `m` steps this falls to about `m! / x**m` times it, and the rounding error does not.
    """
    if dtype.kind == "c":
        return _FIRST
    steps = np.maximum(np.floor(n), 1.0)
    return np.minimum(_FARTHEST, np.exp((math.log(_LOSS) + gammaln(steps + 1)) / steps))


def _first_point(n: Any, b: Any, y: Any) -> tuple[Any, Any]:
    """`phi_n` and `y dphi_n / dy`: the rise from `m` is `(m d - y phi) / (m + b)`, `d` the one before."""
    integer = np.maximum(np.floor(plain(n)), 0.0)
    f = fraction(n, integer)
    value, derivative = _beginning(-f, b, y)

    def rise(k: int, parameters: Any, value: Any, before: Any) -> Any:
        f, b, y = parameters
        m = f + float(k)
        return (m * before - y * value) / (m + b)

    value, lower = climb(integer, rise, (f, b, y), value, (derivative - y * value) / (f + b))
    return value, by_region([(integer > 0, _derivative_after), (True, _derivative_before)], n, value, lower, derivative)


def _derivative_after(n: Any, value: Any, lower: Any, derivative: Any) -> Any:
    """DLMF 13.3.15 with 13.3.1."""
    return n * (value - lower)


def _derivative_before(n: Any, value: Any, lower: Any, derivative: Any) -> Any:
    return derivative


def _beginning(a: Any, b: Any, y: Any) -> tuple[Any, Any]:
    """`M` and `y dM / dy`; at `a = 0` the first derivatives need the sums alone, without their own."""
    inner = (a, b)
    if isinstance(a, Jet) and sum(a.orders) == 1 and type(a.value) is float and a.value == 0:
        inner = tuple(p.value if isinstance(p, Jet) else p for p in inner)
    value, derivative = _sums(*inner, y)
    return a * value + 1.0, a * derivative


def _sums(a: Any, b: Any, z: Any) -> tuple[Any, Any]:
    """`(M(a, b, z) - 1) / a` and its derivative times `z`, DLMF 13.2.2."""
    b = _in_double(b)  # at a pole infinite, and no exception
    term = z / b
    value = derivative = term
    for k in range(1, _terms(plain(a), plain(b), raw(z)) + 1):
        term = term * ((a + float(k)) / (b + float(k)) * (z * (1 / (k + 1))))
        value = value + term
        derivative = derivative + (k + 1.0) * term
    return value, derivative


def _in_double(b: Any) -> Any:
    if isinstance(b, Jet):
        return b.map(_in_double)
    return np.float64(b) if type(b) is float else b


def _terms(a: Any, b: Any, z: Any) -> int:
    """How many terms the series needs, by a majorant: until one is a small share of the largest."""
    a, lowest = float(np.max(np.abs(a))) + 1, float(np.min(b))
    z = float(np.max(np.abs(z)))
    share, k = 1.0, 0
    while (share > _TINY or k < -lowest) and k < _MOST_TERMS:
        below = lowest + k if lowest > 0 else float(np.min(np.abs(b + k)))
        share = min(share * ((a + k) / max(below, _SMALLEST) * z / (k + 1)), 1.0)
        k += 1
    return k


def _march(n: Any, b: Any, value: Any, derivative: Any, start: Any, x: Any, passes_turn: Any) -> Any:
    """From `start` to `x`, or first to the turning point; where a step has no length all stays.

    NaN where that is too far away, and where `exp(x) x**(-n - b)`, DLMF 13.7.2, overflows everywhere.
    """
    end = np.real(raw(x))
    if np.all(end - (np.abs(plain(n)) + np.abs(plain(b))) * np.log(np.abs(raw(x))) > _OVERFLOW):
        return value * np.nan
    is_far = np.abs(raw(x) - start) > _STEP * _MOST_STEPS
    end = np.where(is_far, start, raw(x))
    path = _path(plain(n), plain(b), start, np.where(passes_turn & ~is_far, _turn(plain(n), plain(b) - 1), start))
    path += _path(plain(n), plain(b), path[-1], end)[1:]
    for here, there in pairwise(path):
        (going,) = np.nonzero((here != there) & np.isfinite(plain(value)) & ~np.isnan(path[-1]))
        y, end = here[going], there[going]
        h = np.where(end == path[-1][going], x[going], end) - y
        found = _taylor(y, h, *(part(p, going) for p in (value, derivative, n, b)))
        value, derivative = replaced(value, going, found[0]), replaced(derivative, going, found[1])
    is_lost = is_far | np.isnan(path[-1])
    return value * np.where(is_lost, np.nan, 1.0) if np.any(is_lost) else value


def _path(n: Any, b: Any, here: Any, end: Any) -> list[Any]:
    """The points between which the march goes: over one step no solution changes by a large factor."""
    points = [here]
    while np.any((here != end) & ~np.isnan(here)) and len(points) < _MOST_STEPS:
        size = np.abs(here)
        smooth = np.minimum(_STEP, size * np.minimum(0.5, 4 / np.abs(b)))
        step = np.minimum(smooth, _PHASE * np.sqrt(size / (np.abs(n) + 1)))
        path = end - here
        part = step / (np.abs(path) + 1e-300)
        here = np.where(part < 1, here + np.minimum(part, 1.0) * path, end)
        points.append(here)
    points[-1] = np.where(here == end, end, np.nan)
    return points


def _taylor(y: Any, h: Any, value: Any, derivative: Any, n: Any, b: Any) -> tuple[Any, Any]:
    """The solution of Kummer's equation, DLMF 13.2.1, and its derivative, at `y + h`.

    With `g_k` the terms of its Taylor series, `(k + 2) (k + 1) y g_(k+2) =
    (k + 1) (y - b - k) h g_(k+1) + (k - n) h**2 g_k`.
    """
    scale = h / y
    square = h * scale
    linear, product = h - b * scale, n * square
    ratio, longest = float(np.max(np.abs(raw(scale)), initial=0.0)), float(np.max(np.abs(raw(h)), initial=0.0))
    g, following = value, derivative * h
    value, rise = g + following, following
    for k in range(_step_terms(plain(b), ratio, longest)):
        upper = (linear - k * scale) * following * (k + 1.0) + (k * square - product) * g
        g, following = following, upper * (1.0 / ((k + 2) * (k + 1)))
        value = value + following
        rise = rise + (k + 2.0) * following
    return value, rise / h


def _step_terms(b: Any, ratio: float, longest: float) -> int:
    """How many terms a step needs: they fall at least as those of `(1 - ratio t)**-b exp(t longest)` with a phase."""
    p = float(np.max(np.abs(b))) + 2
    term, largest, k = 1.0, 1.0, 0
    while term > _TINY * largest:
        term *= ((p + k) * ratio + longest + _PHASE) / (k + 1)
        largest = max(largest, term)
        k += 1
    return k
