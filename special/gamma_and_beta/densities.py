"""Densities of the gamma, beta and F distributions, with derivatives that also hold at the ends of the support.

Inside, the derivative is the density times a rational function.  At an end that is 0 times infinity; there the power of
the argument is lowered together with the gamma function of its shape, which gives the difference of two densities

    gamma:  p(a - 1, x) - p(a, x),
    beta:   (a + b - 1) (p(a - 1, b, x) - p(a, b - 1, x)),
    F:      b (p(a - 1, b + 1, X) - p(a, b + 1, X)) in the odds X,

and so every order.  A density whose shape is 0 is that of a point, so it is 0 elsewhere (and here also at the point).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betaln, digamma, gammaln, gammasgn, xlog1py, xlogy

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import is_pole
from ..numerics.stirling_powers import beta_power, gamma_power
from ..ufuncs.ufunc_rules import pointwise
from .digamma_differences import digamma_difference, polygamma_of, trigamma_difference


def _derivative(is_end: Any, rate: Callable[[Any], Any], difference: Callable[[], Any], w: Any, x: Any) -> Any:
    """`rate(x) w` inside and where the density is infinite, else the difference at an end."""
    if not np.any(is_end):
        return rate(x) * w
    is_finite_end = is_end & ~np.isinf(raw(w))
    with np.errstate(all="ignore"):
        return np.where(is_finite_end, difference(), rate(np.where(is_finite_end, 0.5, x)) * w)


def _gamma_derivative(w: Any, a: Any, x: Any) -> Any:
    return _derivative(raw(x) == 0, lambda x: (a - 1 - x) / x, lambda: gamma_density(a - 1, x) - w, w, x)


def _beta_derivative(w: Any, a: Any, b: Any, x: Any) -> Any:
    def difference() -> Any:
        return (a + b - 1) * (beta_density(a - 1, b, x) - beta_density(a, b - 1, x))

    is_end = (raw(x) == 0) | (raw(x) == 1)
    return _derivative(is_end, lambda x: (a - 1) / x - (b - 1) / (1 - x), difference, w, x)


def _odds_derivative(w: Any, a: Any, b: Any, odds: Any) -> Any:
    def difference() -> Any:
        return b * (odds_density(a - 1, b + 1, odds) - odds_density(a, b + 1, odds))

    return _derivative(raw(odds) == 0, lambda odds: (a - 1) / odds - (a + b) / (1 + odds), difference, w, odds)


def _with_sign(density: Any, *shapes: Any) -> Any:
    """The density, continued to shapes that are not positive; that of two has `gamma` of their sum above them."""
    for a in shapes:
        if np.any(a <= 0):
            density = np.where(is_pole(a), 0.0, density * gammasgn(a))
    total = sum(shapes)
    if len(shapes) > 1 and np.any(total < 0):
        density = density * np.where(is_pole(total), 1.0, gammasgn(total))
    return density


_LARGE = 50.0
"""Of the shapes, or their sum: beyond, the exponents lose digits."""


def _refined(density: Any, is_large: Any, better: Callable[..., Any], *args: Any) -> Any:
    """The density, by Stirling's formula where a shape is large."""
    if not np.any(is_large):
        return density
    shape = np.shape(density)
    here, out, *vectors = (np.reshape(np.broadcast_to(x, shape), (-1,)) for x in (is_large, density, *args))
    out = np.copy(out)
    out[here] = better(*[x[here] * np.float64(1) for x in vectors])
    return np.reshape(out, shape)[()]


@pointwise(lambda w, a, x: xlogy(w, x) - w * digamma(a), _gamma_derivative)
def gamma_density(a: Any, x: Any) -> Any:
    """`x**(a - 1) exp(-x) / gamma(a)`, which is 0 at infinity, and everywhere if the shape is infinite."""
    is_infinite = np.isinf(x) | np.isinf(a)
    if not np.any(is_infinite):
        density = _with_sign(np.exp(xlogy(a - 1.0, x) - x - gammaln(a)), a)
        return _refined(density, (a > _LARGE) & (x > 0), lambda a, x: gamma_power(a, x) / x, a, x)
    return np.where(is_infinite, 0.0, gamma_density(*[np.where(is_infinite, 1.0, y) for y in (a, x)]))


def _are_large(a: Any, b: Any) -> Any:
    return (a > 0) & (b > 0) & (a + b > _LARGE) & (a < np.inf) & (b < np.inf)


@pointwise(
    lambda w, a, b, x: xlogy(w, x) + w * digamma_difference(a, b),
    lambda w, a, b, x: xlog1py(w, -x) + w * digamma_difference(b, a),
    _beta_derivative,
)
def beta_density(a: Any, b: Any, x: Any) -> Any:
    """`x**(a - 1) (1 - x)**(b - 1) / B(a, b)`, which is 0 if a shape is infinite."""
    is_infinite = np.isinf(a) | np.isinf(b)
    if np.any(is_infinite):
        inner = beta_density(np.where(is_infinite, 1.0, a), np.where(is_infinite, 1.0, b), x)
        return np.where(is_infinite, 0.0 * inner, inner)
    density = _with_sign(np.exp(xlogy(a - 1.0, x) + xlog1py(b - 1.0, -x) - betaln(a, b)), a, b)

    def better(a: Any, b: Any, x: Any) -> Any:
        return beta_power(a, b, x / (1 - x))[0] / (x * (1 - x))

    return _refined(density, _are_large(a, b) & (x > 0) & (x < 1), better, a, b, x)


def exponential_derivative(w: Any, rate: Callable[[int, int], Any], n: int, m: int) -> Any:
    """The derivative of orders `(n, m)` of `w = exp(h)` in two parameters, by Leibniz's rule from those of `h`."""
    if n + m == 0:
        return w
    first, second = (1, 0) if n else (0, 1)
    return sum(
        math.comb(n - first, i) * math.comb(m - second, j) * rate(n - i, m - j) * exponential_derivative(w, rate, i, j)
        for i in range(n - first + 1)
        for j in range(m - second + 1)
    )


def _times_log_x(w: Any, odds: Any) -> Any:
    """`w log(x)` at `x = X / (1 + X)`, without cancellation."""
    is_large = raw(odds) > 1
    moderate = np.where(is_large, 1.0, odds)
    product = xlogy(w, moderate) - xlog1py(w, moderate)
    return np.where(is_large, -xlog1py(w, 1 / np.where(is_large, odds, 2.0)), product) if np.any(is_large) else product


def odds_density_in_shapes(w: Any, a: Any, b: Any, odds: Any, orders: tuple[int, int]) -> Any:
    """The derivative of these orders in `a` and `b` of `w = odds_density(a, b, odds)`."""

    def rate(i: int, j: int) -> Any:
        if i + j == 1:
            return (
                _times_log_x(1.0, odds) + digamma_difference(a, b) if i else digamma_difference(b, a) - np.log1p(odds)
            )
        if i and j:
            return polygamma_of(a + b, n=i + j - 1)
        own, other = (a, b) if i else (b, a)
        if i + j == 2:
            return trigamma_difference(own, other)
        return polygamma_of(a + b, n=i + j - 1) - polygamma_of(own, n=i + j - 1)

    return exponential_derivative(w, rate, *orders)


@pointwise(
    lambda w, a, b, odds: _times_log_x(w, odds) + w * digamma_difference(a, b),
    lambda w, a, b, odds: w * digamma_difference(b, a) - xlog1py(w, odds),
    _odds_derivative,
)
def odds_density(a: Any, b: Any, odds: Any) -> Any:
    """`X**(a - 1) (1 + X)**(-a - b) / B(a, b)`."""
    density = _with_sign(np.exp(xlogy(a - 1.0, odds) - xlog1py(a + b, odds) - betaln(a, b)), a, b)

    def better(a: Any, b: Any, odds: Any) -> Any:
        return beta_power(a, b, odds)[0] / odds

    return _refined(density, _are_large(a, b) & (odds > 0) & (odds < np.inf), better, a, b, odds)


_TERMS = 6


def from_zero(density: Callable[[Any], Any], near_zero: Callable[[int], Any], nc: Any, x: Any) -> Any:
    """A noncentral density, at 0 by the Poisson mixture of the central ones, each smaller by a factor `x`."""
    is_zero = raw(x) == 0
    if not np.any(is_zero):
        return density(x)
    weight, total = np.exp(-nc / 2), 0.0
    for j in range(_TERMS):
        total = total + weight * near_zero(j)
        weight = weight * nc / (2 * (j + 1))
    return np.where(is_zero, total, density(np.where(is_zero, 1.0, x)))
