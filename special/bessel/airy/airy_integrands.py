"""Airy's functions at `x` and `-x` together: the integrands of `itairy`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import airy

from ...numerics.regions import by_region
from ...ufuncs.piecewise import Piecewise
from ...ufuncs.ufunc_rules import pointwise

_FAR = 10.0
"""From here on the asymptotic expansions hold to all digits."""
_TERMS = 12


def _coefficients() -> list[float]:
    """`u_k` of DLMF 9.7.2."""
    u = [1.0]
    for k in range(1, 2 * _TERMS):
        u.append(u[-1] * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1)))
    return u


_EVEN, _ODD = _coefficients()[::2], _coefficients()[1::2]


def _derivatives(x: Any) -> tuple[Any, ...]:
    _, first, _, second = airy(x)
    _, first_behind, _, second_behind = airy(-x)
    return first, second, -first_behind, -second_behind


@pointwise(lambda w, x: _derivatives(x))
def airy_integrands(x: Any) -> tuple[Any, ...]:
    """`Ai(x), Bi(x), Ai(-x), Bi(-x)`."""
    flat = np.reshape(x * np.float64(1), (-1,))
    with np.errstate(all="ignore"):
        is_near = np.abs(flat) < _FAR
        outs = by_region([(is_near, _near), (~is_near & (flat > 0), _far), (~is_near, _far_behind)], flat)
    return tuple(np.reshape(w, np.shape(x)).astype(x.dtype)[()] for w in outs)


_near_airy = Piecewise(-_FAR, _FAR, lambda x: airy(x)[::2])


def _near(x: Any) -> tuple[Any, ...]:
    return _near_airy(x) + _near_airy(-x)


def _far(x: Any) -> tuple[Any, ...]:
    """DLMF 9.7.5, 9.7.7, 9.7.9 and 9.7.11, of one series split into its even and its odd part."""
    root = np.sqrt(x)
    zeta = 2 / 3 * x * root
    inverse = 1 / zeta
    square = inverse * inverse
    even, odd = _series(_EVEN, square), _series(_ODD, square) * inverse
    even_behind, odd_behind = _series(_EVEN, -square), _series(_ODD, -square) * inverse
    growth, cosine, sine = np.exp(zeta), np.cos(zeta - math.pi / 4), np.sin(zeta - math.pi / 4)
    factor = 1 / np.sqrt(math.pi * root)
    return (
        factor * (even - odd) / (2 * growth),
        factor * (even + odd) * growth,
        factor * (cosine * even_behind + sine * odd_behind),
        factor * (cosine * odd_behind - sine * even_behind),
    )


def _series(coefficients: list[float], s: Any) -> Any:
    total = np.full_like(s, coefficients[-1])
    for u in coefficients[-2::-1]:
        total *= s
        total += u
    return total


def _far_behind(x: Any) -> tuple[Any, ...]:
    first, second, first_behind, second_behind = _far(-x)
    return first_behind, second_behind, first, second
