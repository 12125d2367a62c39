"""NumPy arrays on the CPU."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from .base import Backend
from .mpmath.working import is_precise


@final
class CPU(Backend):
    """NumPy, and LAPACK through SciPy."""

    name = "numpy"
    device = "cpu"

    def owns(self, kind: type) -> bool:
        return issubclass(kind, (np.ndarray, np.generic, bool, int, float, complex))

    def own(self, x: Any) -> Any:
        if is_precise():
            from .mpmath.array import in_force

            return in_force(x)
        return x

    @property
    def namespace(self) -> Any:
        return np

    def to_host(self, x: Any) -> Any:
        return np.array(x)

    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        if values.dtype.char in "gG":
            out = np.zeros(shape, values.dtype)
            np.add.at(out, index, values)
            return out
        if all(map(_is_basic, index if type(index) is tuple else (index,))):  # each element once
            out = np.zeros(shape, values.dtype)
            out[index] = values
            return out
        size = int(np.prod(shape))
        positions = _positions(index, shape)
        values = np.broadcast_to(values, positions.shape)
        return _bincount(positions.ravel(), values.ravel(), size).astype(values.dtype, copy=False).reshape(shape)


def _is_basic(part: Any) -> bool:
    return type(part) in (int, slice, type(None), type(Ellipsis)) or issubclass(type(part), np.integer)


def _positions(index: Any, shape: tuple[int, ...]) -> Any:
    """The places in a flat array of what an index selects."""
    parts = index if type(index) is tuple else (index,)
    if len(parts) == len(shape) and all(type(part) is np.ndarray and part.dtype.kind == "i" for part in parts):
        positions: Any = None
        for part, n in zip(parts, shape, strict=True):
            counted = part if part.min(initial=0) >= 0 else np.where(part < 0, part + n, part)
            positions = counted if positions is None else positions * n + counted
        return positions
    return np.arange(int(np.prod(shape))).reshape(shape)[index]


def _bincount(positions: Any, values: Any, size: int) -> Any:
    if values.dtype.kind == "c":
        out = np.empty(size, complex)
        out.real = np.bincount(positions, values.real, size)
        out.imag = np.bincount(positions, values.imag, size)
        return out
    return np.bincount(positions, values, size)
