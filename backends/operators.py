"""Python's operators on arrays of a backend: each is the NumPy ufunc of its name, as on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_BINARY = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "truediv": np.true_divide,
    "floordiv": np.floor_divide,
    "mod": np.remainder,
    "divmod": np.divmod,
    "matmul": np.matmul,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "lshift": np.left_shift,
    "rshift": np.right_shift,
}
_COMPARISONS = {
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "eq": np.equal,
    "ne": np.not_equal,
}
_UNARY = {"neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert}
_POWERS = {2: np.square, 1: np.positive, -1: np.reciprocal, 0.5: np.sqrt}
"""What NumPy's operator computes in place of a power with such an exponent, for floating-point bases."""

_PRIORITY = 200


def _is_for(other: Any) -> bool:
    """Whether the operation is the other operand's to do, as for a traced value, or for what no ufunc takes."""
    if getattr(type(other), "__array_ufunc__", _is_for) is None:
        return True
    priority = getattr(type(other), "__array_priority__", 0)
    return issubclass(type(priority), (int, float)) and priority > _PRIORITY


def _forward(ufunc: Any) -> Callable[..., Any]:
    return lambda self, other: NotImplemented if _is_for(other) else ufunc(self, other)


def _reflected(ufunc: Any) -> Callable[..., Any]:
    return lambda self, other: NotImplemented if _is_for(other) else ufunc(other, self)


def _in_place(ufunc: Any) -> Callable[..., Any]:
    return lambda self, other: NotImplemented if _is_for(other) else ufunc(self, other, out=(self,))


def _unary(ufunc: Any) -> Callable[..., Any]:
    return lambda self: ufunc(self)


class Operators:
    """The operators, as methods."""

    __slots__ = ()
    __array_priority__ = _PRIORITY
    __hash__ = None  # type: ignore[assignment]

    def __pow__(self: Any, other: Any) -> Any:
        if _is_for(other):
            return NotImplemented
        short = _POWERS.get(other) if type(other) in (int, float) else None
        if short is not None and (self.dtype.kind in "fc" or other == 2):
            return short(self)
        return np.power(self, other)

    __rpow__ = _reflected(np.power)
    __ipow__ = _in_place(np.power)


for _name, _ufunc in _BINARY.items():
    setattr(Operators, f"__{_name}__", _forward(_ufunc))
    setattr(Operators, f"__r{_name}__", _reflected(_ufunc))
    if _name != "divmod":
        setattr(Operators, f"__i{_name}__", _in_place(_ufunc))
for _name, _ufunc in _COMPARISONS.items():
    setattr(Operators, f"__{_name}__", _forward(_ufunc))
for _name, _ufunc in _UNARY.items():
    setattr(Operators, f"__{_name}__", _unary(_ufunc))
