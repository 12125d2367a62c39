"""Eigenvalues and eigenvectors of Hermitian matrices.

With `a v = v diag(w)`, `p = H(v) da v` and `f_ij = 1/(w_j - w_i)`, 0 where `w_i = w_j`:

    dw = Re diag p,   dv = v (f o p),   ga = v (diag gw + f o sk(H(v) gv)) H(v)

[G08, 3.1], where `sk` is the skew-Hermitian part.  Inside a block of equal values the vectors are arbitrary, and the
values are split: see `laurent`.  For a loss of the values alone that is symmetric in these, the basis there may instead
be chosen so that `p` is diagonal in it, for the one direction `da` (or, backwards, the one cotangent) that the second
derivative is taken along; then the formulas hold as they stand [K95, II.6].  `Eigenbasis` keeps that choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import linear, primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import hermitian_from, hermitian_part, identity, skew_part, triangle_gradient
from ..kernels.partly_linear import PartlyLinear
from ..kernels.validation import some_traced
from ..small_stacks.layout import in_blocks, product
from .degenerate.eigenbasis import Eigenbasis
from .degenerate.equal_values import is_uneven, mean_over
from .degenerate.gap_rules import reciprocal_gaps, refuse_noise, rotation_inside
from .degenerate.linking import followed
from .degenerate.perturbation import is_kink
from .degenerate.probes import refuse_kink_of_probe
from .degenerate.running_errors import refuse_inaccurate, without_errors
from .degenerate.split_rules import mean_beside
from .gauge import refuse_gauge
from .small_adjoints import eigen_gradient

__all__ = [
    "derivative_of_values",
    "diagonal_matrix",
    "eigenvalues",
    "eigenvectors",
    "gradient_of_values",
    "hermitian_eigen",
    "hermitian_eigenvalues",
    "reads_lower",
    "real_diagonal",
]


@linear(family="data movement")
def real_diagonal(a: Any) -> Any:
    """The real part of the diagonal."""
    return np.real(np.diagonal(a, axis1=-2, axis2=-1))


@real_diagonal.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return diagonal_matrix(g)


def diagonal_matrix(d: Any) -> Any:
    """The matrices with this diagonal."""
    return d[..., None] * identity(d)


@primitive(family="symmetric eigenvalues")
def hermitian_eigen(a: Any, *, lower: bool, basis: Eigenbasis, own: bool = False) -> Any:
    """Eigenvalues and eigenvectors, as the basis has them; `own` if they serve a rule and no loss of the caller's."""
    return basis.given


@hermitian_eigen.differential
def _(x: Any, a: Any, da: Any, *, lower: bool, basis: Eigenbasis, own: bool = False) -> Any:
    w, v = x
    dh = hermitian_from(da, lower=lower)
    p = H(v) @ dh @ v
    rotation = p * _reciprocal_gaps(w, basis)
    if basis.moving and basis.layers is None:
        rotation = rotation + _rotation_inside(p, w, basis.same)
    elif basis.layers is not None and basis.moving and basis.where_split == 0:
        rotation = rotation + basis.layers.aside(_rotation_inside(raw(p), raw(w), basis.same))
    return (derivative_of_values(a, dh, lower, basis) if isinstance(a, Traced) else _derivative(p, basis)), v @ rotation


def _reciprocal_gaps(w: Any, basis: Eigenbasis) -> Any:
    return reciprocal_gaps(w, basis.same, basis.layers, basis.where_split)


# Where values are equal, a + t da is t p + t^2 q, with q_ij = sum_k p_ik p_kj / (w - w_k) over all others  [K95, II.2]
def _rotation_inside(p: Any, w: Any, same: Any) -> Any:
    """What rotates the vectors of equal values among themselves, where these move apart."""
    return rotation_inside((p * (1 - same)) @ (p * reciprocal_gaps(w, same)), p, same)


def derivative_of_values(a: Any, dh: Any, lower: bool, basis: Eigenbasis) -> Any:
    """`dw` by vectors of its own, so that its derivative is not taken for a loss of those that the caller has."""
    v = hermitian_eigen(a, lower=lower, basis=basis, own=True)[1]
    return _derivative(H(v) @ dh @ v, basis)


def _derivative(p: Any, basis: Eigenbasis) -> Any:
    """`dw`; the mean over equal values where no one direction is known."""
    dw = real_diagonal(p)
    if basis.same is None or basis.moving:
        return dw
    return mean_over(basis.same, dw) if basis.layers is None else mean_beside(dw, same=basis.same)


@hermitian_eigen.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, lower: bool, basis: Eigenbasis, own: bool = False) -> Any:
    gw, gv = g
    if gv is None:
        return (gradient_of_values(gw, a, lower, basis),)
    if basis.errors is not None:
        x, gw, gv = basis.result, without_errors(gw), without_errors(gv)
    w, v = x
    if basis.gap and not some_traced(v, gw, gv):
        found = eigen_gradient(w, v, gw, gv, gap=basis.gap, lower=lower)
        if found is not None:
            return (found,)

    def rule(v: Any, gv: Any, w: Any, gw: Any) -> Any:
        vh = H(v)
        m = product(vh, gv)
        checked = basis.is_checked(a)
        if checked and (basis.same is not None or v.dtype.kind == "c"):
            refuse_gauge("numpy.linalg.eigh", skew_part(m), basis.same, gv, "eigenvectors", w)
        quotients = _reciprocal_gaps(w, basis)
        inner = skew_part(m) * quotients
        if gw is not None:
            if checked and basis.layers is not None and basis.layers.near is not None:
                refuse_kink_of_probe(gw, inner, basis.layers.near.close)
            if checked and basis.layers is not None and is_kink(gw, inner, basis.same):
                gw = mean_over(basis.same, gw)
            inner = inner + diagonal_matrix(gw)
        if basis.errors is not None:
            refuse_inaccurate(basis.errors, m, [quotients], [inner])
        elif checked and not own:
            refuse_noise("numpy.linalg.eigh", "eigenvectors", m, w, inner, basis.layers)
        if checked and basis.layers is not None and not own:
            inner = basis.layers.ended(inner)
            v, vh = (v, vh) if isinstance(inner, Traced) else (raw(v), raw(vh))  # which do not move then
        return triangle_gradient(product(product(v, inner), vh), lower=lower)

    return (in_blocks(rule, v, gv, w, gw) if basis.same is None else rule(v, gv, w, gw),)


def gradient_of_values(gw: Any, a: Any, lower: bool, basis: Eigenbasis) -> Any:
    """The cotangent of `a` from that of its eigenvalues; where it differs over equal ones it is a kink: the mean."""
    if basis.same is None and not isinstance(a, Traced):
        v = basis.result[1]
        return triangle_gradient((v * gw[..., None, :]) @ H(v), lower=lower)
    settled = basis.moving or basis.is_chosen or not basis.is_checked(a)
    if basis.same is not None and not settled and is_uneven(gw, basis.same):
        gw = mean_over(basis.same, gw)
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
    + diag dg) H(v)`.  Inside a block of equal values `g` is constant, and `p` diagonal by the choice of basis.
    """
    v = basis.chosen(basis.result[1])
    return (v * g[..., None, :]) @ H(v)


@spectral_sum.space_of
def _(a: Any, g: Any, **params: Any) -> Any:
    return a.shape, a.dtype


def _divided_differences(g: Any, w: Any, basis: Eigenbasis) -> Any:
    return (g[..., None, :] - g[..., :, None]) * _reciprocal_gaps(w, basis)


@spectral_sum.differential
def _(x: Any, a: Any, g: Any, da: Any, dg: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    basis.refuse_third_derivative(a)
    w, v = hermitian_eigen(a, lower=lower, basis=basis, own=True)
    p = H(v) @ hermitian_from(da, lower=lower) @ v
    if basis.same is not None and not basis.moving and dg is not ZERO and basis.layers is None:
        dg = mean_over(basis.same, dg)
    inner = _divided_differences(g, w, basis) * p
    return v @ (inner if dg is ZERO else inner + diagonal_matrix(dg)) @ H(v)


@spectral_sum.adjoint_by_hand
def _(h: Any, x: Any, a: Any, g: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    w, v, p = _in_chosen_basis(h, x, a, lower, basis)
    inner = _divided_differences(g, w, basis) * p
    return triangle_gradient(v @ inner @ H(v), lower=lower), real_diagonal(p)


@spectral_sum.adjoint(1)
def _(h: Any, a: Any, g: Any, *, lower: bool, basis: Eigenbasis) -> Any:
    return real_diagonal(_in_chosen_basis(h, basis, a, lower, basis)[2])


def _in_chosen_basis(h: Any, who: Any, a: Any, lower: bool, basis: Eigenbasis) -> Any:
    basis.refuse_third_derivative(a)
    h = hermitian_part(h)
    basis.choose(h, raw(who))
    w, v = hermitian_eigen(a, lower=lower, basis=basis, own=True)
    v = basis.chosen(v)
    return w, v, H(v) @ h @ v


_READS_LOWER = {"L": True, "l": True, "U": False, "u": False}


def reads_lower(uplo: str) -> bool:
    """Which triangle NumPy's letters name."""
    if uplo not in _READS_LOWER:
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return _READS_LOWER[uplo]


@implements(np.linalg.eigh)
def eigenvectors(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigh` of traced matrices."""
    a, lower = as_operand(a), reads_lower(UPLO)
    a, basis = followed(a, lambda a, moving: Eigenbasis.of(moving, lower).rotated(a))
    return hermitian_eigen(a, lower=lower, basis=basis)


@implements(np.linalg.eigvalsh)
def eigenvalues(a: Any, UPLO: str = "L") -> Any:
    """`numpy.linalg.eigvalsh` of traced matrices."""
    a, lower = as_operand(a), reads_lower(UPLO)
    a, basis = followed(a, lambda a, moving: Eigenbasis.of(moving, lower).for_values(a))
    return hermitian_eigenvalues(a, lower=lower, basis=basis)
