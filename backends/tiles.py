"""Products of matrices whose elements are computed as if each were alone: in equal tiles, by BLAS.

BLAS adds the terms of an element in an order that depends on the shape of the call, and at the edges of a matrix takes
other instructions.  So a product is cut into tiles of one shape, whose rows and columns are multiples of a unit; the
last overlap with those before, or are filled up with zeros where the matrix is smaller.  An element is then a sum of
the same terms in the same order wherever it stands, and however many tiles there are: as many as keep the worker
threads busy.  That is not taken on trust: for each inner length every shape is tried once, on a few rows and columns
that recur, whose products must be the same numbers throughout, and the same for all shapes.  Sums longer than
`_LONGEST` are cut, and added in order.

BLAS must be held to one thread (`determinism.blas_threads`); the tiles are shared among worker threads.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from typing import Any, Final

import numpy as np

from ..determinism.threads import get_num_threads, in_pieces

_UNITS: Final = (8, 12, 24, 48)
"""What rows and columns may be multiples of: the first that BLAS has whole kernels for."""

_LARGEST: Final = 768
"""Rows or columns of a tile."""

_EDGE: Final = 10
"""A tile of h rows and w columns takes the time of h w + 10 (h + w) multiplications a term."""

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
        x = _product(_double(a), _double(b))
    elif b.dtype.kind != "c":
        x = np.empty((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1]), np.complex128)
        b = _double(b)
        x.real, x.imag = _product(_double(a.real), b), _product(_double(a.imag), b)
    elif a.dtype.kind != "c":
        x = _product(_double(a), _double_complex(b).view(np.float64)).view(np.complex128)
    elif a.shape[-1] > _TERM_BY_TERM and all(_unit(n, "D") for n in _lengths(a.shape[-1])):
        x = _product(_double_complex(a), _double_complex(b))
    else:
        x = _product(_double_complex(a).view(np.float64), _real_matrix(b)).view(np.complex128)
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


def _double_complex(a: Any) -> Any:
    return np.ascontiguousarray(a, np.complex128)


def _lengths(k: int) -> list[int]:
    """The lengths of the parts of a sum."""
    return [min(_LONGEST, k - start) for start in range(0, k, _LONGEST)]


def _product(a: Any, b: Any) -> Any:
    """The product in double precision."""
    n, k, m = a.shape[-2], a.shape[-1], b.shape[-1]
    x = (np.empty if k else np.zeros)((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), n, m), a.dtype)
    if k <= _TERM_BY_TERM or not x.size:
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
    unit = _unit(k, a.dtype.char)
    if unit is None:
        _added_terms(x, a, b) if is_first else np.add(x, _added_terms(np.zeros_like(x), a, b), out=x)
        return
    height, width = _tile(n, m, unit, min(get_num_threads(), max(x.size * k // _PIECE, 1)))
    if not _is_uniform(height, width, k, a.dtype.char):
        height = width = unit
    tiles = list(product(_blocks(a, height, -2), _blocks(b, width, -1)))

    def run(piece: slice) -> None:
        for (i, own_i, rows), (j, own_j, columns) in tiles[piece]:
            target = x[..., i, j]
            if is_first and target.shape[-2:] == (height, width):
                np.matmul(rows, columns, out=target)
            else:
                tile = np.matmul(rows, columns)[..., own_i, own_j]
                np.copyto(target, tile) if is_first else np.add(target, tile, out=target)

    in_pieces(run, len(tiles), -(-_PIECE * len(tiles) // (x.size * k)))


@lru_cache(maxsize=4096)
def _tile(n: int, m: int, unit: int, threads: int) -> tuple[int, int]:
    """Rows and columns of the tiles by which threads compute a product soonest."""

    def sizes(length: int) -> list[int]:
        fewest = -(-length // _LARGEST)
        return [unit * -(-length // (parts * unit)) for parts in range(fewest, fewest + 2 * threads + 1)]

    def time(shape: tuple[int, int]) -> int:
        height, width = shape
        return -(-(-(-n // height) * -(-m // width)) // threads) * (height * width + _EDGE * (height + width))

    return min(product(sizes(n), sizes(m)), key=time)


def _blocks(a: Any, size: int, axis: int) -> list[tuple[slice, slice, Any]]:
    """Rows or columns in blocks of one size: which they are, where they stand in the block, and the block.

    The last block begins in the one before; a single one is filled up with zeros.
    """
    n = a.shape[axis]
    if n < size:
        shape = list(a.shape)
        shape[axis] = size
        x = np.zeros(shape, a.dtype)
        x[(..., slice(a.shape[-2]), slice(a.shape[-1]))] = a
        return [(slice(n), slice(n), x)]
    lows = [(start, min(start, n - size)) for start in range(0, n, size)]
    parts = [slice(low, low + size) for _, low in lows]
    taken = [a[..., part, :] if axis == -2 else a[..., part] for part in parts]
    return [
        (slice(start, low + size), slice(start - low, size), x) for (start, low), x in zip(lows, taken, strict=True)
    ]


_ROWS, _COLUMNS = 7, 5
"""How many recur: neither has a factor in common with the sizes of kernels."""


@cache
def _vectors(k: int, letter: str) -> tuple[Any, Any]:
    """Some rows and some columns."""
    random = np.random.default_rng(k)
    drawn = random.standard_normal((_ROWS + _COLUMNS, k * np.dtype(letter).itemsize // 8)).view(letter)
    return drawn[:_ROWS], drawn[_ROWS:].T


def _recurring(height: int, width: int, k: int, letter: str, first: int = 0, second: int = 0) -> Any:
    rows, columns = _vectors(k, letter)
    i: Any = (np.arange(height) + first) % _ROWS
    j: Any = (np.arange(width) + second) % _COLUMNS
    return i[:, None], j, np.matmul(rows[i], np.ascontiguousarray(columns[:, j]))


@cache
def _products(unit: int, k: int, letter: str) -> Any:
    """The products of all rows and columns in tiles of one unit; None where they depend on where they stand."""
    values = _recurring(unit, unit, k, letter)[2][:_ROWS, :_COLUMNS]
    for first, second in product(range(_ROWS), range(_COLUMNS)):
        i, j, x = _recurring(unit, unit, k, letter, first, second)
        if not np.array_equal(x, values[i, j]):
            return None
    return values


@cache
def _unit(k: int, letter: str) -> int | None:
    """The unit of tiles for sums of `k` terms; None where BLAS has none."""
    return next((u for u in _UNITS if _agree(u, 5 * u, 7 * u, k, letter)), None)


@cache
def _is_uniform(height: int, width: int, k: int, letter: str) -> bool:
    """Whether all elements of such a tile are computed alike, and as those of the smallest tile."""
    unit = _unit(k, letter)
    return unit is not None and _agree(unit, height, width, k, letter)


def _agree(unit: int, height: int, width: int, k: int, letter: str) -> bool:
    values, (i, j, x) = _products(unit, k, letter), _recurring(height, width, k, letter)
    return values is not None and np.array_equal(x, values[i, j])
