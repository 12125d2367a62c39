"""Functions of a real argument as polynomials on short pieces, fitted once to another algorithm for them.

So their integrals are had as well.  Up to degree 12, on pieces of length 1/2, the errors of functions that change as
fast as `exp` does are less than 1e-15 of the largest value on the piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ..numerics.devices import constants_like


class Piecewise:
    """Functions on an interval, fitted when they are first asked for.

    Parameters
    ----------
    start, stop : float
        The centres of the first and of the last piece, multiples of `width`; each piece goes half a width around.
    width : float
        The length of a piece, a power of 2, so that the distance to the centre is exact.
    degree : int
        Of the polynomials.
    functions : callable
        Of a vector; gives one vector a function.
    integrals : callable, optional
        If given, the antiderivatives of the functions are meant: for each of them a centre and its value there.
    """

    def __init__(
        self,
        start: float,
        stop: float,
        functions: Callable[[Any], tuple[Any, ...]],
        integrals: Callable[[], list[tuple[float, float]]] | None = None,
        width: float = 0.5,
        degree: int = 12,
    ) -> None:
        self.first = round(start / width)
        self.last = round(stop / width)
        self.width = width
        self.degree = degree
        self.functions = functions
        self.integrals = integrals

    @cached_property
    def coefficients(self) -> Any:
        """Of each function, power and piece; the polynomials agree with the functions at the centres."""
        chebyshev = _chebyshev(self.degree + 1)
        centres = np.arange(self.first, self.last + 1) * self.width
        nodes = centres + chebyshev[1, :, None] * (self.width / 2)
        at_centres = np.stack(self.functions(centres))[:, None]
        values = np.stack([np.reshape(w, nodes.shape) for w in self.functions(np.reshape(nodes, (-1,)))])
        coefficients = _powers(_weighted(chebyshev) @ (values - at_centres))
        coefficients[:, 0] = at_centres[:, 0]
        return coefficients if self.integrals is None else self._integrated(coefficients, self.integrals())

    def _integrated(self, coefficients: Any, known: list[tuple[float, float]]) -> Any:
        """The antiderivatives: pieces agree where they meet, so the values at the centres are sums of steps."""
        powers = np.arange(1, self.degree + 2)[:, None]
        rising = coefficients * (self.width / 2) / powers
        ahead, behind = rising.sum(axis=1), -(rising * (-1.0) ** powers).sum(axis=1)
        steps = ahead[:, :-1] + behind[:, 1:]
        constants = []
        for row, (point, value) in zip(steps, known, strict=True):
            k = round(point / self.width) - self.first
            before = value - np.cumsum(row[:k][::-1])[::-1]
            constants.append(np.concatenate([before, [value], value + np.cumsum(row[k:])]))
        return np.concatenate([np.stack(constants)[:, None], rising], axis=1)

    def __call__(self, x: Any, which: slice = slice(None)) -> tuple[Any, ...]:
        """The functions at a vector of points.

        Parameters
        ----------
        x : array
            One-dimensional, of double precision, and inside the interval.
        which : slice
            Of the functions.

        Returns
        -------
        tuple of array
            One vector a function.
        """
        if type(x) is np.ndarray and len(x) == 1:
            return tuple(np.array([w]) for w in self._values(x[0], which))
        return self._values(x, which)

    def _values(self, x: Any, which: slice) -> tuple[Any, ...]:
        nearest = np.rint(x * (1 / self.width))
        t = (x - nearest * self.width) * (2 / self.width)
        piece = np.minimum(np.maximum(nearest - self.first, 0), self.last - self.first).astype(np.intp)
        return tuple(evaluate(powers, piece, t) for powers in self.coefficients[which])


def evaluate(coefficients: Any, entry: Any, t: Any) -> Any:
    """Polynomials, one of a table for each element.

    Parameters
    ----------
    coefficients : array
        Of each power those of all polynomials of the table.
    entry : array of int
        The polynomial.
    t : array
        Its argument.

    Returns
    -------
    array
        One-dimensional as `entry` and `t` are, or a number.
    """
    rows = np.reshape(coefficients, (len(coefficients), -1))
    if issubclass(type(t), float):
        return _evaluate_one(rows[:, entry].tolist(), t)
    if not issubclass(type(t), np.ndarray):
        return _evaluate_on_device(rows, entry, t)
    term = np.empty_like(t)
    total = rows[-1].take(entry)
    for row in rows[-2::-1]:
        total *= t
        row.take(entry, out=term, mode="clip")
        total += term
    return total


def _evaluate_one(coefficients: list[float], t: float) -> float:
    total = coefficients[-1]
    for c in coefficients[-2::-1]:
        total = total * t + c
    return total


def _evaluate_on_device(rows: Any, entry: Any, t: Any) -> Any:
    rows = constants_like(rows, t)
    total = np.take(rows[-1], entry)
    for row in rows[-2::-1]:
        total = total * t + np.take(row, entry)
    return total


def _chebyshev(count: int) -> Any:
    """Chebyshev's polynomials `T_k`, the rows, at the zeros of the first that is not among them."""
    quarters = np.outer(np.arange(count), 2 * np.arange(count) + 1) % (4 * count)
    return np.cos(math.pi * np.minimum(quarters, 4 * count - quarters) / (2 * count))


def _weighted(chebyshev: Any) -> Any:
    """The matrix that gives the coefficients of these polynomials from values there."""
    matrix = chebyshev * (2 / len(chebyshev))
    matrix[0] /= 2
    return matrix


def _powers(coefficients: Any) -> Any:
    """The coefficients of powers from those of Chebyshev's polynomials.

    These come first: they are small where those of the polynomials are large.
    """
    count = coefficients.shape[-2]
    matrix = np.zeros((count, count))
    for k in range(count):
        matrix[: k + 1, k] = np.polynomial.chebyshev.cheb2poly(np.eye(count)[k, : k + 1])
    return matrix @ coefficients
