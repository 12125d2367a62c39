"""Distribution functions, declared once by their partial derivatives, and how their inverses read their arguments."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...complex_autograd.engine.traced import raw
from .ufunc_rules import Partial, rule

Derivative = Callable[..., Any] | str


class Distribution(NamedTuple):
    """A distribution function: the names of its arguments, its value, and its partial derivative in each of them.

    The partials are functions of the arguments alone; in place of one there may be the reason why there is none.  What
    computes `F - p` from `(p, *args)` may be given where the difference would lose digits.
    """

    names: tuple[str, ...]
    value: Callable[..., Any]
    partials: tuple[Derivative, ...]
    difference: Callable[..., Any] | None = None


_UPPER = 0.9
"""Of the probability: where it is more, its difference from 1 is compared with the upper tail."""


def difference_by_tails(
    lower: Callable[..., Any], upper: Callable[..., Any], beyond: float = _UPPER
) -> Callable[..., Any]:
    """`F - p` of a distribution, by its upper tail where `p` is next to 1 and `F` has lost the digits of `1 - F`."""

    def difference(p: Any, *point: Any) -> Any:
        is_upper = p > beyond
        if np.all(is_upper):
            return (1 - p) - upper(*point)
        if not np.any(is_upper):
            return lower(*point) - p
        at_lower, at_upper = (lower(*point), upper(*[np.where(is_upper, x, np.nan) for x in point]))
        return np.where(is_upper, (1 - p) - at_upper, at_lower - p)

    return difference


def distribution(function: Any, names: str, *partials: Derivative, variables: str = "") -> Distribution:
    """Declare the rule of a distribution function, and return what its inverses need.

    Where one of `variables` is infinite, all derivatives are 0; the partials need not know of it.
    """
    known = tuple(names.split())
    at = [i for i, name in enumerate(known) if name in variables.split()]
    derivatives = tuple(p if isinstance(p, str) or not at else _to_infinity(p, at) for p in partials)
    rule(function, names, *[_with_value(p) for p in derivatives])
    return Distribution(known, function, derivatives)


def _to_infinity(partial: Callable[..., Any], at: Sequence[int]) -> Callable[..., Any]:
    """The partial, 0 where one of some arguments is infinite."""

    def everywhere(*args: Any) -> Any:
        ends = {i: np.isinf(raw(args[i])) for i in at}
        is_end = functools.reduce(np.logical_or, ends.values())
        if not np.any(is_end):
            return partial(*args)
        inner = partial(*[np.where(ends[i], 1.0, x) if i in at else x for i, x in enumerate(args)])
        return np.where(is_end, 0.0 * inner, inner)

    return everywhere


def _with_value(partial: Derivative) -> Partial | str:
    return partial if isinstance(partial, str) else lambda w, *args: partial(*args)


def complement(function: Any, of: Distribution) -> Distribution:
    """Declare the rule of `1 - F`."""
    return distribution(function, " ".join(of.names), *[_negative(p) for p in of.partials])


def _negative(partial: Derivative) -> Derivative:
    return partial if isinstance(partial, str) else lambda *args: -partial(*args)


class Reading(NamedTuple):
    """How to read the arguments of an inverse."""

    names: tuple[str, ...]
    of: Distribution

    @property
    def unknown(self) -> int:
        """Which argument of the distribution function is the value."""
        return next(i for i, name in enumerate(self.of.names) if name not in self.names)

    @property
    def density(self) -> Any:
        """The derivative of the distribution function in that argument."""
        return self.of.partials[self.unknown]

    @property
    def probability(self) -> int:
        """Which argument of the inverse is `p`."""
        return next(i for i, name in enumerate(self.names) if name not in self.of.names)

    def point(self, u: Any, args: Sequence[Any]) -> list[Any]:
        """The arguments of the distribution function where the value is `u`."""
        given = dict(zip(self.names, args, strict=True))
        return [given.get(name, u) for name in self.of.names]

    def residual(self, u: Any, args: Sequence[Any]) -> Any:
        """`F - p` where the value is `u`."""
        p, point = args[self.probability], self.point(u, args)
        return self.of.value(*point) - p if self.of.difference is None else self.of.difference(p, *point)
