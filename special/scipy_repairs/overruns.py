"""Where SciPy's spheroidal functions and Mathieu functions do not write beyond their arrays.

In SciPy 1.17.1 these have fixed sizes: `pro_rad2(1, 3, 100.0, 2.0)`, `pro_cv(1, 3, numpy.nan)` and
`mathieu_cem(1, numpy.nan, 0.5)` end the process.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_harmless", "is_harmless_mathieu", "is_resolved"]

_LARGEST = 1e6
"""Larger floating-point numbers SciPy turns into integers that they are not."""

_LARGEST_PHASE = 21.4
"""Logarithm of a phase: from `2**31` on SciPy has 0 or NaN; seven digits of it are right there."""


def is_harmless(name: str, m: Any, n: Any, c: Any) -> Any:
    """Whether SciPy's arrays suffice, of 200 to 300 elements."""
    m, n, c = (x * 1.0 for x in (m, n, c))
    are_integers = (np.abs(m) <= _LARGEST) & (np.abs(n) <= _LARGEST)
    if "rad" in name:
        return are_integers & (50 + n + 2 * np.abs(c) <= 240)
    return are_integers & ((40 if "ang" in name else 10) + (n - m) / 2 + np.abs(c) <= 190)


def is_harmless_mathieu(m: Any, q: Any) -> Any:
    """Whether the number of SciPy's coefficients, about `abs(q)**1.5 / 270 + m / 2`, is one: beyond 251 it is NaN."""
    return (np.abs(m * 1.0) <= _LARGEST) & (np.abs(q * 1.0) <= _LARGEST)


def is_resolved(q: Any, x: Any) -> Any:
    """Whether the phase `sqrt(abs(q)) exp(abs(x))` of the modified functions is known; SciPy has 0 farther out."""
    return ~(0.5 * np.log(np.maximum(np.abs(q * 1.0), 1e-300)) + np.abs(x) > _LARGEST_PHASE)
