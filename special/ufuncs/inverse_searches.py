"""The value of an argument at which a distribution function is a given probability, in vectors.

From a value nearby by the secant method; from a guess by inverse quadratic interpolation; without one between the
places where the sign of `F - p` changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri

from .distribution_rules import Reading

Search = Callable[[Any], Any]
"""Where to look, of numbers from -1 to 1."""
Guess = Callable[..., Any]
"""`(z, *args)`: about the value where `F = ndtr(z)`."""


def positive(z: Any) -> Any:
    """Where a search for a positive number looks: evenly in its logarithm, from 1e-5 to 1e5."""
    return np.exp(11.5 * z)


def real(z: Any) -> Any:
    """Where a search for a real number looks: evenly from -1000 to 1000."""
    return 1000 * z


_SOLVED = 1e-6
"""How small `|F(u) - p|` must be relative to `min(p, 1 - p)` if `u` solves the equation; in single precision 1e-2."""

_NEAR = 1e-2
"""How near the refined value must be: SciPy returns a bound of its search where there is no solution within."""


def _secant(reading: Reading, u: Any, operands: list[Any], steps: int) -> tuple[Any, Any]:
    """Steps of the secant method that lessen `|F - p|`, and `F - p`."""
    residual = reading.residual(u, operands)
    other = u + 1e-6 * (np.abs(u) + 1e-3)
    derivative = (reading.residual(other, operands) - residual) / (other - u)
    for _ in range(steps):
        next_u = u - residual / derivative
        next_residual = reading.residual(next_u, operands)
        derivative = (next_residual - residual) / (next_u - u)
        is_better = np.abs(next_residual) < np.abs(residual)
        u, residual = np.where(is_better, next_u, u), np.where(is_better, next_residual, residual)
    return u, residual


_FLAT = 50.0
"""A rounding of `p` moves a value that is refined alone by so many roundings at most."""


def refined_number(reading: Reading, w: Any, args: Sequence[Any]) -> Any:
    """A value near SciPy's by the secant method, of numbers; NaN where it is not near, or hardly depends on `p`."""
    p = args[reading.probability]
    u, residual, step = w, reading.residual(w, args), 1e-5 * w
    derivative = (reading.residual(w + step, args) - residual) / step
    for _ in range(4):
        before, step = step, -residual / derivative
        u = u + step
        if np.abs(step * before) <= _LAST * u * u:
            break
        before, residual = residual, reading.residual(u, args)
        derivative = (residual - before) / step
    else:
        return np.nan
    is_near = (np.abs(u - w) <= _NEAR * np.abs(u)) & (np.maximum(p, 1 - p) <= _FLAT * np.abs(u * derivative))
    return u if is_near else np.nan


AT_ONCE = 1 << 17
"""So many elements at a time, where there is a search: it takes as long for a few as for many."""
_INTERVALS, _TOGETHER = 25, 256
"""Of the search, and so many numbers at a time of them all: few take as long as one."""
_CLOSE = 1e-9
"""How close the search comes, before the secant method."""


_FAR = 1e-10
"""Of the smaller tail: where it is less, the sign changes between values that are too unlike for regula falsi."""
_LONGEST = 1e3
"""Of the logarithm, which is infinite where `F` is 0."""


def _difference(reading: Reading, u: Any, operands: list[Any]) -> Any:
    """`F - p`, or far in a tail the difference of the logarithms, which has the same sign."""
    residual, p = reading.residual(u, operands), operands[reading.probability]
    tail = np.minimum(p, 1 - p)
    is_far = tail < _FAR
    if not np.any(is_far):
        return residual
    sign = np.where(p < 0.5, 1.0, -1.0)
    log = sign * np.clip(np.log1p(sign * residual / tail), -_LONGEST, _LONGEST)
    return np.where(is_far, log, residual)


def _searched(reading: Reading, operands: list[Any], search: Search) -> Any:
    """The value in the first of the intervals where `F - p` changes its sign; NaN where there is none."""
    out = np.full_like(operands[0], np.nan)
    left = np.flatnonzero(np.isnan(out))
    grid = np.full_like(out, 1.0, shape=_INTERVALS + 1) * np.linspace(-1, 1, _INTERVALS + 1)
    at_low = _difference(reading, search(np.full_like(out, -1.0)), operands)[:, None]
    k = 0
    while k < _INTERVALS and len(left):
        ends = grid[k + 1 : k + 1 + max(_TOGETHER // len(left), 1)]
        rest = [a[left] for a in operands]
        at_ends = _difference(reading, search(np.tile(ends, len(left))), [np.repeat(a, len(ends)) for a in rest])
        values = np.concatenate([at_low, np.reshape(at_ends, (len(left), len(ends)))], axis=1)
        changes = values[:, :-1] * values[:, 1:] <= 0
        found, first = np.any(changes, axis=1), np.argmax(changes, axis=1)
        if np.any(found):
            (here,), j = np.nonzero(found), first[found]
            sides = (grid[k + j], grid[k + j + 1]), (values[here, j], values[here, j + 1])
            out[left[found]] = search(_between(reading, [a[found] for a in rest], search, *sides))
        left, at_low, k = left[~found], values[~found, -1:], k + len(ends)
    return out


def _between(reading: Reading, operands: list[Any], search: Search, ends: Any, values: Any) -> Any:
    """Where `F - p` is 0 between two points, by the Illinois method: regula falsi that halves what it keeps twice."""
    (z, other), (at_z, at_other) = ends, values
    for _ in range(60):
        middle = np.where(at_z == at_other, z, (z * at_other - other * at_z) / (at_other - at_z))
        value = _difference(reading, search(middle), operands)
        is_across = value * at_z < 0
        other, at_other = np.where(is_across, z, other), np.where(is_across, at_z, at_other / 2)
        change, z, at_z = np.abs(middle - z), middle, value
        if np.all((change < _CLOSE) | (np.abs(other - z) < _CLOSE)):
            break
    return z


def refined(reading: Reading, w: Any, args: Sequence[Any], steps: int, search: Search | None) -> Any:
    """The value to full precision, NaN where there is no solution."""
    precision = 1e-2 if w.dtype.itemsize < 8 else _SOLVED
    w, operands = w * np.float64(1), list(args)
    p = operands[reading.probability]
    u, residual = _secant(reading, w, operands, steps)
    is_solved = (np.abs(residual) < precision * np.minimum(p, 1 - p)) & (np.abs(u - w) <= _NEAR * np.abs(u))
    u = np.where(is_solved, u, np.nan)
    if search is not None and not np.all(is_solved):
        rest = [a[~is_solved] for a in operands]
        found = _searched(reading, rest, search)
        (here,) = np.nonzero(~np.isnan(found))
        if len(here):
            p = rest[reading.probability][here]
            near, residual = _secant(reading, found[here], [a[here] for a in rest], steps)
            found[here] = np.where(np.abs(residual) < precision * np.minimum(p, 1 - p), near, np.nan)
        u[~is_solved] = found
    return u


_STEPS = 14
_LAST = 3e-17
"""A step leaves an error in proportion to the product of itself, the step before, and the one before that."""


def _from_guess(reading: Reading, args: Sequence[Any], guess: Guess) -> Any:
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
        is_near = np.abs(residual) < 1e-3 * np.minimum(p, 1 - p)
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
    derivative = distance / (y_before - y)
    bend = y * y_before * (((u_first - u_before) / (y_first - y_before) - derivative) / (y_first - y))
    step = -y * derivative
    bend = np.where(np.abs(bend) < np.abs(step), bend, 0.0)
    step = step + bend
    error = np.abs(step * distance / u)
    farthest = np.maximum(np.abs(distance), np.abs(u_first - u))
    return step, np.where(np.isnan(farthest), error, np.maximum(error, np.abs(bend)) * farthest / np.abs(u))


def found_from(reading: Reading, args: Sequence[Any], guess: Guess, least: float) -> Any:
    """The value, NaN where it is not found, or not more than `least`: SciPy would not look there."""
    out = _from_guess(reading, args, guess)
    return np.where(out > least, out, np.nan)
