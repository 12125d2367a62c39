"""Pseudo-inverses."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.determinism_route import asked
from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_from
from ..functions.schur_forms import power_of_two_near
from ..kernels.public import public, refuse_infinite
from ..kernels.tolerances import TIED, precision_of
from .pinvh import damped_stein

_MORE_DIGITS: Final = 1e-17
"""NumPy's default cutoff is of doubles; where rounding errors are smaller than this it is that of the precision."""


@primitive(family="SVD")
def pseudoinverse(a: Any, *, settings: dict[str, Any], given: Any = None) -> Any:
    """The pseudo-inverse, which may be at hand."""
    return np.linalg.pinv(a, **settings) if given is None else given


# With x the pseudo-inverse, and p = 1 - a x, q = 1 - x a, at constant rank:
#     dx = -x da x + x H(x) H(da) p + q H(da) H(x) x   [GP73, eq. 4.12]
#     ga = -H(x) g H(x) + p H(g) x H(x) + H(x) x H(g) q
# Of s x and a / s, with a number s, dx is s**2 times as large, and so is ga.
@pseudoinverse.differential
def _(x: Any, a: Any, da: Any, **params: Any) -> Any:
    scale = power_of_two_near(raw(x))
    x, a = (x, a) if scale == 1 else (x / scale, scale * a)
    left = x @ H(x) @ H(da)
    right = H(da) @ H(x) @ x
    dx = left - (left @ a) @ x + right - x @ (a @ right) - x @ da @ x
    return dx if scale == 1 else scale * (scale * dx)


@pseudoinverse.adjoint_by_hand
def _(g: Any, x: Any, a: Any, **params: Any) -> Any:
    scale = power_of_two_near(raw(x))
    x, a = (x, a) if scale == 1 else (x / scale, scale * a)
    y = H(x)
    left = H(g) @ x @ y
    right = y @ x @ H(g)
    ga = left - a @ (x @ left) + right - (right @ x) @ a - y @ g @ y
    return (ga if scale == 1 else scale * (scale * ga),)


@primitive(family="SVD")
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
    u, s, vh = np.linalg.svd(asked(a), full_matrices=False)
    kept = s > cutoff * np.max(s, initial=0.0)
    value = (H(vh[kept]) / s[kept]) @ H(u[:, kept])
    factors = s[~kept] ** 2 / (s[kept][:, None] ** 2 - s[~kept] ** 2)
    vectors = (u[:, kept], H(vh[kept])), (u[:, ~kept], H(vh[~kept]))
    return truncated_pseudoinverse(a, value=value, vectors=vectors, factors=factors)


def _leaves_out(a: Any, cutoff: Any) -> bool:
    """Whether singular values that are more than rounding fall under a cutoff."""
    rounding = TIED * max(a.shape[-2:], default=0) * precision_of(a)
    if bool(np.all(cutoff <= rounding)):
        return False
    s = np.linalg.svd(asked(a), compute_uv=False)
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

    Its derivative holds at constant rank: where the number of singular values above the cutoff changes there is none.

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
    rounding = max(a.shape[-2:]) * 2.0 ** -backend_of(raw(a)).bits(np.result_type(a.dtype, np.float32))
    if rcond is np._NoValue:
        rcond = 0.0 if atol is not None else 1e-15 if rounding > _MORE_DIGITS else rounding
    elif rcond is None:
        rcond = rounding
    if atol is None:
        return raw(rcond)
    plain = raw(a)
    s = np.abs(np.linalg.eigvalsh(plain)) if hermitian else np.linalg.svd(plain, compute_uv=False)
    largest = np.max(s, axis=-1, initial=0.0)
    return raw(rcond) + raw(atol) / np.where(largest == 0, 1.0, largest)
