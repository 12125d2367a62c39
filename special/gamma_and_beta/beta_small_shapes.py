"""The incomplete beta function of shapes so small that SciPy's product of them underflows.

`x**a y**b 2F1(a + b, 1; a + 1; x) / (a B(a, b))` with `1 / (a B(a, b)) = b / (a + b)` to the first order, DLMF 8.17.8:
of two such shapes it is `b / (a + b)`, and where `b` alone is one, it is proportional to `b`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ..scipy_repairs.corrections import NUMBERS, correct

TINY, _SMALL = 1e-70, 1e-20
"""Below the first SciPy's values may be wrong; where both shapes are below the second, they are the quotient."""
_NUMBERS = (int, *NUMBERS)


def _are_larger(a: Any, b: Any, x: Any) -> bool:
    """Whether no shape is tiny: numbers at once, and arrays by their least element."""
    if type(a) in _NUMBERS and type(b) in _NUMBERS:
        return bool(a > TINY and b > TINY)
    return all(np.size(s) > 0 and bool(np.min(s) > TINY) for s in (a, b))


def has_tiny_shape(a: Any, b: Any, x: Any) -> Any:
    """Where these values stand."""
    return (np.minimum(a, b) <= TINY) & (a > 0) & (b > 0) & (x > 0) & (x < 1)


def _lower(function: Callable[..., Any], a: Any, b: Any, x: Any) -> Any:
    """The lower tail by SciPy's of either kind: the upper one of `b, a, 1 - x`, of which it is given `a, b, x`."""
    is_quotient = np.maximum(a, b) < _SMALL
    in_proportion = function(np.where(a <= TINY, 1.0, a), np.full_like(b, TINY), x) * (b / TINY)
    return np.where(is_quotient, b / (a + b), np.where(a <= TINY, 1.0, in_proportion))


def _values_of_upper(a: Any, b: Any, x: Any) -> Any:
    return _lower(lambda second, first, x: special.betaincc(first, second, x), b, a, x)


def mend_small_shapes() -> None:
    """Have these values in the place of SciPy's."""
    correct(special.betainc, _are_larger, (), has_tiny_shape, lambda a, b, x: _lower(special.betainc, a, b, x))
    correct(special.betaincc, _are_larger, (), has_tiny_shape, _values_of_upper)


def on_its_side(w: Any, a: Any, b: Any, p: Any, is_upper: bool) -> Any:
    """The quantile `w`, 0 or 1 where two tiny shapes leave nothing between and SciPy's is at the other end."""
    with np.errstate(all="ignore"):
        share = (a if is_upper else b) / (a + b)
        here = has_tiny_shape(a, b, p) & (np.maximum(a, b) < _SMALL)
        is_low = p > share if is_upper else p < share
        is_high = p < share if is_upper else p > share
    w = np.where(here & is_low & (w > 0.5), 0.0, w)
    return np.where(here & is_high & (w < 0.5), 1.0, w)
