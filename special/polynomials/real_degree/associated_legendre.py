"""The associated Legendre function with better values at real degrees, next to integers and outside of [-1, 1].

There SciPy's value of order 0 is the sum of a series that does not converge; of other orders it is NaN.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from .degree_function import degree_function
from .jacobi import associated_legendre_function
from .values import eval_legendre

__all__ = ["lpmv"]

_HIGHEST_ORDER = 1e5
"""Recurrences go through all orders up to `m`."""
_NEXT_TO_END = 0.99
"""From there on SciPy loses digits of `1 - x**2`."""
_MANY, _MIDDLE = 4000, (-0.7, 0.35)
"""From so many elements on, and between these arguments, the kernel takes less time than SciPy, as measured."""


def _integer_order(m: Any, v: Any, x: Any) -> Any:
    is_order = (m == np.round(m)) & (np.abs(m) <= _HIGHEST_ORDER)
    is_inner = is_order & (np.abs(x) < 1)
    inner = associated_legendre_function(np.where(is_order, m, 0.0), v, np.where(is_inner, x, 0.5))
    inner = np.where(is_inner, inner, np.nan)
    is_legendre = (m == 0) & (np.abs(x) >= 1)
    return np.where(is_legendre, eval_legendre(v, x), inner) if np.any(is_legendre) else inner


def _is_right_legendre(m: Any, v: Any, x: Any) -> Any:
    """Next to integer degrees SciPy loses digits, at low ones only where they are very near, and next to -1 and 1.

    Of many elements those in the middle, where its series is longest, are had faster by the kernel, and better.
    """
    distance, degree = np.abs(v - np.rint(v)), np.abs(v)
    is_low = np.max(degree, initial=0.0) <= 8
    is_far = (np.abs(x) < _NEXT_TO_END) | (m == 0) & (x <= 1)
    is_right = is_far & (distance > (0.001 if is_low else np.where(degree <= 8, 0.001, 0.01)))
    if not (np.min(m, initial=0) >= -3 and np.max(m, initial=0) <= 3):
        is_right = is_right & (np.abs(m) <= 3)
    if not is_low:
        is_right = is_right & (degree <= 30)
    if np.size(x) < _MANY:
        return is_right
    return is_right & ((degree < 4) | (x < _MIDDLE[0]) | (x > _MIDDLE[1]))


def _is_diverging(m: Any, v: Any, x: Any) -> Any:
    """Where SciPy's series in `(1 - x) / 2` does not converge; of other orders its value is NaN there."""
    return (m == 0) & (x > 1)


lpmv = degree_function(
    special.lpmv,
    _integer_order,
    -1,
    accurate=_is_right_legendre,
    degree=1,
    farthest=float(np.finfo(float).max),
    is_wrong=_is_diverging,
)
