"""The ratios `U(b + k + 1, x) / U(b + k, x)` of parabolic cylinder functions, for `0 <= b < 1` and `x > 0`."""

from __future__ import annotations

from typing import Any

import numpy as np

_HIGHER = 60
"""The recurrence starts from an order that is larger by this much."""


def ratios(b: Any, x: Any, count: int) -> list[Any]:
    """The ratios for `k = 0, 1, .., count - 1`, by the recurrence downwards from a large order."""
    last = count + _HIGHER
    ratio = _large_ratio(b + last, x)
    found = []
    for k in range(last - 1, -1, -1):
        ratio = 1 / (x + (b + k + 1.5) * ratio)
        found.append(ratio)
    return found[: -count - 1 : -1]


def _large_ratio(a: Any, x: Any) -> Any:
    """`U(a + 1, x) / U(a, x)` by DLMF 12.8.2 from the logarithmic derivative `u`, as a series.

    `u' + u**2 = p**2` with `p**2 = x**2 / 4 + a`; so `u = u_0 + u_1 + ..` with `u_0 = -p` and
    `u_(j+1) = (u_j' + sum_(i=1..j) u_i u_(j+1-i)) / (2 p)`: each is a polynomial in `x / p` over `p**(2 j + 1)`.
    """
    p = np.sqrt(x * x / 4 + a)
    t, square = x / p, 1 / (p * p)
    total: Any = 0.0
    for coefficients in _LOGARITHMIC_DERIVATIVE[::-1]:
        term: Any = 0.0
        for c in coefficients:
            term = term * t + c if c else term * t
        total = (total + term) * square
    return (p - total * p - x / 2) / (a + 0.5)


def _logarithmic_derivative(orders: int) -> list[list[float]]:
    """The coefficients of the polynomials in `x / p` of `u_1, u_2, ..`, the highest first."""
    series: list[dict[tuple[int, int], float]] = [{(0, -1): -1.0}]
    for j in range(orders):
        rest: dict[tuple[int, int], float] = {}
        for (i, n), c in series[j].items():
            rest[i + 1, n + 2] = rest.get((i + 1, n + 2), 0.0) - n * c / 4
            if i:
                rest[i - 1, n] = rest.get((i - 1, n), 0.0) + i * c
        for k in range(1, j + 1):
            for (i, n), c in series[k].items():
                for (m, q), d in series[j + 1 - k].items():
                    rest[i + m, n + q] = rest.get((i + m, n + q), 0.0) + c * d
        series.append({(i, n + 1): c / 2 for (i, n), c in rest.items() if c})
    powers = [{i: c for (i, _), c in s.items()} for s in series[1:]]
    return [[s.get(i, 0.0) for i in range(max(s), -1, -1)] for s in powers]


_LOGARITHMIC_DERIVATIVE = _logarithmic_derivative(9)
