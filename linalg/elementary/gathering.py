"""Matrices whose entries are gathered from a few numbers by their indices."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw


def joined(*parts: Any) -> Any:
    """Parts of the last axis, with their stacks broadcast."""
    stack = np.broadcast_shapes(*[x.shape[:-1] for x in parts])
    return np.concatenate([np.broadcast_to(x, stack + x.shape[-1:]) for x in parts], axis=-1)


def with_constants(values: Any, *constants: float) -> Any:
    """The values, and behind them constants."""
    made = backend_of(raw(values)).namespace.asarray(np.asarray(constants, values.dtype))
    return joined(values, made)


@lru_cache(maxsize=64)
def difference(rows: int, columns: int) -> Any:
    """Row minus column of every entry."""
    return np.arange(rows)[:, None] - np.arange(columns)


def vectors(*args: Any) -> list[Any]:
    """Arrays of at least one dimension."""
    return [x[None] if x.ndim == 0 else x for x in operands(*args)]
