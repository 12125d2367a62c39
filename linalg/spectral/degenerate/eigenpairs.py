"""The eigenvectors of some general matrices as data, and how their equal eigenvalues split.

Where eigenvalues are equal and have as many vectors, the matrix is a multiple of the identity there.  Along a direction
they move as the eigenvalues of its block; to a loss that is symmetric in them their mean is all that counts.  Second
derivatives, and first ones of what is made of the vectors, come from series, see `laurent`: nearly equal eigenvalues
are given as such, too.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, final

import numpy as np

from ....complex_autograd.engine.errors import GaugeError
from ....complex_autograd.engine.traced import raw
from ...elementary.triangles import identity, like
from ...kernels import numpy_gufuncs
from .equal_values import are_tiny, forward_direction, mean_over, random_matrix
from .perturbation import depth_of, widest_nearness
from .series_layers import Layers
from .spectrum import DEFECTIVE, Spectrum, condition_numbers, refuse_mixed_values
from .split_rules import mean_beside

__all__ = ["EigResult", "Eigenpairs"]

EigResult: Final = type(np.linalg.eig(np.ones((1, 1))))


@final
class Eigenpairs:
    """Eigenvalues and eigenvectors as data.

    Parameters
    ----------
    a : array (..., n, n)
        The matrices, traced or not.
    values : array (..., n), optional
        The eigenvalues in the order wanted.
    given : tuple, optional
        Eigenvalues and vectors, where they have been computed.
    for_vectors : bool
        Whether the caller sees the vectors.  Where eigenvalues are equal they are then those along which these move
        apart in forward mode, and in reverse mode some that have nothing to do with any loss.
    """

    def __init__(self, a: Any, values: Any = None, given: Any = None, for_vectors: bool = False) -> None:
        self._matrix, self._values, self._given, self._for_vectors = raw(a), values, given, for_vectors
        self._direction, self._depth = forward_direction(a), depth_of(a)

    @cached_property
    def result(self) -> Any:
        """Eigenvalues and eigenvectors."""
        w, v = self._computed
        if self.same is None or not (self._for_vectors or self.is_split):
            return self._computed
        v = self._spectrum.vectors
        rotated = self._along_direction(v) if self.moving else None
        if rotated is None:
            rotated = v @ self._rotation(like(v, random_matrix, *v.shape[-2:], v.dtype.kind == "c"))
        return type(self._computed)(w, rotated / np.linalg.norm(rotated, axis=-2, keepdims=True))

    def _along_direction(self, v: Any) -> Any:
        """The vectors along which equal eigenvalues move apart; None if there are none, and series do without."""
        try:
            return v @ self._splitting(np.linalg.solve(v, self._direction @ v))
        except GaugeError:
            if not self.is_split or self._depth == 1:
                raise
            self._direction = None
            return None

    @cached_property
    def _computed(self) -> Any:
        found = numpy_gufuncs.eig(self._matrix) if self._given is None else EigResult(*self._given)
        if self._values is None:
            return found
        order = _order(self._values, found[0])
        return EigResult(self._values, np.take_along_axis(found[1], order[..., None, :], axis=-1))

    @cached_property
    def _spectrum(self) -> Spectrum:
        w, v = self._computed
        return Spectrum(self._matrix, w, v, self._depth)

    @property
    def same(self) -> Any:
        """1 where eigenvalues are equal up to rounding, else 0; None if all are distinct.

        Raises if the matrix is defective.
        """
        return self._spectrum.same

    @cached_property
    def layers(self) -> Layers | None:
        """The series that equal, nearly equal and tiny values are given as."""
        if not self._for_vectors and self._depth < 2:
            return None
        w, known = self._computed[0], self._spectrum
        is_clear = known.same is None and known.nearest > widest_nearness(w.dtype, self._depth, known.worst)
        if is_clear and not np.any(are_tiny(w)):
            return None
        return Layers.of(w, known.same, self._depth, by_direction=self.moving, condition=known.condition)

    @property
    def is_clear(self) -> bool:
        """Whether eigenvalues are neither equal nor split."""
        return self.layers is None and self.same is None

    @property
    def is_split(self) -> bool:
        """Whether equal and nearly equal values are given as series."""
        return self.layers is not None and self.layers.near is not None

    @property
    def where_split(self) -> float:
        """What a reciprocal of the difference of equal values is, besides the series."""
        return np.nan if self.is_split and not (self.moving and self._depth == 1) else 0.0

    @cached_property
    def given(self) -> Any:
        """The result as a loss is to see it."""
        if self.layers is None:
            return self.result
        w, v = self.result
        return EigResult(self.layers.split(w), self.layers.still(v))

    def is_outermost(self, a: Any) -> bool:
        """Whether cotangents of results at `a` are those of the loss itself, and not of a rule's."""
        return depth_of(a) == self._depth - 1

    @property
    def moving(self) -> bool:
        """Whether a direction of forward mode splits equal eigenvalues."""
        return self._direction is not None and self.same is not None

    def speeds(self, c: Any) -> Any:
        """How fast eigenvalues move: the diagonal of `c`, but in blocks of equal ones the eigenvalues of the block."""
        diagonal = np.diagonal(c, axis1=-2, axis2=-1)
        if self.same is None or (self.moving and (self._for_vectors or self.is_split)):
            return diagonal
        if self.is_split:
            return mean_beside(diagonal, same=self.same)
        mean = mean_over(self.same, diagonal)
        return mean + self._own_speeds if self.moving and self._splits_truly else mean

    def refuse_mixed_values(self, g: Any) -> None:
        """Raise if a first derivative tells values apart that rounding errors mix."""
        if self._depth < 2:
            refuse_mixed_values(self._computed[0], g, self._spectrum)

    def refuse_ill_conditioned_vectors(self) -> None:
        """Raise if rounding errors spoil derivatives of what is made of the vectors."""
        self._spectrum.refuse_ill_conditioned_vectors()

    @cached_property
    def _own_speeds(self) -> Any:
        """The eigenvalues of the blocks of the direction, less their means."""
        v = self._spectrum.vectors
        c = np.linalg.solve(v, self._direction @ v)
        speeds, _ = _blockwise_eig(self.same, self._without_mean(c))
        speeds = speeds - mean_over(self.same, speeds)
        return np.real(speeds) if self._computed[0].dtype.kind != "c" else speeds

    @cached_property
    def _splits_truly(self) -> bool:
        """Whether numbers of the dtype of the eigenvalues are those of the blocks of the direction."""
        v = self._spectrum.vectors
        n = self._without_mean(np.linalg.solve(v, self._direction @ v))
        size = np.real(_of_blocks(self.same, np.abs(n) ** 2))
        square = np.abs(_of_blocks(self.same, n * np.swapaxes(n, -1, -2)))
        if np.any(square < 1e-8 * size):
            return False
        if self._computed[0].dtype.kind == "c":
            return True
        return bool(np.all(np.abs(np.imag(_blockwise_eig(self.same, n)[0])) <= 1e-8 * np.sqrt(size)))

    def _without_mean(self, c: Any) -> Any:
        """The blocks of equal eigenvalues, less the multiple of the identity; 0 elsewhere."""
        mean = mean_over(self.same, np.diagonal(c, axis1=-2, axis2=-1))
        alone = np.sum(self.same, axis=-1)[..., None] == 1
        return np.where(alone, 0, c * self.same - mean[..., None] * identity(c))

    def _rotation(self, p: Any) -> Any:
        """Orthonormal matrices inside the blocks of equal eigenvalues."""
        first = np.argmax(self.same, axis=-1).astype(self.same.dtype)
        order = np.argsort(first, axis=-1, kind="stable")
        back = np.argsort(order, axis=-1)
        size = 4 * p.shape[-1] * (np.max(np.abs(p)) + 1)
        q = np.linalg.eigh(p * self.same + first[..., None] * identity(self.same) * size)[1]
        return np.take_along_axis(q, np.broadcast_to(back[..., None, :], q.shape), axis=-1) * self.same

    def _splitting(self, c: Any) -> Any:
        """The vectors of the blocks of `c`."""
        values, vectors = _blockwise_eig(self.same, c)
        if self._computed[0].dtype.kind != "c":
            size = np.sqrt(np.finfo(vectors.dtype).eps) * (np.max(np.abs(c), initial=0.0))
            if np.any(np.abs(np.imag(values)) > size):
                raise GaugeError(
                    "numpy.linalg.eig: along this direction real equal eigenvalues split into complex ones, which the "
                    "real result cannot say. Pass the matrix as a complex one, or use a function of the matrix."
                )
            vectors = np.real(vectors)
        if not np.all(condition_numbers(vectors) < DEFECTIVE / np.sqrt(np.finfo(vectors.dtype).eps)):
            raise GaugeError(
                "numpy.linalg.eig: along this direction a matrix with equal eigenvalues becomes defective, so that "
                "its vectors have no derivative. Use a function of the matrix."
            )
        return vectors


def _blockwise_eig(same: Any, c: Any) -> Any:
    """Eigenvalues and vectors of the blocks of equal values, in the order of the blocks."""
    first = np.argmax(same, axis=-1).astype(same.dtype)
    size = 4 * c.shape[-1] * (np.max(np.abs(c), initial=0.0) + 1)
    values, vectors = np.linalg.eig(c * same + first[..., None] * identity(same) * size + 0j)
    order = np.argsort(np.round(np.real(values) / size), axis=-1, kind="stable")
    back = np.argsort(np.argsort(first, axis=-1, kind="stable"), axis=-1)
    order = np.take_along_axis(order, back, axis=-1)
    values = np.take_along_axis(values, order, axis=-1) - first * size
    vectors = np.take_along_axis(vectors, np.broadcast_to(order[..., None, :], vectors.shape), axis=-1)
    return values, vectors * same


def _of_block(same: Any, x: Any) -> Any:
    """The sums of a vector over equal values."""
    return (same @ x[..., None])[..., 0]


def _of_blocks(same: Any, q: Any) -> Any:
    """The sums of a matrix over the blocks of equal values, for each row."""
    return _of_block(same, np.sum(q * same, axis=-1))


def _order(w: Any, known: Any) -> Any:
    """Where the eigenvalues `w` stand among the known ones, which may be in another order."""
    gaps = np.abs(w[..., :, None] - known[..., None, :])
    picked = []
    for i in range(w.shape[-1]):
        nearest = np.argmin(gaps[..., i, :], axis=-1)[..., None]
        picked.append(nearest)
        np.put_along_axis(gaps, np.broadcast_to(nearest[..., None], (*w.shape, 1)), np.inf, axis=-1)
    return np.concatenate(picked, axis=-1) if picked else np.zeros(w.shape, int)
