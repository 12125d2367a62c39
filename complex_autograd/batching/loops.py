"""What has no batching rule: it is computed for one item after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..array.views import getitem
from ..engine.dispatch import name_of
from ..engine.errors import TraceError
from ..engine.traced import Traced
from .batch import array_of, is_mapped, mapped, unbatched
from .items import Axis


def item(x: Any, axis: Axis, number: int) -> Any:
    """One item of a value, or of a tree of values; what is the same for all items as it is."""
    if is_mapped(x, axis):
        array = array_of(x, axis)
        return getitem(array, index=number) if isinstance(array, Traced) else array[number]
    if type(x) in (tuple, list):
        return type(x)(item(part, axis, number) for part in x)
    if isinstance(x, tuple) and hasattr(x, "_fields"):
        return type(x)(*[item(part, axis, number) for part in x])
    if type(x) is dict:
        return {key: item(part, axis, number) for key, part in x.items()}
    if type(x) is slice:
        return slice(*[item(part, axis, number) for part in (x.start, x.stop, x.step)])
    return unbatched(x)


def item_by_item(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], axis: Axis) -> Any:
    """Call a function of arrays once for each item, and put the results together."""
    name = name_of(function)
    axis.looped(name)
    if axis.size == 0:
        raise TraceError(
            f"{name} has no batching rule, so it is computed item by item, and vmap was given none: what it returns "
            "is not known. Give vmap at least one item."
        )
    results = [function(*item(tuple(args), axis, k), **item(kwargs, axis, k)) for k in range(axis.size)]
    return together(results, axis, name)


def together(results: list[Any], axis: Axis, name: str) -> Any:
    """The results for all items as one; arrays and numbers as mapped values, in tuples, lists and dicts, too."""
    first = results[0]
    if isinstance(first, (tuple, list)):
        parts = [together(list(column), axis, name) for column in zip(*results, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if type(first) is dict:
        return {key: together([each[key] for each in results], axis, name) for key in first}
    if first is None or isinstance(first, str):
        return first
    shapes = {np.shape(x) for x in results}
    if len(shapes) > 1:
        raise TraceError(
            f"{name} of a value that vmap maps over returned arrays of other shapes for other items, "
            f"{' and '.join(map(str, sorted(shapes)[:2]))}, which no array holds. Keep the shape: choose by "
            "where(mask, a, 0) in place of a[mask], or call it item by item, outside of vmap."
        )
    return mapped(np.stack(results), axis)
