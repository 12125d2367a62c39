"""Absolute value, phase, and what they are made of.

With `s = z / |z|`, `d|z| = Re(conj(s) dz)` and `ds = (dz - s**2 conj(dz)) / (2 |z|)`; both are declared by their
Wirtinger pairs.  At 0 the minimal-norm subgradient of `|z|` is 0, and the derivative of the phase, which does not exist
there, is taken as 0 too.  Every quotient is by `|z|` and never by its square, so nothing overflows on the way.

`|z|**2` is smooth at 0, and so is `hypot(a, b)**2`; these lengths remember of what they are (`lengths`), and the square
of an absolute value always has a rule of its own.  Where else the cotangent of a length is 0, its second derivative is
unknown (`kinks`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ....backends.native.elementary import elementary
from ....backends.native.large_arrays import REAL
from ....determinism.families import FAMILY_OF
from ....determinism.flag import is_fixed
from ...engine.dispatch import implements, lowered
from ...engine.elementwise import elementwise, missing, one, zero
from ...engine.forward import constant
from ...engine.kinks import direction_at_kink, note_kink, subgradient_offset, unknown_at
from ...engine.opaque import is_on_host
from ...engine.pullbacks import products_of
from ...engine.trace import UFUNCS
from ...engine.traced import Traced, raw
from .lengths import has_zeros, length_power, modulus_power, remember


def nonzero(m: Any) -> Any:
    """`m`, and 1 where it is 0."""
    return m + (m == 0)


def inverse_or_zero(m: Any) -> Any:
    """`1 / m`, and 0 where `m` is 0."""
    return (m != 0) / nonzero(m)


_SEVERAL = 256
"""Elements: of fewer the sign takes as long as its parts."""


def sign_beside(w: Any, z: Any) -> Any:
    """`sign(z)` where `w = |z|` is known, of many complex numbers in a third of the time: NumPy takes `|z|` anew."""
    if is_on_host(z) and z.size >= _SEVERAL and z.dtype.kind == "c" and not is_fixed():
        m = nonzero(w)
        if np.all((m > 1 / np.finfo(m.dtype).max) & (m < np.inf)):  # else 1 / m overflows, which NumPy divides by
            return z / m
    return np.sign(z)


# conjugate


elementwise(np.conjugate, zero, conjugate=one, real=one, adjoints=(np.conjugate,))


# absolute value


def _sign_of(w: Any, z: Any) -> Any:
    note_kink(w, z, "numpy.absolute")
    s, other = sign_beside(w, z), subgradient_offset(w, z)
    return s if other is None else s + other


def _pull_modulus(known: tuple[Any, Any], g: Any) -> Any:
    w, z = known
    s, unknown = sign_beside(w, z), unknown_at(g, w, z, "numpy.absolute")
    return g * s if unknown is None else g * s + unknown * direction_at_kink(z)


_PULLBACKS = {"f": (_pull_modulus,), "c": (_pull_modulus,)}

modulus = elementwise(
    np.absolute,
    lambda w, z: np.conjugate(_sign_of(w, z)) / 2,
    conjugate=lambda w, z: _sign_of(w, z) / 2,
    real=_sign_of,
    pullbacks=_PULLBACKS,
)
real_modulus = elementwise(np.fabs, _sign_of, pullbacks=_PULLBACKS)


def _absolute(z: Traced) -> Any:
    return remember(modulus(z), _power_of_modulus, z)


def _fabs(z: Traced) -> Any:
    return remember(real_modulus(z), _power_of_modulus, z)


UFUNCS[np.absolute] = _absolute
UFUNCS[np.fabs] = _fabs


# the square of the absolute value: d(z conj(z)) = conj(z) dz + z conj(dz)


def _declare_square(power: Callable[..., Any], *exponent: int) -> Callable[..., Any]:
    def squared_modulus(z: Any) -> Any:
        return power(np.absolute(z), *exponent)

    FAMILY_OF["squared_modulus"] = "powers"
    squared_modulus.__name__ = f"squared_modulus by {power.__name__}"
    return elementwise(squared_modulus, lambda w, z: np.conjugate(z), conjugate=lambda w, z: z, real=lambda w, z: z + z)


_SQUARES = {
    np.square: _declare_square(np.square),
    np.power: _declare_square(np.power, 2),
    np.float_power: _declare_square(np.float_power, 2),
    operator.pow: _declare_square(operator.pow, 2),
}


def _power_of_modulus(power: Callable[..., Any], exponent: tuple[Any, ...], w: Any, z: Any) -> Any:
    n = exponent[0] if exponent else 2
    if n == 2:
        return _SQUARES[power](z)
    if not has_zeros(w):
        return None
    return modulus_power(z, kernel=lambda z: power(np.absolute(z), n), n=float(n), axes=())


# phase


phase = elementwise(
    np.sign,
    lambda w, z: inverse_or_zero(np.absolute(z)) / 2,
    conjugate=lambda w, z: w * w * inverse_or_zero(np.absolute(z)) / -2,
    real=zero,
)


def _sign(z: Any) -> Any:
    return phase(z) if z.dtype.kind == "c" else constant(np.sign(raw(z)))


UFUNCS[np.sign] = _sign


# angle: log(z) = log|z| + i angle, so d angle = Im(dz / z), and 1 / z = conj(s) / |z|


def _turned(z: Any) -> Any:
    m = np.absolute(z)
    s, inverse = sign_beside(m, z), inverse_or_zero(m)
    return 0.5j * s * inverse


angle = elementwise(
    np.angle,
    lambda w, z: np.conjugate(_turned(z)),
    conjugate=lambda w, z: _turned(z),
    real=zero,
)


@implements(np.angle)
def _(z: Any, deg: bool = False) -> Any:
    w = angle(z) if z.dtype.kind == "c" else constant(np.angle(raw(z)))
    return np.degrees(w) if deg else w


# the length and the direction of a vector in the plane


def _share_of(w: Any, a: Any) -> Any:
    note_kink(w, a, "numpy.hypot")
    other = subgradient_offset(w, a)
    return a / nonzero(w) if other is None else a / nonzero(w) + other


def _share(w: Any, a: Any, b: Any) -> Any:
    return _share_of(w, a)


def _other_share(w: Any, a: Any, b: Any) -> Any:
    return _share_of(w, b)


def _pull_share(w: Any, a: Any, g: Any) -> Any:
    unknown = unknown_at(g, w, a, "numpy.hypot")
    return g * (a / nonzero(w)) if unknown is None else g * (a / nonzero(w)) + unknown * direction_at_kink(a)


def _pull_first(known: tuple[Any, Any, Any], g: Any) -> Any:
    return _pull_share(known[0], known[1], g)


def _pull_second(known: tuple[Any, Any, Any], g: Any) -> Any:
    return _pull_share(known[0], known[2], g)


def _pull_both(known: tuple[Any, Any, Any], g: Any) -> Any:
    return _pull_first(known, g), _pull_second(known, g)


plane_length = elementwise(np.hypot, _share, _other_share, pullbacks={"f": (_pull_first, _pull_second, _pull_both)})


def _hypot(a: Any, b: Any) -> Any:
    w = plane_length(a, b)
    return remember(w, _power_of_hypot, a, b) if type(w) is Traced else w


def _power_of_hypot(power: Callable[..., Any], exponent: tuple[Any, ...], w: Any, a: Any, b: Any) -> Any:
    if not has_zeros(w):
        return None
    x = np.stack(np.broadcast_arrays(a, b))
    return length_power(
        x, kernel=lambda x: power(np.hypot(x[0], x[1]), *exponent), n=float(*exponent or (2,)), axes=(0,)
    )


UFUNCS[np.hypot] = _hypot


def _distance(a: Any, b: Any) -> Any:
    """`hypot(a, b)`, and 1 where it is 0; of real arrays by the C library, in a sixth of the time."""
    is_real = is_on_host(a) and is_on_host(b) and a.ndim > 0 and a.dtype == b.dtype and a.dtype in REAL
    kernel = elementary("hypot") if is_real else None
    return nonzero((np.hypot if kernel is None else kernel)(a, b))


def _over_square(w: Any, a: Any, r: Any) -> Any:
    """`a / r**2`, which is 0 at infinity, but NaN where `w` is."""
    is_near = r < np.inf if type(r) is np.float64 else type(r) is np.ndarray and np.max(r, initial=0.0) < np.inf
    return a / r / r if is_near else np.where(r == np.inf, 0.0 * w, a) / r / r


def _direction(w: Any, a: Any, b: Any) -> Any:
    return _over_square(w, b, _distance(a, b))


def _other_direction(w: Any, a: Any, b: Any) -> Any:
    return -_over_square(w, a, _distance(a, b))


def _pull_directions(known: tuple[Any, Any, Any], g: Any) -> Any:
    w, a, b = known
    r = _distance(a, b)
    return g * _over_square(w, b, r), -(g * _over_square(w, a, r))


_pull_one, _pull_other, _ = products_of(_direction, _other_direction)
elementwise(np.arctan2, _direction, _other_direction, pullbacks={"f": (_pull_one, _pull_other, _pull_directions)})


# the sign of another number: copysign(a, b) = |a| sign(b)


def _copied_sign(w: Any, a: Any, b: Any) -> Any:
    note_kink(w, a, "numpy.copysign")
    s, other = np.sign(a) * np.copysign(1.0, b), subgradient_offset(w, a)
    return s if other is None else s + other


def _pull_copied(known: tuple[Any, Any, Any], g: Any) -> Any:
    w, a, b = known
    unknown = unknown_at(g, w, a, "numpy.copysign")
    c = g * (np.sign(a) * np.copysign(1.0, b))
    return c if unknown is None else c + unknown * direction_at_kink(a)


_no_sign = missing("numpy.copysign", "only its sign is used", "argument 1")
copysign = elementwise(np.copysign, _copied_sign, _no_sign, pullbacks={"f": (_pull_copied, _no_sign, _no_sign)})


def _copysign(a: Any, b: Any) -> Any:
    return copysign(a, lowered(b)) if isinstance(a, Traced) else constant(np.copysign(lowered(a), lowered(b)))


UFUNCS[np.copysign] = _copysign
