"""The degrees of freedom of noncentral t for a given probability, by Halley's method.

In the tails it solves `log(F) = log(p)`.  Elsewhere, with `u = log(r)` and `q = u + (1 - r**2) / 2`, the density of
`chi / sqrt(v)` in `u` is in proportion to `exp(v q)`; with `<..>` for the mean over it, and `g = Phi(t r - d) - p`,

    F - p = <g>,   F' = <q g> - <q> <g>,   F'' = <q**2 g> - <q> <q g> - (<q**2> - <q>**2) <g> - <q> F'.

As means are quotients of sums over the same nodes, `F - p` has less error than the rounding of `F`.  That counts where
`F` hardly depends on `v`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtr

from .noncentral_student import (
    CENTRAL_POINTS,
    POINTS,
    central_level,
    central_nodes,
    is_central,
    lower_tail,
    tail_level,
)

__all__ = ["degrees_of", "has_no_degrees"]

_CHUNK = 2048
"""So many elements at a time: what is computed of them stays in the cache."""
_COARSE = 0.4
"""The part of the nodes that the first two steps take."""
_STEPS = 8
_ORDINARY = 5.0
"""Where to begin if the guess is of no use: of two solutions, where `F` is not monotonic, the larger one is found."""
_LARGEST_STEP = 1.5
_LAST = 2e-6
"""The error after a step is in proportion to its third power."""


def _means(v: Any, d: Any, t: Any, p: Any, points: int) -> tuple[Any, Any, Any]:
    """`F - p`, `F'` and `F''`."""
    weights = [np.zeros_like(v) for _ in range(3)]
    totals = [np.zeros_like(v) for _ in range(3)]
    for q, r, rate in central_nodes(v, points):
        g = t * r
        g -= d
        g = ndtr(g)
        g -= p
        r *= r
        r -= 1
        r *= 0.5
        q -= r
        weight = np.exp(v * q)
        weight *= rate
        for k in range(3):
            weights[k] += weight
            totals[k] += weight * g
            if k < 2:
                weight *= q
    scale = 1 / weights[0]
    first, second, mean, linear, square = (x * scale for x in (*weights[1:], *totals))
    slope = linear - first * mean
    return mean, slope, square - first * linear - (second - first * first) * mean - first * slope


def _logarithms(v: Any, d: Any, t: Any, p: Any, points: int) -> tuple[Any, Any, Any]:
    """`log(F / p)`, or what the complements give, and its derivatives."""
    is_upper = t > 0
    log, first, second = lower_tail(v, np.where(is_upper, -d, d), np.where(is_upper, -t, t), points)
    return log - np.log(np.where(is_upper, 1 - p, p)), first, second


_WAYS = (*((_means, points) for points in CENTRAL_POINTS), *((_logarithms, points) for points in POINTS[:3]))


def _way(v: Any, d: Any, t: Any) -> Any:
    """Which of `_WAYS`, -1 for none."""
    in_tail = (t * d <= 0) & (v > 0)
    out = np.where(in_tail, len(CENTRAL_POINTS) + tail_level(v), -1)
    return np.where(v < np.inf, np.where(is_central(v, d, t), central_level(v, t), out), -1)


def _step(way: Any, v: Any, d: Any, t: Any, p: Any, part: float) -> Any:
    """Halley's step in `log(v)`."""
    out = np.empty_like(v)
    for k, (equation, points) in enumerate(_WAYS):
        places = np.flatnonzero(way == k)
        for start in range(0, len(places), _CHUNK):
            at = places[start : start + _CHUNK]
            value, slope, curve = equation(v[at], d[at], t[at], p[at], round(part * points))
            slope, curve = v[at] * slope, v[at] * (slope + v[at] * curve)
            out[at] = -2 * value * slope / (2 * slope * slope - value * curve)
    return np.clip(out, -_LARGEST_STEP, _LARGEST_STEP)


def degrees_of(p: Any, d: Any, t: Any, guess: Any) -> Any:
    """Where `nctdtr(v, d, t) = p`, of vectors; NaN where the search from the guess does not end there."""
    out = np.full_like(p, np.nan)
    at = np.flatnonzero(~has_no_degrees(p, d, t))
    v, d, t, p = guess[at], d[at], t[at], p[at]
    v = np.where(_way(v, d, t) < 0, _ORDINARY, v)
    for k in range(_STEPS):
        way = _way(v, d, t)
        stays = np.flatnonzero(way >= 0)
        way, at, v, d, t, p = (x[stays] for x in (way, at, v, d, t, p))
        if not len(at):
            break
        step = _step(way, v, d, t, p, _COARSE if k < 2 else 1.0)
        v = v * np.exp(step)
        is_last = (np.abs(step) < _LAST) & (k >= 2)
        out[at[is_last]] = v[is_last]
        at, v, d, t, p = (x[~is_last] for x in (at, v, d, t, p))
    return out


def has_no_degrees(p: Any, d: Any, t: Any) -> Any:
    """Where no degrees of freedom give `p`, as far as the signs of `d` and `t` tell.

    Where they differ `Phi(t r - d)` is convex, or concave, in `r**2`, whose mean is 1, and whose distribution contracts
    as `v` grows: `F` is monotonic between `Phi(-d)` and `Phi(t - d)`.
    """
    ends = ndtr(-d), ndtr(t - d)
    is_outside = (p <= np.minimum(*ends)) | (p >= np.maximum(*ends))
    return is_outside & ((t < 0) & (d >= 0) | (t > 0) & (d <= 0))
