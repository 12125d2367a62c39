"""Plain arrays that a derivative reads later, kept so that their owner may write into them at any time.

The derivative of `buffer * x` needs `buffer` as it was.  It is kept by copy, which costs a fraction of the operation
that reads it.  A long array that is used again serves from the copy that there is, if it still has the same bits.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np

from .traced import Traced, raw

_SHORT = 1024
"""Up to how many elements an array is copied at every use."""

_NO_ARRAYS: set[type] = {bool, int, float, complex, np.float64, np.complex128}
"""The types met so far that hold no memory of a caller's."""


def own(a: Any) -> Any:
    """An array of a caller's as one that nobody else can write into."""
    kind = type(a)
    if kind in _NO_ARRAYS:
        return a
    if kind is Traced:
        return _own_traced(a)
    if kind is not np.ndarray and (issubclass(kind, np.generic) or not hasattr(a, "dtype")):
        _NO_ARRAYS.add(kind)
        return a
    copy = a.copy(order="K")
    return copy if kind is not np.ndarray or copy.strides == a.strides else _with_gaps(a)


def _own_traced(a: Traced) -> Traced:
    """A value of an outer level: a write gives the array that is written into another value, not its copies."""
    copy = Traced(own(a._value) if a._tangent is None else a._value, a._tracer, a._tangent)
    if hasattr(a, "length_of"):
        copy.length_of = a.length_of
    return copy


def _with_gaps(a: Any) -> Any:
    """A copy with the strides of an array that skips memory: they decide whether `reshape` returns a view."""
    steps = [(n - 1) * step for n, step in zip(a.shape, a.strides, strict=True)]
    before, behind = -sum(step for step in steps if step < 0), sum(step for step in steps if step > 0)
    memory = np.empty(before + behind + a.itemsize, np.uint8)
    copy: Any = np.ndarray(a.shape, a.dtype, memory, before, a.strides)
    copy[...] = a
    return copy


def unshared(arrays: Sequence[Any], given: Sequence[Any]) -> list[Any]:
    """Arrays as the caller's own: writable, and sharing memory neither with each other nor with what was given."""
    taken = {id(a) for a in given}
    result = []
    for a in arrays:
        if id(a) in taken or (type(a) is np.ndarray and (a.base is not None or not a.flags.writeable)):
            a = a.copy()
        taken.add(id(a))
        result.append(a)
    return result


class Kept:
    """The plain arrays that one recording reads again."""

    __slots__ = ("_copies",)

    def __init__(self) -> None:
        self._copies: dict[int, tuple[weakref.ref[Any], bytearray, Any, Any]] = {}

    def keep(self, a: Any) -> Any:
        """What the derivative may read in place of an operand."""
        if type(a) is not np.ndarray:
            return own(a)
        if a.size <= _SHORT or a.dtype.hasobject:
            return a.copy(order="K")
        known = self._copies.get(id(a))
        dense = a if a.flags.forc else a.copy(order="K")
        layout, now = (a.shape, a.strides, a.dtype), dense.ravel(order="K").view(np.uint8).data
        if known is not None and known[0]() is a and known[2] == layout and known[1] == now:
            return known[3]
        memory = bytearray(now)  # compares with `now` at the speed of memory
        copy: Any = np.ndarray(a.shape, a.dtype, memory, 0, dense.strides)
        self._copies[id(a)] = weakref.ref(a), memory, layout, copy
        return copy

    def keep_all(self, params: dict[str, Any]) -> dict[str, Any]:
        """The same for the parameters of an operation."""
        for value in params.values():
            if type(value) is np.ndarray:
                return {name: self.keep(v) for name, v in params.items()}
        return params

    def release(self) -> None:
        """Forget what the copies are of: the function has returned."""
        self._copies = {}


class Signed(Kept):
    """The same, with a checksum of all that was kept: two runs of a function that read the same have the same."""

    __slots__ = ("checksum",)

    def __init__(self) -> None:
        super().__init__()
        self.checksum = 0

    def keep(self, a: Any) -> Any:
        kept = super().keep(a)
        plain = raw(kept)
        if issubclass(type(plain), (np.ndarray, np.generic, int, float, complex)):
            self.checksum = crc32(np.asarray(plain).tobytes(), self.checksum)
        return kept
