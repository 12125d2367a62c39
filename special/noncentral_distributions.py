"""Noncentral distributions of statistics and their inverses."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    chndtr,
    chndtridf,
    chndtrinc,
    chndtrix,
    ncfdtr,
    ncfdtri,
    nctdtrit,
)

from .beta_shape import noncentral_beta_integral
from .gamma_shape import noncentral_gamma_integral
from .improved import Improved
from .inverses import distribution, inverse, positive, real
from .noncentral_student import noncentral_student, student_moment

__all__ = [
    "chndtr",
    "chndtridf",
    "chndtrinc",
    "chndtrix",
    "ncfdtr",
    "ncfdtri",
    "ncfdtridfd",
    "ncfdtridfn",
    "ncfdtrinc",
    "nctdtr",
    "nctdtridf",
    "nctdtrinc",
    "nctdtrit",
]

# noncentral chi-squared: with f(x; df) its density, dF/dnc = -f(x; df + 2)


def _chi_squared_density(x: Any, df: Any, nc: Any) -> Any:
    return noncentral_gamma_integral(df / 2, nc / 2, x / 2, order=0, power=0) / 2


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

# noncentral F: the noncentral beta distribution with shapes dfn / 2 and dfd / 2 at the odds dfn f / dfd


def _beta(dfn: Any, dfd: Any, nc: Any, f: Any, orders: tuple[int, int]) -> Any:
    return noncentral_beta_integral(dfn / 2, dfd / 2, nc / 2, dfn * f / dfd, orders=orders, pole=True) / 2


def _fisher_density(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    odds = dfn * f / dfd
    integral = noncentral_beta_integral(dfn / 2, dfd / 2 + 1, nc / 2, odds, orders=(0, 0), pole=False)
    return dfd / 2 * (1 + odds) / f * integral


def _fisher_centrality(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    odds = dfn * f / dfd
    integral = noncentral_beta_integral(dfn / 2 + 1, dfd / 2, nc / 2, odds, orders=(0, 0), pole=False)
    return -(1 + odds) / odds * integral / 2


_fisher = distribution(
    ncfdtr,
    "dfn dfd nc f",
    lambda dfn, dfd, nc, f: _beta(dfn, dfd, nc, f, (1, 0)) + _fisher_density(dfn, dfd, nc, f) * f / dfn,
    lambda dfn, dfd, nc, f: _beta(dfn, dfd, nc, f, (0, 1)) - _fisher_density(dfn, dfd, nc, f) * f / dfd,
    _fisher_centrality,
    _fisher_density,
)
inverse(ncfdtri, "dfn dfd nc p", _fisher)
ncfdtridfd = inverse(special.ncfdtridfd, "dfn p nc f", _fisher, steps=3, search=positive)
ncfdtridfn = inverse(special.ncfdtridfn, "p dfd nc f", _fisher, steps=3, search=positive)
ncfdtrinc = inverse(special.ncfdtrinc, "dfn dfd p f", _fisher, steps=3, search=positive)

# noncentral t

_LOW = 0.005
"""Where our own value is used: the absolute error of SciPy's is up to 6e-16."""


def _with_lower_tail(w: Any, df: Any, nc: Any, t: Any) -> Any:
    """On the left, where the value is small, SciPy's loses its digits."""
    is_low = (w < _LOW) & (t < 0) & (t > -np.inf) & (df < np.inf)
    if not np.any(is_low):
        return w
    out = np.copy(w)
    out[is_low] = noncentral_student(*[a[is_low] for a in np.broadcast_arrays(df, nc, t)], order=0)
    return out


nctdtr = Improved(special.nctdtr, _with_lower_tail)
_student = distribution(
    special.nctdtr,
    "df nc t",
    lambda df, nc, t: noncentral_student(df, nc, t, order=1),
    lambda df, nc, t: -student_moment(df, nc, t, order=0, power=0),
    lambda df, nc, t: student_moment(df, nc, t, order=0, power=1),
)._replace(value=nctdtr)
inverse(nctdtrit, "df nc p", _student)


def _guess_of_nctdtridf(z: Any, p: Any, nc: Any, t: Any) -> Any:
    """As that of `nctdtrinc`, solved for the root."""
    root = -z * t + np.sqrt(z * z * t * t + 2 * t * (t - nc) + 1)
    return t * t / (2 * np.where((root > 1) & _is_ordinary(nc, t), root * root - 1, np.nan))


def _guess_of_nctdtrinc(z: Any, df: Any, p: Any, t: Any) -> Any:
    """`t (1 - 1 / (4 df)) - nc = z sqrt(1 + t**2 / (2 df))`: Abramowitz and Stegun 26.7.10."""
    return np.where(_is_ordinary(df, t), t * (1 - 1 / (4 * df)) - z * np.sqrt(1 + t * t / (2 * df)), np.nan)


def _is_ordinary(a: Any, t: Any) -> Any:
    """Where SciPy's `nctdtr` takes few steps."""
    return (np.abs(a) < 100) & (np.abs(t) < 100)


nctdtridf = inverse(special.nctdtridf, "p nc t", _student, steps=3, search=positive, guess=_guess_of_nctdtridf)
nctdtrinc = inverse(special.nctdtrinc, "df p t", _student, steps=3, search=real, guess=_guess_of_nctdtrinc)
