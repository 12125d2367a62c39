"""The spheroidal wave functions with their derivatives in `c` and in the characteristic value, in their domains.

The coefficients of their expansions as functions of the characteristic value and of `c` are had from recurrences; the
functions are sums with these coefficients, in Flammer's normalisation, as SciPy has it.

Far out the radial functions are expanded about infinity, which does not need the coefficients.  The expansion of the
radial function of the second kind converges as `x**-2 k`; below 2.5 its Taylor series are marched inwards, in which
direction it grows.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..complex_autograd.array import raw
from .bessel_sequences import spherical_j_sequence, spherical_y_sequence
from .linear_recurrence import linear_recurrence
from .parameters import by_parts, flat, march
from .spheroidal_angular import angular, angular_of_mode
from .spheroidal_radial import about_infinity, about_one, radial_series
from .tridiagonal import counted

__all__ = [
    "angular",
    "angular_of_mode",
    "is_far_out",
    "is_small",
    "radial_of_mode",
    "radial_one",
    "radial_two",
]

_SERIES_FROM = 2.5
_RATIO = 0.5
"""A step of the march at most, as a part of the distance to the next singular point."""
_FARTHER, _LONG = 5.0, 30.0
"""Of `x` and `c x`, from where the radial functions are expanded about infinity."""
_CANCELS, _NEAR_ONE = 10.0, 0.02
"""Of `c`, from where the series of prolate functions cancels, and of `x - 1`, up to where there is one about 1."""
_MANY_ZEROS = 10
"""Of `n - m`, beyond which the series of prolate functions cancels near 1 for every `c`."""
_TAYLOR_TERMS = 50
_MOST_STEPS, _MARCHING = 5000, 1024
"""Of a march, and the number of elements that march together."""


def radial_one(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The radial function of the first kind and its slope."""
    return radial_series(spherical_j_sequence, sign, m, n, c, value, x)


def radial_of_mode(kind: int) -> Any:
    """The kernel of the radial function of the first or second kind at a characteristic value."""

    def kernel(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        shape, (m, n, c, value, x) = flat(raw(m), raw(n), c, value, x)
        is_far = is_far_out(raw(c), raw(x))
        cancels = (sign == 1) & (raw(x) > 1) & ~is_far & (raw(c) > _CANCELS)
        cancels = cancels | is_small(sign, m, n, raw(x)) if kind == 1 else cancels & (raw(value) < raw(c) ** 2)
        parts = [
            (is_far, lambda *args: about_infinity(sign, kind, *args)),
            (cancels, _from_one if kind == 1 else _from_far_out),
            (~is_far & ~cancels, lambda *args: (radial_one if kind == 1 else radial_two)(sign, *args)),
        ]
        result, slope = by_parts(parts, m, n, c, value, x)
        return np.reshape(result, shape), np.reshape(slope, shape)

    return kernel


def is_small(sign: int, m: Any, n: Any, x: Any) -> Any:
    """Where prolate functions of the first kind are small between the points where they oscillate and 1."""
    return (sign == 1) & (n - m > _MANY_ZEROS) & (x > 1) & (x < _SERIES_FROM)


def _from_one(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The prolate radial function of the first kind, marched outwards: its series in Bessel functions cancels there."""
    near = 1 + np.minimum(_NEAR_ONE, (m + 1) / (np.abs(raw(value)) + raw(c) ** 2))
    start = np.where(raw(x) < near, x, near)
    return _marched(1, m, c, value, x, start, *about_one(m, n, c, value, start))


def _from_far_out(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The prolate radial function of the second kind, marched inwards."""
    start = np.maximum(np.maximum(_FARTHER, _LONG / raw(c)), raw(c) / 4) * 1.001
    return _marched(1, m, c, value, x, start, *_reduced(1, m, start, *about_infinity(1, 2, m, n, c, value, start)))


def is_far_out(c: Any, x: Any) -> Any:
    """Where the expansion about infinity is used."""
    return (x > _FARTHER) & (c * x > _LONG) & (x > c / 4)


def radial_two(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The radial function of the second kind and its slope; NaN up to 1 where it is prolate."""
    start = np.where(raw(x) < _SERIES_FROM, _SERIES_FROM, x)
    result, slope = radial_series(spherical_y_sequence, sign, m, n, c, value, start)
    if np.all(raw(x) >= _SERIES_FROM):
        return result, slope
    shape, (m, c, value, x, start, result, slope) = flat(raw(m), c, value, x, start, result, slope)
    is_outside = (raw(x) <= 1) & (sign == 1)
    known = np.where(is_outside, np.nan, 1.0)
    result, slope = known * result, known * slope
    is_inner = (raw(x) < _SERIES_FROM) & ~is_outside
    (here,), (others,) = np.nonzero(is_inner), np.nonzero(~is_inner)
    if not here.shape[0]:
        return np.reshape(result, shape), np.reshape(slope, shape)
    here = here[np.argsort(raw(x)[here])]
    blocks = np.array_split(here, -(-len(here) // _MARCHING))
    u, du = _reduced(sign, m, start, result, slope)
    inner = [_marched(sign, *[w[block] for w in (m, c, value, x, start, u, du)]) for block in blocks]
    place = np.argsort(np.concatenate([here, others]))
    result, slope = (
        np.concatenate([*parts, w[others]])[place]
        for w, parts in zip((result, slope), zip(*inner, strict=True), strict=True)
    )
    return np.reshape(result, shape), np.reshape(slope, shape)


def _reduced(sign: int, m: Any, x: Any, result: Any, slope: Any) -> tuple[Any, Any]:
    """`u = (x**2 - sign)**(-m/2) R` and its slope."""
    rest = (x - 1) * (x + 1) if sign == 1 else x * x + 1
    scale = rest ** (-m / 2)
    return scale * result, scale * (slope - m * x / rest * result)


def _marched(sign: int, m: Any, c: Any, value: Any, x: Any, start: Any, u: Any, du: Any) -> tuple[Any, Any]:
    """`R` at `x` and its slope, from `u` and its slope at `start`."""
    path = _path(raw(value), raw(c), raw(start), raw(x), sign)
    u, du = march(path, x, u, du, partial(_taylor, sign), m, c, value)
    u = np.where(path[-1] == raw(x), 1.0, np.nan) * u
    rest = (x - 1) * (x + 1) if sign == 1 else x * x + 1
    scale = rest ** (m / 2)
    return scale * u, scale * (du + m * x / rest * u)


def _path(value: Any, c: Any, here: Any, end: Any, sign: int) -> list[Any]:
    """The points between which the march goes."""
    points = [here]
    while np.any(here != end) and len(points) < _MOST_STEPS:
        room = here - 1 if sign == 1 else np.sqrt(here * here + 1)
        rate = np.sqrt((np.abs(value) + c * c * here * here + 1) / (here * here - sign))
        step = np.minimum(_RATIO * room, 2 / rate)
        here = np.where(np.abs(here - end) > step, here + np.copysign(step, end - here), end)
        points.append(here)
    return points


def _taylor(sign: int, x: Any, h: Any, u: Any, slope: Any, m: Any, c: Any, value: Any) -> tuple[Any, Any]:
    """The solution of `(x**2 - sign) u'' + 2 (m + 1) x u' + (c**2 x**2 - value + m (m + 1)) u = 0`, and its slope.

    With `g_k` the terms of its Taylor series at `x`, `(k + 2) (k + 1) (x**2 - sign) g_(k+2) =
    -2 (k + 1) (k + m + 1) x h g_(k+1) - ((k + m) (k + m + 1) - value + c**2 x**2) h**2 g_k
    - 2 c**2 x h**3 g_(k-1) - c**2 h**4 g_(k-2)`.
    """
    j = counted(_TAYLOR_TERMS + 3 * int(np.max(m, initial=0)), raw(x))  # of g_j
    k = j - 2
    part = np.where(k < 0, 0.0, 1 / np.maximum(j * (j - 1), 1))
    scale = h / (x * x - sign)
    square = -h * scale
    start = np.where(j == 0, 1.0, 0.0) * u + np.where(j == 1, 1.0, 0.0) * (slope * h)
    g = linear_recurrence(
        start,
        part * (k + 1) * (k + m + 1) * (-2 * x * scale),
        part * (((k + m) * (k + m + 1)) + (c * c * x * x - value)) * square,
        part * (2 * c * c * x * h * square),
        part * (c * c * h * h * square),
    )
    return np.sum(g, axis=0), np.sum(j * g, axis=0) / h
