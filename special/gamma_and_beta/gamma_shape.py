"""Derivatives of the incomplete gamma functions in their shape, of every order, central and noncentral.

With `P(m, x, y) = sum_j e**-x x**j / j! gammainc(m + j, y)` (`x = 0`: `gammainc` itself) and a contour that comes from
minus infinity, encircles the origin and passes to the left of 1,

    1 - P(m, x, y) = 1 / (2 pi i) int e**(x (1 / s - 1) + y (s - 1)) s**-m / (1 - s) ds

(Gil, Segura, Temme, ACM Trans. Math. Softw. 40 (2014) 20: the Marcum Q-function).  A derivative in `m` is a factor
`-log s`, which cancels the pole at 1: the integral then holds along every such contour, and nothing is left of the
transition at `y = m + x`.  All derivatives in all arguments are integrals of one family,

    K(m, x, y; n, k) = 1 / (2 pi i) int e**(x (1 / s - 1) + y (s - 1)) s**-m (-log s)**n (1 - s)**-k ds,

for `d/dm` adds 1 to `n`, `d/dy` is `-K(k - 1)`, and `d/dx` is `K(m + 1, k - 1)`; `K(0, 0)` is the density in `y`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.special import gammaln

from ..numerics.contours import LONG_BLOCK, in_double, leibniz, times_power
from ..numerics.stirling_powers import log_less_excess
from ..numerics.warned import warn
from ..ufuncs.ufunc_rules import pointwise
from .digamma_differences import polygamma_of
from .gamma_descent import descent, log_shifted
from .poisson_mixtures import gamma_is_short, gamma_mixture_derivative
from .positive_mixtures import gamma_density_is_short, gamma_mixture_density, gamma_mixture_density_derivative

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""


def _inside(m: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Where there is something to integrate, and the value elsewhere: 0 on the boundary of the domain, NaN outside."""
    inside = (m >= 0) & (x >= 0) & (y > 0) & (m < np.inf) & (x < np.inf) & (y < np.inf)
    return inside, np.where((m >= 0) & (x >= 0) & (y >= 0), 0.0, np.nan)


_PARABOLA_NODES = ((0.8, 20), (1.4, 26), (math.inf, 32))
"""How many nodes the parabola needs that reaches to `v` less than this."""
_SMALLEST = 2.0
"""The shape for which the parabola is made where the shape itself is less."""


def _parabola(m: Any, x: Any, y: Any, order: int, power: int) -> Any:
    """The trapezoidal rule on the parabola `s = s0 (1 + i v)**2` through the saddle point `s0`.

    With `X = x / s0`, `Y = y s0` and `l = log(1 + v**2)` the saddle point is where `Y = X + m`, and the exponent is
    that at `s0` and

        -Y v**2 - X v**2 (3 + v**2) / (1 + v**2)**2 - m l + 2 i (Y v - X v / (1 + v**2)**2 - m atan v),

    in which nothing cancels.
    """
    nearest = np.maximum(m, _SMALLEST)
    Y = (nearest + np.sqrt(nearest * nearest + 4 * x * y)) / 2
    shift, s0 = (Y - y) / y, Y / y
    log_s0 = log_shifted(shift, s0)
    X = x / s0
    reach = _reach(nearest, X, Y)
    total = np.empty_like(reach)
    nearer = 0.0
    for limit, nodes in _PARABOLA_NODES:
        at = np.flatnonzero((reach >= nearer) & (reach < limit))
        if len(at):
            values = (np.broadcast_to(value, reach.shape)[at] for value in (m, X, Y, shift, log_s0))
            total[at] = _trapezoid(reach[at] / nodes, nodes, values, order, power)
        nearer = limit
    excess = (y - Y) / Y
    exponent = m * log_less_excess(y / Y, excess) + excess * (X * shift - (nearest - m))
    return np.exp(exponent) * s0 * (2 / math.pi) * total


def _trapezoid(step: Any, nodes: int, values: Iterable[Any], order: int, power: int) -> Any:
    m, X, Y, shift, log_s0 = values
    total = np.zeros_like(step)
    for k in range(nodes):
        v = (k + 0.5) * step
        square = v * v
        rest = 1 / (1 + square)
        modulus, angle = _log1p(square, rest), np.arctan(v)
        bent = X * rest * rest
        decay = Y * square + bent * square * (3 + square) + m * modulus
        phase = 2 * (Y * v - bent * v - m * angle)
        weight = times_power((1.0, v), (-log_s0 - modulus, -2 * angle), order)
        weight = times_power(weight, (square - shift * (1 - square), -2 * (1 + shift) * v), -power)
        total += np.exp(-decay) * (np.cos(phase) * weight[0] - np.sin(phase) * weight[1])
    return step * total


def _log1p(x: Any, rest: Any) -> Any:
    """`log(1 + x)` with `rest = 1 / (1 + x)`: twice as fast as NumPy's."""
    rounded = 1 + x
    return np.log(rounded) + (x - (rounded - 1)) * rest


def _reach(m: Any, X: Any, Y: Any) -> Any:
    """The `v` where the integrand is negligible, by Newton's method in `t = v**2` from the Gaussian's."""
    t = _DEPTH / (2 * (Y + X))
    for _ in range(3):
        decay = Y * t + X * t * (3 + t) / (1 + t) ** 2 + m * np.log1p(t)
        t = t - (decay - _DEPTH) / (Y + X * (3 - t) / (1 + t) ** 3 + m / (1 + t))
    return np.sqrt(t)


_LARGEST = 2.0**16
"""The largest shape for the path of steepest descent."""
_TINY = 1e-100


@pointwise(
    lambda w, a, y, *, order, power: gamma_integral(a, y, order=order + 1, power=power),
    lambda w, a, y, *, order, power: -gamma_integral(a, y, order=order, power=power - 1),
)
@in_double(block=LONG_BLOCK)
def gamma_integral(a: Any, y: Any, *, order: int, power: int) -> Any:
    """`K(a, 0, y; order, power)`; with power 1 the derivative of `gammaincc(a, y)` of an order in `a`."""
    a, y = np.broadcast_arrays(a, y)
    is_moderate = (a >= 0) & (a <= _LARGEST) & (y >= _TINY) & (y < np.inf)
    if np.all(is_moderate):
        return descent(a, y, order, power)
    out = np.empty_like(a)
    for chosen, integral in ((is_moderate, descent), (~is_moderate, _far_out)):
        if np.any(chosen):
            out[chosen] = integral(a[chosen], y[chosen], order, power)
    return out


def _far_out(a: Any, y: Any, order: int, power: int) -> Any:
    """`K(a, 0, y)` for a large shape, on the boundary of the domain, outside, and where `y` is tiny."""
    out = _on_parabola(a, np.zeros_like(a), y, order, power)
    at: Any = np.flatnonzero((y > 0) & (y < _TINY) & (a >= 0)) if power == 1 else []
    if len(at):
        out[at] = _first_term(a[at], np.log(y[at]), order)
    return out


def _first_term(a: Any, log_y: Any, order: int) -> Any:
    """The derivative of `-y**a / gamma(a + 1)` in `a`: what there is of `gammaincc` where `y` is tiny."""

    def rate(k: int) -> Any:
        return (log_y if k == 0 else 0.0) - polygamma_of(a + 1, n=k)

    derivatives = [-np.exp(a * log_y - gammaln(a + 1))]
    for n in range(order):
        derivatives.append(leibniz(n, rate, derivatives.__getitem__))
    return derivatives[order]


@pointwise(
    lambda w, m, x, y, *, order, power: noncentral_gamma_integral(m, x, y, order=order + 1, power=power),
    lambda w, m, x, y, *, order, power: noncentral_gamma_integral(m + 1, x, y, order=order, power=power - 1),
    lambda w, m, x, y, *, order, power: -noncentral_gamma_integral(m, x, y, order=order, power=power - 1),
)
@in_double(block=LONG_BLOCK)
def noncentral_gamma_integral(m: Any, x: Any, y: Any, *, order: int, power: int) -> Any:
    """`K(m, x, y; order, power)`; with power 1 the derivative of the complement of `P` of an order in `m`."""
    m, x, y = np.broadcast_arrays(m, x, y)
    is_short = _is_short(m, x, y, order, power)
    out = np.empty_like(m)
    for chosen, integral in ((is_short, _by_mixture), (~is_short, _on_parabola)):
        if np.any(chosen):
            out[chosen] = integral(m[chosen], x[chosen], y[chosen], order, power)
    return out


_TINY_PAIR = 1e-5
"""Of the distance of the shape from 1, where it may have been rounded, and of the argument."""
_SMALL = 2.0
"""Of the shape: where it is less, the contour loses digits of the derivative of the density at small arguments."""
_SHORT = {(0, 0): gamma_density_is_short, (1, 1): gamma_is_short}
"""Where the mixture gives the density, and the first derivative in the shape."""


def _is_short(m: Any, x: Any, y: Any, order: int, power: int) -> Any:
    """Where the mixture gives one of these, or the derivative of the density in the argument at a small shape."""
    if (order, power) == (0, -1):
        return (m < _SMALL) & gamma_density_is_short(m, x, y)
    known = _SHORT.get((order, power))
    return np.zeros_like(m, dtype=bool) if known is None else known(m, x, y)


def _by_mixture(m: Any, x: Any, y: Any, order: int, power: int) -> Any:
    if power == -1:
        distance = np.abs(m - 1)
        if np.any((distance > 0) & (np.maximum(distance, y) < _TINY_PAIR)):
            warn(
                "the second derivative of chndtr in x and nc has few digits where both x and the distance of df from 0 "
                "or 2 are below 1e-5. Keep one of them away from there."
            )
        return -gamma_mixture_density_derivative(m, x, y)
    if order == 0:
        return gamma_mixture_density(m, x, y)
    return -gamma_mixture_derivative(m, x, y, lambda m, y: -descent(m, y, 1, 1))


def _on_parabola(m: Any, x: Any, y: Any, order: int, power: int) -> Any:
    inside, outside = _inside(m, x, y)
    m, x, y = np.where(inside, m, 1.0), np.where(inside, x, 0.0), np.where(inside, y, 1.0)
    return np.where(inside, _parabola(m, x, y, order, power), outside)
