"""Pseudo-inverses and least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.array import raw
from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import primitive
from ..complex_autograd.routed import routed_linalg
from ..complex_autograd.zero import ZERO
from .singular_basis import SingularBasis
from .svd import singular_values
from .triangles import hermitian_from

__all__ = ["lstsq", "pinv"]


@primitive
def pseudoinverse(a: Any, *, settings: dict[str, Any]) -> Any:
    """The pseudo-inverse."""
    return np.linalg.pinv(a, **settings)


# With x the pseudo-inverse, and p = 1 - a x, q = 1 - x a, at constant rank:
#     dx = -x da x + x H(x) H(da) p + q H(da) H(x) x   [GP73, eq. 4.12]
#     ga = -H(x) g H(x) + p H(g) x H(x) + H(x) x H(g) q
@pseudoinverse.differential
def _(x: Any, a: Any, da: Any, *, settings: dict[str, Any]) -> Any:
    left = x @ H(x) @ H(da)
    right = H(da) @ H(x) @ x
    return left - (left @ a) @ x + right - x @ (a @ right) - x @ da @ x


@pseudoinverse.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, settings: dict[str, Any]) -> Any:
    y = H(x)
    left = H(g) @ x @ y
    right = y @ x @ H(g)
    return (left - a @ (x @ left) + right - (right @ x) @ a - y @ g @ y,)


@implements(np.linalg.pinv)
def _(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:
    a = as_operand(a)
    settings = {"rcond": raw(rcond), "hermitian": hermitian}
    if rtol is not np._NoValue:
        settings["rtol"] = raw(rtol)
    return pseudoinverse(hermitian_from(a, lower=True) if hermitian else a, settings=settings)


@primitive
def least_squares(a: Any, b: Any, *, rcond: float, result: Any) -> Any:
    """The solution of least norm, and the sums of squared residuals where NumPy has them: as given."""
    return result


# With a+ the pseudo-inverse and r = b - a x, at constant rank [GP73]:
#     dx = a+ (db - da x) + a+ H(a+) H(da) r + (1 - a+ a) H(da) H(a+) x
# and, as H(a) r = 0, the differential of sum |r|^2 is 2 Re sum conj(r) (db - da x).
@least_squares.differential
def _(w: Any, a: Any, b: Any, da: Any, db: Any, *, rcond: float, result: Any) -> Any:
    x, residuals = w
    inverse = pseudoinverse(a, settings={"rcond": rcond})
    r = b - a @ x
    moved = db - da @ x
    dx = inverse @ moved
    if da is not ZERO:
        outside = H(da) @ (H(inverse) @ x)
        dx = dx + inverse @ (H(inverse) @ (H(da) @ r)) + outside - inverse @ (a @ outside)
    return dx, 2 * np.sum(np.real(np.conj(r) * moved), axis=-2) if residuals.shape[-1] else ZERO


@implements(np.linalg.lstsq)
def _(a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = as_operand(a), as_operand(b)
    x, residuals, rank, s = np.linalg.lstsq(raw(a), raw(b), raw(rcond))
    if rcond is None:
        rcond = np.finfo(np.result_type(a.dtype, b.dtype)).eps * max(a.shape[-2:])
    vector = b.ndim == 1
    result = (x[:, None] if vector else x, residuals)
    solved, squares = least_squares(a, b[:, None] if vector else b, rcond=raw(rcond), result=result)
    values = singular_values(a, basis=SingularBasis(a, full=False), given=s)
    return solved[:, 0] if vector else solved, squares, rank, values


@routed_linalg
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:
    """The pseudo-inverse of matrices.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    rcond : array_like of float, optional
        Singular values up to `rcond` times the largest count as zero; 1e-15 by default.
    hermitian : bool
        Whether `a` is Hermitian; its lower triangle is read.
    rtol : array_like of float, optional
        The same as `rcond`; None stands for `max(M, N) * eps`.

    Returns
    -------
    ndarray (..., N, M)
        The pseudo-inverses.

    Raises
    ------
    LinAlgError
        If the singular values do not converge.

    Notes
    -----
    Its derivative holds at constant rank: where the number of singular values above the cutoff changes there is none.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.pinv(np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    return np.linalg.pinv(as_operand(a), rcond, hermitian, rtol=rtol)


@routed_linalg
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """The least-squares solution of `a x = b`.

    Parameters
    ----------
    a : array_like (M, N)
        The coefficients.
    b : array_like (M,) or (M, K)
        The right sides.
    rcond : float, optional
        Singular values up to `rcond` times the largest count as zero; `eps * max(M, N)` by default, `eps` for -1.

    Returns
    -------
    x : ndarray (N,) or (N, K)
        The solution of least norm.
    residuals : ndarray (1,), (K,) or (0,)
        The sums of squared residuals; empty unless `a` has rank N < M.
    rank : int
        The rank of `a`.
    s : ndarray (min(M, N),)
        Its singular values.

    Raises
    ------
    LinAlgError
        If the computation does not converge.

    Notes
    -----
    `x`, `residuals` and `s` are differentiable in `a` and `b` at constant rank, whatever the rank is.

    Examples
    --------
    >>> import wirtinger as np
    >>> x, residuals, rank, s = np.linalg.lstsq(np.array([[1.0], [1.0]]), np.array([1.0, 3.0]))
    >>> x.round(12), residuals.round(12)
    (array([2.]), array([2.]))
    """
    return np.linalg.lstsq(as_operand(a), as_operand(b), rcond)
