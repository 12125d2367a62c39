"""Singular values and vectors of some matrices as data."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, final

import numpy as np

from ....complex_autograd.engine.choices import other_phases, remembered
from ....complex_autograd.engine.traced import raw
from ....complex_autograd.rules.products.matrix_products import H
from ...elementary.triangles import hermitian_part
from ...kernels import numpy_gufuncs
from ...kernels.numpy_gufuncs import SVDResult
from ...kernels.tolerances import zero_values
from .equal_values import block_vectors, chosen_matrix, tied
from .levels import forward_direction
from .roles import ADJOINT, VALUES, VECTORS
from .spectral_data import SpectralData


@final
class SingularBasis(SpectralData):
    """Singular vectors and values: the first `min(m, n)` vectors, and those beyond with `full`."""

    __slots__ = ("_all", "_matrix", "full")

    from_zero = True
    roles = (VECTORS, VALUES, ADJOINT)

    def __init__(self, a: Any, moving: Any, full: bool, vectors: bool = True, known: Any = None) -> None:
        self._matrix, self.full = raw(a), full
        self._all = remembered(numpy_gufuncs.svd, self._matrix, full) if known is None else SVDResult(*known)
        result = _first(self._all) if full else self._all
        super().__init__(a, result[1], result, partial(forward_direction, moving), vectors)

    def _each(self, of_values: Callable[[Any], Any], of_vectors: Callable[[Any], Any]) -> Any:
        u, s, vh = self.result
        return SVDResult(of_vectors(u), of_values(s), of_vectors(vh))

    def _find_equal(self) -> None:
        super()._find_equal()
        size = max(self._matrix.shape[-2:])
        self.zero = zero_values(self.values, size, tied(size, self.values.dtype))

    @property
    def remaining(self) -> Any:
        """The vectors beyond `min(m, n)`, left and right."""
        u, s, vh = self._all
        k = s.shape[-1]
        return u[..., :, k:], vh[..., k:, :]

    def _rotate(self, direction: Any) -> None:
        a = self._matrix
        h = chosen_matrix(a) if direction is None else direction
        u, s, vh = np.linalg.svd(a)
        stack = s.shape[:-1]
        flat = [np.reshape(x, (-1, *x.shape[len(stack) :])) for x in (u, vh, np.broadcast_to(h, a.shape))]
        same = None if self.same is None else np.reshape(self.same, (-1, *self.same.shape[-2:]))
        zero = np.zeros_like(s) if self.zero is None else self.zero
        ranks = [s.shape[-1] - int(n) for n in np.reshape(np.sum(zero, axis=-1), (-1,))]
        rotated = [
            _rotated(flat[0][i], flat[1][i], flat[2][i], None if same is None else same[i], rank)
            for i, rank in enumerate(ranks)
        ]
        u, vh = (np.reshape(np.stack(x), (*stack, *x[0].shape)) for x in zip(*rotated, strict=True))
        # matrices whose vectors are no choice keep them: what they are does not depend on the others of the stack
        is_free = np.sum(zero, axis=-1) > 0
        if self.same is not None:
            is_free = is_free | (np.sum(self.same, axis=(-2, -1)) > s.shape[-1])
        known, is_free = self._all, is_free[..., None, None]
        left, right = known[0].shape[-1], known[2].shape[-2]
        u[..., :, :left] = np.where(is_free, u[..., :, :left], known[0])
        vh[..., :right, :] = np.where(is_free, vh[..., :right, :], known[2])
        self._all = SVDResult(u, np.where(is_free[..., 0], s, known[1]), vh)
        self.result = self.given = self._rephased(_first(self._all))

    def _rephased(self, result: Any) -> Any:
        u, s, vh = result
        phases = other_phases(u)
        return result if phases is None else SVDResult(u * phases, s, H(phases) * vh)


def _first(everything: Any) -> Any:
    """The first `min(m, n)` vectors, and the values."""
    u, s, vh = everything
    k = s.shape[-1]
    return SVDResult(u[..., :, :k], s, vh[..., :k, :])


def _rotated(u: Any, vh: Any, h: Any, same: Any, rank: int) -> tuple[Any, Any]:
    """All vectors of one matrix, so that `h` is diagonal for equal values and for zeros; `rank` values are not zero."""
    left, right, below, beyond = u[:, :rank], vh[:rank, :], u[:, rank:], vh[rank:, :]
    if same is not None and rank:
        q = block_vectors(same[:rank, :rank], -hermitian_part(H(left) @ h @ H(right)))  # descending, as the values
        left, right = left @ q, H(q) @ right
    if rank < min(u.shape[0], vh.shape[0]):
        inner_left, _, inner_right = np.linalg.svd(H(below) @ h @ H(beyond))
        below, beyond = below @ inner_left, inner_right @ beyond
    return np.concatenate([left, below], axis=-1), np.concatenate([right, beyond], axis=-2)
