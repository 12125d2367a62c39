"""Discrete Fourier transforms by decimation in time, with correctly rounded twiddle factors, in a fixed order.

With `n = p m`, `j = p s + r` and `k = m q + t`,

    x[k] = sum_j a[j] w_n**(j k) = sum_r w_p**(r q) w_n**(r t) sum_s a[p s + r] w_m**(s t).

Cooley & Tukey 1965, equations 6 to 11.  A large prime `p` costs `p**2` operations, in an exact product.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Any

import numpy as np

from .arithmetic import multiply
from .exact_products import exact_matmul

_BITS = 160
"""Of the fixed-point numbers that twiddle factors are computed with; a million products lose 21 of them."""
_TERM_BY_TERM = 8
"""The largest factor whose sums are added elementwise."""


@lru_cache(maxsize=64)
def twiddles(n: int) -> Any:
    """`exp(-2 pi i k / n)` for `k < n`, both parts rounded once."""
    one = 1 << _BITS
    c, s = _first_root(n)
    x, y, found = one, 0, np.empty(n, np.complex128)
    for k in range(n):
        found[k] = complex(_nearest(x), -_nearest(y))
        x, y = (x * c - y * s) >> _BITS, (x * s + y * c) >> _BITS
    found.flags.writeable = False
    return found


def _nearest(x: int) -> float:
    """A fixed-point number as a float: what is smaller than its error is 0."""
    return x / (1 << _BITS) if abs(x) >> (_BITS // 2) else 0.0


def _first_root(n: int) -> tuple[int, int]:
    """The cosine and the sine of `2 pi / n` in fixed point, by their power series."""
    guard = 32
    one = 1 << (_BITS + guard)
    pi = 4 * (4 * _arctangent(5, one) - _arctangent(239, one))  # Machin 1706
    angle = 2 * pi // n
    sums, term, k = [one, 0], one, 0
    while term:
        k += 1
        term = term * angle // one // k
        sums[k % 2] += -term if k % 4 in (2, 3) else term
    return sums[0] >> guard, sums[1] >> guard


def _arctangent(x: int, one: int) -> int:
    """Of `1 / x`."""
    total, power, k = 0, one // x, 0
    while power:
        total += (-1) ** k * (power // (2 * k + 1))
        power //= x * x
        k += 1
    return total


def _factor(n: int) -> int:
    if n % 4 == 0:
        return 4
    return next((p for p in range(2, isqrt(n) + 1) if n % p == 0), n)


def transform(a: Any) -> Any:
    """Along the last axis, of complex numbers in double precision."""
    n = a.shape[-1]
    if n == 1:
        return a
    p = _factor(n)
    m = n // p
    parts = transform(a.reshape(*a.shape[:-1], m, p).swapaxes(-1, -2))
    if m > 1:
        powers = np.arange(p)[:, None] * np.arange(m)
        parts = multiply(parts, twiddles(n)[powers])
    if p > _TERM_BY_TERM:
        matrix = twiddles(p)[np.arange(p)[:, None] * np.arange(p) % p]
        return exact_matmul(matrix, parts).reshape(a.shape)
    return np.stack(_combined([parts[..., r, :] for r in range(p)]), axis=-2).reshape(a.shape)


def _combined(a: list[Any]) -> list[Any]:
    """A transform of few terms."""
    if len(a) == 2:
        return [a[0] + a[1], a[0] - a[1]]
    if len(a) == 4:
        even, odd, sums, rotated = a[0] + a[2], a[0] - a[2], a[1] + a[3], _by_minus_i(a[1] - a[3])
        return [even + sums, odd + rotated, even - sums, odd - rotated]
    w, found = twiddles(len(a)), []
    for q in range(len(a)):
        total = a[0]
        for r in range(1, len(a)):
            total = total + multiply(a[r], w[r * q % len(a)])
        found.append(total)
    return found


def _by_minus_i(x: Any) -> Any:
    found = np.empty_like(x)
    found.real, found.imag = x.imag, -x.real
    return found
