"""QR factorizations of matrices that have changed a little, from those before the change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.choices import given_phases
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..elementary.triangles import skew_part
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import some_traced
from ..spectral.gauge import refuse_gauge
from .qr import as_functions, thin_qr

qr_insert_values = kernel(2, 2, 2)(scipy.linalg.qr_insert)
qr_delete_values = kernel(2, 2)(scipy.linalg.qr_delete)
qr_update_values = kernel(2, 2, 2, 2)(scipy.linalg.qr_update)


@primitive(family="QR")
def changed_qr(a: Any, *, factors: Any, function: str) -> Any:
    """`thin_qr` with the factors of SciPy's updates: the phases in `r` are arbitrary if they are complex."""
    return factors


@changed_qr.differential
def _(x: Any, a: Any, da: Any, *, factors: Any, function: str) -> Any:
    return thin_qr.push(x, (a,), (da,), {"factors": factors})


# Along the phases, dq = i q t and dr = -i t r with real diagonal t, a loss must not change:
#     <gq, i q t> - <gr, i t r> = sum t Im diag(H(q) gq - gr H(r))
@changed_qr.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, factors: Any, function: str) -> Any:
    (q, r), (gq, gr) = x, g
    if q.dtype.kind == "c":
        along = [H(q) @ gq] if gq is not None else []
        along += [-(gr @ H(r))] if gr is not None else []
        scale = sum(np.abs(raw(part)) for part in along)
        refuse_gauge(function, skew_part(sum(along)), None, scale, "columns of q")
    return thin_qr.adjoint_at((0,), x, (a,), (a,), {"factors": factors})(g)


def _as_functions(function: str, a: Any, q: Any, r: Any) -> tuple[Any, Any]:
    """Plain factors, reduced or complete, as functions of the changed matrix `a`."""
    phases = given_phases(q)
    if phases is not None:
        q, r = q * phases, H(phases) * r
    return as_functions(a, q, r, partial(changed_qr, function=function), function)


def _rows_or_columns(which: str) -> int:
    """The axis that `which` names."""
    if which not in ("row", "col"):
        raise ValueError("'which' must be either 'row' or 'col'")
    return -2 if which == "row" else -1


def _joined(parts: list[Any], axis: int) -> Any:
    """Rows or columns joined, over their common stack."""
    stack = np.broadcast_shapes(*[x.shape[:-2] for x in parts])
    return np.concatenate([np.broadcast_to(x, stack + x.shape[-2:]) for x in parts], axis)


def _index_by_index(k: Any, call: Callable[..., Any], *arrays: Any) -> tuple[Any, Any]:
    """The factors of a stack whose items have indices of their own."""
    stack = np.broadcast_shapes(np.shape(k), *[x.shape[:-2] for x in arrays])
    indices = np.broadcast_to(k, stack)
    items = [np.broadcast_to(x, stack + x.shape[-2:]) for x in arrays]
    pairs = [call(int(indices[i]), *[x[i] for x in items]) for i in np.ndindex(stack)]
    q, r = (np.reshape(np.stack(part), stack + part[0].shape) for part in zip(*pairs, strict=True))
    return q, r


@public(Q=2, R=2, u=2)
def qr_insert(
    Q: Any,
    R: Any,
    u: Any,
    k: int,
    which: str = "row",
    rcond: float | None = None,
    overwrite_qru: bool = False,
    check_finite: bool = True,
) -> tuple[Any, Any]:
    """The QR factorization of a matrix after rows or columns have been inserted.

    The derivative is that of `qr` at the changed matrix, `Q @ R` with `u` inserted, along tangents that keep `Q`
    unitary and `R` triangular.

    Parameters
    ----------
    Q : array_like (..., M, M) or (..., M, N)
        The orthonormal columns of the matrix before.
    R : array_like (..., M, N) or (..., N, N)
        Its triangle.
    u : array_like (N,) or (..., P, N), or for columns (M,) or (..., M, P)
        What to insert; a vector only if it has one dimension.
    k : int or array_like of int (...)
        The row or column that it is inserted before.
    which : {"row", "col"}
        What it is.
    rcond : float, optional
        In the reduced form, how close to the columns before an inserted one may be.

    Returns
    -------
    Q1, R1 : ndarray
        The factors, with the signs that SciPy's have.

    Raises
    ------
    LinAlgError
        If an inserted column is closer than `rcond` to the ones before.
    NotDifferentiableError
        If a derivative is needed where the columns are linearly dependent.
    GaugeError
        If the loss depends on the choice of the columns that complete the basis, or on the phases of complex factors.

    Examples
    --------
    >>> import wirtinger as np
    >>> q, r = np.linalg.qr_insert(np.eye(2), np.eye(2), np.array([3.0, 4.0]), 2)
    >>> np.abs(q @ r).round(12)
    array([[1., 0.],
           [0., 1.],
           [3., 4.]])
    """
    q, r, u = operands(Q, R, u)
    if np.ndim(k):
        return _index_by_index(
            k,
            lambda k, *item: qr_insert(*item, k, which, rcond, False, check_finite),
            q,
            r,
            u if u.ndim > 1 else u[None],
        )
    axis, k = _rows_or_columns(which), index(k)
    plain = [raw(x) for x in (q, r, u)]
    found: tuple[Any, Any] = qr_insert_values(*plain, k=k, which=which, rcond=rcond, check_finite=check_finite)
    if not some_traced(q, r, u):
        return found
    a = q @ np.triu(r)
    u = u if u.ndim > 1 else u[None, :] if which == "row" else u[:, None]
    start = k if k >= 0 else k + a.shape[axis]
    before, after = (a[..., :start, :], a[..., start:, :]) if which == "row" else (a[..., :start], a[..., start:])
    return _as_functions("linalg.qr_insert", _joined([before, u, after], axis), *found)


@public(Q=2, R=2)
def qr_delete(
    Q: Any, R: Any, k: int, p: int = 1, which: str = "row", overwrite_qr: bool = False, check_finite: bool = True
) -> tuple[Any, Any]:
    """The QR factorization of a matrix after rows or columns have been deleted.

    Differentiable as `qr_insert` is, with the same errors.

    Parameters
    ----------
    Q, R : array_like
        The factors of the matrix before, as for `qr_insert`.
    k : int
        The first row or column to delete.
    p : int
        How many to delete.
    which : {"row", "col"}
        What to delete.

    Returns
    -------
    Q1, R1 : ndarray
        The factors, with the signs that SciPy's have.

    Examples
    --------
    >>> import wirtinger as np
    >>> q, r = np.linalg.qr_delete(np.eye(3), np.array([[3.0, 1.0], [0.0, 2.0], [0.0, 0.0]]), 0, which="col")
    >>> (q @ r).round(12)
    array([[1.],
           [2.],
           [0.]])
    """
    q, r = operands(Q, R)
    _rows_or_columns(which)
    if np.ndim(k):
        return _index_by_index(k, lambda k, *item: qr_delete(*item, k, p, which, False, check_finite), q, r)
    k, p = index(k), index(p)
    found: tuple[Any, Any] = qr_delete_values(raw(q), raw(r), k=k, p=p, which=which, check_finite=check_finite)
    if not some_traced(q, r):
        return found
    if which == "row":
        start = k if k >= 0 else k + q.shape[-2]
        a = _joined([q[..., :start, :], q[..., start + p :, :]], -2) @ np.triu(r)
    else:
        r = np.triu(r)
        start = k if k >= 0 else k + r.shape[-1]
        a = q @ _joined([r[..., :start], r[..., start + p :]], -1)
    return _as_functions("linalg.qr_delete", a, *found)


@public(Q=2, R=2, u=2, v=2)
def qr_update(
    Q: Any, R: Any, u: Any, v: Any, overwrite_qruv: bool = False, check_finite: bool = True
) -> tuple[Any, Any]:
    """The QR factorization of `Q @ R + u @ H(v)`.

    Differentiable as `qr_insert` is, with the same errors.

    Parameters
    ----------
    Q, R : array_like
        The factors of the matrix before, as for `qr_insert`.
    u : array_like (M,) or (..., M, P)
        The left factor of the change; a vector only if it has one dimension.
    v : array_like (N,) or (..., N, P)
        The right factor, likewise.

    Returns
    -------
    Q1, R1 : ndarray
        The factors, with the signs that SciPy's have.

    Examples
    --------
    >>> import wirtinger as np
    >>> q, r = np.linalg.qr_update(np.eye(2), np.eye(2), np.array([1.0, 1.0]), np.array([0.0, 1.0]))
    >>> (q @ r).round(12) + 0.0
    array([[1., 1.],
           [0., 2.]])
    """
    q, r, u, v = operands(Q, R, u, v)
    plain = [raw(x) for x in (q, r, u, v)]
    found: tuple[Any, Any] = qr_update_values(*plain, check_finite=check_finite)
    if not some_traced(q, r, u, v):
        return found
    u, v = (x[:, None] if x.ndim == 1 else x for x in (u, v))
    return _as_functions("linalg.qr_update", q @ np.triu(r) + u @ H(v), *found)
