"""Eigenvalues and eigenvectors of Hermitian matrices.

With `a v = v diag(w)`, `p = H(v) da v` and `f_ij = 1/(w_j - w_i)`, 0 where `w_i = w_j`:

    dw = Re diag p,   dv = v (f o p),   ga = v (diag gw + f o sk(H(v) gv)) H(v)

[G08, 3.1], where `sk` is the skew-Hermitian part: `gradient`, where values are distinct.  What is done where some are
equal, or nearly so, `degenerate` says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, final

import numpy as np

from ...complex_autograd.engine.choices import CHOICES, remembered
from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.primitive import Primitive, linear, primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H, adjoint_times, product, times_adjoint
from ..elementary.triangles import (
    hermitian_from,
    hermitian_part,
    identity,
    infinite_diagonal,
    skew_part,
    triangle_gradient,
    weights,
)
from ..kernels import numpy_gufuncs
from ..kernels.numpy_gufuncs import EighResult
from ..kernels.partly_linear import PartlyLinear
from .degenerate.equal_values import block_vectors, chosen_matrix
from .degenerate.gap_rules import reciprocal_gaps, refuse_noise, rotation_inside
from .degenerate.levels import forward_direction
from .degenerate.roles import VALUES, VECTORS
from .degenerate.running_errors import refuse_inaccurate, without_errors
from .degenerate.spectral_data import SpectralData, followed
from .gauge import notice_phases, refuse_gauge
from .small_adjoints import adjoint, is_clear


@final
class Eigenbasis(SpectralData):
    """Eigenvalues (..., n), ascending, and eigenvectors (..., n, n) of Hermitian matrices."""

    __slots__ = ()

    roles = (VALUES, VECTORS)

    @classmethod
    def of(cls, a: Any, moving: Any, lower: bool, vectors: bool = True, known: Any = None) -> Eigenbasis:
        """Those of the matrices whose one triangle is read from `a`; `moving` is the same as it moves."""
        plain, uplo = raw(a), "L" if lower else "U"
        if known is not None:
            result = EighResult(*known)
        elif vectors and plain.dtype.kind == "c":
            result = remembered(numpy_gufuncs.eigh, plain, uplo)
        else:
            result = numpy_gufuncs.eigh(plain, uplo)

        def direction() -> Any:
            along = forward_direction(moving)
            return None if along is None else hermitian_from(along, lower=lower)

        return cls(a, result[0], result, direction, vectors)

    def _each(self, of_values: Callable[[Any], Any], of_vectors: Callable[[Any], Any]) -> Any:
        w, v = self.result
        return EighResult(of_values(w), of_vectors(v))

    def _rotate(self, direction: Any) -> None:
        w, v = self.result
        h = hermitian_part(chosen_matrix(v)) if direction is None else direction
        self.result = self.given = self._rephased(EighResult(w, v @ block_vectors(self.same, H(v) @ h @ v)))


@linear(family="data movement")
def real_diagonal(a: Any) -> Any:
    """The real part of the diagonal."""
    return np.real(np.diagonal(a, axis1=-2, axis2=-1))


@real_diagonal.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return diagonal_matrix(g)


def _diagonal_matrix(d: Any) -> Any:
    """The matrices with this diagonal."""
    return d[..., None] * identity(d)


diagonal_matrix = Primitive(_diagonal_matrix, "jointly", registered=False)


@diagonal_matrix.adjoint(0)
def _(g: Any, d: Any) -> Any:
    return np.diagonal(g, axis1=-2, axis2=-1)


@primitive(family="symmetric eigenvalues")
def hermitian_eigen(a: Any, *, lower: bool, basis: Eigenbasis, own: bool = False) -> Any:
    """Eigenvalues and eigenvectors, as the basis has them; `own` if they serve a rule and no loss of the caller's."""
    return basis.given


@hermitian_eigen.differential
def _(x: Any, a: Any, da: Any, *, lower: bool, basis: Eigenbasis, own: bool = False) -> Any:
    w, v = x
    dh = hermitian_from(da, lower=lower)
    p = H(v) @ dh @ v
    rotation = basis.with_rotation(p * basis.reciprocal_gaps(w), _rotation_inside, p, w, basis.same)
    dw = derivative_of_values(a, dh, lower, basis) if isinstance(a, Traced) else basis.derivative(real_diagonal(p))
    return dw, v @ rotation


# Where values are equal, a + t da is t p + t^2 q, with q_ij = sum_k p_ik p_kj / (w - w_k) over all others  [K95, II.2]
def _rotation_inside(p: Any, w: Any, same: Any) -> Any:
    """How the vectors of equal values rotate among themselves, where these move apart."""
    return rotation_inside((p * (1 - same)) @ (p * reciprocal_gaps(w, same)), p, same)


def derivative_of_values(a: Any, dh: Any, lower: bool, basis: Eigenbasis) -> Any:
    """`dw` by vectors of its own, so that its derivative is not taken for a loss of those that the caller has."""
    v = hermitian_eigen(a, lower=lower, basis=basis, own=True)[1]
    return basis.derivative(real_diagonal(H(v) @ dh @ v))


@hermitian_eigen.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, lower: bool, basis: Eigenbasis, own: bool = False) -> Any:
    gw, gv = g
    if gv is None:
        return (gradient_of_values(gw, a, lower, basis),)
    w, v = x
    if basis.gap:
        found = gradient(w, v, gw, gv, gap=basis.gap, lower=lower)
        if found is not None:
            return (found,)
    if basis.errors is not None:
        (w, v), gw, gv = basis.result, without_errors(gw), without_errors(gv)
    m = adjoint_times(v, gv)
    checked = basis.is_checked(a)
    CHOICES.used += basis.is_chosen and not own
    if checked and (basis.same is not None or v.dtype.kind == "c"):
        refuse_gauge("numpy.linalg.eigh", skew_part(m), basis.same, gv, "eigenvectors", w)
        if not own:
            notice_phases(v.dtype)
    quotients = basis.reciprocal_gaps(w)
    inner = skew_part(m) * quotients
    if gw is not None:
        if checked:
            basis.refuse_kink_of_probe(gw, inner)
        if checked and basis.layers is not None and basis.is_kink_alone(gw, inner):
            gw = basis.settled(gw)
        inner = inner + diagonal_matrix(gw)
    if basis.errors is not None:
        refuse_inaccurate(basis.errors, m, [quotients], [inner])
    elif checked and not own:
        refuse_noise("numpy.linalg.eigh", "eigenvectors", m, w, inner, basis.layers)
    if checked and basis.layers is not None and not own:
        inner = basis.layers.ended(inner)
        v = v if isinstance(inner, Traced) else raw(v)  # which do not move then
    return (triangle_gradient(times_adjoint(product(v, inner), v), lower=lower),)


def gradient(w: Any, v: Any, gw: Any, gv: Any, *, gap: float, lower: bool) -> Any:
    """`ga`, of which one triangle is returned, of a small matrix whose eigenvalues lie as far apart as `gap` says.

    None if one of the arrays is not plain, or rounding errors or the phases of the vectors are to be looked at.
    """
    if not (type(v) is type(gv) is np.ndarray and v.dtype == gv.dtype and (gw is None or type(gw) is np.ndarray)):
        return None
    vh = adjoint(v)
    m = vh @ gv
    if not is_clear(gap, m):
        return None
    inner = m - adjoint(m)  # all of it twice; the weights of the triangle are halves
    inner /= (w - w[:, None]) + infinite_diagonal(w)
    if gw is not None:
        inner.ravel()[:: len(w) + 1] = gw + gw
    ga = v @ inner @ vh * weights(v, lower)
    if ga.dtype.kind == "c":
        notice_phases(ga.dtype)
        ga.ravel()[:: len(w) + 1].imag = 0
    return ga


def gradient_of_values(gw: Any, a: Any, lower: bool, basis: Eigenbasis) -> Any:
    """The cotangent of `a` from that of its eigenvalues; where it differs over equal ones it is a kink: the mean."""
    if basis.same is None and not isinstance(a, Traced):
        v = basis.result[1]
        return triangle_gradient((v * gw[..., None, :]) @ H(v), lower=lower)
    gw = basis.at_kink(gw, a)
    return triangle_gradient(spectral_sum(a, gw, lower=lower, basis=basis), lower=lower)


@primitive(family="symmetric eigenvalues")
def hermitian_eigenvalues(a: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    """The eigenvalues alone."""
    return basis.given[0]


@hermitian_eigenvalues.differential
def _(w: Any, a: Any, da: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    return derivative_of_values(a, hermitian_from(da, lower=lower), lower, basis)


@hermitian_eigenvalues.adjoint_by_hand
def _(g: Any, w: Any, a: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    return (gradient_of_values(g, a, lower, basis),)


@PartlyLinear
def spectral_sum(a: Any, g: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    """`v diag(g) H(v)`: the gradient of a loss of the eigenvalues alone.

    With the divided differences `l_ij = (g_i - g_j) / (w_i - w_j)` and `p = H(v) da v`, its differential is `v (l o p
    + diag dg) H(v)`.
    """
    v = basis.result[1]
    return (v * g[..., None, :]) @ H(v)


@spectral_sum.space_of
def _(a: Any, g: Any, **params: Any) -> Any:
    return a.shape, a.dtype


def _divided_differences(g: Any, w: Any, basis: Eigenbasis) -> Any:
    return (g[..., None, :] - g[..., :, None]) * basis.reciprocal_gaps(w)


@spectral_sum.differential
def _(x: Any, a: Any, g: Any, da: Any, dg: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    w, v = hermitian_eigen(a, lower=lower, basis=basis, own=True)
    inner = _divided_differences(g, w, basis) * (H(v) @ hermitian_from(da, lower=lower) @ v)
    return v @ (inner if dg is ZERO else inner + diagonal_matrix(basis.joined(dg))) @ H(v)


@spectral_sum.adjoint_by_hand
def _(h: Any, x: Any, a: Any, g: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    w, v, p = _in_eigenbasis(h, a, lower, basis)
    inner = _divided_differences(g, w, basis) * p
    return triangle_gradient(v @ inner @ H(v), lower=lower), basis.joined(real_diagonal(p))


@spectral_sum.adjoint(1)
def _(h: Any, a: Any, g: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    return basis.joined(real_diagonal(_in_eigenbasis(h, a, lower, basis)[2]))


def _in_eigenbasis(h: Any, a: Any, lower: bool, basis: Eigenbasis) -> Any:
    w, v = hermitian_eigen(a, lower=lower, basis=basis, own=True)
    return w, v, H(v) @ hermitian_part(h) @ v


_READS_LOWER = {"L": True, "l": True, "U": False, "u": False}


def reads_lower(uplo: str) -> bool:
    """Which triangle NumPy's letters name."""
    if uplo not in _READS_LOWER:
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return _READS_LOWER[uplo]


@implements(np.linalg.eigh)
def eigenvectors(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigh` of traced matrices."""
    lower = reads_lower(UPLO)
    a, basis = followed(a, partial(Eigenbasis.of, lower=lower))
    return hermitian_eigen(a, lower=lower, basis=basis)


@implements(np.linalg.eigvalsh)
def eigenvalues(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigvalsh` of traced matrices."""
    lower = reads_lower(UPLO)
    a, basis = followed(a, partial(Eigenbasis.of, lower=lower, vectors=False))
    return hermitian_eigenvalues(a, lower=lower, basis=basis)
