"""Where SciPy's values of hypergeometric functions lose digits, as measured against mpmath."""

from __future__ import annotations

from typing import Any

import numpy as np

from .gauss_shared import FEWEST
from .kummer import FAR_ON_AXIS
from .regions import is_pole

__all__ = ["is_coarse_gauss", "is_coarse_kummer", "is_coarse_limit", "is_right_at_one"]


def is_coarse_limit(v: Any, z: Any) -> Any:
    """SciPy's quotients of Bessel functions overflow: from 80 on values are infinite, NaN or 0."""
    return (np.abs(v) > 60) & ~is_pole(v)


def is_coarse_kummer(a: Any, b: Any, z: Any) -> Any:
    """SciPy's values of complex `z` have errors of any size, at parameters larger than 4 in the whole plane.

    At smaller ones it sums the power series, which cancels by `exp(abs(z) - abs(Re z))`, or a short expansion: measured
    are relative errors of 3e-4 at `abs(z)` from 20 to 30, and of any size from 400 on next to the imaginary axis.
    """
    return np.full_like(z, z.dtype.kind == "c", dtype=bool) | ((np.abs(z) > FAR_ON_AXIS) & ~is_pole(b))


def is_coarse_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    """SciPy's expansions cancel near the unit circle and outside at complex `z`, and where a gap is nearly whole.

    So do they at large parameters.  Measured at random ones up to 4, 8 and 20, in one of a thousand, of fifty and of
    three relative errors are larger than 1e-12, up to 2e-10, 3e-7 and any size; hardly any where the signs fit.
    """
    if z.dtype.kind == "c":
        return _is_coarse_complex_gauss(a, b, c, z)
    is_coarse = np.zeros_like(z, dtype=bool)
    (here,) = np.nonzero(z < -1.5)
    if here.shape[0]:
        is_coarse[here] = _is_nearly_whole(b[here] - a[here], 0.05)
    lowest, highest = min(np.min(x) for x in (a, b, c)), max(np.max(x) for x in (a, b, c))
    (here,) = np.nonzero((z > 0.9) & (z < 1))
    if here.shape[0]:
        gap = c[here] - a[here] - b[here]
        # measured: errors up to 1e-11 for a gap of 1e-4 and any size for smaller ones
        is_coarse[here] = _is_nearly_whole(gap, 0.001) & ((z[here] > 0.98) | (lowest < 0))
        if z.shape[0] >= FEWEST:
            # SciPy's series have hundreds of terms there, those about 1 few
            is_coarse[here] |= ~_is_nearly_whole(gap, 0.02, 0.0) & (z[here] > 0.95)
    if lowest >= -4 and highest <= (4 if lowest < 0 else 8):
        return is_coarse
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_negative, is_negative_too = a < 0, b < 0
    is_far, is_right, have_both = np.abs(z) > 0.5, z > 0.5, is_negative & is_negative_too
    cancels = (c < 0) | (is_far & np.where(is_right, is_negative != is_negative_too, have_both))
    cancels_at_large = (c < 0) | (is_far & ~(is_right & have_both))
    is_coarse |= (z < 1) & (((largest > 4) & cancels) | ((largest > 8) & cancels_at_large))
    # polynomials are right at small parameters, and far out at all
    return is_coarse & (~(is_pole(a) | is_pole(b)) | ((largest > 8) & (z > -3)) | (z > 0.9))


def _is_coarse_complex_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    is_coarse = ((np.abs(z) > 1.5) & _is_nearly_whole(b - a, 0.05)) | (
        (np.abs(z - 1) < 0.15) & _is_nearly_whole(c - a - b, 0.05)
    )
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_large = largest > np.where(np.minimum(np.minimum(a, b), c) < 0, 4.0, 8.0)
    is_large = is_large & ~(is_pole(a) | is_pole(b))
    return (z != 1) & (is_coarse | is_large | ((np.abs(z) > 0.85) & (np.imag(z) != 0)))


def _is_nearly_whole(x: Any, most: float, least: float = 1e-300) -> Any:
    gap = np.abs(x - np.rint(x))
    return (gap <= most) & (gap >= least)


def is_right_at_one(*args: Any) -> Any:
    """Where a polynomial of high degree next to 1 was measured: SciPy's real `hyp2f1` is right to 1e-13 there."""
    *parameters, z = args
    if len(parameters) < 3 or z.dtype.kind == "c":
        return np.False_
    a, b, _ = parameters
    is_polynomial = is_pole(a) | is_pole(b)
    return is_polynomial & (z > 0.9) & (z < 1)
