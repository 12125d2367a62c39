"""Arguments of an operation: objects used by rules are taken apart and rebuilt; others are refused."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..engine.dispatch import are_mapped
from ..engine.errors import TraceError
from ..engine.opaque import attributes_of, is_of_rules
from ..engine.traced import Traced, peel
from .functions import OF_STATIC_SHAPE, arity
from .instructions import Attribute, Method, Parts, name_of
from .symbols import Symbol
from .values import mapped

_FLAT = frozenset([Symbol, np.ndarray, np.float64, np.complex128, bool, int, float, complex])
"""The types of arguments that are no trees."""
_LEAVES = _FLAT | {str, type(None)}
_SETTINGS = frozenset([bool, int, float, complex, str, type(None), type(Ellipsis)])
"""The types of what is neither an array nor holds one, and never changes."""

_DATA: dict[Any, int] = {np.where: 3, np.clip: 3}


def is_plain(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Whether it is a ufunc or an operator of Python's, of arrays and numbers alone."""
    return not kwargs and _FLAT.issuperset(map(type, args)) and len(args) == arity(function)


def count_of_data(function: Callable[..., Any]) -> int:
    """How many arguments, from the first on, are data: an integer there is no axis and no length."""
    return _DATA.get(function) or int(function in OF_STATIC_SHAPE or isinstance(function, (Method, Attribute)))


def is_setting(tree: Any) -> bool:
    """Whether it is a number of Python's, a name or None, or a tuple, a slice or a dict of these."""
    kind = type(tree)
    if kind in _SETTINGS:
        return True
    if kind is tuple:
        return _SETTINGS.issuperset(map(type, tree)) or all(map(is_setting, tree))
    if kind is dict:
        return _SETTINGS.issuperset(map(type, tree.values())) or all(map(is_setting, tree.values()))
    return kind is slice and _SETTINGS.issuperset((type(tree.start), type(tree.stop), type(tree.step)))


def place_of(x: Any) -> Any:
    """The place of an array in its program."""
    return x._place if type(x) is Symbol else None


def example_of(x: Any) -> Any:
    """The numbers that an array has while it is recorded."""
    return x._example if type(x) is Symbol else x


def opened(tree: Any) -> Any:
    """Arguments with the parts of objects that hold symbols in their place."""
    kind = type(tree)
    if kind in _LEAVES:
        return tree
    if kind is dict:
        return {key: opened(x) for key, x in tree.items()}
    if kind in (tuple, list):
        is_flat = _LEAVES.issuperset(map(type, tree))
        return tree if is_flat else kind([x if type(x) in _LEAVES else opened(x) for x in tree])
    kind = type(tree := peel(tree))
    if kind in _LEAVES:
        return tree
    if is_of_rules(tree) and kind is not Symbol and not callable(tree):
        attributes = attributes_of(tree)
        return Parts(kind, tuple(attributes), tuple(map(opened, map(peel, attributes.values()))))
    return tree


def closed(tree: Any) -> Any:
    """The same with objects in the place of their parts."""
    kind = type(tree)
    if kind is Parts:
        return tree._replace(values=closed(tree.values)).made()
    if kind is dict:
        return {key: closed(x) for key, x in tree.items()}
    return kind([x if type(x) in _LEAVES else closed(x) for x in tree]) if kind in (tuple, list) else tree


class Given:
    """The arguments of a call, as a function takes them and as they stand in the program.

    Attributes
    ----------
    args, kwargs
        As the function takes them.
    places, named
        The same in the program.
    symbols : dict
        Those among them, by the identity of their numbers.
    constants : list
        The arrays among them that are none.
    """

    __slots__ = ("_encoded", "_function", "args", "constants", "kwargs", "named", "places", "symbols")

    def __init__(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], encoded: Callable[[Any], Any]
    ) -> None:
        self._function, self._encoded = function, encoded
        self.symbols: dict[int, Symbol] = {}
        self.constants: list[Any] = []
        self.args, places = self._taken(args)
        self.places = tuple(places)
        self.kwargs = self.named = dict(kwargs)
        if not is_setting(kwargs):
            found, named = self._taken(kwargs.values())
            self.kwargs, self.named = (dict(zip(kwargs, x, strict=True)) for x in (found, named))

    def _taken(self, items: Iterable[Any]) -> tuple[list[Any], list[Any]]:
        found: list[Any] = []
        places: list[Any] = []
        for x in items:
            if is_setting(x):
                found.append(x)
                places.append(x)
            elif type(x) in _FLAT:
                found.append(self._plain(x))
                places.append(self._encoded(x))
            else:
                found.append(closed(mapped(x, self._plain)))
                places.append(mapped(x, self._encoded))
        return found, places

    def _plain(self, x: Any) -> Any:
        kind = type(x)
        if kind is Symbol:
            self.symbols[id(x._example)] = x
            return x._example
        if kind is np.ndarray:
            self.constants.append(x)
        elif kind is Traced:
            raise refused_traced(self._function, x)
        return x


def refused_traced(function: Any, x: Traced) -> TraceError:
    """The error for a traced value beside a symbol, which is one of a function that runs inside of the compiled one."""
    is_mapped = are_mapped((x,))
    kind = "vmap maps over" if is_mapped else "is being differentiated"
    inner = "mapped" if is_mapped else "differentiated"
    if function is not operator.setitem:
        return TraceError(f"{name_of(function)} of an array of a compiled function was given a value that {kind}")
    return TraceError(
        f"a value that {kind} was written into an array that was made outside of the {inner} function, inside of the "
        "compiled one. Make the array inside, with wirtinger.zeros or wirtinger.array; or return the value, and write "
        "what the transform returns."
    )
