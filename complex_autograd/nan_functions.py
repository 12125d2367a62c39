"""Reductions that leave NaNs out.

A NaN has derivative zero, and none comes out of a rule: what is left out is replaced by a constant at the start.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .array import raw
from .creation import as_operand
from .dispatch import implements, refuse_out
from .extrema import extremum, reduce_extremum
from .primitive import Primitive
from .reductions import NOT_GIVEN, Axis, as_dtype, is_kept, mask_of, masked_mean, with_warning
from .variances import corrected, degrees_of_freedom, deviations, mean_square, not_zero, root_mean_square

__all__: list[str] = []


def numbers(a: Any, where: Any = True) -> Any:
    """The mask of the elements that count: not NaN, and not left out by `where=`."""
    return ~np.isnan(raw(a)) & mask_of(a, where)


@implements(np.nansum)
def _(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NOT_GIVEN,
    initial: Any = NOT_GIVEN,
    where: Any = NOT_GIVEN,
) -> Any:
    refuse_out(np.nansum, out)
    a = as_operand(a)
    return np.sum(np.where(numbers(a, where), a, 0), axis, dtype, None, is_kept(keepdims), initial)


@implements(np.nanprod)
def _(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NOT_GIVEN,
    initial: Any = NOT_GIVEN,
    where: Any = NOT_GIVEN,
) -> Any:
    refuse_out(np.nanprod, out)
    a = as_operand(a)
    return np.prod(a, axis, dtype, None, is_kept(keepdims), initial, numbers(a, where))


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


@implements(np.nanmean)
def _(
    a: Any,
    axis: Axis = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NOT_GIVEN,
    *,
    where: Any = NOT_GIVEN,
) -> Any:
    refuse_out(np.nanmean, out)
    a = as_dtype(a, dtype)
    seen = numbers(a, where)
    return with_warning(masked_mean(a, axis, is_kept(keepdims), seen), seen, axis)


def _implements_dispersion(function: Any, measure: Primitive) -> None:
    @implements(function)
    def _(
        a: Any,
        axis: Axis = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: Any = NOT_GIVEN,
        *,
        where: Any = NOT_GIVEN,
        mean: Any = NOT_GIVEN,
        correction: Any = NOT_GIVEN,
    ) -> Any:
        refuse_out(function, out)
        a, keepdims = as_dtype(a, dtype), is_kept(keepdims)
        mask = numbers(a, where)
        divisor = not_zero(degrees_of_freedom(a, axis, keepdims, mask, corrected(ddof, correction)))
        return as_dtype(measure(deviations(a, axis, mask, mean), axis=axis, keepdims=keepdims, divisor=divisor), dtype)


_implements_dispersion(np.nanvar, mean_square)
_implements_dispersion(np.nanstd, root_mean_square)

nanmax_over, nanmin_over = extremum(np.nanmax, chooses_nan=False), extremum(np.nanmin, chooses_nan=False)


@implements(np.nanmax)
def _(
    a: Any,
    axis: Axis = None,
    out: Any = None,
    keepdims: Any = NOT_GIVEN,
    initial: Any = NOT_GIVEN,
    where: Any = NOT_GIVEN,
) -> Any:
    refuse_out(np.nanmax, out)
    return reduce_extremum(nanmax_over, a, axis, keepdims, initial, where, np.fmax, -np.inf)


@implements(np.nanmin)
def _(
    a: Any,
    axis: Axis = None,
    out: Any = None,
    keepdims: Any = NOT_GIVEN,
    initial: Any = NOT_GIVEN,
    where: Any = NOT_GIVEN,
) -> Any:
    refuse_out(np.nanmin, out)
    return reduce_extremum(nanmin_over, a, axis, keepdims, initial, where, np.fmin, np.inf)
