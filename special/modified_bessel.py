"""The modified Bessel functions I and K in the right half-plane, with all their derivatives in the order.

`K` of the orders `v0` and `v0 + 1`, `|v0| <= 1/2`, is an integral (DLMF 10.32.9) or, far out, its asymptotic expansion;
higher orders follow by the recurrence, in which K grows (DLMF 10.29.1).  `I` is its power series near 0 and else comes
from the continued fraction of `I_(v+1) / I_v` (DLMF 10.33.1) and the Wronskian (DLMF 10.28.2).  The order is a jet
throughout, so the derivatives come along.  All of it is scaled: `exp(s) K` and `exp(-s) I`.
"""

from __future__ import annotations

import cmath
import math
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from .jets import Jet, choose, exponential, log_gamma, power, reciprocal_gamma, turn, variables
from .regions import by_region

__all__ = ["modified_pair"]

_FAR = 25.6
"""From here on the asymptotic expansion is at its best."""

_EDGES = (*(10.0**-e for e in (290, 128, 64, 32, 16, 8, 4, 2, 1)), 0.4, 1.6, 6.4, _FAR)
"""Between two of these moduli the integral has the same nodes; nearer to 0 than that K counts as infinite."""


def modified_pair(v: Any, s: Any, n: int, wants_first: Any) -> tuple[Jet, Jet]:
    """`exp(-s) I_v(s)` and `exp(s) K_v(s)`, `v >= 0` and `Re s >= 0`, as jets of order `n` in `v`.

    `I` is computed only where `wants_first`, and is 0 elsewhere.
    """
    m = np.floor(v + 0.5)
    start = v - m
    lowest, after = _lowest_orders(start, s, n)
    second, after = _climb(lowest, after, start, m, s, 1.0)
    modulus = np.abs(s)
    is_near = modulus * modulus <= 4 * (v + 1)
    is_direct = (modulus >= _FAR) & (v < 0.9 * modulus) & (v * v * np.real(s) <= 2 * modulus * modulus)
    arrays = [v, s, *_dense(second, n), *_dense(after, n)]
    firsts = by_region(
        [
            (wants_first & is_near, lambda v, s, *_: _dense(_power_series(v, s, n), n)),
            (wants_first & is_direct, lambda v, s, *ks: _dense(_direct(v, s, n, _jet(ks[: n + 1])), n)),
            *((wants_first & mask, _by_wronskian(n, terms)) for mask, terms in _fractions(v, s, modulus)),
            (~wants_first, lambda v, s, *_: [0.0 * s] * (n + 1)),
        ],
        *arrays,
    )
    return _jet(firsts), second


def _jet(coefficients: Any) -> Jet:
    return Jet({(k,): c for k, c in enumerate(coefficients)}, (len(coefficients) - 1,))


def _dense(jet: Jet, n: int) -> list[Any]:
    zero = 0.0 * jet.value
    return [jet.coefficients.get((k,), zero) for k in range(n + 1)]


# K of the lowest orders


def _lowest_orders(v: Any, s: Any, n: int) -> tuple[Jet, Jet]:
    """`exp(s) K` of the orders `v` and `v + 1`."""
    modulus = np.abs(s)

    def expansion(v: Any, s: Any) -> list[Any]:
        factor = np.sqrt(math.pi / (2 * s))
        sums = [_asymptotic_sum(variables((n,), order)[0], s, 1.0) * factor for order in (v, v + 1)]
        return [c for total in sums for c in _dense(total, n)]

    def pole(v: Any, s: Any) -> list[Any]:
        return [np.abs(s) * 0.0 + np.inf] * (2 * n + 2)

    regions: list[Any] = [(modulus >= _FAR, expansion), (modulus < _EDGES[0], pole)]
    is_complex = s.dtype.kind == "c"
    directions = (-0.5, -0.25, 0.0, 0.25, 0.5) if is_complex else (0.0,)
    argument = np.angle(s) / math.pi if is_complex else 0.0 * s
    for low, high in pairwise(_EDGES):
        here = (modulus >= low) & (modulus < high)
        for direction in directions:
            mask = here & (np.abs(argument - direction) <= 0.125000001)
            regions.append((mask, _integral(low, high, direction, n)))
    both = by_region(regions, v, s)
    return _jet(both[: n + 1]), _jet(both[n + 1 :])


@cache
def _nodes(low: float, high: float, direction: float, is_complex: bool) -> list[tuple[Any, Any, Any, Any]]:
    """Nodes `t` for `low <= |s| <= high` and `arg s` near `pi direction`: weight, `t`, `cosh(t) - 1`, `exp(t)`.

    On `t = u - i pi direction tanh(0.7 u)` the integrand of DLMF 10.32.9 ends like `exp(-|s| exp(u) / 2)` and passes
    the saddle at 0 on its slope; it is analytic and even in `u`, so the trapezoidal rule converges exponentially.
    """
    angle = math.pi * direction
    spread = math.pi / 8 if is_complex else 0.0

    def path(u: float) -> complex:
        return complex(u, -angle * math.tanh(0.7 * u))

    def decay(u: float) -> float:
        c = 2 * cmath.sinh(path(u) / 2) ** 2
        return low * min((cmath.exp(1j * (angle + d)) * c).real for d in (-spread, 0.0, spread)) - 1.5 * u

    end = 0.05
    while decay(end) < 38:
        end *= 1.02
    count = math.ceil(end / min(0.19, 0.37 / math.sqrt(high)))
    h = end / count
    nodes = []
    for k in range(count + 1):
        t = path(k * h)
        weight = h * complex(1, -0.7 * angle / math.cosh(0.7 * k * h) ** 2) * (0.5 if k else 0.25)
        node = weight, t, 2 * cmath.sinh(t / 2) ** 2, cmath.exp(t)
        nodes.append(node if is_complex else tuple(x.real for x in node))
    return nodes  # type: ignore[return-value]


def _integral(low: float, high: float, direction: float, n: int) -> Any:
    """`int_0^inf exp(-s (cosh t - 1)) cosh(v t) dt` and the same of `v + 1`: DLMF 10.32.9, times `exp(s)`."""

    def kernel(v: Any, s: Any) -> list[Any]:
        nodes = _nodes(low, high, direction, s.dtype.kind == "c")
        lower: list[Any] = [0.0] * (n + 1)
        upper: list[Any] = [0.0] * (n + 1)
        for weight, t, c, e in nodes:
            decay, growth = np.exp(-c * s) * weight, np.exp(t * v)
            ahead, behind = decay * growth, decay / growth
            factor = 1.0
            for k in range(n + 1):
                mirrored = -factor if k % 2 else factor
                lower[k] = lower[k] + (ahead * factor + behind * mirrored)
                upper[k] = upper[k] + (ahead * (factor * e) + behind * (mirrored / e))
                factor = factor * t / (k + 1)
        return lower + upper

    return kernel


def _asymptotic_sum(order: Jet, s: Any, sign: float) -> Jet:
    """`sum_k sign**k a_k(v) / s**k`, DLMF 10.17.1 and 10.40.2."""
    square = order * order * 4.0
    term = total = square * 0.0 + 1.0 + 0.0 * s
    for k in range(28):
        term = term * (square - (2 * k + 1.0) ** 2) * (sign / (8 * (k + 1)) / s)
        total = total + term
    return total


def _climb(current: Jet, after: Jet, start: Any, steps: Any, s: Any, sign: float) -> tuple[Jet, Jet]:
    """`f_(v-1) + sign 2 v / s f_v = f_(v+1)`, DLMF 10.29.1, upwards: the functions of the last order and the next."""
    double = 2 * sign / s
    slope = dict(variables(current.orders, start)[0].nilpotent().coefficients)
    for k in range(int(np.max(steps)) if steps.shape[0] else 0):
        order = Jet({(0,): start + (k + 1), **slope}, current.orders)
        following = current + after * order * double
        is_active = k < steps
        current, after = choose(is_active, after, current), choose(is_active, following, after)
    return current, after


# I


def _power_series(v: Any, s: Any, n: int) -> Jet:
    """`exp(-s) (s / 2)**v / gamma(v + 1) sum_k (s / 2)**(2 k) / (k! (v + 1)_k)`, DLMF 10.25.2."""
    order = variables((n,), v)[0]
    square = s * s / 4
    term = total = order * 0.0 + 1.0 + 0.0 * s
    for k in range(1, 19):
        term = term / (order + k) * (square / k)
        total = total + term
    half = s / 2
    is_zero = half == 0
    base = np.where(is_zero, 1.0, half)
    is_large = v > 150
    small_order = Jet({**order.coefficients, (0,): np.where(is_large, 1.0, v)}, order.orders)
    factor = power(base, small_order) * reciprocal_gamma(small_order + 1.0)
    if np.any(is_large):
        logarithm = exponential(order * np.log(base) - log_gamma(order + 1.0))
        factor = choose(is_large, logarithm, factor)
    result = total * factor * np.exp(-s)
    return _at_zero(result, is_zero, v) if np.any(is_zero) else result


def _at_zero(jet: Jet, is_zero: Any, v: Any) -> Jet:
    """At `s = 0` all is 0 but `I_0 = 1`, whose derivative from the right is minus infinity."""
    values = {
        (k,): np.where(is_zero, np.where(v > 0, 0.0, (-1.0) ** k * np.inf if k else 1.0), c)
        for k, c in enumerate(_dense(jet, jet.orders[0]))
    }
    return Jet(values, jet.orders)


def _direct(v: Any, s: Any, n: int, second: Jet) -> Jet:
    """`I = G + i e K / pi`, `e = exp(+-i pi v)`, DLMF 10.40.5, far out; for orders in which G changes little.

    `G` is `exp(s) / sqrt(2 pi s) sum_k (-1)**k a_k / s**k` for the lowest orders and obeys the recurrence of I.
    """
    m = np.floor(v + 0.5)
    start = v - m
    factor = 1 / np.sqrt(2 * math.pi * s)
    lowest, after = (_asymptotic_sum(variables((n,), v)[0], s, -1.0) * factor for v in (start, start + 1))
    leading, _ = _climb(lowest, after, start, m, s, -1.0)
    if s.dtype.kind != "c":
        return leading
    order = variables((n,), v)[0]
    side = np.where(np.imag(s) >= 0, 1.0, -1.0)
    rotation = choose(side > 0, turn(order, 1.0), turn(order, -1.0))
    return leading + rotation * second * (1j / math.pi * side * np.exp(-2 * s))


def _fractions(v: Any, s: Any, modulus: Any) -> Any:
    """Where the continued fraction is used, and the number of its terms that suffices."""
    is_complex = s.dtype.kind == "c"
    is_beyond = v >= 0.9 * modulus
    high = 1.6
    while True:
        here = modulus < high
        yield here & is_beyond, math.ceil(14 + 7 * high ** (1 / 3))
        yield here, math.ceil(14 + high + 10 * high ** (1 / 3)) if is_complex else math.ceil(14 + 7 * math.sqrt(high))
        if np.all(here | ~np.isfinite(modulus)):
            return
        high *= 2


def _by_wronskian(n: int, terms: int) -> Any:
    """`I_v = 1 / (s (K_(v+1) + r K_v))`, `r = I_(v+1) / I_v = 1 / (2 (v + 1) / s + 1 / (2 (v + 2) / s + ..))`."""

    def kernel(v: Any, s: Any, *ks: Any) -> list[Any]:
        second, after = _jet(ks[: n + 1]), _jet(ks[n + 1 :])
        order = variables((n,), v)[0]
        double = 2 / s
        ratio: Any = 0.0
        for k in reversed(range(1, terms + 1)):
            ratio = ((order + k) * double + ratio).reciprocal()
        return _dense(((after + ratio * second) * s).reciprocal(), n)

    return kernel
