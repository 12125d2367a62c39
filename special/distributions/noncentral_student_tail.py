"""The lower tail of noncentral t by a series of positive terms, where `t < 0` and `d >= 0`.

With `y = -t / sqrt(v)`, `x = 1 / (1 + y**2)`, `u = d y sqrt(x)`, and `I_m` for the integral of
`r**(m - 1) exp(-r**2 / 2 - u r)` from 0 on, integration by parts raises `v` by 2 at the same `y`, and as nothing is
left at infinity

    F = phi(d) y sum_k x**((v + 2 k + 1) / 2) I_(v + 2 k + 1) / (2**(v / 2 + k) gamma(v / 2 + k + 1)).

As `I_(m + 2) = m I_m - u I_(m + 1)`, of which `I` is the minimal solution, the ratios `R_m = I_(m + 1) / I_m` follow
backward from `R_m (u + R_(m + 1)) = m`, and their scale from `sum_j u**j / j! I_(v + j) = 2**(v / 2 - 1) gamma(v / 2)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..numerics.devices import constants_like

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
_LENGTHS = (36, 60, 90, 130, 200)
"""How many terms."""
_LARGEST_SQUARE = 1e200
_CHUNK = 4096
"""So many elements at a time: what is computed of them stays in the cache."""

_RATIO = (
    (1 / 2,),
    (1 / 2, -5 / 4),
    (-9 / 2, 15 / 2),
    (-19 / 4, 221 / 4, -1105 / 16),
    (153, -1695 / 2, 1695 / 2),
    (631 / 4, -34503 / 8, 248475 / 16, -414125 / 32),
)
"""The expansion of `R_m` for large `D = sqrt(u**2 + 4 m - 2)`, that of its own equation, of which `(D - u) / 2` is the
first term: the next ones are polynomials in `w = u / D`, even ones or odd ones in turn, divided by `D, D**3, ..`"""


def _count(v: Any, d: Any, t: Any) -> tuple[Any, Any]:
    """How many terms of `F` count, and how many of the sum that gives the scale.

    The terms fall as `x**k exp(-u sqrt(v + 2 k + 1))`; the others are like Poisson's probabilities whose mean is `u`
    times a variable of the distribution of chi.
    """
    square = t * t / v
    rate = np.log1p(square)
    u = d * np.sqrt(square / (1 + square))
    depth = _DEPTH + u * np.sqrt(v + 1) + rate * (v + 1) / 2
    root = 2 * depth / (u + np.sqrt(u * u + 2 * rate * depth))
    mean = u * np.sqrt(v + 1)
    return (root * root - (v + 1)) / 2, mean + 9 * np.sqrt(mean + u * u / 2) + 14


def has_short_series(v: Any, d: Any, t: Any, longest: int = _LENGTHS[-1]) -> Any:
    """Where the sum has a moderate number of terms."""
    count, other = _count(v, d, t)
    is_short = (count < longest) & (other < 2 * longest) & (t * t < _LARGEST_SQUARE * v)
    return is_short & (t < 0) & (d >= 0) & (v > 0)


def by_series(v: Any, d: Any, t: Any) -> Any:
    """`F`, of vectors."""
    count, other = _count(v, d, t)
    length = np.maximum(count, other / 2)
    if len(v) == 1 and issubclass(type(v), np.ndarray):
        longest = max(_LENGTHS[0], int(length[0]) + 1)
        return np.array([_sum(float(v[0]), float(d[0]), float(t[0]), longest, int(other[0]))])
    out, group = np.empty_like(v), np.searchsorted(constants_like(_LENGTHS, v), length)
    for k, length in enumerate(_LENGTHS):
        indices = np.flatnonzero(group == k)
        for start in range(0, len(indices), _CHUNK):
            at = indices[start : start + _CHUNK]
            out[at] = _sum(v[at], d[at], t[at], length, int(np.max(other[at])))
    return out


def _ratio(m: Any, u: Any) -> Any:
    """`R_m`, of a large `m`."""
    inverse = 1 / np.sqrt(u * u + (4 * m - 2))
    w, square, total = u * inverse, inverse * inverse, 0.0
    for k, coefficients in reversed(list(enumerate(_RATIO))):
        term = np.polynomial.polynomial.polyval(w * w, coefficients)
        total = total * square + (term if k % 2 else w * term)
    return (2 * m - 1) * inverse / (1 + w) + total * inverse


def _sum(v: Any, d: Any, t: Any, length: int, other: int) -> Any:
    """Both sums backward, by Horner's rule, in terms of the ratios of their terms."""
    square = t * t / v
    root = np.sqrt(1 + square)
    y, x = np.sqrt(square), 1 / (root * root)
    u = d * (y / root)
    order = v + (2 * length + 1)
    ratio = order / (u + _ratio(order + 1, u))
    below = order - 1
    total, scale = 1.0, 1.0
    for k in range(length, 0, -1):
        inverse = 1 / (ratio + u)
        next_ratio = below * inverse
        if 2 * k <= other:
            scale = _horner(scale, ratio * u, 2 * k + 2)
            scale = _horner(scale, next_ratio * u, 2 * k + 1)
        next_ratio += u
        order -= 2
        below -= 2
        ratio = order / next_ratio
        inverse *= x
        inverse *= ratio
        total *= inverse
        total += 1
    inverse = 1 / (ratio + u)
    scale = _horner(_horner(scale, ratio * u, 2), v * inverse * u, 1)
    exponent = d * d / 2 + (v + 1) / 2 * np.log1p(square)
    return np.exp(-exponent) / math.sqrt(2 * math.pi) * y * inverse * total / scale


def _horner(total: Any, factor: Any, n: int) -> Any:
    """`1 + total factor / n`."""
    factor *= total
    factor *= 1 / n
    factor += 1
    return factor
