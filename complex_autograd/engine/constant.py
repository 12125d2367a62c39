"""Constants under a trace: arrays that the namespace creates inside a differentiated function.

They have no tangent, but are traced nevertheless, so that traced values can be written into them later.
"""

from __future__ import annotations

from typing import Any, Final

from .space import Array
from .trace import Trace
from .traced import Traced, raw


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
