"""The functions of `numpy.linalg`, in the table by which arrays find them."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..tables import implements
from . import definite, elimination, orthogonal, schur, spectra
from .launching import adjoint, precision, require_matrices

_NO_VALUE: Any = np._NoValue

_OF_MATRICES: dict[Any, Any] = {
    np.linalg.solve: elimination.solve,
    np.linalg.inv: elimination.inv,
    np.linalg.det: elimination.det,
    np.linalg.slogdet: elimination.slogdet,
    np.linalg.cholesky: definite.cholesky,
    np.linalg.qr: orthogonal.qr,
    np.linalg.eigh: spectra.eigh,
    np.linalg.eigvalsh: spectra.eigvalsh,
    np.linalg.svd: spectra.svd,
    np.linalg.svdvals: spectra.svdvals,
    np.linalg.eig: schur.eig,
    np.linalg.eigvals: schur.eigvals,
}
for _function, _implementation in _OF_MATRICES.items():
    implements(_function)(_implementation)


@implements(np.linalg.pinv)
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = _NO_VALUE) -> Any:
    """`numpy.linalg.pinv`."""
    require_matrices(a)
    if rcond is not None and rtol is not _NO_VALUE:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    cutoff = 1e-15 if rcond is None and rtol is _NO_VALUE else rtol if rcond is None else rcond
    if cutoff is None:
        cutoff = max(a.shape[-2:]) * np.finfo(precision(a)).eps
    u, s, vh = spectra.svd(a, False, hermitian=hermitian)
    large = s > _cutoffs(cutoff) * s[..., :1]
    inverted = cupy.where(large, 1 / cupy.where(large, s, 1), 0)
    return adjoint(vh) @ (inverted[..., :, None] * adjoint(u)).astype(u.dtype)


def _cutoffs(cutoff: Any) -> Any:
    return cutoff[..., None] if getattr(cutoff, "ndim", 0) else cutoff


@implements(np.linalg.matrix_rank)
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """`numpy.linalg.matrix_rank`."""
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    if A.ndim < 2:
        return cupy.any(A != 0).astype(int)
    s = cupy.abs(spectra.eigvalsh(A)) if hermitian else spectra.svdvals(A)
    if tol is None:
        relative = max(A.shape[-2:]) * np.finfo(s.dtype).eps if rtol is None else _cutoffs(rtol)
        tol = s.max(-1, keepdims=True) * relative if s.shape[-1] else 0
    else:
        tol = _cutoffs(tol)
    return cupy.count_nonzero(s > tol, axis=-1)


@implements(np.linalg.lstsq)
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """`numpy.linalg.lstsq`."""
    require_matrices(a)
    vector = b.ndim == 1
    dtype = precision(a, b)
    eps = np.finfo(dtype).eps
    cutoff = eps * max(a.shape[-2:]) if rcond is None else rcond if rcond >= 0 else eps
    x, squares, rank, s = stacked_lstsq(a, b[:, None] if vector else b, rcond=cutoff)
    rank = int(rank)
    if rank < a.shape[-1]:
        squares = squares[:0]
    return x[..., 0] if vector else x, squares, np.int32(rank), s


def stacked_lstsq(a: Any, b: Any, *, rcond: Any) -> tuple[Any, Any, Any, Any]:
    """The kernel of `linalg.lstsq`: solutions of least length, sums of squared residuals, ranks, singular values."""
    m, n = a.shape[-2:]
    dtype = precision(a, b)
    u, s, vh = spectra.svd(a.astype(dtype), False)
    kept = s > rcond * s[..., :1]
    inverted = cupy.where(kept, 1 / cupy.where(kept, s, 1), 0)
    x = adjoint(vh) @ (inverted[..., None] * (adjoint(u) @ b)).astype(dtype)
    rank = kept.sum(-1).astype(np.int32)
    r = b - a @ x
    squares = (cupy.abs(r) ** 2).sum(-2)
    stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return x, squares[..., : 0 if m <= n else None], cupy.broadcast_to(rank, stack), s


_ORDERS = (None, 2, -2, "fro", "nuc", 1, -1, np.inf, -np.inf)


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """`numpy.linalg.norm`."""
    if x.dtype.kind not in "fc":
        x = x.astype(float)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            total = cupy.sqrt((x.real**2 + x.imag**2).sum() if x.dtype.kind == "c" else (x * x).sum())
            return total.reshape((1,) * x.ndim) if keepdims else total
        axis = tuple(range(x.ndim))
    axis = axis if isinstance(axis, tuple) else (axis,)
    axis = tuple(np.lib.array_utils.normalize_axis_tuple(axis, x.ndim))
    if len(axis) == 1:
        return _of_vectors(x, ord, axis[0], keepdims)
    if len(axis) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    return _of_matrices(x, ord, axis, keepdims)


def _of_vectors(x: Any, ord: Any, axis: int, keepdims: bool) -> Any:
    size = cupy.abs(x)
    if ord == np.inf:
        return size.max(axis, keepdims=keepdims)
    if ord == -np.inf:
        return size.min(axis, keepdims=keepdims)
    if ord == 0:
        return (x != 0).astype(size.dtype).sum(axis, keepdims=keepdims)
    if ord is None or ord == 2:
        return cupy.sqrt((size**2).sum(axis, keepdims=keepdims))
    if ord == 1:
        return size.sum(axis, keepdims=keepdims)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    return (size**ord).sum(axis, keepdims=keepdims) ** (1 / float(ord))


def _of_matrices(x: Any, ord: Any, axis: tuple[int, int], keepdims: bool) -> Any:
    row, column = axis
    if row == column:
        raise ValueError("Duplicate axes given.")
    if ord not in _ORDERS and ord != "f":
        raise ValueError("Invalid norm order for matrices.")
    size = cupy.abs(x)
    if ord in (None, "fro", "f"):
        return cupy.sqrt((size**2).sum(axis, keepdims=keepdims))
    if ord in (2, -2, "nuc"):
        s = spectra.svdvals(cupy.moveaxis(x, axis, (-2, -1)))
        found = s.sum(-1) if ord == "nuc" else s.max(-1) if ord == 2 else s.min(-1)
    else:
        summed, along = (row, column) if abs(ord) == 1 else (column, row)
        sums = size.sum(summed, keepdims=True)
        found = (sums.max if ord > 0 else sums.min)((summed, along))
    if keepdims:
        for k in sorted(axis):
            found = cupy.expand_dims(found, k)
    return found


@implements(np.linalg.vector_norm)
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """`numpy.linalg.vector_norm`."""
    if axis is None:
        found = norm(x.ravel(), ord)
        return found.reshape((1,) * x.ndim) if keepdims else found
    if isinstance(axis, tuple):
        axis = tuple(np.lib.array_utils.normalize_axis_tuple(axis, x.ndim))
        rest = [k for k in range(x.ndim) if k not in axis]
        merged = cupy.transpose(x, (*rest, *axis)).reshape(*[x.shape[k] for k in rest], -1)
        found = norm(merged, ord, -1)
        return found.reshape([1 if k in axis else x.shape[k] for k in range(x.ndim)]) if keepdims else found
    return norm(x, ord, axis, keepdims)


@implements(np.linalg.matrix_norm)
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """`numpy.linalg.matrix_norm`."""
    return norm(x, ord, (-2, -1), keepdims)


@implements(np.linalg.cond)
def cond(x: Any, p: Any = None) -> Any:
    """`numpy.linalg.cond`."""
    if x.size == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    require_matrices(x)
    if p in (None, 2, -2):
        s = spectra.svdvals(x)
        top, bottom = (s[..., -1], s[..., 0]) if p == -2 else (s[..., 0], s[..., -1])
        found = cupy.where(bottom == 0, cupy.inf, top / cupy.where(bottom == 0, 1, bottom))
    else:
        packed, _, info = elimination.getrf(x)
        eye = cupy.broadcast_to(cupy.eye(x.shape[-1], dtype=packed.dtype), packed.shape)
        regular = cupy.where((info != 0)[..., None, None], eye, x)
        found = norm(x, p, (-2, -1)) * norm(elimination.inv(regular), p, (-2, -1))
        found = cupy.where(info != 0, cupy.inf, found)
    return cupy.where(cupy.isnan(found) & ~cupy.isnan(x).any((-2, -1)), cupy.inf, found)
