"""`scipy.interpolate.LinearNDInterpolator`: in the points, the values and the arguments; `NearestNDInterpolator`.

In a simplex with the corners p_j the value is `sum_j b_j v_j` with the barycentric coordinates of the argument,
`sum_j b_j p_j = x`, `sum_j b_j = 1`.  The triangulation is constant; on a side the derivative is that of one simplex.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.interpolation.triangulations import LinearNDInterpolator
>>> corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
>>> np.grad(lambda v: LinearNDInterpolator(corners, v)([[0.25, 0.25]])[0])(np.zeros(3)).round(12)
array([0.5 , 0.25, 0.25])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.interpolate
from scipy.spatial import Delaunay

from .....complex_autograd.engine.dispatch import lowered
from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from .....linalg import solve
from ..leaves import leaf, plain_or_none
from .grids import _ndim_coords_from_arrays


@leaf("scipy.interpolate._interpnd")
class LinearNDInterpolator:
    """SciPy's class of that name.

    Parameters
    ----------
    points : array_like (n, d) or Delaunay
        The points.
    values : array_like (n, ...)
        The values there.
    fill_value : float
        The value outside of the convex hull.
    rescale : bool
        Whether the triangulation is that of points scaled to the unit cube.
    """

    def __init__(self, points: Any, values: Any, fill_value: Any = np.nan, rescale: bool = False) -> None:
        is_triangulation = isinstance(points, Delaunay)
        self.points = as_operand(points.points) if is_triangulation else _ndim_coords_from_arrays(points)
        self.values, self.fill_value = as_operand(values), fill_value
        given = points if is_triangulation else raw(self.points)
        self.plain = scipy.interpolate.LinearNDInterpolator(given, raw(self.values), lowered(fill_value), rescale)
        self.tri = self.plain.tri

    def __call__(self, *args: Any, **options: Any) -> Any:
        plain = plain_or_none(self.points, self.values, self.fill_value, *args)
        if plain is not None:
            return self.plain(*plain[3:], **options)
        xi = as_operand(_ndim_coords_from_arrays(args if len(args) > 1 else args[0], ndim=self.points.shape[1]))
        x = np.reshape(xi, (-1, xi.shape[-1]))
        scaled = raw(x) if self.plain.scale is None else (raw(x) - self.plain.offset) / self.plain.scale
        tolerance = None
        if options:  # from SciPy 1.18 on: `simplex_tolerance`, in units of the default
            self.plain(raw(x), **options)  # raises for others
            tolerance = 100 * np.finfo(float).eps * options["simplex_tolerance"]
        simplex = self.tri.find_simplex(scaled, tol=tolerance)
        corners = self.tri.simplices[simplex]
        vertices = np.swapaxes(self.points[corners], 1, 2)
        matrix = np.concatenate([vertices, np.ones((x.shape[0], 1, corners.shape[1]))], axis=1)
        right = np.concatenate([x, np.ones((x.shape[0], 1))], axis=1)[:, :, None]
        shares = solve(matrix, right)
        columns = np.reshape(self.values, (self.values.shape[0], -1))
        found = np.sum(shares * columns[corners], axis=1)
        if np.any(simplex < 0):
            found = np.where((simplex < 0)[:, None], self.fill_value, found)
        return np.reshape(found, (*xi.shape[:-1], *self.values.shape[1:]))


@leaf("scipy.interpolate._interpnd")
class CloughTocher2DInterpolator(scipy.interpolate.CloughTocher2DInterpolator):  # type: ignore[misc]
    """SciPy's class of that name, of values without derivatives."""

    def __init__(self, *args: Any, **options: Any) -> None:
        _refuse_cubic(*args, *options.values())
        super().__init__(*lowered([*args]), **{key: lowered(x) for key, x in options.items()})

    def __call__(self, *args: Any, **options: Any) -> Any:
        _refuse_cubic(*args)
        return super().__call__(*lowered([*args]), **options)


def _refuse_cubic(*args: Any) -> None:
    if plain_or_none(*args) is None:
        raise NotDifferentiableError(
            "scipy.interpolate.CloughTocher2DInterpolator",
            "its gradients are estimated by compiled code. LinearNDInterpolator, and RBFInterpolator for a smooth "
            "surface, have derivatives",
        )


@leaf("scipy.interpolate._ndgriddata")
class NearestNDInterpolator:
    """SciPy's class of that name: which point is the nearest one has no derivative, and its value moves alone.

    Parameters
    ----------
    x : array_like (n, d)
        The points.
    y : array_like (n, ...)
        The values there.
    rescale : bool
        Whether distances are those of points scaled to the unit cube.
    tree_options : dict, optional
        Of the k-d tree.
    """

    def __init__(self, x: Any, y: Any, rescale: bool = False, tree_options: Any = None) -> None:
        self.values = as_operand(y)
        points = raw(_ndim_coords_from_arrays(x))
        self.plain = scipy.interpolate.NearestNDInterpolator(points, raw(self.values), rescale, tree_options)
        self.numbers = scipy.interpolate.NearestNDInterpolator(points, np.arange(len(points)), rescale, tree_options)
        self.points, self.tree = self.plain.points, self.plain.tree

    def __call__(self, *args: Any, **options: Any) -> Any:
        if plain_or_none(self.values) is not None:
            return self.plain(*lowered(args), **options)
        numbers = self.numbers(*lowered(args), **options)
        is_found = np.isfinite(numbers).reshape(numbers.shape + (1,) * (self.values.ndim - 1))
        return np.where(is_found, self.values[np.nan_to_num(numbers).astype(int)], np.nan)
