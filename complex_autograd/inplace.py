"""Writing into traced arrays.

A write replaces the value by an updated copy, in the same Python object, so that all names of the array see it and the
old value stays what earlier operations remember.  A view knows the array that it shows, and writing into it writes
through.  All other views of that array become stale, and any later use of one raises.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .array import StaleView, Traced, raw
from .dispatch import implements
from .indexing import getitem, index_update, plain_index
from .creation import as_operand
from .primitive import Primitive
from .structure import imag, real, reshape
from .views import positions_in

__all__ = ["assign"]


def assign(target: Traced, new: Any, written: Traced | None = None) -> None:
    """Give an array a new value: what a write does to it, to the array that it shows, and to its views."""
    source = getattr(target, "source", None)
    if source is not None and not raw(target).flags.writeable:
        raise ValueError("assignment destination is read-only")
    if not isinstance(new, Traced):
        raise TypeError(f"cannot assign a {type(new).__name__} to a traced array")
    target.value, target.trace, target.tangent = new.value, new.trace, new.tangent
    for shown in list(getattr(target, "views", {}).values()):
        if shown is not written:
            shown.__class__ = StaleView
    if source is not None:
        base, primitive, params = source
        assign(base, _write_through(base, primitive, params, target), written=target)


def _write_through(base: Any, primitive: Primitive, params: dict[str, Any], shown: Any) -> Any:
    """The array `base` with the elements that the view shows replaced."""
    if base.dtype.kind == "c" and primitive is real:
        return shown + 1j * imag(base)
    if primitive is imag:
        return real(base) + 1j * shown
    flat = reshape(base, shape=(-1,))
    updated = index_update(flat, shown, index=positions_in(base.shape, primitive, params))
    return reshape(updated, shape=base.shape)


@implements(operator.setitem)
def _(a: Traced, index: Any, value: Any) -> None:
    source = getattr(value, "source", None)
    if source is not None and source[0] is a and source[1] is getitem and source[2]["index"] is index:
        return  # `a[index] += b` hands back the view of a that it has just written through
    assign(a, index_update(a, as_operand(value), index=plain_index(index)))


@implements("inplace")
def _(ufunc: Any, target: Any, other: Any) -> Any:
    result = ufunc(target, other)
    if not isinstance(raw(target), np.ndarray) and np.isscalar(raw(target)):
        return result
    if result.shape != target.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {target.shape} doesn't match the broadcast shape {result.shape}"
        )
    if not np.can_cast(result.dtype, target.dtype, "same_kind"):
        raise TypeError(
            f"{ufunc.__name__} in place would turn {result.dtype} into {target.dtype}. Make the array with the dtype of "
            "the result, or write a = a + b instead of a += b."
        )
    assign(target, result.astype(target.dtype) if result.dtype != target.dtype else result)
    return target
