"""The sorts that CuPy has from thrust, in machine code: by NumPy's, which are stable too."""

from __future__ import annotations

from typing import Any

import numpy as np

from .views import strided


def _rows(address: int, shape: tuple[int, ...], dtype: Any) -> Any:
    strides = [1]
    for length in reversed(shape[1:]):
        strides.insert(0, strides[0] * length)
    return strided(address, tuple(shape), tuple(strides), dtype)


def sort(dtype: Any, data: int, keys: int, shape: Any) -> None:
    """Sort along the last axis."""
    _rows(data, shape, dtype).sort(axis=-1, kind="stable")


def argsort(dtype: Any, index: int, data: int, keys: int, shape: Any) -> None:
    """The order along the last axis; the data are sorted too."""
    values = _rows(data, shape, dtype)
    order = values.argsort(axis=-1, kind="stable")
    _rows(index, shape, np.int64)[...] = order
    values[...] = np.take_along_axis(values, order, -1)


def lexsort(dtype: Any, index: int, keys: int, count: int, length: int) -> None:
    """The order by several keys, the last the first."""
    _rows(index, (length,), np.int64)[...] = np.lexsort(_rows(keys, (count, length), dtype))


def replace() -> None:
    """Put them in the places of CuPy's."""
    from cupy.cuda import thrust

    thrust.sort, thrust.argsort, thrust.lexsort = sort, argsort, lexsort
