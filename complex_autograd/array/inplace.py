"""Writing into traced arrays.

A write replaces the value by an updated copy, in the same Python object, so that all names of the array see it and the
old value stays what earlier operations remember.  A view knows the array that it shows, and a write into it goes
through.  Every other view that shows a written element becomes stale, and any later use of one raises.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.constant import constant
from ..engine.dispatch import implements
from ..engine.operands import operand
from ..engine.primitive import Primitive
from ..engine.traced import Traced, raw
from .conversion import imag, real
from .indexing import getitem, index_update, part_update, plain_index, same_basic_index
from .shared_memory import write_shared
from .views import expire, is_read_only, mask_of, mask_through


@implements("write")
def write(target: Traced, index: Any, values: Any) -> None:
    """What `target[index] = values` does."""
    index = plain_index(index)
    _check_writable(target)
    _replace(target, index_update(target, operand(values), index=index), lambda: mask_of(target, index))


def _check_writable(target: Traced) -> None:
    value = raw(target)
    if issubclass(type(value), np.generic):
        raise TypeError(f"'{type(value).__name__}' object does not support item assignment")
    if is_read_only(target):
        raise ValueError("assignment destination is read-only")


def _replace(target: Traced, updated: Traced, written: Callable[[], Any], through: Traced | None = None) -> None:
    """Give an array its value after a write, and through it the arrays that it shows theirs.

    Parameters
    ----------
    target, updated : Traced
        The array, and what it is from now on.
    written : callable
        Returns the mask of the elements that were written.
    through : Traced, optional
        The view of it that was written to.
    """
    if write_shared(target, updated):
        return
    target._value, target._tracer, target._tangent = updated._value, updated._tracer, updated._tangent
    expire(target, written, spared=through)
    if not hasattr(target, "source"):
        return
    base, primitive, params = target.source
    _replace(
        base,
        _written_through(base, target, primitive, params),
        lambda: mask_through(base, primitive, params, written()),
        through=target,
    )
    target._value = primitive(_below(base, target._tracer.level), **params)


def _written_through(base: Any, shown: Any, primitive: Primitive, params: dict[str, Any]) -> Any:
    """The array `base` after the elements that a view shows have been replaced."""
    if primitive is getitem:
        return index_update(base, shown, **params)
    if primitive is real or primitive is imag:
        return part_update(base, shown, part=primitive.function)
    if base.size == shown.size:  # a permutation: its adjoint is its inverse
        return primitive.adjoints[0](shown, base, **params)
    numbers = primitive.function(np.arange(base.size).reshape(base.shape), **params)
    return index_update(base, shown, index=np.unravel_index(numbers, base.shape))


def _below(a: Any, level: int) -> Any:
    """The value of an array at the levels below a given one: a view shows the memory of that, as NumPy's would."""
    while isinstance(a, Traced) and a._tracer.level >= level:
        a = a._value
    return a


@implements(operator.setitem)
def _(a: Traced, index: Any, value: Any) -> None:
    source = getattr(value, "source", None)
    if source is not None and source[0] is a and source[1] is getitem and same_basic_index(source[2]["index"], index):
        return  # a[index] += b hands back the view of a that it has just written through
    write(a, index, value)


@implements("inplace")
def _(ufunc: Any, target: Any, other: Any) -> Any:
    result = ufunc(target, other)
    if issubclass(type(raw(target)), np.generic):
        return result
    if result.shape != target.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {target.shape} doesn't match the broadcast shape "
            f"{result.shape}"
        )
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc '{ufunc.__name__}' output from {result.dtype!r} to {target.dtype!r} with casting rule "
            "'same_kind'. Make the array with the dtype of the result, or write a = a + b instead of a += b."
        )
    _check_writable(target)
    updated = result if isinstance(result, Traced) else constant(result)
    if updated.dtype != target.dtype or not _same_layout(raw(updated), raw(target)):
        updated = index_update(target, updated, index=...)
    _replace(target, updated, lambda: mask_of(target, ...))
    return target


def _same_layout(a: Any, b: Any) -> bool:
    """Whether two arrays of one shape lie in memory alike, which decides what `ravel` and `reshape` show later."""
    return type(a) is type(b) and a.strides == b.strides
