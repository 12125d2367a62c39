"""Products of vectors and matrices, as `numpy.linalg` has them, and the Khatri-Rao product."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.namespace.routed import routed_linalg
from ...complex_autograd.rules.products.matrix_products import product

implements(np.linalg.matmul)(np.matmul)
implements(np.linalg.vecdot)(np.vecdot)
implements(np.linalg.tensordot)(np.tensordot)


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


@routed_linalg
def matmul(x1: Any, x2: Any, /) -> Any:
    """The matrix product.

    Linear in each factor.

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
    return product(as_operand(x1), as_operand(x2))


@routed_linalg
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The inner product of vectors, `sum(conj(x1) * x2)`.

    Linear in `x2`, and antilinear in `x1`: linear over the real numbers.

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
    return np.linalg.vecdot(as_operand(x1), as_operand(x2), axis=axis)  # type: ignore[call-overload]


@routed_linalg
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes.

    Linear in each factor.

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

    Linear in each factor.

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

    Linear in each factor.

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

    Linear in each factor.

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
