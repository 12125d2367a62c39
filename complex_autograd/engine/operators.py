"""The operators of traced arrays.  Each is the NumPy ufunc of its name; in-place operators write the result back.

They look up their rule in `UFUNCS` directly, since chains of small operations spend most of their time here.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .hooks import HOOKS
from .protocols import leaves_operator_to
from .trace import FUNCTIONS, UFUNCS

_add = np.add
_subtract = np.subtract
_multiply = np.multiply
_true_divide = np.true_divide
_power = np.power
_pow = operator.pow  # which is another function than numpy.power: x**0.5 is sqrt(x)
_matmul = np.matmul
_floor_divide = np.floor_divide
_remainder = np.remainder
_divmod = np.divmod
_negative = np.negative
_positive = np.positive
_absolute = np.absolute
_less = np.less
_less_equal = np.less_equal
_greater = np.greater
_greater_equal = np.greater_equal
_equal = np.equal
_not_equal = np.not_equal
_bitwise_and = np.bitwise_and
_bitwise_or = np.bitwise_or
_bitwise_xor = np.bitwise_xor
_left_shift = np.left_shift
_right_shift = np.right_shift
_invert = np.invert


def _in_place(ufunc: Any, a: Any, b: Any) -> Any:
    """`a += b`; numbers leave it to what asks for operators, arrays only where that does so by its priority."""
    if leaves_operator_to(b) and (issubclass(a.__class__, np.generic) or not hasattr(b, "__array_ufunc__")):
        return NotImplemented
    return HOOKS.in_place(ufunc, a, b)


class Operators:
    """Python's operators on a traced array."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return UFUNCS[_add](self, other)

    def __radd__(self, other: Any) -> Any:
        return UFUNCS[_add](other, self)

    def __sub__(self, other: Any) -> Any:
        return UFUNCS[_subtract](self, other)

    def __rsub__(self, other: Any) -> Any:
        return UFUNCS[_subtract](other, self)

    def __mul__(self, other: Any) -> Any:
        return UFUNCS[_multiply](self, other)

    def __rmul__(self, other: Any) -> Any:
        return UFUNCS[_multiply](other, self)

    def __truediv__(self, other: Any) -> Any:
        return UFUNCS[_true_divide](self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return UFUNCS[_true_divide](other, self)

    def __pow__(self, other: Any) -> Any:
        return FUNCTIONS[_pow](self, other)

    def __rpow__(self, other: Any) -> Any:
        return UFUNCS[_power](other, self)

    def __matmul__(self, other: Any) -> Any:
        return UFUNCS[_matmul](self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return UFUNCS[_matmul](other, self)

    def __floordiv__(self, other: Any) -> Any:
        return NotImplemented if leaves_operator_to(other) else UFUNCS[_floor_divide](self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return UFUNCS[_floor_divide](other, self)

    def __mod__(self, other: Any) -> Any:
        return UFUNCS[_remainder](self, other)

    def __rmod__(self, other: Any) -> Any:
        return UFUNCS[_remainder](other, self)

    def __divmod__(self, other: Any) -> Any:
        return NotImplemented if leaves_operator_to(other) else UFUNCS[_divmod](self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return UFUNCS[_divmod](other, self)

    def __neg__(self) -> Any:
        return UFUNCS[_negative](self)

    def __pos__(self) -> Any:
        return UFUNCS[_positive](self)

    def __abs__(self) -> Any:
        return UFUNCS[_absolute](self)

    def __lt__(self, other: Any) -> Any:
        return NotImplemented if leaves_operator_to(other) else UFUNCS[_less](self, other)

    def __le__(self, other: Any) -> Any:
        return NotImplemented if leaves_operator_to(other) else UFUNCS[_less_equal](self, other)

    def __gt__(self, other: Any) -> Any:
        return NotImplemented if leaves_operator_to(other) else UFUNCS[_greater](self, other)

    def __ge__(self, other: Any) -> Any:
        return NotImplemented if leaves_operator_to(other) else UFUNCS[_greater_equal](self, other)

    def __eq__(self, other: Any) -> Any:
        return UFUNCS[_equal](self, other)

    def __ne__(self, other: Any) -> Any:
        return UFUNCS[_not_equal](self, other)

    # those of bits, which take no floating-point numbers: NumPy's own error says so

    def __and__(self, other: Any) -> Any:
        return UFUNCS[_bitwise_and](self, other)

    def __rand__(self, other: Any) -> Any:
        return UFUNCS[_bitwise_and](other, self)

    def __or__(self, other: Any) -> Any:
        return UFUNCS[_bitwise_or](self, other)

    def __ror__(self, other: Any) -> Any:
        return UFUNCS[_bitwise_or](other, self)

    def __xor__(self, other: Any) -> Any:
        return UFUNCS[_bitwise_xor](self, other)

    def __rxor__(self, other: Any) -> Any:
        return UFUNCS[_bitwise_xor](other, self)

    def __lshift__(self, other: Any) -> Any:
        return UFUNCS[_left_shift](self, other)

    def __rlshift__(self, other: Any) -> Any:
        return UFUNCS[_left_shift](other, self)

    def __rshift__(self, other: Any) -> Any:
        return UFUNCS[_right_shift](self, other)

    def __rrshift__(self, other: Any) -> Any:
        return UFUNCS[_right_shift](other, self)

    def __invert__(self) -> Any:
        return UFUNCS[_invert](self)

    def __iadd__(self, other: Any) -> Any:
        return _in_place(_add, self, other)

    def __isub__(self, other: Any) -> Any:
        return _in_place(_subtract, self, other)

    def __imul__(self, other: Any) -> Any:
        return _in_place(_multiply, self, other)

    def __itruediv__(self, other: Any) -> Any:
        return _in_place(_true_divide, self, other)

    def __ipow__(self, other: Any) -> Any:
        return _in_place(_power, self, other)

    def __imatmul__(self, other: Any) -> Any:
        return _in_place(_matmul, self, other)

    def __ifloordiv__(self, other: Any) -> Any:
        return _in_place(_floor_divide, self, other)

    def __imod__(self, other: Any) -> Any:
        return _in_place(_remainder, self, other)
