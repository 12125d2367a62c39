"""`numpy.random`, with derivatives in the parameters of continuous distributions; everything else is NumPy's own."""

from typing import Any as _Any

import numpy.random as _numpy_random

from .generators import LEGACY as _LEGACY
from .generators import Generator, default_rng
from .generators import legacy as _legacy

globals().update({name: _legacy(name) for name in _LEGACY})

__all__ = ["Generator", "default_rng", *_LEGACY]


def __getattr__(name: str) -> _Any:
    return getattr(_numpy_random, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *dir(_numpy_random)})
