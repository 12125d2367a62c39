"""The module `numpy.linalg` as copies see it: NumPy's functions for plain arrays, this package's for traced ones.

This package's functions can have other bits than NumPy's, for example for a stack of small matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from .. import linalg
from ..complex_autograd.engine.dispatch import holds_traced
from ..complex_autograd.namespace.nested_lists import with_objects

__all__ = list(np.linalg.__all__)


def _either(theirs: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(theirs)
    def call(*args: Any, **options: Any) -> Any:
        is_traced = any(map(holds_traced, args)) or any(map(holds_traced, options.values()))
        return ours(*args, **options) if is_traced else with_objects(theirs, ours, args, options)

    return call


globals().update(
    {
        name: value if isinstance(value, type) else _either(value, getattr(linalg, name, value))
        for name, value in ((name, getattr(np.linalg, name)) for name in __all__)
    }
)


def __getattr__(name: str) -> Any:
    return getattr(np.linalg, name)
