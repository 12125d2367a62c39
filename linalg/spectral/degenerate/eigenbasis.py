"""Eigenvalues and eigenvectors of some Hermitian matrices as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

from ....complex_autograd.engine.traced import raw
from ....complex_autograd.rules.products.matrix_products import H
from ...elementary.triangles import hermitian_from
from ...kernels import numpy_gufuncs
from ...kernels.numpy_gufuncs import EighResult
from .equal_values import block_vectors, chosen_matrix
from .levels import forward_direction
from .roles import VALUES, VECTORS
from .spectral_data import SpectralData


@final
class Eigenbasis(SpectralData):
    """Eigenvalues (..., n), ascending, and eigenvectors (..., n, n) of Hermitian matrices."""

    __slots__ = ()

    roles = (VALUES, VECTORS)

    @classmethod
    def of(cls, a: Any, moving: Any, lower: bool, vectors: bool = True, known: Any = None) -> Eigenbasis:
        """Those of the matrices whose one triangle is read from `a`; `moving` is the same as it moves."""
        result = numpy_gufuncs.eigh(raw(a), "L" if lower else "U") if known is None else EighResult(*known)

        def direction() -> Any:
            along = forward_direction(moving)
            return None if along is None else hermitian_from(along, lower=lower)

        return cls(a, result[0], result, direction, vectors)

    def _each(self, of_values: Callable[[Any], Any], of_vectors: Callable[[Any], Any]) -> Any:
        w, v = self.result
        return EighResult(of_values(w), of_vectors(v))

    def _rotate(self, direction: Any) -> None:
        w, v = self.result
        p = chosen_matrix(v) if direction is None else H(v) @ direction @ v
        self.result = self.given = EighResult(w, v @ block_vectors(self.same, p))
