"""Singular values and vectors.

With `a = u diag(s) H(v)`, `p = H(u) da v`, `k` and `n` its Hermitian and skew-Hermitian parts, `f_ij = 1/(s_j - s_i)`
and `e_ij = 1/(s_i + s_j)`:

    ds = Re diag p,   du = u (f o k + e o n) + (1 - u H(u)) da v / s,   dv = v (f o k - e o n) + (1 - v H(v)) H(da) u /
    s,

and, with `m = H(u) gu`, `l = H(v) gv` and `sk` the skew-Hermitian part,

    ga = u (diag gs + f o sk(m + l) + e o sk(m - l)) H(v) + (gu - u m) / s H(v) + u H((gv - v l) / s)

[WZ19].  The vectors of equal values are arbitrary together, those of zeros each on its own; `gauge` says what follows,
and `degenerate` what is done there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.choices import CHOICES
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.products.matrix_products import H, adjoint_times, product, times_adjoint
from ..elementary.triangles import hermitian_part, skew_part
from ..kernels.partly_linear import PartlyLinear
from ..kernels.tolerances import is_negligible, negligible
from .degenerate.gap_rules import gap_reciprocal, reciprocal_gaps, refuse_noise, rotation_inside
from .degenerate.levels import leading
from .degenerate.running_errors import refuse_inaccurate, without_errors
from .degenerate.singular_basis import SingularBasis
from .eigh_rule import diagonal_matrix, real_diagonal
from .gauge import notice_phases, refuse_gauge, refuse_outside
from .small_adjoints import svd_gradient


@primitive(family="SVD")
def thin_svd(a: Any, *, basis: SingularBasis, own: bool = False) -> Any:
    """Singular vectors and values, as the basis has them; `own` if they serve a rule and no loss of the caller's."""
    return basis.given


@thin_svd.differential
def _(x: Any, a: Any, da: Any, *, basis: SingularBasis, own: bool = False) -> Any:
    u, s, vh = x
    v = H(vh)
    moved, moved_back = da @ v, H(da) @ u
    p = H(u) @ moved
    along = hermitian_part(p) * basis.reciprocal_gaps(s)
    across = skew_part(p) * reciprocal_sums(s, basis)
    scale = reciprocals(s, basis)[..., None, :]
    left, right = moved - u @ p, moved_back - v @ H(p)
    along = basis.with_rotation(along, _rotation_inside, p, left, right, s, basis)
    du, dv = u @ (along + across), v @ (along - across)
    if u.shape[-2] > u.shape[-1]:
        du = du + left * scale
    if v.shape[-2] > v.shape[-1]:
        dv = dv + right * scale
    return (
        du,
        _derivative_of_values(a, da, basis) if isinstance(a, Traced) else basis.derivative(real_diagonal(p)),
        H(dv),
    )


# The values are eigenvalues of [[0, a], [H(a), 0]], with the vectors (u, v), (u, -v) of -s, and those of zeros
def _rotation_inside(p: Any, left: Any, right: Any, s: Any, basis: SingularBasis) -> Any:
    """How the vectors of equal values rotate among themselves, where these move apart."""
    k, n = hermitian_part(p), skew_part(p)
    q = (k * (1 - basis.same)) @ (k * reciprocal_gaps(s, basis.same)) - n @ (n * reciprocal_sums(s, basis))
    q = q + (H(left) @ left + H(right) @ right) * reciprocals(s, basis)[..., None, :] / 2
    nonzero = 1.0 if basis.zero is None else (1 - basis.zero)[..., None, :]
    return rotation_inside(q, p, basis.same) * nonzero


def _derivative_of_values(a: Any, da: Any, basis: SingularBasis) -> Any:
    """`ds` by vectors of its own, so that its derivative is not taken for a loss of those that the caller has."""
    u, _, vh = thin_svd(a, basis=basis, own=True)
    return basis.derivative(real_diagonal(H(u) @ da @ H(vh)))


@thin_svd.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, basis: SingularBasis, own: bool = False) -> Any:
    gu, gs, gvh = g
    if gu is None and gvh is None:
        return (_gradient_of_values(gs, a, basis),)
    if basis.gap:
        found = svd_gradient(x, g, basis.gap)
        if found is not None:
            notice_phases(found.dtype)
            return (found,)
    if basis.errors is not None:
        x, (gu, gs, gvh) = basis.result, map(without_errors, g)
    return (_gradient(x, (gu, gs, gvh), a, basis, own),)


def _gradient(x: Any, g: Any, a: Any, basis: SingularBasis, own: bool) -> Any:
    """The cotangent of `a` from those of its vectors and values."""
    (u, s, vh), (gu, gs, gvh) = x, g
    m = adjoint_times(u, gu) if gu is not None else None
    l = times_adjoint(vh, gvh) if gvh is not None else None
    checked = basis.is_checked(a)
    CHOICES.used += basis.is_chosen and not own
    if checked and (basis.is_degenerate or u.dtype.kind == "c"):
        _refuse_gauge(g, x, m, l, basis)
        if not own:
            notice_phases(u.dtype)
    together, apart = _sum_and_difference(m, l)
    divided = skew_part(together) * basis.reciprocal_gaps(s)
    inner = divided + skew_part(apart) * reciprocal_sums(s, basis)
    outside = None
    if m is not None and u.shape[-2] > u.shape[-1]:
        outside = product((gu - product(u, m)) * reciprocals(s, basis)[..., None, :], vh)
    if l is not None and vh.shape[-1] > vh.shape[-2]:
        outside = _plus(outside, product(u, (gvh - adjoint_times(l, vh)) * reciprocals(s, basis)[..., :, None]))
    if gs is not None:
        if checked:
            basis.refuse_kink_of_probe(gs, inner)
        if checked and basis.layers is not None and _is_kink(gs, inner, outside, a, basis):
            gs = basis.settled(gs)
        inner = inner + diagonal_matrix(gs)
    if basis.errors is not None:
        quotients = basis.reciprocal_gaps(s), reciprocal_sums(s, basis), reciprocals(s, basis)
        found = (inner,) if outside is None else (inner, outside)
        refuse_inaccurate(basis.errors, np.stack([np.abs(raw(together)), np.abs(raw(apart))]), quotients, found)
    elif checked and not own:
        refuse_noise("numpy.linalg.svd", "singular vectors", together, s, inner, basis.layers)
    return _plus(outside, product(product(u, inner), vh))


def _is_kink(gs: Any, inner: Any, outside: Any, a: Any, basis: SingularBasis) -> bool:
    """Whether a loss has a derivative that differs over equal values or is not 0 at zeros, and has no other."""
    if not basis.is_degenerate or not basis.is_kink(gs) or (basis.same is None and _has_sign(a, basis)):
        return False
    u, _, vh = basis.result
    blocks = np.abs(leading(inner)) * (0 if basis.same is None else basis.same)
    if basis.zero is not None:
        blocks = blocks + np.abs(leading(inner)) * basis.zero[..., :, None] * basis.zero[..., None, :]
        if outside is not None:
            beyond = leading(outside)
            left = np.sum(np.abs(beyond @ H(vh)), axis=-2) * basis.zero
            right = np.sum(np.abs(H(u) @ beyond), axis=-1) * basis.zero
            if not is_negligible(left + right, gs, 1):
                return False
    return bool(np.all(blocks <= negligible(gs, 1)[..., None]))


def _has_sign(a: Any, basis: SingularBasis) -> bool:
    """Whether the only zero has a sign: in square real matrices, where it may pass through it."""
    return a.dtype.kind == "f" and a.shape[-2] == a.shape[-1] and not np.any(np.sum(basis.zero, axis=-1) > 1)


def _sum_and_difference(m: Any, l: Any) -> tuple[Any, Any]:
    if m is None:
        return l, -l
    return (m, m) if l is None else (m + l, m - l)


def _plus(a: Any, b: Any) -> Any:
    return b if a is None else a + b


def reciprocal_sums(s: Any, basis: SingularBasis) -> Any:
    """`1 / (s_i + s_j)`, and 0 where both are zero."""
    sums = s[..., :, None] + s[..., None, :]
    zero = 0.0 if basis.zero is None else basis.zero[..., :, None] * basis.zero[..., None, :]
    if basis.layers is not None:
        small = tuple((level, x[..., :, None] * x[..., None, :]) for level, x in basis.layers.vanishing)
        return gap_reciprocal(sums, zero=zero, small=small, at_pole=basis.at_pole)
    return 1 / sums if basis.zero is None else (1 - zero) / (sums + zero)


def reciprocals(s: Any, basis: SingularBasis) -> Any:
    """`1 / s`, and 0 where it is zero."""
    if basis.layers is not None:
        zero = 0.0 if basis.zero is None else basis.zero
        return gap_reciprocal(s, zero=zero, small=basis.layers.vanishing, at_pole=basis.at_pole)
    return 1 / s if basis.zero is None else (1 - basis.zero) / (s + basis.zero)


def _gradient_of_values(gs: Any, a: Any, basis: SingularBasis) -> Any:
    """The cotangent of `a` from that of its singular values alone."""
    return singular_sum(a, basis.at_kink(gs, a), basis=basis)


def _refuse_gauge(g: Any, x: Any, m: Any, l: Any, basis: SingularBasis) -> None:
    """Raise if a loss depends on a common phase of vectors or, where values are equal or zero, on their choice."""
    (gu, _, gvh), (u, s, vh) = g, x
    together = _sum_and_difference(m, l)[0]
    refuse_gauge("numpy.linalg.svd", skew_part(together), basis.same, together, "singular vectors", s)
    if basis.zero is None:
        return
    both = basis.zero[..., :, None] * basis.zero[..., None, :]
    if gu is not None:
        refuse_gauge("numpy.linalg.svd", skew_part(m), both, gu, "left singular vectors")
        refuse_outside((gu - u @ m) * basis.zero[..., None, :], gu)
    if gvh is not None:
        refuse_gauge("numpy.linalg.svd", skew_part(l), both, gvh, "right singular vectors")
        refuse_outside((gvh - H(l) @ vh) * basis.zero[..., :, None], gvh)


@primitive(family="SVD")
def singular_values(a: Any, *, basis: SingularBasis, given: Any = None) -> Any:
    """The singular values alone; `given` where they are known."""
    return basis.given[1] if given is None or basis.layers is not None else given


@singular_values.differential
def _(s: Any, a: Any, da: Any, *, basis: SingularBasis, given: Any = None) -> Any:
    return _derivative_of_values(a, da, basis)


@singular_values.adjoint_by_hand
def _(g: Any, s: Any, a: Any, *, basis: SingularBasis, given: Any = None) -> Any:
    return (_gradient_of_values(g, a, basis),)


@PartlyLinear
def singular_sum(a: Any, g: Any, *, basis: SingularBasis) -> Any:
    """`u diag(g) H(v)`: the gradient of a loss of the singular values alone.

    With `l_ij = (g_i - g_j) / (s_i - s_j)` and `m_ij = (g_i + g_j) / (s_i + s_j)`, its differential is
    `u (l o k + m o n + diag dg) H(v) + (1 - u H(u)) da v (g/s) H(v) + u (g/s) H(u) da (1 - v H(v))`.
    """
    u, _, vh = basis.result
    return (u * g[..., None, :]) @ vh


@singular_sum.space_of
def _(a: Any, g: Any, **params: Any) -> Any:
    return a.shape, a.dtype


@singular_sum.differential
def _(x: Any, a: Any, g: Any, da: Any, dg: Any, *, basis: SingularBasis) -> Any:
    u, s, vh = thin_svd(a, basis=basis, own=True)
    derivative = _derivative_of_sum(u, s, vh, g, da, basis)
    return derivative if dg is ZERO else derivative + (u * basis.joined(dg)[..., None, :]) @ vh


@singular_sum.adjoint_by_hand
def _(h: Any, x: Any, a: Any, g: Any, *, basis: SingularBasis) -> Any:
    u, s, vh = thin_svd(a, basis=basis, own=True)
    return _derivative_of_sum(u, s, vh, g, h, basis), basis.joined(real_diagonal(H(u) @ h @ H(vh)))


@singular_sum.adjoint(1)
def _(h: Any, a: Any, g: Any, *, basis: SingularBasis) -> Any:
    u, _, vh = thin_svd(a, basis=basis, own=True)
    return basis.joined(real_diagonal(H(u) @ h @ H(vh)))


def _derivative_of_sum(u: Any, s: Any, vh: Any, g: Any, da: Any, basis: SingularBasis) -> Any:
    """The differential of `u diag(g) H(v)` along `da` with `g` held: self-adjoint in `da`."""
    p = H(u) @ da @ H(vh)
    even = (g[..., None, :] - g[..., :, None]) * basis.reciprocal_gaps(s)
    odd = (g[..., None, :] + g[..., :, None]) * reciprocal_sums(s, basis)
    derivative = u @ (even * hermitian_part(p) + odd * skew_part(p)) @ vh
    ratio = g * reciprocals(s, basis)
    if u.shape[-2] > u.shape[-1]:
        derivative = derivative + ((da @ H(vh) - u @ p) * ratio[..., None, :]) @ vh
    if vh.shape[-1] > vh.shape[-2]:
        derivative = derivative + u @ (ratio[..., :, None] * (H(u) @ da - p @ vh))
    return derivative
