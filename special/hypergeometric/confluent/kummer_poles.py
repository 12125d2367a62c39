"""Kummer's function `M(a, b, z)` left of 0 where `b - a` is next to a pole of the gamma function, `b` to an integer.

By Kummer's transformation (DLMF 13.2.39) it is `exp(z) M(b - a, b, -z)`.  With `b = k + d` and `b - a = n + e`, `k`
and `n` an integer, the terms behind both poles hold `e / d`, with derivatives as `1 / d`; those behind `n` alone hold
`e`.  Of the difference `b - a` rounding leaves few digits of `e`; as that of `b - k` and `a - (k - n)`, which are
exact, it has all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.hypergeometric_series import moduli
from ...numerics.jets import Jet, choose, variables
from ...numerics.regions import is_near_pole

_NEAR, _FARTHEST = 0.02, 400.0
"""The distance of both from poles within which the series is summed so, and the modulus of `z`."""
_MOST_TERMS, _AT_A_TIME, _NEGLIGIBLE, _LOSS = 2000, 16, 1e-18, 100.0
_ERROR = 1e-11


def is_near_poles(a: Any, b: Any, z: Any) -> Any:
    """Where to sum so."""
    near = _are_near(np.abs(_gap(b)) <= _NEAR, a, b)
    return near & (b != np.rint(b)) & (np.real(z) < 0) & (np.abs(z) <= _FARTHEST) if np.any(near) else near


def is_rounded(a: Any, b: Any, order: int) -> Any:
    """Where a derivative of this order by the rounded difference `b - a` is not right."""
    near = _are_near(is_near_pole(b, _NEAR), a, b)
    if not np.any(near):
        return near
    d, e = _gap(b), _gap(b) - _gap(a)
    return near & (np.abs(_gap(b - a) - e) > _ERROR * np.abs(d) ** (1 + order))


def _are_near(near: Any, a: Any, b: Any) -> Any:
    return near & is_near_pole(b - a, _NEAR) if np.any(near) else near


def _gap(x: Any) -> Any:
    return x - np.rint(x)


def near_poles(a: Any, b: Any, z: Any, m: int, orders: tuple[int, ...]) -> tuple[Jet, Any]:
    """`M(a + m, b + m, z)` as a jet of `a` and `b`, and where its terms have converged without cancellation.

    Behind both poles the terms have the factor `e / d = 1 - c / d` with `c = a - (k - n)`, which is often 0.
    """
    c, d = variables(orders, _gap(a), _gap(b))
    e, k, n = d - c, np.rint(b) + m, np.rint(b) - np.rint(a)
    one = d * 0.0 + 1.0
    inverse, both = one / d, one - c / d
    term = one * (0.0 * z + 1.0)
    total, size = term, moduli(term)
    for i in range(_MOST_TERMS):
        above, below = (choose(p + i == 0, one, x + (p + i)) for p, x in ((n, e), (k, d)))
        term = term * above * (-z / (i + 1.0)) / below
        is_behind, has_divided = i >= -n, (k <= 0) & (i >= -k)
        factor = choose(is_behind & has_divided, both, choose(is_behind, e, choose(has_divided, inverse, one)))
        part = term * factor
        last = moduli(part)
        total, size = total + part, size + last
        if i % _AT_A_TIME == 0 and np.all((last <= _NEGLIGIBLE * size) & is_behind & (i > -k)):
            break
    return total * np.exp(z), (last <= _NEGLIGIBLE * size) & (size <= _LOSS * moduli(total))
