"""Values and vectors of some matrices as data: what the rules of `eigh`, `eig` and `svd` share.

When a decomposition is recorded, `SpectralData` determines which of its values are equal, which vectors to use there,
and which series the values become.  For distinct values, this takes a single comparison.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from operator import sub
from typing import Any, ClassVar

import numpy as np

from ....backends import DIGITS
from ....complex_autograd.engine.choices import CHOICES, other_phases, perturbed_matrix
from ....complex_autograd.engine.errors import Inaccurate
from ....complex_autograd.engine.forward import ForwardTrace
from ....complex_autograd.engine.reverse import ReverseTrace
from ....complex_autograd.engine.structural_zeros import CARE
from ....complex_autograd.engine.traced import depth_of, has_hidden_level, raw
from ...elementary.triangles import off_diagonal
from ...kernels.tolerances import is_negligible, negligible
from .equal_values import FEW, are_equal_or_clear, equal_values, is_uneven, mean_over, nearness, tiny, undecided
from .gap_rules import mean_of_equal, reciprocal_gaps
from .levels import leading
from .linking import linked
from .probes import PROBING, dependent, refuse_kink_of_probe
from .running_errors import RunningErrors
from .series_layers import Layers


def followed(a: Any, basis_of: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The argument of a decomposition and its basis; where values are not clear, or others were not, as `linking` says.

    `basis_of(a, moving)` is the basis at `a`, chosen by how the second array moves.
    """
    a = perturbed_matrix(a) if CHOICES.perturbed else a
    basis = None if has_hidden_level(a) else basis_of(a, a)
    return (a, basis) if basis is not None and basis.is_clear else linked(a, basis_of, basis)


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
    direction : callable
        Returns along what the matrices move in forward mode, or None.  Where values are equal, the vectors become those
        along which these move apart; without a direction some without structure, so that no coincidence hides how a
        loss depends on them.
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
    along_direction : bool
        Whether a second derivative of the values alone is taken along that direction, without series.
    at_pole : float
        What a quotient by the difference of equal values is, besides the series.
    """

    __slots__ = (
        "_depth",
        "along_direction",
        "at_pole",
        "errors",
        "gap",
        "given",
        "layers",
        "moving",
        "result",
        "same",
        "values",
        "zero",
    )

    from_zero: ClassVar[bool] = False
    """Whether the vectors of zeros are arbitrary each on its own, too."""

    is_sorted: ClassVar[bool] = True
    """Whether values are in order, and real."""

    roles: ClassVar[tuple[str, ...]] = ()
    """What the parts of the result are, if the vectors are orthonormal."""

    def __init__(self, a: Any, values: Any, result: Any, direction: Callable[[], Any], vectors: bool = True) -> None:
        if vectors and result[-1].dtype.kind == "c" and not CHOICES.fixed:
            CHOICES.phased += 1
            result = self._rephased(result)
        self.values, self.result, self.given = values, result, result
        self.same: Any = None
        self.zero: Any = None
        self.layers: Layers | None = None
        self.errors: RunningErrors | None = None
        self.moving, self.along_direction, self.at_pole = False, False, 0.0
        self._depth = depth_of(a)
        self.gap = self._clear_gap() if self.is_sorted else 0.0
        if not self.gap:
            self._distinguish(a, direction, vectors)

    def _clear_gap(self) -> Any:
        """The least difference of a few values that are not to be split: not tiny, near to each other, or near to zero.

        0 for any others.
        """
        values = self.values
        if values.ndim != 1 or not 2 <= len(values) <= FEW:
            return 0.0
        if type(values) is not np.ndarray:
            return self._clear_gap_elsewhere()
        numbers = values.tolist()
        first, last = abs(numbers[0]), abs(numbers[-1])
        largest = first if first > last else last
        near = nearness(values.dtype, self._depth == 1, DIGITS.get()) * largest
        if largest < tiny(values.dtype, DIGITS.get()) or (self.from_zero and last <= near):
            return 0.0
        gap = float(min(map(abs, map(sub, numbers[1:], numbers))))
        return gap if gap > near else 0.0

    def _clear_gap_elsewhere(self) -> Any:
        """The same of an array that is not NumPy's, without reading all of its numbers."""
        values = np.abs(self.values).astype(float)
        largest, last = np.maximum(values[0], values[-1]), values[-1]
        near = nearness(self.values.dtype, self._depth == 1, DIGITS.get()) * largest
        gap = np.min(np.abs(np.diff(self.values.astype(float))))
        is_clear = (largest >= tiny(self.values.dtype, DIGITS.get())) & (gap > near)
        return gap if bool(is_clear & (last > near) if self.from_zero else is_clear) else 0.0

    def _distinguish(self, a: Any, direction: Callable[[], Any], vectors: bool) -> None:
        """Find equal values, choose their vectors, and split values if that is needed."""
        self._find_equal()
        if self.is_degenerate:
            along = direction()
            self.moving = along is not None
            if self.moving or vectors:
                self._rotate(along)
        elif vectors:
            self.errors = RunningErrors.of(a, self.values, self.from_zero)
            if self.errors is not None:
                self.given = self._each(self.errors.values, self.errors.vectors)
                return
        self.along_direction = not vectors and self._depth == 2 and self.moving and self._is_told_by_direction(a)
        if vectors or (self._depth > 1 and not self.along_direction):
            self._split()

    # With the vectors along which equal values move apart, the second derivative inside their block is diag(dg)
    def _is_told_by_direction(self, a: Any) -> bool:
        """Whether a Hessian-vector product of a loss of the values alone needs no series, which takes 5 times as long.

        The cotangent must be the same for equal values, and other values be neither near to each other nor tiny.
        """
        is_product = isinstance(a._tracer, ReverseTrace) and isinstance(a._value._tracer, ForwardTrace)
        return is_product and not CARE.series and self.zero is None and are_equal_or_clear(self.values, self.same)

    def _split(self, condition: Any = None) -> None:
        """Make the result a series in a number along which equal and nearly equal values move apart."""
        layers = Layers.of(self.values, self.same, self._depth, self.zero, self.from_zero, self.moving, condition)
        if layers is not None:
            self.layers, self.given = layers, self._each(layers.split, layers.still)
            layers.mark(self.given, self.roles)
            CHOICES.made += self._is_undecided
            self.at_pole = np.nan if self.is_split and not (self.moving and self._depth == 1) else 0.0

    def _rephased(self, result: Any) -> Any:
        """The same with other phases of the vectors, where these are asked for."""
        w, v = result
        phases = other_phases(v)
        return result if phases is None else type(result)(w, v * phases)

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
    def _is_undecided(self) -> bool:
        """Whether values that are not equal are nearer than it takes to see errors of their vectors."""
        near = None if self.layers is None else self.layers.near
        return self.is_sorted and near is not None and near.nearest <= undecided(self.values.dtype)

    @property
    def is_chosen(self) -> bool:
        """Whether some vectors are an arbitrary choice, as far as one sees."""
        return self.is_degenerate or self._is_undecided

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
        return self.settled(d) if self.layers is None else mean_of_equal(d, data=self)

    def joined(self, d: Any) -> Any:
        """What else is linear in a cotangent of the values, or in theirs: settled but for second derivatives."""
        return d if self.moving or (self.layers is not None and self._depth > 1) else self.settled(d)

    def at_kink(self, g: Any, a: Any) -> Any:
        """The cotangent of the values alone: that of a loss with a kink settled; raises if it needs series."""
        if not (self.along_direction if self.moving else self.is_checked(a)) or not self.is_kink(g):
            return g
        if self.moving:
            raise dependent() if PROBING.active else Inaccurate
        return self.settled(g)

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
