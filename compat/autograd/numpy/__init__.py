"""NumPy's namespace under differentiation, by autograd's name: what `wirtinger` has."""

from __future__ import annotations

import typing as _typing

import numpy as _numpy

from ....complex_autograd.namespace.functions import NUMPY as _NUMPY
from . import fft, linalg, random
from .numpy_wrapper import make_diagonal, metadata
from .plain_arrays import PLAIN as _PLAIN

__all__ = ["fft", "linalg", "make_diagonal", "metadata", "random"]

if not _typing.TYPE_CHECKING:
    globals().update(_NUMPY | _PLAIN)
    __all__ += sorted(_NUMPY)

__version__ = _numpy.__version__


def __getattr__(name: str) -> _typing.Any:
    """The rest of NumPy."""
    return getattr(_numpy, name)
