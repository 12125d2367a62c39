"""The polar decomposition, and the unitary matrix that maps one set of points nearest to another.

With `a = u p`, `p` Hermitian positive definite and `u` of orthonormal columns, let `w = H(u) du`, skew-Hermitian:

    da = du p + u dp  =>  H(u) da = w p + dp,  and as dp is Hermitian,  p w + w p = H(u) da - H(da) u
    du = u w + (1 - u H(u)) da inv(p),   dp = H(u) da - w p

[H08, theorem 8.9 and its proof].  A wide matrix is the conjugate transpose of a tall one; whatever the shape, the
Hermitian factor on the other side is `H(u) a` or `a H(u)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_part
from ..kernels.matrix_operands import floating
from ..kernels.partly_linear import PartlyLinear
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.tolerances import zero_values
from ..kernels.validation import refuse_nonfinite, some_traced
from ..spectral.degenerate.singular_basis import SingularBasis
from ..spectral.svd_rule import singular_values
from ..systems.solve import solution


@PartlyLinear
def definite_lyapunov(p: Any, q: Any, *, values: Any, vectors: Any) -> Any:
    """The solution of `p x + x p = q` for Hermitian `p` with these eigenvalues and eigenvectors."""
    back = H(vectors)
    return vectors @ ((back @ q @ vectors) / (values[..., :, None] + values[..., None, :])) @ back


@definite_lyapunov.space_of
def _(p: Any, q: Any, **params: Any) -> Any:
    return q.shape, np.result_type(p.dtype, q.dtype)


@definite_lyapunov.differential
def _(x: Any, p: Any, q: Any, dp: Any, dq: Any, *, values: Any, vectors: Any) -> Any:
    return definite_lyapunov(p, dq - (dp @ x + x @ dp), values=values, vectors=vectors)


@definite_lyapunov.adjoint(1)
def _(g: Any, p: Any, q: Any, *, values: Any, vectors: Any) -> Any:
    return definite_lyapunov(p, g, values=values, vectors=vectors)


@primitive(family="SVD")
def polar_factors(a: Any, *, factors: Any, values: Any, vectors: Any) -> Any:
    """`u` and `p` of a tall matrix, as given; `p` has these eigenvalues, descending, and eigenvectors."""
    return factors


@polar_factors.differential
def _(x: Any, a: Any, da: Any, *, factors: Any, values: Any, vectors: Any) -> Any:
    u, p = x
    if zero_values(values, max(u.shape[-2:])) is not None:
        raise NotDifferentiableError(
            "linalg.polar",
            "a matrix is rank-deficient to working precision, so that its unitary factor is not determined",
            "a",
        )
    along = H(u) @ da
    w = definite_lyapunov(p, along - H(along), values=values, vectors=vectors)
    du = u @ w
    if u.shape[-2] > u.shape[-1]:
        du = du + H(solution(p, H(da - u @ along)))
    return du, hermitian_part(along - w @ p)


def _tall_factors(a: Any, u: Any, p: Any) -> Any:
    """`u` and `p` of a tall matrix as functions of it, from their values."""
    _, values, vh = np.linalg.svd(raw(a), full_matrices=False)
    return polar_factors(a, factors=(u, p), values=values, vectors=H(vh))


polar_values = kernel(2)(scipy.linalg.polar)


@public(a=2)
def polar(a: Any, side: str = "right") -> tuple[Any, Any]:
    """The polar decomposition `a = u @ p` or `a = p @ u`.

    With `w` from `p w + w p = H(u) da - H(da) u`: `du = u w + (1 - u H(u)) da inv(p)` and `dp = H(u) da - w p`, for a
    tall `a`.  There is no sum of eigenvalues but of `p`, so that equal ones do no harm.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    side : {"right", "left"}
        On which side of `u` the Hermitian factor stands.

    Returns
    -------
    u : ndarray (..., M, N)
        Orthonormal columns if M >= N, else orthonormal rows.
    p : ndarray (..., N, N) or, on the left, (..., M, M)
        Hermitian and positive semidefinite.

    Raises
    ------
    ValueError
        If `side` is neither, or `a` has less than two dimensions.
    LinAlgError
        If the singular values do not converge.
    NotDifferentiableError
        If a derivative is needed where the rank is less than min(M, N).

    Examples
    --------
    >>> import wirtinger as np
    >>> u, p = np.linalg.polar(np.array([[0.0, -2.0], [3.0, 0.0]]))
    >>> u.round(12) + 0.0, p.round(12) + 0.0
    (array([[ 0., -1.],
           [ 1.,  0.]]), array([[3., 0.],
           [0., 2.]]))
    """
    a = as_operand(a)
    u, p = polar_values(raw(a), side=side)
    if not some_traced(a):
        return u, p
    tall = a.shape[-2] >= a.shape[-1]
    if tall == (side == "right") or a.shape[-2] == a.shape[-1]:
        if side == "right":
            u, p = _tall_factors(a, u, p)
            return u, p
        u, p = _tall_factors(H(a), H(u), p)
        return H(u), p
    other = polar_values(raw(a), side="right" if tall else "left")[1]
    u = _tall_factors(a, u, other)[0] if tall else H(_tall_factors(H(a), H(u), other)[0])
    return u, hermitian_part(a @ H(u) if tall else H(u) @ a)


procrustes_values = kernel(2, 2)(scipy.linalg.orthogonal_procrustes)


@public(A=2, B=2)
def orthogonal_procrustes(A: Any, B: Any, check_finite: bool = True) -> tuple[Any, Any]:
    """The unitary matrix that maps `A` nearest to `B`: it minimizes the Frobenius norm of `A @ r - B`.

    Parameters
    ----------
    A, B : array_like (..., M, N)
        The matrices, of the same shape.

    Returns
    -------
    r : ndarray (..., N, N)
        The unitary factor of the polar decomposition of `H(A) @ B`.
    scale : ndarray (...)
        The sum of the singular values of `H(A) @ B`.

    Raises
    ------
    ValueError
        If the shapes differ.
    LinAlgError
        If the singular values do not converge.
    NotDifferentiableError
        If a derivative of `r` is needed where `H(A) @ B` is singular.

    Examples
    --------
    >>> import wirtinger as np
    >>> a = np.array([[2.0, 0.0], [0.0, 1.0]])
    >>> r, scale = np.linalg.orthogonal_procrustes(a, np.array([[0.0, 2.0], [-1.0, 0.0]]))
    >>> r.round(12) + 0.0, scale.round(12)
    (array([[ 0.,  1.],
           [-1.,  0.]]), np.float64(5.0))
    """
    a, b = operands(A, B)
    r, scale = procrustes_values(raw(a), raw(b), check_finite=check_finite)
    if not some_traced(a, b):
        return r, scale
    refuse_nonfinite(check_finite, a, b)
    product = H(floating(a)) @ floating(b)
    p = hermitian_part(H(r) @ raw(product))
    values = singular_values(product, basis=SingularBasis(product, product, full=False, vectors=False))
    return _tall_factors(product, r, p)[0], np.sum(values, axis=-1)
