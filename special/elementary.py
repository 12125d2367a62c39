"""Elementary functions: logarithms and exponentials in accurate forms, degrees, losses, entropies, power transforms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    agm,
    boxcox,
    boxcox1p,
    cbrt,
    cosdg,
    cosm1,
    cotdg,
    entr,
    exp2,
    exp10,
    expit,
    expm1,
    exprel,
    huber,
    log1p,
    log_expit,
    logit,
    powm1,
    radian,
    rel_entr,
    round,
    sindg,
    spence,
    tandg,
    wrightomega,
    xlog1py,
    xlogy,
)

from ..complex_autograd.array import raw
from .corrected import Corrected
from .elliptic import complete_last
from .lambert import omega_slope
from .regions import except_where, in_double, with_dtypes
from .replaced import Replaced
from .ufunc_rules import constant, pointwise, rule

__all__ = [
    "agm",
    "boxcox",
    "boxcox1p",
    "cbrt",
    "cosdg",
    "cosm1",
    "cotdg",
    "entr",
    "exp2",
    "exp10",
    "expit",
    "expm1",
    "exprel",
    "huber",
    "inv_boxcox",
    "inv_boxcox1p",
    "kl_div",
    "log1p",
    "log_expit",
    "log_over",
    "logit",
    "powm1",
    "pseudo_huber",
    "radian",
    "rel_entr",
    "round",
    "sindg",
    "spence",
    "tandg",
    "wrightomega",
    "xlog1py",
    "xlogy",
]

_DEGREE = math.pi / 180

# exponentials and logarithms

rule(cbrt, "x", lambda w, x: 1 / (3 * w * w))
rule(exp2, "x", lambda w, x: w * math.log(2))
rule(exp10, "x", lambda w, x: w * math.log(10))
rule(expm1, "z", lambda w, z: np.exp(z))  # w + 1 cancels where w is near -1
rule(log1p, "z", lambda w, z: 1 / (1 + z))
rule(cosm1, "x", lambda w, x: -np.sin(x))
rule(expit, "x", lambda w, x: w * expit(-x))
rule(log_expit, "x", lambda w, x: expit(-x))
rule(logit, "x", lambda w, x: 1 / (x * (1 - x)))

# x w = exp(x) - 1 for w = exprel(x), so that x w^(n) = exp(x) - n w^(n-1); near 0 by the series of w = M(1, 2, x)


@pointwise(lambda w, x, *, order, value=None: exprel_derivative(x, order=order + 1))
def exprel_derivative(x: Any, *, order: int, value: Any = None) -> Any:
    """The derivative of `exprel` of an order, 1, 2, .., whose own `value` may be known.

    The power series is `sum_k x**k / (k! (k + n + 1))`.
    """
    coefficients = [1 / (math.factorial(k) * (k + order + 1)) for k in range(14 + 6 * order)]

    def by_series(w: Any, x: Any) -> Any:
        total = np.zeros_like(x)
        for coefficient in reversed(coefficients):
            total *= x
            total += coefficient
        return total

    def by_recurrence(w: Any, x: Any) -> Any:
        exponential = np.exp(x)
        for n in range(1, order + 1):
            w = (exponential - n * w) / x
        return w

    def overflowing(w: Any, x: Any) -> Any:
        before = w
        for n in range(1, order + 1):
            w = before - n * w / x
        return np.where(np.isinf(before), before, w)

    def kernel(w: Any, x: Any) -> Any:
        return except_where([(np.abs(x) < 1.5 * order - 0.5, by_series), (x > 700, overflowing)], by_recurrence, w, x)

    if value is None or value.dtype.char in "fF":
        return in_double(lambda x: kernel(exprel(x), x), *with_dtypes(x))
    return in_double(kernel, value, *with_dtypes(x))


rule(exprel, "x", lambda w, x: exprel_derivative(x, order=1, value=raw(w)))


def _quotient(x: Any, y: Any) -> Any:
    """`x / y`, and 0 where both are 0: there `x log(y)` is 0 for all `y`."""
    is_zero = (x == 0) & (y == 0)
    return np.where(is_zero, 0.0, x / np.where(is_zero, np.nan, y)) if np.any(is_zero) else x / y


rule(xlogy, "x y", lambda w, x, y: np.log(y), lambda w, x, y: _quotient(x, y))
rule(xlog1py, "x y", lambda w, x, y: log1p(y), lambda w, x, y: _quotient(x, 1 + y))
rule(powm1, "x y", lambda w, x, y: y * np.power(x, y - 1.0), lambda w, x, y: xlogy(np.power(x, y), x))


@pointwise(lambda w, z: _log_over_slope(z))
def log_over(z: Any) -> Any:
    """`log(z) / (1 - z)`, which is -1 at `z = 1`."""
    u = z - 1
    is_one = u == 0
    return np.where(is_one, -1.0, -_logarithm(z) / np.where(is_one, 1.0, u))


def _logarithm(z: Any) -> Any:
    """`log(z)`, by `log1p` near 1, where `z - 1` is exact; not near 0, where it is not."""
    u = z - 1
    is_near = np.abs(u) < 0.5
    return np.where(is_near, log1p(np.where(is_near, u, 0.0)), np.log(np.where(is_near, 1.0, z)))


@pointwise(lambda w, z: _log_over_curvature(z))
def _log_over_slope(z: Any) -> Any:
    """The derivative of `log_over`: `(log(z) - u / z) / u**2` with `u = z - 1`; its series near 1."""
    u = z - 1
    is_near = np.abs(u) < 0.05
    near, far = np.where(is_near, u, 0.0), np.where(is_near, 2.0, z)
    return np.where(is_near, _series(near, 1), (_logarithm(far) - (far - 1) / far) / (far - 1) ** 2)


def _log_over_curvature(z: Any) -> Any:
    u = z - 1
    is_near = np.abs(u) < 0.05
    near, far = np.where(is_near, u, 0.0), np.where(is_near, 2.0, z)
    return np.where(is_near, _series(near, 2), (1 / (far * far) - 2 * _log_over_slope(far)) / (far - 1))


def _series(u: Any, order: int) -> Any:
    """The derivative of `-log(1 + u) / u = sum (-1)**(k + 1) u**k / (k + 1)`, of a given order, for small `u`."""
    total = 0.0 * u
    for k in reversed(range(order, 16 + order)):
        total = total * u + (-1) ** (k + 1) / (k + 1) * math.perm(k, order)
    return total


rule(spence, "z", lambda w, z: log_over(z))  # DLMF 25.12.2 with z -> 1 - z
rule(wrightomega, "z", omega_slope)
rule(round, "x", constant)

# angles in degrees

rule(sindg, "x", lambda w, x: cosdg(x) * _DEGREE)
rule(cosdg, "x", lambda w, x: -sindg(x) * _DEGREE)
rule(tandg, "x", lambda w, x: (1 + w * w) * _DEGREE)
rule(cotdg, "x", lambda w, x: -(1 + w * w) * _DEGREE)
rule(
    radian,
    "d m s",
    lambda w, d, m, s: math.pi / 180,
    lambda w, d, m, s: math.pi / 10800,
    lambda w, d, m, s: math.pi / 648000,
)

# entropies and losses

rule(entr, "x", lambda w, x: -np.log(x) - 1)


def _logarithm_of_quotient(x: Any, y: Any) -> Any:
    """`log(x / y)`, also next to 1, and where the quotient overflows or underflows."""
    with np.errstate(all="ignore"):
        quotient = raw(x) / raw(y)
    is_near = (quotient > 0.5) & (quotient < 2)
    is_tame = (quotient > 1e-30) & (quotient < 1e30)
    out = np.log(np.where(is_tame & ~is_near, x / np.where(is_tame, y, 1.0), 1.0))
    if np.any(is_near):
        out = out + log1p(np.where(is_near, (x - y) / np.where(is_near, y, 1.0), 0.0))
    return out if np.all(is_tame) else out + np.where(is_tame, 0.0, np.log(x) - np.log(y))


def _divergence(x: Any, y: Any) -> Any:
    """`y ((1 + u) log(1 + u) - u)` with `u = (x - y) / y`, by its power series; `y - x` where `x` is far below `y`."""
    u = (x - y) / y
    total: Any = 0.0
    for k in reversed(range(2, 11)):
        total = (1 / (k * (k - 1)) - total) * u
    return y * u * np.where(u < -0.5, -1.0, total)


def _one_less_quotient(x: Any, y: Any) -> Any:
    """`1 - x / y`, and 1 where both are 0."""
    is_near = np.abs(raw(x) - raw(y)) < 0.5 * raw(y)
    if not np.any(is_near):
        return 1 - _quotient(x, y)
    return np.where(is_near, (y - x) / np.where(is_near, y, 1.0), 1 - _quotient(x, y))


rule(
    special.kl_div,
    "x y",
    lambda w, x, y: _logarithm_of_quotient(x, y),
    lambda w, x, y: _one_less_quotient(x, y),
)
kl_div = Corrected(
    special.kl_div,
    _divergence,
    lambda x, y: (x > 0) & ((np.abs(x - y) < 0.01 * y) | (x < 1e-300 * y)),
)
"""Next to `x = y` SciPy's terms cancel; where `x / y` underflows its value is infinite."""
rule(rel_entr, "x y", lambda w, x, y: _logarithm_of_quotient(x, y) + 1, lambda w, x, y: -_quotient(x, y))
rule(
    huber,
    "delta r",
    lambda w, delta, r: np.maximum(np.abs(r) - delta, 0.0),
    lambda w, delta, r: np.minimum(np.maximum(r, -delta), delta),
)


def _pseudo_huber_width(w: Any, delta: Any, r: Any) -> Any:
    """`2 w / delta - r**2 / h` with `h = hypot(delta, r)`, put together without a difference."""
    h = _hypotenuse(delta, r)
    return r * (r / h) * (r / (delta + h)) ** 2


def _hypotenuse(delta: Any, r: Any) -> Any:
    """`hypot(delta, r)`, and 1 where both are 0: only quotients with 0 are taken of it."""
    is_zero = (delta == 0) & (r == 0)
    return np.where(is_zero, 1.0, np.hypot(np.where(is_zero, 1.0, delta), r))


@pointwise(
    lambda w, delta, r: (r / _hypotenuse(delta, r)) ** 2 / _hypotenuse(delta, r),
    lambda w, delta, r: -w * (r / _hypotenuse(delta, r)) / _hypotenuse(delta, r),
)
def _share_of_width(delta: Any, r: Any) -> Any:
    """`delta / hypot(delta, r)`."""
    return delta / _hypotenuse(delta, r)


rule(special.pseudo_huber, "delta r", _pseudo_huber_width, lambda w, delta, r: r * _share_of_width(delta, r))
pseudo_huber = Replaced(
    special.pseudo_huber,
    lambda delta, r: r * (r * (delta / (delta + np.hypot(delta, r)))),
    lambda delta, r: (delta > 0) & (r != 0),
)
"""In a form that does not overflow."""

# power transforms: with L = log(x), the derivative of (exp(l L) - 1) / l in l is L**2 G(l L), where
# G(t) = ((t - 1) exp(t) + 1) / t**2 is the derivative of exprel; that of its inverse is x**2 w H(l x)


@pointwise(lambda base, x, lmbda: lmbda, lambda base, x, lmbda: x)
def _grown(x: Any, lmbda: Any) -> Any:
    """`1 + lmbda x` with the rounding of the product, which Dekker's halves give (Numer. Math. 18 (1971) 224)."""

    def kernel(x: Any, lmbda: Any) -> Any:
        product = lmbda * x
        high, more = (134217729.0 * a - (134217729.0 * a - a) for a in (x, lmbda))
        low, less = x - high, lmbda - more
        rest = ((high * more - product) + high * less + low * more) + low * less
        return (1 + product) + np.where(np.abs(product) < 2, rest, 0.0)

    return in_double(kernel, *with_dtypes(x, lmbda))


def _root(w: Any, base: Any, lmbda: Any) -> Any:
    """`base**(1 / lmbda)`, which is `w` unless that lost the digits of the base."""
    is_small = raw(base) < 0.5
    if not np.any(is_small):
        return w
    return np.where(is_small, np.power(np.where(is_small, base, 1.0), 1 / np.where(is_small, lmbda, 1.0)), w)


def _inverse_slope(w: Any, x: Any, lmbda: Any) -> Any:
    base = _grown(x, lmbda)
    return _root(w, base, lmbda) / base


def _inverse_power(w: Any, x: Any, lmbda: Any) -> Any:
    """`w x**2 H(lmbda x)`, where `H(u) = (u / (1 + u) - log(1 + u)) / u**2`."""
    base = _grown(x, lmbda)
    return -_root(w, base, lmbda) * x**2 * _log_over_slope(base)


def _boxcox_power(w: Any, x: Any, lmbda: Any) -> Any:
    is_zero = raw(x) == 0
    return _power_slope(x, np.log(np.where(is_zero, 1.0, x)), lmbda, is_zero)


def _boxcox1p_power(w: Any, x: Any, lmbda: Any) -> Any:
    is_zero = raw(x) == -1
    return _power_slope(1 + x, log1p(np.where(is_zero, 0.0, x)), lmbda, is_zero)


def _power_slope(x: Any, log: Any, lmbda: Any, is_zero: Any) -> Any:
    """`(1 + x**lmbda (lmbda log(x) - 1)) / lmbda**2`, also where `x` is 0."""
    slope = _logarithmic_slope(log, lmbda)
    if not np.any(is_zero):
        return slope
    return np.where(is_zero, (1 - np.power(x, lmbda * _BELOW_ONE)) / lmbda**2, slope)


@pointwise(
    lambda w, log, lmbda: log * np.exp(lmbda * log),
    lambda w, log, lmbda: log**3 * exprel_derivative(lmbda * log, order=2),
)
def _logarithmic_slope(log: Any, lmbda: Any) -> Any:
    """`(1 + exp(lmbda log) (lmbda log - 1)) / lmbda**2`."""
    return log**2 * exprel_derivative(lmbda * log, order=1)


_BELOW_ONE = 1 - 1e-15
"""So that the slope of the power is infinite at 0 also for the power 1, where that of `x log(x)` is."""


rule(boxcox, "x lmbda", lambda w, x, lmbda: np.power(x, lmbda - 1.0), _boxcox_power)
rule(boxcox1p, "x lmbda", lambda w, x, lmbda: np.power(1 + x, lmbda - 1.0), _boxcox1p_power)
rule(special.inv_boxcox, "x lmbda", _inverse_slope, _inverse_power)
rule(
    special.inv_boxcox1p,
    "x lmbda",
    lambda w, x, lmbda: _inverse_slope(1 + w, x, lmbda),
    lambda w, x, lmbda: _inverse_power(1 + w, x, lmbda),
)
inv_boxcox = Corrected(special.inv_boxcox, lambda x, lmbda: np.exp(x), lambda x, lmbda: np.abs(lmbda * x) < 1e-290)
inv_boxcox1p = Corrected(
    special.inv_boxcox1p, lambda x, lmbda: np.expm1(x), lambda x, lmbda: (np.abs(lmbda * x) < 1e-150) & (x != 0)
)
"""SciPy's is `x` there."""

# the arithmetic-geometric mean: agm(a, b) = pi / (2 RF(0, a**2, b**2)), DLMF 19.8.4 and 19.18.1, which is homogeneous


def _mean_slope(w: Any, a: Any, b: Any) -> Any:
    """`2 a w**2 RD(0, b**2, a**2) / (3 pi)`, the derivative in `a`."""
    ratio, share = a / b, w / b
    return 2 / (3 * math.pi) * ratio * share * share * complete_last(ratio * ratio)


rule(agm, "a b", _mean_slope, lambda w, a, b: _mean_slope(w, b, a))
