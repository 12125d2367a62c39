"""What moves stored values and changes none: conversions, parts, stacks, and the positions that two patterns share.

SciPy does it to the numbers 1, 2, ... in the place of the values, and each number then tells which value stands there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as scipy_sparse

from ....complex_autograd.engine.opaque import RECORDING, holds_symbols
from ....complex_autograd.engine.traced import Traced
from .entries import Move, Rows, moved
from .pattern import Pattern, distinct, storable


def entries_of(a: Any) -> tuple[Pattern, Any]:
    """The pattern of a sparse array, SciPy's or ours, and its values in one vector."""
    pattern = pattern_of(a)
    data = a.data if hasattr(type(a), "pattern") else storable(a).data
    return pattern, np.reshape(data, (-1,))


def pattern_of(a: Any) -> Pattern:
    """The pattern of a sparse array, SciPy's or ours."""
    return a.pattern if hasattr(type(a), "pattern") else Pattern(storable(a))


def without_padding(pattern: Pattern, d: Any) -> tuple[Pattern, Any]:
    """The same entries in a format whose stored values all have a place: rows for blocks, coordinates for diagonals."""
    if pattern.format == "bsr":
        return rearranged([(pattern, d)], lambda a: a.tocsr())
    if pattern.format == "dia":
        return rearranged([(pattern, d)], lambda a: a.tocoo())
    return pattern, d


def canonical(pattern: Pattern, d: Any) -> tuple[Pattern, Any]:
    """The same matrix with one value for each position."""
    if pattern.is_canonical:
        return pattern, d
    positions, inverse = np.unique(pattern.positions, return_inverse=True)
    coords = np.unravel_index(positions, pattern.shape)
    ones = scipy_sparse.coo_array((np.arange(1, len(positions) + 1), coords), shape=pattern.shape)
    found = ones.asformat(pattern.format)
    d = moved(d, move=Move(None, inverse, pattern.size, len(positions)))
    d = moved(d, move=Move(found.data - 1, None, len(positions), len(positions)))
    return Pattern(pattern.kind(found)), d


def rearranged(parts: Sequence[tuple[Pattern, Any]], build: Callable[..., Any]) -> tuple[Pattern, Any]:
    """What a function of SciPy's that moves values makes of some sparse arrays."""
    parts = [canonical(*part) for part in parts]
    numbered, first = [], 1
    for pattern, _ in parts:
        numbers = np.arange(first, first + pattern.size, dtype=np.int64)
        numbered.append(pattern.matrix(numbers.reshape(pattern.data_shape)))
        first += pattern.size
    return placed(joined([d for _, d in parts]), build(*numbered))


def placed(values: Any, numbered: Any) -> tuple[Pattern, Any]:
    """The sparse array in which the value with the number k, from 1, stands where another one holds k."""
    found = storable(numbered)
    numbers = np.ravel(found.data).astype(np.int64)
    if np.all(numbers):
        return Pattern(found), moved(values, move=Move(numbers - 1, None, values.shape[0], len(numbers)))
    target = np.flatnonzero(numbers)
    return Pattern(found), moved(values, move=Move(numbers[target] - 1, target, values.shape[0], len(numbers)))


def joined(vectors: Sequence[Any]) -> Any:
    """Some vectors one after the other."""
    return vectors[0] if len(vectors) == 1 else np.concatenate(vectors)


def rows_of(pattern: Pattern, d: Any) -> tuple[Rows, Any, bool]:
    """A matrix, or its transpose, by rows: the pattern, the values, and whether it is the transpose."""
    if pattern.format not in ("csr", "csc"):
        pattern, d = rearranged([without_padding(pattern, d)], lambda a: a.tocsr())
    indices, indptr = pattern.indices
    if pattern.format == "csc":
        return Rows(indices, indptr, (pattern.shape[1], pattern.shape[0])), d, True
    return Rows(indices, indptr, two_of(pattern.shape)), d, False


def untransposed_rows(pattern: Pattern, d: Any) -> tuple[Rows, Any]:
    """A matrix by rows."""
    if pattern.format != "csr":
        pattern, d = rearranged([without_padding(pattern, d)], lambda a: a.tocsr())
    indices, indptr = pattern.indices
    return Rows(indices, indptr, two_of(pattern.shape)), d


def two_of(shape: tuple[int, ...]) -> tuple[int, int]:
    """The shape of a matrix; `NotImplementedError` for a vector."""
    if len(shape) != 2:
        raise NotImplementedError(
            f"a sparse array of shape {shape} was given with traced values where one with two axes is needed. Reshape "
            "the pattern to (1, n) or (n, 1) first."
        )
    return shape[0], shape[1]


def union(parts: Sequence[tuple[Pattern, Any]]) -> tuple[Pattern, list[Any]]:
    """The positions that some matrices have values in, and the values of each there: 0 where it has none.

    The format is that of the first by rows or columns, as SciPy's sums have it.
    """
    first = parts[0][0]
    form = "csc" if first.format == "csc" else "csr"
    cleaned = [canonical(*without_padding(*part)) for part in parts]
    positions = distinct(np.concatenate([pattern.positions for pattern, _ in cleaned]))
    pattern, order = _at_positions(positions, first, form)
    found = []
    for own, d in cleaned:
        target = np.empty(len(positions), np.int64)
        target[order] = np.arange(len(positions))
        found.append(
            moved(d, move=Move(None, target[np.searchsorted(positions, own.positions)], own.size, len(positions)))
        )
    return pattern, found


def intersection(a: tuple[Pattern, Any], b: tuple[Pattern, Any]) -> tuple[Pattern, Any, Any]:
    """The positions that two matrices both have values in, and the values there."""
    form = "csc" if a[0].format == "csc" else "csr"
    (p, c), (q, d) = (canonical(*without_padding(*part)) for part in (a, b))
    positions, of_p, of_q = np.intersect1d(p.positions, q.positions, assume_unique=True, return_indices=True)
    pattern, order = _at_positions(positions, a[0], form)
    count = len(positions)
    return (
        pattern,
        moved(c, move=Move(of_p[order], None, p.size, count)),
        moved(d, move=Move(of_q[order], None, q.size, count)),
    )


def _at_positions(positions: Any, like: Pattern, form: str) -> tuple[Pattern, Any]:
    """The pattern with values at some positions of the flattened array, and the order of these in it."""
    numbers = np.arange(len(positions), dtype=np.int64)
    coords = np.unravel_index(positions, like.shape)
    found = scipy_sparse.coo_array((numbers, coords), shape=like.shape).asformat(form)
    kind = getattr(scipy_sparse, f"{form}_{'matrix' if like.is_matrix else 'array'}")
    return Pattern(kind(found)), found.data


def is_sparse(a: Any) -> bool:
    """Whether it is a sparse array, SciPy's or ours."""
    return hasattr(type(a), "pattern") or scipy_sparse.issparse(a)


def is_traced(a: Any) -> bool:
    """Whether something is, or holds in nested sequences, a traced array or a sparse array of ours."""
    if isinstance(a, (list, tuple)):
        return any(map(is_traced, a))
    return type(a) is Traced or hasattr(type(a), "pattern") or (RECORDING[0] > 0 and holds_symbols(a))
