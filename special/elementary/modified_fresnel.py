"""The modified Fresnel integrals, by the complementary error function."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
from scipy import special

from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import rule
from .error_functions import exact_square
from .repeated_integrals import scaled_repeated_integral

__all__ = ["modfresnelm", "modfresnelp"]

_ROTATION = complex(math.sqrt(0.5), -math.sqrt(0.5))

rule(
    special.modfresnelp,
    "x",
    lambda w, x: (-np.exp(1j * (x * x)), -_ROTATION * scaled_repeated_integral(_ROTATION * x, order=1)),
)
rule(
    special.modfresnelm,
    "x",
    lambda w, x: (
        -np.exp(-1j * (x * x)),
        -_ROTATION.conjugate() * scaled_repeated_integral(_ROTATION.conjugate() * x, order=1),
    ),
)


def _modified_fresnel(ufunc: np.ufunc, sign: float) -> PatchedUfunc:
    """At `x < 0` by what they are at `-x`; `exp(u**2)` with `u = |x| exp(-+i pi / 4)` is on the unit circle."""
    turn = cmath.exp(0.25j * math.pi * sign)

    def kernel(x: Any) -> tuple[Any, Any]:
        square, rest = exact_square(x)
        wave = np.exp(sign * 1j * square)
        wave += sign * 1j * rest * wave
        scaled = special.wofz(1j * turn.conjugate() * np.abs(x))
        first, second = wave * scaled, scaled / 2
        (left,) = np.nonzero(x < 0)
        if len(left):
            first[left] = 2 - first[left]
            second[left] = np.conjugate(wave[left]) - second[left]
        first *= math.sqrt(math.pi) / 2 * turn
        return first, second

    return PatchedUfunc(ufunc, [(lambda x: np.abs(x) < _LARGEST, kernel)])


_LARGEST = 1e150
modfresnelp = _modified_fresnel(special.modfresnelp, 1.0)
modfresnelm = _modified_fresnel(special.modfresnelm, -1.0)
