"""The elements of an array on a GPU in one row: what `x.flat` gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cupy
import numpy as np

from .operands import bare


class Flat:
    """The elements of an array in C order, to read, to write and to iterate over.

    Parameters
    ----------
    base : Array
        The array.
    """

    def __init__(self, base: Any) -> None:
        self.base = base

    def __len__(self) -> int:
        return int(self.base.size)

    def __getitem__(self, index: Any) -> Any:
        return self.base.ravel()[index]

    def __setitem__(self, index: Any, values: Any) -> None:
        positions = np.atleast_1d(cupy.arange(self.base.size).view(type(self.base))[index])
        values = cupy.asarray(bare(values)).ravel()
        if not values.size:
            return
        spread = values[cupy.arange(positions.size) % values.size] if values.size != positions.size else values
        self.base[np.unravel_index(positions.ravel(), self.base.shape)] = spread

    def __iter__(self) -> Iterator[Any]:
        return iter(self.base.ravel())

    def copy(self) -> Any:
        """The elements as a new array of one axis."""
        return self.base.flatten()
