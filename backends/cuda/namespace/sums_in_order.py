"""Counts and running sums; while a level of determinism is in force, by kernels that add in one order.

CuPy's weighted counts are atomic sums, and its running sums of all elements are CUB's scan, which adds in any order
(cupy issue 8350).  Its running sums along an axis go by blocks of a fixed size.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ....determinism import are_deterministic_algorithms_enabled
from ..operands import listed
from ..tables import FUNCTIONS, implements
from .scatters import add_in_order


@implements(np.bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    """`numpy.bincount`."""
    x, weights = listed(x), None if weights is None else listed(weights)
    if weights is None or weights.shape != x.shape or not are_deterministic_algorithms_enabled():
        return cupy.bincount(x, weights, int(minlength))
    if not np.can_cast(weights.dtype, float):
        raise TypeError(f"Cannot cast weights from {weights.dtype!r} to dtype('float64') according to the rule 'safe'")
    total = cupy.zeros(cupy.bincount(x, None, int(minlength)).shape)
    add_in_order(total, x, weights.astype(float, copy=False))
    return total


def _running(name: str) -> Any:
    function = getattr(cupy, name)

    def call(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        if axis is None and are_deterministic_algorithms_enabled():
            a, axis = cupy.ravel(a), 0
        return function(a, axis, dtype, out)

    return call


for _name in ("cumsum", "cumprod", "nancumsum", "nancumprod"):
    FUNCTIONS[getattr(np, _name)] = _running(_name)
