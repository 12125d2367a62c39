"""Reductions that ignore NaNs.

A NaN has derivative zero, and rules produce none: ignored elements are replaced by a constant at the start.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

from ...array.structure import shows_repeated
from ...engine.dispatch import implements, refuse_out
from ...engine.operands import as_operand
from ...engine.trace import FUNCTIONS
from ...engine.traced import raw
from .extrema import implements_extremum
from .products import prod_over
from .sums import computes_integers, implements_mean, implements_reduction, mask_of, sum_over
from .variances import implements_dispersion, mean_square, root_mean_square


def numbers(a: Any, where: Any = True) -> Any:
    """The mask of the elements that count: not NaN, and not left out by `where=`."""
    return ~np.isnan(raw(a)) & mask_of(a, where)


implements_reduction(np.nansum, sum_over, 0, np.add, numbers)
implements_reduction(np.nanprod, prod_over, 1, np.multiply, numbers)


@implements(np.nancumsum)
def _(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    refuse_out(np.nancumsum, out)
    a = as_operand(a)
    return np.cumsum(np.where(numbers(a), a, 0), axis, dtype)


@implements(np.nancumprod)
def _(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
    refuse_out(np.nancumprod, out)
    a = as_operand(a)
    return np.cumprod(np.where(numbers(a), a, 1), axis, dtype)


implements_mean(np.nanmean, numbers)
implements_dispersion(np.nanvar, mean_square, numbers, nan_without_freedom=True)
implements_dispersion(np.nanstd, root_mean_square, numbers, nan_without_freedom=True)


def _of_a_copy(function: Any) -> None:
    """NumPy replaces NaN in a copy, whose order in memory is that of the result; of most arrays it is their own."""
    implementation = FUNCTIONS[function]

    @implements(function)
    @wraps(implementation)
    def _(a: Any, *args: Any, **kwargs: Any) -> Any:
        a = as_operand(a)
        return implementation(np.copy(a, "K") if shows_repeated(a) else a, *args, **kwargs)


for each in (np.nansum, np.nanprod, np.nancumsum, np.nancumprod, np.nanmean, np.nanvar, np.nanstd):
    _of_a_copy(each)
computes_integers(np.nancumsum, np.nancumprod, np.nanvar, np.nanstd)

implements_extremum(np.nanmax, combine=np.fmax, least=-np.inf, chooses_nan=False)
implements_extremum(np.nanmin, combine=np.fmin, least=np.inf, chooses_nan=False)
