"""The value of a polynomial by Horner's rule, in place: NumPy's `polyval` makes two new arrays a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def horner(coefficients: Sequence[Any], x: Any) -> Any:
    """`sum_k c_k x**k`.

    Parameters
    ----------
    coefficients : sequence
        Of two or more numbers, or arrays of the shape of `x`.
    x : array or number

    Returns
    -------
    array or number
        A new one.
    """
    total = coefficients[-1] * x
    for c in coefficients[-2:0:-1]:
        total += c
        total *= x
    total += coefficients[0]
    return total
