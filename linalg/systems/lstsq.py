"""Least squares."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.linalg import LinAlgError, _umath_linalg

from ...backends import backend_of
from ...complex_autograd.engine.determinism_route import asked
from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H
from ...determinism import Level
from ...determinism.flag import is_fixed
from ..functions.schur_forms import power_of_two_near
from ..kernels.factors import SMALLEST
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import kernel
from ..spectral.degenerate.singular_basis import SingularBasis
from ..spectral.svd_rule import singular_values
from .pinv import pseudoinverse


@primitive(family="least squares")
def least_squares(a: Any, b: Any, *, rcond: float, result: Any, inverse: Any) -> Any:
    """The solution of least norm, and the sums of squared residuals where NumPy has them: as given."""
    return result


# With a+ the pseudo-inverse and r = b - a x, at constant rank [GP73]:
#     dx = a+ (db - da x) + a+ H(a+) H(da) r + (1 - a+ a) H(da) H(a+) x
# and, as H(a) r = 0, the differential of sum |r|^2 is 2 Re sum conj(r) (db - da x).
@least_squares.differential
def _(w: Any, a: Any, b: Any, da: Any, db: Any, *, rcond: float, result: Any, inverse: Any) -> Any:
    x, residuals = w
    inverse = pseudoinverse(a, settings={"rcond": rcond}, given=inverse)
    r = b - a @ x
    moved = db - da @ x
    dx = inverse @ moved
    if da is not ZERO:
        scale = power_of_two_near(raw(inverse))
        outside = H(da) @ (H(inverse) @ x) if scale == 1 else scale * (H(da) @ (H(inverse / scale) @ x))
        dx = dx + inverse @ (H(inverse) @ (H(da) @ r)) + outside - inverse @ (a @ outside)
    return dx, 2 * np.sum(np.real(np.conj(r) * moved), axis=-2) if residuals.shape[-1] else ZERO


# With h = H(a+) gx and gs the cotangents of the sums:
#     gb = h + 2 r gs,  ga = -gb H(x) + r H(a+ h) + H(a+) x H(gx - H(a) h)
@least_squares.adjoint_by_hand
def _(g: Any, w: Any, a: Any, b: Any, *, rcond: float, result: Any, inverse: Any) -> Any:
    (x, residuals), (gx, gs) = w, g
    inverse = pseudoinverse(a, settings={"rcond": rcond}, given=inverse)
    r = b - a @ x
    gb = h = np.zeros_like(b) if gx is None else H(inverse) @ gx
    if gs is not None and residuals.shape[-1]:
        gb = h + 2 * r * gs[..., None, :]
    ga = -gb @ H(x)
    if gx is not None:
        scale = power_of_two_near(raw(inverse))
        outside = H(inverse / scale) @ x @ H(gx - H(a) @ h)
        ga = ga + r @ H(inverse @ h) + (outside if scale == 1 else scale * outside)
    return ga, gb


@kernel(2, 2, stacks=True)
def stacked_lstsq(a: Any, b: Any, *, rcond: float) -> Any:
    """`numpy.linalg.lstsq` of stacks: solution, sums of squared residuals, ranks, singular values.

    NumPy's gufunc has the sums where the rank is full; where it is not they follow from the residuals.
    """
    m, n = a.shape[-2:]
    dtype = np.result_type(a.dtype, b.dtype, np.float32)
    kind = "DDd->Ddid" if dtype.kind == "c" else "ddd->ddid"
    with np.errstate(call=_not_converged, invalid="call", over="ignore", divide="ignore", under="ignore"):
        x, squares, rank, s = _umath_linalg.lstsq(a, b, rcond, signature=kind)
    if m == 0:
        x = np.zeros_like(x)
    if m <= n:
        squares = squares[..., :0]
    elif np.any(rank < n):
        r = b - a @ x
        squares = np.where((rank < n)[..., None], np.sum(np.real(r * np.conj(r)), axis=-2), squares)
    real = dtype.char.lower()
    return x.astype(dtype, copy=False), squares.astype(real, copy=False), rank, s.astype(real, copy=False)


def _not_converged(error: Any, flag: Any) -> NoReturn:
    raise LinAlgError("SVD did not converge in Linear Least Squares")


def _least_squares(a: Any, b: Any, rcond: Any) -> Any:
    """The value: NumPy's where NumPy has it."""
    if a.ndim <= 2 and b.ndim <= 2:
        return np.linalg.lstsq(a, b, rcond)
    if b.ndim == 1:
        x, squares, rank, s = _least_squares(a, b[:, None], rcond)
        return x[..., 0], squares, rank, s
    return stacked_lstsq(a, b, rcond=_cutoff(a, b, rcond))


def _cutoff(a: Any, b: Any, rcond: Any) -> Any:
    """The cutoff as a number: NumPy's default, and for LAPACK any negative number stands for `eps`."""
    dtype = np.result_type(a.dtype, b.dtype, np.float32)
    eps = 2.0 ** -max(backend_of(raw(x)).bits(dtype) for x in (a, b))
    if rcond is None:
        return eps * max(a.shape[-2:])
    return rcond if rcond >= 0 else eps


@implements(np.linalg.lstsq)
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    a, b, rcond = as_operand(a), as_operand(b), raw(rcond)
    cutoff, vector = _cutoff(a, b, rcond), b.ndim == 1
    basis = SingularBasis(a, a, full=False, vectors=False)
    inverse = _inverse_of_large(a, b, basis, cutoff)
    if inverse is None:
        x, residuals, rank, s = _least_squares(asked(a, Level.SCHEDULE), asked(b, Level.SCHEDULE), rcond)
        inverse = pseudoinverse(raw(a), settings={"rcond": cutoff})  # once for all cotangents
    else:
        x, residuals, rank, s = _solved(a, b, basis.result[1], inverse, cutoff)
    result = (x[..., None] if vector else x, residuals)
    columns = b[:, None] if vector else b
    solved, squares = least_squares(a, columns, rcond=cutoff, result=result, inverse=inverse)
    values = singular_values(a, basis=basis, given=s)
    return solved[..., 0] if vector else solved, squares, rank, values


def _inverse_of_large(a: Any, b: Any, basis: SingularBasis, cutoff: float) -> Any:
    """The pseudo-inverse by the singular values that are at hand; None where NumPy solves in less time."""
    plain = raw(a)
    if is_fixed() or plain.ndim != 2 or b.ndim > 2 or type(plain) is not np.ndarray or min(plain.shape) < SMALLEST:
        return None
    u, s, vh = basis.result
    kept = s > cutoff * s[0]
    return (H(vh[kept]) / s[kept]) @ H(u[:, kept])


def _solved(a: Any, b: Any, s: Any, inverse: Any, cutoff: float) -> Any:
    """What `numpy.linalg.lstsq` returns, by the pseudo-inverse."""
    a, b = raw(a), raw(b)
    x = inverse @ b
    rank = int(np.count_nonzero(s > cutoff * s[0]))
    m, n = a.shape
    r = b - a @ x
    squares = np.atleast_1d(np.sum(np.real(r * np.conj(r)), axis=0)) if rank == n < m else np.zeros(0, s.dtype)
    return x, squares, np.int32(rank), s


@public(a=2, b=2)
def lstsq(
    a: Any,
    b: Any,
    rcond: Any = None,
    *,
    cond: Any = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = False,
    lapack_driver: str | None = None,
) -> Any:
    """The least-squares solution of `a x = b`.

    `x`, `residuals` and `s` are differentiable in `a` and `b` at constant rank, whatever the rank is.

    Parameters
    ----------
    a : array_like (..., M, N)
        The coefficients.
    b : array_like (M,) or (..., M, K)
        The right sides; a vector only if it has one dimension.
    rcond : float, optional
        Singular values up to `rcond` times the largest count as zero; `eps * max(M, N)` by default, `eps` for -1.
    cond : float, optional
        SciPy's name for it.
    lapack_driver : {"gelsd", "gelsy", "gelss"}, optional
        Accepted; it is always "gelsd", which gives all four results, and fastest where the rank is in question.

    Returns
    -------
    x : ndarray (..., N) or (..., N, K)
        The solution of least norm.
    residuals : ndarray (K,) or (0,), or (..., K) or (..., 0)
        The sums of squared residuals; of a single `a` empty unless its rank is N < M, of a stack unless N < M.
    rank : int or ndarray of int (...)
        The rank of `a`.
    s : ndarray (..., min(M, N))
        Its singular values.

    Raises
    ------
    LinAlgError
        If the computation does not converge.

    Examples
    --------
    >>> import wirtinger as np
    >>> x, residuals, rank, s = np.linalg.lstsq(np.array([[1.0], [1.0]]), np.array([1.0, 3.0]))
    >>> x.round(12), residuals.round(12)
    (array([2.]), array([2.]))
    """
    if lapack_driver not in (None, "gelsd", "gelsy", "gelss"):
        raise ValueError(f'LAPACK driver "{lapack_driver}" is not found')
    a, b = as_operand(a), as_operand(b)
    if check_finite:
        refuse_infinite(a, b)
    cutoff = rcond if cond is None else cond
    return _lstsq(a, b, cutoff) if isinstance(a, Traced) or isinstance(b, Traced) else _least_squares(a, b, cutoff)
