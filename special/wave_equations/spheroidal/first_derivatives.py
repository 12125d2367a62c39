"""The first derivatives of the spheroidal functions, of single numbers, in plain arithmetic.

They are those of the sums of `angular.py` and `radial.py`, written out.  Where a sum is not to be
trusted, or the functions are had in another way, there is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import mul

from .angular import is_near_pole
from .coefficients import MOST_CANCELLED
from .equation import marched_in_numbers
from .functions import SERIES_FROM, is_summed
from .radial import NEGLIGIBLE, OVERFLOWING
from .scalars import Direction, Expansion, Numbers, State, weighted, weighted_size

Pair = tuple[float, float]

# (1 - x**2)**(m/2) (sum_k d_k (u_r(x) - u_r(0)) + the sum at 0, which the normalisation fixes), and its derivative


def angular_change(expansion: Expansion, x: float, along: Direction) -> Pair | None:
    """The change of the angular function and of its derivative."""
    m, n = expansion.m, expansion.n
    if not abs(x) < 1 or (not expansion.is_given and is_near_pole(expansion.sign, abs(expansion.c), x)):
        return None
    mode, d = expansion.mode, expansion.d
    total, size = weighted(mode.at_zero, d), weighted_size(mode.at_zero, d)
    if size > MOST_CANCELLED * abs(total):
        return None
    d = [mode.at_degree / total * y for y in d]
    index, count = int(n - m), mode.r[-1] + 1
    (rise, at_zero), (rise_of_derivative, derivative_at_zero) = (_legendre(m + j, count, x) for j in range(2))
    rows = [rise[r] for r in mode.r], [rise_of_derivative[r - 1] if r else 0.0 for r in mode.r]
    fixed = at_zero[index], derivative_at_zero[index - 1] if index else 0.0
    f, df = (weighted(d, row) + start for row, start in zip(rows, fixed, strict=True))
    sizes = [weighted_size(d, row) + abs(start) for row, start in zip(rows, fixed, strict=True)]
    if sizes[0] > MOST_CANCELLED * abs(f) and sizes[1] > MOST_CANCELLED * abs(df):
        return None
    if along.c or along.value:
        change = expansion.change(along)
        relative = weighted(mode.at_zero, change) / total
        change = [mode.at_degree / total * dy - relative * y for y, dy in zip(d, change, strict=True)]
        moved, dmoved = (weighted(change, row) for row in rows)
    else:
        moved = dmoved = 0.0
    if along.x:
        rise, at_zero = _legendre(m + 2, count, x)
        moved += df * along.x
        dmoved += along.x * sum(y * (rise[r - 2] + at_zero[r - 2]) for y, r in zip(d, mode.r, strict=True) if r > 1)
    rest = (1 - x) * (1 + x)
    scale, inner = rest ** (m / 2), -m * x / rest  # and its logarithmic derivative
    bent = inner * inner - m / rest - 2 * m * x * x / (rest * rest)
    return scale * (moved + inner * f * along.x), scale * (dmoved + inner * moved + (inner * df + bent * f) * along.x)


def _legendre(m: float, count: int, x: float) -> tuple[list[float], Numbers]:
    """`u_r(x) - u_r(0)` and `u_r(0)` of `r < count`, see `angular.py`."""
    at_zero, steps = _legendre_steps(m, count)
    before, last = 0.0, (2 * m + 1) * x * at_zero[0]
    rows = [before, last]
    for rises, falls, start in steps:
        before, last = last, rises * x * (last + start) - falls * before
        rows.append(last)
    return rows, at_zero


@lru_cache(maxsize=1024)
def _legendre_steps(m: float, count: int) -> tuple[Numbers, Sequence[tuple[float, float, float]]]:
    """`u_r(0)`, and the factors of the recurrence next to it."""
    rises, falls = ([(j * r + 2 * m + j - 1) / (r + 1) for r in range(1, count - 1)] for j in (2, 1))
    at_zero = [math.prod(range(1, 2 * int(m), 2)), 0.0]
    for fall in falls:
        at_zero.append(-fall * at_zero[-2])
    return at_zero, list(zip(rises, falls, at_zero[1:], strict=False))


# (x**2 - sign)**(m/2) x**-m sum_k e_k f_l(c x) / sum_k |e_k| with l = m + r, and its derivative: as `x**-m f_l` is
# about x**r at small x, its terms do not cancel there; DLMF 10.51.2


def radial_change(kind: int, expansion: Expansion, x: float, along: Direction) -> Pair | None:
    """The same of the radial function of the first or second kind."""
    sign, c = expansion.sign, expansion.c
    mode = sign, expansion.m, expansion.n, abs(c), expansion.given
    if not (x > (sign == 1) and c != 0):
        return None
    if is_summed(kind, *mode, x):
        found = _summed(kind, expansion, x, along)
    elif kind == 2 and x < SERIES_FROM and is_summed(kind, *mode, SERIES_FROM):
        found = _summed(kind, expansion, SERIES_FROM, along._replace(x=0.0))
        found = None if found is None else marched_in_numbers(expansion, SERIES_FROM, x, found, along)
    else:
        return None
    return None if found is None else found[2:]


def _summed(kind: int, expansion: Expansion, x: float, along: Direction) -> State | None:
    """The sum and its derivative, and how they change."""
    sign, m, n, c = expansion.sign, expansion.m, expansion.n, expansion.c
    mode, d, z = expansion.mode, expansion.d, c * x
    orders = mode.orders
    functions = (_spherical_j if kind == 1 else _spherical_y)(z, orders[-1] + 1)
    if len(functions) < orders[-1] + 2:
        orders = orders[: sum(order + 1 < len(functions) for order in orders)]
    if not orders:
        return None
    e = list(map(mul, mode.signed, d))
    here, above = [functions[order] for order in orders], [functions[order + 1] for order in orders]
    r = [order - m for order in orders]
    rates = [k * f / z - g for k, f, g in zip(r, here, above, strict=True)]
    divisor = weighted(mode.radial, d)
    total, first_derivative = weighted(e, here), weighted(e, rates)
    size = weighted_size(e, here)
    cancels = size > MOST_CANCELLED * (abs(total) + abs(z * first_derivative) / (1 + abs(z) + m))
    cancels = cancels or weighted_size(mode.radial, d) > MOST_CANCELLED * abs(divisor)
    if cancels or abs(e[len(here) - 1] * here[-1]) > NEGLIGIBLE * size:
        return None
    dz = along.c * x + c * along.x
    bends = [(k * (k - 1) / (z * z) - 1) * f + 2 * (m + 1) / z * g for k, f, g in zip(r, here, above, strict=True)]
    moved, dmoved, share = dz * first_derivative, dz * weighted(e, bends), 0.0
    if along.c or along.value:
        change = expansion.change(along)
        e = list(map(mul, mode.signed, change))
        moved, dmoved = moved + weighted(e, here), dmoved + weighted(e, rates)
        share = weighted(mode.radial, change) / divisor
    moved, dmoved = moved + m * along.c / c * total, dmoved + (m + 1) * along.c / c * first_derivative
    rest = (x - 1) * (x + 1) if sign == 1 else x * x + 1
    outer = m * x / rest  # the logarithmic derivative of `rest**(m/2)`
    factor = (1 - 2 * ((n - m) // 2 % 2)) * (rest / (x * x)) ** (m / 2) / divisor
    relative = outer * along.x - share
    function, derivative = factor * total, factor * c * first_derivative
    changed = factor * moved + relative * function
    dmoved = factor * c * dmoved + relative * derivative
    dmoved += outer * changed - m * (x * x + sign) / (rest * rest) * function * along.x
    return function, derivative + outer * function, changed, dmoved


def _spherical_j(z: float, highest: int) -> list[float]:
    """`j_0, .., j_highest`, see `bessel_sequences`."""
    sine, cosine = math.sin(z), math.cos(z)
    lowest = sine / z, (sine / z - cosine) / z
    if abs(z) > highest + 1:
        return _upwards(lowest, z, highest)
    first, forgotten = highest + 1, 1.0
    while forgotten > 1e-18:
        first += 1
        forgotten *= min(1.0, (z / (2 * first + 1)) ** 2)
    ratio, ratios = 0.0, []
    for k in range(first, 0, -1):
        ratio = z / (2 * k + 1 - z * ratio)
        ratios.append(ratio)
    rows = list(accumulate(ratios[: -highest - 1 : -1], mul, initial=1.0))
    scale = lowest[0] if abs(rows[1]) <= 1 else lowest[1] / rows[1]
    return [scale * y for y in rows]


def _spherical_y(z: float, highest: int) -> list[float]:
    """`y_0, .., y_highest`, ending before they overflow."""
    sine, cosine = math.sin(z), math.cos(z)
    return _upwards((-cosine / z, -(cosine / z + sine) / z), z, highest)


def _upwards(lowest: Pair, z: float, highest: int) -> list[float]:
    before, last = lowest
    rows = [before]
    for k in range(1, highest + 1):
        if not abs(last) < OVERFLOWING:
            break
        rows.append(last)
        before, last = last, (2 * k + 1) / z * last - before
    return rows
