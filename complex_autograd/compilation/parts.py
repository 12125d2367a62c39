"""Arguments of an operation: objects of a rule are taken apart, and put together again; what cannot be one."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..engine.dispatch import are_mapped
from ..engine.errors import TraceError
from ..engine.opaque import attributes_of, is_of_rules
from ..engine.traced import Traced, peel
from .functions import arity
from .instructions import Parts, name_of
from .symbols import Symbol

_FLAT = frozenset([Symbol, np.ndarray, np.float64, np.complex128, bool, int, float, complex])
"""The types of arguments that are no trees."""
_LEAVES = _FLAT | {str, type(None)}
_SETTINGS = frozenset([bool, int, float, complex, str, type(None)])
"""The types of what is neither an array nor holds one, and never changes."""


def is_plain(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Whether it is a ufunc or an operator of Python's, of arrays and numbers alone."""
    return not kwargs and _FLAT.issuperset(map(type, args)) and len(args) == arity(function)


def is_setting(tree: Any) -> bool:
    """Whether it is a number of Python's, a name or None, or a tuple or a dict of these."""
    kind = type(tree)
    if kind in _SETTINGS:
        return True
    if kind is dict:
        return all(map(is_setting, tree.values()))
    return kind is tuple and all(map(is_setting, tree))


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
        return kind([x if type(x) in _LEAVES else opened(x) for x in tree])
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
