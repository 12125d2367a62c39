"""Python's operators in a program: how they are written, and what arrays compute by them."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from .instructions import Attribute, Instruction, Method, Program, Value

INFIX = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.matmul: "@",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}

UFUNC_OF = {
    operator.add: np.add,
    operator.sub: np.subtract,
    operator.mul: np.multiply,
    operator.truediv: np.true_divide,
    operator.neg: np.negative,
    operator.abs: np.absolute,
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
    operator.eq: np.equal,
    operator.ne: np.not_equal,
}
"""What arrays compute by these operators."""

EXACT = {*UFUNC_OF, *UFUNC_OF.values(), np.maximum, np.minimum, np.positive, np.sqrt}
"""Functions that are rounded correctly, each element by itself."""

_REDUCED_BY: Final[dict[Any, np.ufunc]] = {np.sum: np.add, np.prod: np.multiply, np.max: np.maximum, np.min: np.minimum}
_ATTRIBUTES: Final[dict[Any, Attribute]] = {np.real: Attribute("real"), np.imag: Attribute("imag")}


def direct(step: Instruction, program: Program) -> Instruction:
    """What an instruction comes down to, without the steps in Python of NumPy's function."""
    x = step.args[0] if step.args else None
    if type(x) is not Value or isinstance(program.spaces[x.number].dtype, type):
        return step
    function, kwargs = step.function, step.kwargs
    if function in _ATTRIBUTES and len(step.args) == 1:
        return Instruction(_ATTRIBUTES[function], step.args, kwargs, step.outputs)
    if not program.spaces[x.number].shape or x.number not in program.strides:
        return step
    if function is np.reshape:
        return Instruction(Method("reshape"), step.args, kwargs, step.outputs)
    ufunc = np.add if function == Method("sum") else _REDUCED_BY.get(function)
    if ufunc is not None and len(step.args) == 1 and kwargs.keys() <= {"axis", "keepdims"}:
        return Instruction(ufunc.reduce, step.args, {"axis": None, **kwargs}, step.outputs)
    return step
