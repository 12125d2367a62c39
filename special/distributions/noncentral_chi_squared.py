"""The distribution function of noncentral chi-squared and its inverses.

With `f(x; df)` for its density, `dF / dnc = -f(x; df + 2)`.
"""

from __future__ import annotations

from typing import Any

from scipy import special
from scipy.special import chndtr, chndtridf, chndtrinc

from ..gamma_and_beta.densities import from_zero, gamma_density
from ..gamma_and_beta.gamma_shape import noncentral_gamma_integral
from ..gamma_and_beta.positive_mixtures import LONGEST_MEAN, gamma_mixture_upper
from ..ufuncs.distribution_rules import Reading, distribution
from ..ufuncs.inverses import inverse
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
    chndtr,
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
inverse(chndtridf, "x p nc", _by_tails, steps=1)
inverse(chndtrinc, "x df p", _by_tails, steps=1)

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
