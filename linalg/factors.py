"""Factors of a matrix, kept as data beside it and never differentiated: one factorization for all that follows."""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np
from scipy.linalg import lapack

from ..complex_autograd.array import raw

__all__ = ["LU", "Triangular", "lu_of", "triangular"]

SMALLEST: Final = 32
"""Below this size NumPy's gufunc factorizes again in less time than SciPy's wrappers take to reuse the factors."""

_PREFIX = {"f": "s", "d": "d", "F": "c", "D": "z"}


def _routine(name: str, dtype: np.dtype[Any]) -> Any:
    return getattr(lapack, _PREFIX[dtype.char] + name)


@final
class LU:
    """The factors `P L U` of a square matrix, or of its conjugate transpose."""

    __slots__ = ("_factors", "_pivots", "_transposed")

    def __init__(self, factors: Any, pivots: Any, transposed: bool = False) -> None:
        self._factors, self._pivots, self._transposed = factors, pivots, transposed

    @property
    def H(self) -> LU:
        """The factors of the conjugate transpose: the same data."""
        return LU(self._factors, self._pivots, not self._transposed)

    def solve(self, b: Any) -> Any:
        """The solution `x` of `a x = b`."""
        trans = 2 * self._transposed
        return _routine("getrs", self._factors.dtype)(self._factors, self._pivots, b, trans=trans)[0]


@final
class Triangular:
    """A triangular matrix, or its conjugate transpose, as its own factor; the other triangle is not read."""

    __slots__ = ("_lower", "_matrix", "_transposed")

    def __init__(self, matrix: Any, lower: bool, transposed: bool = False) -> None:
        self._matrix, self._lower, self._transposed = matrix, lower, transposed

    @property
    def H(self) -> Triangular:
        """The conjugate transpose: the same data."""
        return Triangular(self._matrix, self._lower, not self._transposed)

    def solve(self, b: Any) -> Any:
        """The solution `x` of `a x = b`."""
        x, info = _routine("trtrs", self._matrix.dtype)(
            self._matrix, b, lower=self._lower, trans=2 * self._transposed, unitdiag=0
        )
        if info > 0:
            raise np.linalg.LinAlgError("Singular matrix")
        return x


def _is_large(a: Any) -> bool:
    return a.ndim == 2 and a.shape[0] == a.shape[1] >= SMALLEST and type(a) is np.ndarray and a.dtype.kind in "fc"


def lu_of(a: Any, *others: Any) -> LU | None:
    """The factors of one large matrix, in the precision that it meets the others in; None where NumPy does it all."""
    matrix = raw(a)
    if not _is_large(matrix):
        return None
    dtype = np.result_type(a.dtype, *(x.dtype for x in others))
    if dtype.char not in _PREFIX:
        return None
    factors, pivots, info = _routine("getrf", dtype)(matrix.astype(dtype, copy=False))
    if info > 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return LU(factors, pivots)


def triangular(a: Any, lower: bool) -> Triangular | None:
    """A single large triangular matrix as its own factors; None where NumPy solves with it."""
    matrix = raw(a)
    return Triangular(matrix, lower) if _is_large(matrix) and matrix.dtype.char in _PREFIX else None
