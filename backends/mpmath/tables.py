"""What computes a function of NumPy or SciPy with mpmath's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

UFUNCS: dict[Any, Any] = {}
"""Of a ufunc, by itself or, of `scipy.special`, by its name: a ufunc of objects."""

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""Of a function that dispatches: what computes it, of `Array` and with the signature of the original."""

AS_THEY_ARE: set[Any] = set()
"""The functions that NumPy itself computes with arrays of objects."""

_LOADED: list[bool] = []


def load() -> None:
    """Import what fills the tables, on first use."""
    if not _LOADED:
        _LOADED.append(True)
        from . import namespace  # noqa: F401


def implements(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare what computes functions that dispatch."""

    def declare(implementation: Callable[..., Any]) -> Callable[..., Any]:
        for function in functions:
            FUNCTIONS[function] = implementation
        return implementation

    return declare
