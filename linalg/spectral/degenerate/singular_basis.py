"""The singular vectors of some matrices as data, and the basis chosen where singular values are equal or zero."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from ....complex_autograd.engine.errors import GaugeError
from ....complex_autograd.engine.traced import Traced, raw
from ....complex_autograd.rules.products.matrix_products import H
from ...elementary.triangles import hermitian_part, like
from ...kernels import numpy_gufuncs
from ...kernels.tolerances import is_negligible, zero_values
from .equal_values import are_tiny, block_vectors, equal_values, forward_direction, is_uneven, random_matrix
from .perturbation import clear_gap, depth_of
from .running_errors import RunningErrors
from .series_layers import Layers

__all__ = ["SingularBasis"]


_UNKNOWN: Any = object()


@final
class SingularBasis:
    """Singular values and vectors as data.

    Parameters
    ----------
    a : array (..., m, n)
        The matrices.  Where values are equal or zero and `a` moves in forward mode, the vectors are those it moves
        along.
    full : bool
        Whether the vectors beyond the first `min(m, n)` are wanted too.
    known : tuple, optional
        The vectors and values, where they have been computed.

    Attributes
    ----------
    result : SVDResult
        The first `min(m, n)` vectors, and the values.
    moving : bool
        Whether a direction of forward mode chose the vectors of equal values and of zeros.
    gap : float
        The least difference of the values of a small matrix, if they lie apart and are not zero; else 0.
    layers : Layers or None
        The series that equal, nearly equal and tiny values, and those near to zero, are given as.
    errors : RunningErrors or None
        What stands in for the series of tiny values.
    where_split : float
        What stands for a quotient by such a difference besides.
    """

    __slots__ = (
        "_all",
        "_choice",
        "_chosen_by",
        "_depth",
        "_matrix",
        "_same",
        "_series",
        "_zero",
        "errors",
        "full",
        "gap",
        "layers",
        "moving",
        "result",
        "where_split",
    )

    def __init__(self, a: Any, full: bool, known: Any = None) -> None:
        self._matrix, self.full = raw(a), full
        self._all = numpy_gufuncs.svd(self._matrix, full) if known is None else numpy_gufuncs.SVDResult(*known)
        self._same: Any = _UNKNOWN
        self._zero: Any = _UNKNOWN
        self._choice: Any = None
        self._chosen_by: Any = None
        self.layers: Layers | None = None
        self.errors: RunningErrors | None = None
        self.gap = 0.0
        self.where_split = 0.0
        self._series: Any = None
        self._depth = 0
        direction = forward_direction(a)
        self.moving = direction is not None and self.is_degenerate
        if self.moving:
            self._all = self._rotated(direction)
        self.result = _first(self._all) if full or self.moving else self._all

    def rotated(self, a: Any) -> SingularBasis:
        """Rotate the vectors of equal values and of zeros, so that no coincidence hides how a loss depends on them.

        Values are split besides; `a` is the traced matrix.
        """
        depth = depth_of(a)
        self.gap = clear_gap(self._all[1], depth, from_zero=True)
        if self.gap:
            self._same = self._zero = None
            return self
        self.errors = RunningErrors.of(a, self.result[1], from_zero=True)
        if self.errors is not None:
            u, s, vh = self.result
            of_vectors = self.errors.vectors
            self._series = numpy_gufuncs.SVDResult(of_vectors(u), self.errors.values(s), of_vectors(vh))
            return self
        if self.is_degenerate and not self.moving:
            matrix = self._matrix
            h = like(matrix, random_matrix, *matrix.shape[-2:], matrix.dtype.kind == "c")
            self._all = self._rotated(np.broadcast_to(h, matrix.shape))
            self.result = _first(self._all)
        self._split(depth, by_direction=self.moving)
        return self

    def for_values(self, a: Any) -> SingularBasis:
        """Split values where they alone are wanted, and the basis chosen does not do."""
        depth = depth_of(a)
        if depth > 2 or (depth == 2 and (not self.moving or np.any(are_tiny(self._all[1])))):
            self._split(depth, by_direction=False)
        return self

    def _split(self, depth: int, by_direction: bool) -> None:
        """Make the result a series in a number along which equal and nearly equal values move apart."""
        u, s, vh = self.result
        self._depth = depth
        self.layers = Layers.of(s, self.same, depth, self.zero, from_zero=True, by_direction=by_direction)
        if self.layers is None:
            return
        self.where_split = 0.0 if self.layers.near is None or (by_direction and depth == 1) else np.nan
        still = self.layers.still
        self._series = numpy_gufuncs.SVDResult(still(u), self.layers.split(s), still(vh))

    @property
    def given(self) -> Any:
        """The result as a loss is to see it."""
        return self.result if self._series is None else self._series

    def is_checked(self, a: Any) -> bool:
        """Whether cotangents show if a loss is well defined: of split values only those of the loss itself do."""
        return self.layers is None or depth_of(a) == self._depth - 1

    @property
    def same(self) -> Any:
        """1 where values are equal, 0 elsewhere; None if all are distinct."""
        if self._same is _UNKNOWN:
            self._same = equal_values(self._all[1])
        return self._same

    @property
    def zero(self) -> Any:
        """1 where a value is zero up to rounding, 0 elsewhere; None if there is none."""
        if self._zero is _UNKNOWN:
            self._zero = zero_values(self._all[1], max(self._matrix.shape[-2:]))
        return self._zero

    @property
    def is_degenerate(self) -> bool:
        """Whether some values are equal or zero."""
        return self.same is not None or self.zero is not None

    @property
    def is_clear(self) -> bool:
        """Whether values are neither equal, nor zero, nor split."""
        return self.layers is None and not self.is_degenerate

    @property
    def remaining(self) -> Any:
        """The vectors beyond `min(m, n)`, left and right."""
        u, s, vh = self._all
        k = s.shape[-1]
        return u[..., :, k:], vh[..., k:, :]

    @property
    def is_chosen(self) -> bool:
        """Whether a cotangent chose the basis."""
        return self._choice is not None

    @property
    def chosen(self) -> Any:
        """Vectors and values in the basis chosen."""
        return self.result if self._choice is None else self._choice

    def is_kink(self, g: Any) -> bool:
        """Whether a cotangent differs over equal values, or is not zero at zeros."""
        if self.same is not None and is_uneven(g, self.same):
            return True
        return self.zero is not None and not is_negligible(raw(g) * self.zero, g, 1)

    def choose(self, h: Any, who: Any) -> None:
        """Choose the basis in which a cotangent is diagonal inside the blocks of equal values, and of zeros."""
        if not self.is_degenerate or self.layers is not None:
            return
        who = raw(who)
        if not self.moving and (self._chosen_by is None or self._chosen_by is who):
            self._choice, self._chosen_by = _first(self._rotated(raw(h))), who
            return
        self._refuse_unless_diagonal(raw(h))

    def _rotated(self, h: Any) -> Any:
        """All vectors, rotated so that `h` is diagonal inside the blocks of equal values, and of zeros."""
        u, s, vh = np.linalg.svd(self._matrix)
        stack = s.shape[:-1]
        flat = [np.reshape(x, (-1, *x.shape[len(stack) :])) for x in (u, s, vh, h)]
        zero = np.zeros_like(s) if self.zero is None else self.zero
        same = None if self.same is None else np.reshape(self.same, (-1, *self.same.shape[-2:]))
        counts = [int(n) for n in np.reshape(np.sum(zero, axis=-1), (-1,))]
        rotated = [
            _rotated_one(flat[0][i], flat[2][i], flat[3][i], None if same is None else same[i], s.shape[-1] - count)
            for i, count in enumerate(counts)
        ]
        u, vh = (np.reshape(np.stack(x), (*stack, *x[0].shape)) for x in zip(*rotated, strict=True))
        return numpy_gufuncs.SVDResult(u, s, vh)

    def _refuse_unless_diagonal(self, h: Any) -> None:
        u, s, vh = self.chosen
        p = H(u) @ h @ H(vh)
        blocks = np.abs(hermitian_part(p)) * (0 if self.same is None else self.same)
        if self.zero is not None:
            blocks = blocks + np.abs(p) * self.zero[..., :, None] * self.zero[..., None, :]
        diagonal = np.max(np.abs(np.diagonal(blocks, axis1=-2, axis2=-1)), initial=0.0)
        total, trace = np.sum(blocks), np.trace(blocks, axis1=-2, axis2=-1).sum()
        if total - trace > np.sqrt(np.finfo(s.dtype).eps) * (np.max(np.abs(p), initial=0.0) + diagonal):
            raise GaugeError(
                "numpy.linalg.svdvals: where singular values are equal or zero, derivatives of second and higher order "
                "were asked for along several directions at once that do not commute there. Ask for them one at a time."
            )

    def refuse_third_derivative(self, a: Any) -> None:
        """Raise if `a` is still being differentiated."""
        if isinstance(a, Traced) and a._tangent is not None:
            raise GaugeError(
                "numpy.linalg.svdvals: a third derivative was asked for where singular values are equal or zero. First "
                "and second derivatives exist there."
            )


def _first(everything: Any) -> Any:
    """The first `min(m, n)` vectors, and the values."""
    u, s, vh = everything
    k = s.shape[-1]
    return numpy_gufuncs.SVDResult(u[..., :, :k], s, vh[..., :k, :])


def _rotated_one(u: Any, vh: Any, h: Any, same: Any, rank: int) -> tuple[Any, Any]:
    """The vectors of one matrix, all of them, rotated for one direction; `rank` values are not zero."""
    left, right = [u[:, :rank]], [vh[:rank, :]]
    if same is not None and rank:
        p = H(left[0]) @ h @ H(right[0])
        q = block_vectors(same[:rank, :rank], -hermitian_part(p))  # descending, as the values
        left, right = [left[0] @ q], [H(q) @ right[0]]
    if rank < min(u.shape[0], vh.shape[0]):
        inner_left, _, inner_right = np.linalg.svd(H(u[:, rank:]) @ h @ H(vh[rank:, :]))
        left.append(u[:, rank:] @ inner_left)
        right.append(inner_right @ vh[rank:, :])
    else:
        left.append(u[:, rank:])
        right.append(vh[rank:, :])
    return np.concatenate(left, axis=-1), np.concatenate(right, axis=-2)
