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

_FLAT = {Symbol, np.ndarray, np.float64, np.complex128, bool, int, float, complex}
"""The types of arguments that are no trees."""


def is_plain(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Whether it is a ufunc or an operator of Python's, of arrays and numbers alone."""
    return not kwargs and _FLAT.issuperset(map(type, args)) and len(args) == arity(function)


def place_of(x: Any) -> Any:
    """The place of an array in its program."""
    return x._place if type(x) is Symbol else None


def example_of(x: Any) -> Any:
    """The numbers that an array has while it is recorded."""
    return x._example if type(x) is Symbol else x


def opened(tree: Any) -> Any:
    """Arguments with the parts of objects that hold symbols in their place."""
    kind = type(tree := peel(tree))
    if kind is dict:
        return {key: opened(x) for key, x in tree.items()}
    if kind in (tuple, list):
        return kind(map(opened, tree))
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
    return kind(map(closed, tree)) if kind in (tuple, list) else tree


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
