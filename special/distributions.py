"""Distribution functions of statistics and their inverses, in the variables whose derivative is a density.

An inverse `u` of `F(.., u, ..) = p` has `du/dp = 1 / F_u` and `du/dt = -F_t / F_u`.  In SciPy's names `*dtr` is a
distribution function, `*dtrc` its complement, `*dtri*` an inverse in the argument that the last letters name.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import (
    bdtr,
    bdtrc,
    bdtri,
    bdtrik,
    bdtrin,
    betaln,
    btdtria,
    btdtrib,
    chdtr,
    chdtrc,
    chdtri,
    chdtriv,
    chndtr,
    chndtridf,
    chndtrinc,
    chndtrix,
    fdtr,
    fdtrc,
    fdtri,
    fdtridfd,
    gammaln,
    gdtr,
    gdtrc,
    gdtria,
    gdtrib,
    gdtrix,
    hyp1f1,
    ive,
    kolmogi,
    kolmogorov,
    nbdtr,
    nbdtrc,
    nbdtri,
    nbdtrik,
    nbdtrin,
    ncfdtr,
    ncfdtri,
    ncfdtridfd,
    ncfdtridfn,
    ncfdtrinc,
    nctdtr,
    nctdtridf,
    nctdtrinc,
    nctdtrit,
    nrdtrimn,
    nrdtrisd,
    pbdv,
    pdtr,
    pdtrc,
    pdtri,
    pdtrik,
    smirnov,
    smirnovi,
    stdtr,
    stdtridf,
    stdtrit,
    tklmbda,
    xlog1py,
    xlogy,
)

from .error_functions import normal_density
from .incomplete import beta_density, gamma_density
from .ufunc_rules import INTEGER, NEEDS_ALGORITHM, Partial, constant, rule

__all__: list[str] = []


def _negative(partial: Partial) -> Partial:
    """The partial of the complement."""
    return lambda w, *args: -partial(w, *args)


# chi-squared, gamma (rate a, shape b) and Poisson: DLMF 8.2.4


def _chi_squared(v: Any, x: Any) -> Any:
    return gamma_density(v / 2, x / 2) / 2


rule(chdtr, "v x", NEEDS_ALGORITHM, lambda w, v, x: _chi_squared(v, x))
rule(chdtrc, "v x", NEEDS_ALGORITHM, lambda w, v, x: -_chi_squared(v, x))
rule(chdtri, "v p", NEEDS_ALGORITHM, lambda w, v, p: -1 / _chi_squared(v, w))
rule(chdtriv, "p x", NEEDS_ALGORITHM, NEEDS_ALGORITHM)

_gdtr_partials: tuple[Partial, Partial] = (
    lambda w, a, b, x: x * gamma_density(b, a * x),
    lambda w, a, b, x: a * gamma_density(b, a * x),
)

rule(gdtr, "a b x", _gdtr_partials[0], NEEDS_ALGORITHM, _gdtr_partials[1])
rule(gdtrc, "a b x", _negative(_gdtr_partials[0]), NEEDS_ALGORITHM, _negative(_gdtr_partials[1]))
rule(
    gdtria,
    "p b x",
    lambda w, p, b, x: 1 / (x * gamma_density(b, w * x)),
    NEEDS_ALGORITHM,
    lambda w, p, b, x: -w / x,
)
rule(gdtrib, "a p x", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(
    gdtrix,
    "a b p",
    lambda w, a, b, p: -w / a,
    NEEDS_ALGORITHM,
    lambda w, a, b, p: 1 / (a * gamma_density(b, a * w)),
)
rule(pdtr, "k m", constant, lambda w, k, m: -gamma_density(np.floor(k) + 1, m))
rule(pdtrc, "k m", constant, lambda w, k, m: gamma_density(np.floor(k) + 1, m))
rule(pdtri, "k p", INTEGER, lambda w, k, p: -1 / gamma_density(np.floor(k) + 1, w))
rule(pdtrik, "p m", NEEDS_ALGORITHM, NEEDS_ALGORITHM)

# binomial, negative binomial, beta: DLMF 8.17.1


def _binomial(k: Any, n: Any, p: Any) -> Any:
    """`-d bdtr / dp`."""
    return beta_density(np.floor(k) + 1, n - np.floor(k), p)


rule(bdtr, "k n p", constant, INTEGER, lambda w, k, n, p: -_binomial(k, n, p))
rule(bdtrc, "k n p", constant, INTEGER, lambda w, k, n, p: _binomial(k, n, p))
rule(bdtri, "k n y", constant, INTEGER, lambda w, k, n, y: -1 / _binomial(k, n, w))
rule(bdtrik, "y n p", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(bdtrin, "k y p", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(nbdtr, "k n p", INTEGER, INTEGER, lambda w, k, n, p: beta_density(n, k + 1, p))
rule(nbdtrc, "k n p", INTEGER, INTEGER, lambda w, k, n, p: -beta_density(n, k + 1, p))
rule(nbdtri, "k n y", INTEGER, INTEGER, lambda w, k, n, y: 1 / beta_density(n, k + 1, w))
rule(nbdtrik, "y n p", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(nbdtrin, "k y p", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(btdtria, "p b x", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(btdtrib, "a p x", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)

# F and Student's t: the density of F is that of the beta distribution at u = dfn x / (dfn x + dfd)


def _fisher(dfn: Any, dfd: Any, x: Any) -> Any:
    q = dfn * x + dfd
    return beta_density(dfn / 2, dfd / 2, dfn * x / q) * dfn * dfd / (q * q)


def _student(df: Any, t: Any) -> Any:
    exponent = gammaln((df + 1) / 2) - gammaln(df / 2) - xlog1py((df + 1) / 2, t * t / df)
    return np.exp(exponent) / np.sqrt(math.pi * df)


_DEGREES = (NEEDS_ALGORITHM, NEEDS_ALGORITHM)

rule(fdtr, "dfn dfd x", *_DEGREES, lambda w, dfn, dfd, x: _fisher(dfn, dfd, x))
rule(fdtrc, "dfn dfd x", *_DEGREES, lambda w, dfn, dfd, x: -_fisher(dfn, dfd, x))
rule(fdtri, "dfn dfd p", *_DEGREES, lambda w, dfn, dfd, p: 1 / _fisher(dfn, dfd, w))
rule(fdtridfd, "dfn p x", NEEDS_ALGORITHM, NEEDS_ALGORITHM, NEEDS_ALGORITHM)
rule(stdtr, "df t", NEEDS_ALGORITHM, lambda w, df, t: _student(df, t))
rule(stdtrit, "df p", NEEDS_ALGORITHM, lambda w, df, p: 1 / _student(df, w))
rule(stdtridf, "p t", NEEDS_ALGORITHM, NEEDS_ALGORITHM)

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

# normal, in its mean and in its standard deviation


def _deviation_slope(mn: Any, p: Any, x: Any, std: Any) -> Any:
    return -(std**2) / ((x - mn) * normal_density((x - mn) / std))


rule(
    nrdtrimn,
    "p std x",
    lambda w, p, std, x: -std / normal_density((x - w) / std),
    lambda w, p, std, x: -(x - w) / std,
    lambda w, p, std, x: 1.0,
)
rule(
    nrdtrisd,
    "mn p x",
    lambda w, mn, p, x: -w / (x - mn),
    lambda w, mn, p, x: _deviation_slope(mn, p, x, w),
    lambda w, mn, p, x: w / (x - mn),
)

# Kolmogorov and Smirnov

rule(kolmogorov, "x", NEEDS_ALGORITHM)
rule(kolmogi, "p", NEEDS_ALGORITHM)
rule(smirnov, "n d", INTEGER, NEEDS_ALGORITHM)
rule(smirnovi, "n p", INTEGER, NEEDS_ALGORITHM)

# Tukey's lambda: x = (w**l - (1 - w)**l) / l


def _tukey_density(w: Any, lmbda: Any) -> Any:
    return np.power(w, lmbda - 1) + np.power(1 - w, lmbda - 1)


def _tukey_shape(w: Any, x: Any, lmbda: Any) -> Any:
    logs = np.log(w), np.log1p(-w)
    terms = [log**2 * hyp1f1(2.0, 3.0, lmbda * log) / 2 for log in logs]
    return (terms[1] - terms[0]) / _tukey_density(w, lmbda)


rule(tklmbda, "x lmbda", lambda w, x, lmbda: 1 / _tukey_density(w, lmbda), _tukey_shape)
