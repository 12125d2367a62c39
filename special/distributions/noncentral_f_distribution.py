"""The distribution function of noncentral F and its inverses.

It is the noncentral beta distribution with shapes dfn / 2 and dfd / 2 at the odds dfn f / dfd.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.special import ncfdtr

from ...complex_autograd.array import raw
from ..gamma_and_beta.beta_extended import is_summable, noncentral_beta
from ..gamma_and_beta.beta_shape import noncentral_beta_integral
from ..gamma_and_beta.densities import from_zero, odds_density
from ..ufuncs.distribution_rules import Reading, distribution
from ..ufuncs.inverse_searches import positive, refined
from ..ufuncs.inverses import inverse
from ..ufuncs.replaced import Replaced
from .f_distribution import denominator_degrees, times_density

__all__ = ["ncfdtr", "ncfdtri", "ncfdtridfd", "ncfdtridfn", "ncfdtrinc"]

_NEAR_ZERO = 1e-300
"""In place of `f = 0` where the quotient by it has a limit."""


def _beta(dfn: Any, dfd: Any, nc: Any, f: Any, orders: tuple[int, int]) -> Any:
    return noncentral_beta_integral(dfn / 2, dfd / 2, nc / 2, dfn * f / dfd, orders=orders, pole=True) / 2


def _fisher_density(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    def inside(f: Any) -> Any:
        odds = dfn * f / dfd
        integral = noncentral_beta_integral(dfn / 2, dfd / 2 + 1, nc / 2, odds, orders=(0, 0), pole=False)
        return dfd / 2 * (1 + odds) / f * integral

    return from_zero(inside, lambda j: odds_density(dfn / 2 + j, dfd / 2, dfn * f / dfd) * dfn / dfd, nc, f)


def _fisher_centrality(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    odds = dfn * (f + _NEAR_ZERO * (raw(f) == 0)) / dfd
    integral = noncentral_beta_integral(dfn / 2 + 1, dfd / 2, nc / 2, odds, orders=(0, 0), pole=False)
    return -(1 + odds) / odds * integral / 2


_fisher = distribution(
    ncfdtr,
    "dfn dfd nc f",
    lambda dfn, dfd, nc, f: _beta(dfn, dfd, nc, f, (1, 0)) + times_density(_fisher_density(dfn, dfd, nc, f), f) / dfn,
    lambda dfn, dfd, nc, f: _beta(dfn, dfd, nc, f, (0, 1)) - times_density(_fisher_density(dfn, dfd, nc, f), f) / dfd,
    _fisher_centrality,
    _fisher_density,
    variables="f",
)
inverse(special.ncfdtri, "dfn dfd nc p", _fisher)

_HEAVY = 0.5
"""Below so many degrees of freedom of the denominator quantiles may have any size, and SciPy's search ends early."""


def _heavy_quantile(dfn: Any, dfd: Any, nc: Any, p: Any) -> Any:
    args, reading = (dfn, dfd, nc, p), Reading(("dfn", "dfd", "nc", "p"), _fisher)
    given = special.ncfdtri(*args)
    found = refined(reading, given, args, 3, lambda z: np.exp(700 * z))
    return np.where(np.isnan(found), given, found)


ncfdtri = Replaced(
    special.ncfdtri,
    _heavy_quantile,
    lambda dfn, dfd, nc, p: (dfn > 0) & (dfd > 0) & (dfd < _HEAVY) & (nc >= 0) & (p > 0) & (p < 1),
)


def _deviate(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """About the `z` where `ncfdtr = ndtr(z)`: Severo and Zelen, Biometrika 47 (1960) 411, A&S 26.6.27."""
    root, total = np.cbrt(dfn * f / (dfn + nc)), dfn + nc
    first, second = 2 * (dfn + 2 * nc) / (9 * total * total), 2 / (9 * dfd)
    return ((1 - second) * root - 1 + first) / np.sqrt(first + second * root * root)


_HALVINGS = 7


def _solved(deviate: Callable[[Any], Any], z: Any) -> Any:
    """Where `deviate` is about `z`, from 1e-3 to 1e3: by halving the interval of the logarithm, then linearly."""
    low, high = np.full_like(z, -7.0), np.full_like(z, 7.0)
    at_low, at_high = deviate(np.exp(low)), deviate(np.exp(high))
    is_rising = at_high > at_low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        at_middle = deviate(np.exp(middle))
        is_above = (at_middle > z) == is_rising
        low, at_low = np.where(is_above, low, middle), np.where(is_above, at_low, at_middle)
        high, at_high = np.where(is_above, middle, high), np.where(is_above, at_middle, at_high)
    return np.exp(low + (high - low) * (z - at_low) / (at_high - at_low))


def _guess_of_ncfdtridfd(z: Any, dfn: Any, p: Any, nc: Any, f: Any) -> Any:
    total = dfn + nc
    return denominator_degrees(z, 2 * (dfn + 2 * nc) / (9 * total * total), dfn * f / total)


_FLAT = 20.0
"""A rounding of `p` moves `dfd` by so many roundings where the value is sharpened."""
_MARGIN = 2.0
"""For the normal approximation, which says where the slope may be so small."""
_STEP = 1e-3


def _sharpened(dfd: Any, dfn: Any, p: Any, nc: Any, f: Any) -> Any:
    """A last step of Newton's method with the distribution function in extended precision, where it is flat."""
    z = _deviate(dfn, dfd, nc, f)
    change = np.exp(-z * z / 2) * np.abs(_deviate(dfn, (1 + _STEP) * dfd, nc, f) - z)
    may_be_flat = _MARGIN * _STEP * p > _FLAT * change / math.sqrt(2 * math.pi)
    at = np.flatnonzero(may_be_flat & is_summable(dfn / 2, dfd / 2, nc / 2, dfn * f / dfd))
    step = 1e-4 * dfd[at]
    slope = (ncfdtr(dfn[at], dfd[at] + step, nc[at], f[at]) - p[at]) / step
    is_flat = (p[at] > _FLAT * dfd[at] * np.abs(slope)) & (slope != 0)
    at, slope = at[is_flat], slope[is_flat]
    if not len(at):
        return dfd
    a, b, mean, x = (y[at].astype(np.longdouble) for y in (dfn / 2, dfd / 2, nc / 2, f))
    out = np.copy(dfd)
    out[at] -= (noncentral_beta(a, b, mean, a * x / b) - p[at]).astype(float) / slope
    return out


ncfdtridfd = inverse(
    special.ncfdtridfd,
    "dfn p nc f",
    _fisher,
    steps=3,
    search=positive,
    guess=_guess_of_ncfdtridfd,
    sharpen=_sharpened,
)
ncfdtridfn = inverse(
    special.ncfdtridfn,
    "p dfd nc f",
    _fisher,
    steps=3,
    search=positive,
    guess=lambda z, p, dfd, nc, f: _solved(lambda dfn: _deviate(dfn, dfd, nc, f), z),
)
ncfdtrinc = inverse(
    special.ncfdtrinc,
    "dfn dfd p f",
    _fisher,
    steps=3,
    search=positive,
    guess=lambda z, dfn, dfd, p, f: _solved(lambda nc: _deviate(dfn, dfd, nc, f), z),
)
