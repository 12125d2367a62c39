"""SciPy's Mathieu functions with better values: called as the ufuncs are, with their keywords."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...bessel.bessel_sequences import bessel_j_sequence, bessel_y_sequence
from ...numerics.warned import warn
from ...ufuncs.modes import AT_ONCE, completed
from ...ufuncs.patched_ufunc import PatchedUfunc
from . import tables as mathieu_tables
from .characteristic_values import GREATEST, SMALLEST_DOUBTFUL, has_wrong_value
from .functions import angular_mathieu, radial_mathieu
from .rules import is_small, is_small_number

__all__ = ["mathieu_cem", "mathieu_modcem1", "mathieu_modcem2", "mathieu_modsem1", "mathieu_modsem2", "mathieu_sem"]

_FARTHEST = 1e6
"""Of `q exp(2 |x|)`, up to which the modified functions are ours."""
_HIGHEST, _NEAR = 100, 0.1
"""Of the orders with better values; in degrees, next to 0, where SciPy has those next to 90 if `q < 0`."""


def _angular_mathieu(ufunc: np.ufunc, even: bool) -> PatchedUfunc:
    """At small q SciPy's coefficients lose digits; at larger ones they may be those of another order, or NaN.

    Compared with the kernel, at 2000 points an order: up to order 5 they differ by rounding from `|q| = 0.1` on.
    """

    def is_order(m: Any) -> Any:
        return (m == np.floor(m)) & (m >= (0 if even else 1)) & (m <= _HIGHEST)

    def domain(m: Any, q: Any, x: Any) -> Any:
        is_near = np.abs(q) < np.where(m > 5, 1.0, 0.2)
        is_near = is_near | ((q < 0) & (np.abs(x) < _NEAR))
        return is_order(m) & (is_near | has_wrong_value(m, np.where(is_near, 1.0, q), even))

    def is_inaccurate(value: Any, derivative: Any, m: Any, q: Any, x: Any) -> Any:
        is_missing = np.isnan(value) & (np.abs(q) <= GREATEST) & np.isfinite(x)
        return is_order(m) & (is_small(value, derivative, m, q) | is_missing)

    def kernel(*args: Any) -> tuple[Any, ...]:
        return completed(angular_mathieu(even)(*args), ufunc, *args)

    careful = PatchedUfunc(ufunc, [(domain, kernel)], corrections=[(is_inaccurate, kernel)], at_once=AT_ONCE)

    def domain_of_many(m: Any, q: Any, x: Any) -> Any:
        return domain(m, q, x) if len(x) < mathieu_tables.MANY else is_order(m) & (np.abs(q) <= mathieu_tables.LARGEST)

    def kernel_of_many(m: Any, q: Any, x: Any) -> tuple[Any, ...]:
        if len(x) < mathieu_tables.MANY:
            return kernel(m, q, x)
        value, derivative = mathieu_tables.tabulated(even, False, m, q, x)
        (rest,) = np.nonzero(np.isnan(value) | is_inaccurate(value, derivative, m, q, x))
        if len(rest):
            value[rest], derivative[rest] = careful(m[rest], q[rest], x[rest])
        return value, derivative

    def of_numbers(m: float, q: float, x: float) -> tuple[Any, Any] | None:
        size = abs(q)
        if not (1 - even <= m <= _HIGHEST and (1.0 if m > 5 else 0.2) <= size < SMALLEST_DOUBTFUL) or m % 1:
            return None
        if q < 0 and abs(x) < _NEAR:
            return None
        value, derivative = ufunc(m, q, x)
        return None if is_small_number(value, derivative, m, size) else (value, derivative)

    return PatchedUfunc(
        ufunc,
        [(domain_of_many, kernel_of_many)],
        corrections=[(is_inaccurate, kernel_of_many)],
        at_once=AT_ONCE,
        quick=of_numbers,
    )


mathieu_cem = _angular_mathieu(special.mathieu_cem, True)
mathieu_sem = _angular_mathieu(special.mathieu_sem, False)


def _modified_mathieu(ufunc: np.ufunc, even: bool, sequence: Any) -> PatchedUfunc:
    def domain(m: Any, q: Any, x: Any) -> Any:
        order = (m == np.floor(m)) & (m >= (0 if even else 1)) & (m <= _HIGHEST)
        return order & (q > 0) & (q * np.exp(2 * np.abs(x)) <= _FARTHEST)

    def kernel(*args: Any) -> Any:
        found = compute(*args)
        if any(np.any(np.isnan(part)) for part in found):
            warn(
                f"{ufunc.__name__} is NaN, or its derivative is, where products of Bessel functions that it is a sum "
                "of are not finite: q is tiny. Functions of the second kind grow there as q**(-m / 2)."
            )
        return found

    def is_missing(value: Any, derivative: Any, m: Any, q: Any, x: Any) -> Any:
        order = (m == np.floor(m)) & (m >= (0 if even else 1))
        return order & (q > 0) & np.isfinite(q) & np.isfinite(x) & (np.isnan(value) | np.isnan(derivative))

    def unknown(*args: Any) -> Any:
        warn(
            f"{ufunc.__name__} is NaN, and so are its derivatives, where SciPy has no value. Likely cause: "
            f"q exp(2 |x|) is beyond {_FARTHEST:g}, or the order beyond {_HIGHEST}. Take smaller ones."
        )
        return (np.full_like(args[-1], np.nan),) * 2

    def of_numbers(m: float, q: float, x: float) -> tuple[Any, Any] | None:
        """SciPy's products of Bessel functions are ours to 1e-14 here, and next to that have no right digit."""
        is_right = 1 - even <= m <= 3 and not m % 1 and 0.3 <= q < SMALLEST_DOUBTFUL and 0.1 <= x <= 3
        return ufunc(m, q, x) if is_right else None

    compute = radial_mathieu(even, sequence)
    return PatchedUfunc(
        ufunc, [(domain, kernel)], corrections=[(is_missing, unknown)], at_once=AT_ONCE, quick=of_numbers
    )


mathieu_modcem1 = _modified_mathieu(special.mathieu_modcem1, True, bessel_j_sequence)
mathieu_modcem2 = _modified_mathieu(special.mathieu_modcem2, True, bessel_y_sequence)
mathieu_modsem1 = _modified_mathieu(special.mathieu_modsem1, False, bessel_j_sequence)
mathieu_modsem2 = _modified_mathieu(special.mathieu_modsem2, False, bessel_y_sequence)
