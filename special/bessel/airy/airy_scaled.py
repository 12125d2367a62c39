"""The scaled Airy functions `exp(zeta) Ai(z)` and `exp(zeta) Ai'(z)`, `zeta = 2/3 z**(3/2)`, to the last digit.

SciPy's have errors of 3e-14 at moderate `z`, and the derivative is a difference of the two.  With the modified Bessel
functions, DLMF 9.6.2 and 9.6.3,

    Ai = sqrt(z / 3) K_1/3(zeta) / pi,    Ai' = -z K_2/3(zeta) / (pi sqrt(3))

and for `|ph z| > pi / 3` their continuation `K_v(s exp(+-i pi)) = exp(-+i pi v) K_v(s) -+ i pi I_v(s)`, DLMF 10.34.2.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.regions import by_region, in_double
from ...ufuncs.patched_ufunc import improved_value
from ..macdonald import lowest_orders
from ..modified_bessel import modified_pair

_NEAREST, _FARTHEST, _FARTHEST_ON_AXIS = 1.0, 8.0, 3.0
"""Between these moduli SciPy's are replaced."""


def better_airye(ai: Any, derivative: Any, z: Any) -> tuple[Any, Any]:
    """`exp(zeta) Ai` and `exp(zeta) Ai'` with better values in place of SciPy's."""
    plain = raw(z)
    modulus = np.abs(plain)
    is_on_axis = np.imag(plain) == 0
    moderate = (modulus > _NEAREST) & (
        modulus < np.where(is_on_axis & (np.real(plain) > 0), _FARTHEST_ON_AXIS, _FARTHEST)
    )
    if plain.dtype.kind != "c":
        moderate = moderate & (plain > 0)
    if not np.any(moderate):
        return ai, derivative
    inner = np.where(moderate, plain, _NEAREST)
    return tuple(
        improved_value(w, value=np.where(moderate, in_double(kernel, inner), raw(w)).astype(raw(w).dtype)[()])
        for w, kernel in ((ai, _airy), (derivative, _derivative))
    )


def _airy(z: Any) -> Any:
    return np.sqrt(z) / (math.sqrt(3) * math.pi) * _second_kind(1 / 3, z)


def _derivative(z: Any) -> Any:
    return -z / (math.pi * math.sqrt(3)) * _second_kind(2 / 3, z)


def _second_kind(v: float, z: Any) -> Any:
    """`exp(zeta) K_v(zeta)`, on the sheet of `z`."""
    zeta = z * np.sqrt(z) * (2 / 3)
    is_right = (np.real(zeta) >= 0) & (np.real(z) > 0)
    return by_region(
        [(is_right, lambda s, z: _principal(v, s)), (~is_right, lambda s, z: _continued(v, -s, z))], zeta, z
    )


def _principal(v: float, s: Any) -> Any:
    order = np.zeros_like(np.real(s)) + min(v, v - 1, key=abs)
    return lowest_orders(order, s, 0)[v > 0.5].value


def _continued(v: float, s: Any, z: Any) -> Any:
    first, second = modified_pair(np.zeros_like(np.real(s)) + v, s, 0)
    side = np.copysign(1.0, np.imag(z))  # below the negative axis it is -0
    rotation = np.where(side > 0, cmath.exp(-1j * math.pi * v), cmath.exp(1j * math.pi * v))
    return rotation * np.exp(-2 * s) * second.value - 1j * math.pi * side * first.value
