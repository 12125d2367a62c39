"""What SciPy's functions of a sequence of orders have in common: they return functions and their derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.space import Array
from .ufunc_rules import Pointwise, pointwise

Pair = tuple[Array, Array]


def scalars(*args: Any) -> list[Any]:
    """Arguments that must not be arrays."""
    arrays = operands(*args)
    if any(np.ndim(x) for x in arrays):
        raise ValueError("arguments must be scalars.")
    return arrays


def with_derivative(function: Callable[..., Any], curvature: Callable[..., Any]) -> Pointwise:
    """What returns functions and derivatives, `(z, **params)`, with their second derivatives, `(w, z, **params)`."""

    def value(z: Any, **params: Any) -> Any:
        return function(z, **params)

    return pointwise(lambda w, z, **params: (w[1], curvature(w, z, **params)))(value)


def functions_and_derivatives(plain: Callable[..., Any], ours: Callable[..., Any], *args: Any) -> Pair:
    """What SciPy's function returns for plain numbers, and ours where one of them is traced."""
    functions, derivatives = ours(*scalars(*args)) if holds_traced(args) else plain(*args)
    return functions, derivatives
