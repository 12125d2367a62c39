"""Derivatives of the distributions of Student, and of their quantiles, so far out that the square of `t` overflows.

There the tail is a power: with a point `P` where it is one already, `side = -sign(t)` and `reach = (|t| / P)**-df`,

    F(df, nc, t) = (1 - side) / 2 + side T reach,    T = F(df, side nc, -P).

At a quantile `reach` cancels: with the smaller `q` of `p` and `1 - p`, `dt/dp = |t| / (df q)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import raw
from ..ufuncs.ufunc_rules import Partial

HUGE = np.float64(1e120)
"""Of greater `t` what is computed with squares is not to be relied upon."""
_POINT = 1e60

Derivative = Callable[..., Any]


def _is_far(t: Any) -> Any:
    return (np.abs(raw(t)) > HUGE) & np.isfinite(raw(t))


def _at_point(t: Any, others: tuple[Any, ...]) -> tuple[Any, ...]:
    """`side nc`, if there is one, and `-P`."""
    side = -np.sign(raw(t))
    return (*[side * x for x in others], -_POINT)


def _log_reach(t: Any) -> Any:
    return np.log(np.abs(t) / _POINT)


def far_value(value: Callable[..., Any], df: Any, *args: Any) -> Any:
    """The distribution function, given its values elsewhere."""
    *others, t = args
    tail = value(df, *_at_point(t, tuple(others))) * (np.abs(t) / _POINT) ** -df
    return np.where(t < 0, tail, 1 - tail)


def _chosen(near: Partial, far: Partial, is_far: Any, *args: Any) -> Any:
    """The far partial where that is, of arguments whose last one is the variable."""
    ordinary = np.where(is_far, 1.0, args[-1])
    return np.where(is_far, far(*args[:-1], np.where(is_far, args[-1], HUGE)), near(*args[:-1], ordinary))


def with_far_tails(value: Derivative, derivatives: tuple[Derivative, ...]) -> list[Derivative]:
    """The partial derivatives of a distribution in its degrees, other parameters, and `t`, right also far out."""

    def in_degrees(df: Any, *args: Any) -> Any:
        *others, t = args
        point = _at_point(t, tuple(others))
        change = derivatives[0](df, *point) - value(df, *point) * _log_reach(t)
        return -np.sign(raw(t)) * change * (np.abs(t) / _POINT) ** -df

    def in_other(df: Any, *args: Any) -> Any:
        *others, t = args
        return derivatives[1](df, *_at_point(t, tuple(others))) * (np.abs(t) / _POINT) ** -df

    def in_variable(df: Any, *args: Any) -> Any:
        *others, t = args
        return value(df, *_at_point(t, tuple(others))) * (np.abs(t) / _POINT) ** (-df - 1) * (df / _POINT)

    def choose(near: Derivative, far: Derivative) -> Derivative:
        def derivative(*args: Any) -> Any:
            is_far = _is_far(args[-1])
            return _chosen(near, far, is_far, *args) if np.any(is_far) else near(*args)

        return derivative

    return [
        choose(*both)
        for both in zip(derivatives, (in_degrees, *[in_other] * (len(derivatives) - 2), in_variable), strict=True)
    ]


def with_far_quantiles(
    value: Derivative, derivatives: tuple[Derivative, ...], partials: Sequence[Any]
) -> list[Partial]:
    """The partials `(t, df, .., p)` of a quantile, right also far out, from those of the distribution."""

    def in_degrees(t: Any, df: Any, *args: Any) -> Any:
        point = _at_point(t, args[:-1])
        return t * (derivatives[0](df, *point) / value(df, *point) - _log_reach(t)) / df

    def in_other(t: Any, df: Any, *args: Any) -> Any:
        point = _at_point(t, args[:-1])
        return -np.abs(t) * derivatives[1](df, *point) / (value(df, *point) * df)

    def in_probability(t: Any, df: Any, *args: Any) -> Any:
        p = args[-1]
        return np.abs(t) / (df * np.where(raw(t) < 0, p, 1 - p))

    def choose(near: Partial, far: Partial) -> Partial:
        def partial(t: Any, *args: Any) -> Any:
            is_far = _is_far(t)
            if not np.any(is_far):
                return near(t, *args)
            *others, p = args
            ordinary = near(np.where(is_far, 0.0, t), *others, np.where(is_far, 0.5, p))
            return np.where(is_far, far(np.where(is_far, t, -HUGE), *args), ordinary)

        return partial

    return [
        choose(*both)
        for both in zip(partials, (in_degrees, *[in_other] * (len(derivatives) - 2), in_probability), strict=True)
    ]
