"""`numpy.fft` under differentiation."""

from ....complex_autograd.namespace import fft as _fft
from ....complex_autograd.namespace.fft import *

__all__ = list(_fft.__all__)  # type: ignore[attr-defined]
