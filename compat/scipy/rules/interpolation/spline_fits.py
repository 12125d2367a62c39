"""`scipy.interpolate`: splines of several variables, splines by least squares, and FITPACK's names.

A spline on a grid is interpolated along one axis after the other: its coefficients are `c = A_1^-1 .. A_n^-1 values`,
where `A_i` has the B-splines at the points of an axis, and is banded.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.interpolation.spline_fits import interpolating_coefficients
>>> x, t = np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.0, 1.0, 2.0, 2.0])
>>> np.grad(lambda y: interpolating_coefficients(x, t, 1, y)[1])(np.array([1.0, 2.0, 4.0]))
array([0., 1., 0.])
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import scipy.interpolate._bsplines as _bsplines
import scipy.interpolate._dierckx as _dierckx
import scipy.interpolate._fitpack_impl as _fitpack_impl
import scipy.interpolate._ndbspline as _ndbspline

from .....complex_autograd.array.views import scatter
from .....complex_autograd.engine.errors import NotDifferentiableError
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from .....linalg import lstsq, solve_banded
from ....rebinding import Around
from ..leaves import leaf, plain_or_none
from .splines import basis, interval, spline_values

_COMPILED = "scipy.interpolate._dierckx"
_FITPACK = "scipy.interpolate._fitpack_impl"


def _rows(x: Any, t: Any, k: int) -> tuple[Any, Any, Any]:
    """The B-splines at `x` that are not 0, a row for each, and the numbers of their rows and columns in the matrix."""
    l = interval(t, k, x)
    values = np.stack(basis(t, k, x, l), axis=-1)
    columns = l[:, None] - k + np.arange(k + 1)
    return values, np.broadcast_to(np.arange(x.shape[0])[:, None], columns.shape), columns


def interpolating_coefficients(x: Any, t: Any, k: int, y: Any) -> Any:
    """The coefficients of the spline with the values `y` at `x`, as many as there are B-splines."""
    x, t, y = as_operand(x), as_operand(t), as_operand(y)
    values, rows, columns = _rows(x, t, k)
    inside = np.abs(rows - columns) <= k  # by the conditions of Schoenberg and Whitney all others are 0
    index = (k + (rows - columns)[inside], columns[inside])
    band = scatter(values[inside], index=index, shape=(2 * k + 1, x.shape[0]))
    return np.reshape(solve_banded((k, k), band, np.reshape(y, (y.shape[0], -1))), y.shape)


def _make_spline_of_grid(original: Callable[..., Any]) -> Callable[..., Any]:
    """`make_ndbspl` with coefficients that have derivatives in the values and in the points."""
    module = original.__globals__

    def make_ndbspl(points: Any, values: Any, k: Any = 3, **options: Any) -> Any:
        plain = plain_or_none(tuple(points), values)
        if plain is not None:
            spline = _ndbspline.make_ndbspl(*plain, k, **options)
            return module["NdBSpline"](spline.t, spline.c, spline.k)
        degrees = (k,) * len(points) if np.ndim(k) == 0 else tuple(k)
        knots, coefficients = [], as_operand(values)
        for axis, (points_of_axis, degree) in enumerate(zip(points, degrees, strict=True)):
            x = as_operand(points_of_axis).astype(np.float64)
            if x.shape[0] <= degree:
                raise ValueError(
                    f"There are {x.shape[0]} points in dimension {axis}, but order {degree} requires at least "
                    f"{degree + 1} points per dimension."
                )
            knots.append(module["_not_a_knot"](x, degree))
            along = np.moveaxis(coefficients, axis, 0)
            coefficients = np.moveaxis(interpolating_coefficients(x, knots[-1], degree, along), 0, axis)
        return module["NdBSpline"](tuple(knots), coefficients, degrees)

    return make_ndbspl


leaf("scipy.interpolate._ndbspline", "make_ndbspl")(Around(_make_spline_of_grid))


@leaf(_COMPILED)
def evaluate_ndbspline(
    xi: Any,
    t: Any,
    len_t: Any,
    k: Any,
    nu: Any,
    extrapolate: bool,
    c1r: Any,
    num_c_tr: int,
    strides_c1: Any,
    indices_k1d: Any,
) -> Any:
    """The values of a tensor product of splines: sums over the coefficients of all B-splines that are not 0."""
    plain = plain_or_none(xi, t, c1r)
    if plain is not None:
        xi, t, c1r = (np.ascontiguousarray(a) for a in plain)
        return _dierckx.evaluate_ndbspline(xi, t, len_t, k, nu, extrapolate, c1r, num_c_tr, strides_c1, indices_k1d)
    xi, t, c1r = as_operand(xi), as_operand(t), as_operand(c1r)
    along, starts, inside = [], [], np.ones(xi.shape[0], bool)
    for axis in range(xi.shape[1]):
        knots, degree, x = t[axis, : int(len_t[axis])], int(k[axis]), xi[:, axis]
        l = interval(knots, degree, x)
        along.append(basis(knots, degree, x, l, int(nu[axis])))
        starts.append(l - degree)
        low, high = raw(knots)[degree], raw(knots)[knots.shape[0] - degree - 1]
        inside &= ~np.isnan(raw(x)) if extrapolate else (low <= raw(x)) & (raw(x) <= high)
    total: Any = 0.0
    for taps in product(*[range(len(values)) for values in along]):
        weight: Any = 1.0
        first: Any = 0
        for axis, tap in enumerate(taps):
            weight = weight * along[axis][tap]
            first = first + (starts[axis] + tap) * int(strides_c1[axis])
        total = total + weight[:, None] * c1r[first[:, None] + np.arange(num_c_tr)]
    return total if np.all(inside) else np.where(inside[:, None], total, np.nan)


@leaf(_COMPILED)
def data_matrix(x: Any, t: Any, k: int, w: Any, extrapolate: bool = False) -> Any:
    """The B-splines at points, times weights, a row for each, where each row begins, and the number of B-splines."""
    plain = plain_or_none(x, t, w)
    if plain is not None:
        x, t, w = (np.ascontiguousarray(a) for a in plain)
        return _dierckx.data_matrix(x, t, k, w, extrapolate)
    x, t, w = map(as_operand, (x, t, w))
    values, _, columns = _rows(x, t, k)
    return values * w[:, None], columns[:, 0], t.shape[0] - k - 1


# c is where |w (B c - y)| is smallest, with the B-splines at the points in B
@leaf("scipy.interpolate._bsplines")
def _lsq_solve_qr(x: Any, y: Any, t: Any, k: int, w: Any, periodic: bool = False) -> Any:
    """The matrix, the weighted values, the coefficients of a spline by least squares, and how far it is from these."""
    plain = plain_or_none(x, y, t, w)
    if plain is not None:
        x, y, t, w = (np.ascontiguousarray(a) for a in plain)
        return _bsplines._lsq_solve_qr(x, y, t, k, w, periodic)
    if periodic:
        raise NotDifferentiableError("scipy.interpolate", "periodic splines by least squares have no rule")
    x, y, t, w = map(as_operand, (x, y, t, w))
    values, rows, columns = _rows(x, t, k)
    shape = (x.shape[0], t.shape[0] - k - 1)
    matrix = scatter(values * w[:, None], index=(rows, columns), shape=shape)
    weighted = y * w[:, None]
    c = lstsq(matrix, weighted)[0]
    residuals = np.sum((matrix @ c - weighted) ** 2, axis=1)
    return matrix, weighted, c, np.sum(residuals), residuals


@leaf(_FITPACK)
def splev(x: Any, tck: Any, der: int = 0, ext: int = 0) -> Any:
    """The values of a spline: `scipy.interpolate.splev`, in the arguments, the knots and the coefficients."""
    t, c, k = tck
    plain = plain_or_none(x, t, c)
    if plain is not None:
        return _fitpack_impl.splev(plain[0], (plain[1], plain[2], k), der, ext)
    if isinstance(c, (list, tuple)) and np.ndim(c[0]) == 1:
        return [splev(x, (t, part, k), der, ext) for part in c]
    x, t, c = as_operand(x), as_operand(t), as_operand(c)
    at = np.reshape(x, (-1,)).astype(np.float64)
    low, high = raw(t)[k], raw(t)[t.shape[0] - k - 1]
    outside = (raw(at) < low) | (raw(at) > high)
    if not 0 <= der <= k:
        raise ValueError(f"0<=der={der}<=k={k} must hold")
    if ext == 2 and np.any(outside):
        raise ValueError("Found x value not in the domain")
    at = np.clip(at, low, high) if ext == 3 else at
    values = spline_values(t, c[: t.shape[0] - k - 1, None], k, at, der, True)[:, 0]
    return np.reshape(np.where(outside, 0.0, values) if ext == 1 else values, x.shape)


@leaf(_FITPACK)
def splint(a: Any, b: Any, tck: Any, full_output: int = 0) -> Any:
    """The integral of a spline that is 0 outside of its knots: `scipy.interpolate.splint`, in the ends as well."""
    t, c, k = tck
    plain = plain_or_none(a, b, t, c)
    if plain is not None:
        return _fitpack_impl.splint(*plain[:2], (*plain[2:], k), full_output)
    return integrals(a, b, as_operand(t), as_operand(c)[:, None], k)[0]


# the integral of sum_j c_j B_j has the coefficients 0, c_0 h_0, c_0 h_0 + c_1 h_1, .., h_j = (t[j+k+1] - t[j])/(k + 1)
def integrals(a: Any, b: Any, t: Any, c: Any, k: int) -> Any:
    """The integrals from `a` to `b` of splines whose coefficients are columns of `c`."""
    n = t.shape[0] - k - 1
    sums = np.cumsum(c[:n] * (t[k + 1 : k + 1 + n] - t[:n])[:, None], axis=0) / (k + 1)
    knots = np.concatenate([t[:1], t, t[-1:]])
    ends = np.clip(np.stack([as_operand(a) + 0.0, as_operand(b) + 0.0]), t[k], t[n])
    values = spline_values(knots, np.concatenate([np.zeros((1, c.shape[1])), sums]), k + 1, ends, 0, True)
    return values[1] - values[0]


@leaf(_FITPACK)
def splrep(
    x: Any, y: Any, w: Any = None, xb: Any = None, xe: Any = None, k: int = 3, *others: Any, **named: Any
) -> Any:
    """A spline: `scipy.interpolate.splrep`, in the points and the values where it goes through these."""
    plain = plain_or_none(x, y, w)
    if plain is not None:
        return _fitpack_impl.splrep(*plain, xb, xe, k, *others, **named)
    names = ("task", "s", "t", "full_output", "per", "quiet")
    options = {**dict(zip(names, others, strict=False)), **named}
    refuse_fits("splrep", any(a is not None for a in (w, xb, xe)) or any(options.get(name) for name in names[:-1]))
    x, y = np.atleast_1d(as_operand(x)), np.atleast_1d(as_operand(y))
    t, c = through_all_values("splrep", x, y, k, _fitpack_impl.splrep(raw(x), raw(y), k=k)[0])
    return t, np.concatenate([c, np.zeros(k + 1)]), k


@leaf(_FITPACK)
def splprep(x: Any, w: Any = None, u: Any = None, ub: Any = None, ue: Any = None, k: int = 3, *others: Any) -> Any:
    """A parametric curve: `scipy.interpolate.splprep`, in the points and the parameters where it goes through these."""
    plain = plain_or_none(x, w, u)
    if plain is not None:
        return _fitpack_impl.splprep(*plain, ub, ue, k, *others)
    task, s, t, full_output, _, per, _ = others
    refuse_fits("splprep", any(a is not None for a in (ub, ue, t)) or task or s is None or s or full_output or per)
    x = np.atleast_2d(as_operand(x))
    if u is None:  # the lengths of the chords, from 0 to 1
        lengths = np.cumsum(np.sqrt(np.sum((x[:, 1:] - x[:, :-1]) ** 2, axis=0)))
        u = np.concatenate([np.zeros(1), lengths / lengths[-1:]])
    u = as_operand(u) + 0.0
    knots = _fitpack_impl.splprep(raw(x), u=raw(u), k=k, s=0)[0][0]
    t, c = through_all_values("splprep", u, x.T, k, knots)
    return [t, list(c.T), k], u


def refuse_fits(name: str, asks_for_more: Any) -> None:
    """Raise where a spline of FITPACK does not simply go through all values."""
    if asks_for_more:
        raise NotDifferentiableError(
            f"scipy.interpolate.{name}",
            "only splines through all values have a rule: with s=0, without ends, knots, periods, weights of splrep",
        )


def through_all_values(name: str, x: Any, y: Any, k: int, knots: Any) -> tuple[Any, Any]:
    """The knots and the coefficients of the spline through all values, with the knots that FITPACK found."""
    half = (k + 1) // 2
    inner = (x if k % 2 else (x[1:] + x[:-1]) / 2)[half:-half]
    t = np.concatenate([np.broadcast_to(x[:1], (k + 1,)), inner, np.broadcast_to(x[-1:], (k + 1,))])
    if t.shape != knots.shape or not np.allclose(raw(t), knots, rtol=1e-12, atol=0):
        raise NotDifferentiableError(f"scipy.interpolate.{name}", "FITPACK took other knots than the points give")
    return t, interpolating_coefficients(x, t, k, y)
