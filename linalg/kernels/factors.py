"""Factorizations of a matrix, stored beside it as plain data, so that later operations reuse them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np

from ...complex_autograd.engine.opaque import is_on_host, opaque_call
from ...complex_autograd.engine.traced import raw
from ...determinism.flag import is_portable
from .lapack import routine

__all__ = [
    "LU",
    "Definite",
    "Symmetric",
    "Triangular",
    "definite_of",
    "lu_of",
    "symmetric_of",
    "triangular",
]

SMALLEST: Final = 32
"""Below this size NumPy's gufunc factorizes again in less time than SciPy's wrappers take to reuse the factors."""

_BLOCK: Final = 64
"""Columns that LAPACK works on at a time."""

_KINDS: Final = "fdFD"


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
        return routine("getrs", self._factors)(self._factors, self._pivots, b, trans=trans)[0]

    def inverse(self) -> Any:
        """The inverse."""
        x = routine("getri", self._factors)(self._factors, self._pivots, lwork=_BLOCK * len(self._pivots))[0]
        return x.T.conj() if self._transposed else x

    def slogdet(self) -> tuple[Any, Any]:
        """The phase of the determinant and the logarithm of its modulus, of the matrix itself."""
        diagonal = np.diagonal(self._factors)
        size = np.abs(diagonal)
        odd = np.count_nonzero(self._pivots != np.arange(len(self._pivots))) % 2
        return np.prod(diagonal / size) * (1 - 2 * odd), np.sum(np.log(size))


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
        x, info = routine("trtrs", self._matrix)(
            self._matrix, b, lower=self._lower, trans=2 * self._transposed, unitdiag=0
        )
        if info > 0:
            raise np.linalg.LinAlgError("Singular matrix")
        return x


@final
class Definite:
    """The Cholesky factor of a positive-definite matrix."""

    __slots__ = ("_factor",)

    def __init__(self, factor: Any) -> None:
        self._factor = factor

    @property
    def H(self) -> Definite:
        """The factor of the conjugate transpose: the same."""
        return self

    def solve(self, b: Any) -> Any:
        """The solution `x` of `a x = b`."""
        return _by_columns(b, lambda b: routine("potrs", self._factor)(self._factor, b, lower=True)[0])


@final
class Symmetric:
    """The Bunch-Kaufman factors of a symmetric or Hermitian matrix, or of its conjugate transpose."""

    __slots__ = ("_conjugated", "_factors", "_hermitian", "_pivots")

    def __init__(self, factors: Any, pivots: Any, hermitian: bool, conjugated: bool = False) -> None:
        self._factors, self._pivots, self._hermitian, self._conjugated = factors, pivots, hermitian, conjugated

    @property
    def H(self) -> Symmetric:
        """The factors of the conjugate transpose: the same data."""
        return Symmetric(self._factors, self._pivots, self._hermitian, self._conjugated != (not self._hermitian))

    def solve(self, b: Any) -> Any:
        """The solution `x` of `a x = b`; with `conj(a) x = b` it is the conjugate of that of `a x = conj(b)`."""
        solve_with = routine("hetrs" if self._hermitian else "sytrs", self._factors)

        def solve(b: Any) -> Any:
            return _by_columns(b, lambda b: solve_with(self._factors, self._pivots, b, lower=True)[0])

        return np.conj(solve(np.conj(b))) if self._conjugated else solve(b)


def _by_columns(b: Any, solve: Callable[[Any], Any]) -> Any:
    """A vector as one column."""
    return solve(b[:, None])[:, 0] if b.ndim == 1 else solve(b)


def _is_large(a: Any) -> bool:
    return a.ndim == 2 and a.shape[0] == a.shape[1] >= SMALLEST and is_on_host(a) and a.dtype.kind in "fc"


def lu_of(a: Any, *others: Any) -> LU | None:
    """The factors of one large matrix, in the precision that it meets the others in; None where NumPy does it all."""
    matrix = _large(a, *others)
    if matrix is None:
        return None
    factors, pivots, info = opaque_call(_getrf, (matrix,), {})
    if info > 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return LU(factors, pivots)


def _getrf(matrix: Any) -> Any:
    return routine("getrf", matrix)(matrix)


def definite_of(a: Any, *others: Any) -> Definite | None:
    """The Cholesky factor of one large matrix, likewise."""
    matrix = _large(a, *others)
    if matrix is None:
        return None
    factor, info = opaque_call(_potrf, (matrix,), {})
    if info > 0:
        raise np.linalg.LinAlgError(f"Matrix is not positive definite: its leading minor of order {info} is not")
    return Definite(factor)


def _potrf(matrix: Any) -> Any:
    return routine("potrf", matrix)(matrix, lower=True)


def symmetric_of(a: Any, hermitian: bool, *others: Any) -> Symmetric | None:
    """The factors of one large symmetric or Hermitian matrix, likewise."""
    matrix = _large(a, *others)
    if matrix is None:
        return None
    hermitian = hermitian and matrix.dtype.kind == "c"
    factors, pivots, info = opaque_call(_sytrf, (matrix,), {"hermitian": hermitian})
    if info > 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return Symmetric(factors, pivots, hermitian)


def _sytrf(matrix: Any, *, hermitian: bool) -> Any:
    factorize = routine("hetrf" if hermitian else "sytrf", matrix)
    return factorize(matrix, lower=True, lwork=_BLOCK * matrix.shape[0])


def _large(a: Any, *others: Any) -> Any:
    """One large matrix, plain, in the precision that it meets the others in; None if it is not one."""
    matrix = raw(a)
    if not _is_large(matrix) or is_portable():
        return None
    dtype = np.result_type(a.dtype, *(x.dtype for x in others))
    return matrix.astype(dtype, copy=False) if dtype.char in _KINDS else None


def triangular(a: Any, lower: bool) -> Triangular | None:
    """A single large triangular matrix as its own factors; None where NumPy solves with it."""
    matrix = raw(a)
    is_given = _is_large(matrix) and matrix.dtype.char in _KINDS and not is_portable()
    return Triangular(matrix, lower) if is_given else None
