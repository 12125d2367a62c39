"""`wirtinger.fft`: NumPy's transforms; all are linear and differentiate."""

from __future__ import annotations

from typing import Any

import numpy as np

from .listed import listed
from .routed import routed

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

fft = routed(np.fft.fft, "fft.fft")
fft2 = routed(np.fft.fft2, "fft.fft2")
fftfreq = np.fft.fftfreq
fftn = routed(np.fft.fftn, "fft.fftn")
fftshift = listed(np.fft.fftshift)
hfft = routed(np.fft.hfft, "fft.hfft")
ifft = routed(np.fft.ifft, "fft.ifft")
ifft2 = routed(np.fft.ifft2, "fft.ifft2")
ifftn = routed(np.fft.ifftn, "fft.ifftn")
ifftshift = listed(np.fft.ifftshift)
ihfft = routed(np.fft.ihfft, "fft.ihfft")
irfft = routed(np.fft.irfft, "fft.irfft")
irfft2 = routed(np.fft.irfft2, "fft.irfft2")
irfftn = routed(np.fft.irfftn, "fft.irfftn")
rfft = routed(np.fft.rfft, "fft.rfft")
rfft2 = routed(np.fft.rfft2, "fft.rfft2")
rfftfreq = np.fft.rfftfreq
rfftn = routed(np.fft.rfftn, "fft.rfftn")


def __getattr__(name: str) -> Any:
    """What `numpy.fft` holds besides its functions."""
    return getattr(np.fft, name)
