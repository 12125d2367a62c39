"""Vectors, and jets of vectors, element by element: what kernels of degrees sort and split."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import raw
from .jets import Jet

__all__ = ["joined", "part", "plain", "replaced", "split"]


def plain(x: Any) -> Any:
    """The value of a jet without derivatives, below all levels."""
    return raw(x.value if isinstance(x, Jet) else x)


def part(x: Any, index: Any) -> Any:
    """Some elements of a vector or of a jet of vectors; a number stays."""
    if isinstance(x, Jet):
        return x.map(lambda c: part(c, index))
    return x[index] if getattr(x, "ndim", 0) else x


def replaced(x: Any, index: Any, piece: Any) -> Any:
    """A vector or jet with some of its elements exchanged."""
    if isinstance(x, Jet):
        zero = 0.0 * x.value
        return Jet(
            {k: replaced(x.coefficients.get(k, zero), index, c) for k, c in piece.coefficients.items()}, x.orders
        )
    order = np.cumsum(np.ones_like(raw(x), dtype=np.int64)) - 1
    order[index] = len(order) - 1 + np.cumsum(np.ones_like(index))
    return np.concatenate([x, piece])[order]


def split(mask: Any, first: Any, second: Any, *args: Any) -> Any:
    """Where the mask says so the first function of the arguments, elsewhere the second; each computes its own part."""
    if np.all(mask):
        return first(*args)
    if not np.any(mask):
        return second(*args)
    (here,), (there,) = np.nonzero(mask), np.nonzero(~mask)
    pieces = first(*[part(x, here) for x in args]), second(*[part(x, there) for x in args])
    return joined(pieces, np.concatenate([here, there]))


def joined(pieces: Any, order: Any) -> Any:
    """The vector or jet `x` with `x[order]` the pieces one behind the other."""
    place = np.empty_like(order)
    place[order] = np.cumsum(np.ones_like(order)) - 1
    if not any(isinstance(x, Jet) for x in pieces):
        return np.concatenate(pieces)[place]
    (orders,) = {x.orders for x in pieces if isinstance(x, Jet)}
    jets = [x if isinstance(x, Jet) else Jet({(0,) * len(orders): x}, orders) for x in pieces]
    keys = {k for jet in jets for k in jet.coefficients}
    columns = {k: [jet.coefficients.get(k, 0.0) + 0.0 * jet.value for jet in jets] for k in keys}
    return Jet({k: np.concatenate(column)[place] for k, column in columns.items()}, orders)
