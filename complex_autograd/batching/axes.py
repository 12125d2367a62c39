"""Functions along axes: counted from the end, the axes of one item are those of the array of all items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from .batch import array_of, innermost, is_mapped, mapped, with_axes
from .items import Axis

Rule = Callable[[Any, Axis, Sequence[Any], dict[str, Any]], Any]


def from_the_end(axis: Any, ndim: int) -> Any:
    """An axis, or a tuple of them, of an item with so many axes, as negative numbers."""
    if np.iterable(axis):
        return tuple(normalize_axis_index(i, ndim) - ndim for i in axis)
    return normalize_axis_index(axis, ndim) - ndim


def along(number: int, default: Any = None, none: str = "all", name: str = "axis", refuses: Sequence[str] = ()) -> Rule:
    """The rule of a function of one array along an axis.

    Parameters
    ----------
    number : int
        Which of the arguments by position the axis is.
    default : optional
        The axis where none is given.
    none : {"all", "flat", "only", "loop"}
        What None stands for: all axes; the elements in one line; the only axis; or it has no rule.
    name : str
        The name of the argument.
    refuses : sequence of str
        Keywords with which it has no rule.
    """

    def rule(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        args, kwargs = list(args), dict(kwargs)
        if not args or not is_mapped(args[0], axis) or any(kwargs.get(key) is not None for key in refuses):
            return NotImplemented
        array, where = array_of(args.pop(0), axis), kwargs.pop("where", None)
        ndim = len(array.shape) - 1
        given = args.pop(number - 1) if len(args) >= number else kwargs.pop(name, default)
        behind, args = args[number - 1 :], args[: number - 1]
        if innermost((*args, *behind, kwargs)) is axis:
            return NotImplemented
        if given is None and none == "only" and ndim == 1:
            given = -1
        is_kept = kwargs.get("keepdims") is True and (none == "flat" or not ndim)
        if given is None and (is_kept or none in ("only", "loop")):
            return NotImplemented
        if given is None and (none == "flat" or not ndim):
            array, given = np.reshape(array, (axis.size, int(np.prod(array.shape[1:])))), -1
            if where is not None:
                return NotImplemented
        elif not ndim:
            return NotImplemented
        else:
            given = tuple(range(-ndim, 0)) if given is None else from_the_end(given, ndim)
        if where is not None and where is not np._NoValue:
            kwargs["where"] = with_axes(array_of(where, axis), ndim) if is_mapped(where, axis) else where
        if behind:
            args += [given, *behind]
        else:
            kwargs[name] = given
        found = function(array, *args, **kwargs)
        return tuple(mapped(x, axis) for x in found) if isinstance(found, tuple) else mapped(found, axis)

    return rule


def deviation(function: Any, axis: Axis, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The rule of standard deviations: of whole numbers NumPy casts that of an item, and refuses an array of them."""
    dtype = args[2] if len(args) > 2 else kwargs.get("dtype")
    if dtype is not None and np.dtype(dtype).kind in "iub":
        return NotImplemented
    return along(1)(function, axis, args, kwargs)
