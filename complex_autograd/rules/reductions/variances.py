"""Variances and standard deviations.

Both are functions of the deviations `d = a - mean`, through which the differential of the mean comes in.  The standard
deviation has a kink where all deviations are zero; there its derivative is zero, the subgradient of least norm.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ....backends.short_axes import sum_along
from ...engine.dispatch import implements, refuse_out
from ...engine.kinks import direction_at_kink, note_kink, subgradient_offset, unknown_at
from ...engine.operands import as_operand
from ...engine.primitive import Primitive, primitive
from ...engine.space import real_dtype
from ..elementwise.absolute import nonzero
from .sums import (
    NOT_GIVEN,
    Axis,
    as_dtype,
    computes_integers,
    counted,
    is_given,
    is_kept,
    kept,
    mask_of,
    masked_mean,
    mean_over,
    reduced,
    sum_over,
)


@primitive(family="means")
def mean_square(d: Any, *, axis: Axis, keepdims: bool, divisor: Any) -> Any:
    """The sum of `|d|^2` divided by a number, or by an array of the shape of the result."""
    squares = np.square(d) if d.dtype.kind == "f" else np.square(np.real(d)) + np.square(np.imag(d))
    return sum_along(squares, axis, keepdims) / divisor


# x = sum(conj(d) d) / n  =>  dx = 2 Re sum(conj(d) dd) / n
@mean_square.differential
def _(x: Any, d: Any, dd: Any, *, axis: Axis, keepdims: bool, divisor: Any) -> Any:
    return 2 * real_inner(d, dd, axis, keepdims) / not_zero(divisor)


@mean_square.adjoint_by_hand
def _(g: Any, x: Any, d: Any, *, axis: Axis, keepdims: bool, divisor: Any) -> Any:
    return (np.reshape(2 * g / not_zero(divisor), kept(d.shape, axis)) * d,)


@primitive(family="means")
def root_mean_square(d: Any, *, axis: Axis, keepdims: bool, divisor: Any) -> Any:
    """The square root of `mean_square`."""
    return np.sqrt(mean_square.function(d, axis=axis, keepdims=keepdims, divisor=divisor))


# n x^2 = sum(conj(d) d)  =>  dx = Re sum(conj(d) dd) / (n x), and 0 where x = 0
@root_mean_square.differential
def _(x: Any, d: Any, dd: Any, *, axis: Axis, keepdims: bool, divisor: Any) -> Any:
    note_kink(x, d, "numpy.std")
    dx, other = real_inner(d, dd, axis, keepdims) / (not_zero(divisor) * nonzero(x)), subgradient_offset(x, d)
    return dx if other is None else dx + real_inner(other, dd, axis, keepdims)


@root_mean_square.adjoint_by_hand
def _(g: Any, x: Any, d: Any, *, axis: Axis, keepdims: bool, divisor: Any) -> Any:
    at = kept(d.shape, axis)
    c = np.reshape(g / (not_zero(divisor) * nonzero(x)), at) * d
    unknown = unknown_at(g, x, d, "numpy.std")
    return (c if unknown is None else c + np.reshape(unknown, at) * direction_at_kink(d),)


def real_inner(d: Any, dd: Any, axis: Axis, keepdims: bool) -> Any:
    """`Re sum(conj(d) dd)`, the differential of `sum(|d|^2) / 2`."""
    return sum_over(np.real(np.conj(d) * dd), axis=axis, keepdims=keepdims)


def not_zero(divisor: Any) -> Any:
    """A divisor with NaN for zero: where there are no degrees of freedom there is no derivative."""
    return np.where(divisor == 0, np.nan, divisor) if hasattr(divisor, "dtype") else divisor or math.nan


def degrees_of_freedom(a: Any, axis: Axis, keepdims: bool, where: Any, ddof: float) -> Any:
    """The number of elements less `ddof`, at least zero: a number, or with a mask an array shaped as the result."""
    if where is True:
        freedom = max(counted(a.shape, axis) - ddof, 0)
        empty = freedom == 0
    else:
        freedom = np.maximum(counted(a.shape, axis, where) - ddof, 0).astype(real_dtype(a))
        freedom = freedom.reshape(reduced(a.shape, axis, keepdims))
        empty = np.any(freedom == 0)
    if empty:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=4)
    return freedom


def deviations(a: Any, axis: Axis, where: Any, mean: Any) -> Any:
    """The elements less their mean, computed or given; zero where they are left out."""
    if is_given(mean):
        d = a - as_operand(mean)
    elif where is True:
        return a - mean_over(a, axis=axis, keepdims=True)
    else:
        d = a - masked_mean(a, axis, True, where)
    return d if where is True else np.where(where, d, 0)


def corrected(ddof: float, correction: Any) -> float:
    """The argument `ddof` under either of its names."""
    if not is_given(correction):
        return ddof
    if ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction  # type: ignore[no-any-return]


def implements_dispersion(
    function: Any, measure: Primitive, elements: Callable[[Any, Any], Any] = mask_of, nan_without_freedom: bool = False
) -> None:
    """Declare a variance or standard deviation of the elements where the mask `elements(a, where)` is true.

    Without degrees of freedom it is divided by zero, or NaN where NumPy says so.
    """

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
        a, keepdims = as_operand(a), is_kept(keepdims)
        mask = elements(a, where)
        if dtype is not None and a.dtype.kind == "c" and np.dtype(dtype).kind == "f":  # the mean alone is real
            if not is_given(mean):
                mean = np.mean(a, axis, dtype, keepdims=True, where=mask)
        else:
            a = as_dtype(a, dtype)
        freedom = degrees_of_freedom(a, axis, keepdims, mask, corrected(ddof, correction))
        divisor = not_zero(freedom) if nan_without_freedom else freedom
        return as_dtype(measure(deviations(a, axis, mask, mean), axis=axis, keepdims=keepdims, divisor=divisor), dtype)


implements_dispersion(np.var, mean_square)
implements_dispersion(np.std, root_mean_square)
computes_integers(np.var, np.std)
