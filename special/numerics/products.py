"""Products of a small matrix with many columns, on the thread that asks for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.blas import LARGEST_PRODUCT


def times_columns(matrix: Any, columns: Any) -> Any:
    """`matrix @ columns`, so many columns at a time as BLAS multiplies on one thread.

    Parameters
    ----------
    matrix : (m, k) array
    columns : (k, n) array

    Returns
    -------
    (m, n) array
    """
    at_once = max(1, LARGEST_PRODUCT // max(1, matrix.size))
    size = columns.shape[1]
    if size <= at_once:
        return matrix @ columns
    out = np.empty_like(columns, shape=(len(matrix), size))
    for start in range(0, size, at_once):
        piece = slice(start, start + at_once)
        np.matmul(matrix, columns[:, piece], out=out[:, piece])
    return out
