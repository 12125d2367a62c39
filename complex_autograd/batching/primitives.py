"""The batching rules of primitives: elementwise functions and rearrangements, applied to the array of all items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..array import conversion, inplace, pairs, structure
from ..array.views import getitem, parts_of
from ..engine.hooks import HOOKS
from ..engine.space import dummy
from ..engine.traced import raw
from ..rules.elementwise import lengths, remainders, trigonometric, without_ufuncs
from ..rules.reductions import cumulative, sums
from ..rules.shape import arranging, diagonals, joining, selection
from .batch import aligned, array_of, innermost, is_mapped, mapped, repeated, shape_of, unbatched, with_axes
from .items import Axis, lies_behind
from .loops import item_by_item

Rule = Callable[[Axis, Sequence[Any], dict[str, Any]], Any]

RULES: dict[Any, Rule] = {}
"""By primitives: what is called with the axis of the items, the arguments and the parameters.

It returns the array of all items, or a tuple of them; `NotImplemented` where the primitive is called item by item.
"""

ELEMENTWISE = {
    conversion.real, conversion.imag, lengths.length_power, lengths.modulus_power,
    lengths.radial, lengths.radial_modulus, remainders.divmod, remainders.modf, remainders.frexp,
    trigonometric.sech_squared, without_ufuncs.sinc, without_ufuncs.bessel_i, without_ufuncs.finite,
}  # fmt: skip
"""Primitives that treat each element alone, besides those that say so."""


def batching(*primitives: Any) -> Callable[[Rule], Rule]:
    """Declare the batching rule of primitives."""

    def declare(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(primitives, rule))
        return rule

    return declare


def mapped_primitive(primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """What a primitive does to batches."""
    axis = innermost((*args, params))
    assert axis is not None
    args = tuple(map(unbatched, args))
    rule = RULES.get(primitive)
    if rule is not None:
        found = rule(axis, args, params)
    elif (primitive.is_elementwise or primitive in ELEMENTWISE) and innermost((params,)) is not axis:
        found = primitive(*aligned(args)[1], **params)
    else:
        found = NotImplemented
    if found is NotImplemented:
        return item_by_item(primitive, args, params, axis)
    if not isinstance(found, tuple):
        return mapped(found, axis, len(found.shape) == 1 and _is_array(primitive, args, params))
    outputs = [mapped(x, axis) for x in found]
    return type(found)(*outputs) if hasattr(found, "_fields") else tuple(outputs)


HOOKS.mapped_primitive = mapped_primitive


_COPIES = {conversion.copied, structure.broadcast_to, structure.reshape, inplace.index_update, inplace.part_update}
_COPIES |= {selection.chosen}
_LIKE_ARGUMENTS = {conversion.astype, conversion.imag, conversion.real, structure.transpose}


def _is_array(primitive: Any, args: Sequence[Any], params: dict[str, Any]) -> bool:
    """Whether a result without axes is an array to NumPy, which can be written into, and no number."""
    if primitive is getitem:
        return any(part is Ellipsis for part in parts_of(params["index"]))
    if primitive in _LIKE_ARGUMENTS:
        return not issubclass(raw(args[0]).__class__, np.generic)
    return primitive in _COPIES


# shapes


@batching(structure.reshape)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    array, order = array_of(args[0], axis), params.get("order", "C")
    shape = np.reshape(dummy(args[0].shape, args[0].dtype), params["shape"]).shape
    found = _reshaped(array, shape, order)
    if lies_behind(array) or np.may_share_memory(raw(found), raw(array)):
        return found
    item = raw(args[0]).in_memory()
    if not np.may_share_memory(np.reshape(item, shape, order), item):
        return found
    # a view of an item, which lies in memory as the item does: so do the views of items that are copied apart first
    axes = structure.axes_in_memory(item)
    apart = conversion.copied(structure.transpose(array, axes=(0, *[i + 1 for i in axes])), order="C")
    return _reshaped(structure.transpose(apart, axes=(0, *[axes.index(i) + 1 for i in range(len(axes))])), shape, order)


@batching(structure.flattened)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    return _reshaped(array_of(args[0], axis), (int(np.prod(args[0].shape)),), params["order"])


def _reshaped(array: Any, shape: tuple[int, ...], order: str) -> Any:
    """Fortran's order is C's with the axes of the items in reverse."""
    if order != "F":
        return structure.reshape(array, shape=(array.shape[0], *shape))
    reversed_axes = structure.reshape(reversed_items(array), shape=(array.shape[0], *shape[::-1]))
    return reversed_items(reversed_axes)


def reversed_items(array: Any) -> Any:
    """The axes of each item in reverse."""
    return structure.transpose(array, axes=(0, *range(len(array.shape) - 1, 0, -1)))


def _laid_out(primitive: Any) -> None:
    """The rule of a copy, of which each item lies in memory in the order that is asked for."""

    @batching(primitive)
    def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
        array, order = array_of(args[0], axis), params.get("order", "K").upper()
        if order == "A":
            order = "F" if raw(args[0]).flags.fnc else "C"
        if order != "F":
            return primitive(array, **params | {"order": order})
        return reversed_items(primitive(reversed_items(array), **params | {"order": "C"}))


_laid_out(conversion.astype)
_laid_out(conversion.copied)


@batching(structure.transpose)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    array, axes = array_of(args[0], axis), params.get("axes")
    ndim = len(array.shape) - 1
    if axes is None:
        axes = range(ndim)[::-1]
    np.transpose(dummy(array.shape[1:], array.dtype), tuple(axes))  # raises where they are no permutation
    return structure.transpose(array, axes=(0, *[i % ndim + 1 for i in axes]))


@batching(diagonals.diagonal)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    ndim = len(args[0].shape)
    first, second = (normalize_axis_index(params[name], ndim) + 1 for name in ("axis1", "axis2"))
    return diagonals.diagonal(array_of(args[0], axis), **params | {"axis1": first, "axis2": second})


@batching(structure.broadcast_to)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    shape = np.broadcast_to(dummy(args[0].shape, args[0].dtype), params["shape"]).shape
    return structure.broadcast_to(with_axes(array_of(args[0], axis), len(shape)), shape=(axis.size, *shape))


def _last(primitive: Any) -> None:
    """The rule of a primitive along the last axis."""

    @batching(primitive)
    def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
        return primitive(array_of(args[0], axis), **params)


_last(pairs.paired)
_last(pairs.unpaired)


@batching(joining.stack)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    along = normalize_axis_index(params["axis"], len(shape_of(args[0])) + 1)
    return joining.stack(*[_behind(x, axis) for x in args], axis=along + 1)


@batching(joining.concatenate)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    along = normalize_axis_index(params["axis"], len(shape_of(args[0])))
    return joining.concatenate(*[_behind(x, axis) for x in args], axis=along + 1)


def _behind(x: Any, axis: Axis) -> Any:
    """The array of all items one after the other, so that what NumPy joins lies in memory as it joins one item."""
    array = repeated(x, axis)
    if lies_behind(array) or not array.size:
        return array
    return items_lying_as(array, np.empty_like(raw(array)[0]))


def items_lying_as(array: Any, shown: Any) -> Any:
    """A copy of the array of all items, each of which lies in memory as an array of its shape, one after the other."""
    axes = (0, *(1 + i for i in structure.axes_in_memory(shown)))
    inverse = tuple(int(i) for i in np.argsort(axes))
    return structure.transpose(np.copy(structure.transpose(array, axes=axes), "C"), axes=inverse)


@batching(selection.chosen)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    _, (condition, a, b) = aligned((params["condition"], *args))
    return np.where(condition, a, b)


@batching(inplace.masked)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    _, (condition, a) = aligned((params["condition"], args[0]))
    return np.where(condition, a, 0)


@batching(inplace.part_update)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    a, values = args
    values = with_axes(array_of(values, axis), len(a.shape)) if is_mapped(values, axis) else values
    return inplace.part_update(repeated(a, axis), values, **params)


# sums, and what else has an axis


def _behind_items(axis: Any, ndim: int) -> Any:
    """An axis, or a tuple of them, of an item with so many axes, in the array of all items."""
    if isinstance(axis, tuple):
        return tuple(_behind_items(i, ndim) for i in axis)
    return normalize_axis_index(axis, ndim) + 1


def _along(primitive: Any, name: str = "axis") -> None:
    """The rule of a primitive along axes."""

    @batching(primitive)
    def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
        array = array_of(args[0], axis)
        ndim, given = len(array.shape) - 1, params.get(name)
        if innermost((params,)) is axis or not ndim:
            return NotImplemented
        if given is None:
            if primitive is not sums.sum_over:
                return NotImplemented
            given = tuple(range(ndim))
        shifted = _behind_items(given, ndim)
        return primitive(array, **{**params, name: shifted})


_along(sums.sum_over)
_along(cumulative.cumsum_along)
_along(arranging.windows)


@batching(arranging.roll)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    if params.get("axis") is None or innermost((params,)) is axis:
        return NotImplemented
    array, along = array_of(args[0], axis), params["axis"]
    return arranging.roll(array, **{**params, "axis": _behind_items(along, len(array.shape) - 1)})
