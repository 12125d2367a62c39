"""The factorization `l d H(l)` in one array, and systems solved with it: kernels of `linalg`.

The pivots are those that LAPACK chooses for the matrix in doubles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import device_named
from ..array import array_of
from ..elements import numbers
from .factorizations import blocks_of
from .matrices import filled, kernel, over_stack, solved
from .spectra import exponent_of, in_doubles


def _of_pivots(pivots: Any) -> Any:
    """Which row is taken from where, in the matrix and in each column of `l`, and the number of each row's block."""
    return device_named("cpu").kernel("linalg.order_of_pivots")(pivots)


def _adjoint(a: Any, hermitian: bool) -> Any:
    return np.conjugate(a).T if hermitian else a.T


@kernel("sytrf")
def sytrf(a: Any, *, hermitian: bool) -> Any:
    """LAPACK's `sytrf` or `hetrf`: both factors, the signed pivots, and which pivot is zero, from 1 on."""
    by_lapack = device_named("cpu").kernel("linalg.sytrf")
    pivots, info = np.empty(a.shape[:-1], np.int32), np.empty(a.shape[:-2], np.int32)
    items = iter(np.ndindex(info.shape))

    def packed(host: Any) -> Any:
        item = next(items)
        pivots[item] = by_lapack(in_doubles(host, exponent_of(host)), hermitian=hermitian)[1]
        order, rows, block = _of_pivots(pivots[item])
        same = block[:, None] == block
        l, d = blocks_of(filled(host, True, hermitian)[np.ix_(order, order)], same)
        zeros = np.flatnonzero((same.sum(0) == 1) & (np.diagonal(d) == 0))
        info[item] = zeros[0] + 1 if len(zeros) else 0
        return np.take_along_axis(np.tril(l, -1), np.argsort(rows, axis=0), 0) + np.tril(d)

    return over_stack(packed, [a.shape[-2:]], [a.dtype], a), pivots, info[()]


@kernel("sytrs")
def sytrs(packed: Any, pivots: Any, b: Any, *, hermitian: bool) -> Any:
    """LAPACK's `sytrs` or `hetrs`."""
    packed, b = array_of(packed), array_of(b)
    stack, n = np.broadcast_shapes(packed.shape[:-2], b.shape[:-2], pivots.shape[:-1]), packed.shape[-1]
    each = iter(np.broadcast_to(pivots, (*stack, n)).reshape(-1, n))
    dtype = np.result_type(packed.dtype, b.dtype)

    def solution(packed: Any, b: Any) -> Any:
        order, rows, block = _of_pivots(next(each))
        below = block[:, None] > block
        l = np.where(below, np.take_along_axis(packed, rows, 0), 0) + np.eye(n, dtype=int)
        low = np.where(block[:, None] == block, np.tril(packed), 0)
        diagonal = np.diag(np.diagonal(low))
        if hermitian:
            diagonal = (diagonal + np.conjugate(diagonal)) / 2
        d = np.tril(low, -1) + diagonal + _adjoint(np.tril(low, -1), hermitian)
        x = solved(_adjoint(l, hermitian), solved(d, solved(l, numbers(b, dtype)[order])))
        return x[np.argsort(order)]

    packed = np.broadcast_to(packed, (*stack, n, n))
    return over_stack(solution, [b.shape[-2:]], [dtype], packed, b)
