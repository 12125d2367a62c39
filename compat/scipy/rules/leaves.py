"""What stands for compiled functions that SciPy's own Python code calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....complex_autograd.engine.dispatch import holds_traced, lowered
from ....complex_autograd.engine.opaque import peeled
from .stand_ins import STAND_INS


def leaf(module: str, name: str | None = None) -> Callable[[Any], Any]:
    """List a function, or what makes one of SciPy's, among the replacements of a module, by its own name or another."""

    def declare(function: Any) -> Any:
        STAND_INS.setdefault(module, {})[name or function.__name__] = function
        return function

    return declare


def plain_or_none(*args: Any) -> list[Any] | None:
    """The arguments as plain values, or None where one has a derivative."""
    found = [peeled(a) for a in args]
    return None if any(map(holds_traced, found)) else lowered(found)
