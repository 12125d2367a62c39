"""The Cholesky factorization of all matrices of a stack at once, and its adjoint."""

from __future__ import annotations

from typing import Any, NamedTuple, final

import numpy as np

from .layout import for_each, interleaved, of_blocks, shown, subtract_products


class _Factor(NamedTuple):
    """The factor of one block of the items, interleaved, and the reciprocals of its diagonal (n, count)."""

    block: slice
    l: Any
    scales: Any


@final
class StackCholesky:
    """The factors `l` of the matrices `a = l H(l)` of a stack."""

    __slots__ = ("_parts", "_shape")

    def __init__(self, parts: list[_Factor], shape: tuple[int, ...]) -> None:
        self._parts, self._shape = parts, shape

    def factor(self) -> Any:
        """The lower factors."""
        out, flat = self._empty()

        def fill(part: _Factor) -> None:
            flat[part.block] = shown(part.l)

        for_each(fill, self._parts)
        return out

    def gradient(self, g: Any) -> Any:
        """The cotangent of the lower triangle, from that of the factors."""
        out, flat = self._empty()
        given = g.reshape(flat.shape)

        def fill(part: _Factor) -> None:
            flat[part.block] = shown(_gradient(part, interleaved(given[part.block], out.dtype)))

        for_each(fill, self._parts)
        return out

    def _empty(self) -> tuple[Any, Any]:
        out = np.empty(self._shape, self._parts[0].l.dtype)
        return out, out.reshape(-1, *self._shape[-2:])


def stack_cholesky(a: Any) -> StackCholesky | None:
    """The factors of a stack of matrices by their lower triangles; None if one has none, so that LAPACK says so."""
    flat = a.reshape(-1, *a.shape[-2:])

    def factorize(block: slice) -> _Factor | None:
        x = interleaved(flat[block])
        scales = _factorize(x)
        is_definite = np.min(scales.real) > 0 and np.max(scales.real) < np.inf
        return _Factor(block, x, scales) if is_definite else None

    parts = of_blocks(factorize, flat)
    return None if parts is None else StackCholesky(parts, a.shape)


def _factorize(x: Any) -> Any:
    """The factors in place of the matrices (n, n, count); the reciprocals of their diagonals, NaN where none is."""
    n, scales, term = len(x), np.empty(x.shape[1:], x.dtype), np.empty_like(x)
    for k in range(n):
        x[k, k] = np.sqrt(x[k, k].real)
        scales[k] = 1 / x[k, k].real
        x[k, k + 1 :] = 0
        column = x[k + 1 :, k]
        column *= scales[k]
        subtract_products(x[k + 1 :, k + 1 :], column, np.conj(column), term[k + 1 :, k + 1 :])
    return scales


# With Phi as in `cholesky`:  m = Phi(H(l) g),  y = inv(H(l)) m,  w = inv(H(l)) H(y),  ga = w + H(w) below the diagonal
# and half of it on it.  Of m only the lower triangle is computed.
def _gradient(part: _Factor, g: Any) -> Any:
    l, n = np.conj(part.l), len(g)
    m, term = np.zeros_like(g), np.empty_like(g)
    for i in range(n):
        np.add.reduce(np.multiply(l[i:, i, None], g[i:, : i + 1], out=term[i:, : i + 1]), out=m[i, : i + 1])
        m[i, i] *= 0.5
    _substitute(l, part.scales, m, term)
    w = np.conjugate(m.swapaxes(0, 1), order="C")
    _substitute(l, part.scales, w, term)
    np.conjugate(w.swapaxes(0, 1), out=m)
    m += w
    for i in range(n):
        m[i, i] *= 0.5
        m[i, i + 1 :] = 0
    return m


def _substitute(l: Any, scales: Any, x: Any, term: Any) -> None:
    """The solutions of `l.mT y = x` in place of the right sides."""
    for k in reversed(range(len(x))):
        x[k] *= scales[k]
        if k:
            subtract_products(x[:k], l[k, :k], x[k], term[:k])
