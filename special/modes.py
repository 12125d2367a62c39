"""Kernels of functions with whole orders and degrees: large arrays go through them mode by mode.

What depends on the orders and degrees alone is then a number and not an array, and the terms of a series end where
those of the mode do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..complex_autograd.array import raw
from .parameters import flat

__all__ = ["AT_ONCE", "by_modes"]

_ENOUGH, _ENOUGH_TRACED = 64, 512
"""Elements of a mode on average, from which on they are computed apart from those of others: plain and traced ones."""
_BLOCK = 4096
"""About so many elements at a time, so that what a kernel works on stays in the cache."""
AT_ONCE = 1 << 16
"""Elements that are sorted by their modes at a time."""
_MOST_KEYS = 1 << 15
"""So many different orders and degrees are sorted in one pass, by numbers of 16 bits."""


def by_modes(count: int, kernel: Callable[..., Any], *args: Any) -> Any:
    """Apply an elementwise kernel, to the elements of one mode at a time where there are many of each.

    Parameters
    ----------
    count : int
        How many of the arguments are orders and degrees, which are plain.
    kernel : callable
        Maps orders and degrees, numbers or vectors, and other vectors, to one vector or to a tuple of them.
    *args : array
        The arguments.
    """
    plain = [raw(x) for x in args]
    size = max(np.size(x) for x in plain)
    enough = _ENOUGH if all(x is y for x, y in zip(plain, args, strict=True)) else _ENOUGH_TRACED
    if size < enough or not all(isinstance(x, (np.ndarray, np.generic, int, float)) for x in plain):
        return kernel(*args)
    shape, vectors = flat(*plain[:count], *args[count:])
    modes, others = vectors[:count], vectors[count:]
    key = _keys(modes)
    if key is None:
        return kernel(*args)
    order = np.argsort(key, kind="stable")
    ends = np.cumsum(np.bincount(key))
    ends = ends[np.diff(ends, prepend=0) > 0]
    if len(ends) * enough > size:
        return kernel(*args)
    pieces = []
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        mode = [float(x[order[start]]) for x in modes]
        for index in np.array_split(order[start:end], max(1, round((end - start) / _BLOCK))):
            pieces.append(kernel(*mode, *[x[index] for x in others]))
    place = np.empty_like(order)
    place[order] = np.arange(size)
    if not isinstance(pieces[0], tuple):
        return np.reshape(np.concatenate(pieces)[place], shape)
    return tuple(np.reshape(np.concatenate(parts)[place], shape) for parts in zip(*pieces, strict=True))


def _keys(modes: list[Any]) -> Any:
    """One whole number for each mode; None where they are not whole, or too far apart."""
    key, count = np.zeros(len(modes[0])), 1.0
    for x in modes:
        low = np.min(x)
        span = np.max(x) - low + 1
        key, count = key * span + (x - low), count * span
    if not count <= _MOST_KEYS or np.any(np.floor(key) != key):
        return None
    return key.astype(np.int16)
