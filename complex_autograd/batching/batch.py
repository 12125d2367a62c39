"""Batches, and the arrays in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..engine.hooks import HOOKS
from ..engine.trace import FUNCTIONS, UFUNCS, Trace
from ..engine.traced import Traced, raw
from .agreement import truth_of_all
from .items import Axis, refuse_escaped, strides_of_item
from .objects import ObjectsOfItems
from .refusals import refuse


class Batch:
    """An array for each item, as the array that it is to code which asks for its shape or its dtype.

    A bare one is what `raw` finds: it stands for the numbers, and what is computed from it has no derivative.

    Attributes
    ----------
    array
        That of all items, whose first axis is theirs; it may be traced, or be a batch of an outer axis.
    axis : Axis
        The axis of the items.
    is_array : bool
        Whether an item without axes is an array, which can be written into, and no number.
    """

    __slots__ = ("__weakref__", "array", "axis", "is_array")
    __array_priority__ = 3000.0

    def __init__(self, array: Any, axis: Axis, is_array: bool = False) -> None:
        self.array, self.axis, self.is_array = array, axis, is_array

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return HOOKS.mapped_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: dict[str, Any]) -> Any:
        return NotImplemented if HOOKS.are_foreign(types) else HOOKS.mapped_function(function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(unbatched(self), name)

    def __getitem__(self, index: Any) -> Any:
        return unbatched(self)[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        written = unbatched(self)
        written[index] = value
        self.array = array_of(written, self.axis)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """That of one item."""
        return np.ndarray if self.ndim or self.is_array else self.dtype.type

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape[1:]  # type: ignore[no-any-return]

    @property
    def dtype(self) -> Any:
        return self.array.dtype

    @property
    def ndim(self) -> int:
        return len(self.array.shape) - 1

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize  # type: ignore[no-any-return]

    @property
    def strides(self) -> tuple[int, ...]:
        return strides_of_item(self.array, self.axis)

    @property
    def flags(self) -> Any:
        """Those of an array of the shape and the strides of one item."""
        return self.in_memory().flags

    def in_memory(self) -> Any:
        """Zeros of the shape and the strides of one item."""
        steps = [(n - 1) * s for n, s in zip(self.shape, self.strides, strict=True) if n]
        length, behind = self.itemsize + sum(map(abs, steps)), -sum(min(step, 0) for step in steps)
        return np.ndarray(self.shape, self.dtype, bytes(length), behind, self.strides)

    @property
    def device(self) -> Any:
        return self.array.device

    def copy(self, order: str = "K") -> Batch:
        """The same: nothing writes into the array in a batch."""
        return Batch(self.array, self.axis, self.is_array)

    def astype(self, dtype: Any, order: str = "K", **options: Any) -> Any:
        """The numbers in another dtype."""
        return mapped(raw(self.array).astype(dtype, order=order, **options), self.axis, self.is_array)

    def __iter__(self) -> Iterator[Any]:
        return iter(unbatched(self))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self) -> bool:
        return truth_of_all(self)

    def __float__(self) -> float:
        refuse("float")

    def __complex__(self) -> complex:
        refuse("complex")

    def __int__(self) -> int:
        refuse("int")

    def __index__(self) -> int:
        refuse("index")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        refuse("array")

    def __hash__(self) -> int:
        refuse("hash")

    def __format__(self, spec: str) -> str:
        if spec:
            refuse("format")
        return repr(self)

    def __repr__(self) -> str:
        return f"Batch({self.dtype.name}, shape={self.shape}, of {self.axis.size} items)"


class MappedTrace(Trace):
    """The trace of batches, above all levels of differentiation: it does to all items what is asked for one."""

    __slots__ = ()
    is_outermost = True

    def __init__(self) -> None:
        self.level = 2**62

    def unary(self, rule: Any, z: Any) -> Any:
        self.check(z)
        return mapped(_value_of(rule, z._value.array), z._value.axis)

    def binary(self, rule: Any, a: Any, b: Any) -> Any:
        axis, (x, y) = aligned((a, b))
        return mapped(_value_of(rule, x, y), axis)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        return HOOKS.mapped_primitive(primitive, args, params)

    def check(self, x: Any) -> None:
        if not x._value.axis.runs:
            refuse_escaped()

    def refuse(self, kind: str) -> None:
        refuse(kind)


MAPPED: Final = MappedTrace()
ITEMS: Final = object()
"""In the place of a tangent: a batch is no constant."""


def _value_of(rule: Any, *arrays: Any) -> Any:
    """The value of an elementwise function, by the highest trace among its arguments."""
    top, level = None, -1
    for x in arrays:
        if isinstance(x, Traced) and x._tracer.level > level:
            top, level = x._tracer, x._tracer.level
    if top is None:
        return rule.function(*arrays)
    call = UFUNCS.get(rule.function) or FUNCTIONS.get(rule.function)
    if call is not None:
        return call(*arrays)
    return top.unary(rule, *arrays) if len(arrays) == 1 else top.binary(rule, *arrays)


def mapped(array: Any, axis: Axis, is_array: bool = False) -> Any:
    """The traced value whose items are those of an array, along its first axis."""
    return Traced(Batch(array, axis, is_array), MAPPED, ITEMS)


def batch_in(x: Any) -> Batch | None:
    """The batch that a value holds, None where it is none; of a bare one that of its numbers, without derivatives."""
    if type(x) is Traced:
        return x._value if x._tracer is MAPPED else None
    return Batch(raw(x.array), x.axis, x.is_array) if type(x) is Batch else None


def array_of(x: Any, axis: Axis) -> Any:
    """The array of all items of a value that is mapped over an axis; any other value as it is."""
    b = batch_in(x)
    return b.array if b is not None and b.axis is axis else x


def is_mapped(x: Any, axis: Axis) -> bool:
    """Whether a value has an item for each index of an axis."""
    b = batch_in(x)
    return b is not None and b.axis is axis


def innermost(values: Any) -> Axis | None:
    """The axis of the innermost mapped function among some values and the trees among them."""
    found: Axis | None = None
    for x in values:
        kind = type(x)
        if kind in _NO_TREES:
            continue
        if kind is Traced:
            axis = x._value.axis if x._tracer is MAPPED else None
        elif kind is Batch:
            axis = x.axis
        elif kind is dict:
            axis = innermost(x.values()) if x else None
        elif kind is slice:
            axis = innermost((x.start, x.stop, x.step))
        else:
            axis = x._axis if kind is ObjectsOfItems else innermost(x) if issubclass(kind, (tuple, list)) else None
        if axis is not None and (found is None or axis.level > found.level):
            if not axis.runs:
                refuse_escaped()
            found = axis
    return found


_NO_TREES = frozenset((np.ndarray, float, int, complex, bool, str, type(None), np.float64, type(Ellipsis), np.dtype))
"""The types of most values that are neither traced nor trees."""


def parts_of(x: Any) -> Any:
    """The parts of a tuple, a list or a dict."""
    return x.values() if isinstance(x, dict) else x


def _holds_batches(values: Any) -> bool:
    return innermost(values) is not None


HOOKS.holds_batches = _holds_batches


def shape_of(x: Any) -> tuple[int, ...]:
    """The shape of an array, a number or a nested list."""
    shape = getattr(x, "shape", None)
    return np.shape(x) if shape is None else shape


def with_axes(array: Any, count: int) -> Any:
    """The array of all items with axes of length one put before those of the items, until these have `count`."""
    shape = array.shape
    missing = count - len(shape) + 1
    return array if missing <= 0 else np.reshape(array, (shape[0], *(1,) * missing, *shape[1:]))


def aligned(values: Any) -> tuple[Axis, list[Any]]:
    """The innermost axis of some values, and their arrays as they broadcast against each other item by item."""
    axis = innermost(values)
    assert axis is not None
    count = max(len(shape_of(x)) for x in values)
    return axis, [with_axes(array_of(x, axis), count) if is_mapped(x, axis) else unbatched(x) for x in values]


def unbatched(x: Any) -> Any:
    """A bare batch as a traced value, without the derivatives of what it was taken from; anything else as it is."""
    return mapped(raw(x.array), x.axis, x.is_array) if type(x) is Batch else x


HOOKS.unbatched = unbatched


def repeated(x: Any, axis: Axis) -> Any:
    """The array of all items of a value: that of one that is the same for all repeats it, without a copy."""
    if is_mapped(x, axis):
        return array_of(x, axis)
    x = unbatched(x)
    x = x if hasattr(x, "dtype") else np.asarray(x)
    return np.broadcast_to(x, (axis.size, *x.shape))
