"""The eigenvectors of some general matrices as data, and how their equal eigenvalues split.

Where eigenvalues are equal and have as many vectors, the matrix is a multiple of the identity there, and a change of it
is any matrix `c`, of the size of the block.  What a loss that is symmetric in the equal eigenvalues makes of
`c = t + n`, with a multiple `t` of the identity and `n` of trace 0, is linear: `alpha n + beta t`.  So numbers do in
place of `c`: `t + u` with one fixed vector `u` of sum 0 for the one `n` that is asked about, and from the answer
`alpha u + beta t` comes the matrix `alpha n + beta t`.  No vectors of `c` are needed, and it may have none.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, final

import numpy as np

from ..complex_autograd.array import Traced, raw
from ..complex_autograd.errors import GaugeError, NotDifferentiableError
from ..complex_autograd.gufuncs import H
from . import kernels
from .layers import Layers
from .splitting import depth_of
from .ties import TIED, forward_direction, mean_over, random_matrix
from .triangles import identity, like

__all__ = ["EigResult", "Eigenpairs"]

EigResult: Final = type(np.linalg.eig(np.ones((1, 1))))

DEFECTIVE = 0.1
"""From this times `eps ** -0.5` on, the condition number of an eigenvalue is that of a multiple one without vectors."""


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
        self._split: Any = None
        self._chosen_by: Any = None

    @cached_property
    def result(self) -> Any:
        """Eigenvalues and eigenvectors."""
        w, v = self._computed
        if not self._for_vectors or self.same is None:
            return self._computed
        if self._direction is None:
            turned = v @ self._turning(like(v, random_matrix, *v.shape[-2:], v.dtype.kind == "c"))
        else:
            turned = v @ self._splitting(np.linalg.solve(v, self._direction @ v))
        return type(self._computed)(w, turned / np.linalg.norm(turned, axis=-2, keepdims=True))

    @cached_property
    def _computed(self) -> Any:
        found = kernels.eig(self._matrix) if self._given is None else EigResult(*self._given)
        if self._values is None:
            return found
        order = _order(self._values, found[0])
        return EigResult(self._values, np.take_along_axis(found[1], order[..., None, :], axis=-1))

    @cached_property
    def same(self) -> Any:
        """1 where eigenvalues are equal up to rounding, else 0; None if all are distinct.

        Raises if the matrix is defective.
        """
        w, v = self._computed
        eps = np.finfo(w.dtype).eps
        sensitivity = _condition_numbers(v)
        if not np.all(sensitivity < DEFECTIVE / np.sqrt(eps)):
            raise NotDifferentiableError(
                "numpy.linalg.eig",
                "the matrix is defective to working precision: an eigenvalue is repeated and has fewer eigenvectors "
                "than that, so that the eigenvalues move as a root of the change. Traces, determinants and functions "
                "of the matrix (expm, sqrtm, matrix_power) have derivatives there",
                "a",
            )
        gaps = np.abs(w[..., :, None] - w[..., None, :])
        largest = np.max(np.abs(w), axis=-1, keepdims=True, initial=0.0)
        rounding = TIED * w.shape[-1] * eps * largest * sensitivity
        same = (gaps <= np.maximum(rounding[..., :, None], rounding[..., None, :])).astype(gaps.dtype)
        return None if np.sum(same) == w.size else _closed(same)

    @cached_property
    def layers(self) -> Layers | None:
        """The series that tiny values are given as."""
        return Layers.of_tiny(self.result[0], self._depth) if self._for_vectors or self._depth > 1 else None

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

    @property
    def generic(self) -> bool:
        """Whether the vectors of equal eigenvalues have nothing to do with any loss."""
        return self._for_vectors and self._direction is None

    @property
    def is_chosen(self) -> bool:
        """Whether it is known how equal eigenvalues split."""
        return self._known_split() is not None

    def encoded(self, c: Any) -> Any:
        """The diagonal of `c`, and in blocks of equal eigenvalues the numbers that stand for it."""
        diagonal = np.diagonal(c, axis1=-2, axis2=-1)
        split = self._known_split()
        if self.same is None or (self.moving and self._for_vectors):
            return diagonal
        mean = mean_over(self.same, diagonal)
        if split is None:
            return mean
        _, u, form = split
        return mean + u * _of_blocks(self.same, form * c)

    def decoded(self, g: Any) -> Any:
        """The matrix that such numbers stand for, conjugate transposed as cotangents are."""
        split = self._known_split()
        if self.same is None or split is None or (self.moving and self._for_vectors):
            return g[..., None] * identity(g)
        n, u, _ = split
        square = _of_block(self.same, np.abs(u) ** 2)
        part = _of_block(self.same, u * g) / (square + (square == 0))
        return mean_over(self.same, g)[..., None] * identity(g) + part[..., None] * H(n)

    def choose(self, c: Any, who: Any) -> None:
        """Let the numbers stand for the blocks of `c`."""
        if self.same is None:
            return
        c = raw(c)
        if not self.moving and (self._chosen_by is None or self._chosen_by is who):
            n = self._without_mean(c)
            size = np.sqrt(np.real(_of_blocks(self.same, np.abs(n) ** 2)))
            self._split, self._chosen_by = (n, size * _pattern(self.same), _dual(self.same, n)), who
            return
        n, _, form = self._known_split()
        rest = self._without_mean(c) - _of_blocks(self.same, form * c)[..., None] * n
        if np.max(np.abs(rest), initial=0.0) > np.sqrt(np.finfo(rest.dtype).eps) * np.max(np.abs(c), initial=0.0):
            raise GaugeError(
                "numpy.linalg.eigvals: where eigenvalues are equal, derivatives of second and higher order were asked "
                "for along several directions at once that split them differently. Ask for them one at a time."
            )

    def refuse_nested_forward(self, a: Any) -> None:
        """Raise if `a` moves in forward mode once more and equal eigenvalues split in a way that numbers cannot say."""
        if self.moving and forward_direction(a) is not None and not self._splits_truly:
            raise GaugeError(
                "numpy.linalg.eigvals: two derivatives in forward mode were asked for where equal eigenvalues split "
                "into complex ones while the result is real, or do not split at all. Use hvp, forward over reverse."
            )

    def refuse_third_derivative(self, a: Any) -> None:
        """Raise if eigenvalues are equal and `a` is still being differentiated."""
        if self.same is not None and isinstance(a, Traced) and a.tangent is not None:
            raise GaugeError(
                "numpy.linalg.eigvals: a third derivative was asked for where eigenvalues are equal. First and second "
                "derivatives exist there."
            )

    def _known_split(self) -> Any:
        """The matrix `n`, the vector `u`, and the form that gives the part of a matrix along `n`; None if unknown."""
        if self._split is None and self.moving:
            self._split = self._split_by_direction
        return self._split

    @cached_property
    def _split_by_direction(self) -> Any:
        v = self._computed[1]
        n = self._without_mean(np.linalg.solve(v, self._direction @ v))
        if not self._splits_truly:
            size = np.sqrt(np.real(_of_blocks(self.same, np.abs(n) ** 2)))
            return n, size * _pattern(self.same), _dual(self.same, n)
        u = self._speeds
        square = _of_blocks(self.same, n * np.swapaxes(n, -1, -2))
        return n, u, np.swapaxes(n, -1, -2) / (square + (square == 0))[..., None]

    @cached_property
    def _speeds(self) -> Any:
        """The eigenvalues of the blocks of the direction, less their means."""
        w, v = self._computed
        c = np.linalg.solve(v, self._direction @ v)
        speeds, _ = _blockwise_eig(self.same, self._without_mean(c))
        speeds = speeds - mean_over(self.same, speeds)
        return np.real(speeds) if w.dtype.kind != "c" else speeds

    @cached_property
    def _splits_truly(self) -> bool:
        """Whether numbers of the dtype of the eigenvalues are those of the blocks of the direction."""
        w, v = self._computed
        n = self._without_mean(np.linalg.solve(v, self._direction @ v))
        size = np.real(_of_blocks(self.same, np.abs(n) ** 2))
        square = np.abs(_of_blocks(self.same, n * np.swapaxes(n, -1, -2)))
        if np.any(square < 1e-8 * size):
            return False
        if w.dtype.kind == "c":
            return True
        return bool(np.all(np.abs(np.imag(_blockwise_eig(self.same, n)[0])) <= 1e-8 * np.sqrt(size)))

    def _without_mean(self, c: Any) -> Any:
        """The blocks of equal eigenvalues, less the multiple of the identity; 0 elsewhere."""
        mean = mean_over(self.same, np.diagonal(c, axis1=-2, axis2=-1))
        alone = np.sum(self.same, axis=-1)[..., None] == 1
        return np.where(alone, 0, c * self.same - mean[..., None] * identity(c))

    def _turning(self, p: Any) -> Any:
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
        if not np.all(_condition_numbers(vectors) < DEFECTIVE / np.sqrt(np.finfo(vectors.dtype).eps)):
            raise GaugeError(
                "numpy.linalg.eig: along this direction a matrix with equal eigenvalues becomes defective, so that "
                "its vectors have no derivative. Use a function of the matrix."
            )
        return vectors


def _blockwise_eig(same: Any, c: Any) -> Any:
    """Eigenvalues and vectors of the blocks of equal values, in the places of the blocks."""
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


def _dual(same: Any, n: Any) -> Any:
    """The form whose sum over a block gives the part of a matrix along `n`."""
    size = np.real(_of_blocks(same, np.abs(n) ** 2))
    return np.conj(n) / (size + (size == 0))[..., None]


def _pattern(same: Any) -> Any:
    """In each block of equal values numbers of sum 0, not all of them 0."""
    rank = np.sum(np.tril(same, -1), axis=-1)
    return rank - mean_over(same, rank)


def _closed(same: Any) -> Any:
    """Equality made transitive."""
    for _ in range(same.shape[-1].bit_length()):
        same = (same @ same > 0).astype(same.dtype)
    return same


def _condition_numbers(v: Any) -> Any:
    """Those of the eigenvalues: the lengths of the left eigenvectors that belong to right ones of length one."""
    try:
        inverse = np.linalg.inv(v)
    except np.linalg.LinAlgError:
        return np.full_like(np.abs(v[..., 0]), np.inf)
    with np.errstate(over="ignore"):
        return np.sqrt(np.sum(np.abs(inverse) ** 2, axis=-1))


def _order(w: Any, known: Any) -> Any:
    """Where the eigenvalues `w` stand among the known ones, which may be in another order."""
    gaps = np.abs(w[..., :, None] - known[..., None, :])
    picked = []
    for i in range(w.shape[-1]):
        nearest = np.argmin(gaps[..., i, :], axis=-1)[..., None]
        picked.append(nearest)
        np.put_along_axis(gaps, np.broadcast_to(nearest[..., None], (*w.shape, 1)), np.inf, axis=-1)
    return np.concatenate(picked, axis=-1) if picked else np.zeros(w.shape, int)
