"""Distributions shifted by `loc` and scaled by `scale`, built from the standard ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .....complex_autograd.array.creation import asarray

Function = Callable[..., Any]


class Family:
    """The functions of one family of distributions, made of the standard ones `(x, *shapes)`.

    Parameters
    ----------
    shapes : tuple of str
        The names of the shapes, which stand after `x`.
    low, high : float
        The support of the standard distribution.
    """

    def __init__(self, shapes: tuple[str, ...], low: float = -np.inf, high: float = np.inf) -> None:
        self.names = (*shapes, "loc", "scale")
        self.low, self.high = low, high
        self._inside = 0.0 if low == -np.inf else low + 0.5

    def logpdf(self, standard: Function) -> Function:
        """The logarithm of the density, from that of the standard one: `-inf` outside of the support."""

        def logpdf(x: Any, *args: Any, **named: Any) -> Any:
            *shapes, loc, scale = self._bound(args, named)
            y = (asarray(x) - loc) / scale
            inside = (y >= self.low) & (y <= self.high)
            density = standard(np.where(inside, y, self._inside), *shapes) - np.log(scale)
            return np.where(inside, density, -np.inf)[()]

        return logpdf

    def cdf(self, standard: Function) -> Function:
        """The distribution function, its complement, or the logarithm of either, from the standard one."""

        def cdf(x: Any, *args: Any, **named: Any) -> Any:
            *shapes, loc, scale = self._bound(args, named)
            return standard(np.clip((asarray(x) - loc) / scale, self.low, self.high), *shapes)

        return cdf

    def _bound(self, args: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
        """The shapes, `loc` and `scale`, as SciPy's functions take them."""
        given = dict(zip(self.names, args, strict=False))
        if len(args) > len(self.names) or given.keys() & named.keys() or named.keys() - set(self.names):
            raise TypeError(f"the arguments after the first are {', '.join(self.names)}, each of them once")
        given |= {"loc": 0.0, "scale": 1.0} | given | named
        missing = [name for name in self.names if name not in given]
        if missing:
            raise TypeError(f"missing: {', '.join(missing)}")
        return [asarray(given[name]) for name in self.names]


def exponential_of(log: Function) -> Function:
    """The function whose logarithm is given."""

    def function(*args: Any, **named: Any) -> Any:
        return np.exp(log(*args, **named))

    return function
