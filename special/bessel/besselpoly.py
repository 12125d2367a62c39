"""The moments of Bessel functions `besselpoly(a, lmb, nu) = int_0^1 t**lmb J_nu(2 a t) dt`, in all arguments."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np
from scipy import special

from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import RULES, Partial, rule
from .bessel_moments import BESSEL_MOMENTS, moment

__all__ = ["besselpoly"]


def _moment_partial(i: int) -> Partial:
    derivative = BESSEL_MOMENTS.partial(i)

    @wraps(derivative)
    def partial(w: Any, a: Any, lmb: Any, nu: Any) -> Any:
        return derivative(w, lmb, nu, a)

    return partial


_derivative_of_series = _moment_partial(2)


def _derivative(w: Any, a: Any, lmb: Any, nu: Any) -> Any:
    """The derivative in `a`: by parts, and next to 0 by the power series."""
    is_near = a < 0.5
    far = np.where(is_near, 1.0, a)
    by_parts = (special.jv(nu, 2 * far) - (lmb + 1) * w) / far
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
