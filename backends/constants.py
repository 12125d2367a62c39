"""Constants in rules that depend on the precision: irrational numbers, and the spacing of numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from .mpmath.working import PRECISE, is_precise, mpmath

_LEAST = 1e-300
"""The smallest distance: beyond so many digits doubles have no power of it."""


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


def eps_of(dtype: Any) -> float:
    """The distance from 1 to the next number of a dtype, or in a block of precision of the numbers there.

    Examples
    --------
    >>> from wirtinger.backends import eps_of, precision
    >>> eps_of(float)
    2.220446049250313e-16
    >>> with precision(40):
    ...     eps_of(float) < 1e-39
    True
    """
    if PRECISE[0] and is_precise():
        return float(max(2.0 ** (1 - mpmath().mp.prec), _LEAST))
    return _eps_of_doubles(dtype)


@lru_cache
def _eps_of_doubles(dtype: Any) -> float:
    return float(np.finfo(dtype).eps)
