"""Reordering and repeating elements: flips, rolls, tiles, grids, windows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple
from numpy.lib.stride_tricks import sliding_window_view

from ...array.read_only import read_only
from ...array.structure import in_order, reshape
from ...array.views import view
from ...engine.dispatch import implements
from ...engine.errors import TraceError
from ...engine.operands import arange_like, as_operand
from ...engine.primitive import linear
from ...engine.traced import raw


@linear
def roll(a: Any, *, shift: Any, axis: Any) -> Any:
    """`numpy.roll`."""
    return np.roll(a, shift, axis)


@roll.adjoint(0)
def _(g: Any, a: Any, *, shift: Any, axis: Any) -> Any:
    return roll(g, shift=tuple(-s for s in shift) if isinstance(shift, tuple) else -shift, axis=axis)


@roll.batched
def _(g: Any, a: Any, *, shift: Any, axis: Any) -> Any:
    if len(a.shape) == 1 and isinstance(shift, int):
        return np.roll(g, -shift, 1)
    if axis is None:
        return None
    axes = [i % len(a.shape) + 1 for i in (axis if isinstance(axis, tuple) else (axis,))]
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    return np.roll(g, [-s for s in shifts], axes) if len(shifts) == len(axes) else None


@implements(np.roll)
def _(a: Any, shift: Any, axis: Any = None) -> Any:
    shift = tuple(int(s) for s in shift) if np.iterable(shift) else int(shift)
    return roll(a, shift=shift, axis=axis)


@implements(np.flip)
def _(m: Any, axis: Any = None) -> Any:
    axes = range(m.ndim) if axis is None else normalize_axis_tuple(axis, m.ndim)
    return m[tuple(slice(None, None, -1) if i in axes else slice(None) for i in range(m.ndim))]


@implements(np.flipud)
def _(m: Any) -> Any:
    if m.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return np.flip(m, 0)


@implements(np.fliplr)
def _(m: Any) -> Any:
    if m.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return np.flip(m, 1)


@implements(np.rot90)
def _(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = (normalize_axis_index(axis, m.ndim) for axis in axes)
    if first == second:
        raise ValueError("Axes must be different.")
    rotations = k % 4
    if rotations == 2:
        return np.flip(m, (first, second))
    if rotations == 1:
        return np.swapaxes(np.flip(m, second), first, second)
    return np.flip(np.swapaxes(m, first, second), second) if rotations else m[:]


@implements(np.tile)
def _(A: Any, reps: Any) -> Any:
    repeats = tuple(reps) if np.iterable(reps) else (reps,)
    dimensions = max(len(repeats), A.ndim)
    repeats = (1,) * (dimensions - len(repeats)) + repeats
    shape = (1,) * (dimensions - A.ndim) + A.shape
    # n copies of an axis of length m: an axis (m,) as (1, m), broadcast to (n, m), read as (n m,)
    separated = tuple(n for m in shape for n in (1, m))
    repeated = tuple(n for r, m in zip(repeats, shape, strict=True) for n in (r, m))
    tiled = tuple(r * m for r, m in zip(repeats, shape, strict=True))
    result = reshape(np.broadcast_to(np.reshape(A, separated), repeated), shape=tiled)
    return np.copy(result) if result.size == A.size else in_order(result, "C")


@implements(np.repeat)
def _(a: Any, repeats: Any, axis: int | None = None) -> Any:
    if axis is None or (np.ndim(a) == 0 and axis in (0, -1)):
        a, axis = np.ravel(a), 0
    axis = normalize_axis_index(axis, a.ndim)
    if type(repeats) is int and repeats > 1:
        before, behind = a.shape[: axis + 1], a.shape[axis + 1 :]
        each = np.broadcast_to(np.expand_dims(a, axis + 1), (*before, repeats, *behind))
        return in_order(reshape(each, shape=(*before[:axis], before[axis] * repeats, *behind)), "C")
    indices = np.repeat(arange_like(a, a.shape[axis]), raw(repeats))
    return in_order(a[(slice(None),) * axis + (indices,)], "C")


@implements(np.resize)
def _(a: Any, new_shape: Any) -> Any:
    shape = tuple(new_shape) if np.iterable(new_shape) else (new_shape,)
    if any(n < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    flat, size = np.ravel(a), int(np.prod(shape))
    if flat.size == 0 or size == 0:
        return np.zeros_like(flat, shape=shape)
    return np.reshape(np.tile(flat, -(-size // flat.size))[:size], shape)


@implements(np.trim_zeros)
def _(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    if trim.lower() not in ("fb", "bf", "f", "b"):
        raise ValueError(f"unexpected character(s) in `trim`: {trim.lower()!r}")
    axes = range(filt.ndim) if axis is None else normalize_axis_tuple(axis, filt.ndim, "axis")
    nonzero = np.argwhere(raw(filt))
    index = [slice(None)] * filt.ndim
    for i in axes:
        if not len(nonzero):
            index[i] = slice(0, 0)
            continue
        start = int(np.min(nonzero[:, i])) if "f" in trim.lower() else None
        stop = int(np.max(nonzero[:, i])) + 1 if "b" in trim.lower() else None
        index[i] = slice(start, stop)
    return filt[tuple(index)] if axes else filt


@implements(np.meshgrid)
def _(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    axes = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        axes[:2] = [1, 0]
    grids = tuple(np.reshape(as_operand(x), shape_along(axis, len(xi))) for axis, x in zip(axes, xi, strict=True))
    if not sparse:
        grids = np.broadcast_arrays(*grids)
    return tuple(grid.copy() for grid in grids) if copy else grids


def shape_along(axis: int, dimensions: int) -> tuple[int, ...]:
    """The shape of a vector that lies along one of several axes."""
    return (1,) * axis + (-1,) + (1,) * (dimensions - axis - 1)


@implements(np.ix_)
def _(*args: Any) -> Any:
    arrays = [as_operand(a) for a in args]
    if any(a.ndim != 1 for a in arrays):
        raise ValueError("Cross index must be 1 dimensional")
    arrays = [np.flatnonzero(a) if a.dtype.kind == "b" else a for a in arrays]
    return tuple(np.reshape(a, shape_along(axis, len(arrays))) for axis, a in enumerate(arrays))


@read_only
@linear(family="data movement")
def windows(a: Any, *, shape: Any, axis: Any) -> Any:
    """`sliding_window_view`, bound without its view."""
    return sliding_window_view(a, shape, axis)


@windows.adjoint(0)
def _(g: Any, a: Any, *, shape: Any, axis: Any) -> Any:
    return overlapped(g, lengths=a.shape, shape=shape, axis=axis)


@linear(family="compositions")
def overlapped(a: Any, *, lengths: tuple[int, ...], shape: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    """The sum of overlapping windows: element j of window i is added at i + j, along each axis."""
    out = np.zeros_like(a, shape=lengths)
    for offset in np.ndindex(*shape):
        start = [0] * len(lengths)
        for i, j in zip(axis, offset, strict=True):
            start[i] += j
        out[tuple(slice(i, i + n) for i, n in zip(start, a.shape, strict=False))] += a[(..., *offset)]
    return out


@overlapped.space_of
def _(a: Any, *, lengths: tuple[int, ...], shape: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    return lengths, a.dtype


@overlapped.adjoint(0)
def _(g: Any, a: Any, *, lengths: tuple[int, ...], shape: tuple[int, ...], axis: tuple[int, ...]) -> Any:
    return windows(g, shape=shape, axis=axis)


@implements(sliding_window_view)
def _(x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False) -> Any:
    if writeable:
        raise TraceError(
            "sliding_window_view(writeable=True) shows elements of a traced array several times, so that a write would "
            "have several places to go to. Write into the array itself."
        )
    shape = tuple(window_shape) if np.iterable(window_shape) else (window_shape,)
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim, allow_duplicate=True)
    return view(windows, x, shape=shape, axis=axes)
