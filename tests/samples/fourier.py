"""Fourier transforms: all lengths (padded, cropped, odd, even), axes and norms."""

from __future__ import annotations

import numpy as np

from . import array, sample

ALONG = [np.fft.fft, np.fft.ifft, np.fft.rfft, np.fft.irfft, np.fft.hfft, np.fft.ihfft]
OVER = [np.fft.fftn, np.fft.ifftn, np.fft.rfftn, np.fft.irfftn]
PLANE = [np.fft.fft2, np.fft.ifft2, np.fft.rfft2, np.fft.irfft2]
REAL = (np.fft.rfft, np.fft.ihfft, np.fft.rfftn, np.fft.rfft2)


def _add(function, settings, shape):
    sample(
        f"numpy.fft.{function.__name__}",
        lambda a: function(a, **settings),
        array(*shape),
        kinds="f" if function in REAL else "fc",
        label=", ".join(f"{name}={value}" for name, value in settings.items()) or "plain",
    )


for _function in ALONG:
    for _settings in [
        {},
        {"n": 1},
        {"n": 3},
        {"n": 4, "norm": "backward"},
        {"n": 7, "norm": "ortho"},
        {"n": 10, "norm": "forward"},
        {"axis": 0},
        {"axis": -2, "n": 5, "norm": "ortho"},
    ]:
        _add(_function, _settings, (3, 5))
for _function in OVER:
    for _settings in [
        {},
        {"axes": (0, 2)},
        {"axes": (2, 0), "norm": "ortho"},
        {"axes": (1,)},
        {"s": (2, 6), "axes": (2, 0)},
        {"s": (-1, 5), "axes": (0, 1), "norm": "forward"},
    ]:
        _add(_function, _settings, (3, 4, 5))
for _function in (np.fft.fftn, np.fft.ifftn):
    _add(_function, {"axes": (1, 1)}, (3, 4))
    _add(_function, {"axes": (1, 0, 1), "s": (5, 3, 2)}, (3, 4))
for _function in PLANE:
    _add(_function, {}, (2, 3, 4))
    _add(_function, {"s": (4, 3), "axes": (0, 2), "norm": "ortho"}, (2, 3, 4))
for _function in (np.fft.fftshift, np.fft.ifftshift):
    _add(_function, {}, (3, 4))
    _add(_function, {"axes": 1}, (3, 5))
    _add(_function, {"axes": (0, 2)}, (3, 2, 5))
