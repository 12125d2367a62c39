"""What the hypergeometric functions share: their power series, and the march along a path by Taylor series.

Both work on jets of the parameters.  The series says how much it cancels, so that another way can be taken where it
does.  The march solves the differential equation from where the series is good: it loses nothing where the function is
not dominated by the other solution along the path.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import SpecialFunctionWarning

from .jets import Index, Jet, choose

__all__ = [
    "checked_march",
    "dense",
    "march",
    "moduli",
    "power_series",
    "sparse",
    "try_in_turn",
    "two_marches",
    "without_lost",
]

Attempt = Callable[..., tuple[Jet, Any]]

_AGREEMENT = 2e-11
"""A march is trusted where its values with two lengths of the step agree so far."""

_PIECE = 16384
"""Elements at a time, so that what a series works on stays in the cache."""

_BLOCK = 16
"""Terms of a series between two looks at which elements have converged."""

_STEPS = 600
"""A march ends after so many steps."""


def power_series(
    upper: Sequence[Jet], lower: Sequence[Jet], z: Any, limit: int, loss: float = 100.0
) -> tuple[Jet, Any]:
    """`sum_k (a_1)_k .. / ((b_1)_k .. k!) z**k`, DLMF 16.2.1, and where it has converged without cancellation.

    It is taken to cancel where the sum of moduli is larger than the modulus of the sum by the factor `loss`.  Elements
    drop out as their sums converge.  The parameters are arrays with constant slopes.
    """
    orders = lower[0].orders
    indices = [k for k in _indices(orders) if _reaches(k, [*upper, *lower])]
    slopes = [_constant_slopes(p) for p in (*upper, *lower)]
    values = [p.value + 0.0 * z for p in (*upper, *lower)]
    pieces = []
    for i in range(0, max(z.shape[0], 1), _PIECE):
        part = slice(i, i + _PIECE)
        pieces.append(_sums([x[part] for x in values], slopes, len(upper), indices, z[part], limit, loss))
    *totals, converges = pieces[0] if len(pieces) == 1 else map(np.concatenate, zip(*pieces, strict=True))
    return Jet(dict(zip(indices, totals, strict=True)), orders), converges


def _sums(
    values: list[Any],
    slopes: Sequence[dict[Index, float]],
    upper: int,
    indices: Sequence[Index],
    z: Any,
    limit: int,
    loss: float,
) -> list[Any]:
    """The coefficients of the sum in a row, and where it is good."""
    outs = [np.zeros_like(values[-1]) for _ in indices]
    converges = np.zeros_like(z, dtype=bool)
    z = z + 0.0 * values[0]
    state = _State(values, z, np.max(-np.real(np.stack(values[upper:])), axis=0), len(indices))
    place = np.cumsum(np.ones_like(z, dtype=np.int64)) - 1
    for k in range(0, limit, _BLOCK):
        state.advance(k, slopes, upper, indices)
        size = state.last_size()
        has_ended = (size <= 1e-19 * state.sizes) & (state.last_pole < k + _BLOCK - 2)
        leaves = has_ended | ~np.isfinite(state.sizes)
        if k + _BLOCK >= limit:
            leaves = leaves | True
        elif 8 * np.count_nonzero(leaves) < leaves.shape[0]:
            continue
        here = place[leaves]
        for out, total in zip(outs, state.totals, strict=True):
            out[here] = total[leaves]
        modulus = sum(np.abs(total[leaves]) for total in state.totals)
        converges[here] = has_ended[leaves] & (state.sizes[leaves] <= loss * modulus)
        stays = ~leaves
        place = place[stays]
        if place.shape[0] == 0:
            break
        state.keep(stays)
    return [*outs, converges]


class _State:
    """The parameters, the terms and the sums of the elements whose series goes on."""

    def __init__(self, values: list[Any], z: Any, last_pole: Any, count: int) -> None:
        self.values = values
        self.z = z
        self.last_pole = last_pole
        self.terms = [np.zeros_like(values[-1]) for _ in range(count)]
        self.terms[0] += 1.0
        self.totals = [term + 0.0 for term in self.terms]
        self.sizes = np.abs(self.terms[0])

    def last_size(self) -> Any:
        """The sum of the moduli of the last terms."""
        return sum(np.abs(term) for term in self.terms)

    def keep(self, mask: Any) -> None:
        """Let the other elements go."""
        self.z, self.last_pole, self.sizes = self.z[mask], self.last_pole[mask], self.sizes[mask]
        self.values = [x[mask] for x in self.values]
        self.terms = [x[mask] for x in self.terms]
        self.totals = [x[mask] for x in self.totals]

    def advance(self, start: int, slopes: Sequence[dict[Index, float]], upper: int, indices: Sequence[Index]) -> None:
        """Add the terms of one block; far out, every fourth modulus stands for four."""
        fixed = [i for i, slope in enumerate(slopes) if not slope]
        for k in range(start, start + _BLOCK):
            ratio = self.z * (1.0 / (k + 1))
            for i in fixed:
                shifted = self.values[i] + float(k)
                if i < upper:
                    ratio *= shifted
                else:
                    ratio /= shifted
            for i, slope in enumerate(slopes):
                if slope:
                    (_multiply if i < upper else _divide)(self.terms, indices, self.values[i] + float(k), slope)
            for i in range(len(indices)):
                self.terms[i] *= ratio
                self.totals[i] += self.terms[i]
            if k < 16:
                self.sizes += self.last_size()
            elif k % 4 == 0:
                self.sizes += 4 * self.last_size()


def _reaches(index: Index, parameters: Sequence[Jet]) -> bool:
    """Whether a coefficient differs from 0: it is of variables that are in a parameter."""
    held = {i for p in parameters for k in p.nilpotent().coefficients for i, n in enumerate(k) if n}
    return all(i in held for i, n in enumerate(index) if n)


def _constant_slopes(jet: Jet) -> dict[Index, float]:
    return {k: c for k, c in jet.nilpotent().coefficients.items() if c != 0.0}


def _multiply(terms: list[Any], indices: Sequence[Index], value: Any, slopes: dict[Index, float]) -> None:
    """Multiply the jet of the terms, in place, by `value + slopes`; each coefficient by those before it."""
    for i in reversed(range(len(indices))):
        terms[i] *= value
        _add_lower(terms, indices, i, slopes, 1.0)


def _divide(terms: list[Any], indices: Sequence[Index], value: Any, slopes: dict[Index, float]) -> None:
    """Divide in the same way, from the lowest coefficient."""
    for i in range(len(indices)):
        _add_lower(terms, indices, i, slopes, -1.0)
        terms[i] /= value


def _add_lower(terms: list[Any], indices: Sequence[Index], i: int, slopes: dict[Index, float], sign: float) -> None:
    for step, slope in slopes.items():
        lower = tuple(x - y for x, y in zip(indices[i], step, strict=True))
        if lower in indices:
            terms[i] += terms[indices.index(lower)] * (sign * slope)


def moduli(jet: Jet) -> Any:
    """The sum of the moduli of the coefficients."""
    parts = list(jet.coefficients.values())
    return sum((np.abs(c) for c in parts[1:]), np.abs(parts[0]))


def try_in_turn(attempts: Sequence[tuple[Any, Attempt]], last: Callable[..., Jet], *args: Any) -> list[Any]:
    """Each element from the first attempt that succeeds there, or else the last resort: the coefficients in a row.

    An attempt is a pair: where to make it, a mask or a function of the arguments, and a function of flat arrays that
    gives a jet and a mask of success.
    """
    outs: list[Any] = []
    remaining = np.ones_like(args[0], dtype=bool)
    for where, attempt in attempts:
        here = remaining & where
        if not np.any(here):
            continue
        jet, succeeds = attempt(*[a[here] for a in args])
        outs = _put(outs, here, jet)
        here[here] = succeeds
        remaining = remaining & ~here
    if np.any(remaining):
        outs = _put(outs, remaining, last(*[a[remaining] for a in args]))
    return outs


def _put(outs: list[Any], mask: Any, jet: Jet) -> list[Any]:
    coefficients = dense(jet)
    if not outs:
        outs = [np.zeros_like(c, shape=mask.shape) for c in coefficients]
    for out, c in zip(outs, coefficients, strict=True):
        out[mask] = c
    return outs


def _indices(orders: Index) -> list[Index]:
    return [tuple(int(i) for i in k) for k in np.ndindex(*[n + 1 for n in orders])]


def dense(jet: Jet) -> list[Any]:
    """All coefficients in a row, as arrays of the same shape."""
    zero = 0.0 * jet.value
    return [jet.coefficients.get(k, zero) + zero for k in _indices(jet.orders)]


def sparse(coefficients: Sequence[Any], orders: Index) -> Jet:
    """The jet with these coefficients in a row."""
    return Jet(dict(zip(_indices(orders), coefficients, strict=True)), orders)


def checked_march(function: str, parameters: Sequence[Jet], arrive: Callable[..., Jet]) -> Jet:
    """A solution by `arrive(parameters, pace)`; NaN, with a warning, where the values of another pace do not agree."""
    result, agrees = two_marches(parameters, arrive)
    return without_lost(function, result, ~agrees)


def two_marches(parameters: Sequence[Jet], arrive: Callable[..., Jet]) -> tuple[Jet, Any]:
    """A solution by `arrive(parameters, pace)`, and where the values of another pace agree."""
    result = arrive(parameters, 1.0)
    zero = (0,) * len(result.orders)
    again = arrive([Jet({zero: p.value}, zero) for p in parameters], 0.8)
    return result, np.abs(again.value - result.value) <= _AGREEMENT * np.abs(result.value)


def without_lost(function: str, result: Jet, is_lost: Any) -> Jet:
    """NaN, with a warning, where no method gives a derivative."""
    if np.any(is_lost):
        warnings.warn(
            f"{function}: a derivative in a parameter could not be computed accurately and is NaN. Likely cause: large "
            "parameters, where all expansions cancel. Take more moderate ones, or compute there with mpmath.",
            SpecialFunctionWarning,
            stacklevel=2,
        )
    return result + np.where(is_lost, np.nan, 0.0)


def march(
    w: Jet,
    slope: Jet,
    start: Any,
    end: Any,
    step: Callable[[Any], Any],
    following: Callable[[Any, int, Jet, Jet], Jet],
    terms: int,
) -> tuple[Jet, Jet]:
    """Solve a linear differential equation of order 2 along straight lines, from `start` to `end`.

    Parameters
    ----------
    w, slope : Jet
        The solution and its derivative at the start.
    start, end : array
        Where to go.
    step : callable
        The length of the step at a point.
    following : callable
        `(point, j, c_j, c_(j+1))` gives the Taylor coefficient `c_(j+2)` at the point.
    terms : int
        How many Taylor coefficients are summed.

    Returns
    -------
    tuple of Jet
        The solution and its derivative at the end; NaN where it is too many steps away.
    """
    point = start
    for _ in range(_STEPS):
        left = np.abs(end - point)
        if not np.any(left > 0):
            break
        h = (end - point) * np.minimum(1.0, step(point) / np.where(left > 0, left, 1.0))
        c, after = w, slope
        total, derivative = w + slope * h, slope
        power = h
        for j in range(terms):
            c, after = after, following(point, j, c, after)
            derivative = derivative + after * (power * (j + 2.0))
            power = power * h
            total = total + after * power
        moves = left > 0
        w, slope = choose(moves, total, w), choose(moves, derivative, slope)
        point = np.where(left <= step(point), end, point + h)
    arrives = np.where(point == end, 0.0, np.nan)
    return w + arrives, slope + arrives
