"""The expansions and recurrences by which Kummer's function `M(a, b, z)` of jets of its parameters is computed.

Each gives the function and a mask: where it has converged and has not cancelled much.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...numerics.hypergeometric_series import moduli, power_series, put
from ...numerics.jets import Jet, choose, cosine_of_pi, phase_factor, power, reciprocal_gamma
from ...numerics.regions import by_region, is_near_pole, is_pole, part

MOST_CANCELLED = 6.0
"""The power series cancels by about `exp(abs(z) - Re z)`; it is tried where that is less than `exp(MOST_CANCELLED)`."""

FAR, FAR_ON_AXIS = 25.0, 1e5
"""Where the asymptotic expansion is tried, and beyond which real `z` one of its terms is enough."""

FAR_LEFT, _NEGLIGIBLE = 600.0, -50.0
"""Of `-z`, from where `exp(z)` and M of Kummer's transformation leave the double range; of a logarithm."""

STEPS = 100
"""A recurrence is at most so long."""

_LOSS = 400.0
"""The errors of a recurrence may be larger than the result by this factor."""

_LOSS_DOWNWARDS = 4000.0
"""The same of the recurrence in `a`, whose bound is ten times larger than the errors that were measured."""

NEAR_POLE = 1e-5
"""So near to a pole of the gamma function a parameter keeps only ten digits of the distance."""

_LEAST = 0.02
"""What it divides by is larger."""

_HARD_LOSS = 1e6
"""The same of the recurrence in `b`, whose bound of the errors is inaccurate."""

_LOSS_OF_POLYNOMIAL = 1e4
"""The same of the terms of a polynomial, for which there is little else."""


def polynomial(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """The sum of its terms for an `a` that is zero or a negative integer, also where a later `b + k` is 0."""
    term = (b * 0.0 + 1.0) * (0.0 * z + 1.0)
    total, size = term, moduli(term)
    for k in range(int(np.max(-a.value))):
        is_active = k < -a.value
        below = choose(is_active, b + float(k), b * 0.0 + 1.0)
        term = term * (np.where(is_active, a.value + k, 0.0) * z * (1 / (k + 1))) / below
        total, size = total + term, size + moduli(term)
    return total, np.isfinite(size) & (size <= _LOSS_OF_POLYNOMIAL * moduli(total))


def from_larger_a(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """DLMF 13.3.1 downwards in `a < -1` from the series between -2 and 0: M neither grows nor decays there."""
    steps = np.ceil(-1 - a.value)
    (current, succeeds), (above, succeeds_too) = (
        power_series([a + extra], [b], z, 1500) for extra in (steps, steps + 1)
    )
    error, error_above = moduli(current), moduli(above)
    least = np.ones_like(error)
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        (here,) = np.nonzero(k <= steps)
        d = part(a, here) + float(k)
        below, gap = part(b, here), part(b, here) - d
        p, q = gap - d - z[here], d
        least[here] = np.minimum(least[here], np.abs(gap.value))
        now, beyond = part(current, here), part(above, here)
        below = (p * now + q * beyond) / gap
        grown = (np.abs(p.value) * error[here] + np.abs(q.value) * error_above[here]) / np.abs(gap.value)
        error_above[here] = error[here]
        error[here] = grown + moduli(below)
        put(above, here, now)
        put(current, here, below)
    return current, succeeds & succeeds_too & (least > _LEAST) & (error <= _LOSS_DOWNWARDS * moduli(current))


def downwards(a: Jet, b: Jet, z: Any, steps: Any, current: Jet, above: Jet) -> tuple[Jet, Any]:
    """From `b + steps` and `b + steps + 1` to `b`, DLMF 13.3.2: where M is large at negative b, it grows that way."""
    error, error_above = moduli(current), moduli(above)
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        c = b + float(k)
        p, q, r = (c - 1.0 + z) * c, (c - a) * z, c * (c - 1.0)
        below = (p * current - q * above) / r
        grown = (np.abs(p.value) * error + np.abs(q.value) * error_above) / np.abs(r.value) + moduli(below)
        is_active = k <= steps
        current, above = choose(is_active, below, current), choose(is_active, current, above)
        error, error_above = np.where(is_active, grown, error), np.where(is_active, error, error_above)
    return current, error <= _HARD_LOSS * moduli(current)


def expansion(a: Jet, b: Jet, z: Any, least: float = 3e-16) -> tuple[Jet, Any]:
    """DLMF 13.2.4 with 13.7.2: `gamma(b) (exp(z) z**(a-b) / gamma(a) S1 + exp(+-i pi a) z**-a / gamma(b-a) S2)`."""
    growing, is_good = _growing(a, b, z, least)
    decaying, is_good_too = _decaying(a, b, -z, least)
    is_complex = z.dtype.kind == "c"
    rotation = choose(np.imag(z) >= 0, phase_factor(a, 1.0), phase_factor(a, -1.0)) if is_complex else cosine_of_pi(a)
    decaying = decaying * rotation * power(z, -a)
    result = (growing + decaying) * reciprocal_gamma(b).reciprocal()
    sizes = moduli(growing) + moduli(decaying)
    # there `gamma(b) / gamma(a)` is a quotient of small numbers
    is_good = is_good & ~(is_near_pole(a.value, NEAR_POLE) & is_near_pole(b.value, NEAR_POLE))
    return result, is_good & is_good_too & np.isfinite(moduli(result)) & (sizes <= _LOSS * moduli(growing + decaying))


def _growing(a: Jet, b: Jet, z: Any, least: float) -> tuple[Jet, Any]:
    """`exp(z) z**(a - b) / gamma(a) S1`; by square roots, for the factors overflow and underflow before the product."""
    series, is_good = power_series([b - a, 1.0 - a], [], 1 / z, 48, 1000.0, least)
    root = power(z, (a - b) * 0.5) * np.exp(0.5 * z)
    result = series * root * reciprocal_gamma(a) * root
    return result, is_good & ((moduli(result) > 0) | is_pole(a.value))


def _decaying(a: Jet, b: Jet, t: Any, least: float) -> tuple[Jet, Any]:
    """`S2 / gamma(b - a)` at `t = -z`."""
    series, is_good = power_series([a, a - b + 1.0], [], 1 / t, 48, 1000.0, least)
    return series * reciprocal_gamma(b - a), is_good


def far_left(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """The decaying term of the expansion alone, of real `z` below `-FAR_LEFT`, where the other one is negligible.

    At a pole of `gamma(b - a)`, of which the term is the derivative alone, `1 / gamma` has the size `gamma(1 - b + a)`.
    """
    gap = (b - a).value
    size = np.where(is_pole(gap), -special.gammaln(1 - gap), special.gammaln(gap))
    is_negligible = z + (2 * a.value - b.value) * np.log(-z) + size - special.gammaln(a.value) < _NEGLIGIBLE
    series, is_good = _decaying(a, b, -z, 3e-16)
    result = series * power(-z, -a) * reciprocal_gamma(b).reciprocal()
    return result, is_good & is_negligible & np.isfinite(moduli(result))


def on_axis(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
    """The larger term of the expansion alone, of real `z` beyond `FAR_ON_AXIS`."""

    def right(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        return _growing(a, b, z, 1e-18)

    def left(a: Jet, b: Jet, z: Any) -> tuple[Jet, Any]:
        series, is_good = _decaying(a, b, -z, 1e-18)
        return series * power(-z, -a), is_good

    term, is_good = by_region([(z > 0, right), (z < 0, left)], a, b, z)
    return term * reciprocal_gamma(b).reciprocal(), is_good
