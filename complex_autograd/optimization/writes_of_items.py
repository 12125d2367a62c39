"""Writes into arguments by functions that `vmap` calls item by item, collected into the arguments of all items.

Each item receives its own arrays, lists and dicts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..batching.items import Axis
from ..batching.loops import item_by_item, together
from ..engine.errors import TraceError
from ..engine.traced import Traced, raw


def with_writes(
    of_one: Callable[..., Any], function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], axis: Axis
) -> Any:
    """A function of one item for each, under the name of another; what it writes is written for all items."""
    writes = _Writes(f"{function.__module__}.{function.__name__}", args, kwargs)

    def call(*own_args: Any, **own_kwargs: Any) -> Any:
        return writes.of_one(of_one, own_args, own_kwargs)

    call.__name__, call.__module__ = function.__name__, function.__module__
    return writes.of_all(item_by_item(call, args, kwargs, axis), axis)


def restoring(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[], None]:
    """What makes traced arguments, and lists and dicts, what they are now."""
    arrays = [(x, _as_it_is(x)) for x in _arrays((args, kwargs)).values() if isinstance(x, Traced)]
    containers = [(x, x.copy()) for x in _containers(args, kwargs)]

    def restore() -> None:
        for x, was in arrays:
            if x._value is not was._value:
                x[...] = was
        for container, was in containers:
            if _is_another(_parts(was), _parts(container)):
                _fill(container, was)

    return restore


class _Writes:
    """What a function writes that is called item by item.

    Parameters
    ----------
    name : str
        Of the function, for errors.
    args, kwargs
        The arguments of all items.
    """

    def __init__(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._name, self._given = name, (args, kwargs)
        self._targets = _arrays(self._given)
        self._plain = [(x, x.tobytes()) for x in self._targets.values() if type(x) is np.ndarray]
        self._containers = _containers(args, kwargs)
        self._arrays_of_each, self._containers_of_each = list[dict[int, Any]](), list[list[Any]]()
        self._written, self._filled, self._returned = set[int](), set[int](), set(self._targets)

    def of_one(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function with the arguments of one item, and see what it writes into them."""
        own: dict[int, Any] = {}

        def copied(x: Any, target: Any) -> Any:
            return x if type(target) is np.ndarray else own.setdefault(id(target), x.copy())

        args, kwargs = _of_arrays(copied, (args, kwargs), self._given)
        before = {key: (_as_it_is(x), _bytes(x)) for key, x in own.items()}
        containers = _containers(args, kwargs)
        parts = [_parts(x) for x in containers]
        result = call(*args, **kwargs)
        self._written.update(key for key, x in own.items() if _is_written(x, *before[key]))
        self._filled.update(i for i, x in enumerate(containers) if _is_another(parts[i], _parts(x)))
        self._returned.intersection_update([key for key, x in own.items() if x is result])
        self._arrays_of_each.append(own)
        self._containers_of_each.append(containers)
        return result

    def of_all(self, result: Any, axis: Axis) -> Any:
        """Write into the arguments of all items; what the function returns, an argument where it returns that."""
        if any(x.tobytes() != before for x, before in self._plain):
            raise TraceError(
                f"{self._name}, which vmap calls item by item, wrote into an array made by plain numpy, which is the "
                "same for all items. Make it inside the mapped function by wirtinger.zeros."
            )
        for key in self._written:
            self._targets[key][...] = together([own[key] for own in self._arrays_of_each], axis, self._name)
        for i in self._filled:
            own_containers = [each[i] for each in self._containers_of_each]
            if len({tuple(x) if type(x) is dict else len(x) for x in own_containers}) > 1:
                raise TraceError(
                    f"{self._name}, which vmap calls item by item, gave a list or dict among its arguments other "
                    "lengths or keys for other items. Return what it found instead, of one shape."
                )
            _fill(self._containers[i], together(own_containers, axis, self._name))
        return self._targets[self._returned.pop()] if self._returned else result


def _arrays(tree: Any) -> dict[int, Any]:
    """The arrays in a tree, traced or not, by their identity."""
    found: dict[int, Any] = {}
    _of_arrays(lambda x, _: found.setdefault(id(x), x), tree, tree)
    return found


def _of_arrays(function: Callable[..., Any], x: Any, like: Any) -> Any:
    """A tree with what a function makes of each part and the array in its place in another tree of this structure."""
    if type(like) in (tuple, list):
        return type(like)([_of_arrays(function, *pair) for pair in zip(x, like, strict=True)])
    if type(like) is dict:
        return {key: _of_arrays(function, x[key], part) for key, part in like.items()}
    return function(x, like) if issubclass(type(like), (Traced, np.ndarray)) else x


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


def _bytes(x: Any) -> bytes | None:
    plain = raw(x)
    return plain.tobytes() if type(plain) is np.ndarray else None


def _is_written(x: Any, was: Any, before: bytes | None) -> bool:
    """Whether a traced value has another one below it, or the plain array other numbers."""
    return (isinstance(x, Traced) and x._value is not was._value) or _bytes(x) != before


def _as_it_is(x: Any) -> Any:
    """A traced value that later writes do not change."""
    return Traced(x._value, x._tracer, x._tangent) if isinstance(x, Traced) else x
