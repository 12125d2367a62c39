"""Kelvin functions and their derivatives, with better values where SciPy's algorithms lose digits.

They are I_0 and K_0 at `x exp(i pi / 4)`, DLMF 10.61.1 and 10.61.2.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
from scipy import special

from ..numerics.regular_quotients import TERMS, regular_quotient
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.piecewise import Piecewise
from ..ufuncs.ufunc_rules import rule

__all__ = ["bei", "beip", "ber", "berp", "kei", "keip", "kelvin", "ker", "kerp"]

# DLMF 10.61.3: ber'' + i bei'' = i (ber + i bei) - (ber' + i bei') / x, and ker, kei likewise

_KELVIN = [1j ** (k + 1) / (2 * math.factorial(k) * math.factorial(k + 1)) for k in range(TERMS)]
"""Of `(ber' + i bei') / x`, DLMF 10.25.2 at `x exp(i pi / 4)`."""
_REAL, _IMAGINARY = [c.real for c in _KELVIN], [c.imag for c in _KELVIN]

rule(
    special.kelvin,
    "x",
    lambda w, x: (w[2], w[3], 1j * w[0] - regular_quotient(x, _KELVIN, lambda far: w[2] / far), 1j * w[1] - w[3] / x),
)
rule(special.ber, "x", lambda w, x: berp(x))
rule(special.bei, "x", lambda w, x: beip(x))
rule(special.ker, "x", lambda w, x: kerp(x))
rule(special.kei, "x", lambda w, x: keip(x))
rule(special.berp, "x", lambda w, x: -bei(x) - regular_quotient(x, _REAL, lambda far: berp(far) / far))
rule(special.beip, "x", lambda w, x: ber(x) - regular_quotient(x, _IMAGINARY, lambda far: beip(far) / far))
rule(special.kerp, "x", lambda w, x: -kei(x) - kerp(x) / x)
rule(special.keip, "x", lambda w, x: ker(x) - keip(x) / x)

_RAY = cmath.exp(0.25j * math.pi)
_NEAR, _FAR = 2.0, 32.0
"""Between these SciPy's lose digits, up to seven; its `ber` and `bei` from 8 on, up to six."""


def _first(x: Any) -> tuple[Any, ...]:
    value, derivative = special.iv(0, _RAY * x), _RAY * special.iv(1, _RAY * x)
    return np.real(value), np.imag(value), np.real(derivative), np.imag(derivative)


def _second(x: Any) -> tuple[Any, ...]:
    value, derivative = special.kv(0, _RAY * x), -_RAY * special.kv(1, _RAY * x)
    return np.real(value), np.imag(value), np.real(derivative), np.imag(derivative)


_kelvin_functions = Piecewise(_NEAR, _FAR, lambda x: _first(x) + _second(x))


def _kelvin(x: Any) -> tuple[Any, ...]:
    parts = _kelvin_functions(np.abs(x))
    first, second, first_derivative, second_derivative = (parts[k] + 1j * parts[k + 1] for k in (0, 4, 2, 6))
    known = np.where(x < 0, np.nan, 1.0)
    return first, known * second, np.copysign(1.0, x) * first_derivative, known * second_derivative


def _between(x: Any) -> Any:
    return (x > _NEAR) & (x < _FAR)


def _between_on_a_side(x: Any) -> Any:
    return (np.abs(x) > _NEAR) & (np.abs(x) < _FAR)


def _one(ufunc: np.ufunc, k: int) -> PatchedUfunc:
    return PatchedUfunc(ufunc, [(_between, lambda x: _kelvin_functions(x, slice(k, k + 1))[0])])


def _first_one(ufunc: np.ufunc, k: int, is_odd: bool) -> PatchedUfunc:
    """`ber` and `bei` are even functions."""

    def kernel(x: Any) -> Any:
        w = _kelvin_functions(np.abs(x), slice(k, k + 1))[0]
        return np.copysign(1.0, x) * w if is_odd else w

    return PatchedUfunc(ufunc, [(_between_on_a_side, kernel)])


ber, bei = (_first_one(f, k, False) for k, f in enumerate((special.ber, special.bei)))
berp, beip = (_first_one(f, k + 2, True) for k, f in enumerate((special.berp, special.beip)))
ker, kei, kerp, keip = (_one(f, k + 4) for k, f in enumerate((special.ker, special.kei, special.kerp, special.keip)))
kelvin = PatchedUfunc(special.kelvin, [(_between_on_a_side, _kelvin)])
