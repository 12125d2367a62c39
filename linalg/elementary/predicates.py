"""Questions about the entries of a matrix; the answers are integers and booleans, and have no derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg
from ..kernels.matrix_operands import native
from ..kernels.stacks import is_plain, kernel

__all__ = ["bandwidth", "ishermitian", "issymmetric"]


@kernel(2)
def widths(a: Any) -> Any:
    """The lower and the upper bandwidth of one matrix."""
    return tuple(np.int64(width) for width in scipy.linalg.bandwidth(a))


@kernel(2)
def is_hermitian(a: Any, *, atol: float | None, rtol: float | None) -> Any:
    """Whether one matrix is Hermitian."""
    return np.bool_(scipy.linalg.ishermitian(a, atol=atol, rtol=rtol))


@kernel(2)
def is_symmetric(a: Any, *, atol: float | None, rtol: float | None) -> Any:
    """Whether one matrix is symmetric."""
    return np.bool_(scipy.linalg.issymmetric(a, atol=atol, rtol=rtol))


def _plain(a: Any) -> Any:
    return native(raw(operands(a)[0]))


@routed_linalg
def bandwidth(a: Any) -> Any:
    """The lower and upper bandwidth of matrices.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.

    Returns
    -------
    lower, upper : int or ndarray of int (...)
        How many diagonals below and above the main one have entries that are not zero.

    Raises
    ------
    ValueError
        If `a` is not a matrix.

    Notes
    -----
    They are integers, and have no derivative.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.bandwidth(np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 2.0], [0.0, 0.0, 1.0]]))
    (0, 1)
    """
    a = _plain(a)
    return scipy.linalg.bandwidth(a) if is_plain(a) and a.ndim == 2 else widths(a)


@routed_linalg
def ishermitian(a: Any, atol: float | None = None, rtol: float | None = None) -> Any:
    """Whether matrices are Hermitian.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    atol, rtol : float, optional
        How far the entries may differ, absolutely and relatively; not at all by default.

    Returns
    -------
    bool or ndarray of bool (...)
        Whether they are.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.ishermitian(np.array([[1.0, 1j], [-1j, 1.0]]))
    True
    """
    a = _plain(a)
    if is_plain(a) and a.ndim == 2:
        return scipy.linalg.ishermitian(a, atol=atol, rtol=rtol)
    return is_hermitian(a, atol=atol, rtol=rtol)


@routed_linalg
def issymmetric(a: Any, atol: float | None = None, rtol: float | None = None) -> Any:
    """Whether matrices are symmetric.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    atol, rtol : float, optional
        How far the entries may differ, absolutely and relatively; not at all by default.

    Returns
    -------
    bool or ndarray of bool (...)
        Whether they are.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.issymmetric(np.array([[1.0, 1j], [-1j, 1.0]]))
    False
    """
    a = _plain(a)
    if is_plain(a) and a.ndim == 2:
        return scipy.linalg.issymmetric(a, atol=atol, rtol=rtol)
    return is_symmetric(a, atol=atol, rtol=rtol)
