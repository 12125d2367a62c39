"""Distribution functions of statistics and their inverses.

In SciPy's names `*dtr` is a distribution function, `*dtrc` its complement, `*dtri*` an inverse in the argument that the
last letters name.  In the variable the derivative is a density, in the shapes one of the incomplete gamma and beta
functions in theirs.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    bdtr,
    bdtrc,
    bdtri,
    betainc,
    betaincc,
    boxcox,
    boxcox1p,
    btdtria,
    btdtrib,
    fdtr,
    fdtrc,
    fdtri,
    hyp1f1,
    inv_boxcox,
    nbdtr,
    nbdtrc,
    nbdtri,
    nrdtrimn,
    nrdtrisd,
    stdtr,
    xlog1py,
)

from ..complex_autograd.array import raw
from ..complex_autograd.record import slope_along
from ..complex_autograd.transforms import stop_gradient
from .beta_quadrature import first_derivative_at_short
from .bounded import ANY, up_to
from .contours import in_double
from .densities import beta_density, gamma_density, odds_density
from .error_functions import normal_density
from .far_quantiles import FarQuantile, far_student_quantile
from .gamma_family import digamma_difference
from .gamma_large import MODERATE, large_shape, of_large_shapes, quantile_of_large_shapes
from .improved import Improved, improved_value
from .incomplete import beta_first, beta_second, gamma_shape, gammaincc, lower_beta, odds_of
from .inverses import Distribution, complement, distribution, inverse, positive
from .stirling_powers import gamma_ratio
from .ufunc_rules import INTEGER, constant, pointwise, rule

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
    "denominator_degrees",
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
    "times_density",
    "tklmbda",
]


# chi-squared, gamma (rate a, shape b) and Poisson: DLMF 8.2.4

_chi_squared = distribution(
    special.chdtr,
    "v x",
    lambda v, x: gamma_shape(v / 2, x / 2) / 2,
    lambda v, x: gamma_density(v / 2, x / 2) / 2,
)
_chi_squared_complement = complement(special.chdtrc, _chi_squared)
chdtr = of_large_shapes(special.chdtr, lambda v, x: (v / 2, x / 2), -1.0, [MODERATE, ANY])
chdtrc = of_large_shapes(special.chdtrc, lambda v, x: (v / 2, x / 2), 1.0, [MODERATE, ANY])
inverse(special.chdtri, "v p", _chi_squared_complement)
chdtri = quantile_of_large_shapes(special.chdtri, lambda v, p: (v / 2, p, 0.5), 1.0, [MODERATE, ANY])
inverse(special.chdtriv, "p x", _chi_squared)
chdtriv = large_shape(special.chdtriv, lambda p, x: (x / 2, p), -1.0, [ANY, MODERATE], lambda a: 2 * a)


def _product_slope(b: Any, factor: Any, other: Any) -> Any:
    """The derivative of `gammainc(b, factor other)` in `other`; at `factor = 0` by `x g(b, x) = b g(b + 1, x)`."""
    x = factor * other
    density = gamma_density(b, x)
    is_lost = (raw(factor) == 0) & np.isinf(raw(density))
    if not np.any(is_lost):
        return factor * density
    limit = b * gamma_density(b + 1, x) / np.where(is_lost & (raw(other) != 0), other, 1.0)
    return np.where(is_lost, limit, factor * np.where(is_lost, 0.0, density))


_gamma = distribution(
    special.gdtr,
    "a b x",
    lambda a, b, x: _product_slope(b, x, a),
    lambda a, b, x: gamma_shape(b, a * x),
    lambda a, b, x: _product_slope(b, a, x),
    variables="a x",
)
complement(special.gdtrc, _gamma)
gdtr = of_large_shapes(special.gdtr, lambda a, b, x: (b, a * x), -1.0, [ANY, MODERATE, ANY])
gdtrc = of_large_shapes(special.gdtrc, lambda a, b, x: (b, a * x), 1.0, [ANY, MODERATE, ANY])
inverse(special.gdtria, "p b x", _gamma)
inverse(special.gdtrib, "a p x", _gamma)
inverse(special.gdtrix, "a b p", _gamma)
gdtria = quantile_of_large_shapes(special.gdtria, lambda p, b, x: (b, p, x), -1.0, [ANY, MODERATE, ANY])
gdtrib = large_shape(special.gdtrib, lambda a, p, x: (a * x, p), -1.0, [up_to(360.0), ANY, up_to(360.0)], lambda a: a)
gdtrix = quantile_of_large_shapes(special.gdtrix, lambda a, b, p: (b, p, a), -1.0, [ANY, MODERATE, ANY])

_poisson = Distribution(
    ("k", "m"),
    lambda k, m: gammaincc(k + 1, m),
    (lambda k, m: -gamma_shape(k + 1, m), lambda k, m: -gamma_density(k + 1, m)),
)
"""The one that `pdtrik` inverts, of a real `k`; `pdtr` itself is constant between whole numbers."""

rule(special.pdtr, "k m", constant, lambda w, k, m: -gamma_density(np.floor(k) + 1, m))
rule(special.pdtrc, "k m", constant, lambda w, k, m: gamma_density(np.floor(k) + 1, m))
rule(special.pdtri, "k p", INTEGER, lambda w, k, p: -1 / gamma_density(np.floor(k) + 1, w))
pdtr = of_large_shapes(special.pdtr, lambda k, m: (np.floor(k) + 1, m), 1.0, [MODERATE, ANY])
pdtrc = of_large_shapes(special.pdtrc, lambda k, m: (np.floor(k) + 1, m), -1.0, [MODERATE, ANY])
pdtri = quantile_of_large_shapes(special.pdtri, lambda k, p: (np.floor(k) + 1, p, 1.0), 1.0, [MODERATE, ANY])
inverse(special.pdtrik, "p m", _poisson, steps=1)
pdtrik = large_shape(special.pdtrik, lambda p, m: (m, p), 1.0, [ANY, MODERATE], lambda a: a - 1)

# binomial, negative binomial, beta: DLMF 8.17.1, and I(p; k + 1, n - k) = 1 - I(1 - p; n - k, k + 1)


def _binomial(k: Any, n: Any, p: Any) -> Any:
    """`-d bdtr / dp`."""
    return beta_density(np.floor(k) + 1, n - np.floor(k), p)


def _upper(a: Any, b: Any, x: Any) -> Any:
    """`betaincc`, which in SciPy is much slower than `betainc`: by itself only where it, and `x`, are small."""
    is_swapped = x >= 0.1
    first, second = np.where(is_swapped, b, a), np.where(is_swapped, a, b)
    value = betainc(first, second, np.where(is_swapped, 1 - x, x))
    is_small = ~is_swapped & (value > 0.98)
    out = np.where(is_swapped, value, 1 - value)
    if not np.any(is_small):
        return out
    return np.where(is_small, betaincc(*[np.where(is_small, c, 1.0) for c in (a, b, x)]), out)


def _binomial_count(k: Any, n: Any, p: Any) -> Any:
    odds = odds_of(p)
    return beta_second(k + 1, n - k, odds) - beta_first(k + 1, n - k, odds)


_real_binomial = Distribution(
    ("k", "n", "p"),
    lambda k, n, p: _upper(k + 1, n - k, p),
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


def _second_shape(z: Any, a: Any, log_y: Any) -> Any:
    """About the `b` where `betainc(a, b, x) = ndtr(z)`: Wise, Biometrika 37 (1950) 208, and Wilson and Hilferty."""
    root = np.maximum(1 - 1 / (9 * a) + z / (3 * np.sqrt(a)), 0.1)
    return np.maximum(-a * root**3 / log_y - (a - 1) / 2, 0.1)


def _guess_of_bdtrik(z: Any, y: Any, n: Any, p: Any) -> Any:
    """Cornish and Fisher's expansion."""
    k = n * p - 0.5 + z * np.sqrt(n * p * (1 - p)) + (1 - 2 * p) * (z * z - 1) / 6
    return np.clip(k, -0.9, n - 0.1)


def _guess_of_nbdtrik(z: Any, y: Any, n: Any, p: Any) -> Any:
    """Where `p` is large, by the same expansion."""
    k = (n * (1 - p) + z * np.sqrt(n * (1 - p)) + (2 - p) * (z * z - 1) / 6) / p - 0.5
    return np.where((p > 0.35) & (k > -0.5), k, _second_shape(z, n, np.log1p(-p)) - 1)


_BELOW = 1 - 1e-9
"""Times the probability of 0 there surely is no solution."""

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
bdtrik = inverse(
    special.bdtrik,
    "y n p",
    _real_binomial,
    steps=1,
    guess=_guess_of_bdtrik,
    has_none=lambda y, n, p: y < _BELOW * (1 - p) ** n,
    example=_BDTRIK_EXAMPLE,
)
bdtrin = inverse(
    special.bdtrin,
    "k y p",
    _real_binomial,
    steps=1,
    guess=lambda z, k, y, p: k + _second_shape(-z, k + 1, np.log1p(-p)),
    at_one=lambda k, y, p: np.where((p > 0) & (p < 1) & (k > 0), k, np.nan),
    example=_BDTRIN_EXAMPLE,
)
rule(nbdtr, "k n p", INTEGER, INTEGER, lambda w, k, n, p: beta_density(n, k + 1, p))
rule(nbdtrc, "k n p", INTEGER, INTEGER, lambda w, k, n, p: -beta_density(n, k + 1, p))
rule(nbdtri, "k n y", INTEGER, INTEGER, lambda w, k, n, y: 1 / beta_density(n, k + 1, w))
nbdtrik = inverse(
    special.nbdtrik,
    "y n p",
    _negative_binomial,
    steps=1,
    guess=_guess_of_nbdtrik,
    has_none=lambda y, n, p: y < _BELOW * p**n,
)
nbdtrin = inverse(
    special.nbdtrin,
    "k y p",
    _negative_binomial,
    steps=1,
    guess=lambda z, k, y, p: _second_shape(-z, k + 1, np.log(p)),
)
inverse(btdtria, "p b x", lower_beta)
inverse(btdtrib, "a p x", lower_beta)

# F: the beta distribution with shapes dfn / 2 and dfd / 2 at the odds dfn x / dfd


def _fisher_density(dfn: Any, dfd: Any, x: Any) -> Any:
    return odds_density(dfn / 2, dfd / 2, dfn * x / dfd) * dfn / dfd


def times_density(density: Any, x: Any) -> Any:
    """`density x`, and 0 where `x` is, even if the density is infinite there."""
    is_end = (raw(x) == 0) & np.isinf(raw(density))
    return np.where(is_end, 0.0, density) * x if np.any(is_end) else density * x


def _numerator_degrees(dfn: Any, dfd: Any, x: Any) -> Any:
    change = times_density(_fisher_density(dfn, dfd, x), x) / dfn
    return beta_first(dfn / 2, dfd / 2, dfn * x / dfd) / 2 + change


def _denominator_degrees(dfn: Any, dfd: Any, x: Any) -> Any:
    change = times_density(_fisher_density(dfn, dfd, x), x) / dfd
    return beta_second(dfn / 2, dfd / 2, dfn * x / dfd) / 2 - change


_fisher = distribution(fdtr, "dfn dfd x", _numerator_degrees, _denominator_degrees, _fisher_density, variables="x")
complement(fdtrc, _fisher)
inverse(fdtri, "dfn dfd p", _fisher)


def denominator_degrees(z: Any, spread: Any, x: Any) -> Any:
    """Paulson's normal approximation, Ann. Math. Stat. 13 (1942) 233, solved for `2 / (9 dfd)`.

    `spread` is the variance of the cube root of the numerator, whose mean is `1 - spread`.
    """
    root = np.cbrt(x)
    excess = 1 - (1 - spread) / root
    inverse = excess + z * z / 2 - z * np.sqrt(excess + z * z / 4 + spread / (root * root))
    return 2 / (9 * np.where(inverse > 0, inverse, np.nan))


fdtridfd = inverse(
    special.fdtridfd,
    "dfn p x",
    _fisher,
    steps=1,
    search=positive,
    guess=lambda z, dfn, p, x: denominator_degrees(z, 2 / (9 * dfn), x),
)

# Student's t: 1 - I / 2 at t > 0 with the shapes df / 2 and 1 / 2 and the odds df / t**2.  About t = 0, where the two
# terms of the derivative in df cancel, it is the integral of that of the density; with tau = sqrt(df) tan(a)
# the density is cos(a)**(df - 1) da / B(df / 2, 1 / 2)


@pointwise(lambda w, df: w * (digamma_difference(df / 2, 0.5) - 1 / df) / 2)
def _student_scale(df: Any) -> Any:
    """The density at 0."""
    return gamma_ratio(df / 2) / math.sqrt(2 * math.pi)


def _student_density(df: Any, t: Any) -> Any:
    """That of the normal distribution without end of degrees of freedom."""
    is_normal = np.isinf(df)
    if np.any(is_normal):
        limit = np.exp(-t * t / 2) / np.sqrt(2 * np.pi)
        return np.where(is_normal, limit, _student_density(np.where(is_normal, 1.0, df), t))
    return np.exp(-xlog1py((df + 1) / 2, t * t / df)) * _student_scale(df)


def _density_degrees(df: Any, t: Any) -> Any:
    """The derivative of the density in `df`."""
    square = t * t / df
    rate = digamma_difference(df / 2, 0.5) - 1 / df - np.log1p(square) + (df + 1) / df * square / (1 + square)
    return _student_density(df, t) * rate / 2


def _degrees_by_beta(df: Any, t: Any) -> Any:
    """The derivative in `df`, where `t` is not 0."""
    return -np.sign(t) * beta_first(df / 2, 0.5, df / (t * t)) / 4 - _student_density(df, t) * t / (2 * df)


_FAR = 1e-100
"""Of the odds, and of the degrees of freedom: above, what the series needs is a normal number."""


def _degrees_far(df: Any, t: Any) -> Any:
    """The same where the odds are not more than 1, as the density times `|t|` is `x**a y**b / B(a, b)`."""
    derivative, power = first_derivative_at_short(df / 2, np.full_like(df, 0.5), df / (t * t))
    return -np.sign(t) * (derivative / 4 + power / (2 * df))


_NODES = 12
_PLACES, _WEIGHTS = (x[_NODES:] for x in np.polynomial.legendre.leggauss(2 * _NODES))


def _degrees_about_zero(df: Any, t: Any) -> Any:
    """The same by Gauss' rule in `a`, as the integrand is even of that for twice the interval."""
    end = np.arctan(t / np.sqrt(df))
    offset, factor, power = digamma_difference(df / 2, 0.5) - 1 / df, (df + 1) / df, (df - 1) / 2
    total: Any = 0.0
    for place, weight in zip(_PLACES, _WEIGHTS, strict=True):
        sine = np.sin(end * place)
        square = sine * sine
        log = np.log1p(-square)
        total = total + weight * np.exp(power * log) * (offset + log + factor * square)
    return total * end * _student_scale(df) * np.sqrt(df) / 2


_NEAR_ZERO = 1e-12
"""In place of `t = 0`, where the odds are infinite."""


def _again(w: Any, df: Any, t: Any) -> Any:
    t = t + np.where(t == 0, _NEAR_ZERO, 0.0)
    return slope_along(lambda df: _degrees_by_beta(df, t), df, raw(df) * 0 + 1)


@pointwise(_again, lambda w, df, t: _density_degrees(df, t))
@in_double
def _student_degrees(df: Any, t: Any) -> Any:
    df, t = np.broadcast_arrays(df, t)
    square = t * t
    is_near = (np.abs(t) <= 4) & (square <= 6 * df) & (df < np.inf)
    is_far = ~is_near & (square >= df) & (df > _FAR * square) & (df > _FAR)
    out = np.empty_like(df)
    for places, slope in (
        (is_near, _degrees_about_zero),
        (is_far, _degrees_far),
        (~(is_near | is_far), _degrees_by_beta),
    ):
        if np.any(places):
            out[places] = slope(df[places], t[places])
    return np.where(np.isinf(df), 0.0, out)


_student = distribution(stdtr, "df t", _student_degrees, _student_density, variables="t")
inverse(special.stdtrit, "df p", _student)
stdtrit = FarQuantile(special.stdtrit, far_student_quantile)


def _student_difference(p: Any, df: Any, t: Any) -> Any:
    """`stdtr(df, t) - p`; about `t = 0`, where it hardly depends on `df`, by what both differ from 1/2."""
    is_central = np.abs(p - 0.5) < 0.25
    x = np.where(is_central, t * t / (df + t * t), np.nan)
    center = np.sign(t) / 2 * betainc(0.5, df / 2, x) - (p - 0.5)
    return np.where(is_central, center, stdtr(np.where(is_central, np.nan, df), t) - p)


def _guess_of_stdtridf(z: Any, p: Any, t: Any) -> Any:
    """Fisher's expansion of `t` in `1 / df`, solved to second order: Abramowitz and Stegun 26.7.5."""
    excess, z = np.abs(t) - np.abs(z), np.abs(z)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return (first + np.sqrt(first * first + 4 * second * excess)) / (2 * np.where(excess > 0, excess, np.nan))


stdtridf = inverse(
    special.stdtridf,
    "p t",
    _student._replace(difference=_student_difference),
    steps=1,
    search=positive,
    guess=_guess_of_stdtridf,
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

# Tukey's lambda: x = (w**l - (1 - w)**l) / l


def _tukey_density(w: Any, lmbda: Any) -> Any:
    return np.power(w, lmbda - 1) + np.power(1 - w, lmbda - 1)


def _tukey_shape(w: Any, x: Any, lmbda: Any) -> Any:
    is_end = (raw(w) == 0) | (raw(w) == 1)
    if np.any(is_end):
        return np.where(is_end, 0.0, _tukey_shape(np.where(is_end, 0.5, w), x, lmbda))
    logs = np.log(w), np.log1p(-w)
    terms = [log**2 * hyp1f1(2.0, 3.0, lmbda * log) / 2 for log in logs]
    return (terms[1] - terms[0]) / _tukey_density(w, lmbda)


_TUKEY_TAIL = 0.01
_TUKEY_ERROR = 1e-12
"""SciPy's search for a smaller value may be far off: its absolute error is about 1e-17."""


def _tukey_value(w: Any, x: Any, lmbda: Any) -> Any:
    """In the lower tail Newton's method; a tiny value begins where `1 - w` is 1 in the equation."""
    in_tail = (w < _TUKEY_TAIL) & (x > -np.inf) & (x * lmbda > -1)
    if not np.any(in_tail):
        return w
    x, lmbda, given = (a[in_tail] * np.float64(1) for a in np.broadcast_arrays(x, lmbda, w))
    u = np.where((given < _TUKEY_ERROR) & (lmbda < 1), inv_boxcox(x, lmbda), given)
    for _ in range(3):
        excess = boxcox(u, lmbda) - boxcox1p(-u, lmbda) - x
        u = u - excess / _tukey_density(u, lmbda)
    out = np.array(w)
    out[in_tail] = np.where(np.abs(u - given) < _TUKEY_ERROR, u, given)
    return out


def _tukey(w: Any, x: Any, lmbda: Any) -> Any:
    with np.errstate(all="ignore"):
        value = _tukey_value(*stop_gradient((w, x, lmbda)))
    return improved_value(w, value=value.astype(raw(w).dtype)[()])


rule(
    special.tklmbda,
    "x lmbda",
    lambda w, x, lmbda: 1 / _tukey_density(_tukey(w, x, lmbda), lmbda),
    lambda w, x, lmbda: _tukey_shape(_tukey(w, x, lmbda), x, lmbda),
)
tklmbda = Improved(special.tklmbda, _tukey_value)
