"""Fourier transforms: `out=`, and axes or lengths that CuPy's transforms of several axes do not take."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from ..tables import FUNCTIONS
from .borrowed import borrowed
from .reductions import placed

_OF_ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
_OF_SEVERAL = ("fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn")


def _of_one_axis(name: str) -> Any:
    function = getattr(cupy.fft, name)

    def transform(a: Any, n: Any = None, axis: int = -1, norm: Any = None, out: Any = None) -> Any:
        return placed(out, function(cupy.asarray(a), n, axis, norm))

    return transform


def _of_several(name: str) -> Any:
    function, one_by_one = getattr(cupy.fft, name), borrowed(getattr(np.fft, name))
    default = (-2, -1) if name.endswith("2") else None

    def transform(a: Any, s: Any = None, axes: Any = default, norm: Any = None, out: Any = None) -> Any:
        a = cupy.asarray(a)
        repeated = axes is not None and len({i % a.ndim for i in axes}) < len(axes)
        if repeated or (s is not None and (axes is None or any(n == -1 for n in s))):
            return placed(out, one_by_one(a, s, axes, norm))
        return placed(out, function(a, s, axes, norm))

    return transform


for _name in _OF_ONE_AXIS:
    FUNCTIONS[getattr(np.fft, _name)] = _of_one_axis(_name)
for _name in _OF_SEVERAL:
    FUNCTIONS[getattr(np.fft, _name)] = _of_several(_name)
