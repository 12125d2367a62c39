"""The form of a tree: what trees with the same structure have in common, and how their leaves are named."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..engine.traced import Traced
from .arguments import REGISTERED

_LEAVES = frozenset((np.ndarray, Traced, float, complex, np.float64, np.complex128))
"""The types of most leaves."""


def form_of(tree: Any) -> Any:
    """The structure of a tree, equal for equal ones; None for a leaf."""
    kind = type(tree)
    if kind in _LEAVES:
        return None
    if kind is tuple or kind is list:
        return kind, list(map(form_of, tree))
    if tree is None:
        return "None"
    children = list(_children(tree))
    if not children and not _is_node(tree):
        return None
    constants = REGISTERED[kind][0](tree)[1] if kind in REGISTERED else None
    return kind, [(name, form_of(child)) for name, child in children], constants


def without_order(form: Any) -> Any:
    """A form in which the keys of dicts are sorted as they are written."""
    if type(form) is not tuple:
        return form
    kind, children, *constants = form
    if not constants:
        return kind, list(map(without_order, children))
    named = [(name, without_order(child)) for name, child in children]
    return kind, sorted(named, key=lambda pair: pair[0]) if issubclass(kind, dict) else named, *constants


def is_alike(form: Any, other: Any) -> bool:
    """Whether a form is another one, or that with None in place of some leaves."""
    if other is None:
        return form is None or form == "None"
    if type(form) is not tuple or type(other) is not tuple:
        return bool(form == other)
    children, others = form[1], other[1]
    if (form[0], form[2:], len(children)) != (other[0], other[2:], len(others)):
        return False
    if not form[2:]:
        return all(map(is_alike, children, others))
    pairs = zip(children, others, strict=True)
    return all(name == known and is_alike(child, model) for (name, child), (known, model) in pairs)


def named_leaves(tree: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of a tree from left to right, and how each is written: `["a"][0]`."""
    if tree is None:
        return
    if not _is_node(tree):
        yield name or "the array", tree
    for key, child in _children(tree):
        yield from named_leaves(child, name + key)


def _is_node(tree: Any) -> bool:
    kind = type(tree)
    return kind in REGISTERED or issubclass(kind, (tuple, list, dict)) or dataclasses.is_dataclass(kind)


def _children(tree: Any) -> Iterator[tuple[str, Any]]:
    kind = type(tree)
    if kind in REGISTERED:
        yield from ((f".children[{i}]", child) for i, child in enumerate(REGISTERED[kind][0](tree)[0]))
    elif hasattr(kind, "_fields") and issubclass(kind, tuple):
        yield from ((f".{name}", getattr(tree, name)) for name in tree._fields)
    elif issubclass(kind, (tuple, list)):
        yield from ((f"[{i}]", child) for i, child in enumerate(tree))
    elif issubclass(kind, dict):
        yield from ((f"[{key!r}]", child) for key, child in tree.items())
    elif dataclasses.is_dataclass(kind):
        yield from ((f".{field.name}", getattr(tree, field.name)) for field in dataclasses.fields(kind))
