"""The QR factorization."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.rules.products.matrix_products import H, adjoint_times, product, times_adjoint
from ..elementary.triangles import skew_from, skew_gradient
from ..kernels import numpy_gufuncs
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.validation import cancelled, refuse_nonfinite, some_traced
from ..systems.triangular import adjoint_product, divided, divided_by_adjoint, without_last_column
from .complement import complement
from .householder import householder_vectors
from .permutations import columns_taken

_MODES: Final[dict[str, Any]] = {"economic": "reduced", "full": "complete"}


@primitive(family="QR")
def thin_qr(a: Any, *, factors: Any) -> Any:
    """`q` with orthonormal columns and upper triangular `r`, as given."""
    return factors


# a = q r; with r1 the leading square block, c = H(q) da1 inv(r1) and w = H(q) dq, skew-Hermitian:
#     c = w + dr1 inv(r1)  =>  w is fixed by the strictly lower triangle of c and, as diag r is real, by Im diag c
#     dr = H(q) da - w r,  dq = q w + (1 - q H(q)) da1 inv(r1)   [WL10, RR20]
# Where q is square and real the last column of c is not needed, so that the last element of diag r may be zero.
@thin_qr.differential
def _(x: Any, a: Any, da: Any, *, factors: Any) -> Any:
    q, r = x
    quotient = divided(da[..., : q.shape[-1]], _divisor(q, r))
    c = H(q) @ quotient
    w = skew_from(c)
    return q @ w if _is_square(q) else q @ (w - c) + quotient, H(q) @ da - w @ r


# <gq, dq> + <gr, dr> = <s, w> + <gq, (1 - q H(q)) da1 inv(r1)> + <q gr, da>  with  s = H(q) gq - gr H(r),  and
# <s, w> = <k, c> = <q k inv(H(r1)), da1>  with  k = skew_gradient(s)
@thin_qr.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, factors: Any) -> Any:
    return (_gradient(*x, *g),)


def _gradient(q: Any, r: Any, gq: Any, gr: Any) -> Any:
    divisor = _divisor(q, r)
    m = 0.0 if gq is None else adjoint_times(q, gq)
    s = m if gr is None else m - _times_adjoint(gr, r)
    k = skew_gradient(s)
    if not _is_square(q):
        inner = product(q, k - s)  # r is square here, and q gr = q (gr H(r)) inv(H(r)) = q (m - s) inv(H(r))
        return divided_by_adjoint(inner if gq is None else inner + gq, divisor)
    inner = _widened(divided_by_adjoint(k, divisor), r)
    return product(q, inner if gr is None else inner + gr)


def _times_adjoint(g: Any, r: Any) -> Any:
    """`g H(r)`."""
    if r.shape[-1] == r.shape[-2]:
        return adjoint_product(r, g, lower=False, right=True)
    return times_adjoint(g, r)


def _is_square(q: Any) -> bool:
    return bool(q.shape[-2] == q.shape[-1])


def _divisor(q: Any, r: Any) -> Any:
    """What the leading columns of `da` are divided by."""
    size = q.shape[-1]
    r1 = r[..., :size] if r.shape[-1] > size else r
    all_but_last = _is_square(q) and q.dtype.kind != "c"
    _refuse_dependent(r1, size - all_but_last)
    return without_last_column(r1) if all_but_last else r1


def _widened(a: Any, r: Any) -> Any:
    """Square matrices with columns of zeros on their right, so that there are as many as in `r`."""
    return a if a.shape == r.shape else np.concatenate([a, np.zeros_like(r[..., a.shape[-1] :])], axis=-1)


def _refuse_dependent(r: Any, count: int) -> None:
    """Raise if one of the leading columns is, up to rounding, a combination of those before it."""
    r = raw(r)[..., :count]
    length = np.sqrt(np.sum(np.abs(r) ** 2, axis=-2))
    if np.any(cancelled(np.diagonal(r, 0, -2, -1), length, r.shape[-2])):
        raise NotDifferentiableError(
            "numpy.linalg.qr",
            "the leading columns (of rq: the last rows) are linearly dependent up to rounding, so that q is not "
            "determined by them. Order them so that min(M, N) independent ones come first (pivoting=True does)",
            "a",
        )


def completed(q: Any, columns: Any, function: str) -> Any:
    """Orthonormal columns, and further ones that complete them to a basis."""
    return np.concatenate([q, complement(q, columns=columns, function=function)], axis=-1)


@implements(np.linalg.qr)
def _(a: Any, mode: str = "reduced") -> Any:
    a = as_operand(a)
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    if mode == "raw":
        return householder_vectors(a)
    full = numpy_gufuncs.qr(raw(a), "complete" if mode == "complete" else "reduced")
    q, r = as_functions(a, *full)
    return r if mode == "r" else type(full)(q, r)


def as_functions(
    a: Any, q: Any, r: Any, thin: Callable[..., Any] = thin_qr, function: str = "numpy.linalg.qr"
) -> tuple[Any, Any]:
    """Plain factors, reduced or complete, as functions of `a`; `thin` is the rule of the reduced ones."""
    size = min(a.shape[-2:])
    extra, below = q[..., :, size:], r[..., size:, :]
    q, r = thin(a, factors=(q[..., :, :size], r[..., :size, :]))
    if extra.shape[-1] == 0:
        return q, r
    return completed(q, extra, function), np.concatenate([r, below], axis=-2)


@kernel(2)
def pivoted_qr(a: Any, *, mode: str) -> Any:
    """LAPACK's `geqp3`, by SciPy."""
    out = scipy.linalg.qr(a, mode=mode, pivoting=True, check_finite=False)
    return (out[0][0].T, out[0][1], out[2]) if mode == "raw" else out


def _pivoted(a: Any, mode: str) -> Any:
    """The factors of `a` with its columns in the order that LAPACK chooses, and that order."""
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    if mode == "raw":
        h, tau, order = pivoted_qr(raw(a), mode="raw")
        return (*householder_vectors(columns_taken(a, order)), order) if some_traced(a) else (h, tau, order)
    q, r, order = pivoted_qr(raw(a), mode="full" if mode == "complete" else "economic")
    ordered = columns_taken(a, order)
    q, r = as_functions(ordered, q, r)
    return (r, order) if mode == "r" else (q, r, order)


@public(a=2)
def qr(
    a: Any,
    mode: str = "reduced",
    *,
    pivoting: bool = False,
    overwrite_a: bool = False,
    lwork: int | None = None,
    check_finite: bool = False,
) -> Any:
    """The factorization `a = q @ r` into orthonormal columns and an upper triangle.

    With `c = H(q) da inv(r)` and `w` the skew-Hermitian matrix that has the strictly lower triangle of `c` and the
    imaginary part of its diagonal: `dr = (c - w) r`, `dq = q w + (1 - q H(q)) da inv(r)`.

    Parameters
    ----------
    a : array_like (..., M, N)
        The matrices.
    mode : {"reduced", "complete", "r", "raw", "economic", "full"}
        With K = min(M, N): `q` (..., M, K) and `r` (..., K, N); `q` (..., M, M) and `r` (..., M, N); `r` (..., K, N)
        alone; or LAPACK's Householder vectors `h` (..., N, M) and their scales `tau` (..., K).  The last two are
        SciPy's names for "reduced" and "complete"; they warn, because NumPy has deprecated modes of these names with
        another meaning.
    pivoting : bool
        Whether to choose an order of the columns for which the diagonal of `r` descends: `a[:, p] = q @ r`.
    overwrite_a, lwork : bool, int
        Accepted; `a` is never changed, and LAPACK gets the work space that it asks for.  Less than N is an error.

    Returns
    -------
    QRResult or ndarray
        `Q` and `R`, or `r` alone; a tuple for "raw".  The diagonal of `r` is real.  With `pivoting` a tuple, of the
        same and `p` (..., N), which is a constant of every derivative.

    Raises
    ------
    NotDifferentiableError
        If a derivative is needed where the first min(M, N) columns are linearly dependent.  In a real square or wide
        matrix the last of them may be.
    GaugeError
        If the loss depends on the choice of the columns that "complete" adds.

    Examples
    --------
    >>> import wirtinger as np
    >>> q, r = np.linalg.qr(np.array([[3.0, 1.0], [4.0, 2.0]]))
    >>> np.abs(r).round(12)
    array([[5. , 2.2],
           [0. , 0.4]])
    """
    a, kind = as_operand(a), _MODES.get(mode, mode)
    if kind != mode and not pivoting:
        warnings.warn(f"mode={mode!r} was something else in NumPy until 1.8; here say {kind!r}", DeprecationWarning, 3)
    if lwork is not None and -1 != lwork < max(a.shape[-1:], default=1):
        raise ValueError(f"lwork={lwork} is less than the {a.shape[-1]} columns")
    refuse_nonfinite(check_finite, a)
    if pivoting:
        return _pivoted(a, kind)
    return np.linalg.qr(a, kind) if isinstance(a, Traced) else numpy_gufuncs.qr(a, kind)
