"""Pseudo-inverses and least squares."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from numpy.linalg import LinAlgError, _umath_linalg

from ...backends import backend_of
from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_from
from ..functions.schur_forms import scale_beside
from ..kernels.factors import SMALLEST
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import kernel
from ..spectral.degenerate.equal_values import TIED
from ..spectral.degenerate.singular_basis import SingularBasis
from ..spectral.svd_rule import singular_values
from .pinvh import damped_stein

__all__ = ["lstsq", "pinv"]


@primitive
def pseudoinverse(a: Any, *, settings: dict[str, Any], given: Any = None) -> Any:
    """The pseudo-inverse, which may be at hand."""
    return np.linalg.pinv(a, **settings) if given is None else given


# With x the pseudo-inverse, and p = 1 - a x, q = 1 - x a, at constant rank:
#     dx = -x da x + x H(x) H(da) p + q H(da) H(x) x   [GP73, eq. 4.12]
#     ga = -H(x) g H(x) + p H(g) x H(x) + H(x) x H(g) q
# Of s x and a / s, with a number s, dx is s**2 times as large, and so is ga.
@pseudoinverse.differential
def _(x: Any, a: Any, da: Any, **params: Any) -> Any:
    scale = scale_beside(raw(x))
    x, a = (x, a) if scale == 1 else (x / scale, scale * a)
    left = x @ H(x) @ H(da)
    right = H(da) @ H(x) @ x
    dx = left - (left @ a) @ x + right - x @ (a @ right) - x @ da @ x
    return dx if scale == 1 else scale * (scale * dx)


@pseudoinverse.adjoint_by_hand
def _(g: Any, x: Any, a: Any, **params: Any) -> Any:
    scale = scale_beside(raw(x))
    x, a = (x, a) if scale == 1 else (x / scale, scale * a)
    y = H(x)
    left = H(g) @ x @ y
    right = y @ x @ H(g)
    ga = left - a @ (x @ left) + right - (right @ x) @ a - y @ g @ y
    return (ga if scale == 1 else scale * (scale * ga),)


@primitive
def truncated_pseudoinverse(a: Any, *, value: Any, vectors: Any, factors: Any) -> Any:
    """The pseudo-inverse as given, without singular values that are more than rounding."""
    return value


# With a = u s H(v), in blocks of the values kept, i, and left out, j, dx is made of three parts: -x da x, and y and z
# between the blocks, both of which are 0 for s_j = 0 but for the terms of [GP73].  Let c = a - a x a be what is left
# out.  From a = u s H(v) and its differential, for the blocks v_i y_ij H(u_j) and v_j z_ji H(u_i):
#     y - x H(x) y c H(c) = x H(x) (H(da) p + x da H(c)),   z - H(c) c z H(x) x = (q H(da) + H(c) da x) H(x) x
@truncated_pseudoinverse.differential
def _(x: Any, a: Any, da: Any, *, value: Any, vectors: Any, factors: Any) -> Any:
    (u, v), (other_u, other_v) = vectors
    c = a - a @ x @ a
    outer, inner = x @ H(x), H(x) @ x
    moved = H(da) - H(da) @ a @ x + x @ da @ H(c)
    y = damped_stein(outer, c @ H(c), outer @ moved, left=v, right=other_u, factors=factors)
    moved = H(da) - x @ a @ H(da) + H(c) @ da @ x
    z = damped_stein(H(c) @ c, inner, moved @ inner, left=other_v, right=u, factors=np.matrix_transpose(factors))
    return y + z - x @ da @ x


def _pseudoinverse(a: Any, cutoff: Any) -> Any:
    """The pseudo-inverse of a single matrix, without the singular values up to `cutoff` times the largest."""
    u, s, vh = np.linalg.svd(raw(a), full_matrices=False)
    kept = s > cutoff * np.max(s, initial=0.0)
    value = (H(vh[kept]) / s[kept]) @ H(u[:, kept])
    factors = s[~kept] ** 2 / (s[kept][:, None] ** 2 - s[~kept] ** 2)
    vectors = (u[:, kept], H(vh[kept])), (u[:, ~kept], H(vh[~kept]))
    return truncated_pseudoinverse(a, value=value, vectors=vectors, factors=factors)


def _leaves_out(a: Any, cutoff: Any) -> bool:
    """Whether singular values that are more than rounding fall under a cutoff."""
    rounding = TIED * max(a.shape[-2:], default=0) * np.finfo(a.dtype).eps
    if bool(np.all(cutoff <= rounding)):
        return False
    s = np.linalg.svd(raw(a), compute_uv=False)
    relative = s / np.where(s[..., :1] == 0, 1.0, s[..., :1])
    return bool(np.any((relative > rounding) & (relative <= cutoff[..., None])))


@implements(np.linalg.pinv)
def _(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:
    a = as_operand(a)
    settings = {"rcond": raw(rcond), "hermitian": hermitian}
    if rtol is not np._NoValue:
        settings["rtol"] = raw(rtol)
    a = hermitian_from(a, lower=True) if hermitian else a
    cutoff = next((x for x in (settings["rcond"], settings.get("rtol")) if x is not None), 0.0)
    cutoff = backend_of(raw(a)).namespace.asarray(cutoff)
    if not _leaves_out(a, cutoff):
        return pseudoinverse(a, settings=settings)
    cutoffs = np.broadcast_to(cutoff, a.shape[:-2])
    items = [_pseudoinverse(a[i], cutoffs[i]) for i in np.ndindex(a.shape[:-2])]
    return np.reshape(np.stack(items), (*a.shape[:-2], *items[0].shape))


@primitive
def least_squares(a: Any, b: Any, *, rcond: float, result: Any, inverse: Any = None) -> Any:
    """The solution of least norm, and the sums of squared residuals where NumPy has them: as given."""
    return result


# With a+ the pseudo-inverse and r = b - a x, at constant rank [GP73]:
#     dx = a+ (db - da x) + a+ H(a+) H(da) r + (1 - a+ a) H(da) H(a+) x
# and, as H(a) r = 0, the differential of sum |r|^2 is 2 Re sum conj(r) (db - da x).
@least_squares.differential
def _(w: Any, a: Any, b: Any, da: Any, db: Any, *, rcond: float, result: Any, inverse: Any = None) -> Any:
    x, residuals = w
    inverse = pseudoinverse(a, settings={"rcond": rcond}, given=inverse)
    r = b - a @ x
    moved = db - da @ x
    dx = inverse @ moved
    if da is not ZERO:
        scale = scale_beside(raw(inverse))
        outside = H(da) @ (H(inverse) @ x) if scale == 1 else scale * (H(da) @ (H(inverse / scale) @ x))
        dx = dx + inverse @ (H(inverse) @ (H(da) @ r)) + outside - inverse @ (a @ outside)
    return dx, 2 * np.sum(np.real(np.conj(r) * moved), axis=-2) if residuals.shape[-1] else ZERO


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
    eps = np.finfo(np.result_type(a.dtype, b.dtype, np.float32)).eps
    if rcond is None:
        return eps * max(a.shape[-2:])
    return rcond if rcond >= 0 else eps


@implements(np.linalg.lstsq)
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    a, b, rcond = as_operand(a), as_operand(b), raw(rcond)
    cutoff, vector = _cutoff(a, b, rcond), b.ndim == 1
    basis = SingularBasis(a, full=False)
    inverse = _inverse_of_large(a, b, basis, cutoff)
    if inverse is None:
        x, residuals, rank, s = _least_squares(raw(a), raw(b), rcond)
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
    if plain.ndim != 2 or b.ndim > 2 or type(plain) is not np.ndarray or min(plain.shape) < SMALLEST:
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


@public(a=2)
def pinv(
    a: Any,
    rcond: Any = None,
    hermitian: bool = False,
    *,
    rtol: Any = np._NoValue,
    atol: Any = None,
    return_rank: bool = False,
    check_finite: bool = False,
) -> Any:
    """The pseudo-inverse of matrices.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    rcond : array_like of float, optional
        Singular values up to `rcond` times the largest count as zero; 1e-15 by default.
    hermitian : bool
        Whether `a` is Hermitian; its lower triangle is read, and the gradient lies in it.
    rtol : array_like of float, optional
        The same as `rcond`; None stands for `max(M, N) * eps`.
    atol : array_like of float, optional
        Singular values up to `atol + rtol * largest` count as zero; with it, `rtol` is 0 by default.
    return_rank : bool
        Whether to return the number of the other singular values, too.

    Returns
    -------
    ndarray (..., N, M)
        The pseudo-inverses; with `return_rank` also the ranks, integers (...).

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
    a = as_operand(a)
    if check_finite:
        refuse_infinite(a)
    if atol is None and not return_rank:
        return np.linalg.pinv(a, rcond, hermitian, rtol=rtol)
    cutoff = _relative_cutoff(a, rcond, rtol, atol, hermitian)
    x = np.linalg.pinv(a, cutoff, hermitian)
    return (x, np.linalg.matrix_rank(raw(a), hermitian=hermitian, rtol=cutoff)) if return_rank else x


def _relative_cutoff(a: Any, rcond: Any, rtol: Any, atol: Any, hermitian: bool) -> Any:
    """What NumPy calls `rcond`, with the part that `atol` has in it."""
    if rcond is None:
        rcond = rtol
    if rcond is np._NoValue:
        rcond = 1e-15 if atol is None else 0.0
    elif rcond is None:
        rcond = max(a.shape[-2:]) * np.finfo(np.result_type(a.dtype, np.float32)).eps
    if atol is None:
        return raw(rcond)
    plain = raw(a)
    s = np.abs(np.linalg.eigvalsh(plain)) if hermitian else np.linalg.svd(plain, compute_uv=False)
    largest = np.max(s, axis=-1, initial=0.0)
    return raw(rcond) + raw(atol) / np.where(largest == 0, 1.0, largest)


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
    if lapack_driver not in (None, "gelsd", "gelsy", "gelss"):
        raise ValueError(f'LAPACK driver "{lapack_driver}" is not found')
    a, b = as_operand(a), as_operand(b)
    if check_finite:
        refuse_infinite(a, b)
    cutoff = rcond if cond is None else cond
    return _lstsq(a, b, cutoff) if isinstance(a, Traced) or isinstance(b, Traced) else _least_squares(a, b, cutoff)
