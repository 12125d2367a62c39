"""Noncentral distributions of statistics and their inverses.

An inverse `u` of `F(.., u, ..) = p` has `du/dp = 1 / F_u` and `du/dt = -F_t / F_u`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import (
    betaln,
    chndtr,
    chndtridf,
    chndtrinc,
    chndtrix,
    gammaln,
    hyp1f1,
    ive,
    ncfdtr,
    ncfdtri,
    ncfdtridfd,
    ncfdtridfn,
    ncfdtrinc,
    nctdtr,
    nctdtridf,
    nctdtrinc,
    nctdtrit,
    pbdv,
    xlog1py,
    xlogy,
)

from .incomplete import beta_density
from .ufunc_rules import NEEDS_ALGORITHM, rule

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

_DEGREES = (NEEDS_ALGORITHM, NEEDS_ALGORITHM)

# noncentral chi-squared: with f(x; df) its density, dF/dnc = -f(x; df + 2)


def _noncentral_chi_squared(x: Any, df: Any, nc: Any) -> Any:
    root = np.sqrt(nc * x)
    exponent = -((np.sqrt(x) - np.sqrt(nc)) ** 2) / 2 + xlogy(df / 4 - 0.5, x / nc)
    return np.exp(exponent) * ive(df / 2 - 1, root) / 2


rule(
    chndtr,
    "x df nc",
    lambda w, x, df, nc: _noncentral_chi_squared(x, df, nc),
    NEEDS_ALGORITHM,
    lambda w, x, df, nc: -_noncentral_chi_squared(x, df + 2, nc),
)
rule(
    chndtrix,
    "p df nc",
    lambda w, p, df, nc: 1 / _noncentral_chi_squared(w, df, nc),
    NEEDS_ALGORITHM,
    lambda w, p, df, nc: _noncentral_chi_squared(w, df + 2, nc) / _noncentral_chi_squared(w, df, nc),
)
rule(chndtridf, "x p nc", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(
    chndtrinc,
    "x df p",
    lambda w, x, df, p: _noncentral_chi_squared(x, df, w) / _noncentral_chi_squared(x, df + 2, w),
    NEEDS_ALGORITHM,
    lambda w, x, df, p: -1 / _noncentral_chi_squared(x, df + 2, w),
)

# noncentral F: Poisson mixtures of beta distributions, summed by DLMF 13.2.2


def _noncentral_fisher(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    a, b, q = dfn / 2, dfd / 2, dfn * f + dfd
    u = dfn * f / q
    mixture = np.exp(-nc / 2) * hyp1f1(a + b, a, nc * u / 2)
    return mixture * beta_density(a, b, u) * dfn * dfd / (q * q)


def _noncentral_fisher_centrality(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    a, b = dfn / 2, dfd / 2
    u = dfn * f / (dfn * f + dfd)
    factor = np.exp(xlogy(a, u) + xlog1py(b, -u) - betaln(a, b) - nc / 2) / (2 * a)
    return -factor * hyp1f1(a + b, a + 1, nc * u / 2)


rule(
    ncfdtr,
    "dfn dfd nc f",
    *_DEGREES,
    lambda w, dfn, dfd, nc, f: _noncentral_fisher_centrality(dfn, dfd, nc, f),
    lambda w, dfn, dfd, nc, f: _noncentral_fisher(dfn, dfd, nc, f),
)
rule(
    ncfdtri,
    "dfn dfd nc p",
    *_DEGREES,
    lambda w, dfn, dfd, nc, p: -_noncentral_fisher_centrality(dfn, dfd, nc, w) / _noncentral_fisher(dfn, dfd, nc, w),
    lambda w, dfn, dfd, nc, p: 1 / _noncentral_fisher(dfn, dfd, nc, w),
)
rule(ncfdtridfd, "dfn p nc f", *[NEEDS_ALGORITHM] * 4)
rule(ncfdtridfn, "p dfd nc f", *[NEEDS_ALGORITHM] * 4)
rule(
    ncfdtrinc,
    "dfn dfd p f",
    *_DEGREES,
    lambda w, dfn, dfd, p, f: 1 / _noncentral_fisher_centrality(dfn, dfd, w, f),
    lambda w, dfn, dfd, p, f: -_noncentral_fisher(dfn, dfd, w, f) / _noncentral_fisher_centrality(dfn, dfd, w, f),
)

# noncentral t: both partials are positive moments of a half line, parabolic cylinder functions by DLMF 12.5.1


def _noncentral_student_moment(k: Any, df: Any, nc: Any, t: Any) -> Any:
    """`M(k)`: the derivative of `nctdtr` in `nc` is `-M(df)`, that in `t` is `M(df + 1)`."""
    s = df + t * t
    z = -t * nc / np.sqrt(s)
    exponent = math.log(2) + xlogy(df / 2, df / 2) + gammaln(k) - k / 2 * np.log(s) - gammaln(df / 2)
    exponent = exponent + z * z / 4 - nc * nc / 2
    return np.exp(exponent) / math.sqrt(2 * math.pi) * pbdv(-k, z)[0]


def _nc_slope(df: Any, nc: Any, t: Any) -> Any:
    return -_noncentral_student_moment(df, df, nc, t)


def _t_slope(df: Any, nc: Any, t: Any) -> Any:
    return _noncentral_student_moment(df + 1, df, nc, t)


rule(
    nctdtr,
    "df nc t",
    NEEDS_ALGORITHM,
    lambda w, df, nc, t: _nc_slope(df, nc, t),
    lambda w, df, nc, t: _t_slope(df, nc, t),
)
rule(
    nctdtrit,
    "df nc p",
    NEEDS_ALGORITHM,
    lambda w, df, nc, p: -_nc_slope(df, nc, w) / _t_slope(df, nc, w),
    lambda w, df, nc, p: 1 / _t_slope(df, nc, w),
)
rule(nctdtridf, "p nc t", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(
    nctdtrinc,
    "df p t",
    NEEDS_ALGORITHM,
    lambda w, df, p, t: 1 / _nc_slope(df, w, t),
    lambda w, df, p, t: -_t_slope(df, w, t) / _nc_slope(df, w, t),
)
