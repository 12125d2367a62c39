"""The batching rules of linear algebra: its functions accept stacks, so the item axis is one more stack axis."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..engine.hooks import HOOKS
from .axes import along
from .batch import array_of, innermost, is_mapped, mapped, shape_of, unbatched, with_axes
from .functions import RULES
from .items import Axis
from .loops import item_by_item

_AXES: dict[str, dict[str, int]] = {
    "det": {"a": 2}, "slogdet": {"a": 2}, "inv_ex": {"a": 2}, "matrix_rank": {"A": 2}, "bandwidth": {"a": 2},
}  # fmt: skip
"""Of functions that say it nowhere else: how many axes one item of each argument has."""

_TAKEN_APART = {
    "diagonal", "trace", "matrix_transpose", "matmul", "vecdot", "tensordot", "outer", "cross", "multi_dot",
}  # fmt: skip
"""Functions that are made of products and rearrangements."""

_OF_VECTORS = {"solve", "solve_triangular"}
"""Functions whose right side may be a vector."""

_OF_COLUMNS = {"solve", "solve_triangular", "lu_solve", "cho_solve"}
"""Functions of a matrix, or of its factors, and right sides that may be the columns of one array."""

_LOOPED = {"cossin"}
"""Functions whose results are no stacks."""


def mapped_linalg(
    function: Callable[..., Any], body: Callable[..., Any], axes: dict[str, int], args: Any, kwargs: dict[str, Any]
) -> Any:
    """What a function of `wirtinger.linalg` does to batches.

    Parameters
    ----------
    function, body : callable
        The function as it is called, and without its decorator.
    axes : dict
        How many axes one item of each argument has that may be a stack.
    args, kwargs
        What it is called with.
    """
    name = function.__name__
    axis = innermost((*args, kwargs))
    assert axis is not None
    args = tuple(map(unbatched, args))
    rule = _BY_NAME.get(name)
    if rule is not None:
        found = rule(function, axis, args, kwargs)
    elif name in _TAKEN_APART:
        return body(*args, **kwargs)
    else:
        found = _as_columns(function, axis, args, kwargs)
        if found is NotImplemented:
            found = _tried(function, axes or _AXES.get(name, {}), axis, args, kwargs)
    return item_by_item(function, args, kwargs, axis) if found is NotImplemented else found


HOOKS.mapped_linalg = mapped_linalg


@cache
def _signature(function: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(function)


def _tried(
    function: Callable[..., Any], axes: dict[str, int], axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """The result for a stack; `NotImplemented` also where the function takes none, or finds fault with some item."""
    try:
        return _stacked(function, axes, axis, args, kwargs)
    except Exception:
        return NotImplemented


def _as_columns(function: Callable[..., Any], axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Systems of one matrix, whose right sides are the columns of one array: `NotImplemented` for any other call."""
    if function.__name__ not in _OF_COLUMNS or len(args) != 2 or innermost((args[0], kwargs)) is axis:
        return NotImplemented
    a, b = args
    matrix = a[0] if isinstance(a, tuple) else a
    if len(shape_of(matrix)) != 2 or len(shape_of(b)) not in (1, 2) or "left" in kwargs:
        return NotImplemented
    array = array_of(b, axis)
    columns = np.moveaxis(array, 0, -1)
    found = function(a, np.reshape(columns, (columns.shape[0], -1)), **kwargs)
    return mapped(np.moveaxis(np.reshape(found, (found.shape[0], *columns.shape[1:])), -1, 0), axis)


def _stacked(
    function: Callable[..., Any], axes: dict[str, int], axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """The result for a stack with one more axis; `NotImplemented` where the arguments are none."""
    if not axes or function.__name__ in _LOOPED:
        return NotImplemented
    bound = _signature(function).bind(*args, **kwargs)
    given = bound.arguments
    others = [x for name, x in given.items() if name not in axes]
    if innermost(others) is axis:
        return NotImplemented
    stacks = {name: x for name in axes if (x := given.get(name)) is not None}
    if any(isinstance(x, (tuple, list)) for x in stacks.values()):
        return NotImplemented
    is_vector = False
    for name, x in stacks.items():
        if len(shape_of(x)) < axes[name] and is_mapped(x, axis):
            if name != "b" or len(shape_of(x)) != 1 or function.__name__ not in _OF_VECTORS or "left" in given:
                return NotImplemented
            is_vector = True
    depth = max(max(len(shape_of(x)) - axes[name], 0) for name, x in stacks.items())
    for name, x in stacks.items():
        if not is_mapped(x, axis):
            continue
        array = array_of(x, axis)
        if is_vector and name == "b":
            array = array[..., None]
        given[name] = with_axes(array, depth + axes[name])
    found = _as_items(function(*bound.args, **bound.kwargs), axis)
    return found[..., 0] if is_vector and found is not NotImplemented else found


def _as_items(found: Any, axis: Axis) -> Any:
    """Results whose first axis is that of the items; `NotImplemented` if one has none."""
    if isinstance(found, tuple):
        parts = [_as_items(part, axis) for part in found]
        if any(part is NotImplemented for part in parts):
            return NotImplemented
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    shape = shape_of(found) if hasattr(found, "dtype") else ()
    return mapped(found, axis) if shape[:1] == (axis.size,) else NotImplemented


def _norm(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """`norm(x, ord, axis, keepdims)`: without axes of all elements, or of the vector or the matrix that `x` is."""
    x = args[0]
    given = args[2] if len(args) > 2 else kwargs.get("axis")
    if given is not None or not is_mapped(x, axis):
        return along(2)(function, axis, args, kwargs)
    order = args[1] if len(args) > 1 else kwargs.get("ord")
    ndim = len(shape_of(x))
    if ndim not in (1, 2) or len(args) > 2 or kwargs.get("keepdims"):
        return NotImplemented
    flat = order is None or ndim == 1
    array = array_of(x, axis)
    array = np.reshape(array, (axis.size, int(np.prod(array.shape[1:])))) if flat else array
    others = {key: part for key, part in kwargs.items() if key not in ("ord", "axis")}
    if innermost((order, others)) is axis:
        return NotImplemented
    return mapped(function(array, order, axis=-1 if flat else (-2, -1), **others), axis)


_BY_NAME = {"norm": _norm, "vector_norm": along(99)}


def _by_protocol(name: str, axes: dict[str, int]) -> None:
    """The rule of a function of `numpy.linalg`."""

    def rule(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        found = _as_columns(function, axis, args, kwargs)
        return _tried(function, axes, axis, args, kwargs) if found is NotImplemented else found

    RULES[getattr(np.linalg, name)] = rule


for _name in ("cholesky", "cond", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "matrix_power", "pinv", "qr",
              "slogdet", "svd", "solve"):  # fmt: skip
    _by_protocol(_name, {"a": 2, "x": 2, "b": 2})
_by_protocol("matrix_rank", {"A": 2})
_by_protocol("matrix_norm", {"x": 2})
_by_protocol("svdvals", {"x": 2})
RULES[np.linalg.norm] = _norm
RULES[np.linalg.vector_norm] = along(99)
