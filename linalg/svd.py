"""Singular values and vectors.

With `a = u diag(s) H(v)`, `p = H(u) da v`, `k` and `n` its Hermitian and skew-Hermitian parts, `f_ij = 1/(s_j - s_i)`
and `e_ij = 1/(s_i + s_j)`:

    ds = Re diag p,   du = u (f o k + e o n) + (1 - u H(u)) da v / s,   dv = v (f o k - e o n) + (1 - v H(v)) H(da) u /
    s,

and, with `m = H(u) gu`, `l = H(v) gv` and `sk` the skew-Hermitian part,

    ga = u (diag gs + f o sk(m + l) + e o sk(m - l)) H(v) + (gu - u m) / s H(v) + u H((gv - v l) / s)

[WZ19].  The vectors of equal values are arbitrary together, those of zeros each on its own; `gauge` says what follows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import primitive
from ..complex_autograd.routed import routed_linalg
from ..complex_autograd.zero import ZERO
from . import kernels
from .complement import complement
from .eigen_hermitian import diagonal_matrix, real_diagonal, reciprocal_gaps
from .gauge import refuse_coupling, refuse_gauge, refuse_outside, refuse_slope_at_zero
from .kernels import SVDResult
from .partly_linear import PartlyLinear
from .singular_basis import SingularBasis
from .ties import mean_over
from .triangles import hermitian_part, skew_part

__all__ = ["singular_values", "svd", "svdvals"]


@primitive
def thin_svd(a: Any, *, basis: SingularBasis) -> Any:
    """Singular vectors and values, as the basis has them."""
    return basis.result


@thin_svd.differential
def _(x: Any, a: Any, da: Any, *, basis: SingularBasis) -> Any:
    u, s, vh = x
    v = H(vh)
    moved, moved_back = da @ v, H(da) @ u
    p = H(u) @ moved
    along = hermitian_part(p) * reciprocal_gaps(s, basis.same)
    across = skew_part(p) * reciprocal_sums(s, basis)
    du, dv = u @ (along + across), v @ (along - across)
    scale = reciprocals(s, basis)[..., None, :]
    if u.shape[-2] > u.shape[-1]:
        du = du + (moved - u @ p) * scale
    if v.shape[-2] > v.shape[-1]:
        dv = dv + (moved_back - v @ H(p)) * scale
    return du, _slope_of_values(a, da, basis) if isinstance(a, Traced) else _slope(p, basis), H(dv)


def _slope_of_values(a: Any, da: Any, basis: SingularBasis) -> Any:
    """`ds` by vectors of its own, so that its derivative is not taken for a loss of those that the caller has."""
    u, _, vh = thin_svd(a, basis=basis)
    return _slope(H(u) @ da @ H(vh), basis)


@thin_svd.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, basis: SingularBasis) -> Any:
    gu, gs, gvh = g
    if gu is None and gvh is None:
        return (_gradient_of_values(gs, a, basis),)
    u, s, vh = x
    m = H(u) @ gu if gu is not None else None
    l = vh @ H(gvh) if gvh is not None else None
    if basis.is_degenerate or u.dtype.kind == "c":
        _refuse_gauge(g, x, m, l, basis)
    gaps, sums = reciprocal_gaps(s, basis.same), reciprocal_sums(s, basis)
    inner = None if gs is None else diagonal_matrix(gs)
    outside = None
    if m is not None:  # f o sk(m + l) + e o sk(m - l) = (f + e) o sk(m) + (f - e) o sk(l)
        inner = _plus(inner, skew_part(m) * (gaps + sums))
        if u.shape[-2] > u.shape[-1]:
            outside = ((gu - u @ m) * reciprocals(s, basis)[..., None, :]) @ vh
    if l is not None:
        inner = _plus(inner, skew_part(l) * (gaps - sums))
        if vh.shape[-1] > vh.shape[-2]:
            outside = _plus(outside, u @ ((gvh - H(l) @ vh) * reciprocals(s, basis)[..., :, None]))
    return (_plus(outside, u @ inner @ vh),)


def _plus(a: Any, b: Any) -> Any:
    return b if a is None else a + b


def reciprocal_sums(s: Any, basis: SingularBasis) -> Any:
    """`1 / (s_i + s_j)`, and 0 where both are zero."""
    sums = s[..., :, None] + s[..., None, :]
    if basis.zero is None:
        return 1 / sums
    both = basis.zero[..., :, None] * basis.zero[..., None, :]
    return (1 - both) / (sums + both)


def reciprocals(s: Any, basis: SingularBasis) -> Any:
    """`1 / s`, and 0 where it is zero."""
    return 1 / s if basis.zero is None else (1 - basis.zero) / (s + basis.zero)


def _slope(p: Any, basis: SingularBasis) -> Any:
    """`ds`; the mean over equal values, and 0 for zeros, where no one direction is known."""
    ds = real_diagonal(p)
    return ds if basis.moving else _settled(ds, basis)


def _settled(g: Any, basis: SingularBasis) -> Any:
    """The minimal-norm choice at a kink: the mean over equal values, and 0 for zeros."""
    if basis.same is not None:
        g = mean_over(basis.same, g)
    return g if basis.zero is None else g * (1 - basis.zero)


def _gradient_of_values(gs: Any, a: Any, basis: SingularBasis) -> Any:
    """The cotangent of `a` from that of its singular values alone."""
    if not (basis.moving or basis.is_chosen) and basis.is_kink(gs):
        gs = _settled(gs, basis)
    return singular_sum(a, gs, basis=basis)


def _refuse_gauge(g: Any, x: Any, m: Any, l: Any, basis: SingularBasis) -> None:
    """Raise if a loss depends on a common phase of vectors or, where values are equal or zero, on their choice."""
    (gu, gs, gvh), (u, s, vh) = g, x
    together = m + l if m is not None and l is not None else m if l is None else l
    refuse_gauge("numpy.linalg.svd", skew_part(together), basis.same, together, "singular vectors", s)
    refuse_coupling("numpy.linalg.svd", gs, together, basis.same, "singular vectors")
    if basis.zero is None:
        return
    both = basis.zero[..., :, None] * basis.zero[..., None, :]
    if gu is not None:
        refuse_gauge("numpy.linalg.svd", skew_part(m), both, gu, "left singular vectors")
        refuse_outside("numpy.linalg.svd", (gu - u @ m) * basis.zero[..., None, :], gu)
    if gvh is not None:
        refuse_gauge("numpy.linalg.svd", skew_part(l), both, gvh, "right singular vectors")
        refuse_outside("numpy.linalg.svd", (gvh - H(l) @ vh) * basis.zero[..., :, None], gvh)
    signed = u.dtype.kind == "f" and u.shape[-2] == vh.shape[-1] and not np.any(np.sum(basis.zero, axis=-1) > 1)
    if gs is not None and not signed:
        refuse_slope_at_zero("numpy.linalg.svd", gs, basis.zero)


@primitive
def singular_values(a: Any, *, basis: SingularBasis, given: Any = None) -> Any:
    """The singular values alone; `given` where they are known."""
    return basis.result[1] if given is None else given


@singular_values.differential
def _(s: Any, a: Any, da: Any, *, basis: SingularBasis, given: Any = None) -> Any:
    return _slope_of_values(a, da, basis)


@singular_values.adjoint_by_hand
def _(g: Any, s: Any, a: Any, *, basis: SingularBasis, given: Any = None) -> Any:
    return (_gradient_of_values(g, a, basis),)


@PartlyLinear
def singular_sum(a: Any, g: Any, *, basis: SingularBasis) -> Any:
    """`u diag(g) H(v)`: the gradient of a loss of the singular values alone.

    With `l_ij = (g_i - g_j) / (s_i - s_j)` and `m_ij = (g_i + g_j) / (s_i + s_j)`, its differential is
    `u (l o k + m o n + diag dg) H(v) + (1 - u H(u)) da v (g/s) H(v) + u (g/s) H(u) da (1 - v H(v))`.  Inside a block of
    equal values `g` is constant and `k` diagonal by the choice of basis; for zeros `g` is zero and all of `p` diagonal.
    """
    u, _, vh = basis.chosen
    return (u * g[..., None, :]) @ vh


@singular_sum.space_of
def _(a: Any, g: Any, **params: Any) -> Any:
    return a.shape, a.dtype


@singular_sum.differential
def _(x: Any, a: Any, g: Any, da: Any, dg: Any, *, basis: SingularBasis) -> Any:
    u, s, vh = _vectors(a, basis)
    if not basis.moving and basis.is_degenerate and dg is not ZERO:
        dg = _settled(dg, basis)
    slope = _slope_of_sum(u, s, vh, g, da, basis)
    return slope if dg is ZERO else slope + (u * dg[..., None, :]) @ vh


@singular_sum.adjoint_by_hand
def _(h: Any, x: Any, a: Any, g: Any, *, basis: SingularBasis) -> Any:
    basis.choose(h, x)
    u, s, vh = _vectors(a, basis)
    return _slope_of_sum(u, s, vh, g, h, basis), real_diagonal(H(u) @ h @ H(vh))


@singular_sum.adjoint(1)
def _(h: Any, a: Any, g: Any, *, basis: SingularBasis) -> Any:
    basis.choose(h, basis)
    u, _, vh = _vectors(a, basis)
    return real_diagonal(H(u) @ h @ H(vh))


def _vectors(a: Any, basis: SingularBasis) -> Any:
    """The vectors in the basis chosen; they carry a third derivative only where all values are distinct."""
    if basis.is_degenerate:
        basis.refuse_third_derivative(a)
        return basis.chosen
    return thin_svd(a, basis=basis)


def _slope_of_sum(u: Any, s: Any, vh: Any, g: Any, da: Any, basis: SingularBasis) -> Any:
    """The differential of `u diag(g) H(v)` along `da` with `g` held: self-adjoint in `da`."""
    p = H(u) @ da @ H(vh)
    even = (g[..., None, :] - g[..., :, None]) * reciprocal_gaps(s, basis.same)
    odd = (g[..., None, :] + g[..., :, None]) * reciprocal_sums(s, basis)
    slope = u @ (even * hermitian_part(p) + odd * skew_part(p)) @ vh
    ratio = g * reciprocals(s, basis)
    if u.shape[-2] > u.shape[-1]:
        slope = slope + ((da @ H(vh) - u @ p) * ratio[..., None, :]) @ vh
    if vh.shape[-1] > vh.shape[-2]:
        slope = slope + u @ (ratio[..., :, None] * (H(u) @ da - p @ vh))
    return slope


@implements(np.linalg.svd)
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    a = as_operand(a)
    if hermitian:
        return _svd_of_hermitian(a, compute_uv)
    if not compute_uv:
        return singular_values(a, basis=SingularBasis(a, full=False))
    m, n = a.shape[-2:]
    basis = SingularBasis(a, full=bool(full_matrices) and m != n)
    u, s, vh = thin_svd(a, basis=basis)
    if basis.full:
        left, right = basis.remaining
        if m > n:
            u = np.concatenate([u, complement(u, columns=left, function="numpy.linalg.svd")], axis=-1)
        else:
            rest = complement(H(vh), columns=H(right), function="numpy.linalg.svd")
            vh = np.concatenate([vh, H(rest)], axis=-2)
    return SVDResult(u, s, vh)


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


@implements(np.linalg.svdvals)
def _svdvals(x: Any, /) -> Any:
    x = as_operand(x)
    return singular_values(x, basis=SingularBasis(x, full=False))


@routed_linalg
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
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
        Whether `a` is Hermitian, so that its eigenvalues give the result; its lower triangle is read.

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
        If a derivative is needed of a loss that depends on the common phase of two vectors, on the choice of the
        vectors of equal or zero values or of the columns beyond K, or that mixes equal values with their vectors.

    Notes
    -----
    A loss of the singular values alone has the right first and second derivatives where they are equal or zero; at a
    kink it takes the mean of its cotangent over equal values, and 0 at zeros.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(lambda a: np.sum(np.linalg.svd(a)[1]))(np.array([[3.0, 0.0], [0.0, 4.0]]))
    array([[1., 0.],
           [0., 1.]])
    """
    a = as_operand(a)
    if isinstance(a, Traced):
        return _svd(a, full_matrices, compute_uv, hermitian)
    if compute_uv is True and hermitian is False:
        return kernels.svd(a, full_matrices)
    return np.linalg.svd(a, full_matrices, compute_uv, hermitian)


@routed_linalg
def svdvals(x: Any, /) -> Any:
    """The singular values of matrices.

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

    Notes
    -----
    The gradient is `u diag(g) H(v)`; at equal values and at zeros as `svd` says.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.svdvals(np.array([[3.0, 0.0], [0.0, -4.0]]))
    array([4., 3.])
    """
    x = as_operand(x)
    return _svdvals(x) if isinstance(x, Traced) else np.linalg.svdvals(x)
