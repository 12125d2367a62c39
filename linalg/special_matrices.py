"""Matrices made from a few numbers: every entry is one of them, 0 or 1, and is gathered from its place among them."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import index
from typing import Any

import numpy as np
import scipy.linalg
from scipy.linalg import dft, hadamard, helmert, hilbert, invhilbert, invpascal, pascal

from ..backends import backend_of
from ..complex_autograd.array import raw
from ..complex_autograd.contractions import conjugate
from ..complex_autograd.operands import operands
from ..complex_autograd.routed import routed_linalg
from .stacks import is_plain

__all__ = [
    "block_diag",
    "circulant",
    "companion",
    "convolution_matrix",
    "dft",
    "diagsvd",
    "fiedler",
    "fiedler_companion",
    "hadamard",
    "hankel",
    "helmert",
    "hilbert",
    "invhilbert",
    "invpascal",
    "leslie",
    "pascal",
    "toeplitz",
    "vander",
]


def _joined(*parts: Any) -> Any:
    """Parts of the last axis, with their stacks broadcast."""
    stack = np.broadcast_shapes(*[x.shape[:-1] for x in parts])
    return np.concatenate([np.broadcast_to(x, stack + x.shape[-1:]) for x in parts], axis=-1)


def _with_constants(values: Any, *constants: float) -> Any:
    """The values, and behind them constants."""
    made = backend_of(raw(values)).namespace.asarray(np.asarray(constants, values.dtype))
    return _joined(values, made)


@lru_cache(maxsize=64)
def _difference(rows: int, columns: int) -> Any:
    return np.arange(rows)[:, None] - np.arange(columns)


def _vectors(*args: Any) -> list[Any]:
    return [x[None] if x.ndim == 0 else x for x in operands(*args)]


@routed_linalg
def toeplitz(c: Any, r: Any = None) -> Any:
    """Toeplitz matrices, which are constant along their diagonals.

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

    Notes
    -----
    Linear in `c` and `r` (over the real numbers where `r` is left out): the adjoint sums along the diagonals.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.toeplitz(np.array([1.0, 2.0]), np.array([1.0, 4.0, 5.0]))
    array([[1., 4., 5.],
           [2., 1., 4.]])
    """
    (c,) = _vectors(c)
    (r,) = (conjugate(c),) if r is None else _vectors(r)
    if is_plain(c, r, axes=1):
        return scipy.linalg.toeplitz(c, r)
    m, n = c.shape[-1], r.shape[-1]
    return _joined(r[..., :0:-1], c)[..., n - 1 + _difference(m, n)]


@routed_linalg
def hankel(c: Any, r: Any = None) -> Any:
    """Hankel matrices, which are constant along their antidiagonals.

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
    (c,) = _vectors(c)
    (r,) = (0 * c,) if r is None else _vectors(r)
    if is_plain(c, r, axes=1) and c.ndim == r.ndim == 1:
        return scipy.linalg.hankel(c, r)
    m, n = c.shape[-1], r.shape[-1]
    return _joined(c, r[..., 1:])[..., np.arange(m)[:, None] + np.arange(n)]


@routed_linalg
def circulant(c: Any) -> Any:
    """Circulant matrices: each column is the one before it, turned by one place.

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
    (c,) = _vectors(c)
    if is_plain(c, axes=1):
        return scipy.linalg.circulant(c)
    n = c.shape[-1]
    return c[..., _difference(n, n) % n if n else _difference(0, 0)]


@routed_linalg
def convolution_matrix(a: Any, n: int, mode: str = "full") -> Any:
    """The matrices of a convolution: `convolution_matrix(a, n, mode) @ v` is `convolve(a, v, mode)`.

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
    place = before + _difference(rows, n)
    return _with_constants(a, 0)[..., np.where((place >= 0) & (place < m), place, m)]


@routed_linalg
def companion(a: Any) -> Any:
    """Companion matrices: their eigenvalues are the roots of polynomials.

    Parameters
    ----------
    a : array_like (..., N)
        The coefficients, highest degree first; the first must not be zero.

    Returns
    -------
    ndarray (..., N - 1, N - 1)
        The matrices, with `-a[1:] / a[0]` in the first row and ones below the diagonal.

    Raises
    ------
    ValueError
        If there are fewer than two coefficients, or the first is zero.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.companion(np.array([1.0, -3.0, 2.0]))
    array([[ 3., -2.],
           [ 1.,  0.]])
    """
    (a,) = _vectors(a)
    if is_plain(a, axes=1):
        return scipy.linalg.companion(a)
    n = a.shape[-1] - 1
    if n < 1:
        raise ValueError("The length of `a` along the last axis must be at least 2.")
    if bool(np.any(raw(a)[..., 0] == 0)):
        raise ValueError("The first coefficient(s) of `a` (i.e. elements of `a[..., 0]`) must not be zero.")
    place = np.where(_difference(n, n) == 1, n, n + 1)
    place[0] = np.arange(n)
    return _with_constants(-a[..., 1:] / a[..., :1], 1, 0)[..., place]


@routed_linalg
def fiedler_companion(a: Any) -> Any:
    """Fiedler's companion matrices, with five diagonals: their eigenvalues are the roots of polynomials.

    Parameters
    ----------
    a : array_like (..., N)
        The coefficients, highest degree first; the first must not be zero.

    Returns
    -------
    ndarray (..., N - 1, N - 1)
        The matrices; empty if there are fewer than two coefficients.

    Raises
    ------
    ValueError
        If the first coefficient is zero.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.fiedler_companion(np.array([1.0, -6.0, 11.0, -6.0]))
    array([[  6., -11.,   1.],
           [  1.,   0.,   0.],
           [  0.,   6.,   0.]])
    """
    (a,) = _vectors(a)
    if is_plain(a, axes=1) or a.shape[-1] < 2:
        return scipy.linalg.fiedler_companion(raw(a))
    if bool(np.any(raw(a)[..., 0] == 0)):
        raise ValueError("Leading coefficient is zero.")
    n = a.shape[-1] - 1
    one, zero = n, n + 1
    place = np.full((n, n), zero)
    place[range(2, n, 2), range(1, n - 1, 2)] = np.arange(2, n, 2)
    place[range(0, n - 1, 2), range(1, n, 2)] = np.arange(1, n, 2)
    place[range(0, n - 2, 2), range(2, n, 2)] = one
    place[range(3, n, 2), range(1, n - 2, 2)] = one
    place[:2, 0] = (0, one)[: min(n, 2)]
    return _with_constants(-a[..., 1:] / a[..., :1], 1, 0)[..., place]


@routed_linalg
def fiedler(a: Any) -> Any:
    """Fiedler matrices, `abs(a[i] - a[j])`.

    Parameters
    ----------
    a : array_like (..., N)
        The numbers.

    Returns
    -------
    ndarray (..., N, N)
        The matrices, real.

    Notes
    -----
    Equal numbers make a kink; the derivative there is 0.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.fiedler(np.array([1.0, 4.0, 12.0]))
    array([[ 0.,  3., 11.],
           [ 3.,  0.,  8.],
           [11.,  8.,  0.]])
    """
    (a,) = _vectors(a)
    return scipy.linalg.fiedler(a) if is_plain(a, axes=1) else np.abs(a[..., :, None] - a[..., None, :])


@routed_linalg
def leslie(f: Any, s: Any) -> Any:
    """Leslie matrices of population dynamics.

    Parameters
    ----------
    f : array_like (..., N)
        The fecundities, in the first row.
    s : array_like (..., N - 1)
        The rates of survival, below the diagonal.

    Returns
    -------
    ndarray (..., N, N)
        The matrices.

    Raises
    ------
    ValueError
        If the lengths do not fit.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.leslie(np.array([0.1, 2.0]), np.array([0.2]))
    array([[0.1, 2. ],
           [0.2, 0. ]])
    """
    f, s = _vectors(f, s)
    if is_plain(f, s, axes=1):
        return scipy.linalg.leslie(f, s)
    n = f.shape[-1]
    if n != s.shape[-1] + 1:
        raise ValueError(
            "Incorrect lengths for f and s. The length of s along the last axis must be one less than the length of f."
        )
    if n < 2:
        raise ValueError("The length of s must be at least 1.")
    place = np.where(_difference(n, n) == 1, n + np.arange(n), 2 * n - 1)
    place[0] = np.arange(n)
    return _with_constants(_joined(f, s), 0)[..., place]


@routed_linalg
def diagsvd(s: Any, M: int, N: int) -> Any:
    """Singular values as the matrix between the two of their vectors.

    Parameters
    ----------
    s : array_like (..., min(M, N))
        The values.
    M, N : int
        The number of rows and columns.

    Returns
    -------
    ndarray (..., M, N)
        The matrices that have the values on their diagonal.

    Raises
    ------
    ValueError
        If there are not min(M, N) values.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.diagsvd(np.array([1, 2]), 2, 3)
    array([[1, 0, 0],
           [0, 2, 0]])
    """
    (s,) = operands(s)
    if is_plain(s, axes=1) and s.ndim == 1:
        return scipy.linalg.diagsvd(s, M, N)
    count = s.shape[-1]
    if count not in (M, N):
        raise ValueError("Length of s must be M or N.")
    return _with_constants(s, 0)[..., np.where(_difference(M, N) == 0, np.minimum(np.arange(N), count), count)]


@routed_linalg
def block_diag(*arrs: Any) -> Any:
    """Matrices put along the diagonal of a larger one.

    Parameters
    ----------
    *arrs : array_like (..., M, N)
        The blocks; a vector is a row, a number a 1x1 matrix.

    Returns
    -------
    ndarray (..., sum of M, sum of N)
        The blocks, and zeros elsewhere.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.block_diag(np.array([[1.0, 2.0]]), 3.0)
    array([[1., 2., 0.],
           [0., 0., 3.]])
    """
    blocks = operands(*arrs)
    if is_plain(*blocks):
        return scipy.linalg.block_diag(*blocks)
    blocks = [x[(None,) * (2 - x.ndim)] if x.ndim < 2 else x for x in blocks]
    stack = np.broadcast_shapes(*[x.shape[:-2] for x in blocks])
    width, rows, before = sum(x.shape[-1] for x in blocks), [], 0
    for x in blocks:
        after = width - before - x.shape[-1]
        padded = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(before, after)])
        rows.append(np.broadcast_to(padded, stack + padded.shape[-2:]))
        before += x.shape[-1]
    return np.concatenate(rows, axis=-2)


@routed_linalg
def vander(x: Any, N: int | None = None) -> Any:
    """Vandermonde matrices with increasing powers, as PyTorch's.

    Parameters
    ----------
    x : array_like (..., M)
        The numbers.
    N : int, optional
        The number of powers, from 0 on; M by default.

    Returns
    -------
    ndarray (..., M, N)
        `x[i]**j`.

    Raises
    ------
    ValueError
        If N is negative.

    Notes
    -----
    `numpy.vander` has the powers in decreasing order and takes no stacks.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.vander(np.array([1.0, 2.0, 3.0]))
    array([[1., 1., 1.],
           [1., 2., 4.],
           [1., 3., 9.]])
    """
    (x,) = _vectors(x)
    count = x.shape[-1] if N is None else index(N)
    if count < 0:
        raise ValueError(f"the number of columns is {count}; it must not be negative")
    one = np.ones_like(raw(x))
    powers = reduce(lambda powers, _: [*powers, powers[-1] * x], range(count - 1), [one])
    return np.stack(powers, axis=-1)[..., :count]
