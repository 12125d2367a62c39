"""Reading and writing by index: slices, integers, ellipsis, newaxis, boolean and integer arrays, and any mixture.

Reading is linear; its adjoint adds the cotangent at the places that were read.  Writing is linear in the array and the
values together; where an index occurs twice the last value stays, as in NumPy, and only that one has a cotangent.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..backends import backend_of
from .array import Traced, raw
from .dispatch import implements
from .primitive import linear
from .space import project
from .views import view

__all__ = ["getitem", "index_update", "scatter"]


@linear
def getitem(a: Any, *, index: Any) -> Any:
    return a[index]


@getitem.adjoint(0)
def _(g: Any, a: Any, *, index: Any) -> Any:
    return scatter(g, index=index, shape=a.shape)


@linear
def scatter(a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with the elements of `a` added at an index."""
    return backend_of(a).scatter_add(a, index, shape)


@scatter.adjoint(0)
def _(g: Any, a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    return getitem(g, index=index)


@linear
def index_update(a: Any, values: Any, *, index: Any) -> Any:
    """A copy of `a` in which `a[index] = values`."""
    if values.dtype.kind == "c" and a.dtype.kind != "c":
        raise TypeError("complex values were written into a real array. Make the array complex: zeros(shape, dtype=complex)")
    updated = a.copy()
    updated[index] = values
    return updated


@index_update.adjoint(0)
def _(g: Any, a: Any, values: Any, *, index: Any) -> Any:
    return index_update(g, np.zeros((), g.dtype), index=index)


@index_update.adjoint(1)
def _(g: Any, a: Any, values: Any, *, index: Any) -> Any:
    read = getitem(g, index=index)
    return read * last_written(index, a.shape) if may_repeat(index) else read


def may_repeat(index: Any) -> bool:
    """Whether an index holds integer arrays, so that it may name a place twice."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, list) or getattr(part, "ndim", 0) > 0 and part.dtype.kind in "iu" for part in parts)


def last_written(index: Any, shape: tuple[int, ...]) -> Any:
    """Which of the places named by an index keep their value: of equal ones, the last."""
    size = int(np.prod(shape))
    places = np.arange(size).reshape(shape)[index]
    order = np.arange(places.size)
    owner = np.zeros(size, order.dtype)
    owner[places.ravel()] = order
    return owner[places] == order.reshape(places.shape)


def plain_index(index: Any) -> Any:
    """An index without traced parts: an index carries no derivative."""
    if isinstance(index, tuple):
        return tuple(raw(part) for part in index)
    return raw(index)


@implements(operator.getitem)
def _(a: Traced, index: Any) -> Any:
    return view(getitem, a, index=plain_index(index))
