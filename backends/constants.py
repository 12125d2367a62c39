"""The irrational numbers in rules: a double, which at a higher precision is replaced by the number itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Constant(float):
    """A number that a rule multiplies by.

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
