"""Tuples with other elements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

__all__ = ["func", "subval", "subvals"]

T = TypeVar("T")


def subvals(x: Iterable[Any], ivs: Iterable[tuple[int, Any]]) -> tuple[Any, ...]:
    """A sequence with other values in some positions, as a tuple."""
    values = list(x)
    for i, v in ivs:
        values[i] = v
    return tuple(values)


def subval(x: Iterable[Any], i: int, v: Any) -> tuple[Any, ...]:
    """A sequence with another value in one position, as a tuple."""
    return subvals(x, [(i, v)])


def func(f: T) -> T:
    """The function that a method of a class is: itself."""
    return f
