"""Rules of the ufuncs that `scipy.stats` uses and `scipy.special` does not show.

Their values are SciPy's.  Their derivatives are those of what each of them is, written in functions that have a rule;
of a quantile, those of the equation that it solves.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any

import numpy as np
from scipy import special
from scipy.special import _ufuncs

from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.trace import UFUNCS
from ....complex_autograd.engine.traced import depth_of, raw
from ....complex_autograd.transforms.grad import jvp
from .values import moved_to, solution

__all__: list[str] = []

Formula = Callable[..., Any]


def _rule(ufunc: Any, formula: Formula) -> None:
    """A ufunc with the derivatives of a formula."""

    def call(*args: Any) -> Any:
        return moved_to(ufunc(*map(raw, args)), formula(*args))

    UFUNCS[ufunc] = call


def _quantile(ufunc: Any, distribution: Formula, density: Formula) -> None:
    """The solution `w` of `F(w, a) = q` for the arguments `(q, a)`: `F` is monotonous, and its density of its sign."""

    def call(q: Any, *a: Any) -> Any:
        value = ufunc(raw(q), *map(raw, a))
        return solution(value, lambda w, q, *a: distribution(w, *a) - q, lambda w, q, *a: density(w, *a), q, *a)

    UFUNCS[ufunc] = call


def _refused(ufunc: Any, reason: str) -> None:
    """A ufunc without derivatives."""

    def call(*args: Any) -> Any:
        raise NotDifferentiableError(f"scipy.special.{ufunc.__name__}", reason)

    UFUNCS[ufunc] = call


def _piecewise_constant(ufunc: Any) -> Formula:
    """A quantile of a discrete distribution: an integer, as `numpy.floor` returns one."""
    return lambda *args: ufunc(*map(raw, args))


def _whole(ufunc: Any, function: Formula, *integers: int) -> None:
    """A rule in what is no whole number; those have no derivative."""

    def formula(*args: Any) -> Any:
        for i in integers:
            if depth_of(args[i]):
                raise NotDifferentiableError(f"scipy.special.{ufunc.__name__}", "it is an integer", f"argument {i}")
        return function(*[raw(a) if i in integers else a for i, a in enumerate(args)])

    _rule(ufunc, formula)


def _derivative(f: Formula, x: Any, *a: Any) -> Any:
    """The derivative of an elementwise function in its first argument."""
    return jvp(lambda x: f(x, *a), (x,), (np.ones(np.shape(x)),))[1]


# Elementary functions

_rule(_ufuncs._sinpi, lambda x: np.sin(np.pi * x))
_rule(_ufuncs._cospi, lambda x: np.cos(np.pi * x))
_rule(_ufuncs._log1mexp, lambda x: np.log(-np.expm1(x)))
_rule(_ufuncs._log1pmx, lambda x: np.log1p(x) - x)
_rule(_ufuncs._lgam1p, lambda x: special.gammaln(1 + x))
_rule(_ufuncs._scaled_exp1, lambda x: x * np.exp(x) * special.exp1(x))
_rule(_ufuncs._iv_ratio, lambda v, x: special.ive(v, x) / special.ive(v - 1, x))
_rule(_ufuncs._iv_ratio_c, lambda v, x: 1 - special.ive(v, x) / special.ive(v - 1, x))
_rule(_ufuncs._riemann_zeta, lambda x: special.zeta(x, 1.0))


def _harmonic(first: Any, last: Any, a: Any) -> Any:
    """The sum of `j**-a` over whole numbers."""
    first, last = np.broadcast_arrays(raw(first), raw(last))
    top = int(np.max(last, initial=0))
    j = np.arange(1.0, top + 1)
    inside = (j >= first[..., None]) & (j <= last[..., None])
    return np.sum(np.where(inside, j ** -np.expand_dims(a, -1), 0.0), -1)


_whole(_ufuncs._gen_harmonic, lambda n, a: _harmonic(1, n, a), 0)
_whole(
    _ufuncs._normalized_gen_harmonic, lambda j, k, n, a: _harmonic(j, k, a) / _harmonic(1, n, a), 0, 1, 2
)  # fmt: skip

# Densities and distribution functions


def _beta_logpdf(x: Any, a: Any, b: Any) -> Any:
    return special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b)


def _binom_logpmf(k: Any, n: Any, p: Any) -> Any:
    return -special.betaln(1 + n - k, 1 + k) - np.log(n + 1) + special.xlogy(k, p) + special.xlog1py(n - k, -p)


def _nbinom_logpmf(k: Any, r: Any, p: Any) -> Any:
    coefficient = special.gammaln(r + k) - special.gammaln(k + 1) - special.gammaln(r)
    return coefficient + special.xlogy(r, p) + special.xlog1py(k, -p)


def _bdtr(k: Any, n: Any, p: Any) -> Any:
    """The distribution function of a binomial distribution, DLMF 8.17.5."""
    return _at_counts(lambda k, p: special.betaincc(k + 1, n - k, p), k, n, p)


def _at_counts(inside: Formula, k: Any, n: Any, p: Any) -> Any:
    """A distribution function, which is 1 from `n` on, and 0 below 0."""
    k = np.floor(k)
    is_inside = (k >= 0) & (k < n)
    return np.where(is_inside, inside(np.where(is_inside, k, 0), p), np.where(k < 0, 0.0, 1.0))


_rule(_ufuncs._beta_pdf, lambda x, a, b: np.exp(_beta_logpdf(x, a, b)))
UFUNCS[_ufuncs._beta_ppf] = lambda q, a, b: moved_to(
    _ufuncs._beta_ppf(raw(q), raw(a), raw(b)), special.betaincinv(a, b, q)
)
_whole(_ufuncs._binom_pmf, lambda k, n, p: np.exp(_binom_logpmf(k, n, p)), 0, 1)
_whole(_ufuncs._binom_cdf, _bdtr, 0, 1)
_whole(_ufuncs._binom_sf, lambda k, n, p: 1 - _bdtr(k, n, p), 0, 1)
_whole(_ufuncs._nbinom_pmf, lambda k, r, p: np.exp(_nbinom_logpmf(k, r, p)), 0)
_whole(_ufuncs._nbinom_cdf, lambda k, r, p: special.betainc(r, np.floor(k) + 1, p), 0)
_whole(_ufuncs._nbinom_sf, lambda k, r, p: special.betaincc(r, np.floor(k) + 1, p), 0)
_rule(_ufuncs._nbinom_mean, lambda r, p: r * (1 - p) / p)
_rule(_ufuncs._nbinom_variance, lambda r, p: r * (1 - p) / p**2)
_rule(_ufuncs._nbinom_skewness, lambda r, p: (2 - p) / np.sqrt(r * (1 - p)))
_rule(_ufuncs._nbinom_kurtosis_excess, lambda r, p: (6 + p**2 / (1 - p)) / r)
for _ufunc in (_ufuncs._binom_ppf, _ufuncs._binom_isf, _ufuncs._nbinom_ppf, _ufuncs._nbinom_isf):
    UFUNCS[_ufunc] = _piecewise_constant(_ufunc)
for _name in ("pmf", "cdf", "sf", "mean", "variance", "skewness"):
    _refused(getattr(_ufuncs, f"_hypergeom_{_name}"), "its arguments are integers")

_rule(_ufuncs._kolmogc, lambda x: 1 - special.kolmogorov(x))
_rule(_ufuncs._kolmogp, lambda x: _derivative(special.kolmogorov, x))
_quantile(_ufuncs._kolmogci, lambda x: 1 - special.kolmogorov(x), lambda x: -_ufuncs._kolmogp(x))
_whole(_ufuncs._smirnovc, lambda n, x: 1 - special.smirnov(n, x), 0)
_whole(_ufuncs._smirnovp, lambda n, x: _derivative(lambda x: special.smirnov(n, x), x), 0)

_rule(_ufuncs._cauchy_ppf, lambda q, loc, scale: loc + scale * np.tan(np.pi * (q - 0.5)))
_rule(_ufuncs._cauchy_isf, lambda q, loc, scale: loc - scale * np.tan(np.pi * (q - 0.5)))
_rule(_ufuncs._cosine_cdf, lambda x: (np.pi + x + np.sin(x)) / (2 * np.pi))
_quantile(
    _ufuncs._cosine_invcdf,
    lambda x: (np.pi + x + np.sin(x)) / (2 * np.pi),
    lambda x: (1 + np.cos(x)) / (2 * np.pi),
)


def _invgauss(x: Any, mu: Any, scale: Any) -> Any:
    """The distribution function of the inverse Gaussian distribution."""
    y = x / scale
    root = 1 / np.sqrt(y)
    return special.ndtr(root * (y / mu - 1)) + np.exp(2 / mu + special.log_ndtr(-root * (y / mu + 1)))


def _invgauss_density(x: Any, mu: Any, scale: Any) -> Any:
    y = x / scale
    return np.exp(-0.5 * ((y - mu) / mu) ** 2 / y) / np.sqrt(2 * np.pi * y**3) / scale


_quantile(_ufuncs._invgauss_ppf, _invgauss, _invgauss_density)
_quantile(_ufuncs._invgauss_isf, lambda *a: 1 - _invgauss(*a), lambda *a: -_invgauss_density(*a))


def _skewnorm(x: Any, loc: Any, scale: Any, shape: Any) -> Any:
    """The distribution function of the skew normal distribution, by Owen's function."""
    z = (x - loc) / scale
    return special.ndtr(z) - 2 * special.owens_t(z, shape)


def _skewnorm_density(x: Any, loc: Any, scale: Any, shape: Any) -> Any:
    z = (x - loc) / scale
    return 2 * np.exp(-z * z / 2) / np.sqrt(2 * np.pi) * special.ndtr(shape * z) / scale


_rule(_ufuncs._skewnorm_cdf, _skewnorm)
_quantile(_ufuncs._skewnorm_ppf, _skewnorm, _skewnorm_density)
_quantile(_ufuncs._skewnorm_isf, lambda *a: 1 - _skewnorm(*a), lambda *a: -_skewnorm_density(*a))

# Noncentral distributions: those of `scipy.special`, with other orders of arguments


_NONCENTRAL: dict[str, Callable[..., Any]] = {
    "ncx2": lambda x, k, nc: special.chndtr(x, k, nc),
    "ncf": lambda x, dfn, dfd, nc: special.ncfdtr(dfn, dfd, nc, x),
    "nct": lambda x, df, nc: special.nctdtr(df, nc, x),
}
for _name, _distribution in _NONCENTRAL.items():
    _pdf, _sf, _isf = (getattr(_ufuncs, f"_{_name}_{kind}") for kind in ("pdf", "sf", "isf"))
    _rule(_pdf, lambda *a, f=_distribution: _derivative(f, *a))
    _rule(_sf, lambda *a, f=_distribution: 1 - f(*a))
    _quantile(_isf, lambda *a, f=_distribution: 1 - f(*a), lambda *a, pdf=_pdf: -pdf(*a))


def _ncf_moments(n: Any, m: Any, nc: Any) -> list[Any]:
    """The raw moments of a noncentral F distribution of orders 1 to 4.

    It is a quotient `(X / n) / (Y / m)` of halves of chi-squared variables.  Given a Poisson number `J` of mean
    `nc / 2`, `X` is a gamma variable of shape `n / 2 + J`, whose moments are rising factorials; written in falling
    factorials of `J`, of means `(nc / 2)**j`, they have the mean below.
    """
    s, t, r = nc / 2, n / 2, m / 2
    return [
        (m / n) ** k * sum(comb(k, j) * s**j * _rising(t + j, k - j) for j in range(k + 1)) / _rising(r - k, k)
        for k in range(1, 5)
    ]


def _rising(x: Any, k: int) -> Any:
    """The rising factorial."""
    product = 1.0
    for j in range(k):
        product = product * (x + j)
    return product


def _nct_moments(df: Any, nc: Any) -> list[Any]:
    """The raw moments of a noncentral t distribution of orders 1 to 4: of `(Z + nc) / sqrt(Y / df)`."""

    def factor(k: int) -> Any:
        return (df / 2) ** (k / 2) * np.exp(special.gammaln((df - k) / 2) - special.gammaln(df / 2))

    powers = (nc, 1 + nc**2, nc**3 + 3 * nc, nc**4 + 6 * nc**2 + 3)
    return [factor(k) * p for k, p in enumerate(powers, 1)]


def _central(moments: list[Any]) -> tuple[Any, Any, Any, Any]:
    """Mean, variance, skewness and excess of kurtosis from raw moments."""
    m1, m2, m3, m4 = moments
    variance = m2 - m1**2
    third = m3 - 3 * m1 * m2 + 2 * m1**3
    fourth = m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4
    return m1, variance, third / variance**1.5, fourth / variance**2 - 3


for _i, _kind in enumerate(("mean", "variance", "skewness", "kurtosis_excess")):
    _rule(getattr(_ufuncs, f"_ncf_{_kind}"), lambda *a, i=_i: _central(_ncf_moments(*a))[i])
    _rule(getattr(_ufuncs, f"_nct_{_kind}"), lambda *a, i=_i: _central(_nct_moments(*a))[i])
