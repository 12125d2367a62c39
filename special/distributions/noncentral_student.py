"""The distribution function of noncentral t: its lower tail, and its derivatives of every order in every argument.

With `p(v, r)` the density of `chi / sqrt(v)` at `r`, `F = int p(v, r) Phi(t r - d) dr`.  Its derivatives are integrals
of one of two families,

    F(v, d, t; n) = int d^n p(v, r) / dv^n Phi(t r - d) dr,
    M(v, d, t; n, j) = int d^n p(v, r) / dv^n r**j phi(t r - d) dr,

where `d/dv` adds 1 to `n`; of `F` `d/dd` is `-M(n, 0)` and `d/dt` is `M(n, 1)`, of `M` `d/dd` is `t M(j + 1) - d M(j)`
and `d/dt` is `d M(j + 1) - t M(j + 2)`.  But for the factor that `d^n/dv^n` brings the integrands are positive.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from ...complex_autograd.engine.operands import arange_like
from ..gamma_and_beta.digamma_differences import polygamma_of
from ..numerics.contours import LONG_BLOCK, in_double, leibniz
from ..numerics.stirling_powers import log_of_ratio, stirling
from ..ufuncs.ufunc_rules import pointwise
from .chi_nodes import chi_means, has_chi_nodes, is_slow, normal_excess, normal_less
from .few_degrees import FEWEST, in_few_degrees
from .noncentral_student_nodes import DENSITY, LOWER, POINTS, UPPER, modal_nodes, mode_of, over_nodes, tail_level


def _log_excess(r: Any) -> Any:
    """`log(r) + (1 - r**2) / 2`, without cancellation."""
    excess = r - 1
    return log_of_ratio(r, excess) - excess - excess * excess / 2


def _density_at_one(v: Any) -> tuple[Any, Any]:
    """`log(p(v, 1))` and its derivative in `v`."""
    remainder, rate = stirling(v / 2)
    return np.log(v / math.pi) / 2 - remainder, -rate / 2


def _higher_rates(v: Any, n: int) -> list[Any]:
    """The further derivatives, of all orders up to `n`."""
    return [
        1 / (2 * v) * (-1.0) ** (k - 1) * math.factorial(k - 1) / v ** (k - 1) - polygamma_of(v / 2, n=k) / 2 ** (k + 1)
        for k in range(1, n)
    ]


def _about_mode(v: Any, d: Any, t: Any, j: int) -> tuple[Callable[[Any, Any], Any], Any, Any]:
    """What the integrand with `phi` is made of.

    Of `u = log(r / mode)` and `exp(u) - 1` the value of `log(r) + (1 - r**2) / 2`; the logarithm of the integrand at
    the mode; and `d log(p(v, 1)) / dv`.
    """
    mode = mode_of(v, d, t, j)[0]
    constant, square = _log_excess(mode), mode * mode
    excess = (mode - 1) * (mode + 1)
    log_density, rate = _density_at_one(v)

    def exponent(u: Any, grown: Any) -> Any:
        out = u - grown
        out -= grown * (excess + square / 2 * grown)
        out += constant
        return out

    peak = v * constant - (t * mode - d) ** 2 / 2 + j * np.log(mode)
    return exponent, peak + log_density - math.log(2 * math.pi) / 2, rate


def _trapezoid(v: Any, d: Any, t: Any, n: int, j: int, kernel: int, points: int) -> Any:
    """The integral."""
    exponent, log_scale, rate = _about_mode(v, d, t, j)
    rates, total = _higher_rates(v, n), np.zeros_like(v)
    for term, u, grown in modal_nodes(v, d, t, j, kernel, points):
        total += over_nodes(term * _bell([rate + exponent(u, grown), *rates]) if n else term)
    return np.exp(log_scale) * total


def lower_tail(v: Any, d: Any, t: Any, points: int) -> tuple[Any, Any, Any]:
    """`log(F)` and its first two derivatives in `v`, for `t` and `-d` that are not positive."""
    exponent, log_scale, rate = _about_mode(v, d, t, 0)
    total, first, second = np.zeros_like(v), np.zeros_like(v), np.zeros_like(v)
    for term, u, grown in modal_nodes(v, d, t, 0, LOWER, points):
        total += over_nodes(term)
        change = exponent(u, grown)
        term *= change
        first += over_nodes(term)
        term *= change
        second += over_nodes(term)
    first, second = first / total, second / total
    return np.log(total) + log_scale, rate + first, second - first * first + _higher_rates(v, 2)[0]


def _bell(rates: list[Any]) -> Any:
    """The derivative of `exp(f)` divided by it, from those of `f`: as many orders as are given."""
    values: list[Any] = [1.0]
    for n in range(len(rates)):
        values.append(leibniz(n, rates.__getitem__, values.__getitem__))
    return values[-1]


_CHUNK = 2048
"""So many elements at a time: what is computed of them stays in the cache."""


def _effort(v: Any, d: Any, t: Any, j: int, kernel: int) -> Any:
    """Which of `POINTS`: more where the integrand falls slowly, or `Phi` changes in a short interval."""
    if kernel == DENSITY:
        return 1 + (v + j < 1) * 1 + (v + j < 4)
    return tail_level(v, d, t)


def _integral(v: Any, d: Any, t: Any, n: int, j: int, kernel: int) -> Any:
    """The integral, of vectors."""
    out = np.empty_like(v)
    effort = _effort(v, d, t, j, kernel)
    if kernel != DENSITY:
        is_wide = _is_wide(v, d, t) & (n > 0)
        wide, central = np.flatnonzero(is_wide), np.flatnonzero(~is_wide & has_chi_nodes(v, d, t))
        out[central] = _by_chi(v[central], kernel * d[central], kernel * t[central], n)
        out[wide] = _by_change(v[wide], kernel * d[wide], kernel * t[wide], n)
        effort[central], effort[wide] = -1, -1
    for k, points in enumerate(POINTS):
        indices = np.flatnonzero(effort == k)
        for start in range(0, len(indices), _CHUNK):
            here = indices[start : start + _CHUNK]
            out[here] = _trapezoid(v[here], d[here], t[here], n, j, kernel, points)
    return out


_FEW, _MODERATE = 0.1, 5.0
"""Degrees of freedom, and centralities, for which the integrand is wide relative to the change of `Phi`."""
_WIDE, _APART, _LESS = (72, 96, 128, 176), 0.12, 1 / 15
"""So many nodes for an interval of `log(r)`, how far they are apart at most, and what `|d|` takes of that."""
_DECAY, _DEPTH = 0.5, 38.0
"""`exp(-38)` is below the rounding error."""
_CHUNK_OF_WIDE = 128
"""So many elements at a time, each at all nodes."""


def _wide_interval(v: Any, t: Any) -> tuple[Any, Any]:
    """Of `u = log(r)` the point left of which the change of `Phi` falls as `r` does, and the length of the interval.

    The nodes are in `s`, where `u` is that point `+ s - _DECAY e**-s`; on the right the density ends the integrand.
    """
    start = -np.maximum(np.log(np.abs(t)), np.log(v) / 2)
    return start, np.log(2 * (_DEPTH + 2) / v) / 2 + 0.2 - start + math.log(_DEPTH / _DECAY)


def _wide_group(v: Any, d: Any, t: Any) -> Any:
    """Which of `_WIDE`."""
    needed = _wide_interval(v, t)[1] / (_APART * (1 - _LESS * np.abs(d)))
    return sum((needed > count) * 1 for count in _WIDE)


def _is_wide(v: Any, d: Any, t: Any) -> Any:
    return (v < _FEW) & (np.abs(d) <= _MODERATE) & (t != 0) & (_wide_group(v, d, t) < len(_WIDE))


def _by_change(v: Any, d: Any, t: Any, n: int) -> Any:
    """The derivative of `F` of an order from the change of `Phi(t r - d)` since `r = 0`, as that of a constant is 0."""
    out, group = np.empty_like(v), _wide_group(v, d, t)
    for k, count in enumerate(_WIDE):
        indices = np.flatnonzero(group == k)
        for start in range(0, len(indices), _CHUNK_OF_WIDE):
            at = indices[start : start + _CHUNK_OF_WIDE]
            out[at] = _on_wide_interval(v[at], d[at], t[at], n, count)
    return out


def _on_wide_interval(v: Any, d: Any, t: Any, n: int, count: int) -> Any:
    start, length = _wide_interval(v, t)
    step, side = length / count, np.where(d < 0, -1.0, 1.0)
    numbers = arange_like(v, count) + 0.5
    u = np.multiply.outer(numbers, step)
    bent = np.exp(-u)
    bent *= _DEPTH
    u += start - math.log(_DEPTH / _DECAY)
    u -= bent
    r = np.exp(u)
    bent += 1
    change = r * (side * t)
    change -= side * d
    ndtr(change, out=change)
    change -= ndtr(-side * d)
    change *= bent
    r *= r
    r -= 1
    r *= -0.5
    r += u
    np.multiply(r, v, out=u)
    change *= np.exp(u, out=u)
    log_scale, rate = _density_at_one(v)
    r += rate
    change *= _bell([r, *_higher_rates(v, n)])
    return np.exp(log_scale) * step * side * np.sum(change, axis=0)


def _by_chi(v: Any, d: Any, t: Any, n: int) -> Any:
    """The derivative of `F` of an order, by the nodes about the mode of `p(v, r)`."""
    if n == 0:
        return chi_means(normal_less, v, d, t, np.zeros_like(v), order=0)[0]
    out, slow = np.empty_like(v), is_slow(v, t)
    out[slow] = chi_means(normal_excess, v[slow], d[slow], t[slow], order=n)[n]
    v, d, t = v[~slow], d[~slow], t[~slow]
    out[~slow] = chi_means(normal_less, v, d, t, ndtr(t - d), order=n)[n]
    return out


def _inside(v: Any, d: Any, t: Any) -> Any:
    return (v > 0) & (v < np.inf) & (np.abs(d) < np.inf) & (np.abs(t) < np.inf)


def _has_many(v: Any, d: Any, t: Any) -> Any:
    """Where `1 / v**3` is below rounding errors, beside which the nodes of an integral lie too close to each other."""
    with np.errstate(over="ignore"):
        return v > 3e5 * (1 + t * t + d * d) ** 2


def _in_many_degrees(v: Any, d: Any, t: Any, n: int, j: int, kernel: int) -> Any:
    """The mean of `f(r) = r**j phi(t r - d)`, or with `LOWER` of `f(r) = Phi(t r - d)`, and its derivatives in `v`.

    `y = r**2` has the mean 1 and the moments 2/v, 8/v**2, 12/v**2 + ... about it, so the mean of `f(sqrt(y))` is

        f + (f2 - f1) / (4 v) + ((f3 - 3 f2 + 3 f1) / 6 + (f4 - 6 f3 + 15 f2 - 15 f1) / 32) / v**2 + ...

    with the derivatives of `f` at `r = 1`, where those of `phi(t r - d)` are `(-t)**k He_k(t - d) phi(t - d)`.
    """
    z = t - d
    hermite = [1.0, z, z * z - 1, z**3 - 3 * z, z**4 - 6 * z * z + 3]
    bell = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    of_bell = [(-t) ** k * x * bell for k, x in enumerate(hermite)]
    if kernel == DENSITY:
        f = [sum(math.comb(k, i) * math.perm(j, i) * of_bell[k - i] for i in range(k + 1)) for k in range(5)]
    else:
        f = [ndtr(z), *(t * x for x in of_bell[:4])]
    first = (f[2] - f[1]) / 4
    second = (f[3] - 3 * f[2] + 3 * f[1]) / 6 + (f[4] - 6 * f[3] + 15 * f[2] - 15 * f[1]) / 32
    for k in range(n + 1):
        first, second = first / v * (-k or 1), second / v * (-k - 1 if k else 1)
    return first + second / v + (f[0] if n == 0 else 0.0)


def _at_infinity(v: Any, d: Any, t: Any, limit: Any) -> Any:
    """The limit where `v` is infinite, 0 where `d` is, NaN elsewhere."""
    is_end = (np.abs(d) == np.inf) & (v > 0) & (np.abs(t) < np.inf)
    return np.where(is_end, 0.0, np.where(v == np.inf, limit, np.nan))


@pointwise(
    lambda w, v, d, t, *, order, power: student_moment(v, d, t, order=order + 1, power=power),
    lambda w, v, d, t, *, order, power: t * student_moment(v, d, t, order=order, power=power + 1) - d * w,
    lambda w, v, d, t, *, order, power: (
        d * student_moment(v, d, t, order=order, power=power + 1)
        - t * student_moment(v, d, t, order=order, power=power + 2)
    ),
)
@in_double(block=LONG_BLOCK)
def student_moment(v: Any, d: Any, t: Any, *, order: int, power: int) -> Any:
    """`M(v, d, t; order, power)`; where `v` is infinite `r` is 1."""
    v, d, t = np.broadcast_arrays(v, d, t)
    out = _at_infinity(v, d, t, np.exp(-((t - d) ** 2) / 2) / math.sqrt(2 * math.pi) if order == 0 else 0.0 * (t - d))
    inside = _inside(v, d, t)
    many = inside & _has_many(v, d, t)
    out[many] = _in_many_degrees(v[many], d[many], t[many], order, power, DENSITY)
    inside &= ~many
    few = inside & (v < FEWEST) & (power == 0)
    if np.any(few):
        out[few] = in_few_degrees(partial(_integral, kernel=DENSITY), v[few], d[few], t[few], order)
        inside &= ~few
    out[inside] = _integral(v[inside], d[inside], t[inside], order, power, DENSITY)
    return out


@pointwise(
    lambda w, v, d, t, *, order: noncentral_student(v, d, t, order=order + 1),
    lambda w, v, d, t, *, order: -student_moment(v, d, t, order=order, power=0),
    lambda w, v, d, t, *, order: student_moment(v, d, t, order=order, power=1),
)
@in_double(block=LONG_BLOCK)
def noncentral_student(v: Any, d: Any, t: Any, *, order: int) -> Any:
    """`F(v, d, t; order)`: of order 0 where it is small, of the others from the smaller one of `F` and `1 - F`."""
    v, d, t = np.broadcast_arrays(v, d, t)
    out = _at_infinity(v, d, t, 0.0 * (t - d))
    inside = _inside(v, d, t)
    many = inside & _has_many(v, d, t)
    out[many] = _in_many_degrees(v[many], d[many], t[many], order, 0, LOWER)
    inside &= ~many
    is_lower = (t < d) | (order == 0)
    for kernel, chosen in ((LOWER, inside & is_lower), (UPPER, inside & ~is_lower)):
        out[chosen] = kernel * _integral(v[chosen], d[chosen], t[chosen], order, 0, kernel)
    return out
