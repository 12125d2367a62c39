"""Eigenvalues and eigenvectors of general matrices.

With `a v = v diag(w)`, `c = inv(v) da v` and `f_ij = 1/(w_j - w_i)`, 0 where `w_i = w_j`:

    dw = diag c,   dv = v (f o c), less what changes the length of its columns,

and, with `m = H(v) gv` and `d = Re diag m`,

    ga = inv(H(v)) (diag gw + conj(f) o (m - H(v) v d)) H(v)

[B17, eq. 4.77].  Where `m - H(v) v d` meets equal values it must vanish, and so must the imaginary part of the
diagonal of `m`: the choice of the vectors is arbitrary there.  A defective matrix has no derivative of its
eigenvalues.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.creation import as_operand
from ..complex_autograd.dispatch import implements
from ..complex_autograd.errors import GaugeError, NotDifferentiableError
from ..complex_autograd.gufuncs import H
from ..complex_autograd.primitive import linear, primitive
from ..complex_autograd.routed import routed_linalg
from .eigen_hermitian import diagonal_matrix, reciprocal_gaps
from .gauge import refuse_gauge
from .solve import solution
from .ties import TIED, is_negligible, is_uneven, mean_over

__all__ = ["eig", "eigvals"]

DEFECTIVE = 0.1
"""From this times `eps ** -0.5` on, the condition number of an eigenvalue is that of a multiple one without vectors."""


@linear
def diagonal_of(a: Any) -> Any:
    """The diagonal."""
    return np.diagonal(a, axis1=-2, axis2=-1)


@diagonal_of.adjoint(0)
def _(g: Any, a: Any) -> Any:
    return diagonal_matrix(g)


@primitive
def eigen(a: Any) -> Any:
    """Eigenvalues and eigenvectors; real where all eigenvalues of a real matrix are."""
    return np.linalg.eig(a)


@eigen.differential
def _(x: Any, a: Any, da: Any) -> Any:
    w, v = x
    same = _equal_values(w, v, a)
    c = solution(v, da @ v)
    dv = v @ (c * reciprocal_gaps(w, same))
    lengthening = np.sum(np.real(np.conj(v) * dv), axis=-2, keepdims=True)
    return _slope(c, same), dv - v * lengthening


def _slope(c: Any, same: Any) -> Any:
    """`dw`; the mean over equal values."""
    dw = diagonal_of(c)
    return dw if same is None else mean_over(same, dw)


@eigen.adjoint_by_hand
def _(g: Any, x: Any, a: Any) -> Any:
    gw, gv = g
    w, v = x
    same = _equal_values(w, v, a)
    inner = 0.0
    if gv is not None:
        m = H(v) @ gv
        rest = m - (H(v) @ v) * np.real(diagonal_of(m))[..., None, :]
        refuse_gauge("numpy.linalg.eig", rest, same, gv, "eigenvectors", w)
        _refuse_coupling(gw, gv, same)
        inner = rest * np.conj(reciprocal_gaps(w, same))
    if gw is not None:
        if same is not None and is_uneven(gw, same):
            gw = mean_over(same, gw)
        inner = inner + diagonal_matrix(gw)
    return (solution(H(v), inner @ H(v)),)


def _equal_values(w: Any, v: Any, a: Any) -> Any:
    """1 where eigenvalues are equal up to rounding, else 0; None if all are distinct.

    Raises if `v` is singular, and if values are equal while `a` is still being differentiated.
    """
    w, v = raw(w), raw(v)
    eps = np.finfo(w.dtype).eps
    sensitivity = _condition_numbers(v)
    if not np.all(sensitivity < DEFECTIVE / np.sqrt(eps)):
        raise NotDifferentiableError(
            "numpy.linalg.eig",
            "the matrix is defective to working precision: an eigenvalue is repeated and has fewer eigenvectors than "
            "that, so that the eigenvalues move as a root of the change. Traces, determinants and functions of the "
            "matrix (expm, sqrtm, matrix_power) have derivatives there",
            "a",
        )
    gaps = np.abs(w[..., :, None] - w[..., None, :])
    largest = np.max(np.abs(w), axis=-1, keepdims=True, initial=0.0)
    rounding = TIED * w.shape[-1] * eps * largest * sensitivity
    same = (gaps <= np.maximum(rounding[..., :, None], rounding[..., None, :])).astype(gaps.dtype)
    if np.sum(same) == w.size:
        return None
    if isinstance(a, Traced) and a.tangent is not None:
        raise GaugeError(
            "numpy.linalg.eig: a second derivative was asked for where eigenvalues of a general matrix are equal. "
            "There is one for Hermitian matrices (eigh, eigvalsh), and for functions of the matrix that need no "
            "eigenvalues (trace, det, matrix_power, inv)."
        )
    return same


def _condition_numbers(v: Any) -> Any:
    """Those of the eigenvalues: the lengths of the left eigenvectors that belong to right ones of length one."""
    try:
        inverse = np.linalg.inv(v)
    except np.linalg.LinAlgError:
        return np.full_like(np.abs(v[..., 0]), np.inf)
    return np.sqrt(np.sum(np.abs(inverse) ** 2, axis=-1))


def _refuse_coupling(gw: Any, gv: Any, same: Any) -> None:
    if same is None or gw is None:
        return
    shared = np.sum(same, axis=-1) > 1
    if not is_negligible(raw(gw) * shared, gw, 1) and not is_negligible(gv, 0 * raw(gv), 2):
        raise GaugeError(
            "numpy.linalg.eig: the loss uses equal eigenvalues together with eigenvectors, as v @ diag(f(w)) @ inv(v) "
            "does. Its derivative does not follow from those of values and vectors where values are equal. Use the "
            "function of the matrix itself (inv, matrix_power, expm, sqrtm, logm, funm)."
        )


@primitive
def eigenvalues(a: Any) -> Any:
    """The eigenvalues alone, in NumPy's order."""
    return np.linalg.eigvals(a)


@eigenvalues.differential
def _(w: Any, a: Any, da: Any) -> Any:
    known, v = eigen(a)
    same = _equal_values(known, v, a)
    return np.take_along_axis(_slope(solution(v, da @ v), same), _order(w, known), axis=-1)


@eigenvalues.adjoint_by_hand
def _(g: Any, w: Any, a: Any) -> Any:
    known, v = eigen(a)
    same = _equal_values(known, v, a)
    g = np.take_along_axis(g, _order(known, w), axis=-1)
    if same is not None and is_uneven(g, same):
        g = mean_over(same, g)
    return (solution(H(v), diagonal_matrix(g) @ H(v)),)


def _order(w: Any, known: Any) -> Any:
    """Where the eigenvalues `w` stand among the known ones, which may be in another order."""
    w, known = raw(w), raw(known)
    gaps = np.abs(w[..., :, None] - known[..., None, :])
    picked = []
    for i in range(w.shape[-1]):
        nearest = np.argmin(gaps[..., i, :], axis=-1)[..., None]
        picked.append(nearest)
        np.put_along_axis(gaps, np.broadcast_to(nearest[..., None], (*w.shape, 1)), np.inf, axis=-1)
    return np.concatenate(picked, axis=-1) if picked else np.zeros(w.shape, int)


@implements(np.linalg.eig)
def _(a: Any) -> Any:
    return eigen(as_operand(a))


@implements(np.linalg.eigvals)
def _(a: Any) -> Any:
    return eigenvalues(as_operand(a))


@routed_linalg
def eig(a: Any) -> Any:
    """Eigenvalues and right eigenvectors of square matrices.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.

    Returns
    -------
    EigResult
        `eigenvalues` (..., M) and `eigenvectors` (..., M, M), in columns of length one; real if `a` and all eigenvalues
        are.

    Raises
    ------
    LinAlgError
        If the computation does not converge.
    NotDifferentiableError
        If a derivative is needed and a matrix is defective to working precision.
    GaugeError
        If a second derivative is needed where eigenvalues are equal, or a derivative of a loss that depends on the
        phases of the vectors, or on their choice where eigenvalues are equal.

    Notes
    -----
    With `c = inv(v) da v`: `dw = diag c`, and `dv = v (f o c)`, `f_ij = 1/(w_j - w_i)`, less what changes the lengths.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(lambda a: np.real(np.linalg.eig(a)[0][0]))(np.array([[1.0, 1.0], [0.0, 3.0]]))
    array([[ 1. ,  0. ],
           [-0.5,  0. ]])
    """
    return np.linalg.eig(as_operand(a))


@routed_linalg
def eigvals(a: Any) -> Any:
    """Eigenvalues of square matrices.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.

    Returns
    -------
    ndarray (..., M)
        The eigenvalues; real if `a` and all of them are.

    Raises
    ------
    LinAlgError
        If the computation does not converge.
    NotDifferentiableError
        If a derivative is needed and a matrix is defective to working precision.

    Examples
    --------
    >>> import wirtinger as np
    >>> np.linalg.eigvals(np.array([[0.0, 1.0], [-1.0, 0.0]]))
    array([0.+1.j, 0.-1.j])
    """
    return np.linalg.eigvals(as_operand(a))
