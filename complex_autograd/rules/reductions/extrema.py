"""Largest and smallest elements.

The derivative goes to the element that was chosen; equal ones share it equally, which is the subgradient of least norm.
Complex numbers are ordered as NumPy orders them, by real part and then by imaginary part.  Where a NaN makes the result
NaN, the NaN is what was chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....backends.short_axes import extremum_along
from ...array.inplace import masked
from ...engine.dispatch import implements, on_values, refuse_out
from ...engine.kinks import are_kinks_noted, weights_of_ties
from ...engine.opaque import is_on_host
from ...engine.operands import as_operand
from ...engine.primitive import Primitive, primitive
from ...engine.space import real_dtype
from ...engine.traced import Traced, raw
from .sums import NOT_GIVEN, Axis, counted, is_given, is_kept, kept, mask_of, repeated, sum_over


def extremum(function: Callable[..., Any], of_two: Any, chooses_nan: bool = True) -> Primitive:
    """The primitive of a function that chooses an element along axes, as the ufunc does of two.

    Its options are NumPy's `initial` and `where`.

    With `s` the share of each element in the choice, `x = sum(s a)`, so `dx = sum(s da)`.
    """

    def choose(a: Any, *, axis: Axis, keepdims: bool, **options: Any) -> Any:
        if chooses_nan and not options:
            return extremum_along(function, of_two, a, axis, keepdims)
        return function(a, axis=axis, keepdims=keepdims, **options)

    choose.__name__, name = f"{function.__name__}_over", f"numpy.{function.__name__}"
    choice = primitive(family="extrema")(choose)
    choice.chooses = True

    @choice.differential
    def _(x: Any, a: Any, da: Any, *, axis: Axis, keepdims: bool, **options: Any) -> Any:
        s = shares(x, a, axis, name, chooses_nan, **options)
        return sum_over(masked(s * da, condition=s > 0), axis=axis, keepdims=keepdims)  # 0 times infinity is 0 here

    @choice.adjoint_by_hand
    def _(g: Any, x: Any, a: Any, *, axis: Axis, keepdims: bool, **options: Any) -> Any:
        hits, number = chosen_among(x, a, axis, name, chooses_nan, **options)
        share = g.reshape(kept(a.shape, axis)) / number
        return (hits * repeated(share, axis=axis, shape=a.shape),)

    return choice


def shares(x: Any, a: Any, axis: Axis, name: str, chooses_nan: bool, **options: Any) -> Any:
    """The share of each element in the choice of `x`: equal among those that equal it, zero for all others."""
    hits, number = chosen_among(x, a, axis, name, chooses_nan, **options)
    return hits / number


def chosen_among(
    x: Any, a: Any, axis: Axis, name: str, chooses_nan: bool, where: Any = True, initial: Any = None
) -> Any:
    """Which elements equal `x`, or what weights they have, and how many these are for each choice, at least 1."""
    watched, a = are_kinks_noted(a), raw(a)
    chosen = raw(x).reshape(kept(a.shape, axis))
    hits = a == chosen
    if chooses_nan and not (is_on_host(a) and not np.any(np.isnan(chosen))):
        hits = hits | (np.isnan(a) & np.isnan(chosen))
    if where is not True:
        hits = hits & where
    number = counted(a.shape, axis, hits)
    if watched and np.any(number > 1):
        hits = weights_of_ties(a, hits, name)
        number = counted(a.shape, axis, hits)
    return hits, np.maximum(number, 1).astype(real_dtype(a))


def implements_extremum(
    *functions: Any, combine: Callable[[Any, Any], Any], least: float, chooses_nan: bool = True
) -> Primitive:
    """Declare functions that choose an element, and return their primitive.

    A traced `initial` competes, by `combine`, with the result that starts from `least`.
    """
    choice = extremum(functions[0], combine, chooses_nan)

    @implements(*functions)
    def _(
        a: Any,
        axis: Axis = None,
        out: Any = None,
        keepdims: Any = NOT_GIVEN,
        initial: Any = NOT_GIVEN,
        where: Any = NOT_GIVEN,
    ) -> Any:
        refuse_out(functions[0], out)
        a, keepdims = as_operand(a), is_kept(keepdims)
        options: dict[str, Any] = {}
        if where is not NOT_GIVEN and where is not True:
            options["where"] = mask_of(a, where)
        if isinstance(initial, Traced):
            start = complex(least, least) if a.dtype.kind == "c" else least
            return combine(choice(a, axis=axis, keepdims=keepdims, initial=start, **options), initial)
        if is_given(initial):
            options["initial"] = initial
        return choice(a, axis=axis, keepdims=keepdims, **options)

    return choice


max_over = implements_extremum(np.max, np.amax, combine=np.maximum, least=-np.inf)
min_over = implements_extremum(np.min, np.amin, combine=np.minimum, least=np.inf)


@implements(np.ptp)
def _(a: Any, axis: Axis = None, out: Any = None, keepdims: Any = NOT_GIVEN) -> Any:
    refuse_out(np.ptp, out)
    a, keepdims = as_operand(a), is_kept(keepdims)
    return max_over(a, axis=axis, keepdims=keepdims) - min_over(a, axis=axis, keepdims=keepdims)


on_values(np.argmax, np.argmin, np.nanargmax, np.nanargmin)
