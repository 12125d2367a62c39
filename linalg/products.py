"""Products of matrices, and parts of them, as `numpy.linalg` has them."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import holds_traced, implements, on_values, refuse_out

__all__ = [
    "cross",
    "diagonal",
    "matmul",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "outer",
    "tensordot",
    "trace",
    "vecdot",
]


@implements(np.linalg.matmul)
def _(x1: Any, x2: Any, /) -> Any:
    return np.matmul(x1, x2)


@implements(np.linalg.vecdot)
def _(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return np.vecdot(x1, x2, axis=axis)


@implements(np.linalg.tensordot)
def _(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    return np.tensordot(x1, x2, axes=axes)


@implements(np.linalg.outer)
def _(x1: Any, x2: Any, /) -> Any:
    x1, x2 = as_operand(x1), as_operand(x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x1.ndim=} and {x2.ndim=}.")
    return np.outer(x1, x2)


@implements(np.linalg.cross)
def _(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    x1, x2 = as_operand(x1), as_operand(x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, "
            f"but they are {x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        )
    return np.cross(x1, x2, axis=axis)


@implements(np.linalg.diagonal)
def _(x: Any, /, *, offset: int = 0) -> Any:
    return np.diagonal(x, offset, axis1=-2, axis2=-1)


@implements(np.linalg.trace)
def _(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return np.trace(x, offset, axis1=-2, axis2=-1, dtype=dtype)


@implements(np.linalg.matrix_transpose)
def _(x: Any, /) -> Any:
    return np.matrix_transpose(x)


@implements(np.linalg.matrix_power)
def _(a: Any, n: int) -> Any:
    a = as_operand(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    n = index(n)
    if n == 0:
        return 0 * a + np.linalg.matrix_power(np.zeros_like(a), 0)
    if n < 0:
        a, n = np.linalg.inv(a), -n
    if n == 3:
        return a @ a @ a
    result = None
    square = a
    while True:  # over the bits of n, the lowest first
        n, bit = divmod(n, 2)
        if bit:
            result = square if result is None else result @ square
        if not n:
            return result
        square = square @ square


@implements(np.linalg.multi_dot)
def _(arrays: Any, *, out: Any = None) -> Any:
    refuse_out(np.linalg.multi_dot, out)
    factors = [as_operand(a) for a in arrays]
    if len(factors) < 2:
        raise ValueError("Expecting at least two arrays.")
    first, last = factors[0].ndim == 1, factors[-1].ndim == 1
    if first:
        factors[0] = factors[0][None, :]
    if last:
        factors[-1] = factors[-1][:, None]
    for a in factors:
        if a.ndim != 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    product = _product(factors, _best_splits([*(a.shape[0] for a in factors), factors[-1].shape[1]]), 0, len(factors) - 1)
    rows, columns = 0 if first else slice(None), 0 if last else slice(None)
    return product[rows, columns] if first or last else product


def _best_splits(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Where to split each run of factors, by the least number of multiplications (Cormen et al., section 15.2)."""
    count = len(sizes) - 1
    cost = {(i, i): 0 for i in range(count)}
    splits = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i, j], splits[i, j] = min(
                (cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)
            )
    return splits


def _product(factors: list[Any], splits: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if i == j:
        return factors[i]
    k = splits[i, j]
    return _product(factors, splits, i, k) @ _product(factors, splits, k + 1, j)


on_values(np.linalg.matrix_rank)
