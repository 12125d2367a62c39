"""The item axis of a mapped function, and the mapped functions that a thread is currently inside."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from ..engine.errors import TraceError
from ..engine.hooks import HOOKS
from ..engine.traced import raw


class Axis:
    """The axis of one call of a mapped function.

    Attributes
    ----------
    level : int
        The inner of two calls has the larger one.
    size : int
        How many items there are.
    given : list of array
        The mapped arguments whose items do not lie in memory one behind the other.
    looped : callable
        Is told the name of every function that is computed item by item.
    runs : int
        How many threads are inside of the call, or of a part of it that is run again for its derivative: a batch that
        is met when there is none has escaped.
    """

    __slots__ = ("given", "level", "looped", "runs", "size")

    def __init__(self, level: int, size: int, looped: Callable[[str], None]) -> None:
        self.level, self.size, self.looped, self.runs = level, size, looped, 0
        self.given: list[Any] = []


def strides_of_item(array: Any, axis: Axis) -> tuple[int, ...]:
    """The strides of an item: those in the array of all items, as if there were no others where these were computed.

    Where items lie interleaved, farther strides pass over all of them, also in a part of what was computed; those of an
    array that the caller handed over stay what they are.
    """
    own, *strides = array.strides
    all_items = abs(own) * axis.size
    if not strides or axis.size < 2 or not own or not any(_passes(stride, all_items) for stride in strides):
        return tuple(strides)
    if any(np.may_share_memory(HOOKS.all_items(array), x) for x in axis.given):
        return tuple(strides)
    return tuple(stride // axis.size if _passes(stride, all_items) else stride for stride in strides)


def _passes(stride: int, all_items: int) -> bool:
    return bool(stride) and stride % all_items == 0


def lies_behind(array: Any) -> bool:
    """Whether the items lie in memory one behind the other."""
    strides = raw(array).strides
    return len(strides) < 2 or abs(strides[0]) >= max(map(abs, strides[1:]))


class _Active(threading.local):
    axes: tuple[Axis, ...] = ()


_ACTIVE = _Active()
_LOCK = threading.Lock()


def active_axes() -> tuple[Axis, ...]:
    """The axes of the mapped functions that this thread is inside of, the outermost first."""
    return _ACTIVE.axes


class inside:
    """Be inside of other mapped functions for a while."""

    __slots__ = ("_axes", "_before")

    def __init__(self, axes: tuple[Axis, ...]) -> None:
        self._axes = axes

    def __enter__(self) -> None:
        self._before, _ACTIVE.axes = _ACTIVE.axes, self._axes
        _count(self._axes, 1)

    def __exit__(self, *error: object) -> None:
        _count(self._axes, -1)
        _ACTIVE.axes = self._before


def outside_of(axis: Axis) -> inside:
    """Be outside of one of the mapped functions for a while."""
    return inside(tuple(each for each in active_axes() if each is not axis))


def _count(axes: tuple[Axis, ...], change: int) -> None:
    with _LOCK:
        for axis in axes:
            axis.runs += change


def refuse_escaped() -> NoReturn:
    """Raise for a batch whose mapped function has returned."""
    raise TraceError(
        "a value that vmap maps over was used after the function that was mapped had returned. Likely cause: it was "
        "kept in a global variable, a closure or an attribute, or written into an array that was made outside. Return "
        "it from the function instead: vmap takes any tree as its result."
    )
