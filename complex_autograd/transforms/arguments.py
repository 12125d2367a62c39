"""Arguments and results of transforms: trees of arrays, and which of them are differentiated.

A tree is an array or a number, or a tuple, list, dict, named tuple, dataclass or registered container of trees.
Strings and integers inside containers are constants.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any, TypeGuard

import numpy as np

from ...backends import PRECISE
from ...backends.memory import WRITEABLE
from ..array.read_only import as_given
from ..engine.dispatch import IMPORTS, is_sparse_of_scipy
from ..engine.errors import NotDifferentiableError
from ..engine.opaque import RECORDING, is_on_host
from ..engine.operands import array_in, as_operand, holds_array, refuse_other_algebra, variable
from ..engine.space import embed
from ..engine.traced import Traced
from ..rules import every_rule as _every_rule  # noqa: F401
from .constants_in_trees import LEAVES, Structure, without_constants

Argnums = int | Sequence[int]

REGISTERED: dict[type, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {}
"""What `register_tree` was given for a class: how one is taken apart, and how it is put together."""


def flatten(tree: Any) -> tuple[list[Any], Structure]:
    """The leaves of a tree, from left to right, and what `unflatten` needs to put them back.

    None is a tree without leaves.  Dicts are walked in the order of insertion; dataclasses by their fields.
    """
    if type(tree) in LEAVES:
        return [tree], None
    leaves: list[Any] = []
    return leaves, _flatten_into(leaves, tree)


def _flatten_into(leaves: list[Any], tree: Any) -> Structure:
    if type(tree) in LEAVES:
        leaves.append(tree)
        return None
    rebuild, children = _open(tree)
    if rebuild is None:
        leaves.append(array_in(tree) if issubclass(type(tree), Traced) else tree)  # what it holds
        return None
    return rebuild, [_flatten_into(leaves, child) for child in children]


def _open(tree: Any) -> tuple[Callable[[Sequence[Any]], Any] | None, Sequence[Any]]:
    kind = type(tree)
    if tree is None:
        return lambda children: None, ()
    if kind in REGISTERED:
        children, constants = REGISTERED[kind][0](tree)
        return partial(REGISTERED[kind][1], constants), tuple(children)
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return partial(_named, kind), tree
    if isinstance(tree, (tuple, list)):
        return kind, tree
    if isinstance(tree, dict):
        return partial(_reset, tree, list(tree)), list(tree.values())
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        names = [field.name for field in dataclasses.fields(tree)]
        return lambda children: _refill(tree, names, children), [getattr(tree, name) for name in names]
    if is_sparse_of_scipy(kind):
        IMPORTS["sparse"]()  # which registers them
        return _open(tree) if kind in REGISTERED else (None, ())
    return None, ()


def _named(kind: type, children: Sequence[Any]) -> Any:
    try:
        return kind(*children)
    except TypeError as error:
        raise TypeError(
            f"a {kind.__name__} holds more than its {len(children)} elements, and so cannot be rebuilt from other "
            "elements. Take or return a tuple of its elements, tuple(x), or one of its attributes"
        ) from error


def children_of(tree: Any) -> Sequence[Any] | None:
    """The children of a tree; None where it is a leaf."""
    rebuild, children = _open(tree)
    return None if rebuild is None else children


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


def leaves_in(structure: Structure, tree: Any, name: str = "tree", with_none: bool = False) -> list[Any]:
    """The leaves of a tree in the order of another one's structure: dicts are equal in whatever order their keys are.

    With `with_none`, None in place of a leaf is one.

    Raises
    ------
    ValueError
        If a dict has other keys, or a registered container other constants.
    """
    if structure is None and with_none:
        return [tree]
    if structure is None or not (with_none or _has_names(structure)):
        return flatten(tree)[0]
    rebuild, parts = structure
    other, children = _open(tree)
    if _is_registered(rebuild) and _is_registered(other) and rebuild.args != other.args:
        raise ValueError(
            f"the {name} is a {type(tree).__name__} whose parts other than arrays are {other.args[0]!r} in place of "
            f"{rebuild.args[0]!r}: give it the same structure"
        )
    if isinstance(tree, dict) and isinstance(rebuild, partial) and rebuild.func is _reset:
        keys = rebuild.args[1]
        if tree.keys() != set(keys):
            raise ValueError(f"the {name} has the keys {list(tree)}, and not {keys}: give it the same structure")
        children = [tree[key] for key in keys]
    if len(children) != len(parts):
        return flatten(tree)[0]
    pairs = zip(parts, children, strict=True)
    return [leaf for part, child in pairs for leaf in leaves_in(part, child, name, with_none)]


def _has_names(structure: Structure) -> bool:
    """Whether more than the order of the leaves matters: there is a dict, or a registered container."""
    if structure is None:
        return False
    rebuild, parts = structure
    return isinstance(rebuild, partial) or any(map(_has_names, parts))


def _is_registered(rebuild: Any) -> TypeGuard[partial[Any]]:
    """Whether a way to rebuild is that of a registered container, bound to its constants."""
    return isinstance(rebuild, partial) and rebuild.func is not _reset


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """The tree of this structure with these leaves."""
    return leaves[0] if structure is None else _fill(structure, iter(leaves))


def _fill(structure: Structure, remaining: Any) -> Any:
    if structure is None:
        return next(remaining)
    rebuild, children = structure
    return rebuild([_fill(child, remaining) for child in children])


def as_variable(leaf: Any, position: int) -> Any:
    """A leaf of a differentiated argument as an array; integers and everything else that is not continuous raise."""
    if PRECISE[0]:
        leaf = variable(leaf)
    kind = type(leaf)
    if kind is float or kind is complex:
        return np.float64(leaf) if kind is float else np.complex128(leaf)
    if kind is not np.ndarray and holds_array(leaf):
        leaf = array_in(leaf)
    dtype = getattr(leaf, "dtype", None)
    if getattr(dtype, "kind", None) in ("f", "c"):
        if kind is not np.ndarray and kind is not Traced:
            refuse_other_algebra(leaf, f"argument {position}")
            leaf = variable(leaf)
        return leaf
    if dtype is None and not isinstance(leaf, int):
        raise TypeError(
            f"argument {position} holds a {kind.__name__}, which cannot be differentiated. Differentiated arguments "
            "are real or complex arrays and numbers, and tuples, lists, dicts and dataclasses of them, or instances of "
            "classes registered with wirtinger.register_tree. Choose others with argnums."
        )
    raise NotDifferentiableError(
        "the function",
        f"it has dtype {kind.__name__ if dtype is None else dtype}, which cannot be differentiated. Pass "
        "floating-point values (3.0, x.astype(float))",
        f"argument {position}",
    )


class Split:
    """The positional arguments of a call, divided into those to differentiate and the rest.

    Attributes
    ----------
    f : callable
        What is called.
    leaves : list of array
        The leaves of those to differentiate.
    structure
        What `unflatten` makes one result for each of them with, None in the places of constants; a bare one if
        `argnums` was one number.
    """

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], argnums: Argnums) -> None:
        self._is_single = isinstance(argnums, (int, np.integer))
        positions: list[int] = []
        for i in (argnums,) if self._is_single else argnums:  # type: ignore[union-attr]
            if not isinstance(i, (int, np.integer)):
                raise TypeError(f"argnums={argnums!r} must be numbers of positional arguments: 0 is the first one")
            if not -len(args) <= i < len(args):
                raise ValueError(
                    f"argnums={argnums} asks for positional argument {i} (the first is 0), but the call has {len(args)}"
                    ". Arguments that are differentiated must be passed by position."
                )
            positions.append(i % len(args))  # type: ignore[arg-type]
        if not positions:
            raise ValueError("argnums is empty: name at least one argument to differentiate")
        if len(set(positions)) < len(positions):
            raise ValueError(f"argnums={argnums} names an argument twice: its derivative is one, so name it once")
        self.f, self._args, self._kwargs = f, args, kwargs
        self._positions = positions
        self._trees: list[tuple[list[Any], Structure]] = []
        self.leaves: list[Any] = []
        forms, filled = [], []
        for position in positions:
            leaves, form = flatten(args[position])
            leaves, full, form = (leaves, form, form) if form is None else without_constants(leaves, form)
            self._trees.append((leaves, form))
            forms.append(form)
            filled.append(full)
            for leaf in leaves:
                self.leaves.append(as_variable(leaf, position))
        self.structure = forms[0] if self._is_single else (tuple, forms)
        self._filled = filled[0] if self._is_single else (tuple, filled)

    def __call__(self, *leaves: Any) -> Any:
        """The function of the differentiated leaves alone."""
        shown = [  # without a call for a number, and for an array that can be written to
            x if ((kind := type(given)) is np.ndarray and given.flags.num & WRITEABLE) or issubclass(kind, np.generic)
            else as_given(x, given)
            for x, given in zip(leaves, self.leaves, strict=True)
        ]  # fmt: skip
        args, chosen = list(self._args), unflatten(self._filled, shown)
        for i, arg in zip(self._positions, (chosen,) if self._is_single else chosen, strict=True):
            args[i] = arg
        return self.f(*args, **self._kwargs)

    def of(self, f: Callable[..., Any]) -> Split:
        """The same call of another function."""
        other = copy(self)
        other.f = f
        return other

    def tangent_leaves(self, tangents: Sequence[Any]) -> list[Any]:
        """The leaves of one tangent an argument, as elements of the spaces of the leaves of the arguments."""
        if len(tangents) != len(self._trees):
            raise ValueError(f"{len(self._trees)} primals, but {len(tangents)} tangents")
        leaves: list[Any] = []
        for i, (tangent, (primal, structure)) in enumerate(zip(tangents, self._trees, strict=True)):
            own = self.leaves[len(leaves) : len(leaves) + len(primal)]
            leaves += leaves_like(tangent, structure, own, f"tangent {i}", f"primal {i}")
        return leaves


def leaves_like(tree: Any, structure: Structure, leaves: Sequence[Any], name: str, owner: str) -> list[Any]:
    """The leaves of a tangent or cotangent, as elements of the spaces of the leaves that they belong to."""
    given = leaves_in(structure, tree, name)
    if len(given) != len(leaves):
        raise ValueError(f"the {name} has {len(given)} leaves, {owner} has {len(leaves)}: give it the same structure")
    checked = []
    for g, x in zip(given, leaves, strict=True):
        g = as_operand(variable(g) if PRECISE[0] else g)
        refuse_other_algebra(g, f"the {name}")
        if g.shape != np.shape(x):
            raise ValueError(f"the {name} has shape {g.shape}, {owner} has shape {np.shape(x)}")
        if g.dtype.kind == "c" and x.dtype.kind != "c":
            raise TypeError(f"the {name} is complex, {owner} is real: take the real part")
        checked.append(embed(g, x.shape, x.dtype) if x.dtype.kind in "fc" else g)
    return checked


def as_array(x: Any) -> Any:
    """An output as something that has a shape and a dtype."""
    made = as_operand(x)
    return x if made is x else made[()]


def as_number(dx: Any) -> Any:
    """A derivative without axes as NumPy's number, as NumPy's functions return it."""
    if type(dx) is np.ndarray or (RECORDING[0] and is_on_host(dx)):
        return dx if dx.shape else dx[()]
    return dx
