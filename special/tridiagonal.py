"""Eigenvectors of tridiagonal matrices at known eigenvalues, one matrix an element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..complex_autograd.array import raw

__all__ = ["Rows", "null_vector"]


class Rows(Sequence[Any]):
    """A sequence of arrays that are made when they are asked for, so that they do not fill the cache."""

    def __init__(self, count: int, row: Callable[[int], Any]) -> None:
        self.count, self.row = count, row

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, k: Any) -> Any:
        if k >= self.count:
            raise IndexError(k)
        return self.row(k)


def null_vector(diagonal: Sequence[Any], upper: Sequence[Any], lower: Sequence[Any], middle: Any) -> list[Any]:
    """The vector `v` with `v[middle] = 1` that solves every row but that one.

    Parameters
    ----------
    diagonal : sequence of array
        The diagonal, less the eigenvalue.
    upper, lower : sequence of array
        `upper[k]` stands right of `diagonal[k]`, and `lower[k]` below it.
    middle : array of int
        The row that is left out: one where the eigenvector is large.

    Returns
    -------
    list of array
        Its components, each with full relative accuracy: to both sides of `middle` their ratios come from recurrences
        that start at the ends, in the direction in which the eigenvector grows.
    """
    count, plain = len(diagonal), raw(middle)
    first, last = (int(np.min(plain)), int(np.max(plain))) if np.size(plain) else (0, 0)
    one = np.ones_like(raw(diagonal[first]) + plain, dtype=np.float64)
    falling: list[Any] = [0.0] * count  # v[k] / v[k + 1]
    for k in range(last):
        rest = diagonal[k] + lower[k - 1] * falling[k - 1] if k else diagonal[k]
        falling[k] = -upper[k] / (rest if k < first else np.where(k < middle, rest, 1.0))
    rising: list[Any] = [0.0] * (count + 1)  # v[k] / v[k - 1]
    for k in range(count - 1, first, -1):
        rest = diagonal[k] + upper[k] * rising[k + 1] if k < count - 1 else diagonal[k]
        rising[k] = -lower[k - 1] / (rest if k > last else np.where(k > middle, rest, 1.0))
    vector: list[Any] = [one] * count
    part: Any = one
    for k in range(last - (first == last), -1, -1):
        component = falling[k] * part
        part = component if k < first else np.where(k == middle, 1.0, np.where(k < middle, component, 0.0))
        vector[k] = part
    part = one
    for k in range(first + (first == last), count):
        component = rising[k] * part
        part = component if k > last else np.where(k == middle, 1.0, np.where(k > middle, component, 0.0))
        vector[k] = part if k > last else np.where(k > middle, part, vector[k])
    return vector
