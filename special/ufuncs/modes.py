"""Kernels of functions with integer orders and degrees: arrays go through them mode by mode, and block by block.

What depends on the orders and degrees alone is then a number for each row and not an array, and the terms of a series
end where those of the mode do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import raw
from ..numerics.regions import by_region
from .parameters import flat

_ENOUGH, _ENOUGH_TRACED = 100, 400
"""Elements of a mode on average, from which on they are computed apart from those of others: plain and traced ones."""
_BLOCK = 4096
"""About so many elements at a time, so that the rows of what a kernel works on stay in the cache."""
AT_ONCE = 1 << 16
"""Elements that are sorted by their modes at a time."""
_MOST_KEYS = 1 << 15
"""So many different orders and degrees are sorted in one pass, by numbers of 16 bits."""


def by_modes(count: int, kernel: Callable[..., Any], *args: Any) -> Any:
    """Apply an elementwise kernel of vectors, to the elements of one mode at a time where there are many of each.

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
    is_traced = any(x is not y for x, y in zip(plain, args, strict=True))
    shape, vectors = flat(*plain[:count], *args[count:])
    modes, others = vectors[:count], vectors[count:]
    size = modes[0].shape[0]
    if size == 0:
        w = kernel(*[np.ones(1) for _ in vectors])
        return _shaped(tuple(x[:0] for x in w) if isinstance(w, tuple) else w[:0], shape)
    if all(np.min(x) == np.max(x) for x in modes):
        modes, parts = [float(x[0]) for x in modes], None
    else:
        parts = _parts(modes, _ENOUGH_TRACED if is_traced else _ENOUGH)
    order: Any = slice(None)
    blocks: Sequence[Any]
    if parts is not None:
        blocks = [b for part in parts for b in np.array_split(part, max(1, round(len(part) / _BLOCK)))]
        pieces = [kernel(*[float(x[b[0]]) for x in modes], *[x[b] for x in others]) for b in blocks]
        order = np.argsort(np.concatenate(parts), kind="stable")
    elif size <= _BLOCK:
        return _shaped(kernel(*modes, *others), shape)
    else:
        blocks = [slice(i, i + _BLOCK) for i in range(0, size, _BLOCK)]
        pieces = [kernel(*[x if np.ndim(x) == 0 else x[b] for x in modes], *[x[b] for x in others]) for b in blocks]
    if not isinstance(pieces[0], tuple):
        return np.reshape(np.concatenate(pieces)[order], shape)
    return tuple(np.reshape(np.concatenate(part)[order], shape) for part in zip(*pieces, strict=True))


def _shaped(w: Any, shape: tuple[int, ...]) -> Any:
    return tuple(np.reshape(x, shape) for x in w) if isinstance(w, tuple) else np.reshape(w, shape)


def _parts(modes: Sequence[Any], enough: int) -> list[Any] | None:
    """The indices of each mode in vectors; None where they are few, no integers, or too far apart."""
    size = modes[0].shape[0]
    if size < enough or not issubclass(type(modes[0]), np.ndarray):
        return None
    key, count = np.zeros(size), 1.0
    for x in modes:
        low = np.min(x)
        span = np.max(x) - low + 1
        key, count = key * span + (x - low), count * span
    if not count <= _MOST_KEYS or np.any(np.floor(key) != key):
        return None
    key = key.astype(np.int16)
    ends = np.cumsum(np.bincount(key))
    ends = ends[np.diff(ends, prepend=0) > 0]
    if len(ends) * enough > size:
        return None
    return np.split(np.argsort(key, kind="stable"), ends[:-1])


def completed(found: tuple[Any, ...], kernel: Callable[..., Any], *args: Any) -> tuple[Any, ...]:
    """The two outputs of a kernel of vectors, and where one is NaN those of another kernel of the same arguments."""
    is_nan = np.isnan(raw(found[0])) | np.isnan(raw(found[1]))
    if not np.any(is_nan):
        return found
    return by_region([(~is_nan, lambda *both: both[-2:]), (is_nan, lambda *both: kernel(*both[:-2]))], *args, *found)
