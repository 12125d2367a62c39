"""The RQ factorization, and the product with Q alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.operands import as_operand, operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.matrix_products import H
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import refuse_nonfinite, some_traced
from .qr import completed, qr, thin_qr

rq_values = kernel(2)(scipy.linalg.rq)


@kernel(2, 2)
def qr_multiply_values(a: Any, c: Any, *, overwrite_c: bool, **settings: Any) -> Any:
    """SciPy's function."""
    return scipy.linalg.qr_multiply(a, np.array(c) if overwrite_c else c, overwrite_c=overwrite_c, **settings)


@public(a=2)
def rq(
    a: Any, overwrite_a: bool = False, lwork: int | None = None, mode: str = "full", check_finite: bool = True
) -> Any:
    """The factorization `a = r @ q` into an upper triangle and orthonormal rows.

    With `c = inv(r) da H(q)` and `w` the skew-Hermitian matrix that has the strictly lower triangle of `c` and the
    imaginary part of its diagonal: `dr = r (c - w)`, `dq = w q`, and `inv(r) da (1 - H(q) q)` besides.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    lwork : int, optional
        The size of LAPACK's work space; by default what it asks for.
    mode : {"full", "r", "economic"}
        With K = min(M, N): `r` (..., M, N) and `q` (..., N, N); that `r` alone; or `r` (..., M, K) and `q` (..., K, N).

    Returns
    -------
    r : ndarray
        Zero below the diagonal that ends in the lower right corner.
    q : ndarray
        Its last K rows are those of "economic".

    Raises
    ------
    NotDifferentiableError
        If a derivative is needed where the last min(M, N) rows are linearly dependent.
    GaugeError
        If the loss depends on the choice of the rows that "full" adds.

    Examples
    --------
    >>> import wirtinger as np
    >>> r, q = np.linalg.rq(np.array([[3.0, 1.0], [4.0, 3.0]]))
    >>> np.abs(r).round(12)
    array([[1., 3.],
           [0., 5.]])
    """
    a = as_operand(a)
    if not some_traced(a):
        return rq_values(a, mode=mode, lwork=lwork, check_finite=check_finite)
    refuse_nonfinite(check_finite, a)
    if mode not in ("full", "r", "economic"):
        raise ValueError("Mode argument should be one of ['full', 'r', 'economic']")
    m, n = a.shape[-2:]
    r, q = rq_values(raw(a), mode="full", lwork=lwork, check_finite=False)
    left, extra = r[..., : max(n - m, 0)], q[..., : max(n - m, 0), :]
    r, q = _economic(a, r[..., max(n - m, 0) :], q[..., max(n - m, 0) :, :])
    if mode == "economic":
        return r, q
    r = np.concatenate([left, r], axis=-1)
    if mode == "r" or extra.shape[-2] == 0:
        return r if mode == "r" else (r, q)
    return r, _as_rows(completed(_as_columns(q), _as_columns(extra), "linalg.rq"))


def _as_columns(q: Any) -> Any:
    """The conjugate rows as columns, the last one first."""
    return H(q[..., ::-1, :])


def _as_rows(q: Any) -> Any:
    """The conjugate columns as rows, the last one first."""
    return H(q)[..., ::-1, :]


def _economic(a: Any, r: Any, q: Any) -> tuple[Any, Any]:
    """Plain factors as functions of `a`: with all in reverse order, `H(a) = H(q) H(r)` is a QR factorization."""
    given = _as_columns(q), H(r)[..., ::-1, ::-1]
    columns, triangle = thin_qr(_as_columns(a), factors=given)
    return H(triangle)[..., ::-1, ::-1], _as_rows(columns)


@public(a=2, c=2)
def qr_multiply(
    a: Any,
    c: Any,
    mode: str = "right",
    pivoting: bool = False,
    conjugate: bool = False,
    overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> Any:
    """Multiply the `q` of a QR factorization with a matrix, without forming it.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices to factorize; K = min(M, N).
    c : array_like
        What `q` (..., M, K) is multiplied with: (..., P, M) or (M,), or with "left" (..., K, P) or (K,).  A vector only
        if it has one dimension.
    mode : {"right", "left"}
        Whether to return `c @ q` or `q @ c`.
    pivoting : bool
        Whether the columns of `a` are put in order first.
    conjugate : bool
        Whether to take the complex conjugate of `q`.
    overwrite_a, overwrite_c : bool
        Accepted; nothing is ever changed.  With `overwrite_c` and "left", `c` has M rows, as SciPy has it.

    Returns
    -------
    cq : ndarray
        The product.
    r : ndarray (..., K, N)
        The triangle.
    p : ndarray (..., N) of int
        The order of the columns, with `pivoting`.

    Raises
    ------
    NotDifferentiableError
        As for `qr`.

    Examples
    --------
    >>> import wirtinger as np
    >>> cq, r = np.linalg.qr_multiply(np.array([[3.0], [4.0]]), np.array([3.0, 4.0]))
    >>> np.abs(cq).round(12)
    array([5.])
    """
    a, c = operands(a, c)
    settings = {"mode": mode, "pivoting": pivoting, "conjugate": conjugate, "overwrite_c": overwrite_c}
    drops_imaginary_part = c.dtype.kind == "c" and a.dtype.kind != "c"  # in SciPy
    if not (some_traced(a, c) or drops_imaginary_part):
        return qr_multiply_values(a, c, **settings)
    refuse_nonfinite(True, a, c)
    if mode not in ("left", "right"):
        raise ValueError(f"Mode argument can only be 'left' or 'right' but not '{mode}'")
    q, *rest = qr(a, "complete" if overwrite_c and mode == "left" else "reduced", pivoting=pivoting)
    rest[0] = rest[0][..., : min(a.shape[-2:]), :]
    if conjugate:
        q = np.conjugate(q)
    length = q.shape[-1] if mode == "left" else q.shape[-2]
    if c.shape[0 if c.ndim == 1 else -2 if mode == "left" else -1] != length:
        raise ValueError(f"Array shapes are not compatible: {a.shape} and {c.shape}")
    product = q @ c if mode == "left" else c @ q
    stack = np.broadcast_shapes(a.shape[:-2], c.shape[:-2])
    if stack != a.shape[:-2]:
        rest = [np.broadcast_to(x, stack + x.shape[a.ndim - 2 :]) for x in rest]
    return product, *rest
