"""The distribution function of noncentral chi-squared and its inverses.

With `f(x; df)` for its density, `dF / dnc = -f(x; df + 2)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ..gamma_and_beta.densities import from_zero, gamma_density
from ..gamma_and_beta.gamma_shape import noncentral_gamma_integral
from ..gamma_and_beta.positive_mixtures import LONGEST_MEAN, gamma_mixture_upper
from ..ufuncs.distribution_rules import Reading, distribution
from ..ufuncs.inverses import inverse
from ..ufuncs.large_arrays import threaded
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import ANY, up_to
from .noncentral_tails import NEXT_TO_1, quantile_next_to_1, with_upper_tail

__all__ = ["chndtr", "chndtridf", "chndtrinc", "chndtrix"]


def _chi_squared_density(x: Any, df: Any, nc: Any) -> Any:
    return from_zero(
        lambda x: noncentral_gamma_integral(df / 2, nc / 2, x / 2, order=0, power=0) / 2,
        lambda j: gamma_density(df / 2 + j, x / 2) / 2,
        nc,
        x,
    )


_chi_squared = distribution(
    special.chndtr,
    "x df nc",
    _chi_squared_density,
    lambda x, df, nc: -noncentral_gamma_integral(df / 2, nc / 2, x / 2, order=1, power=1) / 2,
    lambda x, df, nc: -_chi_squared_density(x, df + 2, nc),
)
_by_tails = with_upper_tail(
    _chi_squared,
    lambda x, df, nc: nc / 2 < LONGEST_MEAN,
    lambda x, df, nc: gamma_mixture_upper(df / 2, nc / 2, x / 2),
    lambda x, df, nc: noncentral_gamma_integral(df / 2, nc / 2, x / 2, order=0, power=1),
)
inverse(special.chndtrix, "p df nc", _chi_squared)
inverse(special.chndtridf, "x p nc", _by_tails, steps=1)
inverse(special.chndtrinc, "x df p", _by_tails, steps=1)
chndtridf, chndtrinc = threaded(special.chndtridf), threaded(special.chndtrinc)

_FEWEST, _LARGEST = 100.0, 1e5
"""Of the noncentrality, where SciPy's value is 0 although the sum is a number, and where that has few terms."""


def _is_underflowed(w: Any, x: Any, df: Any, nc: Any) -> Any:
    return (w == 0) & (x > 0) & (x < nc) & (df > 0) & (nc > _FEWEST) & (nc < _LARGEST)


def _lower_tail(x: Any, df: Any, nc: Any) -> Any:
    """The sum over Poisson weights, all positive, about the largest term, which is near `sqrt(x nc) / 2`."""
    return np.array([_sum_of_number(*numbers) for numbers in zip(x / 2, df / 2, nc / 2, strict=True)])


def _sum_of_number(y: float, a: float, mean: float) -> float:
    middle = math.sqrt(y * mean)
    reach = 40 + 12 * math.sqrt(middle + 1)
    j = np.arange(max(0, math.floor(middle - reach)), math.ceil(middle + reach))
    return float(np.sum(np.exp(j * math.log(mean) - mean - special.gammaln(j + 1)) * special.gammainc(a + j, y)))


chndtr = PatchedUfunc(special.chndtr, corrections=[(_is_underflowed, _lower_tail)], bounds=[ANY, ANY, up_to(_FEWEST)])

_MOST = 1e13
"""Of the noncentrality, beyond which SciPy's search may not end."""

chndtrix = PatchedUfunc(
    special.chndtrix,
    [
        (
            lambda p, df, nc: (p > NEXT_TO_1) & (p < 1) & (df > 0) & (nc >= 0) & (nc < _MOST),
            quantile_next_to_1(special.chndtrix, Reading(("p", "df", "nc"), _by_tails)),
        )
    ],
    bounds=[up_to(NEXT_TO_1), ANY, ANY],
)
