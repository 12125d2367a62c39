"""The derivatives of Pochhammer's symbol and of binomial coefficients where they are short products.

`poch(z, m) = z (z + 1) .. (z + m - 1)` (DLMF 5.2.4) and `binom(n, k) = n (n - 1) .. (n - k + 1) / k!` (DLMF 1.2.6) are
polynomials: by the product rule nothing is divided, at their zeros neither, and many times as fast as with digamma.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_MOST = 12
_FARTHEST = 1e20
"""Up to there no product of so many factors overflows."""
_PLAIN = (float, int, np.float64, np.float32)


def have_few_factors(z: Any, m: Any) -> bool:
    """Whether all `m` are small integers; not of traced arrays, for products depend on no other `m`."""
    if not all((type(x) is np.ndarray and x.dtype.kind == "f") or type(x) in _PLAIN for x in (z, m)):
        return False
    are_integer = (m >= 0) & (m <= _MOST) & (m == np.rint(m))
    return bool(np.all(are_integer) and np.all(np.abs(z) <= _FARTHEST))


def rising_product_derivative(z: Any, m: Any) -> Any:
    """The derivative of `poch(z, m)` in `z`, of vectors."""
    return _derivative(z, m, 1)


def binomial_product_derivative(n: Any, k: Any) -> Any:
    """The derivative of `binom(n, k)` in `n`, of vectors."""
    return _derivative(n, k, -1) / _FACTORIALS[k.astype(int)]


_FACTORIALS = np.array([float(math.factorial(k)) for k in range(_MOST + 1)])


def _derivative(z: Any, m: Any, step: int) -> Any:
    """Of the product of `m` factors from `z` on, in groups of equal `m`."""
    out = np.zeros_like(z)
    for count in range(1, int(np.max(m, initial=0)) + 1):
        at = np.flatnonzero(m == count)
        if not len(at):
            continue
        first = product = z[at]
        derivative = np.ones_like(first)
        for k in range(1, count):
            factor = first + step * k
            derivative = derivative * factor + product
            product = product * factor
        out[at] = derivative
    return out
