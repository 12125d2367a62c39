"""The Cholesky and the Bunch-Kaufman factorization, and what they solve."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from . import large, library
from .elimination import substituted
from .launching import (
    adjoint,
    flat,
    launch,
    launch_threads,
    precision,
    refuse_failures,
    require_square,
    shaped,
    stack_of,
)


def factorized(a: Any) -> tuple[Any, Any]:
    """The lower factors in place of a flat stack, by its lower triangles; the leading minors that are not positive."""
    count, n = a.shape[:2]
    info = cupy.zeros(count, np.int32)
    if a.size and n < library.LARGE:
        launch("cholesky.cu", "cholesky", a.dtype.char, count, a, info, n)
    elif a.size:
        for k in range(count):
            columns = cupy.ascontiguousarray(a[k].T)
            library.cholesky(columns, info[k : k + 1])
            a[k] = cupy.tril(columns.T)
    return a, info


def potrf(a: Any, *, upper: bool) -> tuple[Any, Any]:
    """The kernel of `linalg.cholesky_ex`: the factor, and the order of the first leading minor that is not positive."""
    require_square(a)
    stack = a.shape[:-2]
    l, info = factorized(flat(adjoint(a) if upper else a, 2, stack, precision(a)))
    return shaped(adjoint(l) if upper else l, stack), shaped(info, stack)


def cholesky(a: Any, *, upper: bool = False) -> Any:
    """`numpy.linalg.cholesky`."""
    factor, info = potrf(a, upper=upper)
    refuse_failures(info, a.shape[:-2], "Matrix is not positive definite")
    return factor


def cho_factor_values(a: Any, *, lower: bool) -> Any:
    """The factor in one triangle, and the matrix in the other."""
    factor, info = potrf(a, upper=not lower)
    refuse_failures(info, a.shape[:-2], "{}-th leading minor of the array is not positive definite")
    return cupy.tril(factor) + cupy.triu(a, 1) if lower else cupy.triu(factor) + cupy.tril(a, -1)


def potrs(c: Any, b: Any, *, lower: bool, check_finite: bool = False) -> Any:
    """The kernel of `linalg.cho_solve`."""
    if b.ndim == 1:
        return potrs(c, b[:, None], lower=lower)[..., 0]
    stack, dtype = stack_of([c, b], [2, 2]), precision(c, b)
    factors, x = flat(c, 2, stack, dtype), flat(b, 2, stack, dtype)
    if not x.size:
        return shaped(x, stack)
    zero = (cupy.diagonal(factors, 0, -2, -1) == 0).any(-1)
    refuse_failures(zero, stack, "Singular matrix: the diagonal of its Cholesky factor has a zero")
    for op in (0, 2) if lower else (2, 0):
        substituted(factors, x, lower, op)
    return shaped(x, stack)


def sytrf(a: Any, *, hermitian: bool) -> tuple[Any, Any, Any]:
    """The kernel of `linalg.ldl_factor`: both factors, LAPACK's pivots, and which block is the first that is zero."""
    stack, dtype, n = a.shape[:-2], precision(a), a.shape[-1]
    packed = flat(a, 2, stack, dtype)
    count = len(packed)
    pivots, info = cupy.zeros((count, n), np.int32), cupy.zeros(count, np.int32)
    conjugate = hermitian and dtype.kind == "c"
    if n > large.LARGEST and not conjugate:
        for k in range(count):
            columns = cupy.ascontiguousarray(packed[k].T)
            library.symmetric(columns, pivots[k], info[k : k + 1])
            packed[k] = columns.T
    elif packed.size:
        launch("ldl.cu", "factorize_symmetric", dtype.char, count, packed, pivots, info, n, conjugate)
    return shaped(cupy.tril(packed), stack), shaped(pivots, stack), shaped(info, stack)


def sytrs(packed: Any, pivots: Any, b: Any, *, hermitian: bool) -> Any:
    """The kernel of `linalg.ldl_solve`."""
    stack, dtype = stack_of([packed, pivots, b], [2, 1, 2]), precision(packed, b)
    factors, x = flat(packed, 2, stack, dtype), flat(b, 2, stack, dtype)
    count, n, columns = x.shape
    if not x.size:
        return shaped(x, stack)
    signed = flat(pivots, 1, stack, np.int32)
    _refuse_half_blocks(signed)
    zero = ((signed > 0) & (cupy.diagonal(factors, 0, -2, -1) == 0)).any(-1)
    refuse_failures(zero, stack, "Singular matrix: a pivot is exactly zero")
    conjugate = hermitian and dtype.kind == "c"
    launch("ldl.cu", "solve_symmetric", dtype.char, count, factors, signed, x, n, columns, conjugate)
    return shaped(x, stack)


def order_of_pivots(pivots: Any) -> tuple[Any, Any, Any]:
    """What LAPACK's pivots say: the rows, in the matrix and in each column of `l`, and the blocks."""
    stack, n = pivots.shape[:-1], pivots.shape[-1]
    signed = flat(pivots, 1, stack, np.int32)
    _refuse_half_blocks(signed)
    count = len(signed)
    order, rows, block = (cupy.empty((count, *shape), np.int64) for shape in ((n,), (n, n), (n,)))
    launch_threads("ldl.cu", "order_of_pivots", count if n else 0, signed, order, rows, block, n)
    return shaped(order, stack), shaped(rows, stack), shaped(block, stack)


def _refuse_half_blocks(pivots: Any) -> None:
    """Raise where a negative pivot is not one of two equal ones, as LAPACK marks a block of two rows."""
    n = pivots.shape[-1]
    if not pivots.size:
        return
    rows = cupy.arange(n, dtype=np.int32)
    before = cupy.where(pivots > 0, rows, -1)
    reach = 1
    while reach < n:  # the running maximum, by doubling
        before[:, reach:] = cupy.maximum(before[:, reach:], before[:, :-reach].copy())
        reach *= 2
    opens = (pivots < 0) & ((rows - before) % 2 == 1)
    after = cupy.concatenate([pivots[:, 1:], cupy.zeros_like(pivots[:, :1])], -1)
    if bool((opens & (pivots != after)).any()):
        raise ValueError(
            "these are not pivots: of the negative ones two and two in turn must be equal, as ldl_factor returns them "
            "for blocks of two rows."
        )
