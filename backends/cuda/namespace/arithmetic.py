"""Arithmetic in which CuPy differs from NumPy: at infinities, NaN and zeros, and on branch cuts.

Each is a ufunc of CuPy's over functions of ours, with NumPy's loops of the kinds that differ; the others stay CuPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
from cupy._core import create_ufunc

from ..kernels import source_text
from ..tables import UFUNCS

_PREAMBLE = source_text(__file__, "arithmetic.cuh")
_HELD = "?bBhHiIlLqQefdFD"

_COMPLEX = {
    np.reciprocal: "out0 = inverse(in0)",
    np.power: "out0 = raised(in0, in1)",
    np.float_power: "out0 = raised(in0, in1)",
    np.sign: "out0 = direction(in0)",
    np.log: "out0 = logarithm(in0)",
    np.log10: "out0 = scaled(logarithm(in0), decltype(in0.real())(0.4342944819032518))",
    np.log2: "out0 = scaled(logarithm(in0), decltype(in0.real())(1.4426950408889634))",
    np.exp2: "out0 = exp(scaled(in0, decltype(in0.real())(0.6931471805599453)))",
    np.log1p: "out0 = log_of_one_more(in0)",
    np.less: "out0 = before(in0, in1)",
    np.less_equal: "out0 = not_after(in0, in1)",
    np.greater: "out0 = before(in1, in0)",
    np.greater_equal: "out0 = not_after(in1, in0)",
    np.maximum: "out0 = not_after(in1, in0) || is_nan(in0) ? in0 : in1",
    np.minimum: "out0 = not_after(in0, in1) || is_nan(in0) ? in0 : in1",
    np.fmax: "out0 = not_after(in1, in0) || is_nan(in1) ? in0 : in1",
    np.fmin: "out0 = not_after(in0, in1) || is_nan(in1) ? in0 : in1",
}
_REAL = {
    np.remainder: "out0 = remainder_of(W(in0), W(in1))",
    np.floor_divide: "out0 = whole_quotient(W(in0), W(in1))",
    np.divmod: "out0 = whole_quotient(W(in0), W(in1)); out1 = remainder_of(W(in0), W(in1))",
}


def _ufunc(ufunc: Any, letters: str, code: str, wide: bool = False) -> Any:
    """CuPy's ufunc with the loops of NumPy's whose inputs are all among some kinds; `W` is the type computed in."""
    loops: list[Any] = []
    for types in ufunc.types:
        inputs, outputs = types.split("->")
        if set(inputs) <= set(letters) and set(outputs) <= set(_HELD):
            loops.append((types, code.replace("W(", "float(" if inputs[0] == "e" else "in0_type(") if wide else code))
    return create_ufunc(f"wirtinger_{ufunc.__name__}", tuple(loops), code, preamble=_PREAMBLE)


def _kind(x: Any) -> str:
    """Of an array or of one of Python's numbers."""
    return str(x.dtype.kind) if hasattr(x, "dtype") else "c" if type(x) is complex else "f" if type(x) is float else "i"


def _by_kind(kind: str, ours: Any, cupys: Any) -> Callable[..., Any]:
    """Ours where an operand has a kind, and CuPy's for the others."""
    return lambda *inputs: (ours if kind in map(_kind, inputs) else cupys)(*inputs)


for _of, _code in _COMPLEX.items():
    UFUNCS[_of] = _by_kind("c", _ufunc(_of, "FD", _code), getattr(cupy, _of.__name__))
for _of, _code in _REAL.items():
    UFUNCS[_of] = _by_kind("f", _ufunc(_of, "efd", _code, wide=True), getattr(cupy, _of.__name__))

_QUOTIENTS = [types for types in np.divide.types if set(types) <= set(_HELD + "->")]
UFUNCS[np.divide] = create_ufunc(
    "wirtinger_divide",
    tuple((types, "out0 = quotient(in0, in1)") if types[0] in "FD" else types for types in _QUOTIENTS),
    "out0 = (out0_type)in0 / (out0_type)in1",
    preamble=_PREAMBLE,
)
