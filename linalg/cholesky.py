"""The Cholesky factorization."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import primitive
from ..complex_autograd.routed import routed_linalg
from .factors import triangular
from .solve import solution
from .triangles import hermitian_from, lower_half, triangle_gradient

__all__ = ["cholesky"]


@primitive
def cholesky_factor(a: Any, *, upper: bool) -> Any:
    """The lower factor of the Hermitian matrix that has this triangle."""
    return H(np.linalg.cholesky(a, upper=True)) if upper else np.linalg.cholesky(a)


# a = l H(l)  =>  da = dl H(l) + l H(dl).  With M = inv(l) da inv(H(l)), Hermitian, and inv(l) dl lower with a real
# diagonal:  M = inv(l) dl + H(inv(l) dl)  =>  dl = l Phi(M)  [M16, eq. 8]
@cholesky_factor.differential
def _(l: Any, a: Any, da: Any, *, upper: bool) -> Any:
    factors = triangular(l, lower=True)
    half = solution(l, hermitian_from(da, lower=not upper), factors=factors)
    return l @ lower_half(solution(l, H(half), factors=factors))


@cholesky_factor.adjoint_by_hand
def _(g: Any, l: Any, a: Any, *, upper: bool) -> Any:
    factors = triangular(l, lower=True)
    adjoint = None if factors is None else factors.H
    half = solution(H(l), lower_half(H(l) @ g), factors=adjoint)
    return (triangle_gradient(solution(H(l), H(half), factors=adjoint), lower=not upper),)


@implements(np.linalg.cholesky)
def _(a: Any, /, *, upper: bool = False) -> Any:
    l = cholesky_factor(as_operand(a), upper=bool(upper))
    return H(l) if upper else l


@routed_linalg
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The Cholesky factor of Hermitian positive-definite matrices.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices; only the lower triangle is read, or only the upper one with `upper`.
    upper : bool
        Whether to return the upper factor `u` of `a = H(u) u` in place of the lower one of `a = l H(l)`.

    Returns
    -------
    ndarray (..., M, M)
        The factor, with a positive diagonal.

    Raises
    ------
    LinAlgError
        If a matrix is not positive-definite.

    Notes
    -----
    `dl = l Phi(inv(l) da inv(H(l)))`, where `Phi` takes the lower triangle and half of the diagonal.  The gradient is
    zero in the triangle that is not read.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.cholesky(np.array([[4.0, 0.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    return np.linalg.cholesky(as_operand(a), upper=upper)
