"""`numpy.linalg` under differentiation: `wirtinger.linalg`."""

from typing import Any

from .... import linalg as _linalg
from ....linalg import *
from ....linalg import __all__ as _names

__all__ = list(_names)


def __getattr__(name: str) -> Any:
    """The submodules of `numpy.linalg`."""
    return getattr(_linalg, name)
