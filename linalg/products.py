"""Products of matrices, and parts of them, as `numpy.linalg` has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements, on_values
from ..complex_autograd.operands import operands
from ..complex_autograd.routed import routed_linalg

__all__ = [
    "cross",
    "diagonal",
    "khatri_rao",
    "matmul",
    "matrix_rank",
    "matrix_transpose",
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
def khatri_rao(a: Any, b: Any) -> Any:
    """The Kronecker products of the columns of two matrices.

    Parameters
    ----------
    a : array_like (..., M, K)
        The first matrices.
    b : array_like (..., N, K)
        The second ones; stacks are broadcast.

    Returns
    -------
    ndarray (..., M * N, K)
        `kron(a[:, k], b[:, k])` in the columns.

    Raises
    ------
    ValueError
        If they are not matrices, or have different numbers of columns.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.khatri_rao(np.array([[1, 2]]), np.array([[1, 1], [3, 4]]))
    array([[1, 2],
           [3, 8]])
    """
    a, b = operands(a, b)
    if a.ndim < 2 or b.ndim < 2:
        raise ValueError("The both arrays should be 2-dimensional.")
    if a.shape[-1] != b.shape[-1]:
        raise ValueError("The number of columns for both arrays should be equal.")
    c = a[..., :, None, :] * b[..., None, :, :]
    return np.reshape(c, (*c.shape[:-3], c.shape[-3] * c.shape[-2], c.shape[-1]))


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
