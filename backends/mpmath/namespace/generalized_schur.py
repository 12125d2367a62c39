"""Generalized Schur forms of pairs of matrices, and the rotations of their unitary matrices: kernels of `linalg`.

For a pair `(a, b)` and a number `mu` for which `b' = b + mu a` is regular, the vectors `q` of the Schur form of
`a inv(b')` and those `z` that make `H(q) b' z` triangular make `a` and `b` triangular, too.  Eigenvalues stand in the
order of the doubles' form, in which each column may have another phase, and each pair of a real form another basis:
those are taken that are nearest to the doubles'.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import scipy.linalg
from numpy.linalg import LinAlgError

from ...base import DeviceError
from ..array import Array, array_of
from ..elements import COMPLEX, REAL, numbers
from .factorizations import rq
from .matrices import as_matrix, as_object_array, kernel, over_stack, refuse_not_square, solved
from .matrix_functions import schur_vectors
from .schur import _exchanged, _in_pairs, _real_basis
from .spectra import exponent_of, in_doubles, order_like, phase_of

_SHIFTS = 0.6180339887, -0.7320508075, 1.4142135623, -2.2360679774
"""Of these `mu`, relative to the sizes of the matrices, one is taken that is minus one over no eigenvalue."""


def _adjoint(x: Any) -> Any:
    return np.conjugate(x).T


def _largest(x: Any) -> Any:
    return max(map(abs, x.flat), default=mpmath.mpf(0))


def _homogeneous(s: Any, t: Any) -> list[tuple[Any, Any]]:
    """The eigenvalues of a form of doubles as numerator and denominator, in its order."""
    found, k = [], 0
    while k < len(s):
        if k + 1 < len(s) and s[k + 1, k]:
            block = s[k : k + 2, k : k + 2] / np.diagonal(t)[k : k + 2]
            values = sorted(np.linalg.eigvals(block).astype(complex), key=lambda x: -x.imag)
            found += [(mpmath.mpc(x), mpmath.mpf(1)) for x in values]
        else:
            found.append((mpmath.mpc(s[k, k]), mpmath.mpc(t[k, k])))
        k = len(found)
    return found


def _triangular(a: Any, b: Any, known: Any) -> tuple[Any, Any, Any]:
    """`q`, `z` and the eigenvalues of `a inv(b + mu a)`, in the order of those that are known."""
    ratio = (_largest(b) or mpmath.mpf(1)) / (_largest(a) or mpmath.mpf(1))
    for shift in _SHIFTS:
        mu = mpmath.mpf(shift) * ratio
        other = b + mu * a
        try:
            m = numbers(solved(other.T.copy(), a.T.copy()).T, COMPLEX)
        except LinAlgError:
            continue
        middle = numbers(np.eye(len(m)), COMPLEX) * (np.trace(m) / len(m))
        t, q = schur_vectors(middle if _largest(m - middle) <= mpmath.sqrt(mpmath.eps) * _largest(m) else m)
        values = np.diagonal(t).copy()
        is_real = not any(type(x) is mpmath.mpc for x in (*a.flat, *b.flat))
        if is_real:
            bound = len(a) * mpmath.sqrt(mpmath.eps) * max(map(abs, values), default=0)
            values = np.array([mpmath.mpc(x.real) if abs(x.imag) <= bound else x for x in values], object)
        wanted = [p / (r + mu * p) for p, r in known]
        order = order_like(values, wanted)
        order = _in_pairs(values, order) if is_real else order
        _, q = _exchanged(t, q, order)
        triangle = array_of(numbers(_adjoint(q) @ other, COMPLEX))
        z = _adjoint(rq(triangle, mode="full", lwork=None, check_finite=False)[1].host)
        return q, z, values[order]
    raise DeviceError(
        "linalg.qz of a pair of which every combination is singular is not available in a precision block, since its "
        "eigenvalues are whatever rounding makes of them. Call it outside."
    )


def _phased(s: Any, t: Any, q: Any, z: Any, known: Any) -> tuple[Any, ...]:
    """The form with the phases of the known `q`, and the signs of the diagonal of the known `t`, which are real."""
    turns = np.array([phase_of(x) for x in (np.conjugate(q) * known[2]).sum(0)], object)
    s, t, q = np.conjugate(turns)[:, None] * s, np.conjugate(turns)[:, None] * t, q * turns
    overlap = (np.conjugate(z) * known[3]).sum(0)
    signs = np.where(np.diagonal(known[1]).real < 0, -1, 1)
    sides = zip(np.diagonal(t), signs, overlap, strict=True)
    turns = np.array([phase_of(mpmath.conj(x)) * int(sign) if x else phase_of(y) for x, sign, y in sides], object)
    return s * turns, t * turns, q, z * turns


def _with_diagonal_pairs(a: Any, b: Any, q: Any, z: Any, known: Any, values: Any) -> tuple[Any, Any]:
    """Real bases in which `t` is diagonal in the pairs of a real form, as the known ones are ordered and directed."""
    k = 0
    while k < len(q):
        if values[k].imag:
            both = slice(k, k + 2)
            u, _, vh = mpmath.svd_r(as_matrix(q[:, both].T @ b @ z[:, both]))
            left, right = q[:, both] @ as_object_array(u), z[:, both] @ as_object_array(vh).T
            weights = abs(left.T @ known[:, both])
            if weights[0, 0] < weights[0, 1]:
                left, right = left[:, ::-1], right[:, ::-1]
            signs = np.array([-1 if x < 0 else 1 for x in (left * known[:, both]).sum(0)])
            q[:, both], z[:, both] = left * signs, right * signs
        k += 2 if values[k].imag else 1
    return q, z


def _form(a: Any, b: Any, known: Any) -> tuple[Any, Any, Any, Any]:
    """`s`, `t`, `q` and `z` of one pair, as the form of doubles has them."""
    is_real, kind = known[0].dtype.kind == "f", REAL if known[0].dtype.kind == "f" else COMPLEX
    q_known, z_known = (numbers(x, kind) for x in known[2:])
    with mpmath.workprec(2 * mpmath.mp.prec):
        q, z, values = _triangular(a, b, _homogeneous(*known[:2]))
        pairs = np.array([bool(x.imag) for x in values])
        if is_real:
            q, z = _real_basis(q, q_known, values), _real_basis(z, z_known, values)
            q, z = _with_diagonal_pairs(a, b, q, z, q_known, values)
        s, t = (_adjoint(q) @ numbers(x, kind) @ z for x in (a, b))
        kept = np.triu(np.ones(s.shape, bool))
        for k in np.flatnonzero(pairs)[::2] if is_real else ():
            t[k, k + 1] = mpmath.mpf(0)
            kept[k + 1, k] = True
        s, t = np.where(kept, s, kind.type(0).item()), np.where(np.triu(kept), t, kind.type(0).item())
    for k in range(len(t)):
        if abs(t[k, k]) <= len(t) * mpmath.eps * _largest(b):  # an eigenvalue is infinite
            t[k, k] = mpmath.mpf(0)
    with mpmath.workprec(2 * mpmath.mp.prec):
        s, t, q, z = _phased(s, t, q, z, (*known[:2], q_known, z_known))
    return tuple(np.positive(numbers(x, kind)) for x in (s, t, q, z))


def _forms(a: Any, b: Any, function: Any, exponents: Any, settings: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The forms of a stack, and what SciPy's function of the doubles gives for each item."""
    a, b = array_of(a), array_of(b)
    refuse_not_square(a)
    if a.shape[-2:] != b.shape[-2:]:
        raise ValueError("array dimensions must be equal")
    is_real = settings["output"] in ("real", "r") and COMPLEX not in (a.dtype, b.dtype)
    known: list[Any] = []

    def form(a: Any, b: Any) -> Any:
        if not len(a):
            return (a, a, a, a)
        size_a, size_b = exponents(a), exponents(b)
        known.append(function(in_doubles(a, size_a), in_doubles(b, size_b), **settings))
        scale_a, scale_b = mpmath.mpf(2) ** size_a, mpmath.mpf(2) ** size_b
        s, t, q, z = _form(a / scale_a, b / scale_b, known[-1][:2] + known[-1][-2:])
        return s * scale_a, t * scale_b, q, z

    return over_stack(form, [a.shape[-2:]] * 4, [REAL if is_real else COMPLEX] * 4, a, b), known


@kernel("qz_values")
def qz_values(a: Any, b: Any, **settings: Any) -> Any:
    """`scipy.linalg.qz`."""
    return _forms(a, b, scipy.linalg.qz, exponent_of, settings)[0]


def _values_of_pairs(s: Any, t: Any, beta: Any) -> tuple[Any, Any]:
    """`alpha` and `beta` of a form; those of a pair of conjugate values have a common scale, that of the doubles."""
    numerators, denominators = numbers(np.diagonal(s), COMPLEX), np.diagonal(t).copy()
    for k in np.flatnonzero([bool(x) for x in np.diagonal(s, -1)]):
        first, second = t[k, k], t[k + 1, k + 1]
        p, q = s[k, k] / first, s[k + 1, k + 1] / second
        root = mpmath.sqrt(-(((p - q) / 2) ** 2) - (s[k, k + 1] / first) * (s[k + 1, k] / second))
        for j, sign in ((k, 1), (k + 1, -1)):
            denominators[j] = mpmath.mpf(float(beta[j].real))
            numerators[j] = mpmath.mpc((p + q) / 2, sign * root) * denominators[j]
    return numerators, denominators


@kernel("ordqz_values")
def ordqz_values(a: Any, b: Any, **settings: Any) -> Any:
    """`scipy.linalg.ordqz`, in the order that the doubles have."""
    (s, t, q, z), known = _forms(a, b, scipy.linalg.ordqz, lambda _: 0, settings)
    alpha, beta = np.empty((2, *s.shape[:-1]), object)
    for i, found in zip(np.ndindex(s.shape[:-2]), known, strict=False):
        alpha[i], beta[i] = _values_of_pairs(s.host[i], t.host[i], found[3])
    return s, t, Array(numbers(alpha, COMPLEX), COMPLEX), Array(numbers(beta, t.dtype), t.dtype), q, z


def _made_triangular(p: Any) -> tuple[Any, Any, Any, Any]:
    """A pair of quasi-triangular matrices made triangular, and the unitary matrices that do it, or None."""
    s, t = p
    starts = np.flatnonzero([bool(x) for x in np.diagonal(s, -1)])
    if not len(starts):
        return s, t, None, None
    left, right = (numbers(np.eye(len(s)), COMPLEX) for _ in range(2))
    for k in starts:
        both = slice(k, k + 2)
        a, b = (x / mpmath.mpf(2) ** exponent_of(x) for x in (s[both, both].copy(), t[both, both].copy()))
        known = _homogeneous(in_doubles(a, 0), in_doubles(b, 0))
        left[both, both], right[both, both], _ = _triangular(a, b, known)
    s, t = (np.triu(_adjoint(left) @ x @ right) for x in (s, t))
    return s, t, left, right


def _over_pairs(function: Any, p: Any, q: Any, *rest: Any) -> Any:
    """Call a function of pairs of matrices on each item of a stack of pairs; in the kind of the arguments."""
    p, q = array_of(p), array_of(q)
    dtype = np.result_type(p.dtype, q.dtype)
    stack = np.broadcast_shapes(p.shape[:-3], q.shape[:-3], *(x.shape[:-1] for x in rest))
    items = [np.broadcast_to(x.host, stack + x.shape[-3:]) for x in (p, q)]
    rest = tuple(np.broadcast_to(x, stack + x.shape[-1:]) for x in rest)
    out = np.empty(stack + q.shape[-3:], object)
    with mpmath.workprec(mpmath.mp.prec + 20):
        for i in np.ndindex(stack):
            found = function(*(x[i] for x in items), *(x[i] for x in rest))
            out[i] = found if dtype is COMPLEX else np.array([mpmath.re(x) for x in found.flat]).reshape(found.shape)
    return np.positive(Array(numbers(out, dtype), dtype))


def _below_blocks(block: Any) -> Any:
    """Where the rows below the block of each column start."""
    return np.searchsorted(block, block, side="right")


def _system(triangle: Any, right: Any) -> Any:
    if not all(np.diagonal(triangle)):
        raise LinAlgError("generalized eigenvalues in different blocks of the Schur form are equal")
    return solved(triangle, right[:, None])[:, 0]


def _rotations(p: Any, q: Any, block: Any) -> Any:
    s, t, left, right = _made_triangular(p)
    m, n = q if left is None else (_adjoint(left) @ k @ right for k in q)
    x, y = 0 * m, 0 * m
    for j, end in enumerate(_below_blocks(block)):
        if end < len(s):
            s_jj, t_jj, below = s[j, j], t[j, j], (slice(end, None), slice(end, None))
            m_j = m[end:, j] - (x[end:, :j] @ s[:j, j] if j else 0)
            n_j = n[end:, j] - (x[end:, :j] @ t[:j, j] if j else 0)
            y[end:, j] = _system(t_jj * s[below] - s_jj * t[below], s_jj * n_j - t_jj * m_j)
            total = mpmath.conj(s_jj) * (m_j + s[below] @ y[end:, j]) + mpmath.conj(t_jj) * (
                n_j + t[below] @ y[end:, j]
            )
            x[end:, j] = total / (abs(s_jj) ** 2 + abs(t_jj) ** 2)
    return np.stack([x, y] if left is None else [left @ x @ _adjoint(left), right @ y @ _adjoint(right)])


def _rotations_back(p: Any, g: Any, block: Any) -> Any:
    s, t, left, right = _made_triangular(p)
    gx, gy = g if left is None else (_adjoint(left) @ g[0] @ left, _adjoint(right) @ g[1] @ right)
    gx, m, n, ends = gx.copy(), 0 * gx, 0 * gx, _below_blocks(block)
    for j in reversed(range(len(s))):
        end = ends[j]
        if end < len(s):
            s_jj, t_jj, below = s[j, j], t[j, j], (slice(end, None), slice(end, None))
            scaled = gx[end:, j] / (abs(s_jj) ** 2 + abs(t_jj) ** 2)
            known = -gy[end:, j] - _adjoint(s[below]) @ (s_jj * scaled) - _adjoint(t[below]) @ (t_jj * scaled)
            z = _system(_adjoint(t_jj * s[below] - s_jj * t[below]), known)
            m[end:, j] = s_jj * scaled + mpmath.conj(t_jj) * z
            n[end:, j] = t_jj * scaled - mpmath.conj(s_jj) * z
            gx[end:, :j] -= np.outer(m[end:, j], np.conjugate(s[:j, j])) + np.outer(n[end:, j], np.conjugate(t[:j, j]))
    return np.stack([m, n] if left is None else [left @ m @ _adjoint(right), left @ n @ _adjoint(right)])


@kernel("generalized_values")
def generalized_values(p: Any) -> Any:
    """The eigenvalues of pairs in homogeneous coordinates, in two rows."""
    p = array_of(p)
    out = np.empty((*p.shape[:-2], p.shape[-1]), object)
    for i in np.ndindex(p.shape[:-3]):
        s, t, *_ = _made_triangular(p.host[i])
        out[i] = np.stack([np.diagonal(s), np.diagonal(t)])
    return Array(numbers(out, COMPLEX), COMPLEX)


@kernel("rotations_values")
def rotations_values(p: Any, q: Any, block: Any) -> Any:
    """`(x, y)`, zero but below the blocks, with `x s - s y = m` and `x t - t y = n` there, for pairs `p` and `q`."""
    return _over_pairs(_rotations, p, q, block)


@kernel("rotations_back_values")
def rotations_back_values(p: Any, g: Any, block: Any) -> Any:
    """The adjoint of `rotations_values` in its second argument."""
    return _over_pairs(_rotations_back, p, g, block)
