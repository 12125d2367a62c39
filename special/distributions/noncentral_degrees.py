"""The degrees of freedom of noncentral t for a given probability, by Halley's method.

It solves `log(F) = log(p)`, or that of the complements.  `F - p` is the mean of `Phi(t r - d) - p`, a quotient of sums
over the same nodes, so that it has less error than the rounding of `F`: that counts where `F` hardly depends on `v`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr

from .chi_nodes import chi_means, has_chi_nodes, normal_less
from .noncentral_student import lower_tail
from .noncentral_student_nodes import POINTS, tail_level

_CHUNK = 4096
"""So many elements at a time: what is computed of them stays in the cache."""
_STEPS, _COARSE_STEPS = 12, 4
"""At most, of all and of those that take inaccurate nodes."""
_ORDINARY = 5.0
"""Where to begin if the guess is of no use: of two solutions, where `F` is not monotonic, the larger one is found."""
_LARGEST_STEP = 1.5
_NEAR, _LAST = 1e-2, 1e-5
"""The error after a step is about its third power times the square of the curvature."""


def _equation(v: Any, d: Any, t: Any, p: Any, is_inaccurate: Any) -> Any:
    """`log(F / p)`, or what the complements give, and its derivatives in `v`."""
    is_central = has_chi_nodes(v, d, t)
    is_upper = np.where(is_central, p > 0.5, t > d)
    d, t, p = np.where(is_upper, -d, d), np.where(is_upper, -t, t), np.where(is_upper, 1 - p, p)
    out = np.empty_like(v, shape=(3, len(v)))
    for inaccurate in (False, True):
        at = np.flatnonzero(is_central & (is_inaccurate == inaccurate))
        out[:, at] = np.stack(_in_center(v[at], d[at], t[at], p[at], inaccurate))
    level = tail_level(v, d, t)
    for k, points in enumerate(POINTS):
        indices = np.flatnonzero(~is_central & (level == k))
        for start in range(0, len(indices), _CHUNK):
            at = indices[start : start + _CHUNK]
            out[:, at] = np.stack(_in_tail(v[at], d[at], t[at], p[at], points))
    return out


def _in_center(v: Any, d: Any, t: Any, p: Any, is_inaccurate: bool) -> tuple[Any, Any, Any]:
    excess, derivative, curve = chi_means(normal_less, v, d, t, p, order=2, is_inaccurate=is_inaccurate)
    derivative = derivative / (p + excess)
    return np.log1p(excess / p), derivative, curve / (p + excess) - derivative * derivative


def _in_tail(v: Any, d: Any, t: Any, p: Any, points: int) -> tuple[Any, Any, Any]:
    log, derivative, curve = lower_tail(v, d, t, points)
    return log - np.log(p), derivative, curve


def _step(v: Any, d: Any, t: Any, p: Any, is_inaccurate: Any) -> tuple[Any, Any]:
    """Halley's step in `log(v)`, and about the cube root of the error after it."""
    value, derivative, curve = _equation(v, d, t, p, is_inaccurate)
    derivative, curve = v * derivative, v * (derivative + v * curve)
    bend = curve / (2 * derivative)
    step = value / (value * bend - derivative)
    return np.clip(step, -_LARGEST_STEP, _LARGEST_STEP), np.abs(step) * np.cbrt(1 + bend * bend)


def degrees_of(p: Any, d: Any, t: Any, guess: Any) -> Any:
    """Where `nctdtr(v, d, t) = p`, of vectors; NaN where the search from the guess does not end there."""
    out = np.full_like(p, np.nan)
    at = np.flatnonzero(~has_no_degrees(p, d, t))
    v, d, t, p = guess[at], d[at], t[at], p[at]
    v = np.where((v > 0) & ((t * d <= 0) | has_chi_nodes(v, d, t)), v, _ORDINARY)
    before, is_inaccurate = np.full_like(v, np.inf), np.ones_like(v, dtype=bool)
    for k in range(_STEPS):
        stays = np.flatnonzero((v > 0) & (v < np.inf))
        is_inaccurate, before, at, v, d, t, p = (x[stays] for x in (is_inaccurate, before, at, v, d, t, p))
        if not len(at):
            break
        step, error = _step(v, d, t, p, is_inaccurate)
        v = v * np.exp(step)
        is_last = ~is_inaccurate & ((error < _LAST) | (error > before / 2) & (error < _NEAR))
        out[at[is_last]] = v[is_last]
        before = np.where(is_inaccurate, np.inf, error)
        is_inaccurate &= (error > _NEAR) & (k < _COARSE_STEPS)
        is_inaccurate, before, at, v, d, t, p = (x[~is_last] for x in (is_inaccurate, before, at, v, d, t, p))
    return out


def has_no_degrees(p: Any, d: Any, t: Any) -> Any:
    """Where no degrees of freedom give `p`, as far as the signs of `d` and `t` tell.

    Where they differ `Phi(t r - d)` is convex, or concave, in `r**2`, whose mean is 1, and whose distribution contracts
    as `v` grows: `F` is monotonic between `Phi(-d)` and `Phi(t - d)`.
    """
    ends = ndtr(-d), ndtr(t - d)
    is_outside = (p <= np.minimum(*ends)) | (p >= np.maximum(*ends))
    return is_outside & ((t < 0) & (d >= 0) | (t > 0) & (d <= 0))


_FEWEST, _MOST = 0.1, 1e4
_GUESSES, _APART = 4, 0.1
"""Steps of the secant method in `log(v)`, and how far its first two points are apart."""


def guess_of_degrees(z: Any, d: Any, t: Any) -> Any:
    """About where `nctdtr(v, d, t) = ndtr(z)`, of vectors: by the approximation of `_deviate`.

    It begins where `t - d = z sqrt(1 + t**2 / (2 v))` with `t (1 - 1 / (4 v))` for `t` (Abramowitz and Stegun 26.7.10),
    squared and solved for `v`.
    """
    out = np.empty_like(z)
    for start in range(0, len(z), _CHUNK):
        here = slice(start, start + _CHUNK)
        out[here] = _guess(z[here], d[here], t[here])
    return out


def _guess(z: Any, d: Any, t: Any) -> Any:
    root = -z * t + np.sqrt(z * z * t * t + 2 * t * (t - d) + 1)
    first = t * t / (2 * np.where(root > 1, root * root - 1, np.nan))
    log = np.log(np.where(first > 0, np.clip(first, _FEWEST, _MOST), _ORDINARY))
    less, next_log = _deviate(np.exp(log), d, t) - z, log + _APART
    for _ in range(_GUESSES):
        next_less = _deviate(np.exp(next_log), d, t) - z
        step = np.clip(next_less * (next_log - log) / (less - next_less), -_LARGEST_STEP, _LARGEST_STEP)
        log, less, next_log = next_log, next_less, next_log + np.where(np.isfinite(step), step, 0.0)
    return np.exp(next_log)


def _deviate(v: Any, d: Any, t: Any) -> Any:
    """About the `z` where `nctdtr(v, d, t) = ndtr(z)`: the expansion of Cornish and Fisher to the third cumulant.

    That is `-t**3 b (2 b**2 - 2 + 1 / v)` of the difference of a normal variable and `t r`, with `b`
    for the mean of `r`.  With `x = v / 2`, `b**2 = gamma(x + 1/2)**2 / (x gamma(x)**2)`: the rational
    function has an error of up to 2e-4.
    """
    x = v / 2
    square = x / (x + 0.25 + 1 / (32 * x + 8 + 6.64 / (1 + 1.15 * x)))
    b, inverse = np.sqrt(square), 1 / np.sqrt(1 + t * t * (1 - square))
    z, scaled = (t * b - d) * inverse, t * inverse
    return z + scaled**3 * b * (2 * square - 2 + 1 / v) * (z * z - 1) / 6
