"""Values and vectors of some matrices as data: what the rules of `eigh`, `eig` and `svd` share.

`SpectralData` settles once, when a decomposition is recorded, which of its values are equal, along which vectors, and
which series they are given as.  Of distinct values one comparison says so, and nothing else is done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, final

import numpy as np

from ....complex_autograd.engine.traced import raw
from ....complex_autograd.rules.products.matrix_products import H
from ...elementary.triangles import hermitian_from, hermitian_part, like, off_diagonal
from ...kernels import numpy_gufuncs
from ...kernels.numpy_gufuncs import EighResult, SVDResult
from ...kernels.tolerances import is_negligible, negligible, zero_values
from .equal_values import (
    block_vectors,
    clear_gap,
    equal_values,
    is_uneven,
    mean_over,
    random_matrix,
)
from .gap_rules import mean_beside, reciprocal_gaps
from .levels import depth_of, forward_direction, leading
from .probes import refuse_kink_of_probe
from .running_errors import RunningErrors
from .series_layers import Layers


class SpectralData(ABC):
    """Values and vectors, and what is done where values are equal or nearly so.

    Parameters
    ----------
    a : array
        What the matrices are computed from, traced or not: the derivatives that are taken of it decide on the series.
    values : array (..., n)
        The values.
    result : tuple
        Values and vectors.
    direction : array or None
        Along what the matrices move in forward mode.  Where values are equal, the vectors become those along which
        these move apart; without a direction some without structure, so that no coincidence hides how a loss depends
        on them.
    vectors : bool
        Whether the vectors are wanted.  For the values alone first derivatives take no series.

    Attributes
    ----------
    result : tuple
        Values and vectors, plain.
    given : tuple
        The same as a loss is to see them: series where values are split.
    gap : float
        The least difference of the values of a small matrix, if they lie apart (and from zero); else 0.
    same : array (..., n, n) or None
        1 where values are equal up to rounding, else 0; None if all are distinct.
    zero : array (..., n) or None
        1 where a singular value is zero up to rounding, else 0; None if none is.
    moving : bool
        Whether a direction of forward mode chose the vectors of equal values.
    layers : Layers or None
        The series that equal, nearly equal and tiny values are given as.
    errors : RunningErrors or None
        What stands in for the series of tiny values.
    at_pole : float
        What a quotient by the difference of equal values is, besides the series.
    """

    __slots__ = ("_depth", "at_pole", "errors", "gap", "given", "layers", "moving", "result", "same", "values", "zero")

    from_zero: ClassVar[bool] = False
    """Whether the vectors of zeros are arbitrary each on its own, too."""

    is_sorted: ClassVar[bool] = True
    """Whether values are in order, and real."""

    def __init__(self, a: Any, values: Any, result: Any, direction: Any, vectors: bool = True) -> None:
        self.values, self.result, self.given = values, result, result
        self.same: Any = None
        self.zero: Any = None
        self.layers: Layers | None = None
        self.errors: RunningErrors | None = None
        self.moving, self.at_pole = False, 0.0
        self._depth = depth_of(a)
        self.gap = clear_gap(self.values, self._depth, self.from_zero) if self.is_sorted else 0.0
        if not self.gap:
            self._distinguish(a, direction, vectors)

    def _distinguish(self, a: Any, direction: Any, vectors: bool) -> None:
        """Find equal values, choose their vectors, and split values if that is needed."""
        self._find_equal()
        if self.is_degenerate:
            self.moving = direction is not None
            if self.moving or vectors:
                self._rotate(direction)
        elif vectors:
            self.errors = RunningErrors.of(a, self.values, self.from_zero)
            if self.errors is not None:
                self.given = self._each(self.errors.values, self.errors.vectors)
                return
        if vectors or self._depth > 1:
            self._split()

    def _split(self, condition: Any = None) -> None:
        """Make the result a series in a number along which equal and nearly equal values move apart."""
        layers = Layers.of(self.values, self.same, self._depth, self.zero, self.from_zero, self.moving, condition)
        if layers is not None:
            self.layers, self.given = layers, self._each(layers.split, layers.still)
            self.at_pole = np.nan if self.is_split and not (self.moving and self._depth == 1) else 0.0

    @abstractmethod
    def _each(self, of_values: Callable[[Any], Any], of_vectors: Callable[[Any], Any]) -> Any:
        """The result with functions applied to its parts."""

    @abstractmethod
    def _rotate(self, direction: Any) -> None:
        """Take the vectors of equal values along which a direction is diagonal; None stands for a random one."""

    def _find_equal(self) -> None:
        self.same = equal_values(self.values)

    @property
    def is_degenerate(self) -> bool:
        """Whether some values are equal, or zero where that matters."""
        return self.same is not None or self.zero is not None

    @property
    def is_split(self) -> bool:
        """Whether equal and nearly equal values are given as series."""
        return self.layers is not None and self.layers.near is not None

    @property
    def is_clear(self) -> bool:
        """Whether values are neither equal nor given as series."""
        return self.layers is None and self.same is None and self.zero is None

    def is_outermost(self, a: Any) -> bool:
        """Whether cotangents of results at `a` are those of the loss itself, and not of a rule's."""
        return depth_of(a) == self._depth - 1

    def is_checked(self, a: Any) -> bool:
        """Whether cotangents show if a loss is well defined: of split values only those of the loss itself do."""
        return self.layers is None or self.is_outermost(a)

    def reciprocal_gaps(self, values: Any) -> Any:
        """`1 / (w_j - w_i)`, and 0 where they are equal."""
        return reciprocal_gaps(values, self.same, self.layers, self.at_pole)

    def with_rotation(self, change: Any, inside: Callable[..., Any], *args: Any) -> Any:
        """A change of the vectors, and how those of equal values rotate among themselves along a direction."""
        if not self.moving or self.same is None or self.at_pole != 0:
            return change
        return change + (inside(*args) if self.layers is None else self.layers.aside(inside(*map(raw, args))))

    def settled(self, g: Any) -> Any:
        """The minimal-norm choice at a kink: the mean over equal values, and 0 for zeros."""
        if self.same is not None:
            g = mean_over(self.same, g)
        return g if self.zero is None else g * (1 - self.zero)

    def derivative(self, d: Any) -> Any:
        """Derivatives of the values from those of single ones: settled where no direction and no series tells more."""
        if self.moving or not self.is_degenerate:
            return d
        return self.settled(d) if self.layers is None else mean_beside(d, data=self)

    def joined(self, d: Any) -> Any:
        """What else is linear in a cotangent of the values, or in theirs: settled but for second derivatives."""
        return d if self.moving or (self.layers is not None and self._depth > 1) else self.settled(d)

    def is_kink(self, g: Any) -> bool:
        """Whether a cotangent of the values differs over equal ones, or is not zero at zeros."""
        if self.same is not None and is_uneven(g, self.same):
            return True
        return self.zero is not None and not is_negligible(raw(g) * self.zero, g, 1)

    def is_kink_alone(self, g: Any, inner: Any) -> bool:
        """Whether it does, and the loss does nothing else with the vectors of equal values."""
        if self.same is None or not is_uneven(g, self.same):
            return False
        across = np.abs(leading(inner)) * self.same * off_diagonal(raw(g))
        return bool(np.all(across <= negligible(g, 1)[..., None]))

    def refuse_kink_of_probe(self, g: Any, inner: Any) -> None:
        """Raise if a probe feels nothing but a derivative that differs over values in one group."""
        if self.layers is not None and self.layers.near is not None:
            refuse_kink_of_probe(g, inner, self.layers.near.close)


@final
class Eigenbasis(SpectralData):
    """Eigenvalues (..., n), ascending, and eigenvectors (..., n, n) of Hermitian matrices."""

    __slots__ = ()

    @classmethod
    def of(cls, a: Any, moving: Any, lower: bool, vectors: bool = True, known: Any = None) -> Eigenbasis:
        """Those of the matrices whose one triangle is read from `a`; `moving` is the same as it moves."""
        result = numpy_gufuncs.eigh(raw(a), "L" if lower else "U") if known is None else EighResult(*known)
        direction = forward_direction(moving)
        if direction is not None:
            direction = hermitian_from(direction, lower=lower)
        return cls(a, result[0], result, direction, vectors)

    def _each(self, of_values: Callable[[Any], Any], of_vectors: Callable[[Any], Any]) -> Any:
        w, v = self.result
        return EighResult(of_values(w), of_vectors(v))

    def _rotate(self, direction: Any) -> None:
        w, v = self.result
        p = like(v, random_matrix, *v.shape[-2:], v.dtype.kind == "c") if direction is None else H(v) @ direction @ v
        self.result = self.given = EighResult(w, v @ block_vectors(self.same, p))


@final
class SingularBasis(SpectralData):
    """Singular vectors and values: the first `min(m, n)` vectors, and those beyond with `full`."""

    __slots__ = ("_all", "_matrix", "full")

    from_zero = True

    def __init__(self, a: Any, moving: Any, full: bool, vectors: bool = True, known: Any = None) -> None:
        self._matrix, self.full = raw(a), full
        self._all = numpy_gufuncs.svd(self._matrix, full) if known is None else SVDResult(*known)
        result = _first(self._all) if full else self._all
        super().__init__(a, result[1], result, forward_direction(moving), vectors)

    def _each(self, of_values: Callable[[Any], Any], of_vectors: Callable[[Any], Any]) -> Any:
        u, s, vh = self.result
        return SVDResult(of_vectors(u), of_values(s), of_vectors(vh))

    def _find_equal(self) -> None:
        super()._find_equal()
        self.zero = zero_values(self.values, max(self._matrix.shape[-2:]))

    @property
    def remaining(self) -> Any:
        """The vectors beyond `min(m, n)`, left and right."""
        u, s, vh = self._all
        k = s.shape[-1]
        return u[..., :, k:], vh[..., k:, :]

    def _rotate(self, direction: Any) -> None:
        a = self._matrix
        h = like(a, random_matrix, *a.shape[-2:], a.dtype.kind == "c") if direction is None else direction
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
        self._all = SVDResult(u, s, vh)
        self.result = self.given = _first(self._all)


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
