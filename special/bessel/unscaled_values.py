"""Values of the Bessel functions that are not scaled, where SciPy's are NaN, or wrong without a warning.

SciPy takes the phase of J and Y from a reduction that has no digits from `2**51` on: it multiplies a number between -1
and 1 by `sqrt(2 / (pi z))`.  Complex functions are NaN there, I and K from `2**30` on.  Of orders beyond 85.92 its
uniform expansions lose a factor of the argument, and all digits where that is `2**30`.  Its functions of the orders 0
and 1, from which those of integers follow, round `z - pi / 4`.  The scaled functions have all digits: at real `z` they
are the real and the imaginary part of a Hankel function, and elsewhere exponentials make the others of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ...backends.native.ufuncs import with_kernels
from ..numerics.regions import by_region
from ..scipy_repairs.corrections import correct
from .high_orders import HIGHEST, LOSSY, high_orders, is_lossy
from .huge_orders import is_huge, of_huge_order
from .overflowing import dominated_by_order, is_inside, times_exponential
from .scaled_derivatives import scaled_derivative

_FARTHEST, _FARTHEST_MODIFIED = 2.0**51, 2.0**30
_BEYOND = 1.01
"""Orders greater than this multiple of an argument that is `_FARTHEST` have `J = 0`."""


def _scaled() -> dict[str, Any]:
    """The scaled functions by kind."""
    names = {"j": "jve", "y": "yve", "h1": "hankel1e", "h2": "hankel2e", "i": "ive", "k": "kve"}
    return {kind: high_orders(getattr(special, name), kind) for kind, name in names.items()}


def cylinder_at(v: Any, z: Any, kind: str) -> Any:
    """J ("j") or Y of real arguments that are far out; J of an integer order is even or odd."""
    size = np.abs(z)
    hankel = scaled_derivative(v, size + 0j, kind="h1", n=0, m=0) * np.exp(1j * size)
    if kind == "y":
        return hankel.imag
    return hankel.real * np.where(z < 0, 1 - 2 * np.abs(np.fmod(v, 2)), 1.0)


def _exponents(z: Any, kind: str) -> tuple[Any, Any]:
    """The real and the imaginary part of the exponent of what the scaled functions have to be multiplied by."""
    x, y = np.real(z), np.imag(z)
    if kind in "jy":
        return np.abs(y), None
    return {"i": (np.abs(x), None), "k": (-x, -y if z.dtype.kind == "c" else None), "h1": (-y, x), "h2": (y, -x)}[kind]


def unscaled(w: Any, z: Any, kind: str) -> Any:
    """The value from that of the scaled function, with infinite parts where it overflows."""
    growth, phase = _exponents(z, kind)
    return times_exponential(w if phase is None else w * np.exp(1j * phase), growth)


def _of_kind(kind: str, scaled: Any) -> Callable[..., Any]:
    def values(v: Any, z: Any) -> Any:
        if z.dtype.kind != "c" and kind in "jy":
            return cylinder_at(v, z, kind)
        return unscaled(scaled(v, z), z, kind)

    def of_any_order(v: Any, z: Any) -> Any:
        huge = is_huge(v, z, kind), partial(of_huge_order, kind=kind, scaled=False)
        return by_region([huge, (True, values)], v, z)

    return of_any_order


def _unless_finite(kind: str, scaled: Any) -> Callable[..., Any]:
    """The values of vectors at which SciPy's are not finite, NaN where they are not known."""

    def values(v: Any, z: Any) -> Any:
        known = is_inside(v, z, kind)
        z = z + 0j if kind in ("h1", "h2") else z
        v, z = np.where(known, v, 0.0), np.where(known, z, 1.0)
        w = dominated_by_order(v, z, kind, False)
        w = np.where(np.isnan(w), unscaled(scaled(v, z), z, kind), w)
        return np.where(known, w, np.nan)

    return values


def _is_wrong(kind: str) -> Callable[..., Any]:
    farthest = _FARTHEST_MODIFIED if kind in "ik" else _FARTHEST

    def mask(v: Any, z: Any) -> Any:
        size = np.abs(z)
        here = (size >= farthest) | is_lossy(v, size)
        huge = is_huge(v, z, kind)
        if not np.any(here | huge):
            return here
        here = here & np.isfinite(size) & np.isfinite(v)
        if z.dtype.kind == "c":
            return here | huge
        if kind in "ik":
            return huge
        inside = np.abs(v) <= _BEYOND * size
        return huge | here & ((v <= 0) | inside) & ((z > 0) | (v == np.rint(v)) if kind == "j" else z > 0)

    return mask


def _mend_all() -> dict[str, Any]:
    functions = (special.jv, special.yv, special.hankel1, special.hankel2, special.iv, special.kv)
    scaled = _scaled()
    for function, (kind, f) in zip(functions, scaled.items(), strict=True):
        farthest = _FARTHEST_MODIFIED if kind in "ik" else _FARTHEST
        correct(function, LOSSY, (HIGHEST, farthest), _is_wrong(kind), _of_kind(kind, f), _unless_finite(kind, f))
    for order, names in enumerate((("j0", "y0"), ("j1", "y1"))):
        for kind, name in zip("jy", names, strict=True):
            if with_kernels(getattr(special, name)) is None:
                _mend_of_order(getattr(special, name), order, kind)
    correct(special.yn, LOSSY, (np.inf, LOSSY), _is_rounded, lambda n, x: cylinder_at(n, x, "y"))
    return scaled


def _mend_of_order(function: np.ufunc, order: int, kind: str) -> None:
    def values(x: Any) -> Any:
        return cylinder_at(np.full_like(x, order), x, kind)

    def mask(x: Any) -> Any:
        return ((np.abs(x) if kind == "j" else x) >= LOSSY) & np.isfinite(x)

    correct(function, LOSSY, (LOSSY,), mask, values)


def _is_rounded(n: Any, x: Any) -> Any:
    return (x >= LOSSY) & (x >= 2 * np.abs(n)) & np.isfinite(x) & (n == np.rint(n))


SCALED = _mend_all()
"""The scaled functions with their better values, by kind."""
