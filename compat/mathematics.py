"""The module `math` as copies see it: Python's functions for numbers, NumPy's and SciPy's for traced values."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from math import *  # noqa: F403
from typing import Any

import numpy as np
import scipy.special

from ..complex_autograd.engine.dispatch import holds_traced
from ..complex_autograd.engine.traced import raw

_NUMPY = (
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "copysign", "cos", "cosh", "degrees", "exp"),
    *("exp2", "expm1", "fabs", "fmod", "frexp", "hypot", "isfinite", "isinf", "isnan", "ldexp", "log10", "log1p"),
    *("log2", "modf", "nextafter", "prod", "radians", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"),
)
"""Functions that NumPy has by the same name."""
_OTHERS: dict[str, Callable[..., Any]] = {
    "ceil": lambda x: math.ceil(raw(x)),
    "erf": scipy.special.erf,
    "erfc": scipy.special.erfc,
    "floor": lambda x: math.floor(raw(x)),
    "fsum": lambda x: np.sum(np.stack(list(x))),
    "gamma": scipy.special.gamma,
    "lgamma": scipy.special.gammaln,
    "log": lambda x, *base: np.log(x) / np.log(base[0]) if base else np.log(x),
    "pow": np.power,
}


def either(of_number: Callable[..., Any], of_traced: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python's, and what stands for it where an argument is traced."""

    @wraps(of_number)
    def call(*args: Any, **options: Any) -> Any:
        return of_traced(*args, **options) if holds_traced(args) else of_number(*args, **options)

    return call


globals().update({name: either(getattr(math, name), getattr(np, name)) for name in _NUMPY if hasattr(math, name)})
globals().update({name: either(getattr(math, name), function) for name, function in _OTHERS.items()})
