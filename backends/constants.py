"""The irrational numbers in rules: a double, which at a higher precision is replaced by the number itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .mpmath.working import is_precise


class Constant(float):
    """A double that stands for the number that it is nearest to.

    Attributes
    ----------
    exactly : callable
        Computes it from the functions of mpmath, its argument.
    """

    exactly: Callable[[Any], Any]

    def __new__(cls, value: float, exactly: Callable[[Any], Any]) -> Constant:
        """The double, and the number that it is nearest to."""
        made = super().__new__(cls, value)
        made.exactly = exactly
        return made


def constant(value: float, exactly: Callable[[Any], Any]) -> Callable[[], float]:
    """A number that a rule multiplies by, to be asked for: a double of Python's, but in a block of precision.

    NumPy takes no other number for one: beside a class of its own a float32 becomes a float64.
    """
    number = Constant(value, exactly)
    return lambda: number if is_precise() else value
