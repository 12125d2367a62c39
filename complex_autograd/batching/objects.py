"""Objects that third-party code creates from mapped values: one per item, accessed and called together."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any

from ..engine.traced import Traced
from .items import Axis

_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
_OF_ONE = "neg pos abs invert"
_COMPARISONS = "lt le gt ge"


class ObjectsOfItems:
    """An object for each item: its attributes, elements and results are those of all.

    What is written into an array that is an attribute is written for all objects before they are used again.

    Parameters
    ----------
    objects : sequence
        Those of the items.
    axis : Axis
        The axis of the items.
    call : callable
        Calls a function of the object and of arguments item by item: `call(function, args, kwargs, axis)`.
    """

    __array_ufunc__ = None

    def __init__(self, objects: Sequence[Any], axis: Axis, call: Callable[..., Any]) -> None:
        self._objects, self._axis, self._call = objects, axis, call
        self._shown = dict[str, tuple[Any, Any, list[Any]]]()

    @property
    def kind(self) -> type:
        """The class of the objects."""
        return type(self._objects[0])

    def _current(self) -> Sequence[Any]:
        """The objects, with what was written into arrays that they showed."""
        shown = [(name, *entry) for name, entry in self._shown.items()]
        self._shown.clear()
        for name, array, value, was in shown:
            is_there = all(getattr(each, name, None) is own for each, own in zip(self._objects, was, strict=True))
            if array._value is not value and is_there:
                setattr(self, name, array)
        return self._objects

    def _of_each(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        each = iter(self._current())

        def of_one(*args: Any, **kwargs: Any) -> Any:
            return function(next(each), *args, **kwargs)

        first = type(self._objects[0])
        of_one.__module__, of_one.__name__ = first.__module__, first.__qualname__
        return self._call(of_one, args, kwargs, self._axis)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._of_each(getattr, name)
        if type(found) is Traced:
            self._shown[name] = found, found._value, [getattr(each, name) for each in self._objects]
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self._of_each(lambda each, value: setattr(each, name, copy(value)), value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._of_each(lambda each, *args, **kwargs: each(*args, **kwargs), *args, **kwargs)

    def __getitem__(self, index: Any) -> Any:
        return self._of_each(operator.getitem, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._of_each(operator.setitem, index, value)

    def __len__(self) -> int:
        return len(self._objects[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


def _method(name: str, is_swapped: bool = False) -> Callable[..., Any]:
    function = getattr(operator, f"__{name}__")

    def method(self: ObjectsOfItems, *others: Any) -> Any:
        call = (lambda each, other: function(other, each)) if is_swapped else function
        return self._of_each(call, *others)

    return method


for _name in f"{_OPERATORS} {_OF_ONE} {_COMPARISONS}".split():
    setattr(ObjectsOfItems, f"__{_name}__", _method(_name))
for _name in _OPERATORS.split():
    setattr(ObjectsOfItems, f"__r{_name}__", _method(_name, is_swapped=True))
