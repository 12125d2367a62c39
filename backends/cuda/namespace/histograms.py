"""Histograms, whose bins may be literal lists."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..operands import listed
from ..tables import implements
from .borrowed import borrowed


def _points(sample: Any) -> Any:
    return cupy.stack([cupy.asarray(x) for x in sample], 1) if isinstance(sample, (list, tuple)) else sample


@implements(np.histogramdd)
def histogramdd(sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """`numpy.histogramdd`."""
    points = _points(sample)
    points = points[:, None] if points.ndim == 1 else points
    if isinstance(bins, (list, tuple)):
        bins = [b if isinstance(b, int) else listed(b) for b in bins]
    counts, edges = borrowed(np.histogramdd)(points, bins, range, density, weights)
    return counts, tuple(edges)


@implements(np.histogram2d)
def histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """`numpy.histogram2d`."""
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    if not isinstance(bins, int) and not (isinstance(bins, (list, tuple)) and len(bins) in (1, 2)):
        bins = [cupy.asarray(bins)] * 2
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]
