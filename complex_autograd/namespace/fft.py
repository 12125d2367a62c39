"""`wirtinger.fft`: NumPy's transforms; all are linear and differentiate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.fft import *
    from numpy.fft import __all__
else:
    from .functions import FFT

    globals().update(FFT)
    __all__ = [*FFT]


def __getattr__(name: str) -> Any:
    """What `numpy.fft` holds besides its functions."""
    return getattr(np.fft, name)
