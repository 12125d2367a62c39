"""LU factors: kernels of `linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.linalg import LinAlgError

from ..array import Array, array_of
from ..elements import numbers
from .matrices import kernel, solved


def _packed(x: Any, is_pivoted: bool) -> tuple[Any, Any, int]:
    """Both factors of one matrix in one array, the interchanges, and which pivot is the first zero, from 1 on.

    LAPACK compares complex pivots by the sums of the moduli of their parts.
    """
    x, size, info = x.copy(), min(x.shape), 0
    pivots = np.arange(size, dtype=np.int32)
    for k in range(size):
        if is_pivoted:
            p = max(range(k, len(x)), key=lambda i: abs(x[i, k].real) + abs(x[i, k].imag))
            x[[k, p]], pivots[k] = x[[p, k]], p
        if not x[k, k]:
            if any(x[k + 1 :, k]):
                raise LinAlgError(f"pivot {k} is zero: the factorization without interchanges does not exist")
            info = info or k + 1
            continue
        x[k + 1 :, k] /= x[k, k]
        x[k + 1 :, k + 1 :] -= np.outer(x[k + 1 :, k], x[k, k + 1 :])
    return x, pivots, info


def _factorized(a: Any, is_pivoted: bool) -> tuple[Any, Any, Any]:
    a = array_of(a)
    stack = a.shape[:-2]
    packed = np.empty(a.shape, object)
    pivots, info = np.empty((*stack, min(a.shape[-2:])), np.int32), np.empty(stack, np.int32)
    for i in np.ndindex(stack):
        packed[i], pivots[i], info[i] = _packed(a.host[i], is_pivoted)
    return Array(numbers(packed, a.dtype), a.dtype), pivots, info[()]


@kernel("getrf")
def getrf(a: Any) -> tuple[Any, Any, Any]:
    """Both factors in one array, the interchanges, and which pivot is the first zero, from 1 on."""
    return _factorized(a, True)


@kernel("unpivoted_lu")
def unpivoted_lu(a: Any) -> tuple[Any, Any, Any]:
    """The same without interchanges."""
    return _factorized(a, False)


@kernel("lu")
def lu(a: Any, *, permute_l: bool, check_finite: bool, p_indices: bool) -> Any:
    """`scipy.linalg.lu`."""
    packed, pivots, _ = getrf(a)
    m, n = packed.shape[-2:]
    size, p = min(m, n), np.empty((*pivots.shape[:-1], m), np.int32)
    for i in np.ndindex(pivots.shape[:-1]):
        rows = np.arange(m)
        for k, other in enumerate(pivots[i]):
            rows[[k, other]] = rows[[other, k]]
        p[i] = np.argsort(rows)
    l = np.tril(packed[..., :size], -1) + np.eye(m, size)
    u = np.triu(packed[..., :size, :])
    if permute_l:
        return np.take_along_axis(l, p[..., None], axis=-2), u
    return (p if p_indices else array_of((p[..., None] == np.arange(m)).astype(float))), l, u


@kernel("getrs")
def getrs(packed: Any, pivots: Any, b: Any, *, trans: int) -> Any:
    """The solution by the factors of `a = p l u`, of its transpose (1) or of its conjugate transpose (2)."""
    packed, b = array_of(packed), array_of(b)
    dtype = np.result_type(packed.dtype, b.dtype)
    stack = np.broadcast_shapes(packed.shape[:-2], pivots.shape[:-1], b.shape[:-2])
    packed, b = (np.broadcast_to(x.host, stack + x.shape[-2:]) for x in (packed, b))
    pivots, x = np.broadcast_to(pivots, stack + pivots.shape[-1:]), np.empty(stack + b.shape[-2:], object)
    for i in np.ndindex(stack):
        n = len(packed[i])
        a = (np.tril(packed[i], -1) + np.eye(n, dtype=int)) @ np.triu(packed[i])
        for k in reversed(range(n)):
            a[[k, pivots[i][k]]] = a[[pivots[i][k], k]]
        x[i] = solved(a if trans == 0 else a.T if trans == 1 else np.conjugate(a).T, b[i])
    return Array(numbers(x, dtype), dtype)
