"""Incomplete gamma functions of large shapes, and their inverses, by Temme's uniform expansion.

With `x = a (1 + mu)` and `eta**2 / 2 = mu - log(1 + mu)`, where `eta` has the sign of `mu`, DLMF 8.12.3 to 8.12.8 say

    gammaincc(a, x) = erfc(eta sqrt(a / 2)) / 2 + exp(-a eta**2 / 2) / sqrt(2 pi a) sum_k c_k(eta) / a**k;

that of `gammainc` has the other sign of `eta` in the first term, and of the second one.  Where the shape is large and
the smaller of the two is not 0 in double precision, `eta` is small: few terms of the series of few `c_k` are enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import erfcx, ndtri

from ..numerics.horner import horner
from ..numerics.stirling_powers import log_less_excess, stirling_series
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import Bounds, up_to

_LARGEST = 2.0**17
"""Of the shapes for which SciPy's series of 2000 terms converges, wherever it is taken."""
MODERATE = up_to(_LARGEST)
_FAR = 4.4
"""Standard deviations below the mean; up to 4.5 SciPy takes the expansion as well."""
_LEAST = -0.15
"""Of `eta`: beyond, `gammainc` of a large shape is 0."""
_C = (
    (-1 / 3, 1 / 12, -2 / 135, 1 / 864, 1 / 2835, -139 / 777600, 1 / 25515, -571 / 261273600, -281 / 151559100),
    (-1 / 540, -1 / 288, 1 / 378, -77 / 77760, 1 / 4860),
    (25 / 6048, -139 / 51840),
)
"""The coefficients of each `c_k`, DLMF 8.12.11."""
_MU = (
    *(1.0, 1 / 3, 1 / 36, -1 / 270, 1 / 4320, 1 / 17010),
    *(-139 / 5443200, 1 / 204120, -571 / 2351462400, -281 / 1515591000),
)
"""The coefficients of `mu / eta`, which follow from `mu mu' = eta (1 + mu)`."""


def _tail(a: Any, eta: Any, sign: Any) -> Any:
    """`gammaincc` where the sign is 1, `gammainc` where it is -1, over `exp(-a eta**2 / 2)`."""
    rest = horner([horner(c, eta) for c in _C], 1 / a)
    return erfcx(sign * eta * np.sqrt(a / 2)) / 2 + sign * rest / np.sqrt(2 * math.pi * a)


def _is_far_below(a: Any, x: Any) -> Any:
    """Where SciPy's `gammainc` of a large shape is not used."""
    return (a > _LARGEST) & (x > 0) & (x < a - _FAR * np.sqrt(a))


def _lower_tail(a: Any, x: Any) -> Any:
    """`gammainc(a, x)` there."""
    exponent = log_less_excess(x / a, (x - a) / a)
    return _tail(a, np.maximum(-np.sqrt(-2 * exponent), _LEAST), -1.0) * np.exp(a * exponent)


def _quantile(a: Any, p: Any, sign: Any) -> Any:
    """The inverse in `x` of `gammaincc` where the sign is 1, of `gammainc` where it is -1, of a large shape.

    Newton's method in `eta`, of the logarithm of the tail that is less than 1/2.
    """
    is_swapped = p > 0.5
    p, sign = np.where(is_swapped, 1 - p, p), np.where(is_swapped, -sign, sign)
    log_p, eta = np.log(p), -sign * ndtri(p) / np.sqrt(a)
    scale = np.sqrt(a / (2 * math.pi)) * np.exp(-stirling_series(a, 1))
    for _ in range(2):
        tail = _tail(a, eta, sign)
        excess = np.log(tail) - a * eta * eta / 2 - log_p
        eta = eta + sign * excess * tail * horner(_MU, eta) / scale
    return a + a * eta * horner(_MU, eta)


def _shape(y: Any, p: Any, sign: float) -> Any:
    """The `a` with `_quantile(a, p, sign) = y`, by Newton's method from Cornish and Fisher's expansion of that."""
    z = -sign * ndtri(p)
    root = (np.sqrt(z * z + 4 * (y - (z * z - 1) / 3)) - z) / 2
    a = root * root
    for _ in range(4):
        a = a - (_quantile(a, p, sign) - y) / (1 + z / (2 * np.sqrt(a)))
    return a


def _is_probability(p: Any) -> Any:
    return (p > 0) & (p < 1)


def of_large_shapes(
    ufunc: np.ufunc, point: Callable[..., tuple[Any, Any]], sign: float, bounds: Sequence[Bounds]
) -> PatchedUfunc:
    """`gammaincc(a, x)` where the sign is 1, `gammainc(a, x)` where it is -1, at a point `(a, x)` of the arguments."""

    def kernel(*args: Any) -> Any:
        lower = _lower_tail(*point(*args))
        return 1 - lower if sign > 0 else lower

    return PatchedUfunc(ufunc, [(lambda *args: _is_far_below(*point(*args)), kernel)], bounds=bounds)


def quantile_of_large_shapes(
    ufunc: np.ufunc, reading: Callable[..., tuple[Any, Any, Any]], sign: float, bounds: Sequence[Bounds]
) -> PatchedUfunc:
    """The inverse of the same in `x`, divided by a rate; of the arguments the reading is `(a, p, rate)`."""

    def kernel(*args: Any) -> Any:
        a, p, rate = reading(*args)
        return _quantile(a, p, sign) / rate

    def domain(*args: Any) -> Any:
        a, p, rate = reading(*args)
        return (a > _LARGEST) & _is_probability(p) & (rate > 0)

    return PatchedUfunc(ufunc, [(domain, kernel)], bounds=bounds)


def large_shape(
    ufunc: np.ufunc,
    reading: Callable[..., tuple[Any, Any]],
    sign: float,
    bounds: Sequence[Bounds],
    result: Callable[[Any], Any],
) -> PatchedUfunc:
    """The inverse of the same in `a`, of which the result is made; of the arguments the reading is `(x, p)`."""

    def domain(*args: Any) -> Any:
        x, p = reading(*args)
        return (x > _LARGEST) & _is_probability(p)

    return PatchedUfunc(ufunc, [(domain, lambda *args: result(_shape(*reading(*args), sign)))], bounds=bounds)
