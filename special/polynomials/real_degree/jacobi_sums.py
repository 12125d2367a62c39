"""The power series of `jacobi_series.py` of plain vectors, in place.

The elements that need the most terms stand first, and go on alone.  The parameters are jets of numbers or vectors with
first derivatives in one parameter, or such: derivatives of 10,000 elements in the degree take 1.5 times less time so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...numerics.jets import Jet
from ...numerics.regions import joined, part
from .degree_sweeps import falling

MOST_TERMS = 5000
TERMS = 8
"""Between two looks at which elements need more."""
_NEGLIGIBLE = 1e-17
_EVEN = 2.0
"""Elements whose moduli differ by less than this factor are not sorted."""


def are_first_jets(*args: Any) -> bool:
    """Whether there are jets, and all are of plain arrays, with first derivatives in one parameter."""
    jets = [x for x in args if isinstance(x, Jet)]
    parts = [c for jet in jets for c in jet.coefficients.values()] + [x for x in args if not isinstance(x, Jet)]
    is_first = all(jet.orders == (1,) for jet in jets)
    return bool(jets) and is_first and all(type(c) in (float, np.float64, np.ndarray) for c in parts)


def inplace_sums(a: Any, b: Any, c: Any, zeta: Any) -> tuple[Any, Any]:
    """`sum t_k / a` and `sum k t_k / a`."""
    pairs = [(x.value, x.coefficients.get((1,), 0.0)) if isinstance(x, Jet) else (x, 0.0) for x in (a, b, c)]
    arguments, size = [*(x for pair in pairs for x in pair), zeta], np.abs(zeta)
    if np.max(size) <= _EVEN * np.min(size):
        out = _pair_of_sums(*arguments)
    else:
        order = falling(size)
        out = joined([_pair_of_sums(*[part(x, order) for x in arguments])], order)
    return Jet({(0,): out[0], (1,): out[2]}, (1,)), Jet({(0,): out[1], (1,): out[3]}, (1,))


def _pair_of_sums(a: Any, da: Any, b: Any, db: Any, c: Any, dc: Any, zeta: Any) -> Any:
    """The sums, and their derivatives along those of the parameters."""
    first, first_derivative, square = (2 * (2 * b - c)) * zeta, (2 * (2 * db - dc)) * zeta, zeta * zeta
    before, term = np.full_like(zeta, 2.0), first / c
    dbefore, dterm = np.zeros_like(zeta), (first_derivative - term * dc) / c
    sums = np.stack([term, term, dterm, dterm])
    going, done = slice(len(zeta)), 2
    while going.stop and done < MOST_TERMS:
        columns = (term, before, dterm, dbefore, first, first_derivative, square, a, da, c, dc)
        u, v, du, dv, y, dy, y2, p, dp, q, dq = (part(x, going) for x in columns)
        w = sums[:, going]
        for k in range(done, done + TERMS):
            weight, twice, upper, below = 2 * p - q + (k - 1), 2 * p + (k - 2), p + (k - 1), (q + (k - 1)) * k
            bend = (2 * dp - dq) * twice + 2 * dp * weight if k > 2 else 2 * dp - dq
            weight = weight * twice if k > 2 else weight
            v *= y2
            dv *= y2
            dv *= weight
            dv += bend * v
            dv += upper * (y * du)
            dv += (dp * y + upper * dy) * u
            v *= weight
            v += upper * (y * u)
            v /= below
            dv -= dq * k * v
            dv /= below
            w[0] += v
            w[1] += v * k
            w[2] += dv
            w[3] += dv * k
            u, v, du, dv = v, u, dv, du
        done += TERMS
        going = slice(max(active(u, v, w[0]).stop, active(du, dv, w[2]).stop))
    return sums


def active(term: Any, before: Any, total: Any) -> slice:
    """Up to which element terms of a series still count in its sum."""
    (rest,) = np.nonzero(np.abs(term) + np.abs(before) > _NEGLIGIBLE * np.abs(total))
    return slice(rest[-1] + 1 if len(rest) else 0)
