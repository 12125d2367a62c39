"""Objects of a rule among the arguments of an operation: they are taken apart, and put together again."""

from __future__ import annotations

from typing import Any

from ..engine.opaque import attributes_of, is_of_rules
from ..engine.traced import peel
from .instructions import Parts
from .symbols import Symbol


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
