"""Quantiles of the distributions of Student far in the tails, where SciPy's are infinite, or bounds of their search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import betaln

from ..ufuncs.patched_ufunc import PatchedUfunc

_LEAST = 1e-150
"""SciPy's `stdtrit` is right for greater probabilities if there is a degree of freedom, or more."""
_FAR = 1e150
"""SciPy's squares of greater values overflow."""
_POINT = 1e60
"""Where the tail is a power, and its square does not overflow."""
_SMALL = 1e-5
"""The series is in powers of this: what follows on its terms is below the rounding error."""


def far_quantile(ufunc: np.ufunc, better: Callable[..., Any]) -> PatchedUfunc:
    """A quantile function, whose first argument is the degrees of freedom, and whose last one is the probability."""

    def quick(*args: float) -> Any:
        return ufunc(*args) if args[0] >= 1 and _LEAST <= args[-1] <= 1 else None

    return PatchedUfunc(ufunc, better=better, quick=quick)


def far_student_quantile(w: Any, df: Any, p: Any) -> Any:
    """`stdtrit` by the expansion of `betaincinv(a, 1/2, y)` in powers of `x = (a B(a, 1/2) y)**(1 / a)`."""
    is_far = (p < _LEAST) | (np.abs(w) > _FAR)
    if not np.any(is_far):
        return w
    a, tail = df / 2, np.minimum(p, 1 - p)
    log_x = (np.log(2 * tail) + np.log(a) + betaln(a, 0.5)) / a
    x = np.exp(log_x)
    factor = 1 - x / (2 * (a + 1)) * (1 + x * (a * a + a / 2 - 1.5) / (2 * (a + 1) * (a + 2)))
    t = np.sqrt(df * (1 - x * factor) / factor) * np.exp(-log_x / 2)
    return _with_ends(np.where(is_far & (x < _SMALL), np.where(p < 0.5, -t, t), w), df, p)


def far_noncentral_quantile(w: Any, df: Any, nc: Any, p: Any, distribution: Callable[..., Any]) -> Any:
    """`nctdtrit`, as far out the probability is in proportion to `|t|**-df`."""
    is_far = (np.abs(w) > _FAR) & (p > 0) & (p < 1)
    if np.any(is_far):
        sign = np.where(p < 0.5, -1.0, 1.0)
        tail = distribution(df, -sign * nc, -_POINT)
        w = np.where(is_far, sign * _POINT * (tail / np.minimum(p, 1 - p)) ** (1 / df), w)
    return _with_ends(w, df, p)


def _with_ends(w: Any, df: Any, p: Any) -> Any:
    """The quantile, minus infinity where nothing is left of the lower tail."""
    return np.where((p == 0) & (df > 0) & ~np.isnan(w), -np.inf, w)
