"""Eigenvalues and eigenvectors of general matrices.

With `a v = v diag(w)`, `c = inv(v) da v` and `f_ij = 1/(w_j - w_i)`, 0 where `w_i = w_j`:

    dw = diag c,   dv = v (f o c), less what changes the length of its columns,

and, with `m = H(v) gv` and `d = Re diag m`,

    ga = inv(H(v)) (diag gw + conj(f) o (m - H(v) v d)) H(v)

[B17, eq. 4.77].  Where `m - H(v) v d` meets equal values it must vanish, and so must the imaginary part of the
diagonal of `m`: the choice of the vectors is arbitrary there.  A defective matrix has no derivative of its
eigenvalues: what depends on one is refused.  What is done where some are equal, or nearly so, `degenerate` says.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.choices import CHOICES
from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.kinks import at_branch_point
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, has_hidden_level, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H
from ..kernels import numpy_gufuncs as kernels
from ..kernels.numpy_gufuncs import EigResult
from ..kernels.partly_linear import PartlyLinear
from ..systems.solve import solution
from .degenerate.eigenpairs import Eigenpairs
from .degenerate.gap_rules import refuse_noise
from .degenerate.spectral_data import followed
from .degenerate.spectrum import IS_DEFECTIVE
from .eigh_rule import diagonal_matrix
from .gauge import notice_phases, refuse_gauge


@primitive(family="eigenvalues")
def eigen(a: Any, *, pairs: Eigenpairs) -> Any:
    """Eigenvalues and eigenvectors; real where all eigenvalues of a real matrix are."""
    return pairs.given


@eigen.differential
def _(x: Any, a: Any, da: Any, *, pairs: Eigenpairs) -> Any:
    pairs.spectrum.refuse_ill_conditioned_vectors()
    w, v = x
    c = solution(v, da @ v)
    dv = v @ (c * pairs.reciprocal_gaps(w))
    lengthening = np.sum(np.real(np.conj(v) * dv), axis=-2, keepdims=True)
    return derivative_of_values(a, da, pairs) if isinstance(a, Traced) else pairs.derivative(
        _diagonal(c)
    ), dv - v * lengthening


def _diagonal(c: Any) -> Any:
    return np.diagonal(c, axis1=-2, axis2=-1)


def derivative_of_values(a: Any, da: Any, pairs: Eigenpairs) -> Any:
    """`dw` by vectors of its own, so that its derivative is not taken for a loss of those that the caller has."""
    v = eigen(a, pairs=pairs)[1]
    return pairs.derivative(_diagonal(solution(v, da @ v)))


@eigen.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, pairs: Eigenpairs) -> Any:
    gw, gv = g
    if gv is None:
        return (gradient_of_values(gw, a, pairs),)
    pairs.spectrum.refuse_ill_conditioned_vectors()
    w, v = x
    m = H(v) @ gv
    rest = m - (H(v) @ v) * np.real(np.diagonal(m, axis1=-2, axis2=-1))[..., None, :]
    is_of_loss = pairs.is_outermost(a)
    CHOICES.used += pairs.is_chosen
    if is_of_loss or pairs.layers is None:
        refuse_gauge("numpy.linalg.eig", rest, pairs.same, gv, "eigenvectors", w)
        notice_phases(v.dtype)
    inner = rest * np.conj(pairs.reciprocal_gaps(w))
    if gw is not None:
        if is_of_loss and pairs.is_kink_alone(gw, inner):
            gw = pairs.settled(gw)
        inner = inner + diagonal_matrix(gw)
    if is_of_loss:
        refuse_noise("numpy.linalg.eig", "eigenvectors", m, w + 0j, inner, pairs.layers, pairs.same)
    return (solution(H(v), inner @ H(v)),)


def gradient_of_values(gw: Any, a: Any, pairs: Eigenpairs) -> Any:
    """The cotangent of `a` from that of its eigenvalues; where it differs over equal ones it is a kink: the mean."""
    if pairs.is_outermost(a) and not pairs.moving and pairs.is_kink(gw):
        gw = pairs.settled(gw)
    pairs.spectrum.refuse_mixed_values(gw)
    return eigenvalue_sum(a, gw, pairs=pairs)


@primitive(family="eigenvalues")
def eigenvalues(a: Any, *, pairs: Eigenpairs, values: Any) -> Any:
    """The eigenvalues alone, in NumPy's order."""
    return values if pairs.layers is None else pairs.layers.split(values)


@eigenvalues.differential
def _(w: Any, a: Any, da: Any, *, pairs: Eigenpairs, values: Any) -> Any:
    return derivative_of_values(a, da, pairs)


@eigenvalues.adjoint_by_hand
def _(g: Any, w: Any, a: Any, *, pairs: Eigenpairs, values: Any) -> Any:
    return (gradient_of_values(g, a, pairs),)


@PartlyLinear
def eigenvalue_sum(a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    """`inv(H(v)) diag(g) H(v)`: the gradient of a loss of the eigenvalues alone.

    With the divided differences `l_ij = (g_j - g_i) / conj(w_j - w_i)`, 0 for equal values, and `c = inv(v) da v` its
    differential is `inv(H(v)) (l o H(c) + diag dg) H(v)`, and the adjoint of that, with `k = inv(v) h v`,
    `inv(H(v)) H(conj(l) o k) H(v)` and `diag k`.
    """
    v = pairs.result[1]
    return solution(H(v), diagonal_matrix(g) @ H(v))


@eigenvalue_sum.space_of
def _(a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    return a.shape, np.result_type(g.dtype, pairs.result[1].dtype)


@eigenvalue_sum.differential
def _(x: Any, a: Any, g: Any, da: Any, dg: Any, *, pairs: Eigenpairs) -> Any:
    w, v = eigen(a, pairs=pairs)
    inner = _divided_differences(g, w, pairs) * H(solution(v, da @ v)) if da is not ZERO else ZERO
    if dg is not ZERO:
        inner = inner + diagonal_matrix(pairs.joined(dg))
    return solution(H(v), inner @ H(v))


@eigenvalue_sum.adjoint_by_hand
def _(h: Any, x: Any, a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    w, v = eigen(a, pairs=pairs)
    k = solution(v, h @ v)
    inner = H(np.conj(_divided_differences(g, w, pairs)) * k)
    return solution(H(v), inner @ H(v)), pairs.joined(_diagonal(k))


@eigenvalue_sum.adjoint(1)
def _(h: Any, a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    v = eigen(a, pairs=pairs)[1]
    return pairs.joined(_diagonal(solution(v, h @ v)))


def _divided_differences(g: Any, w: Any, pairs: Eigenpairs) -> Any:
    return (g[..., None, :] - g[..., :, None]) * np.conj(pairs.reciprocal_gaps(w))


@implements(np.linalg.eig)
def _(a: Any) -> Any:
    a = as_operand(a)
    try:
        b, pairs = followed(a, lambda a, moving: Eigenpairs(a, vectors=True))
    except NotDifferentiableError as error:
        return EigResult(*_at_defective_matrix(kernels.eig(raw(a)), a, error))
    return eigen(b, pairs=pairs)


@implements(np.linalg.eigvals)
def _(a: Any) -> Any:
    a = as_operand(a)
    values = kernels.eigvals(raw(a))
    try:
        b, pairs = followed(a, lambda a, moving: Eigenpairs(a, values))
    except NotDifferentiableError as error:
        return _at_defective_matrix([values], a, error)[0]
    return eigenvalues(b, pairs=pairs, values=values)


def _at_defective_matrix(results: Any, a: Any, error: NotDifferentiableError) -> list[Any]:
    """Plain results at a defective matrix, which the caller may use for what does not depend on a derivative."""
    if error.reason != IS_DEFECTIVE or has_hidden_level(a):
        raise error
    return [at_branch_point(x, a, error) for x in results]
