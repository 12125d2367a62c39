"""Eigenvalues and eigenvectors of general matrices as data.

For equal eigenvalues with a full set of vectors, the matrix acts as a multiple of the identity on their space.  Along a
direction they move like the eigenvalues of the block of that direction.  If these cannot be represented in the dtype of
the result, or have too few vectors, a loss that is symmetric in the values sees only their mean, which is used instead.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, final

import numpy as np

from ....backends import eps_of
from ....complex_autograd.engine.choices import other_phases, remembered
from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import raw
from ....complex_autograd.rules.products.matrix_products import H
from ...elementary.triangles import hermitian_part, identity
from ...kernels import numpy_gufuncs
from ...kernels.numpy_gufuncs import EigResult
from .equal_values import are_tiny, block_vectors, chosen_matrix, widest_nearness
from .levels import forward_direction
from .spectral_data import SpectralData
from .spectrum import DEFECTIVE, Spectrum, condition_numbers


@final
class Eigenpairs(SpectralData):
    """Eigenvalues (..., n), in any order, and eigenvectors (..., n, n) of general matrices.

    Parameters
    ----------
    a : array (..., n, n)
        The matrices, traced or not.
    values : array (..., n), optional
        The eigenvalues in the order wanted.
    known : tuple, optional
        Eigenvalues and vectors, where they have been computed.
    vectors : bool
        Whether the caller sees the vectors.

    Raises
    ------
    NotDifferentiableError
        If a matrix is defective.
    """

    __slots__ = ("_matrix", "spectrum")

    is_sorted = False

    def __init__(self, a: Any, values: Any = None, known: Any = None, vectors: bool = False) -> None:
        self._matrix = raw(a)
        found = remembered(numpy_gufuncs.eig, self._matrix) if known is None else EigResult(*known)
        if values is not None:
            order = _order(values, found[0])
            found = EigResult(values, np.take_along_axis(found[1], order[..., None, :], axis=-1))
        super().__init__(a, found[0], found, partial(forward_direction, a), vectors)

    def _each(self, of_values: Callable[[Any], Any], of_vectors: Callable[[Any], Any]) -> Any:
        w, v = self.result
        return EigResult(of_values(w), of_vectors(v))

    def _distinguish(self, a: Any, direction: Callable[[], Any], vectors: bool) -> None:
        w = self.values
        self.spectrum = known = Spectrum(self._matrix, w, self.result[1], self._depth)
        self.same = known.same
        if self.same is not None:
            along = direction()
            self.moving = along is not None
            try:
                self._rotate(along)
            except NotDifferentiableError:  # which series do without, and the mean of the values
                if vectors and self._depth == 1:
                    raise
                self.moving = False
                self._rotate(None)
        if not vectors and self._depth < 2:
            return
        is_far = self.same is None and known.nearest > widest_nearness(w.dtype, self._depth, known.worst)
        if not is_far or np.any(are_tiny(w)):
            self._split(known.condition)

    def _rephased(self, result: Any) -> Any:
        w, v = result
        phases = phases_of_pairs(self._matrix, w, v)
        return result if phases is None else EigResult(w, v * phases)

    def _rotate(self, direction: Any) -> None:
        w, v = self.values, self.spectrum.vectors
        if direction is None:
            q = block_vectors(self.same, H(v) @ hermitian_part(chosen_matrix(v)) @ v)
        else:
            q = self._along(np.linalg.solve(v, direction @ v))
        rotated = v @ q
        rotated = self._rephased(EigResult(w, rotated / np.linalg.norm(rotated, axis=-2, keepdims=True)))[1]
        is_tied = np.sum(self.same, axis=-2, keepdims=True) > 1  # the others keep the phases that NumPy gave them
        self.result = self.given = EigResult(w, np.where(is_tied, rotated, self.result[1]))

    def _along(self, c: Any) -> Any:
        """The vectors of the blocks of `c`, along which equal values move apart."""
        values, vectors = _blockwise_eig(self.same, c)
        if self.values.dtype.kind != "c":
            size = eps_of(vectors.dtype) ** 0.5 * np.max(np.abs(c), initial=0.0)
            if np.any(np.abs(np.imag(values)) > size):
                raise NotDifferentiableError(
                    "numpy.linalg.eig",
                    "along this direction real equal eigenvalues split into complex ones, which a real result cannot "
                    "represent. Pass the matrix as a complex array, or use a function of the matrix.",
                )
            vectors = np.real(vectors)
        if not np.all(condition_numbers(vectors) < DEFECTIVE / eps_of(vectors.dtype) ** 0.5):
            raise NotDifferentiableError(
                "numpy.linalg.eig",
                "along this direction a matrix with equal eigenvalues becomes defective, so that its vectors have "
                "none. Use a function of the matrix.",
            )
        return vectors


def phases_of_pairs(a: Any, w: Any, v: Any) -> Any:
    """Other phases of the vectors of matrices, or None; conjugate where they are, as those of real matrices."""
    phases = other_phases(v)
    if phases is None or a.dtype.kind == "c":
        return phases
    side = np.imag(w)[..., None, :]
    of_pair = np.maximum(np.cumsum(side > 0, axis=-1) - 1, 0)
    return np.where(side == 0, 1.0, np.take_along_axis(phases, of_pair, axis=-1) ** np.sign(side))


def _blockwise_eig(same: Any, c: Any) -> Any:
    """Eigenvalues and vectors of the blocks of equal values, at the indices of the blocks."""
    first = np.argmax(same, axis=-1).astype(same.dtype)
    size = 4 * c.shape[-1] * (np.max(np.abs(c), initial=0.0) + 1)
    values, vectors = np.linalg.eig(c * same + first[..., None] * identity(same) * size + 0j)
    order = np.argsort(np.round(np.real(values) / size), axis=-1, kind="stable")
    back = np.argsort(np.argsort(first, axis=-1, kind="stable"), axis=-1)
    order = np.take_along_axis(order, back, axis=-1)
    values = np.take_along_axis(values, order, axis=-1) - first * size
    vectors = np.take_along_axis(vectors, np.broadcast_to(order[..., None, :], vectors.shape), axis=-1)
    return values, vectors * same


def _order(w: Any, known: Any) -> Any:
    """At which indices the eigenvalues `w` are among the known ones, which may be in another order."""
    if w.size == 0:
        return np.zeros(w.shape, int)
    gaps = np.abs(w[..., :, None] - known[..., None, :])
    order = np.argmin(gaps, axis=-1)
    if np.all(np.diff(np.sort(order, axis=-1), axis=-1) > 0):
        return order
    picked = []
    for i in range(w.shape[-1]):
        nearest = np.argmin(gaps[..., i, :], axis=-1)[..., None]
        picked.append(nearest)
        np.put_along_axis(gaps, np.broadcast_to(nearest[..., None], (*w.shape, 1)), np.inf, axis=-1)
    return np.concatenate(picked, axis=-1)
