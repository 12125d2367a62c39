"""The rule of `pbwa`: W in its order, by a table or by marching, and in its argument.

Its second output is the derivative of the first in `x`, whose own derivative follows by the equation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.traced import raw
from ...numerics.regions import by_region
from ...ufuncs.parameters import flat, parameter_derivative
from ...ufuncs.patched_ufunc import PatchedUfunc
from ...ufuncs.ufunc_rules import rule
from .w import parabolic_w
from .w_table import parabolic_w_derivatives, parabolic_w_values, within_table

__all__ = ["pbwa"]

_derivative_by_marching = parameter_derivative(parabolic_w, 0, "pbwa", "a")


def _marched_derivative_of_w(w: Any, a: Any, x: Any) -> Any:
    """Where there is a value: outside of SciPy's domain the way is long, and ends nowhere."""
    is_nan = np.isnan(raw(w[0]))
    if not np.any(is_nan):
        return _derivative_by_marching(w, a, x)
    derivatives = _derivative_by_marching(w, np.where(is_nan, 0.0, a), np.where(is_nan, 0.0, x))
    return tuple(y + np.where(is_nan, np.nan, 0.0) * a for y in derivatives)


def _derivative_of_w(w: Any, a: Any, x: Any) -> Any:
    """By the table where it holds, unless it is to be differentiated again."""
    if not all(issubclass(type(y), (np.ndarray, np.generic)) for y in (a, x)):
        return _marched_derivative_of_w(w, a, x)
    shape, (a, x, *w) = flat(a, x, *w)
    regions = [
        (within_table(a, x), lambda a, x, *w: parabolic_w_derivatives(a, x)),
        (True, lambda a, x, *w: _marched_derivative_of_w(w, a, x)),
    ]
    derivatives = by_region(regions, a, x, *w) if len(a) else (a, a)
    return tuple(np.reshape(y, shape) for y in derivatives)


rule(special.pbwa, "a x", _derivative_of_w, lambda w, a, x: (w[1], (a - x * x / 4) * w[0]))
pbwa = PatchedUfunc(special.pbwa, [(within_table, parabolic_w_values)])
