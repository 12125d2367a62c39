"""Where SciPy's loops take minutes or years: hypergeometric functions, and polynomials of real degree.

`hyp1f1(2, 3, 1e17)` and `eval_chebyt(1e11, 1j)` do not return.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..numerics.regions import is_pole

__all__ = [
    "is_endless_gauss",
    "is_endless_kummer",
    "is_endless_laguerre",
    "is_endless_legendre",
    "is_endless_polynomial",
    "never",
]

_FARTHEST, _LARGEST_OF_SCALING, _LARGEST_OF_RECURRENCES = 1e6, 1e7, 1e5
"""Beyond these moduli of an argument and of parameters calls of SciPy 1.17.1 were measured to take a millisecond."""

_HIGHEST = 1e7
"""Degrees, or parameters, take half a second there; its values are NaN already."""


def is_endless_kummer(a: Any, b: Any, z: Any) -> Any:
    """At real `z` it divides by `exp` of some hundreds until its exponent is small, else it goes down to small `a`."""
    if z.dtype.kind == "c":
        return (np.maximum(np.abs(a), np.abs(b - a)) > _LARGEST_OF_RECURRENCES) & (z != 0)
    is_endless = (np.abs(z) > _FARTHEST) | (np.abs(a) > _LARGEST_OF_SCALING)
    return is_endless & ~is_pole(b) & (z != 0) if np.any(is_endless) else is_endless


def is_endless_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    """At complex `z` it goes down to small `a` and `b`."""
    if z.dtype.kind != "c":
        return never(a, z)
    return (np.maximum(np.abs(a), np.abs(b)) > _LARGEST_OF_RECURRENCES) & (z != 0)


def is_endless_polynomial(n: Any, *others: Any) -> Any:
    """At complex arguments it sums series, or goes down to small degrees."""
    return is_endless_laguerre(n, *others) if others[-1].dtype.kind == "c" else np.False_


def is_endless_laguerre(n: Any, *others: Any) -> Any:
    """So it does at all arguments, but not where degrees are integers by their type."""
    *parameters, x = others
    if n.dtype.kind != "f" and x.dtype.kind != "c":
        return np.False_
    if _are_within(_HIGHEST, n) and _are_within(_HIGHEST, *parameters):
        return np.False_
    return np.maximum(np.abs(n), sum(map(np.abs, parameters))) + 0 * np.real(x) > _HIGHEST


def is_endless_legendre(m: Any, v: Any, x: Any) -> Any:
    """It goes through all orders up to `m`."""
    if _are_within(_HIGHEST, m):
        return np.False_
    return (np.abs(m) > _HIGHEST) & (v == v) & (x == x)


def _are_within(bound: float, *args: Any) -> bool:
    """Whether the sum of the moduli is below a bound, by the ranges of the arguments."""
    if any(x.size == 0 or x.dtype.kind == "c" for x in args):
        return False
    return sum(max(-float(np.min(x)), float(np.max(x))) for x in args) <= bound


def never(v: Any, z: Any) -> Any:
    """Nowhere."""
    return np.zeros(np.broadcast_shapes(v.shape, z.shape), bool)
