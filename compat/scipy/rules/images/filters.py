"""`scipy.ndimage`: correlations and convolutions of images.

Each extends the array beyond its ends, by copies of its elements or by `cval`, and looks at all windows of the result.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.images.filters import correlate1d
>>> np.grad(lambda w: correlate1d(np.array([1.0, 2.0, 4.0]), w)[1])(np.array([0.25, 0.5, 0.25]))
array([1., 2., 4.])
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
import scipy.ndimage

from .....complex_autograd.engine.errors import TraceError
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import Traced, raw
from .....complex_autograd.rules.products.contractions import conjugate
from ..convolutions import valid_convolution
from ..stand_ins import stands_for

PADDING: dict[str, Any] = {
    "constant": "constant",
    "grid-constant": "constant",
    "grid-mirror": "symmetric",
    "grid-wrap": "wrap",
    "mirror": "reflect",
    "nearest": "edge",
    "reflect": "symmetric",
    "wrap": "wrap",
}
"""The modes of `scipy.ndimage` as NumPy's `pad` calls them."""


def returned(result: Any, output: Any, a: Any) -> Any:
    """A result as `output` asks for it: of the type of `a`, of another one, or written into an array of ours."""
    is_complex = result.dtype.kind == "c"
    if output is None:
        return result.astype(np.promote_types(a.dtype, np.complex64) if is_complex else a.dtype)
    if isinstance(output, Traced):
        output[...] = result
        return output
    if issubclass(type(output), (np.ndarray, Traced)):
        raise TraceError(
            "scipy.ndimage: output= is an array made by plain numpy, which has no place for derivatives. Make it "
            "inside the differentiated function by wirtinger.zeros, or use the array that is returned."
        )
    dtype = np.dtype(output)
    return result.astype(np.promote_types(dtype, np.complex64) if is_complex else dtype)


def extended(a: Any, widths: Sequence[tuple[int, int]], modes: Sequence[str], cval: Any) -> Any:
    """An array with elements before and after it along each axis, of which a negative number is dropped."""
    for axis, ((before, after), mode) in enumerate(zip(widths, modes, strict=True)):
        if before > 0 or after > 0:
            pairs = [(0, 0)] * a.ndim
            pairs[axis] = (max(before, 0), max(after, 0))
            options = {"constant_values": cval} if PADDING[mode] == "constant" else {}
            a = np.pad(a, pairs, PADDING[mode], **options)
        kept = slice(max(-before, 0), a.shape[axis] - max(-after, 0))
        a = a[(*[slice(None)] * axis, kept)]
    return a


# x[i] = sum_j w[j] a[i + j - n // 2 - origin] along each axis, with n elements of w
def _correlated(a: Any, w: Any, origins: Sequence[int], mode: str, cval: Any) -> Any:
    a = a if a.dtype.kind in "fc" else a.astype(np.float64)
    widths = [(n // 2 + o, n - 1 - n // 2 - o) for n, o in zip(w.shape, origins, strict=True)]
    axes = tuple(range(a.ndim))
    whole = extended(a, widths, [mode] * a.ndim, cval)
    return valid_convolution(whole, np.flip(w), axes=axes, method="direct")


def _along(w: Any, axis: int, ndim: int) -> Any:
    return np.reshape(w, (*[1] * axis, w.shape[0], *[1] * (ndim - 1 - axis)))


@stands_for(scipy.ndimage.correlate1d, "input weights cval", is_checked=True)
def correlate1d(input: Any, weights: Any, axis: int, output: Any, mode: str, cval: Any, origin: int) -> Any:
    """Correlate along an axis: `scipy.ndimage.correlate1d`, linear in the image (with `cval`) and in the weights."""
    a, w = as_operand(input), conjugate(as_operand(weights))
    axis = index(axis) % a.ndim
    origins = [origin if i == axis else 0 for i in range(a.ndim)]
    return returned(_correlated(a, _along(w, axis, a.ndim), origins, mode, cval), output, a)


def for_convolution(n: int, origin: int) -> int:
    """The origin of a window of n elements in the opposite order."""
    return -origin - (n % 2 == 0)


@stands_for(scipy.ndimage.convolve1d, "input weights cval", is_checked=True)
def convolve1d(input: Any, weights: Any, axis: int, output: Any, mode: str, cval: Any, origin: int) -> Any:
    """Convolve along an axis: `scipy.ndimage.convolve1d`, linear in the image (with `cval`) and in the weights."""
    w = conjugate(np.flip(as_operand(weights)))
    return correlate1d(input, w, axis, output, mode, cval, for_convolution(w.shape[0], origin))


def over_axes(values: Any, axes: Sequence[int], ndim: int, other: Any) -> list[Any]:
    """One value an axis of the image."""
    given = dict(zip(axes, [values] * len(axes) if np.isscalar(values) else values, strict=True))
    return [given.get(axis, other) for axis in range(ndim)]


def axes_of(axes: Any, ndim: int) -> list[int]:
    """The axes that a filter goes along."""
    return [*range(ndim)] if axes is None else [index(axis) % ndim for axis in np.atleast_1d(axes)]


def in_all_axes(w: Any, axes: Sequence[int], ndim: int) -> Any:
    """Weights along some axes of an image, with the length 1 along the others."""
    return np.expand_dims(w, tuple(axis for axis in range(ndim) if axis not in axes))


@stands_for(scipy.ndimage.correlate, "input weights cval", is_checked=True)
def correlate(input: Any, weights: Any, output: Any, mode: str, cval: Any, origin: Any, *, axes: Any = None) -> Any:
    """Correlate an image: `scipy.ndimage.correlate`, linear in the image (with `cval`) and in the weights."""
    a, w = as_operand(input), conjugate(as_operand(weights))
    along = axes_of(axes, a.ndim)
    origins = over_axes(origin, along, a.ndim, 0)
    return returned(_correlated(a, in_all_axes(w, along, a.ndim), origins, mode, cval), output, a)


@stands_for(scipy.ndimage.convolve, "input weights cval", is_checked=True)
def convolve(input: Any, weights: Any, output: Any, mode: str, cval: Any, origin: Any, *, axes: Any = None) -> Any:
    """Convolve an image: `scipy.ndimage.convolve`, linear in the image (with `cval`) and in the weights."""
    a, w = as_operand(input), as_operand(weights)
    along = axes_of(axes, a.ndim)
    w = np.flip(in_all_axes(w, along, a.ndim))
    origins = over_axes(origin, along, a.ndim, 0)
    origins = [for_convolution(n, o) for n, o in zip(w.shape, origins, strict=True)]
    return returned(_correlated(a, w, origins, mode, cval), output, a)


@stands_for(scipy.ndimage.uniform_filter1d, "input cval", is_checked=True)
def uniform_filter1d(input: Any, size: int, axis: int, output: Any, mode: str, cval: Any, origin: int) -> Any:
    """The means of windows along an axis: `scipy.ndimage.uniform_filter1d`, linear in the image and `cval`."""
    return correlate1d(input, np.full(size, 1 / size), axis, output, mode, cval, origin)


# the derivatives of a Gaussian are q(t) exp(-t^2 / 2 s^2) with q -> q' - q t / s^2, one after the other
def _gaussian_weights(sigma: Any, order: int, radius: int) -> Any:
    t = np.arange(-radius, radius + 1)
    q = [as_operand(1.0)]
    for _ in range(order):
        derivative = [k * q[k] for k in range(1, len(q))] + [0.0, 0.0]
        product = [0.0] + [-c / sigma**2 for c in q]
        q = [a + b for a, b in zip(derivative, product, strict=True)]
    bell = np.exp(-0.5 * (t / sigma) ** 2)
    return sum(c * t**k for k, c in enumerate(q)) * bell / np.sum(bell)


@stands_for(scipy.ndimage.gaussian_filter1d, "input sigma cval", is_checked=True)
def gaussian_filter1d(
    input: Any,
    sigma: Any,
    axis: int,
    order: int,
    output: Any,
    mode: str,
    cval: Any,
    truncate: float,
    *,
    radius: Any = None,
) -> Any:
    """A Gaussian filter along an axis: `scipy.ndimage.gaussian_filter1d`, with the derivative in `sigma`.

    The number of weights, which depends on `sigma` too, is constant.
    """
    size = int(truncate * float(raw(sigma)) + 0.5) if radius is None else radius
    return correlate1d(input, np.flip(_gaussian_weights(sigma, order, size)), axis, output, mode, cval, 0)


# the gradient's length, which where it is 0 has the derivative 0, as that of `norm`
@stands_for(scipy.ndimage.generic_gradient_magnitude, "input cval extra_arguments extra_keywords")
def generic_gradient_magnitude(
    input: Any,
    derivative: Any,
    output: Any,
    mode: Any,
    cval: Any,
    extra_arguments: Any,
    extra_keywords: Any,
    *,
    axes: Any = None,
) -> Any:
    """The length of the gradient by a function's derivatives: `scipy.ndimage.generic_gradient_magnitude`."""
    a = as_operand(input)
    along = axes_of(axes, a.ndim)
    if not along:
        return returned(np.copy(a), output, a)
    modes, options = over_axes(mode, along, a.ndim, None), extra_keywords or {}
    kind = output.dtype if issubclass(type(output), (np.ndarray, Traced)) else a.dtype if output is None else output
    parts = [derivative(a, i, kind, modes[i], cval, *extra_arguments, **options) for i in along]
    return returned(np.linalg.vector_norm(np.stack(parts), axis=0), output, a)
