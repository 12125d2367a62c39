"""Products of matrices whose elements are computed as if each were alone: in tiles of few shapes, by BLAS.

BLAS adds the terms of an element in an order that depends on the shape of the call, and at the edges of a matrix takes
other instructions.  So a product is cut into tiles of a few shapes, padded with zeros at the edges of the matrices; an
element of a tile is then a sum of the same terms in the same order wherever it stands.  That is not taken on trust: for
each inner length every shape is tried once, on a matrix of equal rows times one of equal columns, whose product must be
one number throughout, and the same for all shapes.  Sums longer than `_LONGEST` are cut, and added in order.

BLAS must be held to one thread (`determinism.blas_threads`); the tiles are shared among worker threads.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np

from ..determinism.threads import in_pieces

_SIZES: Final = ((512, 512), (64, 33), (8, 1))
"""Rows and columns of a tile, and from how many on they are padded to it."""

_SMALLEST: Final = _SIZES[-1][0]

_LONGEST: Final = 2048
"""Terms of a sum that one call of BLAS adds."""

_TERM_BY_TERM: Final = 8
"""Up to so many terms, elementwise operations on whole matrices take as long."""

_PIECE: Final = 1 << 21
"""Multiplications that are worth waking a thread for."""

_COPIED: Final = 1 << 16
"""And copies."""

_IN_CACHE: Final = 1 << 12
"""Complex numbers of which a real matrix stays in the cache."""


def matmul(a: Any, b: Any) -> Any:
    """`a @ b` of stacks of matrices (..., n, k) and (..., k, m), of any numbers.

    The bits of an element depend on its row, its column and the length of these alone.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.tiles import matmul
    >>> from wirtinger.determinism import deterministic
    >>> a, b = numpy.ones((3, 20)), numpy.ones((20, 2))
    >>> with deterministic("schedule"):
    ...     matmul(a, b)[0]
    array([20., 20.])
    """
    dtype = np.result_type(a, b)
    if dtype.kind != "c":
        x = _real(_double(a), _double(b))
    elif b.dtype.kind != "c":
        x = np.empty((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]), np.complex128)
        b = _double(b)
        x.real, x.imag = _real(_double(a.real), b), _real(_double(a.imag), b)
    elif a.dtype.kind != "c":
        x = _real(_double(a), np.ascontiguousarray(b, np.complex128).view(np.float64)).view(np.complex128)
    else:
        x = _real(np.ascontiguousarray(a, np.complex128).view(np.float64), _real_matrix(b)).view(np.complex128)
    return x.astype(dtype, copy=False)


def _real_matrix(b: Any) -> Any:
    """The real matrix (..., 2 k, 2 m) that takes rows to rows, of numbers as they lie in memory: both parts in turn.

    `[a.real, a.imag] @ [[b.real, b.imag], [-b.imag, b.real]]` is `[x.real, x.imag]`.
    """
    *stack, k, m = b.shape
    x = np.empty((*stack, k, 2, m, 2))

    height = max(_IN_CACHE * k // max(b.size, 1), 1)

    def fill(rows: slice) -> None:
        for start in range(rows.start, rows.stop, height):
            some = slice(start, min(start + height, rows.stop))
            part, given = x[..., some, :, :, :], b[..., some, :]
            part[..., 0, :, 0] = part[..., 1, :, 1] = given.real
            part[..., 0, :, 1] = given.imag
            np.negative(given.imag, out=part[..., 1, :, 0])

    in_pieces(fill, k, -(-_COPIED * k // max(b.size, 1)))
    return x.reshape(*stack, 2 * k, 2 * m)


def _double(a: Any) -> Any:
    """Single precision is multiplied in double, and rounded once: BLAS computes its last columns otherwise."""
    return np.ascontiguousarray(a, np.float64)


def _real(a: Any, b: Any) -> Any:
    """The product in double precision."""
    n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
    x = (np.empty if k else np.zeros)((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), n, m))
    if k <= _TERM_BY_TERM:
        return _added_terms(x, a, b)
    for start in range(0, k, _LONGEST):
        part = slice(start, min(start + _LONGEST, k))
        _add_tiles(x, a[..., part], b[..., part, :], is_first=start == 0)
    return x


def _added_terms(x: Any, a: Any, b: Any) -> Any:
    """Term by term."""
    for i in range(a.shape[-1]):
        if i:
            x += a[..., :, i, None] * b[..., None, i, :]
        else:
            np.multiply(a[..., :, i, None], b[..., None, i, :], out=x)
    return x


def _add_tiles(x: Any, a: Any, b: Any, is_first: bool) -> None:
    n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
    tiles = list(product(_cuts(n), _cuts(m)))
    if not all(_is_uniform(height, width, k) for (_, _, height), (_, _, width) in tiles):
        _added_terms(x, a, b) if is_first else np.add(x, _added_terms(np.zeros_like(x), a, b), out=x)
        return

    def run(piece: slice) -> None:
        for (top, bottom, height), (left, right, width) in tiles[piece]:
            rows, columns = _padded(a[..., top:bottom, :], height, -2), _padded(b[..., left:right], width, -1)
            is_single = is_first and (bottom - top, right - left) == (height, width)
            target = x[..., top:bottom, left:right]
            tile = np.matmul(rows, columns, out=target) if is_single else np.matmul(rows, columns)
            tile = tile[..., : bottom - top, : right - left]
            if is_first and not is_single:
                target[...] = tile
            elif not is_first:
                target += tile

    each = max(x.size * k // max(len(tiles), 1), 1)
    in_pieces(run, len(tiles), -(-_PIECE // each))


def _cuts(n: int) -> list[tuple[int, int, int]]:
    """How `n` rows or columns are cut: start, end, and the size of the tile that they are padded to."""
    cuts, start = [], 0
    for size, least in _SIZES:
        while n - start >= least:
            cuts.append((start, min(start + size, n), size))
            start = min(start + size, n)
    return cuts


def _padded(a: Any, size: int, axis: int) -> Any:
    """Rows or columns with zeros behind them, and all in memory of their own: BLAS takes no other way for it."""
    if a.shape[axis] == size:
        return a
    shape = list(a.shape)
    shape[axis] = size
    x = np.zeros(shape)
    x[(..., slice(a.shape[-2]), slice(a.shape[-1]))] = a
    return x


@cache
def _value(k: int) -> tuple[Any, Any, Any]:
    """Some rows, some columns, and their products in the smallest tile."""
    random = np.random.default_rng(k)
    rows, columns = random.standard_normal((4, k)), random.standard_normal((4, k))
    return (
        rows,
        columns,
        [_filled(row, column, _SMALLEST, _SMALLEST) for row, column in zip(rows, columns, strict=True)],
    )


def _filled(row: Any, column: Any, height: int, width: int) -> Any:
    return np.matmul(np.tile(row, (height, 1)), np.tile(column[:, None], (1, width)))


@cache
def _is_uniform(height: int, width: int, k: int) -> bool:
    """Whether all elements of such a tile are computed alike, and as those of the smallest tile."""
    rows, columns, smallest = _value(k)
    return all(
        np.all(_filled(row, column, height, width) == x[0, 0]) and np.all(x == x[0, 0])
        for row, column, x in zip(rows, columns, smallest, strict=True)
    )
