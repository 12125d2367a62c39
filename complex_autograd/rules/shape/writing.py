"""`A.flat`, and NumPy's functions that write in place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ...array.inplace import write
from ...array.structure import flattened, reshape
from ...array.views import views_of
from ...engine.dispatch import are_mapped, implements
from ...engine.forward import CONSTANT
from ...engine.hooks import HOOKS
from ...engine.operands import arange_like, asarray_like, operand
from ...engine.traced import Traced, raw
from .selection import along_axis, in_range


class Flat:
    """The elements of a traced array in the order of C, to read and to write: what `A.flat` returns.

    Parameters
    ----------
    base : Traced
        The array.
    """

    __slots__ = ("_next", "base")
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, base: Traced) -> None:
        self.base = base
        self._next = 0

    @property
    def index(self) -> int:
        """The number of the element that `next` returns."""
        return self._next

    @property
    def coords(self) -> tuple[int, ...]:
        """Where in the array that element is."""
        return tuple(int(i) for i in np.unravel_index(self._next, self.base.shape))

    def copy(self) -> Any:
        """The elements as a new vector."""
        return flattened(self.base, order="C")

    def __len__(self) -> int:
        return self.base.size

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        if self._next >= len(self):
            self._next = 0
            raise StopIteration
        coords = self.coords
        self._next += 1
        return self.base[coords]

    def __getitem__(self, index: Any) -> Any:
        return self.copy()[index]

    def __setitem__(self, index: Any, values: Any) -> None:
        write_flat(self.base, _positions(self.base, index), values)

    def __eq__(self, other: object) -> Any:
        return self.copy() == other

    def __ne__(self, other: object) -> Any:
        return self.copy() != other

    def __lt__(self, other: Any) -> Any:
        return self.copy() < other

    def __le__(self, other: Any) -> Any:
        return self.copy() <= other

    def __gt__(self, other: Any) -> Any:
        return self.copy() > other

    def __ge__(self, other: Any) -> Any:
        return self.copy() >= other

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.copy().__array__(dtype, copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*[_vector(x) for x in inputs], **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return function(*[_vector(x) for x in args], **{name: _vector(x) for name, x in kwargs.items()})


def _vector(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return type(x)(_vector(item) for item in x)
    return x.copy() if isinstance(x, Flat) else x


def _positions(base: Any, index: Any) -> Any:
    """The positions that an index into `A.flat` names."""
    if isinstance(index, slice):
        return arange_like(base, *index.indices(base.size))
    return np.atleast_1d(_numbers_at(base, index))


def _numbers_at(a: Any, index: Any) -> Any:
    """The numbers of the elements of an array, in the order of C, that an index of the flattened array names."""
    return raw(_taken(arange_like(a, a.size), index))


def _taken(values: Any, index: Any) -> Any:
    """`values[index]`, also of a plain array where each item of a mapped function has an index of its own."""
    return (values if isinstance(values, Traced) else Traced(values, CONSTANT, None))[index]


def _write_where(a: Traced, mask: Any, values: Any) -> None:
    """Write the values, of the shape of the array, where a mask of that shape is true."""
    written = np.where(mask, values, a)
    write(a, ..., written if a.dtype.kind in "fc" else written.astype(a.dtype))


def write_flat(a: Traced, positions: Any, values: Any) -> None:
    """Write at positions of the flattened array; fewer values than positions are repeated, none write nothing."""
    values = operand(values)
    if getattr(values, "ndim", 0):
        values = np.ravel(values)
        if not values.size:
            return
        if values.size != positions.size:
            values = values[arange_like(positions, positions.size) % values.size]
    if a.shape:
        write(a, np.unravel_index(positions, a.shape), values)
    elif positions.size:
        write(a, (), values[-1] if getattr(values, "ndim", 0) else values)


def _plain_write(function: Any, target: Any, *args: Any) -> None:
    """Write into a plain array: constants as their values, while a traced value raises and says what to do."""
    function(target, *[np.asarray(x) if isinstance(x, Traced) else x for x in args])


def _flat(a: Traced) -> Flat:
    return Flat(a)


@implements(np.fill_diagonal)
def _(a: Any, val: Any, wrap: bool = False) -> None:
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    step = 1 + sum(int(np.prod(a.shape[axis:])) for axis in range(1, a.ndim))
    end = a.shape[1] ** 2 if a.ndim == 2 and not wrap else None
    Flat(a)[:end:step] = val


@implements(np.copyto)
def _(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    if not isinstance(dst, Traced):
        np.copyto(dst, np.asarray(src), casting, raw(where))
        return
    src = operand(src)
    source_dtype = np.result_type(raw(src))
    if not np.can_cast(source_dtype, dst.dtype, casting):
        raise TypeError(
            f"Cannot cast array data from {source_dtype!r} to {dst.dtype!r} according to the rule {casting!r}"
        )
    if where is True:
        write(dst, ..., src)
        return
    mask = np.broadcast_to(_mask(where, dst), dst.shape)
    if are_mapped((mask,)):
        _write_where(dst, mask, src)
    else:
        write(dst, mask, np.broadcast_to(src, dst.shape)[mask] if np.ndim(src) else src)


def _mask(where: Any, a: Any) -> Any:
    """A mask: an array of truth values, or whether numbers that are no array are others than 0."""
    mask = raw(asarray_like(where, a))
    is_array = hasattr(where, "dtype") and not issubclass(mask.__class__, np.generic)
    if is_array and mask.dtype != bool:
        raise TypeError(f"Cannot cast array data from {mask.dtype!r} to dtype('bool') according to the rule 'safe'")
    return mask.astype(bool)


@implements(np.put)
def _(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    if not isinstance(a, Traced):
        _plain_write(partial(np.put, mode=mode), a, ind, v)
        return
    positions = np.ravel(in_range(raw(asarray_like(ind, a)).astype(np.intp), a.size, mode))
    write_flat(a, _numbers_at(a, positions), v)


@implements(np.place)
def _(arr: Any, mask: Any, vals: Any) -> None:
    if not isinstance(arr, Traced):
        _plain_write(np.place, arr, mask, vals)
        return
    chosen = raw(asarray_like(mask, arr)).astype(bool)
    if chosen.size != arr.size:
        raise ValueError("place: mask and data must be the same size")
    vals = np.ravel(asarray_like(vals, arr))
    if are_mapped((chosen,)) and vals.size:
        number = np.cumsum(np.ravel(chosen).astype(np.intp)) - 1
        values = np.reshape(_taken(vals, number % vals.size), arr.shape)
        _write_where(arr, np.reshape(chosen, arr.shape), values)
        return
    positions = np.flatnonzero(chosen)
    if not vals.size and positions.size:
        raise ValueError("Cannot insert from an empty array!")
    write_flat(arr, positions, vals)


@implements(np.putmask)
def _(a: Any, /, mask: Any, values: Any) -> None:
    if not isinstance(a, Traced):
        _plain_write(np.putmask, a, mask, values)
        return
    chosen = raw(asarray_like(mask, a))
    if chosen.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    values = np.ravel(asarray_like(values, a))
    if are_mapped((chosen,)) and values.size:
        repeated = np.reshape(values[arange_like(a, a.size) % values.size], a.shape)
        _write_where(a, np.reshape(chosen, a.shape).astype(bool), repeated)
        return
    positions = np.flatnonzero(chosen)
    write_flat(a, positions, values[positions % values.size] if values.size else values)


@implements(np.put_along_axis)
def _(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    if not isinstance(arr, Traced):
        _plain_write(partial(np.put_along_axis, axis=axis), arr, indices, values)
        return
    positions = raw(asarray_like(indices, arr))
    if axis is not None:
        write(arr, along_axis(arr.shape, positions, normalize_axis_index(axis, arr.ndim)), values)
        return
    if positions.ndim != 1:
        raise ValueError("when axis=None, `indices` must have a single dimension.")
    write_flat(arr, _numbers_at(arr, positions), np.broadcast_to(operand(values), positions.shape))


def _reshape_inplace(a: Any, shape: Any) -> None:
    """Give an array another shape; its base and its views see it as it was, through arrays that stand between."""

    def as_it_is() -> Any:
        return Traced(a._value, a._tracer, a._tangent)

    views = getattr(a, "views", None)
    if views:
        below: Any = as_it_is()
        below.source, below.views = (a, reshape, {"shape": a.shape}), views
        for shown in list[Any](views.existing()):
            shown.source = (below, *shown.source[1:])
        a.views = type(views)()
        a.views.add(below)
    if hasattr(a, "source"):
        above: Any = as_it_is()
        above.source = a.source
        views_of(a.source[0]).exchange(a, above)
        views_of(above).add(a)
        a.source = above, reshape, {"shape": shape}
    reshaped = reshape(a, shape=shape)
    a._value, a._tracer, a._tangent = reshaped._value, reshaped._tracer, reshaped._tangent


def _set_shape(a: Traced, shape: Any) -> None:
    if issubclass(raw(a).__class__, np.generic):
        raise AttributeError("attribute 'shape' of 'numpy.generic' objects is not writable")
    if a.size and not np.may_share_memory(np.reshape(raw(a), shape), raw(a)):
        raise AttributeError("Incompatible shape for in-place modification. Use `.reshape()` to make a copy.")
    _reshape_inplace(a, shape)


def _resize(a: Traced, new_shape: tuple[int, ...]) -> None:
    if hasattr(a, "source"):
        raise ValueError("cannot resize this array: it does not own its data")
    if getattr(a, "views", None):
        raise ValueError("cannot resize an array that has views: they would no longer show it")
    size, order = int(np.prod(new_shape)), "F" if a.flags.fnc else "C"  # the order in memory
    flat = reshape(a, shape=(-1,), order=order)[:size]
    filled = np.concatenate([flat, np.zeros_like(flat, shape=(size - flat.size,))])
    resized = reshape(filled, shape=new_shape, order=order)
    a._value, a._tracer, a._tangent = resized._value, resized._tracer, resized._tangent


HOOKS.flat, HOOKS.set_shape, HOOKS.resize = _flat, _set_shape, _resize
