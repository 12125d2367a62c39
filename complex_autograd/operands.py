"""The arguments of a function of several arrays."""

from __future__ import annotations

from typing import Any

from .array import Traced
from .creation import as_operand
from .indexing import beside

__all__ = ["operands"]


def operands(*args: Any) -> list[Any]:
    """The arguments as arrays; numbers and lists are put on the device of the first traced one."""
    arrays = [as_operand(x) for x in args]
    traced = next((x for x in arrays if isinstance(x, Traced)), None)
    if traced is None:
        return arrays
    return [a if a is x else beside(x, traced) for a, x in zip(arrays, args, strict=True)]
