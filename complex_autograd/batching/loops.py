"""Functions without a batching rule, computed item by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

import numpy as np

from ..array.views import getitem
from ..engine.dispatch import name_of
from ..engine.errors import TraceError
from ..engine.primitive import Primitive
from ..engine.traced import Traced
from .batch import array_of, is_mapped, mapped, unbatched
from .items import Axis, outside_of
from .objects import ObjectsOfItems


def items(x: Any, axis: Axis) -> Sequence[Any]:
    """All items of a value, or of a tree of values; what is the same for all items stands there as often as it is."""
    if is_mapped(x, axis):
        array = array_of(x, axis)
        return [getitem(array, index=k) for k in range(axis.size)] if isinstance(array, Traced) else list(array)
    kind = type(x)
    if isinstance(x, ObjectsOfItems) and x._axis is axis:
        return x._current()
    if kind in (tuple, list) and x:
        rows = zip(*[items(part, axis) for part in x], strict=True)
        return list(rows) if kind is tuple else list(map(list, rows))
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return [kind(*row) for row in items(tuple(x), axis)]
    if kind is dict:
        return [dict(zip(x, row, strict=True)) for row in items(tuple(x.values()), axis)]
    if kind is slice:
        return [slice(*row) for row in items((x.start, x.stop, x.step), axis)]
    return [unbatched(x)] * axis.size


def item_by_item(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], axis: Axis) -> Any:
    """Call a function of arrays once for each item, and put the results together."""
    name = function.name if isinstance(function, Primitive) else name_of(function)
    axis.looped(name)
    if axis.size == 0:
        raise TraceError(
            f"{name} has no batching rule, so it is computed item by item, and vmap was given no items, so the shape "
            "of its result is unknown. Give vmap at least one item."
        )
    with outside_of(axis):
        if kwargs:
            given = zip(items(tuple(args), axis), items(kwargs, axis), strict=True)
            results = [function(*each, **options) for each, options in given]
        else:
            results = [function(*each) for each in items(tuple(args), axis)]
    return together(results, axis, name)


def together(results: list[Any], axis: Axis, name: str, are_arrays: bool = True) -> Any:
    """The results for all items as one; arrays and numbers as mapped values, in tuples, lists and dicts, too.

    Other objects, as the splines and the results of tests that SciPy returns, are `ObjectsOfItems`; so are the steps of
    a solver, of which each item may have others.
    """
    first = results[0]
    if isinstance(first, tuple) and not _is_made_of_its_parts(type(first)):
        return ObjectsOfItems(results, axis, item_by_item)
    if isinstance(first, (tuple, list)):
        parts = [together(list(column), axis, name, are_arrays) for column in zip(*results, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if isinstance(first, dict):
        found, are_arrays = copy(first), are_arrays and type(first) is dict
        found.update({key: together([each[key] for each in results], axis, name, are_arrays) for key in first})
        return found
    if first is None or isinstance(first, str):
        return first
    if not issubclass(type(first), (int, float, complex)) and not hasattr(first, "dtype"):
        return ObjectsOfItems(results, axis, item_by_item)
    if any(is_mapped(x, axis) for x in results):
        raise TraceError(
            f"{name}, which vmap calls item by item, reads a mapped value that is not one of its arguments but in a "
            "closure or an attribute of an object. Pass it as an argument, or make the object item by item, outside "
            "vmap."
        )
    shapes = {np.shape(x) for x in results}
    if len(shapes) > 1 and not are_arrays:
        return ObjectsOfItems(results, axis, item_by_item)
    if len(shapes) > 1:
        raise TraceError(
            f"{name} of a value that vmap maps over returned arrays of different shapes for different items, "
            f"{' and '.join(map(str, sorted(shapes)[:2]))}, which do not fit in one array. Keep the shape: choose by "
            "where(mask, a, 0) in place of a[mask], or call it item by item, outside vmap."
        )
    return mapped(np.stack(results), axis)


def _is_made_of_its_parts(kind: type) -> bool:
    """Whether a class of tuples is Python's or one with names, and takes nothing else."""
    return kind is tuple or (
        hasattr(kind, "_fields") and not any("__init__" in vars(each) for each in kind.__mro__[:-1])
    )
