"""Functions of parameters and one argument, with their mixed derivatives of all orders.

A family is one algorithm: from jets of the parameters it gives, as a jet, the derivative of order `m` in the argument.
Every mixed derivative is then a value of the family with other `orders`, so its rule is only to count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..numerics.jets import Jet, variables
from ..numerics.regions import in_double, with_dtypes, within
from .large_arrays import block_size
from .ufunc_rules import Partial, Pointwise

Algorithm = Callable[[Sequence[Jet], Any, int], Jet]


class ParameterFamily:
    """The derivatives of a function `f(p_1, .., p_count, z)`.

    Parameters
    ----------
    algorithm : callable
        `(parameters, z, m)`: jets of the parameters, arrays of double precision, the order in `z`; gives a jet.
    count : int
        How many parameters there are.
    at_once : int
        The elements that the algorithm is given at a time: many, where it splits them and has ways for rare ones.
    """

    def __init__(self, algorithm: Algorithm, count: int, at_once: int = 1 << 14) -> None:
        self.algorithm = algorithm
        self.at_once = at_once
        self.count = count
        partials = [self._next_in_parameter(i) for i in range(count)]
        self._derivative = Pointwise(self._value, (*partials, self._next_in_argument), None)

    def _value(self, *args: Any, orders: tuple[int, ...], m: int) -> Any:
        def kernel(*flat: Any) -> Any:
            return self.algorithm(variables(orders, *flat[:-1]), flat[-1], m).derivative(*orders)

        def where_defined(*flat: Any) -> Any:
            return within(np.isfinite(sum(flat[:-1])) & ~np.isnan(flat[-1]), kernel, *flat)

        return in_double(where_defined, *args, at_once=self.at_once)

    def _next_in_parameter(self, i: int) -> Partial:
        def partial(w: Any, *args: Any, orders: tuple[int, ...], m: int) -> Any:
            return self._derivative(*args, orders=(*orders[:i], orders[i] + 1, *orders[i + 1 :]), m=m)

        return partial

    def _next_in_argument(self, w: Any, *args: Any, orders: tuple[int, ...], m: int) -> Any:
        return self._derivative(*args, orders=orders, m=m + 1)

    def value(self, *args: Any) -> Any:
        """The function itself."""
        return self._value(*args, orders=(0,) * self.count, m=0)

    def partial(self, i: int) -> Partial:
        """The partial derivative in parameter `i`, or behind these in the argument, as the rule of a ufunc takes it."""
        orders = tuple(int(j == i) for j in range(self.count))

        @block_size(self.at_once)
        def partial(w: Any, *args: Any) -> Any:
            return self._derivative(*with_dtypes(*args), orders=orders, m=int(i == self.count))

        return partial
