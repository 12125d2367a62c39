"""Jacobi polynomials at 1, `gamma(n + alpha + 1) / (gamma(alpha + 1) gamma(n + 1))` at real degrees, DLMF 18.6.1.

A short product at integer degrees or parameters; elsewhere by gamma functions, at large degrees by the difference of
two of Stirling's series.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import beta, gamma, loggamma, poch, rgamma

from ....complex_autograd.engine.traced import Traced, raw
from ...numerics.jets import Jet, exponential, log_gamma_rise, power, reciprocal_gamma, sine_of_pi
from ...numerics.regions import by_region, plain
from ...numerics.stirling_powers import stirling_series
from .degree_climb import climb

_LARGE = 50.0
"""From this degree on by Stirling's series."""
_TERMS = 5
"""Of it, which are enough from `_LARGE / 2` on."""
_HIGH, _LOWEST = 400.0, 1e-3
"""From this degree on, and `p`, leading coefficients may overflow."""


def value_at_one(n: Any, alpha: Any) -> Any:
    """`gamma(n + alpha + 1) / (gamma(alpha + 1) gamma(n + 1))`, of numbers, vectors or jets."""
    if not isinstance(n, Jet) and not isinstance(alpha, Jet):
        return _plain_value_at_one(n, alpha)
    if not isinstance(n, (Jet, Traced)):
        return by_region([(_is_short(n), _by_product), (True, _by_gamma)], n, alpha)
    if not isinstance(alpha, (Jet, Traced)):
        is_left = _is_short(alpha) & (plain(n) < 0)
        return by_region([(is_left, lambda n, alpha: _by_product(alpha, n)), (True, _by_gamma)], n, alpha)
    return _by_gamma(n, alpha)


def over_leading_coefficient(w: Any, n: Any, p: Any) -> Any:
    """`w` over that of Jacobi's at `2 x - 1`, `gamma(2 n + p) / (gamma(n + p) gamma(n + 1))`.

    At high degrees, where it may overflow and the quotient does not, it is `4**n` times a quotient of values at 1, by
    DLMF 5.5.5; at low ones the gamma functions are reflected, DLMF 5.5.3.
    """
    is_high = (plain(n) > _HIGH) & (plain(p) > _LOWEST)
    is_one = (plain(n) == 0) & (not isinstance(n, (Jet, Traced)))
    is_low = (plain(n) < -_LARGE) & (plain(n) + plain(p) < -1)
    regions = [(is_high, _inverse_by_duplication), (is_low, _reflected), (is_one, lambda n, p: 0.0 * p + 1.0)]
    factor = by_region([*regions, (True, _inverse)], n, p)
    if not np.any(is_high):
        return w * factor
    root = by_region([(is_high, _root_of_power), (True, lambda n: n * 0.0 + 1.0)], n)
    return root * (w * factor) * root


def _inverse(n: Any, p: Any) -> Any:
    return 1.0 / value_at_one(n, n + (p - 1.0))


def _reflected(n: Any, p: Any) -> Any:
    """With `m = -n`: `gamma(2 m - p + 1) / (gamma(m) gamma(m - p + 1))` times `pi` and sines."""
    sines = _sine(2.0 * n + p) / (_sine(n) * _sine(n + p))
    return value_at_one(-n, -n - p) * (n * math.pi * sines)


def _sine(z: Any) -> Any:
    """`sin(pi z)`."""
    return sine_of_pi(z) if isinstance(z, Jet) else sine_of_pi(Jet({(0,): np.float64(1.0) * z}, (0,))).value


def _inverse_by_duplication(n: Any, p: Any) -> Any:
    halves = [value_at_one(n, 0.5 * p - shift) for shift in (1.0, 0.5)]
    return value_at_one(n, p - 1.0) / (halves[0] * halves[1])


def _root_of_power(n: Any) -> Any:
    """`2**-n`."""
    return power(np.float64(2.0), -n) if isinstance(n, Jet) else 2.0 ** (-n)


def _is_short(n: Any) -> Any:
    return (n >= 0) & (n == np.floor(n)) & (n <= _LARGE)


def _by_product(n: Any, alpha: Any) -> Any:
    """The product of `1 + alpha / k` up to the degree."""

    def rise(k: int, parameters: Any, value: Any, before: Any) -> Any:
        return parameters[0] * value * (1 / (k + 1))

    return climb(n, rise, (alpha,), 0.0 * alpha + 1.0, alpha)[0]


def _by_gamma(n: Any, alpha: Any) -> Any:
    is_right = (plain(n) > -1) & (plain(alpha) > -1) & (plain(n) + plain(alpha) > -1)
    is_below = (plain(n) <= -1) & (plain(alpha) > _LARGE) & (plain(n) + plain(alpha) > -1)
    regions = [(is_right, _by_logarithm), (is_below, _by_quotient), (True, _by_reciprocals)]
    return by_region(regions, n, alpha)


def _by_logarithm(n: Any, alpha: Any) -> Any:
    """The value, and its logarithmic derivatives by those of the gamma function."""
    value = _plain_value_at_one(_value(n), _value(alpha))
    exponent = log_gamma_rise(n + (alpha + 1.0))
    for x in (n, alpha):
        if isinstance(x, Jet):
            exponent = exponent - log_gamma_rise(x + 1.0)
    return exponential(exponent) * value


def _by_quotient(n: Any, alpha: Any) -> Any:
    """The value, the derivatives of `1 / gamma(n + 1)`, and the logarithmic ones of the others, which may overflow."""
    reciprocal = reciprocal_gamma(n + 1.0) if isinstance(n, Jet) else rgamma(n + 1.0)
    own = _value(reciprocal)
    is_zero = own == 0
    value = _plain_value_at_one(_value(n), _value(alpha)) / np.where(is_zero, 1.0, own)
    quotient = np.where(is_zero, 1 / poch(_value(n) + (_value(alpha) + 1), -_value(n)), value)
    exponent = log_gamma_rise(n + (alpha + 1.0))
    if isinstance(alpha, Jet):
        exponent = exponent - log_gamma_rise(alpha + 1.0)
    return exponential(exponent) * reciprocal * quotient


def _by_reciprocals(n: Any, alpha: Any) -> Any:
    inverses = [reciprocal_gamma(x + 1.0) if isinstance(x, Jet) else rgamma(x + 1.0) for x in (n, alpha)]
    return inverses[0] * inverses[1] / reciprocal_gamma(n + (alpha + 1.0))


def _value(x: Any) -> Any:
    return x.value if isinstance(x, Jet) else x


def _plain_value_at_one(n: Any, alpha: Any) -> Any:
    is_moderate = (np.abs(raw(n)) < _LARGE) & (np.abs(raw(alpha)) < _LARGE) & (raw(n) + raw(alpha) > -0.5)
    is_low = (raw(n) < -_LARGE) & (raw(alpha) > _LARGE) & (raw(n) != np.rint(raw(n)))
    is_below, is_between = is_low & (raw(n) + raw(alpha) < -1), is_low & (raw(n) + raw(alpha) > -1)
    regions = [(is_moderate, _of_moderate), (is_below, _of_below), (is_between, _of_between), (True, _of_any)]
    return by_region(regions, n, alpha)


def _of_between(n: Any, alpha: Any) -> Any:
    """By DLMF 5.5.3 for `gamma(n + 1)`, which overflows or is 0, and 5.12.1."""
    return _sine(-n) / math.pi * beta(n + (alpha + 1), -n)


def _of_below(n: Any, alpha: Any) -> Any:
    """By DLMF 5.5.3 for `gamma(n + alpha + 1)` and `gamma(n + 1)`, which overflow or are 0.

    The distances of `n` and `alpha` from integers are exact, and that of the rounded sum is not.
    """
    integer = np.rint(raw(alpha))
    sine = _sine((n - np.rint(raw(n))) + (alpha - integer)) * (1 - 2 * np.fmod(np.abs(integer), 2))
    return _sine(n - np.rint(raw(n))) / sine * _of_any(-n - alpha - 1, alpha)


def _of_moderate(n: Any, alpha: Any) -> Any:
    return gamma(n + (alpha + 1)) * (rgamma(alpha + 1) * rgamma(n + 1))


def _of_any(n: Any, alpha: Any) -> Any:
    """At a large degree by the difference of two of Stirling's series, DLMF 5.11.3, without the parts that cancel."""
    swapped = raw(alpha).real > raw(n).real
    top, low = np.where(swapped, alpha, n), np.where(swapped, n, alpha)
    is_large = (raw(top).real > _LARGE) & (raw(low).real > -_LARGE / 2)
    z, a = np.where(is_large, top + 1, 2 * _LARGE), np.where(is_large, low, 0.0)
    difference = stirling_series(z + a, _TERMS) - stirling_series(z, _TERMS)
    exponent = (z - 0.5) * np.log1p(a / z) + a * (np.log(z + a) - 1) + difference
    is_huge = raw(a).real > 2 * _LARGE
    by_two = np.exp(exponent - loggamma(np.where(is_huge, a + 1, 1.0))) * rgamma(np.where(is_huge, 1.0, a + 1))
    m, b = np.where(is_large, 0.0, n), np.where(is_large, 0.0, alpha)
    by_one = _rising(b + 1, m) * rgamma(m + 1)
    by_one = np.where(np.isnan(by_one), poch(m + 1, b) * rgamma(b + 1), by_one)  # where both are negative integers
    return np.where(is_large, by_two, by_one)


def _rising(z: Any, n: Any) -> Any:
    """`gamma(z + n) / gamma(z)`, also where both are infinite."""
    is_small = raw(z + 0 * n) < 1
    small = gamma(np.where(is_small, z + n, 1.0)) * rgamma(np.where(is_small, z, 1.0))
    return np.where(is_small, small, poch(np.where(is_small, 1.0, z), n))
