"""Which values are equal, nearly equal or tiny, and the unitary matrices inside their blocks."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np

from ....backends import DIGITS, eps_of
from ....complex_autograd.engine.choices import CHOICES
from ....complex_autograd.engine.traced import raw
from ...elementary.triangles import identity, like
from ...kernels.tolerances import TIED, negligible

_NEARNESS: Final = 0.22
"""Values may be split if their relative difference is below `eps` to this power."""

_NEARNESS_FIRST: Final = 1 / 3
"""The same for first derivatives, which lose fewer digits."""

_ORDINARY: Final = 10.0
"""Up to such condition numbers eigenvalues of general matrices are split as those of Hermitian ones."""

_WIDEST: Final = 0.1
"""Up to `eps` to this power the values of general matrices are split, however ill-conditioned the vectors are."""

_UNDECIDED: Final = 0.64
"""Where the relative difference of values is below `eps` to this power, `acceptance` takes most errors for rounding."""

_OWN: Final = 0x77697274
"""What tells our random numbers from those of programs: a loss made of the same matrix commutes with its vectors."""

FEW: Final = 8
"""Up to so many values of one matrix Python's numbers are compared, which is faster than arrays are."""


@lru_cache
def tiny(dtype: np.dtype[Any], digits: int | None) -> float:
    """Values are tiny if the largest of them is below this, with so many digits in force, or those of the dtype."""
    return float(eps_of(dtype) ** 0.19)


def undecided(dtype: np.dtype[Any]) -> float:
    """The relative difference of values up to which their vectors are treated as a choice."""
    return float(eps_of(dtype) ** _UNDECIDED)


def tied(n: int, dtype: np.dtype[Any]) -> float:
    """The relative difference up to which `n` values are equal: rounding, but where other vectors are to be chosen."""
    rounding = TIED * n * eps_of(dtype)
    return max(rounding, undecided(dtype)) if CHOICES.other_bases else rounding


def equal_values(values: Any) -> Any:
    """Which of the sorted values in the last axis are equal up to rounding.

    Returns
    -------
    ndarray (..., n, n) or None
        1 where they are equal (so on the diagonal), 0 elsewhere; None if all are distinct.
    """
    n = values.shape[-1]
    if n < 2:
        return None
    rounding = tied(n, values.dtype)
    if are_few(values) and are_apart(values, rounding):
        return None
    gaps, sizes = _gaps_and_sizes(values)
    apart = gaps > rounding * sizes
    if np.all(apart):
        return None
    first = np.zeros_like(apart[..., :1], dtype=int)
    block = np.concatenate([first, np.cumsum(apart, axis=-1)], axis=-1)
    return (block[..., :, None] == block[..., None, :]).astype(values.dtype)


def closed(same: Any) -> Any:
    """Equality made transitive."""
    for _ in range(same.shape[-1].bit_length()):
        same = (same @ same > 0).astype(same.dtype)
    return same


def _gaps_and_sizes(values: Any) -> tuple[Any, Any]:
    """The distances of neighbours in the last axis, sorted, and the largest modulus there."""
    if type(values) is np.ndarray and values.ndim > 1:
        values = np.asfortranarray(values)  # so that a reduction over few runs along many
    last = np.maximum(np.abs(values[..., :1]), np.abs(values[..., -1:]))
    return np.abs(values[..., 1:] - values[..., :-1]), last


def are_few(values: Any) -> bool:
    """Whether these are the values of one small matrix on the CPU: Python's numbers compare them faster than arrays."""
    return bool(type(values) is np.ndarray and values.ndim == 1 and 2 <= values.shape[0] <= FEW)


def are_apart(values: Any, part: float, scale: float | None = None) -> bool:
    """Whether a few sorted values differ by more than a part of the largest, or of another number."""
    numbers = values.tolist()
    allowed = part * (max(abs(numbers[0]), abs(numbers[-1])) if scale is None else scale)
    return all(abs(y - x) > allowed for x, y in pairwise(numbers))


@lru_cache
def nearness(dtype: np.dtype[Any], is_first: bool, digits: int | None) -> float:
    """The relative difference below which values may be split."""
    return float(eps_of(dtype) ** (_NEARNESS_FIRST if is_first else _NEARNESS))


def widest_nearness(dtype: np.dtype[Any], depth: int, condition: float) -> float:
    """The same for eigenvalues with a condition number, with which rounding errors grow."""
    return min(
        10 * nearness(dtype, depth == 1, DIGITS.get()) * max(condition / _ORDINARY, 1.0),
        float(eps_of(dtype) ** _WIDEST),
    )


def has_near(values: Any, depth: int, from_zero: bool) -> bool:
    """Whether any sorted values are so near to each other, or to zero, that they may be split."""
    gaps, sizes = _gaps_and_sizes(values)
    near = nearness(values.dtype, depth == 1, DIGITS.get()) * sizes
    return bool(np.any(gaps <= near)) or (from_zero and bool(np.any(values[..., -1:] <= near)))


def are_equal_or_clear(values: Any, same: Any) -> bool:
    """Whether no sorted values are nearly equal without being equal, nor all of them tiny."""
    gaps, sizes = _gaps_and_sizes(values)
    near = gaps <= 10 * nearness(values.dtype, False, DIGITS.get()) * sizes
    return not np.any(are_tiny(values)) and bool(np.all(near <= (np.diagonal(same, 1, -2, -1) > 0)))


def are_tiny(values: Any) -> Any:
    """Whether the largest modulus of sorted values is tiny, and not 0."""
    largest = np.max(np.abs(values), axis=-1, initial=0.0)
    return (largest > 0) & (largest < tiny(values.dtype, DIGITS.get()))


def mean_over(same: Any, g: Any) -> Any:
    """Every element of the last axis replaced by the mean over the values equal to its own."""
    return (same @ g[..., None])[..., 0] / np.sum(same, axis=-1)


def is_uneven(g: Any, same: Any) -> bool:
    """Whether a cotangent differs over equal values."""
    g = raw(g)
    difference = (g[..., :, None] - g[..., None, :]) * same
    return not bool(np.all(np.abs(difference) <= negligible(g, 1)[..., None]))


def block_vectors(same: Any, p: Any) -> Any:
    """The unitary matrices, inside the blocks of equal values, that diagonalize the Hermitian `p` in each block.

    The values may be in any order; of `p` the lower triangle is read.
    """
    first = np.argmax(same, axis=-1).astype(same.dtype)  # the index at which the block of each value starts
    size = np.max(np.abs(p), axis=(-2, -1), keepdims=True)
    separated = first[..., None] * identity(same) * (4 * same.shape[-1] * (size + (size == 0)))
    q = np.linalg.eigh(p * same + separated)[1]
    back = np.argsort(np.argsort(first, axis=-1, kind="stable"), axis=-1, kind="stable")
    return np.take_along_axis(q, np.broadcast_to(back[..., None, :], q.shape), axis=-1) * same


def chosen_matrix(a: Any) -> Any:
    """A matrix without structure that chooses the vectors of equal values, with the shape of `a`."""
    CHOICES.made += 1
    return like(a, random_matrix, *a.shape[-2:], a.dtype.kind == "c", 21 if CHOICES.other_bases else 20)


@lru_cache(maxsize=64)
def random_matrix(dtype: str, m: int, n: int, complex_too: bool, seed: int) -> Any:
    """A matrix without structure, always the same one, and none that a program draws for itself from a seed."""
    random = np.random.default_rng([_OWN, seed])
    a = random.standard_normal((m, n)) + 1j * random.standard_normal((m, n))
    a = a.astype(dtype.upper()) if complex_too else a.real.astype(dtype)
    a.flags.writeable = False
    return a
