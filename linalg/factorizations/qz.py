"""The generalized Schur form of pairs of square matrices, in LAPACK's order or in another one."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from ...complex_autograd.engine.errors import GaugeError
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import raw
from ..elementary.triangles import identity
from ..kernels.public import public
from ..kernels.stacks import kernel
from ..kernels.tolerances import negligible
from ..kernels.validation import some_traced
from .generalized_schur import generalized_schur


@primitive
def paired_values(ratio: Any, alpha: Any, beta: Any, *, inside: Any, known: Any) -> Any:
    """`alpha` and `beta` as known; where `inside` is 1 only their ratio is determined."""
    return known


# the scale is that of the results: what follows does not depend on it when they and cotangents are rephased together
@paired_values.differential
def _(
    x: Any, ratio: Any, alpha: Any, beta: Any, dratio: Any, dalpha: Any, dbeta: Any, *, inside: Any, known: Any
) -> Any:
    return x[1] * inside * dratio + (1 - inside) * dalpha, (1 - inside) * dbeta


@paired_values.adjoint_by_hand
def _(g: Any, x: Any, ratio: Any, alpha: Any, beta: Any, *, inside: Any, known: Any) -> Any:
    parts = [(raw(gy), raw(y)) for gy, y in zip(g, x, strict=True) if gy is not None]
    along = sum(np.real(np.conj(y) * gy) for gy, y in parts) * inside
    scale = sum(np.abs(y) * np.abs(gy) for gy, y in parts)
    if np.any(np.abs(along) > negligible(scale, 1)):
        raise GaugeError(
            "linalg.ordqz: the loss depends on the common scale of alpha and beta of a pair of complex eigenvalues "
            "of real matrices, which is arbitrary; the component of its cotangent along it is "
            f"{float(np.max(np.abs(along))):.1e}. Use alpha / beta."
        )
    galpha, gbeta = (np.zeros_like(y) if gy is None else gy for gy, y in zip(g, x, strict=True))
    return x[1] * inside * galpha, (1 - inside) * galpha, (1 - inside) * gbeta


@kernel(2, 2)
def qz_values(a: Any, b: Any, **settings: Any) -> Any:
    """SciPy's function, and matrices without elements."""
    if a.shape == b.shape == (0, 0):
        return (_empty_form(a, b, settings["output"]),) * 4
    return scipy.linalg.qz(a, b, **settings)


@kernel(2, 2)
def ordqz_values(a: Any, b: Any, **settings: Any) -> Any:
    """SciPy's function, and matrices without elements."""
    if a.shape == b.shape == (0, 0):
        none = _empty_form(a, b, settings["output"])
        values = none.reshape(0)
        return none, none, values + 0j, values, none, none
    return scipy.linalg.ordqz(a, b, **settings)


def _empty_form(a: Any, b: Any, output: str) -> Any:
    """A form of matrices without elements."""
    return np.zeros((0, 0), np.result_type(a, b, np.float32, *[np.complex64] * (output != "real")))


def _ordered_values(s: Any, t: Any, alpha: Any, beta: Any) -> tuple[Any, Any]:
    """`alpha` and `beta` as functions of the form, from their values."""
    above, below = np.diagonal(s, 1, -2, -1), np.diagonal(s, -1, -2, -1)
    values, scales = np.diagonal(s, 0, -2, -1), np.diagonal(t, 0, -2, -1)
    if t.dtype.kind == "c" or t.shape[-1] < 2:
        return values + 0j, scales
    pair = raw(below) != 0
    none = np.zeros_like(pair[..., :1])
    first, second = np.concatenate([pair, none], axis=-1), np.concatenate([none, pair], axis=-1)
    eye = identity(t)
    below = np.where(pair, below, 1.0)
    scale, other = np.where(pair, scales[..., :-1], 1.0), np.where(pair, scales[..., 1:], 1.0)
    p, q = values[..., :-1] / scale, values[..., 1:] / other
    square = np.where(pair, -(((p - q) / 2) ** 2) - (above / scale) * (below / other), 1.0)
    root = np.sqrt(square)
    middle = np.where(pair, (p + q) / 2, 0.0) @ (eye[1:] + eye[:-1])
    ratio = middle + 1j * (np.where(pair, root, 0.0) @ (eye[:-1] - eye[1:]))
    inside = (first | second).astype(eye.dtype)
    alpha, beta = paired_values(ratio, values + 0j, scales, inside=inside, known=(alpha, beta))
    return alpha, beta


@public(A=2, B=2)
def qz(
    A: Any,
    B: Any,
    output: str = "real",
    lwork: int | None = None,
    sort: None = None,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[Any, Any, Any, Any]:
    """The generalized Schur form of pairs of matrices, `A = q @ s @ H(z)` and `B = q @ t @ H(z)`.

    Parameters
    ----------
    A, B : array_like (..., N, N)
        The matrices.
    output : {"real", "complex"}
        Which form real matrices get; complex ones always get the complex form.
    lwork : int, optional
        The size of LAPACK's workspace.
    sort : None
        Not supported, as in SciPy; `ordqz` sorts.

    Returns
    -------
    s, t : ndarray (..., N, N)
        Upper triangular; a real `s` has blocks of two rows for the pairs of complex eigenvalues, where `t` is diagonal.
        The diagonal of `t` is real and not negative.
    q, z : ndarray (..., N, N)
        Unitary.

    Raises
    ------
    LinAlgError
        If the iteration fails.
    ValueError
        If the matrices are not square, or not of one size.
    GaugeError
       If a derivative is needed of a loss that depends on the phases of the columns of a complex form, on the
       rotations of a real pair of rows with equal diagonal elements of `t`, or on a block of equal generalized
       eigenvalues; or, where there are such blocks, a second derivative or one in forward mode.
    PrecisionLossError
        If rounding errors spoil half of the digits of a derivative, as of nearly defective pairs.

    Notes
    -----
    With `m = H(q) dA z` and the skew-Hermitian `v`, `w` for which `m - (v s - s w)` has the form of `s`, and that of
    `dB` the form of `t`: these are `ds` and `dt`, `dq = q v` and `dz = z w`.  The order of the eigenvalues is locally
    constant.

    Examples
    --------
    >>> import wirtinger as np
    >>> a, b = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[2.0, 0.0], [1.0, 1.0]])
    >>> s, t, q, z = np.linalg.qz(a, b)
    >>> np.allclose(q @ s @ z.T, a) and np.allclose(q @ t @ z.T, b)
    True
    """
    a, b = operands(A, B)
    s, t, q, z = qz_values(raw(a), raw(b), output=output, lwork=lwork, sort=sort, check_finite=check_finite)
    return generalized_schur(a, b, s, t, q, z) if some_traced(a, b) else (s, t, q, z)


@public(A=2, B=2)
def ordqz(
    A: Any,
    B: Any,
    sort: Any = "lhp",
    output: str = "real",
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> tuple[Any, ...]:
    """The generalized Schur form of pairs of matrices with some eigenvalues first.

    Differentiable as `qz` is; the order is locally constant.

    Parameters
    ----------
    A, B : array_like (..., N, N)
        The matrices.
    sort : {"lhp", "rhp", "iuc", "ouc"} or callable
        Which eigenvalues come first: those in the left or right half-plane, inside or outside the unit circle, or those
        for which the function of `alpha` and `beta`, arrays both, is true.
    output : {"real", "complex"}
        Which form real matrices get.

    Returns
    -------
    s, t : ndarray (..., N, N)
        As `qz` has them.
    alpha, beta : ndarray (..., N)
        The eigenvalues are `alpha / beta`.
    q, z : ndarray (..., N, N)
        Unitary.

    Raises
    ------
    LinAlgError
        If the iteration fails.
    ValueError
        If the matrices are not square or not of one size, or cannot be brought in order.
    GaugeError
        As `qz`; also of a loss that depends on the common scale of `alpha` and `beta` of a pair of complex eigenvalues
        of real matrices.
    PrecisionLossError
        As `qz`.

    Examples
    --------
    >>> import wirtinger as np
    >>> s, t, alpha, beta, q, z = np.linalg.ordqz(np.diag([1.0, -2.0]), np.eye(2))
    >>> alpha / beta
    array([-2.+0.j,  1.+0.j])
    """
    a, b = operands(A, B)
    s, t, alpha, beta, q, z = ordqz_values(raw(a), raw(b), sort=sort, output=output, check_finite=check_finite)
    if some_traced(a, b):
        s, t, q, z = generalized_schur(a, b, s, t, q, z)
        alpha, beta = _ordered_values(s, t, alpha, beta)
    return s, t, alpha, beta, q, z
