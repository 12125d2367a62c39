"""Objects that third-party code creates from mapped values: one per item, accessed and called together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .items import Axis


class ObjectsOfItems:
    """An object for each item: its attributes, elements and results are those of all.

    Parameters
    ----------
    objects : sequence
        Those of the items.
    axis : Axis
        The axis of the items.
    call : callable
        Calls a function of the object and of arguments item by item: `call(function, args, kwargs, axis)`.
    """

    def __init__(self, objects: Sequence[Any], axis: Axis, call: Callable[..., Any]) -> None:
        self._objects, self._axis, self._call = objects, axis, call

    @property
    def kind(self) -> type:
        """The class of the objects."""
        return type(self._objects[0])

    def _of_each(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        each = iter(self._objects)

        def of_one(*args: Any, **kwargs: Any) -> Any:
            return function(next(each), *args, **kwargs)

        first = type(self._objects[0])
        of_one.__module__, of_one.__name__ = first.__module__, first.__qualname__
        return self._call(of_one, args, kwargs, self._axis)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._of_each(getattr, name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._of_each(lambda each, *args, **kwargs: each(*args, **kwargs), *args, **kwargs)

    def __getitem__(self, index: Any) -> Any:
        return self._of_each(lambda each, index: each[index], index)

    def __len__(self) -> int:
        return len(self._objects[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))
