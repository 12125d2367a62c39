"""Rules for compiled functions of `scipy.stats`, for traced values; plain values get SciPy's functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import numpy as np
from scipy import special, stats
from scipy.special import _ufuncs
from scipy.stats import _multivariate, _qmvnt, _stats

from .... import linalg
from ....complex_autograd.array.creation import asarray
from ....complex_autograd.engine.dispatch import are_mapped, mappable
from ....complex_autograd.engine.hooks import HOOKS
from ....complex_autograd.engine.trace import UFUNCS
from ....complex_autograd.engine.traced import depth_of, raw
from ....complex_autograd.optimization.of_items import method_together_or_one_by_one
from ....special.ufuncs.ufunc_rules import pointwise
from ... import numerics
from ...rebinding import Around
from .integrals import quad
from .values import either, is_traced, moved_to, replaces, solution

__all__ = ["DISTRIBUTIONS"]


def _normal(x: Any) -> Any:
    return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)


# The bivariate normal distribution: P(X > h, Y > k) where the correlation is r


def _in_h(w: Any, h: Any, k: Any, r: Any) -> Any:
    """`-phi(h) P(Y > k | X = h)`, and 0 where `h` is infinite."""
    away = np.isinf(raw(h))
    h = np.where(away, 0.0, h)
    return np.where(away, 0.0, -_normal(h) * special.ndtr((r * h - k) / np.sqrt(1 - r * r)))


def _in_r(w: Any, h: Any, k: Any, r: Any) -> Any:
    """The density at `(h, k)` (Plackett's identity), and 0 where one is infinite."""
    away = np.isinf(raw(h)) | np.isinf(raw(k))
    h, k = np.where(away, 0.0, h), np.where(away, 0.0, k)
    q = (h * h - 2 * r * h * k + k * k) / (2 * (1 - r * r))
    return np.where(away, 0.0, np.exp(-q) / (2 * np.pi * np.sqrt(1 - r * r)))


@pointwise(_in_h, lambda w, h, k, r: _in_h(w, k, h, r), _in_r)
def _beyond(h: Any, k: Any, r: Any) -> Any:
    return np.asarray(_qmvnt._bvnu(float(h), float(k), float(r)))


def _bound(h: Any) -> Any:
    """An array, and a constant where it is infinite."""
    return asarray(raw(h) if np.isinf(raw(h)) else h)


def _smirnov_quantile(n: Any, p: Any) -> Any:
    """`w` where `smirnovc(n, w) = p`."""
    n = raw(n)
    return solution(
        _ufuncs._smirnovci(n, raw(p)),
        lambda w, p: _ufuncs._smirnovc(n, w) - p,
        lambda w, p: -_ufuncs._smirnovp(n, w),
        p,
    )


UFUNCS[_ufuncs._smirnovci] = _smirnov_quantile

# Von Mises: a Fourier series, of which exp(-j**2 / (2 kappa)) is the size of the terms


def _von_mises_cdf(kappa: Any, x: Any) -> Any:
    """`1/2 + x / (2 pi) + sum_j I_j(kappa) sin(j x) / (pi j I_0(kappa))`, integrated from its density's series."""
    largest = float(np.max(raw(kappa), initial=0.0))
    j = np.arange(1, int(30 + 9 * np.sqrt(largest)))
    k, y = np.expand_dims(kappa, -1), np.expand_dims(x, -1)
    series = np.sum(special.ive(j, k) / special.ive(0, k) * np.sin(j * y) / j, axis=-1)
    value = _stats.von_mises_cdf(*np.broadcast_arrays(np.atleast_1d(raw(kappa)), np.atleast_1d(raw(x))))
    return moved_to(value, np.atleast_1d(0.5 + x / (2 * np.pi) + series / np.pi))


# Generalized inverse Gaussian and hyperbolic distributions, by their densities


def _geninvgauss_logpdf(x: Any, p: Any, b: Any) -> Any:
    constant = -np.log(2.0) - np.log(special.kve(p, b)) + b
    return constant + (p - 1) * np.log(x) - b * (x + 1 / x) / 2


def _genhyperbolic_logpdf(x: Any, p: Any, a: Any, b: Any) -> Any:
    d, e = np.sqrt((a - b) * (a + b)), np.sqrt(1 + x * x)
    constant = p * np.log(d) - np.log(2 * np.pi) / 2 - (p - 0.5) * np.log(a) - np.log(special.kve(p, d)) + d
    return constant + b * x + np.log(special.kve(p - 0.5, a * e)) - a * e + (p - 0.5) * np.log(e)


def _integrated(theirs: Callable[..., Any], integral: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a distribution that integrates a compiled density, by a density of Python's."""
    elementwise = numerics.vectorize(integral, otypes=[np.float64])

    @replaces(theirs)
    def method(self: Any, *args: Any) -> Any:
        return elementwise(*args)

    return method


def _geninvgauss_cdf(x: Any, p: Any, b: Any) -> Any:
    return quad(lambda t: np.exp(_geninvgauss_logpdf(t, p, b)), 0.0, x)[0]


def _genhyperbolic_cdf(x: Any, p: Any, a: Any, b: Any) -> Any:
    return quad(lambda t: np.exp(_genhyperbolic_logpdf(t, p, a, b)), -np.inf, x, epsabs=0.0, epsrel=1e-10)[0]


def _genhyperbolic_sf(x: Any, p: Any, a: Any, b: Any) -> Any:
    return quad(lambda t: np.exp(_genhyperbolic_logpdf(t, p, a, b)), x, np.inf, epsabs=0.0, epsrel=1e-10)[0]


# Kernel density estimates: in the whitened variables L^-1 x, of which the covariance L L^T is 1


def _log_kernels(points: Any, xi: Any, lower: Any) -> Any:
    """The logarithm of each point's normal density (a column) at each place of evaluation (a row)."""
    x, y = (linalg.solve_triangular(lower, np.transpose(a), lower=True) for a in (points, xi))
    squares = np.sum((y[:, :, None] - x[:, None, :]) ** 2, axis=0)
    return -squares / 2 - np.sum(np.log(np.diagonal(lower))) - len(x) / 2 * np.log(2 * np.pi)


def _kernel_estimate(points: Any, values: Any, xi: Any, lower: Any, dtype: Any, _: Any = 0) -> Any:
    return (np.exp(_log_kernels(points, xi, lower)) @ values).astype(dtype)


def _log_kernel_estimate(points: Any, values: Any, xi: Any, lower: Any, dtype: Any, _: Any = 0) -> Any:
    exponents = _log_kernels(points, xi, lower)
    largest = np.max(raw(exponents), axis=1, keepdims=True)
    return (largest + np.log(np.exp(exponents - largest) @ values)).astype(dtype)


class _OfTypes:
    """A function of Cython's with a version for each type of numbers, `f["double"]`, and one for traced values."""

    def __init__(self, theirs: Any, ours: Callable[..., Any]) -> None:
        self._theirs, self._ours = theirs, ours

    def __getitem__(self, types: str) -> Callable[..., Any]:
        return either(self._theirs[types], self._ours)


# What NumPy's functions and BLAS are given in forms that traced values have not


def _gennorm_stats(theirs: Callable[..., Any]) -> Callable[..., Any]:
    @replaces(theirs)
    def stats(self: Any, beta: Any) -> Any:
        c1, c3, c5 = (special.gammaln(k / beta) for k in (1.0, 3.0, 5.0))
        return 0.0, np.exp(c3 - c1), 0.0, np.exp(c5 + c1 - 2.0 * c3) - 3.0

    return stats


def _trsm(alpha: Any, a: Any, b: Any, side: int = 0, lower: Any = 0) -> Any:
    """`alpha a^-1 b`, or with `side=1` `alpha b a^-1`, where `a` is triangular."""
    if side == 0:
        return linalg.solve_triangular(a, alpha * b, lower=bool(lower))
    return linalg.solve_triangular(a.T, alpha * b.T, lower=not lower).T


def _blas_functions(theirs: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(theirs)
    def functions(names: Any, arrays: Any = (), *args: Any, **options: Any) -> Any:
        found = theirs(names, [raw(a) for a in arrays], *args, **options)
        return either(found, _trsm) if names == "trsm" else found

    return functions


_METHODS = ("cdf", "isf", "logcdf", "logpdf", "logpmf", "logsf", "pdf", "pmf", "ppf", "sf")


def _undefined(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a distribution, which treats each element alone, so that items of mapped values go together.

    Its derivative is NaN where its value is, which SciPy writes there as a constant.
    """

    @wraps(theirs)
    def method(self: Any, *args: Any, **options: Any) -> Any:
        if are_mapped((args, options)):
            return HOOKS.mapped_elements(partial(method, self), args, options)
        found = theirs(self, *args, **options)
        if not is_traced(args, options):
            return found
        unknown = np.isnan(raw(found))
        if type(unknown) in (np.ndarray, np.bool_) and not unknown.any():
            return found
        for x in (*args, *options.values()):
            if depth_of(x):
                found = found + np.where(unknown, np.nan, 0.0) * np.where(np.isinf(raw(x)), 0.0, x)
        return found

    return method


def _expect(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """`expect` of the standardized variable `t = (x - loc) / scale`, whose density and support do not move."""

    def method(
        self: Any, func: Any = None, args: Any = (), loc: Any = 0, scale: Any = 1,
        lb: Any = None, ub: Any = None, *rest: Any, **kw: Any,
    ) -> Any:  # fmt: skip
        if not is_traced((loc, scale), {}):
            return theirs(self, func, args, loc, scale, lb, ub, *rest, **kw)

        def of_standardized(t: Any, *args: Any) -> Any:
            x = loc + scale * t
            return x if func is None else func(x, *args)

        lb, ub = (None if end is None else (end - loc) / scale for end in (lb, ub))
        if kw.get("points") is not None:
            kw["points"] = (asarray(kw["points"]) - loc) / scale
        return theirs(self, of_standardized, args, 0, 1, lb, ub, *rest, **kw)

    return method


_OF_VECTORS = [
    f"{kind}.{name}"
    for kind, made in vars(_multivariate).items()
    if isinstance(made, type) and issubclass(made, _multivariate.multi_rv_generic)
    for name, method in vars(made).items()
    if callable(method) and not name.startswith("_") and name not in ("fit", "rvs")
]
"""The methods of the distributions of vectors and matrices, by class."""


DISTRIBUTIONS: dict[str, dict[str, Any]] = {
    "scipy.stats._continuous_distns": {
        "genhyperbolic_gen._cdf": Around(lambda theirs: _integrated(theirs, _genhyperbolic_cdf)),
        "genhyperbolic_gen._sf": Around(lambda theirs: _integrated(theirs, _genhyperbolic_sf)),
        "geninvgauss_gen._cdf": Around(lambda theirs: _integrated(theirs, _geninvgauss_cdf)),
        "gennorm_gen._stats": Around(_gennorm_stats),
    },
    "scipy.stats._distn_infrastructure": {
        f"{kind}.{name}": Around(_undefined)
        for kind in ("rv_continuous", "rv_discrete")
        for name in _METHODS
        if hasattr(getattr(stats, kind), name)
    }
    | {"rv_continuous.expect": Around(_expect), "rv_generic.freeze": Around(method_together_or_one_by_one)},
    "scipy.stats._multivariate": {
        "get_blas_funcs": Around(_blas_functions),
        **{name: Around(mappable) for name in _OF_VECTORS},
    },
    "scipy.stats._qmvnt": {"_bvnu": either(_qmvnt._bvnu, lambda *args: _beyond(*map(_bound, args)))},
    "scipy.stats._stats": {
        "gaussian_kernel_estimate": _OfTypes(_stats.gaussian_kernel_estimate, _kernel_estimate),
        "gaussian_kernel_estimate_log": _OfTypes(_stats.gaussian_kernel_estimate_log, _log_kernel_estimate),
        "genhyperbolic_logpdf": either(_stats.genhyperbolic_logpdf, _genhyperbolic_logpdf),
        "genhyperbolic_pdf": either(_stats.genhyperbolic_pdf, lambda *args: np.exp(_genhyperbolic_logpdf(*args))),
        "geninvgauss_logpdf": either(_stats.geninvgauss_logpdf, _geninvgauss_logpdf),
        "von_mises_cdf": either(_stats.von_mises_cdf, _von_mises_cdf),
    },
}
"""By module and name."""
