"""Compiled modules as copies see them: their functions refuse values under differentiation, by name.

Otherwise some would report a missing buffer or an unknown signature, without the name of the function and the reason.
A constant of a function that is being differentiated is passed to them as the plain array that it is.
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

_BINDING = "cython_function_or_method"
_NOT_BINDING = ("builtin_function_or_method", "fused_cython_function")
"""Kinds of compiled functions: whether one that is an attribute of a class is a method of its objects."""


class _Function:
    """A function that refuses, and is no method where it is an attribute of a class."""

    def __init__(self, name: str, function: Any) -> None:
        self._name, self._function, self._call = name, function, _refusing(name, function)

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._call(*args, **options)

    def __getitem__(self, types: Any) -> Any:
        return _Function(self._name, self._function[types])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)


def refusing(module: ModuleType) -> dict[str, Any]:
    """The functions of a compiled module, each as one that refuses traced arguments."""
    found: dict[str, Any] = {}
    for name, value in vars(module).items():
        kind = type(value).__name__
        if (kind == _BINDING or kind in _NOT_BINDING) and not name.startswith("__"):
            make = _refusing if kind == _BINDING else _Function
            found[name] = make(f"{module.__name__}.{name}", value)
    return found


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
