"""The derivatives of the digamma function, real and complex."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

__all__ = ["BERNOULLI", "polygamma_value"]

BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330]
"""`B_2, B_4, ...`"""


_HIGHEST = 20
"""Up to this order the expansion is used for real arguments, too."""


def polygamma_value(z: Any, n: int) -> Any:
    """The derivative of order `n` of the digamma function."""
    with np.errstate(all="ignore"):
        return special.digamma(z) if n == 0 else _higher(z, n)


def _higher(z: Any, n: int) -> Any:
    is_complex = z.dtype.kind == "c"
    on_the_right = _by_expansion if is_complex or n <= _HIGHEST else _by_zeta
    is_left = np.real(z) < (0.5 if is_complex else 0.0)
    if not np.any(is_left):
        return on_the_right(z, n)
    values = on_the_right(np.where(is_left, 1 - z, z), n)
    mirrored = (-1.0) ** n * values - _cotangent_derivative(np.where(is_left, z, 0.25), n)
    return np.where(is_left, mirrored, values)


def _by_zeta(x: Any, n: int) -> Any:
    """DLMF 25.11.12."""
    return (-1.0) ** (n + 1) * math.factorial(n) * special.zeta(n + 1, x)


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


def _iterated(x: Any, slope: list[float], n: int) -> Any:
    """The derivative of order `n` of a function that is `x` and has the derivative `slope`, a polynomial in `x`."""
    coefficients = np.array([0.0, 1.0])
    for _ in range(n):
        derivative = coefficients[1:] * np.arange(1, len(coefficients))
        coefficients = np.polynomial.polynomial.polymul(slope, derivative)
    total = 0.0 * x
    for c in coefficients[::-1]:
        total = total * x + float(c)
    return total
