"""Factorizations with SciPy's signatures, made of those of the other modules."""

from __future__ import annotations

from math import prod
from typing import Any

import cupy
import numpy as np

from ..array import Array
from ..operands import wrapped
from . import definite, elimination, schur, spectra
from .launching import adjoint, identities, precision, shaped


def refuse_infinite(check: bool, *arrays: Any) -> None:
    """Raise SciPy's error if it is to be checked, and an array holds an infinity or NaN; this waits for the GPU."""
    if check and not all(bool(cupy.isfinite(a).all()) for a in arrays):
        raise ValueError("array must not contain infs or NaNs")


def refuse_rectangular(a: Any, message: str = "expected square matrix") -> None:
    """Raise SciPy's error if the matrices are not square."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(message)


def lu(a: Any, *, permute_l: bool = False, check_finite: bool = True, p_indices: bool = False) -> Any:
    """The kernel of `linalg.lu`."""
    refuse_infinite(check_finite, a)
    packed, pivots, _ = elimination.getrf(a)
    m, n = packed.shape[-2:]
    size = min(m, n)
    l = cupy.tril(packed[..., :size], -1)
    cupy.einsum("...ii->...i", l[..., :size, :])[...] = 1
    u = cupy.triu(packed[..., :size, :])
    order = cupy.argsort(elimination.rows_of_interchanges(pivots, size=m), -1)
    if permute_l:
        return cupy.take_along_axis(l, cupy.broadcast_to(order[..., None], l.shape), -2), u
    if p_indices:
        return order.astype(np.int32), l, u
    return (order[..., None] == cupy.arange(m)).astype(packed.real.dtype), l, u


def lu_factor(a: Any, *, check_finite: bool = True) -> Any:
    """The kernel of `linalg.lu_factor`."""
    refuse_infinite(check_finite, a)
    return elimination.getrf(a)[:2]


def ldl(a: Any, *, lower: bool = True, hermitian: bool = True, check_finite: bool = True) -> Any:
    """The kernel of `linalg.ldl`; the factors by the upper triangle are those of the reversed matrix, reversed."""
    refuse_infinite(check_finite, a)
    refuse_rectangular(a, 'The input array "a" should be square.')
    if not lower:
        l, d, order = ldl(a[..., ::-1, ::-1], hermitian=hermitian, check_finite=False)
        return l[..., ::-1, ::-1], d[..., ::-1, ::-1], a.shape[-1] - 1 - order[..., ::-1]
    packed, pivots, _ = definite.sytrf(a, hermitian=hermitian)
    order, rows, block = definite.order_of_pivots(pivots)
    same = block[..., :, None] == block[..., None, :]
    low = cupy.where(same, packed, 0)
    conjugate = hermitian and packed.dtype.kind == "c"
    half = cupy.tril(low, -1)
    d = low + (adjoint(half) if conjugate else cupy.swapaxes(half, -1, -2))
    l = cupy.take_along_axis(cupy.where(same, 0, packed), rows, -2)
    l = cupy.tril(l, -1) + cupy.eye(a.shape[-1], dtype=packed.dtype)
    back = cupy.argsort(order, -1)[..., None]
    return cupy.take_along_axis(l, cupy.broadcast_to(back, l.shape), -2), d, order


def hessenberg(a: Any, *, calc_q: bool = False, check_finite: bool = True) -> Any:
    """The kernel of `linalg.hessenberg`."""
    refuse_infinite(check_finite, a)
    refuse_rectangular(a)
    n = a.shape[-1]
    if n > 2:
        h, q = schur.hessenberg_form(a)
    else:
        stack, dtype = a.shape[:-2], precision(a)
        h, q = a.astype(dtype), shaped(identities(prod(stack), n, np.float64), stack)  # SciPy's is real, too
    return (h, q) if calc_q else h


def polar(a: Any, *, side: str = "right") -> Any:
    """The kernel of `linalg.polar`."""
    if side not in ("right", "left"):
        raise ValueError("`side` must be either 'right' or 'left'")
    w, s, vh = spectra.svd(a, False)
    scaled = s[..., None].astype(w.dtype)
    p = adjoint(vh) @ (scaled * vh) if side == "right" else w @ (scaled * adjoint(w))
    return w @ vh, p


def orthogonal_procrustes(a: Any, b: Any, *, check_finite: bool = True) -> Any:
    """The kernel of `linalg.orthogonal_procrustes`."""
    refuse_infinite(check_finite, a, b)
    if a.shape[-2:] != b.shape[-2:]:
        raise ValueError(f"the shapes of A and B differ ({a.shape} vs {b.shape})")
    u, s, vh = spectra.svd(adjoint(a) @ b)
    return u @ vh, s.sum(-1)


def _common_rank(s: Any, rcond: Any, size: int) -> int:
    """How many singular values are not zero, of all items; this waits for the GPU, for it is a shape."""
    if not s.size:
        return 0
    cutoff = np.finfo(s.dtype).eps * size if rcond is None else rcond
    ranks = (s > cutoff * s.max(-1, keepdims=True)).sum(-1)
    least, most = int(ranks.min()), int(ranks.max())
    if least != most:
        raise ValueError(f"the bases must all have the same shape; the ranks are from {least} to {most}")
    return most


def orth(a: Any, *, rcond: Any = None) -> Any:
    """The kernel of `linalg.orth`."""
    u, s, _ = spectra.svd(a, False)
    return u[..., : _common_rank(s, rcond, max(a.shape[-2:]))]


def null_space(a: Any, *, rcond: Any = None, check_finite: bool = True, lapack_driver: str = "gesdd") -> Any:
    """The kernel of `linalg.null_space`."""
    refuse_infinite(check_finite, a)
    _, s, vh = spectra.svd(a, True)
    return adjoint(vh[..., _common_rank(s, rcond, max(a.shape[-2:])) :, :])


def pinvh_values(
    a: Any, *, atol: Any = None, rtol: Any = None, lower: bool = True, check_finite: bool = True
) -> tuple[Any, Any]:
    """The kernel of `linalg.pinvh`: the pseudo-inverse and the rank."""
    refuse_infinite(check_finite, a)
    w, v = spectra.eigh(a, "L" if lower else "U")
    atol = 0.0 if atol is None else atol
    rtol = max(a.shape[-2:]) * np.finfo(w.dtype).eps if rtol is None else rtol
    if atol < 0 or rtol < 0:
        raise ValueError("atol and rtol values must be positive.")
    largest = cupy.abs(w).max(-1, keepdims=True) if w.shape[-1] else 0
    kept = cupy.abs(w) > atol + largest * rtol
    inverted = cupy.where(kept, 1 / cupy.where(kept, w, 1), 0)
    return (v * inverted[..., None, :].astype(v.dtype)) @ adjoint(v), kept.sum(-1)


def hermitian_problem(
    a: Any, b: Any, *, vectors: bool, subset: Any, lower: bool = True, type: int = 1, driver: Any = None
) -> Any:
    """The kernel of `linalg.eigh` for pairs and for some of the eigenvalues.

    With `b = l H(l)` the pair has the eigenvalues of `inv(l) a inv(H(l))` (type 1) or `H(l) a l` (2 and 3), and from
    its vectors `y` come `inv(H(l)) y` (1 and 2) or `l y` (3).
    """
    uplo = "L" if lower else "U"
    n = a.shape[-1]
    is_all = subset.is_all or subset.by_index == (0, n - 1)
    by_pivot = not is_all or (b is None and driver in (None, "evr") and n > 2)  # stemr takes two rows as steqr does
    if b is None:
        w, v = spectra.hermitian_eigen(a, uplo, precision(a), by_pivot)
    else:
        full = spectra.full_hermitian(a.astype(precision(a, b)), lower)
        l = definite.cholesky(b.astype(precision(a, b)), upper=not lower)
        l = l if lower else adjoint(l)
        if type == 1:
            half = elimination.substitution(l, full, lower=True)
            c = elimination.substitution(l, adjoint(half), lower=True)
        else:
            c = adjoint(l) @ full @ l
        w, y = spectra.hermitian_eigen(c, uplo, c.dtype, by_pivot)
        v = l @ y if type == 3 else elimination.substitution(l, y, lower=True, op=2)
    w, v = subset.of(*wrapped((w, v), Array))
    return (w, v) if vectors else w
