"""Functions given by their values: grids, interpolation, convolution, discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

from ... import device_named
from ..array import Array, array_of
from ..dispatch import with_objects
from ..elements import COMPLEX, REAL, numbers
from ..tables import AS_THEY_ARE, implements

AS_THEY_ARE.update({np.fft.fftshift, np.fft.ifftshift})


@implements(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    **_: Any,
) -> Any:
    """`numpy.linspace`."""
    start, stop = array_of(start), array_of(stop)
    step = (stop - start) / mpmath.mpf(num - endpoint or 1)
    ramp = np.reshape(np.arange(num), (-1,) + (1,) * step.ndim)
    made = start + step * ramp
    if endpoint and num > 1:
        made[-1] = stop
    made = np.moveaxis(made, 0, axis)
    return (made, step) if retstep else made


@implements(np.geomspace)
def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    """`numpy.geomspace`: `start (stop / start)**t`, by the principal power."""
    start, stop = array_of(start), array_of(stop)
    ratio = stop / start
    if ratio.dtype is not COMPLEX and np.any(ratio < 0):
        raise ValueError("numpy.geomspace of real numbers needs ends of the same sign; pass complex ones")
    t = linspace(0, 1, num, endpoint)
    made = start * ratio ** np.reshape(t, (-1,) + (1,) * ratio.ndim)
    if num:
        made[0] = start
    if endpoint and num > 1:
        made[-1] = stop
    return np.moveaxis(made, 0, axis)


@implements(np.logspace)
def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    """`numpy.logspace`."""
    base = array_of(base)
    return np.power(np.expand_dims(base, axis) if base.ndim else base, linspace(start, stop, num, endpoint, axis=axis))


def _window(value: Any) -> Any:
    """A window of `M` points `t` of [-1, 1]; one point is 1."""

    def window(M: int) -> Any:
        points = [value(mpmath.mpf(k) / (M - 1)) if M > 1 else 1 for k in range(1 - M, M, 2)]
        return Array(numbers(np.array(points, object), REAL), REAL)

    return window


def _cosines(*hundredths: int) -> Any:
    """A window that is a sum of cosines, with these hundredths as coefficients."""
    return _window(lambda t: sum(c * mpmath.cospi(k * t) for k, c in enumerate(hundredths)) / 100)


for _name, _made in {
    "bartlett": _window(lambda t: 1 - abs(t)),
    "hanning": _cosines(50, 50),
    "hamming": _cosines(54, 46),
    "blackman": _cosines(42, 50, 8),
}.items():
    device_named("mpmath").register_kernel(_name, _made)


@implements(np.gradient)
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """`numpy.gradient`."""
    axes = np.lib.array_utils.normalize_axis_tuple(range(f.ndim) if axis is None else axis, f.ndim)
    spacings = varargs * len(axes) if len(varargs) == 1 else varargs or (1,) * len(axes)
    found = [_derivatives(f, array_of(h), i, edge_order) for h, i in zip(spacings, axes, strict=True)]
    return found[0] if len(found) == 1 else tuple(found)


def _derivatives(f: Any, h: Any, axis: int, edge_order: int) -> Any:
    """Those of the parabolas through three neighbours; at the ends of these too, or of lines."""
    y = np.moveaxis(f, axis, 0)
    steps = np.diff(h) if h.ndim else np.broadcast_to(h, (len(y) - 1,))
    steps = np.reshape(steps, (-1,) + (1,) * (y.ndim - 1))
    quotients, before, after = np.diff(y, axis=0) / steps, steps[:-1], steps[1:]
    inner = (after * quotients[:-1] + before * quotients[1:]) / (before + after)
    first, last = quotients[:1], quotients[-1:]
    if edge_order == 2:
        first, last = _end(quotients[:2], steps[:2]), _end(quotients[:-3:-1], steps[:-3:-1])
    return np.moveaxis(np.concatenate([first, inner, last]), 0, axis)


def _end(quotients: Any, steps: Any) -> Any:
    """The derivative at the end of a parabola through three points from difference quotients, outermost first."""
    return quotients[:1] + steps[:1] * (quotients[:1] - quotients[1:]) / (steps[:1] + steps[1:])


@implements(np.correlate)
def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """`numpy.correlate`."""
    return with_objects(np.correlate, (a, np.conjugate(v)), {"mode": mode})


@implements(np.convolve)
def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """`numpy.convolve`."""
    a, v = (a, v) if len(v) <= len(a) else (v, a)
    return with_objects(np.correlate, (a, v[::-1]), {"mode": mode})


@implements(np.interp)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """`numpy.interp`."""
    x, xp, fp = array_of(x), array_of(xp), array_of(fp)
    if period is not None:
        x, xp = x % period, xp % period
        order = np.argsort(xp)
        xp, fp = xp[order], fp[order]
        xp = np.concatenate([xp[-1:] - period, xp, xp[:1] + period])
        fp = np.concatenate([fp[-1:], fp, fp[:1]])
    i = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    inside = fp[i] + (fp[i + 1] - fp[i]) * ((x - xp[i]) / (xp[i + 1] - xp[i]))
    made = np.where(x < xp[0], fp[0] if left is None else left, inside)
    return np.where(x >= xp[-1], np.where(x > xp[-1], fp[-1] if right is None else right, fp[-1]), made)


@implements(np.unwrap)
def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = None) -> Any:
    """`numpy.unwrap`; the period is `2 pi` in this precision by default."""
    period = array_of(2 * mpmath.pi if period is None else period)
    steps, half = np.diff(array_of(p), axis=axis), period / 2
    within = np.mod(steps + half, period) - half
    within = np.where((within == -half) & (steps > 0), half, within)
    shifts = np.where(np.abs(steps) < (half if discont is None else discont), 0, within - steps)
    first = np.take(p, [0], axis) * 0
    return p + np.concatenate([first, np.cumsum(shifts, axis)], axis)


def _transform(a: Any, n: int, axis: int, sign: int, scale: Any) -> Any:
    """`sum over j of a_j exp(sign 2 pi i j k / n)`, from the sum itself: n^2 products."""
    a = np.moveaxis(a, axis, -1)[..., :n]
    if a.shape[-1] < n:
        a = np.concatenate([a, np.zeros_like(a, shape=(*a.shape[:-1], n - a.shape[-1]))], -1)
    roots = [mpmath.expjpi(mpmath.mpf(2 * sign * k) / n) for k in range(n)]
    table = np.array([[roots[j * k % n] for k in range(n)] for j in range(n)], object)
    return np.moveaxis(a @ Array(numbers(table, COMPLEX), COMPLEX) * scale, -1, axis)


def _scale(norm: str | None, n: int, is_inverse: bool) -> Any:
    if norm == "ortho":
        return 1 / mpmath.sqrt(n)
    return mpmath.mpf(1) / n if (norm in (None, "backward")) is is_inverse else mpmath.mpf(1)


@implements(np.fft.fft)
def fft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.fft`."""
    n = a.shape[axis] if n is None else n
    return _transform(a, n, axis, -1, _scale(norm, n, False))


@implements(np.fft.ifft)
def ifft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.ifft`."""
    n = a.shape[axis] if n is None else n
    return _transform(a, n, axis, 1, _scale(norm, n, True))


@implements(np.fft.rfft)
def rfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.rfft`."""
    found = fft(a, n, axis, norm)
    return np.take(found, np.arange(found.shape[axis] // 2 + 1), axis)


@implements(np.fft.irfft)
def irfft(a: Any, n: Any = None, axis: int = -1, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.irfft`."""
    n = 2 * (a.shape[axis] - 1) if n is None else n
    a = np.moveaxis(a, axis, -1)
    half = np.zeros_like(a, shape=(*a.shape[:-1], n // 2 + 1), dtype=complex)
    count = min(half.shape[-1], a.shape[-1])
    half[..., :count] = a[..., :count]
    rest = np.conjugate(half[..., 1 : (n + 1) // 2][..., ::-1])
    whole = np.concatenate([half, rest], -1)
    whole[..., 0] = whole[..., 0].real
    if n % 2 == 0:
        whole[..., n // 2] = whole[..., n // 2].real
    return np.moveaxis(ifft(whole, n, -1, norm).real, -1, axis)


def _several(one: Any, a: Any, s: Any, axes: Any, norm: str | None) -> Any:
    axes = (range(a.ndim) if s is None else range(-len(s), 0)) if axes is None else axes
    lengths = [a.shape[axis] for axis in axes] if s is None else s
    for n, axis in reversed(list(zip(lengths, axes, strict=True))):
        a = one(a, a.shape[axis] if n == -1 else n, axis, norm)
    return a


@implements(np.fft.fftn)
def fftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.fftn`."""
    return _several(fft, a, s, axes, norm)


@implements(np.fft.ifftn)
def ifftn(a: Any, s: Any = None, axes: Any = None, norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.ifftn`."""
    return _several(ifft, a, s, axes, norm)


@implements(np.fft.fft2)
def fft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.fft2`."""
    return _several(fft, a, s, axes, norm)


@implements(np.fft.ifft2)
def ifft2(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None, out: Any = None) -> Any:
    """`numpy.fft.ifft2`."""
    return _several(ifft, a, s, axes, norm)
