"""Histograms: sums of weights in bins.

Which bin an element falls into is constant almost everywhere, so a count has derivative zero in the data; a sum of
weights is linear in the weights, and edges that are computed from the data, the range or the bins move with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...array.views import scatter
from ...engine.dispatch import holds_traced, implements, lowered
from ...engine.operands import as_operand, asarray_like, operands
from ...engine.traced import Traced, raw


@implements(np.bincount)
def _(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    counts = np.bincount(lowered(x), lowered(weights), minlength)
    if not isinstance(weights, Traced):
        return counts
    return scatter(weights.astype(counts.dtype), index=raw(asarray_like(x, weights)).copy(), shape=counts.shape)


def sums_in_bins(weights: Any, sample: Sequence[Any], edges: Sequence[Any]) -> Any:
    """The sums of the weights of the points of a sample, given as one array a dimension, in bins with these edges."""
    index = []
    for x, edge in zip(sample, edges, strict=True):
        # a bin holds its left edge, the last one its right edge too; what is outside goes into one bin more
        bin_index = np.searchsorted(edge, x, side="right") - 1 - (x == edge[-1])
        index.append(np.where((bin_index >= 0) & (bin_index < len(edge) - 1), bin_index, len(edge) - 1))
    sums = scatter(weights, index=tuple(index), shape=tuple(len(edge) for edge in edges))
    return sums[(slice(-1),) * len(edges)]


def coordinates(sample: Any) -> Any:
    """One array a dimension, from what `numpy.histogramdd` takes: an array with a row a point, or a list of arrays."""
    if not hasattr(sample, "shape") and np.ndim(lowered(sample[0])):
        return [as_operand(x) for x in sample]
    sample = as_operand(sample)
    return np.transpose(sample) if sample.ndim == 2 else np.atleast_2d(sample)


def edges_of(plain: Any, a: Any, bins: Any, bounds: Any) -> Any:
    """The edges of the bins, which NumPy found to be `plain`: they move with the bins, the range or the data."""
    if holds_traced(bins):
        return as_operand(bins)
    given = holds_traced(bounds)
    if np.ndim(bins) == 1 or not (given or (bounds is None and isinstance(a, Traced) and a.size)):
        return plain
    first, last = bounds if given else (np.min(a), np.max(a))
    share = (plain - plain[0]) / (plain[-1] - plain[0])
    return plain + (first - raw(first)) * (1 - share) + (last - raw(last)) * share


def as_density(counts: Any, edges: Sequence[Any]) -> Any:
    """Sums of weights over the volumes of their bins, scaled to integral one."""
    volume = 1.0
    for i, edge in enumerate(edges):
        volume = volume * np.diff(edge).astype(float).reshape((-1,) + (1,) * (len(edges) - 1 - i))
    return counts / volume / np.sum(counts)


@implements(np.histogram_bin_edges)
def _(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    plain = np.histogram_bin_edges(raw(as_operand(a)), *lowered((bins, range, weights)))
    return edges_of(plain, a, bins, range)


@implements(np.histogram)
def _(a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None) -> Any:
    a, *_ = operands(a, weights)
    counts, plain = np.histogram(raw(a), lowered(bins), lowered(range), weights=lowered(weights))
    edges = edges_of(plain, a, bins, range)
    if isinstance(weights, Traced):
        counts = sums_in_bins(np.ravel(weights), [np.ravel(raw(a))], [plain])
    return (as_density(counts, [edges]) if density else counts), edges


@implements(np.histogramdd)
def _(sample: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None) -> Any:
    counts, plain = np.histogramdd(lowered(sample), lowered(bins), lowered(range), weights=lowered(weights))
    points = coordinates(sample)
    edges = [
        edges_of(plain[i], x, bins[i] if hasattr(bins, "__len__") else bins, None if range is None else range[i])
        for i, x in enumerate(points)
    ]
    if isinstance(weights, Traced):
        counts = sums_in_bins(weights.astype(counts.dtype), [raw(x) for x in points], plain)
    return (as_density(counts, edges) if density else counts), edges


@implements(np.histogram2d)
def _(x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None) -> Any:
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if hasattr(bins, "__len__") and len(bins) not in (1, 2):
        bins = [as_operand(bins), as_operand(bins)]
    counts, (x_edges, y_edges) = np.histogramdd([x, y], bins, range, density, weights)
    return counts, x_edges, y_edges
