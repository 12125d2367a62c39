"""Triangular systems."""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np
import scipy.linalg

from ...backends.native import small_stacks
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.rules.products.matrix_products import H, adjoint_times, times_adjoint
from ...determinism.flag import is_fixed
from ..elementary.triangles import cached, identity, like
from ..kernels.factors import SMALLEST
from ..kernels.lapack import routine
from ..kernels.partly_linear import PartlyLinear, solution_space
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import needs_conversion, refuse_nonfinite, refuse_rectangular, some_traced

_MANY: Final = 32
"""From this many items on, NumPy's calls for each column of them cost less than elimination."""

_TRANS: Final = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def triangle(a: Any, lower: bool, unit: bool = False) -> Any:
    """One triangle of matrices, without the diagonal if that is one of ones."""
    return np.tril(a, -1 if unit else 0) if lower else np.triu(a, 1 if unit else 0)


@kernel(2, 2)
def substitution(a: Any, b: Any, *, lower: bool, unit: bool) -> Any:
    """LAPACK's `trtrs`, which wants Fortran's order: a matrix in C's is solved with as its transpose."""
    if a.size == 0 or b.size == 0:
        return np.zeros(b.shape, np.result_type(a, b, np.float32))
    trtrs = routine("trtrs", a, b)
    if a.flags.f_contiguous:
        x, info = trtrs(a, b, lower=lower, unitdiag=unit)
    else:
        x, info = trtrs(a.T, b, lower=not lower, trans=1, unitdiag=unit)
    if info > 0:
        raise np.linalg.LinAlgError(f"singular matrix: resolution failed at diagonal {info - 1}")
    return x


@PartlyLinear
def triangular_solution(a: Any, b: Any, *, lower: bool, unit: bool = False) -> Any:
    """The solution of `a x = b` with one triangle of `a`; with `unit`, its diagonal is taken to be one."""
    if type(a) is np.ndarray and (a.ndim < 3 > b.ndim or a.shape[-1] >= SMALLEST):
        return substitution(a, b, lower=lower, unit=unit)
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    if small_stacks.takes(a, b):
        x, refused = small_stacks.triangular(a, b, lower, unit)
        if refused is not None:
            a, b = (np.broadcast_to(y, stack + y.shape[-2:])[refused] for y in (a, b))
            x[refused] = _interleaved(a, b, a.shape[:1], lower, unit)
        return x
    if type(a) is type(b) is np.ndarray and a.size and prod(stack) >= (1 if is_fixed() else _MANY):
        return _interleaved(a, b, stack, lower, unit)
    return _eliminated(triangle(a, lower, unit) + identity(a) if unit else triangle(a, lower), b, lower)


def is_stack_of_small(a: Any, b: Any) -> bool:
    """Whether these are many small systems, which LAPACK solves one by one in 20 to 70 times the time."""
    return (
        type(a) is type(b) is np.ndarray
        and a.shape[-1] < SMALLEST
        and a.dtype.char in "fdFD"
        and b.dtype.char in "fdFD"
        and b.size > 0
        and prod(np.broadcast_shapes(a.shape[:-2], b.shape[:-2])) >= max(_MANY, 4 * a.shape[-1])
        and not is_fixed()
    )


def _interleaved(a: Any, b: Any, stack: tuple[int, ...], lower: bool, unit: bool) -> Any:
    """Substitution in all items of a stack at once, copied so that the stack is the last axis in memory."""
    n, dtype = a.shape[-1], np.result_type(a.dtype, b.dtype)
    if not unit and not np.all(np.diagonal(a, axis1=-2, axis2=-1)):
        raise np.linalg.LinAlgError("Singular matrix")
    a, x = (np.broadcast_to(y, stack + y.shape[-2:]).reshape(-1, *y.shape[-2:]) for y in (a, b))
    a, x = np.array(a.transpose(1, 2, 0), order="C"), np.array(x.transpose(1, 2, 0), dtype, order="C")
    term = np.empty_like(x)
    for k in range(n) if lower else reversed(range(n)):
        if not unit:
            x[k] *= np.reciprocal(a[k, k])
        rest = slice(k + 1, n) if lower else slice(k)
        x[rest] -= np.multiply(a[rest, k, None], x[k], out=term[rest])
    return np.array(x.transpose(2, 0, 1), order="C").reshape(*stack, *x.shape[:2])


def _eliminated(a: Any, b: Any, lower: bool) -> Any:
    """The solution by NumPy, reversed so that the triangle is the upper one: then there is nothing to eliminate."""
    if not lower:
        return np.linalg.solve(a, b)
    return np.linalg.solve(a[..., ::-1, ::-1], b[..., ::-1, :])[..., ::-1, :]


triangular_solution.space_of(solution_space)


# a x = b  =>  a dx = db - da x, with the triangle of da that is read.  With l = solve(H(a), g):  gb = l, ga = -l H(x)
@triangular_solution.differential
def _(x: Any, a: Any, b: Any, da: Any, db: Any, *, lower: bool, unit: bool = False) -> Any:
    return triangular_solution(a, db - triangle(da, lower, unit) @ x, lower=lower, unit=unit)


@triangular_solution.adjoint(1)
def _(g: Any, a: Any, b: Any, *, lower: bool, unit: bool = False) -> Any:
    return triangular_solution(H(a), g, lower=not lower, unit=unit)


@triangular_solution.adjoint_by_hand
def _(g: Any, x: Any, a: Any, b: Any, *, lower: bool, unit: bool = False) -> Any:
    l = triangular_solution(H(a), g, lower=not lower, unit=unit)
    return triangle(-l @ H(x), lower, unit), l


def adjoint_product(a: Any, b: Any, *, lower: bool, right: bool = False) -> Any:
    """`H(a) b` for triangular matrices `a`, or with `right` `b H(a)`; of large ones in half the time of a product."""
    if type(a) is type(b) is np.ndarray and a.ndim == b.ndim == 2 and len(a) >= SMALLEST and a.dtype == b.dtype:
        trmm = scipy.linalg.get_blas_funcs("trmm", (a, b))
        return trmm(1.0, a.T, b.T, side=not right, lower=not lower, trans_a=2).T  # Fortran reads all transposed
    return times_adjoint(b, a) if right else adjoint_times(a, b)


def divided(a: Any, u: Any) -> Any:
    """`a inv(u)` for upper triangular `u`."""
    return H(triangular_solution(H(u), H(a), lower=True))


def divided_by_adjoint(a: Any, u: Any) -> Any:
    """`a inv(H(u))` for upper triangular `u`."""
    return H(triangular_solution(u, H(a), lower=False))


def without_last_column(u: Any) -> Any:
    """Square matrices with the last column of the identity in place of their own."""
    return u * like(u, _all_but_last, u.shape[-1]) + like(u, _last, u.shape[-1])


@cached
def _all_but_last(dtype: str, n: int) -> Any:
    return (np.arange(n) < n - 1).astype(dtype)


@cached
def _last(dtype: str, n: int) -> Any:
    return np.diag((np.arange(n) == n - 1).astype(dtype))


solve_triangular_values = kernel(2, 2)(scipy.linalg.solve_triangular)


@public(a=2, b=2)
def solve_triangular(
    a: Any,
    b: Any,
    trans: int | str = 0,
    lower: bool | None = None,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
    *,
    upper: bool | None = None,
    left: bool = True,
    unitriangular: bool = False,
) -> Any:
    """Solve `a x = b` with triangular matrices.

    `dx = solve(a, db - da x)`.  The gradient is zero where nothing is read.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices; one triangle is read.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    trans : {0, 1, 2, "N", "T", "C"}
        Whether to solve with `a`, with its transpose or with its conjugate transpose.
    lower : bool
        Whether to read the lower triangle; by default the upper one.
    unit_diagonal : bool
        Whether the diagonal is taken to be one, and not read.
    upper, unitriangular : bool
        PyTorch's names for the opposite of `lower` and for `unit_diagonal`.
    left : bool
        Whether `a` stands on the left; else `x a = b` is solved, with `b` (M,) or (..., K, M).

    Returns
    -------
    ndarray
        The solution, of the shape of `b`, broadcast over the stack.

    Raises
    ------
    LinAlgError
        If a matrix is singular.
    ValueError
        If shapes do not fit, or `lower` and `upper` contradict each other.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> a, b = np.array([[2.0, 1.0], [7.0, 4.0]]), np.array([4.0, 8.0])
    >>> np.linalg.solve_triangular(a, b)
    array([1., 2.])
    >>> grad(lambda a: np.sum(np.linalg.solve_triangular(a, b)))(a).round(12) + 0.0
    array([[-0.5 , -1.  ],
           [ 0.  , -0.25]])
    """
    lower = reads_lower(lower, upper, default=False)
    if trans not in _TRANS:
        raise ValueError(f"trans={trans!r} is not one of {', '.join(map(repr, _TRANS))}")
    a, b = operands(a, b)
    how, unit = _TRANS[trans], unit_diagonal or unitriangular
    if left:
        return _solved(a, b, how, lower, unit, check_finite)
    if b.ndim == 1:
        return solve_triangular(a, b[None], how, lower, unit, check_finite=check_finite, left=False)[..., 0, :]
    if how == 2:
        return H(_solved(a, H(b), 0, lower, unit, check_finite))
    return _solved(a, b.mT, 1 - how, lower, unit, check_finite).mT


def reads_lower(lower: bool | None, upper: bool | None, default: bool) -> bool:
    """What SciPy's `lower` and PyTorch's and NumPy's `upper` say together."""
    if lower is None:
        return default if upper is None else not upper
    if upper is not None and bool(lower) == bool(upper):
        raise ValueError(f"lower={lower} contradicts upper={upper}")
    return bool(lower)


def _solved(a: Any, b: Any, how: int, lower: bool, unit: bool, check_finite: bool) -> Any:
    """The solution with `a`, its transpose or its conjugate transpose."""
    if needs_conversion(a, b) and not some_traced(a, b):
        settings = {"trans": how, "lower": lower, "unit_diagonal": unit, "check_finite": check_finite}
        return solve_triangular_values(a, b, **settings)
    refuse_nonfinite(check_finite, a, b)
    refuse_rectangular(a)
    if b.ndim == 1:
        return _solved(a, b[:, None], how, lower, unit, False)[..., 0]
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"shapes of a {a.shape} and b {b.shape} are incompatible")
    if how:
        a, lower = (a.mT if how == 1 else H(a)), not lower
    return triangular_solution(a, b, lower=lower, unit=unit)
