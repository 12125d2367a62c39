"""Derivatives of Tricomi's function `U(a, b, x)` in its parameters, `x > 0`.

For `a > 0` it is `int_0^inf exp(-x t) t**(a-1) (1 + t)**(b-a-1) dt / gamma(a)` (DLMF 13.4.4), by the trapezoidal
rule between the points where the integrand is negligible.  Other `a` follow, at `1 <= b < 3`, by the recurrence in `a`
downwards (DLMF 13.3.7) and then by that in `b` upwards (DLMF 13.3.10), in which U grows; `b < 1` by Kummer's
transformation (DLMF 13.2.40); and where `a` is a negative whole number that is not differentiated, U is a polynomial
(DLMF 13.2.7).  At `x = 0` and `b < 1` it is `gamma(1 - b) / gamma(a - b + 1)` (DLMF 13.2.18 to 13.2.22).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import gammaln

from ...backends import backend_of
from ..numerics.few_elements import added, nodes_at_once
from ..numerics.hypergeometric_series import dense, sparse, without_lost
from ..numerics.jets import Jet, choose, exponential, log_gamma, power, reciprocal_gamma, variables
from ..ufuncs.parameter_families import ParameterFamily
from ..ufuncs.regions import by_region, is_pole

__all__ = ["TRICOMI"]

_NODES, _MANY_NODES, _FLAT = 160, 3000, 1e-3
"""For arguments down to the last, and for smaller ones, where the integrand is flat over a long way."""

_AT_ONCE = 2048
"""Elements at a time, so that their exponents at some nodes stay in the cache."""

_SMALLEST = 0.1
"""From here on `a` is large enough for the integral: nearer to 0 its derivatives cancel against those of `gamma(a)`."""

_STEPS, _FEW_STEPS = 10000, 200
"""A recurrence is at most so long, and one of plain numbers."""

_DROP = 40.0
"""Where the integrand is `exp(-40)` of its largest value, the range of integration ends."""


def _tricomi(parameters: Sequence[Jet], x: Any, m: int) -> Jet:
    """The derivative of order `m` in `x`: `(-1)**m (a)_m U(a + m, b + m, x)`, DLMF 13.3.23."""
    a, b = parameters
    orders = a.orders
    factor: Any = 1.0
    for k in range(m):
        factor = -(a + float(k)) * factor
    first, second = a.value + m, b.value + m
    if type(x) is np.ndarray and x.shape == (1,) and sum(orders) == 0:
        number = _of_number(float(first[0]), float(second[0]), float(x[0]))
        if number is not None:
            value = Jet({(0, 0): np.array([number])}, orders)
            return factor * value if m else value
    is_polynomial = is_pole(first) & (orders[0] == 0)

    is_polynomial_too = is_pole(first - second + 1) & (second < 1) & (sum(orders) == 0)

    def ordinary(a: Any, b: Any, x: Any) -> list[Any]:
        return dense(_general(*variables(orders, a, b), x))

    def transformed(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        return dense(_general(first - second + 1.0, 2.0 - second, x) * power(x, 1.0 - second))

    def polynomial_after_all(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        return dense(_polynomial(first - second + 1.0, 2.0 - second, x) * power(x, 1.0 - second))

    def polynomial(a: Any, b: Any, x: Any) -> list[Any]:
        return dense(_polynomial(*variables(orders, a, b), x))

    def at_zero(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        return dense(reciprocal_gamma(first - second + 1.0) * exponential(log_gamma(1.0 - second)))

    def lost(a: Any, b: Any, x: Any) -> list[Any]:
        nothing = Jet({(0, 0): 0.0 * x}, orders)
        return dense(without_lost("hyperu", nothing, x == x))

    reduced_first, reduced_second = np.where(second < 1, (first - second + 1, 2 - second), (first, second))
    is_lost = (reduced_first <= _SMALLEST) & (np.maximum(-reduced_first, reduced_second) > _STEPS)

    regions = [
        (is_lost & (x > 0), lost),
        ((x == 0) & (second < 1), at_zero),
        (~(x > 0), lambda a, b, x: [x * np.nan] * math.prod(n + 1 for n in orders)),
        (is_polynomial, polynomial),
        (is_polynomial_too, polynomial_after_all),
        (second >= 1, ordinary),
        (second < 1, transformed),
    ]
    result = sparse(by_region(regions, first, second, x), orders)
    return factor * result if m else result


def _of_number(a: float, b: float, x: float) -> float | None:
    """The value of numbers, in the same ways, where these are short and it is no polynomial."""
    if b < 1:
        reflected = _of_number(a - b + 1, 2 - b, x)
        return None if reflected is None else reflected * x ** (1 - b)
    if a > _SMALLEST:
        return _integral_of_number(a, b, x) if x >= _FLAT else None
    if x < _FLAT or a % 1 == 0 or max(-a, b) > _FEW_STEPS:
        return None
    steps = int(b) - 1
    lowest = b - steps
    current, above = (_downwards_of_number(a, c, x) for c in (lowest, lowest + 1))
    for k in range(1, steps + 1):
        c = lowest + k
        current, above = above, ((c - 1 + x) * above - (c - a - 1) * current) / x
    return current


def _downwards_of_number(a: float, b: float, x: float) -> float:
    steps = math.floor(_SMALLEST - a) + 1
    current, above = (_integral_of_number(a + k, b, x) for k in (steps, steps + 1))
    for k in range(steps, 0, -1):
        c = a + k
        current, above = (2 * c - b + x) * current - c * (c - b + 1) * above, current
    return current


def _integral_of_number(a: float, b: float, x: float) -> float:
    p, q = a, b - a - 1
    peak, highest, low, high = _span(p, q, np.array([x]))
    h = (high - low) / _NODES
    terms, _, _ = _integrand(p, q, x, peak, highest, low + np.arange(_NODES + 1) * h)
    return float(np.sum(terms) * (h * np.exp(highest - gammaln(a)))[0])


def _polynomial(a: Jet, b: Jet, x: Any) -> Jet:
    """`U(-k-1) = (x - b - 2 k) U(-k) - k (k + b - 1) U(1-k)` from `U(0) = 1`, up to `-k = a`: DLMF 13.3.7."""
    degree = -a.value
    before = b * 0.0 + 0.0 * x
    current = before + 1.0
    for k in range(int(np.max(degree)) if degree.shape[0] else 0):
        following = (-b + (x - 2.0 * k)) * current - (b + (k - 1.0)) * before * float(k)
        is_active = k < degree
        before, current = choose(is_active, current, before), choose(is_active, following, current)
    return current


def _general(a: Jet, b: Jet, x: Any) -> Jet:
    """U of `b >= 1`: by the integral, or else `x U(b+1) = (b - 1 + x) U(b) - (b - a - 1) U(b-1)` from small `b`."""
    if bool(np.all(a.value > _SMALLEST)):
        return _integral(a, b, x)
    steps = np.where(a.value > _SMALLEST, 0.0, np.floor(b.value) - 1)
    lowest = b - steps
    current, above = _downwards(a, lowest, x), _downwards(a, lowest + 1.0, x)
    for k in range(int(np.max(steps))):
        c = lowest + (k + 1.0)
        following = ((c - 1.0 + x) * above - (c - a - 1.0) * current) / x
        is_active = k < steps
        current, above = choose(is_active, above, current), choose(is_active, following, above)
    return current


def _downwards(a: Jet, b: Jet, x: Any) -> Jet:
    """`U(a-1) = (2 a - b + x) U(a) - a (a - b + 1) U(a+1)` down from positive `a`."""
    steps = np.where(a.value > _SMALLEST, 0.0, np.floor(_SMALLEST - a.value) + 1)
    current, above = _integral(a + steps, b, x), _integral(a + (steps + 1), b, x)
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        c = a + float(k)
        below = (c * 2.0 - b + x) * current - c * (c - b + 1.0) * above
        is_active = k <= steps
        current, above = choose(is_active, below, current), choose(is_active, current, above)
    return current


def _integral(a: Jet, b: Jet, x: Any) -> Jet:
    """The integral with as many nodes as the argument asks for."""
    orders = a.orders
    slopes = [Jet({**p.coefficients, (0, 0): 0.0}, orders) for p in (a, b)]

    def with_nodes(count: int) -> Any:
        return lambda y, u, x: dense(_trapezoidal(slopes[0] + y, slopes[1] + u, x, count))

    regions = [(x >= _FLAT, with_nodes(_NODES)), (x < _FLAT, with_nodes(_MANY_NODES))]
    return sparse(by_region(regions, a.value, b.value, x), orders)


def _trapezoidal(a: Jet, b: Jet, x: Any, nodes: int) -> Jet:
    """With `t = exp(s)`: `int exp(g(s)) ds / gamma(a)`, `g = a s + (b - a - 1) log(1 + t) - x t`, which has one peak.

    `s = peak + u - expm1(-u)` lets the integrand fall double-exponentially on the left also where `a` is small.
    """
    p, q = a.value, b.value - a.value - 1
    peak, highest, low, high = _span(p, q, x)
    constant = backend_of(x).namespace.asarray
    h = (high - low) / nodes
    total_order = sum(a.orders)
    indices = [k for k in itertools.product(range(total_order + 1), repeat=2) if sum(k) <= total_order]
    sums: dict[tuple[int, ...], Any] = dict.fromkeys(indices, 0.0)
    at_once = nodes_at_once(len(x))
    for first in range(0, nodes + 1, at_once):
        u = low + constant(np.arange(first, min(first + at_once, nodes + 1))[:, None]) * h
        term, s, log1p = _integrand(p, q, x, peak, highest, u)
        powers = s - log1p, log1p
        for index in indices:
            weighted = term
            for base, n in zip(powers, index, strict=True):
                weighted = weighted * base**n / math.factorial(n) if n else weighted
            sums[index] = added(sums[index], weighted)
    logarithm = log_gamma(a)
    scale = exponential(-logarithm + logarithm.value) * np.exp(highest - logarithm.value)
    return _substitute(sums, a, b) * h * scale


def _span(p: Any, q: Any, x: Any) -> tuple[Any, ...]:
    """The peak of the exponent, its value there, and between which `u` the integrand is not negligible."""
    peak = np.log(_positive_root(x, x - p - q, -p))

    def exponent(s: Any) -> Any:
        return p * s + q * np.log1p(np.exp(s)) - x * np.exp(s)

    def drop(u: Any) -> Any:
        return exponent(_path(peak, u)) - highest

    highest = exponent(peak)
    constant = backend_of(x).namespace.asarray
    low, high = (_where_negligible(drop, side, constant) for side in (-1.0, 1.0))
    return peak, highest, low, high


def _path(peak: Any, u: Any) -> Any:
    return peak + u - np.expm1(-u)


def _integrand(p: Any, q: Any, x: Any, peak: Any, highest: Any, u: Any) -> tuple[Any, ...]:
    """What is summed at `u`, over its largest value; and `s` and `log(1 + t)` there."""
    s = _path(peak, u)
    exp = np.exp(s)
    log1p = np.log1p(exp)
    return np.exp(p * s + q * log1p - x * exp - highest) * (1 + np.exp(-u)), s, log1p


def _substitute(coefficients: dict[tuple[int, ...], Any], a: Jet, b: Jet) -> Jet:
    """A series in the deviations of `a` and `b`, which are themselves series."""
    first, second = a.nilpotent(), b.nilpotent()
    total = Jet({(0,) * len(a.orders): coefficients[0, 0]}, a.orders)
    for (i, j), coefficient in coefficients.items():
        product = Jet({(0,) * len(a.orders): coefficient}, a.orders)
        for factor in [first] * i + [second] * j:
            product = product * factor
        total = total + product if i + j else total
    return total


def _positive_root(a: Any, b: Any, c: Any) -> Any:
    """The positive root of `a t**2 + b t + c`, `a > 0 > c`, without cancellation."""
    root = np.sqrt(b * b - 4 * a * c)
    return np.where(b > 0, -2 * c / (b + root), (root - b) / (2 * a))


def _where_negligible(exponent: Any, side: float, constant: Any) -> Any:
    """A point on one side of 0 where the exponent is a little below `-_DROP`: doubling, then sixteenths of the last."""
    far = constant(0.01 * 2.0 ** np.arange(21.0)[:, None])
    double = far[_first_low(exponent(side * far)), 0]
    parts = constant(np.arange(17, 33)[:, None] / 32)
    return side * double * parts[_first_low(exponent(side * double * parts)), 0]


def _first_low(exponents: Any) -> Any:
    """The first row, or else the last one, where an exponent is low, of each column."""
    is_low = exponents < -_DROP
    is_low[-1] = True
    return np.argmax(is_low, axis=0)


TRICOMI = ParameterFamily(_tricomi, 2, at_once=_AT_ONCE)
