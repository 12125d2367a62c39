"""Where the entries of a sparse array stand: all of it that is not differentiated."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as scipy_sparse

_COMPRESSED = ("indices", "indptr")
PARTS = {
    "csr": _COMPRESSED,
    "csc": _COMPRESSED,
    "bsr": _COMPRESSED,
    "coo": ("coords",),
    "dia": ("offsets",),
}
"""By format the attributes of SciPy's arrays that hold integers."""


def storable(matrix: Any) -> Any:
    """A sparse array of SciPy's with its values in one array, `data`: lists and dicts of entries become rows."""
    return matrix if matrix.format in PARTS else matrix.tocsr()


def distinct(numbers: Any) -> Any:
    """The different ones among some numbers, sorted: `numpy.unique` hashes, and takes seconds where this takes 0.05."""
    numbers = np.sort(numbers)
    return numbers[np.concatenate([[True], numbers[1:] != numbers[:-1]])[: len(numbers)]]


@final
class Pattern:
    """The class, the shape and the indices of a sparse array of SciPy's.

    Parameters
    ----------
    matrix : sparse array
        In one of the formats of `PARTS`; its indices are copied, because SciPy sorts them where they are.
    """

    def __init__(self, matrix: Any) -> None:
        self.kind: type = type(matrix)
        self.format: str = matrix.format
        self.shape: tuple[int, ...] = matrix.shape
        self.data_shape: tuple[int, ...] = matrix.data.shape
        found = [getattr(matrix, name) for name in PARTS[self.format]]
        self.indices = [np.array(part) for part in (found[0] if self.format == "coo" else found)]
        for part in self.indices:
            part.flags.writeable = False

    @property
    def is_matrix(self) -> bool:
        """Whether it is of one of SciPy's matrices, whose `*` is the matrix product."""
        return issubclass(self.kind, scipy_sparse.spmatrix)

    @cached_property
    def size(self) -> int:
        """How many values are stored."""
        return int(np.prod(self.data_shape))

    @cached_property
    def coordinates(self) -> tuple[Any, ...]:
        """The row and the column of each stored value; of formats without padding only."""
        if self.format == "coo":
            return tuple(self.indices)
        indices, indptr = self.indices
        others = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        if len(self.shape) == 1:
            return (indices,)
        return (others, indices) if self.format == "csr" else (indices, others)

    @cached_property
    def positions(self) -> Any:
        """Where each stored value stands in the flattened dense array."""
        sizes = np.cumprod((1, *self.shape[:0:-1]))[::-1]
        return sum(index.astype(np.int64) * size for index, size in zip(self.coordinates, sizes, strict=True))

    @cached_property
    def is_canonical(self) -> bool:
        """Whether no two values stand in one place."""
        return self.format in ("bsr", "dia") or len(distinct(self.positions)) == self.size

    def matrix(self, data: Any) -> Any:
        """The sparse array of SciPy's that has this pattern and these values; its indices are its own."""
        parts = [part.copy() for part in self.indices]
        return self.kind((data, tuple(parts)) if self.format == "coo" else (data, *parts), shape=self.shape)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(other) is not Pattern or (self.kind, self.shape, self.data_shape) != (
            other.kind,
            other.shape,
            other.data_shape,
        ):
            return False
        return all(map(np.array_equal, self.indices, other.indices))

    def __hash__(self) -> int:
        return hash((self.kind, self.shape, self.data_shape))

    def __repr__(self) -> str:
        return f"<{self.kind.__name__} of shape {self.shape} with {self.size} stored values>"
