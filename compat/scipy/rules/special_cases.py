"""Distributions whose code takes another formula for a small parameter, which has not its derivative."""

from __future__ import annotations

from collections.abc import Callable
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


SPECIAL_CASES = {
    "genextreme_gen._stats": _refused_below("genextreme", 0, 1e-4),
    "pearson3_gen._preprocess": _refused_below("pearson3", 1, 1.6e-5),
}
"""By class and method, in `scipy.stats._continuous_distns`."""
