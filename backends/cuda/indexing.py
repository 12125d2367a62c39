"""Indexing on a GPU.

If integer arrays name a position twice, CUDA's threads write in any order, but as in NumPy the last value must remain.
So an atomic maximum first stores for each position the number of its last writer, and then only that writer's value is
written.
"""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from .operands import bare, refuse


def bare_index(index: Any) -> Any:
    """An index for CuPy; a NumPy array in it raises, literal lists become arrays."""
    kind = type(index)
    if kind is int or kind is slice or index is None or index is Ellipsis:
        return index
    if kind is tuple:
        return tuple([bare_index(part) for part in index])
    if issubclass(kind, np.ndarray):
        refuse(index, "index an array on a GPU")
    if issubclass(kind, cupy.ndarray):
        return bare(index)
    if kind is list:
        return cupy.asarray(bare(index)) if index else cupy.zeros(0, np.intp)
    return index


def may_repeat(index: Any) -> bool:
    """Whether an index holds integer arrays, so that it may name a place twice."""
    return any(
        issubclass(type(part), cupy.ndarray) and part.ndim and part.dtype.kind in "iu"
        for part in (index if isinstance(index, tuple) else (index,))
    )


def distinct_values(shape: tuple[int, ...], index: Any, value: Any) -> Any:
    """Values to write at an index, in which those for the same place are equal: that of its last writer."""
    if not getattr(value, "size", 1) > 1:
        return value
    positions = cupy.arange(int(np.prod(shape))).reshape(shape)[index]
    numbers = cupy.arange(positions.size).reshape(positions.shape)
    last = cupy.zeros(int(np.prod(shape)), numbers.dtype)
    cupy.maximum.at(last, positions, numbers)
    return cupy.broadcast_to(_without_ones(value, positions.ndim), positions.shape).ravel()[last[positions]]


def _without_ones(value: Any, ndim: int) -> Any:
    """NumPy lets a value have more axes than the places, of length 1, in front."""
    return value.reshape(value.shape[value.ndim - ndim :]) if value.ndim > ndim else value
