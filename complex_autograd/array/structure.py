"""Functions that change shape or the order of axes, without computing anything.

All are linear.  The adjoint of a permutation is the inverse permutation.  The adjoint of repetition is summation, which
the engine performs when a cotangent reaches its array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ..engine.dispatch import implements, on_values
from ..engine.hooks import HOOKS
from ..engine.operands import as_operand
from ..engine.primitive import linear
from ..engine.space import dummy
from ..engine.traced import raw
from .conversion import copied
from .read_only import read_only
from .views import view

on_values(
    np.can_cast,
    np.common_type,
    np.diag_indices_from,
    np.may_share_memory,
    np.min_scalar_type,
    np.result_type,
    np.shares_memory,
    np.tril_indices_from,
    np.triu_indices_from,
)


@linear
def reshape(a: Any, *, shape: Any, order: Any = "C") -> Any:
    """`numpy.reshape`, bound without its view."""
    return np.reshape(a, shape, order=order)


@reshape.adjoint(0)
def _(g: Any, a: Any, *, shape: Any, order: Any = "C") -> Any:
    return reshape(g, shape=a.shape, order=order)


@linear(family="data movement")
def flattened(a: Any, *, order: Any) -> Any:
    """`a.flatten(order)`."""
    return a.flatten(order)


@flattened.adjoint(0)
def _(g: Any, a: Any, *, order: Any) -> Any:
    return reshape(g, shape=a.shape, order=order)


@reshape.batched
@flattened.batched
def _(g: Any, a: Any, *, order: Any = "C", **shape: Any) -> Any:
    return np.reshape(g, (len(g), *a.shape)) if order == "C" else None


@linear
def transpose(a: Any, *, axes: tuple[int, ...] | None = None) -> Any:
    """`numpy.transpose`, bound without its view."""
    return np.transpose(a, axes)


@transpose.adjoint(0)
def _(g: Any, a: Any, *, axes: tuple[int, ...] | None = None) -> Any:
    if axes is None:
        return transpose(g)
    return transpose(g, axes=_inverse(axes))


def _inverse(axes: tuple[int, ...]) -> tuple[int, ...]:
    """Where each axis stands in an order of all axes."""
    return tuple(sorted(range(len(axes)), key=[i % len(axes) for i in axes].__getitem__))


@transpose.batched
def _(g: Any, a: Any, *, axes: tuple[int, ...] | None = None) -> Any:
    n = len(a.shape)
    inverse = range(n)[::-1] if axes is None else _inverse(axes)
    return np.transpose(g, (0, *(i + 1 for i in inverse)))


@read_only
@linear
def broadcast_to(a: Any, *, shape: Any) -> Any:
    """`numpy.broadcast_to`, bound without its view."""
    return np.broadcast_to(a, shape)


@broadcast_to.adjoint(0, takes_batches=True)
def _(g: Any, a: Any, *, shape: Any) -> Any:
    return g


def reshaped_as(function: Any, a: Any, *args: Any) -> Any:
    """What one of NumPy's functions that insert and remove axes of length one does."""
    return view(reshape, a, shape=function(dummy(a.shape, a.dtype), *args).shape)


@implements(np.reshape)
def _(a: Any, /, shape: Any, order: Any = "C", *, copy: bool | None = None) -> Any:
    order = _order_of(a, order)
    if order == "K":
        raise ValueError("order 'K' is not permitted for reshaping")
    if copy:
        return reshape(copied(a), shape=shape, order=order)
    result = view(reshape, a, shape=shape, order=order)
    if copy is False and not hasattr(result, "source") and result is not a:
        raise ValueError("Unable to avoid creating a copy while reshaping.")
    return result


def _order_of(a: Any, order: Any) -> Any:
    """An order as "C" or "F"; "A" stands for that of Fortran if the array lies in memory so."""
    if order.upper() == "A":
        return "F" if raw(a).flags.fnc else "C"
    return order.upper()


@implements(np.ravel)
def _(a: Any, order: Any = "C") -> Any:
    a, order = _to_flatten(a, order)
    flags = raw(a).flags
    in_order = flags.c_contiguous if order == "C" else flags.f_contiguous
    return view(reshape, a, shape=(-1,), order=order) if in_order else flattened(a, order=order)


def _flatten(a: Any, order: Any) -> Any:
    a, order = _to_flatten(a, order)
    return flattened(a, order=order)


HOOKS.flatten = _flatten


def _to_flatten(a: Any, order: Any) -> tuple[Any, Any]:
    """The array and the order, "C" or "F", that give its elements in any of the four orders."""
    if order.upper() != "K":
        return a, _order_of(a, order)
    return view(transpose, a, axes=axes_in_memory(raw(a))), "C"


def axes_in_memory(a: Any) -> tuple[int, ...]:
    """The axes from the one whose elements lie farthest apart to that where they are neighbours, as NumPy goes.

    An axis along which no memory is passed, of length one or broadcast, stays where it is in the order of C.
    """
    lengths = [abs(stride) * (n != 1) for stride, n in zip(a.strides, a.shape, strict=True)]
    axes: list[int] = []
    for axis in reversed(range(len(lengths))):  # as npyiter_find_best_axis_ordering in NumPy's nditer_constr.c
        place = len(axes)
        for i, other in reversed([*enumerate(axes)]):
            if lengths[axis] and lengths[other]:
                if lengths[other] <= lengths[axis]:
                    break
                place = i
        axes.insert(place, axis)
    return tuple(axes[::-1])


def in_order(x: Any, order: str) -> Any:
    """An array that lies in memory in the order "C" or "F": itself, or a copy."""
    flags = raw(x).flags
    return x if (flags.f_contiguous if order == "F" else flags.c_contiguous) else copied(x, order=order)


def shows_repeated(a: Any) -> bool:
    """Whether an array shows one element in several places, as what `broadcast_to` returns."""
    return 0 in getattr(raw(a), "strides", ())


def order_of(a: Any) -> str:
    """That of Fortran if an array lies in memory so and not as in C, which is what NumPy's functions look at."""
    return "F" if raw(a).flags.fnc else "C"


def plain_like(a: Any) -> Any:
    """An array of NumPy's that lies in memory as one that NumPy makes like `a`; its elements mean nothing."""
    return np.empty_like(np.lib.stride_tricks.as_strided(np.empty(1), a.shape, a.strides), bool)  # which are not read


def lying_as(x: Any, a: Any) -> Any:
    """An array that lies in memory as a plain one of the same shape that NumPy makes like `a`."""
    axes = axes_in_memory(np.empty_like(a))
    return transpose(in_order(transpose(x, axes=axes), "C"), axes=tuple(int(i) for i in np.argsort(axes)))


@implements(np.transpose)
def _(a: Any, axes: Any = None) -> Any:
    if axes is not None:
        axes = tuple(axes) if np.iterable(axes) else (axes,)
    return view(transpose, a, axes=axes)


@implements(np.matrix_transpose)
def _(x: Any, /) -> Any:
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return np.swapaxes(x, -1, -2)


@implements(np.swapaxes)
def _(a: Any, axis1: int, axis2: int) -> Any:
    order = list(range(a.ndim))
    i, j = normalize_axis_index(axis1, a.ndim), normalize_axis_index(axis2, a.ndim)
    order[i], order[j] = j, i
    return view(transpose, a, axes=tuple(order))


@implements(np.moveaxis)
def _(a: Any, source: Any, destination: Any) -> Any:
    sources = normalize_axis_tuple(source, a.ndim, "source")
    destinations = normalize_axis_tuple(destination, a.ndim, "destination")
    if len(sources) != len(destinations):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [axis for axis in range(a.ndim) if axis not in sources]
    for target, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(target, axis)
    return view(transpose, a, axes=tuple(order))


@implements(np.rollaxis)
def _(a: Any, axis: int, start: int = 0) -> Any:
    axis = normalize_axis_index(axis, a.ndim)
    target = (
        normalize_axis_index(start, a.ndim + 1, "start") if start >= 0 else normalize_axis_index(start, a.ndim, "start")
    )
    return np.moveaxis(a, axis, target - 1 if axis < target else target)


@implements(np.squeeze)
def _(a: Any, axis: Any = None) -> Any:
    return reshaped_as(np.squeeze, a, axis)


@implements(np.expand_dims)
def _(a: Any, axis: Any) -> Any:
    return reshaped_as(np.expand_dims, a, axis)


def _at_least(function: Any, dimensions: int) -> None:
    @implements(function)
    def _(*arys: Any) -> Any:
        arrays = [as_operand(a) for a in arys]
        results = [a if a.ndim >= dimensions else reshaped_as(function, a) for a in arrays]
        return results[0] if len(results) == 1 else tuple(results)


_at_least(np.atleast_1d, 1)
_at_least(np.atleast_2d, 2)
_at_least(np.atleast_3d, 3)


@implements(np.broadcast_to)
def _(array: Any, shape: Any, subok: bool = False) -> Any:
    return view(broadcast_to, array, shape=shape)


@implements(np.broadcast_arrays)
def _(*args: Any, subok: bool = False) -> tuple[Any, ...]:
    arrays = [as_operand(a) for a in args]
    shape = np.broadcast_shapes(*[a.shape for a in arrays])
    return tuple(a if a.shape == shape else np.broadcast_to(a, shape) for a in arrays)
