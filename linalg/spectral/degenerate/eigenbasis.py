"""The eigenvectors of some Hermitian matrices as data, and the basis chosen where eigenvalues are equal."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from ....complex_autograd.engine.errors import GaugeError
from ....complex_autograd.engine.traced import Traced, raw
from ....complex_autograd.rules.products.matrix_products import H
from ...elementary.triangles import hermitian_from, identity, like
from ...kernels import numpy_gufuncs
from .equal_values import are_tiny, block_vectors, equal_values, forward_direction, random_matrix
from .perturbation import clear_gap, depth_of
from .running_errors import RunningErrors
from .series_layers import Layers

__all__ = ["Eigenbasis"]

_UNKNOWN: Any = object()


@final
class Eigenbasis:
    """The eigenvectors of some Hermitian matrices as data, and the basis chosen where eigenvalues are equal.

    Parameters
    ----------
    result : tuple
        Eigenvalues (..., n), ascending, and eigenvectors (..., n, n).
    direction : array (..., n, n) or None
        Along what the Hermitian matrices move in forward mode; where eigenvalues are equal, the vectors become those
        along which the values move apart.

    Attributes
    ----------
    result : EighResult
        Eigenvalues and eigenvectors.
    moving : bool
        Whether a direction of forward mode chose the vectors of equal values.
    gap : float
        The least difference of the eigenvalues of a small matrix, if they lie apart; else 0.
    layers : Layers or None
        The series that equal, nearly equal and tiny values are given as.
    errors : RunningErrors or None
        What stands in for the series of tiny values.
    """

    __slots__ = (
        "_chosen_by",
        "_depth",
        "_rotation",
        "_same",
        "_series",
        "errors",
        "gap",
        "layers",
        "moving",
        "result",
        "where_split",
    )

    def __init__(self, result: Any, direction: Any) -> None:
        self.result = numpy_gufuncs.EighResult(*result)
        self._same: Any = _UNKNOWN
        self._rotation: Any = None
        self._chosen_by: Any = None
        self.layers: Layers | None = None
        self.errors: RunningErrors | None = None
        self.gap = 0.0
        self.where_split = 0.0
        self._series: Any = None
        self._depth = 0
        self.moving = direction is not None and self.same is not None
        if self.moving:
            w, v = self.result
            self.result = numpy_gufuncs.EighResult(w, v @ block_vectors(self.same, H(v) @ direction @ v))

    @classmethod
    def of(cls, a: Any, lower: bool, result: Any = None) -> Eigenbasis:
        """The basis of the matrices whose one triangle is read from `a`, traced or not; as given where it is known."""
        if result is None:
            result = numpy_gufuncs.eigh(raw(a), "L" if lower else "U")
        direction = forward_direction(a)
        return cls(result, None if direction is None else hermitian_from(direction, lower=lower))

    def rotated(self, a: Any) -> Eigenbasis:
        """Rotate the vectors of equal values, so that no coincidence hides how a loss depends on them; split values.

        `a` is what the matrices are computed from, traced.
        """
        depth = depth_of(a)
        self.gap = clear_gap(self.result[0], depth)
        if self.gap:
            self._same = None
            return self
        self.errors = RunningErrors.of(a, self.result[0])
        if self.errors is not None:
            w, v = self.result
            self._series = numpy_gufuncs.EighResult(self.errors.values(w), self.errors.vectors(v))
            return self
        if self.same is not None and not self.moving:
            w, v = self.result
            p = like(v, random_matrix, *v.shape[-2:], v.dtype.kind == "c")
            self.result = numpy_gufuncs.EighResult(w, v @ block_vectors(self.same, p))
        self._split(depth, by_direction=self.moving)
        return self

    def for_values(self, a: Any) -> Eigenbasis:
        """Split values where the eigenvalues alone are wanted, and the basis chosen does not do."""
        depth = depth_of(a)
        if depth > 2 or (depth == 2 and (self.same is None or not self.moving or np.any(are_tiny(self.result[0])))):
            self._split(depth, by_direction=False)
        return self

    def _split(self, depth: int, by_direction: bool) -> None:
        """Make the result a series in a number along which equal and nearly equal values move apart."""
        w, v = self.result
        self._depth = depth
        self.layers = Layers.of(w, self.same, depth, by_direction=by_direction)
        if self.layers is None:
            return
        self.where_split = 0.0 if self.layers.near is None or (by_direction and depth == 1) else np.nan
        self._series = numpy_gufuncs.EighResult(self.layers.split(w), self.layers.still(v))

    @property
    def given(self) -> Any:
        """The result as a loss is to see it."""
        return self.result if self._series is None else self._series

    def is_checked(self, a: Any) -> bool:
        """Whether cotangents show if a loss is well defined: of split values only those of the loss itself do."""
        return self.layers is None or depth_of(a) == self._depth - 1

    @property
    def same(self) -> Any:
        """1 where eigenvalues are equal, 0 elsewhere; None if all are distinct."""
        if self._same is _UNKNOWN:
            self._same = equal_values(self.result[0])
        return self._same

    @property
    def is_clear(self) -> bool:
        """Whether eigenvalues are neither equal nor split."""
        return self.layers is None and self.same is None

    @property
    def is_chosen(self) -> bool:
        """Whether a cotangent chose the basis."""
        return self._rotation is not None

    def chosen(self, v: Any) -> Any:
        """The vectors `v` in the basis chosen."""
        return v if self._rotation is None else v @ self._rotation

    def choose(self, h: Any, who: Any) -> None:
        """Choose the basis in which the Hermitian matrices `h` are diagonal inside the blocks of equal values."""
        if self.same is None or self.layers is not None:
            return
        v = self.result[1]
        if not self.moving and (self._chosen_by is None or self._chosen_by is who):
            self._rotation, self._chosen_by = block_vectors(self.same, H(v) @ raw(h) @ v), who
            return
        p = np.abs(H(self.chosen(v)) @ raw(h) @ self.chosen(v))
        across = np.max(p * (self.same - identity(p)), initial=0.0)
        if across > np.sqrt(np.finfo(p.dtype).eps) * np.max(p, initial=0.0):
            raise GaugeError(
                "numpy.linalg.eigvalsh: where eigenvalues are equal, derivatives of second and higher order were asked "
                "for along several directions at once that do not commute there. Ask for them one at a time."
            )

    def refuse_third_derivative(self, a: Any) -> None:
        """Raise if eigenvalues are equal and `a` is still being differentiated."""
        if self.same is not None and self.layers is None and isinstance(a, Traced) and a._tangent is not None:
            raise GaugeError(
                "numpy.linalg.eigvalsh: a third derivative was asked for where eigenvalues are equal. First and second "
                "derivatives exist there."
            )
