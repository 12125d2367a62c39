"""Eigenvalues and eigenvectors of general matrices.

With `a v = v diag(w)`, `c = inv(v) da v` and `f_ij = 1/(w_j - w_i)`, 0 where `w_i = w_j`:

    dw = diag c,   dv = v (f o c), less what changes the length of its columns,

and, with `m = H(v) gv` and `d = Re diag m`,

    ga = inv(H(v)) (diag gw + conj(f) o (m - H(v) v d)) H(v)

[B17, eq. 4.77].  Where `m - H(v) v d` meets equal values it must vanish, and so must the imaginary part of the
diagonal of `m`: the choice of the vectors is arbitrary there.  A defective matrix has no derivative of its
eigenvalues.  How equal ones split is kept by `Eigenpairs`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.errors import GaugeError
from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import primitive
from ..complex_autograd.zero import ZERO
from . import kernels
from .coupling import reciprocal_gaps, refuse_noise
from .eigen_hermitian import diagonal_matrix
from .eigenpairs import Eigenpairs
from .gauge import refuse_gauge
from .partly_linear import PartlyLinear
from .solve import solution
from .ties import forward_direction, is_negligible, is_uneven, mean_over

__all__ = ["eigen"]


@primitive
def eigen(a: Any, *, pairs: Eigenpairs) -> Any:
    """Eigenvalues and eigenvectors; real where all eigenvalues of a real matrix are."""
    return pairs.given


@eigen.differential
def _(x: Any, a: Any, da: Any, *, pairs: Eigenpairs) -> Any:
    w, v = x
    c = solution(v, da @ v)
    dv = v @ (c * reciprocal_gaps(w, pairs.same, pairs.layers))
    lengthening = np.sum(np.real(np.conj(v) * dv), axis=-2, keepdims=True)
    return slope_of_values(a, da, pairs) if isinstance(a, Traced) else pairs.encoded(c), dv - v * lengthening


def slope_of_values(a: Any, da: Any, pairs: Eigenpairs) -> Any:
    """`dw` by vectors of its own, so that its derivative is not taken for a loss of those that the caller has."""
    if isinstance(a, Traced):
        pairs.refuse_nested_forward(a)
    v = eigen(a, pairs=pairs)[1]
    return pairs.encoded(solution(v, da @ v))


@eigen.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, pairs: Eigenpairs) -> Any:
    gw, gv = g
    if gv is None:
        return (gradient_of_values(gw, a, pairs),)
    w, v = x
    same = pairs.same
    m = H(v) @ gv
    rest = m - (H(v) @ v) * np.real(np.diagonal(m, axis1=-2, axis2=-1))[..., None, :]
    is_of_loss = pairs.is_outermost(a)
    if is_of_loss or pairs.layers is None:
        refuse_gauge("numpy.linalg.eig", rest, same, gv, "eigenvectors", w)
    inner = rest * np.conj(reciprocal_gaps(w, same, pairs.layers))
    if gw is not None:
        _refuse_coupling(gw, gv, pairs)
        inner = inner + diagonal_matrix(gw)
    if is_of_loss:
        refuse_noise("numpy.linalg.eig", "eigenvectors", m, w + 0j, inner, pairs.layers, same)
    return (solution(H(v), inner @ H(v)),)


def _refuse_coupling(gw: Any, gv: Any, pairs: Eigenpairs) -> None:
    """Raise if a loss mixes equal eigenvalues with their vectors.

    If these are a basis that has nothing to do with the loss, a cotangent that is the same for equal eigenvalues says
    that it does not.
    """
    if pairs.same is None or (pairs.generic and not is_uneven(gw, pairs.same)):
        return
    shared = np.sum(pairs.same, axis=-1) > 1
    moved = [x for x in (raw(gv), forward_direction(gv)) if x is not None]
    depends_on_vectors = not all(is_negligible(x, 0 * x, 2) for x in moved)
    if pairs.generic or (depends_on_vectors and not is_negligible(raw(gw) * shared, gw, 1)):
        raise GaugeError(
            "numpy.linalg.eig: the loss uses equal eigenvalues together with eigenvectors, as v @ diag(f(w)) @ inv(v) "
            "does. Its derivative does not follow from those of values and vectors where values are equal. Use the "
            "function of the matrix itself (inv, matrix_power, expm, sqrtm, logm, funm), or forward mode (jvp)."
        )


def gradient_of_values(gw: Any, a: Any, pairs: Eigenpairs) -> Any:
    """The cotangent of `a` from that of its eigenvalues; where it differs over equal ones it is a kink: the mean."""
    if pairs.same is not None and not (pairs.moving or pairs.is_chosen) and is_uneven(gw, pairs.same):
        gw = mean_over(pairs.same, gw)
    return eigenvalue_sum(a, gw, pairs=pairs)


@primitive
def eigenvalues(a: Any, *, pairs: Eigenpairs, values: Any) -> Any:
    """The eigenvalues alone, in NumPy's order."""
    return values if pairs.layers is None else pairs.layers.split(values)


@eigenvalues.differential
def _(w: Any, a: Any, da: Any, *, pairs: Eigenpairs, values: Any) -> Any:
    return slope_of_values(a, da, pairs)


@eigenvalues.adjoint_by_hand
def _(g: Any, w: Any, a: Any, *, pairs: Eigenpairs, values: Any) -> Any:
    return (gradient_of_values(g, a, pairs),)


@PartlyLinear
def eigenvalue_sum(a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    """`inv(H(v)) diag(g) H(v)`: the gradient of a loss of the eigenvalues alone.

    With the divided differences `l_ij = (g_j - g_i) / conj(w_j - w_i)`, 0 for equal values, and `c = inv(v) da v` its
    differential is `inv(H(v)) (l o H(c) + diag dg) H(v)`, and the adjoint of that, with `k = inv(v) h v`,
    `inv(H(v)) H(conj(l) o k) H(v)` and `diag k`.  In blocks of equal values numbers stand for matrices.
    """
    v = pairs.result[1]
    return solution(H(v), pairs.decoded(g) @ H(v))


@eigenvalue_sum.space_of
def _(a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    return a.shape, np.result_type(g.dtype, pairs.result[1].dtype)


@eigenvalue_sum.differential
def _(x: Any, a: Any, g: Any, da: Any, dg: Any, *, pairs: Eigenpairs) -> Any:
    w, v = _pairs_of(a, pairs)
    inner = _divided_differences(g, w, pairs) * H(solution(v, da @ v)) if da is not ZERO else ZERO
    if dg is not ZERO:
        inner = inner + pairs.decoded(dg)
    return solution(H(v), inner @ H(v))


@eigenvalue_sum.adjoint_by_hand
def _(h: Any, x: Any, a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    w, v = _pairs_of(a, pairs)
    k = solution(v, h @ v)
    pairs.choose(k, raw(x))
    inner = H(np.conj(_divided_differences(g, w, pairs)) * k)
    return solution(H(v), inner @ H(v)), pairs.encoded(k)


@eigenvalue_sum.adjoint(1)
def _(h: Any, a: Any, g: Any, *, pairs: Eigenpairs) -> Any:
    v = _pairs_of(a, pairs)[1]
    k = solution(v, h @ v)
    pairs.choose(k, pairs)
    return pairs.encoded(k)


def _pairs_of(a: Any, pairs: Eigenpairs) -> Any:
    """The eigenvalues and vectors; they carry a third derivative only where all eigenvalues are distinct."""
    if pairs.same is not None:
        pairs.refuse_third_derivative(a)
        return pairs.result
    return eigen(a, pairs=pairs)


def _divided_differences(g: Any, w: Any, pairs: Eigenpairs) -> Any:
    return (g[..., None, :] - g[..., :, None]) * np.conj(reciprocal_gaps(w, pairs.same, pairs.layers))


@implements(np.linalg.eig)
def _(a: Any) -> Any:
    a = as_operand(a)
    return eigen(a, pairs=Eigenpairs(a, for_vectors=True))


@implements(np.linalg.eigvals)
def _(a: Any) -> Any:
    a = as_operand(a)
    values = kernels.eigvals(raw(a))
    return eigenvalues(a, pairs=Eigenpairs(a, values), values=values)
