"""Distribution functions and their inverses in any argument, by the implicit function theorem.

A distribution function `F(t_1, .., t_n)` is declared once, by its partial derivatives.  An inverse returns `t_i` where
`F = p`; it takes the names of the arguments of `F`, with one more name for `p`, in any order, and lacks that of `t_i`.
At the value `u` its derivatives are `du / dp = 1 / F_i` and `du / dt_k = -F_k / F_i`.

Where SciPy finds `u` by a search that ends early, the derivatives are taken at a value refined by the secant method.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

from ..complex_autograd.array import raw
from ..complex_autograd.transforms import stop_gradient
from .contours import BLOCK, in_double
from .improved import improved_value
from .replaced import Replaced
from .ufunc_rules import Partial, Pointwise, rule

__all__ = ["Distribution", "complement", "distribution", "inverse", "positive", "real"]

Slope = Callable[..., Any] | str


class Distribution(NamedTuple):
    """A distribution function: the names of its arguments, its value, and its partial derivative in each of them.

    The partials are functions of the arguments alone; in place of one there may be the reason why there is none.  What
    computes `F - p` from `(p, *args)` may be given where the difference would lose digits.
    """

    names: tuple[str, ...]
    value: Callable[..., Any]
    partials: tuple[Slope, ...]
    difference: Callable[..., Any] | None = None


def distribution(function: Any, names: str, *partials: Slope, variables: str = "") -> Distribution:
    """Declare the rule of a distribution function, and return what its inverses need.

    Where one of `variables` is infinite, all derivatives are 0; the partials need not know of it.
    """
    known = tuple(names.split())
    at = [i for i, name in enumerate(known) if name in variables.split()]
    slopes = tuple(p if isinstance(p, str) or not at else _to_infinity(p, at) for p in partials)
    rule(function, names, *[_with_value(p) for p in slopes])
    return Distribution(known, function, slopes)


def _to_infinity(partial: Callable[..., Any], at: Sequence[int]) -> Callable[..., Any]:
    """The partial, 0 where one of some arguments is infinite."""

    def everywhere(*args: Any) -> Any:
        ends = {i: np.isinf(raw(args[i])) for i in at}
        is_end = functools.reduce(np.logical_or, ends.values())
        if not np.any(is_end):
            return partial(*args)
        inner = partial(*[np.where(ends[i], 1.0, x) if i in at else x for i, x in enumerate(args)])
        return np.where(is_end, 0.0 * inner, inner)

    return everywhere


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

    def point(self, u: Any, args: Sequence[Any]) -> list[Any]:
        """The arguments of the distribution function where the value is `u`."""
        given = dict(zip(self.names, args, strict=True))
        return [given.get(name, u) for name in self.of.names]

    def residual(self, u: Any, args: Sequence[Any]) -> Any:
        """`F - p` where the value is `u`."""
        p, point = args[self.probability], self.point(u, args)
        return self.of.value(*point) - p if self.of.difference is None else self.of.difference(p, *point)


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


def _secant(reading: _Inverse, u: Any, operands: list[Any], steps: int) -> tuple[Any, Any]:
    """Steps of the secant method that lessen `|F - p|`, and `F - p`."""
    residual = reading.residual(u, operands)
    other = u + 1e-6 * (np.abs(u) + 1e-3)
    slope = (reading.residual(other, operands) - residual) / (other - u)
    for _ in range(steps):
        next_u = u - residual / slope
        next_residual = reading.residual(next_u, operands)
        slope = (next_residual - residual) / (next_u - u)
        is_better = np.abs(next_residual) < np.abs(residual)
        u, residual = np.where(is_better, next_u, u), np.where(is_better, next_residual, residual)
    return u, residual


_FLAT = 50.0
"""A rounding of `p` moves a value that is refined alone by so many roundings at most."""


def _of_numbers(reading: _Inverse, w: Any, args: Sequence[Any]) -> Any:
    """A value near SciPy's by the secant method, of numbers; NaN where it is not near, or hardly depends on `p`."""
    p = args[reading.probability]
    u, residual, step = w, reading.residual(w, args), 1e-5 * w
    slope = (reading.residual(w + step, args) - residual) / step
    for _ in range(4):
        before, step = step, -residual / slope
        u = u + step
        if np.abs(step * before) <= _LAST * u * u:
            break
        before, residual = residual, reading.residual(u, args)
        slope = (residual - before) / step
    else:
        return np.nan
    is_near = (np.abs(u - w) <= _NEAR * np.abs(u)) & (np.maximum(p, 1 - p) <= _FLAT * np.abs(u * slope))
    return u if is_near else np.nan


_AT_ONCE = 1 << 16
"""So many elements at a time, where there is a search: it takes as long for a few as for many."""
_INTERVALS = 25
_CLOSE = 1e-9
"""How close the search comes, before the secant method."""


def _searched(reading: _Inverse, operands: list[Any], place: Search) -> Any:
    """The value in the first of the intervals where `F - p` changes its sign; NaN where there is none."""
    out = np.full_like(operands[0], np.nan)
    left = np.flatnonzero(np.isnan(out))
    low = np.full_like(out, -1.0)
    at_low = reading.residual(place(low), operands)
    for k in range(_INTERVALS):
        high = np.full_like(low, -1 + (k + 1) * 2 / _INTERVALS)
        rest = [a[left] for a in operands]
        at_high = reading.residual(place(high), rest)
        found = at_low * at_high <= 0
        if np.any(found):
            ends = (low[found], high[found]), (at_low[found], at_high[found])
            out[left[found]] = place(_between(reading, [a[found] for a in rest], place, *ends))
        left, low, at_low = left[~found], high[~found], at_high[~found]
        if not len(left):
            break
    return out


def _between(reading: _Inverse, operands: list[Any], place: Search, ends: Any, values: Any) -> Any:
    """Where `F - p` is 0 between two places, by the Illinois method: regula falsi that halves what it keeps twice."""
    (z, other), (at_z, at_other) = ends, values
    for _ in range(60):
        middle = np.where(at_z == at_other, z, (z * at_other - other * at_z) / (at_other - at_z))
        value = reading.residual(place(middle), operands)
        is_across = value * at_z < 0
        other, at_other = np.where(is_across, z, other), np.where(is_across, at_z, at_other / 2)
        change, z, at_z = np.abs(middle - z), middle, value
        if np.all((change < _CLOSE) | (np.abs(other - z) < _CLOSE)):
            break
    return z


def _refined(reading: _Inverse, w: Any, args: Sequence[Any], steps: int, place: Search | None) -> Any:
    """The value to full precision, NaN where there is no solution."""
    precision = 1e-2 if w.dtype.itemsize < 8 else _SOLVED
    w, operands = w * np.float64(1), list(args)
    p = operands[reading.probability]
    u, residual = _secant(reading, w, operands, steps)
    is_solved = (np.abs(residual) <= precision * np.minimum(p, 1 - p)) & (np.abs(u - w) <= _NEAR * np.abs(u))
    u = np.where(is_solved, u, np.nan)
    if place is not None and not np.all(is_solved):
        rest = [a[~is_solved] for a in operands]
        found, residual = _secant(reading, _searched(reading, rest, place), rest, steps)
        p = rest[reading.probability]
        u[~is_solved] = np.where(np.abs(residual) <= precision * np.minimum(p, 1 - p), found, np.nan)
    return u


Guess = Callable[..., Any]

_STEPS = 14
_LAST = 3e-17
"""A step leaves an error in proportion to the product of itself, the step before, and the one before that."""


def _from_guess(reading: _Inverse, args: Sequence[Any], guess: Guess) -> Any:
    """The value by inverse quadratic interpolation, far off on `ndtri(F) - ndtri(p)`, which is nearly linear.

    `guess(z, *args)` is about the value where `F = ndtr(z)`.  It is NaN where this fails.
    """
    p = args[reading.probability]
    z = ndtri(p)
    guessed = guess(z, *args)
    residual = reading.residual(guessed, args)
    u = guess(2 * z - ndtri(p + residual), *args)
    points = [(u, reading.residual(u, args)), (guessed, residual), (np.full_like(p, np.nan),) * 2]
    out = np.full_like(p, np.nan)
    at = np.flatnonzero(np.isnan(out))
    for _ in range(_STEPS):
        p = args[reading.probability]
        u, residual = points[0]
        is_near = np.abs(residual) <= 1e-3 * np.minimum(p, 1 - p)
        if np.all(is_near):
            step, error = _interpolated(points)
        else:
            step, error = _interpolated([(x, np.where(is_near, y, ndtri(p + y) - z)) for x, y in points])
        step = np.where(residual == 0, 0.0, step)
        is_last = is_near & ((error <= _LAST * np.abs(u)) | (residual == 0))
        out[at[is_last]] = (u + step)[is_last]
        going = np.flatnonzero(~is_last & np.isfinite(step))
        if not len(going):
            break
        at, args, z, u = at[going], [x[going] for x in args], z[going], (u + step)[going]
        points = [(u, reading.residual(u, args)), *[(x[going], y[going]) for x, y in points[:2]]]
    return out


def _interpolated(points: Sequence[tuple[Any, Any]]) -> tuple[Any, Any]:
    """The step from the first of three points `(u, y)` to `y = 0`, and about the error that it leaves.

    Where the third point is NaN the step is that of the secant method.
    """
    (u, y), (u_before, y_before), (u_first, y_first) = points
    distance = u_before - u
    slope = distance / (y_before - y)
    bend = y * y_before * (((u_first - u_before) / (y_first - y_before) - slope) / (y_first - y))
    step = -y * slope
    bend = np.where(np.abs(bend) < np.abs(step), bend, 0.0)
    step = step + bend
    error = np.abs(step * distance / u)
    farthest = np.maximum(np.abs(distance), np.abs(u_first - u))
    return step, np.where(np.isnan(farthest), error, np.maximum(error, np.abs(bend)) * farthest / np.abs(u))


def _found(reading: _Inverse, args: Sequence[Any], guess: Guess, least: float) -> Any:
    """The same, NaN also where it is not more than `least`: SciPy would not look there."""
    out = _from_guess(reading, args, guess)
    return np.where(out > least, out, np.nan)


class _Solver(Replaced):
    """An inverse whose values, and those in its rule, solve the equation; where there is no solution they are SciPy's.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    solution : callable
        Of vectors: the solution, NaN where there is none.
    refined : callable
        Of SciPy's value and numbers: the solution if it is found at once, else NaN.
    partials : sequence of callable
        `(u, *args)` of a solution `u`.
    block : int
        How many elements to compute at a time.
    example : str
        What to add to the documentation.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        solution: Callable[..., Any],
        refined: Callable[..., Any],
        partials: Sequence[Partial | str],
        block: int,
        example: str,
    ) -> None:
        @in_double(block=block)
        def solve(*args: Any) -> Any:
            with np.errstate(all="ignore"):
                return solution(*np.broadcast_arrays(*args))

        def completed(*args: Any) -> Any:
            return self._completed(solution(*args), *args)

        solve.__name__ = ufunc.__name__
        super().__init__(ufunc, completed, partials=partials, at_once=block, example=example)
        self.solution = Pointwise(solve, self.primitive.partials, None)
        self.refined = refined

    def of_numbers(self, args: Sequence[Any]) -> Any:
        numbers = [np.float64(x) for x in args]
        with np.errstate(all="ignore"):
            u = self.refined(self.ufunc(*numbers), numbers)
        return super().of_numbers(args) if np.isnan(u) else u

    def _completed(self, u: Any, *args: Any) -> Any:
        lost = np.isnan(u)
        if not np.any(lost):
            return u
        out = np.array(u)
        out[lost] = self.ufunc(*[x[lost] for x in np.broadcast_arrays(*args)])
        return out[()]

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if keywords or len(args) != self.ufunc.nin:
            return super().traced(args, keywords)
        args = self.operands(args)
        u = self.solution(*args)
        plain = raw(u)
        value = self._completed(plain, *[raw(x) for x in args])
        return u if value is plain else improved_value(u, value=value)


def inverse(
    function: Any,
    names: str,
    of: Distribution,
    steps: int | None = None,
    search: Search | None = None,
    guess: Guess | None = None,
    at_one: Callable[..., Any] | None = None,
    first: Callable[..., Any] | None = None,
    has_none: Callable[..., Any] | None = None,
    sharpen: Callable[..., Any] | None = None,
    example: str = "",
) -> Any:
    """Declare the rule of an inverse, and return the function with better values.

    Where SciPy finds the value by a search, `steps` of the secant method refine it before derivatives are taken, and
    these are NaN where there is no solution; where SciPy's search fails although there is one, `search` is ours.  A
    value without solution stays SciPy's.  With a `guess` SciPy is asked only where the search from there does not end;
    `at_one` gives the value where the probability is 1, if it is not infinite.  `first` finds the value by itself, or
    returns NaN; `has_none` says of the arguments where there surely is no solution; `sharpen` improves a value, given
    before the arguments.
    """
    reading = _Inverse(tuple(names.split()), of)
    least = -np.inf if search is real else 0.0

    def solution(*args: Any, near: Any = None) -> Any:
        out = np.full_like(args[0], np.nan) if first is None else first(*args)
        lost = np.isnan(out) & (True if has_none is None else ~has_none(*args))
        if guess is not None and np.any(lost):
            out[lost] = _found(reading, [x[lost] for x in args], guess, least)
        if at_one is not None:
            out = np.where(args[reading.probability] == 1, at_one(*args), out)
        lost &= np.isnan(out)
        if np.any(lost):
            rest = [x[lost] for x in args]
            out[lost] = _refined(reading, function(*rest) if near is None else near[lost], rest, steps, search)
        return out if sharpen is None else sharpen(out, *args)

    def solved(w: Any, args: tuple[Any, ...]) -> Any:
        near, *vectors = (np.reshape(x, (-1,)) for x in np.broadcast_arrays(*stop_gradient((w, *args))))
        with np.errstate(all="ignore"):
            value = solution(*[x * np.float64(1) for x in vectors], near=near)
        return improved_value(w, value=np.reshape(value.astype(near.dtype), np.shape(raw(w))))

    def partial_in(name: str) -> Partial | str:
        slope = of.partials[of.names.index(name)] if name in of.names else None
        if isinstance(slope, str):
            return slope

        def partial(u: Any, *args: Any) -> Any:
            point = reading.point(u, args)
            density = reading.density(*point)
            if slope is None:
                return 1 / density
            return _unless_fixed(-slope(*point) / density, raw(u), raw(args[reading.probability]))

        return partial

    partials = [partial_in(name) for name in reading.names]
    if steps is None:
        rule(function, names, *partials)
        return function

    def at_solution(partial: Partial | str) -> Partial | str:
        return partial if isinstance(partial, str) else lambda w, *args: partial(solved(w, args), *args)

    rule(function, names, *map(at_solution, partials))
    refined = functools.partial(_of_numbers, reading)
    return _Solver(function, solution, refined, partials, BLOCK if search is None else _AT_ONCE, example)


def _unless_fixed(slope: Any, u: Any, p: Any) -> Any:
    """The slope, 0 where it is undetermined as the value stands at an end of the support, be it infinite."""
    is_fixed = ((p == 0) | (p == 1)) & ~np.isnan(u)
    return np.where(is_fixed & np.isnan(raw(slope)), 0.0, slope) if np.any(is_fixed) else slope
