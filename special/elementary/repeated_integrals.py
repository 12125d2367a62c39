"""The repeated integrals of the complementary error function, scaled: `E_n(z) = exp(z**2) i^n erfc(z)`, DLMF 7.18.2.

From DLMF 7.18.3 and 7.18.7 follows `E_n' = -2 (n + 1) E_(n+1)`: as derivatives of `E_0` they have no cancellation in
them.  They come from a recurrence where `z` is small or `E_0` large; at real `z` from a continued fraction, at complex
ones from an integral; and far out from an expansion.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.polynomial import polynomial
from scipy.special import erfcx

from ..numerics.regions import by_region, in_double, with_dtypes
from ..ufuncs.ufunc_rules import pointwise

_TWO_OVER_ROOT_PI = 2 / math.sqrt(math.pi)

FAR = 8.0
"""From this modulus on the asymptotic expansion is used."""
NEAR, _NEAR_AND_REAL = 2.5, 4.0
"""Up to this modulus the recurrence loses a digit in each step, or less, at complex and at real arguments."""
_FRACTIONS = 32
"""So many levels of the continued fraction are enough from there on."""


@pointwise(lambda w, z, *, order, first=None: -2 * (order + 1) * scaled_repeated_integral(z, order=order + 1))
def scaled_repeated_integral(z: Any, *, order: int, first: Any = None) -> Any:
    """`E_n(z) = exp(z**2) i^n erfc(z)`, n = 1, 2, ..; `first` is `E_0(z)` where it is known."""
    (z,) = with_dtypes(z)
    if first is None or first.dtype.char in "fF":
        return in_double(lambda z: _repeated_integral(erfcx(z), z, order), z)
    return in_double(lambda first, z: _repeated_integral(first, z, order), first, z)


def _repeated_integral(first: Any, z: Any, n: int) -> Any:
    """By a recurrence; on the right by a continued fraction; far out, where `|arg z| <= 3 pi / 4`, by an expansion."""
    size, x, y = np.abs(z), np.real(z), np.imag(z)
    is_cancelling = x >= -np.abs(y)
    regions = [
        (np.isinf(size) & (x != -np.inf), lambda first, z: np.zeros_like(z)),
        (is_cancelling & (size >= FAR), lambda first, z: _by_expansion(z, n)),
    ]
    if z.dtype.kind == "c":
        is_between = is_cancelling & (size >= NEAR) & (size < FAR)
        is_near_node = np.abs(y / _STEP - np.rint(y / _STEP)) < 0.25
        regions += [
            (is_between & is_near_node, lambda first, z: _by_trapezoids(z, n, 0.5)),
            (is_between & ~is_near_node, lambda first, z: _by_trapezoids(z, n, 0.0)),
        ]
    else:
        regions += [
            ((x >= _NEAR_AND_REAL) & (x < FAR), lambda first, z: _by_fraction(first, z, n, _FRACTIONS)),
            ((x >= 2) & (x < _NEAR_AND_REAL) & (n > 2), lambda first, z: _by_fraction(first, z, n, 120)),
        ]
    return by_region([*regions, (True, lambda first, z: _by_recurrence(_TWO_OVER_ROOT_PI, first, z, n))], first, z)


def _by_recurrence(before: Any, last: Any, z: Any, n: int) -> Any:
    """`2 k E_k = E_(k-2) - 2 z E_(k-1)` from `E_(-1) = 2 / sqrt(pi)` and `E_0`, DLMF 7.18.7."""
    for k in range(1, n + 1):
        before, last = last, (before - 2 * z * last) / (2 * k)
    return last


def _by_expansion(z: Any, n: int) -> Any:
    """DLMF 7.18.14; on the left with what `E_0(z) = 2 exp(z**2) - E_0(-z)` adds, on the imaginary axis with half."""
    inverse = 0.5 / z
    out = far_expansion(inverse * inverse, n) * (_TWO_OVER_ROOT_PI * inverse ** (n + 1))
    is_left = np.real(z) <= 0
    if np.any(is_left):
        z = z[is_left]
        grown = (1 - np.sign(np.real(z))) * np.exp(z * z)
        out[is_left] += _by_recurrence(0.0, grown, z, n)
    return out


def far_expansion(s: Any, n: int) -> Any:
    """`sum_m (2 m + n)! / (n! m!) (-s)**m` for `|s| <= 1 / 256`."""
    last = 18 + 4 * n
    total = np.full_like(s, _far_coefficient(last, n))
    for m in reversed(range(last)):
        total *= s
        total += _far_coefficient(m, n)
    return total


def _far_coefficient(m: int, n: int) -> float:
    return float((-1) ** m * math.factorial(2 * m + n) // (math.factorial(n) * math.factorial(m)))


def _by_fraction(first: Any, z: Any, n: int, levels: int) -> Any:
    """The ratios `r_k = E_k / E_(k-1) = 1 / (2 z + 2 (k + 1) r_(k+1))`, from DLMF 7.18.7, downwards.

    It starts with what `r_k` would be if it were equal to `r_(k+1)`.
    """
    levels += n
    ratio = 1 / (z + np.sqrt(z * z + 2 * (levels + 1)))
    product = first
    double = 2 * z
    for k in reversed(range(1, levels)):
        ratio = 1 / (double + 2 * (k + 1) * ratio)
        if k <= n:
            product = product * ratio
    return product


_STEP, _NODES, _NO_POLE = 0.5, 13, 6.0
"""The error of the trapezoidal rule for `exp(-t**2)` is `exp(-(pi / step)**2)`; beyond the nodes nothing is left, and
right of the third number its pole adds nothing."""


def _by_trapezoids(z: Any, n: int, offset: float) -> Any:
    """`1 / (2**n pi) int exp(-t**2) / (z + i t)**(n + 1) dt`, which is DLMF 7.7.2 differentiated.

    At the nodes `t = (k + offset) step` the trapezoidal rule, where those at `t` and `-t` go together: the sum `p_m` of
    the powers `1 / (z + i t)**m` and `1 / (z - i t)**m` is 2, `2 z s`, .. with `s = 1 / (z**2 + t**2)`, and
    `p_(m+1) = 2 z s p_m - s p_(m-1)`; what its pole `t = i z` adds is `2 exp(z**2) q` for `E_0`
    with `q = 1 / (1 - exp(2 pi (z / step - i offset)))` (Matta and Reichel, Math. Comp. 25 (1971) 339), and is
    differentiated by Leibniz's rule, with `q' = (2 pi / step) (q**2 - q)`.
    """
    square, double = z * z, 2 * z
    total = 0.0 if offset else z ** -(n + 1)
    for k in range(_NODES):
        t = (k + 1 - offset) * _STEP
        share = 1 / (square + t * t)
        growth = double * share
        before, pair = 2.0, growth
        for _ in range(n):
            before, pair = pair, growth * pair - share * before
        total = total + math.exp(-t * t) * pair
    rate = 2 * math.pi / _STEP
    q = 1 / (1 - (1 - 4 * offset) * np.exp(rate * z))
    growths = [1.0 + 0 * z, 2 * z]
    for k in range(1, n):
        growths.append(2 * z * growths[k] + 2 * k * growths[k - 1])
    in_q = np.array([0.0, 1.0])
    pole: Any = 0.0
    for k in range(n + 1):
        pole = pole + math.comb(n, k) * growths[n - k] * polynomial.polyval(q, in_q)
        in_q = rate * polynomial.polymul([0.0, -1.0, 1.0], polynomial.polyder(in_q))
    weight = 2 * (-0.5) ** n / math.factorial(n)
    pole = np.where(np.real(z) < _NO_POLE, weight * np.exp(z * z) * pole, 0.0)
    return total * (_STEP / math.pi / 2**n) + pole
