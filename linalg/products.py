"""Products of matrices, and parts of them, as `numpy.linalg` has them."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ..complex_autograd.array import raw
from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements, on_values, refuse_out
from ..complex_autograd.routed import routed_linalg

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
        return np.linalg.matrix_power(raw(a), 0)
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


on_values(np.linalg.matrix_rank)


@routed_linalg
def matmul(x1: Any, x2: Any, /) -> Any:
    """The matrix product.

    Parameters
    ----------
    x1, x2 : array_like (..., M, K), (..., K, N), or (K,)
        The factors; stacks are broadcast.

    Returns
    -------
    ndarray (..., M, N)
        The products; a one-dimensional factor leaves its axis out.


    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.matmul(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 1.0]))
    array([3., 7.])
    """
    return np.linalg.matmul(as_operand(x1), as_operand(x2))


@routed_linalg
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The inner product of vectors, `sum(conj(x1) * x2)`.

    Parameters
    ----------
    x1, x2 : array_like
        The vectors; broadcast.
    axis : int
        The axis that they lie along.

    Returns
    -------
    ndarray
        The inner products.


    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.vecdot(np.array([1j, 1.0]), np.array([1j, 2.0]))
    np.complex128(3+0j)
    """
    return np.linalg.vecdot(as_operand(x1), as_operand(x2), axis=axis)


@routed_linalg
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes.

    Parameters
    ----------
    x1, x2 : array_like
        The factors.
    axes : int or (sequence of int, sequence of int)
        How many of the last axes of `x1` and the first of `x2`, or which axes of each.

    Returns
    -------
    ndarray
        The remaining axes of `x1`, then those of `x2`.


    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.tensordot(np.ones((2, 3)), np.ones((2, 3)), axes=((0, 1), (0, 1)))
    array(6.)
    """
    return np.linalg.tensordot(as_operand(x1), as_operand(x2), axes=axes)


@routed_linalg
def outer(x1: Any, x2: Any, /) -> Any:
    """The outer product of two vectors.

    Parameters
    ----------
    x1, x2 : array_like (M,), (N,)
        The vectors.

    Returns
    -------
    ndarray (M, N)
        `x1[i] * x2[j]`.

    Raises
    ------
    ValueError
        If they do not have one dimension.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.outer(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    array([[1., 1.],
           [2., 2.]])
    """
    return np.linalg.outer(as_operand(x1), as_operand(x2))


@routed_linalg
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors with three components.

    Parameters
    ----------
    x1, x2 : array_like
        The vectors; broadcast.
    axis : int
        The axis of the components.

    Returns
    -------
    ndarray
        The cross products.

    Raises
    ------
    ValueError
        If they do not have three components.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.cross(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))
    array([0., 0., 1.])
    """
    return np.linalg.cross(as_operand(x1), as_operand(x2), axis=axis)


@routed_linalg
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of the matrices in the last two axes.

    Parameters
    ----------
    x : array_like (..., M, N)
        The matrices.
    offset : int
        Which diagonal: above the main one if positive.

    Returns
    -------
    ndarray (..., K)
        The diagonals.


    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.diagonal(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([1., 4.])
    """
    return np.linalg.diagonal(as_operand(x), offset=offset)


@routed_linalg
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums of the diagonals of the matrices in the last two axes.

    Parameters
    ----------
    x : array_like (..., M, N)
        The matrices.
    offset : int
        Which diagonal: above the main one if positive.
    dtype : dtype, optional
        That of the result.

    Returns
    -------
    ndarray (...)
        The traces.


    Examples
    --------
    >>> import wirtinger as np
    >>> float(np.linalg.trace(np.array([[1.0, 2.0], [3.0, 4.0]])))
    5.0
    """
    return np.linalg.trace(as_operand(x), offset=offset, dtype=dtype)


@routed_linalg
def matrix_transpose(x: Any, /) -> Any:
    """The matrices in the last two axes transposed.

    Parameters
    ----------
    x : array_like (..., M, N)
        The matrices.

    Returns
    -------
    ndarray (..., N, M)
        A view where NumPy gives one.


    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.matrix_transpose(np.ones((2, 3, 4))).shape
    (2, 4, 3)
    """
    return np.linalg.matrix_transpose(as_operand(x))


@routed_linalg
def matrix_power(a: Any, n: int) -> Any:
    """An integer power of square matrices.

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
    return np.linalg.matrix_power(as_operand(a), n)


@routed_linalg
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices, in the order that takes the least multiplications.

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


@routed_linalg
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """The number of singular values above a cutoff; it has no derivative.

    Parameters
    ----------
    A : array_like (..., M, N)
        The matrices; a vector has rank 1 unless it is zero.
    tol : array_like of float, optional
        The cutoff.
    hermitian : bool
        Whether the matrices are Hermitian; their lower triangles are read.
    rtol : array_like of float, optional
        The cutoff relative to the largest singular value; by default `max(M, N) * eps`.

    Returns
    -------
    int or ndarray of int
        The ranks.

    Examples
    --------
    >>> import wirtinger as np
    >>> int(np.linalg.matrix_rank(np.ones((2, 2))))
    1
    """
    return np.linalg.matrix_rank(as_operand(A), tol, hermitian, rtol=rtol)
