"""Singular values and vectors.

With `a = u diag(s) H(v)`, `p = H(u) da v`, `k` and `n` its Hermitian and skew-Hermitian parts, `f_ij = 1/(s_j - s_i)` and
`e_ij = 1/(s_i + s_j)`:

    ds = Re diag p,   du = u (f o k + e o n) + (1 - u H(u)) da v / s,   dv = v (f o k - e o n) + (1 - v H(v)) H(da) u / s,

and, with `m = H(u) gu`, `l = H(v) gv` and `sk` the skew-Hermitian part,

    ga = u (diag gs + f o sk(m + l) + e o sk(m - l)) H(v) + (gu - u m) / s H(v) + u H((gv - v l) / s)

[WZ19].  The vectors of equal values are arbitrary together, those of zeros each on its own; `gauge` says what follows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import primitive
from ..complex_autograd.zero import ZERO
from .complement import complement
from .eigen_hermitian import diagonal_matrix, real_diagonal, reciprocal_gaps
from .gauge import is_uneven, mean_over, refuse_coupling, refuse_gauge
from .partly_linear import PartlyLinear
from .singular_basis import SingularBasis
from .triangles import hermitian_from, hermitian_part, skew_part

__all__ = ["svd", "svdvals"]


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
    return du, _slope(p, basis), H(dv)


@thin_svd.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, basis: SingularBasis) -> Any:
    gu, gs, gvh = g
    if gu is None and gvh is None:
        return (_gradient_of_values(gs, a, basis),)
    u, s, vh = x
    m = H(u) @ gu if gu is not None else 0.0
    l = vh @ H(gvh) if gvh is not None else 0.0
    free = skew_part(m + l)
    refuse_gauge("numpy.linalg.svd", free, basis.same, m + l, "singular vectors")
    refuse_coupling("numpy.linalg.svd", gs, m + l, basis.same, "singular vectors")
    inner = free * reciprocal_gaps(s, basis.same) + skew_part(m - l) * reciprocal_sums(s, basis)
    if gs is not None:
        inner = inner + diagonal_matrix(gs)
    ga = u @ inner @ vh
    scale = reciprocals(s, basis)
    if gu is not None and u.shape[-2] > u.shape[-1]:
        ga = ga + ((gu - u @ m) * scale[..., None, :]) @ vh
    if gvh is not None and vh.shape[-1] > vh.shape[-2]:
        ga = ga + u @ ((gvh - H(l) @ vh) * scale[..., :, None])
    basis.refuse_gauge_of_zeros(g, x)
    return (ga,)


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
    fixed = not (basis.moving or basis.is_chosen)
    if fixed and basis.is_degenerate and (basis.zero is not None or is_uneven(gs, basis.same)):
        gs = _settled(gs, basis) if is_uneven(gs, basis.same_or_identity) or basis.has_slope_at_zero(gs) else gs
    return singular_sum(a, gs, basis=basis)
