"""The LU factorization with partial pivoting."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H, adjoint_times, times_adjoint
from ..elementary.triangles import rectangular_identity
from ..kernels.lapack import routine
from ..kernels.matrix_operands import native
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import cancelled, index_of, needs_conversion, refuse_nonfinite, some_traced
from ..systems.triangular import divided, divided_by_adjoint, triangular_solution, without_last_column
from .permutations import inverse_permutation, permutation_matrix, rows_of_interchanges, rows_taken


class LUFactorExResult(NamedTuple):
    """What `lu_factor_ex` returns."""

    LU: Any
    pivots: Any
    info: Any


@kernel(2)
def getrf(a: Any) -> Any:
    """LAPACK's `getrf`: both factors in one array, the interchanges, and which pivot is the first zero, from 1 on."""
    if a.size == 0:
        packed = np.zeros_like(a, dtype=np.result_type(a, np.float32))
        return packed, np.arange(min(a.shape), dtype=np.int32), np.int32(0)
    packed, pivots, info = routine("getrf", a)(a)
    return packed, pivots, np.int32(info)


@kernel(2)
def unpivoted_lu(a: Any) -> Any:
    """The same without interchanges, by elimination."""
    packed = np.array(a, np.result_type(a, np.float32 if a.dtype.char in "efF" else np.float64))
    size, info = min(a.shape), 0
    for k in range(size):
        below, right = packed[k + 1 :, k], packed[k, k + 1 :]
        if packed[k, k] == 0:
            if np.any(below):
                raise LinAlgError(f"pivot {k} is zero: the factorization without interchanges does not exist")
            info = info or k + 1
            continue
        below /= packed[k, k]
        packed[k + 1 :, k + 1 :] -= below[:, None] * right
    return packed, np.arange(size, dtype=np.int32), np.int32(info)


@primitive(family="LU")
def packed_lu(a: Any, *, rows: Any, packed: Any) -> Any:
    """The factors of `a[rows] = l u` in one array, without the ones on the diagonal of `l`: as given."""
    return packed


# With a the rows in their new order, l1 and u1 the leading square blocks, and k the strictly lower triangle of
# m = inv(l1) da1 inv(u1), whose last column is not needed, so that the last pivot may be zero:
#     da1 = dl1 u1 + l1 du1  =>  m = inv(l1) dl1 + du1 inv(u1)  =>  dl1 = l1 k
#     du = inv(l1) da - k u to the right,  dl = (da - l du) inv(u1) below; where there is one, every pivot counts
@packed_lu.differential
def _(x: Any, a: Any, da: Any, *, rows: Any, packed: Any) -> Any:
    m, n = x.shape[-2:]
    size = min(m, n)
    if size == 0:
        return 0 * da
    l, u = lower_factor(x), upper_factor(x)
    _refuse_zero_pivots(raw(l), raw(u), size if m > n else size - 1)
    da = rows_taken(da, rows=rows)
    l1, u1 = l[..., :size, :], u[..., :, :size]
    moved = triangular_solution(l1, da[..., :size, :], lower=True, unit=True)
    k = np.tril(divided(moved[..., :, :size], without_last_column(u1)), -1)
    du = np.triu(moved - k @ u)
    top = l1 @ k + du[..., :, :size]
    if m > n:
        return np.concatenate([top, divided(da[..., size:, :] - l[..., size:, :] @ du, u1)], axis=-2)
    return np.concatenate([top, du[..., :, size:]], axis=-1) if n > m else top


# <g, dx> of the same, from the last step to the first, with gl and gu the triangles of g, and l2 and g2 the rows below:
#     w = g2 inv(H(u1)) below,  gu = triu(gu - H(l2) w)  as dl2 has da2 - l2 du
#     gk = tril(H(l1) gl - gu H(u), -1),  ga1 = inv(H(l1)) (gu + gk inv(H(u1)))  with gk in the leading columns
@packed_lu.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, rows: Any, packed: Any) -> Any:
    m, n = x.shape[-2:]
    size = min(m, n)
    if size == 0:
        return (0 * g,)
    l, u = lower_factor(x), upper_factor(x)
    _refuse_zero_pivots(raw(l), raw(u), size if m > n else size - 1)
    l1, u1, g1 = l[..., :size, :], u[..., :, :size], g[..., :size, :]
    below = divided_by_adjoint(g[..., size:, :], u1) if m > n else None
    gu = np.triu(g1 if below is None else g1 - adjoint_times(l[..., size:, :], below))
    gk = np.tril(adjoint_times(l1, np.tril(g1[..., :size], -1)) - times_adjoint(gu, u), -1)
    moved = divided_by_adjoint(gk, without_last_column(u1))
    gm = gu + (moved if n <= m else np.concatenate([moved, np.zeros_like(gu[..., size:])], axis=-1))
    ga = triangular_solution(H(l1), gm, lower=False, unit=True)
    ga = ga if below is None else np.concatenate([ga, below], axis=-2)
    return (rows_taken(ga, rows=inverse_permutation(rows)),)


def _refuse_zero_pivots(l: Any, u: Any, count: int) -> None:
    """Raise if one of the leading pivots is all rounding: what is divided by it is not determined by the matrix."""
    size = l.shape[-1]
    terms = np.sum(np.abs(l[..., :size, :]) * np.abs(u[..., :, :size]).mT, axis=-1)
    zero = cancelled(np.diagonal(u, axis1=-2, axis2=-1), terms, size)[..., :count]
    if np.any(zero):
        raise NotDifferentiableError(
            "linalg.lu",
            f"pivot {index_of(zero)} is zero up to rounding, and more is divided by it: the factors are not determined "
            "by the matrix. det, solve and lstsq need no factors",
            "a",
        )


def lower_factor(packed: Any) -> Any:
    """`l`, with ones on its diagonal."""
    m, n = packed.shape[-2:]
    size = min(m, n)
    return np.tril(packed[..., :, :size], -1) + rectangular_identity(packed, m, size)


def upper_factor(packed: Any) -> Any:
    """`u`."""
    return np.triu(packed[..., : min(packed.shape[-2:]), :])


def _factorized(a: Any, pivot: bool) -> Any:
    """The packed factors, differentiable, the interchanges and `info`."""
    if a.ndim < 2:
        raise ValueError("The input array must be at least two-dimensional.")
    packed, pivots, info = (getrf if pivot else unpivoted_lu)(raw(a))
    if some_traced(a):
        packed = packed_lu(a, rows=rows_of_interchanges(pivots, size=a.shape[-2]), packed=packed)
    return packed, pivots, info


lu_values = kernel(2)(scipy.linalg.lu)
lu_factor_values = kernel(2)(scipy.linalg.lu_factor)


@public(a=2)
def lu(
    a: Any,
    permute_l: bool = False,
    overwrite_a: bool = False,
    check_finite: bool = True,
    p_indices: bool = False,
    *,
    pivot: bool = True,
) -> Any:
    """The factorization `a = p @ l @ u` with interchanges of rows.

    With `m = inv(l) inv(p) da inv(u)`: `dl = l tril(m, -1)` and `du = triu(m) u`.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    permute_l : bool
        Whether to return `p @ l` and `u`.
    p_indices : bool
        Whether to return the permutation as indices: `a = l[p] @ u`.
    pivot : bool
        Whether rows are interchanged; without, `p` is the identity.

    Returns
    -------
    p : ndarray (..., M, M) or (..., M)
        The permutation; a constant of every derivative.
    l : ndarray (..., M, K)
        Lower triangular with ones on the diagonal; K = min(M, N).
    u : ndarray (..., K, N)
        Upper triangular.

    Raises
    ------
    LinAlgError
        If there is no factorization without interchanges.
    NotDifferentiableError
        If a derivative is needed where a pivot is zero on which the factors depend; a last one that is zero is none.

    Examples
    --------
    >>> import wirtinger as np
    >>> p, l, u = np.linalg.lu(np.array([[1.0, 3.0], [2.0, 4.0]]))
    >>> l, u
    (array([[1. , 0. ],
           [0.5, 1. ]]), array([[2., 4.],
           [0., 1.]]))
    """
    a = native(as_operand(a))
    if pivot and not some_traced(a):
        values = scipy.linalg.lu if issubclass(type(a), np.ndarray) and a.size else lu_values
        return values(a, permute_l=permute_l, check_finite=check_finite, p_indices=p_indices)
    refuse_nonfinite(check_finite, a)
    packed, pivots, _ = _factorized(a, pivot)
    l, u = lower_factor(packed), upper_factor(packed)
    order = inverse_permutation(rows_of_interchanges(pivots, size=a.shape[-2]))
    if permute_l:
        return rows_taken(l, rows=order), u
    return (order.astype(np.int32) if p_indices else permutation_matrix(order, a)), l, u


@public(a=2)
def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, pivot: bool = True) -> Any:
    """The factorization of `lu`, with both factors in one array: what `lu_solve` takes.

    `lu_solve`, its derivatives and those of the factorization all use these factors: none is computed again.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    pivot : bool
        Whether rows are interchanged.

    Returns
    -------
    lu : ndarray (..., M, N)
        `u` in the upper triangle, `l` without its ones below.
    piv : ndarray (..., min(M, N)) of int
        Row `i` was interchanged with row `piv[i]`; counted from 0.

    Raises
    ------
    LinAlgError
        If there is no factorization without interchanges.
    NotDifferentiableError
        As for `lu`.

    Warns
    -----
    LinAlgWarning
        If a pivot is zero.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.lu_factor(np.array([[1.0, 3.0], [2.0, 4.0]]))
    (array([[2. , 4. ],
           [0.5, 1. ]]), array([1, 1], dtype=int32))
    """
    a = as_operand(a)
    if pivot and needs_conversion(a) and not some_traced(a):
        return lu_factor_values(a, check_finite=check_finite)
    refuse_nonfinite(check_finite, a)
    packed, pivots, info = _factorized(a, pivot)
    if np.any(info):
        message = f"Diagonal number {np.max(info)} is exactly zero. Singular matrix."
        warnings.warn(message, scipy.linalg.LinAlgWarning, stacklevel=3)
    return packed, pivots


@public(a=2)
def lu_factor_ex(a: Any, *, pivot: bool = True, check_errors: bool = False) -> LUFactorExResult:
    """The factorization of `lu_factor`, which says in an integer where a matrix is singular.

    Differentiable as `lu_factor` is.

    Parameters
    ----------
    a, pivot
        As in `lu_factor`.
    check_errors : bool
        Whether to raise where a pivot is zero.

    Returns
    -------
    LUFactorExResult
        `LU` (..., M, N) and `pivots` (..., min(M, N)), counted from 0, as `lu_factor` returns them; and `info` (...), 0
        or which pivot is the first exact zero, from 1 on.

    Raises
    ------
    LinAlgError
        With `check_errors`, if a pivot is zero.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.lu_factor_ex(np.array([[1.0, 2.0], [1.0, 2.0]])).info
    np.int32(2)
    """
    packed, pivots, info = _factorized(as_operand(a), pivot)
    if check_errors and np.any(info):
        raise LinAlgError(f"Singular matrix: pivot {int(np.max(info))} is exactly zero")
    return LUFactorExResult(packed, pivots, info)
