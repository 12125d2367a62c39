"""Joining and splitting arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ...array.conversion import converted
from ...array.structure import in_order, order_of
from ...array.views import getitem
from ...engine.dispatch import implements, refuse_out
from ...engine.operands import arange_like, as_operand, asarray_like, plain_operand
from ...engine.primitive import linear
from ...engine.traced import raw


@linear
def concatenate(*arrays: Any, axis: int) -> Any:
    """`numpy.concatenate` of arrays along one axis."""
    return np.concatenate(arrays, axis)


@concatenate.adjoint_of_all
def _(g: Any, *arrays: Any, axis: int) -> list[Any]:
    before = (slice(None),) * (axis % len(g.shape))
    cotangents, start = [], 0
    for a in arrays:
        stop = start + a.shape[axis]
        cotangents.append(getitem(g, index=(*before, slice(start, stop))))
        start = stop
    return cotangents


@concatenate.batched
def _(g: Any, active: Any, values: Any, *, axis: int) -> Any:
    along = axis % len(values[0].shape)
    stops = np.cumsum([a.shape[along] for a in values]).tolist()
    before = (slice(None),) * (along + 1)
    return [g[(*before, slice(stops[i] - values[i].shape[along], stops[i]))] for i in active]


@linear
def stack(*arrays: Any, axis: int) -> Any:
    """`numpy.stack`."""
    return np.stack(arrays, axis)


@stack.adjoint_of_all
def _(g: Any, *arrays: Any, axis: int) -> list[Any]:
    before = (slice(None),) * (axis % len(g.shape))
    return [getitem(g, index=(*before, i)) for i in range(len(arrays))]


@stack.batched
def _(g: Any, active: Any, values: Any, *, axis: int) -> Any:
    before = (slice(None),) * (1 + axis % (len(values[0].shape) + 1))
    return [g[(*before, i)] for i in active]


def _of_one_dtype(arrays: Sequence[Any], dtype: Any, casting: Any) -> list[Any]:
    operands = [plain_operand(a) for a in arrays]
    return operands if dtype is None else [converted(a, dtype, "K", casting, False) for a in operands]


@implements(np.concatenate)
def _(
    arrays: Sequence[Any], /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind"
) -> Any:
    refuse_out(np.concatenate, out)
    operands = _of_one_dtype(arrays, dtype, casting)
    if axis is None:
        return concatenate(*[np.ravel(a) for a in operands], axis=0)
    return concatenate(*operands, axis=axis)


@implements(np.stack)
def _(arrays: Sequence[Any], axis: int = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    refuse_out(np.stack, out)
    return stack(*_of_one_dtype(list(arrays), dtype, casting), axis=axis)


@implements(np.vstack, getattr(np, "row_stack", np.vstack))
def _(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    return np.concatenate(_each(np.atleast_2d, tup), 0, dtype=dtype, casting=casting)


@implements(np.hstack)
def _(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    arrays = _each(np.atleast_1d, tup)
    return np.concatenate(arrays, 0 if arrays[0].ndim == 1 else 1, dtype=dtype, casting=casting)


@implements(np.dstack)
def _(tup: Any) -> Any:
    return np.concatenate(_each(np.atleast_3d, tup), 2)


@implements(np.column_stack)
def _(tup: Any) -> Any:
    arrays = [as_operand(a) for a in tup]
    return np.concatenate([np.atleast_2d(a).T if a.ndim < 2 else a for a in arrays], 1)


def _each(function: Any, arrays: Any) -> list[Any]:
    return [function(as_operand(a)) for a in arrays]


@implements(np.block)
def _(arrays: Any) -> Any:
    depth = _depth(arrays, [])
    dimensions = max(depth, max(np.ndim(raw(a)) for a in _leaves(arrays)))
    return _joined(arrays, depth, dimensions) if depth else np.copy(arrays)


def _joined(arrays: Any, depth: int, dimensions: int) -> Any:
    """Nested lists joined from the innermost outwards, innermost along the last axis."""
    if depth == 0:
        a = as_operand(arrays)
        return a if a.ndim == dimensions else np.reshape(a, (1,) * (dimensions - a.ndim) + a.shape)
    return np.concatenate([_joined(item, depth - 1, dimensions) for item in arrays], -depth)


def _depth(arrays: Any, position: list[int]) -> int:
    """How deep the lists are nested; tuples, empty lists and unequal depths raise."""
    where = "arrays" + "".join(f"[{i}]" for i in position)
    if isinstance(arrays, tuple):
        raise TypeError(
            f"{where} is a tuple. Only lists can be used to arrange blocks, and np.block does not allow implicit "
            "conversion from tuple to ndarray."
        )
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError(f"List at {where} cannot be empty")
    depths = [_depth(item, [*position, i]) for i, item in enumerate(arrays)]
    for i, depth in enumerate(depths):
        if depth != depths[0]:
            raise ValueError(
                f"List depths are mismatched. First element was at depth {len(position) + 1 + depths[0]}, but there is "
                f"an element at depth {len(position) + 1 + depth} ({where}[{i}])"
            )
    return 1 + depths[0]


def _leaves(arrays: Any) -> list[Any]:
    return [leaf for item in arrays for leaf in _leaves(item)] if isinstance(arrays, list) else [arrays]


@implements(np.append)
def _(arr: Any, values: Any, axis: int | None = None) -> Any:
    arr = as_operand(arr)
    values = asarray_like(values, arr)
    if axis is None:
        return np.concatenate((np.ravel(arr), np.ravel(values)))
    return np.concatenate((arr, values), axis)


@implements(np.insert)
def _(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    arr = as_operand(arr)
    values = asarray_like(values, arr)
    if arr.dtype.kind != "c" and values.dtype.kind == "c":
        raise TypeError("complex values cannot be inserted into a real array: make it complex with arr.astype(complex)")
    values = converted(values, arr.dtype, "K", "unsafe", False)
    # NumPy's own insert, run on the positions of the elements, says where each element of the result comes from
    positions = arange_like(arr, arr.size).reshape(arr.shape)
    new_positions = arange_like(arr, arr.size, arr.size + values.size).reshape(values.shape)
    found = _gathered([arr, values], np.insert(positions, raw(obj), new_positions, axis))
    return found if axis is None else in_order(found, order_of(arr))


def _gathered(arrays: Sequence[Any], positions: Any) -> Any:
    """The elements at some positions of the flattened arrays, laid end to end."""
    return np.concatenate([np.ravel(a) for a in arrays])[positions]


@implements(np.delete)
def _(arr: Any, obj: Any, axis: int | None = None) -> Any:
    if axis is None:
        arr, axis = np.ravel(arr), 0
    axis = normalize_axis_index(axis, arr.ndim)
    obj = raw(obj)
    kept = np.delete(arange_like(arr, arr.shape[axis]), obj)
    found = arr[(slice(None),) * axis + (kept,)]
    is_one = isinstance(obj, slice) or (np.size(obj) == 1 and np.asarray(obj).dtype.kind in "iu")
    return in_order(found, order_of(arr)) if is_one else found


@implements(np.array_split)
def _(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    axis = normalize_axis_index(axis, ary.ndim)
    parts = np.array_split(np.arange(ary.shape[axis]), indices_or_sections)
    before = (slice(None),) * axis
    return [ary[(*before, slice(part[0], part[-1] + 1) if part.size else slice(0, 0))] for part in parts]


@implements(np.split)
def _(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    if not np.iterable(indices_or_sections) and ary.shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return np.array_split(ary, indices_or_sections, axis)


def _splits_along(function: Any, axis: int, dimensions: int) -> None:
    @implements(function)
    def _(ary: Any, indices_or_sections: Any) -> list[Any]:
        if ary.ndim < dimensions:
            raise ValueError(f"{function.__name__} only works on arrays of {dimensions} or more dimensions")
        return np.split(ary, indices_or_sections, min(axis, ary.ndim - 1))


_splits_along(np.hsplit, 1, 1)
_splits_along(np.vsplit, 0, 2)
_splits_along(np.dsplit, 2, 3)


@implements(np.unstack)
def _(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(np.moveaxis(x, axis, 0))
