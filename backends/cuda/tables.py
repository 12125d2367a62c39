"""Implementations of NumPy and SciPy functions on CUDA, where CuPy's own are missing or differ.

They take and return CuPy arrays; `Array` looks here first, then among CuPy's own functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

UFUNCS: dict[Any, Callable[..., Any]] = {}
"""Of a ufunc of NumPy: its call, `f(*inputs)`, with the ufunc's keywords where it takes them."""

METHODS: dict[str, Callable[..., Any]] = {}
"""Of a method of ufuncs ("reduce", "accumulate", "reduceat", "at", "outer"): `f(ufunc, *args, **kwargs)`."""

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""Of a function of NumPy or SciPy that dispatches: what computes it, with the signature of the original."""

SPECIAL: dict[str, Callable[..., Any]] = {}
"""Of a ufunc of `scipy.special`, by its name: `f(*inputs)`."""

_LOADED: list[bool] = []


def load() -> None:
    """Import what fills the tables, on first use."""
    if not _LOADED:
        _LOADED.append(True)
        from . import linalg, namespace, special  # noqa: F401  (they register their kernels)


def implements(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare what computes functions of NumPy or SciPy, ufuncs too, on CUDA."""

    def declare(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            (UFUNCS if hasattr(function, "nin") else FUNCTIONS)[function] = implementation
        return implementation

    return declare


def method(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare what computes a method of all ufuncs on CUDA."""

    def declare(implementation: Callable[..., Any]) -> Callable[..., Any]:
        METHODS[name] = implementation
        return implementation

    return declare
