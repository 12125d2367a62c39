"""The rule of `pbwa`: W in its order, by a table or by marching, and in its argument.

Its second output is the derivative of the first in `x`, whose own derivative follows by the equation.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import pbwa

from ....complex_autograd.engine.traced import raw
from ...numerics.regions import by_region
from ...ufuncs.parameters import flat, parameter_slope
from ...ufuncs.ufunc_rules import rule
from .w import parabolic_w
from .w_table import parabolic_w_slopes, within_table

__all__ = ["pbwa"]

_slope_by_marching = parameter_slope(parabolic_w, 0, "pbwa", "a")


def _marched_slope_of_w(w: Any, a: Any, x: Any) -> Any:
    """Where there is a value: outside of SciPy's domain the way is long, and ends nowhere."""
    lost = np.isnan(raw(w[0]))
    if not np.any(lost):
        return _slope_by_marching(w, a, x)
    slopes = _slope_by_marching(w, np.where(lost, 0.0, a), np.where(lost, 0.0, x))
    return tuple(y + np.where(lost, np.nan, 0.0) * a for y in slopes)


def _slope_of_w(w: Any, a: Any, x: Any) -> Any:
    """By the table where it holds, unless it is to be differentiated again."""
    if not all(issubclass(type(y), (np.ndarray, np.generic)) for y in (a, x)):
        return _marched_slope_of_w(w, a, x)
    shape, (a, x, *w) = flat(a, x, *w)
    regions = [
        (within_table(a, x), lambda a, x, *w: parabolic_w_slopes(a, x)),
        (True, lambda a, x, *w: _marched_slope_of_w(w, a, x)),
    ]
    slopes = by_region(regions, a, x, *w) if len(a) else (a, a)
    return tuple(np.reshape(y, shape) for y in slopes)


rule(pbwa, "a x", _slope_of_w, lambda w, a, x: (w[1], (a - x * x / 4) * w[0]))
