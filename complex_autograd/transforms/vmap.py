"""`vmap`: turns a function of one item into a function of many, run once for all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..array.read_only import as_given
from ..array.tracing import DEPTH, LOCK
from ..batching import backend, functions, indexing, linear_algebra, operators, primitives, products, ufuncs
from ..batching.batch import array_of, is_mapped, mapped, repeated
from ..batching.items import Axis, active_axes, inside, lies_behind
from ..batching.objects import ObjectsOfItems
from ..engine.errors import TraceError
from ..engine.forward import CONSTANT
from ..engine.hooks import HOOKS
from ..engine.opaque import is_on_host
from ..engine.operands import as_operand
from ..engine.reverse import unshared
from ..engine.trace import MAPPING, next_level
from ..engine.traced import Traced, peel
from .arguments import as_array, as_number, children_of, flatten, unflatten
from .recording import TRACING
from .transformed import TransformedFunction, check_function

Loops = Literal["allow", "warn", "raise"]

RULES = backend, functions, indexing, linear_algebra, operators, primitives, products, ufuncs
"""The modules whose rules are found by function and by primitive."""


def vmap(
    f: Callable[..., Any] | None = None, in_axes: Any = 0, out_axes: Any = 0, *, loops: Loops = "allow"
) -> Callable[..., Any]:
    """A function of one item as a function of arrays of items, which are computed together.

    It returns the stacked results of a loop over the items, in the time of one call on larger arrays.

    Parameters
    ----------
    f : callable
        Of arrays or trees of arrays, with any such result.
    in_axes : int, None, or tree
        The item axis of each argument; None for an argument that is the same for all items.  A tuple has one entry per
        argument, each a number, None, or a tree of these with the structure of the argument, or of its outer part.
        Keyword arguments are mapped along their first axis.
    out_axes : int, None, or tree
        The item axis of the result; None for a result that is the same for all items.
    loops : {"allow", "warn", "raise"}
        Whether operations without a batching rule may be computed item by item: silently; with a `RuntimeWarning` that
        names each; or not at all.

    Returns
    -------
    callable
        With the arguments of `f`.  Without `f`, a decorator.

    Raises
    ------
    ValueError
        If no argument is mapped, the numbers of items differ, or an axis does not exist.
    TraceError
        If the function needs a single value where each item has its own (`if`, `float`, selecting with a mask); if a
        branch or a step that is computed for all items writes into what it closes over; or if a mapped value that was
        stored elsewhere is used after the call.

    Notes
    -----
    It composes with every transform in any order: `vmap(grad(f))` computes the gradients of all items in one sweep,
    `grad(lambda x: sum(vmap(f)(x)))` that of the sum.  `cond` and `switch` on a mapped value compute all branches and
    choose item by item; `while_loop` runs until the last item is done; solvers run item by item.  `f` is called once,
    so random numbers that it draws are the same for all items.  The order of arguments is that of `jax.vmap`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, vmap
    >>> vmap(np.dot, in_axes=(0, None))(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 1.0]))
    array([3., 7.])
    >>> vmap(grad(lambda x: x**3))(np.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    if loops not in ("allow", "warn", "raise"):
        raise ValueError(f"loops is {loops!r}; it must be 'allow', 'warn' or 'raise'")
    if f is None:
        return lambda f: vmap(f, in_axes, out_axes, loops=loops)
    check_function(f)
    if not isinstance(in_axes, (int, np.integer, tuple, list, type(None))):
        raise TypeError(f"in_axes must be a number, None, or a tuple with an entry for each argument, not {in_axes!r}")

    return TransformedFunction(_mapped, f, in_axes, out_axes, loops)


def _mapped(f: Callable[..., Any], in_axes: Any, out_axes: Any, loops: Loops, /, *args: Any, **kwargs: Any) -> Any:
    given = _axes_of_arguments(in_axes, args)
    leaves, structure = flatten((args, kwargs))
    axes = given + [0] * (len(leaves) - len(given))
    arrays = [_with_axis(x, along, i) for i, (x, along) in enumerate(zip(leaves, axes, strict=True))]
    axis = Axis(next_level(), _number_of_items(arrays, axes, leaves), _Looped(f, loops))
    axis.given = [x for x, along in zip(arrays, axes, strict=True) if along is not None and not lies_behind(x)]
    axis.given = [HOOKS.all_items(x) for x in axis.given]
    values = [_unmapped(x) if along is None else mapped(x, axis) for x, along in zip(arrays, axes, strict=True)]
    with TRACING, _MAPS, inside((*active_axes(), axis)):
        new_args, new_kwargs = unflatten(structure, [*map(as_given, values, arrays)])
        out = f(*new_args, **new_kwargs)
        outputs, out_structure = flatten(out)
        out_along = axes_like(out_axes, out, "out_axes")
        found = [_result(x, along, axis) for x, along in zip(outputs, out_along, strict=True)]
    own = iter(unshared([x for x in found if hasattr(x, "dtype")], leaves))
    return unflatten(out_structure, [next(own) if hasattr(x, "dtype") else x for x in found])


class _Maps:
    """Marks the extent of a function that is being mapped."""

    __slots__ = ()

    def __enter__(self) -> None:
        DEPTH.mapped += 1
        with LOCK:
            MAPPING[0] += 1

    def __exit__(self, *error: Any) -> None:
        DEPTH.mapped -= 1
        with LOCK:
            MAPPING[0] -= 1


_MAPS = _Maps()


class _Looped:
    """What becomes of an operation that is computed item by item."""

    __slots__ = ("_loops", "_name", "_said")

    def __init__(self, f: Any, loops: Loops) -> None:
        self._name, self._loops = getattr(f, "__name__", type(f).__name__), loops
        self._said: set[str] = set()

    def __call__(self, name: str) -> None:
        if self._loops == "allow" or (name in self._said and self._loops == "warn"):
            return
        self._said.add(name)
        text = (
            f"vmap of {self._name}: {name} is computed item by item, since it has no batching rule for these arguments"
        )
        if self._loops == "raise":
            raise TraceError(f"{text}. Write it with other functions, or allow it: loops='allow'.")
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def axes_like(prefix: Any, tree: Any, name: str) -> list[int | None]:
    """The axis of each leaf of a tree, from a tree of axes that has its structure or that of its outer part."""
    if prefix is None or (isinstance(prefix, (int, np.integer)) and not isinstance(prefix, bool)):
        return [prefix if prefix is None else int(prefix)] * len(flatten(tree)[0])
    children, keys = children_of(tree), None
    if isinstance(prefix, dict) and isinstance(tree, dict):
        if prefix.keys() != tree.keys():
            raise ValueError(f"{name} has the keys {list(prefix)}, and not {list(tree)}")
        keys = list(tree)
    parts = children_of(prefix)
    if parts is None:
        raise TypeError(f"{name} holds {prefix!r}: it must consist of axis numbers and None")
    if children is None or len(parts) != len(children) or (not keys and not _same_kind(prefix, tree)):
        raise ValueError(
            f"{name} holds {prefix!r} for a {type(tree).__name__}: give it the structure of that, or one number for all"
        )
    if keys:
        parts = [prefix[key] for key in keys]
    return [axis for part, child in zip(parts, children, strict=True) for axis in axes_like(part, child, name)]


def _same_kind(prefix: Any, tree: Any) -> bool:
    """Whether two nodes may stand for each other: tuples and lists may."""
    return type(prefix) is type(tree) or (type(prefix) in (tuple, list) and isinstance(tree, (tuple, list)))


def _axes_of_arguments(in_axes: Any, args: Sequence[Any]) -> list[int | None]:
    if not isinstance(in_axes, (tuple, list)):
        return axes_like(in_axes, args, "in_axes")
    if len(in_axes) != len(args):
        raise ValueError(
            f"in_axes has {len(in_axes)} entries for {len(args)} positional arguments: give one entry per "
            "argument, None for one that is the same for all items. Those by keyword are mapped along axis 0."
        )
    return [axis for part, arg in zip(in_axes, args, strict=True) for axis in axes_like(part, arg, "in_axes")]


def _with_axis(x: Any, axis: int | None, number: int) -> Any:
    """A leaf of the arguments with the axis of the items as the first one."""
    if axis is None:
        return x
    array = as_operand(x)
    if getattr(array, "dtype", None) is None or array.dtype.kind not in "fciub":
        raise TypeError(
            f"vmap: leaf {number} of the arguments is a {type(x).__name__}, which has no items. Give it the entry None "
            "in in_axes"
        )
    if not -len(array.shape) <= axis < len(array.shape):
        raise ValueError(
            f"vmap: leaf {number} of the arguments has shape {tuple(array.shape)} and so no axis {axis}. Give it the "
            "entry None in in_axes if it is the same for all items"
        )
    return array if axis in (0, -len(array.shape)) else np.moveaxis(array, axis, 0)


def _number_of_items(arrays: Sequence[Any], axes: Sequence[int | None], leaves: Sequence[Any]) -> int:
    sizes = {i: x.shape[0] for i, (x, axis) in enumerate(zip(arrays, axes, strict=True)) if axis is not None}
    if not sizes:
        raise ValueError(
            "vmap: no argument is mapped: in_axes is None for all, or there is none. At least one must have items."
        )
    if len(set(sizes.values())) > 1:
        listed = "; ".join(
            f"leaf {i} of shape {tuple(np.shape(leaves[i]))} has {n} along axis {axes[i]}" for i, n in sizes.items()
        )
        raise ValueError(f"vmap: the arguments have different numbers of items: {listed}")
    return int(next(iter(sizes.values())))


def _unmapped(x: Any) -> Any:
    """An argument that is the same for all items; an array as a constant, which mapped values can index and fill."""
    return Traced(x, CONSTANT, None) if is_on_host(x) and x.dtype.kind in "fciu" else x


def _result(x: Any, out_axis: int | None, axis: Axis) -> Any:
    """A leaf of the result with the items along an axis; None for one that is the same for all."""
    if isinstance(x, ObjectsOfItems):
        raise TypeError(
            f"vmap: the function returned a {x.kind.__name__} for each item, which no array holds. Return what is "
            "wanted of it: tuple(x), one of its attributes, or what a call of it gives"
        )
    if out_axis is None:
        if is_mapped(x, axis):
            raise ValueError("vmap: out_axes is None for a result that differs between items. Give an axis number.")
        return as_number(peel(x)) if hasattr(x, "dtype") else x
    made = as_array(x)
    if getattr(made, "dtype", None) is None or made.dtype.kind not in "fciubO":
        raise TypeError(
            f"vmap: the function returned a {type(x).__name__}, which cannot be stacked into an array: give it "
            "out_axes=None"
        )
    array = peel(array_of(made, axis) if is_mapped(made, axis) else repeated(peel(made), axis))
    out_axis = normalize_axis_index(out_axis, len(array.shape))
    return np.moveaxis(array, 0, out_axis) if out_axis else array
