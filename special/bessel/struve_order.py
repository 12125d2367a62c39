"""Derivatives of the Struve functions H and L in their order and in their argument.

L, and H where `x` is small relative to the order, are their power series (DLMF 11.2.1, 11.2.2); far out they are Y and
I and an expansion (DLMF 11.6.1 and 11.6.2).  Between these `H = Y + K` with the integral DLMF 11.5.2, as long as Y is
small relative to it; and else H is the integral DLMF 11.5.1, in which nothing cancels.

The series are differentiated in `x` term by term; beyond, `f_v' = f_(v-1) - v f_v / x` (DLMF 11.4.27 and 11.4.29).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.errors import NotDifferentiableError
from ..numerics.devices import constants_like
from ..numerics.few_elements import added, nodes_at_once
from ..numerics.hypergeometric_series import dense, sparse
from ..numerics.jets import Jet, choose, exponential, log_gamma, power, reciprocal_gamma, variables
from ..numerics.regions import by_region, in_double, with_dtypes
from ..numerics.warned import warn
from ..ufuncs.ufunc_rules import Partial, Pointwise
from .bessel_order import bessel_jet
from .high_orders import HIGHEST, is_lossy

_MOST_TERMS = 6000
_FAR, _FAR_TERMS = 40.0, 24
"""From here on so many terms of the expansion are right to 1e-16, at orders between -1/2 and 6/10 of the argument."""
_HUGE = 2.0**51
"""From here on the phase has no digits in SciPy's values."""
_MIDDLE, _FARTHEST = 60.0, 1e5
"""The finite integral is summed by a fixed rule up to the first, by one of more and more nodes up to the second."""
_LARGEST, _LARGEST_EXPONENT = 130.0, 650.0
"""Beyond this order, or logarithm of a power, the leading power or its gamma function may overflow."""
_OVERFLOW = "derivatives of struve and modstruve in v are NaN at some v below -130, where gamma overflows: use mpmath"


def _struve_jet(v: Any, x: Any, sign: float, n: int, m: int) -> list[Any]:
    """The coefficients in the order of the derivative of order `m` in `x >= 0` of H (`sign` -1) or L (`sign` 1)."""
    is_far = _has_expansion(v, x)
    regions: list[Any] = [
        (~(x >= 0), lambda v, x: [x * np.nan] * (n + 1)),
        (~is_far & (sign > 0) | (x <= 3) | (x * x <= 4 * (v + 1.5)), lambda v, x: _series(v, x, sign, n, m)),
    ]
    if m:
        regions.append((x > 0, lambda v, x: _by_lower_orders(v, x, sign, n, m)))
        return by_region(regions, v, x)
    regions += [
        (is_far, lambda v, x: _expansion(v, x, sign, n)),
        (v < np.maximum(0.4 * x, x - 15), lambda v, x: _infinite_integral(v, x, n)),
        (x < _MIDDLE, lambda v, x: _finite_integral(v, x, n, _MIDDLE)),
    ]
    high = 2 * _MIDDLE
    while high < 2 * _FARTHEST:
        regions.append((x < high, lambda v, x, high=high: _finite_integral(v, x, n, high)))
        high *= 2
    return by_region([*regions, (x > 0, lambda v, x: [x * np.nan] * (n + 1))], v, x)


def _has_expansion(v: Any, x: Any) -> Any:
    """Where few terms of an expansion suffice, `x > 0`; SciPy's values are fast there."""
    return (x >= _FAR) & (v >= -0.5 * x) & (v <= 0.6 * x)


def has_wrong_phase(v: Any, x: Any) -> Any:
    """Where SciPy's H has that of its Y."""
    size = np.abs(x)
    here = (size >= _HUGE) & (np.abs(v) <= 0.5 * size) | is_lossy(v, size)
    return here & ((x > 0) | (v == np.rint(v)))


def _by_lower_orders(v: Any, x: Any, sign: float, n: int, m: int) -> list[Any]:
    """From the functions of the orders `v, v - 1, .., v - m`.

    `f_v^(j+1) = f_(v-1)^(j) - v sum_i (-1)**i j! / (j - i)! f_v^(j-i) / x**(i+1)`.
    """
    rows = [[sparse(_struve_jet(v - i, x, sign, n, 0), (n,))] for i in range(m + 1)]
    for j in range(m):
        for i in range(m - j):
            parts = [rows[i][j - k] * (math.perm(j, k) * (-1.0) ** k / x ** (k + 1)) for k in range(j + 1)]
            rows[i].append(rows[i + 1][j] - variables((n,), v - i)[0] * sum(parts[1:], parts[0]))
    return dense(rows[0][m])


# the power series


def _series(v: Any, x: Any, sign: float, n: int, m: int) -> list[Any]:
    """`sum_k sign**k (x / 2)**(2 k + v + 1) / (gamma(k + 3/2) gamma(k + v + 3/2))`, differentiated `m` times in `x`.

    Right of -1 the first gamma function of the order is a factor; left of it those of positive argument go by
    recurrence from the first of them.
    """
    order = variables((n,), v)[0]
    is_zero = x == 0
    base = np.where(is_zero, 1.0, x / 2)
    square = sign * base * base
    is_left = v <= -1
    lowest = np.where(is_left, np.ceil(-v - 1), 0.0)
    last = float(np.max(lowest, initial=0.0))
    weight: Any = 1.0
    term = order * 0.0 + 1.0
    factor = _leading(base, order + (1.0 - m), m + 0.5)
    if np.any(is_left):
        term = choose(is_left, reciprocal_gamma(order + 1.5), term)
        factor = choose(is_left, power(base, order + (1.0 - m)), factor)
    total = term * _falling(order + 1.0, m)
    sizes = np.abs(total.value)
    for k in range(1, _MOST_TERMS):
        term = term / (order + (k + 0.5)) * (square / (k + 0.5))
        if k <= last:
            weight = weight * square / (k + 0.5)
            term = choose(k > lowest, term, reciprocal_gamma(order + (k + 1.5)) * weight)
        part = term * _falling(order + (2 * k + 1.0), m)
        total = total + part
        size = sum(np.abs(c) for c in part.coefficients.values())
        sizes = sizes + size
        if k % 8 == 0 and k > last and bool(np.all((size <= 1e-19 * sizes) | ~np.isfinite(size))):
            break
    coefficients = dense(total * factor * (2 / math.sqrt(math.pi) * 2.0**-m))
    if not np.any(is_zero):
        return coefficients
    limits = [_at_zero(v, sign, m), *[np.where(v + 1 > m, 0.0, np.nan)] * n]
    return [np.where(is_zero, limit, c) for limit, c in zip(limits, coefficients, strict=True)]


def _leading(base: Any, exponent: Jet, shift: float) -> Jet:
    """`base**exponent / gamma(exponent + shift)`, by logarithms where only the quotient is not too large."""
    direct = power(base, exponent) * reciprocal_gamma(exponent + shift)
    log = np.log(base)
    is_large = (exponent.value > _LARGEST) | (exponent.value > 0) & (exponent.value * np.abs(log) > _LARGEST_EXPONENT)
    if not np.any(is_large):
        return direct
    return choose(is_large, exponential(exponent * log - log_gamma(exponent + shift)), direct)


def _falling(exponent: Any, m: int) -> Any:
    """`p (p - 1) .. (p - m + 1)`."""
    factor: Any = 1.0
    for j in range(m):
        factor = (exponent - float(j)) * factor
    return factor


def _at_zero(v: Any, sign: float, m: int) -> Any:
    """At `x = 0` the first term that is not identically 0."""
    found, is_open = 0.0 * v, np.isfinite(v)
    for k in range(_MOST_TERMS):
        exponent = v + (2 * k + 1)
        factor = sign**k * special.rgamma(k + 1.5) * special.rgamma(v + (k + 1.5)) * 2.0**-exponent
        factor = factor * _falling(exponent, m)
        is_here = is_open & (factor != 0)
        found = np.where(is_here, factor * 0.0 ** (exponent - m), found)
        is_open = is_open & ~is_here & (exponent < m)
        if not np.any(is_open):
            break
    return found


# further out


def _expansion(v: Any, x: Any, sign: float, n: int) -> list[Any]:
    """`Y_v` or `I_-v`, and `-sign / pi sum_k (-sign)**k gamma(k + 1/2) (x / 2)**(v - 2 k - 1) / gamma(v + 1/2 - k)`."""
    if n == 0 and sign > 0:
        return [special.modstruve(v, x)]
    if n == 0 and not np.any(has_wrong_phase(v, x)):
        return [special.struve(v, x)]
    order = variables((n,), v)[0]
    term = total = order * 0.0 + 1.0
    ratio = -4 * sign / (x * x)
    for k in range(_FAR_TERMS):
        term = (order - (k + 0.5)) * term * (ratio * (k + 0.5))
        total = total + term
    leading = _leading(x / 2, order, 0.5) * (-2 * sign / math.sqrt(math.pi) / x)
    if sign < 0:
        leading = choose(v < -HIGHEST, order * 0.0, leading)  # at `x > -2 v` that is nothing beside Y
        return dense(total * leading + sparse(bessel_jet(v, x, "y", False, n), (n,)))
    return dense(total * leading + sparse(bessel_jet(-v, x, "i", False, n), (n,)).reflected())


def _over_nodes(term: Callable[..., Jet], nodes: Any, x: Any) -> Jet:
    """The sum of a term of the rows of a table of nodes, each given as a column next to a vector."""
    at_once, nodes = nodes_at_once(len(x)), constants_like(nodes, x)
    total: dict[tuple[int, ...], Any] = {}
    for i in range(0, nodes.shape[1], at_once):
        part = term(*nodes[:, i : i + at_once, None])
        total = {k: added(total.get(k, 0.0), c) for k, c in part.coefficients.items()}
    return Jet(total, part.orders)


@cache
def _unit_nodes() -> Any:
    """`t`, `log(1 - t**2)` and the weight of the double-exponential rule on (0, 1): `t = 1 / (1 + exp(-pi sinh u))`."""
    h = 1 / 24
    u = np.arange(-76, 77) * h
    q = np.exp(-math.pi * np.sinh(u))
    t = 1 / (1 + q)
    return np.array([t, np.log(q * t * (1 + t)), h * math.pi * np.cosh(u) * q * t * t])


@cache
def _legendre(count: int) -> Any:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return np.array([(1 + nodes) / 2, weights / 2])


def _finite_integral(v: Any, x: Any, n: int, high: float) -> list[Any]:
    """`2 (x / 2)**v / (sqrt(pi) gamma(v + 1/2)) int_0^1 (1 - t**2)**(v - 1/2) sin(x t) dt`, `x <= high`.

    Beyond the reach of the double-exponential rule by that of Gauss and Legendre, as far as the power counts; `v` is
    there not much less than `x`.
    """
    order = variables((n,), v)[0]
    length = np.sqrt(-np.expm1(-45 / (v - 0.5)))

    def double_exponential(t: Any, log: Any, weight: Any) -> Jet:
        return exponential((order - 0.5) * log) * (np.sin(x * t) * weight)

    def gaussian(node: Any, weight: Any) -> Jet:
        t = length * node
        return exponential((order - 0.5) * np.log1p(-t * t)) * (np.sin(x * t) * (weight * length))

    if high <= _MIDDLE:
        total = _over_nodes(double_exponential, _unit_nodes(), x)
    else:
        total = _over_nodes(gaussian, _legendre(40 + int(4.2 * math.sqrt(high))), x)
    return dense(total * _leading(x / 2, order, 0.5) * (2 / math.sqrt(math.pi)))


@cache
def _half_line_nodes() -> Any:
    """Nodes `t` and weights of the double-exponential rule on (0, inf): `t = exp(pi / 2 sinh u)`."""
    h = 1 / 16
    u = np.arange(-64, 37) * h
    t = np.exp(math.pi / 2 * np.sinh(u))
    return np.array([t, math.pi / 2 * np.cosh(u) * h * t])


def _infinite_integral(v: Any, x: Any, n: int) -> list[Any]:
    """`Y_v + 2 (x / 2)**v / (sqrt(pi) gamma(v + 1/2)) int_0^inf exp(-x t) (1 + t**2)**(v - 1/2) dt`."""
    order = variables((n,), v)[0]

    def term(t: Any, weight: Any) -> Jet:
        return exponential((order - 0.5) * np.log1p((t / x) ** 2) - t) * (weight / x)

    second = sparse(bessel_jet(v, x, "y", False, n), (n,))
    total = _over_nodes(term, _half_line_nodes(), x)
    return dense(total * _leading(x / 2, order, 0.5) * (2 / math.sqrt(math.pi)) + second)


# the rules


def _value(v: Any, x: Any, *, sign: float, n: int, m: int) -> Any:
    if n and np.any((x < 0) & (v == np.floor(v))):
        raise NotDifferentiableError(
            f"scipy.special.{'modstruve' if sign > 0 else 'struve'}",
            "at negative x it is real at integer orders alone, so there is nothing to differentiate",
            "v",
        )

    def kernel(v: Any, x: Any) -> Any:
        side = np.where(x < 0, np.where(v == np.floor(v), 1 - 2 * ((v + 1 + m) % 2), np.nan), 1.0)
        return side * _struve_jet(v, np.abs(x), sign, n, m)[n] * float(math.factorial(n))

    out = in_double(kernel, v, x)
    if n and np.any((v < -_LARGEST) & np.isnan(out) & (v > -np.inf) & (x > 0) & (x < np.inf)):
        warn(_OVERFLOW)
    return out


def _of_order(w: Any, v: Any, x: Any, *, sign: float, n: int, m: int) -> Any:
    return _DERIVATIVE(v, x, sign=sign, n=n + 1, m=m)


def _of_argument(w: Any, v: Any, x: Any, *, sign: float, n: int, m: int) -> Any:
    return _DERIVATIVE(v, x, sign=sign, n=n, m=m + 1)


_DERIVATIVE = Pointwise(_value, (_of_order, _of_argument), None)


def struve_value(v: Any, x: Any, *, sign: float) -> Any:
    """The value itself, of vectors."""
    return _value(v, x, sign=sign, n=0, m=0)


def struve_partials(sign: float) -> tuple[Partial, Partial]:
    """The partial derivatives of H (`sign` -1) or L (`sign` 1), as the rule of its ufunc takes them."""

    def partial(n: int, m: int) -> Partial:
        return lambda w, v, x: _DERIVATIVE(*with_dtypes(v, x), sign=sign, n=n, m=m)

    return partial(1, 0), partial(0, 1)
