"""The power series of `jacobi_series.py` of plain vectors, in place.

The elements that need the most terms stand first, and go on alone.  The parameters are numbers, vectors, or jets of
these with first derivatives in one parameter.
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


def is_plain(*args: Any) -> bool:
    """Whether all are plain, or jets of plain arrays with first derivatives in one parameter."""
    jets = [x for x in args if isinstance(x, Jet)]
    parts = [c for jet in jets for c in jet.coefficients.values()] + [x for x in args if not isinstance(x, Jet)]
    is_first = all(jet.orders == (1,) for jet in jets)
    return is_first and all(type(c) in (float, np.float64, np.ndarray) for c in parts)


def inplace_sums(a: Any, b: Any, c: Any, zeta: Any) -> tuple[Any, Any]:
    """`sum t_k / a` and `sum k t_k / a`."""
    pairs = [(x.value, x.coefficients.get((1,), 0.0)) if isinstance(x, Jet) else (x, 0.0) for x in (a, b, c)]
    has_derivative = any(isinstance(x, Jet) for x in (a, b, c))
    arguments = [*(x for pair in pairs for x in pair[: 1 + has_derivative]), zeta]
    sums, size = _pair_of_sums if has_derivative else _plain_sums, np.abs(zeta)
    if np.max(size) <= _EVEN * np.min(size):
        out = sums(*arguments)
    else:
        order = falling(size)
        out = joined([sums(*[part(x, order) for x in arguments])], order)
    if not has_derivative:
        return out[0], out[1]
    return Jet({(0,): out[0], (1,): out[2]}, (1,)), Jet({(0,): out[1], (1,): out[3]}, (1,))


def _plain_sums(a: Any, b: Any, c: Any, zeta: Any) -> Any:
    first, square, excess = (2 * (2 * b - c)) * zeta, zeta * zeta, 2 * a - c
    before, term = np.full_like(zeta, 2.0), first / c
    value, derivative = term.copy(), term.copy()
    going, done = slice(len(zeta)), 2
    while going.stop and done < MOST_TERMS:
        u, v, y, y2, p, q, e, w, dw = (
            part(x, going) for x in (term, before, first, square, a, c, excess, value, derivative)
        )
        for k in range(done, done + TERMS):
            v *= y2
            v *= (e + (k - 1)) * (2 * p + (k - 2)) if k > 2 else e + 1
            v += (p + (k - 1)) * y * u
            v /= (q + (k - 1)) * k
            w += v
            dw += v * k
            u, v = v, u
        done += TERMS
        going = active(u, v, w)
    return np.stack([value, derivative])


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
