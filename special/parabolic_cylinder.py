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
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.special import loggamma, pbdv, pbvv, pbwa, rgamma

from ..complex_autograd.array import raw
from .few_elements import with_numbers
from .parabolic_ratios import ratios
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
_FAR = 12.0
"""From here on the asymptotic expansion of `W` with `|a| <= 5` is right to rounding."""
_TAYLOR_TERMS = 30
_LARGEST_EXPONENT = 700.0
_MOST_STEPS = 5000
_MOST_TERMS = 5000


def parabolic_d(v: Any, x: Any) -> Pair:
    """`D_v(x)` and its derivative in `x`."""
    shape, (v, x) = flat(v, x)
    return _shaped(_u, shape, v, x)


def parabolic_v(v: Any, x: Any) -> Pair:
    """`V(-v - 1/2, x)` and its derivative in `x`."""
    shape, (v, x) = flat(v, x)
    return _shaped(_v, shape, v, x)


def parabolic_w(a: Any, x: Any) -> Pair:
    """`W(a, x)` and its derivative in `x`, for `|a| <= 5`."""
    shape, (a, x) = flat(a, x)
    return _shaped(_w, shape, a, x)


def _shaped(kernel: Callable[..., Pair], shape: tuple[int, ...], a: Any, x: Any) -> Pair:
    if raw(x).size == 0:
        return np.reshape(a * x, shape), np.reshape(a * x, shape)
    value, slope = kernel(a, x)
    return np.reshape(value, shape), np.reshape(slope, shape)


@with_numbers
def _u(v: Any, x: Any) -> Pair:
    is_right, is_negative = raw(x) > 0, raw(v) < 0
    parts = [
        (is_right, lambda v, x: _recessive(-v - 0.5, x)),
        (~is_right & is_negative, lambda v, x: _by_series(*_start_of_u(v), v, x)),
        (~is_right & ~is_negative, _reflected_u),
    ]
    return _of_parts(parts, v, x)


@with_numbers
def _v(v: Any, x: Any) -> Pair:
    is_left = raw(x) < 0
    return _of_parts([(~is_left, _dominant), (is_left, _reflected_v)], v, x)


@with_numbers
def _w(a: Any, x: Any) -> Pair:
    inwards = (raw(a) > 0.5) & (raw(x) > 0.5)
    parts = [
        (inwards, _recessive_w),
        (~inwards, lambda a, x: _by_marching(*_start_of_w(a), a, x, -1.0)),
    ]
    return _of_parts(parts, a, x)


def _of_parts(parts: Sequence[tuple[Any, Callable[..., Any]]], *args: Any) -> Any:
    """As `by_parts`, and of numbers the kernel of the part that holds them."""
    if isinstance(args[0], float):
        return next(kernel(*args) for mask, kernel in parts if mask)
    return by_parts(parts, *args)


# at 0: DLMF 12.2.6 to 12.2.9, and 12.14.2, 12.14.3; the sum `a = -v - 1/2` would lose the digits of a small `v`


def _start_of_u(v: Any) -> Pair:
    scale = math.sqrt(math.pi) * 2 ** (v / 2)
    return scale * rgamma(0.5 - v / 2), -scale * math.sqrt(2) * rgamma(-v / 2)


def _start_of_v(v: Any) -> Pair:
    scale = math.pi * 2 ** (-v / 2)
    value = scale * rgamma(1 + v / 2) ** 2 * rgamma(-v / 2)
    return value, scale * math.sqrt(2) * rgamma(0.5 + v / 2) ** 2 * rgamma(0.5 - v / 2)


def _start_of_w(a: Any) -> Pair:
    ratio = np.exp(np.real(loggamma(0.25 + 0.5j * a) - loggamma(0.75 + 0.5j * a)) / 2)
    return 2**-0.75 * ratio, -(2**-0.25) / ratio


# solutions that do not decay


def _by_series(value: Any, slope: Any, v: Any, x: Any) -> Pair:
    """The solution with this value and slope at 0, by its even and its odd part, DLMF 12.4.1; `v < 0`."""
    even, even_slope = _kummer(-v / 2, 0.5, x)
    odd, odd_slope = _kummer(0.5 - v / 2, 1.5, x)
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
    zero = np.zeros_like(raw(x))[()]
    return _marched(_path(raw(a), zero, raw(x), sign), x, value, slope, a, zero + sign)


def _marched(path: list[Any], x: Any, value: Any, slope: Any, a: Any, sign: Any) -> Pair:
    if not isinstance(value, float):
        return march(path, x, value, slope, _taylor, a, sign)
    for here, there in pairwise(path):
        value, slope = _taylor(here, there - here, value, slope, a, sign)
    return value, slope


def _path(a: Any, here: Any, end: Any, sign: float) -> list[Any]:
    """The points between which the march goes: over one step no solution changes by a large factor."""
    points = [here]
    while np.any(here != end) and len(points) < _MOST_STEPS:
        step = 1.5 / np.sqrt(np.abs(a) + here * here / 4 + 2)
        here = np.where(np.abs(end - here) > step, here + step * np.sign(end - here), end)[()]
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


def _dominant(v: Any, x: Any) -> Pair:
    is_negative = raw(v) < 0
    parts = [
        (is_negative, lambda v, x: _by_series(*_start_of_v(v), v, x)),
        (~is_negative, lambda v, x: _by_marching(*_start_of_v(v), -v - 0.5, x, 1.0)),
    ]
    return _of_parts(parts, v, x)


def _reflected_u(v: Any, x: Any) -> Pair:
    """`U(a, -y) = pi / gamma(-v) V(a, y) + cos(pi v) U(a, y)`."""
    return _reflected(math.pi * rgamma(-v), _sine_of_pi(v + 0.5), v, x)


def _reflected_v(v: Any, x: Any) -> Pair:
    """`V(a, -y) = -cos(pi v) V(a, y) - sin(pi v) / gamma(1 + v) U(a, y)`, the same with DLMF 5.5.3."""
    return _reflected(-_sine_of_pi(v + 0.5), -_sine_of_pi(v) * rgamma(1 + v), v, x)


def _reflected(p: Any, q: Any, v: Any, x: Any) -> Pair:
    growing, growing_slope = _dominant(v, -x)
    decaying, decaying_slope = _recessive(-v - 0.5, -x)
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
    r = ratios(b, x, max(0, int(np.max(shift))) + 1)
    parts = [
        (raw(x) < _SMALL, lambda b, r, x: (_by_series(*_start_of_u(-b - 0.5), -b - 0.5, x)[0],)),
        ((raw(x) >= _SMALL) & (raw(x) < _LARGE), _by_wronskian),
        (raw(x) >= _LARGE, _asymptotic),
    ]
    (value,) = _of_parts(parts, b, r[0], x)
    lower, value = value, value * r[0]  # U(c - 1) and U(c) with c = b + 1
    for k in range(1, int(np.max(shift)) + 1):
        goes_on = shift >= k
        lower, value = _if(goes_on, value, lower), _if(goes_on, value * r[k], value)
    for k in range(int(-np.min(shift))):
        goes_on = -shift > k
        below = x * lower + (b - k + 0.5) * value  # DLMF 12.8.1
        lower, value = _if(goes_on, below, lower), _if(goes_on, lower, value)
    return lower, -x / 2 * lower - (a + 0.5) * value  # DLMF 12.8.2


def _if(mask: Any, x: Any, y: Any) -> Any:
    return x if mask.all() else np.where(mask, x, y)


def _by_wronskian(b: Any, ratio: Any, x: Any) -> tuple[Any]:
    """DLMF 12.2.11 with `U'(b, x) = -(x / 2 + (b + 1/2) ratio) U(b, x)`."""
    value, slope = _start_of_u(-b - 0.5)
    other, other_slope = _by_series(value, -slope, -b - 0.5, x)
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
    far = np.full_like(raw(x), _FAR)[()]
    return _marched(_path(raw(a), far, raw(x), -1.0), x, value, slope, a, 0 * far - 1)


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
