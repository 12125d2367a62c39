"""Means over the density of `r = chi / sqrt(v)`, and their derivatives in `v`, by nodes that many `v` share.

In the variable `q` with `-q**2 = log(r) + (1 - r**2) / 2`, of the sign of `r - 1`, the density is in proportion to
`exp(-v q**2)` times `d log(r) / dq`, which does not depend on `v`.  The trapezoidal rule then has the same nodes, and
the same `r`, for all `v` of a range, and the exponentials of neighbouring nodes have simple ratios.

With `Z` for the sum of the weights and `G` for that of a function times the weights, `G = Z F`, where a derivative in
`v` of `G` and `Z` is a factor `-q**2`: by Leibniz' rule those of the mean `F` follow one after another.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtr

from ..gamma_and_beta.gamma_descent import gaussian
from ..numerics.devices import constants_like

_DEPTH = 54.0
"""Of the exponent at the last nodes; the function may be smaller than there by some orders in the middle."""
_SPACING, _COARSEST = 0.363, 0.29
"""Of the nodes for `v` from 1 to 2, and of any: `log(r)` has singularities at `q**2 = 2 pi i k`."""
_CHANGES = (0.25, 0.8, 2.0, 5.0, 16.0)
"""Bounds of `t**2 / max(v, 1)`, by which `Phi(t r - d)` changes the faster relative to the density."""
_FINENESS = (1.4, 1.6, 2.0, 2.9, 4.6)
"""How many times as many nodes they ask for."""
_COARSE, _COARSE_DEPTH = 0.58, 18.0
"""How many times as many, and to which depth, where an error of about 1e-5 does not matter."""
_LEAST, _LARGEST = -4, 50
"""The `v` lie between powers of 2."""
_FARTHEST = 6.0
"""How many standard deviations of `t r - d` it may be from 0 at `r = 1`."""
_AT_ONCE = 1 << 15
"""So many nodes times elements at a time, so that what is computed of them stays in the cache."""


class _Nodes(NamedTuple):
    """The spacing in `q`; for positive and negative `q` `r - 1`, and the weights times powers of `-q**2`."""

    spacing: float
    excess: Any
    weights: Any


@cache
def _nodes(level: int, fineness: int, order: int, is_inaccurate: bool) -> _Nodes:
    """The midpoints for `v` from `2**level` to twice that, to where the density is negligible for the first."""
    part, depth = (_COARSE, _COARSE_DEPTH) if is_inaccurate else (1.0, _DEPTH)
    h = min(_SPACING / math.sqrt(2.0**level), _COARSEST) / (part * _FINENESS[fineness])
    q = (np.arange(math.ceil(math.sqrt(depth / 2.0**level) / h)) + np.longdouble(0.5)) * h
    q = np.stack([q, -q])
    square = q * q
    log = np.where(q > 0, np.log1p(q + square) * 0.75, -np.sqrt(square * square + square))
    for _ in range(60):
        grown = np.expm1(2 * log)
        log += np.clip((log - grown / 2 + square) / grown, -0.5, 0.5)
    weights = h * 2 * q / np.expm1(2 * log)
    powers = np.stack([(-square) ** k for k in range(order + 1)])
    return _Nodes(h, np.expm1(log).astype(float), (weights * powers).astype(float))


def has_chi_nodes(v: Any, d: Any, t: Any) -> Any:
    """Where `chi_means` is accurate: not in far tails, and where `Phi` changes not much faster than the density."""
    square = t * t
    is_moderate = (v >= 2.0**_LEAST) & (v < 2.0**_LARGEST) & (square <= _CHANGES[-1] * np.maximum(v, 1.0))
    return is_moderate & (np.abs(t - d) <= _FARTHEST * np.sqrt(1 + square / (2 * v)))


def chi_means(
    values: Callable[..., Any], v: Any, d: Any, t: Any, *others: Any, order: int, is_inaccurate: bool = False
) -> Any:
    """The mean of `values(r - 1, d, t, *others)`, and its derivatives in `v` to an order, of vectors."""
    change = t * t / np.maximum(v, 1.0)
    level, fineness = np.frexp(v)[1] - 1, sum((change > bound) * 1 for bound in _CHANGES)
    kind = level * len(_FINENESS) + fineness
    out = np.empty_like(v, shape=(order + 1, len(v)))
    for number in range(int(np.min(kind, initial=0)), int(np.max(kind, initial=-1)) + 1):
        indices = np.flatnonzero(kind == number)
        if not len(indices):
            continue
        spacing, *arrays = _nodes(*divmod(number, len(_FINENESS)), order, is_inaccurate)
        nodes = _Nodes(spacing, *[constants_like(x, v) for x in arrays])
        length = max(1, _AT_ONCE // nodes.excess.size)
        for start in range(0, len(indices), length):
            at = indices[start : start + length]
            out[:, at] = np.stack(_means(nodes, v[at], values(nodes.excess, *[x[at] for x in (d, t, *others)])))
    return out


def _means(nodes: _Nodes, v: Any, values: Any) -> list[Any]:
    density = gaussian(v * nodes.spacing**2, nodes.excess.shape[1])
    values *= density
    orders = range(len(nodes.weights))
    moments = np.sum(nodes.weights, axis=1) @ density
    totals = np.reshape(nodes.weights, (len(orders), -1)) @ np.reshape(values, (-1, len(v)))
    derivatives: list[Any] = []
    for n in orders:
        known = sum(math.comb(n, k) * derivatives[k] * moments[n - k] for k in range(n))
        derivatives.append((totals[n] - known) / moments[0])
    return derivatives


def normal_less(excess: Any, d: Any, t: Any, p: Any) -> Any:
    """`Phi(t r - d) - p`; a rounding of `t - d` would be the same at all nodes, and not average out."""
    values = np.multiply.outer(1 + excess, t)
    values -= d
    ndtr(values, out=values)
    values -= p
    return values


_SLOWEST, _SLOW_TERMS = 1e-3, 14
"""The bound of `t**2 / v` up to which so many terms of Taylor's series are enough."""
_LONG = 1000.0


def is_slow(v: Any, t: Any) -> Any:
    """Where the derivatives of the mean of `normal_less` would lose digits, and `normal_excess` is accurate."""
    return (v >= _LONG) & (t * t <= _SLOWEST * v)


def normal_excess(excess: Any, d: Any, t: Any) -> Any:
    """`Phi(x + delta) - Phi(x) - phi(x) t (r**2 - 1) / 2` with `x = t - d` and `delta = t (r - 1)`, by Taylor's series.

    As the mean of `r**2` is 1 for all `v`, the last term changes no derivative; without it nothing cancels.
    """
    x = t - d
    delta = np.multiply.outer(excess, t)
    hermite, before, factor = x, np.ones_like(x), 1.0
    coefficients = []
    for k in range(1, _SLOW_TERMS):
        factor /= -(k + 1)
        coefficients.append(factor * hermite)
        hermite, before = x * hermite - k * before, hermite
    values = np.empty_like(delta)
    values[...] = coefficients.pop()
    while coefficients:
        values *= delta
        values += coefficients.pop()
    values *= delta
    values *= delta
    values -= np.multiply.outer(excess * excess, t / 2)
    values *= np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    return values
