"""Reverse mode: one node an operation, walked backwards in the order of creation.

The methods for elementwise functions are what a chain of small operations spends its time in: each records the arrays
and the adjoint that was made when the function was declared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .kept_operands import Kept
from .space import Array
from .trace import ENDED_TAPE, Joint, Node, Trace, pull_one
from .traced import Traced, peel

_new = object.__new__
_FIRST = [0]


class ReverseTrace(Trace):
    """Records one node an operation on a tape."""

    __slots__ = ("kept", "tape")

    def __init__(self, level: int, kept: Kept) -> None:
        self.level = level
        self.tape: list[Node] = []
        self.kept = kept

    def variable(self, value: Array) -> Traced:
        """A new independent variable."""
        return Traced(value, self, Node((), None, value.shape, value.dtype))

    def end(self) -> list[Node]:
        """End the recording and hand over the tape."""
        tape, self.tape = self.tape, ENDED_TAPE
        return tape

    def record(
        self, w: Array, parents: Any, adjoint: Callable[..., Any], product: Any = None, known: Any = None
    ) -> Traced:
        """The result of an operation, traced, and its node on the tape."""
        node = _new(Node)  # which is filled in here: to call the class takes twice as long
        node.parents = parents
        node.adjoint = adjoint
        node.product = product
        node.known = known
        node.shape = w.shape
        node.dtype = w.dtype
        node.cotangent = None
        node.is_conjugate = False
        self.tape.append(node)
        result = _new(Traced)
        result._value = w
        result._tracer = self
        result._tangent = node
        return result

    def unary(self, rule: Any, z: Array) -> Array:
        value, parent = z._value, z._tangent
        w = rule.function(value)
        node = _new(Node)  # as in `record`, which would be one more call
        node.parents = parent
        node.adjoint, node.product = rule.ways[parent.dtype][0]
        node.known = (w, value) if rule.adjoints is None else None
        node.shape = parent.shape
        node.dtype = w.dtype
        node.cotangent = None
        node.is_conjugate = False
        self.tape.append(node)
        result = _new(Traced)
        result._value = w
        result._tracer = self
        result._tangent = node
        return result

    def left(self, rule: Any, a: Array, b: Array) -> Array:
        value = a._value
        w = rule.function(value, b)
        adjoint, product = rule.ways[w.dtype][0]
        known = (w, value, self.kept.keep(b)) if rule.adjoints is None else None
        return self.record(w, a._tangent, adjoint, product, known)

    def right(self, rule: Any, a: Array, b: Array) -> Array:
        value = b._value
        w = rule.function(a, value)
        adjoint, product = rule.ways[w.dtype][1]
        known = (w, self.kept.keep(a), value) if rule.adjoints is None else None
        return self.record(w, b._tangent, adjoint, product, known)

    def binary(self, rule: Any, a: Array, b: Array) -> Array:
        if type(a) is not Traced or a._tracer is not self:
            return self.right(rule, peel(a), b)
        if type(b) is not Traced or b._tracer is not self:
            return self.left(rule, a, peel(b))
        x, y = a._value, b._value
        w = rule.function(x, y)
        adjoint, product = rule.ways[w.dtype][2]
        known = (w, x, y) if rule.adjoints is None else None
        return self.record(w, (a._tangent, b._tangent), adjoint, product, known)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        if len(args) == 1:
            if primitive.linearity and primitive.joint_adjoint is None:
                return self._linear(primitive, args[0], params)
            active, values = _FIRST, [args[0]._value]
        else:
            active = [i for i, a in enumerate(args) if type(a) is Traced and a._tracer is self]
            values = [a._value if type(a) is Traced and a._tracer is self else peel(a) for a in args]
        out = primitive(*values, **params)
        if len(active) < len(args):
            values = [self.kept.keep(v) if i not in active else v for i, v in enumerate(values)]
        params = self.kept.keep_all(params)
        parents = tuple([args[i]._tangent for i in active])
        adjoint = primitive.adjoint_at(active, out, values, parents, params)
        if not isinstance(out, tuple):
            return self.record(out, parents, adjoint)
        joint = Joint(parents, adjoint, [])
        self.tape.append(joint)
        outputs = [self._part(joint, x) for x in out]
        return type(out)(*outputs) if hasattr(out, "_fields") else tuple(outputs)

    def _part(self, joint: Joint, x: Array) -> Any:
        """One output of an operation with several: traced, unless it is not continuous."""
        node = Node((), None, x.shape, x.dtype)
        joint.parts.append(node)
        return Traced(x, self, node) if node.dtype.kind in "fc" else x

    def _linear(self, primitive: Any, a: Array, params: dict[str, Any]) -> Any:
        """Apply a linear operation of one argument: most of indexing and reshaping, so it takes the short way."""
        value, parent = a._value, a._tangent
        rule = primitive.adjoints[0]
        stand_in = parent if primitive.linearity == "jointly" else value
        adjoint = partial(pull_one, rule, stand_in, self.kept.keep_all(params))
        return self.record(primitive(value, **params), parent, adjoint)
