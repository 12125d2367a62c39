"""`pad`, in every mode.

Zeros are the adjoint of a slice.  The modes that copy elements (edge, reflect, symmetric, wrap, other constants) run
NumPy's own `pad` on positions, and so learn where each element of the result comes from.  All but constants grow the
array one axis after the other, in NumPy's order: what is added along an axis is computed from what the earlier axes
have added already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...array.structure import in_order, order_of
from ...array.views import scatter
from ...engine.dispatch import implements
from ...engine.operands import arange_like, as_operand, asarray_like

_OPTIONS = {
    "constant": "constant_values",
    "edge": None,
    "empty": None,
    "linear_ramp": "end_values",
    "maximum": "stat_length",
    "mean": "stat_length",
    "median": "stat_length",
    "minimum": "stat_length",
    "reflect": "reflect_type",
    "symmetric": "reflect_type",
    "wrap": None,
}
_STATISTICS = {"maximum": np.max, "mean": np.mean, "median": np.median, "minimum": np.min}


@implements(np.pad)
def _(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    array = as_operand(array)
    padded = _padded(array, pad_width, mode, kwargs)
    return in_order(padded, order_of(array))


def _padded(array: Any, pad_width: Any, mode: Any, kwargs: dict[str, Any]) -> Any:
    widths = _widths(pad_width, array.ndim)
    if callable(mode):
        return _by_function(array, widths, mode, kwargs)
    if mode not in _OPTIONS:
        raise ValueError(f"mode '{mode}' is not supported")
    unsupported = set(kwargs) - {_OPTIONS[mode]}
    if unsupported:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unsupported}")
    if mode in ("constant", "empty"):
        return _with_constants(array, widths, kwargs.get("constant_values", 0))
    is_odd = kwargs.get("reflect_type", "even") != "even"
    copies = mode in ("edge", "wrap") or (mode in ("reflect", "symmetric") and not is_odd)
    if array.size == 0:
        return _by_position(array, widths, mode if copies else "edge")
    pairs = _copies(mode) if copies else _added_by(mode, kwargs, array)
    for axis in range(array.ndim):
        if any(widths[axis]):
            before, after = pairs(array, axis, widths[axis])
            array = np.concatenate([before, array, after], axis)
    return array


def _widths(pad_width: Any, dimensions: int) -> list[list[int]]:
    """The widths before and after each axis."""
    if isinstance(pad_width, dict):
        pairs = [(0, 0)] * dimensions
        for axis, width in pad_width.items():
            pairs[axis] = width if isinstance(width, tuple) else (width, width)
        pad_width = pairs
    if np.asarray(pad_width).dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    return _index_pairs(pad_width, dimensions)


def _index_pairs(x: Any, dimensions: int) -> list[list[int]]:
    pairs = np.round(_as_pairs(np.asarray(x))).astype(np.intp)
    if np.any(pairs < 0):
        raise ValueError("index can't contain negative values")
    return np.broadcast_to(pairs, (dimensions, 2)).tolist()  # type: ignore[no-any-return]


def _as_pairs(x: Any) -> Any:
    """A number, a pair, or a pair an axis, in a shape that broadcasts to (axes, 2)."""
    if x.ndim < 3 and x.size == 1:
        return np.reshape(x, (1, 1))
    return np.reshape(x, (1, 2)) if x.ndim < 3 and x.size == 2 and x.shape != (2, 1) else x


def _by_position(a: Any, widths: Any, mode: Any) -> Any:
    positions = np.pad(arange_like(a, a.size).reshape(a.shape), widths, mode)
    return np.ravel(a)[positions]


def _with_constants(a: Any, widths: Any, constant_values: Any) -> Any:
    if issubclass(type(constant_values), (int, float)) and constant_values == 0:
        inside = tuple(slice(before, before + n) for n, (before, _) in zip(a.shape, widths, strict=True))
        return scatter(a, index=inside, shape=tuple(n + sum(width) for n, width in zip(a.shape, widths, strict=True)))
    values = _values(constant_values, a)
    numbers = [(a.size + 2 * k, a.size + 2 * k + 1) for k in range(a.ndim)]
    positions = np.pad(arange_like(a, a.size).reshape(a.shape), widths, constant_values=numbers)
    return np.concatenate([np.ravel(a), np.ravel(values)])[positions]


def _values(x: Any, a: Any) -> Any:
    """The values of an option, as an array of shape (axes, 2) and the dtype of `a`."""
    values = asarray_like(x, a)
    if a.dtype.kind != "c" and values.dtype.kind == "c":
        raise TypeError("complex values cannot be padded onto a real array: make it complex with array.astype(complex)")
    return np.broadcast_to(_as_pairs(values).astype(a.dtype), (a.ndim, 2))


Added = Callable[[Any, int, Sequence[int]], tuple[Any, Any]]


def _added_by(mode: str, kwargs: dict[str, Any], a: Any) -> Added:
    """What a mode puts before and after an axis."""
    if mode == "linear_ramp":
        return _ramps(_values(kwargs.get("end_values", 0), a))
    if mode in _STATISTICS:
        return _statistics(_STATISTICS[mode], kwargs.get("stat_length"), a.ndim)
    return _odd_reflections(include_edge=mode == "symmetric")


def _along(axis: int, part: Any) -> tuple[Any, ...]:
    return (slice(None),) * axis + (part,)


def _copies(mode: Any) -> Added:
    """Slices of the array, or indexed elements where the width takes more than one of them."""

    def added(a: Any, axis: int, widths: Sequence[int]) -> tuple[Any, Any]:
        n = a.shape[axis]
        positions = np.pad(np.arange(n), widths, mode)

        def part(start: int, stop: int) -> Any:
            first, width = int(positions[start]) if stop > start else 0, stop - start
            step = int(positions[start + 1]) - first if width > 1 else 1
            if np.any(np.diff(positions[start:stop]) != step):
                return a[_along(axis, np.pad(arange_like(a, n), widths, mode)[start:stop])]
            if not step:
                return np.repeat(a[_along(axis, slice(first, first + 1))], width, axis)
            end = first + step * width
            return a[_along(axis, slice(first, end if end >= 0 else None, step))]

        return part(0, widths[0]), part(widths[0] + n, len(positions))

    return added


def _ramps(end_values: Any) -> Added:
    def added(a: Any, axis: int, widths: Sequence[int]) -> tuple[Any, Any]:
        ramps = [
            np.linspace(end, np.take(a, edge, axis), width, endpoint=False, axis=axis, dtype=a.dtype)
            for end, edge, width in zip((end_values[axis, 0], end_values[axis, 1]), (0, -1), widths, strict=True)
        ]
        return ramps[0], np.flip(ramps[1], axis)

    return added


def _statistics(function: Any, stat_length: Any, dimensions: int) -> Added:
    lengths: Any = [(None, None)] * dimensions if stat_length is None else _index_pairs(stat_length, dimensions)

    def added(a: Any, axis: int, widths: Sequence[int]) -> tuple[Any, Any]:
        n = a.shape[axis]
        before, after = (n if length is None else min(length, n) for length in lengths[axis])
        if (before == 0 or after == 0) and function in (np.max, np.min):
            raise ValueError("stat_length of 0 yields no value for padding")
        first = function(a[_along(axis, slice(0, before))], axis=axis, keepdims=True)
        last = function(a[_along(axis, slice(n - after, n))], axis=axis, keepdims=True)
        return np.repeat(first, widths[0], axis), np.repeat(last, widths[1], axis)

    return added


def _odd_reflections(include_edge: bool) -> Added:
    """Reflection through the point at the edge: 2 edge - a, again and again until the width is filled."""

    def added(a: Any, axis: int, widths: Sequence[int]) -> tuple[Any, Any]:
        n = a.shape[axis]
        if n == 1:
            return np.repeat(a, widths[0], axis), np.repeat(a, widths[1], axis)
        period = n if include_edge else n - 1
        grown, (before, after) = a, (0, 0)
        while before < widths[0] or after < widths[1]:
            length = grown.shape[axis]
            reach = length // period * period if include_edge else (length - 1) // period * period
            left, right = min(reach, widths[0] - before), min(reach, widths[1] - after)
            skipped = 0 if include_edge else 1
            first, last = grown[_along(axis, slice(0, 1))], grown[_along(axis, slice(length - 1, None))]
            head = np.flip(grown[_along(axis, slice(skipped, skipped + left))], axis)
            tail = np.flip(grown[_along(axis, slice(length - skipped - right, length - skipped))], axis)
            grown = np.concatenate([2 * first - head, grown, 2 * last - tail], axis)
            before, after = before + left, after + right
        return grown[_along(axis, slice(0, before))], grown[_along(axis, slice(before + n, None))]

    return added


def _by_function(a: Any, widths: Any, function: Callable[..., Any], kwargs: dict[str, Any]) -> Any:
    """Zeros around the array; the function fills them in, line after line, in place."""
    padded = np.pad(a, widths)
    for axis in range(padded.ndim):
        lines = np.moveaxis(padded, axis, -1)
        for i in np.ndindex(*lines.shape[:-1]):
            function(lines[(*i, ...)], widths[axis], axis, kwargs)
    return padded
