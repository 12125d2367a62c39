"""Plain arrays that a derivative reads later, kept so that their owner may write into them at any time.

The derivative of `buffer * x` needs `buffer` as it was.  It is kept by copy, which costs a fraction of the operation
that reads it, unless nobody can write into it.  A long array that is used again serves from the copy that there is; at
the end of the function it is compared with that, and a difference raises.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from .array import Traced
from .errors import TraceError

__all__ = ["Kept", "own", "unshared"]

_SHORT = 1024
"""Up to how many elements an array is copied at every use."""

_NO_ARRAYS: set[type] = {Traced, bool, int, float, complex, np.float64, np.complex128}
"""The types met so far that hold no memory of a caller's."""


def own(a: Any) -> Any:
    """An array of a caller's as one that nobody else can write into."""
    kind = type(a)
    if kind in _NO_ARRAYS:
        return a
    if kind is not np.ndarray and (issubclass(kind, np.generic) or not hasattr(a, "dtype")):
        _NO_ARRAYS.add(kind)
        return a
    copy = a.copy(order="K")
    return copy if kind is not np.ndarray or copy.strides == a.strides else _with_gaps(a)


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

    __slots__ = ("_copies", "_reused")

    def __init__(self) -> None:
        self._copies: dict[int, tuple[weakref.ref[Any], Any]] = {}
        self._reused: dict[int, tuple[Any, Any]] = {}

    def keep(self, a: Any) -> Any:
        """What the derivative may read in place of an operand."""
        if type(a) is not np.ndarray:
            return own(a)
        if a.size <= _SHORT:
            return a.copy(order="K")
        known = self._copies.get(id(a))
        if known is not None and known[0]() is a:
            self._reused[id(a)] = a, known[1]
            return known[1]
        if _is_immutable(a):
            return a
        copy = a.copy(order="K")
        self._copies[id(a)] = weakref.ref(a), copy
        return copy

    def keep_all(self, params: dict[str, Any]) -> dict[str, Any]:
        """The same for the parameters of an operation."""
        if any(type(v) is np.ndarray for v in params.values()):
            return {name: self.keep(v) for name, v in params.items()}
        return params

    def release(self) -> None:
        """Forget the copies; raise if an array whose copy served again is no longer what it was."""
        reused, self._reused, self._copies = self._reused, {}, {}
        for a, copy in reused.values():
            if not (np.array_equal(a, copy) or a.tobytes() == copy.tobytes()):
                raise TraceError(
                    f"a plain NumPy array of shape {a.shape} was written to between two operations that combined it "
                    "with traced values, while the derivative still needs its old values. Make the array inside the "
                    "differentiated function with wirtinger.zeros or wirtinger.array, which track writes, or compute "
                    "with a copy() of it."
                )


def _is_immutable(a: Any) -> bool:
    """Whether an array, and all that it is a view of, is read-only."""
    while type(a) is np.ndarray:
        if a.flags.writeable:
            return False
        a = a.base
    return a is None or isinstance(a, bytes)
