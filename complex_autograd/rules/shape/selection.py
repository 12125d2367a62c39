"""Choosing elements: by condition, by index along an axis, by a list of cases, and functions applied to parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ...array.creation import zeros_like
from ...array.inplace import masked
from ...array.structure import in_order
from ...engine.dispatch import are_mapped, implements, on_values, refuse_out
from ...engine.forward import CONSTANT
from ...engine.operands import arange_like, as_operand, asarray_like, operand
from ...engine.primitive import linear
from ...engine.traced import Traced, raw
from .arranging import shape_along

on_values(np.nonzero, np.argwhere, np.flatnonzero)


@linear(family="data movement")
def chosen(a: Any, b: Any, *, condition: Any) -> Any:
    """`numpy.where` of three arguments."""
    return np.where(condition, a, b)


@chosen.adjoint(0)
def _(g: Any, a: Any, b: Any, *, condition: Any) -> Any:
    return masked(g, condition=condition)


@chosen.adjoint(1)
def _(g: Any, a: Any, b: Any, *, condition: Any) -> Any:
    return masked(g, condition=~condition)


@chosen.batched
def _(g: Any, active: Any, values: Any, *, condition: Any) -> Any:
    return [masked(g, condition=~condition if i else condition) for i in active]


@implements(np.where)
def _(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None and y is None:
        return np.where(raw(condition))
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    condition = (
        raw(asarray_like(condition, x if isinstance(x, Traced) else y)) != 0
    )  # a copy: later writes to a mask do not change this choice
    if _is_zero(y):
        return masked(operand(x), condition=condition)
    return (
        masked(operand(y), condition=~condition) if _is_zero(x) else chosen(operand(x), operand(y), condition=condition)
    )


def _is_zero(x: Any) -> bool:
    return type(x) in (int, float) and x == 0


@implements(np.choose)
def _(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    refuse_out(np.choose, out)
    dtype = np.result_type(*[c if type(c) in (int, float, complex) else as_operand(c).dtype for c in choices])
    operands = np.broadcast_arrays(*[as_operand(choice).astype(dtype, copy=False) for choice in choices])
    which = _integers(a, operands[0])
    if mode == "raise" and np.any((which < 0) | (which >= len(operands))):
        raise ValueError("invalid entry in choice array")
    shape = np.broadcast_shapes(which.shape, operands[0].shape)
    stacked = np.stack([np.broadcast_to(choice, shape) for choice in operands])
    positions = np.broadcast_to(in_range(which, len(operands), mode), shape)
    return in_order(np.take_along_axis(stacked, positions[None], 0)[0], "C")


def _integers(indices: Any, a: Any) -> Any:
    positions = raw(asarray_like(indices, a))
    if positions.dtype.kind not in "iub" and positions.size:
        raise TypeError(
            f"Cannot cast array data from {positions.dtype!r} to {np.dtype(np.intp)!r} according to the rule 'safe'"
        )
    return positions.astype(np.intp)


def in_range(indices: Any, size: int, mode: str) -> Any:
    """Indices brought into the range of an axis as NumPy's `mode` says; "raise" leaves that to indexing."""
    if mode == "wrap":
        return indices % size
    if mode == "clip":
        return np.clip(indices, 0, size - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got {mode!r})")
    return indices


@implements(np.select)
def _(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not len(condlist):
        raise ValueError("select with an empty condition list is not possible")
    conditions = [raw(as_operand(condition)) for condition in condlist]
    for i, condition in enumerate(conditions):
        if condition.dtype != np.bool_:
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    cases = [operand(x) for x in (*choicelist, default)]
    result = cases[-1]
    for condition, case in zip(reversed(conditions), reversed(cases[:-1]), strict=True):
        result = np.where(condition, case, result)
    dtype = np.result_type(*[getattr(case, "dtype", case) for case in cases])
    return in_order(result.astype(dtype, copy=False), "C")


@implements(np.take)
def _(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    refuse_out(np.take, out)
    if axis is None or (np.ndim(a) == 0 and axis in (0, -1)):
        a, axis = np.ravel(a), 0
    before = (slice(None),) * normalize_axis_index(axis, a.ndim)
    positions = _integers(indices, a)
    positions = in_range(positions, a.shape[axis], mode)
    if not isinstance(a, Traced) and are_mapped((positions,)):
        a = Traced(a, CONSTANT, None)
    taken = a[(*before, np.atleast_1d(positions))]
    return in_order(taken if positions.ndim else taken[(*before, 0)], "C")


def along_axis(shape: tuple[int, ...], indices: Any, axis: int) -> tuple[Any, ...]:
    """The index of the elements that `take_along_axis` takes and `put_along_axis` writes."""
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if len(shape) != indices.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    grid = [np.reshape(arange_like(indices, n), shape_along(k, len(shape))) for k, n in enumerate(shape)]
    return (*grid[:axis], indices, *grid[axis + 1 :])


@implements(np.take_along_axis)
def _(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    positions = raw(asarray_like(indices, arr))
    if axis is None:
        if positions.ndim != 1:
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        arr, axis = np.ravel(arr), 0
    return arr[along_axis(arr.shape, positions, normalize_axis_index(axis, arr.ndim))]


@implements(np.compress)
def _(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> Any:
    refuse_out(np.compress, out)
    a = as_operand(a)
    condition = raw(asarray_like(condition, a))
    if condition.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return np.take(a, np.flatnonzero(condition), axis)


@implements(np.extract)
def _(condition: Any, arr: Any) -> Any:
    arr = as_operand(arr)
    return np.take(arr, np.flatnonzero(raw(asarray_like(condition, arr))))


@implements(np.piecewise)
def _(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    x = as_operand(x)
    alone = np.isscalar(condlist) or (x.ndim != 0 and not isinstance(condlist[0], list) and np.ndim(condlist[0]) == 0)
    conditions = [raw(asarray_like(condition, x)) != 0 for condition in ([condlist] if alone else condlist)]
    if len(conditions) == len(funclist) - 1:
        conditions.append(~reduce(np.logical_or, conditions))
    elif len(conditions) != len(funclist):
        n = len(conditions)
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    y = zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        part = x[condition]
        if not callable(function):
            y[condition] = function
        elif part.size:
            y[condition] = function(part, *args, **kw)
    return y


@implements(np.apply_along_axis)
def _(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    arr = as_operand(arr)
    axis = normalize_axis_index(axis, arr.ndim)
    lines = np.moveaxis(arr, axis, -1)
    around = lines.shape[:-1]
    results = [as_operand(func1d(lines[(*i, ...)], *args, **kwargs)) for i in np.ndindex(*around)]
    if not results:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    shape = results[0].shape
    stacked = np.reshape(np.stack(results), around + shape)
    return np.moveaxis(stacked, range(len(around), len(around) + len(shape)), range(axis, axis + len(shape)))


@implements(np.apply_over_axes)
def _(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    result = a = as_operand(a)
    for axis in axes if np.iterable(axes) else (axes,):
        axis = axis + a.ndim if axis < 0 else axis
        reduced = func(result, axis)
        result = reduced if reduced.ndim == result.ndim else np.expand_dims(reduced, axis)
        if result.ndim != a.ndim:
            raise ValueError("function is not returning an array of the correct shape")
    return result
