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
    btdtria,
    btdtrib,
    chdtr,
    chdtrc,
    chdtri,
    chdtriv,
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
    kolmogi,
    kolmogorov,
    nbdtr,
    nbdtrc,
    nbdtri,
    nbdtrik,
    nbdtrin,
    nrdtrimn,
    nrdtrisd,
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
)

from .error_functions import normal_density
from .incomplete import beta_density, gamma_density
from .ufunc_rules import INTEGER, NEEDS_ALGORITHM, Partial, constant, rule

__all__ = [
    "bdtr",
    "bdtrc",
    "bdtri",
    "bdtrik",
    "bdtrin",
    "btdtria",
    "btdtrib",
    "chdtr",
    "chdtrc",
    "chdtri",
    "chdtriv",
    "fdtr",
    "fdtrc",
    "fdtri",
    "fdtridfd",
    "gdtr",
    "gdtrc",
    "gdtria",
    "gdtrib",
    "gdtrix",
    "kolmogi",
    "kolmogorov",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "nbdtrik",
    "nbdtrin",
    "nrdtrimn",
    "nrdtrisd",
    "pdtr",
    "pdtrc",
    "pdtri",
    "pdtrik",
    "smirnov",
    "smirnovi",
    "stdtr",
    "stdtridf",
    "stdtrit",
    "tklmbda",
]


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
