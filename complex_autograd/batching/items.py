"""The axis that the items of a mapped function lie along, and which mapped functions a thread is inside of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NoReturn

from ..engine.errors import TraceError


class Axis:
    """The axis of one call of a mapped function.

    Attributes
    ----------
    level : int
        The inner of two calls has the larger one.
    size : int
        How many items there are.
    looped : callable
        Is told the name of every function that is computed item by item.
    runs : int
        How many threads are inside of the call, or of a part of it that is run again for its derivative: a batch that
        is met when there is none has escaped.
    """

    __slots__ = ("level", "looped", "runs", "size")

    def __init__(self, level: int, size: int, looped: Callable[[str], None]) -> None:
        self.level, self.size, self.looped, self.runs = level, size, looped, 0


class _Active(threading.local):
    axes: tuple[Axis, ...] = ()


_ACTIVE = _Active()
_LOCK = threading.Lock()


def active_axes() -> tuple[Axis, ...]:
    """The axes of the mapped functions that this thread is inside of, the outermost first."""
    return _ACTIVE.axes


@contextmanager
def inside(axes: tuple[Axis, ...]) -> Iterator[None]:
    """Be inside of other mapped functions for a while."""
    before, _ACTIVE.axes = _ACTIVE.axes, axes
    _count(axes, 1)
    try:
        yield
    finally:
        _count(axes, -1)
        _ACTIVE.axes = before


def outside_of(axis: Axis) -> AbstractContextManager[None]:
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
