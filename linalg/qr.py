"""The QR factorization."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.array import raw
from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.errors import NotDifferentiableError
from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import primitive
from ..complex_autograd.routed import routed_linalg
from .complement import complement
from .factors import triangular
from .householder import householder_vectors
from .solve import solution
from .triangles import skew_from

__all__ = ["qr"]


@primitive
def thin_qr(a: Any, *, factors: Any) -> Any:
    """`q` with orthonormal columns and upper triangular `r`, as given."""
    return factors


# a = q r; with r1 the leading square block, c = H(q) da1 inv(r1) and w = H(q) dq, skew-Hermitian:
#     c = w + dr1 inv(r1)  =>  w is fixed by the strictly lower triangle of c and, as diag r is real, by Im diag c
#     dr = H(q) da - w r,  dq = q w + (1 - q H(q)) da1 inv(r1)   [WL10, RR20]
@thin_qr.differential
def _(x: Any, a: Any, da: Any, *, factors: Any) -> Any:
    q, r = x
    size = q.shape[-1]
    wide = r.shape[-1] > size
    r1, da1 = (r[..., :size], da[..., :size]) if wide else (r, da)
    _refuse_dependent(r1)
    quotient = _divided(da1, r1)
    c = H(q) @ quotient
    w = skew_from(c)
    dq = q @ w if q.shape[-2] == size else q @ (w - c) + quotient
    return dq, H(q) @ da - w @ r


def _divided(a: Any, r: Any) -> Any:
    """`a inv(r)` for upper triangular `r`."""
    factors = triangular(r, lower=False)
    return H(solution(H(r), H(a), factors=None if factors is None else factors.H))


def _refuse_dependent(r: Any) -> None:
    diagonal = np.abs(np.diagonal(raw(r), axis1=-2, axis2=-1))
    if np.any(diagonal == 0):
        raise NotDifferentiableError(
            "numpy.linalg.qr",
            "the leading columns are linearly dependent, so that q is not determined by them. Order the columns so "
            "that the first min(M, N) are independent",
            "a",
        )


@implements(np.linalg.qr)
def _(a: Any, mode: str = "reduced") -> Any:
    a = as_operand(a)
    m, n = a.shape[-2:]
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    if mode == "raw":
        return householder_vectors(a)
    full = np.linalg.qr(raw(a), "complete" if mode == "complete" else "reduced")
    size = min(m, n)
    thin = type(full)(full[0][..., :, :size], full[1][..., :size, :])
    q, r = thin_qr(a, factors=thin)
    if mode == "r":
        return r
    if mode == "complete" and m > n:
        rest = complement(q, columns=full[0][..., :, size:], function="numpy.linalg.qr")
        q = np.concatenate([q, rest], axis=-1)
        r = np.concatenate([r, full[1][..., size:, :]], axis=-2)
    return type(full)(q, r)


@routed_linalg
def qr(a: Any, mode: str = "reduced") -> Any:
    """The factorization `a = q @ r` into orthonormal columns and an upper triangle.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    mode : {"reduced", "complete", "r", "raw"}
        With K = min(M, N): `q` (..., M, K) and `r` (..., K, N); `q` (..., M, M) and `r` (..., M, N); `r` alone; or
        LAPACK's Householder vectors `h` (..., N, M) and their scales `tau` (..., K).

    Returns
    -------
    QRResult or ndarray
        `Q` and `R`, or `r` alone; a tuple for "raw".  The diagonal of `r` is real.

    Raises
    ------
    NotDifferentiableError
        If a derivative is needed where the leading columns are linearly dependent.
    GaugeError
        If the loss depends on the choice of the columns that "complete" adds.

    Notes
    -----
    With `c = H(q) da inv(r)` and `w` the skew-Hermitian matrix that has the strictly lower triangle of `c` and the
    imaginary part of its diagonal: `dr = (c - w) r`, `dq = q w + (1 - q H(q)) da inv(r)`.

    Examples
    --------
    >>> import wirtinger as np
    >>> q, r = np.linalg.qr(np.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> np.abs(r).round(12)
    array([[5. , 2.2],
           [0. , 0.4]])
    """
    return np.linalg.qr(as_operand(a), mode)
