"""Remainders, and functions that take a number apart.

`remainder(a, b) = a - floor(a / b) b` and `fmod(a, b) = a - trunc(a / b) b`: between its jumps the integer quotient is
constant.  Those with two results are primitives: one of the results is piecewise constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.elementwise import elementwise, missing, one
from ...engine.operands import operand
from ...engine.primitive import Primitive, primitive
from ...engine.trace import UFUNCS
from ...engine.zero import ZERO

elementwise(np.remainder, one, lambda w, a, b: -np.floor_divide(a, b))
elementwise(np.fmod, one, lambda w, a, b: np.rint((w - a) / b))  # trunc(a / b) itself can round up to the next integer
elementwise(
    np.ldexp,
    lambda w, a, b: np.ldexp(1.0, b),
    missing("numpy.ldexp", "the exponent is an integer", "argument 1"),
    linear_in=(0,),
)


@primitive
def divmod(a: Any, b: Any) -> Any:
    """`numpy.divmod`: the quotient is an integer, and constant."""
    return np.divmod(a, b)


# a = q b + r with q constant  =>  dr = da - q db
@divmod.differential
def _(w: Any, a: Any, b: Any, da: Any, db: Any) -> Any:
    quotient, _ = w
    return ZERO, da - quotient * db


@primitive
def modf(a: Any) -> Any:
    """`numpy.modf`: the fractional part, and the integral one, which is constant."""
    return np.modf(a)


@modf.differential
def _(w: Any, a: Any, da: Any) -> Any:
    return da, ZERO


@primitive
def frexp(a: Any) -> Any:
    """`numpy.frexp`: the mantissa, and the exponent, which is constant."""
    return np.frexp(a)


# a = m 2**e with e constant  =>  dm = 2**-e da
@frexp.differential
def _(w: Any, a: Any, da: Any) -> Any:
    _, exponent = w
    return da * np.ldexp(1.0, -exponent), ZERO


def _with_lists(function: Primitive) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        return function(*[operand(a) for a in args])

    return call


UFUNCS[np.divmod] = _with_lists(divmod)
UFUNCS[np.modf] = _with_lists(modf)
UFUNCS[np.frexp] = _with_lists(frexp)
