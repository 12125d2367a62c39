"""Systems whose matrix is given by its Cholesky factor."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...backends.numpy_versions import cho_factor_is_triangular
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.namespace.routed import routed_linalg
from ...complex_autograd.rules.products.matrix_products import H
from ..factorizations.cholesky import cholesky_factor
from ..kernels.lapack import routine
from ..kernels.partly_linear import PartlyLinear, solution_space
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import needs_conversion, refuse_nonfinite, refuse_rectangular, some_traced
from .triangular import is_stack_of_small, triangle, triangular_solution


@kernel(2)
def cho_factor_values(a: Any, *, lower: bool) -> Any:
    """The factor in one triangle, and the matrix in the other."""
    if a.size == 0 or needs_conversion(a):
        return scipy.linalg.cho_factor(a, lower=lower, check_finite=False)[0]
    refuse_rectangular(a)
    c, info = routine("potrf", a)(a, lower=lower, clean=False)
    if info > 0:
        raise LinAlgError(f"{info}-th leading minor of the array is not positive definite")
    return c


@kernel(2, 2)
def cho_solve_values(c: Any, b: Any, *, lower: bool, check_finite: bool) -> Any:
    """SciPy's function, which does not say where the factor is singular."""
    x = scipy.linalg.cho_solve((c, lower), b, check_finite=check_finite)
    if not np.all(np.diagonal(c)):
        raise LinAlgError("Singular matrix: the diagonal of its Cholesky factor has a zero")
    return x


@kernel(2, 2)
def potrs(c: Any, b: Any, *, lower: bool) -> Any:
    """LAPACK's `potrs`, likewise."""
    if b.size == 0:
        return np.zeros(b.shape, np.result_type(c, b, np.float32))
    if not np.all(np.diagonal(c)):
        raise LinAlgError("Singular matrix: the diagonal of its Cholesky factor has a zero")
    return routine("potrs", c, b)(c, b, lower=lower)[0]


@partial(PartlyLinear, family="Cholesky")
def cholesky_solution(c: Any, b: Any, *, lower: bool) -> Any:
    """The solution of `a x = b`, where one triangle of `c` is the Cholesky factor of `a`."""
    if is_stack_of_small(c, b) and np.all(np.diagonal(c, axis1=-2, axis2=-1)):
        l = c if lower else H(c)
        return triangular_solution.function(H(l), triangular_solution.function(l, b, lower=True), lower=False)
    return potrs(c, b, lower=lower)


cholesky_solution.space_of(solution_space)


# a x = b  =>  a dx = db - da x  with  a = l H(l), da = dl H(l) + l H(dl)
@cholesky_solution.differential
def _(x: Any, c: Any, b: Any, dc: Any, db: Any, *, lower: bool) -> Any:
    l, dl = triangle(c, lower), triangle(dc, lower)
    if not lower:
        l, dl = H(l), H(dl)
    return cholesky_solution(c, db - dl @ (H(l) @ x) - l @ (H(dl) @ x), lower=lower)


# with u = solve(a, g):  gb = u,  gl = -(u H(x) + x H(u)) l
@cholesky_solution.adjoint_by_hand
def _(g: Any, x: Any, c: Any, b: Any, *, lower: bool) -> Any:
    l, u = triangle(c, lower), cholesky_solution(c, g, lower=lower)
    if not lower:
        l = H(l)
    gl = u @ H(H(l) @ x) + x @ H(H(l) @ u)
    return -triangle(gl if lower else H(gl), lower), u


@cholesky_solution.adjoint(1)
def _(g: Any, c: Any, b: Any, *, lower: bool) -> Any:
    return cholesky_solution(c, g, lower=lower)


@public(a=2)
def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, bool]:
    """The Cholesky factor in one triangle of a matrix: what `cho_solve` takes.

    Differentiable as `cholesky` is.  `cho_solve` and all derivatives use this factor: none is computed again.

    Parameters
    ----------
    a : array_like (..., M, M)
        Hermitian positive-definite matrices; one triangle is read, and the gradient of what is computed with the factor
        lies in it.
    lower : bool
        Whether to read the lower triangle and return the lower factor; by default the upper ones.

    Returns
    -------
    c : ndarray (..., M, M)
        The factor; the other triangle is zero from SciPy 1.18 on, and before that of `a`.
    lower : bool
        As given.

    Raises
    ------
    LinAlgError
        If a matrix is not positive-definite.

    Examples
    --------
    >>> import wirtinger as np
    >>> c, lower = np.linalg.cho_factor(np.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> np.triu(c)
    array([[2., 1.],
           [0., 2.]])
    """
    a = as_operand(a)
    refuse_nonfinite(check_finite, a)
    found, is_triangular = cho_factor_values(raw(a), lower=bool(lower)), cho_factor_is_triangular()
    if not some_traced(a):
        return triangle(found, lower) if is_triangular else found, lower
    factor = triangle(found, lower)
    l = cholesky_factor(a, upper=not lower, factor=factor if lower else H(factor))
    factor = l if lower else H(l)
    return factor if is_triangular else factor + triangle(a, not lower, unit=True), lower


def _solved(c: Any, b: Any, lower: bool, check_finite: bool) -> Any:
    if needs_conversion(c, b) and not some_traced(c, b):
        return cho_solve_values(c, b, lower=lower, check_finite=check_finite)
    refuse_nonfinite(check_finite, c, b)
    refuse_rectangular(c)
    if b.ndim == 1:
        return _solved(c, b[:, None], lower, False)[..., 0]
    if c.shape[-1] != b.shape[-2]:
        raise ValueError(f"incompatible dimensions ({c.shape} and {b.shape})")
    return cholesky_solution(c, b, lower=lower)


_solved.__name__ = "cho_solve"
_over_stack = public(c=2, b=2)(_solved)


@routed_linalg
def cho_solve(
    c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True, *, errors: str = "raise"
) -> Any:
    """Solve `a x = b` with the factor that `cho_factor` returns.

    Differentiable in the factor and in `b`: `dx = solve(a, db - (dl H(l) + l H(dl)) x)`.

    Parameters
    ----------
    c_and_lower : (array_like (..., M, M), bool)
        The factor, in the triangle that the second says; the other one is not read.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    overwrite_b : bool
        Accepted for compatibility; arguments are never overwritten.
    check_finite : bool
        Whether to raise if an argument holds an infinity or NaN.
    errors : {"raise", "nan", "mask"}
        What to do about the items of a stack that are singular.

    Returns
    -------
    ndarray
        The solution, of the shape of `b`, broadcast over the stack.

    Raises
    ------
    LinAlgError
        If the factor has a zero on its diagonal.

    Examples
    --------
    >>> import wirtinger as np
    >>> factor = np.linalg.cho_factor(np.array([[4.0, 2.0], [2.0, 5.0]]))
    >>> np.linalg.cho_solve(factor, np.array([6.0, 7.0])).round(12)
    array([1., 1.])
    """
    c, b = operands(c_and_lower[0], b)
    return _over_stack(c, b, bool(c_and_lower[1]), check_finite, errors=errors)
