"""The Cholesky factorization."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.symbolic import of_stacks
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_from, identity, lower_half, triangle_gradient
from ..kernels import numpy_gufuncs
from ..kernels.lapack import routine
from ..kernels.public import identity_where_failed, nan_unless_zero, public
from ..kernels.stacks import kernel
from ..kernels.validation import refuse_nonfinite
from ..systems.triangular import adjoint_product, reads_lower, triangular_solution


class CholeskyExResult(NamedTuple):
    """What `cholesky_ex` returns."""

    L: Any
    info: Any


@kernel(2)
def potrf(a: Any, *, upper: bool) -> Any:
    """LAPACK's `potrf`: the factor, and the order of the first leading minor that is not positive."""
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[0] != a.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if a.size == 0:
        return np.zeros_like(a, dtype=np.result_type(a, np.float32)), np.int32(0)
    c, info = routine("potrf", a)(a, lower=not upper, clean=True)
    return c, np.int32(info)


@primitive(family="Cholesky")
def cholesky_factor(a: Any, *, upper: bool, factor: Any = None) -> Any:
    """The lower factor of the Hermitian matrix that has this triangle: as given, or computed."""
    if factor is not None:
        return factor
    return H(numpy_gufuncs.cholesky(a, upper=True)) if upper else numpy_gufuncs.cholesky(a)


# a = l H(l)  =>  da = dl H(l) + l H(dl).  With M = inv(l) da inv(H(l)), Hermitian, and inv(l) dl lower with a real
# diagonal:  M = inv(l) dl + H(inv(l) dl)  =>  dl = l Phi(M)  [M16, eq. 8]
@cholesky_factor.differential
def _(l: Any, a: Any, da: Any, *, upper: bool, factor: Any = None) -> Any:
    half = triangular_solution(l, hermitian_from(da, lower=not upper), lower=True)
    return l @ lower_half(triangular_solution(l, H(half), lower=True))


# <g, l Phi(M)> = <Phi(H(l) g), M>, as Phi weighs the elements  =>  ga = inv(H(l)) Phi(H(l) g) inv(l), of which the
# Hermitian part counts: that of its conjugate transpose, which is computed here
@cholesky_factor.adjoint_by_hand
@of_stacks
def _(g: Any, l: Any, a: Any, *, upper: bool, factor: Any = None) -> Any:
    adjoint = H(l)
    half = triangular_solution(adjoint, lower_half(adjoint_product(l, g, lower=True)), lower=False)
    return (triangle_gradient(triangular_solution(adjoint, H(half), lower=False), lower=not upper),)


@implements(np.linalg.cholesky)
def _(a: Any, /, *, upper: bool = False) -> Any:
    a = as_operand(a)
    l = cholesky_factor(a, upper=bool(upper))
    return H(l) if upper else l


@public(a=2)
def cholesky(
    a: Any,
    lower: bool | None = None,
    overwrite_a: bool = False,
    check_finite: bool = False,
    *,
    upper: bool | None = None,
) -> Any:
    """The Cholesky factor of Hermitian positive-definite matrices.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices; only the lower triangle is read, or only the upper one with `upper`.
    lower : bool
        SciPy's name for the opposite of `upper`; NumPy's default, the lower factor, holds.
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
    `dl = l Phi(inv(l) da inv(H(l)))`, where `Phi` takes the lower triangle and half of the diagonal.  The gradient
    lies in the triangle that is read, and is zero in the other: the exact derivative of the function as computed, where
    PyTorch and JAX return its symmetric part, `(g + H(g)) / 2`.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.cholesky(np.array([[4.0, 0.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    a = as_operand(a)
    refuse_nonfinite(check_finite, a)
    is_upper = not reads_lower(lower, upper, default=True)
    return (np.linalg if isinstance(a, Traced) else numpy_gufuncs).cholesky(a, upper=is_upper)


@primitive(family="Cholesky")
def unfinished(l: Any, *, factor: Any, failed: Any) -> Any:
    """What LAPACK leaves of the factor where a matrix has none; it has no derivative, so its tangent becomes NaN."""
    return np.where(failed[..., None, None], factor, l)


@unfinished.differential
def _(x: Any, l: Any, dl: Any, *, factor: Any, failed: Any) -> Any:
    return nan_unless_zero(dl, failed=failed, axes=2)


@public(a=2)
def cholesky_ex(a: Any, *, upper: bool = False, check_errors: bool = False) -> CholeskyExResult:
    """The Cholesky factor, and in an integer where a matrix has none.

    Differentiable as `cholesky` is; what depends on an item that failed has the derivative NaN.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices; only the lower triangle is read, or only the upper one with `upper`.
        The gradient lies in that triangle, as that of `cholesky`.
    upper : bool
        Whether to return the upper factor.
    check_errors : bool
        Whether to raise where a matrix is not positive-definite.

    Returns
    -------
    CholeskyExResult
        `L` (..., M, M), the factors, left unfinished where `info` (...) is not 0 but the order of the first leading
        minor that is not positive-definite.

    Raises
    ------
    LinAlgError
        If the matrices are not square; with `check_errors` also if one is not positive-definite.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.cholesky_ex(np.array([[1.0, 2.0], [2.0, 1.0]])).info
    np.int32(2)
    """
    a = as_operand(a)
    found, info = potrf(raw(a), upper=bool(upper))
    failed = info > 0
    factor = H(found) if upper else found
    if not np.any(failed):
        l = cholesky_factor(a, upper=bool(upper), factor=factor)
    elif check_errors:
        raise LinAlgError(f"the leading minor of order {int(np.max(info))} is not positive definite")
    else:
        full = np.where(failed[..., None, None], identity(factor), factor)
        l = cholesky_factor(identity_where_failed(a, failed=failed), upper=bool(upper), factor=full)
        l = unfinished(l, factor=factor, failed=failed)
    return CholeskyExResult(H(l) if upper else l, info)
