"""Truncated Taylor series of arrays in the parameters of a function: how its derivatives are carried along.

A `Jet` in parameters `p_1 .. p_m` holds the coefficients of `e_1**k_1 .. e_m**k_m`, `k_i <= orders[i]`, of a quantity
at `p_i + e_i`.  Sums, products and quotients of jets are those of the series, so any algorithm that is written for
numbers gives all the mixed derivatives when its parameters are jets.  An array stands on the right of a jet.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any, overload

import numpy as np
from scipy import special

from .polygamma_values import polygamma_value

Index = tuple[int, ...]


class Jet:
    """The coefficients of a truncated Taylor series, by their exponents; those that are not there are 0."""

    __array_ufunc__ = None
    __slots__ = ("coefficients", "orders")

    def __init__(self, coefficients: dict[Index, Any], orders: Index) -> None:
        self.coefficients = coefficients
        self.orders = orders

    @property
    def value(self) -> Any:
        """The coefficient of order 0."""
        return self.coefficients[(0,) * len(self.orders)]

    def derivative(self, *orders: int) -> Any:
        """The mixed derivative of these orders."""
        factor = math.prod(math.factorial(n) for n in orders)
        return self.coefficients.get(orders, 0.0 * self.value) * float(factor)

    def map(self, function: Callable[[Any], Any]) -> Jet:
        """Apply a linear function to every coefficient."""
        return Jet({k: function(c) for k, c in self.coefficients.items()}, self.orders)

    def nilpotent(self) -> Jet:
        """The series without its value."""
        zero = (0,) * len(self.orders)
        return Jet({k: c for k, c in self.coefficients.items() if k != zero}, self.orders)

    def reflected(self) -> Jet:
        """The series in `-e`."""
        return Jet({k: -c if sum(k) % 2 else c for k, c in self.coefficients.items()}, self.orders)

    def __neg__(self) -> Jet:
        return self.map(lambda c: -c)

    def __add__(self, other: Any) -> Jet:
        total = dict(self.coefficients)
        terms = other.coefficients if isinstance(other, Jet) else {(0,) * len(self.orders): other}
        for k, c in terms.items():
            total[k] = total[k] + c if k in total else c
        return Jet(total, self.orders)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Jet:
        return self + -other

    def __rsub__(self, other: Any) -> Jet:
        return -self + other

    def __mul__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return self.map(lambda c: c * other)
        total: dict[Index, Any] = {}
        for j, a in self.coefficients.items():
            for k, b in other.coefficients.items():
                i = tuple(x + y for x, y in zip(j, k, strict=True))
                if all(x <= y for x, y in zip(i, self.orders, strict=True)):
                    total[i] = total[i] + a * b if i in total else a * b
        return Jet(total, self.orders)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Jet:
        if not isinstance(other, Jet):
            return self.map(lambda c: c / other)
        return self * other.reciprocal()

    def __rtruediv__(self, other: Any) -> Jet:
        return self.reciprocal() * other

    def reciprocal(self) -> Jet:
        """One over the series: `r_0 = 1 / a_0`, `r_i = -r_0 sum_(j > 0) a_j r_(i - j)`."""
        r0 = 1 / self.value
        parts = self.nilpotent().coefficients
        zero = (0,) * len(self.orders)
        result = {zero: r0}
        for i in itertools.product(*[range(n + 1) for n in self.orders]):
            total: Any = None
            for j, a in parts.items():
                k = tuple(x - y for x, y in zip(i, j, strict=True))
                if k in result:
                    total = a * result[k] if total is None else total + a * result[k]
            if total is not None:
                result[i] = -r0 * total
        return Jet(result, self.orders)


@overload
def variables(orders: Index, a: Any, /) -> tuple[Jet]: ...
@overload
def variables(orders: Index, a: Any, b: Any, /) -> tuple[Jet, Jet]: ...
@overload
def variables(orders: Index, a: Any, b: Any, c: Any, /) -> tuple[Jet, Jet, Jet]: ...
@overload
def variables(orders: Index, *values: Any) -> tuple[Jet, ...]: ...
def variables(orders: Index, *values: Any) -> tuple[Jet, ...]:
    """The parameters themselves as jets."""
    zero = (0,) * len(orders)
    jets = []
    for i, x in enumerate(values):
        coefficients: dict[Index, Any] = {zero: x}
        if orders[i]:
            coefficients[tuple(int(j == i) for j in range(len(orders)))] = 1.0
        jets.append(Jet(coefficients, orders))
    return tuple(jets)


def compose(jet: Jet, coefficient: Callable[[Any, int], Any]) -> Jet:
    """A function of a series; `coefficient(x, k)` is its Taylor coefficient of order `k` at `x`.

    With `d` the nilpotent part, `f(x + d) = sum_k f_k d**k`, which ends at the total order.
    """
    x, d = jet.value, jet.nilpotent()
    highest = sum(jet.orders) if d.coefficients else 0
    total = Jet({(0,) * len(jet.orders): coefficient(x, highest)}, jet.orders)
    for k in reversed(range(highest)):
        total = total * d + coefficient(x, k)
    return total


def choose(mask: Any, first: Jet, second: Jet) -> Jet:
    """The first series where the mask says so, elsewhere the second."""
    zero = 0.0 * first.value
    keys = {*first.coefficients, *second.coefficients}
    return Jet(
        {k: np.where(mask, first.coefficients.get(k, zero), second.coefficients.get(k, zero)) for k in keys},
        first.orders,
    )


def exponential(jet: Jet) -> Jet:
    """The exponential function."""
    return compose(jet, lambda x, k: 1.0 / math.factorial(k)) * np.exp(jet.value)


def logarithm(jet: Jet) -> Jet:
    """The natural logarithm."""
    x = jet.value
    return compose(jet / x, lambda one, k: (-1.0) ** (k + 1) / k if k else np.log(x))


def power(base: Any, exponent: Jet, log: Any = None) -> Jet:
    """An array to the power of a series; its logarithm may be given."""
    if not exponent.nilpotent().coefficients:
        return exponent.map(lambda x: base**x)
    log = np.log(base) if log is None else log
    return compose(exponent, lambda x, k: log**k * (1.0 / math.factorial(k))) * base**exponent.value


def log_gamma(jet: Jet) -> Jet:
    """The logarithm of the gamma function of a complex or positive series."""
    return compose(jet, _log_gamma_coefficient)


def _log_gamma_coefficient(x: Any, k: int) -> Any:
    if k == 0:
        return special.loggamma(x)
    return polygamma_value(x, k - 1) / math.factorial(k)


def log_gamma_rise(jet: Jet) -> Jet:
    """The same without its value."""
    return compose(jet, lambda x, k: _log_gamma_coefficient(x, k) if k else 0.0 * x)


def reciprocal_gamma(jet: Jet) -> Jet:
    """`1 / gamma`, an entire function; left of 1/2 by reflection, DLMF 5.5.3."""
    is_left = np.real(jet.value) < 0.5
    count = int(np.sum(is_left))
    if count == 0:
        return _reciprocal_gamma_right(jet)
    if count == np.size(is_left):
        return _reciprocal_gamma_left(jet)
    left, right = _reciprocal_gamma_left(_at(jet, is_left)), _reciprocal_gamma_right(_at(jet, ~is_left))
    coefficients = {}
    for k in left.coefficients:
        coefficients[k] = np.zeros_like(jet.value)
        coefficients[k][is_left], coefficients[k][~is_left] = left.coefficients[k], right.coefficients[k]
    return Jet(coefficients, jet.orders)


def _at(jet: Jet, mask: Any) -> Jet:
    """Some of the elements."""
    return jet.map(lambda c: c[mask] if getattr(c, "ndim", 0) else c)


def _reciprocal_gamma_left(jet: Jet) -> Jet:
    return _reciprocal_gamma_right(1.0 - jet).reciprocal() * sine_of_pi(jet) * (1 / math.pi)


def _reciprocal_gamma_right(jet: Jet) -> Jet:
    return compose(-log_gamma_rise(jet), lambda x, k: 1.0 / math.factorial(k)) * special.rgamma(jet.value)


def sine_of_pi(jet: Jet) -> Jet:
    """`sin(pi x)`, exactly 0 at integers."""
    return compose(jet, lambda x, k: _sine_of_pi(x, k) * (math.pi**k / math.factorial(k)))


def cosine_of_pi(jet: Jet) -> Jet:
    """`cos(pi x)`, exactly 0 halfway between integers."""
    return compose(jet, lambda x, k: _sine_of_pi(x, k + 1) * (math.pi**k / math.factorial(k)))


def _sine_of_pi(x: Any, quarters: int = 0) -> Any:
    """`sin(pi (x + quarters / 2))`: a half is less than the digits of large numbers, and more than tiny ones add to."""
    nearest = np.round(np.real(x))
    sign = (1.0 - 2.0 * np.remainder(nearest, 2.0)) * (-1) ** (quarters // 2)
    x = x - nearest
    return sign * (_sine_of_pi(x + 0.5) if quarters % 2 else np.sin(math.pi * x))


def phase_factor(jet: Jet, angle: float) -> Jet:
    """`exp(i pi angle x)` of a real series."""
    return compose(jet, lambda x, k: (1j * math.pi * angle) ** k / math.factorial(k)) * unit_number(jet.value * angle)


def unit_number(x: Any) -> Any:
    """`exp(i pi x)` of real numbers, with parts that are exactly 0 where they are."""
    return _sine_of_pi(x, 1) + 1j * _sine_of_pi(x)
