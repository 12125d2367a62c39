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

    What is written into an array, a list or a dict that is an attribute is written for all objects before they are used
    again.

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
        self._shown = dict[str, tuple[Any, list[Any], list[Any]]]()

    @property
    def kind(self) -> type:
        """The class of the objects."""
        return type(self._objects[0])

    def _current(self) -> Sequence[Any]:
        """The objects, for code that may change them: what they have shown is no part of them any more."""
        self._write_back()
        self._shown.clear()
        return self._objects

    def _write_back(self) -> None:
        for name, (value, before, own) in list(self._shown.items()):
            is_there = all(getattr(each, name, None) is x for each, x in zip(self._objects, own, strict=True))
            if is_there and _are_same(_parts(value), before):
                continue
            self._shown.pop(name, None)
            if is_there:
                setattr(self, name, value)
                self._show(name, value)

    def _show(self, name: str, value: Any) -> None:
        self._shown[name] = value, _parts(value), [getattr(each, name) for each in self._objects]

    def _of_each(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        self._write_back()
        each = iter(self._objects)

        def of_one(*args: Any, **kwargs: Any) -> Any:
            return function(next(each), *args, **kwargs)

        first = type(self._objects[0])
        of_one.__module__, of_one.__name__ = first.__module__, first.__qualname__
        return self._call(of_one, args, kwargs, self._axis)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        self._write_back()
        if name in self._shown:
            return self._shown[name][0]
        found = self._of_each(getattr, name)
        if type(found) in (Traced, list, dict):
            self._show(name, found)
        elif type(found) is ObjectsOfItems:  # a method, perhaps
            self._shown.clear()
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


def _parts(x: Any) -> list[Any]:
    """What is another one after a write."""
    return [x._value] if type(x) is Traced else list(x) if type(x) is list else [*x, *x.values()]


def _are_same(a: list[Any], b: list[Any]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


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
