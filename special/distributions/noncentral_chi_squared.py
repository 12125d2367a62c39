"""The distribution function of noncentral chi-squared and its inverses.

With `f(x; df)` for its density, `dF / dnc = -f(x; df + 2)`.
"""

from __future__ import annotations

from typing import Any

from scipy.special import chndtr, chndtridf, chndtrinc, chndtrix

from ..gamma_and_beta.densities import from_zero, gamma_density
from ..gamma_and_beta.gamma_shape import noncentral_gamma_integral
from ..ufuncs.distribution_rules import distribution
from ..ufuncs.inverses import inverse

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
inverse(chndtrix, "p df nc", _chi_squared)
inverse(chndtridf, "x p nc", _chi_squared, steps=1)
inverse(chndtrinc, "x df p", _chi_squared, steps=1)
