"""`solve` and `inv` that report a singular matrix by an integer `info` instead of raising, as in PyTorch."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError

from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg
from ..factorizations.lu import getrf
from .solve import inv, solve


class SolveExResult(NamedTuple):
    """What `solve_ex` returns."""

    result: Any
    info: Any


class InvExResult(NamedTuple):
    """What `inv_ex` returns."""

    inverse: Any
    info: Any


def _info(a: Any, failed: Any, check_errors: bool) -> Any:
    info = np.zeros(failed.shape, np.int32)
    if np.any(failed):
        pivots = getrf(np.broadcast_to(raw(a), failed.shape + a.shape[-2:]))[2]
        info = np.where(failed, np.maximum(pivots, 1), 0).astype(np.int32)
        if check_errors:
            index = tuple(int(i) for i in np.argwhere(failed)[0])
            where = f" (item {index if len(index) > 1 else index[0]} of the stack)" if index else ""
            raise LinAlgError(f"Singular matrix: pivot {info[index]} is zero{where}")
    return info[()]


@routed_linalg
def solve_ex(a: Any, b: Any, *, left: bool = True, check_errors: bool = False) -> SolveExResult:
    """Solve `a x = b`, and say in an integer where `a` is singular.

    Differentiable as `solve` is; the derivatives of the items that are singular are NaN.

    Parameters
    ----------
    a, b, left
        As in `solve`.
    check_errors : bool
        Whether to raise where a matrix is singular.

    Returns
    -------
    SolveExResult
        `result` (..., M) or (..., M, K), the solution, NaN where `a` is singular; and `info` (...), 0 or which pivot
        is the first exact zero, from 1 on.

    Raises
    ------
    LinAlgError
        If `a` is not square; with `check_errors` also if it is singular.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.solve_ex(np.array([[[1.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 2.0]]]), np.ones(2)).info
    array([2, 0], dtype=int32)
    """
    a = as_operand(a)
    result, failed = solve(a, b, left=left, errors="mask")
    return SolveExResult(result, _info(a, failed, check_errors))


@routed_linalg
def inv_ex(a: Any, *, check_errors: bool = False) -> InvExResult:
    """The inverse of square matrices, and in an integer where they are singular.

    Differentiable as `inv` is; the derivatives of the items that are singular are NaN.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    check_errors : bool
        Whether to raise where a matrix is singular.

    Returns
    -------
    InvExResult
        `inverse` (..., M, M), NaN where `a` is singular; and `info` (...), 0 or which pivot is the first exact zero,
        from 1 on.

    Raises
    ------
    LinAlgError
        If `a` is not square; with `check_errors` also if it is singular.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.inv_ex(np.zeros((2, 2)))
    InvExResult(inverse=array([[nan, nan],
           [nan, nan]]), info=np.int32(1))
    """
    a = as_operand(a)
    inverse, failed = inv(a, errors="mask")
    return InvExResult(inverse, _info(a, failed, check_errors))
