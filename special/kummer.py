"""Derivatives of Kummer's function `M(a, b, z) = 1F1(a; b; z)` in its parameters, real and complex `z`.

By Kummer's transformation (DLMF 13.2.39) the argument is in the right half-plane.  There the power series is tried
first; far out the asymptotic expansion; and where both fail, for large parameters of the sign that makes M oscillate or
near the imaginary axis, Kummer's equation is solved along the ray from 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from .hypergeometric_integers import series_in_integers
from .hypergeometric_march import Equation, march, two_marches
from .hypergeometric_series import (
    AT_ONCE,
    at_places,
    by_cases,
    dense,
    in_places,
    moduli,
    power_series,
    put,
    sparse,
    try_in_turn,
    without_lost,
)
from .jets import Jet, choose, cosine_of_pi, power, reciprocal_gamma, turn, variables
from .kummer_bessel import FARTHEST, bessel_series
from .parameter_families import ParameterFamily
from .regions import by_region, is_pole

__all__ = ["FAR_ON_AXIS", "KUMMER", "certain_values", "last_values"]

_TURN = 6.0
"""The power series cancels by about `exp(abs(z) - Re z)`; it is tried where that is less than `exp(_TURN)`."""

_FAR = 25.0
"""Where the asymptotic expansion is tried."""

_LOSS = 400.0
"""The errors of a recurrence may be larger than the result by this factor."""

_HARD_LOSS = 1e6
"""The same of the recurrence in `b`, whose bound of the errors is coarse."""

_LARGEST_OF_BESSEL = 10.0
"""At larger parameters the series of Bessel functions has more terms than are summed."""

FAR_ON_AXIS, _TERMS_ON_AXIS = 1e5, 10
"""Beyond this real `z` the expansion has so few terms at moderate parameters."""

_FARTHEST_IN_INTEGERS = 150.0
"""Up to this modulus the series in integers takes some milliseconds an element."""

_STEPS = 100
"""A recurrence is at most so long."""


def _kummer(parameters: Sequence[Jet], z: Any, m: int) -> Jet:
    """The derivative of order `m` in `z`: `(a)_m / (b)_m M(a + m, b + m, z)`, DLMF 13.3.16."""
    a, b = parameters
    orders = a.orders
    factor: Any = 1.0
    for k in range(m):
        factor = (a + float(k)) / (b + float(k)) * factor

    def right(a: Any, b: Any, z: Any) -> list[Any]:
        return _right_half_plane(*_shifted(a, b, m, orders), z)

    def left(a: Any, b: Any, z: Any) -> list[Any]:
        first, second = _shifted(a, b, m, orders)
        transformed = sparse(_right_half_plane(second - first, second, -z), orders)
        return dense(transformed * np.exp(z))

    def at_infinity(a: Any, b: Any, z: Any) -> list[Any]:
        """It vanishes with its derivatives at `-inf` as `(-z)**-a`, DLMF 13.7.2."""
        limit = np.where((np.real(z) < 0) & (a + m > 0), 0.0, np.nan) + np.zeros_like(z)
        return [limit] * math.prod(n + 1 for n in orders)

    def far(a: Any, b: Any, z: Any) -> list[Any]:
        result, is_good = _on_axis(*_shifted(a, b, m, orders), z)
        return dense(without_lost("hyp1f1", result, ~is_good))

    is_left, is_far = np.real(z) < 0, (np.abs(z) > FAR_ON_AXIS) & (z.dtype.kind != "c")
    regions = [(~np.isfinite(z), at_infinity), (is_far, far), (~is_left, right), (is_left, left)]
    result = sparse(by_region(regions, a.value, b.value, z), orders)
    return factor * result if m else result


def certain_values(a: Any, b: Any, z: Any) -> Any:
    """The function by an expansion that shows that it has not cancelled; NaN where none does."""
    if z.dtype.kind != "c":
        return _far_on_axis(a, b, z)
    is_left = np.real(z) < 0
    x, t = np.where(is_left, b - a, a), np.where(is_left, -z, z)
    modulus = np.abs(t)
    turns_little = modulus - np.real(t) <= _TURN

    def series(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        first, second = variables((0, 0), x, b)
        return power_series([first], [second], t, 1500)

    def expansion(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        return _expansion(*variables((0, 0), x, b), t)

    def by_bessel(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        return _jet_of_values(bessel_series(x, b, t))

    def by_bessel_reflected(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        return _jet_of_values(bessel_series(b - x, b, -t) * np.exp(t))

    is_near = (modulus <= FARTHEST) & (np.abs(x) <= _LARGEST_OF_BESSEL) & (np.abs(b) <= _LARGEST_OF_BESSEL)
    ways = [
        ((modulus > _FAR) & ~turns_little, expansion),
        (turns_little & (modulus < 400), series),
        ((modulus > _FAR) & turns_little, expansion),
        (is_near & (x > -0.4), by_bessel),
        (is_near & (b - x > -0.4), by_bessel_reflected),
    ]
    result = try_in_turn(ways, lambda x, b, t: _jet_of_values(np.full_like(t, np.nan))[0], x, b, t)[0]
    return np.where(is_left, result * np.exp(z), result)


def last_values(a: Any, b: Any, z: Any) -> Any:
    """The function by its power series in integers; NaN where that is too long."""
    return in_places(np.abs(z) <= _FARTHEST_IN_INTEGERS, lambda a, b, z: series_in_integers([a], [b], z), a, b, z)


def _far_on_axis(a: Any, b: Any, z: Any) -> Any:
    """The larger term of DLMF 13.2.4 with 13.7.3 at real `z` beyond `FAR_ON_AXIS`, also infinite; elsewhere NaN."""
    is_right, is_polynomial = z > 0, is_pole(a)
    grows = is_right & ~is_polynomial
    first, second = np.where(grows, b - a, a), np.where(grows, 1 - a, a - b + 1)
    below, power, inverse = np.where(grows, a, b - a), np.where(grows, a - b, -a), np.where(grows, 1 / z, -1 / z)
    term, total = np.ones_like(z), np.ones_like(z)
    for k in range(_TERMS_ON_AXIS):
        term = term * ((first + k) * (second + k) / (k + 1.0) * inverse)
        total = total + term
    logarithm = special.gammaln(b) - special.gammaln(below)
    exponential = np.exp(logarithm + power * np.log(np.minimum(np.abs(z), 1e300)) + z)
    size = np.where(grows, exponential, (np.exp(0.5 * logarithm) * np.abs(z) ** (0.5 * power)) ** 2)
    sign = special.gammasgn(b) * special.gammasgn(below) * np.where(is_right & is_polynomial, np.cos(np.pi * a), 1.0)
    is_good = (np.abs(term) <= 1e-17 * np.abs(total)) & (np.abs(first * second * inverse) < 0.5)
    result = np.where(is_pole(below), 0.0, sign * size * total)
    return np.where(is_good & (np.abs(z) > FAR_ON_AXIS), result, np.nan)


def _jet_of_values(w: Any) -> tuple[Jet, Any]:
    return Jet({(0, 0): w}, (0, 0)), np.isfinite(w)


def _shifted(a: Any, b: Any, m: int, orders: tuple[int, ...]) -> tuple[Jet, Jet]:
    first, second = variables(orders, a, b)
    return first + float(m), second + float(m)


def _right_half_plane(a: Jet, b: Jet, z: Any) -> list[Any]:
    orders = a.orders
    slopes = [Jet({**p.coefficients, (0,) * len(orders): 0.0}, orders) for p in (a, b)]

    def on_jets(way: Any) -> Any:
        return lambda x, y, z: way(slopes[0] + x, slopes[1] + y, z)

    def series(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return power_series([a], [b], z, 1500)

    def attempts(x: Any, z: Any) -> list[Any]:
        modulus = np.abs(z)
        turns_little = modulus - np.real(z) < _TURN + 2 * np.abs(x)
        is_far = modulus > _FAR
        return [
            (is_far & ~turns_little, on_jets(_expansion)),
            ((modulus < 400) & turns_little, on_jets(series)),
            (is_far & turns_little, on_jets(_expansion)),
            ((x < -1) & (x > -_STEPS) & (modulus < 8 * np.abs(x)), on_jets(_from_larger_a)),
        ]

    def by_recurrence(x: Any, y: Any, z: Any) -> tuple[Jet, Any]:
        steps = np.ceil(1 - y)
        pair = [
            sparse(try_in_turn(attempts(x, z), on_jets(_solution_or_nan), x, c, z), orders)
            for c in (y + steps, y + steps + 1)
        ]
        return _downwards(slopes[0] + x, slopes[1] + y, z, steps, *pair)

    def roughly(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return _expansion(a, b, z, 3e-14)

    def poorly(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return _expansion(a, b, z, 1e-12)

    ways = [*attempts(a.value, z), (b.value < 0, by_recurrence), (np.abs(z) > 40, on_jets(roughly))]
    ways += [(z == z, on_jets(_solution)), (np.abs(z) > 40, on_jets(poorly))]
    return try_in_turn(ways, on_jets(_lost), a.value, b.value, z)


def _from_larger_a(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 13.3.1 downwards in `a < -1` from the series between -2 and 0: M neither grows nor decays there."""
    steps = np.ceil(-1 - a.value)
    (current, succeeds), (above, succeeds_too) = (
        power_series([a + extra], [b], z, 1500) for extra in (steps, steps + 1)
    )
    error, error_above = np.abs(current.value), np.abs(above.value)
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        (here,) = np.nonzero(k <= steps)
        d = at_places(a, here) + float(k)
        below, gap = at_places(b, here), at_places(b, here) - d
        p, q = gap - d - z[here], d
        now, beyond = at_places(current, here), at_places(above, here)
        below = (p * now + q * beyond) / gap
        grown = (np.abs(p.value) * error[here] + np.abs(q.value) * error_above[here]) / np.abs(gap.value)
        error_above[here] = error[here]
        error[here] = grown + np.abs(below.value)
        put(above, here, now)
        put(current, here, below)
    return current, succeeds & succeeds_too & (error <= _LOSS * moduli(current))


def _downwards(a: Jet, b: Jet, z: Any, steps: Any, current: Jet, above: Jet) -> tuple[Jet, Any]:
    """From `b + steps` and `b + steps + 1` to `b`, DLMF 13.3.2: where M is large at negative b, it grows that way."""
    error, error_above = np.abs(current.value), np.abs(above.value)
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        c = b + float(k)
        p, q, r = (c - 1.0 + z) * c, (c - a) * z, c * (c - 1.0)
        below = (p * current - q * above) / r
        grown = (np.abs(p.value) * error + np.abs(q.value) * error_above) / np.abs(r.value) + np.abs(below.value)
        is_active = k <= steps
        current, above = choose(is_active, below, current), choose(is_active, current, above)
        error, error_above = np.where(is_active, grown, error), np.where(is_active, error, error_above)
    return current, error <= _HARD_LOSS * np.abs(current.value)


def _expansion(a: Jet, b: Jet, z: Any, least: float = 3e-16) -> tuple[Jet, Any]:
    """DLMF 13.2.4 with 13.7.3: `gamma(b) (exp(z) z**(a-b) / gamma(a) S1 + exp(+-i pi a) z**-a / gamma(b-a) S2)`."""
    growing, is_good = _growing(a, b, z, least)
    decaying, is_good_too = _decaying(a, b, -z, least)
    is_complex = z.dtype.kind == "c"
    rotation = choose(np.imag(z) >= 0, turn(a, 1.0), turn(a, -1.0)) if is_complex else cosine_of_pi(a)
    decaying = decaying * rotation * power(z, -a)
    result = (growing + decaying) * reciprocal_gamma(b).reciprocal()
    sizes = moduli(growing) + moduli(decaying)
    return result, is_good & is_good_too & np.isfinite(moduli(result)) & (sizes <= _LOSS * moduli(growing + decaying))


def _growing(a: Jet, b: Jet, z: Any, least: float) -> tuple[Jet, Any]:
    """`exp(z) z**(a - b) / gamma(a) S1`."""
    series, is_good = power_series([b - a, 1.0 - a], [], 1 / z, 48, 1000.0, least)
    return series * power(z, a - b) * reciprocal_gamma(a) * np.exp(z), is_good


def _decaying(a: Jet, b: Jet, t: Any, least: float) -> tuple[Jet, Any]:
    """`S2 / gamma(b - a)` at `t = -z`."""
    series, is_good = power_series([a, a - b + 1.0], [], 1 / t, 48, 1000.0, least)
    return series * reciprocal_gamma(b - a), is_good


def _on_axis(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """The larger term of the expansion alone, of real `z` beyond `FAR_ON_AXIS`."""

    def right(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return _growing(a, b, z, 1e-18)

    def left(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        series, is_good = _decaying(a, b, -z, 1e-18)
        return series * power(-z, -a), is_good

    term, is_good = by_cases([(z > 0, right), (z < 0, left)], a, b, z)
    return term * reciprocal_gamma(b).reciprocal(), is_good


def _lost(a: Jet, b: Jet, z: Any) -> Jet:
    """No way is good enough: NaN, with a warning."""
    return without_lost("hyp1f1", (a + b) * (0.0 * z), z == z)


def _solution_or_nan(a: Jet, b: Jet, z: Any) -> Jet:
    result, agrees = _solution(a, b, z)
    return without_lost("hyp1f1", result, ~agrees)


def _solution(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """Kummer's equation from near 0 along the ray to `z`, and where two marches agree."""
    modulus = np.abs(z)
    large, stiff = 1 + np.abs(a.value), 1 + np.abs(b.value)
    start = z * (np.minimum(modulus, np.maximum(stiff / large, _start(a.value, z))) / modulus)

    def arrive(parameters: Sequence[Jet], pace: float) -> Jet:
        a, b = parameters
        w, _ = power_series([a], [b], start, 300)
        slope, _ = power_series([a + 1.0], [b + 1.0], start, 300)

        def step(point: Any, here: Any) -> Any:
            distance = np.abs(point)
            shortest = np.minimum(distance * np.minimum(0.35, 3 / stiff[here]), 2.5 * np.sqrt(distance / large[here]))
            return pace * np.minimum(4.6, shortest)

        return march(w, slope * (a / b), start, z, step, Equation((a,), b), 36)[0]

    return two_marches((a, b), arrive)


def _start(a: Any, z: Any) -> Any:
    """How far from 0 the power series, which behaves as `exp(z + 2 sqrt(a z))`, cancels by `exp(4)`."""
    cosine = np.real(z) / np.abs(z)
    half = np.sqrt((1 + cosine) / 2)
    linear = 1 - cosine
    root = np.sqrt(np.abs(a)) * np.where(a > 0, 1 - half, 1.0)
    return (4 / (root + np.sqrt(root * root + 4 * linear))) ** 2


KUMMER = ParameterFamily(_kummer, 2, AT_ONCE)
