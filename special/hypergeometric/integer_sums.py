"""Hypergeometric series summed in integers, one element at a time: the last resort where all expansions cancel.

Parameters and arguments are fractions with powers of 2 below, so the terms are known to any number of bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_BITS = (160, 320, 640, 1280)
"""Of the fraction; more are taken until the sum has `_KEPT` bits beyond its errors."""
_KEPT = 56
_RATE, _BETWEEN, _UNITS = 0.92, 0.5, 32
"""It ends where terms decrease so fast, or, where that is slower, by this part of the distance from the last rate to 1
faster, and are no larger than this, which is more than what rounding leaves of them."""
_MOST = 30000
"""A series that needs more terms is given up."""


def series_in_integers(upper: Sequence[Any], lower: Sequence[Any], z: Any) -> Any:
    """`sum_k (a_1)_k .. / ((b_1)_k .. k!) z**k`, DLMF 16.2.1; NaN where it takes too many terms or bits.

    Parameters
    ----------
    upper, lower : sequence of array
        The real parameters, flat.
    z : array
        Real or complex.
    """
    out = np.full_like(z, np.nan)
    count = len(upper)
    for i, (*parameters, point) in enumerate(zip(*upper, *lower, z, strict=True)):
        numbers = [float(p) for p in parameters]
        for bits in _BITS:
            try:
                total = _sum(numbers[:count], numbers[count:], complex(point), bits)
            except OverflowError:
                break
            if total is not None:
                out[i] = total if out.dtype.kind == "c" else total.real
                break
    return out


def _sum(upper: Sequence[float], lower: Sequence[float], z: complex, bits: int) -> complex | None:
    """The sum, or None where it has not enough bits."""
    (above, shift), (below, shift_below) = _fractions(upper), _fractions(lower)
    (x, y), shift_of_z = _fractions([z.real, z.imag])
    raised = shift_below * len(lower) - shift * len(upper) - shift_of_z
    real, imaginary = 1 << bits, 0
    total, total_imaginary = real, imaginary
    rate = max(_RATE, 1 - _BETWEEN * (1 - abs(z))) if abs(z) < 1 and len(upper) > len(lower) else _RATE
    error, all_errors = 0.0, 2 * _UNITS / (1 - rate)
    for k in range(_MOST):
        p, q = 1, k + 1
        for number in above:
            p *= number + (k << shift)
        for number in below:
            q *= number + (k << shift_below)
        if q == 0:
            return None
        real, imaginary = p * (real * x - imaginary * y), p * (real * y + imaginary * x)
        real, imaginary = (_shifted(t, raised) // q for t in (real, imaginary))
        total, total_imaginary = total + real, total_imaginary + imaginary
        ratio = abs(z) * abs(_quotient(p, q, raised + shift_of_z))
        error = error * ratio + 2.0
        all_errors += error
        if ratio < rate and max(abs(real), abs(imaginary)) <= _UNITS and k > -min([*upper, *lower, 0.0]):
            break
    else:
        return None
    size = max(abs(total), abs(total_imaginary))
    if not all_errors * 2.0**_KEPT < size:
        return None
    return complex(total / (1 << bits), total_imaginary / (1 << bits))


def _quotient(p: int, q: int, raised: int) -> float:
    return (p << raised) / q if raised >= 0 else p / (q << -raised)


def _shifted(t: int, raised: int) -> int:
    return t << raised if raised >= 0 else t >> -raised


def _fractions(numbers: Sequence[float]) -> tuple[list[int], int]:
    """Numerators, and the logarithm to base 2 of what stands below all of them."""
    ratios = [x.as_integer_ratio() for x in numbers]
    shift = max((d.bit_length() - 1 for _, d in ratios), default=0)
    return [n << (shift - d.bit_length() + 1) for n, d in ratios], shift
