"""Solvers inside of mapped functions: one solution for each item, with what the functions close over in its place.

What searches functions for that is imported when something is mapped: linear algebra has such functions, too.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

import numpy as np

from ..batching.batch import batch_in, innermost
from ..batching.items import Axis
from ..batching.loops import item_by_item, together
from ..engine.errors import TraceError
from ..engine.trace import MAPPING
from ..engine.traced import Traced, raw


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

        return _with_writes(of_one, function, (read, *args), kwargs, axis)

    return call


def _with_writes(
    of_one: Callable[..., Any], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], axis: Axis
) -> Any:
    """A function item by item: what it writes into an argument of each item is written into that of all items."""
    targets: dict[int, Any] = {}
    _of_arrays(lambda x, target: targets.setdefault(id(target), target), (args, kwargs), (args, kwargs))
    plain = [(x, x.tobytes()) for x in targets.values() if type(x) is np.ndarray]
    containers = _containers(args, kwargs)
    arguments_of_each: list[dict[int, Any]] = []
    containers_of_each: list[list[Any]] = []
    written: set[int] = set()
    filled: set[int] = set()
    returned = set(targets)

    def writing(*own_args: Any, **own_kwargs: Any) -> Any:
        own: dict[int, Any] = {}

        def copied(x: Any, target: Any) -> Any:
            return x if type(target) is np.ndarray else own.setdefault(id(target), x.copy())

        own_args, own_kwargs = _of_arrays(copied, (own_args, own_kwargs), (args, kwargs))
        before = {key: (_as_it_is(x), _bytes(x)) for key, x in own.items()}
        given = _containers(own_args, own_kwargs)
        parts = [_parts(x) for x in given]
        result = of_one(*own_args, **own_kwargs)
        written.update(key for key, x in own.items() if _is_written(x, *before[key]))
        filled.update(i for i, x in enumerate(given) if _is_another(parts[i], _parts(x)))
        containers_of_each.append(given)
        returned.intersection_update([key for key, x in own.items() if x is result])
        arguments_of_each.append(own)
        return result

    writing.__name__, writing.__module__ = function.__name__, function.__module__
    result = item_by_item(writing, args, kwargs, axis)
    if any(x.tobytes() != before for x, before in plain):
        raise TraceError(
            f"{function.__module__}.{function.__name__}, which vmap calls item by item, wrote into an array made by "
            "plain numpy, which is the same for all items. Make it inside the mapped function by wirtinger.zeros."
        )
    for key in written:
        targets[key][...] = together([own[key] for own in arguments_of_each], axis, function.__name__)
    for i in filled:
        own_containers = [each[i] for each in containers_of_each]
        if len({tuple(x) if type(x) is dict else len(x) for x in own_containers}) > 1:
            raise TraceError(
                f"{function.__module__}.{function.__name__}, which vmap calls item by item, gave a list or dict among "
                "its arguments other lengths or keys for other items. Return what it found instead, of one shape."
            )
        _fill(containers[i], together(own_containers, axis, function.__name__))
    return targets[returned.pop()] if returned else result


def _containers(args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The lists and dicts among arguments, and in these."""
    found: list[Any] = []
    left = [*args, *kwargs.values()]
    while left:
        x = left.pop()
        if type(x) in (list, dict):
            found.append(x)
        if type(x) in (list, tuple, dict):
            left += x.values() if type(x) is dict else x
    return found


def _parts(x: Any) -> list[Any]:
    return [*x, *x.values()] if type(x) is dict else [*x]


def _is_another(before: list[Any], after: list[Any]) -> bool:
    """Whether a list, or a dict, holds others than before."""
    return len(before) != len(after) or any(a is not b for a, b in zip(before, after, strict=True))


def _fill(container: Any, parts: Any) -> None:
    """Give a list or a dict other parts."""
    container.clear()
    (container.update if type(container) is dict else container.extend)(parts)


def _of_arrays(function: Callable[..., Any], x: Any, like: Any) -> Any:
    """A tree with what a function makes of each part and the array in its place in another tree of this structure."""
    if type(like) in (tuple, list):
        return type(like)([_of_arrays(function, *pair) for pair in zip(x, like, strict=True)])
    if type(like) is dict:
        return {key: _of_arrays(function, x[key], part) for key, part in like.items()}
    return function(x, like) if issubclass(type(like), (Traced, np.ndarray)) else x


def _bytes(x: Any) -> bytes | None:
    plain = raw(x)
    return plain.tobytes() if type(plain) is np.ndarray else None


def _is_written(x: Any, was: Any, before: bytes | None) -> bool:
    """Whether a traced value has another one below it, or the plain array other numbers."""
    return (isinstance(x, Traced) and x._value is not was._value) or _bytes(x) != before


def _as_it_is(x: Any) -> Any:
    """A traced value that later writes do not change."""
    return Traced(x._value, x._tracer, x._tangent) if isinstance(x, Traced) else x


def method_one_by_one(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that is called item by item where its arguments, or its object's attributes, are mapped."""

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        attributes = _attributes(self) if MAPPING[0] else {}
        axis = innermost((*args, kwargs, attributes))
        if axis is None:
            return method(self, *args, **kwargs)

        def of_one(attributes: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
            each = copy(self)
            for name, value in attributes.items():
                setattr(each, name, value)
            return call(each, *args, **kwargs)

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


def _attributes(x: Any) -> dict[str, Any]:
    """The attributes that hold mapped values."""
    names = [
        *getattr(x, "__dict__", ()),
        *[name for kind in type(x).__mro__ for name in getattr(kind, "__slots__", ())],
    ]
    found = {name: getattr(x, name, None) for name in names}
    return {name: value for name, value in found.items() if batch_in(value) is not None}


def together_or_one_by_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of foreign code that is called once for all items, and one by one where it cannot take them so."""
    by_items = one_by_one(function)

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not MAPPING[0] or not _reads_items(args, kwargs):
            return function(*args, **kwargs)
        containers = [(x, x.copy()) for x in _containers(args, kwargs)]
        before: dict[int, tuple[Any, Any]] = {}
        _of_arrays(lambda x, _: before.setdefault(id(x), (x, _as_it_is(x))), (args, kwargs), (args, kwargs))
        try:
            return function(*args, **kwargs)
        except Exception:
            for x, was in before.values():
                if isinstance(x, Traced) and x._value is not was._value:
                    x[...] = was
            for container, parts in containers:
                if _is_another(_parts(parts), _parts(container)):
                    _fill(container, parts)
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
