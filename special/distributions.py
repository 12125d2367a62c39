"""Distribution functions of statistics and their inverses.

In SciPy's names `*dtr` is a distribution function, `*dtrc` its complement, `*dtri*` an inverse in the argument that the
last letters name.  In the variable the derivative is a density, in the shapes one of the incomplete gamma and beta
functions in theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    bdtr,
    bdtrc,
    bdtri,
    betainc,
    betaincc,
    betaln,
    btdtria,
    btdtrib,
    chdtr,
    chdtrc,
    chdtri,
    chdtriv,
    fdtr,
    fdtrc,
    fdtri,
    gammaincc,
    gdtr,
    gdtrc,
    gdtria,
    gdtrib,
    gdtrix,
    hyp1f1,
    nbdtr,
    nbdtrc,
    nbdtri,
    nrdtrimn,
    nrdtrisd,
    pdtr,
    pdtrc,
    pdtri,
    pdtrik,
    stdtr,
    stdtrit,
    tklmbda,
    xlog1py,
    xlogy,
)

from .error_functions import normal_density
from .incomplete import beta_density, beta_first, beta_second, gamma_density, gamma_shape, lower_beta, odds_of
from .inverses import Distribution, complement, distribution, inverse, positive
from .ufunc_rules import INTEGER, constant, rule

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
    "stdtr",
    "stdtridf",
    "stdtrit",
    "tklmbda",
]


# chi-squared, gamma (rate a, shape b) and Poisson: DLMF 8.2.4

_chi_squared = distribution(
    chdtr,
    "v x",
    lambda v, x: gamma_shape(v / 2, x / 2) / 2,
    lambda v, x: gamma_density(v / 2, x / 2) / 2,
)
inverse(chdtri, "v p", complement(chdtrc, _chi_squared))
inverse(chdtriv, "p x", _chi_squared)

_gamma = distribution(
    gdtr,
    "a b x",
    lambda a, b, x: x * gamma_density(b, a * x),
    lambda a, b, x: gamma_shape(b, a * x),
    lambda a, b, x: a * gamma_density(b, a * x),
)
complement(gdtrc, _gamma)
inverse(gdtria, "p b x", _gamma)
inverse(gdtrib, "a p x", _gamma)
inverse(gdtrix, "a b p", _gamma)

_poisson = Distribution(
    ("k", "m"),
    lambda k, m: gammaincc(k + 1, m),
    (lambda k, m: -gamma_shape(k + 1, m), lambda k, m: -gamma_density(k + 1, m)),
)
"""The one that `pdtrik` inverts, of a real `k`; `pdtr` itself is constant between whole numbers."""

rule(pdtr, "k m", constant, lambda w, k, m: -gamma_density(np.floor(k) + 1, m))
rule(pdtrc, "k m", constant, lambda w, k, m: gamma_density(np.floor(k) + 1, m))
rule(pdtri, "k p", INTEGER, lambda w, k, p: -1 / gamma_density(np.floor(k) + 1, w))
inverse(pdtrik, "p m", _poisson, steps=1)

# binomial, negative binomial, beta: DLMF 8.17.1, and I(p; k + 1, n - k) = 1 - I(1 - p; n - k, k + 1)


def _binomial(k: Any, n: Any, p: Any) -> Any:
    """`-d bdtr / dp`."""
    return beta_density(np.floor(k) + 1, n - np.floor(k), p)


def _binomial_count(k: Any, n: Any, p: Any) -> Any:
    odds = odds_of(p)
    return beta_second(k + 1, n - k, odds) - beta_first(k + 1, n - k, odds)


_real_binomial = Distribution(
    ("k", "n", "p"),
    lambda k, n, p: betaincc(k + 1, n - k, p),
    (
        _binomial_count,
        lambda k, n, p: -beta_second(k + 1, n - k, odds_of(p)),
        lambda k, n, p: -beta_density(k + 1, n - k, p),
    ),
)
_negative_binomial = Distribution(
    ("k", "n", "p"),
    lambda k, n, p: betainc(n, k + 1, p),
    (
        lambda k, n, p: beta_second(n, k + 1, odds_of(p)),
        lambda k, n, p: beta_first(n, k + 1, odds_of(p)),
        lambda k, n, p: beta_density(n, k + 1, p),
    ),
)

_BDTRIK_EXAMPLE = """

Examples
--------
>>> from wirtinger import special
>>> print(f"{special.bdtrik(special.bdtr(2, 5, 0.4), 5, 0.4):.6f}")
2.000000
"""
_BDTRIN_EXAMPLE = """

Examples
--------
>>> from wirtinger import special
>>> print(f"{special.bdtrin(2, special.bdtr(2, 5, 0.4), 0.4):.6f}")
5.000000
"""

rule(bdtr, "k n p", constant, INTEGER, lambda w, k, n, p: -_binomial(k, n, p))
rule(bdtrc, "k n p", constant, INTEGER, lambda w, k, n, p: _binomial(k, n, p))
rule(bdtri, "k n y", constant, INTEGER, lambda w, k, n, y: -1 / _binomial(k, n, w))
bdtrik = inverse(special.bdtrik, "y n p", _real_binomial, steps=1, example=_BDTRIK_EXAMPLE)
bdtrin = inverse(special.bdtrin, "k y p", _real_binomial, steps=1, example=_BDTRIN_EXAMPLE)
rule(nbdtr, "k n p", INTEGER, INTEGER, lambda w, k, n, p: beta_density(n, k + 1, p))
rule(nbdtrc, "k n p", INTEGER, INTEGER, lambda w, k, n, p: -beta_density(n, k + 1, p))
rule(nbdtri, "k n y", INTEGER, INTEGER, lambda w, k, n, y: 1 / beta_density(n, k + 1, w))
nbdtrik = inverse(special.nbdtrik, "y n p", _negative_binomial, steps=1)
nbdtrin = inverse(special.nbdtrin, "k y p", _negative_binomial, steps=1)
inverse(btdtria, "p b x", lower_beta)
inverse(btdtrib, "a p x", lower_beta)

# F: the beta distribution with shapes dfn / 2 and dfd / 2 at the odds dfn x / dfd


def _fisher_density(dfn: Any, dfd: Any, x: Any) -> Any:
    odds, a, b = dfn * x / dfd, dfn / 2, dfd / 2
    return np.exp(xlogy(a - 1, odds) - xlog1py(a + b, odds) - betaln(a, b)) * dfn / dfd


def _numerator_degrees(dfn: Any, dfd: Any, x: Any) -> Any:
    return beta_first(dfn / 2, dfd / 2, dfn * x / dfd) / 2 + _fisher_density(dfn, dfd, x) * x / dfn


def _denominator_degrees(dfn: Any, dfd: Any, x: Any) -> Any:
    return beta_second(dfn / 2, dfd / 2, dfn * x / dfd) / 2 - _fisher_density(dfn, dfd, x) * x / dfd


_fisher = distribution(fdtr, "dfn dfd x", _numerator_degrees, _denominator_degrees, _fisher_density)
complement(fdtrc, _fisher)
inverse(fdtri, "dfn dfd p", _fisher)
fdtridfd = inverse(special.fdtridfd, "dfn p x", _fisher, steps=1, search=positive)

# Student's t: 1 - I / 2 at t > 0 with the shapes df / 2 and 1 / 2 and the odds df / t**2

_NEAR_ZERO = 1e-12
"""In place of `t = 0`, where the odds are infinite."""


def _student_density(df: Any, t: Any) -> Any:
    return np.exp(-xlog1py((df + 1) / 2, t * t / df) - betaln(df / 2, 0.5)) / np.sqrt(df)


def _student_degrees(df: Any, t: Any) -> Any:
    t = t + np.where(t == 0, _NEAR_ZERO, 0.0)
    shape = beta_first(df / 2, 0.5, df / (t * t))
    return -np.sign(t) * shape / 4 - _student_density(df, t) * t / (2 * df)


_student = distribution(stdtr, "df t", _student_degrees, _student_density)
inverse(stdtrit, "df p", _student)
stdtridf = inverse(special.stdtridf, "p t", _student, steps=1, search=positive)

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

# Tukey's lambda: x = (w**l - (1 - w)**l) / l


def _tukey_density(w: Any, lmbda: Any) -> Any:
    return np.power(w, lmbda - 1) + np.power(1 - w, lmbda - 1)


def _tukey_shape(w: Any, x: Any, lmbda: Any) -> Any:
    logs = np.log(w), np.log1p(-w)
    terms = [log**2 * hyp1f1(2.0, 3.0, lmbda * log) / 2 for log in logs]
    return (terms[1] - terms[0]) / _tukey_density(w, lmbda)


rule(tklmbda, "x lmbda", lambda w, x, lmbda: 1 / _tukey_density(w, lmbda), _tukey_shape)
