"""The pseudo-inverse of Hermitian matrices.

It is a function of the spectrum, `1/w` above a cutoff and 0 below.  Let `x` be the pseudo-inverse of `a`, `q = 1 - a x`
the projector on what is below the cutoff, and `c = q a` the part of `a` there, which commute all.  Inside the part
above the derivative is `-x da x`.  Between both parts, `y = x a dx q` follows from `x a = a x`:

    dx a + x da = da x + a dx  =>  a y - y c = x da q  =>  y - x y c = x x da q
    dx = -x da x + y + H(y)

Below, and where `c` is rounding, this is [GP73]; above it is right for every cutoff, as `1/w` of the one part is less
than `1/w` of the other, and it needs no eigenvectors to differ, so that equal eigenvalues do no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_from
from ..kernels.matrix_operands import floating
from ..kernels.partly_linear import PartlyLinear
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import some_traced


@PartlyLinear
def damped_stein(a: Any, b: Any, q: Any, *, left: Any, right: Any, factors: Any) -> Any:
    """The solution of `y - a y b = q` for Hermitian `a` and `b` with `a_i b_j < 1`.

    Parameters
    ----------
    a : array (..., m, m)
        Hermitian, `left diag(a_i) H(left)`.
    b : array (..., n, n)
        Hermitian, `right diag(b_j) H(right)`.
    q : array (..., m, n)
        The right side.
    left, right : array (..., m, k), (..., n, l)
        Eigenvectors of both for all eigenvalues that are not zero.
    factors : array (..., k, l)
        `a_i b_j / (1 - a_i b_j)`.
    """
    return q + left @ ((H(left) @ q @ right) * factors) @ H(right)


@damped_stein.space_of
def _(a: Any, b: Any, q: Any, **params: Any) -> Any:
    return np.broadcast_shapes(q.shape, (*a.shape[:-2], 1, 1)), np.result_type(a.dtype, b.dtype, q.dtype)


@damped_stein.differential
def _(y: Any, a: Any, b: Any, q: Any, da: Any, db: Any, dq: Any, **params: Any) -> Any:
    return damped_stein(a, b, dq + (da @ y @ b + a @ y @ db), **params)


@damped_stein.adjoint(2)
def _(g: Any, a: Any, b: Any, q: Any, **params: Any) -> Any:
    return damped_stein(a, b, g, **params)


@primitive(family="symmetric eigenvalues")
def hermitian_pseudoinverse(a: Any, *, value: Any, vectors: Any, factors: Any) -> Any:
    """The pseudo-inverse as given; `vectors` and `factors` are those of `damped_stein` for `x` and `c`."""
    return value


@hermitian_pseudoinverse.differential
def _(x: Any, a: Any, da: Any, *, value: Any, vectors: Any, factors: Any) -> Any:
    below = a - a @ x @ a
    moved = x @ da
    y = damped_stein(x, below, x @ (moved - moved @ a @ x), left=vectors, right=vectors, factors=factors)
    return y + H(y) - moved @ x


@kernel(2)
def pinvh_values(a: Any, **settings: Any) -> Any:
    """SciPy's function, with the rank."""
    x, rank = scipy.linalg.pinvh(a, return_rank=True, **settings)
    return x, np.intp(rank)


@public(a=2)
def pinvh(
    a: Any,
    atol: float | None = None,
    rtol: float | None = None,
    lower: bool = True,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """The pseudo-inverse of Hermitian matrices, from their eigenvalues.

    The derivative is that of `1/w` above the cutoff and 0 below: right also where eigenvalues are equal, and where
    those below the cutoff are not zero.  Where an eigenvalue passes the cutoff there is none.

    Parameters
    ----------
    a : array_like (..., N, N)
        The matrices; one triangle is read, and the gradient lies in it.
    atol, rtol : float, optional
        Eigenvalues of modulus up to `atol + rtol * largest` count as zero; by default `atol` is 0 and `rtol` is
        `N * eps`.
    lower : bool
        Whether the lower triangle is read; else the upper one.
    return_rank : bool
        Whether to return the number of the other eigenvalues, too.

    Returns
    -------
    ndarray (..., N, N)
        The pseudo-inverses; with `return_rank` also the ranks, integers (...).

    Raises
    ------
    LinAlgError
        If the eigenvalues do not converge.
    ValueError
        If `atol` or `rtol` is negative.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.pinvh(np.array([[2.0, 0.0], [0.0, 0.0]]))
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    a = as_operand(a)
    x, rank = pinvh_values(raw(a), atol=atol, rtol=rtol, lower=lower, check_finite=check_finite)
    if some_traced(a):
        x = _traced(hermitian_from(floating(a), lower=lower), x, rank)
    return (x, int(rank) if np.ndim(rank) == 0 else rank) if return_rank else x


def _traced(a: Any, value: Any, rank: Any) -> Any:
    """The pseudo-inverse as a function of the matrix."""
    w, vectors = np.linalg.eigh(raw(a))
    size = np.abs(w)
    order = np.argsort(np.argsort(-size, axis=-1), axis=-1)
    kept = order < rank[..., None]
    inverse = kept / np.where(kept, w, 1)
    product = inverse[..., :, None] * (w * ~kept)[..., None, :]
    factors = (product / (1 - product)).astype(w.dtype)
    return hermitian_pseudoinverse(a, value=value, vectors=vectors, factors=factors)
