"""Derivatives of the Struve functions H and L in their order, at positive argument.

L, and H where `x` is small beside the order, are their power series (DLMF 11.2.1 and 11.2.2); H of orders well above 0
is the integral DLMF 11.5.1, in which nothing cancels there; and else `H = Y + K` with the integral DLMF 11.5.2.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from ..complex_autograd.errors import NotDifferentiableError
from .bessel_order import bessel_jet
from .hypergeometric_series import dense, sparse
from .jets import Jet, choose, exponential, power, reciprocal_gamma, variables
from .regions import by_region, in_double, with_dtypes
from .ufunc_rules import Partial, Pointwise

__all__ = ["struve_order_partial"]


def _struve_jet(v: Any, x: Any, sign: float, n: int) -> list[Any]:
    """The coefficients in the order of H (`sign` -1) or L (`sign` 1)."""

    def series(v: Any, x: Any) -> list[Any]:
        return dense(_series(variables((n,), v)[0], x, sign))

    regions: list[Any] = [(~(x >= 0), lambda v, x: [x * np.nan] * (n + 1))]
    if sign < 0:
        is_near = (x <= 3) | (x * x <= 4 * (v + 1.5))
        regions += [
            (is_near, series),
            (v >= np.where(x < 90, 0.4, 0.6) * x, lambda v, x: dense(_finite_integral(variables((n,), v)[0], x))),
            (x >= 0, lambda v, x: dense(_infinite_integral(variables((n,), v)[0], x, v))),
        ]
    return by_region([*regions, (x >= 0, series)], v, x)  # type: ignore[no-any-return]


def _series(v: Jet, x: Any, sign: float) -> Jet:
    """`sum_k sign**k (x / 2)**(2 k + v + 1) / (gamma(k + 3/2) gamma(k + v + 3/2))`.

    `1 / gamma(k + v + 3/2)` goes by recurrence from the first `k` at which its argument is positive.
    """
    is_zero = x == 0
    base = np.where(is_zero, 1.0, x / 2)
    square = sign * base * base
    lowest = np.maximum(np.ceil(-v.value - 1), 0.0)
    last = float(np.max(lowest)) if lowest.shape[0] else 0.0
    weight: Any = 2 / math.sqrt(math.pi)
    term = total = reciprocal_gamma(v + 1.5) * weight
    sizes = np.abs(total.value)
    for k in range(1, 6000):
        term = term / (v + (k + 0.5)) * (square / (k + 0.5))
        if k <= last:
            weight = weight * square / (k + 0.5)
            term = choose(k > lowest, term, reciprocal_gamma(v + (k + 1.5)) * weight)
        total = total + term
        size = sum(np.abs(c) for c in term.coefficients.values())
        sizes = sizes + size
        if k % 8 == 0 and k > last and bool(np.all((size <= 1e-19 * sizes) | ~np.isfinite(size))):
            break
    result = total * power(base, v + 1.0)
    at_zero = np.where(v.value > -1, 0.0, np.nan)
    return result.map(lambda c: np.where(is_zero, at_zero, c))


@cache
def _unit_nodes() -> list[tuple[float, float, float]]:
    """`t`, `log(1 - t**2)` and the weight of the double-exponential rule on (0, 1): `t = 1 / (1 + exp(-pi sinh u))`."""
    nodes = []
    h = 1 / 24
    for k in range(-76, 77):
        u = k * h
        q = math.exp(-math.pi * math.sinh(u))
        t = 1 / (1 + q)
        weight = h * math.pi * math.cosh(u) * q * t * t
        nodes.append((t, math.log(q * t * (1 + t)), weight))
    return nodes


def _finite_integral(v: Jet, x: Any) -> Jet:
    """`2 (x / 2)**v / (sqrt(pi) gamma(v + 1/2)) int_0^1 (1 - t**2)**(v - 1/2) sin(x t) dt`."""
    total: Any = 0.0
    for t, log, weight in _unit_nodes():
        total = exponential((v - 0.5) * log) * (np.sin(x * t) * weight) + total
    return _with_factor(total, v, x)


@cache
def _half_line_nodes() -> list[tuple[float, float]]:
    """Nodes `t` and weights of the double-exponential rule on (0, inf): `t = exp(pi / 2 sinh u)`."""
    h = 1 / 16
    points = [(math.exp(math.pi / 2 * math.sinh(k * h)), math.pi / 2 * math.cosh(k * h) * h) for k in range(-64, 37)]
    return [(t, weight * t) for t, weight in points]


def _infinite_integral(v: Jet, x: Any, order: Any) -> Jet:
    """`Y_v + 2 (x / 2)**v / (sqrt(pi) gamma(v + 1/2)) int_0^inf exp(-x t) (1 + t**2)**(v - 1/2) dt`."""
    total: Any = 0.0
    for t, weight in _half_line_nodes():
        log = np.log1p((t / x) ** 2)
        total = exponential((v - 0.5) * log - t) * (weight / x) + total
    n = v.orders[0]
    return _with_factor(total, v, x) + sparse(bessel_jet(order, x, "y", False, n), (n,))


def _with_factor(total: Jet, v: Jet, x: Any) -> Jet:
    return total * power(x / 2, v) * reciprocal_gamma(v + 0.5) * (2 / math.sqrt(math.pi))


# the rules


def _value(v: Any, x: Any, *, sign: float, n: int) -> Any:
    if np.any((x < 0) & (v == np.floor(v))):
        raise NotDifferentiableError(
            f"scipy.special.{'modstruve' if sign > 0 else 'struve'}",
            "at negative x it is real at whole orders alone, so there is nothing to differentiate",
            "v",
        )

    def kernel(v: Any, x: Any) -> Any:
        return _struve_jet(v, x, sign, n)[n] * float(math.factorial(n))

    return in_double(kernel, v, x)


def _of_order(w: Any, v: Any, x: Any, *, sign: float, n: int) -> Any:
    return _DERIVATIVE(v, x, sign=sign, n=n + 1)


def _of_argument(w: Any, v: Any, x: Any, *, sign: float, n: int) -> Any:
    """`f_v' = f_(v-1) - v f_v / x` (DLMF 11.4.27 and 11.4.29), `n` times differentiated in `v`."""
    result = _DERIVATIVE(v - 1.0, x, sign=sign, n=n) - v * w / x
    return result - n * _DERIVATIVE(v, x, sign=sign, n=n - 1) / x if n else result


_DERIVATIVE = Pointwise(_value, (_of_order, _of_argument), None)


def struve_order_partial(sign: float) -> Partial:
    """The partial derivative in the order, of H (`sign` -1) or L (`sign` 1)."""

    def partial(w: Any, v: Any, x: Any) -> Any:
        return _DERIVATIVE(*with_dtypes(v, x), sign=sign, n=1)

    return partial
