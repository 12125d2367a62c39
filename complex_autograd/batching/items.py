"""The axis that the items of a mapped function lie along, and which mapped functions a thread is inside of."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
    """

    __slots__ = ("level", "looped", "size")

    def __init__(self, level: int, size: int, looped: Callable[[str], None]) -> None:
        self.level, self.size, self.looped = level, size, looped


class _Active(threading.local):
    axes: tuple[Axis, ...] = ()


_ACTIVE = _Active()


def active_axes() -> tuple[Axis, ...]:
    """The axes of the mapped functions that this thread is inside of, the outermost first."""
    return _ACTIVE.axes


@contextmanager
def inside(axes: tuple[Axis, ...]) -> Iterator[None]:
    """Be inside of other mapped functions for a while."""
    before, _ACTIVE.axes = _ACTIVE.axes, axes
    try:
        yield
    finally:
        _ACTIVE.axes = before
