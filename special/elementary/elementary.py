"""Elementary functions: logarithms and exponentials, angles in degrees, the arithmetic-geometric mean."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from ...backends.native.large_arrays import LARGE, over_threads
from ...backends.native.ufuncs import ufunc_of, with_kernels
from ...backends.scipy_errors import is_quiet
from ...complex_autograd.engine.opaque import is_on_host
from ...complex_autograd.engine.space import Array
from ...complex_autograd.engine.traced import raw
from ..elliptic.elliptic import complete_last
from ..numerics.regions import by_region, in_double, with_dtypes
from ..ufuncs.kernel_partials import by_kernel, by_ufunc_of_last
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import constant, pointwise, rule
from .lambert import omega_derivative

__all__ = [
    "agm", "cbrt", "cosdg", "cosm1", "cotdg", "exp2", "exp10", "expit", "expm1", "exprel", "log1p", "log_expit",
    "logit", "powm1", "radian", "round", "sindg", "softplus", "spence", "tandg", "wrightomega", "xlog1py", "xlogy",
]  # fmt: skip

_DEGREE = math.pi / 180

# exponentials and logarithms

cbrt = rule(special.cbrt, "x", lambda w, x: 1 / (3 * w * w))
exp2 = rule(special.exp2, "x", lambda w, x: w * math.log(2))
exp10 = rule(special.exp10, "x", lambda w, x: w * math.log(10))
expm1 = rule(special.expm1, "z", by_kernel("expm1", lambda w, z: np.exp(z)))  # w + 1 cancels where w is near -1
log1p = rule(special.log1p, "z", by_kernel("log1p", lambda w, z: 1 / (1 + z)))
cosm1 = rule(special.cosm1, "x", lambda w, x: -np.sin(x))
expit = rule(special.expit, "x", by_kernel("expit", lambda w, x: w * expit(-x)))
log_expit = rule(special.log_expit, "x", by_kernel("log_expit", lambda w, x: expit(-x)))
logit = rule(special.logit, "x", by_kernel("logit", lambda w, x: 1 / (x * (1 - x))))


def softplus(x: Array, **kwargs: Any) -> Array:
    """The logarithm of `1 + exp(x)`, a smooth maximum of `x` and 0.

    Parameters
    ----------
    x : array_like
        Real numbers.
    **kwargs
        As of `numpy.logaddexp`; not for traced arrays.

    Returns
    -------
    array
        Of the shape of `x`, and of its dtype where that is one of floating-point numbers.

    Notes
    -----
    It is `-log_expit(-x)`, and its derivative is `expit(x)`.

    Examples
    --------
    >>> from wirtinger import grad, special
    >>> print(f"{special.softplus(0.0):.6f} {grad(special.softplus)(0.0):.6f}")
    0.693147 0.500000
    """
    a = raw(x)
    is_usual = type(a) in (float, np.float64, np.float32) or (is_on_host(a) and a.dtype in (np.float64, np.float32))
    if kwargs or not is_usual:
        return special.softplus(x, **kwargs)
    found = _large_softplus(x) if type(x) is np.ndarray and x.size >= LARGE else None
    return 0.0 - log_expit(-x) if found is None else found


def _large_softplus(x: Any) -> Any:
    """The same bits in one pass, or None: three take 1.5 times as long."""
    kernel = _softplus_kernel() if is_quiet() else None
    return None if kernel is None else over_threads(kernel, (x,))


@cache
def _softplus_kernel() -> np.ufunc | None:
    return ufunc_of("softplus", "softplus", 1)


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
        regions = (x > 700, overflowing), (np.abs(x) < 1.5 * order - 0.5, by_series), (True, by_recurrence)
        return by_region(regions, w, x)

    if value is None or value.dtype.char in "fF":
        return in_double(lambda x: kernel(exprel(x), x), *with_dtypes(x))
    return in_double(kernel, value, *with_dtypes(x))


exprel = rule(special.exprel, "x", lambda w, x: exprel_derivative(x, order=1, value=raw(w)))


def quotient(x: Any, y: Any) -> Any:
    """`x / y`, and 0 where both are 0: there `x log(y)` is 0 for all `y`."""
    is_zero = (x == 0) & (y == 0)
    return np.where(is_zero, 0.0, x / np.where(is_zero, np.nan, y)) if np.any(is_zero) else x / y


xlogy = rule(
    special.xlogy,
    "x y",
    by_ufunc_of_last(np.log, lambda: np.log),
    by_kernel("xlogy_1", lambda w, x, y: quotient(x, y), nin=2),
)
xlog1py = rule(
    special.xlog1py,
    "x y",
    by_ufunc_of_last(log1p, lambda: with_kernels(special.log1p)),
    by_kernel("xlog1py_1", lambda w, x, y: quotient(x, 1 + y), nin=2),
)
rule(special.powm1, "x y", lambda w, x, y: y * np.power(x, y - 1.0), lambda w, x, y: xlogy(np.power(x, y), x))


def _overflows_left_of_one(x: Any, y: Any) -> Any:
    """Where SciPy's `powm1` is 0, or nearly."""
    size = np.abs(x)
    return (size > 0) & (size < 1) & (y * np.log(np.where(size > 0, size, 1.0)) > 80)


powm1 = PatchedUfunc(
    special.powm1,
    [(_overflows_left_of_one, lambda x, y: np.power(x, y) - 1)],
    bounds=[(0.1, np.inf), (-30.0, np.inf)],
)


@pointwise(lambda w, z: log_over_derivative(z))
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
def log_over_derivative(z: Any) -> Any:
    """The derivative of `log_over`: `(log(z) - u / z) / u**2` with `u = z - 1`; its series near 1."""
    u = z - 1
    is_near = np.abs(u) < 0.05
    near, far = np.where(is_near, u, 0.0), np.where(is_near, 2.0, z)
    return np.where(is_near, _series(near, 1), (_logarithm(far) - (far - 1) / far) / (far - 1) ** 2)


def _log_over_curvature(z: Any) -> Any:
    u = z - 1
    is_near = np.abs(u) < 0.05
    near, far = np.where(is_near, u, 0.0), np.where(is_near, 2.0, z)
    return np.where(is_near, _series(near, 2), (1 / (far * far) - 2 * log_over_derivative(far)) / (far - 1))


def _series(u: Any, order: int) -> Any:
    """The derivative of `-log(1 + u) / u = sum (-1)**(k + 1) u**k / (k + 1)`, of a given order, for small `u`."""
    total = 0.0 * u
    for k in reversed(range(order, 16 + order)):
        total = total * u + (-1) ** (k + 1) / (k + 1) * math.perm(k, order)
    return total


spence = rule(special.spence, "z", by_kernel("spence", lambda w, z: log_over(z)))  # DLMF 25.12.2 with z -> 1 - z
wrightomega = rule(special.wrightomega, "z", omega_derivative)
round = rule(special.round, "x", constant)

# angles in degrees; SciPy's cotangent is the tangent of `90 - x`, which rounds small angles away, and of those next to
# multiples of 180 degrees

_STEEP, _LARGEST = 500.0, 1e14
"""Above this cotangent the distance from the multiple is the better argument; from the latter on SciPy's are 0."""


def _is_steep(w: Any, x: Any) -> Any:
    is_steep = np.abs(w) > _STEEP
    if not np.count_nonzero(is_steep):
        return is_steep
    return is_steep & (np.abs(x) < _LARGEST) & (x != 180 * np.rint(x / 180))


def _cotangent(w: Any, x: Any) -> Any:
    """`cotdg(x)`; `w` may be SciPy's."""
    return cotdg(x) if np.any(_is_steep(raw(w), raw(x))) else w


rule(special.cotdg, "x", lambda w, x: -(1 + _cotangent(w, x) ** 2) * _DEGREE)
cotdg = PatchedUfunc(special.cotdg, corrections=[(_is_steep, lambda x: 1 / tandg(x - 180 * np.rint(x / 180)))])


sindg = rule(special.sindg, "x", lambda w, x: cosdg(x) * _DEGREE)
cosdg = rule(special.cosdg, "x", lambda w, x: -sindg(x) * _DEGREE)
tandg = rule(special.tandg, "x", lambda w, x: (1 + w * w) * _DEGREE)
radian = rule(
    special.radian,
    "d m s",
    lambda w, d, m, s: math.pi / 180,
    lambda w, d, m, s: math.pi / 10800,
    lambda w, d, m, s: math.pi / 648000,
)

# the arithmetic-geometric mean: agm(a, b) = pi / (2 RF(0, a**2, b**2)), DLMF 19.8.4 and 19.18.1, which is homogeneous


_WIDE = 1e8
"""From this ratio on the mean is `pi a / (2 L)` with `L = log(4 a / b)`, `a` the larger one: DLMF 19.12.1."""


def _mean_derivative(w: Any, a: Any, b: Any) -> Any:
    """`2 a w**2 RD(0, b**2, a**2) / (3 pi)`, the derivative in `a`."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        quotient = raw(a) / raw(b)
        is_larger, is_smaller = (quotient > _WIDE) & (raw(b) > 0), (quotient < 1 / _WIDE) & (raw(a) > 0)
    is_wide = (is_larger | is_smaller) & np.isfinite(raw(a)) & np.isfinite(raw(b))
    if not np.any(is_wide):
        return _moderate_mean_derivative(w, a, b)
    near = [np.where(is_wide, 1.0, x) for x in (w, a, b)]
    return np.where(is_wide, _wide_mean_derivative(is_wide, is_larger, a, b), _moderate_mean_derivative(*near))


def _moderate_mean_derivative(w: Any, a: Any, b: Any) -> Any:
    ratio, share = a / b, w / b
    return 2 / (3 * math.pi) * ratio * share * share * complete_last(ratio * ratio)


def _wide_mean_derivative(is_wide: Any, is_larger: Any, a: Any, b: Any) -> Any:
    a, b = np.where(is_wide, a, 1e9), np.where(is_wide, b, 1.0)
    difference = np.log(a) - np.log(b)
    reciprocal = 1 / (math.log(4) + np.where(is_larger, difference, -difference))
    ratio = np.where(is_larger, 1.0, b) / np.where(is_larger, 1.0, a)
    return math.pi / 2 * np.where(is_larger, reciprocal - reciprocal**2, ratio * reciprocal**2)


agm = rule(special.agm, "a b", _mean_derivative, lambda w, a, b: _mean_derivative(w, b, a))
