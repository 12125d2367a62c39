"""Laguerre functions of complex arguments far out, by the expansions of Kummer's function in powers of `1 / x`.

With `b = alpha + 1`, from DLMF 13.7.2 and 13.6.19,

    L_n = (-x)**n / gamma(n + 1) sum_k (-n)_k (1 - n - b)_k / k! (-x)**-k
        - sin(pi n) / pi gamma(n + b) exp(x) x**(-n - b) sum_k (n + 1)_k (n + b)_k / k! x**-k

Each sum is used where its first term is at most 4, so that the largest is below `exp(4)`; the least is about
`exp(-abs(x))` of the first.  Steps through the differential equation lose `exp(x)` where it is the smaller solution.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import Traced, raw
from ...numerics.jets import Jet, power, reciprocal_gamma, sine_of_pi
from ...numerics.regions import is_near_pole, plain

_NEAREST = 60.0
"""Of the arguments, whose least term is below the rounding error."""
_FIRST = 4.0
"""The largest first term."""
_LARGEST = 100.0
"""Of degree and parameter, so that nothing overflows before the product does."""
_NEAR_POLE = 1e-3
"""How far `n + b` is from poles of the gamma function."""
_TINY = 1e-18


def is_far(n: Any, alpha: Any, x: Any) -> Any:
    """Where the expansions hold."""
    if np.isrealobj(x) or isinstance(n, Traced) or isinstance(alpha, Traced):
        return np.False_
    n, b = plain(n), plain(alpha) + 1
    larger = np.abs(n) + 1
    is_moderate = (larger <= _LARGEST) & (np.abs(b) <= _LARGEST) & ~is_near_pole(n + b, _NEAR_POLE)
    return is_moderate & (np.abs(raw(x)) >= _NEAREST + larger * (larger + np.abs(b)) / _FIRST)


def laguerre_far(n: Any, alpha: Any, x: Any) -> Any:
    """Laguerre's function there, of numbers, vectors or jets."""
    jets = [p for p in (n, alpha) if isinstance(p, Jet)]
    orders = jets[0].orders if jets else (0,)
    n, b = (p if isinstance(p, Jet) else Jet({(0,) * len(orders): np.float64(1) * p}, orders) for p in (n, alpha + 1.0))
    count = _terms(plain(n), plain(b), raw(x))
    root = power(-x, n * 0.5)
    result = root * reciprocal_gamma(n + 1.0) * root * _sum(-n, 1.0 - n - b, -1 / x, count)
    root = power(x, (n + b) * -0.5) * np.exp(0.5 * x)
    growing = root * reciprocal_gamma(n + b).reciprocal() * root * sine_of_pi(n) * (1 / math.pi)
    result = result - growing * _sum(n + 1.0, n + b, 1 / x, count)
    return result if jets else result.value


def _sum(a: Jet, b: Jet, z: Any, count: int) -> Jet:
    """`sum_k (a)_k (b)_k / k! z**k`."""
    term = a * b * z
    total = term + 1.0
    for k in range(1, count):
        term = term * ((a + float(k)) * (b + float(k))) * (z * (1 / (k + 1)))
        total = total + term
    return total


def _terms(n: Any, b: Any, x: Any) -> int:
    """How many terms are needed, by a majorant."""
    larger, nearest = float(np.max(np.abs(n))) + 1, float(np.min(np.abs(x)))
    other, share, k = larger + float(np.max(np.abs(b))), 1.0, 0
    while share > _TINY and k < nearest:
        share *= (larger + k) * (other + k) / ((k + 1) * nearest)
        k += 1
    return k + 1
