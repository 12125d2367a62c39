"""Where SciPy's loops for hypergeometric functions take minutes or years: `hyp1f1(2, 3, 1e17)` does not return."""

from __future__ import annotations

from typing import Any

import numpy as np

from .regions import is_pole

__all__ = ["is_endless_gauss", "is_endless_kummer", "never"]

_FARTHEST, _LARGEST_OF_SCALING, _LARGEST_OF_RECURRENCES = 1e6, 1e7, 1e5
"""Beyond these moduli of an argument and of parameters calls of SciPy 1.17.1 were measured to take a millisecond."""


def is_endless_kummer(a: Any, b: Any, z: Any) -> Any:
    """At real `z` it divides by `exp` of some hundreds until its exponent is small, else it goes down to small `a`."""
    if z.dtype.kind == "c":
        return (np.maximum(np.abs(a), np.abs(b - a)) > _LARGEST_OF_RECURRENCES) & (z != 0)
    return ((np.abs(z) > _FARTHEST) | (np.abs(a) > _LARGEST_OF_SCALING)) & ~is_pole(b) & (z != 0)


def is_endless_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    """At complex `z` it goes down to small `a` and `b`."""
    if z.dtype.kind != "c":
        return never(a, z)
    return (np.maximum(np.abs(a), np.abs(b)) > _LARGEST_OF_RECURRENCES) & (z != 0)


def never(v: Any, z: Any) -> Any:
    """Nowhere."""
    return np.zeros(np.broadcast_shapes(v.shape, z.shape), bool)
