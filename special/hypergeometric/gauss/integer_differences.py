"""Gauss' function next to 1 and far out, where two exponents differ by nearly an integer.

There the two terms of DLMF 15.8.2 and 15.8.4 have poles that cancel.  With the difference `s = m + e`, `m >= 0`, both
formulas, divided by `gamma(c)` and by `(-z)**-p` far out, are

    pi / sin(pi s) (f F(p, q; 1 - s; y) - Y**s h F(p + s, q + s; 1 + s; y)),   F = 2F1 / gamma(third parameter),

about 1 with `s = c - a - b`, `p = a`, `q = b`, `Y = y = 1 - z`, and far out with `s = b - a`, `p = a`, `q = a - c + 1`,
`y = 1 / z`, `Y = -y`; `f` and `h` are reciprocal gamma functions.  The first `m` terms of the first series are regular.
The others, and those of the second one, are with `A = p + m` and `B = q + m` common factors times `u_k` and `v_k`,

    u_(k+1) = y (A + k) (B + k) / ((1 + k - e) (1 + m + k)) u_k,
    v_(k+1) = y (A + e + k) (B + e + k) / ((1 + k) (1 + m + e + k)) v_k,

and `d_k = (u_k - v_k) / e` follows without a division by `e` (the idea is that of Michel and Stoitsov, Comput. Phys.
Comm. 178, 2008, 535):

    (1 + k) (1 + m + e + k) d_(k+1) = y ((A + e + k) (B + e + k) d_k - (A + B + e + 2 k) u_k) + (2 + m + 2 k) u_(k+1).

The first, `d_0`, is the mean of a derivative between 0 and `e`, by Gauss' quadrature.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from ...numerics.hypergeometric_series import moduli, sums
from ...numerics.jets import Jet, choose, power, reciprocal_gamma
from ...numerics.regions import by_region
from ...numerics.series_terms import Factor, Step, Terms, TwoTerms, reached_indices
from ...numerics.shared_series import MOST, are_numbers, recurrence, summed_by_horner, unit

Method = Callable[..., tuple[Jet, Any]]

_LOSS = 400.0
"""The terms may be larger than the sum by this factor."""

_MOST_REGULAR = 60
"""So many regular terms at most."""

TINY = 1e-14
"""A difference so near to an integer is one for the quadrature."""

_NODES, _FEW_NODES, _SMALL = 8, 4, 0.012
"""The nodes of the quadrature, and how many there are where the difference is so small a distance from an integer."""


class IntegerTerms(TwoTerms):
    """`d_k`, and `u_k` in place of the term before.

    Parameters
    ----------
    factors : sequence of Factor
        `A`, `B`, `A + e`, `B + e`, `A + B + e`, `1 - e` and `1 + m + e`.
    count : array
        `1 + m`.
    y : array
        Of the type of the terms.
    terms, before : array
        `d_0` and `u_0`.
    """

    def __init__(self, factors: list[Factor], count: Any, y: Any, terms: Any, before: Any) -> None:
        self.factors, self.y = factors, y
        self.terms, self.before = terms, before
        self.arrays = np.stack([*[p.value for p in factors], count])
        self.last_pole = np.max(-self.arrays[:2], axis=0)
        self._prepare()

    def _prepare(self) -> None:
        self.shifted, self.weight = np.empty_like(self.arrays), np.empty_like(self.arrays[0])
        work, terms, before, y = np.empty_like(self.terms), self.terms, self.before, self.y
        a, b, a_above, b_above, both, below, below_above = (
            (p.quotient if i > 4 else p.product, x)
            for i, (p, x) in enumerate(zip(self.factors, self.shifted, strict=False))
        )
        steps: list[Step] = [(np.add, before, 0.0, work)]
        for (act, value), rows in ((both, work), (a_above, terms), (b_above, terms)):
            steps += act(value, rows)
        steps += [(np.subtract, terms, work, terms), (np.multiply, terms, y, terms)]
        for act, value in (a, b, below):
            steps += act(value, before)
        steps += [(np.multiply, before, y, before), (np.divide, before, self.shifted[7], before)]
        steps += [(np.multiply, before, self.weight, work), (np.add, terms, work, terms)]
        act, value = below_above
        self.steps = steps + act(value, terms)

    def advance(self, k: int) -> None:
        np.add(self.arrays, float(k), self.shifted)
        np.add(self.shifted[4], float(k), self.shifted[4])
        np.add(self.shifted[7], k + 1.0, self.weight)
        for act, x, y, out in self.steps:
            act(x, y, out)
        np.multiply(self.terms, 1.0 / (k + 1), self.terms)

    def keep(self, indices: Any) -> None:
        self.y = self.y[indices]
        super().keep(indices)


def near_one_with_integer_gap(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    """The function by DLMF 15.8.4, and where it has not cancelled; of negative `m` after Euler's transformation."""
    y = -(z - 1)

    def as_it_is(a: Jet, b: Jet, c: Jet, y: Any) -> tuple[Jet, Any]:
        return _connected(a, b, _split(c, -a, -b), c, y, loss, is_far=False)

    def with_euler(a: Jet, b: Jet, c: Jet, y: Any) -> tuple[Jet, Any]:
        total, succeeds = _connected(c - a, c - b, _split(a, b, -c), c, y, loss, is_far=False)
        return total * power(y, c - a - b), succeeds

    return by_region(_cases(c.value - a.value - b.value, y, as_it_is, with_euler), a, b, c, y)


def far_with_integer_gap(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    """The function by DLMF 15.8.2, and where it has not cancelled; of negative `m` with `a` and `b` exchanged."""

    def as_it_is(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        # on the cut `1 / z` would lose the sign of the zero imaginary part, which says on which side
        total, succeeds = _connected(a, a - c + 1.0, _split(b, -a), c, np.reciprocal(z), loss, is_far=True)
        return total * power(-z, -a), succeeds

    def exchanged(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        return as_it_is(b, a, c, z)

    return by_region(_cases(b.value - a.value, z, as_it_is, exchanged), a, b, c, z)


def _cases(s: Any, z: Any, method: Method, other: Method) -> list[tuple[Any, Method]]:
    """The ways for `m` that are not negative, and negative; the integer differences apart, which are had faster."""
    s = s + np.zeros_like(np.real(z))
    m = np.round(s)
    is_integral = np.abs(s - m) <= TINY
    is_other = m < 0
    return [
        (is_kind & mask, w)
        for is_kind in (is_integral, ~is_integral)
        for mask, w in ((is_other, other), (~is_other, method))
    ]


def _split(*terms: Jet) -> tuple[Any, Jet]:
    """`m` and `e` of a sum; of terms that are themselves nearly integers `e` keeps all digits."""
    integers = [np.round(x.value) for x in terms]
    rest: Any = 0.0
    for x, m in zip(terms, integers, strict=True):
        rest = (x - m) + rest
    carry = np.round(rest.value)
    return sum(integers, carry), rest - carry


def _connected(p: Jet, q: Jet, s: tuple[Any, Jet], c: Jet, y: Any, loss: float, *, is_far: bool) -> tuple[Jet, Any]:
    """The formula times `gamma(c)` for `s = m + e`, and where it has not cancelled."""
    m, e = s
    first, second = p + m, q + m
    sign = 1.0 - 2.0 * np.remainder(m, 2.0)
    regular, of_first, of_second = _regular_terms(p, q, m, e, y)
    outside = reciprocal_gamma(1.0 - q) if is_far else reciprocal_gamma(second + e)
    regular = regular * reciprocal_gamma(first + e) * outside
    common = of_first * (-y if is_far else y) ** m * sign
    common = common if is_far else common * of_second
    common = common / (reciprocal_gamma(1.0 + e) * reciprocal_gamma(1.0 - e))
    series, has_ended, size = _differences(first, second, s, y, loss, is_far=is_far)
    others = series * common
    result = (regular + others) / reciprocal_gamma(c)
    gamma = 1 / np.abs(reciprocal_gamma(c).value)
    sizes = (moduli(regular) + size * moduli(others)) * gamma
    return result, has_ended & (m < _MOST_REGULAR) & np.isfinite(moduli(result)) & (sizes <= loss * moduli(result))


def _regular_terms(p: Jet, q: Jet, m: Any, e: Jet, y: Any) -> tuple[Jet, Jet, Jet]:
    """`sum_(n < m) (p)_n (q)_n / n! (-1)**n gamma(s - n) y**n`, and `(p)_m` and `(q)_m`."""
    one = p * 0.0 + 1.0
    first, second = one, one
    has_any = m > 0
    term = reciprocal_gamma(choose(has_any, e + m, one)).reciprocal() + 0.0 * y
    total = choose(has_any, term, 0.0 * term)
    count = int(np.max(np.where(m < _MOST_REGULAR, m, 0.0), initial=0.0))
    for n in range(count):
        is_active = n < m
        first, second = (
            choose(is_active, first * (p + float(n)), first),
            choose(is_active, second * (q + float(n)), second),
        )
        if n + 1 < count:
            is_active = n + 1 < m
            below = choose(is_active, (1.0 + n) - m - e, one)
            term = term * (p + float(n)) * (q + float(n)) * (y * (1 / (n + 1))) / below
            total = choose(is_active, total + term, total)
    return total, first, second


def _differences(a: Jet, b: Jet, s: tuple[Any, Jet], y: Any, loss: float, *, is_far: bool) -> tuple[Jet, Any, Any]:
    """`sum_k d_k`, where it has converged, and its sum of moduli relative to that of the sum."""
    m, e = s
    start, base = _Start(m, is_far), -y if is_far else y
    if are_numbers((e,)):
        return _differences_of_numbers(a, b, e, start, y, base, loss)

    def difference(a: Jet, b: Jet, t: Jet) -> Jet:
        return start.first(a, b, t) - start.second(a, b, t) * power(base, t)

    indices = reached_indices((a, b, e))
    starts = [_rows(x, indices, y) for x in (_mean_derivative(difference, a, b, e), start.first(a, b, e))]
    factors = [Factor(x, indices) for x in (a, b, a + e, b + e, a + b + e, 1.0 - e, e + (m + 1))]

    def terms(part: Any) -> Terms:
        own = [x.part(part, np.real(y[part])) for x in factors]
        return IntegerTerms(own, m[part] + 1.0, y[part] + 0.0 * starts[0][0, part], *[x[:, part] for x in starts])

    totals, moduli_of_total, sizes = sums(terms, y, 400)
    total = Jet(dict(zip(indices, totals, strict=True)), a.orders)
    return total, np.isfinite(sizes), sizes / moduli_of_total


def _differences_of_numbers(
    a: Jet, b: Jet, e: Jet, start: _Start, y: Any, base: Any, loss: float
) -> tuple[Jet, Any, Any]:
    """The same where `e` is 0, so that `d_0` is a polynomial in `log(Y)`, and the parameters are numbers.

    The sum is linear in `d_0` and in `u_0`, and so has two series, whose coefficients all `y` share.
    """
    first = _mean_derivative(lambda a, b, t: start.first(a, b, t) - start.second(a, b, t), a, b, e)
    log, derivative = np.log(base), start.second(a, b, e)
    for j in range(1, sum(a.orders) + 2):
        first = first - derivative * (log**j * (1 / math.factorial(j)))
        derivative = derivative * e.nilpotent()
    sums = [summed_by_horner(g, y, loss) for g in _coefficients(a, b, start.m, e)]
    of_first, of_before = sums[0][0] * first, sums[1][0] * start.first(a, b, e) * y
    total = of_first + of_before
    return total, sums[0][1] & sums[1][1], (moduli(of_first) + moduli(of_before)) / moduli(total)


def _coefficients(a: Jet, b: Jet, m: Any, e: Jet) -> tuple[Jet, Jet]:
    """Those of `d_k` with `d_0 = 1` and `u_0 = 0`, and from `d_1` on with `d_0 = 0` and `u_0 = 1`."""
    k = np.arange(MOST - 1.0)
    start = unit(a.orders)
    u = recurrence([(a + k) * (b + k) / ((1.0 - e + k) * (1 + m + k))], start)
    below = (e + (1 + m) + k) * (1 + k)
    step = (a + e + k) * (b + e + k) / below
    of_last, of_next = (a + b + e + 2 * k) / below, (2 + m + 2 * k) / below
    rest = u.map(lambda x: x[1:]) * of_next - u.map(lambda x: x[:-1]) * of_last
    return recurrence([step], start), recurrence([step.map(lambda x: x[1:])], rest)


def _rows(x: Jet, indices: Any, y: Any) -> Any:
    zero = 0.0 * y
    return np.stack([x.coefficients.get(k, zero) + zero for k in indices])


class _Start(NamedTuple):
    """`u_0` and, but for `Y**t`, `v_0`, of which `d_0` is made."""

    m: Any
    is_far: bool

    def first(self, a: Jet, b: Jet, t: Jet) -> Jet:
        """At `t = e` it is `u_0`."""
        other = reciprocal_gamma(1.0 - b) if self.is_far else reciprocal_gamma(b + t)
        return reciprocal_gamma(a + t) * other * reciprocal_gamma(1.0 - t) * special.rgamma(self.m + 1.0)

    def second(self, a: Jet, b: Jet, t: Jet) -> Jet:
        """At `t = e` it is `v_0 Y**-e`."""
        other = reciprocal_gamma(1.0 - b - t) if self.is_far else reciprocal_gamma(b)
        return reciprocal_gamma(a) * other * reciprocal_gamma(t + (self.m + 1.0))


def _mean_derivative(f: Callable[[Jet, Jet, Jet], Jet], a: Jet, b: Jet, e: Jet) -> Jet:
    """The mean of the derivative of `f(a, b, t)` in `t` between 0 and `e`."""
    largest = np.max(np.abs(e.value))
    count = sum(a.orders) // 2 + 1 if largest <= TINY else _FEW_NODES if largest <= _SMALL else _NODES
    orders = (*a.orders, 1)
    variable = Jet({(*[0] * len(a.orders), 1): 1.0}, orders)
    first, second, end = (Jet({(*k, 0): c for k, c in x.coefficients.items()}, orders) for x in (a, b, e))
    total: Any = None
    for node, weight in zip(*np.polynomial.legendre.leggauss(count), strict=True):
        first_derivative = f(first, second, end * ((1 + float(node)) / 2) + variable) * (float(weight) / 2)
        total = first_derivative if total is None else total + first_derivative
    return Jet({k[:-1]: c for k, c in total.coefficients.items() if k[-1]}, a.orders)
