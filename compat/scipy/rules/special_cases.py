"""Distributions whose code takes another formula for a small parameter, or a function with a kink where they end."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import depth_of, raw
from ...rebinding import Around

__all__ = ["SPECIAL_CASES"]


def _refused_below(name: str, position: int, bound: float) -> Around:
    """A method, refused where one of its arguments is differentiated and smaller than a bound."""

    def around(theirs: Callable[..., Any]) -> Callable[..., Any]:
        def method(self: Any, *args: Any, **options: Any) -> Any:
            parameter = args[position]
            if depth_of(parameter) and np.any(np.abs(raw(parameter)) < bound):
                raise NotDifferentiableError(
                    f"scipy.stats.{name}",
                    f"where its shape is smaller than {bound:g} SciPy's code takes the formula for 0, or has lost its "
                    "digits. Call it beside that, or with the shape as a constant: wirtinger.stop_gradient(x)",
                )
            return theirs(self, *args, **options)

        return method

    return Around(around)


# i0e(x) = exp(-|x|) I_0(x) has a kink at 0, and i1e(x) a jump of its second derivative. The densities are functions of
# x >= 0 alone, and smooth from there.


def _from_the_right(theirs: ModuleType) -> ModuleType:
    """`scipy.special`, with the derivatives of `i0e` and `i1e` from the right at 0."""
    functions = ModuleType(theirs.__name__)
    functions.__getattr__ = lambda name: getattr(theirs, name)  # type: ignore[method-assign]

    def smooth(scaled: Any, unscaled: Any) -> Callable[[Any], Any]:
        def call(x: Any) -> Any:
            at_zero = raw(x) == 0
            if not (depth_of(x) and np.any(at_zero)):
                return scaled(x)
            near = np.where(at_zero, x, 0.0)
            return np.where(at_zero, np.exp(-near) * unscaled(near), scaled(np.where(at_zero, 1.0, x)))

        return call

    vars(functions).update(i0e=smooth(theirs.i0e, theirs.i0), i1e=smooth(theirs.i1e, theirs.i1))
    return functions


SPECIAL_CASES = {
    "sc": Around(_from_the_right),
    "genextreme_gen._stats": _refused_below("genextreme", 0, 1e-4),
    "pearson3_gen._preprocess": _refused_below("pearson3", 1, 1.6e-5),
}
"""By class and method, in `scipy.stats._continuous_distns`."""
