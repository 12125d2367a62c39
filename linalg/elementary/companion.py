"""Companion matrices of polynomials, and the matrices of Fiedler and Leslie."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg
from ..kernels.stacks import is_plain
from .gathering import difference, joined, taken, vectors, with_constants


def _quotients(a: Any) -> Any:
    """All coefficients but the first, divided by it and negated, and behind them 1 and 0."""
    return with_constants(-a[..., 1:] / a[..., :1], 1, 0)


@routed_linalg
def companion(a: Any) -> Any:
    """Companion matrices: their eigenvalues are the roots of polynomials.

    Differentiable in `a`, to any order.

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
    (a,) = vectors(a)
    if is_plain(a, axes=1):
        return scipy.linalg.companion(a)
    n = a.shape[-1] - 1
    if n < 1:
        raise ValueError("The length of `a` along the last axis must be at least 2.")
    if bool(np.any(raw(a)[..., 0] == 0)):
        raise ValueError("The first coefficient(s) of `a` (i.e. elements of `a[..., 0]`) must not be zero.")
    source = np.where(difference(n, n) == 1, n, n + 1)
    source[0] = np.arange(n)
    return taken(_quotients(a), source)


@routed_linalg
def fiedler_companion(a: Any) -> Any:
    """Fiedler's companion matrices, with five diagonals: their eigenvalues are the roots of polynomials.

    Differentiable in `a`, to any order.

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
    (a,) = vectors(a)
    if is_plain(a, axes=1) or a.shape[-1] < 2:
        return scipy.linalg.fiedler_companion(raw(a))
    if bool(np.any(raw(a)[..., 0] == 0)):
        raise ValueError("Leading coefficient is zero.")
    n = a.shape[-1] - 1
    one, zero = n, n + 1
    source = np.full((n, n), zero)
    source[range(2, n, 2), range(1, n - 1, 2)] = np.arange(2, n, 2)
    source[range(0, n - 1, 2), range(1, n, 2)] = np.arange(1, n, 2)
    source[range(0, n - 2, 2), range(2, n, 2)] = one
    source[range(3, n, 2), range(1, n - 2, 2)] = one
    source[:2, 0] = (0, one)[: min(n, 2)]
    return taken(_quotients(a), source)


@routed_linalg
def fiedler(a: Any) -> Any:
    """Fiedler matrices, `abs(a[i] - a[j])`.

    Equal numbers make a kink; the derivative there is 0.

    Parameters
    ----------
    a : array_like (..., N)
        The numbers.

    Returns
    -------
    ndarray (..., N, N)
        The matrices, real.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.fiedler(np.array([1.0, 4.0, 12.0]))
    array([[ 0.,  3., 11.],
           [ 3.,  0.,  8.],
           [11.,  8.,  0.]])
    """
    (a,) = vectors(a)
    return scipy.linalg.fiedler(a) if is_plain(a, axes=1) else np.abs(a[..., :, None] - a[..., None, :])


@routed_linalg
def leslie(f: Any, s: Any) -> Any:
    """Leslie matrices of population dynamics.

    Linear in `f` and `s`.

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
    f, s = vectors(f, s)
    if is_plain(f, s, axes=1):
        return scipy.linalg.leslie(f, s)
    n = f.shape[-1]
    if n != s.shape[-1] + 1:
        raise ValueError(
            "Incorrect lengths for f and s. The length of s along the last axis must be one less than the length of f."
        )
    if n < 2:
        raise ValueError("The length of s must be at least 1.")
    source = np.where(difference(n, n) == 1, n + np.arange(n), 2 * n - 1)
    source[0] = np.arange(n)
    return taken(with_constants(joined(f, s), 0), source)
