"""Derivatives of Tricomi's function `U(a, b, x)` in its parameters, `x > 0`.

For `a > 0` it is `int_0^inf exp(-x t) t**(a-1) (1 + t)**(b-a-1) dt / gamma(a)` (DLMF 13.4.4), by the trapezoidal
rule between the points where the integrand is negligible.  Other `a` follow, at `1 <= b < 3`, by the recurrence in `a`
downwards (DLMF 13.3.7) and then by that in `b` upwards (DLMF 13.3.10), in which U grows.  At `b < 1` the first is
enough down to `a = b / 2`: at small `x` its solutions are about `1 / gamma(a - b + 1)`, as U is, and `1 / gamma(a)`,
which outgrows it further down.  There, with Kummer's transformation (DLMF 13.2.40), `x**(1 - b) U(a - b + 1, 2 - b,
x)` is taken.  Where `a` is a negative integer that is not differentiated, U is a polynomial (DLMF 13.2.7), and so
it is after Kummer's transformation where `a - b + 1` is one. At `x = 0` and `b < 1` it is
`gamma(1 - b) / gamma(a - b + 1)` (DLMF 13.2.18 to 13.2.22).

At large negative `b` the integrand is `exp(-y t) t**(a-1) (1 + s t**2 / 2 + ..)` with `s = a + 1 - b` and `y = s + x`,
so that U is `y**-a (1 + a (a + 1) s / (2 y**2))` but for a part of `a**4 / b**2`, and so it is for any `a`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import gammaln

from ...numerics.hypergeometric_series import dense, nan_where_unknown, sparse
from ...numerics.jets import Index, Jet, choose, exponential, log_gamma, logarithm, power, reciprocal_gamma, variables
from ...numerics.regions import by_region, is_pole
from ...ufuncs.parameter_families import ParameterFamily
from .tricomi_integral import FLAT, NODES, integral, integrand, span

_AT_ONCE = 2048
"""Elements at a time, so that their exponents at some nodes stay in the cache."""

_SMALLEST = 0.1
"""From here on `a` is large enough for the integral: nearer to 0 its derivatives cancel against those of `gamma(a)`."""

_NEAR_POLYNOMIAL, _LOGARITHM_NEAR, _TERMS_NEAR = 0.003, 4.0, 7
"""So near to an integer `a` not positive, and where other terms are so large, the Taylor series in `a` is summed;
and how many of its terms."""

TINY, _NEAR_ONE, _BESIDE_ONE = 1e-22, 0.05, 0.5
"""Below this `x`, and so near to `b = 1`, the nodes of the integral do not reach: up to 5 % off at `x = 1e-170`; from
the first distance to the second the two leading terms, DLMF 13.2.42, do not cancel."""

_FARTHEST = -1e15
"""At smaller `b` the expansion is exact in double precision for `|a| <= 1000`."""

_STEPS, _FEW_STEPS = 10000, 200
"""A recurrence is at most so long, and one of plain numbers."""


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
    is_transformed = _is_transformed(first, second)
    is_polynomial_too = is_pole(first - second + 1) & (second < 1) & (sum(orders) == 0)

    def ordinary(a: Any, b: Any, x: Any) -> list[Any]:
        return dense(_general(*variables(orders, a, b), x))

    def low(a: Any, b: Any, x: Any) -> list[Any]:
        return dense(_downwards(*variables(orders, a, b), x))

    def polynomial_after_all(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        return dense(_polynomial(first - second + 1.0, 2.0 - second, x) * power(x, 1.0 - second))

    def transformed(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        return dense(_general(first - second + 1.0, 2.0 - second, x, is_weighted=True))

    def transformed_near_polynomial(a: Any, b: Any, x: Any) -> list[Any]:
        second = Jet({(0, 0): 2.0 - b}, orders)
        return dense(_near_polynomial(*_excess(a, b), second, x, is_weighted=True))

    def polynomial(a: Any, b: Any, x: Any) -> list[Any]:
        return dense(_polynomial(*variables(orders, a, b), x))

    def near_polynomial(a: Any, b: Any, x: Any) -> list[Any]:
        n = np.rint(a)
        return dense(_near_polynomial(n, a - n, variables(orders, a, b)[1], x))

    def at_zero(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        return dense(reciprocal_gamma(first - second + 1.0) * exponential(log_gamma(1.0 - second)))

    def tiny(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        constant = reciprocal_gamma(first - second + 1.0) / reciprocal_gamma(1.0 - second)
        return dense(constant + reciprocal_gamma(first) / reciprocal_gamma(second - 1.0) * power(x, 1.0 - second))

    def far(a: Any, b: Any, x: Any) -> list[Any]:
        first, second = variables(orders, a, b)
        s = first - second + 1.0
        y = s + x
        return dense(exponential(-first * logarithm(y)) * (first * (first + 1.0) * (s / y) / (2.0 * y) + 1.0))

    def unknown(a: Any, b: Any, x: Any) -> list[Any]:
        nothing = Jet({(0, 0): 0.0 * x}, orders)
        return dense(nan_where_unknown("hyperu", nothing, x == x))

    is_near = _is_near_polynomial(first - second + 1, 2 - second, x) & (sum(orders) == 0)
    is_unknown = (first <= _SMALLEST) & (np.maximum(-first, second) > _STEPS)
    is_tiny = (x > 0) & (x < TINY) & (np.abs(second - 1) < _BESIDE_ONE) & ~is_polynomial
    is_unknown |= is_tiny & (np.abs(second - 1) < _NEAR_ONE)

    regions = [
        ((x > 0) & (second < _FARTHEST), far),
        (is_unknown & (x > 0), unknown),
        (is_tiny, tiny),
        ((x == 0) & (second < 1), at_zero),
        (~(x > 0), lambda a, b, x: [x * np.nan] * math.prod(n + 1 for n in orders)),
        (is_polynomial_too & is_transformed, polynomial_after_all),
        (is_transformed & is_near, transformed_near_polynomial),
        (is_transformed, transformed),
        (is_polynomial, polynomial),
        (is_polynomial_too, polynomial_after_all),
        (_is_near_polynomial(first, second, x) & (orders[0] == 0), near_polynomial),
        (second >= 1, ordinary),
        (second < 1, low),
    ]
    result = sparse(by_region(regions, first, second, x), orders)
    return factor * result if m else result


def _of_number(a: float, b: float, x: float) -> float | None:
    """The value of numbers, in the same ways, where these are short and it is no polynomial."""
    if a > _SMALLEST:
        return _integral_of_number(a, b, x) if x >= FLAT else None
    if x < FLAT or a % 1 == 0 or max(-a, b) > _FEW_STEPS or _is_near_polynomial(a, b, x):
        return None
    if b < 1:
        return None if (a - b) % 1 == 0 or _is_transformed(a, b) else _downwards_of_number(a, b, x)
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
    peak, highest, low, high = span(p, q, np.array([x]))
    h = (high - low) / NODES
    terms, _, _ = integrand(p, q, x, peak, highest, low + np.arange(NODES + 1) * h)
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


def _is_transformed(a: Any, b: Any) -> Any:
    """Where the recurrence in `a` loses digits."""
    return (b < 0) & (a <= _SMALLEST) & (2 * a < b)


def _is_near_polynomial(a: Any, b: Any, x: Any) -> Any:
    """Where `1 / gamma(a)` is less than terms `gamma(b - 1) x**(1 - b)` which the recurrence in `a` subtracts."""
    n = np.rint(a)
    is_near = (n <= 0) & (a != n) & (np.abs(a - n) <= _NEAR_POLYNOMIAL) & (b >= 1.5) & (x > 0)
    if not np.any(is_near):
        return is_near
    return is_near & (gammaln(np.maximum(b - 1, 0.5)) - (b - 1) * np.log(np.maximum(x, 1e-300)) > _LOGARITHM_NEAR)


def _excess(a: Any, b: Any) -> tuple[Any, Any]:
    """The integer next to `a - b + 1`, and the distance from it with all the digits that `a` and `b` give.

    The rounding of `difference = a - b` is `(a - (difference - part)) - (b + part)`, `part = difference - a` (D. E.
    Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
    """
    difference = a - b
    part = difference - a
    n = np.rint(difference + 1.0)
    return n, (difference - (n - 1.0)) + ((a - (difference - part)) - (b + part))


def _near_polynomial(n: Any, distance: Any, b: Jet, x: Any, *, is_weighted: bool = False) -> Jet:
    """The Taylor series in `a` to `n + distance` from the integer `n`, where the value is that of a polynomial."""
    orders = (_TERMS_NEAR, b.orders[1])
    series = _general(Jet({(0, 0): n, (1, 0): 1.0}, orders), Jet(b.coefficients, orders), x, is_weighted=is_weighted)
    total, weight = _polynomial(Jet({(0, 0): n}, b.orders), b, x), 1.0
    total = total * power(x, b - 1.0) if is_weighted else total
    for k in range(1, _TERMS_NEAR + 1):
        weight = weight * distance
        row: dict[Index, Any] = {(0, j): c for (i, j), c in series.coefficients.items() if i == k}
        total = total + Jet(row, b.orders) * weight
    return total


def _general(a: Jet, b: Jet, x: Any, *, is_weighted: bool = False) -> Jet:
    """U of `b >= 1`: by the integral, or else `x U(b+1) = (b - 1 + x) U(b) - (b - a - 1) U(b-1)` from small `b`.

    The weighted `V(b) = x**(b-1) U(b)`, so that `V(b+1) = (b - 1 + x) V(b) - (b - a - 1) x V(b-1)`, does not overflow.
    """
    if bool(np.all(a.value > _SMALLEST)):
        return integral(a, b, x, is_weighted=is_weighted)
    steps = np.where(a.value > _SMALLEST, 0.0, np.floor(b.value) - 1)
    lowest = b - steps
    current, above = (_downwards(a, c, x, is_weighted=is_weighted) for c in (lowest, lowest + 1.0))
    of_current, of_following = (x, 1.0) if is_weighted else (1.0, x)
    for k in range(int(np.max(steps))):
        c = lowest + (k + 1.0)
        following = ((c - 1.0 + x) * above - (c - a - 1.0) * of_current * current) / of_following
        is_active = k < steps
        current, above = choose(is_active, above, current), choose(is_active, following, above)
    return current


def _downwards(a: Jet, b: Jet, x: Any, *, is_weighted: bool = False) -> Jet:
    """`U(a-1) = (2 a - b + x) U(a) - a (a - b + 1) U(a+1)` down from positive `a`."""
    steps = np.where(a.value > _SMALLEST, 0.0, np.floor(_SMALLEST - a.value) + 1)
    current, above = (integral(a + n, b, x, is_weighted=is_weighted) for n in (steps, steps + 1))
    for k in reversed(range(1, int(np.max(steps)) + 1)):
        c = a + float(k)
        below = (c * 2.0 - b + x) * current - c * (c - b + 1.0) * above
        is_active = k <= steps
        current, above = choose(is_active, below, current), choose(is_active, current, above)
    return current


TRICOMI = ParameterFamily(_tricomi, 2, at_once=_AT_ONCE)
