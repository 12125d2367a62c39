"""Derivatives of the incomplete beta function in its shapes where both are tiny, from one shape raised.

With `h = a log(x) + b log(y) - log(a B(a, b))` (DLMF 8.17.20)

    betainc(a, b, x) = betainc(a + 1, b, x) + exp(h),    exp(h) = b / (a + b) x**a y**b / ((a + b + 1) B(a + 1, b + 1)),

a rational function, whose derivatives are large and cancel nowhere, and a smooth one.  It is the larger shape that is
raised: where the other one is much smaller all terms are in proportion to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import gammaln

from .densities import exponential_derivative
from .digamma_differences import polygamma_of

_TINY = 0.05
"""Of the sum of the shapes: beneath, the integrand on the contour falls too slowly."""


def is_tiny(a: Any, b: Any, odds: Any) -> Any:
    """Where `raised` is needed."""
    return (a + b < _TINY) & (a > 0) & (b > 0) & (odds > 0) & (odds < np.inf)


def raised(derivative: Callable[..., Any], a: Any, b: Any, odds: Any, orders: tuple[int, int]) -> Any:
    """The derivative of orders `(n, m)`, of vectors; `derivative` is the same where a shape is not tiny."""
    out = np.empty_like(a)
    for chosen, is_swapped in ((a >= b, False), (a < b, True)):
        p, q, x = a[chosen], b[chosen], odds[chosen]
        if is_swapped:
            total = derivative(q + 1, p, 1 / x, orders[::-1]) + _step(q, p, 1 / x, *orders[::-1])
        else:
            total = derivative(p + 1, q, x, orders) + _step(p, q, x, *orders)
        out[chosen] = -total if is_swapped else total
    return out


def _step(a: Any, b: Any, odds: Any, n: int, m: int) -> Any:
    """The derivative of `exp(h)`."""
    log_y = -np.log1p(odds)
    log_x = log_y + np.log(odds)
    total = a + b

    def rate(i: int, j: int) -> Any:
        of_sum = polygamma_of(total + 1, n=i + j - 1)
        if i and j:
            return of_sum
        own, log = (polygamma_of(a + 1, n=i - 1), log_x) if i else (polygamma_of(b + 1, n=j - 1), log_y)
        return of_sum - own + log if i + j == 1 else of_sum - own

    def share(i: int, j: int) -> Any:
        """The derivative of orders `(i, j)` of `b / (a + b)`."""
        order = i + j
        if order == 0:
            return b / total
        return (-1) ** order * math.factorial(order - 1) * ((i * b - j * a) / total) / total**order

    smooth = np.exp(a * log_x + b * log_y + gammaln(total + 1) - gammaln(a + 1) - gammaln(b + 1))
    return sum(
        math.comb(n, i) * math.comb(m, j) * share(n - i, m - j) * exponential_derivative(smooth, rate, i, j)
        for i in range(n + 1)
        for j in range(m + 1)
    )
