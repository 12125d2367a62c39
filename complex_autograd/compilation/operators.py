"""Python's operators in a program: how they are written, and what arrays compute by them."""

from __future__ import annotations

import operator

import numpy as np

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
