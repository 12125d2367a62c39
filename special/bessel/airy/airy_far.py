"""Airy functions far out, where the phase of SciPy's loses a factor of `zeta = 2/3 z**(3/2)`, or is given up.

With `zeta` in two doubles, and the sums `U(s) = sum_k u_k / (s zeta)**k` of DLMF 9.7.2 and `V` alike of its `v_k`, let

    a = exp(-zeta) U(-1) / (2 sqrt(pi) z**(1/4)),    b = exp(zeta) U(1) / (2 sqrt(pi) z**(1/4)).

On and above the real axis, where `Re z < 0`, `Ai = a + i b` and `Bi = b + i a`.  Elsewhere `Ai = a` and
`Bi = 2 b + i a`, on the axis itself `2 b`: DLMF 9.7.5 in 9.2.14 and 9.2.11.  Below they are the conjugates.
In derivatives `-z**(1/4) V(-1)` and `z**(1/4) V(1)` stand for `z**(-1/4) U`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...numerics.exact_products import three_halves
from ...numerics.horner import horner

_TERMS = 7
NEAREST, _FARTHEST = 1e3, 1e12
"""From this modulus on the sums have all digits; up to the second the phase has."""
_LARGEST_EXPONENT = 700.0


def _coefficients() -> tuple[list[float], list[float]]:
    """`u_k` and `v_k`."""
    u = [1.0]
    for k in range(1, _TERMS):
        u.append(u[-1] * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1)))
    return u, [x * (6 * k + 1) / (1 - 6 * k) for k, x in enumerate(u)]


_U, _V = _coefficients()


def has_lost_phase(z: Any, scaled: bool = False) -> Any:
    """Where the values are to be taken from here: not where unscaled ones may overflow."""
    size = np.abs(z)
    here = (size >= NEAREST) & (size <= _FARTHEST)
    if z.dtype.kind != "c":
        return here & (z < 0)
    return here if scaled else here & (np.abs(np.real(np.sqrt(np.where(here, z, 0.0)) * z)) < 1.5 * _LARGEST_EXPONENT)


def missing_phase(z: Any, zeta: Any) -> Any:
    """What a rounded `zeta` of complex numbers lacks, where it counts."""
    here = has_lost_phase(z, True) if z.dtype.kind == "c" else np.False_
    if not np.any(here):
        return 0.0
    third, rest = three_halves(np.where(here, z, 1.0))
    return np.where(here, third - zeta + rest, 0.0)


def airy_far(z: Any, scaled: bool = False) -> tuple[Any, ...]:
    """`Ai, Ai', Bi, Bi'` of a vector of complex or of negative numbers, where `has_lost_phase`, or those of `airye`."""
    is_real, is_below = z.dtype.kind != "c", np.signbit(np.imag(z))
    point = np.where(is_below, np.conjugate(z), z + 0j)
    zeta, rest = three_halves(point)
    fourth = np.sqrt(np.sqrt(point))

    def part(sign: int, exponent: Any, more: Any) -> tuple[Any, Any]:
        """`a` or `b`, times the exponential of something, and its derivative without that of this factor."""
        scale = np.exp(sign * zeta + exponent) * np.exp(sign * rest + more) * (0.5 / math.sqrt(math.pi))
        inverse = sign / zeta
        return scale * horner(_U, inverse) / fourth, sign * scale * horner(_V, inverse) * fourth

    is_left = np.real(point) < 0
    sign = -np.sign(np.real(zeta) + np.real(rest)) if scaled else 0.0
    size, lost = sign * np.real(zeta), sign * np.real(rest)
    falling = part(-1, zeta, rest) if scaled else part(-1, 0.0, 0.0)
    rising = part(1, np.where(is_left, zeta, -zeta), np.where(is_left, rest, -rest)) if scaled else part(1, 0.0, 0.0)
    values = [a + np.where(is_left, 1j * b, 0.0) for a, b in zip(falling, rising, strict=True)]
    beside = np.where(is_left | (np.imag(point) > 0), 1j, 0.0)
    for a, b in zip(part(-1, size, lost), part(1, size, lost), strict=True):
        values.append(np.where(is_left, b, 2 * b) + beside * a)
    if is_real:
        values[:2] = [np.nan * w if scaled else w for w in values[:2]]
        return tuple(np.real(w) for w in values)
    return tuple(np.where(is_below, np.conjugate(w), w) for w in values)
