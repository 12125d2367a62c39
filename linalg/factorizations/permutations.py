"""Permutations of rows, as integer arrays: constants of every derivative."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.primitive import linear
from ...complex_autograd.engine.traced import raw
from ..elementary.triangles import like
from ..kernels.stacks import kernel


@linear(family="data movement")
def rows_taken(a: Any, *, rows: Any) -> Any:
    """`a[rows]`, for each item of a stack."""
    if rows.ndim == 1:
        return a[..., rows, :]
    stack = np.broadcast_shapes(a.shape[:-2], rows.shape[:-1])
    indices = np.broadcast_to(rows, stack + rows.shape[-1:])[..., None]
    return np.take_along_axis(np.broadcast_to(a, stack + a.shape[-2:]), indices, -2)


@rows_taken.space_of
def _(a: Any, *, rows: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return np.broadcast_shapes(a.shape[:-2], rows.shape[:-1]) + a.shape[-2:], a.dtype


@rows_taken.adjoint(0)
def _(g: Any, a: Any, *, rows: Any) -> Any:
    return rows_taken(g, rows=inverse_permutation(rows))


@linear(family="data movement")
def columns_permuted(a: Any, *, indices: Any) -> Any:
    """Each column with its elements in an order of its own: `a[indices[i, j], j]`."""
    return np.take_along_axis(a, indices, -2)


@columns_permuted.space_of
def _(a: Any, *, indices: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return a.shape, a.dtype


@columns_permuted.adjoint(0)
def _(g: Any, a: Any, *, indices: Any) -> Any:
    return columns_permuted(g, indices=np.argsort(indices, axis=-2))


def columns_taken(a: Any, columns: Any) -> Any:
    """`a[:, columns]`, for each item of a stack."""
    return rows_taken(a.mT, rows=columns).mT


def inverse_permutation(rows: Any) -> Any:
    """The permutation that undoes one."""
    return np.argsort(rows, axis=-1)


@kernel(0)
def rows_of_interchanges(pivots: Any, *, size: int) -> Any:
    """Where the rows come from after row `i` was interchanged with row `pivots[i]`, for each `i` in order."""
    *stack, count = pivots.shape
    if not stack:
        order = list(range(size))
        for i, j in enumerate(pivots.tolist()):
            order[i], order[j] = order[j], order[i]
        return np.array(order, np.intp)
    others = pivots.reshape(-1, count) if count else np.zeros((prod(stack), 0), np.intp)
    rows = np.tile(np.arange(size), (len(others), 1))
    items = np.arange(len(others))
    for i, j in enumerate(others.T):
        moved = rows[items, j]
        rows[items, j] = rows[:, i]
        rows[:, i] = moved
    return rows.reshape(*stack, size)


def permutation_matrix(columns: Any, a: Any) -> Any:
    """The matrix with a one in row `i` and column `columns[i]`, in the precision of `a` and where it lives."""
    counted = like(a, _count, columns.shape[-1])
    return (columns[..., None] == counted).astype(counted.dtype)


def pivots_like(x: Any, a: Any, first: int) -> Any:
    """Pivots, counted from `first`, plain; those of a list are put where `a` lives.  LAPACK takes them as they are."""
    n = a.shape[-1]
    pivots = raw(x) if hasattr(x, "dtype") else backend_of(raw(a)).namespace.asarray(x).astype(np.int32)
    rows = abs(pivots) if first else pivots
    if pivots.shape[-1:] != (n,) or (rows.size and not first <= rows.min() <= rows.max() < n + first):
        raise ValueError(
            f"these are not pivots of a matrix with {n} rows: there must be one per row, each a row number counted "
            f"from {first}. (In lu_factor they count from 0, in PyTorch's from 1; in ldl_factor from 1 everywhere.)"
        )
    return pivots


def _count(dtype: str, n: int) -> Any:
    return np.arange(n, dtype=dtype)
