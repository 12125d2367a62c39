"""Diagonals, traces, transposes and ranks of matrices, as `numpy.linalg` has them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.dispatch import implements, on_values
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg

implements(np.linalg.diagonal)(partial(np.diagonal, axis1=-2, axis2=-1))
implements(np.linalg.trace)(partial(np.trace, axis1=-2, axis2=-1))
implements(np.linalg.matrix_transpose)(np.matrix_transpose)
on_values(np.linalg.matrix_rank)


@routed_linalg
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of the matrices in the last two axes.

    Linear.

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

    Linear: the adjoint of the trace is a multiple of the identity.

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

    Linear.

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
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None, atol: Any = None) -> Any:
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
    atol : array_like of float, optional
        PyTorch's name for the cutoff: with `rtol`, the larger of both counts; without, `rtol` is 0 if `atol` is not.

    Returns
    -------
    int or ndarray of int
        The ranks.

    Raises
    ------
    ValueError
        If both `tol` and `rtol`, or both `tol` and `atol`, are given.

    Examples
    --------
    >>> import wirtinger as np
    >>> int(np.linalg.matrix_rank(np.ones((2, 2))))
    1
    """
    A = as_operand(A)
    if atol is None:
        return np.linalg.matrix_rank(A, tol, hermitian, rtol=rtol)
    if tol is not None:
        raise ValueError("`tol` and `atol` are two names for the cutoff: give only one of them.")
    a = raw(A) if A.ndim > 1 else raw(A).reshape(1, -1)
    least = backend_of(a).namespace.asarray(raw(atol))
    if rtol is None:
        rtol = (least <= 0) * max(a.shape[-2:]) * 2.0 ** -backend_of(a).bits(np.result_type(a.dtype, np.float32))
    s = np.abs(np.linalg.eigvalsh(a)) if hermitian else np.linalg.svd(a, compute_uv=False)
    cutoff = np.maximum(least, raw(rtol) * np.max(s, axis=-1, initial=0.0))
    return np.count_nonzero(s > cutoff[..., None], axis=-1)
