"""The storage that LAPACK has for banded matrices, and what is gathered from it.

With l diagonals below and u above the main one, `ab[u + i - j, j] = a[i, j]`; a Hermitian matrix is given by the half
with `l = 0` or with `u = 0`.  All that is done to the storage is to gather its entries; corners that belong to no entry
of the matrix are never read, and have gradient 0.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...backends import backend_of
from ...complex_autograd.engine.primitive import linear
from ...complex_autograd.rules.products.contractions import conjugate
from ..elementary.gathering import where_lives


@linear
def gathered_band(ab: Any, *, entries: Any) -> Any:
    """Entries of the storage times weights: `ab[..., rows, columns] * weights`."""
    rows, columns, weights = entries
    return ab[..., where_lives(ab, rows), where_lives(ab, columns)] * on_device_of(ab, weights)


@gathered_band.adjoint(0)
def _(g: Any, ab: Any, *, entries: Any) -> Any:
    return scattered_band(g, entries=entries, height=ab.shape[-2], width=ab.shape[-1])


@linear(family="scattered sums")
def scattered_band(g: Any, *, entries: Any, height: int, width: int) -> Any:
    """Numbers times weights, added up at their entries of the storage."""
    rows, columns, weights = entries
    stack = g.shape[: g.ndim - rows.ndim]
    parts = (*(axis[..., None] for axis in np.indices(stack)), rows.ravel(), columns.ravel())
    index = tuple(where_lives(g, part) for part in parts)
    numbers = (g * on_device_of(g, weights)).reshape(*stack, rows.size)
    return backend_of(g).scatter_add(numbers, index, (*stack, height, width))


@scattered_band.adjoint(0)
def _(ab: Any, g: Any, *, entries: Any, height: int, width: int) -> Any:
    return gathered_band(ab, entries=entries)


def on_device_of(x: Any, made: Any) -> Any:
    """A constant where a plain array lives, in its precision."""
    return where_lives(x, made.astype(x.dtype.char.lower(), copy=False))


@lru_cache(maxsize=64)
def row_indices(n: int, l: int, u: int) -> Any:
    """For each diagonal and each row of the matrix, the index of the entry, and its column; weight 0 if outside."""
    rows = np.arange(n)
    k = np.arange(l + u + 1)[:, None]
    columns = rows + u - k
    inside = (columns >= 0) & (columns < n)
    return np.where(inside, k, u), np.where(inside, columns, rows), inside.astype(float)


@lru_cache(maxsize=64)
def _adjoint_indices(n: int, l: int, u: int) -> Any:
    """Where the storage of the conjugate transpose, with its u diagonals below and l above, takes its entries from."""
    columns = np.arange(n)
    k = np.arange(l + u + 1)[:, None]
    rows = columns + k - l
    inside = (rows >= 0) & (rows < n)
    return np.where(inside, l + u - k, u), np.where(inside, rows, columns), inside.astype(float)


@lru_cache(maxsize=64)
def _half_indices(n: int, b: int, lower: bool) -> Any:
    """Where the two halves of a Hermitian band take their entries from; each has half of the diagonal."""
    columns = np.arange(n)
    k = np.arange(2 * b + 1)[:, None] - b  # row minus column
    rows = columns + k
    inside = (rows >= 0) & (rows < n)
    weights = np.where(k == 0, 0.5, inside)
    diagonal = 0 if lower else b
    given, mirrored = (k >= 0, k <= 0) if lower else (k <= 0, k >= 0)

    def entries(part: Any, source_row: Any, source_column: Any) -> Any:
        used = inside & part
        return np.where(used, source_row, diagonal), np.where(used, source_column, columns), weights * part

    return entries(given, diagonal + k, columns), entries(mirrored, diagonal - k, rows)


def stored_half(ab: Any, lower: bool) -> Any:
    """A half without the diagonals that its matrix is too small to have."""
    surplus = ab.shape[-2] - max(ab.shape[-1], 1)
    if surplus <= 0:
        return ab
    return ab[..., :-surplus, :] if lower else ab[..., surplus:, :]


@lru_cache(maxsize=64)
def inside_half(height: int, n: int, lower: bool) -> Any:
    """Which entries of the storage of a half belong to an entry of the matrix."""
    k, columns = np.arange(height)[:, None], np.arange(n)
    return columns + k < n if lower else columns + k >= height - 1


def full_band(ab: Any, lower: bool) -> Any:
    """The storage of all diagonals of the Hermitian matrix that a half is given of."""
    given, mirrored = _half_indices(ab.shape[-1], ab.shape[-2] - 1, lower)
    return gathered_band(ab, entries=given) + conjugate(gathered_band(ab, entries=mirrored))


def adjoint_band(ab: Any, counts: tuple[int, int]) -> Any:
    """The storage of the conjugate transposes of matrices with so many diagonals below and above the main one."""
    return conjugate(gathered_band(ab, entries=_adjoint_indices(ab.shape[-1], *counts)))
