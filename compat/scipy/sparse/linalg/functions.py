"""Functions of sparse matrices: the exponential times vectors, powers, norms."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import scipy.sparse as scipy_sparse
import scipy.sparse.linalg as scipy_linalg

from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from ..structure import is_sparse, is_traced
from ..trees import traced_form
from .eigen import svds
from .factors import plain_matrix, square
from .items import one_matrix_by_one

_THETA = {5: 2.4e-3, 10: 0.14, 15: 0.64, 20: 1.4, 25: 2.4, 30: 3.5, 35: 4.7, 40: 6.0, 45: 7.2, 50: 8.5, 55: 9.9}
"""The 1-norm up to which the Taylor polynomial of a degree has the digits of a double: [AH11], table 3.1."""


# e^A B = (T_m(A / s))^s B, with the trace taken out, and with as few products in all as the bounds allow [AH11]
@one_matrix_by_one
def expm_multiply(
    A: Any,
    B: Any,
    start: Any = None,
    stop: Any = None,
    num: Any = None,
    endpoint: Any = None,
    traceA: Any = None,
) -> Any:
    """`scipy.sparse.linalg.expm_multiply`, `e^A B`, differentiated in the values of `A` and in `B`.

    With traced arguments it is the Taylor polynomials of [AH11] in products, as many as the norm asks for.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import expm_multiply
    >>> A = scipy.sparse.diags_array([1.0, 2.0], format="csr")
    >>> grad(lambda A: np.sum(expm_multiply(A, np.ones(2))))(A).data.round(3)
    array([2.718, 7.389])
    """
    if not is_traced([A, B, start, stop]):
        return scipy_linalg.expm_multiply(A, B, start, stop, num, endpoint, traceA)
    B = as_operand(B)
    if not is_sparse(A):
        raise NotDifferentiableError("expm_multiply", "its matrix is not sparse. Call linalg.expm, or csr_array(A)")
    A = traced_form(square(A, "expm_multiply"))
    if start is None and stop is None and num is None and endpoint is None:
        return _exponential(A, B)
    if is_traced([start, stop]):
        raise NotDifferentiableError("expm_multiply", "start or stop is traced. Multiply the matrix by the time")
    given = {"num": num, "endpoint": endpoint}
    times = np.linspace(start, stop, **{name: value for name, value in given.items() if value is not None})
    found = [_exponential(A * times[0], B)]
    for step in np.diff(times):
        found.append(_exponential(A * step, found[-1]))
    return np.stack(found)


def _exponential(A: Any, B: Any) -> Any:
    n = A.shape[0]
    mu = A.trace() / n if n else 0.0
    shifted = A - scipy_sparse.eye_array(n, format="csr") * mu
    norm = float(scipy_linalg.norm(plain_matrix(shifted), 1)) if n else 0.0
    if not np.isfinite(norm):
        raise ValueError("the matrix of expm_multiply has infinite or undefined entries")
    m, s = min(((m, max(1, int(np.ceil(norm / theta)))) for m, theta in _THETA.items()), key=lambda ms: ms[0] * ms[1])
    scale = np.exp(mu / s)
    for _ in range(s):
        term = B
        for k in range(1, m + 1):
            term = (shifted @ term) * (1.0 / (s * k))
            B = B + term
        B = B * scale
    return B


def matrix_power(A: Any, power: int) -> Any:
    """`scipy.sparse.linalg.matrix_power`, differentiated in the values of `A`; the power is whole and above 0 then.

    Examples
    --------
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import matrix_power
    >>> A = scipy.sparse.diags_array([1.0, 2.0], format="csr")
    >>> grad(lambda A: matrix_power(A, 3).sum())(A).data
    array([ 3., 12.])
    """
    if not is_traced(A):
        return scipy_linalg.matrix_power(A, power)
    A = traced_form(square(A, "matrix_power"))
    if power < 1:
        raise NotDifferentiableError("matrix_power", "the power is below 1. Call spsolve, or linalg.matrix_power")
    if power == 1:
        return A
    half = matrix_power(A, power // 2)
    return half @ half @ A if power % 2 else half @ half


def norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    """`scipy.sparse.linalg.norm`, differentiated in the values of `x`.

    Examples
    --------
    >>> import scipy.sparse
    >>> from wirtinger import grad
    >>> from wirtinger.scipy.sparse.linalg import norm
    >>> A = scipy.sparse.diags_array([3.0, 4.0], format="csr")
    >>> grad(norm)(A).data
    array([0.6, 0.8])
    """
    if not is_traced(x):
        return scipy_linalg.norm(x, ord, axis)
    x = traced_form(x)
    if isinstance(axis, tuple) and len(axis) == 1:
        axis = axis[0]
    if axis is None or isinstance(axis, tuple):
        return _matrix_norm(x, ord)
    if ord in (None, 2):
        x = x._canonical()
        return _root(x._with(np.real(x.data) ** 2 + np.imag(x.data) ** 2).sum(axis))
    size = abs(x)
    if ord == 1:
        return size.sum(axis)
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(size.toarray(), axis)
    if ord == 0:
        return scipy_linalg.norm(plain_matrix(x), ord, axis)
    return size.power(ord).sum(axis) ** (1 / ord)


def _matrix_norm(x: Any, ord: Any) -> Any:
    if ord in (None, "fro", "f"):
        return np.linalg.norm(np.reshape(x._canonical().data, (-1,)), 2)
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.ravel(abs(x).sum(0 if abs(ord) == 1 else 1))
        return (np.max if ord > 0 else np.min)(sums)
    if ord == 2:
        return svds(x, 1, solver="lobpcg" if min(x.shape) == 1 else "arpack", return_singular_vectors=False)[0]
    raise NotImplementedError(f"the norm of order {ord!r} of a sparse matrix is not computed")


def _root(squares: Any) -> Any:
    """The square root, whose derivative at 0 is taken for 0, as that of a length is."""
    is_zero = raw(squares) == 0
    return np.where(is_zero, 0.0, np.sqrt(np.where(is_zero, 1.0, squares)))


def _refused(name: str, reason: str) -> Callable[..., Any]:
    theirs = getattr(scipy_linalg, name)

    @wraps(theirs)
    def call(A: Any, *args: Any, **kwargs: Any) -> Any:
        if is_traced([A, *args]):
            raise NotDifferentiableError(name, reason)
        return theirs(A, *args, **kwargs)

    return call


onenormest = _refused("onenormest", "it estimates from below, by steps. Call norm(A, 1)")
inv = _refused("inv", "the inverse of a sparse matrix is mostly dense. Call spsolve, or linalg.inv of the dense matrix")
expm = _refused("expm", "the exponential of a sparse matrix is mostly dense. Call expm_multiply, or linalg.expm")
funm_multiply_krylov = _refused("funm_multiply_krylov", "its Krylov steps have no rule. Call expm_multiply")
