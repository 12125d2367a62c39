"""Nested tuples, lists, dicts, named tuples and dataclasses of arrays."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np

from ..engine.traced import Traced

Structure = Any

_LEAVES = (np.ndarray, Traced, float, complex, np.float64, np.complex128)
"""The types of most arguments and results, which are no trees."""


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves of a tree, from left to right, and what `unflatten` needs to put them back.

    None is a tree without leaves.  Dicts are walked in the order of insertion; dataclasses by their fields.
    """
    if type(tree) in _LEAVES:
        return [tree], None
    leaves: list[Any] = []
    return leaves, _flatten_into(leaves, tree)


def _flatten_into(leaves: list[Any], tree: Any) -> Structure:
    rebuild, children = _open(tree)
    if rebuild is None:
        leaves.append(tree)
        return None
    return rebuild, [_flatten_into(leaves, child) for child in children]


def _open(tree: Any) -> tuple[Callable[[Sequence[Any]], Any] | None, Sequence[Any]]:
    kind = type(tree)
    if tree is None:
        return lambda children: None, ()
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return lambda children: kind(*children), tree
    if isinstance(tree, (tuple, list)):
        return kind, tree
    if isinstance(tree, dict):
        return partial(_reset, tree, list(tree)), list(tree.values())
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        names = [field.name for field in dataclasses.fields(tree)]
        return lambda children: _refill(tree, names, children), [getattr(tree, name) for name in names]
    return None, ()


def _reset(tree: Any, keys: Sequence[Any], children: Sequence[Any]) -> Any:
    """A dict of the same kind, with what it knows besides its items: a factory, a method of counting."""
    if type(tree) is dict:
        return dict(zip(keys, children, strict=True))
    other = copy(tree)
    for key, child in zip(keys, children, strict=True):
        other[key] = child
    return other


def _refill(instance: Any, names: Sequence[str], children: Sequence[Any]) -> Any:
    other = object.__new__(type(instance))
    for name, child in zip(names, children, strict=True):
        object.__setattr__(other, name, child)
    return other


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """The tree of this structure with these leaves."""
    return leaves[0] if structure is None else _fill(structure, iter(leaves))


def _fill(structure: Structure, remaining: Any) -> Any:
    if structure is None:
        return next(remaining)
    rebuild, children = structure
    return rebuild([_fill(child, remaining) for child in children])
