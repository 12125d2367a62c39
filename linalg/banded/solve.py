"""Banded systems, in `O(n b**2)` for value and derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError
from scipy.linalg import lapack

from ...complex_autograd.engine.operands import operands
from ..elementary.gathering import where_lives
from ..kernels.partly_linear import PartlyLinear, solution_space
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import is_plain, kernel
from .storage import adjoint_band, full_band, gathered_band, row_indices, stored_half


def _banded_product(ab: Any, x: Any, counts: tuple[int, int]) -> Any:
    """`a @ x`."""
    entries = row_indices(x.shape[-2], *counts)
    return np.sum(gathered_band(ab, entries=entries)[..., None] * x[..., where_lives(x, entries[1]), :], axis=-3)


@kernel(2, 2, like=1)
def solution_of_band(ab: Any, b: Any, *, counts: tuple[int, int], definite: bool) -> Any:
    """The solution of one banded system, by the routine that fits."""
    l, u = counts
    if b.size == 0 or l + u == 0 or (l and u):
        if definite:
            return scipy.linalg.solveh_banded(ab[: u + 1], b, check_finite=False)
        return scipy.linalg.solve_banded(counts, ab, b, check_finite=False)
    (solve,) = lapack.get_lapack_funcs(("tbtrs",), (ab, b))
    x, info = solve(ab, b, uplo="L" if l else "U")
    if info > 0:
        raise LinAlgError("singular matrix")
    return x


@PartlyLinear
def banded_solution(ab: Any, b: Any, *, counts: tuple[int, int], definite: bool = False) -> Any:
    """The solution of `a x = b`."""
    return solution_of_band(ab, b, counts=counts, definite=definite)


banded_solution.space_of(solution_space)


# a x = b  =>  da x + a dx = db
@banded_solution.differential
def _(x: Any, ab: Any, b: Any, dab: Any, db: Any, *, counts: tuple[int, int], definite: bool = False) -> Any:
    return banded_solution(ab, db - _banded_product(dab, x, counts), counts=counts, definite=definite)


@banded_solution.adjoint(1)
def _(g: Any, ab: Any, b: Any, *, counts: tuple[int, int], definite: bool = False) -> Any:
    return banded_solution(adjoint_band(ab, counts), g, counts=counts[::-1], definite=definite)


def _solved(ab: Any, b: Any, counts: tuple[int, int], definite: bool = False) -> Any:
    if ab.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise ValueError("shapes of ab and b are not compatible.")
    if b.ndim == 1:
        return banded_solution(ab, b[:, None], counts=counts, definite=definite)[..., 0]
    return banded_solution(ab, b, counts=counts, definite=definite)


@public(ab=2, b=2)
def solve_banded(
    l_and_u: tuple[int, int],
    ab: Any,
    b: Any,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve `a x = b` for a banded matrix.

    Differentiable in `ab` and `b`, to any order, at the cost of banded solves: `dx = solve(a, db - da x)`.

    Parameters
    ----------
    l_and_u : (int, int)
        The number of diagonals below and above the main one.
    ab : array_like (..., l + u + 1, M)
        The diagonals: `ab[u + i - j, j] = a[i, j]`.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    LinAlgError
        If the matrix is singular.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import wirtinger as np
    >>> ab = np.array([[0.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    >>> np.linalg.solve_banded((0, 1), ab, np.array([3.0, 3.0, 2.0]))
    array([1., 1., 1.])
    """
    ab, b = operands(ab, b)
    if is_plain(ab, b):
        return scipy.linalg.solve_banded(l_and_u, ab, b, check_finite=check_finite)
    if check_finite:
        refuse_infinite(ab, b)
    l, u = l_and_u
    if ab.shape[-2] != l + u + 1:
        raise ValueError(
            f"invalid values for the number of lower and upper diagonals: l+u+1 ({l + u + 1}) does not equal "
            f"ab.shape[0] ({ab.shape[-2]})"
        )
    return _solved(ab, b, (l, u))


@public(ab=2, b=2)
def solveh_banded(
    ab: Any,
    b: Any,
    overwrite_ab: bool = False,
    overwrite_b: bool = False,
    lower: bool = False,
    check_finite: bool = True,
) -> Any:
    """Solve `a x = b` for a Hermitian positive-definite banded matrix.

    Differentiable in `ab` and `b`, to any order.  An entry off the diagonal stands for two: its gradient is that of
    both.

    Parameters
    ----------
    ab : array_like (..., u + 1, M)
        The diagonals of the upper half, `ab[u + i - j, j] = a[i, j]`, or of the lower one, `ab[i - j, j] = a[i, j]`.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    lower : bool
        Which half is given.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    LinAlgError
        If the matrix is not positive-definite.
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solveh_banded(np.array([[0.0, 1.0], [2.0, 2.0]]), np.array([3.0, 3.0]))
    array([1., 1.])
    """
    ab, b = operands(ab, b)
    ab = stored_half(ab, lower) if ab.ndim > 1 else ab
    if is_plain(ab, b):
        return scipy.linalg.solveh_banded(ab, b, lower=lower, check_finite=check_finite)
    if check_finite:
        refuse_infinite(ab, b)
    width = ab.shape[-2] - 1
    return _solved(full_band(ab, lower), b, (width, width), definite=True)


@public(b=2)
def cho_solve_banded(
    cb_and_lower: tuple[Any, bool], b: Any, overwrite_b: bool = False, check_finite: bool = True
) -> Any:
    """Solve `a x = b` by the Cholesky factor of a banded matrix.

    Differentiable in the factor and in `b`, to any order.

    Parameters
    ----------
    cb_and_lower : (array_like (..., u + 1, M), bool)
        What `cholesky_banded` returned, and whether it is the lower factor.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import wirtinger as np
    >>> c = np.linalg.cholesky_banded(np.array([[0.0, 1.0], [2.0, 2.0]]))
    >>> np.linalg.cho_solve_banded((c, False), np.array([3.0, 3.0])).round(12)
    array([1., 1.])
    """
    cb, lower = cb_and_lower
    cb, b = operands(cb, b)
    if is_plain(cb, b):
        return scipy.linalg.cho_solve_banded((cb, lower), b, check_finite=check_finite)
    if check_finite:
        refuse_infinite(cb, b)
    width = cb.shape[-2] - 1
    counts = (width, 0) if lower else (0, width)
    other = adjoint_band(cb, counts)
    first, second = ((cb, counts), (other, counts[::-1])) if lower else ((other, counts[::-1]), (cb, counts))
    half = _solved(first[0], b[:, None] if b.ndim == 1 else b, first[1])
    x = _solved(second[0], half, second[1])
    return x[..., 0] if b.ndim == 1 else x
