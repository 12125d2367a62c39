"""Python's operators on bare batches; each is the ufunc of its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.protocols import leaves_operator_to
from .batch import Batch
from .ufuncs import mapped_ufunc

_OPERANDS = (int, float, complex, list, tuple)


def _operator(ufunc: Any, reflected: bool = False) -> Callable[..., Any]:
    def operate(self: Batch, *other: Any) -> Any:
        is_operand = not other or hasattr(other[0], "dtype") or issubclass(type(other[0]), _OPERANDS)
        if not is_operand or (other and leaves_operator_to(other[0])):
            return NotImplemented
        inputs = (*other, self) if reflected else (self, *other)
        return mapped_ufunc(ufunc, "__call__", inputs, {})

    return operate


for _name, _ufunc in {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.true_divide, "floordiv": np.floor_divide,
    "mod": np.remainder, "divmod": np.divmod, "pow": np.power, "matmul": np.matmul, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "lshift": np.left_shift, "rshift": np.right_shift,
}.items():  # fmt: skip
    setattr(Batch, f"__{_name}__", _operator(_ufunc))
    setattr(Batch, f"__r{_name}__", _operator(_ufunc, reflected=True))
for _name, _ufunc in {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal,
    "neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert,
}.items():  # fmt: skip
    setattr(Batch, f"__{_name}__", _operator(_ufunc))
