"""Powers and roots.

`w = a**b` has `dw = b a**(b - 1) da + a**b log(a) db`.  Where a factor is singular but the derivative exists, that is
what the rule gives: at 0, `x**0` and `x**1` have the derivatives 0 and 1, and none beyond; `0**b` is constant for
`b > 0`.  At `0**0`, where there is no derivative in `b`, it is taken as 0.  The derivative of either one in the other,
`a**(b - 1) (1 + b log(a))`, is -inf at `a = 0` for `0 < b <= 1` and 0 beyond; products of what the rule has at 0 would
not show it, so there these are functions of their own.  So is a power of itself, `w = a**a` with
`dw = w (log(a) + 1) da`, whose derivative at 0 is -inf.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ....determinism.families import FAMILY_OF
from ...engine.elementwise import elementwise
from ...engine.trace import FUNCTIONS, UFUNCS
from ...engine.traced import Traced
from .lengths import has_zeros, power_of_length

Function = Callable[..., Any]


def _over_root(known: Any, g: Any) -> Any:
    w = known[0]
    return g / (w + w)


elementwise(np.sqrt, lambda w, z: 0.5 / w, products=(_over_root,))
elementwise(np.cbrt, lambda w, z: np.reciprocal(3 * (w * w)))
elementwise(np.reciprocal, lambda w, z: -(w * w))
general_square = elementwise(np.square, lambda w, z: z + z)


def _square_call(z: Any) -> Any:
    of_length = power_of_length(np.square, z)
    return general_square(z) if of_length is None else of_length


UFUNCS[np.square] = _square_call


def _base_partial(power: Function) -> Function:
    base_derivative = _declare_base_derivative(power)

    def partial(w: Any, a: Any, b: Any) -> Any:
        if type(b) is Traced:
            return base_derivative(a, b) if has_zeros(a) else _base_derivative(power, a, b)
        kind = b.__class__  # of what stands for a number in a program that of the number
        if issubclass(kind, (np.integer, np.bool)):
            b = b + 0.0  # so that b - 1 cannot wrap around
        is_number = issubclass(kind, (int, float, complex, np.generic))
        return _by_number(power, w, a, b) if is_number else _base_derivative(power, a, b)

    return partial


def _base_derivative(power: Function, a: Any, b: Any) -> Any:
    b = b + 0.0  # of integers of any width, so that b - 1 cannot wrap around
    found = power(a, b - ((a != 0) | (b != 0)))
    return b * found


def _by_number(power: Function, w: Any, a: Any, n: Any) -> Any:
    """`d a**n / da` for a number `n`; the exponents of daily use without a power."""
    if n == 2:
        return a + a
    if n == 1:
        return 1.0
    if n == 0:
        return 0.0
    if n == 0.5:
        return 0.5 / w
    if n == -1:
        return -(w * w)
    return n * power(a, n - 1)


def _exponent_partial(power: Function) -> Function:
    logarithm = _declare_logarithm(power)

    def partial(w: Any, a: Any, b: Any) -> Any:
        if issubclass(type(a), (int, float, complex, np.generic)) and a != 0:
            constant = np.log(a, dtype=w.dtype)
            return w * constant
        if type(a) is Traced and has_zeros(a):
            return logarithm(a, b)
        return _times_logarithm(w, a, b)

    return partial


def _times_logarithm(w: Any, a: Any, b: Any) -> Any:
    constant = (a == 0) & (np.real(b) >= 0)
    logarithm = np.log(a + constant, dtype=w.dtype)  # named: as in `engine/pullbacks.py`
    return w * logarithm


def _declare_base_derivative(power: Function) -> Function:
    def power_base_derivative(a: Any, b: Any) -> Any:
        return _base_derivative(power, a, b)

    def second(w: Any, a: Any, b: Any) -> Any:
        first = _base_derivative(power, a, b - ((a != 0) | (b != 0)))
        return b * first

    return _declared(power, power_base_derivative, second, _mixed_partial(power))


def _declare_logarithm(power: Function) -> Function:
    def power_logarithm(a: Any, b: Any) -> Any:
        return _times_logarithm(power(a, b), a, b)

    return _declared(power, power_logarithm, _mixed_partial(power), _times_logarithm)


def _mixed_partial(power: Function) -> Function:
    def partial(w: Any, a: Any, b: Any) -> Any:
        is_first = (a == 0) & (b == 0)  # 1 is taken there
        is_zero = is_first | ((a == 0) & (np.real(b) > 1))
        return power(a, b - 1 + is_first) * (1 + b * np.log(a + is_zero))

    return partial


def _declared(power: Function, function: Function, *partials: Function) -> Function:
    """A function that is made of powers, with its rule."""
    FAMILY_OF[function.__name__] = "powers"
    function.__name__ += f" by {power.__name__}"
    return elementwise(function, *partials)


def _declare_self_power(power: Function) -> Function:
    def self_power(a: Any) -> Any:
        return power(a, a)

    def derivative(w: Any, a: Any) -> Any:
        logarithm = np.log(a) + 1
        return w * logarithm

    return _declared(power, self_power, derivative)


def _declare(power: Function) -> Function:
    """Declare a function of powers; those of a length are functions of their own, smooth at zero."""
    of_itself = _declare_self_power(power)
    general = elementwise(power, _base_partial(power), _exponent_partial(power))

    def call(a: Any, b: Any) -> Any:
        if a is b:
            return of_itself(a)
        if (type(b) is int or type(b) is float) and b >= 2:
            of_length = power_of_length(power, a, b)
            if of_length is not None:
                return of_length
        return general(a, b)

    return call


UFUNCS[np.power] = _declare(np.power)
UFUNCS[np.float_power] = _declare(np.float_power)
FUNCTIONS[operator.pow] = _declare(operator.pow)
