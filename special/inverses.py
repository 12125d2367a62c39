"""Distribution functions and their inverses in any argument, by the implicit function theorem.

A distribution function `F(t_1, .., t_n)` is declared once, by its partial derivatives.  An inverse returns `t_i` where
`F = p`; it takes the names of the arguments of `F`, with one more name for `p`, in any order, and lacks that of `t_i`.
At the value `u` its derivatives are `du / dp = 1 / F_i` and `du / dt_k = -F_k / F_i`.

Where SciPy finds `u` by a search that ends early, the derivatives are taken at a value refined by Newton's method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..complex_autograd.transforms import stop_gradient
from .improved import Improved
from .ufunc_rules import Partial, rule

__all__ = ["Distribution", "complement", "distribution", "inverse", "positive", "real"]

Slope = Callable[..., Any] | str


class Distribution(NamedTuple):
    """A distribution function: the names of its arguments, its value, and its partial derivative in each of them.

    The partials are functions of the arguments alone; in place of one there may be the reason why there is none.
    """

    names: tuple[str, ...]
    value: Callable[..., Any]
    partials: tuple[Slope, ...]


def distribution(function: Any, names: str, *partials: Slope) -> Distribution:
    """Declare the rule of a distribution function, and return what its inverses need."""
    rule(function, names, *[_with_value(p) for p in partials])
    return Distribution(tuple(names.split()), function, partials)


def _with_value(partial: Slope) -> Partial | str:
    return partial if isinstance(partial, str) else lambda w, *args: partial(*args)


def complement(function: Any, of: Distribution) -> Distribution:
    """Declare the rule of `1 - F`."""
    return distribution(function, " ".join(of.names), *[_negative(p) for p in of.partials])


def _negative(partial: Slope) -> Slope:
    return partial if isinstance(partial, str) else lambda *args: -partial(*args)


class _Inverse(NamedTuple):
    """How to read the arguments of an inverse."""

    names: tuple[str, ...]
    of: Distribution

    @property
    def unknown(self) -> int:
        """Which argument of the distribution function is the value."""
        return next(i for i, name in enumerate(self.of.names) if name not in self.names)

    @property
    def density(self) -> Any:
        """The derivative of the distribution function in that argument."""
        return self.of.partials[self.unknown]

    @property
    def probability(self) -> int:
        """Which argument of the inverse is `p`."""
        return next(i for i, name in enumerate(self.names) if name not in self.of.names)

    def point(self, u: Any, args: tuple[Any, ...]) -> list[Any]:
        """The arguments of the distribution function where the value is `u`."""
        given = dict(zip(self.names, args, strict=True))
        return [given.get(name, u) for name in self.of.names]


_SOLVED = 1e-6
"""How small `|F(u) - p|` must be beside `min(p, 1 - p)` where `u` solves the equation; in single precision 1e-2."""

_NEAR = 1e-2
"""How near the refined value must be: SciPy returns a bound of its search where there is no solution within."""


Search = Callable[[Any], Any]


def positive(z: Any) -> Any:
    """Where a search for a positive number looks: evenly in its logarithm, from 1e-5 to 1e5."""
    return np.exp(11.5 * z)


def real(z: Any) -> Any:
    """Where a search for a real number looks: evenly from -1000 to 1000."""
    return 1000 * z


def _newton(reading: _Inverse, u: Any, operands: list[Any], steps: int) -> tuple[Any, Any]:
    """Steps of Newton's method that lessen `|F - p|`, and `F - p`."""
    value, p = reading.of.value, operands[reading.probability]
    residual = value(*reading.point(u, operands)) - p
    for _ in range(steps):
        next_u = u - residual / reading.density(*reading.point(u, operands))
        next_residual = value(*reading.point(next_u, operands)) - p
        is_better = np.abs(next_residual) < np.abs(residual)
        u, residual = np.where(is_better, next_u, u), np.where(is_better, next_residual, residual)
    return u, residual


def _bisected(reading: _Inverse, operands: list[Any], place: Search) -> Any:
    """The value in the first of 25 intervals where `F - p` changes its sign, by bisection; NaN where there is none."""
    value, p = reading.of.value, operands[reading.probability]

    def sign(z: Any) -> Any:
        return np.sign(value(*reading.point(place(z), operands)) - p)

    low, high = np.nan * p, np.nan * p
    before = start = sign(0 * p - 1)
    for k in range(25):
        after = sign(0 * p - 1 + (k + 1) * 0.08)
        is_first = np.isnan(low) & (after != before)
        low, high = np.where(is_first, -1 + k * 0.08, low), np.where(is_first, -1 + (k + 1) * 0.08, high)
        start, before = np.where(is_first, before, start), after
    for _ in range(36):
        middle = (low + high) / 2
        is_above = sign(middle) == start
        low, high = np.where(is_above, middle, low), np.where(is_above, high, middle)
    return place((low + high) / 2)


def _refined(reading: _Inverse, w: Any, args: tuple[Any, ...], steps: int, place: Search | None) -> Any:
    """The value to full precision, NaN where there is no solution."""
    precision = 1e-2 if w.dtype.itemsize < 8 else _SOLVED
    w, *operands = np.broadcast_arrays(w * np.float64(1), *[a * np.float64(1) for a in args])
    p = operands[reading.probability]
    u, residual = _newton(reading, w, operands, steps)
    is_solved = (np.abs(residual) <= precision * np.minimum(p, 1 - p)) & (np.abs(u - w) <= _NEAR * np.abs(u))
    u = np.where(is_solved, u, np.nan)
    if place is not None and not np.all(is_solved):
        rest = [a[~is_solved] for a in operands]
        found, residual = _newton(reading, _bisected(reading, rest, place), rest, steps)
        p = rest[reading.probability]
        u[~is_solved] = np.where(np.abs(residual) <= precision * np.minimum(p, 1 - p), found, np.nan)
    return u


def inverse(
    function: Any,
    names: str,
    of: Distribution,
    steps: int | None = None,
    search: Search | None = None,
    example: str = "",
) -> Any:
    """Declare the rule of an inverse, and return the function with better values.

    Where SciPy finds the value by a search, `steps` of Newton's method refine it before derivatives are taken, and
    these are NaN where there is no solution; where SciPy's search fails although there is one, `search` is ours.  A
    value without solution stays SciPy's.
    """
    reading = _Inverse(tuple(names.split()), of)

    def solution(w: Any, args: tuple[Any, ...]) -> Any:
        if steps is None:
            return w
        values = stop_gradient((w, args))
        with np.errstate(all="ignore"):
            correction = _refined(reading, *values, steps, search) - values[0]
        return w + correction.astype(values[0].dtype)

    def partial_in(name: str) -> Partial | str:
        slope = of.partials[of.names.index(name)] if name in of.names else None
        if isinstance(slope, str):
            return slope

        def partial(w: Any, *args: Any) -> Any:
            point = reading.point(solution(w, args), args)
            density = reading.density(*point)
            return 1 / density if slope is None else -slope(*point) / density

        return partial

    rule(function, names, *[partial_in(name) for name in reading.names])
    if steps is None:
        return function

    def better(w: Any, *args: Any) -> Any:
        refined = _refined(reading, w, args, steps, search)
        return np.where(np.isnan(refined), w, refined)

    return Improved(function, better, example)
