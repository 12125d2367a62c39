"""Matrices whose entries are gathered from a few numbers by their indices."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...backends import Backend, backend_of
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw


def joined(*parts: Any) -> Any:
    """Parts of the last axis, with their stacks broadcast."""
    stack = np.broadcast_shapes(*[x.shape[:-1] for x in parts])
    return np.concatenate([np.broadcast_to(x, stack + x.shape[-1:]) for x in parts], axis=-1)


def with_constants(values: Any, *constants: float) -> Any:
    """The values, and behind them constants."""
    return joined(values, where_lives(values, np.asarray(constants, values.dtype)))


def where_lives(x: Any, constant: Any) -> Any:
    """An array that NumPy made of sizes alone, as indices and weights are, where another lives; moved there once."""
    plain = raw(x)
    if issubclass(type(plain), np.ndarray):
        return constant
    backend = backend_of(plain)
    return _moved(backend, backend.device_of(plain), constant.tobytes(), constant.dtype, constant.shape)


@lru_cache(maxsize=512)
def _moved(backend: Backend, device: str, contents: bytes, dtype: Any, shape: tuple[int, ...]) -> Any:
    return backend.namespace.asarray(np.frombuffer(contents, dtype).reshape(shape).copy())


def taken(x: Any, index: Any) -> Any:
    """`x[..., index]` for indices made by NumPy."""
    return x[..., where_lives(x, index)]


@lru_cache(maxsize=64)
def difference(rows: int, columns: int) -> Any:
    """Row minus column of every entry."""
    return np.arange(rows)[:, None] - np.arange(columns)


def vectors(*args: Any) -> list[Any]:
    """Arrays of at least one dimension."""
    return [x[None] if x.ndim == 0 else x for x in operands(*args)]
