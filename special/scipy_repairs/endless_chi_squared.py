"""Where SciPy's loops of the noncentral chi-squared distribution do not return.

They count the terms of the Poisson mixture one by one, from the largest: beyond `2**53` in floating point one less is
the same number.  `chndtrinc(2.0**63, 5.0, 0.5)` does not return; from 1e15 on the values are NaN where they are not 0
or 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_endless_chi_squared"]

_MOST = 1e14
_NEAR = 0.1
"""Beyond this distance from the mean, beside it, the distribution function is 0 or 1 at once."""


def is_endless_chi_squared(name: str, first: Any, second: Any, third: Any) -> Any:
    """Of `chndtr(x, df, nc)`, or of its inverses by their names."""
    everywhere = 0.0 * (first + second + third) == 0
    if name == "chndtr":
        mean = second + third
        return (np.minimum(first, third) > _MOST) & (np.abs(first - mean) < _NEAR * mean)
    if name == "chndtridf":
        return (np.minimum(first, third) > _MOST) & everywhere
    return ((first if name == "chndtrinc" else third) > _MOST) & everywhere
