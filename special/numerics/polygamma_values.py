"""The derivatives of the digamma function, real and complex."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import special

BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330]
"""`B_2, B_4, ...`"""


_HIGHEST = 12
"""Up to this order the sums are not scaled, and the reflection is a polynomial."""


def polygamma_value(z: Any, n: int) -> Any:
    """The derivative of order `n` of the digamma function."""
    with np.errstate(all="ignore"):
        return special.digamma(z) if n == 0 else _low(z, n) if n <= _HIGHEST else _high(z, n)


def _low(z: Any, n: int) -> Any:
    is_left = np.real(z) < (0.5 if z.dtype.kind == "c" else 0.0)
    if not np.any(is_left):
        return _by_expansion(z, n)
    values = _by_expansion(np.where(is_left, 1 - z, z), n)
    mirrored = (-1.0) ** n * values - _cotangent_derivative(np.where(is_left, z, 0.25), n)
    return np.where(is_left, mirrored, values)


def _by_expansion(z: Any, n: int) -> Any:
    """The recurrence DLMF 5.15.5 to the right of `8 + n`, and there the asymptotic expansion 5.15.9."""
    total: Any = 0.0
    end = z + (8 + n)
    for k in reversed(range(8 + n)):
        total = 1 / _power(z + k, n + 1) + total
    inverse = 1 / end
    square = inverse * inverse
    tail: Any = 0.0
    for k, number in reversed([*enumerate(BERNOULLI, 1)]):
        tail = (tail + number * (math.factorial(2 * k + n - 1) / math.factorial(2 * k))) * square
    tail = (tail + inverse * (math.factorial(n) / 2) + math.factorial(n - 1)) * _power(inverse, n)
    return (total * math.factorial(n) + tail) * (-1.0) ** (n + 1)


def _power(z: Any, n: int) -> Any:
    """By products, which are exact to rounding and fast."""
    product = z
    for _ in range(n - 1):
        product = product * z
    return product


def _cotangent_derivative(z: Any, n: int) -> Any:
    """The derivative of order `n` of `pi cot(pi z)`, DLMF 5.15.6: a polynomial in the cotangent.

    Away from the real axis, where `cot**2 + 1` vanishes, one in `u = q / (1 - q)`, `q = exp(2 pi i z)`, of which
    `pi cot(pi z) = -i pi (1 + 2 u)` and `du/dz = 2 pi i u (1 + u)`.
    """
    angle = math.pi * (z - np.round(np.real(z)))
    near = _iterated(1 / np.tan(angle), [-1.0, 0.0, -1.0], n) * math.pi ** (n + 1)
    if z.dtype.kind != "c":
        return near
    is_below = np.imag(z) < 0
    upper = np.where(is_below, np.conjugate(angle), angle)
    u = -np.exp(2j * upper) / np.expm1(2j * upper)
    far = _iterated(u, [0.0, 1.0, 1.0], n) * (-2j * math.pi * (2j * math.pi) ** n)
    return np.where(np.abs(np.imag(z)) < 0.3, near, np.where(is_below, np.conjugate(far), far))


def _iterated(x: Any, first_derivative: list[float], n: int) -> Any:
    """The derivative of order `n` of a function that is `x`, with its first derivative, a polynomial in `x`."""
    coefficients = np.array([0.0, 1.0])
    for _ in range(n):
        derivative = coefficients[1:] * np.arange(1, len(coefficients))
        coefficients = np.polynomial.polynomial.polymul(first_derivative, derivative)
    total = 0.0 * x
    for c in coefficients[::-1]:
        total = total * x + float(c)
    return total


# high orders: `(-1)**(n + 1) n! zeta(n + 1, z)`, DLMF 25.11.12, with `n! = f c**(n + 1)` so that no power of `c / z`
# overflows before the result does; `zeta(s, z) + (-1)**s zeta(s, 1 - z)` sums `(z + k)**-s` over all integers `k`


def _high(z: Any, n: int) -> Any:
    c = math.exp(math.lgamma(n + 1) / (n + 1))
    f = float(Fraction(math.factorial(n)) / Fraction(c) ** (n + 1))
    is_left = np.real(z) < (0.5 if z.dtype.kind == "c" else 0.0)
    total = f * _hurwitz(np.where(is_left, 1 - z, z), n, c)
    if np.any(is_left):
        total = np.where(is_left, _over_all(np.where(is_left, z, 0.25), n, c, f) + (-1.0) ** n * total, total)
    return (-1.0) ** (n + 1) * total


def _hurwitz(z: Any, n: int, c: float) -> Any:
    """`c**(n + 1) zeta(n + 1, z)`, as `_by_expansion`."""
    total: Any = 0.0
    for k in reversed(range(8 + n)):
        total = _power_by_squares(c / (z + k), n + 1) + total
    inverse = 1 / (z + (8 + n))
    square = inverse * inverse
    tail: Any = 0.0
    for k, number in reversed([*enumerate(BERNOULLI, 1)]):
        tail = (tail + number * float(Fraction(math.perm(2 * k + n - 1, 2 * k - 1), math.factorial(2 * k)))) * square
    powers = _power_by_squares(c * inverse, n)
    return total + c * powers * ((tail + 0.5 * inverse) + 1 / n)


def _power_by_squares(z: Any, n: int) -> Any:
    product: Any = 1.0
    while n:
        if n % 2:
            product = product * z
        z, n = z * z, n // 2
    return product


def _over_all(z: Any, n: int, c: float, f: float) -> Any:
    """`n!` times the sum of `(z + k)**(-n - 1)`; off the real axis by its Fourier series, DLMF 4.22.3 and 5.15.6.

    Where `abs(Im z)` is about `0.4 sqrt(n)`, neither loses more than a digit.
    """
    distance = z - np.round(np.real(z))
    height = 0.4 * math.sqrt(n)
    reach = math.ceil(math.hypot(0.5, height) * 10 ** (17 / (n + 1)))
    near = f * sum(_power_by_squares(c / (distance + k), n + 1) for k in range(-reach, reach + 1))
    if z.dtype.kind != "c":
        return near
    is_below = np.imag(z) < 0
    upper = 2j * math.pi * np.where(is_below, np.conjugate(distance), distance)
    far = sum(np.exp(n * math.log(2 * math.pi * m) + m * upper) for m in range(1, math.ceil(height) + 10))
    far = far * (-2j * math.pi * (-1j) ** n)
    return np.where(np.abs(np.imag(z)) < height, near, np.where(is_below, np.conjugate(far), far))
