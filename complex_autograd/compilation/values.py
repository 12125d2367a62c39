"""Values of a program, and trees of them: the arguments and results of its instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

Tree = Any


class Value(NamedTuple):
    """The place of a value in a program."""

    number: int


LEAVES: set[type] = {Value, np.ndarray, np.float64, np.complex128, bool, int, float, complex, str, type(None)}
"""The commonest types of leaves; symbols are among them."""


def values_in(tree: Tree) -> list[Value]:
    """The values in a tree of arguments or outputs, from left to right."""
    kind = type(tree)
    if kind is Value:
        return [tree]
    if kind is slice:
        tree = tree.start, tree.stop, tree.step
    elif kind is dict:
        tree = tree.values()
    elif kind in LEAVES or not issubclass(kind, (tuple, list)):
        return []
    if LEAVES.issuperset(map(type, tree)):
        return [x for x in tree if type(x) is Value]
    return [x for part in tree for x in values_in(part)]


def numbers_in(tree: Tree) -> Sequence[int]:
    """The numbers of these values."""
    kind = type(tree)
    if kind is Value:
        return tree  # type: ignore[no-any-return]
    found = tree if kind is tuple and LEAVES.issuperset(map(type, tree)) else values_in(tree)
    return [x.number for x in found if type(x) is Value]


def mapped(tree: Tree, leaf: Callable[[Any], Any]) -> Tree:
    """A tree of the same form, with other leaves."""
    kind = type(tree)
    if kind in LEAVES:
        return leaf(tree)
    if kind is tuple or kind is list:
        return kind([leaf(x) if type(x) in LEAVES else mapped(x, leaf) for x in tree])
    if kind is dict:
        return {key: mapped(part, leaf) for key, part in tree.items()} if tree else {}
    if kind is slice:
        return slice(mapped(tree.start, leaf), mapped(tree.stop, leaf), mapped(tree.step, leaf))
    if kind is not Value and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return kind(*[mapped(part, leaf) for part in tree])
    return leaf(tree)
