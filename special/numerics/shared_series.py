"""Power series whose parameters are numbers: all variables share the coefficients, and sum them by Horner's rule."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.linalg import lapack

from .horner import horner
from .jets import Jet

MOST = 400
"""So many coefficients are had of a series."""

_SPARE = 20
"""If a sum needs all but these it has not ended."""

_PER_UNIT = 5
"""The variables are taken together whose moduli are in intervals of this part of 1."""

_LEAST = 1e-17
"""The rest of a series is so much smaller than its terms."""

_AT_ONCE = 8192
"""Elements that are summed at a time, in the cache."""


def are_numbers(parameters: Sequence[Jet]) -> bool:
    """Whether jets are of numbers, not of arrays."""
    return not any(getattr(p.value, "ndim", 0) for p in parameters)


def unit(orders: tuple[int, ...], count: int = MOST) -> Jet:
    """1 and zeros: the start of the coefficients of most series."""
    return Jet({(0,) * len(orders): np.eye(1, count)[0]}, orders)


def power_coefficients(upper: Sequence[Jet], lower: Sequence[Jet], count: int = MOST) -> Jet:
    """`(a_1)_n .. / ((b_1)_n .. n!)`, a column an `n`."""
    n = np.arange(count - 1.0)
    ratio: Any = 1 / (n + 1)
    for p in upper:
        ratio = (p + n) * ratio
    for p in lower:
        ratio = ratio / (p + n)
    return recurrence([ratio], unit(ratio.orders, count))


def recurrence(steps: Sequence[Jet], start: Jet) -> Jet:
    """`g_0 = start_0`, `g_(n+1) = sum_j steps[j]_n g_(n-j) + start_(n+1)`.

    Parameters
    ----------
    steps : sequence of Jet
        Of arrays with an element for each `n`.
    start : Jet
        Of arrays with one more.
    """
    count = start.value.shape[0]
    bands = np.ones((len(steps) + 1, count))
    for j, step in enumerate(steps):
        bands[j + 1, : count - 1 - j] = -step.value[j:]
    derivatives = [(j, k, c) for j, step in enumerate(steps) for k, c in step.nilpotent().coefficients.items()]
    found: dict[tuple[int, ...], Any] = {}
    for index in itertools.product(*[range(n + 1) for n in start.orders]):
        right = start.coefficients.get(index, np.zeros(count)).copy()
        for j, k, c in derivatives:
            lower = tuple(x - y for x, y in zip(index, k, strict=True))
            if lower in found:
                right[j + 1 :] += c[j:] * found[lower][: count - 1 - j]
        if np.any(right):
            found[index] = lapack.dtbtrs(bands, right, uplo="L", diag="U")[0]
    return Jet(found, start.orders)


def summed_by_horner(coefficients: Jet, x: Any, loss: float) -> tuple[Jet, Any]:
    """The sum of a power series, and where it has converged without cancellation.

    Parameters
    ----------
    coefficients : Jet
        Of arrays, `MOST` numbers or one less.
    x : array
        The variable, of moduli below 50.
    loss : float
        The terms may be larger than the sum by this factor.
    """
    rows = np.stack(list(coefficients.coefficients.values()))
    totals, succeeds = np.empty_like(x, shape=(len(rows), x.shape[0])), np.empty_like(x, dtype=bool)
    intervals = np.ceil(np.abs(x) * _PER_UNIT).astype(np.uint8)
    for interval in np.flatnonzero(np.bincount(intervals)):
        needed, size = _needed(rows, interval / _PER_UNIT)
        indices = np.flatnonzero(intervals == interval)
        for i in range(0, indices.shape[0], _AT_ONCE):
            here = indices[i : i + _AT_ONCE]
            part = x[here]
            sums = [horner(row, part) for row in needed]
            succeeds[here] = size <= loss * sum(map(np.abs, sums))
            for total, values in zip(totals, sums, strict=True):
                total[here] = values
    return Jet(dict(zip(coefficients.coefficients, totals, strict=True)), coefficients.orders), succeeds


def _needed(rows: Any, radius: float) -> tuple[list[list[float]], float]:
    """The coefficients that count up to this modulus, and the sum of moduli there, infinite if they do not suffice."""
    moduli = np.abs(rows) * radius ** np.arange(rows.shape[1])
    rests = np.cumsum(moduli[:, ::-1], axis=1)[:, ::-1]
    counts = np.count_nonzero(rests > _LEAST * rests[:, :1], axis=1)
    size = float(np.sum(rests[:, 0])) if np.max(counts) < MOST - _SPARE else math.inf
    return [row[: max(n, 2)].tolist() for row, n in zip(rows, counts, strict=True)], size
