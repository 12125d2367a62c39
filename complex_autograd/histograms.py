"""Histograms: sums of weights in bins.

Which bin an element falls into is constant almost everywhere, so a count has derivative zero in the data; a sum of
weights is linear in the weights, and edges that are computed from the data, the range or the bins follow them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .array import Traced, raw
from .creation import as_operand
from .dispatch import holds_traced, implements, lowered
from .indexing import beside, getitem
from .operands import operands
from .primitive import linear

__all__ = ["histogram_of_weights", "sum_by_index"]


@linear
def sum_by_index(weights: Any, *, index: Any, minlength: int) -> Any:
    """`numpy.bincount`: the sum of the weights with each index."""
    return np.bincount(index, weights, minlength)


@sum_by_index.adjoint(0)
def _(g: Any, weights: Any, *, index: Any, minlength: int) -> Any:
    return getitem(g, index=index)


@implements(np.bincount)
def _(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    if not isinstance(weights, Traced) or weights.dtype.kind == "c":
        return np.bincount(*lowered((x, weights)), minlength)
    return sum_by_index(weights, index=raw(beside(x, weights)), minlength=minlength)


@linear
def histogram_of_weights(weights: Any, *, sample: Any, bins: Any, bounds: Any) -> Any:
    """The sums of weights that `numpy.histogram` returns."""
    return np.histogram(sample, bins, bounds, weights=weights)[0]


@histogram_of_weights.adjoint(0)
def _(g: Any, weights: Any, *, sample: Any, bins: Any, bounds: Any) -> Any:
    edges = np.histogram_bin_edges(sample, bins, bounds)
    return read_bins(g, [np.ravel(sample)], [edges]).reshape(weights.shape)


@linear
def histogramdd_of_weights(weights: Any, *, sample: Any, bins: Any, bounds: Any) -> Any:
    """The sums of weights that `numpy.histogramdd` returns."""
    return np.histogramdd(sample, bins, bounds, weights=weights)[0]


@histogramdd_of_weights.adjoint(0)
def _(g: Any, weights: Any, *, sample: Any, bins: Any, bounds: Any) -> Any:
    edges = np.histogramdd(sample, bins, bounds)[1]
    return read_bins(g, coordinates(sample), edges)


def read_bins(g: Any, sample: Any, edges: Any) -> Any:
    """The element of `g` for the bin that each point of a sample falls into, zero outside all of them."""
    inside, index = True, []
    for x, edge in zip(sample, edges, strict=True):
        # a bin holds its left edge, the last one its right edge too
        place = np.searchsorted(edge, x, side="right") - 1 - (x == edge[-1])
        inside = inside & (place >= 0) & (place < len(edge) - 1)
        index.append(place)
    return np.where(inside, getitem(g, index=tuple(np.where(inside, place, 0) for place in index)), 0)


def coordinates(sample: Any) -> Any:
    """One array a dimension, from what `numpy.histogramdd` takes: an array with a row a point, or a list of arrays."""
    if not hasattr(sample, "shape") and np.ndim(lowered(sample[0])):
        return [as_operand(x) for x in sample]
    sample = as_operand(sample)
    return np.transpose(sample) if sample.ndim == 2 else np.atleast_2d(sample)


def edges_of(plain: Any, a: Any, bins: Any, bounds: Any) -> Any:
    """The edges of the bins, which NumPy found to be `plain`: they move with the bins, the range or the data."""
    if isinstance(bins, Traced) or holds_traced(bins):
        return as_operand(bins)
    given = holds_traced(bounds)
    if np.ndim(bins) == 1 or not (given or (bounds is None and isinstance(a, Traced) and a.size)):
        return plain
    first, last = bounds if given else (np.min(a), np.max(a))
    share = (plain - plain[0]) / (plain[-1] - plain[0])
    return plain + (first - raw(first)) * (1 - share) + (last - raw(last)) * share


def as_density(counts: Any, edges: Any) -> Any:
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
    sample, plain_bins, bounds = raw(a), lowered(bins), lowered(range)
    counts, plain = np.histogram(sample, plain_bins, bounds, weights=lowered(weights))
    edges = edges_of(plain, a, bins, range)
    if isinstance(weights, Traced):
        counts = histogram_of_weights(weights, sample=sample, bins=plain_bins, bounds=bounds)
    return (as_density(counts, [edges]) if density else counts), edges


@implements(np.histogramdd)
def _(sample: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None) -> Any:
    plain_sample, plain_bins, bounds = lowered(sample), lowered(bins), lowered(range)
    counts, plain = np.histogramdd(plain_sample, plain_bins, bounds, weights=lowered(weights))
    edges = [
        edges_of(plain[i], x, bins[i] if hasattr(bins, "__len__") else bins, None if range is None else range[i])
        for i, x in enumerate(coordinates(sample))
    ]
    if isinstance(weights, Traced):
        counts = histogramdd_of_weights(weights, sample=plain_sample, bins=plain_bins, bounds=bounds)
    return (as_density(counts, edges) if density else counts), edges


@implements(np.histogram2d)
def _(x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None) -> Any:
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if hasattr(bins, "__len__") and len(bins) not in (1, 2):
        bins = [as_operand(bins), as_operand(bins)]
    counts, (x_edges, y_edges) = np.histogramdd([x, y], bins, range, density, weights)
    return counts, x_edges, y_edges
