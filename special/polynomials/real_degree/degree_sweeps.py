"""Recurrences in the degree through large plain arrays, in place: sorted by degree, in pieces that fit the cache.

A recurrence goes up from degree 0.  Where the elements of a piece stand in the order of falling degree, those that go
on stand first, so each step works on the first part of every array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from ...numerics.devices import is_on_device
from ...numerics.regions import joined, part

PIECE = 8192
"""Elements at a time; degrees with fewer share a piece."""
_BLOCK = 1 << 15
"""Elements of a mask at a time."""


def in_blocks(mask: Callable[..., Any], *args: Any) -> Any:
    """A mask of numbers and vectors, the last of which is one, block by block: what it needs stays in the cache."""
    x = args[-1]
    if x.size <= _BLOCK:
        return np.broadcast_to(mask(*args), x.shape)
    blocks = [slice(k, k + _BLOCK) for k in range(0, x.size, _BLOCK)]
    return np.concatenate([in_blocks(mask, *[part(a, block) for a in args]) for block in blocks])


def sweep(kernel: Callable[..., Any], n: Any, *args: Any) -> Any:
    """Apply a kernel to vectors, piece by piece.

    Parameters
    ----------
    kernel : callable
        `(n, *args)` of a piece, where `n` is a number or falls; its result has a last axis of elements.
    n : float or array
        Integer degrees.
    *args : float or array
        The last is a vector.
    """
    if type(n) is not float and np.all(n == n[:1]):
        n = float(n[0]) if len(n) else 0.0
    if type(n) is float:
        size = args[-1].shape[0]
        return _piece_by_piece(kernel, [*range(0, size, PIECE), size], n, *args)
    order = np.argsort(-n.astype(np.int16), kind="stable")
    n = n[order]

    def of_degree(n: Any, *own: Any) -> Any:
        return kernel(float(n[0]) if n[0] == n[-1] else n, *own)

    return joined([_piece_by_piece(of_degree, _cuts(n), n, *[part(a, order) for a in args])], order)


def in_order(kernel: Callable[..., Any], effort: Any, *args: Any) -> Any:
    """The same for a kernel without degree, to pieces in which the effort falls."""
    cuts = [*range(0, len(effort), PIECE), len(effort)]
    ease = _ease(effort)
    if np.all(ease[1:] >= ease[:-1]):
        return _piece_by_piece(kernel, cuts, *args)
    order = np.argsort(ease, kind="stable")
    return joined([_piece_by_piece(kernel, cuts, *[part(a, order) for a in args])], order)


def falling(effort: Any) -> Any:
    """The order in which the effort falls, but for its last digits."""
    return np.argsort(_ease(effort), kind="stable")


def _ease(effort: Any) -> Any:
    """It falls as the effort rises, and sorts fast: few digits are enough."""
    bits = effort.astype(np.float16).view(np.int16)
    return ~np.where(bits < 0, bits ^ 0x7FFF, bits)


def _piece_by_piece(kernel: Callable[..., Any], cuts: Any, *args: Any) -> Any:
    spans = list(pairwise(cuts)) or [(0, 0)]
    pieces = [kernel(*[part(a, slice(start, end)) for a in args]) for start, end in spans]
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces, axis=-1)


def _cuts(n: Any) -> list[int]:
    """Where pieces begin and end; a degree with many elements has pieces of its own. A device takes all at once."""
    size, last = len(n), 0
    if is_on_device(n):
        return [0, size]
    changes = (np.flatnonzero(n[1:] != n[:-1]) + 1).tolist()
    cuts = {0, size}
    for start, end in pairwise([0, *changes, size]):
        count = end - start
        if count >= PIECE:
            parts = -(-count // PIECE)
            cuts.update(start + count * k // parts for k in range(parts + 1))
            last = end
        elif end - last >= PIECE:
            cuts.add(end)
            last = end
    return sorted(cuts)


def steps(n: Any, size: int) -> Iterator[tuple[int, slice]]:
    """The steps from `k` to `k + 1` up to the degree `n`, and which elements take them."""
    if type(n) is float:
        for k in range(int(n)):
            yield k, slice(size)
        return
    rising = -n
    for k in range(int(n[0])):
        if n[size - 1] <= k:
            size = int(np.searchsorted(rising, -k))
        yield k, slice(size)
