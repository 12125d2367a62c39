"""Derivatives of the Bessel functions in their order, of all orders, real and complex.

Every Bessel function is a combination `a I_m(s) + b K_m(s)`, `m = |v|`, with `s` in the right half-plane and
coefficients that depend on `v` alone:

* in the upper half-plane `s = -i z`: `J = exp(i pi v / 2) I` and `H1 = -2 i / pi exp(-i pi v / 2) K` (DLMF 10.27.6 and
  10.27.8), then `Y = i (J - H1)` and `H2 = 2 J - H1`; in the lower `f(z) = conj(f*(conj z))` with H1 and H2 swapped;
* modified functions of the left half-plane, `s = -z`: `I_v(z) = exp(+-i pi v) I_v(s)` and
  `K_v(z) = exp(-+i pi v) K_v(s) -+ i pi I_v(s)`, the upper sign above the cut (DLMF 10.34.1 and 10.34.2);
* negative orders: `I_-m = I_m + 2 / pi sin(pi m) K_m` and `K_-m = K_m` (DLMF 10.27.2 and 10.27.3).

With jets for `m` the derivatives follow.  The factor of a scaled function stands in the exponent, so nothing overflows
that need not.  Differentiated in `z`, every order derivative obeys the recurrence of its function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..complex_autograd.errors import NotDifferentiableError
from .jets import Jet, choose, cosine_of_pi, sine_of_pi, turn, variables
from .modified_bessel import modified_pair
from .regions import by_region, in_double, with_dtypes
from .ufunc_rules import Partial, Pointwise

__all__ = ["bessel_jet", "order_partial"]

_CONJUGATE = {"h1": "h2", "h2": "h1"}


def bessel_jet(v: Any, z: Any, kind: str, scaled: bool, n: int) -> list[Any]:
    """The derivatives of order 0 to `n` in `v`, each divided by its factorial; flat arrays of double precision.

    `kind` is "j", "y", "h1", "h2", "i" or "k".
    """
    if z.dtype.kind == "c":
        if kind in "ik":
            return _modified(v, z, kind, scaled, n)
        return by_region(  # type: ignore[no-any-return]
            [
                (np.imag(z) >= 0, lambda v, z: _upper(v, z, kind, scaled, n)),
                (np.imag(z) < 0, lambda v, z: _lower(v, z, kind, scaled, n)),
            ],
            v,
            z,
        )
    parts = {"j": _real_cylinder, "y": _real_cylinder, "i": _modified, "k": _modified}[kind]
    return by_region(  # type: ignore[no-any-return]
        [
            (z >= 0, lambda v, z: parts(v, z, kind, scaled, n)),
            (~(z >= 0), lambda v, z: [z * np.nan] * (n + 1)),
        ],
        v,
        z,
    )


def _signed(jet: Jet, is_negative: Any) -> list[Any]:
    """The coefficients in `v` of a jet in `|v|`."""
    zero = 0.0 * jet.value
    coefficients = [jet.coefficients.get((k,), zero) for k in range(jet.orders[0] + 1)]
    return [np.where(is_negative, -c, c) if k % 2 else c for k, c in enumerate(coefficients)]


def _rotation(order: Jet, angle: float, is_negative: Any) -> Jet:
    """`exp(i pi angle v)` of signed `v`."""
    return choose(is_negative, turn(order, -angle), turn(order, angle))


def _upper(v: Any, z: Any, kind: str, scaled: bool, n: int) -> list[Any]:
    is_negative = v < 0
    order = variables((n,), np.abs(v))[0]
    s = -1j * z
    first, second = modified_pair(order.value, s, n, np.full_like(is_negative, kind != "h1"))
    exponents = {"h1": s, "h2": -s}.get(kind, -np.real(s)) if scaled else 0.0
    second = second * np.exp(exponents - s)
    backward = _rotation(order, -0.5, is_negative)
    if kind == "h1":
        return _signed(backward * second * (-2j / math.pi), is_negative)
    rotation = _rotation(order, 0.5, is_negative)
    first = first * np.exp(exponents + s) * rotation
    if kind == "j":
        added = rotation * sine_of_pi(order) * second * (2 / math.pi)
        return _signed(choose(is_negative, first + added, first), is_negative)
    if kind == "y":
        added = choose(is_negative, rotation * cosine_of_pi(order), backward)
        return _signed(first * 1j - added * second * (2 / math.pi), is_negative)
    added = choose(is_negative, turn(order, -1.5), backward)
    return _signed(first * 2.0 + added * second * (2j / math.pi), is_negative)


def _lower(v: Any, z: Any, kind: str, scaled: bool, n: int) -> list[Any]:
    above = _upper(v, np.conjugate(z), _CONJUGATE.get(kind, kind), scaled, n)
    return [np.conjugate(c) for c in above]


def _real_cylinder(v: Any, z: Any, kind: str, scaled: bool, n: int) -> list[Any]:
    """`H1 = J + i Y` has both parts; J from I where it is the smaller, `m > z`."""
    is_negative = v < 0
    order = variables((n,), np.abs(v))[0]
    s = -1j * z
    is_beyond = order.value >= 0.9 * z
    first, second = modified_pair(order.value, s, n, is_beyond & (is_negative | (kind == "j")))
    hankel = turn(order, -0.5) * second * (np.exp(-s) * (-2j / math.pi))
    j, y = hankel.map(np.real), hankel.map(np.imag)
    if np.any(is_beyond):
        j = choose(is_beyond, (turn(order, 0.5) * first * np.exp(s)).map(np.real), j)
    if np.any(is_negative):
        sine, cosine = sine_of_pi(order), cosine_of_pi(order)
        mirrored = cosine * j - sine * y if kind == "j" else sine * j + cosine * y
        return _signed(choose(is_negative, mirrored, j if kind == "j" else y), is_negative)
    return _signed(j if kind == "j" else y, is_negative)


def _modified(v: Any, z: Any, kind: str, scaled: bool, n: int) -> list[Any]:
    is_negative = v < 0
    order = variables((n,), np.abs(v))[0]
    is_left = np.real(z) < 0
    s = np.where(is_left, -z, z)
    first, second = modified_pair(order.value, s, n, is_left | (kind == "i"))
    exponents = (z if kind == "k" else -np.real(s)) if scaled else 0.0
    first, second = first * np.exp(exponents + s), second * np.exp(exponents - s)
    if kind == "i":
        added = sine_of_pi(order) * second * (2 / math.pi)
        first = choose(is_negative, first + added, first)
        if np.any(is_left):
            side = np.where(np.imag(z) >= 0, False, True) ^ is_negative
            first = choose(is_left, choose(side, turn(order, -1.0), turn(order, 1.0)) * first, first)
        return _signed(first, is_negative)
    if np.any(is_left):
        is_below = np.imag(z) < 0
        continued = turn(order, -1.0) * second - first * (1j * math.pi)
        below = turn(order, 1.0) * second + first * (1j * math.pi)
        second = choose(is_left, choose(is_below, below, continued), second)
    return _signed(second, is_negative)


# the rules

_NAMES = {"j": "jv", "y": "yv", "h1": "hankel1", "h2": "hankel2", "i": "iv", "k": "kv"}


def _value(v: Any, z: Any, *, kind: str, scaled: bool, n: int) -> Any:
    if z.dtype.kind != "c":
        if kind in ("h1", "h2"):
            z = z + 0j
        elif np.any((z < 0) & (v == np.floor(v))):
            raise NotDifferentiableError(
                f"scipy.special.{_NAMES[kind]}{'e' * scaled}",
                "at negative real z it is real at whole orders alone, so there is nothing to differentiate. "
                "Pass z as a complex number",
                "v",
            )

    def kernel(v: Any, z: Any) -> Any:
        return bessel_jet(v, z, kind, scaled, n)[n] * float(math.factorial(n))

    return in_double(kernel, v, z)


def _of_order(w: Any, v: Any, z: Any, *, kind: str, scaled: bool, n: int) -> Any:
    return _derivative(kind, scaled)(v, z, kind=kind, scaled=scaled, n=n + 1)


def _of_argument(w: Any, v: Any, z: Any, *, kind: str, scaled: bool, n: int) -> Any:
    """DLMF 10.6.1 and 10.29.1 of the order derivatives, with the derivative of the scaling factor."""

    def at(order: Any) -> Any:
        return _derivative(kind, scaled)(order, z, kind=kind, scaled=scaled, n=n)

    below, above = at(v - 1), at(v + 1)
    slope = {"i": below + above, "k": -(below + above)}.get(kind, below - above) / 2
    if not scaled:
        return slope
    if kind in _FACTORS:
        return slope + _FACTORS[kind] * w
    return slope + _modulus_exponent(z, kind) * w


_FACTORS = {"k": 1.0, "h1": -1j, "h2": 1j}


def _modulus_exponent(z: Any, kind: str) -> Any:
    """The holomorphic partial of the exponent, `-|Im z|` or `-|Re z|`; at real `z` its derivative."""
    if z.dtype.kind != "c":
        return -np.sign(z) if kind == "i" else 0.0
    return -0.5 * np.sign(np.real(z)) if kind == "i" else 0.5j * np.sign(np.imag(z))


def _of_conjugate(w: Any, v: Any, z: Any, *, kind: str, scaled: bool, n: int) -> Any:
    if z.dtype.kind != "c":
        return 0.0 * w
    return np.conjugate(_modulus_exponent(z, kind)) * w


_HOLOMORPHIC = Pointwise(_value, (_of_order, _of_argument), None)
_MODULATED = Pointwise(_value, (_of_order, _of_argument), _of_conjugate)


def _derivative(kind: str, scaled: bool) -> Pointwise:
    return _MODULATED if scaled and kind in "jyi" else _HOLOMORPHIC


def order_partial(kind: str, scaled: bool = False) -> Partial:
    """The partial derivative in the order of a Bessel function, as the rule of its ufunc takes it."""
    derivative: Callable[..., Any] = _derivative(kind, scaled)

    def partial(w: Any, v: Any, z: Any) -> Any:
        return derivative(*with_dtypes(v, z), kind=kind, scaled=scaled, n=1)

    return partial
