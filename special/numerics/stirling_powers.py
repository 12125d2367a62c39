"""Powers next to gamma and beta functions of large shapes, by Stirling's formula.

The powers are taken of what their bases are relative to the means: their exponents then have the errors of a rounding
of the argument, and not those of a rounding of the shape times its logarithm.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import digamma, gammaln

from .polygamma_values import BERNOULLI

_FAR, _TERMS = 10.0, 7
"""From there on so many terms of Stirling's series are enough."""
_NEAR, _TERMS_NEAR = 0.25, 13
"""Up to there so many terms of that of `atanh` are."""


def stirling_series(z: Any, terms: int) -> Any:
    """`log(gamma(z)) - (z - 1/2) log(z) + z - log(2 pi) / 2` at large `z`, DLMF 5.11.1."""
    inverse = 1 / z
    square, total = inverse * inverse, 0.0
    for k in range(terms, 0, -1):
        total = total * square + BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
    return total * inverse


def stirling(z: Any) -> tuple[Any, Any]:
    """What Stirling's formula lacks of `log(gamma(z))`, and `digamma(z) - log(z)`: DLMF 5.11.1 and 5.11.2."""
    large = np.maximum(z, _FAR)
    inverse = 1 / large
    square, rate = inverse * inverse, 0.0
    for k in range(_TERMS, 0, -1):
        rate = (rate + BERNOULLI[k - 1] / (2 * k)) * square
    remainder, rate = stirling_series(large, _TERMS), -rate - inverse / 2
    near = z < _FAR
    if np.any(near):
        z = z[near]
        log = np.log(z)
        remainder[near] = gammaln(z) - (z - 0.5) * log + z - math.log(2 * math.pi) / 2
        rate[near] = digamma(z) - log
    return remainder, rate


def log_of_ratio(ratio: Any, excess: Any) -> Any:
    """`log(ratio)`, where `excess` is `ratio - 1` without cancellation."""
    return np.where(ratio < 0.5, np.log(ratio), np.log1p(np.maximum(excess, -0.5)))


def log_less_excess(ratio: Any, excess: Any) -> Any:
    """`log(ratio) - excess` where `excess` is `ratio - 1`, without cancellation: `2 atanh(t) - excess`."""
    t = excess / (2 + excess)
    square, total = t * t, 0.0
    for k in range(_TERMS_NEAR, 0, -1):
        total = (total + 2 / (2 * k + 1)) * square
    return np.where(np.abs(t) < _NEAR, t * (total - excess), np.log(ratio) - excess)


def gamma_power(a: Any, x: Any) -> Any:
    """`x**a e**-x / gamma(a)`."""
    exponent = a * log_less_excess(x / a, (x - a) / a) - stirling(a)[0]
    return np.sqrt(a / (2 * math.pi)) * np.exp(exponent)


def beta_power(a: Any, b: Any, odds: Any) -> tuple[Any, Any, Any]:
    """`x**a y**b / B(a, b)`, and its logarithmic derivatives in `a` and `b`."""
    total, rest = a + b, 1 / (1 + odds)
    shift = (a - odds * b) * rest
    log_p = log_of_ratio(odds * rest * (total / a), -shift / a)
    log_q = log_of_ratio(rest * (total / b), shift / b)
    remainders, rates = stirling(np.stack([a, b, total]))
    exponent = a * log_p + b * log_q + (remainders[2] - remainders[0] - remainders[1])
    power = np.sqrt(a * b / (2 * math.pi * total)) * np.exp(exponent)
    return power, log_p + (rates[2] - rates[0]), log_q + (rates[2] - rates[1])


def gamma_ratio(z: Any) -> Any:
    """`gamma(z + 1/2) / (gamma(z) sqrt(z))`."""
    above, here = stirling(np.stack([z + 0.5, z]))[0]
    return np.exp(z * np.log1p(0.5 / z) - 0.5 + above - here)
