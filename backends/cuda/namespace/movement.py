"""Copies, views and elements moved: keywords that CuPy does not take."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ..operands import listed
from ..tables import FUNCTIONS, implements


@implements(np.broadcast_to)
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """`numpy.broadcast_to`."""
    return cupy.broadcast_to(cupy.asarray(array), shape)


@implements(np.broadcast_arrays)
def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    """`numpy.broadcast_arrays`."""
    return tuple(cupy.broadcast_arrays(*[cupy.asarray(a) for a in args]))


@implements(np.copy)
def copy(a: Any, order: Any = "K", subok: bool = False) -> Any:
    """`numpy.copy`."""
    return cupy.array(a, order=order)


@implements(np.astype)
def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """`numpy.astype`."""
    return x.astype(dtype, copy=copy)


def _of_arrays(function: Any) -> Any:
    """A function of a sequence of arrays, some of which may be literal lists."""

    def call(arrays: Any, *args: Any, **kwargs: Any) -> Any:
        return function([listed(a) for a in arrays], *args, **kwargs)

    return call


for _name in ("stack", "hstack", "vstack", "dstack", "column_stack"):
    FUNCTIONS[getattr(np, _name)] = _of_arrays(getattr(cupy, _name))


@implements(np.concatenate)
def concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """`numpy.concatenate`."""
    return cupy.concatenate([listed(a) for a in arrays], axis, out, dtype=dtype, casting=casting)


def _like(name: str) -> Any:
    make, like = getattr(cupy, name), getattr(cupy, f"{name}_like")

    def call(
        a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, *, device: Any = None
    ) -> Any:
        if shape is None:
            return like(a, dtype, order)
        return make(shape, a.dtype if dtype is None else dtype, "F" if order == "F" else "C")  # CuPy overlooks shape=()

    return call


for _name in ("empty", "ones", "zeros"):
    FUNCTIONS[getattr(np, f"{_name}_like")] = _like(_name)


@implements(np.full_like)
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    """`numpy.full_like`."""
    made = FUNCTIONS[np.empty_like](a, dtype, order, subok, shape)
    made[...] = fill_value
    return made


@implements(np.lib.stride_tricks.sliding_window_view)
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """`numpy.lib.stride_tricks.sliding_window_view`, in which an axis may be named twice."""
    windows = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim, allow_duplicate=True)
    if any(w < 0 for w in windows):
        raise ValueError("`window_shape` cannot contain negative values")
    if len(windows) != len(axes):
        raise ValueError(
            f"Must provide matching length window_shape and axis; got {len(windows)} window_shape elements and "
            f"{len(axes)} axes elements."
        )
    shape = list(x.shape)
    for i, w in zip(axes, windows, strict=True):
        if shape[i] < w:
            raise ValueError("window shape cannot be larger than input array shape")
        shape[i] -= w - 1
    strides = x.strides + tuple(x.strides[i] for i in axes)
    return cupy.lib.stride_tricks.as_strided(x, (*shape, *windows), strides)


def _counts(shape: Any) -> Any:
    """A shape, of which lengths may have been counted on the device."""
    return shape if isinstance(shape, int) else tuple([int(n) for n in shape])


@implements(np.reshape)
def reshape(a: Any, /, shape: Any, order: Any = "C", *, copy: Any = None) -> Any:
    """`numpy.reshape`."""
    return cupy.reshape(cupy.asarray(a), _counts(shape), order, copy=copy)


@implements(np.ravel_multi_index)
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    """`numpy.ravel_multi_index`."""
    return cupy.ravel_multi_index(multi_index, _counts(dims), mode, order)


@implements(np.diag_indices_from)
def diag_indices_from(arr: Any) -> Any:
    """`numpy.diag_indices_from`."""
    if arr.ndim < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(arr.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return (cupy.arange(len(arr)),) * arr.ndim
