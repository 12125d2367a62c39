"""Factorizations and bases of single matrices, and systems with a structure: kernels of `linalg`.

Interchanges, and the blocks of `ldl`, are those that LAPACK chooses for the matrix in doubles.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import unwrap
from typing import Any

import mpmath
import numpy as np
import scipy.linalg

from ... import device_named
from ..array import array_of
from ..dispatch import refuse
from .matrices import filled, kernel, over_stack, reflection, refuse_not_square, solved
from .spectra import exponent_of, in_doubles, rounding


def _orders(a: Any, order_of: Callable[[Any], Any]) -> Any:
    """The order of the columns of each matrix of a stack, by its doubles."""
    orders = np.empty((*a.shape[:-2], a.shape[-1]), np.int32)
    for i in np.ndindex(orders.shape[:-1]):
        orders[i] = order_of(in_doubles(a.host[i], exponent_of(a.host[i])))
    return orders


@kernel("assumed_solution")
def assumed_solution(a: Any, b: Any, *, structure: str) -> Any:
    """The solution of a system; a matrix that is said to be positive definite is looked at."""
    if structure == "pos":
        np.linalg.cholesky(a)
    return np.linalg.solve(a, b)


@kernel("assumed_inverse")
def assumed_inverse(a: Any, *, structure: str) -> Any:
    """The inverse, likewise."""
    return assumed_solution(a, np.eye(a.shape[-1]), structure=structure)


@kernel("cho_factor_values")
def cho_factor_values(a: Any, *, lower: bool) -> Any:
    """The Cholesky factor in one triangle, and the matrix in the other."""
    factor = np.linalg.cholesky(a, upper=not lower)
    return factor + (np.triu(a, 1) if lower else np.tril(a, -1))


@kernel("potrs")
def potrs(c: Any, b: Any, *, lower: bool) -> Any:
    """The solution by the Cholesky factor in one triangle."""
    l = np.tril(c) if lower else np.conjugate(np.triu(c)).mT
    return np.linalg.solve(np.conjugate(l).mT, np.linalg.solve(l, b))


@kernel("polar")
def polar(a: Any, *, side: str) -> Any:
    """`scipy.linalg.polar`, from the singular values and vectors."""
    if side not in ("right", "left"):
        raise ValueError("`side` must be either 'right' or 'left'")
    u, s, vh = np.linalg.svd(a, full_matrices=False)
    v, s = np.conjugate(vh).mT, s[..., None, :]
    return u @ vh, (v * s) @ vh if side == "right" else (u * s) @ np.conjugate(u).mT


@kernel("orthogonal_procrustes")
def orthogonal_procrustes(a: Any, b: Any, *, check_finite: bool) -> Any:
    """`scipy.linalg.orthogonal_procrustes`."""
    a, b = array_of(a), array_of(b)
    if a.shape[-2:] != b.shape[-2:]:
        raise ValueError(f"the shapes of A and B differ ({a.shape} vs {b.shape})")
    u, s, vh = np.linalg.svd(np.conjugate(a).mT @ b)
    return u @ vh, np.sum(s, axis=-1)


@kernel("pinvh_values")
def pinvh_values(a: Any, *, atol: Any, rtol: Any, lower: bool, check_finite: bool) -> Any:
    """The pseudo-inverse of Hermitian matrices, and the ranks."""
    w, v = np.linalg.eigh(a, "L" if lower else "U")
    rtol = rounding(a) if rtol is None else rtol
    atol = 0 if atol is None else atol
    if atol < 0 or rtol < 0:
        raise ValueError("atol and rtol values must be positive.")
    kept = np.absolute(w) > atol + rtol * np.max(np.absolute(w), axis=-1, keepdims=True, initial=0.0)
    inverse = np.where(kept, 1 / np.where(kept, w, 1), 0)
    return (v * inverse[..., None, :]) @ np.conjugate(v).mT, np.count_nonzero(kept, axis=-1)


def _rank(a: Any, s: Any, rcond: Any) -> int:
    """The one rank of a stack, from its singular values."""
    tolerance = np.max(s, axis=-1, keepdims=True, initial=0.0) * (rounding(a) if rcond is None else rcond)
    ranks = np.unique(np.count_nonzero(s > tolerance, axis=-1))
    if len(ranks) > 1:
        raise ValueError("all bases must have the same shape")
    return int(ranks[0]) if len(ranks) else min(a.shape[-2:])


@kernel("orth")
def orth(a: Any, *, rcond: Any) -> Any:
    """`scipy.linalg.orth`."""
    u, s, _ = np.linalg.svd(a, full_matrices=False)
    return u[..., : _rank(a, s, rcond)].copy()


@kernel("null_space")
def null_space(a: Any, *, rcond: Any, check_finite: bool, lapack_driver: str) -> Any:
    """`scipy.linalg.null_space`."""
    _, s, vh = np.linalg.svd(a)
    return np.conjugate(vh[..., _rank(a, s, rcond) :, :]).mT


@kernel("rq")
def rq(a: Any, *, mode: str, lwork: Any, check_finite: bool) -> Any:
    """`scipy.linalg.rq`: with `j` that reverses an order, `H(j a j) = q r` means `a = (j H(r) j) (j H(q) j)`."""
    if mode not in ("full", "r", "economic"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic']")
    m, n = a.shape[-2:]
    q, r = np.linalg.qr(np.conjugate(a[..., ::-1, ::-1]).mT, mode="complete")
    r, q = (np.conjugate(x).mT[..., ::-1, ::-1] for x in (r, q))
    if mode == "economic":
        r, q = r[..., max(n - m, 0) :], q[..., max(n - m, 0) :, :]
    return r.copy() if mode == "r" else (r.copy(), q.copy())


@kernel("pivoted_qr")
def pivoted_qr(a: Any, *, mode: str) -> Any:
    """`scipy.linalg.qr` with interchanges of columns."""
    if mode == "raw":
        refuse("linalg.qr with mode='raw'")
    order = _orders(a, lambda x: scipy.linalg.qr(x, mode="r", pivoting=True)[1])
    ordered = np.take_along_axis(a, order[..., None, :], axis=-1)
    return *np.linalg.qr(ordered, mode="complete" if mode == "full" else "reduced"), order


@kernel("qr_multiply_values")
def qr_multiply_values(a: Any, c: Any, *, mode: str, pivoting: bool, conjugate: bool, overwrite_c: bool) -> Any:
    """`scipy.linalg.qr_multiply`, by the factor and a product."""
    if mode not in ("left", "right"):
        raise ValueError(f"Mode argument can only be 'left' or 'right' but not '{mode}'")
    is_full = overwrite_c and mode == "left"
    if pivoting:
        q, r, *order = pivoted_qr(a, mode="full" if is_full else "economic")
    else:
        q, r, *order = np.linalg.qr(a, mode="complete" if is_full else "reduced")
    q = np.conjugate(q) if conjugate else q
    return q @ c if mode == "left" else c @ q, r[..., : min(a.shape[-2:]), :], *order


@kernel("hessenberg")
def hessenberg(a: Any, *, calc_q: bool, check_finite: bool) -> Any:
    """`scipy.linalg.hessenberg`."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError("expected square matrix")

    def form(host: Any) -> Any:
        h, q = host.copy(), np.array(np.eye(len(host)).astype(int), object)
        for k in range(len(host) - 1 if len(host) > 2 else 0):
            found = reflection(h[k + 1 :, k])
            if found is None:
                continue
            v, tau = found
            for x in (h, q):
                x[:, k + 1 :] -= np.outer(x[:, k + 1 :] @ v, tau * np.conjugate(v))
            h[k + 1 :] -= np.outer(mpmath.conj(tau) * v, np.conjugate(v) @ h[k + 1 :])
            h[k + 2 :, k] = mpmath.mpf(0)
            h[k + 1, k] = mpmath.re(h[k + 1, k])
        return h, q

    h, q = over_stack(form, [a.shape[-2:]] * 2, [a.dtype] * 2, a)
    return (h, q) if calc_q else h


def _same_steps(name: str) -> None:
    """Declare a kernel of `linalg` that computes with numbers of any type."""

    @kernel(name)
    def values(h: Any, x: Any) -> Any:
        h, x = array_of(h), array_of(x)
        steps = unwrap(device_named("cpu").kernel(f"linalg.{name}"))
        return over_stack(steps, [h.shape[-2:]], [np.result_type(h.dtype, x.dtype)], h, x)


_same_steps("turning_values")
_same_steps("turning_back_values")


def blocks_of(a: Any, known: Any) -> tuple[Any, Any]:
    """`l` and `d` with `a = l d H(l)`, or `l d l^T`, whose blocks of two rows are coupled in what is known."""
    rest, l, d, k = a.copy(), np.eye(len(a)) + 0 * a, 0 * a, 0
    while k < len(a):
        end = k + 2 if k + 1 < len(a) and known[k + 1, k] else k + 1
        d[k:end, k:end] = block = rest[k:end, k:end].copy()
        if np.any(below := rest[end:, k:end]):
            l[end:, k:end] = solved(block.T, below.T).T
            rest[end:, end:] -= l[end:, k:end] @ rest[k:end, end:]
        k = end
    return l, d


@kernel("ldl")
def ldl(a: Any, *, lower: bool, hermitian: bool, check_finite: bool) -> Any:
    """`scipy.linalg.ldl`; an upper factor is the lower one of the matrix in the opposite order."""
    refuse_not_square(a)
    order, turn = np.empty(a.shape[:-1], np.int64), slice(None, None, 1 if lower else -1)
    items = iter(np.ndindex(a.shape[:-2]))

    def factors(host: Any) -> Any:
        known, perm = scipy.linalg.ldl(in_doubles(host, exponent_of(host)), lower=lower, hermitian=hermitian)[1:]
        order[next(items)] = perm
        ordered = filled(host, lower, hermitian)[np.ix_(perm, perm)]
        l, d = (x[turn, turn] for x in blocks_of(ordered[turn, turn], known[turn, turn]))
        return l[np.argsort(perm)], d

    l, d = over_stack(factors, [a.shape[-2:]] * 2, [a.dtype] * 2, a)
    return l, d, order
