"""Operations with a differential that are, besides, linear in their last argument: `solve(a, b)` in `b`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

import numpy as np

from ...complex_autograd.engine.primitive import Primitive


@final
class PartlyLinear(Primitive):
    """A primitive that a differential may apply to a tangent of its last argument.

    Its adjoint there is declared with `adjoint(position)`, and used wherever nothing else is differentiated.
    """

    __slots__ = ()

    def is_linear_in(self, active: Sequence[int], args: Sequence[Any]) -> bool:
        return list(active) == [len(args) - 1]

    def adjoint_at(
        self, active: Sequence[int], out: Any, values: Sequence[Any], spaces: Sequence[Any], params: dict[str, Any]
    ) -> Callable[[Any], Any]:
        if not self.is_linear_in(active, values):
            return super().adjoint_at(active, out, values, spaces, params)
        rule = self.adjoints[active[0]]

        def adjoint_in_last(g: Any) -> list[Any]:
            return [rule(g, *values, **params)]

        return adjoint_in_last


def solution_space(a: Any, b: Any, **params: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """The shape and the type of `x` in `a x = b`."""
    return np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], np.result_type(a.dtype, b.dtype)


def declare_adjoint_pair(forward: PartlyLinear, back: PartlyLinear) -> None:
    """Declare that two maps from `m` to `x(a, m)`, of the same shape, are each other's adjoint."""
    for own, other in ((forward, back), (back, forward)):
        own.space_of(_common_space)
        own.adjoint(1)(_with_cotangent(other))


def _common_space(a: Any, m: Any, **params: Any) -> Any:
    return np.broadcast_shapes(a.shape, m.shape), np.result_type(a.dtype, m.dtype)


def _with_cotangent(other: PartlyLinear) -> Callable[..., Any]:
    def adjoint(g: Any, a: Any, m: Any, **params: Any) -> Any:
        return other(a, g, **params)

    return adjoint
