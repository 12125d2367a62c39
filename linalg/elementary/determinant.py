"""Determinants: their differential is `tr(adj(a) da)`, with the adjugate, which exists at every matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.symbolic import of_stacks
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.namespace.routed import routed_linalg
from ..kernels import numpy_gufuncs
from ..kernels.factors import LU, lu_of
from ..kernels.numpy_gufuncs import SlogdetResult
from ..kernels.public import refuse_infinite
from ..systems.solve import inverse
from .adjugate import adjugate, refuse_singular, scaled_adjoint, scaled_adjugate, trace_of_product


@primitive(family="LU")
def determinant(a: Any) -> Any:
    """The determinant."""
    return numpy_gufuncs.det(a)


@determinant.differential
def _(x: Any, a: Any, da: Any) -> Any:
    return trace_of_product(adjugate(a), da)


@determinant.adjoint_by_hand
@of_stacks
def _(g: Any, x: Any, a: Any) -> Any:
    return (scaled_adjoint(adjugate(a), g) if isinstance(a, Traced) else scaled_adjugate(g, a, x),)


@implements(np.linalg.det)
def _det(a: Any) -> Any:
    return determinant(as_operand(a))


@primitive(family="LU")
def sign_and_logarithm(a: Any, *, factors: LU | None = None) -> Any:
    """The phase of the determinant, and the logarithm of its modulus."""
    return numpy_gufuncs.slogdet(a) if factors is None else SlogdetResult(*factors.slogdet())


# det = sign exp(logabs)  =>  dlogabs = Re t,  dsign = i sign Im t,  with t = tr(inv(a) da)
@sign_and_logarithm.differential
def _(x: Any, a: Any, da: Any, *, factors: LU | None = None) -> Any:
    t = trace_of_product(_regular_inverse(x, a, factors), da)
    return 1j * x[0] * np.imag(t) if x[0].dtype.kind == "c" else ZERO, np.real(t)


# <g_sign, i sign Im t> + g_log Re t = <c, t>  with  c = g_log + i Im(conj(sign) g_sign)
@sign_and_logarithm.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, factors: LU | None = None) -> Any:
    g_sign, g_log = g
    c: Any = 0.0 if g_log is None else g_log
    if g_sign is not None and x[0].dtype.kind == "c":
        c = c + np.imag(np.conjugate(x[0]) * g_sign) * 1j
    elif g_log is None:
        return (None,)
    return (scaled_adjoint(_regular_inverse(x, a, factors), c),)


def _regular_inverse(x: Any, a: Any, factors: LU | None) -> Any:
    refuse_singular(raw(x[0]), "numpy.linalg.slogdet", "log |det| is -inf at a singular matrix")
    return inverse(a, factors=factors)


@implements(np.linalg.slogdet)
def _slogdet(a: Any) -> Any:
    a = as_operand(a)
    try:
        factors = lu_of(a)
    except np.linalg.LinAlgError:  # singular: the value exists, the derivatives do not
        factors = None
    return sign_and_logarithm(a, factors=factors)


@routed_linalg
def det(a: Any, overwrite_a: bool = False, check_finite: bool = False) -> Any:
    """The determinant of square matrices.

    The gradient is the matrix of cofactors (conjugated), at singular matrices of any rank too, and the second
    derivative is right there as well.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    overwrite_a : bool
        Accepted for compatibility; arguments are never overwritten.
    check_finite : bool
        Whether to raise `ValueError` if `a` has infinities or NaN.

    Returns
    -------
    ndarray (...)
        Their determinants.

    Raises
    ------
    LinAlgError
        If the matrices are not square.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad
    >>> grad(np.linalg.det)(np.array([[1.0, 2.0], [2.0, 4.0]])).round(12)
    array([[ 4., -2.],
           [-2.,  1.]])
    """
    a = as_operand(a)
    if check_finite:
        refuse_infinite(a)
    return _det(a) if isinstance(a, Traced) else numpy_gufuncs.det(a)


@routed_linalg
def slogdet(a: Any) -> Any:
    """The sign of the determinant, and the logarithm of its absolute value.

    With `t = tr(inv(a) da)`, `dlogabsdet = Re t` and `dsign = i sign Im t`; a real sign is constant.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.

    Returns
    -------
    SlogdetResult
        `sign`: -1, 0 or 1, or a number of modulus one if `a` is complex; `logabsdet`: real.

    Raises
    ------
    LinAlgError
        If the matrices are not square.
    NotDifferentiableError
        If a derivative is needed at a singular matrix.

    Examples
    --------
    >>> import wirtinger as np
    >>> sign, logabsdet = np.linalg.slogdet(-np.eye(3))
    >>> float(sign), float(logabsdet)
    (-1.0, 0.0)
    """
    a = as_operand(a)
    return _slogdet(a) if isinstance(a, Traced) else numpy_gufuncs.slogdet(a)
