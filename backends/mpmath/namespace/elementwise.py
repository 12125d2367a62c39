"""The elementwise functions of NumPy, one number at a time.

What NumPy answers with infinity or NaN, mpmath answers with an exception or, where a real function has complex values,
with these: both become NumPy's answer here.  mpmath's numbers have no negative zero.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np

from ...base import DeviceError
from ..tables import UFUNCS

_NAN, _INFINITY = mpmath.mpf("nan"), mpmath.mpf("inf")


def like_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of mpmath's that answers NaN where a real function is not real, and the limit at its poles."""

    def call(*args: Any) -> Any:
        try:
            w = function(*args)
        except (ValueError, ZeroDivisionError, OverflowError, mpmath.libmp.ComplexResult, mpmath.libmp.NoConvergence):
            return _NAN
        if type(w) is mpmath.mpc and not any(type(z) is mpmath.mpc for z in args):
            return _NAN if w.imag else w.real
        return w

    return call


def declare(ufunc: Any, function: Callable[..., Any], inputs: int = 1, outputs: int = 1) -> None:
    """Give a ufunc its function of mpmath's numbers."""
    UFUNCS[ufunc] = np.frompyfunc(like_numpy(function), inputs, outputs, identity=ufunc.identity)


def _quotient(a: Any, b: Any) -> Any:
    if b:
        return a / b
    return _NAN if not a or a != a else a * _INFINITY


def _power(a: Any, b: Any) -> Any:
    if not a and mpmath.re(b) < 0:
        return _INFINITY
    if not a:
        return a + 1 if not b else a
    return mpmath.power(a, b)


def _logaddexp(a: Any, b: Any) -> Any:
    if a == b:
        return a + mpmath.log(2)
    large, small = (a, b) if a > b else (b, a)
    return large + mpmath.log1p(mpmath.exp(small - large))


def _logaddexp2(a: Any, b: Any) -> Any:
    ratio = mpmath.log(2)
    return _logaddexp(a * ratio, b * ratio) / ratio


def _truncated(x: Any) -> Any:
    return mpmath.floor(x) if x >= 0 else mpmath.ceil(x)


def _divmod(a: Any, b: Any) -> Any:
    whole = mpmath.floor(a / b)
    return whole, a - b * whole


def _modf(x: Any) -> Any:
    whole = _truncated(x)
    return x - whole, whole


def _key(x: Any) -> Any:
    """What NumPy orders by: the real parts, then the imaginary ones."""
    return (x.real, x.imag)


def _off_its_cuts(function: Callable[..., Any], is_on_cut: Callable[[Any], bool]) -> Callable[..., Any]:
    """A function of mpmath's that refuses complex numbers on its cuts, whose sides negative zeros would tell apart."""

    def call(z: Any) -> Any:
        if type(z) is mpmath.mpc and is_on_cut(z):
            raise DeviceError(
                f"{function.__name__} was asked for on its branch cut, at {mpmath.nstr(z)}. mpmath's numbers have no "
                "negative zero, so they do not say from which side. Move the number off the cut, or compute there in "
                "float64: wirtinger.to_host(x)."
            )
        return function(z)

    return call


def _is_far_real(z: Any) -> bool:
    return not z.imag and abs(z.real) > 1


def _is_far_imaginary(z: Any) -> bool:
    return not z.real and abs(z.imag) > 1


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda a, b: compare(_key(a), _key(b)) if a == a and b == b else False


_PYTHONS: tuple[Any, ...] = (
    *(np.add, np.subtract, np.multiply, np.negative, np.positive),
    *(np.matmul, np.vecdot, np.matvec, np.vecmat),
)
for _each in _PYTHONS:
    UFUNCS[_each] = _each  # of objects these are Python's operators
_OF_ONE: dict[Any, Callable[..., Any]] = {
    np.square: lambda x: x * x,
    np.reciprocal: lambda x: _quotient(mpmath.mpf(1), x),
    np.absolute: abs,
    np.fabs: abs,
    np.conjugate: mpmath.conj,
    np.sign: lambda x: mpmath.sign(x) if x == x else x,
    np.sqrt: mpmath.sqrt,
    np.cbrt: lambda x: mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x),
    np.exp: mpmath.exp,
    np.exp2: lambda x: mpmath.power(2, x),
    np.expm1: mpmath.expm1,
    np.log: mpmath.log,
    np.log2: lambda x: mpmath.log(x, 2),
    np.log10: mpmath.log10,
    np.log1p: mpmath.log1p,
    np.sin: mpmath.sin,
    np.cos: mpmath.cos,
    np.tan: mpmath.tan,
    np.arcsin: _off_its_cuts(mpmath.asin, _is_far_real),
    np.arccos: _off_its_cuts(mpmath.acos, _is_far_real),
    np.arctan: _off_its_cuts(mpmath.atan, _is_far_imaginary),
    np.sinh: mpmath.sinh,
    np.cosh: mpmath.cosh,
    np.tanh: mpmath.tanh,
    np.arcsinh: _off_its_cuts(mpmath.asinh, _is_far_imaginary),
    np.arccosh: _off_its_cuts(mpmath.acosh, lambda z: not z.imag and z.real < 1),
    np.arctanh: _off_its_cuts(mpmath.atanh, _is_far_real),
    np.degrees: mpmath.degrees,
    np.rad2deg: mpmath.degrees,
    np.radians: mpmath.radians,
    np.deg2rad: mpmath.radians,
    np.floor: mpmath.floor,
    np.ceil: mpmath.ceil,
    np.trunc: _truncated,
    np.rint: mpmath.nint,
    np.isnan: lambda x: bool(mpmath.isnan(x)),
    np.isinf: mpmath.isinf,
    np.isfinite: mpmath.isfinite,
    np.signbit: lambda x: x < 0,
    np.logical_not: operator.not_,
}
_OF_TWO: dict[Any, Callable[..., Any]] = {
    np.true_divide: _quotient,
    np.power: _power,
    np.float_power: _power,
    np.arctan2: mpmath.atan2,
    np.hypot: lambda a, b: mpmath.hypot(a, b),
    np.logaddexp: _logaddexp,
    np.logaddexp2: _logaddexp2,
    np.copysign: lambda a, b: -abs(a) if b < 0 else abs(a),
    np.floor_divide: lambda a, b: mpmath.floor(_quotient(a, b)),
    np.remainder: lambda a, b: a - b * mpmath.floor(a / b),
    np.fmod: lambda a, b: a - b * _truncated(a / b),
    np.heaviside: lambda x, at_zero: x if x != x else at_zero if not x else mpmath.mpf(x > 0),
    np.maximum: lambda a, b: a if a != a or (b == b and _key(a) >= _key(b)) else b,
    np.minimum: lambda a, b: a if a != a or (b == b and _key(a) <= _key(b)) else b,
    np.fmax: lambda a, b: a if b != b or (a == a and _key(a) >= _key(b)) else b,
    np.fmin: lambda a, b: a if b != b or (a == a and _key(a) <= _key(b)) else b,
    np.equal: operator.eq,
    np.not_equal: operator.ne,
    np.less: _ordered(operator.lt),
    np.less_equal: _ordered(operator.le),
    np.greater: _ordered(operator.gt),
    np.greater_equal: _ordered(operator.ge),
    np.logical_and: lambda a, b: bool(a) and bool(b),
    np.logical_or: lambda a, b: bool(a) or bool(b),
    np.logical_xor: lambda a, b: bool(a) is not bool(b),
}
for _ufunc, _function in _OF_ONE.items():
    declare(_ufunc, _function)
for _ufunc, _function in _OF_TWO.items():
    declare(_ufunc, _function, 2)
declare(np.divmod, _divmod, 2, 2)
declare(np.modf, _modf, 1, 2)
