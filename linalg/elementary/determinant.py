"""Determinants.

The differential of the determinant is `tr(adj(a) da)` with the adjugate, the transposed matrix of cofactors, which is a
polynomial: it exists at every matrix, whatever its rank.  With `a = u s H(v)`,

    adj(a) = det(u) conj(det(v)) v diag(e_i) H(u),   e_i = product of all s_k but s_i,

and its differential along `da`, with `p = H(u) da v` and `e_ij` the product of all `s_k` but `s_i` and `s_j`, is

    det(u) conj(det(v)) v q H(u),   q_ij = -e_ij p_ij for i != j,   q_ii = sum_(k != i) e_ik p_kk.

Singular values have their digits beside the largest one only.  So rows and columns of different sizes are first made of
one size by powers of two, which is exact: of `a_ij = 2**(r_i + c_j) b_ij` the adjugate has the elements
`adj(a)_ji = 2**(sum r + sum c - r_i - c_j) adj(b)_ji`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...backends.blas import sum_of_squares
from ...complex_autograd.engine.dispatch import implements
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.namespace.routed import routed_linalg
from ...complex_autograd.rules.products.matrix_products import H
from ..kernels import numpy_gufuncs
from ..kernels.factors import LU, StackInverse, lu_of, stack_inverse_of
from ..kernels.numpy_gufuncs import SlogdetResult
from ..kernels.partly_linear import PartlyLinear
from ..kernels.public import refuse_infinite
from ..kernels.validation import some_traced
from ..systems.solve import inverse
from .triangles import identity

__all__ = ["adjugate", "det", "slogdet"]

WELL_CONDITIONED = 1e-4
"""Up to this times `eps ** -0.5`, a condition number costs `det(a) inv(a)` few digits, and it is the faster way."""


@primitive
def determinant(a: Any, *, factors: StackInverse | None = None) -> Any:
    """The determinant."""
    return numpy_gufuncs.det(a) if factors is None else factors.det()


@determinant.differential
def _(x: Any, a: Any, da: Any, *, factors: StackInverse | None = None) -> Any:
    return _trace_of_product(adjugate(a), da)


@determinant.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, factors: StackInverse | None = None) -> Any:
    if factors is not None and not some_traced(g, a) and factors.are_accurate(a, _largest_condition(a.dtype)):
        return (factors.scaled_adjoint(g * np.conjugate(x)),)
    y = adjugate(a) if isinstance(a, Traced) else _adjugate(a, x)
    return (_over_matrices(g) * H(y),)


def _over_matrices(c: Any) -> Any:
    """One number for each matrix of a stack, so that it multiplies the matrix."""
    return c[..., None, None] if c.shape else c


def _trace_of_product(a: Any, b: Any) -> Any:
    """`tr(a b)`."""
    return np.sum(a.mT * b, axis=(-2, -1))


@primitive
def adjugate(a: Any) -> Any:
    """The adjugate: `adj(a) a = det(a)`."""
    return _adjugate(a, numpy_gufuncs.det(a))


def _adjugate(a: Any, det: Any) -> Any:
    """`det(a) inv(a)` where a matrix is well-conditioned; else by its singular values, which gives more digits."""
    x, accurate = _inverse_and_accuracy(a)
    if x is None:
        return _adjugate_by_singular_values(a)
    y = _over_matrices(det) * x
    if accurate if a.ndim == 2 else np.all(accurate):
        return y
    if a.ndim == 2:
        return _adjugate_by_singular_values(a)
    y[~accurate] = _adjugate_by_singular_values(a[~accurate])
    return y


def _adjugate_by_singular_values(a: Any) -> Any:
    b, sizes = _equilibrated(a)
    u, s, vh = numpy_gufuncs.svd(b)
    phase = numpy_gufuncs.det(u) * numpy_gufuncs.det(vh)
    return _of_original((phase[..., None, None] * H(vh) * _products_without_one(s)[..., None, :]) @ H(u), sizes)


def _equilibrated(a: Any) -> tuple[Any, Any]:
    """The matrices with rows and then columns whose largest elements are near 1, and the exponents `r_i` and `c_j`."""
    rows = np.frexp(np.max(np.abs(a), axis=-1, keepdims=True, initial=0.0))[1]
    b = _times_power(a, -rows)
    columns = np.frexp(np.max(np.abs(b), axis=-2, keepdims=True, initial=0.0))[1]
    return _times_power(b, -columns), (rows, columns)


def _times_power(a: Any, exponents: Any) -> Any:
    """`2**exponents a`."""
    if a.dtype.kind != "c":
        return np.ldexp(a, exponents)
    return np.ldexp(a.real, exponents) + 1j * np.ldexp(a.imag, exponents)


def _of_original(y: Any, sizes: Any) -> Any:
    """The adjugates of matrices, or their derivatives, from those of the equilibrated ones."""
    rows, columns = sizes
    total = np.sum(rows, axis=(-2, -1), keepdims=True) + np.sum(columns, axis=(-2, -1), keepdims=True)
    return _times_power(y, total - columns.mT - rows.mT)


def _inverse_and_accuracy(a: Any) -> Any:
    """The inverses, None if there are none; and which matrices are well-conditioned."""
    try:
        x = numpy_gufuncs.inv(a)
    except np.linalg.LinAlgError:
        if a.ndim == 2:
            return None, None
        regular = numpy_gufuncs.det(a) != 0
        x = numpy_gufuncs.inv(np.where(regular[..., None, None], a, identity(a)))
        return x, regular & _is_accurate(a, x)
    return x, _is_accurate(a, x)


def _is_accurate(a: Any, x: Any) -> Any:
    return _sums_of_squares(a) * _sums_of_squares(x) < _largest_condition(a.dtype) ** 2


@lru_cache
def _largest_condition(dtype: np.dtype[Any]) -> float:
    """The largest condition number at which the inverse is as good as the singular values."""
    return float(WELL_CONDITIONED / np.sqrt(np.finfo(dtype).eps))


def _sums_of_squares(a: Any) -> Any:
    if a.ndim == 2:
        return sum_of_squares(a)
    flat = a.reshape((*a.shape[:-2], a.shape[-2] * a.shape[-1]))
    return np.real(np.vecdot(flat, flat))


@adjugate.differential
def _(x: Any, a: Any, da: Any) -> Any:
    return adjugate_derivative(a, da)


@adjugate.adjoint_by_hand
def _(g: Any, x: Any, a: Any) -> Any:
    return (H(adjugate_derivative(a, H(g))),)  # tr(adj'(a)[b] c) is the second derivative of det: symmetric in b and c


@PartlyLinear
def adjugate_derivative(a: Any, da: Any) -> Any:
    """The differential of the adjugate along `da`."""
    if a.shape[-1] == 0:
        return da
    b, sizes = _equilibrated(a)
    u, s, vh = numpy_gufuncs.svd(b)
    phase = numpy_gufuncs.det(u) * numpy_gufuncs.det(vh)
    pairs = _products_without_two(s)
    p = H(u) @ _times_power(da, -sum(sizes)) @ H(vh)
    q = -pairs * p
    along = np.arange(s.shape[-1])
    diagonal = np.diagonal(p, axis1=-2, axis2=-1)
    q[..., along, along] = np.sum(pairs * diagonal[..., None, :], axis=-1)
    return _of_original(phase[..., None, None] * (H(vh) @ q @ H(u)), sizes)


@adjugate_derivative.adjoint(1)
def _(g: Any, a: Any, da: Any) -> Any:
    return H(adjugate_derivative(a, H(g)))


# Where x = inv(a) exists, adj'(a)[b] = adj(a) tr(x b) - adj(a) b x; differentiated as it stands.
@adjugate_derivative.differential
def _(w: Any, a: Any, b: Any, da: Any, db: Any) -> Any:
    _refuse_singular(
        np.linalg.slogdet(raw(a))[0],
        "numpy.linalg.det",
        "its third derivatives at a singular matrix are not implemented",
    )
    x, y = inverse(a), adjugate(a)
    dx, dy = -(x @ da @ x), adjugate_derivative(a, da)
    trace, dtrace = _trace_of_product(x, b), _trace_of_product(dx, b)
    derivative = dy * trace[..., None, None] + y * dtrace[..., None, None] - dy @ b @ x - y @ b @ dx
    return derivative if db is ZERO else derivative + adjugate_derivative(a, db)


def _products_without_one(s: Any) -> Any:
    """For each element of the last axis, the product of the others."""
    ones = np.ones_like(s[..., :1])
    before = np.cumprod(np.concatenate([ones, s[..., :-1]], axis=-1), axis=-1)
    after = np.cumprod(np.concatenate([ones, s[..., :0:-1]], axis=-1), axis=-1)[..., ::-1]
    return before * after


def _products_without_two(s: Any) -> Any:
    """For each pair of elements of the last axis, the product of the others; 0 on the diagonal."""
    n = s.shape[-1]
    rows = [_products_without_one(np.concatenate([s[..., :i], s[..., i + 1 :]], axis=-1)) for i in range(n)]
    zero = np.zeros_like(s[..., :1])
    filled = [np.concatenate([row[..., :i], zero, row[..., i:]], axis=-1) for i, row in enumerate(rows)]
    return np.stack(filled, axis=-2)


@implements(np.linalg.det)
def _det(a: Any) -> Any:
    a = as_operand(a)
    return determinant(a, factors=stack_inverse_of(a))


@primitive
def sign_and_logarithm(a: Any, *, factors: LU | StackInverse | None = None) -> Any:
    """The phase of the determinant, and the logarithm of its modulus."""
    return np.linalg.slogdet(a) if factors is None else SlogdetResult(*factors.slogdet())


# det = sign exp(logabs)  =>  dlogabs = Re t,  dsign = i sign Im t,  with t = tr(inv(a) da)
@sign_and_logarithm.differential
def _(x: Any, a: Any, da: Any, *, factors: LU | StackInverse | None = None) -> Any:
    t = _trace_of_product(_regular_inverse(x, a, factors), da)
    return 1j * x[0] * np.imag(t) if x[0].dtype.kind == "c" else ZERO, np.real(t)


# <g_sign, i sign Im t> + g_log Re t = <c, t>  with  c = g_log + i Im(conj(sign) g_sign)
@sign_and_logarithm.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, factors: LU | StackInverse | None = None) -> Any:
    g_sign, g_log = g
    c = 0.0 if g_log is None else g_log
    if g_sign is not None and x[0].dtype.kind == "c":
        c = c + np.imag(np.conjugate(x[0]) * g_sign) * 1j
    elif g_log is None:
        return (None,)
    if isinstance(factors, StackInverse) and not some_traced(c, a):
        return (factors.scaled_adjoint(c),)
    return (c[..., None, None] * H(_regular_inverse(x, a, factors)),)


def _regular_inverse(x: Any, a: Any, factors: LU | StackInverse | None) -> Any:
    _refuse_singular(raw(x[0]), "numpy.linalg.slogdet", "log |det| is -inf at a singular matrix")
    return inverse(a, factors=factors)


def _refuse_singular(sign: Any, function: str, reason: str) -> None:
    singular = sign == 0
    if bool(np.any(singular)):
        where = "" if sign.ndim == 0 else f", matrix {tuple(int(i[0]) for i in np.nonzero(singular))} of the stack"
        raise NotDifferentiableError(
            function, f"{reason}{where}. det itself has first and second derivatives at singular matrices", "a"
        )


@implements(np.linalg.slogdet)
def _(a: Any) -> Any:
    a = as_operand(a)
    try:
        factors = lu_of(a) or stack_inverse_of(a)
    except np.linalg.LinAlgError:  # singular: the value exists, the derivatives do not
        factors = None
    return sign_and_logarithm(a, factors=factors)


@routed_linalg
def det(a: Any, overwrite_a: bool = False, check_finite: bool = False) -> Any:
    """The determinant of square matrices.

    Parameters
    ----------
    a : array_like (..., M, M)
        The matrices.
    overwrite_a : bool
        Accepted; nothing is ever overwritten.
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

    Notes
    -----
    The gradient is the matrix of cofactors (conjugated), at singular matrices of any rank too, and the second
    derivative is right there as well.

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

    Notes
    -----
    With `t = tr(inv(a) da)`, `dlogabsdet = Re t` and `dsign = i sign Im t`; a real sign is constant.

    Examples
    --------
    >>> import wirtinger as np
    >>> sign, logabsdet = np.linalg.slogdet(-np.eye(3))
    >>> float(sign), float(logabsdet)
    (-1.0, 0.0)
    """
    return np.linalg.slogdet(as_operand(a))
