"""The module `cmath` as copies see it: Python's functions of numbers, NumPy's of traced values as complex numbers."""

from __future__ import annotations

import cmath
from cmath import *  # noqa: F403
from collections.abc import Callable
from typing import Any

import numpy as np

from .mathematics import either

_NUMPY = (
    *("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "isfinite", "isinf", "isnan", "log10"),
    *("sin", "sinh", "sqrt", "tan", "tanh"),
)
"""Functions that NumPy has by the same name."""
_OTHERS: dict[str, Callable[..., Any]] = {
    "log": lambda z, *base: np.log(z) / np.log(base[0]) if base else np.log(z),
    "phase": np.angle,
    "polar": lambda z: (np.abs(z), np.angle(z)),
}


def _of_complex(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the arguments as complex numbers: `sqrt(-1.0)` is `1j`."""
    return lambda *args: function(*(x.astype(complex) if hasattr(x, "astype") else complex(x) for x in args))


globals().update({name: either(getattr(cmath, name), _of_complex(getattr(np, name))) for name in _NUMPY})
globals().update({name: either(getattr(cmath, name), _of_complex(function)) for name, function in _OTHERS.items()})
rect = either(cmath.rect, lambda r, phi: r * np.exp(1j * phi))
