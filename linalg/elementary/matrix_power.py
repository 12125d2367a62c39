"""Products of several matrices: powers, and chains in the order that takes the least multiplications."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ...backends.asking import AskingArray
from ...complex_autograd.engine.dispatch import implements, refuse_out
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg
from ..kernels.public import public
from .triangles import identity


@implements(np.linalg.matrix_power)
def _power(a: Any, n: int) -> Any:
    a = as_operand(a)
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    n = index(n)
    if n == 0:
        return np.zeros_like(raw(a)) + identity(raw(a))
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
    product = _product(
        factors, _best_splits([*(a.shape[0] for a in factors), factors[-1].shape[1]]), 0, len(factors) - 1
    )
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


@public(a=2)
def matrix_power(a: Any, n: int) -> Any:
    """An integer power of square matrices.

    The differential is the sum of `a**i da a**(n - 1 - i)`; for a negative `n`, that of the inverse.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    n : int
        The power; of the inverse if negative, the identity if zero.

    Returns
    -------
    ndarray (..., M, M)
        The powers.

    Raises
    ------
    LinAlgError
        If the matrices are not square, or singular and `n` negative.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.matrix_power(np.array([[1.0, 1.0], [0.0, 1.0]]), 5)
    array([[1., 5.],
           [0., 1.]])
    """
    a = as_operand(a)
    return _power(a, n) if type(a) is AskingArray else np.linalg.matrix_power(a, n)


@routed_linalg
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices, in the order that takes the least multiplications.

    Linear in each matrix.

    Parameters
    ----------
    arrays : sequence of array_like
        At least two matrices; the first and the last may be vectors.
    out : ndarray, optional
        Where to put the result; refused under a trace.

    Returns
    -------
    ndarray
        The product.

    Raises
    ------
    LinAlgError
        If one of them is not a matrix.

    Examples
    --------
    >>> import wirtinger as np
    >>> float(np.linalg.multi_dot([np.ones(3), np.ones((3, 4)), np.ones(4)]))
    12.0
    """
    return np.linalg.multi_dot([as_operand(a) for a in arrays], out=out)
