"""Elimination with partial pivoting in all matrices of a stack at once: the factors that solve systems."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, final

import numpy as np

from .layout import for_each, interleaved, length, of_blocks, subtract_products
from .pivoting import Exchange

_MARGIN: Final = 16
"""A pivot is zero up to rounding below this times `n eps` times the largest element above it."""


class _Factors(NamedTuple):
    """`P L U` of one block of the items, interleaved; the diagonal of `U` is inverted."""

    block: slice
    factors: Any
    exchanges: list[Exchange]


@final
class StackLU:
    """The factors `P L U` of the matrices of a stack, or of their conjugate transposes."""

    __slots__ = ("_dtype", "_parts", "_stack", "_transposed")

    def __init__(self, parts: list[_Factors], stack: tuple[int, ...], dtype: Any, transposed: bool = False) -> None:
        self._parts, self._stack, self._dtype, self._transposed = parts, stack, dtype, transposed

    @property
    def H(self) -> StackLU:
        """The factors of the conjugate transposes: the same data."""
        return StackLU(self._parts, self._stack, self._dtype, not self._transposed)

    def solve(self, b: Any) -> Any:
        """The solutions `x` of `a x = b`."""
        out = np.empty(self._stack + b.shape[-2:], np.result_type(self._dtype, b.dtype))
        flat = (b if b.shape == out.shape else np.broadcast_to(b, out.shape)).reshape(-1, *b.shape[-2:])
        found = out.reshape(flat.shape)

        def solve(part: _Factors) -> None:
            x = interleaved(flat[part.block], out.dtype)
            (_substitute_adjoint if self._transposed else _substitute)(part.factors, part.exchanges, x)
            for k in range(len(x)):
                found[part.block, k] = x[k].T

        for_each(solve, self._parts)
        return out


def stack_lu(a: Any) -> StackLU | None:
    """The factors of a stack of matrices; None if one is singular up to rounding, so that LAPACK decides what it is."""
    flat = a.reshape(-1, *a.shape[-2:])

    def factorize(block: slice) -> _Factors | None:
        x = interleaved(flat[block])
        exchanges, scales = _eliminate(x)
        if not _is_regular(x):
            return None
        np.einsum("iic->ic", x)[...] = scales
        return _Factors(block, x, exchanges)

    parts = of_blocks(factorize, flat)
    return None if parts is None else StackLU(parts, a.shape[:-2], a.dtype)


def _eliminate(x: Any) -> tuple[list[Exchange], Any]:
    """The factors in place of the matrices (n, n, count); the exchanges of rows, the reciprocals of the pivots."""
    exchanges = []
    scales, term = np.empty_like(x[0]), np.empty_like(x[1:, 1:])
    for k in range(len(x)):
        exchange = Exchange.of_largest(x, k)
        if exchange is not None:
            exchange.of_rows(x)
            exchanges.append(exchange)
        np.reciprocal(x[k, k], out=scales[k])
        x[k + 1 :, k] *= scales[k]
        subtract_products(x[k + 1 :, k + 1 :], x[k + 1 :, k], x[k, k + 1 :], term[k:, k:])
    return exchanges, scales


def _is_regular(x: Any) -> bool:
    """Whether no pivot is zero up to rounding, NaN or infinite."""
    rounding = _MARGIN * len(x) * np.finfo(x.dtype).eps
    if float(np.min(np.abs(np.einsum("iic->ic", x)))) > rounding * length(x):
        return True
    for k in range(len(x)):
        size = np.abs(x[: k + 1, k])
        if not np.all(size[k] > rounding * np.max(size, axis=0)):
            return False
    return True


def _substitute(factors: Any, exchanges: list[Exchange], x: Any) -> None:
    """The solutions in place of the right sides (n, m, count)."""
    n, term = len(x), np.empty_like(x)
    for exchange in exchanges:
        exchange.of_rows(x)
    for k in range(n - 1):
        subtract_products(x[k + 1 :], factors[k + 1 :, k], x[k], term[k + 1 :])
    for k in reversed(range(n)):
        x[k] *= factors[k, k]
        if k:
            subtract_products(x[:k], factors[:k, k], x[k], term[:k])


def _substitute_adjoint(factors: Any, exchanges: list[Exchange], x: Any) -> None:
    """The same with the conjugate transposes: `H(a) x = b  <=>  a.mT conj(x) = conj(b)`."""
    n, term = len(x), np.empty_like(x)
    _conjugate(x)
    for k in range(n):
        x[k] *= factors[k, k]
        if k < n - 1:
            subtract_products(x[k + 1 :], factors[k, k + 1 :], x[k], term[k + 1 :])
    for k in reversed(range(1, n)):
        subtract_products(x[:k], factors[k, :k], x[k], term[:k])
    for exchange in reversed(exchanges):
        exchange.of_rows(x)
    _conjugate(x)


def _conjugate(x: Any) -> None:
    if x.dtype.kind == "c":
        np.conjugate(x, out=x)
