"""The module `numpy` as copies see it: this package's namespace, of NumPy's version."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

_OURS = sys.modules[__name__.partition(".")[0]]

__all__ = [name for name in np.__all__ if name != "test"]
__version__ = np.__version__
__path__ = np.__path__

globals().update({name: getattr(_OURS, name) for name in __all__ if name != "__version__"})


def __getattr__(name: str) -> Any:
    return getattr(_OURS, name)
