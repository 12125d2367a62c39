"""Rules for eigenvalues and singular values that are given as series: reciprocals of their gaps, and means."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....complex_autograd.engine.primitive import linear, primitive
from ....complex_autograd.engine.traced import raw
from .equal_values import mean_over
from .laurent import LaurentTrace, expansion

__all__ = ["gap_reciprocal", "mean_beside"]


@primitive
def gap_reciprocal(q: Any, *, zero: Any, small: Any, where_split: float) -> Any:
    """`1 / q`, and 0 where `zero` is 1; but `where_split` if there `small` is 1, too, at the last of its levels.

    Where `small` is 1 at a level, the series is that for which the term of order 1 is larger than that of order 0.
    """
    found = (1 - zero) / (q + zero)
    return found if where_split == 0 else np.where(zero * small[0][1] > 0, where_split, found)


@gap_reciprocal.differential
def _(x: Any, q: Any, dq: Any, *, zero: Any, small: Any, where_split: float) -> Any:
    return -x * x * dq


@expansion(gap_reciprocal)
def _(trace: LaurentTrace, q: Any, *, zero: Any, small: Any, where_split: float) -> Any:
    value = gap_reciprocal(q._value, zero=zero, small=small, where_split=where_split)
    top, given = q._tangent.top, q._tangent.terms
    own = [mask for level, mask in small if level is trace]
    if not own:
        first = gap_reciprocal(given[0], zero=zero, small=small, where_split=where_split) if 0 in given else 0 * value
        return trace.series(value, _taylor(first, given, top), top)
    mask = own[0] * np.ones_like(raw(q))
    kept = (1 - zero) * (1 - mask)
    terms = _taylor(kept / np.where(kept > 0, given.get(0, 0 * kept), 1), given, top)
    for n, x in _by_order_one(given, zero, mask, trace.order).items():
        if -trace.order <= n <= top:
            terms[n] = terms[n] + x if n in terms else x
    return trace.series(value, terms, top)


def _taylor(first: Any, given: dict[int, Any], top: int) -> dict[int, Any]:
    """The reciprocal of a series by its term of order 0, whose reciprocal is the first."""
    terms = {0: first}
    for n in range(1, top + 1):
        rest = [x * terms[n - k] for k, x in given.items() if 0 < k <= n and n - k in terms]
        if rest:
            terms[n] = -first * sum(rest)
    return terms


# 1/(c t (1 + u)) = (1 - u + u^2 - ...) / (c t), with the term c of order 1 and the others, divided by c t, in u
def _by_order_one(given: dict[int, Any], zero: Any, mask: Any, order: int) -> dict[int, Any]:
    """The same by the term of order 1."""
    h = mask / np.where(mask > 0, given.get(1, 0 * mask), 1)
    u = {k - 1: x * h for k, x in given.items() if k > 1}
    u[-1] = given.get(0, 0 * mask) * (1 - zero) * h
    terms: dict[int, Any] = {}
    power = {-1: h}
    for _ in range(order + 1):
        for n, x in power.items():
            terms[n] = terms[n] + x if n in terms else x
        product: dict[int, Any] = {}
        for (n, x), (k, y) in ((a, b) for a in power.items() for b in u.items()):
            if abs(n + k) <= order:
                product[n + k] = product.get(n + k, 0) - x * y
        power = product
    return terms


@linear
def mean_beside(g: Any, *, same: Any) -> Any:
    """The means over equal values; the values themselves in the series where they are split."""
    return mean_over(same, g)


@mean_beside.adjoint(0)
def _(g: Any, a: Any, *, same: Any) -> Any:
    return mean_beside(g, same=same)


@expansion(mean_beside)
def _(trace: LaurentTrace, g: Any, *, same: Any) -> Any:
    return trace.series(mean_beside(g._value, same=same), g._tangent.terms, g._tangent.top)
