"""Solvers inside mapped functions: one solution per item, with closed-over values replaced by those of the item.

The code that searches functions for such values is imported only when something is mapped: linear algebra has functions
of this kind, too.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

from ..batching.batch import batch_in, innermost
from ..batching.loops import item_by_item
from ..engine.trace import MAPPING
from .writes_of_items import restoring, with_writes


def one_by_one(function: Callable[..., Any], *readers: Any) -> Callable[..., Any]:
    """A solver that is called for one item after the other where its arguments, or what they read, are mapped.

    Parameters
    ----------
    function : callable
        The solver.
    *readers : callable
        Functions that it calls besides those among its arguments.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not MAPPING[0]:
            return function(*args, **kwargs)
        from ..control_flow.closures import closed_over, standing_for

        read = [z for z in closed_over((readers, args, kwargs)) if batch_in(z) is not None]
        axis = innermost((*args, kwargs, *read))
        if axis is None:
            return function(*args, **kwargs)

        def of_one(values: Any, *args: Any, **kwargs: Any) -> Any:
            with standing_for(values, read):
                return call(*args, **kwargs)

        return with_writes(of_one, function, (read, *args), kwargs, axis)

    return call


def method_one_by_one(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that is called item by item where its arguments, or its object's attributes, are mapped."""

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        attributes = _attributes(self) if MAPPING[0] else {}
        axis = innermost((*args, kwargs, attributes))
        if axis is None:
            return method(self, *args, **kwargs)

        def of_one(attributes: dict[tuple[str, ...], Any], *args: Any, **kwargs: Any) -> Any:
            each = self
            for path, value in attributes.items():
                each = _with_attribute(each, path, value)
            is_left = innermost((*args, kwargs, _attributes(each))) is axis  # where objects refer to their holders
            return (method if is_left else call)(each, *args, **kwargs)

        of_one.__name__, of_one.__module__ = method.__name__, method.__module__
        return item_by_item(of_one, (attributes, *args), kwargs, axis)

    return call


def method_together_or_one_by_one(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that is called once for all items, and one by one where it cannot take them so."""
    by_items = method_one_by_one(method)

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not MAPPING[0]:
            return method(self, *args, **kwargs)
        try:
            return method(self, *args, **kwargs)
        except Exception:
            return by_items(self, *args, **kwargs)

    return call


def _attributes(x: Any, *holders: Any) -> dict[tuple[str, ...], Any]:
    """The attributes that hold mapped values, by path: also those of objects of its package that it holds.

    Splines of SciPy 1.18 hold their arrays in such an object.  Those that hold it are not looked into again.
    """
    names = [
        *getattr(x, "__dict__", ()),
        *[name for kind in type(x).__mro__ for name in getattr(kind, "__slots__", ())],
    ]
    found: dict[tuple[str, ...], Any] = {}
    for name in names:
        value = getattr(x, name, None)
        if batch_in(value) is not None:
            found[name,] = value
        elif _package_of(value) == _package_of(x) and all(value is not holder for holder in (x, *holders)):
            found |= {(name, *path): inner for path, inner in _attributes(value, x, *holders).items()}
    return found


def _package_of(x: Any) -> str:
    return type(x).__module__.partition(".")[0]


def _with_attribute(x: Any, path: tuple[str, ...], value: Any) -> Any:
    """A copy of an object with another value of an attribute."""
    made, (name, *rest) = copy(x), path
    setattr(made, name, _with_attribute(getattr(x, name), tuple(rest), value) if rest else value)
    return made


def together_or_one_by_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of foreign code that is called once for all items, and one by one where it cannot take them so."""
    by_items = one_by_one(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not MAPPING[0] or not _reads_items(args, kwargs):
            return function(*args, **kwargs)
        restore = restoring(args, kwargs)
        try:
            return function(*args, **kwargs)
        except Exception:
            restore()
            return by_items(*args, **kwargs)

    return call


def _reads_items(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether arguments, or what functions among them close over, are mapped."""
    from ..control_flow.closures import closed_over

    return innermost((*args, kwargs)) is not None or any(batch_in(z) is not None for z in closed_over((args, kwargs)))


def made_one_by_one(new: Callable[..., Any]) -> Callable[..., Any]:
    """`__new__` of a class of foreign code that takes no arrays of all items: one object for each item."""

    def make(cls: Any, /, *args: Any, **kwargs: Any) -> Any:
        axis = innermost((*args, kwargs)) if MAPPING[0] else None
        if axis is not None:
            return item_by_item(cls, args, kwargs, axis)
        return new(cls) if new is object.__new__ else new(cls, *args, **kwargs)

    return staticmethod(make)
