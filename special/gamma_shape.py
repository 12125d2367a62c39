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
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import gammaln

from ..backends import backend_of
from .contours import LONG_BLOCK, in_double, leibniz, times_power
from .gamma_family import polygamma_of
from .poisson_mixtures import gamma_density_is_short, gamma_is_short, gamma_mixture_density, gamma_mixture_slope
from .stirling_powers import log_less_excess
from .ufunc_rules import pointwise

__all__ = ["gamma_integral", "noncentral_gamma_integral"]

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""


def _inside(m: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """Where there is something to integrate, and the value elsewhere: 0 on the boundary of the domain, NaN outside."""
    inside = (m >= 0) & (x >= 0) & (y > 0) & (m < np.inf) & (x < np.inf) & (y < np.inf)
    return inside, np.where((m >= 0) & (x >= 0) & (y >= 0), 0.0, np.nan)


# on the path of steepest descent


_SPACING = 0.363
"""Of the nodes for shapes from 1 to 2, as far as the exponent is concerned; it is fine enough for 2."""
_COARSEST = 0.29
"""The other saddle points of the exponent, at `q**2 = 2 pi i k`, are at least 1.77 from the path."""
_LARGEST = 2.0**16
"""The largest shape that is computed so."""
_TINY = 1e-100
_CHUNK = 1024
"""So many elements at a time: what is computed of them at all nodes stays in the cache."""


class _Nodes(NamedTuple):
    """The spacing of the nodes in `q`; at the nodes `log(s / s0)`, `1 - s / s0`, and `ds / s0` with the weight."""

    spacing: float
    logarithm: Any
    gap: Any
    step: Any


@cache
def _nodes(level: int) -> _Nodes:
    """The midpoints for shapes from `2**level` to twice that, to where the integrand of the first is negligible."""
    h = min(_SPACING / math.sqrt(2**level), _COARSEST)
    q = (np.arange(math.ceil(math.sqrt(_DEPTH / 2**level) / h)) + np.longdouble(0.5)) * h
    angle = np.minimum(math.sqrt(2) * q, math.pi - np.minimum(math.pi / (2 + q * q), 2))
    for _ in range(60):
        sine, cotangent = np.sin(angle), 1 / np.tan(angle)
        slope = angle / sine**2 + 1 / angle - 2 * cotangent
        excess = 1 - angle * cotangent + np.log(angle / sine) - q * q
        angle = np.clip(angle - excess / slope, angle / 2, (angle + math.pi) / 2)
    modulus = angle / np.sin(angle)
    gap = 1 - angle / np.tan(angle) - 1j * angle
    turn = modulus * (1 / angle - 1 / np.tan(angle)) + 1j * modulus
    step = turn * (np.cos(angle) + 1j * np.sin(angle)) * (h * 2 * q / slope)
    return _Nodes(h, *[np.array(column, complex) for column in (np.log(modulus) + 1j * angle, gap, step)])


@cache
def _coefficients(order: int, power: int, level: int, is_small: bool) -> tuple[Any, Any]:
    """At the nodes the coefficients of the integrand: of its numerator, and of `|D|**2`.

    With the gap `D = s0 gap - shift` it is `step (-log s)**order D**-power`, and `1 / D = conj(D) / |D|**2`.  The
    numerator is a polynomial in `log(s0)**j` times the `_products` of `s0` and `-shift`.
    """
    nodes, p = _nodes(level), abs(power)
    gap = np.conjugate(nodes.gap) if power > 0 else nodes.gap
    step = nodes.step * (1 - nodes.gap) if is_small else nodes.step
    columns = [
        (math.comb(order, j) * math.comb(p, i) * (-1) ** order * step * nodes.logarithm ** (order - j) * gap**i).imag
        for j in range(order + 1)
        for i in range(p + 1)
    ]
    squares = [np.ones(len(gap)), 2 * gap.real, np.abs(gap) ** 2]
    return np.stack(columns, axis=1), np.stack(squares, axis=1)


def _powers(x: Any, n: int) -> Any:
    """`x**i` for all `i` to `n`."""
    rows = np.ones_like(x, shape=(n + 1, *x.shape))
    for i in range(n):
        np.multiply(rows[i], x, out=rows[i + 1])
    return rows


def _products(x: Any, y: Any, n: int) -> Any:
    """`x**i y**(n - i)` for all `i`."""
    rows = _powers(x, n)
    rows *= _powers(y, n)[::-1]
    return rows


def _along(m: Any, shift: Any, s0: Any, log_s0: Any, order: int, power: int, level: int, is_small: bool) -> Any:
    """The sum over the nodes, by products of matrices."""
    constant = backend_of(m).namespace.asarray
    coefficients, squares = _coefficients(order, power, level, is_small)
    shift = -shift
    powers = _powers(log_s0, order)[:, None] * _products(s0, shift, abs(power))
    values = constant(coefficients) @ np.reshape(powers, (-1, *m.shape))
    if power > 0:
        values /= constant(squares) @ _products(s0, shift, 2)
    return np.einsum("ki,ki->i", _gaussian(m * _nodes(level).spacing ** 2, len(values)), values)


def _gaussian(width: Any, count: int) -> Any:
    """`exp(-width (k + 1/2)**2)` for all `k`: the ratios of neighbours are the powers of one number."""
    values = np.empty_like(width, shape=(count, *width.shape))
    step = np.exp(-2 * width)
    ratio = np.ones_like(step)
    values[0] = np.exp(-width / 4)
    for k in range(1, count):
        np.multiply(ratio, step, out=ratio)
        np.multiply(values[k - 1], ratio, out=values[k])
    return values


def _descent(a: Any, y: Any, order: int, power: int) -> Any:
    """`K(a, 0, y)` on `s = s0 r(theta) e**(i theta)`, `s0 = a / y`, `r = theta / sin(theta)`.

    There the exponent is real.  It is `-a q**2` with `q**2 = 1 - theta cot(theta) + log(r)`, so in the variable `q`
    the nodes are the same for all `y` and for a range of `a`.  Where `a` is small the path is that of `a + 1`.
    """
    is_small = a < 1
    m = a + is_small
    shift, s0 = (m - y) / y, m / y
    log_s0 = _logarithm(shift, s0)
    total = np.empty_like(m)
    kind = np.frexp(m)[1] - (1 + is_small)
    for number in range(int(np.min(kind, initial=0)), int(np.max(kind, initial=-1)) + 1):
        places = np.flatnonzero(kind == number)
        for k in range(0, len(places), _CHUNK):
            at = places[k : k + _CHUNK]
            total[at] = _along(m[at], shift[at], s0[at], log_s0[at], order, power, max(number, 0), number < 0)
    return np.exp(m * log_less_excess(y / m, (y - m) / m)) * np.where(is_small, s0 * s0, s0) / math.pi * total


def _logarithm(shift: Any, s0: Any) -> Any:
    """`log(1 + shift)`, where `s0` is `1 + shift` rounded."""
    return np.log(s0) + (shift - (s0 - 1)) / s0


# on a parabola

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
    log_s0 = _logarithm(shift, s0)
    X = x / s0
    reach = _reach(nearest, X, Y)
    total = np.empty_like(reach)
    nearer = 0.0
    for limit, nodes in _PARABOLA_NODES:
        at = np.flatnonzero((reach >= nearer) & (reach < limit))
        if len(at):
            values = (np.broadcast_to(value, reach.shape)[at] for value in (m, X, Y, shift, log_s0))
            total[at] = _trapezoid(reach[at] / nodes, nodes, *values, order, power)
        nearer = limit
    excess = (y - Y) / Y
    exponent = m * log_less_excess(y / Y, excess) + excess * (X * shift - (nearest - m))
    return np.exp(exponent) * s0 * (2 / math.pi) * total


def _trapezoid(step: Any, nodes: int, m: Any, X: Any, Y: Any, shift: Any, log_s0: Any, order: int, power: int) -> Any:
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
        return _descent(a, y, order, power)
    out = np.empty_like(a)
    for places, integral in ((is_moderate, _descent), (~is_moderate, _far_out)):
        if np.any(places):
            out[places] = integral(a[places], y[places], order, power)
    return out


def _far_out(a: Any, y: Any, order: int, power: int) -> Any:
    """`K(a, 0, y)` for a large shape, on the boundary of the domain, outside, and where `y` is tiny."""
    out = _on_parabola(a, np.zeros_like(a), y, order, power)
    at = np.flatnonzero((y > 0) & (y < _TINY) & (a >= 0)) if power == 1 else []
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
    is_short = _SHORT[order, power](m, x, y) if (order, power) in _SHORT else np.zeros_like(m, dtype=bool)
    out = np.empty_like(m)
    for places, integral in ((is_short, _by_mixture), (~is_short, _on_parabola)):
        if np.any(places):
            out[places] = integral(m[places], x[places], y[places], order, power)
    return out


_SHORT = {(0, 0): gamma_density_is_short, (1, 1): gamma_is_short}
"""Where the mixture gives the density, and the first derivative in the shape."""


def _by_mixture(m: Any, x: Any, y: Any, order: int, power: int) -> Any:
    if order == 0:
        return gamma_mixture_density(m, x, y)
    return -gamma_mixture_slope(m, x, y, lambda m, y: -_descent(m, y, 1, 1))


def _on_parabola(m: Any, x: Any, y: Any, order: int, power: int) -> Any:
    inside, outside = _inside(m, x, y)
    m, x, y = np.where(inside, m, 1.0), np.where(inside, x, 0.0), np.where(inside, y, 1.0)
    return np.where(inside, _parabola(m, x, y, order, power), outside)
