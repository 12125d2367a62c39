"""Strings and integers in containers of parameters: constants that are passed to the function unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..engine.traced import Traced

Structure = Any

LEAVES = (np.ndarray, Traced, float, complex, np.float64, np.complex128)
"""The types of most arguments and results, which are no trees."""


def without_constants(leaves: list[Any], structure: Structure) -> tuple[list[Any], Structure, Structure]:
    """The leaves of a container that are differentiated, and its structures with the others as they are and with None.

    Strings and integers are no parameters: the function gets them as they are, and there is no derivative in their
    places.  Where a container has nothing else they are taken for mistakes.
    """
    if structure is None or not any(map(_is_constant, leaves)):
        return leaves, structure, structure
    variables = [leaf for leaf in leaves if not _is_constant(leaf)]
    if not variables:
        return leaves, structure, structure
    return variables, _with_constants(structure, iter(leaves), True), _with_constants(structure, iter(leaves), False)


def _is_constant(leaf: Any) -> bool:
    kind = type(leaf)
    if kind in LEAVES and kind is not np.ndarray and kind is not Traced:
        return False
    return issubclass(kind, (str, bytes, int)) or getattr(getattr(leaf, "dtype", None), "kind", "") in tuple("iubSU")


def _with_constants(structure: Structure, leaves: Iterator[Any], shows: bool) -> Structure:
    """A structure in which every constant leaf is a node without children: the constant, or None."""
    if structure is None:
        leaf = next(leaves)
        return (partial(_constant, leaf if shows else None), []) if _is_constant(leaf) else None
    rebuild, children = structure
    return rebuild, [_with_constants(child, leaves, shows) for child in children]


def _constant(value: Any, children: Sequence[Any]) -> Any:
    return value
