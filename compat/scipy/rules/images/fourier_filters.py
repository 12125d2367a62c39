"""`scipy.ndimage`: filters of a Fourier transform, which multiply it by functions of the frequency along each axis.

`input` is a transform, `fft` or, where `n` is given, half of one along `axis`, `rfft` of n numbers.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.images.fourier_filters import fourier_gaussian
>>> round(float(np.grad(lambda s: fourier_gaussian(np.ones(4), s)[2])(0.5)), 6)  # exp(-(pi s)^2 / 2)
-1.437...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.ndimage

from .....complex_autograd.engine.operands import as_operand
from ..stand_ins import stands_for
from .filters import returned


def _frequencies(shape: tuple[int, ...], n: int, axis: int) -> list[Any]:
    """In turns per sample, along each axis, as arrays that broadcast."""
    axis %= len(shape)
    found = []
    for i, size in enumerate(shape):
        turns = np.arange(size) / n if i == axis and n >= 0 else np.fft.fftfreq(size)
        found.append(np.reshape(turns, (*[1] * i, size, *[1] * (len(shape) - 1 - i))))
    return found


def _each(values: Any, ndim: int) -> list[Any]:
    if np.ndim(values) == 0:
        return [values] * ndim
    return [values[i] for i in range(ndim)]


def _multiplied(input: Any, sizes: Any, n: int, axis: int, output: Any, factor: Callable[[Any, Any], Any]) -> Any:
    a = as_operand(input)
    x = a
    for f, size in zip(_frequencies(a.shape, n, axis), _each(sizes, a.ndim), strict=True):
        x = x * factor(f, size)
    return _returned(x, output, a)


def _returned(x: Any, output: Any, a: Any) -> Any:
    if output is None:
        same = x.dtype.kind == a.dtype.kind
        return x.astype(a.dtype if same else np.complex128 if x.dtype.kind == "c" else np.float64)
    return returned(x, output, a)


@stands_for(scipy.ndimage.fourier_gaussian, "input sigma", is_checked=True)
def fourier_gaussian(input: Any, sigma: Any, n: int, axis: int, output: Any) -> Any:
    """A Gaussian filter: `scipy.ndimage.fourier_gaussian`, linear in the image, differentiable in `sigma`."""
    return _multiplied(input, sigma, n, axis, output, lambda f, s: np.exp(-2 * (np.pi * f * s) ** 2))


@stands_for(scipy.ndimage.fourier_uniform, "input size", is_checked=True)
def fourier_uniform(input: Any, size: Any, n: int, axis: int, output: Any) -> Any:
    """A box filter: `scipy.ndimage.fourier_uniform`, linear in the image, differentiable in `size`."""
    return _multiplied(input, size, n, axis, output, lambda f, s: np.sinc(f * s))


@stands_for(scipy.ndimage.fourier_shift, "input shift", is_checked=True)
def fourier_shift(input: Any, shift: Any, n: int, axis: int, output: Any) -> Any:
    """A shift: `scipy.ndimage.fourier_shift`, linear in the image, differentiable in `shift`."""
    return _multiplied(input, shift, n, axis, output, lambda f, s: np.exp(-2j * np.pi * f * s))


@stands_for(scipy.ndimage.fourier_ellipsoid, "input", is_checked=True)
def fourier_ellipsoid(input: Any, size: Any, n: int, axis: int, output: Any) -> Any:
    """An ellipsoid filter: `scipy.ndimage.fourier_ellipsoid`, linear in the image."""
    a = as_operand(input)
    return _returned(a * scipy.ndimage.fourier_ellipsoid(np.ones(a.shape), size, n, axis), output, a)
