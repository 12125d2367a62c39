"""Reverse mode: one node an operation, walked backwards in the order of creation.

The adjoint of an elementwise function with the Wirtinger pair `dw = p dz + q conj(dz)` is `g -> conj(p) g + q conj(g)`,
from `<g, dw> = Re sum(conj(g) dw)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .array import Traced, peel
from .linear import LinearTrace
from .space import cast, project
from .trace import ENDED_TAPE, Joint, Node, Trace, walk
from .zero import ZERO

__all__ = ["ReverseTrace"]

_conjugate = np.conjugate


class ReverseTrace(Trace):
    """Records one node an operation on a tape."""

    __slots__ = ("tape",)

    def __init__(self, level: int) -> None:
        self.level = level
        self.tape: list[Node] = []

    def variable(self, value: Any) -> Traced:
        """A new independent variable."""
        return Traced(value, self, Node((), None, value.shape, value.dtype))

    def end(self) -> list[Node]:
        """End the recording and hand over the tape."""
        tape, self.tape = self.tape, ENDED_TAPE
        return tape

    def _record(self, w: Any, parents: Any, adjoint: Callable[[Any], Any]) -> Traced:
        node = Node(parents, adjoint, w.shape, w.dtype)
        self.tape.append(node)
        return Traced(w, self, node)

    def unary(self, rule: Any, z: Any) -> Any:
        value = z.value
        w = rule.function(value)
        p = rule.partials[0]
        adjoint: Any
        if rule.adjoints is not None:
            adjoint = rule.adjoints[0]
        elif rule.conjugate_partial is not None:
            adjoint = _wirtinger_adjoint(rule, w, value)
        elif w.dtype.kind == "c":

            def adjoint(g: Any) -> Any:
                return g * _conjugate(p(w, value))

        else:

            def adjoint(g: Any) -> Any:
                return g * p(w, value)

        node = Node(z.tangent, adjoint, w.shape, w.dtype)
        self.tape.append(node)
        return Traced(w, self, node)

    def binary(self, rule: Any, a: Any, b: Any) -> Any:
        a_active = type(a) is Traced and a.trace is self
        b_active = type(b) is Traced and b.trace is self
        x = a.value if a_active else peel(a)
        y = b.value if b_active else peel(b)
        w = rule.function(x, y)
        is_complex = w.dtype.kind == "c"
        p, q = rule.partials
        parents: Any
        adjoint: Any
        if rule.adjoints is not None:
            if not b_active:
                parents, adjoint = a.tangent, rule.adjoints[0]
            elif not a_active:
                parents, adjoint = b.tangent, rule.adjoints[1]
            else:
                parents, adjoint = (a.tangent, b.tangent), rule.joint_adjoint
        elif not b_active:
            parents = a.tangent

            def adjoint(g: Any) -> Any:
                return g * (_conjugate(p(w, x, y)) if is_complex else p(w, x, y))

        elif not a_active:
            parents = b.tangent

            def adjoint(g: Any) -> Any:
                return g * (_conjugate(q(w, x, y)) if is_complex else q(w, x, y))

        else:
            parents = (a.tangent, b.tangent)

            def adjoint(g: Any) -> Any:
                if is_complex:
                    return g * _conjugate(p(w, x, y)), g * _conjugate(q(w, x, y))
                return g * p(w, x, y), g * q(w, x, y)

        node = Node(parents, adjoint, w.shape, w.dtype)
        self.tape.append(node)
        return Traced(w, self, node)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        active = [i for i, a in enumerate(args) if type(a) is Traced and a.trace is self]
        values = [a.value if type(a) is Traced and a.trace is self else peel(a) for a in args]
        out = primitive(*values, **params)
        parents = tuple(args[i].tangent for i in active)
        adjoint = primitive.adjoint_at(active, out, values, parents, params)
        if not isinstance(out, tuple):
            return self._record(out, parents, adjoint)
        parts = [Node((), None, x.shape, x.dtype) for x in out]
        self.tape.append(Joint(parents, adjoint, parts))
        outputs = [
            Traced(x, self, part) if x.dtype.kind in "fc" else x for x, part in zip(out, parts, strict=True)
        ]
        return type(out)(*outputs) if hasattr(out, "_fields") else tuple(outputs)


def _wirtinger_adjoint(rule: Any, w: Any, z: Any) -> Callable[[Any], Any]:
    p, q = rule.partials[0], rule.conjugate_partial
    if z.dtype.kind == "c":

        def adjoint(g: Any) -> Any:
            return _conjugate(p(w, z)) * g + q(w, z) * _conjugate(g)

    else:

        def adjoint(g: Any) -> Any:
            return g * rule.real_partial(w, z)

    return adjoint
