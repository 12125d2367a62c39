"""Sorting, with NumPy's keywords; every sort on a GPU is stable."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..tables import implements


def _no_fields(order: Any) -> None:
    if order is not None:
        raise ValueError("Cannot specify order when the array has no fields.")


@implements(np.sort)
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """`numpy.sort`."""
    _no_fields(order)
    return cupy.sort(cupy.asarray(a), axis)


@implements(np.argsort)
def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """`numpy.argsort`."""
    _no_fields(order)
    return cupy.argsort(cupy.asarray(a), axis)


@implements(np.partition)
def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """`numpy.partition`, by sorting the whole axis."""
    _no_fields(order)
    a = cupy.asarray(a)
    _in_range(kth, a.size if axis is None else a.shape[axis])
    return cupy.sort(a, axis)


@implements(np.argpartition)
def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """`numpy.argpartition`, by sorting the whole axis."""
    _no_fields(order)
    a = cupy.asarray(a)
    _in_range(kth, a.size if axis is None else a.shape[axis])
    return cupy.argsort(a, axis)


def _in_range(kth: Any, n: int) -> None:
    for k in kth if isinstance(kth, (list, tuple)) else [kth]:
        if isinstance(k, (int, np.integer)) and not -n <= k < n:
            raise ValueError(f"kth(={k}) out of bounds ({n})")


@implements(np.unique)
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """`numpy.unique`, always sorted."""
    ar = cupy.asarray(ar)
    if axis is None:
        return cupy.unique(ar, return_index, return_inverse, return_counts, equal_nan=equal_nan)
    return _unique_slices(ar, normalize_axis_index(axis, ar.ndim), (return_index, return_inverse, return_counts))


def _unique_slices(ar: Any, axis: int, wanted: tuple[bool, bool, bool]) -> Any:
    """The different slices along an axis, in the order of their first different element, and what is wanted of them."""
    rows = cupy.moveaxis(ar, axis, 0)
    n = len(rows)
    columns = cupy.ascontiguousarray(rows).reshape(n, int(np.prod(rows.shape[1:])))
    # complex numbers are ordered by their real parts, then by their imaginary ones
    columns = columns.view(columns.real.dtype if ar.dtype.kind == "c" else np.uint8 if ar.dtype == bool else ar.dtype)
    order = cupy.lexsort(columns.T[::-1]) if columns.size else cupy.arange(n)
    ranked = columns[order]
    is_first = cupy.ones(n, bool)
    is_first[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    first = cupy.flatnonzero(is_first)
    inverse = cupy.empty(n, np.intp)
    inverse[order] = cupy.cumsum(is_first) - 1
    parts = (order[first], inverse, cupy.diff(first, append=n))
    values = cupy.moveaxis(rows[order[first]], 0, axis)
    results = (values, *[part for part, is_wanted in zip(parts, wanted, strict=True) if is_wanted])
    return results if len(results) > 1 else values


@implements(np.lexsort)
def lexsort(keys: Any, axis: Any = -1) -> Any:
    """`numpy.lexsort`: one stable sort a key, the last key last."""
    keys = [cupy.moveaxis(cupy.asarray(key), axis, -1) for key in keys]
    if not keys:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    order = cupy.argsort(keys[0], axis=-1)
    for key in keys[1:]:
        order = cupy.take_along_axis(order, cupy.argsort(cupy.take_along_axis(key, order, -1), axis=-1), -1)
    return cupy.moveaxis(order, -1, axis)
