"""LU factors with partial pivoting, and what they solve; triangles."""

from __future__ import annotations

from math import prod
from typing import Any

import cupy
import numpy as np
from numpy.linalg import LinAlgError

from . import library
from .launching import (
    fail,
    flat,
    identities,
    launch,
    launch_threads,
    precision,
    refuse_failures,
    require_square,
    shaped,
    stack_of,
)


def eliminated(a: Any, pivoting: bool = True) -> tuple[Any, Any, Any]:
    """Both factors in new arrays (count, m, n), pivots that count from 0, and which pivot is zero, from 1 on."""
    count, m, n = a.shape
    pivots, info = cupy.zeros((count, min(m, n)), np.int32), cupy.zeros(count, np.int32)
    if a.size and (min(m, n) < library.LARGE or not pivoting):
        launch("lu.cu", "eliminate", a.dtype.char, count, a, pivots, info, m, n, pivoting)
    elif a.size:
        for k in range(count):
            columns = cupy.ascontiguousarray(a[k].T)
            library.lu(columns, pivots[k], info[k : k + 1])
            a[k] = columns.T
        pivots -= 1
    return a, pivots, info


def getrf(a: Any) -> tuple[Any, Any, Any]:
    """The kernel of `linalg.lu_factor`."""
    stack = a.shape[:-2]
    return tuple(shaped(x, stack) for x in eliminated(flat(a, 2, stack, precision(a))))


def unpivoted_lu(a: Any) -> tuple[Any, Any, Any]:
    """The same without interchanges."""
    stack = a.shape[:-2]
    packed, pivots, info = eliminated(flat(a, 2, stack, precision(a)), pivoting=False)
    if bool((info < 0).any()):
        message = "pivot {} is zero: the factorization without interchanges does not exist"
        fail(cupy.where(info < 0, -info - 1, 0) + (info == -1), stack, message)
    pivots[...] = cupy.arange(pivots.shape[-1], dtype=np.int32)
    return shaped(packed, stack), shaped(pivots, stack), shaped(info, stack)


def rows_of_interchanges(pivots: Any, *, size: int) -> Any:
    """Where the rows come from after row `i` was interchanged with row `pivots[i]`, for each `i` in order."""
    stack, count = pivots.shape[:-1], pivots.shape[-1]
    rows = cupy.empty((*stack, size), np.int64)
    given = cupy.ascontiguousarray(pivots, dtype=np.int32)
    launch_threads("lu.cu", "order_rows", prod(stack) if size else 0, given, rows, count, size)
    return rows


def substituted(t: Any, x: Any, lower: bool, op: int = 0, unit: bool = False) -> Any:
    """The solution in place of `x` (count, n, columns), with a triangle or (count, n, n) of them."""
    count, n, columns = x.shape
    info = cupy.zeros(count, np.int32)
    step = t.shape[-1] ** 2 if len(t) > 1 else 0
    if not x.size:
        return info
    if n < library.LARGE:
        args = (n, columns, lower, op, unit, np.int64(step))
        launch("lu.cu", "substitute", x.dtype.char, count, t, x, info, *args)
        return info
    for k in range(count):
        triangle = t[k if step else 0]
        if not unit:
            zero = cupy.diagonal(triangle) == 0
            info[k] = cupy.where(zero.any(), cupy.argmax(zero) + 1, 0)
        library.substitute(triangle, x[k], lower, op, unit)
    return info


def operands(a: Any, b: Any, dtype: Any = None) -> tuple[Any, Any, tuple[int, ...]]:
    """A flat new stack of matrices, or a single one for all, a flat new stack of right sides, and the stack's shape."""
    dtype = dtype or precision(a, b)
    stack = stack_of([a, b], [2, 2])
    single = prod(a.shape[:-2]) == 1
    matrices = flat(a.reshape(a.shape[-2:]) if single else a, 2, () if single else stack, dtype)
    return matrices, flat(b, 2, stack, dtype), stack


def solved(a: Any, b: Any, message: str = "Singular matrix") -> Any:
    """The solution of `a x = b` for matrices `b`."""
    matrices, x, stack = operands(a, b)
    count, n, _ = x.shape
    packed, pivots, info = eliminated(matrices)
    refuse_failures(info, stack if len(info) == count else (), message)
    if not x.size:
        return shaped(x, stack)
    if n >= library.LARGE:
        status = cupy.zeros(1, np.int32)
        for k in range(count):
            j = k if len(packed) > 1 else 0
            rights = cupy.ascontiguousarray(x[k].T)
            library.lu_solve(cupy.ascontiguousarray(packed[j].T), pivots[j] + 1, rights, 0, status)
            x[k] = rights.T
        return shaped(x, stack)
    rows = rows_of_interchanges(pivots, size=n)
    x = cupy.ascontiguousarray(cupy.take_along_axis(x, cupy.broadcast_to(rows[:, :, None], (count, n, 1)), 1))
    substituted(packed, x, True, unit=True)
    substituted(packed, x, False)
    return shaped(x, stack)


def solve(a: Any, b: Any) -> Any:
    """`numpy.linalg.solve`."""
    require_square(a)
    if b.ndim == 1:
        if b.shape[0] != a.shape[-1]:
            raise ValueError(f"solve: shapes {a.shape} and {b.shape} do not fit")
        return solved(a, b[:, None])[..., 0]
    if b.shape[-2] != a.shape[-1]:
        raise ValueError(f"solve: shapes {a.shape} and {b.shape} do not fit")
    return solved(a, b)


def inv(a: Any) -> Any:
    """`numpy.linalg.inv`."""
    require_square(a)
    stack, n, dtype = a.shape[:-2], a.shape[-1], precision(a)
    eye = shaped(identities(prod(stack), n, dtype), stack)
    return solved(a.reshape(stack + a.shape[-2:]), eye)


def slogdet(a: Any) -> Any:
    """`numpy.linalg.slogdet`."""
    require_square(a)
    stack, n = a.shape[:-2], a.shape[-1]
    packed, pivots, _ = eliminated(flat(a, 2, stack, precision(a)))
    diagonal = cupy.diagonal(packed, 0, -2, -1)
    size = cupy.abs(diagonal)
    odd = (pivots != cupy.arange(n, dtype=np.int32)).sum(-1) % 2
    zero = (size == 0).any(-1)
    phases = cupy.prod(diagonal / cupy.where(size == 0, size.dtype.type(1), size), -1) * (1 - 2 * odd)
    sign = cupy.where(zero, 0, phases).astype(packed.dtype)
    logarithm = cupy.where(zero, -cupy.inf, cupy.log(cupy.where(size == 0, size.dtype.type(1), size)).sum(-1))
    result = type(np.linalg.slogdet(np.ones((1, 1))))
    return result(shaped(sign, stack), shaped(logarithm.astype(size.dtype), stack))


def det(a: Any) -> Any:
    """`numpy.linalg.det`."""
    require_square(a)
    stack, n = a.shape[:-2], a.shape[-1]
    packed, pivots, _ = eliminated(flat(a, 2, stack, precision(a)))
    odd = (pivots != cupy.arange(n, dtype=np.int32)).sum(-1) % 2
    return shaped((cupy.prod(cupy.diagonal(packed, 0, -2, -1), -1) * (1 - 2 * odd)).astype(packed.dtype), stack)


def getrs(packed: Any, pivots: Any, b: Any, *, trans: int, check_finite: bool = False) -> Any:
    """The kernel of `linalg.lu_solve`: the solution with `a`, its transpose (1) or its conjugate transpose (2)."""
    if b.ndim == 1:
        return getrs(packed, pivots, b[:, None], trans=trans)[..., 0]
    dtype = precision(packed, b)
    stack = stack_of([packed, pivots, b], [2, 1, 2])
    factors, x = flat(packed, 2, stack, dtype), flat(b, 2, stack, dtype)
    if not x.size:
        return shaped(x, stack)
    refuse_failures((cupy.diagonal(factors, 0, -2, -1) == 0).any(-1), stack, "Singular matrix: a pivot is exactly zero")
    rows = rows_of_interchanges(flat(pivots, 1, stack, np.int32), size=x.shape[1])
    if trans == 0:
        x = cupy.ascontiguousarray(cupy.take_along_axis(x, rows[:, :, None], 1))
    if trans == 0:
        substituted(factors, x, True, unit=True)
        substituted(factors, x, False)
    else:
        substituted(factors, x, False, op=trans)
        substituted(factors, x, True, op=trans, unit=True)
        x = cupy.take_along_axis(x, cupy.argsort(rows, -1)[:, :, None], 1)
    return shaped(x, stack)


def substitution(a: Any, b: Any, *, lower: bool, unit: bool = False, op: int = 0) -> Any:
    """The kernel of triangular solves."""
    triangles, x, stack = operands(a, b)
    info = substituted(triangles, x, lower, op, unit)
    refuse_failures(info, stack, "singular matrix: resolution failed at diagonal {}")
    return shaped(x, stack)


def solve_triangular(
    a: Any,
    b: Any,
    trans: Any = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:
    """`scipy.linalg.solve_triangular`."""
    if check_finite and not (bool(cupy.isfinite(a).all()) and bool(cupy.isfinite(b).all())):
        raise ValueError("array must not contain infs or NaNs")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError("expected square matrix")
    op = {"N": 0, "T": 1, "C": 2}.get(trans, trans)
    vector = b.ndim == 1
    if (b.shape[0] if vector else b.shape[-2]) != a.shape[-1]:
        raise ValueError(f"shapes of a {a.shape} and b {b.shape} are incompatible")
    x = substitution(a, b[:, None] if vector else b, lower=lower, unit=unit_diagonal, op=op)
    return x[..., 0] if vector else x


def assumed_solution(a: Any, b: Any, *, structure: str) -> Any:
    """The solution by the elimination that a structure allows; the matrix is given in full."""
    triangular = {"diagonal": True, "lower triangular": True, "upper triangular": False}
    if structure in triangular:
        try:
            return substitution(a, b, lower=triangular[structure])
        except LinAlgError as error:
            raise _renamed(error, "Singular matrix") from error
    return solved(a, b)


def _renamed(error: LinAlgError, message: str) -> LinAlgError:
    _, bracket, item = str(error).partition(" (item")
    renamed = LinAlgError(message + bracket + item)
    if hasattr(error, "batch_index"):
        renamed.batch_index = error.batch_index  # type: ignore[attr-defined]
    return renamed


def assumed_inverse(a: Any, *, structure: str) -> Any:
    """The inverse likewise."""
    stack = a.shape[:-2]
    return assumed_solution(a, shaped(identities(prod(stack), a.shape[-1], precision(a)), stack), structure=structure)
