"""Thresholds below which numbers count as rounding errors: values relative to the largest, and parts of a cotangent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends import backend_of, eps_of
from ...complex_autograd.engine.traced import raw

TIED = 16.0
"""Values are equal if they differ by less than this times `n eps` times the largest: LAPACK's rounding errors."""


def precision_of(a: Any) -> float:
    """The same of the precision in which an array is computed with: of mpmath's numbers the one in force."""
    return float(np.finfo(a.dtype).eps) if type(a) is np.ndarray else 2.0 ** -backend_of(raw(a)).bits(a.dtype)


def zero_values(s: Any, size: int, rounding: float | None = None) -> Any:
    """1 where descending singular values of matrices with sides up to `size` are zero, else 0; None if none is."""
    if s.shape[-1] == 0:
        return None
    rounding = TIED * size * eps_of(s.dtype) if rounding is None else rounding
    if s.ndim == 1 and s[-1] > rounding * s[0]:
        return None
    small = s <= rounding * s[..., :1]
    return small.astype(s.dtype) if np.any(small) else None


def negligible(cotangent: Any, axes: int) -> Any:
    """What is rounding relative to a cotangent, for each item of a stack; `axes` are the last ones, of an item.

    That is half of the digits of its largest element, and no less than the rounding errors of cotangents of size one:
    at the minimum of a loss all that is left of its cotangent is rounding.
    """
    cotangent = raw(cotangent)
    last = tuple(range(-axes, 0))
    largest = np.max(np.abs(cotangent), axis=last, keepdims=True, initial=0.0)
    size, eps = max(cotangent.shape[-axes:], default=0), eps_of(cotangent.dtype)
    return eps**0.5 * largest + 64 * size * eps


def is_negligible(part: Any, cotangent: Any, axes: int) -> bool:
    """Whether a part of a cotangent is rounding relative to all of it."""
    return bool(np.all(np.abs(raw(part)) <= negligible(cotangent, axes)))
