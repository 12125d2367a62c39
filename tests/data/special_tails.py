"""Incomplete gamma and beta functions of any shapes, by quadrature where series take too long.

In the logarithm of their variable, or its logit, the integrands are the exponentials of concave functions; intervals
in which these change little are taken one after another from the end, until nothing is added.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp

__all__ = ["lower_beta", "lower_gamma", "upper_beta", "upper_gamma"]

USUAL = 1e-4, 1e4
"""Shapes and arguments for which mpmath's functions are fast."""
VARIES = 6
"""By how much the exponent may change within an interval."""
LONGEST = 10**4
"""Intervals."""
STEP = 200
"""Of the precision: mpmath keeps the nodes of each."""
FEW = 100
"""Arguments up to which a series has few terms before they fall."""


def is_usual(*args: Any) -> bool:
    return all(USUAL[0] < abs(x) < USUAL[1] for x in args)


def integral(exponent: Callable[[Any], Any], start: Any, direction: int, width: Any) -> Any:
    """Of `exp(exponent(u) - exponent(start))` from `start` to infinity, right or left; first intervals of this width.

    Singularities of the exponent are not nearer to the real axis than pi.
    """
    origin = exponent(start)

    def integrand(u: Any) -> Any:
        return mp.exp(exponent(u) - origin)

    total, u, last = mp.mpf(0), start, mp.mpf(0)
    for _ in range(LONGEST):
        here = exponent(u)
        while True:
            ends = [exponent(u + direction * width * part) for part in (0.5, 1)]
            if max(abs(x - here) for x in ends) <= VARIES:
                break
            width /= 2
        with mp.workprec(STEP * (mp.mp.prec // STEP + 1)):
            part = direction * mp.quad(integrand, [u, u + direction * width], method="gauss-legendre")
        total += part
        u += direction * width
        if part < mp.eps * total and part <= last:
            return total
        last = part
        width *= 2 if abs(u) > 2 * width or width < 1 else 1
    raise mp.mp.NoConvergence


def power_series(ratio: Callable[[int], Any]) -> Any:
    """The sum of terms of which each is by so much the one before, from 1 on."""
    total, term, n = mp.mpf(0), mp.mpf(1), 0
    while abs(term) > mp.eps * abs(total):
        total += term
        term *= ratio(n)
        n += 1
    return total


def gamma_parts(a: Any, x: Any) -> tuple[Any, Any]:
    """P and Q, DLMF 8.2.4, the part of the end from which the density falls by quadrature."""
    if a < 1 and x < FEW:  # DLMF 8.11.4; digits are there for the complement
        part = mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1)) * power_series(lambda n: x / (a + n + 1))
        return part, 1 - part
    peak = mp.log(a)
    direction = 1 if mp.log(x) > peak else -1

    def exponent(u: Any) -> Any:
        return a * u - mp.exp(u)

    u = mp.log(x)
    scale = mp.exp(exponent(u) - mp.loggamma(a))
    part = scale * integral(exponent, u, direction, 1 / (1 + abs(a - x) + mp.sqrt(a)))
    return (1 - part, part) if direction > 0 else (part, 1 - part)


def log_beta(a: Any, b: Any) -> Any:
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)


def beta_parts(a: Any, b: Any, x: Any) -> tuple[Any, Any]:
    """`I_x(a, b)` and `I_(1-x)(b, a)`, DLMF 8.17.2, likewise."""
    if x > 0.5:
        return beta_parts(b, a, 1 - x)[::-1]
    if min(a, b) < 1 and max(a, b) * x < FEW:  # DLMF 8.17.8
        power = a * mp.log(x) + b * mp.log1p(-x) - mp.log(a) - log_beta(a, b)
        part = mp.exp(power) * power_series(lambda n: (a + b + n) / (a + n + 1) * x)
        return part, 1 - part
    u = mp.log(x / (1 - x))
    direction = 1 if (1 - x) * a < x * b else -1

    def exponent(u: Any) -> Any:
        return -a * mp.log1p(mp.exp(-u)) - b * mp.log1p(mp.exp(u)) if abs(u) < 1 else far(u)

    def far(u: Any) -> Any:
        rest = mp.log1p(mp.exp(-abs(u)))
        return -a * rest - b * (u + rest) if u > 0 else a * (u - rest) - b * rest

    scale = mp.exp(exponent(u) - log_beta(a, b))
    rate = abs(a * (1 - x) - b * x)
    part = scale * integral(exponent, u, direction, 1 / (1 + rate + mp.sqrt((a + b) * x * (1 - x))))
    return (1 - part, part) if direction > 0 else (part, 1 - part)


def lower_gamma(a: Any, x: Any) -> Any:
    if is_usual(a, x) or not (a > 0 and x > 0):
        return mp.gammainc(a, 0, x, regularized=True)
    return gamma_parts(a, x)[0]


def upper_gamma(a: Any, x: Any) -> Any:
    if is_usual(a, x) or not (a > 0 and x > 0):
        return mp.gammainc(a, x, mp.inf, regularized=True)
    return gamma_parts(a, x)[1]


def lower_beta(a: Any, b: Any, x: Any) -> Any:
    if is_usual(a, b) or not (a > 0 and b > 0 and 0 < x < 1):
        return mp.betainc(a, b, 0, x, regularized=True)
    return beta_parts(a, b, x)[0]


def upper_beta(a: Any, b: Any, x: Any) -> Any:
    if is_usual(a, b) or not (a > 0 and b > 0 and 0 < x < 1):
        return lower_beta(b, a, 1 - x)
    return beta_parts(a, b, x)[1]
