"""Exceptions and warnings of copies are the original's: code that catches those also catches the copy's."""

from __future__ import annotations

import builtins
from importlib import import_module
from typing import Any

__all__ = ["build_class", "shared"]


def build_class(rebinding: Any, body: Any, name: str, *bases: Any, **options: Any) -> Any:
    """What the statement `class` calls in a copy: other modules may import the class while its module is still run."""
    return shared(rebinding, builtins.__build_class__(body, name, *bases, **options))


def shared(rebinding: Any, value: Any) -> Any:
    """The original of an exception that a module of a copy defines; anything else as it is."""
    if not (isinstance(value, type) and issubclass(value, BaseException)) or value.__qualname__ != value.__name__:
        return value
    if not f"{value.__module__}.".startswith(f"{rebinding.prefix}."):
        return value
    return getattr(import_module(rebinding.original(value.__module__)), value.__name__, value)
