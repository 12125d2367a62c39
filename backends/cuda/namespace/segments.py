"""`ufunc.reduceat`: folds of segments of an axis, one thread a segment."""

from __future__ import annotations

from functools import cache
from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ...base import DeviceError
from ..operands import listed
from ..tables import method
from .ufunc_calls import written
from .ufunc_methods import check_binary, of_loop

_FOLDS = {
    np.add: "t + x",
    np.subtract: "t - x",
    np.multiply: "t * x",
    np.true_divide: "t / x",
    np.maximum: "(t >= x || t != t) ? t : x",
    np.minimum: "(t <= x || t != t) ? t : x",
    np.fmax: "(t >= x || x != x) ? t : x",
    np.fmin: "(t <= x || x != x) ? t : x",
    np.logical_and: "t != T(0) && x != T(0)",
    np.logical_or: "t != T(0) || x != T(0)",
    np.bitwise_and: "t & x",
    np.bitwise_or: "t | x",
    np.bitwise_xor: "t ^ x",
}


@cache
def _kernel(fold: str) -> Any:
    return cupy.ElementwiseKernel(
        "raw T rows, raw int64 starts, int64 count, int64 length",
        "T total",
        f"""
        const long long row = i / count, k = i % count;
        const long long begin = starts[k], next = k + 1 < count ? starts[k + 1] : length;
        T t = rows[row * length + begin];
        for (long long j = begin + 1; j < next; ++j) {{
            const T x = rows[row * length + j];
            t = {fold};
        }}
        total = t;
        """,
        "wirtinger_segments",
    )


@method("reduceat")
def reduceat(ufunc: Any, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    """`ufunc.reduceat`."""
    check_binary(ufunc, "reduceat")
    if ufunc not in _FOLDS:
        raise DeviceError(
            f"{ufunc.__name__}.reduceat has no kernel on 'cuda'. Reduce slices in a loop, or move the array explicitly "
            "with wirtinger.to_host(x)."
        )
    a = cupy.asarray(array)
    axis = normalize_axis_index(axis, a.ndim)
    a = of_loop(ufunc, a, dtype, None if out is None else out[0])
    starts = listed(indices, np.int64)
    rows = cupy.ascontiguousarray(cupy.moveaxis(a, axis, -1))
    made = cupy.empty((*rows.shape[:-1], starts.size), a.dtype)
    if made.size:
        _kernel(_FOLDS[ufunc])(rows, starts, starts.size, a.shape[axis], made)
    if ufunc in (np.logical_and, np.logical_or):
        made = made != 0
    made = cupy.moveaxis(made, -1, axis)
    if out is not None and out[0] is not None:
        written(ufunc, out[0], made, "same_kind")
    return made
