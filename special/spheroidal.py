"""Spheroidal wave functions with their derivatives in `c` and in the characteristic value.

The coefficients of their expansions as functions of the characteristic value and of `c` are had from recurrences; the
functions are sums with these coefficients, in Flammer's normalisation, as SciPy has it.

Far out the radial functions are expanded about infinity, which does not need `d`.

The expansion of the radial function of the second kind converges as `x**-2 k`; below 2.5 its Taylor series are
marched inwards, in which direction it grows.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.special import rgamma

from ..complex_autograd.array import raw
from .bessel_sequences import Orders, SphericalSlopes, spherical_j_sequence, spherical_y_sequence
from .modes import by_modes
from .parameters import by_parts, flat, march
from .spheroidal_coefficients import MANY, MOST_LOST, Recurrence

__all__ = [
    "angular",
    "angular_of_mode",
    "is_far_out",
    "radial_of_mode",
    "radial_one",
    "radial_two",
]

_SERIES_FROM = 2.5
_RATIO = 0.5
"""A step of the march at most, as a part of the distance to the next singular point."""
_NEAR_POLE, _CONCENTRATED, _POLE_TERMS = 0.7, 6.0, 40
"""Of `|x|` and of `c`, from where prolate angular functions are summed about the pole, and so many terms at least."""
_FARTHER, _LONG, _FAR_TERMS = 5.0, 30.0, 40
"""Of `x` and `c x`, from where the radial functions are expanded about infinity, and the number of terms."""
_SPLIT = 2.0**27 + 1
"""It halves the digits of a number."""
_TAYLOR_TERMS = 50
_NOTHING = 1e-20
"""Of a sum: its series ends where two terms are less."""
_MOST_STEPS, _MARCHING = 5000, 4096
"""Of a march, and the number of elements that march together."""


def angular(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The angular function of the first kind and its slope; NaN where the sums cancel too much."""
    return by_modes(2, partial(_angular_series, sign), raw(m), raw(n), c, value, x)


def _angular_series(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The sum with `P_l^m = (1 - x**2)**(m/2) u_r`, `r = l - m`, without the phase `(-1)**m`; `u_0 = (2 m - 1)!!`.

    The normalisation fixes the function or its slope at 0: what they are more at `x` is summed, the `excess` of `u_r`
    or of its slope.  So next to 0 their derivatives in `c` do not come from terms that cancel.
    """
    rows = Recurrence(m, n, c)
    m, p = rows.m, rows.p
    d = rows.normalised(rows.vector(sign * c * c, value))
    rest: Any = 2**m * rgamma(0.5) / rgamma(m + 0.5)
    first = rest + 0 * x
    below, u, below_slope, u_slope = 0 * first, first, 0 * first, 0 * first
    excess, excess_slope, rest_slope, at_zero = 0 * first, 0 * first, 0 * rest, 0 * rest
    total, slope, sizes = 0.0, 0.0, [0.0, 0.0]
    for r in range(int(2 * len(d))):
        is_odd = r % 2 == 1
        at_zero = at_zero + (rows.n - m == r) * (rest_slope if is_odd else rest)
        if np.any(p == r % 2):
            weight = d[r // 2] if np.ndim(p) == 0 else (p == r % 2) * d[r // 2]
            terms = (weight * u, weight * excess_slope) if is_odd else (weight * excess, weight * u_slope)
            total, slope = total + terms[0], slope + terms[1]
            sizes = [size + np.abs(raw(term)) for size, term in zip(sizes, terms, strict=True)]
        ahead, back = (2 * r + 2 * m + 1) / (r + 1), (r + 2 * m) / (r + 1)
        risen = ahead * (x * u)
        above, above_slope = risen - back * below, ahead * (u + x * u_slope) - back * below_slope
        if is_odd:
            excess, rest = risen - back * excess, -back * rest
        else:
            excess_slope = ahead * (excess + x * u_slope) - back * excess_slope
            rest_slope = ahead * rest - back * rest_slope
        below, u, below_slope, u_slope = u, above, u_slope, above_slope
    total, slope = total + (p == 0) * at_zero, slope + (p == 1) * at_zero
    sizes = [sizes[0] + (p == 0) * np.abs(at_zero), sizes[1] + (p == 1) * np.abs(at_zero)]
    cancels = [size > MOST_LOST * np.abs(raw(w)) for size, w in zip(sizes, (total, slope), strict=True)]
    known = np.where(cancels[0] & cancels[1], np.nan, 1.0)
    total, slope = known * total, known * slope
    rest = 1 - x * x
    return rest ** (m / 2) * total, rest ** (m / 2) * slope - (m != 0) * m * x * rest ** (m / 2 - (m != 0)) * total


def angular_of_mode(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The same at a characteristic value: prolate functions are summed about the pole where they are small."""
    shape, (m, n, c, value, x) = flat(raw(m), raw(n), c, value, x)
    near_pole = (sign == 1) & (np.abs(raw(x)) > _NEAR_POLE) & (raw(c) > _CONCENTRATED)
    parts = [
        (near_pole, lambda *args: by_modes(2, _about_pole, *args)),
        (~near_pole, lambda *args: angular(sign, *args)),
    ]
    result, slope = by_parts(parts, m, n, c, value, x)
    return np.reshape(result, shape), np.reshape(slope, shape)


def _about_pole(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`S = a x**p (1 - x**2)**(m/2) f(u)`, `u = 1 - x**2`, with `a` from the sum at `x = 0`; NaN where that cancels.

    By the spheroidal equation, DLMF 30.2.1, `4 (k + 1) (k + m + 1) f_(k+1) = (4 k (k - 1) + (4 m + 4 p + 6) k - L + C)
    f_k - C f_(k-1)`, `C = c**2` and `L = value - (m + p) (m + p + 1)`.
    """
    p = (n - m) % 2
    u = (1 - x) * (1 + x)
    square = c * c
    rest = square - value + (m + p) * (m + p + 1)
    below, term, power = 0.0, 1.0 + 0 * u, 1.0 + 0 * u
    total, slope, at_zero, size = term, 0 * u, term, np.abs(raw(term))
    for k in range(_POLE_TERMS + int(2 * np.max(raw(c)))):
        below, term = (
            term,
            (((4 * (k - 1) + 4 * m + 4 * p + 6) * k + rest) * term - square * below) * (0.25 / ((k + 1) * (k + m + 1))),
        )
        slope = slope + (k + 1) * (power * term)
        power = power * u
        total, at_zero, size = total + power * term, at_zero + term, size + np.abs(raw(term))
    j = (n - m - p) // 2
    value_at_zero = 2**m * rgamma(0.5) / rgamma(m + 0.5) * (2 * m + 1) ** p
    for k in range(int(np.max(j, initial=0))):
        value_at_zero = np.where(k < j, -value_at_zero * (k + m + p + 0.5) / (k + 1), value_at_zero)
    scale = np.where(size > MOST_LOST * np.abs(raw(at_zero)), np.nan, value_at_zero) / at_zero
    root, odd = u ** (m / 2), np.where(p == 1, x, 1.0)
    result = scale * root * odd * total
    return result, scale * root * (p * total - 2 * x * odd * slope) - m * x / u * result


def _radial_series(sequence: Any, sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The expansion in spherical Bessel functions, DLMF 30.11.3, and its slope; NaN where the sums cancel too much."""
    rows = Recurrence(m, n, c, MANY if sequence is spherical_y_sequence else None)
    m, p = rows.m, rows.p
    d = rows.vector(sign * c * c, value)
    functions = sequence(c * x, highest=int(np.max(m, initial=0)) + 2 * len(d) + 2)
    bessel, bessel_slopes = Orders(functions), SphericalSlopes(functions)
    times = np.multiply if np.all(np.isfinite(raw(functions[-1]))) else _finite
    part: Any = 1.0
    total, slope, divisor = 0.0, 0.0, 0.0
    sizes: list[Any] = [0.0, 0.0, 0.0]
    phase = 1 - 2 * ((rows.n - m - p) // 2 % 2)
    for k, coefficient in enumerate(d):
        order = m + 2 * k + p
        weight, signed = part * coefficient, (part * ((-1) ** k * phase)) * coefficient
        terms = times(signed, bessel.at(order)), times(signed, bessel_slopes.at(order)), weight
        total, slope, divisor = total + terms[0], slope + terms[1], divisor + terms[2]
        sizes = [size + np.abs(raw(term)) for size, term in zip(sizes, terms, strict=True)]
        part = part * ((m + k + 1.0) * (m + k + p + 0.5) / ((k + 1.0) * (k + p + 0.5)))
    cancels = [size > MOST_LOST * np.abs(raw(x)) for size, x in zip(sizes, (total, slope, divisor), strict=True)]
    factor = np.where((cancels[0] & cancels[1]) | cancels[2], np.nan, (1 - sign / (x * x)) ** (m / 2) / divisor)
    result = factor * total
    return result, factor * c * slope + sign * m * result / (x * (x * x - sign))


def _rounding(c: Any, x: Any) -> Any:
    """What `c x` loses by rounding, from halves of the digits of both (T. J. Dekker, Numer. Math. 18 (1971) 224)."""
    c_high, x_high = ((_SPLIT * y) - (_SPLIT * y - y) for y in (c, x))
    c_low, x_low = c - c_high, x - x_high
    return ((c_high * x_high - c * x) + c_high * x_low + c_low * x_high) + c_low * x_low


def _finite(weight: Any, function: Any) -> Any:
    """Their product; 0 where the coefficient is so small that the function is infinite."""
    return weight * np.where(np.isfinite(raw(function)), function, 0.0)


def radial_one(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The radial function of the first kind and its slope."""
    series = partial(_radial_series, spherical_j_sequence, sign)
    return by_modes(2, series, raw(m), raw(n), c, value, x)


def radial_of_mode(kind: int) -> Any:
    """The kernel of the radial function of the first or second kind at a characteristic value."""
    near = radial_one if kind == 1 else radial_two

    def kernel(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        shape, (m, n, c, value, x) = flat(raw(m), raw(n), c, value, x)
        is_far = is_far_out(raw(c), raw(x))
        parts = [
            (is_far, lambda *args: _about_infinity(sign, kind, *args)),
            (~is_far, lambda *args: near(sign, *args)),
        ]
        result, slope = by_parts(parts, m, n, c, value, x)
        return np.reshape(result, shape), np.reshape(slope, shape)

    return kernel


def is_far_out(c: Any, x: Any) -> Any:
    """Where the expansion about infinity is used."""
    return (x > _FARTHER) & (c * x > _LONG) & (x > c / 4)


def _about_infinity(sign: int, kind: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`R1 + i R2 = (1 - sign / x**2)**(m/2) exp(i (c x - (n + 1) pi / 2)) / (c x) sum_k b_k x**-k`, or NaN.

    By the equation in `_taylor`, with `s_k = k + m + 1` and `b_0 = 1`, `2 i c (k + 1) b_(k+1) = (s_k (s_k - 2 m - 1) +
    sign c**2 - value + m (m + 1)) b_k + sign (2 i c s_(k-1) b_(k-1) - s_(k-2) (s_(k-2) + 1) b_(k-2))`.
    """
    w = 1 / x
    step = w / (2j * c)
    rest = sign * c * c - value + m * (m + 1)
    terms: list[Any] = [0.0, 0.0, 1.0 + 0j * w]  # b_k x**-k
    total, slope, size = terms[2], -(m + 1) * terms[2], 1.0
    for k in range(_FAR_TERMS):
        s = k + m + 1
        new = (s * (s - 2 * m - 1) + rest) * terms[2] * step
        new = new + sign * (s - 1) * w * w * terms[1] - sign * (s - 2) * (s - 1) * (w * w * step) * terms[0]
        terms = [*terms[1:], new * (1.0 / (k + 1))]
        total, slope = total + terms[2], slope - (s + 1) * terms[2]
        size = np.maximum(size, np.abs(raw(terms[2])))
    has_ended = np.abs(raw(terms[2])) + np.abs(raw(terms[1])) <= 1e-17 * np.abs(raw(total))
    known = np.where(has_ended & (size <= 1000 * np.abs(raw(total))), 1.0, np.nan)
    phase = np.exp(1j * (c * x)) * (1 + 1j * _rounding(raw(c), raw(x))) * (-1j) ** (n + 1)
    scale = known * (1 - sign * w * w) ** (m / 2) * w / c * phase
    result = scale * total
    derivative = scale * (1j * c * total + slope * w) + m * x / (x * x - sign) * result
    part = np.real if kind == 1 else np.imag
    return part(result), part(derivative)


def radial_two(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The radial function of the second kind and its slope; NaN up to 1 where it is prolate."""
    start = np.where(raw(x) < _SERIES_FROM, _SERIES_FROM, x)
    series = partial(_radial_series, spherical_y_sequence, sign)
    result, slope = by_modes(2, series, raw(m), raw(n), c, value, start)
    if np.all(raw(x) >= _SERIES_FROM):
        return result, slope
    # in u = (x**2 - sign)**(-m/2) R
    shape, (m, c, value, x, result, slope) = flat(raw(m), c, value, x, result, slope)
    is_outside = (raw(x) <= 1) & (sign == 1)
    known = np.where(is_outside, np.nan, 1.0)
    result, slope = known * result, known * slope
    is_inner = (raw(x) < _SERIES_FROM) & ~is_outside
    (here,), (others,) = np.nonzero(is_inner), np.nonzero(~is_inner)
    if not here.shape[0]:
        return np.reshape(result, shape), np.reshape(slope, shape)
    here = here[np.argsort(raw(x)[here])]
    blocks = np.array_split(here, -(-len(here) // _MARCHING))
    inner = [_marched(sign, *[w[block] for w in (m, c, value, x, result, slope)]) for block in blocks]
    place = np.argsort(np.concatenate([here, others]))
    result, slope = (
        np.concatenate([*parts, w[others]])[place]
        for w, parts in zip((result, slope), zip(*inner, strict=True), strict=True)
    )
    return np.reshape(result, shape), np.reshape(slope, shape)


def _marched(sign: int, m: Any, c: Any, value: Any, x: Any, result: Any, slope: Any) -> tuple[Any, Any]:
    """The solution at `x` with this value and slope where the series is used."""
    start = np.full_like(raw(x), _SERIES_FROM)
    scale = (start * start - sign) ** (-m / 2)
    u, du = scale * result, scale * (slope - m * start / (start * start - sign) * result)
    path = _path(raw(value), raw(c), start, raw(x), sign)
    u, du = march(path, x, u, du, partial(_taylor, sign), m, c, value)
    rest = x * x - sign
    scale = rest ** (m / 2)
    return scale * u, scale * (du + m * x / rest * u)


def _path(value: Any, c: Any, here: Any, end: Any, sign: int) -> list[Any]:
    """The points between which the march goes inwards."""
    here = np.maximum(here, end)
    points = [here]
    while np.any(here != end) and len(points) < _MOST_STEPS:
        room = here - 1 if sign == 1 else np.sqrt(here * here + 1)
        rate = np.sqrt((np.abs(value) + c * c * here * here + 1) / (here * here - sign))
        step = np.minimum(_RATIO * room, 2 / rate)
        here = np.where(here - end > step, here - step, end)
        points.append(here)
    return points


def _taylor(sign: int, x: Any, h: Any, u: Any, slope: Any, m: Any, c: Any, value: Any) -> tuple[Any, Any]:
    """The solution of `(x**2 - sign) u'' + 2 (m + 1) x u' + (c**2 x**2 - value + m (m + 1)) u = 0`, and its slope.

    With `g_k` the terms of its Taylor series at `x`, `(k + 2) (k + 1) (x**2 - sign) g_(k+2) =
    -2 (k + 1) (k + m + 1) x h g_(k+1) - ((k + m) (k + m + 1) - value + c**2 x**2) h**2 g_k
    - 2 c**2 x h**3 g_(k-1) - c**2 h**4 g_(k-2)`.
    """
    scale = h / (x * x - sign)
    first, square = -2 * x * scale, -h * scale
    of_lower = [2 * c * c * x * h * square, c * c * h * h * square]
    # (k + 1) (k + m + 1) first and ((k + m) (k + m + 1) - value + c**2 x**2) square, with their differences
    of_rise, its_step, twice = (m + 1) * first, (m + 3) * first, 2 * first
    of_value, other_step, twice_square = (
        (m * (m + 1) - value + c * c * x * x) * square,
        2 * (m + 1) * square,
        2 * square,
    )
    g: list[Any] = [0.0, 0.0, u, slope * h]
    u, rise = g[2] + g[3], g[3]
    for k in range(_TAYLOR_TERMS + 3 * int(np.max(raw(m), initial=0))):
        upper = of_rise * g[3] + of_value * g[2] + of_lower[0] * g[1] + of_lower[1] * g[0]
        upper = upper * (1.0 / ((k + 2) * (k + 1)))
        of_rise, its_step = of_rise + its_step, its_step + twice
        of_value, other_step = of_value + other_step, other_step + twice_square
        g = [*g[1:], upper]
        u = u + upper
        rise = rise + (k + 2) * upper
        if k % 8 == 7 and np.all(np.abs(raw(upper)) + np.abs(raw(g[2])) <= _NOTHING * np.abs(raw(u))):
            break
    return u, rise / h
