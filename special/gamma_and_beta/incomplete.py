"""Incomplete gamma and beta functions and their inverses.

In the argument their derivatives are densities, in the shapes they are integrals along contours.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..ufuncs.distribution_rules import complement, distribution
from ..ufuncs.inverses import inverse
from ..ufuncs.large_arrays import threaded
from ..ufuncs.patches import ANY
from .beta_quantile import beta_quantile
from .beta_shape import beta_integral
from .beta_small_shapes import mend_small_shapes
from .densities import beta_density, gamma_density
from .gamma_large import MODERATE, of_large_shapes, quantile_of_large_shapes
from .gamma_shape import gamma_integral

__all__ = ["betainc", "betaincc", "betainccinv", "betaincinv", "gammainc", "gammaincc", "gammainccinv", "gammaincinv"]


def gamma_shape(a: Any, x: Any) -> Any:
    """The derivative of `gammainc` in `a`."""
    return -gamma_integral(a, x, order=1, power=1)


def beta_first(a: Any, b: Any, odds: Any) -> Any:
    """The derivative of `betainc` in `a` at `x = odds / (1 + odds)`."""
    return beta_integral(_above_0(a), _above_0(b), odds, orders=(1, 0), pole=True)


def beta_second(a: Any, b: Any, odds: Any) -> Any:
    """The derivative of `betainc` in `b` at `x = odds / (1 + odds)`."""
    return beta_integral(_above_0(a), _above_0(b), odds, orders=(0, 1), pole=True)


def _nan_left_of_0(density: Any, *shapes: Any) -> Any:
    """The density, NaN where a shape is negative, as the distribution is."""
    is_outside = functools.reduce(np.logical_or, [raw(a) < 0 for a in shapes])
    return density * np.where(is_outside, np.nan, 1.0) if np.any(is_outside) else density


def _above_0(a: Any) -> Any:
    """A shape; where it is 0 one so small that nothing else changes."""
    return a + 1e-300 * (raw(a) == 0)


def odds_of(p: Any) -> Any:
    """`p / (1 - p)`."""
    with np.errstate(divide="ignore"):
        return np.divide(p, 1 - p)


# DLMF 8.2.4, 8.8.13

lower_gamma = distribution(special.gammainc, "a x", gamma_shape, lambda a, x: _nan_left_of_0(gamma_density(a, x), a))
upper_gamma = complement(special.gammaincc, lower_gamma)
gammainc = of_large_shapes(special.gammainc, lambda a, x: (a, x), -1.0, [MODERATE, ANY])
gammaincc = of_large_shapes(special.gammaincc, lambda a, x: (a, x), 1.0, [MODERATE, ANY])

inverse(special.gammaincinv, "a p", lower_gamma)
inverse(special.gammainccinv, "a p", upper_gamma)
gammaincinv = quantile_of_large_shapes(special.gammaincinv, lambda a, p: (a, p, 1.0), -1.0, [MODERATE, ANY])
gammainccinv = quantile_of_large_shapes(special.gammainccinv, lambda a, p: (a, p, 1.0), 1.0, [MODERATE, ANY])

# DLMF 8.17.1, 8.17.2

mend_small_shapes()
lower_beta = distribution(
    special.betainc,
    "a b x",
    lambda a, b, x: beta_first(a, b, odds_of(x)),
    lambda a, b, x: beta_second(a, b, odds_of(x)),
    lambda a, b, x: _nan_left_of_0(beta_density(a, b, x), a, b),
)
upper_beta = complement(special.betaincc, lower_beta)
betainc, betaincc = threaded(special.betainc), threaded(special.betaincc)

inverse(special.betaincinv, "a b p", lower_beta)
inverse(special.betainccinv, "a b p", upper_beta)
betaincinv = beta_quantile(special.betaincinv, is_upper=False)
betainccinv = beta_quantile(special.betainccinv, is_upper=True)
