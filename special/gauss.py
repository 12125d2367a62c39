"""Derivatives of Gauss' function `2F1(a, b; c; z)` in its parameters, real and complex `z`.

The power series is tried in several forms (as it stands, after the transformations of Pfaff and Euler, DLMF 15.8.1) and
used where it converges without cancellation; then the connection formulas that expand about 1 and infinity (DLMF 15.8.2
to 15.8.4).  Where those have a removable singularity, at whole `b - a` or `c - a - b`, the value is the mean over a
circle of complex `a`.  Elsewhere the hypergeometric equation is solved from near 0 to `z`, on a straight line that
makes a detour round 1 if need be; where that would lose the digits the result is NaN, with a warning.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .hypergeometric_series import dense, march, moduli, power_series, sparse, try_in_turn, two_marches, without_lost
from .jets import Jet, choose, power, reciprocal_gamma
from .parameter_families import ParameterFamily
from .regions import by_region

__all__ = ["GAUSS"]

_RADIUS, _LONG_RADIUS = 0.9, 0.98
"""A power series is tried up to here, and as the last but one resort."""

_LOSS, _HARD_LOSS = 100.0, 1e5
"""The terms of a sum may be larger than the sum by this factor, and where nothing better succeeds."""

_NEAR_WHOLE = 0.02
"""So near to a whole number the gap of two exponents makes a connection formula cancel."""

_STEPS = 60
"""A recurrence in a parameter is at most so long."""

_CIRCLE, _CIRCLE_RADIUS = 32, 0.3
"""Points on the circle over which a mean is taken, and its radius."""


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

        terminates = _terminates(*at(x, y, u)[:2])
        is_on_sheet = z < 1 if z.dtype.kind != "c" else z == z
        is_inside, is_inside_too = np.abs(z) <= _RADIUS, np.abs(z) <= _RADIUS * np.abs(z - 1)
        is_near_one, is_far = np.abs(z - 1) <= _RADIUS, np.abs(z - 1) >= 1 / _RADIUS
        is_left, is_far_from_middle = np.real(z) < 0.5, np.abs(z - 0.5) >= 0.7
        attempts = [
            (is_inside | terminates, on_jets(_plain)),
            (is_inside_too & is_on_sheet & (x >= y), on_jets(_pfaff)),
            (is_inside_too & is_on_sheet, on_jets(_swapped)),
            (is_inside_too & is_on_sheet & (x < y), on_jets(_pfaff)),
            (is_inside & is_on_sheet, on_jets(_euler)),
            (is_left & (u < np.maximum(x, y)) & (x > 0) & (y > 0) & (u > -_STEPS), on_jets(_from_larger_c)),
            (is_left & (x < 0) & (x > -_STEPS), on_jets(_from_larger_a)),
            (is_left & (y < 0) & (y > -_STEPS), on_jets(lambda a, b, c, z: _from_larger_a(b, a, c, z))),
        ]
        connections = [
            (is_far_from_middle, _about_middle, y - x),
            (is_far, _about_infinity, y - x),
            (is_near_one, _about_one, u - x - y),
            (np.abs(z) >= 1 / _RADIUS, _about_infinity_too, y - x),
        ]
        is_moderate = np.abs(z) <= 1.6 * np.abs(z - 1)
        distances = [np.abs(gap - np.round(gap)) for _, _, gap in connections]
        attempts += [
            (where & is_on_sheet & (distance >= _NEAR_WHOLE), on_jets(way))
            for (where, way, _), distance in zip(connections, distances, strict=True)
        ]
        is_regular = is_far_from_middle & is_moderate & (distances[0] >= _NEAR_WHOLE)
        attempts.append((is_regular & is_on_sheet & (u < 0) & (u > -_STEPS), on_jets(_from_positive_c)))
        is_slow, is_slow_too = np.abs(z) <= _LONG_RADIUS, np.abs(z) <= _LONG_RADIUS * np.abs(z - 1)
        attempts += [
            (is_slow, on_jets(_long)),
            (is_slow & is_on_sheet, on_jets(lambda a, b, c, z: _euler(a, b, c, z, _long))),
            (is_slow_too & is_on_sheet, on_jets(lambda a, b, c, z: _pfaff(a, b, c, z, _long))),
        ]
        attempts += [
            (where & is_on_sheet & (distance < _NEAR_WHOLE), on_jets(_mean_over_circle(way)))
            for (where, way, _), distance in zip(connections, distances, strict=True)
        ]
        attempts.append((z == z, on_jets(_solution)))
        return try_in_turn(attempts, on_jets(_lost), x, y, u, z)

    regions = [(z == 1, lambda x, y, u, z: dense(_at_one(*at(x, y, u)))), (z == z, general)]
    result = sparse(by_region(regions, a.value, b.value, c.value, z), orders)
    return factor * result if m else result


def _terminates(*upper: Jet) -> Any:
    """Whether the series is a polynomial: a parameter is zero or a negative whole number and not differentiated."""
    return sum((a.value <= 0) & (a.value == np.round(a.value)) & (len(a.coefficients) == 1) for a in upper) > 0


def _series(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    return power_series([a, b], [c], z, 700, loss)


def _plain(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """`2F1(a, b; c; z)`, where that cancels little, as in the next ones."""
    return _series(a, b, c, z, 40.0)


def _long(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The power series where it converges slowly or cancels more."""
    return power_series([a, b], [c], z, 3000, 3000.0)


def _pfaff(a: Jet, b: Jet, c: Jet, z: Any, series: Any = _plain) -> tuple[Jet, Any]:
    """`(1 - z)**-a 2F1(a, c - b; c; z / (z - 1))`."""
    total, succeeds = series(a, c - b, c, z / (z - 1))
    return total * power(1 - z, -a), succeeds


def _swapped(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    return _pfaff(b, a, c, z)


def _euler(a: Jet, b: Jet, c: Jet, z: Any, series: Any = _plain) -> tuple[Jet, Any]:
    """`(1 - z)**(c - a - b) 2F1(c - a, c - b; c; z)`."""
    total, succeeds = series(c - a, c - b, c, z)
    return total * power(1 - z, c - a - b), succeeds


def _from_larger_c(
    a: Jet, b: Jet, c: Jet, z: Any, steps: Any = None, way: Any = None, loss: float = 5e3
) -> tuple[Jet, Any]:
    """DLMF 15.5.18 downwards in `c`: for `Re z < 1/2` the function is minimal upwards, so it grows that way."""
    steps = np.ceil(np.maximum(a.value, b.value) - c.value + 1) if steps is None else steps
    way = way or _pfaff

    def coefficients(k: int) -> tuple[Jet, Jet, Jet]:
        d = c + float(k)
        return d * (d - 1.0 - (d * 2.0 - a - b - 1.0) * z), (d - a) * (d - b) * z, d * (d - 1.0) * (1 - z)

    return _downwards(way(a, b, c + steps, z), way(a, b, c + (steps + 1), z), steps, coefficients, loss)


def _from_positive_c(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """The same from the expansion about 1/2, in few steps."""
    return _from_larger_c(a, b, c, z, np.ceil(1 - c.value), _about_middle, 2000.0)


def _from_larger_a(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 15.5.11 downwards from positive `a`."""
    steps = np.floor(-a.value) + 1

    def coefficients(k: int) -> tuple[Jet, Jet, Jet]:
        d = a + float(k)
        return c - d * 2.0 - (b - d) * z, d * (1 - z), c - d

    return _downwards(_pfaff(a + steps, b, c, z), _pfaff(a + (steps + 1), b, c, z), steps, coefficients, _LOSS)


def _downwards(
    last: tuple[Jet, Any], beyond: tuple[Jet, Any], steps: Any, coefficients: Any, loss: float
) -> tuple[Jet, Any]:
    """`f_(k-1) = (p f_k + q f_(k+1)) / r`, `p, q, r = coefficients(k)`, and whether the errors do not outgrow it."""
    current, above = last[0], beyond[0]
    error, error_above = np.abs(current.value), np.abs(above.value)
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        p, q, r = coefficients(k)
        below = (p * current + q * above) / r
        following = (np.abs(p.value) * error + np.abs(q.value) * error_above) / np.abs(r.value) + np.abs(below.value)
        is_active = k <= steps
        current, above = choose(is_active, below, current), choose(is_active, current, above)
        error, error_above = np.where(is_active, following, error), np.where(is_active, error, error_above)
    return current, last[1] & beyond[1] & (error <= loss * moduli(current))


def _about_middle(a: Jet, b: Jet, c: Jet, z: Any, loss: float = 400.0) -> tuple[Jet, Any]:
    """Buehring's expansion about 1/2, two terms `f(a, b) u**-a sum_n d_n (-u)**-n` with `u = 1/2 - z`.

    SIAM J. Math. Anal. 18 (1987) 884: it converges for `|u| > 1/2`, also at the cube roots of -1.
    """
    u = 0.5 - z
    first, succeeds, size = _middle_term(a, b, c, u)
    second, succeeds_too, size_too = _middle_term(b, a, c, u)
    total = first + second
    return total, succeeds & succeeds_too & (size + size_too <= loss * moduli(total))


def _middle_term(p: Jet, q: Jet, c: Jet, u: Any) -> tuple[Jet, Any, Any]:
    """`n (n + p - q) d_n = (n + p - 1) (((p + q + 1) / 2 - c) d_(n-1) + (n + p - 2) / 4 d_(n-2))`.

    The term, where its series has converged, and the sum of moduli.
    """
    t = -1 / u
    shift = (p + q + 1.0) * 0.5 - c
    before: Any = p * 0.0
    term = total = p * 0.0 + 1.0 + 0.0 * t
    sizes = moduli(term)
    for n in range(1, 150):
        following = (shift * term * t + (p + (n - 2.0)) * before * (0.25 * t * t)) * (p + (n - 1.0))
        before, term = term, following / ((p - q + float(n)) * float(n))
        total = total + term
        size = moduli(term) + moduli(before)
        sizes = sizes + size
        has_ended = (size <= 1e-18 * sizes) & (n > 10)
        if n % 8 == 7 and bool(np.all(has_ended | ~np.isfinite(sizes))):
            break
    result, _ = _towards_infinity(p, q, c, u, (total, has_ended))
    return result, has_ended, sizes * moduli(result) / moduli(total)


def _about_infinity(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 15.8.3, two terms `f(a, b) u**-a 2F1(a, c - b; a - b + 1; 1 / u)` with `u = 1 - z`."""
    u = 1 - z
    return _sum_of(*[_towards_infinity(p, q, c, u, _series(p, c - q, p - q + 1.0, 1 / u)) for p, q in ((a, b), (b, a))])


def _about_infinity_too(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 15.8.2, two terms `f(a, b) (-z)**-a 2F1(a, a - c + 1; a - b + 1; 1 / z)`."""
    pairs = (a, b), (b, a)
    return _sum_of(*[_towards_infinity(p, q, c, -z, _series(p, p - c + 1.0, p - q + 1.0, 1 / z)) for p, q in pairs])


def _towards_infinity(p: Jet, q: Jet, c: Jet, u: Any, series: tuple[Jet, Any]) -> tuple[Jet, Any]:
    """`f(p, q) u**-p` times the series, `f(p, q) = gamma(c) gamma(q - p) / (gamma(q) gamma(c - p))`."""
    factor = reciprocal_gamma(q) * reciprocal_gamma(c - p) / (reciprocal_gamma(c) * reciprocal_gamma(q - p))
    return series[0] * factor * power(u, -p), series[1]


def _about_one(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 15.8.4, with `s = c - a - b`: a term that is regular at 1 and one with `(1 - z)**s`."""
    excess = c - a - b
    regular, succeeds = _series(a, b, 1.0 - excess, 1 - z)
    singular, succeeds_too = _series(c - a, c - b, excess + 1.0, 1 - z)
    below = reciprocal_gamma(c) * reciprocal_gamma(excess)
    regular = regular * (reciprocal_gamma(c - a) * reciprocal_gamma(c - b) / below)
    below = reciprocal_gamma(c) * reciprocal_gamma(-excess)
    singular = singular * (reciprocal_gamma(a) * reciprocal_gamma(b) / below) * power(1 - z, excess)
    return _sum_of((regular, succeeds), (singular, succeeds_too))


def _sum_of(first: tuple[Jet, Any], second: tuple[Jet, Any]) -> tuple[Jet, Any]:
    total = first[0] + second[0]
    is_good = moduli(first[0]) + moduli(second[0]) <= _LOSS * moduli(total)
    return total, first[1] & second[1] & is_good


def _mean_over_circle(way: Any) -> Any:
    """A formula with a removable singularity in `a`, by Cauchy's mean value: the function is entire in `a`.

    All points are computed in one row; at real `z` the lower half of the circle repeats the upper.
    """

    def average(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        count = _CIRCLE if z.dtype.kind == "c" else _CIRCLE // 2
        angles = 2 * math.pi / _CIRCLE * (np.arange(count) + 0.5)
        points = [complex(p) for p in _CIRCLE_RADIUS * np.exp(1j * angles)]

        def row(jet: Jet, weight: float) -> Jet:
            zero = (0,) * len(jet.orders)
            return Jet({**jet.coefficients, zero: np.concatenate([jet.value + p * weight for p in points])}, jet.orders)

        values, succeeds = way(row(a, 1.0), row(b, 0.0), row(c, 0.0), np.concatenate([z] * count))
        shape = (count, z.shape[0])
        size = np.mean(np.reshape(moduli(values), shape), axis=0)
        total = values.map(lambda x: np.mean(np.reshape(x, shape), axis=0))
        total = total if z.dtype.kind == "c" else total.map(np.real)
        return total, np.all(np.reshape(succeeds, shape), axis=0) & (size <= _LOSS * moduli(total))

    return average


def _at_one(a: Jet, b: Jet, c: Jet) -> Jet:
    """`gamma(c) gamma(c - a - b) / (gamma(c - a) gamma(c - b))`, DLMF 15.4.20; infinite where that diverges."""
    excess = c - a - b
    below = reciprocal_gamma(c) * reciprocal_gamma(excess)
    result = reciprocal_gamma(c - a) * reciprocal_gamma(c - b) / below
    diverges = np.where(excess.value > 0, 0.0, np.nan)
    return result + diverges


def _lost(a: Jet, b: Jet, c: Jet, z: Any) -> Jet:
    """No way is good enough: NaN, with a warning, unless a sum that cancels much is still good to many digits."""
    result, succeeds = power_series([a, b], [c], z, 3000, _HARD_LOSS)
    transformed, succeeds_too = _about_middle(a, b, c, z, _HARD_LOSS)
    is_better = ~succeeds & succeeds_too & (np.real(z) < 1)
    return without_lost("hyp2f1", choose(is_better, transformed, result), ~(succeeds | is_better))


def _solution(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
    """`z (1 - z) w'' + (c - (a + b + 1) z) w' - a b w = 0`, DLMF 15.10.1, from near 0 to `z`."""
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

        def step(point: Any) -> Any:
            distance = np.minimum(np.abs(point), np.abs(1 - point))
            oscillation = np.sqrt(np.abs(point * (1 - point)) / large)
            return pace * np.minimum(distance * np.minimum(0.35, 6 / stiff), 3 * oscillation)

        def following(point: Any, j: int, term: Jet, after: Jet) -> Jet:
            fed = (a + float(j)) * (b + float(j)) * term
            fed = fed - (c - (a + b + 1.0) * point + (1 - 2 * point) * j) * after * (j + 1.0)
            return fed * (1 / ((j + 1) * (j + 2) * point * (1 - point)))

        w, slope = march(w, slope, start, corner, step, following, 36)
        return march(w, slope, corner, z, step, following, 36)[0] if z.dtype.kind == "c" else w

    return two_marches((a, b, c), arrive)


def _corner(z: Any) -> Any:
    """Where the way from 0 to `z` bends to keep away from 1; real `z > 1` cannot be reached."""
    if z.dtype.kind != "c":
        return np.where(z > 1, np.nan, z)
    passes_one = (np.real(z) > 0.6) & (np.abs(np.imag(z)) < 0.7 * np.real(z))
    return np.where(passes_one, 0.5 + 0.87j * np.where(np.imag(z) >= 0, 1.0, -1.0), z)


GAUSS = ParameterFamily(_gauss, 3)
