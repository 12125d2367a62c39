"""The march along a path by Taylor series: hypergeometric equations, solved from where a power series is good.

It loses nothing where the function is not dominated by the other solution along the path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..numerics.jets import Index, Jet
from ..numerics.regions import part
from ..numerics.series_terms import reached_indices

_AGREEMENT = 2e-11
"""A march is trusted where its values with two lengths of the step agree so far."""

_STEPS = 600
"""A march ends after so many steps."""


def two_marches(parameters: Sequence[Jet], arrive: Callable[..., Jet]) -> tuple[Jet, Any]:
    """A solution by `arrive(parameters, pace)`, and where the values of another pace agree."""
    zero = (0,) * len(parameters[0].orders)
    again = arrive([Jet({zero: p.value}, zero) for p in parameters], 1.25)
    if not np.any(np.isfinite(again.value)):
        return sum(parameters) * (np.nan * again.value), np.zeros_like(again.value, dtype=bool)
    result = arrive(parameters, 1.0)
    return result, np.abs(again.value - result.value) <= _AGREEMENT * np.abs(result.value)


def march(
    w: Jet, first_derivative: Jet, start: Any, end: Any, step: Callable[[Any, Any], Any], equation: Equation, terms: int
) -> tuple[Jet, Jet]:
    """Solve a linear differential equation of order 2 along straight lines, from `start` to `end`.

    Parameters
    ----------
    w, derivative : Jet
        The solution and its derivative at the start.
    start, end : array
        Where to go.
    step : callable
        `(point, here)`: the length of the step at the points of the elements `here`.
    equation : Equation
        Gives the Taylor coefficients.
    terms : int
        How many of them are summed.

    Returns
    -------
    tuple of Jet
        The solution and its derivative at the end; NaN where it is too many steps away, or the solution overflows.
    """
    indices = equation.indices
    zero = 0.0 * (w.value + first_derivative.value + start)
    values, derivatives = (
        np.stack([x.coefficients.get(k, zero) + zero for k in indices]) for x in (w, first_derivative)
    )
    path, is_out_of_reach = _path(start + zero, end, step)
    for here, point, h in path:
        here, point, h = (x[~is_out_of_reach[here]] for x in (here, point, h))
        values[:, here], derivatives[:, here] = equation.step(
            here, point, h, values[:, here], derivatives[:, here], terms
        )
        is_out_of_reach[here] = ~np.all(np.isfinite(values[:, here]), axis=0)
    values[:, is_out_of_reach] = np.nan
    derivatives[:, is_out_of_reach] = np.nan
    first, second = (Jet(dict(zip(indices, x, strict=True)), w.orders) for x in (values, derivatives))
    return first, second


def _path(point: Any, end: Any, step: Callable[[Any, Any], Any]) -> tuple[list[tuple[Any, Any, Any]], Any]:
    """The steps, each with the elements that make it, their points and differences; and which need too many of them."""
    path: list[tuple[Any, Any, Any]] = []
    is_finite = np.isfinite(point) & np.isfinite(end)
    (here,) = np.nonzero((np.abs(end - point) > 0) & is_finite)
    while here.shape[0] and len(path) < _STEPS:
        left, length = np.abs(end[here] - point[here]), step(point[here], here)
        h = (end[here] - point[here]) * np.minimum(1.0, length / left)
        path.append((here, point[here], h))
        point[here] = np.where(left <= length, end[here], point[here] + h)
        here = here[~(left <= length)]
    is_out_of_reach = ~is_finite
    is_out_of_reach[here] = True
    return path, is_out_of_reach


class Equation:
    """`z w'' + (c - z) w' - a w = 0`, DLMF 13.2.1, or `z (1 - z) w'' + (c - s z) w' - a b w = 0`, DLMF 15.10.1.

    Parameters
    ----------
    upper : sequence of Jet
        `a`, or `a` and `b`.
    lower : Jet
        `c`.

    Notes
    -----
    With `s = a + b + 1` the Taylor coefficients at `z` are `(j + 1) (j + 2) z (1 - z) c_(j+2) = (a + j) (b + j) c_j -
    (j + 1) (c + j - (s + 2 j) z) c_(j+1)`; in the first case without `b` and `1 - z`, and with 1 for `s + 2 j`.
    """

    def __init__(self, upper: Sequence[Jet], lower: Jet) -> None:
        self.upper, self.lower = upper, lower
        self.indices = reached_indices([*upper, lower])

    def step(self, here: Any, point: Any, h: Any, w: Any, first_derivative: Any, terms: int) -> tuple[Any, Any]:
        """The solution and its derivative at `point + h`, by Taylor coefficients times powers of `h`."""
        upper, lower = [part(p, here) for p in self.upper], part(self.lower, here)
        if len(upper) == 1:
            scale = h / point
            first = [upper[0], 1.0]
            second = [lower - point, 1.0]
        else:
            scale = h / (point * (1 - point))
            a, b = upper
            first = [a * b, a + b + 1.0, 2.0]
            second = [lower - (a + b + 1.0) * point, 1 - 2 * point]
        of_current, of_next = self._polynomial(first, h * scale), self._polynomial(second, scale)
        current, after = w + 0.0, first_derivative * h
        value, derivative = current + after, after + 0.0
        new, work = np.empty_like(after), np.empty_like(after)
        for j in range(terms):
            of_current.multiply(current, new)
            np.multiply(new, 1.0 / (j + 1), out=new)
            of_next.multiply(after, work)
            np.subtract(new, work, out=new)
            np.multiply(new, 1.0 / (j + 2), out=new)
            np.add(value, new, out=value)
            np.multiply(new, j + 2.0, out=work)
            np.add(derivative, work, out=derivative)
            current, after, new = after, new, current
        return value, derivative / h

    def _polynomial(self, differences: Sequence[Any], scale: Any) -> _Polynomial:
        rows = []
        for x in differences:
            coefficients = x.coefficients if isinstance(x, Jet) else {(0,) * len(self.lower.orders): x}
            rows.append({k: c * scale for k, c in coefficients.items()})
        return _Polynomial(rows, self.indices)


class _Polynomial:
    """A jet that depends on `j = 0, 1, ..` as a polynomial: itself and its differences at 0."""

    def __init__(self, differences: Sequence[dict[Index, Any]], indices: Sequence[Index]) -> None:
        self.differences = differences
        self.products = []
        for i, index in enumerate(indices):
            for k in differences[0]:
                lower = tuple(x - y for x, y in zip(index, k, strict=True))
                if any(k) and lower in indices:
                    self.products.append((i, k, indices.index(lower)))
        self.zero = (0,) * len(indices[0])

    def multiply(self, terms: Any, out: Any) -> None:
        """Multiply, and go to the next `j`."""
        values = self.differences[0]
        np.multiply(terms, values[self.zero], out=out)
        for i, k, lower in self.products:
            row = out[i]
            np.add(row, values[k] * terms[lower], out=row)
        for now, change in pairwise(self.differences):
            for k, c in change.items():
                np.add(now[k], c, out=now[k])
