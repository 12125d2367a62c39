"""The modified Bessel functions I and K in the right half-plane, with all their derivatives in the order.

`K` of higher orders follows from the lowest ones by the recurrence, in which it grows (DLMF 10.29.1).  `I` is its
power series where no term is larger than the sum by much, and else comes from the Wronskian (DLMF 10.28.2) and
`I_(v+1) / I_v` by the recurrence downwards.  The order is a jet throughout, so the derivatives come along.  I and K are
scaled: `exp(-s) I` and `exp(s) K`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ..numerics.jets import Jet, choose, exponential, log_gamma, phase_factor, variables
from ..numerics.regions import by_region
from .macdonald import lowest_orders

_FAR = 25.6
"""From here on the asymptotic expansion is at its best."""
_RESCALED = 16
"""Steps downwards between two divisions that keep the numbers in range."""


def split_order(v: Any) -> tuple[Any, Any]:
    """The order `v >= 0` as one of [-1/2, 1/2) and an integer."""
    steps = np.floor(v + 0.5)
    return v - steps, steps


def second_kind(v: Any, s: Any, n: int) -> tuple[Jet, Jet]:
    """`exp(s) K` of the orders `v >= 0` and `v + 1`, `Re s >= 0`, as jets of order `n` in `v`."""
    start, steps = split_order(v)
    return climb(*lowest_orders(start, s, n), start, steps, 2 / s, 1.0)


def first_kind(v: Any, s: Any, n: int) -> Jet:
    """`exp(-s) I_v(s)`, `v >= 0` and `Re s >= 0`; K is computed only where it is needed."""
    is_series = _is_series(v, s)
    regions = [
        (is_series, lambda v, s: _dense(power_series(v, s, n, 1.0, -s))),
        (~is_series, lambda v, s: _dense(_first_by_second(v, s, n, *second_kind(v, s, n)))),
    ]
    return jet_of(by_region(regions, v, s))


def modified_pair(v: Any, s: Any, n: int) -> tuple[Jet, Jet]:
    """`exp(-s) I_v(s)` and `exp(s) K_v(s)`, `v >= 0` and `Re s >= 0`."""
    second, after = second_kind(v, s, n)
    is_series = _is_series(v, s)
    regions = [
        (is_series, lambda v, s, *_: _dense(power_series(v, s, n, 1.0, -s))),
        (~is_series, lambda v, s, *ks: _dense(_first_by_second(v, s, n, jet_of(ks[: n + 1]), jet_of(ks[n + 1 :])))),
    ]
    return jet_of(by_region(regions, v, s, *_dense(second), *_dense(after))), second


def jet_of(coefficients: Any) -> Jet:
    """The series in the order with these coefficients."""
    return Jet({(k,): c for k, c in enumerate(coefficients)}, (len(coefficients) - 1,))


def _dense(jet: Jet) -> list[Any]:
    zero = 0.0 * jet.value
    return [jet.coefficients.get((k,), zero) for k in range(jet.orders[0] + 1)]


def climb(first: Jet, second: Jet, start: Any, steps: Any, double: Any, sign: float) -> tuple[Jet, Jet]:
    """`f_(v+1) = v double f_v + sign f_(v-1)` upwards: the functions of the last order and of the next.

    It is the recurrence of K with `double = 2 / s` and sign 1, of I with `-2 / s` and 1, of J and Y with `2 / z` and -1
    (DLMF 10.6.1 and 10.29.1).
    """
    current, after = _dense(first), _dense(second)
    highest = int(np.max(np.where(np.isfinite(steps), steps, 0.0), initial=0.0))
    for k in range(highest):
        factor = (start + (k + 1)) * double
        is_active = k < steps
        following = []
        for i, (a, b) in enumerate(zip(current, after, strict=True)):
            term = b * factor + after[i - 1] * double if i else b * factor
            following.append(term + a if sign > 0 else term - a)
        if not np.all(is_active):
            after_all = [np.where(is_active, b, a) for a, b in zip(current, after, strict=True)]
            following = [np.where(is_active, c, b) for b, c in zip(after, following, strict=True)]
            current, after = after_all, following
        else:
            current, after = after, following
    return jet_of(current), jet_of(after)


# the power series


def is_near(v: Any, z: Any) -> Any:
    """Where the terms of the power series fall from the first one on."""
    return (np.real(z) / 2) ** 2 + (np.imag(z) / 2) ** 2 <= v + 1


def _is_series(v: Any, s: Any) -> Any:
    """At real arguments, which are small, all terms are positive; elsewhere nearly so next to the real axis."""
    if s.dtype.kind != "c":
        return s == s
    modulus = np.abs(s)
    return is_near(v, s) | (modulus < _FAR) & (modulus - np.real(s) < 2)


def power_series(v: Any, z: Any, n: int, sign: float, exponent: Any = 0.0) -> Jet:
    """`exp(exponent) (z / 2)**v / gamma(v + 1) sum_k (sign z**2 / 4)**k / (k! (v + 1)_k)`.

    It is J for sign -1 and I for sign 1, DLMF 10.2.2 and 10.25.2; `v >= 0`.
    """
    quarter = z * z * (sign / 4)
    modulus = np.abs(quarter)
    ratio = modulus / (v + 1)
    regions: list[Any] = [(ratio <= bound, _series_of(n, terms)) for bound, terms in ((0.01, 7), (0.15, 11), (1.0, 18))]
    bound = 4.0
    while True:
        regions.append((modulus <= bound, _series_of(n, _series_terms(bound))))
        if np.all((modulus <= bound) | ~np.isfinite(modulus)):
            break
        bound *= 4
    total = jet_of(by_region(regions, v, quarter))
    half = z / 2
    is_zero = half == 0
    log = np.log(np.where(is_zero, 1.0, half))
    order = variables((n,), v)[0]
    result = total * exponential(order * log - log_gamma(order + 1.0) + exponent)
    return _at_zero(result, is_zero, v) if np.any(is_zero) else result


def _series_terms(quarter: float) -> int:
    """How many terms matter at order 0, the slowest."""
    term, total, k = 1.0, 1.0, 0
    while term > 1e-18 * total:
        k += 1
        term *= quarter / (k * k)
        total += term
    return k + 1


def _series_of(n: int, terms: int) -> Any:
    """Each term is the one before times `quarter / (k (v + k))`, the order a jet."""

    def kernel(v: Any, quarter: Any) -> list[Any]:
        term = [1.0 + 0.0 * quarter, *[0.0 * quarter] * n]
        totals = term
        for k in range(1, terms):
            inverse = 1 / (v + k)
            factor = quarter * (inverse * (1 / k))
            term = [c * factor for c in term]
            for i in range(1, n + 1):
                term[i] = term[i] - term[i - 1] * inverse
            totals = [total + c for total, c in zip(totals, term, strict=True)]
        return totals

    return kernel


def _at_zero(jet: Jet, is_zero: Any, v: Any) -> Jet:
    """At `z = 0` all is 0 but the function of order 0, which is 1 and whose derivative from the right is -infinity."""
    return jet_of(
        [
            np.where(is_zero, np.where(v > 0, 0.0, (-1.0) ** k * np.inf if k else 1.0), c)
            for k, c in enumerate(_dense(jet))
        ]
    )


# I further out


def _first_by_second(v: Any, s: Any, n: int, second: Jet, after: Jet) -> Jet:
    """`exp(-s) I` from `exp(s) K` of the orders `v` and `v + 1`."""
    modulus = np.abs(s)
    is_direct = (modulus >= _FAR) & (v < 0.9 * modulus) & (v * v * np.real(s) <= 2 * modulus * modulus)
    regions = [
        (is_direct, lambda v, s, *ks: _dense(_direct(v, s, n, jet_of(ks[: n + 1])))),
        *((mask, _by_wronskian(n, terms)) for mask, terms in ratio_terms(v, modulus)),
    ]
    return jet_of(by_region(regions, v, s, *_dense(second), *_dense(after)))


def _direct(v: Any, s: Any, n: int, second: Jet) -> Jet:
    """`I = G + i e K / pi`, `e = exp(+-i pi v)`, DLMF 10.40.5, far out; for orders in which G changes little.

    `G` is `exp(s) / sqrt(2 pi s) sum_k (-1)**k a_k / s**k` for the lowest orders and obeys the recurrence of I.
    """
    start, steps = split_order(v)
    factor = 1 / np.sqrt(2 * math.pi * s)
    lowest, after = (_asymptotic_sum(variables((n,), order)[0], s) * factor for order in (start, start + 1))
    leading, _ = climb(lowest, after, start, steps, -2 / s, 1.0)
    order = variables((n,), v)[0]
    side = np.where(np.imag(s) >= 0, 1.0, -1.0)
    rotation = choose(side > 0, phase_factor(order, 1.0), phase_factor(order, -1.0))
    return leading + rotation * second * (1j / math.pi * side * np.exp(-2 * s))


def _asymptotic_sum(order: Jet, s: Any) -> Jet:
    """`sum_k (-1)**k a_k(v) / s**k`, DLMF 10.17.1 and 10.40.1."""
    square = order * order * 4.0
    term = total = square * 0.0 + 1.0 + 0.0 * s
    for k in range(28):
        term = term * (square - (2 * k + 1.0) ** 2) * (-1 / (8 * (k + 1)) / s)
        total = total + term
    return total


def ratio_terms(v: Any, modulus: Any) -> Iterator[tuple[Any, Callable[[], int]]]:
    """Where the recurrence downwards gives `I_(v+1) / I_v`, and from how many orders above.

    Each step reduces the error `exp(2 Re arcsinh((v + k) / s))` times, least where `s` is imaginary.
    """
    is_beyond = v >= 0.9 * modulus
    low, high = 0.0, 4.0
    while True:
        here = modulus < high
        yield here & is_beyond, partial(_steps_down, 0.9 * low, high)
        yield here, partial(_steps_down, 0.0, high)
        if np.all(here | ~np.isfinite(modulus)):
            return
        low, high = high, 2 * high


def _steps_down(v: float, modulus: float) -> int:
    exponent, k = 0.0, 0
    while exponent < 42:
        k += 1
        exponent += 2 * math.acosh(max((v + k) / modulus, 1.0))
    return k


def ratio_below(v: Any, double: Any, n: int, terms: int, sign: float) -> Jet:
    """`f_(v+1) / f_v` of the solution of `f_(v-1) = v double f_v + sign f_(v+1)` that falls: I (sign 1) or J (-1).

    Now and then both are divided by the modulus of the last one, as they overflow on the way.
    """
    zero = 0.0 * double
    above, current = [zero] * (n + 1), [1.0 + zero, *[zero] * n]
    for k in reversed(range(1, terms + 1)):
        factor = (v + k) * double
        below = []
        for i, (a, b) in enumerate(zip(above, current, strict=True)):
            term = b * factor + current[i - 1] * double if i else b * factor
            below.append(term + a if sign > 0 else term - a)
        above, current = current, below
        if k % _RESCALED == 0:
            scale = 1 / np.abs(current[0])
            above, current = ([c * scale for c in x] for x in (above, current))
    return jet_of(above) / jet_of(current)


def _by_wronskian(n: int, terms: Callable[[], int]) -> Any:
    """`I_v = 1 / (s (K_(v+1) + r K_v))`, `r = I_(v+1) / I_v`."""

    def kernel(v: Any, s: Any, *ks: Any) -> list[Any]:
        second, after = jet_of(ks[: n + 1]), jet_of(ks[n + 1 :])
        ratio = ratio_below(v, 2 / s, n, terms(), 1.0)
        return _dense(((after + ratio * second) * s).reciprocal())

    return kernel
