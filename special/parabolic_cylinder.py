"""Parabolic cylinder functions with their derivatives in order and argument.

`D_v = U(a, x)` and `V(a, x)` with `a = -v - 1/2` solve `y'' = (x**2 / 4 + a) y`, and `W(a, x)` solves `y'' = (a -
x**2 / 4) y`; DLMF 12.2.2, 12.2.3. What grows, or oscillates, is had from its value and slope at 0, by power series of
positive terms or by marching in Taylor series. What decays is had

* as `U(a, x)`, `x > 0`, with `0 <= a < 1` by the ratio `U(a + 1, x) / U(a, x)`, a continued fraction of positive
  terms, and the Wronskian with the growing `U(a, -x)`; from there in both directions of `a` by the recurrence DLMF
  12.8.1;
* as `W(a, x)`, `0 < a`, `0 < x`, from its asymptotic expansion by marching inwards, in which direction it grows.

At `x < 0`, `U` and `V` are the sums of a growing and a decaying part, DLMF 12.2.15 and 12.2.20, in which nothing
cancels but at their zeros.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import loggamma, pbdv, pbvv, pbwa, rgamma

from ..complex_autograd.array import raw
from .parameters import by_parts, flat, march, parameter_slope
from .regions import by_region
from .ufunc_rules import rule

__all__ = ["parabolic_d", "parabolic_v", "parabolic_w", "pbdv", "pbvv", "pbwa"]

Pair = tuple[Any, Any]

_SMALL = 1.5
"""Below it `U` is the difference of its even and its odd part; that loses little."""
_LARGE = 10.0
"""From here on the asymptotic expansion of `U` with `0 <= a < 1` is right to rounding."""
_ASYMPTOTIC_TERMS = 30
_HIGHER = 60
"""From an order that is larger by this much the ratios of `U` are had downwards."""
_FAR = 12.0
"""From here on the asymptotic expansion of `W` with `|a| <= 5` is right to rounding."""
_TAYLOR_TERMS = 30
_LARGEST_EXPONENT = 700.0
_MOST_STEPS = 5000
_MOST_TERMS = 5000


def parabolic_d(v: Any, x: Any) -> Pair:
    """`D_v(x)` and its derivative in `x`."""
    shape, (v, x) = flat(v, x)
    a = -v - 0.5
    is_right, is_positive = raw(x) > 0, raw(a) > -0.5
    parts = [
        (is_right, _recessive),
        (~is_right & is_positive, lambda a, x: _by_series(*_start_of_u(a), a, x)),
        (~is_right & ~is_positive, _reflected_u),
    ]
    return _shaped(parts, shape, a, x)


def parabolic_v(v: Any, x: Any) -> Pair:
    """`V(-v - 1/2, x)` and its derivative in `x`."""
    shape, (v, x) = flat(v, x)
    is_left = raw(x) < 0
    return _shaped([(~is_left, _dominant), (is_left, _reflected_v)], shape, -v - 0.5, x)


def parabolic_w(a: Any, x: Any) -> Pair:
    """`W(a, x)` and its derivative in `x`, for `|a| <= 5`."""
    shape, (a, x) = flat(a, x)
    inwards = (raw(a) > 0.5) & (raw(x) > 0.5)
    parts = [
        (inwards, _recessive_w),
        (~inwards, lambda a, x: _by_marching(*_start_of_w(a), a, x, -1.0)),
    ]
    return _shaped(parts, shape, a, x)


def _shaped(parts: Any, shape: tuple[int, ...], a: Any, x: Any) -> Pair:
    if raw(x).size == 0:
        return np.reshape(a * x, shape), np.reshape(a * x, shape)
    value, slope = by_parts(parts, a, x)
    return np.reshape(value, shape), np.reshape(slope, shape)


# at 0: DLMF 12.2.6 to 12.2.9, and 12.14.2, 12.14.3


def _start_of_u(a: Any) -> Pair:
    scale = math.sqrt(math.pi) * 2 ** (-a / 2)
    return scale * 2**-0.25 * rgamma(0.75 + a / 2), -scale * 2**0.25 * rgamma(0.25 + a / 2)


def _start_of_v(a: Any) -> Pair:
    scale = math.pi * 2 ** (a / 2)
    value = scale * 2**0.25 * rgamma(0.75 - a / 2) ** 2 * rgamma(0.25 + a / 2)
    return value, scale * 2**0.75 * rgamma(0.25 - a / 2) ** 2 * rgamma(0.75 + a / 2)


def _start_of_w(a: Any) -> Pair:
    ratio = np.exp(np.real(loggamma(0.25 + 0.5j * a) - loggamma(0.75 + 0.5j * a)) / 2)
    return 2**-0.75 * ratio, -(2**-0.25) / ratio


# solutions that do not decay


def _by_series(value: Any, slope: Any, a: Any, x: Any) -> Pair:
    """The solution with this value and slope at 0, by its even and its odd part, DLMF 12.4.1; `a > -1/2`."""
    even, even_slope = _kummer(a / 2 + 0.25, 0.5, x)
    odd, odd_slope = _kummer(a / 2 + 0.75, 1.5, x)
    return value * even + slope * x * odd, value * even_slope + slope * (odd + x * odd_slope)


def _kummer(a: Any, b: float, x: Any) -> Pair:
    """`exp(-x**2 / 4) M(a, b, x**2 / 2)` and its derivative in `x`."""
    z = x * x / 2
    begun = np.minimum(z / 2, _LARGEST_EXPONENT)
    term: Any = np.exp(-begun) * (1 + 0 * a)
    total, slope = term, 0.0
    for k in range(_kummer_terms(float(np.max(np.abs(raw(a)))), b, float(np.max(raw(z))))):
        factor = (a + k) * (1 / ((b + k) * (k + 1)))
        slope = slope + (k + 1) * factor * term
        term = term * factor * z
        total = total + term
    scale = np.exp(begun - z / 2)
    return scale * total, scale * x * (slope - total / 2)


def _kummer_terms(a: float, b: float, z: float) -> int:
    term, largest, k = 1.0, 1.0, 0
    while term > 1e-18 * largest and k < _MOST_TERMS:
        term *= (a + 1 + k) / ((b + k) * (k + 1)) * z
        largest = max(largest, term)
        if largest > 1e200:
            term, largest = term / 1e200, largest / 1e200
        k += 1
    return k


def _by_marching(value: Any, slope: Any, a: Any, x: Any, sign: float) -> Pair:
    """The solution of `y'' = (sign x**2 / 4 + a) y` with this value and slope at 0."""
    zero = np.zeros_like(raw(x))
    return march(_path(raw(a), zero, raw(x), sign), x, value, slope, _taylor, a, zero + sign)


def _path(a: Any, here: Any, end: Any, sign: float) -> list[Any]:
    """The points between which the march goes: over one step no solution changes by a large factor."""
    points = [here]
    while np.any(here != end) and len(points) < _MOST_STEPS:
        step = 1.5 / np.sqrt(np.abs(a) + here * here / 4 + 2)
        here = np.where(np.abs(end - here) > step, here + step * np.sign(end - here), end)
        points.append(here)
    return points


def _taylor(c: Any, h: Any, value: Any, slope: Any, a: Any, sign: Any) -> Pair:
    """The solution of `y'' = (sign x**2 / 4 + a) y` and its slope at `c + h`.

    With `g_k` the terms of its Taylor series at `c`, `(k + 2) (k + 1) g_(k+2) =
    (sign c**2 / 4 + a) h**2 g_k + sign c / 2 h**3 g_(k-1) + sign / 4 h**4 g_(k-2)`.
    """
    square = h * h
    first = (sign * c * c / 4 + a) * square
    second = sign * c / 2 * square * h
    third = sign / 4 * square * square
    g = [0.0, 0.0, value, slope * h]
    value, rise = g[2] + g[3], g[3]
    for k in range(_TAYLOR_TERMS):
        upper = (first * g[2] + second * g[1] + third * g[0]) * (1.0 / ((k + 2) * (k + 1)))
        g = [*g[1:], upper]
        value = value + upper
        rise = rise + (k + 2) * upper
    return value, rise / h


# V(a, x) for x >= 0, and both for x < 0


def _dominant(a: Any, x: Any) -> Pair:
    is_positive = raw(a) > -0.5
    parts = [
        (is_positive, lambda a, x: _by_series(*_start_of_v(a), a, x)),
        (~is_positive, lambda a, x: _by_marching(*_start_of_v(a), a, x, 1.0)),
    ]
    value, slope = by_parts(parts, a, x)
    return value, slope


def _reflected_u(a: Any, x: Any) -> Pair:
    """`U(a, -y) = pi / gamma(a + 1/2) V(a, y) - sin(pi a) U(a, y)`."""
    growing, growing_slope = _dominant(a, -x)
    decaying, decaying_slope = _recessive(a, -x)
    p, q = math.pi * rgamma(a + 0.5), -_sine_of_pi(a)
    return p * growing + q * decaying, -(p * growing_slope + q * decaying_slope)


def _reflected_v(a: Any, x: Any) -> Pair:
    """`V(a, -y) = sin(pi a) V(a, y) + cos(pi a) / gamma(1/2 - a) U(a, y)`, the same with DLMF 5.5.3."""
    growing, growing_slope = _dominant(a, -x)
    decaying, decaying_slope = _recessive(a, -x)
    p, q = _sine_of_pi(a), _sine_of_pi(a + 0.5) * rgamma(0.5 - a)
    return p * growing + q * decaying, -(p * growing_slope + q * decaying_slope)


def _sine_of_pi(a: Any) -> Any:
    """`sin(pi a)`, 0 at whole numbers."""
    nearest = np.round(raw(a))
    return (1 - 2 * (nearest % 2)) * np.sin(math.pi * (a - nearest))


# U(a, x) for x > 0


def _recessive(a: Any, x: Any) -> Pair:
    """`U(a, x)` and its slope: both from `U(b, x)` and `U(b + 1, x)` where `0 <= b < 1`."""
    shift = np.floor(raw(a))
    b = a - shift
    ratios = _ratios(b, x, shift)
    parts = [
        (raw(x) < _SMALL, lambda b, r, x: (_by_series(*_start_of_u(b), b, x)[0],)),
        ((raw(x) >= _SMALL) & (raw(x) < _LARGE), _by_wronskian),
        (raw(x) >= _LARGE, _asymptotic),
    ]
    (value,) = by_parts(parts, b, ratios[0], x)
    lower, value = value, value * ratios[0]  # U(c - 1) and U(c) with c = b + 1
    for k in range(1, int(np.max(shift)) + 1):
        goes_on = shift >= k
        lower, value = np.where(goes_on, value, lower), np.where(goes_on, value * ratios[k], value)
    for k in range(int(-np.min(shift))):
        goes_on = -shift > k
        below = x * lower + (b - k + 0.5) * value  # DLMF 12.8.1
        lower, value = np.where(goes_on, below, lower), np.where(goes_on, lower, value)
    return lower, -x / 2 * lower - (a + 0.5) * value  # DLMF 12.8.2


def _ratios(b: Any, x: Any, shift: Any) -> list[Any]:
    """`U(b + k + 1, x) / U(b + k, x)` for `k = 0, 1, ..`, by the recurrence downwards from a large order."""
    count = max(0, int(np.max(shift))) + 1
    last = count + _HIGHER
    ratio = _large_ratio(b + last, x)
    ratios = []
    for k in range(last - 1, -1, -1):
        ratio = 1 / (x + (b + k + 1.5) * ratio)
        if k < count:
            ratios.insert(0, ratio)
    return ratios


def _large_ratio(a: Any, x: Any) -> Any:
    """`U(a + 1, x) / U(a, x)` by DLMF 12.8.2 from the logarithmic derivative `u`, as a series.

    `u' + u**2 = p**2` with `p**2 = x**2 / 4 + a`; so `u = u_0 + u_1 + ..` with `u_0 = -p` and
    `u_(j+1) = (u_j' + sum_(i=1..j) u_i u_(j+1-i)) / (2 p)`.
    """
    p = np.sqrt(x * x / 4 + a)
    u = -p
    for (i, n), coefficient in _LOGARITHMIC_DERIVATIVE.items():
        u = u + coefficient * x**i / p**n
    return -(u + x / 2) / (a + 0.5)


def _logarithmic_derivative(orders: int) -> dict[tuple[int, int], float]:
    """The coefficients of `x**i p**-n` in `u_1 + u_2 + ..`."""
    series: list[dict[tuple[int, int], float]] = [{(0, -1): -1.0}]
    for j in range(orders):
        rest: dict[tuple[int, int], float] = {}
        for (i, n), c in series[j].items():
            rest[i + 1, n + 2] = rest.get((i + 1, n + 2), 0.0) - n * c / 4
            if i:
                rest[i - 1, n] = rest.get((i - 1, n), 0.0) + i * c
        for k in range(1, j + 1):
            for (i, n), c in series[k].items():
                for (m, q), d in series[j + 1 - k].items():
                    rest[i + m, n + q] = rest.get((i + m, n + q), 0.0) + c * d
        series.append({(i, n + 1): c / 2 for (i, n), c in rest.items() if c})
    return {key: sum(s.get(key, 0.0) for s in series[1:]) for key in {k for s in series[1:] for k in s}}


_LOGARITHMIC_DERIVATIVE = dict(sorted(_logarithmic_derivative(9).items()))


def _by_wronskian(b: Any, ratio: Any, x: Any) -> tuple[Any]:
    """DLMF 12.2.11 with `U'(b, x) = -(x / 2 + (b + 1/2) ratio) U(b, x)`."""
    value, slope = _start_of_u(b)
    other, other_slope = _by_series(value, -slope, b, x)
    return (math.sqrt(2 * math.pi) * rgamma(0.5 + b) / (other_slope + (x / 2 + (b + 0.5) * ratio) * other),)


def _asymptotic(b: Any, ratio: Any, x: Any) -> tuple[Any]:
    """DLMF 12.9.1."""
    term: Any = np.exp(-x * x / 4 - (b + 0.5) * np.log(x))
    total = term
    for k in range(_ASYMPTOTIC_TERMS):
        term = term * (b + 2 * k + 0.5) * (b + 2 * k + 1.5) / (-2 * (k + 1) * x * x)
        total = total + term
    return (total,)


# W(a, x) on its decaying side


def _recessive_w(a: Any, x: Any) -> Pair:
    value, slope = _asymptotic_w(a)
    far = np.full_like(raw(x), _FAR)
    return march(_path(raw(a), far, raw(x), -1.0), x, value, slope, _taylor, a, 0 * far - 1)


def _asymptotic_w(a: Any) -> Pair:
    """`W` and its slope at `x = 12`: `sqrt(2 k / x) Re(exp(i w) s)`, DLMF 12.14.17 to 12.14.21."""
    x = _FAR
    growth = np.exp(math.pi * a)
    scale = np.sqrt(2 / (x * (np.sqrt(1 + growth * growth) + growth)))
    phase = x * x / 4 - a * math.log(x) + math.pi / 4 + np.imag(loggamma(0.5 + 1j * a)) / 2
    term: Any = 1 + 0j * a
    total, slope = term, 0.0
    for k in range(1, _ASYMPTOTIC_TERMS + 1):
        term = term * (2 * k - 1.5 + 1j * a) * (2 * k - 0.5 + 1j * a) * (-0.5j / (k * x * x))
        total = total + term
        slope = slope - 2 * k / x * term
    wave = scale * np.exp(1j * phase)
    logarithmic = 1j * (x / 2 - a / x) - 1 / (2 * x)
    return np.real(wave * total), np.real(wave * (logarithmic * total + slope))


# the rules; the second output is the derivative of the first, and its own follows by the equation


def _weber(w: Any, v: Any, x: Any) -> Any:
    return w[1], (x * x / 4 - v - 0.5) * w[0]


rule(pbdv, "v x", parameter_slope(parabolic_d, 0, "pbdv", "v"), _weber)
rule(pbvv, "v x", parameter_slope(parabolic_v, 0, "pbvv", "v"), _weber)


_marched_slope_of_w = parameter_slope(parabolic_w, 0, "pbwa", "a")


def _slope_of_w(w: Any, a: Any, x: Any) -> Any:
    """By the table where it holds, unless it is to be differentiated again."""
    from .parabolic_w_table import parabolic_w_slopes, within_table

    if not all(isinstance(y, (np.ndarray, np.generic)) for y in (a, x)):
        return _marched_slope_of_w(w, a, x)
    shape, (a, x, *w) = flat(a, x, *w)
    regions = [
        (within_table(a, x), lambda a, x, *w: parabolic_w_slopes(a, x)),
        (True, lambda a, x, *w: _marched_slope_of_w(w, a, x)),
    ]
    slopes = by_region(regions, a, x, *w) if len(a) else (a, a)
    return tuple(np.reshape(y, shape) for y in slopes)


rule(pbwa, "a x", _slope_of_w, lambda w, a, x: (w[1], (a - x * x / 4) * w[0]))
