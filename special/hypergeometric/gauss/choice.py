"""The ways to compute Gauss' function `2F1(a, b; c; z)` of jets of its parameters, in the order of trial.

A method stands next to a mask, where it is worth a trial; it says itself where it has succeeded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...numerics.jets import Jet
from .expansions import (
    about_infinity,
    about_middle,
    about_middle_with_euler,
    about_one,
    across_middle,
    across_middle_with_euler,
    euler,
    from_larger_a,
    from_larger_c,
    from_positive_c,
    long_series,
    pfaff,
    plain,
)
from .integer_differences import TINY, far_with_integer_gap, near_one_with_integer_gap
from .mapped import mapped, mapped_modulus

_SHORT_MAPPED_RADIUS = 0.45
"""Beyond it the expansions about 1 and infinity are shorter."""

RADIUS, _LONG_RADIUS = 0.9, 0.98
"""A power series is tried up to here, and as the last but one resort."""

MAPPED_RADIUS, LONG_MAPPED_RADIUS = 0.8, 0.96
"""A series in the mapped variable is tried up to here, and where others fail."""

_NEAR_INTEGER = 0.02
"""So near to an integer the gap of two exponents makes a connection formula cancel."""

STEPS = 60
"""A recurrence in a parameter is at most so long."""

_STEPS_IN_C = 1000
"""The same of that in `c`, which converges."""

NEARLY_INTEGER = 0.12
"""So near to an integer a formula may cancel too much, and is interpolated."""


Method = tuple[Any, Callable[..., tuple[Jet, Any]]]
"""Where to try it, and a function of jets and of `z`."""


def first_methods(a: Any, b: Any, c: Any, z: Any) -> list[Method]:
    """The series in the mapped variable, and next to 1 and far out, where it is longer, the expansions there."""
    is_on_sheet, zeta = on_sheet(z), mapped_modulus(z)
    is_far = is_on_sheet & (np.abs(z) > 2.5) & (zeta > _SHORT_MAPPED_RADIUS)
    is_near_one = is_on_sheet & (np.abs(z - 1) < 0.4) & (zeta > _SHORT_MAPPED_RADIUS)
    gap, gap_at_one = gap_of(b - a), gap_of(c - a - b)
    return [
        (is_far & (gap > _NEAR_INTEGER), about_infinity),
        (is_far & _is_worth(gap, zeta), far_with_integer_gap),
        (is_near_one & (gap_at_one > _NEAR_INTEGER), about_one),
        (is_near_one & _is_worth(gap_at_one, zeta), near_one_with_integer_gap),
        (is_on_sheet & (zeta <= MAPPED_RADIUS), mapped),
    ]


def _is_worth(gap: Any, zeta: Any) -> Any:
    """Where the expansions for an integer gap, or with much more work nearly one, are taken."""
    return (gap < NEARLY_INTEGER) & (zeta > np.where(gap <= TINY, 0.6, MAPPED_RADIUS))


def fast_methods(a: Any, b: Any, c: Any, z: Any) -> list[Method]:
    """Where the series in the mapped variable is long or cancels: other expansions, and recurrences from it."""
    is_on_sheet = on_sheet(z)
    modulus, from_middle = np.abs(z), np.abs(z - 0.5)
    is_left, has_small_c = (np.real(z) < 0.5) & _is_mapped(z, RADIUS), c < np.maximum(a, b)
    is_inside, is_beyond_middle = modulus <= RADIUS, is_on_sheet & (from_middle >= 0.7)
    gap, is_short = gap_of(b - a), np.maximum(a, b) - c < _STEPS_IN_C
    is_best_about_middle = (modulus > 0.75 * np.abs(z - 1)) & (from_middle > 1.2) & (gap > NEARLY_INTEGER)
    return [
        (is_on_sheet & is_best_about_middle, lambda a, b, c, z: about_middle(a, b, c, z, 40.0)),
        (is_inside & ~is_left, plain),
        (is_left & has_small_c & (a > 0) & (b > 0) & (c > -STEPS) & is_short, from_larger_c),
        (is_beyond_middle & (gap > _NEAR_INTEGER), about_middle_with_euler),
        (is_inside & is_left, plain),
        (is_inside & is_on_sheet, euler),
        (is_left & (a < 0) & (a > -STEPS), from_larger_a),
        (is_left & (b < 0) & (b > -STEPS), lambda a, b, c, z: from_larger_a(b, a, c, z)),
    ]


def reliable_methods(a: Any, b: Any, c: Any, z: Any) -> list[Method]:
    """What works at more points, for a higher price."""
    is_on_sheet = on_sheet(z)
    modulus, from_one, from_middle = np.abs(z), np.abs(z - 1), np.abs(z - 0.5)
    is_beyond_middle, is_near_one = is_on_sheet & (from_middle >= 0.7), is_on_sheet & (from_one <= RADIUS)
    gap, gap_at_one, has_small_c = gap_of(b - a), gap_of(c - a - b), c < np.maximum(a, b)
    is_regular = is_beyond_middle & (gap >= _NEAR_INTEGER)
    is_between = is_beyond_middle & (gap < NEARLY_INTEGER)
    is_slow = modulus <= _LONG_RADIUS
    return [
        (is_regular, about_middle),
        (is_near_one & (gap_at_one >= _NEAR_INTEGER), about_one),
        (is_on_sheet & (modulus >= 1 / RADIUS) & (gap >= _NEAR_INTEGER), about_infinity),
        (is_on_sheet & _is_mapped(z, LONG_MAPPED_RADIUS) & ~_is_mapped(z, MAPPED_RADIUS), mapped),
        (is_regular & (modulus <= 1.6 * from_one) & (c < 0) & (c > -STEPS), from_positive_c),
        (is_between & has_small_c, across_middle_with_euler),
        (is_between, across_middle),
        (is_between & ~has_small_c, across_middle_with_euler),
        (is_near_one & (gap_at_one < NEARLY_INTEGER) & (modulus <= 0.94), plain),
        (is_near_one & (gap_at_one < NEARLY_INTEGER), near_one_with_integer_gap),
        (is_on_sheet & (modulus >= 1 / RADIUS) & (gap < NEARLY_INTEGER), far_with_integer_gap),
        (is_slow, long_series),
        (is_slow & is_on_sheet, lambda a, b, c, z: euler(a, b, c, z, long_series)),
        (is_on_sheet & (modulus <= _LONG_RADIUS * from_one), lambda a, b, c, z: pfaff(a, b, c, z, long_series)),
    ]


def _is_mapped(z: Any, radius: float) -> Any:
    return mapped_modulus(z) <= radius


def on_sheet(z: Any) -> Any:
    """Off the cut."""
    return z < 1 if z.dtype.kind != "c" else z == z


def gap_of(x: Any) -> Any:
    """The distance to the nearest integer."""
    return np.abs(x - np.round(x))
