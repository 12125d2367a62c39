"""Values of Kummer's function `M(a, b, z)` by expansions that show whether they have cancelled."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...numerics.hypergeometric_series import power_series, try_in_turn
from ...numerics.jets import Jet, variables
from ...numerics.regions import is_near_pole, is_pole, within
from ..integer_sums import series_in_integers
from .kummer_bessel import FARTHEST, bessel_series
from .kummer_expansions import FAR, FAR_ON_AXIS, MOST_CANCELLED, expansion, polynomial

_LONGEST = 1000
"""The degree of a polynomial that is summed."""

_LARGEST_OF_BESSEL = 10.0
"""At larger parameters the series of Bessel functions has more terms than are summed."""

_TERMS_ON_AXIS = 10
"""The expansion beyond `FAR_ON_AXIS` has so few terms at moderate parameters."""

_FARTHEST_IN_INTEGERS, _LARGEST_IN_INTEGERS = 150.0, 3e5
"""Up to this modulus, and next to 0 up to this `a`, the series in integers takes some milliseconds an element."""

_NEAR_POLE = 0.01
"""So near to a pole in `b` a late term of a series may be large."""

_LARGEST_NEAR, _TERMS_NEAR, _LOSS_NEAR = 100.0, 40, 100.0
"""Of the series of Bessel functions next to 0: from larger `b` on SciPy's `hyp0f1` overflows; it has so many terms, and
they may be larger than the sum by this factor."""


def certain_values(a: Any, b: Any, z: Any) -> Any:
    """The function by an expansion that shows that it has not cancelled; NaN where none does."""
    if z.dtype.kind != "c":
        w, is_near = _far_on_axis(a, b, z), np.abs(z) <= 1
        w = np.where(np.isnan(w), _short(a, b, z), w)
        here = is_near & (b <= _LARGEST_NEAR) & (a * z < 0) & ~is_near_pole(b, _NEAR_POLE)
        w[here] = _near(a[here], b[here], z[here])
        is_left = is_near & np.isnan(w) & (np.abs(a) < _LARGEST_IN_INTEGERS)
        return np.where(np.isnan(w), within(is_left, _in_integers, a, b, z), w)
    is_left = np.real(z) < 0
    x, t = np.where(is_left, b - a, a), np.where(is_left, -z, z)
    modulus = np.abs(t)
    cancels_little = modulus - np.real(t) <= MOST_CANCELLED

    def series(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        first, second = variables((0, 0), x, b)
        return power_series([first], [second], t, 1500)

    def far(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        return expansion(*variables((0, 0), x, b), t)

    def by_bessel(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        return _jet_of_values(bessel_series(x, b, t))

    def by_bessel_reflected(x: Any, b: Any, t: Any) -> tuple[Jet, Any]:
        return _jet_of_values(bessel_series(b - x, b, -t) * np.exp(t))

    is_near = (modulus <= FARTHEST) & (np.abs(x) <= _LARGEST_OF_BESSEL) & (np.abs(b) <= _LARGEST_OF_BESSEL)
    methods = [
        ((modulus > FAR) & ~cancels_little, far),
        (cancels_little & (modulus < 400), series),
        ((modulus > FAR) & cancels_little, far),
        (is_near & (x > -0.4), by_bessel),
        (is_near & (b - x > -0.4), by_bessel_reflected),
    ]
    result = try_in_turn(methods, lambda x, b, t: _jet_of_values(np.full_like(t, np.nan))[0], x, b, t)[0]
    return np.where(is_left, result * np.exp(z), result)


def last_values(a: Any, b: Any, z: Any) -> Any:
    """The function by its power series in integers; NaN where that is too long."""
    return within(np.abs(z) <= _FARTHEST_IN_INTEGERS, _in_integers, a, b, z)


def _in_integers(a: Any, b: Any, z: Any) -> Any:
    return series_in_integers([a], [b], z)


def _short(a: Any, b: Any, z: Any) -> Any:
    """Polynomials of real `z`, also after Kummer's transformation; NaN where they cancel, and elsewhere."""
    is_transformed = (z < 0) & (b < 0) & is_pole(b - a)
    x, t = np.where(is_transformed, b - a, a), np.where(is_transformed, -z, z)

    def total(x: Any, b: Any, t: Any) -> Any:
        result, succeeds = polynomial(*variables((0, 0), x, b), t)
        return np.where(succeeds, result.value, np.nan)

    w = within(is_pole(x) & (x >= -_LONGEST), total, x, b, t)
    return np.where(is_transformed, w * np.exp(z), w)


def _near(a: Any, b: Any, z: Any) -> Any:
    """At real `z` up to 1 and large `a`, where the function oscillates; NaN where the sum has cancelled.

    Abramowitz and Stegun 13.3.7: `exp(z / 2) sum_n A_n (z / 2)**n 0F1(; b + n; (a - b / 2) z) / (b)_n` with `A_0 = 1`,
    `A_1 = 0` and `(n + 1) A_(n+1) = (n + b - 1) A_(n-1) + (2 a - b) A_(n-2)`.
    """
    y, factor = (a - b / 2) * z, np.ones_like(z)
    coefficients = [np.zeros_like(z), np.zeros_like(z), np.ones_like(z)]
    total, size = np.zeros_like(z), np.zeros_like(z)
    for n in range(_TERMS_NEAR):
        term = coefficients[2] * factor * special.hyp0f1(b + n, y)
        total, size = total + term, size + np.abs(term)
        factor = factor * (z / 2) / (b + n)
        following = ((n + b - 1) * coefficients[1] + (2 * a - b) * coefficients[0]) / (n + 1)
        coefficients = [*coefficients[1:], following]
    is_good = (size <= _LOSS_NEAR * np.abs(total)) & (np.abs(term) <= 1e-17 * size)
    return np.where(is_good, total * np.exp(z / 2), np.nan)


def _far_on_axis(a: Any, b: Any, z: Any) -> Any:
    """The larger term of DLMF 13.2.4 with 13.7.2 at real `z` beyond `FAR_ON_AXIS`, also infinite; elsewhere NaN."""
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
