"""Better values of Kelvin functions, of modified Fresnel integrals and of Tricomi's function.

SciPy's ufuncs stay what they are; those of `wirtinger.special` are these, where SciPy's algorithm loses digits.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from . import bessel_integrals, error_functions
from .improved import with_kernel
from .improved_pairs import ImprovedPair
from .tricomi import TRICOMI

__all__ = [
    "hyperu",
    "kei",
    "keip",
    "kelvin",
    "ker",
    "kerp",
    "modfresnelm",
    "modfresnelp",
]


# Tricomi's function

hyperu = with_kernel(
    special.hyperu,
    lambda a, b, x: (x > 1e-10) & (np.abs(a) <= 1000) & (np.abs(b) <= 1000),
    lambda a, b, x: TRICOMI.value(a, b, x),
)

# Kelvin functions, DLMF 10.61.2: ker + i kei = K_0(x exp(i pi / 4)), and its derivative

_TURN = cmath.exp(0.25j * math.pi)

ker = with_kernel(special.ker, lambda x: x > 2, lambda x: np.real(special.kv(0, _TURN * x)))
kei = with_kernel(special.kei, lambda x: x > 2, lambda x: np.imag(special.kv(0, _TURN * x)))
kerp = with_kernel(special.kerp, lambda x: x > 2, lambda x: np.real(-_TURN * special.kv(1, _TURN * x)))
keip = with_kernel(special.keip, lambda x: x > 2, lambda x: np.imag(-_TURN * special.kv(1, _TURN * x)))


def _kelvin(x: Any) -> tuple[Any, ...]:
    first, _, slope, _ = special.kelvin(x)
    return first, special.kv(0, _TURN * x), slope, -_TURN * special.kv(1, _TURN * x)


kelvin = ImprovedPair(bessel_integrals.kelvin, _kelvin, lambda x: (x > 2) & (x < 700))

# modified Fresnel integrals, by the complementary error function


def _modified_fresnel(sign: float) -> Callable[[Any], tuple[Any, Any]]:
    turn = cmath.exp(0.25j * math.pi * sign)

    def kernel(x: Any) -> tuple[Any, Any]:
        u = x * turn.conjugate()
        return math.sqrt(math.pi) / 2 * turn * special.erfc(u), special.erfcx(u) / 2

    return kernel


modfresnelp = ImprovedPair(error_functions.modfresnelp, _modified_fresnel(1.0), lambda x: x < 0)
modfresnelm = ImprovedPair(error_functions.modfresnelm, _modified_fresnel(-1.0), lambda x: x < 0)
