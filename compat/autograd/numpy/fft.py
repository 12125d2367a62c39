"""`numpy.fft` under differentiation."""

from ....complex_autograd.namespace.fft import *
from ....complex_autograd.namespace.fft import __all__ as _names

__all__ = list(_names)
