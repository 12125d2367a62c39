"""Trigonometric and hyperbolic functions, their inverses, and degrees.

The derivatives of the inverse functions (DLMF 4.24, 4.38) are written so that nothing cancels near a branch point, and
nothing overflows.  On a branch cut the side is told by the sign of a zero part, so no operation may lose it:
`z - (-1)` keeps the sign of a zero imaginary part where `z + 1` and `1 - z` do not.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from ....backends.blas import sum_of_squares
from ....backends.constants import constant
from ....backends.native.elementary import derivative
from ....backends.native.large_arrays import REAL
from ....determinism.flag import IN_FORCE, current_scope
from ...engine.elementwise import elementwise
from ...engine.opaque import is_on_host
from ...engine.primitive import primitive
from ...engine.traced import Traced
from .by_library import by_library


@primitive(family="compositions")
def sech_squared(z: Any) -> Any:
    """`1 / cosh(z)**2`, which is `1 - tanh(z)**2` without the cancellation."""
    w = _sech(z)
    return w * w


sech_squared.is_elementwise = True


_LARGEST = {char: float(np.log(np.finfo(char).max)) for char in "efdgFDG"}
"""The real part up to which `cosh` does not overflow."""

_SQUARE_OF_LARGEST = {char: x**2 for char, x in _LARGEST.items()}


def _overflows_nowhere(z: Any) -> bool:
    """Whether no `cosh(z)` does, by the sum of squares; to find out where takes longer than the function."""
    squares = sum_of_squares(z.real if type(z) is np.ndarray else z)
    return bool(squares < _SQUARE_OF_LARGEST[z.dtype.char])


def _sech(z: Any) -> Any:
    """`1 / cosh(z)`, and 0 where `cosh(z)` overflows."""
    if _overflows_nowhere(z):
        return np.reciprocal(np.cosh(z))
    far = np.abs(np.real(z)) > _LARGEST[z.dtype.char]
    return np.where(far, 0.0, np.reciprocal(np.cosh(np.where(far, 0.0, z))))


_sech_squared_or_kernel = by_library(sech_squared, kernel_of=partial(derivative, "tanh"))


def _times_sech_squared(known: tuple[Any, Any], g: Any) -> Any:
    z = known[1]
    if z.ndim and z.dtype in REAL:
        return _sech_squared_or_kernel.times(g, *known)  # type: ignore[attr-defined]
    if type(z) is Traced or (IN_FORCE[0] and current_scope().setting.level) or not _overflows_nowhere(z):
        squared = sech_squared(z)
        return g * squared
    c = np.cosh(z)
    return g / c / c


@sech_squared.differential
def _(w: Any, z: Any, dz: Any) -> Any:
    return -2 * np.tanh(z) * w * dz


# functions

elementwise(np.sin, by_library(np.cos))
elementwise(np.cos, by_library(np.sin, is_negative=True))
elementwise(np.tan, lambda w, z: sech_squared(np.multiply(1j, z)), real=lambda w, z: 1 + w * w)
elementwise(np.sinh, lambda w, z: np.cosh(z))
elementwise(np.cosh, lambda w, z: np.sinh(z))
elementwise(np.tanh, _sech_squared_or_kernel, products=(_times_sech_squared,))


# inverse functions


def _arcsin(w: Any, z: Any) -> Any:
    return np.reciprocal(np.sqrt(-(z - 1)) * np.sqrt(z - (-1)))


def _arcsin_real(w: Any, z: Any) -> Any:
    return np.reciprocal(np.sqrt((1 - z) * (1 + z)))


_LARGEST_SQUARE = {char: float(np.finfo(char).max) / 4 for char in "efdg"}
_SEVERAL = 64


def _has_squares(z: Any) -> bool:
    """Whether no `1 + z**2` of many overflows, by their sum: `hypot(1, z)`, which does not, takes ten times as long."""
    is_cheap = z.size >= _SEVERAL and (is_on_host(z) or IN_FORCE[0])
    return bool(is_cheap and sum_of_squares(z) < _LARGEST_SQUARE[z.dtype.char])


def _arctan_real(w: Any, z: Any) -> Any:
    if _has_squares(z):
        return np.reciprocal(1 + z * z)
    c = np.reciprocal(np.hypot(1.0, z))
    return c * c


def _arcsinh_real(w: Any, z: Any) -> Any:
    return np.reciprocal(np.sqrt(1 + z * z) if _has_squares(z) else np.hypot(1.0, z))


def _arcsinh(w: Any, z: Any) -> Any:
    # sqrt(1 + z**2) is even, and for Re z >= 0 it is the product of the two roots
    s = np.where(np.signbit(np.real(z)), -z, z)
    return np.reciprocal(np.sqrt(s - 1j) * np.sqrt(s + 1j))


elementwise(np.arcsin, _arcsin, real=_arcsin_real)
elementwise(np.arccos, lambda w, z: -_arcsin(w, z), real=lambda w, z: -_arcsin_real(w, z))
elementwise(np.arctan, lambda w, z: np.reciprocal(z - 1j) / (z + 1j), real=_arctan_real)
elementwise(np.arcsinh, _arcsinh, real=_arcsinh_real)
elementwise(np.arccosh, lambda w, z: np.reciprocal(np.sqrt(z - 1) * np.sqrt(z - (-1))))
elementwise(np.arctanh, lambda w, z: np.reciprocal(1 - z) / (1 + z))


# degrees and radians: linear, and each its own adjoint

_PER_RADIAN = constant(180 / math.pi, lambda mp: 180 / mp.pi)
_PER_DEGREE = constant(math.pi / 180, lambda mp: mp.pi / 180)


def _degrees(w: Any, z: Any) -> Any:
    return _PER_RADIAN()


def _radians(w: Any, z: Any) -> Any:
    return _PER_DEGREE()


elementwise(np.degrees, _degrees, adjoints=(np.degrees,))
elementwise(np.rad2deg, _degrees, adjoints=(np.rad2deg,))
elementwise(np.radians, _radians, adjoints=(np.radians,))
elementwise(np.deg2rad, _radians, adjoints=(np.deg2rad,))
