"""Medians and quantiles: all elements of the axes sorted, those without a number last.

With `n` numbers, the quantile `q` lies at the position `v` among the sorted ones, counted from 0.  The continuous
methods of Hyndman and Fan (1996) have `v = n q + a + q (1 - a - b) - 1`, and interpolate between its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from ..operands import listed
from ..tables import FUNCTIONS
from .reductions import is_true, placed

_CONTINUOUS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "linear": (1.0, 1.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}


def _either(v: Any, lower: Callable[[Any, Any], Any]) -> Any:
    below = cupy.floor(v)
    return cupy.maximum(cupy.where(lower(v - below, below), below, below + 1), 0)


_POSITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "inverted_cdf": lambda n, q: _either(n * q - 1, lambda part, _: part == 0),
    "closest_observation": lambda n, q: _either(n * q - 1.5, lambda part, k: (part == 0) & (k % 2 == 1)),
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "lower": lambda n, q: cupy.floor((n - 1) * q),
    "higher": lambda n, q: cupy.ceil((n - 1) * q),
    "midpoint": lambda n, q: 0.5 * (cupy.floor((n - 1) * q) + cupy.ceil((n - 1) * q)),
    "nearest": lambda n, q: cupy.rint((n - 1) * q),
}

_PARTS: dict[str, Callable[[Any], Any]] = {
    "averaged_inverted_cdf": lambda part: cupy.where(part == 0, 0.5, 1.0),
    "midpoint": lambda part: cupy.where(part == 0, 0.0, 0.5),
}
"""Of the fraction of a position, where it is not the weight of the upper neighbour itself."""


def _position(method: str, n: Any, q: Any) -> Any:
    if method == "linear":
        return (n - 1) * q
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        return n * q + (alpha + q * (1 - alpha - beta)) - 1
    if method not in _POSITIONS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {(*_CONTINUOUS, *_POSITIONS)}")
    return _POSITIONS[method](n, q)


def _columns(a: Any, axis: Any) -> tuple[Any, tuple[int, ...]]:
    """The axes as the last one of a copy, and what they are."""
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    moved = cupy.moveaxis(a, axes, range(a.ndim - len(axes), a.ndim))
    return moved.reshape(*moved.shape[: a.ndim - len(axes)], -1), axes


def _kept(made: Any, a: Any, axes: tuple[int, ...], keepdims: Any) -> Any:
    """A result whose last axes are those of `a` that were kept, with the others as axes of length 1."""
    if not is_true(keepdims):
        return made
    before = made.ndim - (a.ndim - len(axes))
    return cupy.expand_dims(made, tuple(before + i for i in axes))


def _sorted(columns: Any) -> tuple[Any, Any]:
    """The columns sorted, and how many numbers each has."""
    if columns.dtype.kind in "biu":
        return cupy.sort(columns, axis=-1), cupy.full((*columns.shape[:-1], 1), columns.shape[-1])
    missing = cupy.isnan(columns)
    columns = cupy.where(missing, columns.dtype.type(np.nan), columns)
    return cupy.sort(columns, axis=-1), columns.shape[-1] - missing.sum(axis=-1, keepdims=True)


def _median(skips: bool) -> Callable[..., Any]:
    def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Any:
        a = cupy.asarray(a)
        if a.dtype.kind in "biu":
            a = a.astype(float)
        columns, axes = _columns(a, axis)
        ranked, count = _sorted(columns)
        if not ranked.shape[-1]:
            made = cupy.full(ranked.shape[:-1], np.nan, a.dtype)
        else:
            n = count if skips else cupy.full_like(count, ranked.shape[-1])
            low, high = (cupy.take_along_axis(ranked, cupy.maximum(k, 0), -1) for k in ((n - 1) // 2, n // 2))
            whole = (n > 0) & (skips | (count == ranked.shape[-1]))
            middle = cupy.where(n % 2 == 1, low, (low + high) / 2)
            made = cupy.where(whole, middle, a.dtype.type(np.nan))[..., 0]
        return placed(out, _kept(made, a, axes, keepdims))

    return median


FUNCTIONS[np.median] = _median(skips=False)
FUNCTIONS[np.nanmedian] = _median(skips=True)


def _quantile(unit: float, skips: bool) -> Callable[..., Any]:
    def quantile(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
    ) -> Any:
        a = cupy.asarray(a)
        if a.dtype.kind == "c":
            raise TypeError("a must be an array of real numbers")
        q = _fractions(a, q, unit)
        columns, axes = _columns(a.astype(float) if a.dtype.kind in "biu" else a, axis)
        ranked, count = _sorted(columns)
        total = count if skips else cupy.full_like(count, ranked.shape[-1])
        flat = q.ravel()
        if weights is not None:
            made = _weighted(columns, _spread(cupy.asarray(weights), a, axis, axes), flat, method)
        else:
            made = _read(ranked, total, flat, method)
        whole = (total > 0) & (skips | (count == ranked.shape[-1]))
        made = cupy.moveaxis(cupy.where(whole, made, made.dtype.type(np.nan)), -1, 0)
        if a.dtype.kind in "iuf" and method in ("inverted_cdf", "closest_observation", "lower", "higher", "nearest"):
            made = made.astype(a.dtype)
        return placed(out, _kept(made.reshape(*q.shape, *made.shape[1:]), a, axes, keepdims))

    return quantile


def _fractions(a: Any, q: Any, unit: float) -> Any:
    weak = issubclass(type(q), (int, float))
    literal = np.asarray(q) if issubclass(type(q), (int, float, list, tuple, np.generic)) else None
    inside = (literal >= 0) & (literal <= unit) if literal is not None else (q >= 0) & (q <= unit)
    if not bool(inside.all()):
        what = "Percentiles must be in the range [0, 100]" if unit == 100 else "Quantiles must be in the range [0, 1]"
        raise ValueError(what)
    q = listed(q, a.dtype if weak and a.dtype.kind == "f" else None)
    q = q.astype(float, copy=False) if q.dtype.kind in "biu" else q
    return q / (a.dtype.type(unit) if a.dtype.kind == "f" else unit) if unit != 1 else q


def _read(ranked: Any, n: Any, q: Any, method: str) -> Any:
    """The values at the positions, one column a quantile."""
    v = _position(method, n.astype(q.dtype), q)
    last = cupy.maximum(n - 1, 0)
    below = cupy.floor(v)
    part = v - below
    part = _PARTS[method](part).astype(q.dtype) if method in _PARTS else part
    low = cupy.clip(below.astype(np.intp), 0, last)
    high = cupy.clip(below.astype(np.intp) + 1, 0, last)
    a, b = (cupy.take_along_axis(ranked, k, -1) for k in (low, high))
    apart = b - a
    return cupy.where((part >= 0.5) & (apart != 0), b - apart * (1 - part), a + cupy.where(apart == 0, 0, apart * part))


def _spread(weights: Any, a: Any, axis: Any, axes: tuple[int, ...]) -> Any:
    """Weights with the shape of the columns."""
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if weights.shape != tuple(a.shape[i] for i in axes):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = sorted(range(len(axes)), key=lambda k: axes[k])
        weights = weights.transpose(order).reshape([n if i in axes else 1 for i, n in enumerate(a.shape)])
    return _columns(cupy.broadcast_to(weights, a.shape), axes)[0]


def _weighted(columns: Any, weights: Any, q: Any, method: str) -> Any:
    """The first value at which the weights so far, as a part of all, reach a fraction."""
    if method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if bool((weights < 0).any()):
        raise ValueError("Weights must be non-negative.")
    missing = cupy.isnan(columns)
    order = cupy.argsort(cupy.where(missing, cupy.inf, columns), axis=-1)
    ranked = cupy.take_along_axis(columns, order, -1)
    share = cupy.cumsum(cupy.take_along_axis(cupy.where(missing, 0.0, weights.astype(float)), order, -1), axis=-1)
    share = share / share[..., -1:]
    share = cupy.where((share == 0) & (share[..., :1] == 0), -1.0, share)
    position = (share[..., None, :] < q[:, None]).sum(axis=-1)
    return cupy.take_along_axis(ranked, cupy.minimum(position, columns.shape[-1] - 1), -1)


for _function, _unit in ((np.quantile, 1.0), (np.percentile, 100.0), (np.nanquantile, 1.0), (np.nanpercentile, 100.0)):
    FUNCTIONS[_function] = _quantile(_unit, skips=_function.__name__.startswith("nan"))
