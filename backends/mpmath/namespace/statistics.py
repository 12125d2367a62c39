"""What of NumPy sorts, ranks or counts, and norms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mpmath
import numpy as np

from ..array import Array, array_of
from ..dispatch import refuse, with_objects
from ..elements import COMPLEX
from ..tables import implements
from .quantiles import position_of_quantile, rank_of_weighted, weights_along


@implements(np.argsort)
def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """`numpy.argsort`."""
    if axis is None:
        a, axis = np.ravel(a), -1
    if a.dtype is COMPLEX:
        is_missing = np.isnan(a)
        parts = [np.where(is_missing, 0, part.host) for part in (a.imag, a.real)]
        return np.lexsort((*parts, is_missing), axis=axis)
    is_missing = np.isnan(a)
    if not np.any(is_missing):
        return with_objects(np.argsort, (a,), {"axis": axis, "kind": "stable"})
    return np.lexsort((np.where(is_missing, 0, a.host), is_missing), axis=axis)  # NaN comes last


@implements(np.sort)
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """`numpy.sort`."""
    if axis is None:
        a, axis = np.ravel(a), -1
    return np.take_along_axis(a, np.argsort(a, axis), axis) if a.size else a.copy()


@implements(np.argpartition)
def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """`numpy.argpartition`."""
    return np.argsort(a, axis)


@implements(np.partition)
def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> Any:
    """`numpy.partition`."""
    return np.sort(a, axis)


@implements(np.sort_complex)
def sort_complex(a: Any) -> Any:
    """`numpy.sort_complex`."""
    return np.sort(a.astype(complex))


def _in_last(a: Any, axis: Any) -> Any:
    """The array with what a statistic goes over as its last axis, and the shape with these axes kept."""
    axes = range(a.ndim) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, a.ndim)
    kept = [i for i in range(a.ndim) if i not in axes]
    moved = np.transpose(a, (*kept, *axes))
    shape = tuple(1 if i in axes else n for i, n in enumerate(a.shape))
    return np.reshape(moved, (*[a.shape[i] for i in kept], -1)), shape


def _quantile(
    a: Any, q: Any, axis: Any, keepdims: Any, ignores_nan: bool, method: str = "linear", weights: Any = None
) -> Any:
    """Interpolated between the sorted elements beside a position, or what the weights choose."""
    columns, shape = _in_last(a, axis)
    q = array_of(q)
    order = np.argsort(columns, -1)  # NaN comes last
    is_missing = np.take_along_axis(np.isnan(columns), order, -1)
    ordered = np.where(is_missing, mpmath.inf, np.take_along_axis(columns, order, -1))
    missing = is_missing.sum(-1)
    if weights is not None:
        weights = np.take_along_axis(_in_last(weights, axis)[0], order, -1)
        weights = np.where(is_missing, is_missing.all(-1, keepdims=True), weights)
    last = np.maximum(columns.shape[-1] - missing - 1, 0)
    found = []
    for share in np.ravel(q):
        if weights is None:
            position = np.clip(position_of_quantile(method, array_of(last + 1.0), share), 0, last)
        else:
            position = array_of(np.minimum(rank_of_weighted(weights, share), last))
        low = np.floor(position).astype(np.intp)
        below = np.take_along_axis(ordered, low[..., None], -1)[..., 0]
        above = np.take_along_axis(ordered, np.minimum(low + 1, last)[..., None], -1)[..., 0]
        fraction = position - low
        x = np.where(fraction == 0, below, below + (above - below) * fraction)
        is_unknown = missing == columns.shape[-1] if ignores_nan else missing > 0
        x = np.where(is_unknown, mpmath.nan, x)
        found.append(np.reshape(x, shape) if keepdims else x)
    return np.reshape(np.stack(found), q.shape + found[0].shape)


def _implements_quantile(function: Any, unit: int, ignores_nan: bool) -> None:
    @implements(function)
    def call(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: Any = False,
        method: str = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
    ) -> Any:
        a = array_of(a)
        if weights is not None:
            if method != "inverted_cdf":
                raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
            weights = weights_along(a, array_of(weights), axis)
            if np.any(weights < 0):
                raise ValueError("Weights must be non-negative.")
        return _quantile(a, array_of(q) / unit, axis, keepdims, ignores_nan, method, weights)


for _function, _unit, _ignores_nan in (
    (np.quantile, 1, False),
    (np.percentile, 100, False),
    (np.nanquantile, 1, True),
    (np.nanpercentile, 100, True),
):
    _implements_quantile(_function, _unit, _ignores_nan)


def _implements_median(function: Any, ignores_nan: bool) -> None:
    @implements(function)
    def call(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
        if a.dtype is not COMPLEX:
            return _quantile(a, 0.5, axis, keepdims, ignores_nan)
        columns, shape = _in_last(a, axis)
        n, missing = columns.shape[-1], np.isnan(columns).sum(-1)
        known = np.maximum(n - missing, 1)
        ordered = np.sort(columns, -1)
        low, high = (np.take_along_axis(ordered, k[..., None], -1)[..., 0] for k in ((known - 1) // 2, known // 2))
        x = np.where((missing == n) | (missing > 0) & (not ignores_nan), mpmath.nan, (low + high) / 2)
        return np.reshape(x, shape) if keepdims else x


_implements_median(np.median, False)
_implements_median(np.nanmedian, True)


@implements(np.nanmax)
def nanmax(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **kwargs: Any) -> Any:
    """`numpy.nanmax`."""
    return np.fmax.reduce(a, axis=axis, keepdims=keepdims, **kwargs)


@implements(np.nanmin)
def nanmin(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **kwargs: Any) -> Any:
    """`numpy.nanmin`."""
    return np.fmin.reduce(a, axis=axis, keepdims=keepdims, **kwargs)


@implements(np.nan_to_num)
def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """`numpy.nan_to_num`."""
    if x.dtype is COMPLEX:
        parts = [nan_to_num(part, copy, nan, posinf, neginf) for part in (x.real, x.imag)]
        return parts[0] + 1j * parts[1]
    largest = float(np.finfo(float).max)
    x = np.where(np.isnan(x), nan, x)
    x = np.where(x == mpmath.inf, largest if posinf is None else posinf, x)
    return np.where(x == -mpmath.inf, -largest if neginf is None else neginf, x)


@implements(np.bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    """`numpy.bincount`."""
    sums = np.zeros_like(weights, shape=max(minlength, int(np.max(x, initial=-1)) + 1))
    np.add.at(sums, x, weights)
    return sums


@implements(np.histogram_bin_edges)
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """`numpy.histogram_bin_edges`."""
    if np.ndim(bins) == 1:
        return bins
    if type(bins) is str:
        refuse(f"numpy.histogram_bin_edges with bins={bins!r}")
    if range is None and type(a) is not Array:
        return np.histogram_bin_edges(a, bins)
    first, last = (np.min(a), np.max(a)) if range is None else range
    return np.linspace(array_of(first), last, bins + 1)


@implements(np.histogram)
def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """`numpy.histogram`."""
    edges = histogram_bin_edges(a, bins, range)
    bin_of = np.searchsorted(edges, np.ravel(a), side="right") - 1
    bin_of = np.where(np.ravel(a) == edges[-1], len(edges) - 2, bin_of)
    is_inside = (bin_of >= 0) & (bin_of < len(edges) - 1)
    if weights is None:
        counts: Any = np.bincount(bin_of[is_inside], minlength=len(edges) - 1)
    else:
        counts = np.bincount(bin_of[is_inside], array_of(np.ravel(weights))[is_inside], len(edges) - 1)
    return (counts / np.diff(edges) / np.sum(counts) if density else counts), edges


def _vector_norm(x: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    lengths = np.absolute(x)
    if ord is None or ord == 2 or ord == "fro":
        return np.sqrt(np.sum(lengths * lengths, axis=axis, keepdims=keepdims))
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(lengths, axis=axis, keepdims=keepdims)
    if ord == 0:
        return np.sum(array_of((lengths != 0).astype(float)), axis=axis, keepdims=keepdims)
    ord = mpmath.mpf(ord)
    return np.sum(lengths**ord, axis=axis, keepdims=keepdims) ** (1 / ord)


@implements(np.linalg.vector_norm)
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """`numpy.linalg.vector_norm`."""
    return _vector_norm(x, ord, axis, keepdims)


@implements(np.linalg.matrix_norm)
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """`numpy.linalg.matrix_norm`."""
    return norm(x, ord, (-2, -1), keepdims)


@implements(np.linalg.norm)
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """`numpy.linalg.norm`."""
    axes: Sequence[int] = np.lib.array_utils.normalize_axis_tuple(range(x.ndim) if axis is None else axis, x.ndim)
    if ord is None or ord == "fro" or len(axes) == 1:
        return _vector_norm(x, ord, tuple(axes), keepdims)
    matrices = np.moveaxis(x, axes, (-2, -1))
    if ord in (2, -2, "nuc"):
        values = np.linalg.svd(matrices, compute_uv=False)
        found = np.sum(values, -1) if ord == "nuc" else values[..., 0 if ord == 2 else -1]
    else:
        sums = np.sum(np.absolute(matrices), -2 if abs(ord) == 1 else -1)
        found = (np.max if ord > 0 else np.min)(sums, -1)
    return np.expand_dims(found, tuple(axes)) if keepdims else found
