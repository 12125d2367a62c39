"""Which series the values of a matrix become: those of nearly equal values, and around them those of tiny ones.

If a loss changes on the scale of 1, and all values of a matrix are tiny, then its functions of them are nearly equal
however far apart the values are relative to each other, and rounding errors, divided by their differences, dominate
its derivative.  So all values form one group, besides the groups of values that are nearly equal relative to their
size.  Which of the two applies depends on the loss (see `acceptance`).  The first derivative of a loss whose rounding
errors are known to be small does not need this (see `running_errors`).
"""

from __future__ import annotations

from math import ceil, log
from typing import Any, Final, TypeAlias, final

import numpy as np

from ....backends import eps_of
from ....complex_autograd.engine.errors import NO_DERIVATIVE
from ....complex_autograd.engine.traced import Traced
from ...elementary.triangles import off_diagonal
from .acceptance import Tiny
from .equal_values import are_tiny
from .laurent import LaurentTrace
from .perturbation import Splitting

Marked: TypeAlias = tuple[tuple[LaurentTrace, Any], ...]

_MOST_KEPT: Final = 4
"""How many terms more than derivatives the series of tiny values have at most."""


@final
class _TinyMatrices:
    """The speeds that keep the values of tiny matrices apart, all in one group.

    Their differences are no less than those of the values themselves, so that the series converge as fast as those of
    the loss do.
    """

    __slots__ = ("close", "items", "speeds", "trace", "vanishing")

    def __init__(self, values: Any, items: Any, depth: int, from_zero: bool) -> None:
        self.items = items
        scale = np.max(np.abs(values), axis=-1, keepdims=True)
        inside = items[..., None].astype(scale.dtype)
        rank = np.argsort(np.argsort(values, axis=-1), axis=-1) + from_zero
        self.speeds = inside * (values + scale * (rank / values.shape[-1]).astype(scale.dtype))
        self.close = inside[..., None] * off_diagonal(values)
        self.vanishing = inside * from_zero + np.zeros_like(np.abs(values))
        unit = float(np.max(scale * inside))
        kept = _kept(unit, eps_of(values.dtype))
        self.trace = LaurentTrace(depth + kept, Tiny(unit, kept))

    def join(self, near: Splitting) -> None:
        """Take over the groups of the other matrices."""
        others = 1.0 - self.items[..., None]
        self.speeds = self.speeds + others * near.speeds
        self.close = np.maximum(self.close, others[..., None] * near.close)
        self.vanishing = np.maximum(self.vanishing, others * near.vanishing)


def _kept(unit: float, eps: float) -> int:
    """How many terms more than derivatives a series has: those that are not below rounding errors."""
    return min(max(ceil(log(eps) / log(unit)) - 1, 1), _MOST_KEPT)


@final
class Layers:
    """The series that some values are given as, one inside the other.

    Parameters
    ----------
    near : Splitting or None
        That of equal and nearly equal values.
    tiny : _TinyMatrices or None
        That of all values of tiny matrices, around it.

    Attributes
    ----------
    quotients : tuple or None
        The values whose gaps were last divided by, as series, and the reciprocals of these.
    """

    __slots__ = ("near", "quotients", "tiny")

    def __init__(self, near: Splitting | None, tiny: _TinyMatrices | None) -> None:
        self.near, self.tiny = near, tiny
        self.quotients: tuple[Any, Any] | None = None

    @classmethod
    def of(
        cls,
        values: Any,
        same: Any,
        depth: int,
        zero: Any = None,
        from_zero: bool = False,
        by_direction: bool = False,
        condition: Any = None,
    ) -> Layers | None:
        """The series for as many derivatives; None if values are best left as they are.

        With `by_direction` the vectors of equal values are those along which these move apart.  With the condition
        numbers of eigenvalues these may be in any order, and complex.
        """
        if depth == 0 or values.size == 0 or not np.all(np.isfinite(values)):
            return None
        items = are_tiny(values) & (values.shape[-1] > 1 or from_zero)
        tiny = _TinyMatrices(values, items, depth, from_zero) if np.any(items) else None
        near = Splitting.of(values, same, depth, zero, from_zero, condition)
        if near is not None and by_direction and depth == 1 and near.is_exact:
            near = None
        if tiny is not None and near is not None:
            tiny.join(near)
        return None if near is None and tiny is None else cls(near, tiny)

    @property
    def _parts(self) -> tuple[Any, ...]:
        return tuple(part for part in (self.near, self.tiny) if part is not None)

    @property
    def close(self) -> Marked:
        """For each level 1 for different indices of values in one group, else 0."""
        return tuple((part.trace, part.close) for part in self._parts)

    @property
    def vanishing(self) -> Marked:
        """For each level 1 for values in one group with zero, else 0."""
        return tuple((part.trace, part.vanishing) for part in self._parts)

    def begin(self, start: Any, after: frozenset[LaurentTrace]) -> None:
        """Remember where the levels begin, and those that the argument has been taken without."""
        for part in self._parts:
            part.trace.start, part.trace.after = start, after

    def ended(self, x: Any) -> Any:
        """A cotangent of the matrix, which nothing else at these levels meets: without them, where it is regular."""
        found = x
        try:
            while isinstance(found, Traced) and any(found._tracer is part.trace for part in self._parts):
                found = found._tracer.settle(found)
        except NO_DERIVATIVE:
            return x
        return x if isinstance(found, Traced) else found

    def split(self, values: Any) -> Any:
        """The values as series."""
        x = values
        for part in self._parts:
            x = part.trace.series(x, {0: values, 1: part.speeds})
        return x

    def mark(self, arrays: Any, roles: tuple[str, ...]) -> None:
        """Declare what arrays are, if no function of the values needs to be odd."""
        if any(np.any(part.vanishing) for part in self._parts):
            return
        for x, role in zip(arrays, roles, strict=False):
            while isinstance(x, Traced):
                x._tangent.role, x = role, x._value

    def still(self, a: Any) -> Any:
        """An array that does not depend on `t`."""
        x = a
        for part in self._parts:
            x = part.trace.series(x, {0: a})
        return x

    def aside(self, a: Any) -> Any:
        """What is added at `t = 0`, and is no part of the series."""
        for part in self._parts:
            a = part.trace.series(a, {})
        return a
