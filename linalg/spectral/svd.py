"""The singular value decomposition, as called: what NumPy and SciPy have for arguments, and conventions of phases."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.choices import fixed_phases, recalled
from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ..factorizations.complement import complement
from ..kernels import numpy_gufuncs
from ..kernels.numpy_gufuncs import SVDResult
from ..kernels.public import public, refuse_infinite
from ..kernels.stacks import kernel
from .degenerate.singular_basis import SingularBasis
from .degenerate.spectral_data import followed
from .phase_conventions import check_gauge, rephased_together, row_real, with_largest_real, with_other_common_phases
from .svd_rule import singular_values, thin_svd


@kernel(2)
def singular_problem(a: Any, *, driver: str, full: bool = False, vectors: bool = True) -> Any:
    """Singular values, and vectors if wanted, by SciPy."""
    return scipy.linalg.svd(a, full, vectors, lapack_driver=driver, check_finite=False)


def _svd(a: Any, full: bool, compute_uv: bool, driver: str | None = None, gauge: str | None = None) -> Any:
    """The decomposition under differentiation."""
    if not compute_uv:
        return _values(a)
    m, n = a.shape[-2:]
    full = bool(full) and m != n
    known = None if driver is None else singular_problem(raw(a), full=full, driver=driver)
    with fixed_phases(gauge == "lapack"):
        a, basis = followed(a, partial(SingularBasis, full=full, known=known))
    u, s, vh = thin_svd(a, basis=basis)
    if gauge == "lapack":
        u, vh = rephased_together(u, vh, row_real(u, 0) if m < n else row_real(H(vh), 0))
    elif gauge == "max-real":
        u, vh = rephased_together(u, vh, with_largest_real(u))
    if basis.full:
        left, right = basis.remaining
        if m > n:
            u = np.concatenate([u, complement(u, columns=left, function="numpy.linalg.svd")], axis=-1)
        else:
            rest = complement(H(vh), columns=H(right), function="numpy.linalg.svd")
            vh = np.concatenate([vh, H(rest)], axis=-2)
    return SVDResult(u, s, vh)


def _values(a: Any) -> Any:
    a, basis = followed(a, partial(SingularBasis, full=False, vectors=False))
    return singular_values(a, basis=basis)


def _svd_of_hermitian(a: Any, compute_uv: bool) -> Any:
    """From the eigenvalues, as NumPy does it: `s = abs(w)` in descending order."""
    if not compute_uv:
        return np.flip(np.sort(np.abs(np.linalg.eigvalsh(a)), axis=-1), axis=-1)
    w, v = np.linalg.eigh(a)
    sign = np.copysign(1.0, raw(w))
    order = np.flip(np.argsort(np.abs(raw(w)), axis=-1), axis=-1)
    u = np.take_along_axis(v, order[..., None, :], axis=-1)
    s = np.take_along_axis(w * sign, order, axis=-1)
    return SVDResult(u, s, H(u * np.take_along_axis(sign, order, axis=-1)[..., None, :]))


@implements(np.linalg.svd)
def _(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    a = as_operand(a)
    return _svd_of_hermitian(a, compute_uv) if hermitian else _svd(a, full_matrices, compute_uv)


@implements(np.linalg.svdvals)
def _svdvals(x: Any, /) -> Any:
    x = as_operand(x)
    return _values(x)


@public(a=2)
def svd(
    a: Any,
    full_matrices: bool = True,
    compute_uv: bool = True,
    hermitian: bool = False,
    *,
    overwrite_a: bool = False,
    check_finite: bool = False,
    lapack_driver: str | None = None,
    gauge: str | None = None,
) -> Any:
    """The singular value decomposition `a = u @ diag(s) @ vh`.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    full_matrices : bool
        Whether `u` and `vh` are square.
    compute_uv : bool
        Whether to compute the vectors.
    hermitian : bool
        Whether `a` is Hermitian, so that its eigenvalues give the result; its lower triangle is read, and the gradient
        lies in it.
    lapack_driver : {"gesdd", "gesvd"}, optional
        The routine of LAPACK; by default `gesdd`, the faster one.
    gauge : {"lapack", "max-real"}, optional
        The convention for the common phases of left and right vectors, for losses that depend on them: what LAPACK
        returns (the first element of every right vector real, or of every left one if M < N), or the element of largest
        modulus of every left vector real and positive.

    Returns
    -------
    SVDResult or ndarray
        `U` (..., M, M or K), `S` (..., K), real and descending, `Vh` (..., N or K, N) with K = min(M, N); `S` alone
        without `compute_uv`.

    Raises
    ------
    LinAlgError
        If the computation does not converge.
    GaugeError
        If a derivative is needed of a loss that depends on the common phase of two vectors, or on the choice of the
        vectors of equal or zero values or of the columns beyond K.
    PrecisionLossError
        If rounding errors would dominate a derivative.

    Notes
    -----
    Where values are equal, zero, or nearly so, derivatives of every order, in every mode, are right for all losses
    that have them, as `eigh` says: those that do not depend on the choice of the vectors there, as `u @ diag(f(s)) @
    vh` with an odd function `f` does not. A loss of the singular values alone takes, at a kink, the mean of its
    cotangent over equal values, and 0 at zeros.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(lambda a: np.sum(np.linalg.svd(a)[1]))(np.array([[3.0, 0.0], [0.0, 4.0]]))
    array([[1., 0.],
           [0., 1.]])
    """
    a = as_operand(a)
    if check_finite:
        refuse_infinite(a)
    if not isinstance(lapack_driver, str | None):
        raise TypeError("lapack_driver must be a string")
    if lapack_driver not in (None, "gesdd", "gesvd"):
        raise ValueError(f'lapack_driver must be "gesdd" or "gesvd", not "{lapack_driver}"')
    check_gauge(gauge)
    if isinstance(a, Traced) and not hermitian:
        return _svd(a, full_matrices, compute_uv, lapack_driver, gauge)
    if hermitian:
        return _hermitian(a, compute_uv, gauge)
    if not compute_uv:
        return (
            numpy_gufuncs.svdvals(a)
            if lapack_driver is None
            else singular_problem(a, driver=lapack_driver, vectors=False)
        )
    if lapack_driver is None:
        result = recalled(
            numpy_gufuncs.svd,
            a,
            full_matrices,
            traced=(bool(full_matrices) and a.ndim > 1 and a.shape[-2] != a.shape[-1],),
        )
    else:
        result = SVDResult(*singular_problem(a, full=bool(full_matrices), driver=lapack_driver))
    if a.dtype.kind == "c" and gauge != "lapack":
        result = with_other_common_phases(result)
    return _rephased(result) if gauge == "max-real" else result


def _hermitian(a: Any, compute_uv: bool, gauge: str | None) -> Any:
    """From the eigenvalues; LAPACK's convention is that of its vectors, the first element real."""
    if not compute_uv:
        return np.linalg.svd(a, compute_uv=False, hermitian=True)
    with fixed_phases(gauge == "lapack"):
        u, s, vh = np.linalg.svd(a, hermitian=True)
    if gauge == "lapack" and isinstance(a, Traced):
        u, vh = rephased_together(u, vh, row_real(u, 0))
    return _rephased(SVDResult(u, s, vh)) if gauge == "max-real" else SVDResult(u, s, vh)


def _rephased(result: Any) -> Any:
    """The result with the element of largest modulus of every left vector that has a right one real and positive."""
    u, s, vh = result
    k = s.shape[-1]
    left, right = rephased_together(u[..., :k], vh[..., :k, :], with_largest_real(u[..., :k]))
    return SVDResult(np.concatenate([left, u[..., k:]], axis=-1), s, np.concatenate([right, vh[..., k:, :]], axis=-2))


@public(x=2)
def svdvals(x: Any, /, overwrite_a: bool = False, check_finite: bool = False) -> Any:
    """The singular values of matrices.

    The gradient is `u diag(g) H(v)`; at equal values and at zeros as `svd` says.

    Parameters
    ----------
    x : array_like (..., M, N)
        The matrices.

    Returns
    -------
    ndarray (..., min(M, N))
        Their singular values, real and descending.

    Raises
    ------
    LinAlgError
        If the computation does not converge.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.svdvals(np.array([[3.0, 0.0], [0.0, -4.0]]))
    array([4., 3.])
    """
    x = as_operand(x)
    if check_finite:
        refuse_infinite(x)
    return _svdvals(x) if isinstance(x, Traced) else numpy_gufuncs.svdvals(x)
