"""Ufuncs of SciPy that return a function and its derivative, with better values, called as the ufuncs are.

`scipy.special` keeps its own objects.  Under differentiation the better values go into the rules, which make the
derivatives in the argument from them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..numerics.regions import by_region
from ..numerics.warned import warn
from ..scipy_repairs.hazards import is_harmless
from ..ufuncs.large_arrays import threaded
from ..ufuncs.modes import AT_ONCE, completed
from ..ufuncs.patched_ufunc import PatchedUfunc
from .parabolic import cylinder as parabolic_cylinder
from .parabolic import w_rule
from .parabolic.cylinder import parabolic_d, parabolic_v
from .parabolic.w_table import parabolic_w_values, within_table
from .spheroidal import rules as wave_functions
from .spheroidal.characteristic_values import MANY, characteristic_value, is_mode
from .spheroidal.functions import angular, angular_of_mode, radial_of_mode, radial_two

__all__ = [
    "obl_ang1",
    "obl_ang1_cv",
    "obl_rad2",
    "obl_rad2_cv",
    "pbdv",
    "pbvv",
    "pbwa",
    "pro_ang1",
    "pro_ang1_cv",
    "pro_rad2",
    "pro_rad2_cv",
]


_HIGHEST = 170.0
"""Of the orders of parabolic cylinder functions: beyond, the gamma functions in them overflow."""


def _parabolic_domain(name: str) -> Callable[[Any, Any], Any]:
    """At 0 SciPy's closed form is exact at integer orders, and next to these has no right digit."""

    def domain(v: Any, x: Any) -> Any:
        size = np.abs(v)
        if np.any((size > _HIGHEST) & (size < np.inf)):
            warn(
                f"{name}: beyond |v| = {_HIGHEST:.0f} the values are SciPy's, some of which have no right digit, as "
                "gamma functions overflow there. Compute them with mpmath's pcfd, pcfu or pcfv."
            )
        return (size <= _HIGHEST) & (np.abs(x) <= 40) & ((x != 0) | (v != np.rint(v)))

    return domain


pbdv = PatchedUfunc(parabolic_cylinder.pbdv, [(_parabolic_domain("pbdv"), parabolic_d)])
pbvv = PatchedUfunc(parabolic_cylinder.pbvv, [(_parabolic_domain("pbvv"), parabolic_v)])
pbwa = PatchedUfunc(w_rule.pbwa, [(within_table, parabolic_w_values)])


def _angular_spheroidal(ufunc: np.ufunc, of_value: np.ufunc, sign: int) -> tuple[PatchedUfunc, PatchedUfunc]:
    """The functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`.

    At large c or n SciPy's series cancels about x = 0; at tiny c its coefficients are those of another degree, or
    inaccurate; and next to the ends, of order 1 and more, it has lost digits of `1 - x**2`.
    """

    def cancels(m: Any, n: Any, c: Any, x: Any) -> Any:
        size = np.abs(c)
        out = (size > 6) | (size < 1e-2) | (n > 9) | ((m > 0) & (np.abs(x) > 0.999))
        return out & _is_inside(m, n, c) & (np.abs(x) < 1) if np.any(out) else out

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        out = cancels(m, n, c, x)
        return out if len(x) < MANY else out | (is_mode(m, n) & is_harmless(ufunc.__name__, m, n, c) & (c != 0))

    def kernel(m: Any, n: Any, c: Any, x: Any) -> tuple[Any, ...]:
        here = cancels(m, n, c, x)
        parts = [(here, partial(angular_of_mode, sign)), (~here, threaded(of_value))]
        return by_region(parts, m, n, c, characteristic_value(c, sign=sign, m=m, n=n), x)

    def kernel_of_value(*args: Any) -> tuple[Any, ...]:
        """Where the sum cancels, the solution of the equation, with which it agrees for characteristic values."""
        return completed(angular(sign, *args), partial(angular_of_mode, sign), *args)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return cancels(m, n, c, x)

    return (
        PatchedUfunc(ufunc, [(domain, kernel)], at_once=AT_ONCE),
        PatchedUfunc(of_value, [(domain_of_value, kernel_of_value)], at_once=AT_ONCE),
    )


def _is_inside(m: Any, n: Any, c: Any) -> Any:
    """Where the kernels of spheroidal functions reach."""
    return is_mode(m, n) & (n <= m + 100) & (c != 0) & is_harmless("cv", m, n, c)


pro_ang1, pro_ang1_cv = _angular_spheroidal(wave_functions.pro_ang1, wave_functions.pro_ang1_cv, 1)
obl_ang1, obl_ang1_cv = _angular_spheroidal(wave_functions.obl_ang1, wave_functions.obl_ang1_cv, -1)


_FARTHEST = 1e12
"""Of `x`: beyond, the phase `c x` has lost its digits."""
_NEAREST = 1e-100
"""In place of `x = 0`: there the oblate functions are regular, and SciPy's off by factors of 2."""


def _second_kind(ufunc: np.ufunc, of_value: np.ufunc, sign: int) -> tuple[Any, Any]:
    """The spheroidal functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`."""

    def is_right(m: Any, n: Any, c: Any, x: Any) -> Any:
        """Where SciPy's functions are ours to 3e-14, of 100000 points; next to that, they have no right digit."""
        return (x >= 2.5) & (m <= 3) & (n <= m + 12) & (np.abs(c) >= 0.1) & (np.abs(c) <= 4) & (x <= 20)

    def is_inside(m: Any, n: Any, c: Any, x: Any) -> Any:
        return (
            is_mode(m, n)
            & (n <= m + 100)
            & is_harmless("cv", m, n, c)
            & (np.abs(c) <= 100)
            & (x > 1 if sign == 1 else x >= 0)
            & (x <= 1000)
        )

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        inside = is_inside(m, n, c, x)
        return inside if len(x) >= MANY else inside & ~is_right(m, n, c, x)

    def kernel(m: Any, n: Any, c: Any, x: Any) -> Any:
        right = is_right(m, n, c, x)
        parts = [(right, threaded(of_value)), (~right, partial(radial_of_mode(2), sign))]
        return by_region(parts, m, n, c, characteristic_value(c, sign=sign, m=m, n=n), np.maximum(x, _NEAREST))

    def kernel_of_value(*args: Any) -> Any:
        return completed(radial_two(sign, *args), partial(radial_of_mode(2), sign), *args)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return is_inside(m, n, c, x) & ~is_right(m, n, c, x) & (c != 0)

    return (
        PatchedUfunc(ufunc, [(domain, kernel)], at_once=AT_ONCE),
        PatchedUfunc(of_value, [(domain_of_value, kernel_of_value)], at_once=AT_ONCE),
    )


pro_rad2, pro_rad2_cv = _second_kind(wave_functions.pro_rad2, wave_functions.pro_rad2_cv, 1)
obl_rad2, obl_rad2_cv = _second_kind(wave_functions.obl_rad2, wave_functions.obl_rad2_cv, -1)
