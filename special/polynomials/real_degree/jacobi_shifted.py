"""Shifted Jacobi functions of real degree: `n! gamma(n + p) / gamma(2 n + p)` times Jacobi's, DLMF 18.1.2."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import rgamma

from ...numerics.jets import Jet, reciprocal_gamma
from ...numerics.regions import by_region, plain
from .jacobi import jacobi_phi
from .values_at_one import over_leading_coefficient, value_at_one

_LOW, _LOWEST_DEGREE = 0.5, 80
"""Between the negatives of these, gamma functions next to the poles of the factorial are numbers."""


def shifted_jacobi_function(n: Any, p: Any, q: Any, x: Any) -> Any:
    """`n! gamma(n + p) / gamma(2 n + p)` times Jacobi's function of `n, p - q, q - 1, 2 x - 1`."""
    is_low = (plain(n) < -_LOW) & (plain(n) > -_LOWEST_DEGREE)
    is_near = (np.abs(plain(n)) < _LOW) & (np.abs(plain(n) + plain(p)) < _LOW)
    value = jacobi_phi(n, p - q, q - 1.0, 2 * x - 1, x)
    regions = [(is_near, _next_to_zero), (is_low, _without_factorial), (True, _by_values_at_one)]
    return by_region(regions, n, p, q, value)


def _by_values_at_one(n: Any, p: Any, q: Any, value: Any) -> Any:
    return over_leading_coefficient(value * value_at_one(n, p - q), n, p)


def _without_factorial(n: Any, p: Any, q: Any, value: Any) -> Any:
    """Next to negative integers, where `n!` has poles: `gamma(n + p) / gamma(2 n + p)` times that of 1."""
    low, high, first, last = (_reciprocal(z) for z in (n + p, 2.0 * n + p, p - q + 1.0, n + (p - q + 1.0)))
    return high * first / (low * last) * value


def _next_to_zero(n: Any, p: Any, q: Any, value: Any) -> Any:
    """Where `n + p` and `2 n + p` may be tiny, of which the quotient keeps its digits, and its derivatives."""
    low, high, first, last = (_reciprocal(z + 1.0) for z in (n + p, 2.0 * n + p, p - q, n + (p - q)))
    is_less = np.abs(plain(p)) < np.abs(plain(n))
    quotient = by_region([(is_less, lambda n, p: 2.0 - p / (n + p)), (True, lambda n, p: 1.0 + n / (n + p))], n, p)
    return quotient * high * first / (low * last) * value


def _reciprocal(z: Any) -> Any:
    return reciprocal_gamma(z) if isinstance(z, Jet) else rgamma(z)
