"""Helpers: random arrays, and matrices with given eigenvalues or singular values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from traced_values import draw


def drawn(*shape: int, dtype: Any = complex, seed: int = 0) -> Any:
    """Normal random numbers."""
    return draw(shape, dtype, seed)


def H(a: Any) -> Any:
    """The conjugate transpose."""
    return np.conj(np.swapaxes(a, -1, -2))


def unitary(n: int, dtype: Any, seed: int = 0) -> Any:
    return np.linalg.qr(drawn(n, n, dtype=dtype, seed=seed))[0]


def hermitian_with(values: Sequence[float], dtype: Any, seed: int = 0) -> Any:
    """A Hermitian matrix with these eigenvalues."""
    q = unitary(len(values), dtype, seed)
    a = (q * np.array(values)) @ H(q)
    return (a + H(a)) / 2


def general_with(values: Sequence[float], m: int, n: int, dtype: Any) -> Any:
    """A matrix with these singular values."""
    k = min(m, n)
    return (unitary(m, dtype)[:, :k] * np.array(values)) @ unitary(n, dtype, seed=1)[:k, :]


def definite(n: int, dtype: Any, seed: int = 0) -> Any:
    """A well-conditioned Hermitian matrix with positive eigenvalues."""
    a = drawn(n, n, dtype=dtype, seed=seed)
    return (a @ H(a) + n * np.eye(n)).astype(dtype)


def as_read(a: Any) -> Any:
    """The Hermitian matrix that the lower triangle stands for."""
    h = np.tril(a) + H(np.tril(a, -1))
    return (h + H(h)) / 2
