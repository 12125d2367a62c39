"""Kummer's function `M(a, b, z)` of complex `z` by a series of Bessel functions, where its power series cancels.

DLMF 13.11.1, in the functions `f_s = 0F1(; a + 1/2 + s; y) / (a + 1/2)_s` with `y = (z / 4)**2`:

    M exp(-z / 2) = f_0 + sum_(s>0) 2 (2 a)_(s-1) (2 a - b)_s / ((b)_s s!) (a - 1/2 + s) (z / 4)**s f_s.

It ends after about `abs(z) / 2` terms.  The `f_s` follow downwards, `f_(s-1) = (a - 1/2 + s) f_s + y f_(s+1)`, DLMF
10.6.1, which is the direction in which they grow, from two power series that do not cancel; the sum is Horner's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

FARTHEST = 50.0
"""Up to this modulus of `z` the recurrence has at most some hundred steps."""

_LOSS = 400.0
"""The terms of the sum may be larger than the sum by this factor."""

_CANCELS_LITTLE = 1.5
"""Where `y` is smaller than the parameter by this factor its power series is good."""

_TERMS = 26
_PIECE = 4096
_SMALL = 1e-150


def bessel_series(a: Any, b: Any, z: Any) -> Any:
    """The function where the sum has not cancelled, else NaN, for `a > -1/2`."""
    out = np.empty_like(z)
    order = np.argsort(np.abs(z))
    for i in range(0, order.shape[0], _PIECE):
        part = order[i : i + _PIECE]
        out[part] = _of_piece(a[part], b[part], z[part])
    return out


def _of_piece(a: Any, b: Any, z: Any) -> Any:
    half, quarter = float(np.max(np.abs(z))) / 2, z / 4
    y = quarter * quarter
    below = max(0.0, -2 * float(np.min(b)))  # terms begin to fall beyond `-b`
    count = math.ceil(max(half + 12 * half ** (1 / 3) + 6, half * half / 4 / _CANCELS_LITTLE) + below)
    current, above = _SMALL * _limit(a + (0.5 + count), y), _SMALL * _limit(a + (1.5 + count), y) / (a + (0.5 + count))
    total, work = np.zeros_like(z), np.empty_like(z)
    size, product = np.zeros_like(a), np.ones_like(a)
    shifted, ratio, factor = (np.empty_like(a) for _ in range(3))
    step = np.abs(np.real(quarter)) + np.abs(np.imag(quarter))
    for s in range(count, 0, -1):
        np.add(a, s - 0.5, shifted)
        _ratio_of_terms(a, b, s, ratio, factor)
        np.multiply(total, quarter, total)
        np.multiply(total, ratio, total)
        np.abs(ratio, ratio)
        np.multiply(size, step, size)
        np.multiply(size, ratio, size)
        np.multiply(current, shifted, work)
        np.add(total, work, total)
        for x in (work.real, work.imag):
            np.abs(x, factor)
            np.add(size, factor, size)
        np.multiply(above, y, above)
        np.add(above, work, above)
        current, above = above, current
        np.multiply(product, shifted, product)
    first = 2 * (2 * a - b) / b * quarter
    result = current + first * total
    size = np.abs(current) + np.abs(first) * size
    is_good = (size <= _LOSS * np.abs(result)) & np.isfinite(product)
    return np.where(is_good, result * (np.exp(z / 2) / product / _SMALL), np.nan)


def _limit(c: Any, y: Any) -> Any:
    """`0F1(; c; y)` by its power series."""
    term = np.ones_like(y)
    total = term + 0.0
    shifted = np.empty_like(c)
    for k in range(_TERMS):
        np.add(c, float(k), shifted)
        np.multiply(shifted, k + 1.0, shifted)
        np.multiply(term, y, term)
        np.divide(term, shifted, term)
        np.add(total, term, total)
    return total


def _ratio_of_terms(a: Any, b: Any, s: int, out: Any, work: Any) -> None:
    """`(2 a - 1 + s) (2 a - b + s) / ((b + s) (s + 1))`, from coefficient `s` to the next."""
    np.add(a, 0.5 * (s - 1), out)
    np.subtract(a, 0.5 * b, work)
    np.add(work, 0.5 * s, work)
    np.multiply(out, work, out)
    np.add(b, float(s), work)
    np.multiply(work, 0.25 * (s + 1), work)
    np.divide(out, work, out)
