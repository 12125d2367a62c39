"""`scipy.interpolate.RegularGridInterpolator`: in the grid, the values on it, and the points.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.interpolation.grids import find_indices
>>> np.grad(lambda y: find_indices((np.array([0.0, 2.0]),), np.reshape(y, (1, 1)))[1][0, 0])(0.5)
np.float64(0.5)
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import scipy.interpolate._interpnd as _interpnd
import scipy.interpolate._rgi_cython as _rgi_cython

from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from ..leaves import leaf, plain_or_none

_MODULE = "scipy.interpolate._rgi_cython"


@leaf(_MODULE)
def find_indices(grid: Any, xi: Any) -> Any:
    """The cell of each point, and where in units of the cell's sides the point lies; 0 along a side of length 0."""
    plain = plain_or_none(tuple(grid), xi)
    if plain is not None:
        return _rgi_cython.find_indices(plain[0], np.ascontiguousarray(plain[1]))
    xi = as_operand(xi)
    cells, distances = [], []
    for axis, points in enumerate(map(as_operand, grid)):
        cell = np.clip(np.searchsorted(raw(points), raw(xi[axis]), "right") - 1, 0, max(points.shape[0] - 2, 0))
        cells.append(cell)
        if points.shape[0] == 1:
            distances.append(0.0 * xi[axis])
        else:
            distances.append((xi[axis] - points[cell]) / (points[cell + 1] - points[cell]))
    return np.stack(cells), np.stack(distances)


@leaf(_MODULE)
def evaluate_linear_2d(values: Any, indices: Any, norm_distances: Any, grid: Any, out: Any) -> Any:
    """The values of the linear interpolant in two dimensions."""
    plain = plain_or_none(values, norm_distances)
    if plain is not None:
        lengths = tuple(np.ascontiguousarray(raw(as_operand(points))) for points in grid)
        found = np.empty(indices.shape[1], plain[0].dtype)
        return _rgi_cython.evaluate_linear_2d(plain[0], indices, plain[1], lengths, found)
    values = as_operand(values)
    total: Any = 0.0
    for corner in product((0, 1), repeat=2):
        weight: Any = 1.0
        index = []
        for axis, step in enumerate(corner):
            t = norm_distances[axis]
            weight = weight * (t if step else 1 - t)
            index.append(np.minimum(indices[axis] + step, values.shape[axis] - 1))
        total = total + weight * values[tuple(index)]
    return total


@leaf("scipy.interpolate._interpnd")
def _ndim_coords_from_arrays(points: Any, ndim: int | None = None) -> Any:
    """Points as the rows of an array, from a tuple of arrays of their coordinates."""
    plain = plain_or_none(points)
    if plain is not None:
        return _interpnd._ndim_coords_from_arrays(plain[0], ndim=ndim)
    if isinstance(points, tuple) and len(points) == 1:
        points = points[0]
    if isinstance(points, tuple):
        return np.stack(np.broadcast_arrays(*[as_operand(part) for part in points]), axis=-1)
    points = as_operand(points)
    if points.ndim == 1:
        return np.reshape(points, (-1, 1 if ndim is None else ndim))
    return points
