"""NumPy's random numbers, which are constants to every derivative."""

from typing import TYPE_CHECKING

import numpy as _numpy

__all__ = list(_numpy.random.__all__)

if not TYPE_CHECKING:
    globals().update({name: getattr(_numpy.random, name) for name in __all__})
