"""The modified Fresnel integrals `F = int_x^inf exp(+-i t**2) dt` and `K = exp(-+i (x**2 + pi / 4)) F / sqrt(pi)`.

With `u = x exp(-+i pi / 4)` they are by the complementary error function, `K = erfcx(u) / 2`.
"""

from __future__ import annotations

import cmath
import math
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import in_double, with_dtypes
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import pointwise, rule
from .error_functions import LARGEST_SQUARED, exact_square
from .repeated_integrals import scaled_repeated_integral

__all__ = ["modfresnelm", "modfresnelp"]

_BITS = 2150
"""Of the fraction of `2 pi`: 100 more than the largest square has."""
_FIRST_ORDER = 8192.0
"""Up to this `|x|` the rounding of the square is so small that its own square is nothing."""
_LEFT = -2.0
"""Left of it derivatives are had by those on the right, as values are."""


@cache
def _two_pi() -> int:
    """`2 pi` in units of `2**-_BITS`, by Machin's formula, `pi / 4 = 4 arctan(1 / 5) - arctan(1 / 239)`."""

    def arctangent(n: int) -> int:
        power, total, k = (1 << (_BITS + 16)) // n, 0, 1
        while power:
            total += (2 - k % 4) * (power // k)
            power, k = power // (n * n), k + 2
        return total

    return (32 * arctangent(5) - 8 * arctangent(239)) >> 16


def _unit_wave(x: Any, sign: float) -> Any:
    """`exp(sign i x**2)` of a vector, where the phase is that of the exact square."""
    square, rest = exact_square(x)
    wave = np.exp(sign * 1j * square)
    wave += sign * 1j * rest * wave
    size = np.abs(x)
    (far,) = np.nonzero(size > _FIRST_ORDER)
    if len(far):
        wave[far] = np.exp(sign * 1j * square[far]) * np.exp(sign * 1j * rest[far])
        (far,) = np.nonzero((size >= LARGEST_SQUARED) & (size < np.inf))
        phases = [(((int(t) ** 2) << _BITS) % _two_pi()) / (1 << _BITS) for t in x[far].tolist()]
        wave[far] = np.exp(sign * 1j * np.array(phases))
    return wave


@pointwise(lambda w, x, *, sign: 2j * sign * x * w)
def _wave(x: Any, *, sign: float) -> Any:
    return in_double(lambda x: _unit_wave(x, sign), *with_dtypes(x))


# dF/dx = -exp(+-i x**2); dK/dx is a repeated integral, DLMF 7.18.3, and, as K(x) + K(-x) is exp(-+i x**2), for large
# negative x what it is at -x along with the derivative of that


def _declare(ufunc: np.ufunc, sign: float) -> None:
    rotation = cmath.exp(-0.25j * math.pi * sign)

    def in_argument(w: Any, x: Any) -> Any:
        is_left = raw(x) < _LEFT
        right = -rotation * scaled_repeated_integral(rotation * np.where(is_left, -x, x), order=1)
        if np.any(is_left):
            right = right + np.where(is_left, -2j * sign * x * _wave(x, sign=-sign), 0.0)
        return -_wave(x, sign=sign), right

    rule(ufunc, "x", in_argument)


_declare(special.modfresnelp, 1.0)
_declare(special.modfresnelm, -1.0)


def _modified_fresnel(ufunc: np.ufunc, sign: float) -> PatchedUfunc:
    """At `x < 0` by what they are at `-x`; `exp(u**2)` with `u = |x| exp(-+i pi / 4)` is on the unit circle."""
    rotation = cmath.exp(0.25j * math.pi * sign)

    def kernel(x: Any) -> tuple[Any, Any]:
        wave = _unit_wave(x, sign)
        scaled = special.wofz(1j * rotation.conjugate() * np.abs(x))
        first, second = wave * scaled, scaled / 2
        (left,) = np.nonzero(x < 0)
        if len(left):
            first[left] = 2 - first[left]
            second[left] = np.conjugate(wave[left]) - second[left]
        first *= math.sqrt(math.pi) / 2 * rotation
        return first, second

    return PatchedUfunc(ufunc, [(None, kernel)])


modfresnelp = _modified_fresnel(special.modfresnelp, 1.0)
modfresnelm = _modified_fresnel(special.modfresnelm, -1.0)
