"""Which values are equal up to rounding, and the basis of their vectors."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from ....complex_autograd.engine.forward import ForwardTrace
from ....complex_autograd.engine.traced import Traced, raw
from ...elementary.triangles import identity
from ...kernels.tolerances import TIED, eps_of, negligible

__all__ = [
    "are_apart",
    "are_few",
    "are_tiny",
    "block_vectors",
    "closed",
    "equal_values",
    "forward_direction",
    "gaps_and_sizes",
    "is_uneven",
    "mean_over",
    "random_matrix",
    "tiny",
]

_FEW = 8


@lru_cache
def tiny(dtype: np.dtype[Any]) -> float:
    """Values are tiny if the largest of them is below this."""
    return float(eps_of(dtype) ** 0.19)


def forward_direction(a: Any) -> Any:
    """The tangent of a traced array in forward mode, as a plain array; None where there is none."""
    while isinstance(a, Traced):
        if isinstance(a._tracer, ForwardTrace):
            return raw(a._tangent)
        a = a._value
    return None


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
    rounding = TIED * n * eps_of(values.dtype)
    if are_few(values) and are_apart(values, rounding):
        return None
    gaps, sizes = gaps_and_sizes(values)
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


def gaps_and_sizes(values: Any) -> tuple[Any, Any]:
    """The distances of neighbours in the last axis, sorted, and the largest modulus there."""
    if type(values) is np.ndarray and values.ndim > 1:
        values = np.asfortranarray(values)  # so that a reduction over few runs along many
    last = np.maximum(np.abs(values[..., :1]), np.abs(values[..., -1:]))
    return np.abs(values[..., 1:] - values[..., :-1]), last


def are_few(values: Any) -> bool:
    """Whether these are the values of one small matrix, which Python's numbers compare faster than arrays do."""
    return bool(values.ndim == 1 and 2 <= values.shape[0] <= _FEW)


def are_apart(values: Any, part: float, beside: float | None = None) -> bool:
    """Whether a few sorted values differ by more than a part of the largest, or of another number."""
    numbers = values.tolist()
    allowed = part * (max(abs(numbers[0]), abs(numbers[-1])) if beside is None else beside)
    return all(abs(y - x) > allowed for x, y in pairwise(numbers))


def are_tiny(values: Any) -> Any:
    """Whether the largest modulus of sorted values is tiny, and not 0."""
    largest = np.max(np.abs(values), axis=-1, initial=0.0)
    return (largest > 0) & (largest < tiny(values.dtype))


def mean_over(same: Any, g: Any) -> Any:
    """Every element of the last axis replaced by the mean over the values equal to its own."""
    return (same @ g[..., None])[..., 0] / np.sum(same, axis=-1)


def is_uneven(g: Any, same: Any) -> bool:
    """Whether a cotangent differs over equal values."""
    g = raw(g)
    difference = (g[..., :, None] - g[..., None, :]) * same
    return not bool(np.all(np.abs(difference) <= negligible(g, 1)[..., None]))


def block_vectors(same: Any, p: Any) -> Any:
    """The unitary matrices, inside the blocks of equal values, that diagonalize the Hermitian `p` in each block."""
    first = np.argmax(same, axis=-1).astype(same.dtype)  # where the block of each value starts
    size = np.max(np.abs(p), axis=(-2, -1), keepdims=True)
    separated = first[..., None] * identity(same) * (4 * same.shape[-1] * (size + (size == 0)))
    return np.linalg.eigh(p * same + separated)[1] * same


@lru_cache(maxsize=64)
def random_matrix(dtype: str, m: int, n: int, complex_too: bool) -> Any:
    """A matrix without structure, always the same one."""
    random = np.random.default_rng(20)
    a = random.standard_normal((m, n)) + 1j * random.standard_normal((m, n))
    a = a.astype(dtype.upper()) if complex_too else a.real.astype(dtype)
    a.flags.writeable = False
    return a
