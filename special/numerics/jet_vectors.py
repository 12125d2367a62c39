"""Vectors, and jets of vectors, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import raw
from .jets import Jet

__all__ = ["plain", "replaced"]


def plain(x: Any) -> Any:
    """The value of a jet without derivatives, below all levels."""
    return raw(x.value if isinstance(x, Jet) else x)


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
