"""The distributions of Kolmogorov and Smirnov, which their tests compare with, and their inverses.

Both are finite or rapidly convergent sums, which are differentiated term by term, to every order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.polynomial import polynomial
from scipy import special

from ...complex_autograd.engine.elementwise import missing
from ...complex_autograd.engine.traced import raw
from ..numerics.contours import in_double, leibniz
from ..numerics.stirling_powers import log_of_ratio, stirling
from ..ufuncs.distribution_rules import distribution
from ..ufuncs.inverses import inverse
from ..ufuncs.large_arrays import threaded
from ..ufuncs.ufunc_rules import INTEGER, RULES, Partial, pointwise, rule

__all__ = ["kolmogi", "kolmogorov", "smirnov", "smirnovi"]


def _terms(order: int, at_least: int) -> int:
    """So many that the next is below the rounding error on either side of 1."""
    return at_least + (order > 3) * 2


@pointwise(lambda w, x, *, order: kolmogorov_derivative(x, order=order + 1))
@in_double
def kolmogorov_derivative(x: Any, *, order: int) -> Any:
    """The derivative of an order of `2 sum_(k > 0) (-1)**(k - 1) exp(-2 k**2 x**2)`.

    For small `x` that of `1 - sqrt(2 pi) / x sum_(k > 0) exp(-(2 k - 1)**2 pi**2 / (8 x**2))` (DLMF 20.7.33).
    """
    return np.where(x <= 0, 0.0, np.where(x < 1, _small(x, order), _large(x, order)))


def _large(x: Any, n: int) -> Any:
    """With `z = sqrt(2) k x` the derivative of a term is `(-sqrt(2) k)**n H_n(z) exp(-z**2)`, DLMF 18.5.5."""
    x = np.minimum(x, 30.0)  # there it is 0 already
    total: Any = 0.0
    hermite = np.polynomial.hermite.herm2poly([0] * n + [1])
    first = np.exp(-2 * x * x)
    for k, value in enumerate(_gaussian(first, first * first * first, first * first, _terms(n, 4)), 1):
        rates = hermite * (math.sqrt(2) * k) ** np.arange(n + 1)
        total = total + polynomial.polyval(x, (-1) ** (k - 1) * (-math.sqrt(2) * k) ** n * rates) * value
    return 2 * total


def _small(x: Any, n: int) -> Any:
    """With `r = 1 / x` a term is `-r exp(-c r**2)`, and `d/dx = -r**2 d/dr` acts on the polynomial in front."""
    r = 1 / np.maximum(x, 0.04)
    total: Any = 0.0
    first = np.exp(-(math.pi**2) / 8 * r * r)
    step = np.square(np.square(np.square(first)))
    for k, value in enumerate(_gaussian(first, step, step, _terms(n, 3)), 1):
        c = (2 * k - 1) ** 2 * math.pi**2 / 8
        factor = np.array([0.0, -1.0])
        for _ in range(n):
            factor = polynomial.polymul(
                [0, 0, -1], polynomial.polysub(polynomial.polyder(factor), [0, *2 * c * factor])
            )
        total = total + polynomial.polyval(r, factor) * value
    return math.sqrt(2 * math.pi) * total


def _gaussian(value: Any, ratio: Any, step: Any, count: int) -> Iterator[Any]:
    """A Gaussian at evenly spaced points, from the first value, its ratio to the next, and the ratio of the ratios."""
    yield value
    for _ in range(count - 1):
        value = value * ratio
        yield value
        ratio = ratio * step


_kolmogorov = distribution(special.kolmogorov, "x", lambda x: kolmogorov_derivative(x, order=1))
kolmogorov = threaded(special.kolmogorov)
kolmogi = inverse(special.kolmogi, "p", _kolmogorov)


@pointwise(
    missing("scipy.special.smirnov", INTEGER, "n"), lambda w, n, d, *, order: smirnov_derivative(n, d, order=order + 1)
)
@in_double
def smirnov_derivative(n: Any, d: Any, *, order: int) -> Any:
    """The derivative of an order of `d sum_(v <= n (1 - d)) C(n, v) p**(v - 1) q**(n - v)`, `p = d + v / n = 1 - q`.

    The term with `v = 0` is `q**n` (Birnbaum and Tingey, Ann. Math. Stat. 22 (1951) 592).
    """
    n = np.floor(n)
    inside = (d >= 0) & (d < 1) & (n >= 1) & (n < np.inf)
    at_end = np.where(n == order, math.factorial(order) * (-1.0) ** order, 0.0)[()]
    outside = np.where((d == 1) & (n >= 1), at_end, np.nan)
    n, d = np.where(inside, n, 1.0), np.where(inside, d, 0.5)
    total = _products((1 - d) ** n, 0.0, 1.0, n, 1 - d, order)[order]
    remainder = stirling(n)[0]
    for v in range(1, int(np.max(n, initial=0))):
        p, q, others = d + v / n, 1 - d - v / n, n - v
        is_term = q > 0
        q, others = np.where(is_term, q, 0.5), np.where(is_term, others, 1.0)
        log = v * np.log1p(n * d / v) + others * log_of_ratio(q * (n / others), -n * d / others)
        log += remainder - stirling(np.full_like(n[:1], v))[0] - stirling(others)[0]
        value = np.sqrt(n / (2 * math.pi * v * others)) * np.exp(log) / p
        powers = _products(value, v - 1, p, others, q, order)
        total = total + np.where(is_term, d * powers[order] + (order * powers[order - 1] if order else 0.0), 0.0)
    return np.where(inside, total, outside)


def _products(value: Any, a: Any, p: Any, b: Any, q: Any, order: int) -> list[Any]:
    """The derivatives of `p**a q**b` with `p' = 1`, `q' = -1`, up to an order."""

    def rate(k: int) -> Any:
        return math.factorial(k) * ((-1) ** k * a / p ** (k + 1) - b / q ** (k + 1))

    derivatives = [value]
    for n in range(order):
        derivatives.append(leibniz(n, rate, derivatives.__getitem__))
    return derivatives


_smirnov = distribution(special.smirnov, "n d", INTEGER, lambda n, d: smirnov_derivative(n, d, order=1))
smirnov = threaded(special.smirnov)
inverse(special.smirnovi, "n p", _smirnov)
_inner_derivative = cast(Partial, RULES[special.smirnovi].partials[1])


def _inverse_derivative(w: Any, n: Any, p: Any) -> Any:
    """Where `p <= n**-n` only one term is left of the sum, and `p = (1 - d)**n`: `d` has lost the digits of `1 - d`."""
    count = np.floor(raw(n))
    is_last = (raw(p) > 0) & (np.log(np.where(raw(p) > 0, raw(p), 1.0)) <= -count * np.log(np.maximum(count, 1.0)))
    is_last = is_last & (count >= 1) & (count < np.inf)
    if not np.any(is_last):
        return _inner_derivative(w, n, p)
    n, last = np.where(is_last, count, 1.0), np.where(is_last, p, 1.0)
    derivative = -np.power(last, 1 / n - 1) / n
    if np.all(is_last):
        return derivative
    inside = [np.where(is_last, y, x) for x, y in ((w, 0.5), (count, 2.0), (p, 0.5))]
    return np.where(is_last, derivative, _inner_derivative(*inside))


smirnovi = rule(special.smirnovi, "n p", INTEGER, _inverse_derivative)
