"""Gauss-Jordan elimination with partial pivoting in all matrices of a stack at once: inverses and determinants.

The pivots are those of Gaussian elimination, and the inverses take no more operations than from its factors, in fewer
and larger steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, final

import numpy as np

from ...complex_autograd.rules.products.matrix_products import H
from .layout import for_each, interleaved, length, of_blocks, product, shown, squared_lengths, stack_last
from .pivoting import Exchange

_MARGIN: Final = 16
"""Matrices are singular up to rounding if their condition number times `n eps` times this is not below 1."""

_SAFE: Final = 2.0**100
"""The product of a few numbers that are no larger, and whose reciprocals are no larger, is a normal number."""


class _Inverses(NamedTuple):
    """The inverses of one block of the items, interleaved, the pivots (n, count) and the signs of exchanges of rows."""

    block: slice
    x: Any
    pivots: Any
    signs: Any


@final
class StackInverse:
    """The inverses and the determinants of the matrices of a stack."""

    __slots__ = ("_parts", "_shape")

    def __init__(self, parts: list[_Inverses], shape: tuple[int, ...]) -> None:
        self._parts, self._shape = parts, shape

    def inverse(self) -> Any:
        """The inverses."""
        return self._filled(lambda part: shown(part.x))

    def gradient(self, g: Any) -> Any:
        """`-H(x) g H(x)` for the inverses `x`."""
        flat = g.reshape(-1, *g.shape[-2:])

        def rule(part: _Inverses) -> Any:
            y = H(shown(part.x))
            w = product(product(y, stack_last(flat[part.block])), y)
            return np.negative(w, out=w)

        return self._filled(rule)

    def scaled_adjoint(self, c: Any) -> Any:
        """`c H(x)` for the inverses `x` and one number for each."""
        flat = c.reshape(-1)

        def rule(part: _Inverses) -> Any:
            w = np.multiply(part.x.swapaxes(0, 1), flat[part.block].conj(), out=np.empty_like(part.x))
            return shown(np.conjugate(w, out=w) if w.dtype.kind == "c" else w)

        return self._filled(rule)

    def det(self) -> Any:
        """The determinants."""
        return self._joined([_det(part) for part in self._parts])

    def slogdet(self) -> tuple[Any, Any]:
        """The phases of the determinants and the logarithms of their moduli."""
        phases, logs = zip(*[_slogdet(part) for part in self._parts], strict=True)
        return self._joined(phases), self._joined(logs)

    def _filled(self, rule: Callable[[_Inverses], Any]) -> Any:
        """A new stack, of what a rule makes of each part."""
        out = np.empty(self._shape, self._parts[0].x.dtype)
        flat = out.reshape(-1, *self._shape[-2:])

        def fill(part: _Inverses) -> None:
            flat[part.block] = rule(part)

        for_each(fill, self._parts)
        return out

    def _joined(self, parts: Any) -> Any:
        return np.concatenate(parts).reshape(self._shape[:-2])


def stack_inverse(a: Any) -> StackInverse | None:
    """The inverses of a stack of matrices; None if one is singular up to rounding, so that LAPACK says what it is."""
    flat = a.reshape(-1, *a.shape[-2:])

    def invert(block: slice) -> _Inverses | None:
        x = interleaved(flat[block])
        size = length(x)
        found = _Inverses(block, x, *_invert(x))
        largest = 1 / (_MARGIN * len(x) * np.finfo(x.dtype).eps)
        is_regular = size * length(x) < largest or np.max(_condition(flat[block], x)) < largest
        return found if is_regular else None

    parts = of_blocks(invert, flat)
    return None if parts is None else StackInverse(parts, a.shape)


# A step takes y = a x, solved for row k:  x_k = (y_k - sum_(j != k) a_kj x_j) / a_kk  is put into the other rows, and
# y_k and x_k change sides.  After all of them the array that held a holds its inverse, but for the exchanges of rows
# of a, which exchange columns of it.
def _invert(x: Any) -> tuple[Any, Any]:
    """The inverses in place of the matrices (n, n, count); the pivots, and the signs of the exchanges of rows."""
    n, _, count = x.shape
    pivots, signs, term = np.empty((n, count), x.dtype), np.ones(count), np.empty_like(x)
    exchanges = []
    for k in range(n):
        exchange = Exchange.of_largest(x, k)
        if exchange is not None:
            exchange.of_rows(x)
            signs[exchange.items] *= -1
            exchanges.append(exchange)
        pivots[k] = x[k, k]
        x[k, k] = 1
        x[k] *= np.reciprocal(pivots[k])
        for others in (slice(k), slice(k + 1, n)):
            if len(x[others]):
                products = np.multiply(x[others, k, None], x[k], out=term[others])
                x[others, k] = 0
                x[others] -= products
    for exchange in reversed(exchanges):
        exchange.of_columns(x)
    return pivots, signs


def _condition(a: Any, x: Any) -> Any:
    """The condition numbers of matrices (count, n, n), from their interleaved inverses, in Frobenius's norm."""
    rows = a.reshape(len(a), -1).view(a.real.dtype)
    return np.sqrt(np.vecdot(rows, rows)) * np.sqrt(squared_lengths(x))


def _det(part: _Inverses) -> Any:
    return part.signs * np.multiply.reduce(part.pivots)


def _slogdet(part: _Inverses) -> tuple[Any, Any]:
    size = np.abs(part.pivots)
    if np.max(size) < _SAFE and np.min(size) > 1 / _SAFE:
        det = _det(part)
        size = np.abs(det)
        return det / size, np.log(size)
    return part.signs * np.multiply.reduce(part.pivots / size), np.add.reduce(np.log(size))
