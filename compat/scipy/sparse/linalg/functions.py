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
from .direct import plain_matrix, square
from .eigen import svds

_THETA = {5: 1.3e-1, 10: 1.0, 15: 2.2, 20: 3.6, 25: 4.9, 30: 6.3, 35: 7.7, 40: 9.1, 45: 1.1e1, 50: 1.2e1, 55: 1.3e1}
"""The 1-norm up to which the Taylor polynomial of a degree has the digits of a double: [AH11], table 3.1."""


# e^A B = (T_m(A / s))^s B, with the trace taken out, and with as few products in all as the bounds allow [AH11]
@wraps(scipy_linalg.expm_multiply)
def expm_multiply(
    A: Any,
    B: Any,
    start: Any = None,
    stop: Any = None,
    num: Any = None,
    endpoint: Any = None,
    traceA: Any = None,
) -> Any:
    if not is_traced([A, B, start, stop]):
        return scipy_linalg.expm_multiply(A, B, start, stop, num, endpoint, traceA)
    B = as_operand(B)
    if not is_sparse(A):
        raise NotDifferentiableError("expm_multiply", "its matrix is not sparse. Call linalg.expm, or csr_array(A)")
    A = traced_form(square(A, "expm_multiply"))
    if start is None and stop is None and num is None and endpoint is None:
        return _exponential(A, B)
    times = np.linspace(raw(start), raw(stop), **{k: v for k, v in (("num", num), ("endpoint", endpoint)) if v is not None})
    if is_traced([start, stop]):
        raise NotDifferentiableError("expm_multiply", "start or stop is traced. Multiply the matrix by the time")
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


@wraps(scipy_linalg.matrix_power)
def matrix_power(A: Any, power: int) -> Any:
    if not is_traced(A):
        return scipy_linalg.matrix_power(A, power)
    A = traced_form(square(A, "matrix_power"))
    if power < 1:
        raise NotDifferentiableError("matrix_power", "the power is below 1. Call spsolve, or linalg.matrix_power")
    if power == 1:
        return A
    half = matrix_power(A, power // 2)
    return half @ half @ A if power % 2 else half @ half


@wraps(scipy_linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    if not is_traced(x):
        return scipy_linalg.norm(x, ord, axis)
    x = traced_form(x)
    if isinstance(axis, tuple) and len(axis) == 1:
        axis = axis[0]
    if axis is None or isinstance(axis, tuple):
        return _matrix_norm(x, ord)
    size = abs(x)
    if ord in (None, 2):
        return _root((size.power(2)).sum(axis))
    if ord == 1:
        return size.sum(axis)
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(size.toarray(), axis)
    if ord == 0:
        return scipy_linalg.norm(plain_matrix(x), ord, axis)
    return size.power(ord).sum(axis) ** (1 / ord)


def _matrix_norm(x: Any, ord: Any) -> Any:
    if ord in (None, "fro", "f"):
        return np.linalg.norm(np.reshape(x._canonical().data, (-1,)))
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
