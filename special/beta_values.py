"""Values of the beta function and of binomial coefficients where SciPy's lose digits.

SciPy takes differences of large logarithms of gamma functions where `a + b > 171`, and loses the distance to a pole on
the left.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from .regions import by_region
from .stirling_powers import stirling_series

__all__ = ["beta_domain", "beta_value", "betaln_value", "binomial_domain", "binomial_value", "is_large"]

_TERMS = 8
"""So many terms of Stirling's series are enough from 10 on."""


def is_large(a: Any, b: Any) -> Any:
    """Where Stirling's formula holds for one argument and the sum, and SciPy's differences cancel."""
    return (a + b > 150) & (np.minimum(a, b) > -50)


def beta_domain(a: Any, b: Any) -> Any:
    """Where SciPy's values of the beta function are not used."""
    if not np.any(np.minimum(a, b) < 0):
        return is_large(a, b)
    is_left = ((a < 0) | (b < 0)) & (np.abs(a) < 165) & (np.abs(b) < 165) & (np.abs(a + b) < 165)
    return is_large(a, b) | is_left & (a != np.rint(a)) & (b != np.rint(b))


def betaln_value(a: Any, b: Any) -> Any:
    """`log(abs(beta(a, b)))` where `is_large`: `gamma(a) / gamma(a + b)` by Stirling's formula, DLMF 5.11.1."""
    a, b = np.maximum(a, b), np.minimum(a, b)
    return by_region([(b >= 10, _both_large), (b == b, _one_large)], a, b)


def _rest(x: Any) -> Any:
    return stirling_series(x, _TERMS)


def _both_large(a: Any, b: Any) -> Any:
    ratio = b / a
    powers = (a - 0.5) * np.log1p(ratio) + b * np.log1p(1 / ratio)
    return _rest(a) + _rest(b) - _rest(a + b) + 0.5 * math.log(2 * math.pi) - 0.5 * np.log(b) - powers


def _one_large(a: Any, b: Any) -> Any:
    powers = b * np.log(a) - (b - (a + b - 0.5) * np.log1p(b / a))
    return special.gammaln(b) + (_rest(a) - _rest(a + b) - powers)


def beta_value(a: Any, b: Any) -> Any:
    """`gamma(a) gamma(b) / gamma(a + b)` in `beta_domain`."""
    large = is_large(a, b), lambda a, b: special.gammasgn(np.minimum(a, b)) * np.exp(betaln_value(a, b))
    return by_region([large, (a == a, _product)], a, b)


def _product(a: Any, b: Any) -> Any:
    return special.gamma(a) * (special.gamma(b) * special.rgamma(a + b))


def binomial_domain(n: Any, k: Any) -> Any:
    """Where SciPy's binomial coefficients are not used; with few whole factors they are exact."""
    if not np.any(n > 140):
        return n > 140
    few = (k == np.rint(k)) & ((k < 20) | (n - k < 20))
    return is_large(n - k + 1, k + 1) & ~few


def binomial_value(n: Any, k: Any) -> Any:
    """`1 / ((n + 1) beta(n - k + 1, k + 1))`, DLMF 5.12.1."""
    a, b = n - k + 1, k + 1
    return special.gammasgn(np.minimum(a, b)) * np.exp(-betaln_value(a, b)) / (n + 1)
