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
from .polygamma_values import BERNOULLI, polygamma_value
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
    """`digamma(a + b) - digamma(a)`; for positive `a` and `b` without cancellation.

    The recurrence DLMF 5.5.2 moves both to the right of 15; there the expansion 5.11.2 gives the difference, with
    `L = log(1 + b / a)`: `L - expm1(-L) / (2 a) - sum_k B_2k / (2 k) a**(-2 k) expm1(-2 k L)`.
    """
    ordinary = (a > 0) & (b > 0)
    plain = digamma(a + b) - digamma(a)
    a, b = np.where(ordinary, a, 1.0), np.where(ordinary, b, 1.0)
    total = 0.0 * a
    for _ in range(15):
        is_small = a < 15
        total = total + np.where(is_small, b / (a * (a + b)), 0.0)
        a = a + is_small
    log = np.log1p(b / a)
    total = total + log - np.expm1(-log) / (2 * a)
    for k, number in enumerate(BERNOULLI[:8], 1):
        total = total - number / (2 * k) * a ** (-2.0 * k) * np.expm1(-2 * k * log)
    return np.where(ordinary, total, plain)


def _reciprocal_slope(w: Any, z: Any) -> Any:
    """`-digamma(z) / gamma(z)`, on the left from `1 / gamma(z) = gamma(1 - z) sin(pi z) / pi`, DLMF 5.5.3."""
    is_left = np.real(z) < 0.5
    left, right = np.where(is_left, z, 0.0), np.where(is_left, 1.0, z)
    reflected = np.cos(math.pi * left) - digamma(1 - left) * np.sin(math.pi * left) / math.pi
    return np.where(is_left, gamma(1 - left) * reflected, -rgamma(right) * digamma(right))


rule(gamma, "z", lambda w, z: w * digamma(z))  # DLMF 5.2.2, and so below
rule(gammaln, "x", lambda w, x: digamma(x))
rule(loggamma, "z", lambda w, z: digamma(z))
rule(rgamma, "z", _reciprocal_slope)
rule(gammasgn, "x", constant)
rule(digamma, "z", lambda w, z: polygamma_of(z, n=1))
rule(beta, "a b", lambda w, a, b: -w * digamma_difference(a, b), lambda w, a, b: -w * digamma_difference(b, a))
rule(betaln, "a b", lambda w, a, b: -digamma_difference(a, b), lambda w, a, b: -digamma_difference(b, a))
rule(
    binom,
    "n k",
    lambda w, n, k: w * digamma_difference(n - k + 1, k),
    lambda w, n, k: w * (digamma(n - k + 1) - digamma(k + 1)),
)
rule(poch, "z m", lambda w, z, m: w * digamma_difference(z, m), lambda w, z, m: w * digamma(z + m))
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
