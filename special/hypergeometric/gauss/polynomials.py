"""Polynomials `2F1(-n, b; c; z)` of jets right of 1, where their terms cancel, by powers of `1 - z`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.hypergeometric_series import moduli
from ...numerics.jets import Jet
from ...numerics.regions import by_region
from .expansions import ends

_LOSS = 100.0
"""The terms of a sum may be larger than the sum by this factor."""


def polynomial_about_one(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    """`sum_k (b)_k / k! (c - b)_(n - k) / (n - k)! (1 - z)**k n! / (c)_n` of `n = -a`, or `-b`: DLMF 15.8.7.

    It is written without a quotient, as `c - b` may be a negative integer.
    """
    is_first = ends(a) & ~(ends(b) & (b.value > a.value))
    degree = np.where(is_first, -a.value, -b.value)

    def of_degree(n: int, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        d, one = c - b, (b + c) * (0.0 * z) + 1.0
        rises, below = [one], one
        for k in range(n):
            rises.append(rises[-1] * (d + float(k)) * (1 / (k + 1)))
            below = below * (c + float(k)) * (1 / (k + 1))
        total, size, term = one * 0.0, 0.0, one
        for k in range(n + 1):
            part = term * rises[n - k]
            total, size = total + part, size + moduli(part)
            term = term * (b + float(k)) * ((1 - z) * (1 / (k + 1)))
        return total / below, size <= loss * moduli(total)

    def case(n: float, *, exchanged: bool) -> tuple[Any, Any]:
        mask = (degree == n) & (is_first ^ exchanged)
        return mask, lambda a, b, c, z: of_degree(int(n), a if exchanged else b, c, z)

    cases = [case(n, exchanged=exchanged) for n in np.unique(degree) for exchanged in (False, True)]
    return by_region(cases, a, b, c, z)
