"""The generalized Schur form of pairs of square matrices, `a = q s H(z)`, `b = q t H(z)`.

With `m = H(q) da z`, `n = H(q) db z` and the skew-Hermitian `v = H(q) dq`, `w = H(z) dz`,

    m = v s - s w + ds,   n = v t - t w + dt,

and as `ds` and `dt` are zero below the diagonal blocks, that fixes `v` and `w` there (`qz_rotation`).  LAPACK makes the
diagonal of a complex `t` real, so that `v_ii - w_ii = i Im(d_ii) / t_ii` with `d = n - (v t - t w)`; what is common to
`v_ii` and `w_ii` is free (the phases).  In the pairs of rows of a real form it makes `t` diagonal, `t_1` and `t_2`, so
that with `d` the rotations in the pair are

    v_21 = -(t_2 d_12 + t_1 d_21) / (t_2^2 - t_1^2),   w_21 = -(t_1 d_12 + t_2 d_21) / (t_2^2 - t_1^2)

The adjoint, with `k = H(q) gq - gs H(s) - gt H(t)` and `l = H(z) gz + H(s) gs + H(t) gt`: the derivatives of the loss
along `v` and `w` are `<k, v>` and `<l, w>`.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...backends import eps_of
from ...complex_autograd.engine.choices import given_phases
from ...complex_autograd.engine.errors import GaugeError, NotDifferentiableError
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import identity, skew_part
from ..kernels.matrix_operands import floating
from ..kernels.tolerances import TIED, negligible
from .lost_digits import refuse_inaccurate_adjoint, refuse_inaccurate_differential
from .quasi_triangles import Blocks, at_pairs, skew_pairs, subdiagonal, superdiagonal
from .qz_rotation import generalized_values, halves, pencil_rotations, pencil_rotations_back
from .schur import nonzero_pattern


@primitive(family="Schur forms")
def generalized_schur_factors(a: Any, b: Any, *, factors: Any, blocks: Blocks) -> Any:
    """`s`, `t`, `q` and `z`, as given."""
    return factors


@generalized_schur_factors.differential
def _(x: Any, a: Any, b: Any, da: Any, db: Any, *, factors: Any, blocks: Blocks) -> Any:
    s, t, q, z = x
    blocks.refuse_forward("linalg.qz", ~_is_fixed(raw(t), blocks))
    back = H(q)
    m, n = 0 * s + back @ da @ z, 0 * t + back @ db @ z
    p, given = np.stack([s, t], axis=-3), np.stack([m, n], axis=-3)
    dp, turns = _turned(p, given, blocks)
    refuse_inaccurate_differential("linalg.qz", partial(_turned, blocks=blocks), p, given, turns, dp)
    (ds, dt), (v, w) = halves(dp), halves(turns)
    return ds, dt, q @ v, z @ w


def _turned(p: Any, given: Any, blocks: Blocks) -> tuple[Any, Any]:
    """`ds` and `dt`, and `v` and `w`, each stacked."""
    (s, t), (m, n) = halves(p), halves(given)
    lower = pencil_rotations(p, given, blocks=blocks)
    v, w = (skew(x) for x in halves(lower))
    d = n - (v @ t - t @ w)
    if t.dtype.kind == "c":
        v = v + 1j * np.imag(d) * _reciprocal_diagonal(t)
    elif t.shape[-1] > 1:
        first, second, rate = _pair_sides(t, blocks)
        above, below = superdiagonal(d) * rate, subdiagonal(d) * rate
        v = v - skew_pairs(second * above + first * below, identity(t))
        w = w - skew_pairs(first * above + second * below, identity(t))
    form = nonzero_pattern(s)
    ds, dt = (m - (v @ s - s @ w)) * form, (n - (v @ t - t @ w)) * np.triu(form)
    return np.stack([ds, dt], axis=-3), np.stack([v, w], axis=-3)


def skew(a: Any) -> Any:
    """`a - H(a)`."""
    return a - H(a)


def _reciprocal_diagonal(t: Any) -> Any:
    """The diagonal matrices of `1 / t_ii`, and 0 where it is zero."""
    diagonal = np.real(np.diagonal(t, 0, -2, -1))
    zero = (raw(diagonal) == 0).astype(diagonal.dtype)
    return ((1 - zero) / (diagonal + zero))[..., None] * identity(t)


def _pair_sides(t: Any, blocks: Blocks) -> tuple[Any, Any, Any]:
    """`t_1`, `t_2` and `1 / (t_2^2 - t_1^2)` of the pairs whose rotations are fixed; the last is 0 elsewhere."""
    diagonal = np.diagonal(t, 0, -2, -1)
    first, second = diagonal[..., :-1], diagonal[..., 1:]
    fixed = blocks.pairs * _is_fixed(raw(t), blocks)
    return first, second, fixed / ((second * second - first * first) * fixed + (1 - fixed))


def _is_fixed(t: Any, blocks: Blocks) -> Any:
    """Whether the rotations are: true of pairs with `t_1` and `t_2` distinct, and where there is no pair."""
    diagonal = np.diagonal(t, 0, -2, -1)
    gaps = np.abs(diagonal[..., 1:] - diagonal[..., :-1])
    rounding = TIED * t.shape[-1] * eps_of(t.dtype) * np.max(np.abs(t), axis=(-2, -1))[..., None]
    return (gaps > rounding) | (blocks.pairs == 0)


@generalized_schur_factors.adjoint_by_hand
def _(g: Any, x: Any, a: Any, b: Any, *, factors: Any, blocks: Blocks) -> Any:
    s, t, q, z = x
    gs, gt = (np.zeros_like(y) if gy is None else gy for gy, y in zip(g[:2], (s, t), strict=True))
    gs, gt = gs * nonzero_pattern(s), gt * np.triu(nonzero_pattern(s))
    of_q, of_z = (np.zeros_like(y) if gy is None else H(y) @ gy for gy, y in zip(g[2:], (q, z), strict=True))
    p, of_vectors, given = (np.stack(pair, axis=-3) for pair in ((s, t), (of_q, of_z), (gs, gt)))
    k, l = halves(_along(p, of_vectors, given))
    forms = [(raw(s), None if g[0] is None else raw(gs)), (raw(t), None if g[1] is None else raw(gt))]
    _refuse_freedom(raw(k), raw(l), np.abs(raw(of_q)) + np.abs(raw(of_z)), forms, blocks)
    if blocks.tied is not None and any(isinstance(y, Traced) and y._tangent is not None for y in (a, b)):
        raise NotDifferentiableError(
            "linalg.qz", "a second derivative was asked for where generalized eigenvalues are equal."
        )
    total = _pulled(p, of_vectors, given, blocks)
    maps = partial(_turned, blocks=blocks), partial(_pulled, given=np.zeros_like(raw(p)), blocks=blocks)
    refuse_inaccurate_adjoint("linalg.qz", *maps, p, of_vectors, given, total)
    of_m, of_n = halves(total)
    return q @ of_m @ H(z), q @ of_n @ H(z)


def _along(p: Any, of_vectors: Any, given: Any) -> Any:
    """`k` and `l`, stacked."""
    back = H(p)
    moved = np.stack([-np.sum(given @ back, axis=-3), np.sum(back @ given, axis=-3)], axis=-3)
    return of_vectors + moved


def _pulled(p: Any, of_vectors: Any, given: Any, blocks: Blocks) -> Any:
    """The cotangents of `m`, `n` from those of `v` and `w`, but for what the form gives, and of the form, stacked."""
    t, (gs, gt) = p[..., 1, :, :], halves(given)
    k, l = halves(_along(p, of_vectors, given))
    if t.dtype.kind == "c":
        gt = gt + 1j * np.imag(k) * _reciprocal_diagonal(t)
    elif t.shape[-1] > 1:
        first, second, rate = _pair_sides(t, blocks)
        of_v, of_w = ((subdiagonal(y) - superdiagonal(y)) * rate for y in (k, l))
        gt = gt - at_pairs(second * of_v + first * of_w, first * of_v + second * of_w, identity(t))
    given = np.stack([gs, gt], axis=-3)
    return given + pencil_rotations_back(p, skew(_along(p, of_vectors, given)), blocks=blocks)


def _refuse_freedom(k: Any, l: Any, scale: Any, forms: Any, blocks: Blocks) -> None:
    """Raise if a loss depends on what is arbitrary: phases, rotations of some pairs, and the basis of a tie."""
    t = forms[1][0]
    eye = identity(t)
    loose = np.zeros_like(blocks.below) if blocks.tied is None else blocks.tied
    phase = np.zeros_like(loose)
    if t.dtype.kind == "c":
        phase = phase + eye
    elif t.shape[-1] > 1:
        loose = np.maximum(loose, _squares((~_is_fixed(t, blocks)).astype(eye.dtype), eye))
    used = np.any(loose > 0) and any(_is_used(x, gx, loose) for x, gx in forms if gx is not None)
    for x, gx in forms:
        if gx is not None:
            scale = scale + np.abs(gx) @ np.abs(x).mT + np.abs(x).mT @ np.abs(gx)
    alone = np.maximum(np.abs(skew_part(k)) * np.maximum(loose, phase * (t == 0)), np.abs(skew_part(l)) * loose)
    violation = np.maximum(alone, np.abs(skew_part(k + l)) * phase)
    if used or np.any(violation > negligible(scale, 2)):
        raise GaugeError(
            "linalg.qz: the loss depends on what is arbitrary in the form: the phases of its columns, the rotations "
            "of a real pair of rows with equal diagonal elements of t, or a block of generalized eigenvalues that "
            "are equal up to rounding. The component of its cotangent along that freedom is "
            f"{float(np.max(violation)):.1e}, and the cotangent itself {float(np.max(scale)):.1e}. Use abs(z), z @ "
            "H(z) over all columns of equal values, or a function of the matrices."
        )


def _squares(rotation: Any, eye: Any) -> Any:
    """1 in the two rows and columns of these pairs."""
    return np.abs(skew_pairs(rotation, eye)) + (rotation @ (eye[1:] + eye[:-1]))[..., None] * eye


def _is_used(x: Any, gx: Any, loose: Any) -> bool:
    """Whether a loss uses a form where its basis is loose; with values that are zero its cotangent does not tell."""
    rounding = TIED * x.shape[-1] * eps_of(x.dtype) * np.max(np.abs(x), axis=(-2, -1), keepdims=True)
    return bool(np.any((gx != 0) & (loose > 0)) or np.any((np.abs(x) <= rounding) & (loose * identity(x) > 0)))


def _blocks(s: Any, t: Any) -> Blocks:
    """The blocks of generalized Schur forms."""
    sizes = [np.max(np.abs(x), axis=(-2, -1), keepdims=True) for x in (s, t)]
    sizes = [size + (size == 0) for size in sizes]
    values = generalized_values(np.stack([s, t], axis=-3))
    alpha, beta = values[..., 0, :] / sizes[0][..., 0], values[..., 1, :] / sizes[1][..., 0]
    length = np.sqrt(np.abs(alpha) ** 2 + np.abs(beta) ** 2)
    length = length + (length == 0)
    alpha, beta = alpha / length, beta / length
    gaps = np.abs(alpha[..., :, None] * beta[..., None, :] - beta[..., :, None] * alpha[..., None, :])
    coupling = np.abs(s) / sizes[0] + np.abs(t) / sizes[1]
    return Blocks(s, gaps, np.ones_like(sizes[0]), coupling, separable=False)


def generalized_schur(a: Any, b: Any, s: Any, t: Any, q: Any, z: Any) -> tuple[Any, Any, Any, Any]:
    """The form as a function of the pair, from its values."""
    a, b = floating(a).astype(s.dtype), floating(b).astype(s.dtype)
    if s.size == 0:
        return a + s, b + t, a + q, a + z
    phases = given_phases(z)
    if phases is not None:
        s, t = (H(phases) * x * phases for x in (s, t))
        q, z = q * phases, z * phases
    s, t, q, z = generalized_schur_factors(a, b, factors=(s, t, q, z), blocks=_blocks(s, t))
    return s, t, q, z
