"""A function between trees of arrays as one between real vectors, with its Jacobian."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..transforms.grad import stop_gradient, vjp
from ..transforms.linearize import linearize
from .packing import Packing


class Residual:
    """A function between trees as one between real vectors.

    Parameters
    ----------
    f : callable
        Takes one tree, and returns one.
    x : tree
        Where it is called first.
    at_values : bool
        Whether what else the function reads may be traced, as an attribute of an object: its value counts here.
    """

    def __init__(self, f: Callable[[Any], Any], x: Any, at_values: bool = False) -> None:
        self.f, self._plain = f, stop_gradient if at_values else lambda found: found
        self.x = Packing(x)
        self.out = Packing(f(self.x.unpack(self.x.pack(x))))

    def value(self, vector: Any) -> Any:
        """The vector of residuals."""
        return self.out.pack(self._plain(self.f(self.x.unpack(vector))))

    def jacobian(self, vector: Any) -> Any:
        """The dense Jacobian, column by column or row by row, whichever are fewer."""
        if vector.size <= self.out.size:
            differential = self.differential(vector)
            return np.reshape([differential(e) for e in np.eye(vector.size)], (vector.size, self.out.size)).T
        adjoint = self.adjoint(vector)
        return np.reshape([adjoint(e) for e in np.eye(self.out.size)], (self.out.size, vector.size))

    def differential(self, vector: Any) -> Callable[[Any], Any]:
        """The map of tangents at a point."""
        _, differential = linearize(self.f, self.x.unpack(vector))
        return lambda direction: self.out.pack(self._plain(differential(self.x.unpack(direction))))

    def adjoint(self, vector: Any) -> Callable[[Any], Any]:
        """The map of cotangents at a point."""
        _, pullback = vjp(self.f, self.x.unpack(vector))
        return lambda g: self.x.pack(self._plain(pullback(self.out.unpack(g))[0]))
