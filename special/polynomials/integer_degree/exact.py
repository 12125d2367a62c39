"""Polynomials left of the domain of their parameters, in exact arithmetic.

There recurrences divide by what may be tiny, and sums cancel.  Floating-point numbers are integers over powers of two,
and so is the sum

    S_n(sigma, c, y) = sum_k C(n, k) (sigma)_k (c + k)_(n-k) y**k

of them; a quotient of integers is rounded once, so that all digits are right.

    n! P_n(x) = S_n(n + alpha + beta + 1, alpha + 1, (x - 1) / 2),                        DLMF 18.5.7
    (n + p)_n G_n(x) = (-1)**n S_n(n + p, q, -x),                                         with DLMF 18.6.1
    n! C_n(x) = (-1)**m 2**n (a)_(m+r) x**r S_m(m + r + a, r + 1/2, -x**2), n = 2 m + r,  DLMF 18.7.15, 18.7.16

A derivative in a parameter is a difference quotient with a step so small that its error is of the size 1e-39.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial, inf, nan, prod
from typing import Any, NamedTuple

import numpy as np

from ...numerics.regions import part

HIGHEST = 150
"""The largest degree."""
_LEFT = -0.9
"""Below this parameter of Jacobi's polynomials."""
_STEP = 130
"""Steps in parameters are `2**-130`, or a fraction of it."""
_LOW, _NEAR_INTEGER = 12, 0.1
"""Up to this degree SciPy's values are right, but so near to integer parameters, as measured: to 1e-11."""

Pair = tuple[int, int]
"""A real and an imaginary part."""


def exact_sum(n: int, sigma: int, c: int, y: Pair, one: int, unit: int, step: int, start: Pair = (1, 0)) -> Pair:
    """`start (one unit)**n S_n`, where `sigma`, `c` and `step` are over `one` and `y` over `unit`, term by term."""
    re, im = total, other = start
    for k in range(n):
        rise, fall = (sigma + k * step) * (n - k), (c + k * one) * unit
        re, im = rise * (re * y[0] - im * y[1]) // (k + 1), rise * (re * y[1] + im * y[0]) // (k + 1)
        total, other = total * fall + re, other * fall + im
    return total, other


def _rising(a: int, n: int, one: int) -> int:
    return prod(a + k * one for k in range(n))


def _jacobi(n: int, one: int, unit: int, x: Pair, alpha: int, beta: int) -> tuple[Pair, int]:
    sums = exact_sum(n, alpha + beta + (n + 1) * one, alpha + one, (x[0] - unit, x[1]), one, 2 * unit, one)
    return sums, factorial(n) * (2 * one * unit) ** n


def _shifted_jacobi(n: int, one: int, unit: int, x: Pair, p: int, q: int) -> tuple[Pair, int]:
    return exact_sum(n, p + n * one, q, x, one, -unit, one), _rising(p + n * one, n, one) * unit**n


def _gegenbauer(n: int, one: int, unit: int, x: Pair, a: int) -> tuple[Pair, int]:
    m, r = divmod(n, 2)
    y = x[1] * x[1] - x[0] * x[0], -2 * x[0] * x[1]
    re, im = exact_sum(m, a + (m + r) * one, (2 * r + 1) * one // 2, y, one, unit * unit, one, x if r else (1, 0))
    front = (-1) ** m * _rising(a, m + r, one) << n
    return (front * re, front * im), factorial(n) * (one * unit) ** n


def _quotient(numerator: int, denominator: int) -> float:
    """Rounded; infinite where it is too large, NaN at a pole."""
    try:
        return numerator / denominator
    except OverflowError:
        return inf if (numerator > 0) == (denominator > 0) else -inf
    except ZeroDivisionError:
        return nan


def _multiples(*args: float) -> tuple[int, list[int]]:
    """A power of two, and of what fractions of it numbers are the multiples."""
    ratios = [x.as_integer_ratio() for x in args]
    one = max(denominator for _, denominator in ratios)
    return one, [numerator * (one // denominator) for numerator, denominator in ratios]


class Exact(NamedTuple):
    """Polynomials of numbers and vectors, the last of which is a vector.

    Attributes
    ----------
    family : callable
        Of the degree, of `one`, `unit`, and the integers that the argument is over `unit`, and the parameters are over
        `one`: a quotient of integers.
    of : callable
        The parameters of Jacobi's polynomials, or Laguerre's, from those of the family.
    rounded : callable, optional
        `(i, n, *args)` gives the values, or derivatives in parameter `i`, in double precision, or NaN.
    """

    family: Callable[..., tuple[Pair, int]]
    of: Callable[..., tuple[Any, ...]]
    rounded: Callable[..., Any] | None = None

    def is_left(self, n: Any, *parameters: Any) -> Any:
        """Where a parameter is left of the domain, or next to its end."""
        first, *others = self.of(*parameters)
        return (first < _LEFT) | (others[0] < _LEFT) if others else first < _LEFT

    def holds(self, n: Any, *args: Any) -> Any:
        """Where it is, and the degree is low, of vectors."""
        return self.is_left(n, *args[:-1]) & (n >= 0) & (n <= HIGHEST) & np.isfinite(sum(args))

    def derivative(self, i: int | None) -> Callable[..., Any]:
        """That in parameter `i`."""
        return lambda *args: self.values(*args, i=i)

    def values(self, n: Any, *args: Any, i: int | None = None) -> Any:
        """The polynomials, or their derivatives in parameter `i`."""
        if self.rounded is not None:
            w = self.rounded(i, n, *args)
            return replaced_where(np.isnan(w), self._replace(rounded=None).derivative(i), w, n, *args)
        x = args[-1]
        columns = [np.broadcast_to(column, x.shape).tolist() for column in (n, *args)]
        found = np.array([self._value(i, *point) for point in zip(*columns, strict=True)], complex)
        return found if x.dtype.kind == "c" else found.real

    def _value(self, i: int | None, n: Any, *args: Any) -> complex:
        *parameters, x = args
        (one, own), (unit, (re, im)) = _multiples(*parameters), _multiples(x.real, x.imag)
        digits = 1 if i is None else _STEP
        one, own = one << digits, [a << digits for a in own]
        sums, below = self.family(int(n), one, unit, (re, im), *own)
        if i is not None:
            own[i] += 1
            (first, second), above = self.family(int(n), one, unit, (re, im), *own)
            sums = (first * below - sums[0] * above) * one, (second * below - sums[1] * above) * one
            below *= above
        return complex(*[_quotient(total, below) for total in sums])

    def improved(self, w: Any, n: Any, *args: Any) -> Any:
        """The values, and these where others may have lost digits."""
        is_inaccurate = (self.rounded is not None) | np.iscomplexobj(w) | (n > _LOW) | self._is_near_integer(*args[:-1])
        mask = self.holds(n, *args) & is_inaccurate
        return replaced_where(mask, self.values, w, n, *args)

    def _is_near_integer(self, *parameters: Any) -> Any:
        """Where one of these, or their sum, is next to a negative integer."""
        own = self.of(*parameters)
        return sum((a < _LEFT) & (np.abs(a - np.rint(a)) <= _NEAR_INTEGER) for a in (*own, sum(own))) > 0


def replaced_where(mask: Any, function: Callable[..., Any], w: Any, *args: Any) -> Any:
    """The results of vectors, and where a mask holds those of a function, if they are numbers."""
    (indices,) = np.nonzero(mask & np.ones_like(w, dtype=bool))
    if len(indices):
        found = function(*[part(a, indices) for a in args])
        w[indices] = np.where(np.isnan(found), w[indices], found)
    return w


JACOBI = Exact(_jacobi, lambda alpha, beta: (alpha, beta))
SHIFTED_JACOBI = Exact(_shifted_jacobi, lambda p, q: (p - q, q - 1))
GEGENBAUER = Exact(_gegenbauer, lambda a: (a - 0.5, a - 0.5))
