"""Noncentral distributions of statistics and their inverses."""

from __future__ import annotations

import functools
from collections.abc import Callable
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
    ndtri,
)

from ..complex_autograd.array import raw
from .beta_extended import is_summable, noncentral_beta
from .beta_shape import noncentral_beta_integral
from .densities import gamma_density, odds_density
from .distributions import denominator_degrees, times_density
from .far_quantiles import FarQuantile, far_noncentral_quantile
from .gamma_shape import noncentral_gamma_integral
from .inverses import distribution, inverse, positive, real
from .noncentral_degrees import degrees_of, has_no_degrees
from .noncentral_student import noncentral_student, student_moment
from .noncentral_student_tail import by_series, has_short_series
from .replaced import Replaced

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

_TERMS = 6
_NEAR_ZERO = 1e-300
"""In place of `f = 0` where the quotient by it has a limit."""


def _from_zero(density: Callable[[Any], Any], near_zero: Callable[[int], Any], nc: Any, x: Any) -> Any:
    """The density, at 0 by the first terms of the Poisson mixture of the central ones, each smaller by a factor `x`."""
    is_zero = raw(x) == 0
    if not np.any(is_zero):
        return density(x)
    weight, total = np.exp(-nc / 2), 0.0
    for j in range(_TERMS):
        total = total + weight * near_zero(j)
        weight = weight * nc / (2 * (j + 1))
    return np.where(is_zero, total, density(np.where(is_zero, 1.0, x)))


# noncentral chi-squared: with f(x; df) its density, dF/dnc = -f(x; df + 2)


def _chi_squared_density(x: Any, df: Any, nc: Any) -> Any:
    return _from_zero(
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

# noncentral F: the noncentral beta distribution with shapes dfn / 2 and dfd / 2 at the odds dfn f / dfd


def _beta(dfn: Any, dfd: Any, nc: Any, f: Any, orders: tuple[int, int]) -> Any:
    return noncentral_beta_integral(dfn / 2, dfd / 2, nc / 2, dfn * f / dfd, orders=orders, pole=True) / 2


def _fisher_density(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    def inside(f: Any) -> Any:
        odds = dfn * f / dfd
        integral = noncentral_beta_integral(dfn / 2, dfd / 2 + 1, nc / 2, odds, orders=(0, 0), pole=False)
        return dfd / 2 * (1 + odds) / f * integral

    return _from_zero(inside, lambda j: odds_density(dfn / 2 + j, dfd / 2, dfn * f / dfd) * dfn / dfd, nc, f)


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
inverse(ncfdtri, "dfn dfd nc p", _fisher)


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


def _sharpened(dfd: Any, dfn: Any, p: Any, nc: Any, f: Any) -> Any:
    """A last step of Newton's method with the distribution function in extended precision, where it is flat."""
    step = 1e-4 * dfd
    slope = (ncfdtr(dfn, dfd + step, nc, f) - p) / step
    is_flat = p > _FLAT * dfd * np.abs(slope)
    at = np.flatnonzero(is_flat & (slope != 0) & is_summable(dfn / 2, dfd / 2, nc / 2, dfn * f / dfd))
    if not len(at):
        return dfd
    a, b, mean, x = (y[at].astype(np.longdouble) for y in (dfn / 2, dfd / 2, nc / 2, f))
    out = np.copy(dfd)
    out[at] -= (noncentral_beta(a, b, mean, a * x / b) - p[at]).astype(float) / slope[at]
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

# noncentral t

_LOW = 0.005
"""Where our own value is used: the absolute error of SciPy's is up to 6e-16."""
_FAR, _FARTHEST = 2.6, 100.0
"""The centralities with which it is less than that at every `t < 0`, where it is less than `ndtr(-nc)`."""


_student = distribution(
    special.nctdtr,
    "df nc t",
    lambda df, nc, t: noncentral_student(df, nc, t, order=1),
    lambda df, nc, t: -student_moment(df, nc, t, order=0, power=0),
    lambda df, nc, t: student_moment(df, nc, t, order=0, power=1),
    variables="t",
)

_AT_ONCE = 1 << 17
"""So many elements at a time: few of them are for the kernel, which takes many as quickly as a few."""


_SHORT = 90
"""Sums of so many terms cost less than SciPy's value."""


def _has_lower_tail(df: Any, nc: Any, t: Any) -> Any:
    is_small = (t < 0) & (df > 0) & (nc > _FAR) & (nc < _FARTHEST)
    return is_small | has_short_series(df, nc, t, _SHORT)


def _by_tail(df: Any, nc: Any, t: Any) -> Any:
    out, is_short = np.empty_like(t), has_short_series(df, nc, t)
    out[is_short] = by_series(df[is_short], nc[is_short], t[is_short])
    df, nc, t = df[~is_short], nc[~is_short], t[~is_short]
    is_left = t < 0
    tail = noncentral_student(df, np.where(is_left, nc, -nc), -np.abs(t), order=0)
    out[~is_short] = np.where(is_left, tail, 1 - tail)
    return out


nctdtr = Replaced(
    special.nctdtr,
    _by_tail,
    _has_lower_tail,
    is_coarse=lambda w, df, nc, t: ((t < 0) & ~(w >= _LOW)) | np.isnan(w),
    at_once=_AT_ONCE,
)
_student = _student._replace(value=nctdtr)
inverse(special.nctdtrit, "df nc p", _student)
nctdtrit = FarQuantile(special.nctdtrit, functools.partial(far_noncentral_quantile, distribution=nctdtr))


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


nctdtridf = inverse(
    special.nctdtridf,
    "p nc t",
    _student,
    steps=3,
    search=positive,
    guess=_guess_of_nctdtridf,
    first=lambda p, nc, t: degrees_of(p, nc, t, _guess_of_nctdtridf(ndtri(p), p, nc, t)),
    has_none=has_no_degrees,
)
nctdtrinc = inverse(special.nctdtrinc, "df p t", _student, steps=3, search=real, guess=_guess_of_nctdtrinc)
