"""Matrices that are constant along their diagonals or antidiagonals."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import operands
from ...complex_autograd.namespace.routed import routed_linalg
from ...complex_autograd.rules.products.contractions import conjugate
from ..elementary.gathering import difference, joined, taken, vectors, with_constants
from ..kernels.stacks import is_plain


@routed_linalg
def toeplitz(c: Any, r: Any = None) -> Any:
    """Toeplitz matrices, which are constant along their diagonals.

    Linear in `c` and `r` (over the real numbers where `r` is left out): the adjoint sums along the diagonals.

    Parameters
    ----------
    c : array_like (..., M)
        The first columns.
    r : array_like (..., N), optional
        The first rows, of which the first element is not read; `conj(c)` by default.

    Returns
    -------
    ndarray (..., M, N)
        The matrices.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.toeplitz(np.array([1.0, 2.0]), np.array([1.0, 4.0, 5.0]))
    array([[1., 4., 5.],
           [2., 1., 4.]])
    """
    (c,) = vectors(c)
    (r,) = (conjugate(c),) if r is None else vectors(r)
    if is_plain(c, r, axes=1):
        return scipy.linalg.toeplitz(c, r)
    m, n = c.shape[-1], r.shape[-1]
    return taken(joined(r[..., :0:-1], c), n - 1 + difference(m, n))


@routed_linalg
def hankel(c: Any, r: Any = None) -> Any:
    """Hankel matrices, which are constant along their antidiagonals.

    Linear in `c` and `r`: the adjoint sums along the antidiagonals.

    Parameters
    ----------
    c : array_like (..., M)
        The first columns.
    r : array_like (..., N), optional
        The last rows, of which the first element is not read; zeros by default.

    Returns
    -------
    ndarray (..., M, N)
        The matrices.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.hankel(np.array([1.0, 2.0]), np.array([2.0, 3.0, 4.0]))
    array([[1., 2., 3.],
           [2., 3., 4.]])
    """
    (c,) = vectors(c)
    (r,) = (0 * c,) if r is None else vectors(r)
    if is_plain(c, r, axes=1) and c.ndim == r.ndim == 1:
        return scipy.linalg.hankel(c, r)
    m, n = c.shape[-1], r.shape[-1]
    return taken(joined(c, r[..., 1:]), np.arange(m)[:, None] + np.arange(n))


@routed_linalg
def circulant(c: Any) -> Any:
    """Circulant matrices: each column is the one before it, shifted cyclically by one.

    Linear in `c`: the adjoint sums along the diagonals that are closed to rings.

    Parameters
    ----------
    c : array_like (..., N)
        The first columns.

    Returns
    -------
    ndarray (..., N, N)
        The matrices.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.circulant(np.array([1, 2, 3]))
    array([[1, 3, 2],
           [2, 1, 3],
           [3, 2, 1]])
    """
    (c,) = vectors(c)
    if is_plain(c, axes=1):
        return scipy.linalg.circulant(c)
    n = c.shape[-1]
    return taken(c, difference(n, n) % n if n else difference(0, 0))


@routed_linalg
def convolution_matrix(a: Any, n: int, mode: str = "full") -> Any:
    """The matrices of a convolution: `convolution_matrix(a, n, mode) @ v` is `convolve(a, v, mode)`.

    Linear in `a`: the adjoint sums along the diagonals.

    Parameters
    ----------
    a : array_like (..., M)
        The sequences to convolve with.
    n : int
        The length of what is convolved.
    mode : {"full", "valid", "same"}
        As in `convolve`.

    Returns
    -------
    ndarray (..., K, N)
        The matrices.

    Raises
    ------
    ValueError
        If `n` is not positive, `a` is empty, or `mode` is another one.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.convolution_matrix(np.array([1, 2]), 2)
    array([[1, 0],
           [2, 1],
           [0, 2]])
    """
    (a,) = operands(a)
    if is_plain(a, axes=1):
        return scipy.linalg.convolution_matrix(a, n, mode)
    n, m = index(n), a.shape[-1]
    if n <= 0:
        raise ValueError("n must be a positive integer.")
    if m == 0:
        raise ValueError("len(a) must be at least 1.")
    if mode not in ("full", "valid", "same"):
        raise ValueError("'mode' argument must be one of ('full', 'valid', 'same')")
    trimmed = 0 if mode == "full" else min(n, m) - 1
    before = trimmed // 2 if mode == "same" else trimmed
    rows = m + n - 1 - (trimmed if mode == "same" else 2 * trimmed)
    position = before + difference(rows, n)
    return taken(with_constants(a, 0), np.where((position >= 0) & (position < m), position, m))
