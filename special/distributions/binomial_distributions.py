"""The binomial and negative binomial distribution functions and their inverses, and those of beta in its shapes.

All are incomplete beta functions: DLMF 8.17.1, and I(p; k + 1, n - k) = 1 - I(1 - p; n - k, k + 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special
from scipy.special import betainc, betaincc

from ..gamma_and_beta.beta_quantile import beta_quantile
from ..gamma_and_beta.densities import beta_density
from ..gamma_and_beta.incomplete import beta_first, beta_second, lower_beta, odds_of
from ..ufuncs.distribution_rules import Distribution, difference_by_tails
from ..ufuncs.inverse_searches import positive
from ..ufuncs.inverses import inverse
from ..ufuncs.ufunc_rules import INTEGER, constant, rule

__all__ = [
    "bdtr", "bdtrc", "bdtri", "bdtrik", "bdtrin", "btdtria", "btdtrib", "nbdtr", "nbdtrc", "nbdtri", "nbdtrik",
    "nbdtrin",
]  # fmt: skip


def _binomial(k: Any, n: Any, p: Any) -> Any:
    """`-d bdtr / dp`."""
    return beta_density(np.floor(k) + 1, n - np.floor(k), p)


_LEAST = 1e-270
"""SciPy's `betainc` loses digits of smaller values, its `betaincc` does not."""


def _upper(a: Any, b: Any, x: Any) -> Any:
    """`betaincc`, much slower in SciPy than `betainc`: by itself only where it, and `x`, are small, or it is tiny."""
    is_swapped = x >= 0.1
    first, second = np.where(is_swapped, b, a), np.where(is_swapped, a, b)
    value = betainc(first, second, np.where(is_swapped, 1 - x, x))
    is_small = (~is_swapped & (value > 0.98)) | ((value > 0) & (value < _LEAST))
    out = np.where(is_swapped, value, 1 - value)
    if not np.any(is_small):
        return out
    return np.where(is_small, betaincc(*[np.where(is_small, c, 1.0) for c in (a, b, x)]), out)


def _binomial_count(k: Any, n: Any, p: Any) -> Any:
    odds = odds_of(p)
    return beta_second(k + 1, n - k, odds) - beta_first(k + 1, n - k, odds)


_real_binomial = Distribution(
    ("k", "n", "p"),
    lambda k, n, p: _upper(k + 1, n - k, p),
    (
        _binomial_count,
        lambda k, n, p: -beta_second(k + 1, n - k, odds_of(p)),
        lambda k, n, p: -beta_density(k + 1, n - k, p),
    ),
    difference_by_tails(lambda k, n, p: _upper(k + 1, n - k, p), lambda k, n, p: betainc(k + 1, n - k, p)),
)
_negative_binomial = Distribution(
    ("k", "n", "p"),
    lambda k, n, p: betainc(n, k + 1, p),
    (
        lambda k, n, p: beta_second(n, k + 1, odds_of(p)),
        lambda k, n, p: beta_first(n, k + 1, odds_of(p)),
        lambda k, n, p: beta_density(n, k + 1, p),
    ),
    difference_by_tails(lambda k, n, p: betainc(n, k + 1, p), lambda k, n, p: _upper(n, k + 1, p)),
)


def _second_shape(z: Any, a: Any, log_y: Any) -> Any:
    """About the `b` where `betainc(a, b, x) = ndtr(z)`: Wise, Biometrika 37 (1950) 208, and Wilson and Hilferty."""
    root = np.maximum(1 - 1 / (9 * a) + z / (3 * np.sqrt(a)), 0.1)
    return np.maximum(-a * root**3 / log_y - (a - 1) / 2, 0.1)


def _guess_of_bdtrik(z: Any, y: Any, n: Any, p: Any) -> Any:
    """Cornish and Fisher's expansion."""
    k = n * p - 0.5 + z * np.sqrt(n * p * (1 - p)) + (1 - 2 * p) * (z * z - 1) / 6
    return np.clip(k, -0.9, n - 0.1)


def _guess_of_nbdtrik(z: Any, y: Any, n: Any, p: Any) -> Any:
    """Where `p` is large, by the same expansion."""
    k = (n * (1 - p) + z * np.sqrt(n * (1 - p)) + (2 - p) * (z * z - 1) / 6) / p - 0.5
    return np.where((p > 0.35) & (k > -0.5), k, _second_shape(z, n, np.log1p(-p)) - 1)


_BELOW = 1 - 1e-9
"""Times the probability of 0 there surely is no solution."""

_BDTRIK_EXAMPLE = """

Examples
--------
>>> from wirtinger import special
>>> print(f"{special.bdtrik(special.bdtr(2, 5, 0.4), 5, 0.4):.6f}")
2.000000
"""
_BDTRIN_EXAMPLE = """

Examples
--------
>>> from wirtinger import special
>>> print(f"{special.bdtrin(2, special.bdtr(2, 5, 0.4), 0.4):.6f}")
5.000000
"""

bdtr = rule(special.bdtr, "k n p", constant, INTEGER, lambda w, k, n, p: -_binomial(k, n, p))
bdtrc = rule(special.bdtrc, "k n p", constant, INTEGER, lambda w, k, n, p: _binomial(k, n, p))
rule(special.bdtri, "k n y", constant, INTEGER, lambda w, k, n, y: -1 / _binomial(k, n, w))
bdtri = beta_quantile(special.bdtri, is_upper=True, shapes=lambda k, n: (np.floor(k) + 1, n - np.floor(k)))
bdtrik = inverse(
    special.bdtrik,
    "y n p",
    _real_binomial,
    steps=3,
    search=positive,
    guess=_guess_of_bdtrik,
    has_none=lambda y, n, p: y < _BELOW * (1 - p) ** n,
    example=_BDTRIK_EXAMPLE,
)
bdtrin = inverse(
    special.bdtrin,
    "k y p",
    _real_binomial,
    steps=3,
    search=positive,
    guess=lambda z, k, y, p: k + _second_shape(-z, k + 1, np.log1p(-p)),
    at_one=lambda k, y, p: np.where((p > 0) & (p < 1) & (k > 0), k, np.nan),
    end="k",
    example=_BDTRIN_EXAMPLE,
)
nbdtr = rule(special.nbdtr, "k n p", INTEGER, INTEGER, lambda w, k, n, p: beta_density(n, k + 1, p))
nbdtrc = rule(special.nbdtrc, "k n p", INTEGER, INTEGER, lambda w, k, n, p: -beta_density(n, k + 1, p))
rule(special.nbdtri, "k n y", INTEGER, INTEGER, lambda w, k, n, y: 1 / beta_density(n, k + 1, w))
nbdtri = beta_quantile(special.nbdtri, is_upper=False, shapes=lambda k, n: (n, k + 1))
nbdtrik = inverse(
    special.nbdtrik,
    "y n p",
    _negative_binomial,
    steps=3,
    search=positive,
    guess=_guess_of_nbdtrik,
    has_none=lambda y, n, p: y < _BELOW * p**n,
)
nbdtrin = inverse(
    special.nbdtrin,
    "k y p",
    _negative_binomial,
    steps=3,
    search=positive,
    guess=lambda z, k, y, p: _second_shape(-z, k + 1, np.log(p)),
)
btdtria = inverse(special.btdtria, "p b x", lower_beta)
btdtrib = inverse(special.btdtrib, "a p x", lower_beta)
