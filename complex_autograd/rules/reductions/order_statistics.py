"""Medians, percentiles and quantiles.

Each is `x = (1 - t) s[i] + t s[i + 1]`, where `s` are the sorted elements and the position `i + t` among them does not
depend on their size.  So the same function, applied to the ranks of the elements in place of the elements, gives the
position, whatever the method, the weights, and the NaNs that it leaves out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....backends import backend_of, exact, is_precise
from ....backends.constants import constant
from ...array.views import getitem
from ...engine.dispatch import holds_traced, implements, refuse_out
from ...engine.errors import NotDifferentiableError
from ...engine.operands import as_operand, asarray_like
from ...engine.primitive import Primitive, primitive
from ...engine.traced import Traced, raw
from ...engine.zero import ZERO
from .averages import weights_along
from .sums import Axis, is_kept, merged

_CONTINUOUS = {
    "linear": (1.0, 1.0),
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (constant(1 / 3, lambda mp: mp.mpf(1) / 3),) * 2,
    "normal_unbiased": (3 / 8, 3 / 8),
}
"""The methods that are continuous in q, with alpha and beta: the position is `n q + alpha + q (1 - alpha - beta) - 1`
(R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, The American Statistician 50, 1996, 361-365)."""

_MANY = 4096
"""Elements: of fewer there is nothing to gain by `_order_around`."""


def order_statistic(function: Callable[..., Any], unit: float = 1.0) -> Primitive:
    """The primitive of a function `(a, q, **options)` of the sorted elements, in which `q = unit` asks for the last."""

    def choose(a: Any, q: Any, **options: Any) -> Any:
        return function(a, q, **options)

    choose.__name__ = f"{function.__name__}_over"
    choice = primitive(family="compositions")(choose)
    choice.chooses = True

    @choice.differential
    def _(x: Any, a: Any, q: Any, da: Any, dq: Any, *, keepdims: bool, **options: Any) -> Any:
        # x = (1 - t) s[i] + t s[i+1]  =>  dx = (1 - t) ds[i] + t ds[i+1] + (s[i+1] - s[i]) dt
        if raw(a).size == 0:
            return ZERO
        ranks = Ranks(function, x, a, q, unit, **options)
        dx = ZERO if da is ZERO else ranks.interpolated(da)
        if dq is not ZERO:
            dx = dx + ranks.step(a) * ranks.moved(dq)
        return np.reshape(dx, x.shape)

    return choice


class Ranks:
    """Where a function of the sorted elements reads: one row a quantile, one column an element of the result."""

    def __init__(
        self,
        function: Callable[..., Any],
        x: Any,
        a: Any,
        q: Any,
        unit: float,
        axis: Axis,
        method: str | None = None,
        weights: Any = None,
    ) -> None:
        self._axis, self._unit, self._method, self._q = axis, unit, method, raw(q)
        values = self._columns(raw(a))
        count, length = values.shape
        namespace = backend_of(values).namespace
        self._arange = namespace.arange
        missing = np.isnan(values)
        visible = ~np.all(missing, axis=-1)
        self._last = np.maximum(length - np.sum(missing, axis=-1), 1) - 1
        options = {} if method is None else {"method": method}
        alike = weights is None and type(values) is np.ndarray and not missing.any()  # all rows have one position
        if weights is None:  # then which element has which rank does not matter
            ranks = np.broadcast_to(self._arange(length), (1 if alike else count, length))
            missing = ranks > self._last[: len(ranks), None]
        else:
            ranks = np.argsort(np.argsort(values, axis=-1), axis=-1)
            options["weights"] = self._columns(np.broadcast_to(weights_along(raw(a), weights, axis), a.shape))
        ranks = np.where(missing & visible[: len(ranks), None], np.nan, ranks)
        ranks = namespace.asarray(ranks)
        if alike and method is None:  # a median
            position = np.full((1, 1), (length - 1) / 2)
        else:
            position = function(ranks, self._q, axis=-1, **options).reshape(-1, len(ranks))
        self._known = visible & ~np.isnan(position)
        position = np.where(self._known, position, 0.0)
        self._low = np.clip(np.floor(position).astype(np.intp), 0, np.maximum(self._last - 1, 0))
        self._high = np.minimum(self._low + 1, self._last)
        order = None
        if alike and len(position) == 1 and values.size >= _MANY and values.dtype.kind == "f":
            order = _order_around(np.reshape(raw(x), (count, 1)), values, int(self._low[0, 0]))
        if order is None:
            read = np.unique(np.concatenate([self._low, self._high])[:, : len(ranks)])
            order = np.argpartition(values, read, axis=-1)
        self._order = order
        self._fraction = position - self._low
        if isinstance(q, Traced):
            self._fraction = self._fraction + self.moved(q - raw(q))

    def _columns(self, a: Any) -> Any:
        joined = merged(a, self._axis)
        return joined if joined.ndim == 2 else np.reshape(joined, (-1, joined.shape[-1]))

    def _sorted_at(self, a: Any, rank: Any) -> Any:
        columns = self._arange(len(self._order))
        return getitem(self._columns(a), index=(columns, self._order[columns, rank]))

    def interpolated(self, da: Any) -> Any:
        """The tangent of what is read, at a fixed position."""
        both = self._sorted_at(da, np.stack([self._low, self._high]))
        return np.sum(both * (self._known * np.stack([1 - self._fraction, self._fraction])), axis=0)

    def step(self, a: Any) -> Any:
        """The difference of the two elements that are read."""
        return np.where(self._known, self._sorted_at(a, self._high) - self._sorted_at(a, self._low), 0)

    def moved(self, dq: Any) -> Any:
        """The tangent of the position; zero where it is held at an end."""
        if self._method not in _CONTINUOUS:
            raise NotDifferentiableError(
                "numpy.quantile",
                f"with method={self._method!r} the result is a step function of it. Methods with a derivative are "
                f"{', '.join(_CONTINUOUS)}",
                "q",
            )
        alpha, beta = _CONTINUOUS[self._method]
        if callable(alpha):
            alpha = beta = exact(alpha()) if is_precise() else alpha()
        derivative = self._last + 2 - alpha - beta
        position = np.reshape(self._q, (-1, 1)) * derivative / self._unit + alpha - 1
        held = (position < 0) | (position > self._last)
        return np.reshape(dq, (-1, 1)) * (~held * derivative) / self._unit


def _order_around(x: Any, values: Any, low: int) -> Any:
    """`argpartition` at the ranks `low` and `low + 1`, between which `x` lies; None where others equal one of these.

    The nearest to `x` on either side have the extreme reciprocal distances; their ranks are found by counting.
    """
    if low + 1 == values.shape[-1]:
        return None
    order, rows = np.zeros(values.shape, np.intp), np.arange(len(values))
    with np.errstate(all="ignore"):
        nearness = np.subtract(x, values)
        np.divide(1, nearness, out=nearness)
    order[:, low], order[:, low + 1] = np.argmax(nearness, axis=-1), np.argmin(nearness, axis=-1)
    first, last = (values[rows, order[:, rank]][:, None] for rank in (low, low + 1))
    not_less = np.count_nonzero(values >= first, axis=-1) == values.shape[-1] - low
    not_more = np.count_nonzero(values <= last, axis=-1) == low + 2
    return order if np.all(first < last) and np.all(not_less) and np.all(not_more) else None


def _middle(function: Callable[..., Any]) -> Callable[..., Any]:
    def middle(a: Any, q: Any, **options: Any) -> Any:
        return function(a, **options)

    middle.__name__ = function.__name__
    return middle


median_over, nanmedian_over = order_statistic(_middle(np.median)), order_statistic(_middle(np.nanmedian))
quantile_over, nanquantile_over = order_statistic(np.quantile), order_statistic(np.nanquantile)
percentile_over, nanpercentile_over = order_statistic(np.percentile, 100.0), order_statistic(np.nanpercentile, 100.0)


def _implements_median(function: Callable[..., Any], choice: Primitive) -> None:
    @implements(function)
    def _(a: Any, axis: Axis = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False) -> Any:
        refuse_out(function, out)
        return choice(as_operand(a), 0.5, axis=as_axis(axis), keepdims=is_kept(keepdims))


def _implements_quantile(function: Callable[..., Any], choice: Primitive) -> None:
    @implements(function)
    def _(
        a: Any,
        q: Any,
        axis: Axis = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: Any = False,
        *,
        weights: Any = None,
    ) -> Any:
        refuse_out(function, out)
        a, q = as_operand(a), as_operand(q) if holds_traced(q) else q
        options = {} if weights is None else {"weights": raw(asarray_like(weights, a)).copy()}
        # one axis of quantiles: numpy.nanquantile over several axes mixes up more than one
        shape, q = np.shape(q), np.ravel(q) if np.ndim(q) > 1 else q
        x = choice(a, q, axis=as_axis(axis), keepdims=is_kept(keepdims), method=method, **options)
        return np.reshape(x, shape + x.shape[1:]) if len(shape) > 1 else x


def as_axis(axis: Any) -> Axis:
    """An axis argument in the form that the rules read: a list counts as a tuple."""
    return tuple(axis) if isinstance(axis, list) else axis


_implements_median(np.median, median_over)
_implements_median(np.nanmedian, nanmedian_over)
_implements_quantile(np.quantile, quantile_over)
_implements_quantile(np.nanquantile, nanquantile_over)
_implements_quantile(np.percentile, percentile_over)
_implements_quantile(np.nanpercentile, nanpercentile_over)
