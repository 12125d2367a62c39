"""Sums and means over axes.

A sum is linear; its adjoint repeats the cotangent along the axes.  What `where=` leaves out is replaced by a constant
first, so that it has no part in the result or in any derivative, even where it is NaN.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ....backends.short_axes import mean_along, sum_along
from ...array.structure import reshape
from ...engine.dispatch import implements, lowered, on_values, refuse_out
from ...engine.operands import as_operand, asarray_like
from ...engine.primitive import Primitive, linear
from ...engine.space import real_dtype
from ...engine.trace import FUNCTIONS
from ...engine.traced import raw

Axis = int | tuple[int, ...] | None

NOT_GIVEN: Any = np._NoValue
"""NumPy's mark of an argument that was not given."""


def is_given(argument: Any) -> bool:
    """Whether an optional argument of a reduction was given something other than its default."""
    return argument is not NOT_GIVEN and argument is not None


def is_kept(keepdims: Any) -> bool:
    """The flag given by `keepdims=`."""
    return keepdims is not NOT_GIVEN and bool(keepdims)


def _positions(shape: tuple[int, ...], axis: int | tuple[int, ...]) -> set[int]:
    """The reduced axes, counted from the front; NumPy reduces a number along the axes 0 and -1, too."""
    return {i % max(len(shape), 1) for i in (axis if isinstance(axis, tuple) else (axis,))}


def kept(shape: tuple[int, ...], axis: Axis) -> tuple[int, ...]:
    """A shape with the reduced axes kept at length one."""
    if axis is None:
        return (1,) * len(shape)
    axes = _positions(shape, axis)
    return tuple(1 if i in axes else n for i, n in enumerate(shape))


def reduced(shape: tuple[int, ...], axis: Axis, keepdims: bool = False) -> tuple[int, ...]:
    """The shape of the result of a reduction."""
    if keepdims:
        return kept(shape, axis)
    if axis is None:
        return ()
    axes = _positions(shape, axis)
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def counted(shape: tuple[int, ...], axis: Axis, where: Any = True) -> Any:
    """How many elements enter each result: a number, or with a mask an array with the reduced axes kept."""
    if where is True:
        return math.prod(n for n, m in zip(shape, kept(shape, axis), strict=True) if n != m)
    return np.sum(np.broadcast_to(where, shape), axis=axis, keepdims=True)


def as_dtype(a: Any, dtype: Any) -> Any:
    """The operand of a reduction that computes in `dtype`; at integer precision there is nothing to differentiate."""
    a = as_operand(a)
    return a if dtype is None or a.dtype == np.dtype(dtype) else a.astype(dtype)


def computes_integers(*functions: Any) -> None:
    """Leave what reductions `f(a, axis, dtype, out, ..)` compute in integers or truth values to NumPy: it is flat."""
    for function in functions:
        implementation = FUNCTIONS[function]

        @implements(function)
        @wraps(implementation)
        def _(*args: Any, of: Any = function, rule: Any = implementation, **kwargs: Any) -> Any:
            if not is_integer(kwargs.get("dtype", args[2] if len(args) > 2 else None)):
                return rule(*args, **kwargs)
            refuse_out(of, kwargs.get("out", args[3] if len(args) > 3 else None))
            return of(*lowered(args), **lowered(kwargs))


def is_integer(dtype: Any) -> bool:
    """Whether the dtype of a reduction is given, and is that of integers or truth values."""
    return dtype is not None and np.dtype(dtype).kind in "iub"


# Sums


@linear(family="sums")
def sum_over(a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The sum over axes."""
    return sum_along(a, axis, keepdims)


@sum_over.adjoint(0)
def _(g: Any, a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return repeated(g, axis=axis, shape=a.shape)


@sum_over.batched
def _(g: Any, a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return np.broadcast_to(np.reshape(g, (len(g), *kept(a.shape, axis))), (len(g), *a.shape))


@sum_over.space_of
def _(a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return reduced(a.shape, axis, keepdims), a.dtype


@linear(family="data movement")
def repeated(a: Any, *, axis: Axis, shape: tuple[int, ...]) -> Any:
    """The result of a reduction repeated along the axes that were reduced, to the shape that it had before."""
    if axis is None and issubclass(type(a), np.generic):
        return np.ndarray(shape, a.dtype, a, 0, (0,) * len(shape))  # whose memory is that of the number: not to write
    a = a.reshape(kept(shape, axis))
    if type(a) is not np.ndarray or not a.flags.c_contiguous:
        return np.broadcast_to(a, shape)
    # numpy.broadcast_to, which takes seven times as long
    strides = [s if n == m else 0 for s, n, m in zip(a.strides, a.shape, shape, strict=True)]
    result = np.ndarray(shape, a.dtype, a, 0, strides)
    result.flags.writeable = False
    return result


@repeated.adjoint(0)
def _(g: Any, a: Any, *, axis: Axis, shape: tuple[int, ...]) -> Any:
    return reshape(sum_over(g, axis=axis), shape=a.shape)


@repeated.batched
def _(g: Any, a: Any, *, axis: Axis, shape: tuple[int, ...]) -> Any:
    axes = range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return np.reshape(np.sum(g, axis=tuple(i % len(shape) + 1 for i in axes)), (len(g), *a.shape))


@repeated.space_of
def _(a: Any, *, axis: Axis, shape: tuple[int, ...]) -> Any:
    return shape, a.dtype


def mask_of(a: Any, where: Any) -> Any:
    """The mask given by `where=`, of the shape of `a`; `True` if it excludes nothing."""
    if where is NOT_GIVEN or where is True:
        return True
    where = raw(asarray_like(where, a))
    shape = np.broadcast_shapes(a.shape, where.shape)
    if shape != a.shape:
        raise ValueError(
            f"non-broadcastable operand with shape {a.shape} doesn't match the broadcast shape {shape}: where= must "
            "broadcast to the shape of the array"
        )
    return np.broadcast_to(where.copy(), shape)


def plus_initial(x: Any, initial: Any, combine: Callable[[Any, Any], Any]) -> Any:
    """The result of a reduction combined with `initial=`, in the dtype of the result."""
    if not is_given(initial):
        return x
    if np.ndim(initial):
        raise ValueError("setting an array element with a sequence. initial= is one number")
    return combine(x, initial if not hasattr(initial, "dtype") else as_dtype(initial, x.dtype))


def implements_reduction(
    function: Any,
    over: Primitive,
    neutral: int,
    combine: Callable[[Any, Any], Any],
    elements: Callable[[Any, Any], Any] = mask_of,
) -> None:
    """Declare a reduction by a primitive: where the mask `elements(a, where)` is false, `neutral` takes the place."""

    @implements(function)
    def _(
        a: Any,
        axis: Axis = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = NOT_GIVEN,
        initial: Any = NOT_GIVEN,
        where: Any = NOT_GIVEN,
    ) -> Any:
        refuse_out(function, out)
        if dtype is not None and is_integer(dtype):
            return function(lowered(a), axis, dtype, None, keepdims, lowered(initial), lowered(where))
        a = as_operand(a)
        mask = elements(a, where)
        if mask is not True:
            a = np.where(mask, a, neutral)
        x = over(a if dtype is None else as_dtype(a, dtype), axis=axis, keepdims=is_kept(keepdims))
        return x if initial is NOT_GIVEN else plus_initial(x, initial, combine)


implements_reduction(np.sum, sum_over, 0, np.add)


# Means


@linear(family="means")
def mean_over(a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """The mean over axes."""
    return mean_along(a, axis, keepdims)


@mean_over.adjoint(0)
def _(g: Any, a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return repeated(_divided(g, max(counted(a.shape, axis), 1)), axis=axis, shape=a.shape)


def _divided(g: Any, n: int) -> Any:
    """A quotient by a number of elements, which half precision holds up to 65504 only."""
    return g / n if n < 2**15 or g.dtype.char != "e" else (g.astype(np.float32) / n).astype(g.dtype)


@mean_over.batched
def _(g: Any, a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    g = _divided(g, max(counted(a.shape, axis), 1))
    return np.broadcast_to(np.reshape(g, (len(g), *kept(a.shape, axis))), (len(g), *a.shape))


@mean_over.space_of
def _(a: Any, *, axis: Axis = None, keepdims: bool = False) -> Any:
    return reduced(a.shape, axis, keepdims), a.dtype


def implements_mean(function: Any, elements: Callable[[Any, Any], Any] = mask_of) -> None:
    """Declare a mean over the elements where the mask `elements(a, where)` is true."""

    @implements(function)
    def _(
        a: Any,
        axis: Axis = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = NOT_GIVEN,
        *,
        where: Any = NOT_GIVEN,
    ) -> Any:
        refuse_out(function, out)
        if dtype is not None and is_integer(dtype):
            return function(lowered(a), axis, dtype, None, keepdims, where=lowered(where))
        a = as_dtype(a, dtype)
        mask = elements(a, where)
        if mask is True:
            return mean_over(a, axis=axis, keepdims=is_kept(keepdims))
        return with_warning(masked_mean(a, axis, is_kept(keepdims), mask), mask, axis)


implements_mean(np.mean)


def masked_mean(a: Any, axis: Axis, keepdims: bool, where: Any) -> Any:
    """The mean of the elements where the mask is true; NaN where it is true nowhere."""
    total = sum_over(np.where(where, a, 0), axis=axis, keepdims=keepdims)
    count = np.reshape(counted(a.shape, axis, where), total.shape)
    return total / np.where(count == 0, np.nan, count).astype(real_dtype(a))


def with_warning(mean: Any, where: Any, axis: Axis) -> Any:
    """A mean of the elements where a mask is true, with NumPy's warning if it is true nowhere along the axes."""
    if not np.all(np.any(where, axis=axis)):
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=4)
    return mean


def merged(a: Any, axis: Axis) -> Any:
    """The array with the reduced axes moved to the end, as one."""
    lengths = kept(a.shape, axis)
    over = [i for i, n in enumerate(lengths) if n != a.shape[i]]
    along = [i for i in range(len(lengths)) if i not in over]
    shape, order = (*(a.shape[i] for i in along), counted(a.shape, axis)), [*along, *over]
    moved = a if order == sorted(order) else np.transpose(a, order)
    return moved if moved.shape == shape else np.reshape(moved, shape)


on_values(np.all, np.any, np.count_nonzero)
