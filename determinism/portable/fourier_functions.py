"""NumPy's Fourier transforms by `fourier.transform`, with NumPy's arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .fourier import transform


def _swapped(x: Any) -> Any:
    """`i conj(x)`: the transform of this, swapped back, is the inverse transform of `x`."""
    found = np.empty(x.shape, np.complex128)
    found.real, found.imag = x.imag, x.real
    return found


def _resized(a: Any, n: int) -> Any:
    """The last axis cut, or filled up with zeros."""
    if n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    if a.shape[-1] >= n:
        return a[..., :n]
    return np.concatenate([a, np.zeros((*a.shape[:-1], n - a.shape[-1]), a.dtype)], axis=-1)


def _scale(norm: str | None, n: int, forward: bool) -> float:
    """What a transform is divided by."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if norm == "ortho":
        return float(np.sqrt(n))
    return float(n) if (norm == "forward") == forward else 1.0


def _prepared(a: Any, axis: int) -> tuple[Any, Any]:
    """In double precision with the axis last; and the dtype of complex results."""
    a = np.asarray(a)
    is_single = a.dtype.char in "efF"
    x = np.moveaxis(a, axis, -1)
    return x.astype(np.complex128 if a.dtype.kind == "c" else np.float64), np.dtype("F" if is_single else "D")


def _finished(x: Any, scale: float, dtype: Any, axis: int, out: Any) -> Any:
    x = np.ascontiguousarray(x)
    x = (x.view(np.float64) / scale).view(x.dtype) if scale != 1 else x
    x = np.moveaxis(x.astype(dtype), -1, axis)
    if out is None:
        return x
    np.copyto(out, x)
    return out


def _real(dtype: Any) -> Any:
    return np.empty(0, dtype).real.dtype


def fft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.fft`."""
    x, dtype = _prepared(a, axis)
    x = _resized(x, x.shape[-1] if n is None else n)
    return _finished(transform(x.astype(np.complex128)), _scale(norm, x.shape[-1], True), dtype, axis, out)


def ifft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.ifft`."""
    x, dtype = _prepared(a, axis)
    x = _resized(x, x.shape[-1] if n is None else n)
    found = _swapped(transform(_swapped(x.astype(np.complex128))))
    return _finished(found, _scale(norm, x.shape[-1], False), dtype, axis, out)


def rfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.rfft`."""
    x, dtype = _prepared(a, axis)
    if x.dtype.kind == "c":
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with complex input: rfft takes real arrays")
    x = _resized(x, x.shape[-1] if n is None else n)
    found = transform(x.astype(np.complex128))[..., : x.shape[-1] // 2 + 1]
    return _finished(found, _scale(norm, x.shape[-1], True), dtype, axis, out)


def irfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.irfft`."""
    x, dtype = _prepared(a, axis)
    n = 2 * (x.shape[-1] - 1) if n is None else n
    half = _resized(x.astype(np.complex128), n // 2 + 1)
    half = half.copy()
    half[..., 0] = half[..., 0].real
    if n % 2 == 0:
        half[..., -1] = half[..., -1].real
    whole = np.concatenate([half, np.conj(half[..., 1 : (n + 1) // 2][..., ::-1])], axis=-1)
    found = _swapped(transform(_swapped(whole))).real
    return _finished(found, _scale(norm, n, False), _real(dtype), axis, out)


def weighted_half(a: Any, *, n: int, axis: int, weight: float) -> Any:
    """Half a spectrum of `n` real numbers with a weight, a power of two, on the frequencies that stand for two."""
    x = np.array(a)
    twice = np.moveaxis(x, axis, -1)[..., 1 : (n + 1) // 2]
    twice.real, twice.imag = twice.real * weight, twice.imag * weight
    return x


_OPPOSITE = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def hfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.hfft`."""
    return irfft(np.conjugate(a), n, axis, _opposite(norm), out)


def ihfft(a: Any, n: int | None = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.ihfft`."""
    return np.conjugate(rfft(a, n, axis, _opposite(norm)), out=out)


def _opposite(norm: str | None) -> str:
    _scale(norm, 1, True)
    return _OPPOSITE[norm]


def _axes(a: Any, s: Any, axes: Any) -> tuple[list[int], list[int]]:
    """The lengths, and the axes, of a transform along several."""
    if axes is None:
        axes = range(-len(s), 0) if s is not None else range(-a.ndim, 0)
    lengths = [a.shape[i] for i in axes] if s is None else list(s)
    if len(lengths) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return [a.shape[i] if n == -1 else n for n, i in zip(lengths, axes, strict=True)], list(axes)


def _along_axes(function: Callable[..., Any], a: Any, s: Any, axes: Any, norm: Any, out: Any) -> Any:
    a = np.asarray(a)
    for n, axis in [*zip(*_axes(a, s, axes), strict=True)][::-1]:
        a = function(a, n, axis, norm)
    return a if out is None else _copied(out, a)


def _copied(out: Any, a: Any) -> Any:
    np.copyto(out, a)
    return out


def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.fftn`."""
    return _along_axes(fft, a, s, axes, norm, out)


def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.ifftn`."""
    return _along_axes(ifft, a, s, axes, norm, out)


def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.fft2`."""
    return fftn(a, s, axes, norm, out)


def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.ifft2`."""
    return ifftn(a, s, axes, norm, out)


def rfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.rfftn`."""
    a = np.asarray(a)
    lengths, along = _axes(a, s, axes)
    x = rfft(a, lengths[-1], along[-1], norm)
    return _along_axes(fft, x, lengths[:-1], along[:-1], norm, out)


def irfftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.irfftn`."""
    a = np.asarray(a)
    lengths, along = _axes(a, s, axes)
    if s is None:
        lengths[-1] = 2 * (a.shape[along[-1]] - 1)
    return irfft(_along_axes(ifft, a, lengths[:-1], along[:-1], norm, None), lengths[-1], along[-1], norm, out)


def rfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.rfft2`."""
    return rfftn(a, s, axes, norm, out)


def irfft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.irfft2`."""
    return irfftn(a, s, axes, norm, out)
