"""The gamma function, its logarithmic derivatives, and the beta function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special
from scipy.special import (
    digamma,
    gamma,
    gammaln,
    gammasgn,
    loggamma,
    psi,
    rgamma,
)

from ...backends import backend_of
from ...complex_autograd.array import raw
from ...complex_autograd.operands import operands
from ..ufuncs.bounded import ANY, up_to
from ..ufuncs.corrected import Corrected
from ..ufuncs.integer_arguments import integers
from ..ufuncs.large_arrays import over_cores
from ..ufuncs.regions import is_pole
from ..ufuncs.ufunc_rules import constant, pointwise, rule
from .beta_values import LEAST_UPPER, beta_domain, beta_value, betaln_value, binomial_domain, binomial_value
from .digamma_differences import digamma_by_pole, digamma_difference, polygamma_of, trigamma_difference
from .rising_factorials import MOST, NEAREST, rising_domain, rising_value
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


def _reciprocal_slope(w: Any, z: Any) -> Any:
    """`-digamma(z) / gamma(z)`, on the left from `1 / gamma(z) = gamma(1 - z) sin(pi z) / pi`, DLMF 5.5.3."""
    if np.any(is_end := np.isinf(raw(z))):
        z = np.where(is_end, 1.0, z)
    is_left = np.real(z) < 0.5
    if not np.any(is_left):
        return -w * digamma_by_pole(z)
    slope = digamma_by_pole(np.where(is_left, 1 - z, z))
    left = np.where(is_left, z, 0.0)
    angle = math.pi * (left - 2 * np.rint(np.real(raw(left)) / 2))
    reflected = np.cos(angle) - slope * np.sin(angle) / math.pi
    return np.where(is_left, gamma(1 - left) * reflected, -w * slope)


rule(gamma, "z", lambda w, z: w * digamma_by_pole(z))  # DLMF 5.2.2, and so below
rule(gammaln, "x", lambda w, x: digamma_by_pole(x))
rule(loggamma, "z", lambda w, z: digamma_by_pole(z))
rule(rgamma, "z", _reciprocal_slope)
rule(gammasgn, "x", constant)
rule(digamma, "z", lambda w, z: polygamma_of(z, n=1))


# the second derivatives of beta have own forms: B (D**2 - (polygamma(1, a + b) - polygamma(1, a))) with
# D = digamma(a + b) - digamma(a), and across B (D(a, b) D(b, a) - polygamma(1, a + b))


def _across(a: Any, b: Any) -> Any:
    """`D(a, b) D(b, a) - polygamma(1, a + b)`; next to a zero argument by the series of the one `D` that is small."""
    is_second = np.abs(raw(b)) < np.abs(raw(a))
    near, y = np.where(is_second, b, a), a + b
    is_near = np.abs(raw(near)) < 1e-3 * np.minimum(1.0, np.abs(raw(y)))
    plain = digamma_difference(a, b) * digamma_difference(b, a) - polygamma_of(y, n=1)
    if not np.any(is_near):
        return plain
    near, y = np.where(is_near, near, 1e-4), np.where(is_near, y, 1.0)
    rest: Any = 0.0
    for n in (5, 4, 3, 2):
        rest = near * ((-1) ** (n + 1) / math.factorial(n) * polygamma_of(y, n=n) + rest)
    first = near * (polygamma_of(y, n=1) + rest)
    return np.where(is_near, rest + first * (digamma(y) - digamma(1 + near)), plain)


def _beta_along(slope: Any, a: Any, b: Any, *, value: Any) -> Any:
    difference = digamma_difference(a, b)
    return beta(a, b) * (difference * difference - trigamma_difference(a, b))


@pointwise(_beta_along, lambda slope, a, b, *, value: beta(a, b) * _across(a, b))
def _beta_slope(a: Any, b: Any, *, value: Any) -> Any:
    """The derivative of beta in `a`."""
    return -value * digamma_difference(a, b)


rule(
    special.beta,
    "a b",
    lambda w, a, b: _beta_slope(a, b, value=raw(w)),
    lambda w, a, b: _beta_slope(b, a, value=raw(w)),
)
rule(special.betaln, "a b", lambda w, a, b: -digamma_difference(a, b), lambda w, a, b: -digamma_difference(b, a))


def _binom_upper(w: Any, n: Any, k: Any) -> Any:
    """`w (digamma(n + 1) - digamma(n - k + 1))`; from `gamma(n + 1) / (gamma(k + 1) gamma(b))` where `b` is a pole."""
    b = n - k + 1
    at_pole = is_pole(b) & (n >= 0)
    if not np.any(at_pole):
        return -w * digamma_difference(n + 1, -k)
    z, pole = np.where(at_pole, n + 1, 1.0), np.where(at_pole, b, 0.0)
    quotient = poch(k + 1, z - k - 1)
    slope = quotient * (digamma(z) * rgamma(pole) + _reciprocal_slope(rgamma(pole), pole))
    return np.where(at_pole, slope, -w * digamma_difference(np.where(at_pole, 1.0, n + 1), np.where(at_pole, 1.0, -k)))


def _binom_lower(w: Any, n: Any, k: Any) -> Any:
    """`w (digamma(n - k + 1) - digamma(k + 1))`, in the same way where one of the two is a pole."""
    a, b = k + 1, n - k + 1
    at_pole = (is_pole(a) | is_pole(b)) & ~is_pole(n + 1)
    if not np.any(at_pole):
        return w * (digamma_by_pole(b) - digamma_by_pole(a))
    is_first = is_pole(a)
    pole, other = np.where(at_pole, np.where(is_first, a, b), 0.0), np.where(at_pole, np.where(is_first, b, a), 1.0)
    quotient = poch(other, np.where(at_pole, n + 1, 1.0) - other)
    slope = quotient * (digamma(other) * rgamma(pole) + _reciprocal_slope(rgamma(pole), pole))
    slope = np.where(is_first, slope, -slope)
    a, b = np.where(at_pole, 1.0, k + 1), np.where(at_pole, 1.0, n - k + 1)
    return np.where(at_pole, slope, w * (digamma_by_pole(b) - digamma_by_pole(a)))


def _poch_slope(w: Any, z: Any, m: Any) -> Any:
    """`w (digamma(z + m) - digamma(z))`; where `z` alone is a pole of `gamma(z + m) / gamma(z)`, from that."""
    at_pole = is_pole(z) & ~is_pole(z + m)
    if not np.any(at_pole):
        return w * digamma_difference(z, m)
    pole, top = np.where(at_pole, z, 0.0), np.where(at_pole, z + m, 1.0)
    slope = gamma(top) * (digamma(top) * rgamma(pole) + _reciprocal_slope(rgamma(pole), pole))
    return np.where(at_pole, slope, w * digamma_difference(np.where(at_pole, 1.0, z), m))


rule(special.binom, "n k", _binom_upper, _binom_lower)
beta = Corrected(special.beta, beta_value, beta_domain, (0.0, 75.0), (0.0, 75.0))
betaln = Corrected(special.betaln, betaln_value, beta_domain, (0.0, 75.0), (0.0, 75.0))
binom = Corrected(special.binom, binomial_value, binomial_domain, (LEAST_UPPER, 140.0), ANY)
rule(special.poch, "z m", _poch_slope, lambda w, z, m: w * digamma_by_pole(z + m))
poch = Corrected(special.poch, rising_value, rising_domain, (0.0, NEAREST), up_to(MOST))
rule(special.zetac, "x", lambda w, x: riemann_derivative(x, n=1))
zetac = Corrected(special.zetac, lambda x: np.exp2(-x) + 3.0**-x, lambda x: x > 60, up_to(60.0))
"""SciPy's is 0 from 127 on; `4**-x` is no part of `2**-x` in double precision."""


_zeta = over_cores(special.zeta)


@pointwise(HURWITZ.partial(0), lambda w, x, q: -x * _hurwitz(x + 1, q))  # DLMF 25.11.17
def _hurwitz(x: Any, q: Any) -> Any:
    return HURWITZ.value(x, q) if np.iscomplexobj(x) else _zeta(x, q)


@pointwise(lambda w, x: riemann_derivative(x, n=1))
def _riemann(x: Any) -> Any:
    """SciPy's, but for complex numbers where its error grows to 4e-8, before it takes another formula at 50."""
    w = _zeta(x)
    if not np.iscomplexobj(x):
        return w
    is_coarse = (np.abs(np.abs(np.imag(x)) - 44) <= 6.5) & (np.abs(np.real(x)) < 10)
    if not np.any(is_coarse):
        return w
    return np.where(is_coarse, riemann_derivative(np.where(is_coarse, x, 2.0), n=0), w).astype(w.dtype)[()]


def zeta(x: Any, q: Any = None, out: Any = None) -> Any:
    """Riemann's or Hurwitz' zeta function, `sum_k (k + q)**-x`.

    Parameters
    ----------
    x : array_like
        The exponent, real or complex.
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
