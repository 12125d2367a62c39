"""Forward mode: a traced value carries its tangent as an array; and constants, which have none.

Constants are the arrays that the namespace creates inside a differentiated function.  They are traced so that traced
values can be written into them later.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from .errors import TraceError
from .space import Array, Tangent, embed
from .trace import ESCAPED, Trace
from .traced import Traced, peel, raw
from .zero import ZERO


class ForwardTrace(Trace):
    """Pushes tangents forward, one operation at a time."""

    __slots__ = ("ended",)

    def __init__(self, level: int) -> None:
        self.level = level
        self.ended = False

    def variable(self, value: Array, tangent: Tangent) -> Traced:
        """A value with the tangent that it moves along."""
        return Traced(value, self, tangent)

    def _pair(self, w: Array, dw: Tangent) -> Traced:
        if self.ended:
            raise TraceError(ESCAPED)
        if dw is ZERO:
            return Traced(w, self, np.zeros_like(w))
        dw = embed(dw, w.shape, w.dtype)
        if type(w) is Traced and w._tracer.hidden:
            w._tracer.moves(w, dw)
        return Traced(w, self, dw)

    def unary(self, rule: Any, z: Array) -> Array:
        value, dz = z._value, z._tangent
        w = rule.function(value)
        if value.dtype.kind != "c":
            dw = rule.real_partial(w, value) * dz
        elif rule.conjugate_partial is None:
            dw = rule.partials[0](w, value) * dz
        else:
            dw = rule.partials[0](w, value) * dz + rule.conjugate_partial(w, value) * np.conjugate(dz)
        return self._pair(w, dw)

    def with_partial(self, z: Array, w: Array, partial: Array) -> Array:
        """The value of a function of one real argument, of which the partial derivative is known, too."""
        return self._pair(w, partial * z._tangent)

    def binary(self, rule: Any, a: Array, b: Array) -> Array:
        a_active = type(a) is Traced and a._tracer is self
        b_active = type(b) is Traced and b._tracer is self
        x = a._value if a_active else peel(a)
        y = b._value if b_active else peel(b)
        w = rule.function(x, y)
        rule.check(w)
        dw: Tangent = ZERO
        if a_active:
            dw = rule.products[0]((w, x, y), a._tangent)
        if b_active:
            dw = dw + rule.products[1]((w, x, y), b._tangent)
        return self._pair(w, dw)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        values, tangents = [], []
        for a in args:
            active = type(a) is Traced and a._tracer is self
            values.append(a._value if active else peel(a))
            tangents.append(a._tangent if active else ZERO)
        out = primitive(*values, **params)
        dout = primitive.push(out, values, tangents, params)
        if not isinstance(out, tuple):
            return self._pair(out, dout)
        outputs = [self._pair(x, dx) if x.dtype.kind in "fc" else x for x, dx in zip(out, dout, strict=True)]
        return type(out)(*outputs) if hasattr(out, "_fields") else tuple(outputs)


class ConstantTrace(Trace):
    """The level below all others: values without a tangent."""

    __slots__ = ()

    def __init__(self) -> None:
        self.level = 0

    def unary(self, rule: Any, z: Array) -> Array:
        return constant(rule.function(z._value))

    def binary(self, rule: Any, a: Array, b: Array) -> Array:
        return constant(rule.function(raw(a), raw(b)))

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        out = primitive(*[raw(a) for a in args], **params)
        if not isinstance(out, tuple):
            return constant(out)
        outputs = [constant(x) for x in out]
        return type(out)(*outputs) if hasattr(out, "_fields") else tuple(outputs)


CONSTANT: Final = ConstantTrace()


def constant(value: Array) -> Any:
    """A plain array as a constant that can be written to under a trace; integers and traced values stay as they are.

    So does what an operation on an array of one Python object returns, which is no array.
    """
    is_array = hasattr(value, "dtype") and value.dtype.kind in "fc"
    return Traced(value, CONSTANT, None) if is_array and type(value) is not Traced else value
