"""Eigenvectors of tridiagonal matrices at known eigenvalues, one matrix an element."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["null_vector"]


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
    count = len(diagonal)
    falling: list[Any] = [0.0] * count  # v[k] / v[k + 1]
    for k in range(count - 1):
        rest = diagonal[k] + lower[k - 1] * falling[k - 1] if k else diagonal[k]
        falling[k] = -upper[k] / np.where(k < middle, rest, 1.0)
    rising: list[Any] = [0.0] * (count + 1)  # v[k] / v[k - 1]
    for k in range(count - 1, 0, -1):
        rest = diagonal[k] + upper[k] * rising[k + 1] if k < count - 1 else diagonal[k]
        rising[k] = -lower[k - 1] / np.where(k > middle, rest, 1.0)
    vector: list[Any] = [0.0] * count
    part: Any = 0.0
    for k in range(count - 1, -1, -1):
        part = np.where(k == middle, 1.0, np.where(k < middle, falling[k] * part, 0.0))
        vector[k] = part
    part = 0.0
    for k in range(count):
        part = np.where(k == middle, 1.0, np.where(k > middle, rising[k] * part, 0.0))
        vector[k] = np.where(k > middle, part, vector[k])
    return vector
