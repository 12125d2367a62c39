"""Systems whose matrix is given by its LU factors."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...complex_autograd.engine.operands import operands
from ...complex_autograd.namespace.routed import routed_linalg
from ...complex_autograd.rules.products.matrix_products import H
from ..factorizations.lu import lower_factor, upper_factor
from ..factorizations.permutations import inverse_permutation, pivots_like, rows_of_interchanges, rows_taken
from ..kernels.lapack import routine
from ..kernels.partly_linear import PartlyLinear, solution_space
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import needs_conversion, refuse_nonfinite, refuse_rectangular, some_traced
from .triangular import is_stack_of_small, triangular_solution


@kernel(2, 1, 2, first=0)
def lu_solve_values(packed: Any, pivots: Any, b: Any, *, trans: int, check_finite: bool) -> Any:
    """SciPy's function, which does not say where a pivot is zero."""
    x = scipy.linalg.lu_solve((packed, pivots), b, trans=trans, check_finite=check_finite)
    if not np.all(np.diagonal(packed)):
        raise LinAlgError("Singular matrix: a pivot is exactly zero")
    return x


@kernel(2, 1, 2, first=0)
def getrs(packed: Any, pivots: Any, b: Any, *, trans: int) -> Any:
    """LAPACK's `getrs`, likewise."""
    if b.size == 0:
        return np.zeros(b.shape, np.result_type(packed, b, np.float32))
    if not np.all(np.diagonal(packed)):
        raise LinAlgError("Singular matrix: a pivot is exactly zero")
    return routine("getrs", packed, b)(packed, pivots, b, trans=trans)[0]


@partial(PartlyLinear, family="LU")
def lu_solution(packed: Any, b: Any, *, pivots: Any, trans: int) -> Any:
    """The solution with `a = p l u`, with its transpose (1) or with its conjugate transpose (2)."""
    if is_stack_of_small(packed, b) and np.all(np.diagonal(packed, axis1=-2, axis2=-1)):
        rows, solved = rows_of_interchanges(pivots, size=packed.shape[-1]), triangular_solution.function
        if trans == 0:
            return solved(packed, solved(packed, rows_taken(b, rows=rows), lower=True, unit=True), lower=False)
        turned = H(packed) if trans == 2 else packed.mT
        x = solved(turned, solved(turned, b, lower=True), lower=False, unit=True)
        return rows_taken(x, rows=inverse_permutation(rows))
    return getrs(packed, pivots, b, trans=trans)


lu_solution.space_of(solution_space)


# a x = b  =>  a dx = db - da x  with  da = p (dl u + l du); the triangles of the packed array hold l and u
@lu_solution.differential
def _(x: Any, packed: Any, b: Any, dpacked: Any, db: Any, *, pivots: Any, trans: int) -> Any:
    l, u, dl, du = lower_factor(packed), upper_factor(packed), np.tril(dpacked, -1), np.triu(dpacked)
    rows = rows_of_interchanges(pivots, size=packed.shape[-1])
    if trans == 0:
        moved = rows_taken(dl @ (u @ x) + l @ (du @ x), rows=inverse_permutation(rows))
    else:
        transposed = H if trans == 2 else np.matrix_transpose
        y = rows_taken(x, rows=rows)
        moved = transposed(u) @ (transposed(dl) @ y) + transposed(du) @ (transposed(l) @ y)
    return lu_solution(packed, db - moved, pivots=pivots, trans=trans)


@lu_solution.adjoint(1)
def _(g: Any, packed: Any, b: Any, *, pivots: Any, trans: int) -> Any:
    matrix = np.conjugate(packed) if trans == 1 else packed
    return lu_solution(matrix, g, pivots=pivots, trans={0: 2, 1: 0, 2: 0}[trans])


def _solve(packed: Any, pivots: Any, b: Any, trans: int, left: bool, check_finite: bool) -> Any:
    if left:
        return _solved(packed, pivots, b, trans, check_finite)
    if b.ndim == 1:
        return _solve(packed, pivots, b[None], trans, left, check_finite)[..., 0, :]
    if trans == 2:
        return H(_solved(packed, pivots, H(b), 0, check_finite))
    return _solved(packed, pivots, b.mT, 1 - trans, check_finite).mT


def _solved(packed: Any, pivots: Any, b: Any, how: int, check_finite: bool) -> Any:
    if needs_conversion(packed, b) and not some_traced(packed, b):
        return lu_solve_values(packed, pivots, b, trans=how, check_finite=check_finite)
    refuse_nonfinite(check_finite, b)
    if b.ndim == 1:
        return _solved(packed, pivots, b[:, None], how, False)[..., 0]
    if packed.shape[-1] != b.shape[-2]:
        raise ValueError(f"Shapes of lu {packed.shape} and b {b.shape} are incompatible")
    return lu_solution(packed, b, pivots=pivots, trans=how)


_solve.__name__ = "lu_solve"
_over_stack = public(packed=2, pivots=1, b=2)(_solve)


@routed_linalg
def lu_solve(
    lu_and_piv: Any,
    b: Any,
    trans: int = 0,
    overwrite_b: bool = False,
    check_finite: bool = True,
    *,
    left: bool = True,
    adjoint: bool = False,
    errors: str = "raise",
) -> Any:
    """Solve `a x = b` with the factors that `lu_factor` returns.

    Differentiable in the factors and in `b`: `dx = solve(a, db - p (dl u + l du) x)`.

    Parameters
    ----------
    lu_and_piv : (array_like (..., M, M), array_like (..., M) of int)
        The factors in one array, and the interchanges, counted from 0.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    trans : {0, 1, 2}
        Whether to solve with `a`, with its transpose or with its conjugate transpose.
    overwrite_b : bool
        Accepted for compatibility; arguments are never overwritten.
    check_finite : bool
        Whether to raise if `b` holds an infinity or NaN.
    left : bool
        Whether `a` stands on the left; else `x a = b` is solved, with `b` (M,) or (..., K, M).
    adjoint : bool
        PyTorch's name for `trans=2`.
    errors : {"raise", "nan", "mask"}
        What to do about the items of a stack that are singular.

    Returns
    -------
    ndarray
        The solution, of the shape of `b`, broadcast over the stack.

    Raises
    ------
    LinAlgError
        If a pivot is zero.
    ValueError
        If shapes do not fit, or an interchange is with no row.

    Examples
    --------
    >>> import wirtinger as np
    >>> factors = np.linalg.lu_factor(np.array([[1.0, 3.0], [2.0, 4.0]]))
    >>> np.linalg.lu_solve(factors, np.array([4.0, 6.0]))
    array([1., 1.])
    """
    if trans not in (0, 1, 2):
        raise ValueError(f"trans={trans!r} is not one of 0, 1, 2")
    packed, b = operands(lu_and_piv[0], b)
    refuse_rectangular(packed)
    pivots = pivots_like(lu_and_piv[1], packed, first=0)
    return _over_stack(packed, pivots, b, 2 if adjoint else trans, left, check_finite, errors=errors)
