"""Values of Kummer's function `M(a, b, z)` of many real elements by series of positive terms, DLMF 13.2.2, in place.

The elements are sorted by the modulus of `z`, so that those of a piece need about the same number of terms.  Of 50,000
elements with positive parameters it takes 1.1 to 2.9 times less time than SciPy's loop.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.regions import within
from ...polynomials.real_degree.degree_sweeps import in_blocks, in_order

_LARGEST, _SMALLEST, _FARTHEST = 30.0, 1e-100, 40.0
"""Parameters and moduli of `z` between which it takes less time than SciPy, as measured."""
_NEGLIGIBLE = 1e-17
_AT_A_TIME = 8
"""Terms between two looks at whether they count."""


def direct_values(a: Any, b: Any, z: Any) -> Any:
    """The function where its series, or that after Kummer's transformation (DLMF 13.2.39), has no negative terms.

    Elsewhere it is NaN.

    Parameters
    ----------
    a, b, z : array
        Of double precision, flat.
    """
    is_had = in_blocks(_is_had, a, b, z)
    return within(is_had, _positive, a, b, z)


def _is_had(a: Any, b: Any, z: Any) -> Any:
    first = np.where(z < 0, b - a, a)
    is_positive = (first > 0) & (b > _SMALLEST)
    return is_positive & (np.maximum(first, b) <= _LARGEST) & (np.abs(z) <= _FARTHEST)


def _positive(a: Any, b: Any, z: Any) -> Any:
    if np.min(z) >= 0:
        return in_order(_series, z, a, b, z)
    is_left, size = z < 0, np.abs(z)
    return in_order(_series, size, np.where(is_left, b - a, a), b, size) * np.exp(np.minimum(z, 0.0))


def _series(a: Any, b: Any, z: Any) -> Any:
    """Of a piece."""
    term = a / b * z
    total, work = term + 1, np.empty_like(z)
    k, least = 1, 1.5 * float(np.max(z))
    while True:
        for k in range(k, k + _AT_A_TIME):  # noqa: B020
            np.add(a, k, work)
            term *= work
            term *= z
            np.add(b, k, work)
            work *= k + 1
            term /= work
            total += term
        k += 1
        if k > least and np.all(term <= _NEGLIGIBLE * total):
            return total
