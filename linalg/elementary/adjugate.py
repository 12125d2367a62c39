"""The adjugate of a matrix: the transposed matrix of its cofactors, which is a polynomial in its elements.

It exists at every matrix, whatever its rank.  With `a = u s H(v)`,

    adj(a) = det(u) conj(det(v)) v diag(e_i) H(u),   e_i = product of all s_k but s_i,

and its differential along `da`, with `p = H(u) da v` and `e_ij` the product of all `s_k` but `s_i` and `s_j`, is

    det(u) conj(det(v)) v q H(u),   q_ij = -e_ij p_ij for i != j,   q_ii = sum_(k != i) e_ik p_kk.

Singular values have their digits relative to the largest one only.  So rows and columns of different sizes are first
made of one size by powers of two, which is exact: of `a_ij = 2**(r_i + c_j) b_ij` the adjugate has the elements
`adj(a)_ji = 2**(sum r + sum c - r_i - c_j) adj(b)_ji`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...backends.native import small_stacks
from ...complex_autograd.engine.determinism_route import asked
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.symbolic import of_stacks
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.rules.elementwise.lengths import has_zeros
from ...complex_autograd.rules.products.matrix_products import MANY, H
from ...determinism.flag import IN_FORCE
from ..kernels import numpy_gufuncs
from ..kernels.partly_linear import PartlyLinear
from ..systems.solve import inverse
from .triangles import identity

_CLOSED: Final = (2, 3)
"""Rows of which each cofactor is computed by itself: by the C library 5000 of 3x3 in 52 us (by the inverse in 204)."""


@primitive(family="LU")
def adjugate(a: Any) -> Any:
    """The adjugate: `adj(a) a = det(a)`."""
    return cofactors(a).mT if a.shape[-1] in _CLOSED else adjugate_by_det(a, numpy_gufuncs.det(a))


def scaled_adjugate(g: Any, a: Any, det: Any) -> Any:
    """`g H(adj(a))` with a number `g` for each matrix; in one pass where all determinants can be divided by."""
    is_like = type(g) is np.ndarray and (g.dtype, g.shape) == (a.dtype, a.shape[:-2])
    if is_like and a.shape[-1] in _CLOSED and small_stacks.takes(a) and not IN_FORCE[0]:
        x, refused = small_stacks.cofactors(a, g)
        if refused is None:
            return x
    if a.shape[-1] in _CLOSED:
        return over_matrices(g) * np.conjugate(cofactors(a))
    if type(a) is np.ndarray and a.ndim > 2 and is_normal(det).all():
        x = scaled_adjoint(numpy_gufuncs.inv(a), np.conjugate(det), g)
        if np.isfinite(x).all():
            return x
    return scaled_adjoint(adjugate_by_det(a, det), g)


def adjugate_by_det(a: Any, det: Any) -> Any:
    """`det(a) inv(a)` where that can be represented; else by singular values.

    Both factors are of one elimination, so of one matrix `a + e`, with `e` a rounding error: `adj(a + e)` is as
    accurate at any condition number as the singular values, which are for matrices without an inverse.
    """
    if a.ndim == 2:
        y = det * numpy_gufuncs.inv(a) if is_normal(det) else None
        return _adjugate_by_singular_values(a) if y is None or not np.isfinite(y).all() else y
    normal = is_normal(det)
    regular = a if normal.all() else np.where(over_matrices(normal), a, identity(a))
    y = over_matrices(det) * numpy_gufuncs.inv(regular)
    missing = ~(normal & np.isfinite(y).all(axis=(-2, -1)))
    if missing.any():
        y[missing] = _adjugate_by_singular_values(a[missing])
    return y


def scaled_adjoint(a: Any, *factors: Any) -> Any:
    """`c H(a)` with a number `c` for each matrix, or the product of two."""
    are_plain = type(a) is np.ndarray and a.size >= MANY and all(type(c) is np.ndarray for c in factors)
    if are_plain and small_stacks.takes(a) and {(c.dtype, c.shape) for c in factors} == {(a.dtype, a.shape[:-2])}:
        return small_stacks.adjoint(a, *factors)
    x = H(a)
    for c in factors:
        x = over_matrices(c) * x
    return x


def is_normal(det: Any) -> Any:
    """Which determinants have all digits: they are finite, and neither zero nor subnormal."""
    size = np.abs(det)
    return (size >= np.finfo(size.dtype).tiny) & (size < np.inf)


def _adjugate_by_singular_values(a: Any) -> Any:
    u, s, vh, phase, sizes = _equilibrated_svd(a)
    return _of_original((phase * H(vh) * _products_without_one(s)[..., None, :]) @ H(u), sizes)


def _equilibrated_svd(a: Any) -> tuple[Any, Any, Any, Any, Any]:
    """`u, s, H(v)` of the equilibrated matrices, NaN unless `a` is finite; `det(u) conj(det(v))`; the exponents."""
    finite = np.all(np.isfinite(a), axis=(-2, -1))
    b, sizes = _equilibrated(np.where(over_matrices(finite), a, 0))
    u, s, vh = numpy_gufuncs.svd(b)
    phase = over_matrices(numpy_gufuncs.det(u) * numpy_gufuncs.det(vh))
    return u, np.where(finite[..., None], s, np.nan), vh, phase, sizes


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


@adjugate.differential
def _(x: Any, a: Any, da: Any) -> Any:
    return adjugate_derivative(a, da)


@adjugate.adjoint_by_hand
@of_stacks
def _(g: Any, x: Any, a: Any) -> Any:
    return (H(adjugate_derivative(a, H(g))),)  # tr(adj'(a)[b] c) is the second derivative of det: symmetric in b and c


@PartlyLinear
def adjugate_derivative(a: Any, da: Any) -> Any:
    """The differential of the adjugate along `da`."""
    if a.shape[-1] == 0:
        return da
    if a.shape[-1] in _CLOSED:
        return _cofactors_derivative(a, da).mT
    u, s, vh, phase, sizes = _equilibrated_svd(a)
    pairs = _products_without_two(s)
    p = H(u) @ _times_power(da, -sum(sizes)) @ H(vh)
    diagonal = np.diagonal(p, axis1=-2, axis2=-1)
    q = identity(p) * np.sum(pairs * diagonal[..., None, :], axis=-1)[..., None] - pairs * p
    return _of_original(phase * (H(vh) @ q @ H(u)), sizes)


# Of 3x3 a cofactor is a_11 a_22 - a_12 a_21, rows and columns counted from its own, with the first ones after the last
_ONE, _TWO = slice(1, 4), slice(2, 5)


def cofactors(a: Any) -> Any:
    """The matrices of cofactors, of 2x2 or 3x3."""
    if a.shape[-1] == 2:
        return a[..., ::-1, ::-1] * (2 * identity(a) - 1)
    a = _continued(a)
    return a[..., _ONE, _ONE] * a[..., _TWO, _TWO] - a[..., _ONE, _TWO] * a[..., _TWO, _ONE]


def _cofactors_derivative(a: Any, da: Any) -> Any:
    """Their differential along `da`: of 3x3 in 11 us (by singular values in 330)."""
    if a.shape[-1] == 2:
        return cofactors(da)
    a, b = _continued(a), _continued(da)
    even = a[..., _ONE, _ONE] * b[..., _TWO, _TWO] + b[..., _ONE, _ONE] * a[..., _TWO, _TWO]
    odd = a[..., _ONE, _TWO] * b[..., _TWO, _ONE] + b[..., _ONE, _TWO] * a[..., _TWO, _ONE]
    return even - odd


def _continued(a: Any) -> Any:
    """The matrices with their first two rows and columns after the last ones."""
    a = np.concatenate([a, a[..., :2, :]], axis=-2)
    return np.concatenate([a, a[..., :2]], axis=-1)


@adjugate_derivative.adjoint(1)
def _(g: Any, a: Any, da: Any) -> Any:
    return H(adjugate_derivative(a, H(g)))


# Where x = inv(a) exists, adj'(a)[b] = adj(a) tr(x b) - adj(a) b x; differentiated as it is.
@adjugate_derivative.differential
def _(w: Any, a: Any, b: Any, da: Any, db: Any) -> Any:
    refuse_singular(
        np.linalg.slogdet(asked(a))[0],
        "numpy.linalg.det",
        "its third derivatives at a singular matrix are not implemented",
    )
    x, y = inverse(a), adjugate(a)
    dx, dy = -(x @ da @ x), adjugate_derivative(a, da)
    trace, dtrace = trace_of_product(x, b), trace_of_product(dx, b)
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


def over_matrices(c: Any) -> Any:
    """One number for each matrix of a stack, so that it multiplies the matrix."""
    return c[..., None, None] if c.shape else c


def trace_of_product(a: Any, b: Any) -> Any:
    """`tr(a b)`."""
    return np.sum(a.mT * b, axis=(-2, -1))


def refuse_singular(sign: Any, function: str, reason: str) -> None:
    """Raise where a determinant, of this sign, is zero."""
    if has_zeros(sign):
        where = "" if sign.ndim == 0 else f", matrix {tuple(int(i[0]) for i in np.nonzero(sign == 0))} of the stack"
        raise NotDifferentiableError(
            function, f"{reason}{where}. det itself has first and second derivatives at singular matrices", "a"
        )
