"""Operations with a differential that are, besides, linear in their last argument: `solve(a, b)` in `b`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, final

from ..complex_autograd.primitive import Primitive

__all__ = ["PartlyLinear"]


@final
class PartlyLinear(Primitive):
    """A primitive that a differential may apply to a tangent in the last place.

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
