"""Toeplitz and circulant matrices, given by a column and a row: products by the FFT, systems by Levinson's recursion.

`t[i, j] = c[i - j]` for `i >= j`, else `r[j - i]`; `r[0]` is not read.  The conjugate transpose has the column
`conj(r)` and the row `conj(c)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...backends import backend_of
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import linear
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.contractions import conjugate
from ..elementary.triangles import cached, like
from ..functions.schur_forms import power_of_two_near
from ..kernels.partly_linear import PartlyLinear
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import is_plain, kernel


def _column_and_row(c_or_cr: Any, *others: Any) -> list[Any]:
    if isinstance(c_or_cr, tuple):
        return operands(*c_or_cr, *others)
    c, *rest = operands(c_or_cr, *others)
    return [c, conjugate(c), *rest]


@cached
def _all_but_first(dtype: str, n: int) -> Any:
    return (np.arange(n) > 0).astype(dtype)


@linear
def without_first(r: Any) -> Any:
    """The same with 0 as the first element."""
    return r * like(r, _all_but_first, r.shape[-1])


@without_first.adjoint(0)
def _(g: Any, r: Any) -> Any:
    return without_first(g)


# A circulant matrix of p = m + n - 1 columns has t in its corner: its first column is c, then r backwards, whose
# Fourier transforms are fft(c) and, as r[k] is at index p - k, p ifft(r) without r[0].
def _product(c: Any, r: Any, x: Any, m: int) -> Any:
    """`t @ x` for a matrix of m rows; `c` or `r` may be ZERO."""
    n = x.shape[-2]
    p = max(m + n - 1, m, n, 1)
    if any(a is not ZERO and a.dtype.kind == "c" for a in (c, r, x)):
        column = ZERO if c is ZERO else np.fft.fft(c, p)
        column = column if r is ZERO else column + p * np.fft.ifft(without_first(r), p)
        return np.fft.ifft(column[..., None] * np.fft.fft(x, p, axis=-2), axis=-2)[..., :m, :]
    column = ZERO if c is ZERO else np.fft.rfft(c, p)
    column = column if r is ZERO else column + conjugate(np.fft.rfft(without_first(r), p))
    return np.fft.irfft(column[..., None] * np.fft.rfft(x, p, axis=-2), p, axis=-2)[..., :m, :]


@kernel(1, 1, 2, like=2)
def levinson(c: Any, r: Any, b: Any) -> Any:
    """The solution of one Toeplitz system, in the precision of what is given."""
    if not len(b):
        return np.zeros(b.shape, _dtype(c, r, b))  # where SciPy drops the axis of the right sides
    return scipy.linalg.solve_toeplitz((c, r), b, check_finite=False).astype(_dtype(c, r, b), copy=False)


def _dtype(*arrays: Any) -> Any:
    """The precision of the result, where SciPy always has double precision."""
    return np.result_type(*[a.dtype if a.dtype.kind in "fc" else np.float64 for a in arrays])


@PartlyLinear
def toeplitz_solution(c: Any, r: Any, b: Any) -> Any:
    """The solution of `t x = b`."""
    return levinson(c, r, b)


@toeplitz_solution.space_of
def _(c: Any, r: Any, b: Any) -> Any:
    stack = np.broadcast_shapes(c.shape[:-1], r.shape[:-1], b.shape[:-2])
    return stack + b.shape[-2:], np.result_type(c.dtype, r.dtype, b.dtype)


# t x = b  =>  dt x + t dx = db
@toeplitz_solution.differential
def _(x: Any, c: Any, r: Any, b: Any, dc: Any, dr: Any, db: Any) -> Any:
    dt_x = ZERO if dc is ZERO and dr is ZERO else _product(dc, dr, x, c.shape[-1])
    return toeplitz_solution(c, r, db - dt_x)


@toeplitz_solution.adjoint(2)
def _(g: Any, c: Any, r: Any, b: Any) -> Any:
    stack = np.broadcast_shapes(c.shape[:-1], r.shape[:-1])
    parts = c[..., :1], r[..., 1:]
    column = np.concatenate([np.broadcast_to(part, (*stack, part.shape[-1])) for part in parts], axis=-1)
    return toeplitz_solution(conjugate(column), conjugate(c), g)


@public(x=2)
def matmul_toeplitz(c_or_cr: Any, x: Any, check_finite: bool = False, workers: int | None = None) -> Any:
    """The product `t @ x` of a Toeplitz matrix, by the FFT.

    Differentiable in all arguments, to any order, by FFTs.

    Parameters
    ----------
    c_or_cr : array_like (..., M) or tuple of array_like (..., M), (..., N)
        The first column, or the first column and the first row; without a row it is `conj(c)`.  The first element of
        the row is not read.
    x : array_like (N,) or (..., N, K)
        What is multiplied; a vector only if it has one dimension.
    workers : int, optional
        The number of threads of the FFT, for NumPy arrays that are not differentiated.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The product.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.matmul_toeplitz((np.array([1.0, 2.0]), np.array([1.0, 0.0])), np.array([1.0, 1.0])).round(12)
    array([1., 3.])
    """
    c, r, x = _column_and_row(c_or_cr, x)
    if is_plain(c, r, axes=1) and is_plain(x) and c.size and x.size:
        product = scipy.linalg.matmul_toeplitz((c, r), x, check_finite=check_finite, workers=workers)
        return product.astype(_dtype(c, r, x), copy=False)
    if check_finite:
        refuse_infinite(c, r, x)
    _refuse_length(r.shape[-1], x)
    m = c.shape[-1]
    return _product(c, r, x[:, None], m)[..., 0] if x.ndim == 1 else _product(c, r, x, m)


def _refuse_length(n: int, x: Any) -> None:
    if x.shape[0 if x.ndim == 1 else -2] != n:
        raise ValueError("Incompatible dimensions.")


@public(b=2)
def solve_toeplitz(c_or_cr: Any, b: Any, check_finite: bool = True) -> Any:
    """Solve `t x = b` for a Toeplitz matrix, in `O(M**2)` by Levinson's recursion.

    Differentiable in all arguments, to any order: `dx = solve(t, db - dt x)`, with the product by the FFT.

    Parameters
    ----------
    c_or_cr : array_like (..., M) or tuple of two array_like (..., M)
        As in `matmul_toeplitz`.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    LinAlgError
        If a leading principal minor is singular.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solve_toeplitz(np.array([2.0, 1.0]), np.array([3.0, 3.0])).round(12)
    array([1., 1.])
    """
    c, r, b = _column_and_row(c_or_cr, b)
    if is_plain(c, r, axes=1) and is_plain(b):
        return scipy.linalg.solve_toeplitz((c, r), b, check_finite=check_finite).astype(_dtype(c, r, b), copy=False)
    if check_finite:
        refuse_infinite(c, r, b)
    _refuse_length(r.shape[-1], b)
    return toeplitz_solution(c, r, b[:, None])[..., 0] if b.ndim == 1 else toeplitz_solution(c, r, b)


@public()
def solve_circulant(
    c: Any, b: Any, singular: str = "raise", tol: Any = None, caxis: int = -1, baxis: int = 0, outaxis: int = 0
) -> Any:
    """Solve `a x = b` for a circulant matrix, by the FFT.

    Differentiable in `c` and `b`, to any order; which eigenvalues count as zero is constant.

    Parameters
    ----------
    c : array_like
        The first columns, along `caxis`.
    b : array_like
        The right sides, along `baxis`; the other axes of both are broadcast.
    singular : {"raise", "lstsq"}
        What to do where the matrix is singular or nearly so: raise, or give the solution of least squares.
    tol : float, optional
        Eigenvalues of at most this size count as zero; by default the largest times `M eps`.
    caxis, baxis, outaxis : int
        The axes of `c`, of `b` and of the result.

    Returns
    -------
    ndarray
        The solution, along `outaxis`.

    Raises
    ------
    LinAlgError
        If the matrix is singular and that is not allowed.
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solve_circulant(np.array([2.0, 1.0, 0.0]), np.array([3.0, 3.0, 3.0])).round(12)
    array([1., 1., 1.])
    """
    c, b = operands(c, b)
    if is_plain(c, axes=1) and is_plain(b, axes=b.ndim or 1):
        return scipy.linalg.solve_circulant(c, b, singular, tol, caxis, baxis, outaxis)
    c, b = np.moveaxis(c, caxis, -1), np.moveaxis(b, baxis, -1)
    n = c.shape[-1]
    if b.shape[-1] != n:
        raise ValueError(f"Shapes of c {c.shape} and b {b.shape} are incompatible")
    if n == 0:
        return np.moveaxis(c * b, -1, outaxis)
    values = np.fft.fft(c, axis=-1)
    size = np.abs(raw(values))
    cutoff = np.max(size, axis=-1, keepdims=True) * (n * np.finfo(np.float64).eps) if tol is None else tol
    regular = size > cutoff
    if singular == "raise" and not bool(np.all(regular)):
        raise LinAlgError("near singular circulant matrix.")
    weights = backend_of(size).namespace.asarray(regular).astype(size.dtype)
    scale = power_of_two_near(raw(c))
    x = np.fft.ifft(np.fft.fft(b, axis=-1) * weights / (values / scale + (1 - weights)), axis=-1) / scale
    if c.dtype.kind != "c" and b.dtype.kind != "c":
        x = np.real(x)
    return np.moveaxis(x, -1, outaxis)
