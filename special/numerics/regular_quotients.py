"""Quotients that are regular at 0, where numerator and denominator vanish."""

from __future__ import annotations

from typing import Any

import numpy as np

TERMS = 14
"""So many coefficients suffice, of series that fall as those of Bessel functions do."""


def regular_quotient(x: Any, coefficients: list[Any], formula: Any, is_odd: bool = False) -> Any:
    """A quotient, next to 0 by its series.

    Parameters
    ----------
    x : array
        Differentiated arrays, too.
    coefficients : list
        Of `sum_k c_k (x / 2)**(2 k)`.
    formula : callable
        The quotient far from 0.
    is_odd : bool
        Whether the series stands next to another factor `x`.
    """
    is_near = np.abs(x) < 2
    far, near = np.where(is_near, 2.0, x), np.where(is_near, x, 0.0)
    u = near * near / 4
    total = 0.0 * near + coefficients[-1]
    for c in coefficients[-2::-1]:
        total = total * u + c
    return np.where(is_near, near * total if is_odd else total, formula(far))
