"""Generalized Schur forms and eigenvalues of pairs of matrices."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np
from numpy.linalg import LinAlgError

from ...numpy_versions import EIG_IS_COMPLEX
from . import schur
from .elimination import substitution
from .factored import refuse_infinite
from .launching import adjoint as H
from .launching import flat, launch, precision, refuse_failures, shaped, stack_of


def generalized_schur(a: Any, b: Any, dtype: Any = None) -> tuple[Any, Any, Any, Any]:
    """`s, t, q, z` with `a = q s H(z)`, `b = q t H(z)`; real matrices get the real form unless `dtype` is complex."""
    stack, dtype = stack_of([a, b], [2, 2]), dtype or precision(a, b)
    s, t = flat(a, 2, stack, dtype), flat(b, 2, stack, dtype)
    q, z, info = cupy.empty_like(s), cupy.empty_like(s), cupy.zeros(len(s), np.int32)
    if s.size:
        launch("qz.cu", "generalized_schur", dtype.char, len(s), s, t, q, z, info, s.shape[-1])
    refuse_failures(info, stack, "The QZ iteration failed")
    return tuple(shaped(x, stack) for x in (s, t, q, z))


def _checked_form(a: Any, b: Any, output: str, check_finite: bool) -> tuple[Any, ...]:
    if output not in ("real", "complex", "r", "c"):
        raise ValueError("argument must be 'real', or 'complex'")
    refuse_infinite(check_finite, a, b)
    if a.shape[-1] != a.shape[-2] or a.shape[-2:] != b.shape[-2:]:
        raise ValueError("Array dimensions must be square and agree")
    dtype = precision(a, b)
    return generalized_schur(a, b, dtype if output[0] == "r" else np.result_type(dtype, np.complex64))


def qz_values(
    a: Any, b: Any, *, output: str = "real", lwork: Any = None, sort: Any = None, check_finite: bool = True
) -> tuple[Any, ...]:
    """The kernel of `linalg.qz`."""
    if sort is not None:
        raise ValueError("The 'sort' input of qz() has to be None and will be removed in a future release. Use ordqz.")
    return _checked_form(a, b, output, check_finite)


def homogeneous(s: Any, t: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    """`alpha` and `beta`, of a real form conjugate in pairs, and the complex form with the matrices that lead to it."""
    dtype = np.result_type(s, np.complex64)
    form = generalized_schur(s, t, dtype)
    alpha, beta = (cupy.diagonal(x, 0, -2, -1).copy() for x in form[:2])
    beta = beta.real
    if s.dtype.kind != "c" and s.shape[-1] > 1:
        pair = cupy.diagonal(s, -1, -2, -1) != 0
        none = cupy.zeros_like(pair[..., :1])
        first, second = cupy.concatenate([pair, none], -1), cupy.concatenate([none, pair], -1)
        before_alpha = cupy.concatenate([alpha[..., :1], alpha[..., :-1]], -1)
        before_beta = cupy.concatenate([beta[..., :1], beta[..., :-1]], -1)
        alpha = cupy.where(first & (alpha.imag < 0), cupy.conj(alpha), alpha)
        before_alpha = cupy.where(before_alpha.imag < 0, cupy.conj(before_alpha), before_alpha)
        alpha = cupy.where(second, cupy.conj(before_alpha), cupy.where(first, alpha, alpha.real + 0j))
        beta = cupy.where(second, before_beta, beta)
    return alpha, beta.astype(s.dtype), form


_HALVES: dict[str, Any] = {
    "lhp": lambda x, y: np.where(y == 0, False, np.real(x / np.where(y == 0, 1, y)) < 0),
    "rhp": lambda x, y: np.where(y == 0, False, np.real(x / np.where(y == 0, 1, y)) > 0),
    "iuc": lambda x, y: np.where(y == 0, False, np.abs(x / np.where(y == 0, 1, y)) < 1),
    "ouc": lambda x, y: np.where(y == 0, x != 0, np.abs(x / np.where(y == 0, 1, y)) > 1),
}


def ordqz_values(a: Any, b: Any, *, sort: Any, output: str, check_finite: bool = True) -> tuple[Any, ...]:
    """The kernel of `linalg.ordqz`; what is asked of the eigenvalues is asked on the host, of them alone."""
    s, t, q, z = _checked_form(a, b, output, check_finite)
    alpha, beta, _ = homogeneous(s, t)
    if not callable(sort) and sort not in _HALVES:
        raise ValueError("sort parameter must be None, a callable, or one of ('lhp','rhp','iuc','ouc')")
    question = sort if callable(sort) else _HALVES[sort]
    chosen = np.asarray(question(cupy.asnumpy(alpha), cupy.asnumpy(beta)), bool)
    labels = np.where(chosen, 0, 1).astype(np.int32)
    if s.dtype.kind != "c" and s.shape[-1] > 1:  # both of a pair go together
        pair = cupy.asnumpy(cupy.diagonal(s, -1, -2, -1) != 0)
        both = np.minimum(labels[..., :-1], labels[..., 1:])
        labels[..., :-1][pair] = both[pair]
        labels[..., 1:][pair] = both[pair]
    stack, dtype = s.shape[:-2], s.dtype
    form = [flat(x, 2, stack, dtype) for x in (s, t, q, z)]
    numbers, info = flat(cupy.asarray(labels), 1, stack, np.int32), cupy.zeros(len(form[0]), np.int32)
    if s.size:
        launch("reorder.cu", "reorder", dtype.char, len(numbers), *form, numbers, info, s.shape[-1])
    if bool((info != 0).any()):
        raise ValueError(
            "Reordering of (A, B) failed because the transformed matrix pair (A, B) would be too far from generalized "
            "Schur form; the problem is very ill-conditioned."
        )
    s, t, q, z = (shaped(x, stack) for x in form)
    alpha, beta, _ = homogeneous(s, t)
    return s, t, alpha, beta, q, z


def general_problem(a: Any, b: Any, *, left: bool, right: bool = True) -> tuple[Any, ...]:
    """The kernel of `linalg.eig` for pairs and for left vectors: `alpha`, `beta`, and the vectors wanted."""
    if b is None:
        w, vectors = schur.eigenpairs(a, left, right)
        return w, cupy.ones_like(w), *_real_where_all_are(vectors, w, a)
    if not (bool(cupy.isfinite(a).all()) and bool(cupy.isfinite(b).all())):
        raise LinAlgError("Array must not contain infs or NaNs")
    s, t, q, z = generalized_schur(a, b)
    alpha, beta, (cs, ct, cq, cz) = homogeneous(s, t)
    vectors = []
    for is_left in [True] * left + [False] * right:
        x = schur.vectors_of_triangle(cupy.ascontiguousarray(cs), cupy.ascontiguousarray(ct), left=is_left)
        v = schur.of_length_one((q @ cq if is_left else z @ cz) @ x)
        if s.dtype.kind != "c" and s.shape[-1]:
            v = _conjugate_in_pairs(v, cupy.diagonal(cs, 0, -2, -1), alpha, s)
        vectors.append(v)
    return alpha, beta, *_real_where_all_are(vectors, alpha, s)


def _conjugate_in_pairs(v: Any, found: Any, alpha: Any, s: Any) -> Any:
    """Real vectors of real eigenvalues, and conjugate ones of conjugate pairs."""
    n = s.shape[-1]
    second = cupy.concatenate([cupy.zeros((*s.shape[:-2], 1), bool), cupy.diagonal(s, -1, -2, -1) != 0], -1)
    first = cupy.concatenate([second[..., 1:], cupy.zeros((*s.shape[:-2], 1), bool)], -1)
    flipped = first & ((found.imag < 0) != (alpha.imag < 0))
    v = cupy.where(flipped[..., None, :], cupy.conj(v), v)
    before = cupy.concatenate([v[..., :1], v[..., :-1]], -1) if n > 1 else v
    v = cupy.where(second[..., None, :], cupy.conj(before), v)
    return cupy.where((first | second)[..., None, :], v, v.real + 0j)


def _real_where_all_are(vectors: list[Any], w: Any, a: Any) -> list[Any]:
    if a.dtype.kind == "c" or EIG_IS_COMPLEX or (w.size and bool((w.imag != 0).any())):
        return vectors
    return [cupy.ascontiguousarray(v.real) for v in vectors]


def generalized_values(p: Any) -> Any:
    """The eigenvalues of a pair in homogeneous coordinates, in two rows."""
    s, t = p[..., 0, :, :], p[..., 1, :, :]
    form = generalized_schur(s, t, np.result_type(p.dtype, np.complex64))
    return cupy.stack([cupy.diagonal(x, 0, -2, -1) for x in form[:2]], -2)


def _halves(p: Any, stack: tuple[int, ...], dtype: Any) -> tuple[Any, Any]:
    both = flat(p, 3, stack, dtype)
    return both[:, 0], both[:, 1]


def _triangles(p: Any, stack: tuple[int, ...]) -> tuple[Any, Any, Any, Any]:
    """The pairs made triangular, and the matrices that do it."""
    dtype = np.result_type(p.dtype, np.complex64) if p.dtype.kind != "c" else p.dtype
    s, t = _halves(p, stack, dtype)
    if p.dtype.kind == "c":
        eye = cupy.broadcast_to(cupy.eye(s.shape[-1], dtype=dtype), s.shape)
        return s, t, eye, eye
    return generalized_schur(s, t, dtype)


def _in_kind(x: Any, y: Any, stack: tuple[int, ...], dtype: Any) -> Any:
    out = shaped(cupy.stack([x, y], 1), stack)
    return (out if dtype.kind == "c" else out.real).astype(dtype, copy=False)


def _below(m: Any, used: Any) -> Any:
    """A matrix with the rows and columns that are not used as those of the identity."""
    both = used[:, :, None] & used[:, None, :]
    return cupy.where(both, m, cupy.eye(m.shape[-1], dtype=m.dtype))


def _solved(m: Any, right: Any, op: int = 0) -> Any:
    try:
        return substitution(m, right[:, :, None], lower=False, op=op)[:, :, 0]
    except LinAlgError as error:
        raise LinAlgError("generalized eigenvalues in different blocks of the Schur form are equal") from error


def _times(a: Any, x: Any) -> Any:
    return (a @ x[:, :, None])[:, :, 0]


def rotations_values(p: Any, q: Any, block: Any) -> Any:
    """The kernel of the rotations of a generalized Schur form, column after column."""
    stack = stack_of([p, q, block], [3, 3, 1])
    s, t, left, right = _triangles(p, stack)
    kind = np.result_type(s, q)
    m, n = (H(left) @ k @ right for k in _halves(q, stack, kind))
    numbers = flat(block, 1, stack, np.int64)
    x, y = cupy.zeros_like(m), cupy.zeros_like(m)
    for j in range(s.shape[-1]):
        used = numbers > numbers[:, j : j + 1]
        s_jj, t_jj = s[:, j, j, None], t[:, j, j, None]
        m_j = cupy.where(used, m[:, :, j] - _times(x[:, :, :j], s[:, :j, j]), 0)
        n_j = cupy.where(used, n[:, :, j] - _times(x[:, :, :j], t[:, :j, j]), 0)
        y_j = _solved(_below(t_jj[..., None] * s - s_jj[..., None] * t, used), s_jj * n_j - t_jj * m_j)
        total = cupy.conj(s_jj) * (m_j + _times(s, y_j)) + cupy.conj(t_jj) * (n_j + _times(t, y_j))
        x[:, :, j] = cupy.where(used, total / (cupy.abs(s_jj) ** 2 + cupy.abs(t_jj) ** 2), 0)
        y[:, :, j] = y_j
    return _in_kind(left @ x @ H(left), right @ y @ H(right), stack, np.result_type(p.dtype, q.dtype))


def rotations_back_values(p: Any, g: Any, block: Any) -> Any:
    """Its adjoint in the second argument."""
    stack = stack_of([p, g, block], [3, 3, 1])
    s, t, left, right = _triangles(p, stack)
    gx, gy = _halves(g, stack, np.result_type(s, g))
    gx, gy = H(left) @ gx @ left, H(right) @ gy @ right
    numbers = flat(block, 1, stack, np.int64)
    m, n = cupy.zeros_like(gx), cupy.zeros_like(gx)
    for j in range(s.shape[-1] - 1, -1, -1):
        used = numbers > numbers[:, j : j + 1]
        s_jj, t_jj = s[:, j, j, None], t[:, j, j, None]
        scaled = cupy.where(used, gx[:, :, j] / (cupy.abs(s_jj) ** 2 + cupy.abs(t_jj) ** 2), 0)
        known = -gy[:, :, j] - _times(H(s), s_jj * scaled) - _times(H(t), t_jj * scaled)
        z = _solved(_below(t_jj[..., None] * s - s_jj[..., None] * t, used), cupy.where(used, known, 0), op=2)
        m[:, :, j] = s_jj * scaled + cupy.conj(t_jj) * z
        n[:, :, j] = t_jj * scaled - cupy.conj(s_jj) * z
        gx[:, :, :j] -= m[:, :, j, None] * cupy.conj(s[:, None, :j, j]) + n[:, :, j, None] * cupy.conj(
            t[:, None, :j, j]
        )
    return _in_kind(left @ m @ H(right), left @ n @ H(right), stack, np.result_type(p.dtype, g.dtype))
