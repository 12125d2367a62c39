"""Modified Bessel functions of real order where it or the argument is large: Debye's expansions.

With `r = sqrt(v**2 + s**2)`, `q = v**2 / r**2` and `E = r - v arcsinh(v / s)`,

    I_v(s) = exp(E) / sqrt(2 pi r) F(1 / r),    K_v(s) = sqrt(pi / (2 r)) exp(-E) F(-1 / r),
    F(w) = sum_k w**k sum_j c_kj q**j,

DLMF 10.41.3 and 10.41.4, whose `U_k(p) / v**k` have `p = v / r`.  They hold for all `v >= 0` and `s > 0` alike; at
`v = 0` they are Hankel's.  The order is a jet, and `dE / dv = -arcsinh(v / s)`, the derivative of which is `-1 / r`.
"""

from __future__ import annotations

import math
from functools import cache, partial
from typing import Any

import numpy as np
from scipy import special

from ..numerics.jets import Jet, compose, exponential, variables
from ..numerics.regions import by_region

SMALLEST_RADIUS = 32.0
"""From here on the expansions hold to all digits."""
_TERMS = [(math.inf, 7), (200.0, 9), (100.0, 11), (60.0, 14), (43.0, 18)]
"""How many terms suffice from each radius on to the next, the last from `SMALLEST_RADIUS`."""


def uniform_first(v: Any, s: Any, n: int, extra: Any) -> list[Any]:
    """The coefficients in the order of `exp(extra - s) I`."""
    return _uniform(v, s, n, 1.0, extra)


def uniform_second(v: Any, s: Any, n: int, extra: Any) -> list[Any]:
    """The coefficients in the order of `exp(extra + s) K`."""
    return _uniform(v, s, n, -1.0, extra)


def _uniform(v: Any, s: Any, n: int, sign: float, extra: Any) -> list[Any]:
    order = variables((n,), v)[0]
    radius = np.hypot(v, s)
    square = order * order + s * s

    def root(exponent: float) -> Jet:
        return compose(square, lambda _, k: special.binom(exponent, k) * radius ** (2 * exponent - 2 * k))

    inverse = root(-0.5)
    angle = np.arcsinh(v / s)
    derivatives = [angle, *(inverse.coefficients[(k,)] / (k + 1) for k in range(n - 1))]
    exponents = [
        v * v / (radius + s) - v * angle,
        *(-derivative / (k + 1) for k, derivative in enumerate(derivatives[:n])),
    ]
    exponent = Jet({(k,): sign * c for k, c in enumerate(exponents)}, (n,)) + extra
    q = order * order * inverse * inverse
    constant = 1 / math.sqrt(2 * math.pi) if sign > 0 else math.sqrt(math.pi / 2)
    result = exponential(exponent) * expansion_jet(q, inverse * sign, radius) * root(-0.25) * constant
    return [result.coefficients.get((k,), 0.0 * radius) for k in range(n + 1)]


def expansion_jet(q: Jet, w: Jet, radius: Any) -> Jet:
    """`F(w)`, from its Taylor coefficients in `q` and `w`; the number of terms depends on the modulus of `r`."""
    n = sum(q.orders)
    masks = [*(radius >= bound for bound, _ in _TERMS[1:]), True]
    regions = [(mask, partial(_taylor, n, terms)) for mask, (_, terms) in zip(masks, _TERMS, strict=True)]
    found = iter(by_region(regions, q.value, w.value))
    total = Jet({(0,) * len(q.orders): next(found)}, q.orders)
    for i, j in _indices(n)[1:]:
        power = math.prod([q.nilpotent()] * i + [w.nilpotent()] * j, start=1.0)
        total = power * next(found) + total
    return total


def expansion(q: Any, w: Any) -> Any:
    """`F(w)` of arrays, by all terms."""
    return _taylor(0, _TERMS[-1][1], q, w)[0]


def _indices(n: int) -> list[tuple[int, int]]:
    return [(i, degree - i) for degree in range(n + 1) for i in range(degree + 1)]


def _taylor(n: int, terms: int, q: Any, w: Any) -> list[Any]:
    """Those of `q**i w**j`, `i + j <= n`, by synthetic division."""
    totals: list[list[Any]] = [[0.0 * q for _ in range(n + 1 - j)] for j in range(n + 1)]
    for row in _coefficients()[terms - 1 :: -1]:
        inner = [0.0 * q + row[-1], *(0.0 * q for _ in range(n))]
        for c in row[-2::-1]:
            for i in range(n, 0, -1):
                inner[i] = inner[i] * q + inner[i - 1]
            inner[0] = inner[0] * q + c
        for j in range(n, 0, -1):
            totals[j] = [a * w + b for a, b in zip(totals[j], totals[j - 1], strict=False)]
        totals[0] = [a * w + b for a, b in zip(totals[0], inner, strict=True)]
    return [totals[j][i] for i, j in _indices(n)]


@cache
def _coefficients() -> list[list[float]]:
    """`c_kj`, by the recurrence DLMF 10.41.9 of `U_k(p) = p**k sum_j c_kj p**(2 j)`."""
    rows = [[1.0]]
    for k in range(_TERMS[-1][1] - 1):
        following = [0.0] * (k + 2)
        for j, c in enumerate(rows[-1]):
            power = k + 2 * j
            following[j] += c * (power / 2 + 1 / (8 * (power + 1)))
            following[j + 1] -= c * (power / 2 + 5 / (8 * (power + 3)))
        rows.append(following)
    return rows
