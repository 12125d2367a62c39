"""Weighted averages."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ...engine.dispatch import implements
from ...engine.operands import as_operand, asarray_like
from .sums import NOT_GIVEN, Axis, is_kept


def weights_along(a: Any, weights: Any, axis: Axis) -> Any:
    """The weights as an array that broadcasts to `a`, by NumPy's rule: of the shape of `a`, or of that of the axes."""
    if weights.shape == a.shape:
        return weights
    if axis is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    axes = tuple(i % a.ndim for i in (axis if isinstance(axis, tuple) else (axis,)))
    if weights.shape != tuple(a.shape[i] for i in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    in_order = np.transpose(weights, tuple(sorted(range(len(axes)), key=axes.__getitem__)))
    return np.reshape(in_order, tuple(n if i in axes else 1 for i, n in enumerate(a.shape)))


@implements(np.average)
def _(a: Any, axis: Axis = None, weights: Any = None, returned: bool = False, *, keepdims: Any = NOT_GIVEN) -> Any:
    a, keepdims = as_operand(a), is_kept(keepdims)
    axis = axis if axis is None else normalize_axis_tuple(axis, a.ndim, "axis")
    if weights is None:
        x = np.mean(a, axis=axis, keepdims=keepdims)
        return (x, np.full_like(x, a.size / max(x.size, 1))[()]) if returned else x
    weights = weights_along(a, asarray_like(weights, a), axis)
    total = np.sum(weights, axis=axis, dtype=np.result_type(a.dtype, weights.dtype), keepdims=keepdims)
    if np.any(total == 0.0):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    x = np.sum(a * weights, axis=axis, keepdims=keepdims) / total
    return (x, np.broadcast_to(total, x.shape)[()]) if returned else x
