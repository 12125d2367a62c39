"""Tricomi's function of positive `a` by its integral, DLMF 13.4.4, with derivatives in the parameters.

It is summed by the trapezoidal rule between the points where the integrand is negligible.
"""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import Any

import numpy as np

from ...numerics.devices import constants_like
from ...numerics.few_elements import added, nodes_at_once
from ...numerics.hypergeometric_series import dense, sparse
from ...numerics.jets import Jet, exponential, log_gamma
from ...numerics.regions import by_region

NODES, _MANY_NODES, FLAT = 160, 3000, 1e-3
"""For arguments down to the last, and for smaller ones, where the integrand is flat over a long way."""

_DROP = 40.0
"""Where the integrand is `exp(-40)` of its largest value, the range of integration ends."""


def integral(a: Jet, b: Jet, x: Any, *, is_weighted: bool = False) -> Jet:
    """The integral with as many nodes as the argument asks for; the weighted one times `x**(b - 1)`."""
    orders = a.orders
    derivatives = [Jet({**p.coefficients, (0, 0): 0.0}, orders) for p in (a, b)]

    def with_nodes(count: int) -> Any:
        return lambda y, u, x: dense(_trapezoidal(derivatives[0] + y, derivatives[1] + u, x, count, is_weighted))

    regions = [(x >= FLAT, with_nodes(NODES)), (x < FLAT, with_nodes(_MANY_NODES))]
    return sparse(by_region(regions, a.value, b.value, x), orders)


def _trapezoidal(a: Jet, b: Jet, x: Any, nodes: int, is_weighted: bool) -> Jet:
    """With `t = exp(s)`: `int exp(g(s)) ds / gamma(a)`, `g = a s + (b - a - 1) log(1 + t) - x t`, which has one peak.

    `s = peak + u - expm1(-u)` lets the integrand fall double-exponentially on the left also where `a` is small.
    """
    p, q = a.value, b.value - a.value - 1
    peak, highest, low, high = span(p, q, x)
    constant = partial(constants_like, x=x)
    h = (high - low) / nodes
    total_order = sum(a.orders)
    highest_powers = [total_order if jet.nilpotent().coefficients else 0 for jet in (a, b)]
    indices = [k for k in itertools.product(*[range(n + 1) for n in highest_powers]) if sum(k) <= total_order]
    sums: dict[tuple[int, ...], Any] = dict.fromkeys(indices, 0.0)
    at_once = nodes_at_once(len(x))
    for first in range(0, nodes + 1, at_once):
        u = low + constant(np.arange(first, min(first + at_once, nodes + 1))[:, None]) * h
        term, s, log1p = integrand(p, q, x, peak, highest, u)
        powers = s - log1p, log1p
        for index in indices:
            weighted = term
            for base, n in zip(powers, index, strict=True):
                weighted = weighted * base**n / math.factorial(n) if n else weighted
            sums[index] = added(sums[index], weighted)
    logarithm = log_gamma(a) - (b - 1.0) * np.log(x) if is_weighted else log_gamma(a)
    scale = exponential(-logarithm + logarithm.value) * np.exp(highest - logarithm.value)
    return _substitute(sums, a, b) * h * scale


def span(p: Any, q: Any, x: Any) -> tuple[Any, ...]:
    """The peak of the exponent, its value there, and between which `u` the integrand is not negligible."""
    peak = np.log(_positive_root(x, x - p - q, -p))

    def exponent(s: Any) -> Any:
        return p * s + q * np.log1p(np.exp(s)) - x * np.exp(s)

    def drop(u: Any) -> Any:
        return exponent(_path(peak, u)) - highest

    highest = exponent(peak)
    constant = partial(constants_like, x=x)
    low, high = (_where_negligible(drop, side, constant) for side in (-1.0, 1.0))
    return peak, highest, low, high


def _path(peak: Any, u: Any) -> Any:
    return peak + u - np.expm1(-u)


def integrand(p: Any, q: Any, x: Any, peak: Any, highest: Any, u: Any) -> tuple[Any, ...]:
    """What is summed at `u`, over its largest value; and `s` and `log(1 + t)` there."""
    s = _path(peak, u)
    exp = np.exp(s)
    log1p = np.log1p(exp)
    return np.exp(p * s + q * log1p - x * exp - highest) * (1 + np.exp(-u)), s, log1p


def _substitute(coefficients: dict[tuple[int, ...], Any], a: Jet, b: Jet) -> Jet:
    """A series in the deviations of `a` and `b`, which are themselves series."""
    rows = [_powers(x.nilpotent(), max(k[i] for k in coefficients)) for i, x in enumerate((a, b))]
    total = Jet({(0,) * len(a.orders): coefficients[0, 0]}, a.orders)
    for (i, j), coefficient in coefficients.items():
        if i or j:
            total = total + rows[0][i] * rows[1][j] * coefficient
    return total


def _powers(x: Jet, highest: int) -> list[Jet]:
    powers = [Jet({(0,) * len(x.orders): 1.0}, x.orders)]
    for _ in range(highest):
        powers.append(powers[-1] * x)
    return powers


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
