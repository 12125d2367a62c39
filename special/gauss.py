"""Derivatives of Gauss' function `2F1(a, b; c; z)` in its parameters, real and complex `z`.

The power series is tried in several forms (as it stands, after the transformations of Pfaff and Euler, DLMF 15.8.1) and
used where it converges without cancellation; then the formulas that expand about 1 and infinity (DLMF 15.8.2, 15.8.4)
and about 1/2.  Where those have a removable singularity, at whole `b - a` or `c - a - b`, the function is interpolated
in the parameters.  Elsewhere the hypergeometric equation is solved from near 0 to `z`, on a straight line that makes a
detour round 1 if need be; where that would lose the digits the result is NaN, with a warning.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .gauss_expansions import (
    about_infinity,
    about_middle,
    about_middle_roughly,
    about_middle_with_euler,
    about_one,
    across_middle,
    across_middle_with_euler,
    at_one,
    euler,
    from_larger_a,
    from_larger_c,
    from_positive_c,
    long_series,
    pfaff,
    plain,
    polynomial,
)
from .gauss_mapped import mapped, mapped_modulus
from .gauss_whole import TINY, far_with_whole_gap, near_one_with_whole_gap
from .hypergeometric_integers import series_in_integers
from .hypergeometric_march import Equation, march, two_marches
from .hypergeometric_series import AT_ONCE, dense, in_places, power_series, sparse, try_in_turn, without_lost
from .jets import Jet, choose, variables
from .parameter_families import ParameterFamily
from .regions import by_region, is_pole

__all__ = ["GAUSS", "certain_values", "last_values", "rough_values"]

_SHORT_MAPPED_RADIUS = 0.45
"""Beyond it the expansions about 1 and infinity are shorter."""

_RADIUS, _LONG_RADIUS = 0.9, 0.98
"""A power series is tried up to here, and as the last but one resort."""

_MAPPED_RADIUS, _LONG_MAPPED_RADIUS = 0.8, 0.96
"""A series in the mapped variable is tried up to here, and where others fail."""

_HARD_LOSS = 1e5
"""The terms of a sum may be larger than the sum by this factor, where nothing better succeeds."""

_NEAR_WHOLE = 0.02
"""So near to a whole number the gap of two exponents makes a connection formula cancel."""

_STEPS = 60
"""A recurrence in a parameter is at most so long."""

_NEARLY_WHOLE = 0.12
"""So near to a whole number a formula may cancel too much, and is interpolated."""


def _gauss(parameters: Sequence[Jet], z: Any, m: int) -> Jet:
    """The derivative of order `m` in `z`: `(a)_m (b)_m / (c)_m 2F1(a + m, b + m; c + m; z)`, DLMF 15.5.2."""
    orders = parameters[0].orders
    slopes = [Jet({**p.coefficients, (0, 0, 0): 0.0}, orders) for p in parameters]
    a, b, c = parameters
    factor: Any = 1.0
    for k in range(m):
        factor = (a + float(k)) * (b + float(k)) / (c + float(k)) * factor

    def at(x: Any, y: Any, u: Any) -> list[Jet]:
        return [slope + (value + float(m)) for slope, value in zip(slopes, (x, y, u), strict=True)]

    def general(x: Any, y: Any, u: Any, z: Any) -> list[Any]:
        def on_jets(way: Any) -> Any:
            return lambda x, y, u, z: way(*at(x, y, u), z)

        def others(x: Any, y: Any, u: Any, z: Any) -> Jet:
            ways = [*_fast_ways(x, y, u, z), *_sure_ways(x, y, u, z), (z == z, _solution)]
            attempts = [(where, on_jets(way)) for where, way in ways]
            return sparse(try_in_turn(attempts, on_jets(_lost), x, y, u, z), orders)

        terminates = _terminates(*at(x, y, u)[:2])
        ways = [(terminates, plain), *_first_ways(x, y, u, z)]
        return try_in_turn([(where, on_jets(way)) for where, way in ways], others, x, y, u, z)

    def at_infinity(x: Any, y: Any, u: Any, z: Any) -> list[Any]:
        """It vanishes with its derivatives at `-inf` as `(-z)**-min(a, b)`, DLMF 15.8.2."""
        limit = np.where((np.real(z) < 0) & (x > 0) & (y > 0), 0.0, np.nan) + np.zeros_like(z)
        return [limit] * math.prod(n + 1 for n in orders)

    regions = [
        (~np.isfinite(z), at_infinity),
        (z == 1, lambda x, y, u, z: dense(at_one(*at(x, y, u)))),
        (z == z, general),
    ]
    result = sparse(by_region(regions, a.value, b.value, c.value, z), orders)
    return factor * result if m else result


Way = tuple[Any, Callable[..., tuple[Jet, Any]]]
"""Where to try it, and a function of jets and of `z`."""


def _first_ways(a: Any, b: Any, c: Any, z: Any) -> list[Way]:
    """The series in the mapped variable, and next to 1 and far out, where it is longer, the expansions there."""
    is_on_sheet, zeta = _on_sheet(z), mapped_modulus(z)
    is_far = is_on_sheet & (np.abs(z) > 2.5) & (zeta > _SHORT_MAPPED_RADIUS)
    is_near_one = is_on_sheet & (np.abs(z - 1) < 0.4) & (zeta > _SHORT_MAPPED_RADIUS)
    gap, gap_at_one = _gap(b - a), _gap(c - a - b)
    return [
        (is_far & (gap > _NEAR_WHOLE), about_infinity),
        (is_far & _is_worth(gap, zeta), far_with_whole_gap),
        (is_near_one & (gap_at_one > _NEAR_WHOLE), about_one),
        (is_near_one & _is_worth(gap_at_one, zeta), near_one_with_whole_gap),
        (is_on_sheet & (zeta <= _MAPPED_RADIUS), mapped),
    ]


def _is_worth(gap: Any, zeta: Any) -> Any:
    """Where the expansions for a gap that is whole, or with much more work nearly so, are taken."""
    return (gap < _NEARLY_WHOLE) & (zeta > np.where(gap <= TINY, 0.6, _MAPPED_RADIUS))


def _fast_ways(a: Any, b: Any, c: Any, z: Any) -> list[Way]:
    """Where the series in the mapped variable is long or cancels: other expansions, and recurrences from it."""
    is_on_sheet = _on_sheet(z)
    modulus, from_middle = np.abs(z), np.abs(z - 0.5)
    is_left, has_small_c = (np.real(z) < 0.5) & _is_mapped(z, _RADIUS), c < np.maximum(a, b)
    is_inside, is_beyond_middle = modulus <= _RADIUS, is_on_sheet & (from_middle >= 0.7)
    gap = _gap(b - a)
    is_best_about_middle = (modulus > 0.75 * np.abs(z - 1)) & (from_middle > 1.2) & (gap > _NEARLY_WHOLE)
    return [
        (is_on_sheet & is_best_about_middle, lambda a, b, c, z: about_middle(a, b, c, z, 40.0)),
        (is_inside & ~is_left, plain),
        (is_left & has_small_c & (a > 0) & (b > 0) & (c > -_STEPS), from_larger_c),
        (is_beyond_middle & (gap > _NEAR_WHOLE), about_middle_with_euler),
        (is_inside & is_left, plain),
        (is_inside & is_on_sheet, euler),
        (is_left & (a < 0) & (a > -_STEPS), from_larger_a),
        (is_left & (b < 0) & (b > -_STEPS), lambda a, b, c, z: from_larger_a(b, a, c, z)),
    ]


def _sure_ways(a: Any, b: Any, c: Any, z: Any) -> list[Way]:
    """What works at more places, for a higher price."""
    is_on_sheet = _on_sheet(z)
    modulus, from_one, from_middle = np.abs(z), np.abs(z - 1), np.abs(z - 0.5)
    is_beyond_middle, is_near_one = is_on_sheet & (from_middle >= 0.7), is_on_sheet & (from_one <= _RADIUS)
    gap, gap_at_one, has_small_c = _gap(b - a), _gap(c - a - b), c < np.maximum(a, b)
    is_regular = is_beyond_middle & (gap >= _NEAR_WHOLE)
    is_between = is_beyond_middle & (gap < _NEARLY_WHOLE)
    is_slow = modulus <= _LONG_RADIUS
    return [
        (is_regular, about_middle),
        (is_near_one & (gap_at_one >= _NEAR_WHOLE), about_one),
        (is_on_sheet & (modulus >= 1 / _RADIUS) & (gap >= _NEAR_WHOLE), about_infinity),
        (is_on_sheet & _is_mapped(z, _LONG_MAPPED_RADIUS) & ~_is_mapped(z, _MAPPED_RADIUS), mapped),
        (is_regular & (modulus <= 1.6 * from_one) & (c < 0) & (c > -_STEPS), from_positive_c),
        (is_between & has_small_c, across_middle_with_euler),
        (is_between, across_middle),
        (is_between & ~has_small_c, across_middle_with_euler),
        (is_near_one & (gap_at_one < _NEARLY_WHOLE) & (modulus <= 0.94), plain),
        (is_near_one & (gap_at_one < _NEARLY_WHOLE), near_one_with_whole_gap),
        (is_on_sheet & (modulus >= 1 / _RADIUS) & (gap < _NEARLY_WHOLE), far_with_whole_gap),
        (is_slow, long_series),
        (is_slow & is_on_sheet, lambda a, b, c, z: euler(a, b, c, z, long_series)),
        (is_on_sheet & (modulus <= _LONG_RADIUS * from_one), lambda a, b, c, z: pfaff(a, b, c, z, long_series)),
    ]


def _is_mapped(z: Any, radius: float) -> Any:
    return mapped_modulus(z) <= radius


def certain_values(a: Any, b: Any, c: Any, z: Any) -> Any:
    """The function by an expansion that shows that it has not cancelled; NaN where none does."""
    is_on_sheet, modulus = _on_sheet(z), mapped_modulus(z)
    is_beyond_middle = is_on_sheet & (np.abs(z - 0.5) > 0.7) & (_gap(b - a) > _NEARLY_WHOLE)
    ways = [
        (_is_short(a, b), polynomial),
        *_first_ways(a, b, c, z),
        ((np.abs(z) <= 0.6) | is_pole(a) | is_pole(b), plain),
        (is_beyond_middle, about_middle),
        (is_beyond_middle, about_middle_with_euler),
        (is_on_sheet & (modulus > _MAPPED_RADIUS) & (modulus <= _LONG_MAPPED_RADIUS), mapped),
    ]
    return _values(ways, a, b, c, z)


def rough_values(a: Any, b: Any, c: Any, z: Any, loss: float) -> Any:
    """The same where the terms are larger than the sum by this factor at most."""
    is_mapped = _on_sheet(z) & (mapped_modulus(z) <= _LONG_MAPPED_RADIUS)
    ways = [
        (_is_short(a, b), lambda a, b, c, z: polynomial(a, b, c, z, loss)),
        (is_mapped, lambda a, b, c, z: mapped(a, b, c, z, loss)),
    ]
    return _values(ways, a, b, c, z)


def last_values(a: Any, b: Any, c: Any, z: Any) -> Any:
    """The function by its power series in integers, also after Pfaff's transformation; NaN where that is too long."""

    def series(a: Any, b: Any, c: Any, z: Any) -> Any:
        return series_in_integers([a, b], [c], z)

    def transformed(a: Any, b: Any, c: Any, z: Any) -> Any:
        return (1 - z) ** -a * series(a, c - b, c, z / (z - 1))

    w = in_places(np.abs(z) <= _RADIUS, series, a, b, c, z)
    is_left = np.isnan(w) & (np.abs(z) <= _RADIUS * np.abs(z - 1))
    return np.where(is_left, in_places(is_left, transformed, a, b, c, z), w)


def _values(ways: Sequence[Way], *args: Any) -> Any:
    def on_values(way: Any) -> Any:
        return lambda a, b, c, z: way(*variables((0, 0, 0), a, b, c), z)

    def unknown(a: Any, b: Any, c: Any, z: Any) -> Jet:
        return Jet({(0, 0, 0): np.full_like(z, np.nan)}, (0, 0, 0))

    return try_in_turn([(where, on_values(way)) for where, way in ways], unknown, *args)[0]


def _is_short(a: Any, b: Any) -> Any:
    """Whether it is a polynomial of low degree."""
    return (is_pole(a) & (a > -_STEPS)) | (is_pole(b) & (b > -_STEPS))


def _on_sheet(z: Any) -> Any:
    """Off the cut."""
    return z < 1 if z.dtype.kind != "c" else z == z


def _gap(x: Any) -> Any:
    """The distance to the nearest whole number."""
    return np.abs(x - np.round(x))


def _terminates(*upper: Jet) -> Any:
    """Whether the series is a polynomial: a parameter is zero or a negative whole number and not differentiated."""
    return sum(is_pole(a.value) & (len(a.coefficients) == 1) for a in upper) > 0


def _lost(a: Jet, b: Jet, c: Jet, z: Any) -> Jet:
    """No way is good enough: NaN, with a warning, unless a sum that cancels much is still good to many digits."""
    is_inside = np.abs(z) < 1
    result, succeeds = power_series([a, b], [c], np.where(is_inside, z, 0.0), 3000, _HARD_LOSS)
    succeeds = succeeds & is_inside
    is_on_sheet = _on_sheet(z)
    for series in (about_middle_roughly, lambda a, b, c, z: euler(a, b, c, z, about_middle_roughly)):
        other, succeeds_too = series(a, b, c, z)
        is_better = ~succeeds & succeeds_too & is_on_sheet
        result, succeeds = choose(is_better, other, result), succeeds | is_better
    return without_lost("hyp2f1", result, ~succeeds)


def _solution(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The hypergeometric equation from near 0 to `z`."""
    large = 1 + np.abs(a.value * b.value)
    stiff = 2 + np.abs(c.value) + np.abs(a.value + b.value + 1)
    corner = _corner(z)
    near = np.minimum(1.0, np.minimum(0.3, (1 + np.abs(c.value)) / large) / np.abs(corner))

    def arrive(parameters: Sequence[Jet], pace: float) -> Jet:
        a, b, c = parameters
        start = corner * near
        w, _ = power_series([a, b], [c], start, 300)
        slope, _ = power_series([a + 1.0, b + 1.0], [c + 1.0], start, 300)
        slope = slope * (a * b / c)
        equation = Equation((a, b), c)

        def step(point: Any, here: Any) -> Any:
            distance = np.minimum(np.abs(point), np.abs(1 - point))
            oscillation = np.sqrt(np.abs(point * (1 - point)) / large[here])
            return pace * np.minimum(distance * np.minimum(0.35, 6 / stiff[here]), 3 * oscillation)

        w, slope = march(w, slope, start, corner, step, equation, 36)
        return march(w, slope, corner, z, step, equation, 36)[0] if z.dtype.kind == "c" else w

    return two_marches((a, b, c), arrive)


def _corner(z: Any) -> Any:
    """Where the way from 0 to `z` bends to keep away from 1; real `z > 1` cannot be reached."""
    if z.dtype.kind != "c":
        return np.where(z > 1, np.nan, z)
    passes_one = (np.real(z) > 0.6) & (np.abs(np.imag(z)) < 0.7 * np.real(z))
    return np.where(passes_one, 0.5 + 0.87j * np.where(np.signbit(np.imag(z)), -1.0, 1.0), z)


GAUSS = ParameterFamily(_gauss, 3, AT_ONCE)
