"""Elimination with partial pivoting in all matrices of a stack at once."""

from __future__ import annotations

from typing import Any, Final, final

import numpy as np

from .interleaved import blocks, deinterleaved, interleaved, largest

__all__ = ["StackLU", "stack_lu"]

_FEW: Final = 16
"""Rows are exchanged by index where not even one item in this many needs it."""

_LOST: Final = 16
"""A pivot is zero up to rounding below this times `n eps` times the largest element above it."""

_SAFE: Final = 2.0**100
"""The product of a few numbers that are no larger, and whose reciprocals are no larger, is a normal number."""


@final
class StackLU:
    """The factors `P L U` of the matrices of a stack, or of their conjugate transposes."""

    __slots__ = ("_exchanges", "_factors", "_stack", "_transposed")

    def __init__(self, factors: Any, exchanges: Any, stack: tuple[int, ...], transposed: bool = False) -> None:
        self._factors, self._exchanges, self._stack, self._transposed = factors, exchanges, stack, transposed

    @property
    def H(self) -> StackLU:
        """The factors of the conjugate transposes: the same data."""
        return StackLU(self._factors, self._exchanges, self._stack, not self._transposed)

    def solve(self, b: Any) -> Any:
        """The solutions `x` of `a x = b`."""
        b = np.broadcast_to(b, self._stack + b.shape[-2:])
        dtype = np.result_type(self._factors.dtype, b.dtype)
        return deinterleaved(self._solved(interleaved(b, dtype)), self._stack)

    def inverse(self) -> Any:
        """The inverses."""
        x = np.zeros_like(self._factors)
        along = range(len(x))
        x[along, along] = 1
        return deinterleaved(self._solved(x), self._stack)

    def slogdet(self) -> tuple[Any, Any]:
        """The phases of the determinants and the logarithms of their moduli, of the matrices themselves."""
        diagonal = self._diagonal()
        size = np.abs(diagonal)
        if np.max(size) < _SAFE and np.min(size) > 1 / _SAFE:
            det = self.det()
            size = np.abs(det)
            return det / size, np.log(size)
        phase, log = self._sign() * np.prod(diagonal / size, axis=0), np.sum(np.log(size), axis=0)
        return phase.reshape(self._stack), log.reshape(self._stack)

    def det(self) -> Any:
        """The determinants of the matrices themselves."""
        return (self._sign() * np.prod(self._diagonal(), axis=0)).reshape(self._stack)

    def _diagonal(self) -> Any:
        return self._factors.diagonal().T

    def _sign(self) -> Any:
        sign = np.ones(self._factors.shape[-1])
        for block, exchanges in self._exchanges:
            for *_, where in exchanges:
                sign[block][where] *= -1
        return sign

    def _solved(self, x: Any) -> Any:
        """The solutions in the place of the right sides (n, m, count)."""
        if not self._transposed:
            for block, exchanges in self._exchanges:
                _substitute(self._factors[..., block], exchanges, x[..., block])
            return x
        _conjugate(x)  # H(a) x = b  <=>  a.mT conj(x) = conj(b)
        for block, exchanges in self._exchanges:
            _substitute_transposed(self._factors[..., block], exchanges, x[..., block])
        return _conjugate(x)


def stack_lu(a: Any) -> StackLU | None:
    """The factors of a stack of matrices; None if one is singular up to rounding, so that LAPACK decides what it is."""
    x = interleaved(a)
    exchanges = []
    with np.errstate(all="ignore"):
        for block in blocks(x.shape[-1], x[..., 0].nbytes):
            exchanges.append((block, _eliminate(x[..., block])))
            if not _is_regular(x[..., block]):
                return None
    return StackLU(x, exchanges, a.shape[:-2])


def _eliminate(x: Any) -> list[Any]:
    """The factors in the place of the matrices (n, n, count), and the exchanges of rows."""
    exchanges: list[Any] = []
    for k in range(len(x) - 1):
        _bring_up_pivots(x, k, exchanges)
        right = x[k, k + 1 :]
        for row in x[k + 1 :]:
            row[k] /= x[k, k]
            row[k + 1 :] -= row[k] * right
    return exchanges


def _bring_up_pivots(x: Any, k: int, exchanges: list[Any]) -> None:
    """Exchange rows so that no element of column `k` below the diagonal is larger than that on it."""
    size = np.abs(x[k:, k])
    for i in range(1, len(size)):
        larger = size[i] > size[0]
        count = np.count_nonzero(larger)
        if count:
            np.maximum(size[0], size[i], out=size[0])
            exchanges.append((k, k + i, larger if _FEW * count > larger.size else np.flatnonzero(larger)))
            _exchange(x, *exchanges[-1])


def _exchange(x: Any, k: int, i: int, where: Any) -> None:
    """Exchange rows of some items, given by a mask or by their indices."""
    if where.dtype != bool:
        x[k][:, where], x[i][:, where] = x[i][:, where], x[k][:, where]
        return
    bits = x.view(np.int64)
    mask = -where.astype(np.int64).repeat(bits.shape[-1] // where.size)
    difference = (bits[k] ^ bits[i]) & mask
    bits[k] ^= difference
    bits[i] ^= difference


def _is_regular(x: Any) -> bool:
    """Whether no pivot is zero up to rounding, or lost to NaN or infinity."""
    lost = _LOST * len(x) * np.finfo(x.dtype).eps
    if float(np.min(np.abs(x[range(len(x)), range(len(x))]))) > lost * 2 * largest(x):
        return True
    for k in range(len(x)):
        size = np.abs(x[: k + 1, k])
        if not np.all(size[k] > lost * np.max(size, axis=0)):
            return False
    return True


def _conjugate(x: Any) -> Any:
    return np.conjugate(x, out=x) if x.dtype.kind == "c" else x


def _substitute(factors: Any, exchanges: list[Any], x: Any) -> None:
    for exchange in exchanges:
        _exchange(x, *exchange)
    for i, row in enumerate(x):
        for k in range(i):
            row -= factors[i, k] * x[k]
    for i in reversed(range(len(x))):
        for k in range(i + 1, len(x)):
            x[i] -= factors[i, k] * x[k]
        x[i] /= factors[i, i]


def _substitute_transposed(factors: Any, exchanges: list[Any], x: Any) -> None:
    for i, row in enumerate(x):
        for k in range(i):
            row -= factors[k, i] * x[k]
        row /= factors[i, i]
    for i in reversed(range(len(x))):
        for k in range(i + 1, len(x)):
            x[i] -= factors[k, i] * x[k]
    for exchange in reversed(exchanges):
        _exchange(x, *exchange)
