"""Spheroidal functions of a characteristic value that is given: the sums that SciPy defines by it, and what they lose.

The sums are checked as W. Kahan does: evaluated again at the next characteristic values, they have no more digits than
they agree to.  Where the value is the characteristic one but for rounding, the functions of the mode are the better
ones: beyond the largest coefficient of the sum its recurrence is not stable (DLMF 3.6(ii)), so that a rounding of the
value makes another function of it at large `c`, as `pro_rad2_cv` at `c = 90`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...numerics.regions import by_region
from ...numerics.warned import warn
from .characteristic_values import characteristic_value

_ROUNDED = 1e-13
"""Of `|cv| + c**2`: SciPy's characteristic values are right to 5e-15 of that."""
_NEXT = 2.0**-49
"""Relative: a few roundings of a characteristic value."""
_MOST_UNSTEADY = 1e-11
"""Relative: what may change with it."""


def of_given_value(sign: int, ufunc: np.ufunc, kernel: Any, kernel_of_mode: Any) -> Callable[..., tuple[Any, ...]]:
    """A function of `(m, n, c, cv, x)`, with a warning where its sum has lost digits.

    It is that of the mode there if `cv` is its characteristic value, else NaN.
    """
    name = ufunc.__name__
    better = f"{name.removesuffix('_cv')}(m, n, c, x)"

    def of_mode(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, ...]:
        found: tuple[Any, ...] = kernel_of_mode(sign, m, n, c, value, x)
        differ = _differ(found, kernel(sign, m, n, c, value, x), _sizes(n, c, *found))
        if np.any(differ & np.isfinite(found[0])):
            warn(f"{name} depends on digits of cv beyond double precision here: its values are those of {better}")
        return found

    def summed(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, ...]:
        w, derivative = kernel(sign, m, n, c, value, x)
        unsteady = is_unsteady(partial(kernel, sign), (w, derivative), _sizes(n, c, w, derivative), m, n, c, value, x)
        if np.any(unsteady):
            warn(
                f"{name} is NaN where cv is not the characteristic value of m, n and c and the sum that it is then has "
                f"lost its digits; {better} finds the characteristic value itself"
            )
        known = np.where(unsteady, np.nan, 1.0)
        return known * w, known * derivative

    def compute(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, ...]:
        is_own = is_characteristic(sign, m, n, c, value)
        found: tuple[Any, ...] = by_region([(is_own, of_mode), (~is_own, summed)], m, n, c, value, x)
        return found

    return compute


def is_characteristic(sign: int, m: Any, n: Any, c: Any, value: Any) -> Any:
    """Whether a value that is given is the characteristic one, of plain arguments."""
    own = characteristic_value(c, sign=sign, m=m, n=n)
    return np.abs(value - own) <= _ROUNDED * (np.abs(own) + c * c)


def is_unsteady(compute: Callable[..., Any], found: Any, sizes: Any, *args: Any) -> Any:
    """Where the outputs of a function of `(.., cv, x)` change relative to themselves and what is given with `cv`."""
    plain: list[Any] = [tuple(map(raw, a)) if type(a) is tuple else raw(a) for a in args]
    *front, value, x = plain
    found = tuple(map(raw, found))
    below, above = (_differ(found, compute(*front, value * (1 + side), x), sizes) for side in (-_NEXT, _NEXT))
    return below | above


def _differ(found: Any, other: Any, sizes: Any) -> Any:
    first, second = (
        ~(np.abs(w - y) <= _MOST_UNSTEADY * (np.abs(w) + size)) for w, y, size in zip(found, other, sizes, strict=True)
    )
    return first | second


def _sizes(n: Any, c: Any, w: Any, derivative: Any) -> tuple[Any, Any]:
    """How large a function and its derivative are next to their own zeros."""
    return np.abs(derivative) / (1 + n + np.abs(c)), np.abs(w)
