"""Reading and writing by index: slices, integers, ellipsis, newaxis, boolean and integer arrays, and any mixture.

Reading is linear; its adjoint adds the cotangent at the places that were read.  Writing is linear in the array and the
values together; where an index names a place twice the last value stays, as in NumPy, and only that one has a
cotangent.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...backends import backend_of
from ..engine.dispatch import implements
from ..engine.operands import on_host
from ..engine.primitive import linear
from ..engine.trace import IN_PLACE
from ..engine.traced import Traced, raw
from .views import view


@linear
def getitem(a: Any, *, index: Any) -> Any:
    """`a[index]`, bound without its view."""
    return a[index]


@getitem.adjoint(0)
def _(g: Any, a: Any, *, index: Any) -> Any:
    return scatter(g, index=index, shape=a.shape)


@getitem.batched
def _(g: Any, a: Any, *, index: Any) -> Any:
    if not _keeps_axes(index):
        return None
    return scatter(g, index=(slice(None), *parts_of(index)), shape=(len(g), *a.shape))


def _add_at(total: Any, g: Any, *, index: Any) -> bool:
    if isinstance(g, Traced) or g.dtype != total.dtype or _may_repeat(index):
        return False
    total[index] += g
    return True


IN_PLACE[getitem.adjoints[0]] = _add_at


@linear(family="scattered sums")
def scatter(a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    """Zeros of a shape, with the elements of `a` added at an index."""
    return backend_of(a).scatter_add(a, index, shape)


@scatter.space_of
def _(a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    return shape, a.dtype


@scatter.adjoint(0)
def _(g: Any, a: Any, *, index: Any, shape: tuple[int, ...]) -> Any:
    return getitem(g, index=index)


@linear(family="assignment by index")
def index_update(a: Any, values: Any, *, index: Any) -> Any:
    """A copy of `a` in which `a[index] = values`."""
    if a.dtype.kind != "c" and (
        values.dtype.kind == "c" if hasattr(values, "dtype") else issubclass(type(values), complex)
    ):
        raise TypeError(
            "complex values were written into a real array, which would drop their imaginary parts. Make the array "
            "complex, zeros(shape, dtype=complex), or write the real parts."
        )
    updated = _writable_copy(a)
    updated[index] = values
    return updated


@index_update.adjoint(0)
def _(g: Any, a: Any, values: Any, *, index: Any) -> Any:
    return erased(g, index=index)


@index_update.adjoint(1)
def _(g: Any, a: Any, values: Any, *, index: Any) -> Any:
    read = getitem(g, index=index)
    if _may_repeat(index):
        last = _last_written(index, a.shape)
        read = masked(read, condition=backend_of(raw(g)).namespace.asarray(last))
    surplus = len(values.shape) - len(read.shape)
    return np.reshape(read, (1,) * surplus + read.shape) if surplus > 0 else read


@linear(family="data movement")
def erased(a: Any, *, index: Any) -> Any:
    """A copy of `a` with zeros at an index."""
    updated = _writable_copy(a)
    updated[index] = 0
    return updated


@erased.adjoint(0)
def _(g: Any, a: Any, *, index: Any) -> Any:
    return erased(g, index=index)


@linear(family="data movement")
def part_update(a: Any, values: Any, *, part: Any) -> Any:
    """A copy of complex `a` in which one part (`numpy.real` or `numpy.imag`) is replaced."""
    updated = _writable_copy(a)
    part(updated)[...] = values
    return updated


@part_update.adjoint(0)
def _(g: Any, a: Any, values: Any, *, part: Any) -> Any:
    return part_erased(g, part=part)


@part_update.adjoint(1)
def _(g: Any, a: Any, values: Any, *, part: Any) -> Any:
    return part(g)


@linear(family="data movement")
def part_erased(a: Any, *, part: Any) -> Any:
    """A copy of complex `a` in which one part is zero."""
    updated = _writable_copy(a)
    part(updated)[...] = 0
    return updated


@part_erased.adjoint(0)
def _(g: Any, a: Any, *, part: Any) -> Any:
    return part_erased(g, part=part)


@linear(family="data movement")
def masked(a: Any, *, condition: Any) -> Any:
    """`a` where a condition holds, and zero elsewhere."""
    return np.where(condition, a, 0)


@masked.adjoint(0, takes_batches=True)
def _(g: Any, a: Any, *, condition: Any) -> Any:
    return masked(g, condition=condition)


def _writable_copy(a: Any) -> Any:
    """A copy of the same memory layout, which decides what `ravel` and `reshape` show later."""
    return np.array(a) if issubclass(type(a), np.generic) else a.copy(order="K")


def parts_of(index: Any) -> tuple[Any, ...]:
    """The parts of an index, one a dimension that it names."""
    return index if isinstance(index, tuple) else (index,)


def _may_repeat(index: Any) -> bool:
    """Whether an index holds integer arrays, so that it may name a place twice."""
    return any(
        isinstance(part, list) or (getattr(part, "ndim", 0) > 0 and part.dtype.kind in "iu") for part in parts_of(index)
    )


def _last_written(index: Any, shape: tuple[int, ...]) -> Any:
    """Which of the places named by an index keep their value: of equal ones, the last."""
    size = int(np.prod(shape))
    plain = tuple(on_host(part) if hasattr(part, "dtype") else part for part in parts_of(index))
    places = np.arange(size).reshape(shape)[plain]
    order = np.arange(places.size)
    owner = np.zeros(size, order.dtype)
    owner[places.ravel()] = order
    return owner[places] == order.reshape(places.shape)


def plain_index(index: Any) -> Any:
    """An index without traced parts, which carry no derivative here, that later writes to its parts cannot change."""
    return tuple([_plain_part(part) for part in index]) if isinstance(index, tuple) else _plain_part(index)


def _plain_part(part: Any) -> Any:
    if isinstance(part, (int, slice)):
        return part
    if isinstance(part, (list, tuple, range)):
        return np.array(part) if len(part) else np.zeros(0, np.intp)
    part = raw(part)
    return part.copy() if hasattr(part, "dtype") else part


def same_basic_index(index: Any, other: Any) -> bool:
    """Whether two indices are the same integers, slices, ellipses and new axes; arrays are never the same."""
    parts, others = parts_of(index), parts_of(other)
    return all(_is_basic(part) for part in (*parts, *others)) and parts == others


def _keeps_axes(index: Any) -> bool:
    """Whether what an index selects stays behind axes that are put before: at most one array, and then no integers."""
    advanced = [part for part in parts_of(index) if not _is_basic(part)]
    return not advanced or (
        len(advanced) == 1 and not any(isinstance(part, (int, np.integer)) for part in parts_of(index))
    )


def _is_basic(part: Any) -> bool:
    return part is None or part is Ellipsis or type(part) in (int, slice) or isinstance(part, np.integer)


@implements(operator.getitem)
def _(a: Traced, index: Any) -> Any:
    return view(getitem, a, index=plain_index(index))
