"""Noncentral t of hardly any degrees of freedom: a derivative of its distribution function in the centrality."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..numerics.warned import warn

__all__ = ["FEWEST", "in_few_degrees"]

FEWEST = 1e-8
"""Degrees of freedom for which the density of `log(r)` is much wider than the peak about which nodes lie."""
_WIDE, _NONE = 1e-12, 1e-14
_MODERATE = 6.0
"""Centralities up to which nodes about the mode of `r**v phi(t r - d)` do where `t d > 0`."""


def in_few_degrees(integral: Callable[..., Any], v: Any, d: Any, t: Any, n: int) -> Any:
    """`M(v, d, t; n, 0)` of `noncentral_student`, from `integral(v, d, t, n, j)`.

    For `n = 0` it is nearly `phi(d)`, as `r` is next to 0 but for a probability of about `v`. Integration by parts
    gives `v M(0) = (v + t**2) M(2) - t d M(1)`, a sum of positive terms where `t d < 0`.
    """
    out, is_wide = integral(v, d, t, n, 0), v < _WIDE
    limit = np.exp(-d * d / 2) / math.sqrt(2 * math.pi)
    is_none = (v < _NONE * limit) & (n == 0)
    out[is_none] = limit[is_none]
    few = ~is_none & is_wide & (d * t <= 0) & (n == 0)
    if np.any((is_wide & (n > 0)) | (~is_none & (d * t > 0) & (np.abs(d) > _MODERATE))):
        warn(
            "derivatives of nctdtr in nc may have lost digits at degrees of freedom below 1e-8. Keep df above, or use "
            "mpmath there."
        )
    v, d, t = v[few], d[few], t[few]
    root = np.sqrt(v)
    first, second = (integral(v, d, t, 0, j) / root**j for j in (1, 2))
    out[few] = second * (v + t * t) - t / root * d * first
    return out
