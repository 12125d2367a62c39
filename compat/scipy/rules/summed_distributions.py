"""Rules of distributions that SciPy sums and integrates by compiled code: its values, with derivatives of our sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.special import _ufuncs
from scipy.stats import _ksstats

from ....complex_autograd.engine.elementwise import missing
from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import depth_of, raw
from ....special.ufuncs.ufunc_rules import RULES, pointwise, rule
from ... import numerics
from ...rebinding import Around
from .values import either, moved_to, replaces

__all__ = ["SUMMED"]


def _with_derivatives_of(*formulas: Callable[..., Any]) -> Around:
    """A method of a distribution, with a formula in numbers for each of the first arrays that it returns."""
    elementwise = [numerics.vectorize(f, otypes=[np.float64]) for f in formulas]

    def around(theirs: Callable[..., Any]) -> Callable[..., Any]:
        @replaces(theirs)
        def method(self: Any, *args: Any, **options: Any) -> Any:
            found = theirs(self, *map(raw, args), **options)
            if not any(map(depth_of, args)):
                return found
            if len(formulas) == 1:  # a probability that SciPy rounds to 0 is a constant
                return np.where(found == 0, 0.0, moved_to(found, elementwise[0](*args)))
            return (*(moved_to(x, f(*args)) for x, f in zip(found, elementwise, strict=False)), *found[len(formulas) :])

        return method

    return Around(around)


def _refused(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A method of Lévy's stable distributions, whose integrands are compiled."""

    @replaces(theirs)
    def method(self: Any, *args: Any) -> Any:
        if any(map(depth_of, args)):
            raise NotDifferentiableError(
                "scipy.stats.levy_stable",
                "its integrands are compiled. Call stats.norm, cauchy or levy for alpha = 2, 1 and 1/2, or integrate "
                "the characteristic function with integrate.quad",
            )
        return theirs(self, *args)

    return method


# Noncentral hypergeometric distributions: of n objects of one kind among M, x are among the N that are drawn


def _ways(x: Any, M: Any, n: Any, N: Any) -> Any:
    """The logarithm of `C(n, x) C(M - n, N - x)`, but for a constant."""
    return -special.betaln(x + 1, n - x + 1) - special.betaln(N - x + 1, M - n - N + x + 1)


def _fisher(x: Any, M: Any, n: Any, N: Any, odds: Any) -> Any:
    """`p(x)` is proportional to `C(n, x) C(M - n, N - x) odds**x`."""
    k = _support(M, n, N)
    return 1 / np.sum(np.exp(_ways(k, M, n, N) - _ways(x, M, n, N) + (k - x) * np.log(odds)))


_T = np.linspace(-3.2, 3.2, 513)
_LOG_U, _LOG_REST = -np.log1p(np.exp(-np.pi * np.sinh(_T))), -np.log1p(np.exp(np.pi * np.sinh(_T)))
_LOG_WEIGHT = np.log(np.pi * np.cosh(_T) * (_T[1] - _T[0])) + _LOG_REST
"""Nodes and weights of the double exponential formula on (0, 1), for `du / u`."""


def _wallenius(x: Any, M: Any, n: Any, N: Any, odds: Any) -> Any:
    """`C(n, x) C(M - n, N - x) D` times the integral of `u**(D - 1) (1 - u**odds)**x (1 - u)**(N - x)` from 0 to 1.

    With `D = odds (n - x) + M - n - (N - x)`, what is left in the urn (Fog, Commun. Stat. Simul. Comput. 37, 2008).
    """
    d = odds * (n - x) + M - n - N + x
    if raw(d) == 0:
        return 1.0 + 0.0 * odds
    constant = _ways(x, M, n, N) - np.log(n + 1) - np.log(M - n + 1)
    powers = d * _LOG_U + x * np.log(-np.expm1(odds * _LOG_U)) + (N - x) * _LOG_REST
    return d * np.sum(np.exp(constant + powers + _LOG_WEIGHT))


def _support(M: Any, n: Any, N: Any) -> Any:
    return np.arange(max(0, N + n - M), min(N, n) + 1)


def _moments_of(pmf: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The mean and the variance."""

    def mean(M: Any, n: Any, N: Any, odds: Any) -> Any:
        return sum(k * pmf(k, M, n, N, odds) for k in _support(M, n, N))

    def variance(M: Any, n: Any, N: Any, odds: Any) -> Any:
        return sum((k - mean(M, n, N, odds)) ** 2 * pmf(k, M, n, N, odds) for k in _support(M, n, N))

    return mean, variance


# The studentized range: with s = exp(u), of which nu s**2 is of chi2(nu), and z normal


def _range_of(power: int, q: Any, k: Any, nu: Any) -> Any:
    """The mean over `s` of the integral of `k phi(z) (Phi(z + q s) - Phi(z))**(k - 1)` in `z`, or its derivative.

    By sums over equal steps, which converge exponentially: `s` has the density `exp(nu (u - exp(2 u) / 2))` in `u`.
    """
    number = float(raw(nu))
    u, weight = np.zeros(1), np.ones(1)
    if number < 1e5:  # as SciPy, which takes s = 1 from there on
        width = np.sqrt(37 / number)
        u = np.arange(-max(37 / number + 0.5 if number < 37 else 0.0, 1.5 * width), width, min(0.2, width / 20))
        constant = np.log(2.0) + nu / 2 * np.log(nu / 2) - special.gammaln(nu / 2)
        weight = np.exp(constant + nu * (u - np.exp(2 * u) / 2)) * (u[1] - u[0])
    z = np.arange(-8.5, 8.5, 0.125)
    step = q * np.exp(u)[:, None]
    small = raw(step) < 1e-7
    there = np.where(small, 1.0, step)
    between = np.where(z > 0, special.ndtr(-z) - special.ndtr(-z - there), special.ndtr(z + there) - special.ndtr(z))
    between = np.where(small, step * _normal(z + step / 2), between)
    inner = k * _normal(z) * between ** (k - 1)
    if power:
        inner = k * (k - 1) * _normal(z) * _normal(z + step) * between ** (k - 2) * np.exp(u)[:, None]
    return 0.125 * np.sum(weight * np.sum(inner, axis=1))


def _normal(x: Any) -> Any:
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


# The two-sided Kolmogorov-Smirnov statistic of n points


@pointwise(lambda w, x, n: missing("scipy.stats.kstwo.pdf", "it is found by differences", "x")(w, x))
def _kolmogorov_density(x: Any, *, n: Any) -> Any:
    return _ksstats.kolmognp(n, x)


@pointwise(lambda w, x, n, cdf: np.where(cdf, 1.0, -1.0) * _kolmogorov_density(x, n=n))
def _kolmogorov(x: Any, *, n: Any, cdf: Any) -> Any:
    return _ksstats.kolmogn(n, x, cdf)


@pointwise(lambda w, q, n, cdf: np.where(cdf, 1.0, -1.0) / _kolmogorov_density(w, n=n))
def _kolmogorov_quantile(q: Any, *, n: Any, cdf: Any) -> Any:
    return _ksstats.kolmogni(n, q, cdf)


# The Landau distribution. The integral of exp(s log(s) + y s) ds / (2 pi i) is the density of y = pi x / 2 +
# log(pi / 2): on the curve s = r exp(i f) with log(r) = -y - f / tan(f) the exponent is the real number -r f / sin(f),
# and along the negative half-line s = -t it is the integral of exp(-t log(t) - y t) sin(pi t) / pi.


def _landau_on_curve(y: Any, order: int) -> Any:
    t, step = np.linspace(-40.0, 40.0, 2001, retstep=True)
    f, rest = np.pi * special.expit(t), np.pi * special.expit(-t)
    sine, cosine = np.sin(np.minimum(f, rest)), np.cos(f)
    with np.errstate(over="ignore", invalid="ignore"):
        s = np.exp(-y - f * cosine / sine + 1j * f)
        along = s * ((f / sine - cosine) / sine + 1j)
        inside = np.exp(-np.abs(s) * f / sine) * np.imag(s**order * along)
    return np.sum(np.nan_to_num(inside, nan=0.0) * f * rest, axis=-1) * step / np.pi**2


def _landau_on_line(y: Any, order: int) -> Any:
    u, step = np.linspace(-60.0, 4.0, 1281, retstep=True)
    t = np.exp(u)
    with np.errstate(over="ignore", under="ignore"):
        return np.sum((-t) ** order * t * np.exp(-t * u - y * t) * np.sin(np.pi * t), axis=-1) * step / np.pi


def _next_landau(w: Any, x: Any, order: int) -> Any:
    return _landau(x, order=order + 1)


@pointwise(_next_landau)
def _landau(x: Any, *, order: int) -> Any:
    """The derivative of an order of the density, with the factor `s**order` in the integral, which is a sum."""
    y = np.expand_dims(np.pi * x / 2 + np.log(np.pi / 2), -1)
    found = np.where(
        y[..., 0] > 0, _landau_on_line(np.maximum(y, 0.0), order), _landau_on_curve(np.minimum(y, 0.0), order)
    )
    return (np.pi / 2) ** (order + 1) * found


def _landau_pdf(x: Any, loc: Any, scale: Any) -> Any:
    return _ufuncs._landau_pdf(x, loc, scale)


def _landau_derivative(x: Any, loc: Any, scale: Any) -> Any:
    return _landau((x - loc) / scale, order=1) / scale**2


rule(
    _ufuncs._landau_pdf,
    "x loc scale",
    lambda w, x, loc, scale: _landau_derivative(x, loc, scale),
    lambda w, x, loc, scale: -_landau_derivative(x, loc, scale),
    lambda w, x, loc, scale: -((x - loc) * _landau_derivative(x, loc, scale) + w) / scale,
)
for _ufunc, _sign in ((_ufuncs._landau_cdf, 1), (_ufuncs._landau_sf, -1)):
    rule(
        _ufunc,
        "x loc scale",
        lambda w, x, loc, scale, s=_sign: s * _landau_pdf(x, loc, scale),
        lambda w, x, loc, scale, s=_sign: -s * _landau_pdf(x, loc, scale),
        lambda w, x, loc, scale, s=_sign: -s * (x - loc) / scale * _landau_pdf(x, loc, scale),
    )
for _ufunc, _sign in ((_ufuncs._landau_ppf, 1), (_ufuncs._landau_isf, -1)):
    rule(
        _ufunc,
        "p loc scale",
        lambda w, p, loc, scale, s=_sign: s / _landau_pdf(w, loc, scale),
        lambda w, p, loc, scale: np.ones_like(w),
        lambda w, p, loc, scale: (w - loc) / scale,
    )
for _name in ("pdf", "cdf", "sf", "ppf", "isf"):
    del RULES[getattr(_ufuncs, f"_landau_{_name}")]  # which are no functions of wirtinger.special


SUMMED: dict[str, dict[str, Any]] = {
    "scipy.stats._continuous_distns": {
        "studentized_range_gen._cdf": _with_derivatives_of(lambda *args: _range_of(0, *args)),
        "studentized_range_gen._pdf": _with_derivatives_of(lambda *args: _range_of(1, *args)),
    },
    "scipy.stats._ksstats": {
        "kolmogn": either(_ksstats.kolmogn, lambda n, x, cdf=True: _kolmogorov(x, n=n, cdf=cdf)),
        "kolmogni": either(_ksstats.kolmogni, lambda n, q, cdf=True: _kolmogorov_quantile(q, n=n, cdf=cdf)),
        "kolmognp": either(_ksstats.kolmognp, lambda n, x: _kolmogorov_density(x, n=n)),
    },
    "scipy.stats._levy_stable": {f"levy_stable_gen.{name}": Around(_refused) for name in ("_cdf", "_pdf")},
    "scipy.stats._discrete_distns": {
        f"nchypergeom_{name}_gen.{method}": _with_derivatives_of(*formulas)
        for name, pmf in (("fisher", _fisher), ("wallenius", _wallenius))
        for method, formulas in (("_pmf", (pmf,)), ("_stats", _moments_of(pmf)))
    },
}
"""By module and name."""
