"""The trees that loops carry: their leaves as arrays not shared with anything else, and what must not change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..array.creation import writable
from ..engine.reverse import own
from ..engine.traced import Traced, peel, raw
from ..transforms.arguments import as_array, flatten
from ..transforms.forms import form_of, named_leaves

_NUMBERS = frozenset("?bhilqBHILQefdgFDG")


class Tree:
    """The structure of a tree with the shapes and dtypes of its leaves, which a later tree must have too.

    Parameters
    ----------
    tree
        Of arrays and numbers.
    owner : str
        What it is, for errors: "the carry of scan".
    """

    def __init__(self, tree: Any, owner: str) -> None:
        self.owner = owner
        given, self.structure = flatten(tree)
        self.form = form_of(tree)
        self._names = [name for name, _ in named_leaves(tree)]
        self.leaves = [self._leaf(x, name) for x, name in zip(given, self._names, strict=True)]
        self.spaces = [space_of(x) for x in self.leaves]

    def leaves_of(self, tree: Any) -> list[Any]:
        """The leaves of another tree, which must have this structure, these shapes and these dtypes."""
        given, _ = flatten(tree)
        if form_of(tree) != self.form:
            names = [name for name, _ in named_leaves(tree)]
            raise TypeError(
                f"{self.owner} must keep its structure: its leaves were {_listed(self._names)}, and are "
                f"{_listed(names)} after a step."
            )
        leaves = list(map(as_array, given))
        for x, space, name in zip(leaves, self.spaces, self._names, strict=True):
            if (x.shape, x.dtype) != space:
                self._leaf(x, name)
                raise TypeError(
                    f"{self.owner} must keep its shapes and dtypes: {name} was {_shown(space)} and is "
                    f"{_shown(space_of(x))} after a step. Begin with an array of the shape and dtype that a step "
                    "returns, or cast in the step: x.astype(dtype)."
                )
        return leaves

    def _leaf(self, x: Any, name: str) -> Any:
        leaf = as_array(x)
        if leaf.dtype.char not in _NUMBERS:
            raise TypeError(f"{self.owner}: {name} is a {type(x).__name__}, and not an array of numbers or a number")
        return leaf


def own_leaf(x: Any) -> Any:
    """A leaf in C order that shares no memory; a number of NumPy's if it has no axes.

    Under a derivative it is traced, so that traced values can be written into it.
    """
    if type(x) is Traced and x._tangent is not None:
        if x.shape and not raw(x).flags.c_contiguous:
            return x.copy()
        return own(x)
    plain = raw(x)
    if plain.shape:
        return writable(plain.copy(order="C"))
    return plain if issubclass(plain.__class__, np.generic) else plain[()]


def element(x: Any, i: Any) -> Any:
    """One element along the first axis of a leaf that `own_leaf` returned; a constant one is an array of its own."""
    plain = raw(x)
    if type(plain) is not np.ndarray or (x is not plain and x._tangent is not None):
        return x[i]
    return writable(plain[i].copy()) if plain.ndim > 1 else plain[i]


def plain_leaves(leaves: Sequence[Any]) -> list[Any]:
    """The same of several, with plain values in place of constants."""
    return [peel(own_leaf(x)) for x in leaves]


def space_of(x: Any) -> tuple[tuple[int, ...], Any]:
    """Shape and dtype."""
    return x.shape, x.dtype


def _shown(space: tuple[tuple[int, ...], Any]) -> str:
    return f"{space[1].name}{list(space[0])}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
