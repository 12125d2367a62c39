"""Linear systems and inverses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.symbolic import of_stacks
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.contractions import conjugate
from ...complex_autograd.rules.products.matrix_products import H, adjoint_times, times_adjoint
from ..kernels import numpy_gufuncs
from ..kernels.factors import LU, Definite, Symmetric, Triangular, lu_of
from ..kernels.partly_linear import PartlyLinear, solution_space
from ..kernels.public import public, refuse_infinite
from ..kernels.validation import some_traced
from .assume_a import Assumed, as_read, assumed_factors, assumed_inverse, structure_named, transposed_structure

Factors = LU | Triangular | Definite | Symmetric | Assumed | None


@partial(PartlyLinear, family="LU")
def solution(a: Any, b: Any, *, factors: Factors = None) -> Any:
    """The solution of `a x = b`; `b` is a vector only together with a single matrix."""
    return numpy_gufuncs.solve(a, b) if factors is None else factors.solve(b)


solution.space_of(solution_space)


# a x = b  =>  da x + a dx = db.  With l = solve(H(a), g):  <g, dx> = <l, db - da x> = <l, db> - <l H(x), da>  [G08,
# 2.3.1]
@solution.differential
def _(x: Any, a: Any, b: Any, da: Any, db: Any, *, factors: Factors = None) -> Any:
    return solution(a, db - da @ x, factors=factors)


@solution.adjoint(1)
def _(g: Any, a: Any, b: Any, *, factors: Factors = None) -> Any:
    return _adjoint_solution(a, g, factors)


@solution.adjoint_by_hand
def _(g: Any, x: Any, a: Any, b: Any, *, factors: Factors = None) -> Any:
    l = _adjoint_solution(a, g, factors)
    return times_adjoint(-l, x) if x.ndim > 1 else -l[:, None] * conjugate(x), l


def _adjoint_solution(a: Any, g: Any, factors: Factors) -> Any:
    """The solution of `H(a) l = g`."""
    if factors is None:
        return solution(H(a), g)
    return solution(H(a), g, factors=factors.H) if some_traced(a, g) else factors.H.solve(g)


@implements(np.linalg.solve)
def _(a: Any, b: Any) -> Any:
    return _solve(as_operand(a), as_operand(b))


def _solve(a: Any, b: Any, structure: str = "general", lower: bool = False) -> Any:
    if b.ndim == 1 and a.ndim > 2:
        return _solve(a, b[:, None], structure, lower)[..., 0]
    if structure == "general":
        return solution(a, b, factors=lu_of(a, b))
    full = as_read(a, structure, lower)
    return solution(full, b, factors=assumed_factors(raw(full), structure, b))


@primitive(family="LU")
def inverse(a: Any, *, structure: str = "general", factors: LU | None = None) -> Any:
    """The inverse."""
    if factors is not None:
        return factors.inverse()
    return numpy_gufuncs.inv(a) if structure == "general" else assumed_inverse(a, structure=structure)


# a x = 1  =>  dx = -x da x,  ga = -H(x) g H(x)  [G08, 2.2.3]
@inverse.differential
def _(x: Any, a: Any, da: Any, **params: Any) -> Any:
    return -(x @ da @ x)


@inverse.adjoint_by_hand
@of_stacks
def _(g: Any, x: Any, a: Any, **params: Any) -> Any:
    return (-times_adjoint(adjoint_times(x, g), x),)


@implements(np.linalg.inv)
def _inv(a: Any, structure: str = "general", lower: bool = False) -> Any:
    a = as_read(as_operand(a), structure, lower)
    return inverse(a, structure=structure)


@public(a=2, b=2)
def solve(
    a: Any,
    b: Any,
    lower: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = False,
    assume_a: str | None = None,
    transposed: bool = False,
    *,
    left: bool = True,
) -> Any:
    """Solve `a x = b`.

    Differentiable in both arguments, to any order: `dx = solve(a, db - da x)`.  A single large matrix is factorized
    once for the value and all its derivatives.  The gradient is 0 in the entries of `a` that are not read.

    Parameters
    ----------
    a : array_like (..., M, M)
        The coefficients.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    lower : bool
        Whether the lower triangle is read in place of the upper one where `assume_a` has one triangle read.
    assume_a : str, optional
        "general" or "gen" (also by default); "diagonal", "tridiagonal", "upper triangular", "lower triangular", where
        nothing else is read; "symmetric" or "sym", "hermitian" or "her", "positive definite" or "pos", where one
        triangle is read; "banded", where the bands are found.  The gradient lies in what is read.
    transposed : bool
        Whether to solve `a.mT x = b`.
    left : bool
        Whether `a` stands on the left; else `x a = b` is solved.

    Returns
    -------
    ndarray (..., M) or (..., M, K)
        The solution.

    Raises
    ------
    LinAlgError
        If `a` is singular or not square, or not positive-definite if it should be.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> a = np.array([[2.0, 0.0], [0.0, 4.0]])
    >>> np.linalg.solve(a, np.array([2.0, 4.0]))
    array([1., 1.])
    >>> grad(lambda b: np.sum(np.linalg.solve(a, b)))(np.array([2.0, 4.0]))
    array([0.5 , 0.25])
    >>> grad(lambda a: np.sum(np.linalg.solve(a, np.ones(2), assume_a="pos")))(a) + 0.0
    array([[-0.25  , -0.25  ],
           [ 0.    , -0.0625]])
    """
    a, b = as_operand(a), as_operand(b)
    if check_finite:
        refuse_infinite(a, b)
    if not left:
        return np.matrix_transpose(_solved(a, np.matrix_transpose(b), assume_a, lower, not transposed))
    return _solved(a, b, assume_a, lower, transposed)


def _solved(a: Any, b: Any, assume_a: str | None, lower: bool, transposed: bool) -> Any:
    if assume_a is None and not transposed:
        return _solve(a, b) if isinstance(a, Traced) or isinstance(b, Traced) else numpy_gufuncs.solve(a, b)
    structure = structure_named(assume_a)
    if transposed:
        a, lower, structure = np.matrix_transpose(a), not lower, transposed_structure(structure)
    return _solve(a, b, structure, lower)


@public(a=2)
def inv(
    a: Any, overwrite_a: bool = False, check_finite: bool = False, *, assume_a: str | None = None, lower: bool = False
) -> Any:
    """The inverse of square matrices.

    The differential of `x = inv(a)` is `-x da x`.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    assume_a, lower
        As in `solve`.

    Returns
    -------
    ndarray (..., M, M)
        Their inverses.

    Raises
    ------
    LinAlgError
        If a matrix is singular or not square, or not positive-definite if it should be.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.inv(np.array([[2.0, 0.0], [0.0, 4.0]]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    a = as_operand(a)
    if check_finite:
        refuse_infinite(a)
    if assume_a is None:
        return _inv(a) if isinstance(a, Traced) else numpy_gufuncs.inv(a)
    return _inv(a, structure_named(assume_a), lower)
