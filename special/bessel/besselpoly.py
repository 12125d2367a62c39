"""The moments of Bessel functions `besselpoly(a, lmb, nu) = int_0^1 t**lmb J_nu(2 a t) dt`, in all arguments."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np
from scipy import special

from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import RULES, Partial, rule
from .bessel_functions import jv
from .bessel_moments import BESSEL_MOMENTS, moment

__all__ = ["besselpoly"]


def _moment_partial(i: int) -> Partial:
    derivative = BESSEL_MOMENTS.partial(i)

    @wraps(derivative)
    def partial(w: Any, a: Any, lmb: Any, nu: Any) -> Any:
        return derivative(w, lmb, nu, a)

    return partial


_STEEP = 10.0
_derivative_of_series = _moment_partial(2)


def _derivative(w: Any, a: Any, lmb: Any, nu: Any) -> Any:
    """The derivative in `a`: by parts, and next to 0 by the power series.

    At large exponents the parts cancel: there by `2 J'_nu(z) = 2 nu / z J_nu - 2 J_(nu+1)`, DLMF 10.6.2.
    """
    is_near, is_steep = a < 0.5, (lmb > _STEEP * a) & (nu >= 0)
    far = np.where(is_near, 1.0, a)
    by_parts = (jv(nu, 2 * far) - (lmb + 1) * w) / far
    if np.any(is_steep & ~is_near):
        by_orders = nu / far * w - 2 * besselpoly(
            far, np.where(is_steep, lmb, 1.0) + 1, np.where(is_steep, nu, 1.0) + 1
        )
        by_parts = np.where(is_steep, by_orders, by_parts)
    if not np.any(is_near):
        return by_parts
    return np.where(is_near, _derivative_of_series(w, np.where(is_near, a, 0.25), lmb, nu), by_parts)


rule(
    special.besselpoly,
    "a lmb nu",
    lambda w, a, lmb, nu: _derivative(besselpoly(a, lmb, nu), a, lmb, nu),
    _moment_partial(0),
    _moment_partial(1),
)

# SciPy's power series cancels at large a

besselpoly = PatchedUfunc(
    special.besselpoly,
    [(lambda a, lmb, nu: (a > 2) & np.isfinite(a), moment)],
    partials=(_derivative, *RULES[special.besselpoly].partials[1:]),
)
