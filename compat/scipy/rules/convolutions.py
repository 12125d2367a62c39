"""`scipy.signal`: convolutions and correlations of n-dimensional arrays.

All are slices of the full convolution `x[k] = sum_i a[i] v[k - i]`, which is linear in `a` and in `v`.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.convolutions import fftconvolve
>>> np.grad(lambda a: np.sum(fftconvolve(a, np.array([1.0, 2.0])) ** 2))(np.array([1.0, 0.0])).round(9)
array([10.,  4.])
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
import scipy.ndimage
import scipy.signal

from ....complex_autograd.engine.operands import operands
from ....complex_autograd.engine.primitive import multilinear
from ....complex_autograd.rules.products.contractions import conjugate
from .stand_ins import stands_for

Axes = tuple[int, ...]


@multilinear(family="compositions")
def full_convolution(a: Any, v: Any, *, axes: Axes, method: str) -> Any:
    """The convolution along some axes, the full one; the others are broadcast."""
    return _convolved(a, v, axes, method, "full")


@multilinear(family="compositions")
def valid_convolution(a: Any, v: Any, *, axes: Axes, method: str) -> Any:
    """The elements of the convolution with all of `v`, which is not longer than `a`, in each of their sums."""
    return _convolved(a, v, axes, method, "valid")


for _convolution in (full_convolution, valid_convolution):
    _convolution.is_opaque = True


def _convolved(a: Any, v: Any, axes: Axes, method: str, mode: str) -> Any:
    if method == "oa":
        return scipy.signal.oaconvolve(a, v, mode, axes)
    if method == "fft" or any(v.shape[i] != 1 for i in range(a.ndim) if i not in axes):
        return scipy.signal.fftconvolve(a, v, mode, axes)
    dtype = np.result_type(a, v)
    a, v = a.astype(dtype, copy=False), v.astype(dtype, copy=False)
    if a.ndim == 1 or dtype.char in "gG":
        return scipy.signal.convolve(a, v, mode, "direct")
    if mode == "valid":
        return _correlated(a, np.flip(v))
    if all(n <= m for m, n in zip(a.shape, v.shape, strict=True)):
        return _correlated(np.pad(a, [(n - 1, n - 1) for n in v.shape]), np.flip(v))
    return scipy.signal.convolve(a, v, mode, "direct")


def _correlated(a: Any, w: Any) -> Any:
    """`x[i] = sum_j a[i + j] w[j]` where all elements are there: many sums of a few elements, or a few of many."""
    shape = tuple(m - n + 1 for m, n in zip(a.shape, w.shape, strict=True))
    if prod(shape) <= w.size:
        sums = [np.tensordot(a[tuple(map(slice, i, np.add(i, w.shape)))], w, a.ndim) for i in np.ndindex(shape)]
        return np.reshape(np.array(sums, a.dtype), shape)
    longer = [i for i, n in enumerate(w.shape) if n > 1]
    if len(longer) == 1:
        x = scipy.ndimage.correlate1d(a, np.conjugate(w.ravel()), longer[0], mode="constant")
    else:
        x = scipy.ndimage.correlate(a, np.conjugate(w), mode="constant")
    return x[tuple(slice(n // 2, n // 2 + m) for m, n in zip(shape, w.shape, strict=True))]


def reversed_along(a: Any, axes: Axes) -> Any:
    """The conjugate, with the order along some axes reversed."""
    return np.flip(conjugate(a), axes)


# <g, x> = Re sum_k conj(g[k]) a[i] v[k - i]:
# the cotangent of a[i] is sum_k g[k] conj(v[k - i]), which is the valid part of g convolved with conj(v) reversed
@full_convolution.adjoint(0)
def _(g: Any, a: Any, v: Any, *, axes: Axes, method: str) -> Any:
    return valid_convolution(g, reversed_along(v, axes), axes=axes, method=method)


@full_convolution.adjoint(1)
def _(g: Any, a: Any, v: Any, *, axes: Axes, method: str) -> Any:
    return valid_convolution(g, reversed_along(a, axes), axes=axes, method=method)


# x[i] = sum_j a[i + j] w[j] with w[j] = v[n - 1 - j]:
# the cotangent of a[k] is sum_j g[k - j] conj(w[j]), that of w[j] is sum_i g[i] conj(a[i + j])
@valid_convolution.adjoint(0)
def _(g: Any, a: Any, v: Any, *, axes: Axes, method: str) -> Any:
    return full_convolution(g, reversed_along(v, axes), axes=axes, method=method)


@valid_convolution.adjoint(1)
def _(g: Any, a: Any, v: Any, *, axes: Axes, method: str) -> Any:
    return np.flip(valid_convolution(conjugate(a), np.flip(g, axes), axes=axes, method=method), axes)


def part_of(full: Any, mode: str, m: Sequence[int], n: Sequence[int], axes: Axes) -> Any:
    """What a mode keeps of the full convolution of arrays of shapes m and n."""
    if mode == "full":
        return full
    kept = [slice(None)] * full.ndim
    for i in axes:
        size = m[i] if mode == "same" else max(m[i], n[i]) - min(m[i], n[i]) + 1
        start = (full.shape[i] - size) // 2
        kept[i] = slice(start, start + size)
    return full[tuple(kept)]


def _along(a: Any, v: Any, mode: str, axes: Any, method: str) -> Any:
    a, v = operands(a, v)
    if a.size == 0 or v.size == 0:
        return np.zeros(0) * np.sum(a) * np.sum(v)
    if a.ndim == 0:
        return a * v
    places = range(a.ndim) if axes is None else np.atleast_1d(axes)
    along = tuple(sorted({int(i) % a.ndim for i in places}))
    # an axis of length 1 is broadcast against any other one, in which there is nothing to slide
    along = tuple(i for i in along if a.shape[i] != 1 and v.shape[i] != 1)
    if not along:
        return a * v
    a, v = _in_one_precision(a, v)
    return part_of(full_convolution(a, v, axes=along, method=method), mode, a.shape, v.shape, along)


def _in_one_precision(*arrays: Any) -> list[Any]:
    """Arrays of floating-point numbers: the rules convolve cotangents with them."""
    return [a if a.dtype.kind in "fc" else a.astype(np.float64) for a in arrays]


def _method(a: Any, v: Any, mode: str, method: str) -> str:
    if method == "auto":
        return str(scipy.signal.choose_conv_method(np.zeros(np.shape(a)), np.zeros(np.shape(v)), mode))
    return method


@stands_for(scipy.signal.convolve, "in1 in2", is_checked=True)
def convolve(in1: Any, in2: Any, mode: str, method: str) -> Any:
    """Convolve two n-dimensional arrays: `scipy.signal.convolve`, linear in both."""
    return _along(in1, in2, mode, None, _method(in1, in2, mode, method))


@stands_for(scipy.signal.correlate, "in1 in2", is_checked=True)
def correlate(in1: Any, in2: Any, mode: str, method: str) -> Any:
    """Correlate two n-dimensional arrays: `scipy.signal.correlate`, conjugate linear in the second one."""
    in1, in2 = operands(in1, in2)
    return _along(in1, reversed_along(in2, tuple(range(in2.ndim))), mode, None, _method(in1, in2, mode, method))


@stands_for(scipy.signal.fftconvolve, "in1 in2", is_checked=True)
def fftconvolve(in1: Any, in2: Any, mode: str, axes: Any) -> Any:
    """Convolve two arrays by the FFT: `scipy.signal.fftconvolve`, linear in both."""
    return _along(in1, in2, mode, axes, "fft")


@stands_for(scipy.signal.oaconvolve, "in1 in2", is_checked=True)
def oaconvolve(in1: Any, in2: Any, mode: str, axes: Any) -> Any:
    """Convolve two arrays by overlapping blocks: `scipy.signal.oaconvolve`, linear in both."""
    return _along(in1, in2, mode, axes, "oa")


_PADDING: dict[str, Any] = {"fill": "constant", "wrap": "wrap", "symm": "symmetric"}


def _of_matrices(a: Any, v: Any, mode: str, boundary: str, fillvalue: Any, later: int) -> Any:
    """What lies outside of `a` is an extension of it, of which the valid part is the full convolution.

    The mode "same" begins at the half of the size of `v`; `later` decides between two.
    """
    a, v = _in_one_precision(a, v)
    if a.size == 0 or v.size == 0:
        raise ValueError("convolve2d and correlate2d of an empty array have no derivative to give.")
    widths = [(n - 1, n - 1) for n in v.shape]
    options = {"constant_values": fillvalue} if boundary == "fill" else {}
    full = valid_convolution(np.pad(a, widths, _PADDING[boundary], **options), v, axes=(0, 1), method="direct")
    if mode != "same":
        return part_of(full, mode, a.shape, v.shape, (0, 1))
    first = [(n - 1 + later) // 2 for n in v.shape]
    return full[tuple(slice(k, k + m) for k, m in zip(first, a.shape, strict=True))]


def _is_smaller(a: Any, v: Any, mode: str) -> bool:
    return mode == "valid" and any(m < n for m, n in zip(a.shape, v.shape, strict=True))


@stands_for(scipy.signal.convolve2d, "in1 in2 fillvalue", is_checked=True)
def convolve2d(in1: Any, in2: Any, mode: str, boundary: str, fillvalue: Any) -> Any:
    """Convolve two matrices: `scipy.signal.convolve2d`, linear in the second one, and in the first with `fillvalue`."""
    in1, in2 = operands(in1, in2)
    if _is_smaller(in1, in2, mode):
        in1, in2 = in2, in1
    return _of_matrices(in1, in2, mode, boundary, fillvalue, 0)


@stands_for(scipy.signal.correlate2d, "in1 in2 fillvalue", is_checked=True)
def correlate2d(in1: Any, in2: Any, mode: str, boundary: str, fillvalue: Any) -> Any:
    """Correlate two matrices: `scipy.signal.correlate2d`, conjugate linear in the second one."""
    in1, in2 = operands(in1, in2)
    if _is_smaller(in1, in2, mode):
        return np.flip(_of_matrices(in2, reversed_along(in1, (0, 1)), mode, boundary, fillvalue, 1))
    return _of_matrices(in1, reversed_along(in2, (0, 1)), mode, boundary, fillvalue, 1)
