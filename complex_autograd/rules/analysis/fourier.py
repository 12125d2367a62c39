"""Fourier transforms: linear, so the rule of each is its adjoint, and that is a transform again.

With `F` the discrete Fourier transform and `Z` the cropping or zero padding to the length asked for, `fft = F Z` has
the adjoint `Z* F*`, and `F*` is the inverse transform with the scales of the two directions exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, Literal

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ...engine.dispatch import implements, refuse_out
from ...engine.operands import as_operand
from ...engine.primitive import linear
from ..products.products import conjugate

Norm = Literal["backward", "ortho", "forward"] | None

_INVERSE = {np.fft.fft: np.fft.ifft, np.fft.ifft: np.fft.fft, np.fft.fftn: np.fft.ifftn, np.fft.ifftn: np.fft.fftn}
_EXCHANGED: dict[Norm, Norm] = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


@linear(family="data movement")
def resized(a: Any, *, shape: tuple[int, ...]) -> Any:
    """An array cropped, or padded with zeros, at the end of each axis."""
    kept = tuple(slice(0, min(n, m)) for n, m in zip(a.shape, shape, strict=True))
    if all(n >= m for n, m in zip(a.shape, shape, strict=True)):
        return a[kept]
    out = np.zeros_like(a, shape=shape)
    out[kept] = a[kept]
    return out


@resized.adjoint(0)
def _(g: Any, a: Any, *, shape: tuple[int, ...]) -> Any:
    return resized(g, shape=a.shape)


@linear(family="FFT")
def transform(a: Any, *, kernel: Any, norm: Norm, **options: Any) -> Any:
    """The transform `kernel`: `fft`, `ifft` along `axis` with `n` points, `fftn`, `ifftn` along `axes` with `s`."""
    return kernel(a, norm=norm, **options)


@transform.adjoint(0)
def _(g: Any, a: Any, *, kernel: Any, norm: Norm, **options: Any) -> Any:
    where = {name: options[name] for name in options.keys() & {"axis", "axes"}}
    back = transform(g, kernel=_INVERSE[kernel], norm=_EXCHANGED[norm], **where)
    return back if back.shape == a.shape else resized(back, shape=a.shape)


# The transform of n real numbers is Hermitian, y_(n-k) = conj(y_k), and `rfft` computes the k up to n/2.  With the
# weights w = 1 where k = -k modulo n (0, and n/2 for even n) and 2 elsewhere:
#     rfft:   y_k = sum_j exp(-2 pi i jk/n) a_j             irfft:  x_j = 1/n sum_k Re(w_k exp(2 pi i jk/n) a_k)
# so the adjoint of `rfft` is `n irfft(g / w)`, and that of `irfft` is `w rfft(g) / n`.  Both ignore, as `irfft` does,
# the imaginary parts where w = 1.


@linear(family="FFT")
def half_spectrum(a: Any, *, n: int, axis: int, norm: Norm) -> Any:
    """The transform of `n` real numbers, up to the highest frequency (`rfft`)."""
    return np.fft.rfft(a, n, axis, norm)


@half_spectrum.adjoint(0)
def _(g: Any, a: Any, *, n: int, axis: int, norm: Norm) -> Any:
    back = complex_from_half(weighted_half(g, n=n, axis=axis, weight=0.5), n=n, axis=axis, norm=_EXCHANGED[norm])
    return back if back.shape == a.shape else resized(back, shape=a.shape)


@linear(family="FFT")
def complex_from_half(a: Any, *, n: int, axis: int, norm: Norm) -> Any:
    """The `n` real numbers that have this half of a spectrum (`irfft`)."""
    return np.fft.irfft(a, n, axis, norm)


@complex_from_half.adjoint(0)
def _(g: Any, a: Any, *, n: int, axis: int, norm: Norm) -> Any:
    spectrum = half_spectrum(g, n=n, axis=axis, norm=_EXCHANGED[norm])
    spectrum = weighted_half(spectrum, n=n, axis=axis, weight=2.0)
    return spectrum if spectrum.shape == a.shape else resized(spectrum, shape=a.shape)


@linear(family="compositions")
def weighted_half(a: Any, *, n: int, axis: int, weight: float) -> Any:
    """Half a spectrum of `n` real numbers with a weight on the frequencies that stand for two."""
    twice = (*[slice(None)] * axis, slice(1, (n + 1) // 2))
    out = a.copy()
    out[twice] = a[twice] * weight
    return out


@weighted_half.adjoint(0)
def _(g: Any, a: Any, *, n: int, axis: int, weight: float) -> Any:
    return weighted_half(g, n=n, axis=axis, weight=weight)


@linear(family="data movement")
def shifted(a: Any, *, kernel: Any, axes: Any) -> Any:
    """`fftshift` or `ifftshift`, by name of the kernel."""
    return kernel(a, axes)


@shifted.adjoint(0)
def _(g: Any, a: Any, *, kernel: Any, axes: Any) -> Any:
    return shifted(g, kernel=np.fft.ifftshift if kernel is np.fft.fftshift else np.fft.fftshift, axes=axes)


def _half(a: Any, n: int | None, axis: int, norm: Norm) -> Any:
    axis = normalize_axis_index(axis, a.ndim)
    return half_spectrum(a, n=a.shape[axis] if n is None else index(n), axis=axis, norm=norm)


def _from_half(a: Any, n: int | None, axis: int, norm: Norm) -> Any:
    axis = normalize_axis_index(axis, a.ndim)
    return complex_from_half(a, n=2 * (a.shape[axis] - 1) if n is None else index(n), axis=axis, norm=norm)


def _over_axes(a: Any, kernel: Any, s: Any, axes: Any, norm: Norm) -> Any:
    """A complex transform over several axes; one after the other, the last first, where an axis is named twice."""
    sizes, axes = _sizes_and_axes(a, s, axes)
    if len({axis % a.ndim for axis in axes}) == len(axes):
        return transform(a, kernel=kernel, norm=norm, s=sizes, axes=axes)
    along = {np.fft.fftn: np.fft.fft, np.fft.ifftn: np.fft.ifft}[kernel]
    for n, axis in zip(reversed(sizes), reversed(axes), strict=True):
        a = transform(a, kernel=along, norm=norm, n=a.shape[axis] if s is None else n, axis=axis)
    return a


def _sizes_and_axes(a: Any, s: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The numbers of points and the axes that NumPy takes where `s` or `axes` is None, or a size is -1 or None."""
    along = list(range(-(a.ndim if s is None else len(s)), 0)) if axes is None else [index(axis) for axis in axes]
    given: Sequence[int | None] = [-1] * len(along) if s is None else s
    if len(given) != len(along):
        raise ValueError("Shape and axes have different lengths.")
    sizes = [a.shape[axis] if n is None or n == -1 else index(n) for n, axis in zip(given, along, strict=True)]
    return sizes, along


@implements(np.fft.fft)
def _(a: Any, n: int | None = None, axis: int = -1, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.fft, out)
    return transform(as_operand(a), kernel=np.fft.fft, norm=norm, n=n, axis=axis)


@implements(np.fft.ifft)
def _(a: Any, n: int | None = None, axis: int = -1, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.ifft, out)
    return transform(as_operand(a), kernel=np.fft.ifft, norm=norm, n=n, axis=axis)


@implements(np.fft.rfft)
def _(a: Any, n: int | None = None, axis: int = -1, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.rfft, out)
    return _half(as_operand(a), n, axis, norm)


@implements(np.fft.irfft)
def _(a: Any, n: int | None = None, axis: int = -1, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.irfft, out)
    return _from_half(as_operand(a), n, axis, norm)


@implements(np.fft.hfft)
def _(a: Any, n: int | None = None, axis: int = -1, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.hfft, out)
    return _from_half(conjugate(as_operand(a)), n, axis, _EXCHANGED[norm])


@implements(np.fft.ihfft)
def _(a: Any, n: int | None = None, axis: int = -1, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.ihfft, out)
    return conjugate(_half(as_operand(a), n, axis, _EXCHANGED[norm]))


@implements(np.fft.fftn)
def _(a: Any, s: Any = None, axes: Any = None, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.fftn, out)
    return _over_axes(as_operand(a), np.fft.fftn, s, axes, norm)


@implements(np.fft.ifftn)
def _(a: Any, s: Any = None, axes: Any = None, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.ifftn, out)
    return _over_axes(as_operand(a), np.fft.ifftn, s, axes, norm)


@implements(np.fft.rfftn)
def _(a: Any, s: Any = None, axes: Any = None, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.rfftn, out)
    a = as_operand(a)
    sizes, axes = _sizes_and_axes(a, s, axes)
    half = _half(a, sizes[-1], axes[-1], norm)
    return _over_axes(half, np.fft.fftn, sizes[:-1], axes[:-1], norm) if len(axes) > 1 else half


@implements(np.fft.irfftn)
def _(a: Any, s: Any = None, axes: Any = None, norm: Norm = None, out: Any = None) -> Any:
    refuse_out(np.fft.irfftn, out)
    a = as_operand(a)
    sizes, axes = _sizes_and_axes(a, s, axes)
    points = 2 * (a.shape[axes[-1]] - 1) if s is None else sizes[-1]
    if len(axes) > 1:
        a = _over_axes(a, np.fft.ifftn, sizes[-2::-1], axes[-2::-1], norm)
    return _from_half(a, points, axes[-1], norm)


@implements(np.fft.fft2)
def _(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Norm = None, out: Any = None) -> Any:
    return np.fft.fftn(a, s, axes, norm, out)


@implements(np.fft.ifft2)
def _(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Norm = None, out: Any = None) -> Any:
    return np.fft.ifftn(a, s, axes, norm, out)


@implements(np.fft.rfft2)
def _(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Norm = None, out: Any = None) -> Any:
    return np.fft.rfftn(a, s, axes, norm, out)


@implements(np.fft.irfft2)
def _(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Norm = None, out: Any = None) -> Any:
    return np.fft.irfftn(a, s, axes, norm, out)


@implements(np.fft.fftshift)
def _(x: Any, axes: Any = None) -> Any:
    return shifted(as_operand(x), kernel=np.fft.fftshift, axes=axes)


@implements(np.fft.ifftshift)
def _(x: Any, axes: Any = None) -> Any:
    return shifted(as_operand(x), kernel=np.fft.ifftshift, axes=axes)
