"""Traced values by autograd's names: a `Box` is a `Traced` array."""

from __future__ import annotations

from typing import Any

from ...complex_autograd.engine.traced import Traced, raw
from .primitives import notrace_primitive, primitive

__all__ = ["Box", "getval", "isbox", "notrace_primitive", "primitive"]

Box = Traced


def isbox(x: Any) -> bool:
    """Whether a value is being differentiated."""
    return type(x) is Traced


def getval(x: Any) -> Any:
    """The plain value of one that is being differentiated; its derivative is dropped."""
    return raw(x)
