"""Compiled modules as copies see them: their functions refuse by name what is being differentiated.

Left to themselves some say that a buffer is missing or a signature unknown, of a value whose name and reason only we
know.  A constant of a function that is being differentiated is given to them as the plain array that it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

import numpy as np

from ..complex_autograd.array.tracing import is_tracing
from ..complex_autograd.engine.errors import NotDifferentiableError
from ..complex_autograd.engine.traced import Traced, depth_of

__all__ = ["refusing"]

_FUNCTIONS = {"builtin_function_or_method", "cython_function_or_method"}
_FUSED = "fused_cython_function"


class _Fused:
    """A function for several types, `function["double"]`, that refuses."""

    def __init__(self, name: str, function: Any) -> None:
        self._function, self._call = function, _refusing(name, function)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._call(*args, **options)

    def __getitem__(self, types: Any) -> Any:
        return self._function[types]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


def refusing(module: ModuleType) -> dict[str, Any]:
    """The functions of a compiled module, each as one that refuses traced arguments."""
    return {
        name: (_Fused if type(value).__name__ == _FUSED else _refusing)(f"{module.__name__}.{name}", value)
        for name, value in vars(module).items()
        if type(value).__name__ in {*_FUNCTIONS, _FUSED} and not name.startswith("__")
    }


def _refusing(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def plain(a: Any) -> Any:
        if not isinstance(a, Traced):
            return a
        if depth_of(a):
            raise NotDifferentiableError(name, "it is compiled, and wirtinger has no rule for it")
        return np.asarray(a)[()] if issubclass(a.__class__, np.generic) else np.asarray(a)

    @wraps(function, updated=())
    def call(*args: Any, **options: Any) -> Any:
        if is_tracing():
            args, options = tuple(map(plain, args)), {key: plain(a) for key, a in options.items()}
        return function(*args, **options)

    return call
