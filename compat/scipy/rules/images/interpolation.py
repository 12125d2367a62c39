"""`scipy.ndimage`: splines through the elements of an image, and images looked at elsewhere.

A spline of order n is `sum_k c[k] beta(y - k)` along each axis, with the B-spline `beta` of degree n.  The coefficients
solve `B c = a`, where `B` has the values of `beta` at the integers.  At a coordinate `y` there are n + 1 of them.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.images.interpolation import map_coordinates
>>> a = np.arange(6.0) ** 2
>>> np.grad(lambda y: np.sum(map_coordinates(a, np.reshape(y, (1, 1)), order=1)))(2.25)  # 9 - 4
np.float64(5.0)
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import scipy.ndimage

from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.primitive import linear
from .....complex_autograd.engine.traced import Traced, raw
from ..stand_ins import stands_for
from .filters import extended, returned

_AS_MIRROR = {"constant", "grid-constant", "mirror", "wrap"}
"""The modes in which the coefficients are mirrored about the first and the last one."""
_SHORT = 32
_PADDED = {"nearest": 12, "grid-constant": 12}
"""The modes for which there is no recursion of the coefficients, and how far SciPy extends the array for them."""


@linear(family="compositions")
def coefficients(a: Any, *, order: int, axis: int, mode: str) -> Any:
    """The coefficients of the splines along an axis."""
    dtype = np.complex128 if a.dtype.kind == "c" else np.float64
    return scipy.ndimage.spline_filter1d(a, order, axis, dtype, mode)


coefficients.is_opaque = True


# `B` is symmetric where the ends are reflected or joined.  Where they are mirrored, the neighbours of an end count
# twice in its row: `B = D S` with S symmetric and D = 1 at the ends, 1/2 elsewhere, up to a factor.  Then
# c = S^-1 D^-1 a, and the adjoint is D^-1 S^-1 = D^-1 c(D g).  Where the ends are reflected, SciPy's recursion begins
# with an error of z^(2n), |z| < 0.44: while that can be seen, the adjoint is that of what it computes, as a matrix.
@coefficients.adjoint(0)
def _(g: Any, a: Any, *, order: int, axis: int, mode: str) -> Any:
    n = g.shape[axis]
    if n <= _SHORT:
        matrix = scipy.ndimage.spline_filter1d(np.eye(n), order, 0, np.float64, mode)
        return np.moveaxis(np.tensordot(matrix, g, ((0,), (axis,))), 0, axis)
    if mode not in _AS_MIRROR:
        return coefficients(g, order=order, axis=axis, mode=mode)
    weights = np.ones(n)
    weights[[0, -1]] = 2.0
    weights = np.reshape(weights, (*[1] * axis, n, *[1] * (g.ndim - 1 - axis)))
    return coefficients(g * weights, order=order, axis=axis, mode=mode) / weights


@stands_for(scipy.ndimage.spline_filter1d, "input", is_checked=True)
def spline_filter1d(input: Any, order: int, axis: int, output: Any, mode: str) -> Any:
    """The coefficients of splines along an axis: `scipy.ndimage.spline_filter1d`, linear in the image."""
    a = as_operand(input)
    return returned(coefficients(a, order=order, axis=axis % a.ndim, mode=mode), output, a)


@stands_for(scipy.ndimage.spline_filter, "input", is_checked=True)
def spline_filter(input: Any, order: int, output: Any, mode: str) -> Any:
    """The coefficients of splines along all axes: `scipy.ndimage.spline_filter`, linear in the image."""
    a = as_operand(input)
    return returned(_in_all_axes(a, order, mode), output, a)


def _in_all_axes(a: Any, order: int, mode: str) -> Any:
    for axis in range(a.ndim):
        a = coefficients(a, order=order, axis=axis, mode=mode)
    return a


# beta(x) of degree m - 1 on [k, k + 1], as a polynomial of u = x - k, from that of degree m - 2 (de Boor 1972):
#     (m - 1) beta_m(x) = x beta_(m-1)(x) + (m - x) beta_(m-1)(x - 1)
@cache
def _pieces(order: int) -> tuple[np.polynomial.Polynomial, ...]:
    u = np.polynomial.Polynomial([0.0, 1.0])
    pieces = [np.polynomial.Polynomial([1.0])]
    nothing = np.polynomial.Polynomial([0.0])
    for m in range(2, order + 2):
        below = [nothing, *pieces, nothing]
        pieces = [((u + k) * below[k + 1] + (m - k - u) * below[k]) / (m - 1) for k in range(m)]
    return tuple(pieces)


def _weights(u: Any, order: int) -> Any:
    """The values of the n + 1 B-splines at a distance `u` from where the interval begins, along a new first axis."""
    rows = []
    for piece in reversed(_pieces(order)):
        row = piece.coef[-1] + 0 * u
        for coefficient in piece.coef[-2::-1]:
            row = row * u + coefficient
        rows.append(row)
    return np.stack(rows)


def _mapped(y: Any, n: int, mode: str) -> Any:
    """What a coordinate stands for: the sign s and the offset o of `s y + o`, and where it stands for nothing.

    In the modes "nearest" and "grid-constant" it is the elements beyond the ends that stand for others.
    """
    sign, offset = np.ones(y.shape), np.zeros(y.shape)
    below, above = y < 0, y > n - 1
    outside = below | above
    nowhere = np.zeros(y.shape, bool)
    if mode == "constant":
        return np.where(outside, 0.0, sign), offset, outside
    if mode in ("grid-constant", "nearest"):
        return sign, offset, nowhere
    if n == 1:
        return np.where(outside, 0.0, sign), offset, nowhere
    if mode == "wrap":
        turns = np.where(below, np.trunc(-y / (n - 1)) + 1, -np.trunc(y / (n - 1)))
        return sign, np.where(outside, (n - 1) * turns, 0.0), nowhere
    if mode == "grid-wrap":
        turns = np.where(below, np.trunc((-1 - y) / n) + 1, -np.trunc(y / n))
        return sign, np.where(outside, n * turns, 0.0), nowhere
    # mirror: even about 0 and n - 1; reflect: even about -1/2 and n - 1/2
    period, end = (2 * n - 2, 0.0) if mode == "mirror" else (2 * n, 1.0)
    offset = -period * np.floor(y / period)
    is_reflected = y + offset > (n - 1 if mode == "mirror" else n - 0.5)
    return np.where(is_reflected, -1.0, 1.0), np.where(is_reflected, period - end - offset, offset), nowhere


def _taps(first: Any, order: int, n: int, mode: str) -> Any:
    """The `order + 1` indices from the first one on, and where there is none."""
    taps = first + np.arange(order + 1).reshape(-1, *[1] * first.ndim)
    if mode == "grid-constant":
        outside = (taps < 0) | (taps > n - 1)
        return np.where(outside, 0, taps).astype(np.intp), outside
    if mode == "nearest":
        return np.clip(taps, 0, n - 1).astype(np.intp), np.zeros(taps.shape, bool)
    sign, offset, _ = _mapped(taps, n, "mirror" if mode in ("constant", "wrap") else mode)
    return (sign * taps + offset).astype(np.intp), np.zeros(taps.shape, bool)


def _interpolated(a: Any, y: list[Any], order: int, mode: str, cval: Any, prefilter: bool) -> Any:
    """The values at coordinates, of which there is one array an axis."""
    mode = "reflect" if mode == "grid-mirror" else mode
    a = a if a.dtype.kind in "fc" else a.astype(np.float64)
    if prefilter and order > 1:
        width = _PADDED.get(mode, 0)
        a = extended(a, [(width, width)] * a.ndim, [mode] * a.ndim, cval) if width else a
        a = _in_all_axes(a, order, mode)
        y = [part + width for part in y]
    weights: Any = 1.0
    flat: Any = 0
    away: Any = False
    missing: Any = False
    for axis, part in enumerate(y):
        n = a.shape[axis]
        sign, offset, outside = _mapped(raw(part), n, mode)
        inside = sign * part + offset
        first = np.floor(raw(inside) + (0.0 if order % 2 else 0.5))
        taps, absent = _taps(first - order // 2, order, n, mode)
        spread = (*[1] * axis, order + 1, *[1] * (a.ndim - 1 - axis), *part.shape)
        weights = weights * np.reshape(_weights(inside - first + (0.0 if order % 2 else 0.5), order), spread)
        flat = flat * n + taps.reshape(spread)
        missing = missing | absent.reshape(spread)
        away = away | outside
    elements = np.take(np.reshape(a, (-1,)), flat)
    if np.any(missing):
        elements = np.where(missing, cval, elements)
    x = np.sum(elements * weights, axis=tuple(range(a.ndim)))
    return np.where(away, cval, x) if np.any(away) else x


@stands_for(scipy.ndimage.map_coordinates, "input coordinates cval", is_checked=True)
def map_coordinates(
    input: Any, coordinates: Any, output: Any, order: int, mode: str, cval: Any, prefilter: bool
) -> Any:
    """The image at coordinates: `scipy.ndimage.map_coordinates`, differentiable in these, linear in the image."""
    a, y = as_operand(input), as_operand(coordinates).astype(np.float64)
    return returned(_interpolated(a, [y[i] for i in range(a.ndim)], order, mode, cval, prefilter), output, a)


def _grid(shape: Any) -> list[Any]:
    return [part.astype(np.float64) for part in np.indices(tuple(shape))]


def _each(values: Any, ndim: int) -> list[Any]:
    values = as_operand(values)
    return [values if values.ndim == 0 else values[i] for i in range(ndim)]


@stands_for(scipy.ndimage.affine_transform, "input matrix offset cval", is_checked=True)
def affine_transform(
    input: Any,
    matrix: Any,
    offset: Any,
    output_shape: Any,
    output: Any,
    order: int,
    mode: str,
    cval: Any,
    prefilter: bool,
) -> Any:
    """The image at `matrix @ i + offset`: `scipy.ndimage.affine_transform`, differentiable in all three."""
    a, matrix = as_operand(input), as_operand(matrix)
    if output_shape is None:
        output_shape = np.shape(output) if issubclass(type(output), (np.ndarray, Traced)) else a.shape
    grid = _grid(output_shape)
    if matrix.ndim == 2 and matrix.shape[1] == a.ndim + 1:
        offset, matrix = matrix[: a.ndim, a.ndim], matrix[: a.ndim, : a.ndim]
    offsets = _each(offset, a.ndim)
    if matrix.ndim == 1:
        y = [(grid[i] + offsets[i] / matrix[i]) * matrix[i] for i in range(a.ndim)]
    else:
        y = [sum(matrix[i, j] * grid[j] for j in range(len(grid))) + offsets[i] for i in range(a.ndim)]
    return returned(_interpolated(a, y, order, mode, cval, prefilter), output, a)


@stands_for(scipy.ndimage.shift, "input shift cval", is_checked=True)
def shift(input: Any, shift: Any, output: Any, order: int, mode: str, cval: Any, prefilter: bool) -> Any:
    """The image, shifted: `scipy.ndimage.shift`, differentiable in the shift, linear in the image."""
    a = as_operand(input)
    y = [part - d for part, d in zip(_grid(a.shape), _each(shift, a.ndim), strict=True)]
    return returned(_interpolated(a, y, order, mode, cval, prefilter), output, a)


@stands_for(scipy.ndimage.zoom, "input cval", is_checked=True)
def zoom(
    input: Any,
    zoom: Any,
    output: Any,
    order: int,
    mode: str,
    cval: Any,
    prefilter: bool,
    *,
    grid_mode: bool = False,
) -> Any:
    """The image in another size: `scipy.ndimage.zoom`, linear in the image.

    The size is an integer, and the distance of the coordinates follows from it: `zoom` has no derivative.
    """
    a, zoom = as_operand(input), _each(zoom, input.ndim)
    if prefilter and all(z == 1 for z in zoom):
        return returned(1.0 * a, output, a)
    grid_mode = grid_mode and a.dtype.kind != "c"  # SciPy leaves it out for complex images
    shape = [round(n * float(z)) for n, z in zip(a.shape, zoom, strict=True)]
    y = []
    for part, n, m in zip(_grid(shape), a.shape, shape, strict=True):
        less = 0 if grid_mode else 1
        ratio = (n - less) / (m - less) if m != less else 1.0
        y.append((part + 0.5) * ratio - 0.5 if grid_mode else part * ratio)
    return returned(_interpolated(a, y, order, mode, cval, prefilter), output, a)


@stands_for(scipy.ndimage.geometric_transform, "input cval extra_arguments extra_keywords")
def geometric_transform(
    input: Any,
    mapping: Any,
    output_shape: Any,
    output: Any,
    order: int,
    mode: str,
    cval: Any,
    prefilter: bool,
    extra_arguments: Any,
    extra_keywords: Any,
) -> Any:
    """The image at the coordinates that a function gives: `scipy.ndimage.geometric_transform`.

    Linear in the image, and differentiable in what the function's coordinates depend on.
    """
    a = as_operand(input)
    if output_shape is None:
        output_shape = np.shape(output) if issubclass(type(output), (np.ndarray, Traced)) else a.shape
    found = [mapping(i, *extra_arguments, **(extra_keywords or {})) for i in np.ndindex(tuple(output_shape))]
    y = [np.reshape(np.stack([as_operand(point[i]) for point in found]), output_shape) for i in range(a.ndim)]
    return returned(_interpolated(a, y, order, mode, cval, prefilter), output, a)
