"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ..kernels.public import public, refuse_infinite
from ..kernels.tolerances import precision_of
from .vector_norms import vector


@implements(np.linalg.norm)
def _(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    x = as_operand(x)
    if axis is None and (ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1)):
        return vector(x, 2, tuple(range(x.ndim)), np.linalg.norm, ord=ord, axis=axis, keepdims=keepdims)
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
    if len(axes) == 1:
        return vector(x, ord, axes, np.linalg.norm, ord=ord, axis=axes, keepdims=keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    if ord in (None, "fro", "f"):
        return vector(x, 2, axes, np.linalg.norm, ord=ord, axis=axes, keepdims=keepdims)
    result = _operator_norm(x, ord, *axes)
    return np.expand_dims(result, tuple(sorted(axes))) if keepdims else result


def _operator_norm(x: Any, order: Any, row_axis: int, column_axis: int) -> Any:
    if order in (1, -1, np.inf, -np.inf):
        inner, outer = (row_axis, column_axis) if abs(order) == 1 else (column_axis, row_axis)
        sums = np.linalg.norm(x, 1, axis=inner)
        extreme = np.inf if order > 0 else -np.inf
        return np.linalg.norm(sums, extreme, axis=normalize_axis_index(outer - (outer > inner), x.ndim - 1))
    if order not in (2, -2, "nuc"):
        raise ValueError("Invalid norm order for matrices.")
    if (row_axis, column_axis) != (x.ndim - 2, x.ndim - 1):
        x = np.moveaxis(x, (row_axis, column_axis), (-2, -1))
    values = np.linalg.svd(x, compute_uv=False)
    if order == "nuc" or values.shape[-1] == 0:
        return np.sum(values, axis=-1)
    return values[..., 0 if order == 2 else -1][()]


@implements(np.linalg.vector_norm)
def _(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    x = as_operand(x)
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
    return vector(x, ord, axes, np.linalg.vector_norm, axis=axis, keepdims=keepdims, ord=ord)


implements(np.linalg.matrix_norm)(partial(np.linalg.norm, axis=(-2, -1)))


@primitive(family="SVD")
def condition(a: Any, *, order: Any) -> Any:
    """The condition number where a matrix is singular."""
    return np.linalg.cond(a, order)


@condition.differential
def _(w: Any, a: Any, da: Any, *, order: Any) -> Any:
    raise NotDifferentiableError("numpy.linalg.cond", "a matrix is singular and its condition number infinite", "x")


def _are_regular(s: Any, shape: tuple[int, ...]) -> bool:
    """Whether no matrix of these singular values is singular to working precision."""
    return bool(np.all(s[..., -1] > max(shape[-2:]) * precision_of(s) * s[..., 0]))


@implements(np.linalg.cond)
def _(x: Any, p: Any = None) -> Any:
    x = as_operand(x)
    if (p is None or p in (2, -2)) and 0 not in x.shape[-2:]:
        s = np.linalg.svd(x, compute_uv=False)
        if _are_regular(raw(s), x.shape):
            return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    elif np.all(np.isfinite(np.linalg.cond(raw(x), p))) and _are_regular(
        np.linalg.svd(raw(x), compute_uv=False), x.shape
    ):
        return np.linalg.norm(x, p, axis=(-2, -1)) * np.linalg.norm(np.linalg.inv(x), p, axis=(-2, -1))
    return condition(x, order=p)


@public()
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = False) -> Any:
    """A norm of vectors or matrices.

    At kinks the gradient is the subgradient of least norm: 0 where the norm is 0, the mean over equal extremes.

    Parameters
    ----------
    x : array_like
        The arrays.
    ord : {None, float, inf, -inf, "fro", "nuc"}
        The order, as NumPy numbers them: for vectors any number, for matrices 1, -1, 2, -2, inf, -inf, "fro", "nuc".
        None is the root of the sum of squares.
    axis : int or tuple of two int, optional
        The axis of the vectors, or the axes of the matrices; by default all axes.
    keepdims : bool
        Whether these axes stay, with length one.

    Returns
    -------
    ndarray
        The norms, real.

    Raises
    ------
    ValueError
        If the order does not fit the number of axes.
    NotDifferentiableError
        If a derivative is needed of an order between 0 and 1 at elements that are 0.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(np.linalg.norm)(np.array([3.0, 4.0j]))
    array([0.6+0.j , 0. +0.8j])
    >>> grad(np.linalg.norm)(np.zeros(2))
    array([0., 0.])
    """
    x = as_operand(x)
    if check_finite:
        refuse_infinite(x)
    return np.linalg.norm(x, ord, axis, keepdims)


@public()
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """A norm of vectors.

    Parameters
    ----------
    x : array_like
        The arrays.
    axis : int or tuple of int, optional
        The axes over which the elements of one vector lie; by default all.
    keepdims : bool
        Whether these axes stay, with length one.
    ord : float
        The order: any number, inf or -inf.

    Returns
    -------
    ndarray
        The norms, real; differentiable as `norm` is.

    Raises
    ------
    ValueError
        If `ord` is not a number.

    Examples
    --------
    >>> import wirtinger as np
    >>> float(np.linalg.vector_norm(np.array([[3.0, 4.0]])))
    5.0
    """
    return np.linalg.vector_norm(as_operand(x), axis=axis, keepdims=keepdims, ord=ord)


@public(x=2)
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """A norm of the matrices in the last two axes.

    Parameters
    ----------
    x : array_like (..., M, N)
        The matrices.
    keepdims : bool
        Whether the last two axes stay, with length one.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}
        The order.

    Returns
    -------
    ndarray (...)
        The norms, real; differentiable as `norm` is.

    Raises
    ------
    ValueError
        If `ord` is not one of these.

    Examples
    --------
    >>> import wirtinger as np
    >>> float(np.linalg.matrix_norm(np.array([[3.0, 0.0], [0.0, 4.0]]), ord="nuc"))
    7.0
    """
    return np.linalg.matrix_norm(as_operand(x), keepdims=keepdims, ord=ord)


@public(x=2)
def cond(x: Any, p: Any = None) -> Any:
    """The condition number of matrices, `norm(x, p) * norm(inv(x), p)`.

    Parameters
    ----------
    x : array_like (..., M, N)
        The matrices; square unless `p` is None, 2 or -2.
    p : {None, 1, -1, 2, -2, inf, -inf, "fro", "nuc"}
        The order of the norm; None is 2.

    Returns
    -------
    ndarray (...)
        The condition numbers, inf for singular matrices.

    Raises
    ------
    LinAlgError
        If `x` is empty, or not square where it must be.
    NotDifferentiableError
        If a derivative is needed at a singular matrix.

    Examples
    --------
    >>> import wirtinger as np
    >>> float(np.linalg.cond(np.array([[2.0, 0.0], [0.0, 4.0]])))
    2.0
    """
    return np.linalg.cond(as_operand(x), p)
