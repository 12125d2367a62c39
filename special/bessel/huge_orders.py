"""Values and first derivatives of Bessel functions of huge orders, where SciPy's lose a factor of the order.

SciPy's have no right digit beyond `2**30`, where the complex ones are NaN or 0.  At positive arguments these are the
integrals of `bessel_large_order`, and Debye's expansions for I and K; elsewhere they are known where the order
dominates or the function underflows.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import Traced, raw
from ..numerics.jets import unit_number
from ..numerics.regions import by_region, in_double, with_dtypes
from ..numerics.warned import warn
from ..ufuncs.patched_ufunc import improved_value
from .bessel_large_order import cylinder_pair
from .bessel_order import bessel_jet, vanishes
from .overflowing import dominated_by_order

HUGE, HUGE_COMPLEX = 1e5, 2.0**30
"""From these orders on J, Y and H at positive arguments, and all others."""
_NEAREST, _FARTHEST = 1e-3, 4.0
"""Multiples of the order: nearer to 0 they underflow or overflow, and farther out `scaled_derivatives` has them."""
_UNSURE, _OSCILLATING = 5e6, 1.05
"""From this order on, at arguments that are so much larger, exponents of the size of the order have lost digits."""
_UNKNOWN = 1e14
"""From this order on such phases are not known at all."""


def is_huge(v: Any, z: Any, kind: str) -> Any:
    """Where the functions of finite arguments are those of here."""
    order, size = np.abs(v), np.abs(z)
    on_axis = is_positive(z) & (size > _NEAREST * order)
    limit = np.where(on_axis, _UNSURE if kind in "ik" else HUGE, HUGE_COMPLEX)
    here = (order >= limit) & (size < _FARTHEST * order) & np.isfinite(order) & (size > 0)
    return here if z.dtype.kind == "c" else here & on_axis


def is_positive(z: Any) -> Any:
    """Whether a number stands on the positive axis."""
    return (np.imag(z) == 0) & (np.real(z) > 0)


def of_huge_order(v: Any, z: Any, kind: str, scaled: bool) -> Any:
    """The values of vectors where the order `is_huge`; NaN, with a warning, where they are not known."""
    on_axis = is_positive(z)
    if kind in "ik":
        axis = on_axis, partial(_modified, kind=kind, scaled=scaled)
    else:
        axis = on_axis & (np.real(z) > _NEAREST * np.abs(v)), partial(_cylinder, kind=kind, scaled=scaled)
    return by_region([axis, (True, partial(_elsewhere, kind=kind, scaled=scaled))], v, z)


def _modified(v: Any, z: Any, kind: str, scaled: bool) -> Any:
    w = bessel_jet(v, np.real(z), kind, scaled, 0)[0]
    if np.any(np.isfinite(w) & (w != 0)):
        _warn_of_lost_digits()
    return w


def _warn_of_lost_digits() -> None:
    warn(
        "Bessel functions of orders beyond 5e6 are computed to an error of the order times 2e-16, relative to their "
        "size: exponents, or phases, are as large. Take a lower order, or compute there with mpmath."
    )


def _elsewhere(v: Any, z: Any, kind: str, scaled: bool) -> Any:
    w = dominated_by_order(v, z, kind, scaled)
    if kind in "ij":
        w = np.where(np.isnan(w) & vanishes(v, z), 0.0, w)
    if np.any(np.isnan(w)):
        warn(
            "a Bessel function is NaN at an order beyond 2**30 and a complex number next to its modulus. Take a lower "
            "order, or compute there with mpmath."
        )
    return w


def _cylinder(v: Any, z: Any, kind: str, scaled: bool, in_argument: bool = False) -> Any:
    """J, Y, H1 or H2 at positive numbers, or the derivative; DLMF 10.4.3, 10.4.6 to 10.4.8."""
    order, x = np.abs(v), np.real(z)
    is_unsure = (order > _UNSURE) & (x > _OSCILLATING * order)
    if np.any(is_unsure):
        _warn_of_lost_digits()
    j, y = cylinder_pair(order, x, 0, in_argument)
    is_unknown = is_unsure & (order > _UNKNOWN)
    j, y = np.where(is_unknown, np.nan, j), np.where(is_unknown, np.nan, y)
    turn = unit_number(np.where(v < 0, order, 0.0))
    cosine, sine = turn.real, turn.imag
    j, y = _product(cosine, j) - _product(sine, y), _product(sine, j) + _product(cosine, y)
    if kind in "jy":
        return j if kind == "j" else y
    side = 1.0 if kind == "h1" else -1.0
    out = np.empty_like(j, dtype=np.complex128)
    out.real, out.imag = j, side * y
    if not scaled:
        return out
    if in_argument:
        out = out - 1j * side * _cylinder(v, z, kind, False)
    return out * np.exp(-1j * side * x)


def _product(factor: Any, w: Any) -> Any:
    """0 where the factor is, also of infinite numbers."""
    return np.where(factor == 0, 0.0, factor * w)


def with_huge_orders(found: Any, v: Any, z: Any, kind: str, scaled: bool) -> Any:
    """Derivatives in `z`, at positive numbers those of the integrals: differences lose a factor."""
    order, x = raw(v), raw(z)
    here = is_huge(order, x, kind) & is_positive(x)
    if not np.any(here):
        return found
    order, x = np.where(here, order, HUGE), np.where(here, np.real(x), HUGE)
    ours = in_double(partial(_cylinder, kind=kind, scaled=scaled, in_argument=True), *with_dtypes(order, x))
    ours = np.where(here, ours, raw(found)).astype(raw(found).dtype)[()]
    return improved_value(found, value=ours) if isinstance(found, Traced) else ours
