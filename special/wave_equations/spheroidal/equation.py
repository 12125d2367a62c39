"""The spheroidal equation, radial and angular, solved by Taylor series from point to point."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.linear_recurrence import linear_recurrence
from ...numerics.tridiagonal import counted
from ...ufuncs.parameters import march

_RATIO = 0.5
"""A step at most, as a part of the distance to the next singular point."""
_TERMS, _FEWEST = 50, 36
"""Of a series whose steps are so large, and of one with tiny steps, whose terms are those of an exponential."""
_MOST_STEPS = 5000


def marched(sign: int, m: Any, square: Any, value: Any, x: Any, start: Any, u: Any, du: Any) -> tuple[Any, Any]:
    """A solution at `x` and its derivative, from those at `start`; NaN if that is too far or beyond a singular point.

    With `S = (x**2 - sign)**(-m/2) R` of the radial functions, and `square` the one of `c`, it is
    `(x**2 - sign) S'' + 2 (m + 1) x S' + (square x**2 - value + m (m + 1)) S = 0`; with `(1 - x**2)**(-m/2)` times the
    angular functions it is that of `sign = 1`, and `square = -c**2` for oblate ones.
    """
    is_beyond = (sign == 1) & ((np.abs(raw(x)) < 1) != (np.abs(raw(start)) < 1))
    path = _path(raw(value), raw(square), raw(start), np.where(is_beyond, raw(start), raw(x)), sign)

    def taylor(here: Any, h: Any, u: Any, du: Any, square: Any, value: Any, own: Any = m) -> tuple[Any, Any]:
        return _taylor(sign, here, h, u, du, own, square, value)

    u, du = march(path, x, u, du, taylor, square, value, *(() if np.ndim(m) == 0 else (m,)))
    return np.where(path[-1] == raw(x), 1.0, np.nan) * u, du


def _path(value: Any, square: Any, here: Any, end: Any, sign: int) -> list[Any]:
    """The points between which the march goes; none of them is on the way to NaN, or farther than steps lead.

    Beyond 1 the rate of change is at least `|c| / sqrt(2)`, and a step goes over 2 at most of it.
    """
    points = [here]
    far, near = np.maximum(np.abs(here), np.abs(end)), np.maximum(np.minimum(np.abs(here), np.abs(end)), 1.0)
    with np.errstate(invalid="ignore"):
        end = np.where((far - near) * np.sqrt(np.abs(square)) > 3 * _MOST_STEPS, here, end)
    while np.any(np.abs(here - end) > 0) and len(points) < _MOST_STEPS:
        room = _room(sign, here)
        rate = np.sqrt((np.abs(value) + np.abs(square) * here * here + 1) / np.abs(here * here - sign))
        step = np.minimum(_RATIO * room, 2 / rate)
        here = np.where(np.abs(here - end) > step, here + np.copysign(step, end - here), end)
        points.append(here)
    return points


def _room(sign: int, x: Any) -> Any:
    """The distance to the next singular point."""
    return np.abs(1 - np.abs(x)) if sign == 1 else np.sqrt(x * x + 1)


def _term_count(sign: int, x: Any, h: Any, m: Any) -> int:
    """Of the Taylor series at `x`."""
    ratio = float(np.max(np.abs(h) / _room(sign, x), initial=0.0))
    most = _TERMS + 3 * int(np.max(m, initial=0))
    if not 0 < ratio < _RATIO:
        return most
    return min(most, max(_FEWEST, 6 + math.ceil(most * math.log(_RATIO) / math.log(ratio))))


def _taylor(sign: int, x: Any, h: Any, u: Any, du: Any, m: Any, square: Any, value: Any) -> tuple[Any, Any]:
    """The solution at `x + h`, and its derivative.

    With `g_k` the terms of its Taylor series at `x`, `(k + 2) (k + 1) (x**2 - sign) g_(k+2) =
    -2 (k + 1) (k + m + 1) x h g_(k+1) - ((k + m) (k + m + 1) - value + square x**2) h**2 g_k
    - 2 square x h**3 g_(k-1) - square h**4 g_(k-2)`.  So those of the derivative, `k s_k` with `s_k = g_k / h`, are had
    without a division by `h`: with 0 in place of `s_0`, and what `g_0 = u` adds to `s_2`, `s_3` and `s_4`.
    """
    j = counted(_term_count(sign, raw(x), raw(h), m), raw(x))  # of g_j
    k = j - 2
    part = np.where(k < 0, 0.0, 1 / np.maximum(j * (j - 1), 1))
    columns = (part * (k + 1) * (k + m + 1),), (part * (k + m) * (k + m + 1), part), (part,), (part,)
    scale = h / (x * x - sign)
    bend = -h * scale
    change = square * h * bend
    of_value = (square * x * x - value) * bend
    of_first = -scale * u
    bent = (square * x * x - value + m * (m + 1)) * of_first / 2
    tilted = square * h * of_first
    first = np.stack([0 * u, du, bent, x * tilted / 3, h * tilted / 12])
    s = linear_recurrence(first, -2 * x * scale, bend, of_value, 2 * x * change, h * change, columns=columns)
    return u + h * np.sum(s, axis=0), np.sum(j * s, axis=0)
