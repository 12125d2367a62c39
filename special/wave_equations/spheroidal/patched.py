"""SciPy's spheroidal wave functions with better values: called as the ufuncs are, with their keywords.

Under differentiation the better values go into the rules, which make the derivatives in the argument from them.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ...numerics.regions import Regions, by_region
from ...scipy_repairs.hazards import is_harmless
from ...ufuncs.large_arrays import threaded
from ...ufuncs.modes import AT_ONCE, completed
from ...ufuncs.patched_ufunc import PatchedUfunc
from .angular import angular, angular_of_mode
from .characteristic_values import MANY, is_mode
from .functions import radial_of_mode, radial_one, radial_two
from .given_values import of_given_value
from .rules import characteristic

__all__ = [
    "obl_ang1", "obl_ang1_cv", "obl_cv", "obl_rad1", "obl_rad1_cv", "obl_rad2", "obl_rad2_cv", "pro_ang1",
    "pro_ang1_cv", "pro_cv", "pro_rad1", "pro_rad1_cv", "pro_rad2", "pro_rad2_cv",
]  # fmt: skip


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
        return by_region(parts, m, n, c, characteristic(sign, m, n, c), x)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return cancels(m, n, c, x)

    return (
        PatchedUfunc(ufunc, [(domain, kernel)], at_once=AT_ONCE),
        PatchedUfunc(
            of_value, [(domain_of_value, of_given_value(sign, of_value, angular, angular_of_mode))], at_once=AT_ONCE
        ),
    )


def _is_inside(m: Any, n: Any, c: Any) -> Any:
    """Where the kernels of spheroidal functions reach."""
    return is_mode(m, n) & (n <= m + 100) & (c != 0) & is_harmless("cv", m, n, c)


pro_ang1, pro_ang1_cv = _angular_spheroidal(special.pro_ang1, special.pro_ang1_cv, 1)
obl_ang1, obl_ang1_cv = _angular_spheroidal(special.obl_ang1, special.obl_ang1_cv, -1)


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
        return by_region(parts, m, n, c, characteristic(sign, m, n, c), np.maximum(x, _NEAREST))

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        return is_inside(m, n, c, x) & ~is_right(m, n, c, x) & (c != 0)

    return (
        PatchedUfunc(ufunc, [(domain, kernel)], at_once=AT_ONCE),
        PatchedUfunc(
            of_value,
            [(domain_of_value, of_given_value(sign, of_value, radial_two, radial_of_mode(2)))],
            at_once=AT_ONCE,
        ),
    )


pro_rad2, pro_rad2_cv = _second_kind(special.pro_rad2, special.pro_rad2_cv, 1)
obl_rad2, obl_rad2_cv = _second_kind(special.obl_rad2, special.obl_rad2_cv, -1)


_CLOSE_TO_ZERO = 0.1
"""Of `x`: nearer, the terms of SciPy's derivative of the oblate functions cancel."""
_ROUNDED = 1e-3
"""Of the distance of `x` to 1: nearer, a root of `1 - x**2` has lost digits in SciPy's functions."""


def _first_kind(function: Any, function_of_value: Any, sign: int) -> tuple[PatchedUfunc, PatchedUfunc]:
    """Radial functions of `(m, n, c, x)` and of `(m, n, c, cv, x)`, without SciPy's where it is wrong."""

    def is_wrong(m: Any, n: Any, c: Any, x: Any) -> Any:
        """Beyond where SciPy's functions are ours to 8e-13, of 60000 points; they lose all digits."""
        size = np.abs(c)
        is_rounded = (m > 0) & ((np.abs(x - 1) < _ROUNDED) if sign == 1 else (x < _CLOSE_TO_ZERO))
        return is_rounded | (m > 8) | (n > m + 10) | (size > 10) | (size < 0.01) | ~(np.abs(np.log(size * x)) < 5)

    def is_inside(m: Any, n: Any, c: Any, x: Any) -> Any:
        return is_mode(m, n) & is_harmless("cv", m, n, c) & (c != 0) & (x > (sign == 1))

    def domain(m: Any, n: Any, c: Any, x: Any) -> Any:
        return is_inside(m, n, c, x) & (is_wrong(m, n, c, x) | (len(x) >= MANY))

    def kernel(m: Any, n: Any, c: Any, x: Any) -> Any:
        value = characteristic(sign, m, n, c)
        wrong = is_wrong(m, n, c, x)
        parts: Regions = [(wrong, partial(kernel_of_mode, sign)), (~wrong, threaded(function_of_value))]
        return by_region(parts, m, n, c, value, x)

    def kernel_of_mode(sign: int, *args: Any) -> tuple[Any, ...]:
        return completed(radial_of_mode(1)(sign, *args), threaded(function_of_value), *args)

    def domain_of_value(m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
        wrong = is_wrong(m, n, c, x)
        return wrong & is_inside(m, n, c, x) if np.any(wrong) else wrong

    return (
        PatchedUfunc(function, [(domain, kernel)], at_once=AT_ONCE),
        PatchedUfunc(
            function_of_value, [(domain_of_value, of_given_value(sign, function_of_value, radial_one, kernel_of_mode))]
        ),
    )


def _values(function: Any, sign: int) -> PatchedUfunc:
    def domain(m: Any, n: Any, c: Any) -> Any:
        return is_mode(m, n) & is_harmless("cv", m, n, c) & (c != 0) & (len(c) >= MANY)

    return PatchedUfunc(function, [(domain, partial(characteristic, sign))], at_once=AT_ONCE)


pro_rad1, pro_rad1_cv = _first_kind(special.pro_rad1, special.pro_rad1_cv, 1)
obl_rad1, obl_rad1_cv = _first_kind(special.obl_rad1, special.obl_rad1_cv, -1)
pro_cv, obl_cv = _values(special.pro_cv, 1), _values(special.obl_cv, -1)
