"""NumPy's namespace under differentiation, by autograd's name: what `wirtinger` has."""

from __future__ import annotations

import typing as _typing

import numpy as _numpy

from ....complex_autograd.namespace.functions import NUMPY as _NUMPY
from ....late_names import LateNames as _LateNames
from . import fft
from .numpy_wrapper import make_diagonal, metadata
from .plain_arrays import PLAIN as _PLAIN

if _typing.TYPE_CHECKING:
    from . import linalg, random

__all__ = ["fft", "linalg", "make_diagonal", "metadata", "random"]

if not _typing.TYPE_CHECKING:
    globals().update(_NUMPY | _PLAIN)
    __all__ += sorted(_NUMPY)

__version__ = _numpy.__version__

_LATE = _LateNames(__name__, {}, modules="linalg random")


def __getattr__(name: str) -> _typing.Any:
    """What is imported on first use, and the rest of NumPy."""
    return _LATE.load(name) if name in _LATE else getattr(_numpy, name)
