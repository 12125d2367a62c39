"""Better values of Kelvin functions, of modified Fresnel integrals and of Tricomi's function.

SciPy's ufuncs stay what they are; those of `wirtinger.special` are these, where SciPy's algorithm loses digits.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
from scipy import special

from . import bessel_integrals, error_functions, hypergeometric
from .error_functions import exact_square
from .piecewise import Piecewise
from .replaced import Replaced
from .tricomi import TRICOMI

__all__ = [
    "bei",
    "beip",
    "ber",
    "berp",
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


def _tricomi(a: Any, b: Any, x: Any) -> Any:
    w = TRICOMI.value(a, b, x)
    lost = ~np.isfinite(w)
    if np.any(lost):
        w[lost] = special.hyperu(a[lost], b[lost], x[lost])
    return w


hyperu = Replaced(
    hypergeometric.hyperu, _tricomi, lambda a, b, x: (x > 1e-10) & (np.abs(a) <= 1000) & (np.abs(b) <= 1000)
)

# Kelvin functions, DLMF 10.61.1 and 10.61.2: I_0 and K_0 at `x exp(i pi / 4)`, and their derivatives

_TURN = cmath.exp(0.25j * math.pi)
_NEAR, _FAR = 2.0, 32.0
"""Between these SciPy's lose digits, up to seven; its `ber` and `bei` from 8 on, up to six."""


def _first(x: Any) -> tuple[Any, ...]:
    value, slope = special.iv(0, _TURN * x), _TURN * special.iv(1, _TURN * x)
    return np.real(value), np.imag(value), np.real(slope), np.imag(slope)


def _second(x: Any) -> tuple[Any, ...]:
    value, slope = special.kv(0, _TURN * x), -_TURN * special.kv(1, _TURN * x)
    return np.real(value), np.imag(value), np.real(slope), np.imag(slope)


_kelvin_functions = Piecewise(_NEAR, _FAR, lambda x: _first(x) + _second(x))


def _kelvin(x: Any) -> tuple[Any, ...]:
    parts = _kelvin_functions(x)
    return tuple(parts[k] + 1j * parts[k + 1] for k in (0, 4, 2, 6))


def _between(x: Any) -> Any:
    return (x > _NEAR) & (x < _FAR)


def _one(ufunc: np.ufunc, k: int) -> Replaced:
    return Replaced(ufunc, lambda x: _kelvin_functions(x, slice(k, k + 1))[0], _between)


ber, bei, berp, beip = (_one(f, k) for k, f in enumerate((special.ber, special.bei, special.berp, special.beip)))
ker, kei, kerp, keip = (_one(f, k + 4) for k, f in enumerate((special.ker, special.kei, special.kerp, special.keip)))
kelvin = Replaced(bessel_integrals.kelvin, _kelvin, _between)

# modified Fresnel integrals, by the complementary error function


def _modified_fresnel(ufunc: np.ufunc, sign: float) -> Replaced:
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

    return Replaced(ufunc, kernel, lambda x: np.abs(x) < _LARGEST)


_LARGEST = 1e150
modfresnelp = _modified_fresnel(error_functions.modfresnelp, 1.0)
modfresnelm = _modified_fresnel(error_functions.modfresnelm, -1.0)
