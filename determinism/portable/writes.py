"""Writes by index whose result for repeated positions depends on the order of the index, not of memory.

NumPy does not guarantee the order of assignments.  So here every position is written once, with the last of its values;
the method `at` of a ufunc applies the first occurrences of all positions, then the second ones, and so on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..flag import is_portable
from ..layouts import are_plain, others_contiguous

Function = Callable[..., Any]


def last_stays(function: Function, target: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A wrapper of the policy table: at lower levels than `portable` NumPy's order is that of a contiguous index.

    `function` is `put_along_axis`, or it takes a target, values and `index=`.
    """
    if not is_portable() or not are_plain((target, *args, *kwargs.values())):
        return others_contiguous(function, target, *args, **kwargs)
    if "index" not in kwargs:
        return _put_along_axis(function, target, *args, **kwargs)
    index = kwargs["index"]
    found = _last(_numbers_of(target)[index], np.asarray(args[0])) if _may_repeat(index) else None
    if found is None:
        return others_contiguous(function, target, *args, **kwargs)
    places, values = found
    return function(target, values, index=np.unravel_index(places, np.shape(target)))


def _put_along_axis(function: Function, arr: Any, indices: Any, values: Any, axis: int | None = -1) -> None:
    numbers = _numbers_of(arr)
    found = _last(np.take_along_axis(numbers, np.asarray(indices), axis), np.asarray(values))
    if found is None:
        others_contiguous(function, arr, indices, values, axis)
        return
    places, values = found
    arr[np.unravel_index(places, arr.shape)] = values


def _numbers_of(a: Any) -> Any:
    return np.arange(np.size(a)).reshape(np.shape(a))


def _may_repeat(index: Any) -> bool:
    """Whether an index has arrays of integers, the only ones that can name a place twice."""
    parts = [
        np.asarray(x) for x in (index if type(index) is tuple else (index,)) if type(x) in (np.ndarray, list, tuple)
    ]
    return any(x.ndim and x.dtype.kind in "iu" for x in parts)


def _last(places: Any, values: Any) -> tuple[Any, Any] | None:
    """Each place once, with the last of its values; None where no place is named twice, or NumPy refuses the values."""
    surplus = values.ndim - np.ndim(places)
    if surplus > 0 and not any(n != 1 for n in values.shape[:surplus]):
        values = values.reshape(values.shape[surplus:])
    try:
        values = np.broadcast_to(values, places.shape)
    except ValueError:
        return None
    once, last = np.unique(places.ravel()[::-1], return_index=True)
    return None if once.size == places.size else (once, values.ravel()[::-1][last])


def at(ufunc: Any, elementwise: Function) -> Function:
    """The method `at` of a ufunc of one or two arguments, by a function with the same values that takes arrays."""

    def call(a: Any, indices: Any, /, *values: Any) -> None:
        places = np.asarray(_numbers_of(a)[indices])
        values = tuple(np.array(np.broadcast_to(x, places.shape)).ravel() for x in values)
        for chosen in _rounds(places.ravel()):
            shown = np.unravel_index(places.ravel()[chosen], a.shape)
            a[shown] = elementwise(a[shown], *(x[chosen] for x in values))

    call.__name__ = f"{ufunc.__name__}_at"
    return call


def at_level(require: Callable[..., Function | None], method: Function, a: Any, /, *args: Any) -> Any:
    """A wrapper of the policy table: the method `at` of a ufunc that meets `portable` where it takes arrays."""
    ufunc: Any = method.__self__  # type: ignore[attr-defined]
    if type(a) is not np.ndarray or not are_plain(args) or ufunc.nout > 1 or ufunc.signature:
        return method(a, *args)
    dtype = np.result_type(a, *args[1:])
    return at(ufunc, require(ufunc.__name__, "numpy", dtype, ufunc) or ufunc)(a, *args)


def _rounds(places: Any) -> list[Any]:
    """Where the first occurrences of all places stand, then the second ones, and so on."""
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    occurrence = np.arange(places.size) - np.searchsorted(ordered, ordered)
    return np.split(order[np.argsort(occurrence, kind="stable")], np.cumsum(np.bincount(occurrence))[:-1])
