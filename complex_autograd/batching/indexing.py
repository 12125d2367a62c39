"""Reading and writing by index: the item axis comes before those that the index addresses.

An index that differs between items reads the elements `(k, i_k)`: its arrays are broadcast against the item numbers.
NumPy puts the axes selected by index arrays first, unless the index arrays are adjacent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..array.inplace import erased, index_update, whole
from ..array.views import getitem, parts_of, scatter
from ..engine.errors import TraceError
from ..engine.hooks import HOOKS
from ..engine.operands import arange_like
from ..engine.space import dummy
from ..engine.traced import raw
from .batch import array_of, batch_in, innermost, is_mapped, repeated, shape_of, with_axes
from .functions import everything
from .items import Axis
from .loops import items
from .primitives import batching, items_lying_as, reversed_items


def is_basic(part: Any) -> bool:
    """Whether a part of an index is a slice, an ellipsis, a new axis or an integer."""
    return part is None or part is Ellipsis or isinstance(part, (slice, int, np.integer))


def _is_number(part: Any) -> bool:
    return isinstance(part, (int, np.integer)) and not isinstance(part, (bool, np.bool_))


def _is_truth(part: Any) -> bool:
    return getattr(part, "dtype", None) == np.bool_ or isinstance(part, (bool, np.bool_))


def _count(part: Any) -> int:
    """How many axes a part of an index takes."""
    if part is None:
        return 0
    return len(shape_of(part)) if _is_truth(part) else 1


def _complete(index: Any, ndim: int) -> list[Any]:
    """The parts of an index, with slices in place of an ellipsis, or behind all, so that each axis has one."""
    parts = [*parts_of(index)]
    missing = ndim - sum(_count(part) for part in parts if part is not Ellipsis)
    found = [i for i, part in enumerate(parts) if part is Ellipsis]
    at = found[0] if found else len(parts)
    return [*parts[:at], *[slice(None)] * max(missing, 0), *parts[at + 1 :]]


def _axes_stay(parts: Sequence[Any]) -> bool:
    """Whether what an index selects stays where it is when a slice is put before."""
    if all(map(is_basic, parts)):
        return True
    advanced = [i for i, part in enumerate(parts) if not is_basic(part) or _is_number(part)]
    return advanced == [*range(advanced[0], advanced[-1] + 1)]


def _gathered(a: Any, parts: Sequence[Any], axis: Axis, is_mapped_too: bool) -> Any:
    """`a[index]` of all items, with an index that holds arrays; `a` has the axis of the items only if it is mapped."""
    first = [slice(None)] if is_mapped_too else []
    advanced = [i for i, part in enumerate(parts) if not isinstance(part, slice) and part is not None]
    basic = [slice(None) if i in advanced else part for i, part in enumerate(parts)]
    a = getitem(a, index=(*first, *basic))
    lead = len(first)
    ordered = np.moveaxis(a, [lead + i for i in advanced], range(lead, lead + len(advanced)))
    count = max(len(shape_of(parts[i])) for i in advanced)
    arrays = [_index_of(parts[i], axis, count) for i in advanced]
    numbers = [_numbers(a, axis, count)] if is_mapped_too else []
    found = getitem(ordered, index=(*numbers, *arrays))
    stays = advanced == [*range(advanced[0], advanced[-1] + 1)]
    at = advanced[0] if stays else 0
    return np.moveaxis(found, range(1, 1 + count), range(1 + at, 1 + at + count))


def _index_of(part: Any, axis: Axis, count: int) -> Any:
    return with_axes(array_of(part, axis), count) if is_mapped(part, axis) else part


def _numbers(a: Any, axis: Axis, count: int) -> Any:
    return arange_like(a, axis.size).reshape(axis.size, *(1,) * count)


def _refuse_masks(parts: Sequence[Any], axis: Axis) -> None:
    for part in parts:
        if is_mapped(part, axis) and _is_truth(part):
            raise TraceError(
                "a mask that vmap maps over selects a different number of elements for each item, which no array can "
                "hold. Choose by wirtinger.where(mask, a, 0) in place of a[mask], and sum that, or write everywhere: "
                "a += where(mask, b, 0) in place of a[mask] += b[mask]."
            )


def _has_masks(parts: Sequence[Any]) -> bool:
    return any(map(_is_truth, parts))


@batching(getitem)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    a, index = args[0], params["index"]
    ndim, is_mapped_too = len(shape_of(a)), is_mapped(a, axis)
    array = array_of(a, axis)
    parts: Sequence[Any] = parts_of(index)
    if innermost((parts,)) is axis:
        _refuse_masks(parts, axis)
        parts = _complete(index, ndim)
        if _has_masks(parts) or any(isinstance(part, slice) and innermost((part,)) is axis for part in parts):
            return NotImplemented
        return _gathered(array, parts, axis, is_mapped_too)
    if _axes_stay(parts):
        found = getitem(array, index=(slice(None), *parts))
        if any(type(part) is np.ndarray and not part.flags.c_contiguous for part in parts):  # which decides how it lies
            found = items_lying_as(found, np.empty_like(raw(a))[tuple(parts)])
        return found
    parts = _complete(index, ndim)
    return NotImplemented if _has_masks(parts) else _gathered(array, parts, axis, is_mapped_too)


def _selected(shape: tuple[int, ...], index: Any) -> int:
    """How many axes an index selects that is the same for all items, but perhaps not for those of an outer axis."""
    parts = [part if batch_in(part) is None else dummy(part.shape, part.dtype) for part in parts_of(index)]
    return np.ndim(dummy(shape, np.dtype(bool))[tuple(parts)])


def _index_of_items(axis: Axis, a: Any, shape: tuple[int, ...], index: Any) -> tuple[Any, int] | None:
    """The index of all items, and how many axes it selects of one; None where it has no such form."""
    parts: Sequence[Any] = parts_of(index)
    if innermost((parts,)) is not axis:
        if not _axes_stay(parts):
            return None
        return (slice(None), *parts), _selected(shape, tuple(parts))
    parts = _complete(index, len(shape))
    if any(part is None or isinstance(part, slice) for part in parts) or _has_masks(parts):
        return None
    count = max(len(shape_of(part)) for part in parts)
    return (_numbers(a, axis, count), *[_index_of(part, axis, count) for part in parts]), count


def _mask_of_all_axes(axis: Axis, shape: tuple[int, ...], index: Any) -> Any:
    """A mapped mask of all of some axes and slices of the others, with an axis for each; None for any other index."""
    parts = _complete(index, len(shape))
    masks = [part for part in parts if not (isinstance(part, slice) and part == slice(None))]
    if len(masks) != 1 or not is_mapped(masks[0], axis) or not _is_truth(masks[0]):
        return None
    before = parts.index(masks[0]) if parts[0] is not masks[0] else 0
    behind = len(parts) - before - 1
    mask = array_of(masks[0], axis)
    return np.reshape(mask, (axis.size, *(1,) * before, *mask.shape[1:], *(1,) * behind))


def indices_of_items(parts: Any) -> Sequence[Any]:
    """The indices that the parts of an index are for the items of all axes; what is not known stands for all of it."""
    axis = innermost((parts,))
    if axis is None:
        return [parts]
    if not all(type(everything(part)) is np.ndarray for part in parts if is_mapped(part, axis)):
        return [...]
    return [each for item in items(tuple(parts), axis) for each in indices_of_items(item)]


HOOKS.indices_of_items = indices_of_items


@batching(index_update)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    a, values = args
    array = repeated(a, axis)
    if not is_mapped(a, axis) and raw(a).flags.fnc:  # each item, too, lies in memory so
        array = reversed_items(np.copy(repeated(np.transpose(a), axis), "C"))
    if not shape_of(values):
        mask = _mask_of_all_axes(axis, array.shape[1:], params["index"])
        if mask is not None:
            values = with_axes(array_of(values, axis), len(array.shape) - 1) if is_mapped(values, axis) else values
            return np.where(mask, whole(array, values), array).astype(array.dtype)
    found = _index_of_items(axis, array, array.shape[1:], params["index"])
    if found is None:
        return NotImplemented
    index, count = found
    if is_mapped(values, axis):
        values = with_axes(array_of(values, axis), count)
        surplus = len(values.shape) - 1 - count
        if surplus > 0:
            values = np.reshape(values, (axis.size, *values.shape[1 + surplus :]))
    return index_update(array, whole(array, values), index=index)


@batching(erased)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    array = repeated(args[0], axis)
    mask = _mask_of_all_axes(axis, array.shape[1:], params["index"])
    if mask is not None:
        return np.where(mask, np.zeros((), array.dtype), array)
    found = _index_of_items(axis, array, array.shape[1:], params["index"])
    return NotImplemented if found is None else erased(array, index=found[0])


@batching(scatter)
def _(axis: Axis, args: Sequence[Any], params: dict[str, Any]) -> Any:
    array, shape = repeated(args[0], axis), params["shape"]
    found = _index_of_items(axis, array, shape, params["index"])
    if found is None:
        return NotImplemented
    return scatter(array, index=found[0], shape=(axis.size, *shape))
