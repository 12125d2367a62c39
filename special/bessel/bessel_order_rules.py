"""The rules of the derivatives of Bessel functions in their order, to any order, and in their argument.

Differentiated in `z`, every order derivative obeys the recurrence of its function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...complex_autograd.engine.errors import NotDifferentiableError
from ..numerics.regions import in_double, with_dtypes
from ..ufuncs.ufunc_rules import Partial, Pointwise
from .bessel_order import MOST_STEPS, bessel_jet, takes_many_steps, vanishes
from .overflowing import with_infinite_derivatives
from .scaled_derivatives import or_far

_NAMES = {"j": "jv", "y": "yv", "h1": "hankel1", "h2": "hankel2", "i": "iv", "k": "kv"}


def _value(v: Any, z: Any, *, kind: str, scaled: bool, n: int) -> Any:
    if z.dtype.kind != "c":
        if kind in ("h1", "h2"):
            z = z + 0j
        elif np.any((z < 0) & (v == np.floor(v))):
            raise NotDifferentiableError(
                f"scipy.special.{_NAMES[kind]}{'e' * scaled}",
                "at negative real z it is real at integer orders alone, so there is nothing to differentiate. "
                "Pass z as a complex number",
                "v",
            )

    def kernel(v: Any, z: Any) -> Any:
        found = bessel_jet(v, z, kind, scaled, n)[n] * float(math.factorial(n))
        return with_infinite_derivatives(found, v, z, kind, scaled, in_order=True) if n == 1 else found

    if z.dtype.kind == "c" and np.any(takes_many_steps(v, z) & ~vanishes(v, z) & np.isfinite(v) & np.isfinite(z)):
        raise NotDifferentiableError(
            f"scipy.special.{_NAMES[kind]}{'e' * scaled}",
            f"it takes too many steps at orders, or at arguments off the positive axis, beyond {MOST_STEPS}. "
            "Differentiate at positive real z, where all orders are fine, or at the other points only",
            "v",
        )
    return in_double(kernel, v, z)


def _of_order(w: Any, v: Any, z: Any, *, kind: str, scaled: bool, n: int) -> Any:
    return _derivative(kind, scaled)(v, z, kind=kind, scaled=scaled, n=n + 1)


def _of_argument(w: Any, v: Any, z: Any, *, kind: str, scaled: bool, n: int) -> Any:
    """DLMF 10.6.1 and 10.29.1 of the order derivatives, with the derivative of the scaling factor; far out at once."""

    def near(w: Any, v: Any, z: Any) -> Any:
        below, above = (_derivative(kind, scaled)(v + step, z, kind=kind, scaled=scaled, n=n) for step in (-1, 1))
        first_derivative = {"i": below + above, "k": -(below + above)}.get(kind, below - above) / 2
        if not scaled:
            return first_derivative
        return first_derivative + (_FACTORS[kind] if kind in _FACTORS else modulus_exponent(z, kind)) * w

    return or_far(near, kind, n)(w, v, z) if scaled and kind not in "jy" else near(w, v, z)


_FACTORS = {"k": 1.0, "h1": -1j, "h2": 1j}


def modulus_exponent(z: Any, kind: str) -> Any:
    """The derivative of the exponent, `-|Im z|` or `-|Re z|`, without that of the phase."""
    if z.dtype.kind != "c":
        return -np.sign(z) if kind == "i" else 0.0
    return -np.sign(np.real(z)) if kind == "i" else 1j * np.sign(np.imag(z))


def phase(w: Any, v: Any, z: Any, *, kind: str, **params: Any) -> tuple[Any, Any]:
    """`-|Re z| + s z = i s Im z` and `-|Im z| - i s z = -i s Im(i z)`."""
    return (1j * np.sign(np.real(z)) * w, 1.0) if kind == "i" else (-1j * np.sign(np.imag(z)) * w, 1j)


_HOLOMORPHIC = Pointwise(_value, (_of_order, _of_argument), None)
_MODULATED = Pointwise(_value, (_of_order, _of_argument), phase)


def _derivative(kind: str, scaled: bool) -> Pointwise:
    return _MODULATED if scaled and kind in "jyi" else _HOLOMORPHIC


def order_partial(kind: str, scaled: bool = False) -> Partial:
    """The partial derivative in the order of a Bessel function, as the rule of its ufunc takes it."""
    derivative: Callable[..., Any] = _derivative(kind, scaled)

    def partial(w: Any, v: Any, z: Any) -> Any:
        return derivative(*with_dtypes(v, z), kind=kind, scaled=scaled, n=1)

    return partial
