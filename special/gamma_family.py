"""The gamma function, its logarithmic derivatives, and the beta function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    beta,
    betaln,
    binom,
    digamma,
    gamma,
    gammaln,
    gammasgn,
    loggamma,
    poch,
    psi,
    rgamma,
    zetac,
)

from ..backends import backend_of
from ..complex_autograd.array import raw
from ..complex_autograd.operands import operands
from .integer_arguments import integers
from .polygamma_values import BERNOULLI, polygamma_value
from .regions import by_region, in_double, with_dtypes
from .ufunc_rules import constant, pointwise, rule
from .zeta_exponent import HURWITZ, riemann_derivative

__all__ = [
    "beta",
    "betaln",
    "binom",
    "digamma",
    "digamma_difference",
    "gamma",
    "gammaln",
    "gammasgn",
    "loggamma",
    "multigammaln",
    "poch",
    "polygamma",
    "polygamma_of",
    "psi",
    "rgamma",
    "zeta",
    "zetac",
]


@pointwise(lambda w, z, *, n: polygamma_of(z, n=n + 1))
def polygamma_of(z: Any, *, n: int) -> Any:
    """The derivative of order `n` of the digamma function."""
    return polygamma_value(z, n)


@pointwise(
    lambda w, a, b: polygamma_of(a + b, n=1) - polygamma_of(a, n=1),
    lambda w, a, b: polygamma_of(a + b, n=1),
)
def digamma_difference(a: Any, b: Any) -> Any:
    """`digamma(a + b) - digamma(a)`; for positive `a` and `b` without cancellation."""

    def kernel(a: Any, b: Any) -> Any:
        ordinary = (a > 0) & (b > 0) & (b < np.inf)
        others = ~ordinary, lambda a, b: digamma(a + b) - digamma(a)
        return by_region([(ordinary, _positive_difference), others], a, b)

    return in_double(kernel, *with_dtypes(a, b))


def _positive_difference(a: Any, b: Any) -> Any:
    """The recurrence DLMF 5.5.2 moves both to the right by 10; there the expansion 5.11.2 gives the difference.

    With `q = a / (a + b)` it is `-log(q) + (1 - q) / (2 a) + sum_k B_2k / (2 k) a**(-2 k) (1 - q**(2 k))`, where
    `1 - q**(2 k) = (1 - q**2) (1 + q**2 + .. + q**(2 k - 2))`.
    """
    steps: Any = 0.0
    for k in range(10):
        steps = 1 / ((a + k) * (a + b + k)) + steps
    shifted = a + 10
    quotient = b / shifted
    q = 1 / (1 + quotient)
    rest = quotient * q
    square, ratio = 1 / (shifted * shifted), q * q
    tail, power, geometric = 0.0, square, 1.0
    for k, number in enumerate(BERNOULLI[:8], 1):
        tail = power * geometric * (number / (2 * k)) + tail
        power, geometric = power * square, geometric * ratio + 1
    return b * steps + np.log1p(quotient) + rest / (2 * shifted) + rest * (1 + q) * tail


@pointwise(lambda w, z: polygamma_of(z, n=1))
def _digamma_by_pole(z: Any) -> Any:
    """`digamma`, on the left `digamma(1 - z) - pi cot(pi d)`, DLMF 5.5.4, `d` the exact distance from a pole."""
    is_left = np.real(z) < 0
    if not np.any(is_left):
        return _digamma_on_the_right(z)
    distance = z - np.rint(np.real(z))
    is_pole = is_left & (distance == 0)
    cotangent = 1 / np.tan(math.pi * np.where(is_left & ~is_pole, distance, 0.25))
    out = _digamma_on_the_right(np.where(is_left, 1 - z, z))
    return np.where(is_pole, np.nan, np.where(is_left, out - math.pi * cotangent, out))


def _digamma_on_the_right(z: Any) -> Any:
    """Of complex arguments many times as fast as SciPy's: by the recurrence DLMF 5.5.2 and the expansion 5.11.2.

    Two terms of the recurrence at a time: `1 / (z + k) + 1 / (z + 7 - k) = (2 z + 7) / (z (z + 7) + k (7 - k))`.
    """
    if z.dtype.kind != "c":
        return digamma(z)

    def kernel(z: Any) -> Any:
        product = z * (z + 7)
        steps = sum(1 / (product + k * (7 - k)) for k in range(4))
        inverse = 1 / (z + 8)
        square = inverse * inverse
        tail = np.zeros_like(z)
        for k, number in reversed([*enumerate(BERNOULLI, 1)]):
            tail += number / (2 * k)
            tail *= square
        return np.log(z + 8) - 0.5 * inverse - tail - (2 * z + 7) * steps

    return in_double(kernel, z)


def _reciprocal_slope(w: Any, z: Any) -> Any:
    """`-digamma(z) / gamma(z)`, on the left from `1 / gamma(z) = gamma(1 - z) sin(pi z) / pi`, DLMF 5.5.3."""
    is_left = np.real(z) < 0.5
    if not np.any(is_left):
        return -w * _digamma_by_pole(z)
    slope = _digamma_by_pole(np.where(is_left, 1 - z, z))
    left = np.where(is_left, z, 0.0)
    reflected = np.cos(math.pi * left) - slope * np.sin(math.pi * left) / math.pi
    return np.where(is_left, gamma(1 - left) * reflected, -w * slope)


rule(gamma, "z", lambda w, z: w * _digamma_by_pole(z))  # DLMF 5.2.2, and so below
rule(gammaln, "x", lambda w, x: _digamma_by_pole(x))
rule(loggamma, "z", lambda w, z: _digamma_by_pole(z))
rule(rgamma, "z", _reciprocal_slope)
rule(gammasgn, "x", constant)
rule(digamma, "z", lambda w, z: polygamma_of(z, n=1))
rule(beta, "a b", lambda w, a, b: -w * digamma_difference(a, b), lambda w, a, b: -w * digamma_difference(b, a))
rule(betaln, "a b", lambda w, a, b: -digamma_difference(a, b), lambda w, a, b: -digamma_difference(b, a))


def _is_pole(z: Any) -> Any:
    return (z <= 0) & (z == np.rint(z))


def _binom_upper(w: Any, n: Any, k: Any) -> Any:
    """`w (digamma(n + 1) - digamma(n - k + 1))`; from `gamma(n + 1) / (gamma(k + 1) gamma(b))` where `b` is a pole."""
    b = n - k + 1
    at_pole = _is_pole(b) & (n >= 0)
    if not np.any(at_pole):
        return w * digamma_difference(b, k)
    z, pole = np.where(at_pole, n + 1, 1.0), np.where(at_pole, b, 0.0)
    slope = gamma(z) * rgamma(k + 1) * (digamma(z) * rgamma(pole) + _reciprocal_slope(rgamma(pole), pole))
    return np.where(at_pole, slope, w * digamma_difference(np.where(at_pole, 1.0, b), np.where(at_pole, 1.0, k)))


def _binom_lower(w: Any, n: Any, k: Any) -> Any:
    """`w (digamma(n - k + 1) - digamma(k + 1))`, in the same way where one of the two is a pole."""
    a, b = k + 1, n - k + 1
    at_pole = (_is_pole(a) | _is_pole(b)) & ~_is_pole(n + 1)
    if not np.any(at_pole):
        return w * (digamma(b) - digamma(a))
    a, b, z = np.where(at_pole, a, 1.0), np.where(at_pole, b, 1.0), np.where(at_pole, n + 1, 1.0)
    slope = gamma(z) * (rgamma(b) * _reciprocal_slope(rgamma(a), a) - rgamma(a) * _reciprocal_slope(rgamma(b), b))
    a, b = np.where(at_pole, 1.0, k + 1), np.where(at_pole, 1.0, n - k + 1)
    return np.where(at_pole, slope, w * (digamma(b) - digamma(a)))


def _poch_slope(w: Any, z: Any, m: Any) -> Any:
    """`w (digamma(z + m) - digamma(z))`; where `z` is a pole of `gamma(z + m) / gamma(z)`, from that.

    Where both are poles, from `(z)_m = (-1)**m (1 - z - m)_m`.
    """
    at_pole = _is_pole(z)
    if not np.any(at_pole):
        return w * digamma_difference(z, m)
    both = at_pole & _is_pole(z + m)
    only = at_pole & ~both
    pole, top = np.where(only, z, 0.0), np.where(only, z + m, 1.0)
    slope = gamma(top) * (digamma(top) * rgamma(pole) + _reciprocal_slope(rgamma(pole), pole))
    sign, base = np.where(both, -1.0, 1.0), np.where(both, 1 - z - m, np.where(only, 1.0, z))
    return np.where(only, slope, sign * w * digamma_difference(base, m))


rule(binom, "n k", _binom_upper, _binom_lower)
rule(poch, "z m", _poch_slope, lambda w, z, m: w * digamma(z + m))
rule(zetac, "x", lambda w, x: riemann_derivative(x, n=1))


@pointwise(HURWITZ.partial(0), lambda w, x, q: -x * _hurwitz(x + 1, q))  # DLMF 25.11.17
def _hurwitz(x: Any, q: Any) -> Any:
    return special.zeta(x, q)


@pointwise(lambda w, x: riemann_derivative(x, n=1))
def _riemann(x: Any) -> Any:
    return special.zeta(x)


def zeta(x: Any, q: Any = None, out: Any = None) -> Any:
    """Riemann's or Hurwitz' zeta function, `sum_k (k + q)**-x`.

    Parameters
    ----------
    x : array_like
        The exponent; real, or complex where `q` is not given.
    q : array_like, optional
        The offset, real; 1 by default.
    out : ndarray, optional
        Where to store the result; not for traced arrays.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    Its derivative in `q` is `-x zeta(x + 1, q)` (DLMF 25.11.17); that in `x`, for `q > 0`, comes from Euler's and
    Maclaurin's formula, differentiated.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda q: special.zeta(2.0, q))(1.0):.6f}")
    -2.404114
    """
    if out is not None:
        return special.zeta(x, q, out)
    return _riemann(*operands(x)) if q is None else _hurwitz(*operands(x, q))


@integers("n")
def polygamma(n: Any, x: Any) -> Any:
    """The derivative of order `n` of the digamma function.

    Parameters
    ----------
    n : array_like of int
        The order, not negative.
    x : array_like
        The argument; where `n` is one number it may be complex.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    Its derivative in `x` is the next order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{special.polygamma(1, 2.0):.6f} {grad(lambda x: special.polygamma(1, x))(2.0):.6f}")
    0.644934 -0.404114
    """
    (x,) = operands(x)
    orders = np.asarray(n)
    if x.dtype.kind not in "fc":
        return special.polygamma(n, x)
    if orders.ndim == 0:
        return polygamma_of(x, n=int(orders))
    asarray = backend_of(raw(x)).namespace.asarray
    total = 0.0 * x
    for order in np.unique(orders):
        total = np.where(asarray(orders == order), polygamma_of(x, n=int(order)), total)
    return total


@integers("d")
def multigammaln(a: Any, d: int) -> Any:
    """The logarithm of the multivariate gamma function.

    Parameters
    ----------
    a : array_like
        Where to evaluate it, larger than `(d - 1) / 2`.
    d : int
        The dimension.

    Returns
    -------
    array
        Of the shape of `a`.

    Raises
    ------
    ValueError
        If `d` is not a whole number or an `a` is too small.

    Notes
    -----
    Its derivative is `sum_(j < d) digamma(a - j / 2)`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda a: special.multigammaln(a, 2))(3.0):.6f}")
    1.625941
    """
    if not np.isscalar(d) or np.floor(d) != d:
        raise ValueError("d should be a positive integer (dimension)")
    (a,) = operands(a)
    if np.any(a <= 0.5 * (d - 1)):
        raise ValueError(f"condition a ({a}) > 0.5 * (d-1) ({0.5 * (d - 1)}) not met")
    total = d * (d - 1) * 0.25 * math.log(math.pi)
    for j in range(int(d)):
        total = total + loggamma(a - j / 2)
    return total
