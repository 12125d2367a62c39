"""Functions of one item as functions of the arrays of all items, for transforms inside mapped functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.traced import peel
from .batch import mapped, repeated
from .items import Axis, inside

Axes = tuple[Axis, ...]


def for_all(x: Any, axes: Axes) -> Any:
    """The array of all items of a value, with an axis for each mapped function, the outermost first."""
    x = peel(x)
    for axis in reversed(axes):
        x = repeated(x, axis)
    return x


def for_each(array: Any, axes: Axes) -> Any:
    """The value whose items are those of an array."""
    for axis in axes:
        array = mapped(array, axis)
    return array


def of_all(f: Callable[..., Any], axes: Axes) -> Callable[..., Any]:
    """A function of the arrays of all items of its arguments, which calls one of items.

    That returns lists of values, or a tuple of such lists.
    """

    def call(*arrays: Any) -> Any:
        with inside(axes):
            return _all_in(f(*[for_each(a, axes) for a in arrays]), axes)

    return call


def _all_in(values: Any, axes: Axes) -> Any:
    if isinstance(values, tuple):
        return tuple(_all_in(x, axes) for x in values)
    return [for_all(x, axes) for x in values]
