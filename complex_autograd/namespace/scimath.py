"""`numpy.emath`: the functions that leave the real line where they must.

Where a real argument lies outside the real domain, it is taken as complex, and the derivative is that of the complex
function; its real part is the cotangent of the real argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.dispatch import implements
from ..engine.operands import as_operand
from ..engine.traced import raw


def _negative(x: Any) -> Any:
    return x < 0


def _beyond_one(x: Any) -> Any:
    return abs(x) > 1


def _extended(x: Any, outside: Callable[[Any], Any]) -> Any:
    """The argument as complex if some of it lies outside the real domain."""
    x = as_operand(x)
    if x.dtype.kind == "c" or not np.any(outside(raw(x))):
        return x
    return x.astype(np.complex128 if x.dtype == np.float16 else np.result_type(x.dtype, np.complex64))


def _declare(function: Any, ufunc: Any, outside: Callable[[Any], Any]) -> None:
    @implements(function)
    def extended(x: Any) -> Any:
        return ufunc(_extended(x, outside))


for _name in ("sqrt", "log", "log2", "log10"):
    _declare(getattr(np.emath, _name), getattr(np, _name), _negative)
for _name in ("arccos", "arcsin", "arctanh"):
    _declare(getattr(np.emath, _name), getattr(np, _name), _beyond_one)


@implements(np.emath.logn)
def _(n: Any, x: Any) -> Any:
    return np.log(_extended(x, _negative)) / np.log(_extended(n, _negative))


@implements(np.emath.power)
def _(x: Any, p: Any) -> Any:
    return np.power(_extended(x, _negative), as_operand(p))
