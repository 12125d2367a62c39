"""Trees of arrays: their leaves, their structure, all leaves in one vector, and classes registered as trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from .arguments import REGISTERED, as_array, flatten, leaves_in, unflatten
from .forms import form_of, is_alike, named_leaves, without_order


class TreeStructure:
    """How the leaves of a tree are nested: equal for trees that differ in their leaves alone.

    Attributes
    ----------
    num_leaves : int
        How many leaves there are.
    """

    __module__ = "wirtinger"
    __slots__ = ("_form", "_structure", "_text", "num_leaves")

    def __init__(self, tree: Any) -> None:
        leaves, self._structure = flatten(tree)
        self.num_leaves = len(leaves)
        self._form = form_of(tree)
        self._text = ", ".join(name for name, _ in named_leaves(tree))

    def __eq__(self, other: object) -> bool:
        return type(other) is TreeStructure and self._form == other._form

    def __hash__(self) -> int:
        return hash((self.num_leaves, self._text))

    def __repr__(self) -> str:
        return f"TreeStructure({self._text})"

    def leaves(self, tree: Any, name: str) -> list[Any]:
        """The leaves of a tree that must have this structure, with the keys of dicts in its order; None is a leaf."""
        if not is_alike(without_order(form_of(tree)), without_order(self._form)):
            raise ValueError(f"the {name} has the structure {TreeStructure(tree)}, and not {self}")
        return leaves_in(self._structure, tree, name, with_none=True)

    def unflatten(self, leaves: Sequence[Any]) -> Any:
        """The tree of this structure with these leaves."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"{len(leaves)} leaves for the structure {self}, which has {self.num_leaves}")
        return unflatten(self._structure, leaves)


def tree_leaves(tree: Any) -> list[Any]:
    """The leaves of a tree, from left to right.

    Parameters
    ----------
    tree
        An array, a number or anything else that is a leaf; or a tuple, list, dict, named tuple, dataclass or registered
        container of trees.  None is a tree without leaves.  Dicts are walked in the order of insertion.

    Returns
    -------
    list
        The leaves themselves, not copies.

    Examples
    --------
    >>> from wirtinger import tree_leaves
    >>> tree_leaves({"a": 1.0, "b": (2.0, [3.0, None])})
    [1.0, 2.0, 3.0]
    """
    return flatten(tree)[0]


def tree_structure(tree: Any) -> TreeStructure:
    """How the leaves of a tree are nested.

    Parameters
    ----------
    tree
        As for `tree_leaves`.

    Returns
    -------
    TreeStructure
        Equal for trees of equal structure, and what `tree_unflatten` takes.

    Examples
    --------
    >>> from wirtinger import tree_structure
    >>> tree_structure({"a": 1.0, "b": (2.0, 3.0)})
    TreeStructure(['a'], ['b'][0], ['b'][1])
    >>> tree_structure([1.0]) == tree_structure([2.0]), tree_structure([1.0]) == tree_structure((1.0,))
    (True, False)
    """
    return TreeStructure(tree)


def tree_unflatten(structure: TreeStructure, leaves: Sequence[Any]) -> Any:
    """The tree of a structure with given leaves.

    Parameters
    ----------
    structure : TreeStructure
        What `tree_structure` returned.
    leaves : sequence
        As many as it has, from left to right.

    Returns
    -------
    tree
        New containers around the leaves.

    Raises
    ------
    ValueError
        If there are more leaves or fewer.

    Examples
    --------
    >>> from wirtinger import tree_structure, tree_unflatten
    >>> tree_unflatten(tree_structure({"a": 1.0, "b": (2.0, 3.0)}), [4, 5, 6])
    {'a': 4, 'b': (5, 6)}
    """
    return structure.unflatten(leaves)


def tree_map(f: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """A tree of the same structure, whose leaves are `f` of the leaves.

    Parameters
    ----------
    f : callable
        Of one leaf of each tree.
    tree, *others
        Trees of the same structure; in the others the keys of dicts may be in another order, and None may replace a
        leaf, as in the gradient of a string or an integer.

    Returns
    -------
    tree
        Of the structure of `tree`.

    Raises
    ------
    ValueError
        If the structures differ.

    Examples
    --------
    >>> from wirtinger import grad, tree_map
    >>> w = {"a": 1.0, "b": [2.0, 3.0]}
    >>> g = grad(lambda w: w["a"] * w["b"][0] + w["b"][1] ** 2)(w)
    >>> tree_map(lambda w, g: float(w - 0.5 * g), w, g)
    {'a': 0.0, 'b': [1.5, 0.0]}
    """
    structure = TreeStructure(tree)
    trees = [flatten(tree)[0], *(structure.leaves(other, f"tree {i}") for i, other in enumerate(others, 1))]
    return structure.unflatten([f(*leaves) for leaves in zip(*trees, strict=True)])


def ravel_pytree(tree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """All leaves of a tree in one vector, and the way back.

    Both directions are differentiable, so functions that only take vectors, such as solvers, can be used with trees.

    Parameters
    ----------
    tree
        Of real and complex arrays and numbers.

    Returns
    -------
    vector : (n,) array
        The leaves in C order, one after another, in the dtype that NumPy promotes theirs to.
    unravel : callable
        Maps a vector of n elements to a tree with the shapes and dtypes of this one.  Real leaves get the real parts of
        a complex vector.

    Raises
    ------
    TypeError
        If a leaf is not a real or complex array or number.  Integers have no derivatives: pass floating-point values.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import ravel_pytree
    >>> vector, unravel = ravel_pytree({"a": np.ones(2), "b": 3.0})
    >>> vector
    array([1., 1., 3.])
    >>> unravel(2 * vector)
    {'a': array([2., 2.]), 'b': np.float64(6.0)}
    """
    structure = TreeStructure(tree)
    arrays = [as_array(x) for x in flatten(tree)[0]]
    for (name, leaf), x in zip(named_leaves(tree), arrays, strict=True):
        if x.dtype.kind not in "fc":
            raise TypeError(
                f"ravel_pytree takes real and complex arrays and numbers; {name} is a {type(leaf).__name__} of dtype "
                f"{x.dtype}. Pass floating-point values (3.0, x.astype(float)), and keep constants out of the tree."
            )
    spaces = [(x.shape, x.dtype) for x in arrays]
    sizes = [prod(shape) for shape, _ in spaces]

    def unravel(vector: Any) -> Any:
        vector = as_array(vector)
        if vector.shape != (sum(sizes),):
            raise ValueError(f"the vector has shape {vector.shape}, and the tree has {sum(sizes)} elements")
        leaves, start = [], 0
        for (shape, dtype), size in zip(spaces, sizes, strict=True):
            part = vector[start : start + size]
            start += size
            if vector.dtype.kind == "c" and dtype.kind == "f":
                part = part.real
            leaves.append(np.reshape(part, shape).astype(dtype)[()])
        return structure.unflatten(leaves)

    return np.concatenate([np.ravel(x) for x in arrays]) if arrays else np.zeros(0), unravel


def register_tree(
    kind: type, flatten: Callable[[Any], tuple[Sequence[Any], Any]], unflatten: Callable[[Any, Sequence[Any]], Any]
) -> type:
    """Make the instances of a class trees, as tuples and dicts are, to every transform.

    Parameters
    ----------
    kind : type
        The class; subclasses have to be registered separately.
    flatten : callable
        Takes an instance; returns its children, each a tree, and the rest of it, which is never differentiated and must
        be hashable.
    unflatten : callable
        Takes that rest and a sequence of children; returns an instance.

    Returns
    -------
    type
        The class.

    Raises
    ------
    ValueError
        If the class is registered already.
    TypeError
        If it is not a class, or a class of arrays or numbers.

    Examples
    --------
    >>> from wirtinger import grad, register_tree
    >>> class Interval:
    ...     def __init__(self, low, high, name):
    ...         self.low, self.high, self.name = low, high, name
    >>> _ = register_tree(Interval, lambda x: ((x.low, x.high), x.name), lambda name, ends: Interval(*ends, name))
    >>> g = grad(lambda x: x.high**2 - x.low)(Interval(1.0, 2.0, "time"))
    >>> float(g.low), float(g.high), g.name
    (-1.0, 4.0, 'time')
    """
    if not issubclass(type(kind), type):
        raise TypeError(f"register_tree takes a class, not a {type(kind).__name__}")
    if issubclass(kind, (np.ndarray, np.generic, int, float, complex, str)) or hasattr(kind, "__array_ufunc__"):
        raise TypeError(f"{kind.__name__} is a class of arrays, numbers or strings, which are leaves")
    if kind in REGISTERED:
        raise ValueError(f"{kind.__qualname__} is registered already")
    REGISTERED[kind] = flatten, unflatten
    return kind
