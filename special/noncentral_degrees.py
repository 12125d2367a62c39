"""The degrees of freedom of noncentral t for a given probability, by Halley's method.

In the tails it solves `log(F) = log(p)`.  Elsewhere, with `u = log(r)` and `q = u + (1 - r**2) / 2`, the density of
`chi / sqrt(v)` in `u` is in proportion to `exp(v q)`; with `<..>` for the mean over it, and `g = Phi(t r - d) - p`,

    F - p = <g>,   F' = <q g> - <q> <g>,   F'' = <q**2 g> - <q> <q g> - (<q**2> - <q>**2) <g> - <q> F'.

As means are quotients of sums over the same nodes, `F - p` has less error than the rounding of `F`.  That counts where
`F` hardly depends on `v`.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from scipy.special import ndtr

from .noncentral_student import (
    CENTRAL_POINTS,
    DEPTH,
    POINTS,
    central_level,
    central_nodes,
    is_central,
    lower_tail,
    tail_level,
)

__all__ = ["degrees_of", "has_no_degrees"]

_CHUNK = 4096
"""So many elements at a time: what is computed of them stays in the cache."""
_STEPS, _COARSE_STEPS, _SINGLE = 12, 4, 7
"""At most, of all and of those that take a coarse rule; from where on the few elements left go one way."""
_SHALLOW, _PART = 12.0, 0.25
"""The depth of the coarse rule, and the part of the nodes that it takes: its error in `log(v)` is about 1e-5."""
_ORDINARY = 5.0
"""Where to begin if the guess is of no use: of two solutions, where `F` is not monotonic, the larger one is found."""
_LARGEST_STEP = 1.5
_NEAR, _LAST = 1e-2, 1e-5
"""The error after a step is about its third power times the square of the curvature."""


def _means(v: Any, d: Any, t: Any, p: Any, points: int, depth: float) -> tuple[Any, Any, Any]:
    """`F - p`, `F'` and `F''`."""
    weights, totals = ([np.zeros_like(v) for _ in range(3)] for _ in range(2))
    for q, r, rate in central_nodes(v, points, depth):
        g = t * r
        g -= d
        ndtr(g, out=g)
        g -= p
        weight = np.exp(v * q)
        weight *= rate
        g *= weight
        for k in range(3):
            if k:
                weight *= q
                g *= q
            weights[k] += weight
            totals[k] += g
    scale = 1 / weights[0]
    first, second, mean, linear, square = (x * scale for x in (*weights[1:], *totals))
    slope = linear - first * mean
    return mean, slope, square - first * linear - (second - first * first) * mean - first * slope


def _logarithms(v: Any, d: Any, t: Any, p: Any, points: int, depth: float) -> tuple[Any, Any, Any]:
    """`log(F / p)`, or what the complements give, and its derivatives."""
    is_upper = t > d
    log, first, second = lower_tail(v, np.where(is_upper, -d, d), np.where(is_upper, -t, t), points, depth)
    return log - np.log(np.where(is_upper, 1 - p, p)), first, second


_WAYS = (*((_means, points) for points in CENTRAL_POINTS), *((_logarithms, points) for points in POINTS))


def _way(v: Any, d: Any, t: Any) -> Any:
    """Which of `_WAYS`, -1 for none."""
    way = np.where(is_central(v, d, t), central_level(v, t), len(CENTRAL_POINTS) + tail_level(v, d, t))
    return np.where((v > 0) & (v < np.inf), way, -1)


def _step(way: Any, is_coarse: Any, v: Any, d: Any, t: Any, p: Any) -> tuple[Any, Any]:
    """Halley's step in `log(v)`, and about the cube root of the error after it."""
    out, error = np.empty_like(v), np.empty_like(v)
    rules = ((False, 1.0, DEPTH), (True, _PART, _SHALLOW))
    for (k, (equation, points)), (coarse, part, depth) in product(enumerate(_WAYS), rules):
        places = np.flatnonzero((way == k) & (is_coarse == coarse))
        for start in range(0, len(places), _CHUNK):
            at = places[start : start + _CHUNK]
            value, slope, curve = equation(v[at], d[at], t[at], p[at], round(part * points), depth)
            slope, curve = v[at] * slope, v[at] * (slope + v[at] * curve)
            bend = curve / (2 * slope)
            step = value / (value * bend - slope)
            out[at], error[at] = step, np.abs(step) * np.cbrt(1 + bend * bend)
    return np.clip(out, -_LARGEST_STEP, _LARGEST_STEP), error


def degrees_of(p: Any, d: Any, t: Any, guess: Any) -> Any:
    """Where `nctdtr(v, d, t) = p`, of vectors; NaN where the search from the guess does not end there."""
    out = np.full_like(p, np.nan)
    at = np.flatnonzero(~has_no_degrees(p, d, t))
    v, d, t, p = guess[at], d[at], t[at], p[at]
    v = np.where((v > 0) & ((t * d <= 0) | is_central(v, d, t)), v, _ORDINARY)
    before, is_coarse = np.full_like(v, np.inf), np.ones_like(v, dtype=bool)
    for k in range(_STEPS):
        way = _way(v, d, t)
        stays = np.flatnonzero(way >= 0)
        way, is_coarse, before, at, v, d, t, p = (x[stays] for x in (way, is_coarse, before, at, v, d, t, p))
        if not len(at):
            break
        step, error = _step(way if k < _SINGLE else _most(way), is_coarse, v, d, t, p)
        v = v * np.exp(step)
        is_last = ~is_coarse & ((error < _LAST) | (error > before / 2) & (error < _NEAR))
        out[at[is_last]] = v[is_last]
        before = np.where(is_coarse, np.inf, error)
        is_coarse &= (error > _NEAR) & (k < _COARSE_STEPS)
        is_coarse, before, at, v, d, t, p = (x[~is_last] for x in (is_coarse, before, at, v, d, t, p))
    return out


def _most(way: Any) -> Any:
    """The way with the most nodes."""
    return np.where(way < len(CENTRAL_POINTS), len(CENTRAL_POINTS), len(_WAYS)) - 1


def has_no_degrees(p: Any, d: Any, t: Any) -> Any:
    """Where no degrees of freedom give `p`, as far as the signs of `d` and `t` tell.

    Where they differ `Phi(t r - d)` is convex, or concave, in `r**2`, whose mean is 1, and whose distribution contracts
    as `v` grows: `F` is monotonic between `Phi(-d)` and `Phi(t - d)`.
    """
    ends = ndtr(-d), ndtr(t - d)
    is_outside = (p <= np.minimum(*ends)) | (p >= np.maximum(*ends))
    return is_outside & ((t < 0) & (d >= 0) | (t > 0) & (d <= 0))
