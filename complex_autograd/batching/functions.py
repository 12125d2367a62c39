"""The batching rules of NumPy's functions, one table per family.

A function without a rule that consists of primitives is decomposed into these, which have their own rules.  Any other
function, and any that branches on values, is computed item by item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index
from numpy.lib.stride_tricks import sliding_window_view

from ...determinism.families import FAMILY_OF
from ...determinism.flag import is_fixed
from ..array.creation import asarray
from ..array.structure import in_order, order_of
from ..engine.determinism_route import asking_for_level
from ..engine.dispatch import entry_of
from ..engine.hooks import HOOKS
from ..engine.space import dummy
from ..engine.trace import FUNCTIONS
from ..engine.traced import Traced, raw
from .axes import Rule, along, deviation
from .batch import Batch, aligned, array_of, batch_in, innermost, is_mapped, mapped, parts_of, shape_of, unbatched
from .items import Axis, outside_of
from .loops import item_by_item

RULES: dict[Any, Rule] = {}
"""By functions of NumPy: what is called with the function, the axis of the items, and its arguments."""

MADE_OF_PRIMITIVES: set[Any] = {
    np.append, np.array_split, np.astype, np.atleast_1d, np.atleast_2d, np.atleast_3d, np.block, np.broadcast_arrays,
    np.broadcast_to, np.column_stack, np.concatenate, np.copy, np.delete, np.diag, np.diagflat, np.diagonal, np.dsplit,
    np.dstack, np.expand_dims, np.flip, np.fliplr, np.flipud, np.full_like, np.hsplit, np.hstack, np.imag, np.insert,
    np.matrix_transpose, np.meshgrid, np.moveaxis, np.ones_like, np.ravel, np.real, np.repeat, np.reshape, np.roll,
    np.rollaxis, np.rot90, np.split, np.squeeze, np.stack, np.swapaxes, np.take_along_axis, np.tile, np.transpose,
    np.tril, np.triu, np.unstack, np.vsplit, np.vstack, np.zeros_like, np.empty_like, np.dot, np.inner, np.outer,
    np.vdot, np.tensordot, np.kron, np.einsum, np.linalg.diagonal, np.linalg.matrix_transpose,
}  # fmt: skip
"""Functions that are taken apart whatever the dtype: they compute nothing, or by products alone."""

WRITE = {np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask, sliding_window_view}
"""Functions that write into an argument, or show it to be written into: a copy of an item would not show what is."""

LOOK_AT_VALUES = {np.unique, np.nonzero, np.argwhere, np.flatnonzero, np.trim_zeros, np.poly, np.roots}
"""Functions that are not worth the attempt."""


def _declare(rule: Rule, *functions: Any) -> None:
    """Give functions a batching rule."""
    RULES.update(dict.fromkeys(functions, rule))


def _asking(function: Any) -> Any:
    """A function that asks for the level of determinism in force where a rule calls it with the array of all items."""
    package = (function.__module__ or "").split(".")[1:2]
    name = ".".join([*(package if package in (["linalg"], ["fft"]) else []), function.__name__])
    return asking_for_level(function, name) if name in FAMILY_OF else function


def mapped_function(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy does to batches."""
    axis = innermost((*args, kwargs))
    assert axis is not None
    if function in RULES:
        found = RULES[function](_asking(function) if is_fixed() else function, axis, args, kwargs)
        if found is not NotImplemented:
            return found
    if _is_taken_apart(function, args, kwargs):
        try:
            return entry_of(function, FUNCTIONS)(*_traced(tuple(args)), **_traced(dict(kwargs)))
        except Exception:
            if function in WRITE:
                raise
    return item_by_item(function, args, kwargs, axis)


def mapped_composition(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What a function does to batches that is made of others."""
    try:
        return function(*_traced(tuple(args)), **_traced(dict(kwargs)))
    except Exception:
        axis = innermost((*args, kwargs))
        assert axis is not None
        return item_by_item(function, args, kwargs, axis)


def mapped_elements(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """What a function of elements does to batches: its arguments broadcast against each other item by item."""
    axis, arrays = aligned([asarray(x) if isinstance(x, (list, tuple)) else x for x in (*args, *kwargs.values())])
    with outside_of(axis):
        found = function(*arrays[: len(args)], **dict(zip(kwargs, arrays[len(args) :], strict=True)))
    return mapped(found, axis)


HOOKS.mapped_function = mapped_function
HOOKS.mapped_composition = mapped_composition
HOOKS.mapped_elements = mapped_elements


def _is_taken_apart(function: Any, args: Any, kwargs: dict[str, Any]) -> bool:
    if function in WRITE or function in MADE_OF_PRIMITIVES:
        return True
    if function in LOOK_AT_VALUES or ".linalg" in str(getattr(function, "__module__", None)):
        return False
    return _holds_numbers((*args, kwargs)) and entry_of(function, FUNCTIONS) is not None


def _holds_numbers(values: Any) -> bool:
    """Whether a traced value of floating-point numbers is among some values; a bare batch is none."""
    for x in values:
        if isinstance(x, Traced):
            if batch_in(x) is not None and x.dtype.kind in "fc":
                return True
        elif isinstance(x, (tuple, list, dict)) and _holds_numbers(parts_of(x)):
            return True
    return False


def _traced(x: Any) -> Any:
    """Arguments with traced values in place of bare batches."""
    if type(x) in (tuple, list):
        return type(x)(map(_traced, x))
    if type(x) is dict:
        return {key: _traced(part) for key, part in x.items()}
    return unbatched(x)


def everything(x: Any) -> Any:
    """The plain array with the elements of all items, at every axis and every level."""
    while isinstance(x, Traced) or type(x) is Batch:
        x = raw(x) if isinstance(x, Traced) else x.array
    return x


HOOKS.all_items = everything


# of shapes, dtypes and memory


def _of_space(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    def stand_in(x: Any) -> Any:
        if type(x) in (tuple, list):
            return type(x)(map(stand_in, x))
        return x if batch_in(x) is None else dummy(x.shape, x.dtype)

    return function(*stand_in(tuple(args)), **{key: stand_in(x) for key, x in kwargs.items()})


def _of_memory(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    return function(*map(everything, args), **kwargs)


def _alike(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Zeros or ones, which are the same for all items."""
    if isinstance(args[0], Traced):
        return NotImplemented
    names = ("dtype", "order", "subok", "shape")
    given = {**dict(zip(names, args[1:], strict=False)), **kwargs}
    if given.get("shape") is None:
        given["shape"] = args[0].shape
    prototype = everything(args[0])
    if prototype.shape[0]:  # an item, which shows how the others lie in memory
        prototype = prototype[(0,) * (len(prototype.shape) - len(args[0].shape))]
    return function(prototype, **given)


_declare(
    _of_space,
    np.can_cast, np.common_type, np.iscomplexobj, np.isrealobj, np.min_scalar_type, np.ndim, np.result_type, np.shape,
    np.size,
)  # fmt: skip
_declare(_of_memory, np.may_share_memory, np.shares_memory)
_declare(_alike, np.zeros_like, np.ones_like, np.empty_like)


# along axes


def _cumulative(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    if kwargs.get("axis") is None and len(shape_of(args[0])) > 1:  # an error of each item
        return NotImplemented
    return along(99, none="flat")(function, axis, args, kwargs)


_declare(
    along(1),
    np.all, np.amax, np.amin, np.any, np.count_nonzero, np.max, np.mean, np.median, np.min, np.nanmax,
    np.nanmean, np.nanmedian, np.nanmin, np.nanprod, np.nansum, np.nanvar, np.prod, np.ptp, np.sum, np.var,
)  # fmt: skip
_declare(deviation, np.std, np.nanstd)
_declare(along(1, refuses=("weights", "returned")), np.average)
_declare(
    along(1, none="flat"),
    np.argmax, np.argmin, np.cumprod, np.cumsum, np.nanargmax, np.nanargmin, np.nancumprod, np.nancumsum,
)  # fmt: skip
_declare(_cumulative, np.cumulative_sum, np.cumulative_prod)
_declare(along(1, default=-1, none="flat"), np.sort, np.argsort)
_declare(along(2, default=-1, none="flat"), np.partition, np.argpartition)
_declare(along(2, default=-1, refuses=("prepend", "append")), np.diff)
_declare(along(1, name="axes"), np.fft.fftshift, np.fft.ifftshift)
_declare(along(2, default=-1), np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft)
_declare(along(2, default=(-2, -1), name="axes"), np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2)
_declare(along(2, name="axes", none="loop"), np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn)


def _quantile(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    q = args[1] if len(args) > 1 else kwargs.get("q")
    if batch_in(q) is not None or shape_of(q) or kwargs.get("weights") is not None:
        return NotImplemented
    return along(2)(function, axis, args, kwargs)


_declare(_quantile, np.quantile, np.percentile, np.nanquantile, np.nanpercentile)


# each element alone


def each_element(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The rule of a function of elements: its arguments broadcast against each other item by item."""
    if innermost((kwargs,)) is axis or any(x is None for x in args):
        return NotImplemented
    _, arrays = aligned(args)
    return mapped(function(*arrays, **kwargs), axis)


def _where(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    return mapped(function(*aligned(args)[1]), axis, is_array=True) if len(args) == 3 else NotImplemented


def _rounded(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    if not is_mapped(args[0], axis) or innermost((*args[1:], kwargs)) is axis:
        return NotImplemented
    if function is np.nan_to_num and not (*args[1:2], kwargs.get("copy", True))[0]:  # it writes into its argument
        return NotImplemented
    found = mapped(function(array_of(args[0], axis), *args[1:], **kwargs), axis)
    is_to_decimals = function in (np.around, np.round) and (*args[1:], *kwargs.values())[:1] not in ((), (0,))
    return in_order(found, order_of(args[0])) if is_to_decimals else found


RULES[np.where] = _where
_declare(each_element, np.clip, np.fix, np.i0, np.isclose, np.iscomplex, np.isreal, np.sinc)
_declare(_rounded, np.angle, np.around, np.isneginf, np.isposinf, np.nan_to_num, np.round)


# what looks up one array in another, which is the same for all items


def _points(position: int) -> Rule:
    """The rule of a function that treats each element of one argument alone, and takes the others whole."""

    def rule(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        if len(args) <= position or not is_mapped(args[position], axis):
            return NotImplemented
        others = (*args[:position], *args[position + 1 :], kwargs)
        if innermost(others) is axis:
            return NotImplemented
        args = [*args]
        args[position] = array_of(args[position], axis)
        return mapped(function(*args, **kwargs), axis)

    return rule


RULES.update({np.interp: _points(0), np.digitize: _points(0), np.isin: _points(0), np.searchsorted: _points(1)})


def _take(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    if len(args) < 2 or kwargs.get("out") is not None:
        return NotImplemented
    along_axis = args[2] if len(args) > 2 else kwargs.get("axis")
    a, indices = args[:2]
    if is_mapped(a, axis) and not is_mapped(indices, axis):
        return along(2, none="flat")(function, axis, args, kwargs)
    if is_mapped(a, axis) or along_axis is not None:
        return NotImplemented
    return mapped(function(a, array_of(indices, axis), *args[2:], **kwargs), axis)


RULES[np.take] = _take


def _trace(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The sum of a diagonal, whose axes are the first two where none are given."""
    names = ("offset", "axis1", "axis2")
    given = {"offset": 0, "axis1": 0, "axis2": 1, **dict(zip(names, args[1:4], strict=False)), **kwargs}
    ndim = len(shape_of(args[0]))
    if not is_mapped(args[0], axis) or len(args) > 4 or ndim < 2:
        return NotImplemented
    for name in names[1:]:
        given[name] = normalize_axis_index(given[name], ndim, name) + 1
    return mapped(function(array_of(args[0], axis), **given), axis)


RULES[np.trace] = _trace
