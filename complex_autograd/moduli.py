"""Absolute value, phase, and what they are made of.

With `s = z / |z|`, `d|z| = Re(conj(s) dz)` and `ds = (dz - s**2 conj(dz)) / (2 |z|)`; both are declared by their
Wirtinger pairs.  At 0 the minimal-norm subgradient of `|z|` is 0, and the derivative of the phase, which does not exist
there, is taken as 0 too.  Every quotient is by `|z|` and never by its square, so nothing overflows on the way.

`|z|**2` is smooth at 0, but the product rule cannot see it: `2 |z| d|z|` has the right first derivative there and the
wrong second one.  So an absolute value remembers of what it is, and its square has a rule of its own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .array import Traced, raw
from .constant import constant
from .dispatch import implements, lowered
from .elementwise import elementwise, missing, one, zero
from .trace import UFUNCS

__all__ = ["inverse_or_zero", "nonzero", "squared_modulus"]


def nonzero(m: Any) -> Any:
    """`m`, and 1 where it is 0."""
    return m + (m == 0)


def inverse_or_zero(m: Any) -> Any:
    """`1 / m`, and 0 where `m` is 0."""
    return (m != 0) / nonzero(m)


# conjugate


elementwise(np.conjugate, zero, conjugate=one, real=one, adjoints=(np.conjugate,))


# absolute value


def _modulus(w: Any, z: Any) -> Any:
    return np.conjugate(np.sign(z)) / 2


def _modulus_conjugate(w: Any, z: Any) -> Any:
    return np.sign(z) / 2


def _sign_of(w: Any, z: Any) -> Any:
    return np.sign(z)


def _pull_modulus(known: tuple[Any, Any], g: Any) -> Any:
    return g * np.sign(known[1])


modulus = elementwise(
    np.absolute,
    _modulus,
    conjugate=_modulus_conjugate,
    real=_sign_of,
    pullbacks={"f": (_pull_modulus,), "c": (_pull_modulus,)},
)
elementwise(np.fabs, _sign_of)


def _absolute(z: Traced) -> Any:
    """The absolute value, which remembers of what."""
    w = modulus(z)
    w.modulus_of = Traced(z._value, z._tracer, z._tangent), w._value
    return w


UFUNCS[np.absolute] = _absolute


# the square of the absolute value: d(z conj(z)) = conj(z) dz + z conj(dz)


def _conjugate(w: Any, z: Any) -> Any:
    return np.conjugate(z)


def _itself(w: Any, z: Any) -> Any:
    return z


def _twice(w: Any, z: Any) -> Any:
    return z + z


def _declare_square(power: Callable[..., Any], *exponent: int) -> Callable[..., Any]:
    def squared_modulus(z: Any) -> Any:
        return power(np.absolute(z), *exponent)

    squared_modulus.__name__ = f"{power.__name__} of absolute"
    return elementwise(squared_modulus, _conjugate, conjugate=_itself, real=_twice)


_SQUARES = {
    np.square: _declare_square(np.square),
    np.power: _declare_square(np.power, 2),
    np.float_power: _declare_square(np.float_power, 2),
    operator.pow: _declare_square(operator.pow, 2),
}


def squared_modulus(power: Callable[..., Any], x: Any) -> Any:
    """`|z|**2` by a rule of its own, if `x` is the absolute value of a traced `z`; otherwise None.

    Parameters
    ----------
    power : callable
        The function that was called for the square: `numpy.square`, or a function of powers.
    x : array
        Its argument.
    """
    z, value = getattr(x, "modulus_of", (None, None))
    return _SQUARES[power](z) if z is not None and value is x._value else None


# phase


def _phase(w: Any, z: Any) -> Any:
    return inverse_or_zero(np.absolute(z)) / 2


def _phase_conjugate(w: Any, z: Any) -> Any:
    return w * w * inverse_or_zero(np.absolute(z)) / -2


phase = elementwise(np.sign, _phase, conjugate=_phase_conjugate, real=zero)


def _sign(z: Any) -> Any:
    return phase(z) if z.dtype.kind == "c" else constant(np.sign(raw(z)))


UFUNCS[np.sign] = _sign


# angle: log(z) = log|z| + i angle, so d angle = Im(dz / z), and 1 / z = conj(s) / |z|


def _angle(w: Any, z: Any) -> Any:
    return -0.5j * np.conjugate(np.sign(z)) * inverse_or_zero(np.absolute(z))


def _angle_conjugate(w: Any, z: Any) -> Any:
    return 0.5j * np.sign(z) * inverse_or_zero(np.absolute(z))


angle = elementwise(np.angle, _angle, conjugate=_angle_conjugate, real=zero)


@implements(np.angle)
def _(z: Any, deg: bool = False) -> Any:
    w = angle(z) if z.dtype.kind == "c" else constant(np.angle(raw(z)))
    return w * (180 / np.pi) if deg else w


# the length and the direction of a vector in the plane


def _share(w: Any, a: Any, b: Any) -> Any:
    return a / nonzero(w)


def _other_share(w: Any, a: Any, b: Any) -> Any:
    return b / nonzero(w)


elementwise(np.hypot, _share, _other_share)


def _direction(w: Any, a: Any, b: Any) -> Any:
    r = nonzero(np.hypot(a, b))
    return b / r / r


def _other_direction(w: Any, a: Any, b: Any) -> Any:
    r = nonzero(np.hypot(a, b))
    return -(a / r / r)


elementwise(np.arctan2, _direction, _other_direction)


# the sign of another number: copysign(a, b) = |a| sign(b)


def _copied_sign(w: Any, a: Any, b: Any) -> Any:
    return np.sign(a) * np.copysign(1.0, b)


copysign = elementwise(np.copysign, _copied_sign, missing("numpy.copysign", "only its sign is used", "argument 1"))


def _copysign(a: Any, b: Any) -> Any:
    return copysign(a, lowered(b)) if isinstance(a, Traced) else constant(np.copysign(lowered(a), lowered(b)))


UFUNCS[np.copysign] = _copysign
