"""Fast values of the parabolic cylinder function W and its derivative in `a`, for `|a|, |x| <= 5`.

At `x = -5, -4.5, .., 5` the function, its derivative and the derivatives of both in `a` are piecewise polynomials in
`a`, fitted once to the algorithm that holds everywhere; from the nearest of these points a Taylor series in `x` leads
on.  Values take 17 times less time so, derivatives in `a` 45 times.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ....complex_autograd.transforms.forward import derivative_along
from ...numerics.few_elements import with_numbers
from ...ufuncs.piecewise import Piecewise, evaluate
from .w import parabolic_w

_END = 5.0
_STEP = 0.5
_POINTS = round(2 * _END / _STEP) + 1
_WIDTH = 0.125
"""Of the pieces in `a`: the function has singularities at `a = i / 2` and `-i / 2`."""
_TERMS = 17
"""Of the Taylor series, which goes `_STEP / 2` at most."""


def within_table(a: Any, x: Any) -> Any:
    """Where the table holds."""
    return (np.abs(a) <= _END) & (np.abs(x) <= _END)


def _at_end(a: Any) -> tuple[Any, Any]:
    return parabolic_w(a, 0 * a + _END)


def _along(a: Any, *pairs: Any) -> list[tuple[Any, ...]]:
    """The pairs of `_continued` at all points, one after another from 5 downwards: there `W` grows, or oscillates."""
    found = [list(pair) for pair in pairs]
    half = 0 * a + _STEP / 2
    for k in range(2 * (_POINTS - 1)):
        pairs = tuple(_continued(_END - k * half, -half, a, *pairs))
        if k % 2:
            found = [[*parts, *pair] for parts, pair in zip(found, pairs, strict=True)]
    return [tuple(parts) for parts in found]


def _rows(functions: Any) -> tuple[Any, Any]:
    """Of `W` and of its derivative the coefficients of each power in all pieces and points."""
    powers = Piecewise(-_END, _END, functions, width=_WIDTH).coefficients
    value, derivative = (np.swapaxes(powers[i::2][::-1], 0, 1) for i in (0, 1))
    return np.ascontiguousarray(value), np.ascontiguousarray(derivative)


@cache
def _table() -> tuple[Any, Any]:
    return _rows(lambda a: _along(a, _at_end(a))[0])


@cache
def _table_of_derivatives() -> tuple[Any, Any]:
    return _rows(lambda a: _along(a, _at_end(a), derivative_along(_at_end, a, 0 * a + 1))[1])


def _entry(a: Any, x: Any) -> tuple[Any, Any, Any, Any]:
    """The entry in the table, where in its piece `a` is, the nearest point, and the distance from there."""
    piece, point = np.rint(a / _WIDTH), np.rint(x / _STEP)
    t = (a - piece * _WIDTH) * (2 / _WIDTH)
    pieces = round(2 * _END / _WIDTH) + 1
    entry = (point + _END / _STEP) * pieces + (piece + _END / _WIDTH)
    point *= _STEP
    return entry.astype(np.intp), t, point, x - point


@with_numbers
def parabolic_w_values(a: Any, x: Any) -> tuple[Any, Any]:
    """`W(a, x)` and its derivative in `x`, of vectors."""
    entry, t, point, h = _entry(a, x)
    value, derivative = (evaluate(rows, entry, t) for rows in _table())
    return _continued(point, h, a, (value, derivative))[0]


@with_numbers
def parabolic_w_derivatives(a: Any, x: Any) -> tuple[Any, Any]:
    """The derivatives of `W(a, x)` and of its derivative in `x`, in `a`."""
    entry, t, point, h = _entry(a, x)
    pairs = [tuple(evaluate(rows, entry, t) for rows in table) for table in (_table(), _table_of_derivatives())]
    return _continued(point, h, a, *pairs)[1]


def _continued(c: Any, h: Any, a: Any, *pairs: Any) -> list[Any]:
    """At `c + h` the solution of `y'' = (a - x**2 / 4) y` and its derivative, and the derivatives of both in `a`.

    With `g_k` the terms of the Taylor series at `c`, `(k + 2) (k + 1) g_(k+2) = (a - c**2 / 4) h**2 g_k - c / 2 h**3
    g_(k-1) - h**4 / 4 g_(k-2)`; for the derivative `h**2 g_k` of the function is added.
    """
    square = h * h
    first, second, third = (a - c * c / 4) * h, c / -2 * square, square * h / -4
    series = [[0.0, 0.0, value, derivative * h] for value, derivative in pairs]
    totals = [g[2] + g[3] for g in series]
    derivatives = [derivative.copy() for _, derivative in pairs]
    for k in range(_TERMS):
        below: Any = None
        for i, g in enumerate(series):
            rise = first * g[2]
            if k > 0:
                rise += second * g[1]
            if k > 1:
                rise += third * g[0]
            if below is not None:
                rise += h * below
            rise *= 1.0 / (k + 1)
            derivatives[i] += rise
            below = g[2]
            rise *= h
            rise *= 1.0 / (k + 2)
            totals[i] += rise
            series[i] = [*g[1:], rise]
    return list(zip(totals, derivatives, strict=True))
