"""Linear systems whose unknowns and right sides are arrays, and the inverses of such maps."""

from __future__ import annotations

from math import prod
from operator import index
from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ..kernels.public import public


@implements(np.linalg.tensorsolve)
def _(a: Any, b: Any, axes: Any = None) -> Any:
    a, b = as_operand(a), as_operand(b)
    if axes is not None:
        last = [axis % a.ndim for axis in axes]
        a = np.transpose(a, [axis for axis in range(a.ndim) if axis not in last] + last)
    shape = a.shape[b.ndim - a.ndim :] if a.ndim > b.ndim else ()
    size = prod(shape)
    if prod(a.shape) != size**2:
        raise LinAlgError("Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return np.reshape(np.linalg.solve(np.reshape(a, (size, size)), np.reshape(b, (-1,))), shape)


@implements(np.linalg.tensorinv)
def _(a: Any, ind: int = 2) -> Any:
    a = as_operand(a)
    if index(ind) <= 0:
        raise ValueError("Invalid ind argument.")
    rows, columns = a.shape[:ind], a.shape[ind:]
    return np.reshape(np.linalg.inv(np.reshape(a, (prod(rows), prod(columns)))), columns + rows)


@public()
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """Solve `a x = b` for the array `x`, with the sum of products over all its axes.

    Parameters
    ----------
    a : array_like, shape b.shape + Q
        The coefficients; the product of the lengths in `Q` is that of `b`.
    b : array_like
        The right side, of any shape.
    axes : sequence of int, optional
        Axes of `a` to move to its end first.

    Returns
    -------
    ndarray, shape Q
        The solution, differentiable in `a` and `b` as `solve` is.

    Raises
    ------
    LinAlgError
        If `a` is singular or not square in this sense.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.tensorsolve(2 * np.eye(4).reshape(2, 2, 4), np.ones((2, 2)))
    array([0.5, 0.5, 0.5, 0.5])
    """
    return np.linalg.tensorsolve(as_operand(a), as_operand(b), axes)


@public()
def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of an array as the linear map `x -> tensordot(a, x, axes)`.

    Parameters
    ----------
    a : array_like
        Its first `ind` axes have as many elements as the others.
    ind : int
        The number of axes of the result of that map.

    Returns
    -------
    ndarray, shape a.shape[ind:] + a.shape[:ind]
        The inverse, differentiable as `inv` is.

    Raises
    ------
    LinAlgError
        If the map is singular or not square.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.tensorinv(2 * np.eye(4).reshape(2, 2, 4)).shape
    (4, 2, 2)
    """
    return np.linalg.tensorinv(as_operand(a), ind)
