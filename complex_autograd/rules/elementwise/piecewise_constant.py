"""Functions whose derivative is zero wherever it exists, and functions that return truth values or integers.

They receive plain values.  A floating-point result is a constant of the trace, so traced values can be written into it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.dispatch import implements, lowered, on_values, refuse_out
from ...engine.elementwise import elementwise, missing
from ...engine.forward import constant
from ...engine.trace import UFUNCS
from ...engine.traced import Traced, raw

_PIECEWISE_CONSTANT = (np.ceil, np.floor, np.floor_divide, np.rint, np.spacing, np.trunc)

_TRUTH_VALUES = (
    np.greater,
    np.greater_equal,
    np.isfinite,
    np.isinf,
    np.isnan,
    np.isnat,
    np.less,
    np.less_equal,
    np.logical_and,
    np.logical_not,
    np.logical_or,
    np.logical_xor,
    np.signbit,
)

_BITS = (
    np.bitwise_and,
    np.bitwise_count,
    np.bitwise_or,
    np.bitwise_xor,
    np.gcd,
    np.invert,
    np.lcm,
    np.left_shift,
    np.right_shift,
)


def _on_values(ufunc: np.ufunc) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        return constant(ufunc(*[lowered(a) for a in args]))

    return call


FLAT = {*_PIECEWISE_CONSTANT, *_TRUTH_VALUES, *_BITS, np.equal, np.not_equal}
"""The ufuncs that see plain values."""

for _ufunc in FLAT:
    UFUNCS[_ufunc] = _on_values(_ufunc)


# as operators, these two also answer for what is no number: `x == "text"` is False


def _equal(a: Any, b: Any) -> Any:
    return lowered(a) == lowered(b)


def _not_equal(a: Any, b: Any) -> Any:
    return lowered(a) != lowered(b)


UFUNCS[np.equal] = _equal
UFUNCS[np.not_equal] = _not_equal

on_values(np.isclose, np.allclose, np.array_equal, np.array_equiv)
on_values(np.iscomplex, np.iscomplexobj, np.isneginf, np.isposinf, np.isreal, np.isrealobj)


# the step: constant in where it is, linear in the value that it takes at 0


_heaviside = elementwise(
    np.heaviside, missing("numpy.heaviside", "it is a step", "argument 0"), lambda w, a, b: a == 0, linear_in=(1,)
)


def _step(a: Any, b: Any) -> Any:
    return _heaviside(lowered(a), b) if isinstance(b, Traced) else constant(np.heaviside(lowered(a), lowered(b)))


UFUNCS[np.heaviside] = _step

_next = (
    "the next number in one precision is not a function of real numbers. Where only its value matters, as that of a "
    "bound, take it of wirtinger.stop_gradient(x)"
)
elementwise(np.nextafter, *[missing("numpy.nextafter", _next, f"argument {i}") for i in (0, 1)])


# rounding that is no ufunc


@implements(np.round, np.around)
def _(a: Any, decimals: int = 0, out: Any = None) -> Any:
    refuse_out(np.round, out)
    return constant(np.round(raw(a), decimals))


@implements(np.fix)
def _(x: Any, out: Any = None) -> Any:
    refuse_out(np.fix, out)
    return constant(np.fix(raw(x)))
