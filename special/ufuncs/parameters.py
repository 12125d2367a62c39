"""Derivatives in orders, degrees and shape parameters: forward mode through a kernel written in NumPy.

A kernel computes a function by series, recurrences and marching, with operations that differentiate; so the engine
differentiates it, as often as it is asked to.  A kernel chooses its path (numbers of terms and of steps, which formula
where) by plain values, and no path depends on a tangent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.transforms.forward import derivative_along
from ..numerics.regions import by_region, joined


def depth_of(*args: Any) -> int:
    """How many levels of differentiation are nested in the arguments."""
    depth = 0
    for x in args:
        levels = 0
        while isinstance(x, Traced):
            levels, x = levels + 1, x._value
        depth = max(depth, levels)
    return depth


def double(x: Any) -> Any:
    """An argument in double precision, on its own device."""
    return x * np.float64(1)


def parameter_derivative(kernel: Callable[..., Any], i: int, name: str, argument: str) -> Callable[..., Any]:
    """The partial derivative in argument `i` of a function, a rule `(w, *args)`.

    Parameters
    ----------
    kernel : callable
        Computes the function, of the same arguments in double precision; one output or a tuple of them.
    i : int
        The position of the argument.
    name, argument : str
        How messages call the function and the argument.

    Raises
    ------
    NotDifferentiableError
        By the rule, where the kernel gives no number although the function has a value.
    """

    def partial(w: Any, *args: Any) -> Any:
        inputs = [double(x) for x in args]

        def of_one(t: Any) -> Any:
            return on_finite(kernel, *inputs[:i], t, *inputs[i + 1 :], outputs=len(several(w)))

        with np.errstate(all="ignore"):
            first_derivative = derivative_along(of_one, inputs[i], raw(inputs[i]) * 0 + 1)
        for value, derivative in zip(several(w), several(first_derivative), strict=True):
            check(raw(value), raw(derivative), name, argument)
        return first_derivative

    return partial


def several(w: Any) -> tuple[Any, ...]:
    """The outputs of a function of one output or more."""
    return w if isinstance(w, tuple) else (w,)


def check(value: Any, derivative: Any, name: str, argument: str) -> None:
    """Raise where a function of SciPy's has a value, and its derivative in an argument is not a number."""
    is_nan = np.isnan(derivative) & np.isfinite(value)
    if np.any(is_nan):
        raise NotDifferentiableError(
            f"scipy.special.{name}",
            f"at {int(np.sum(is_nan))} of {np.size(value)} points it cannot be computed in double precision: they are "
            "on the edge of the domain, or too far out for the algorithm. Differentiate at the other points only",
            argument,
        )


def flat(*args: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The common shape of the arguments, and each of them broadcast to it as a vector; numbers join the arrays."""
    with np.errstate(invalid="ignore"):
        zero = np.zeros_like(sum(raw(x) for x in args), dtype=np.float64)
    return zero.shape, [np.reshape(x if np.shape(x) == zero.shape else x + zero, (-1,)) for x in args]


def on_finite(kernel: Callable[..., Any], *args: Any, outputs: int = 1) -> Any:
    """Apply a kernel where all arguments are finite; elsewhere the result is NaN.

    It has as many outputs as the kernel; `outputs` is used where that is never called.
    """
    is_finite = np.isfinite(sum(raw(x) for x in args))
    if np.all(is_finite):
        return kernel(*args)
    shape, vectors = flat(*args)
    total = sum(np.real(x) for x in vectors)
    is_finite = np.isfinite(raw(total))
    count = outputs
    if np.any(is_finite):
        count = len(several(kernel(*[x[is_finite][:1] for x in vectors])))
    parts = [
        (is_finite, lambda *finite: several(kernel(*finite))),
        (~is_finite, lambda *rest: (sum(np.real(x) for x in rest) * np.nan,) * count),
    ]
    found = tuple(np.reshape(w, shape) for w in by_region(parts, *vectors))
    return found if count > 1 else found[0]


def march(
    path: Sequence[Any],
    target: Any,
    value: Any,
    first_derivative: Any,
    taylor: Callable[..., tuple[Any, Any]],
    *parameters: Any,
) -> tuple[Any, Any]:
    """Carry a solution of a differential equation and its derivative from point to point, to the target.

    Parameters
    ----------
    path : sequence of array
        Plain vectors of points, the first where the solution is known, the last the plain target.
    target : array
        Where the solution is asked for.
    value, derivative : array
        The solution and its derivative at the first point.
    taylor : callable
        `taylor(here, h, value, derivative, *parameters)` gives both at `here + h`, also where `h` is 0.
    *parameters : array
        Vectors of parameters.

    Notes
    -----
    Elements that have arrived drop out: the others, which stand first, go on alone.  Where the target is differentiated
    those that are there from the start take a step of length 0: otherwise nothing would depend on the target.
    """
    end = path[-1]
    if len(path) == 1:
        return (
            taylor(end, target - end, value, first_derivative, *parameters)
            if isinstance(target, Traced)
            else (value, first_derivative)
        )
    order = np.argsort(-sum(point != end for point in path[:-1]), kind="stable")
    target, value, first_derivative, end, *own = (x[order] for x in (target, value, first_derivative, end, *parameters))
    values: list[Any] = []
    derivatives: list[Any] = []
    start = path[0][order]
    count = int(np.sum(start != end))
    if isinstance(target, Traced) and count < len(end):
        rest = [x[count:] for x in (target - start, value, first_derivative, *own)]
        there = taylor(start[count:], *rest)
        value, first_derivative = (
            np.concatenate([x[:count], y]) for x, y in zip((value, first_derivative), there, strict=True)
        )
    for here, there in pairwise(path):
        here, there = here[order][: len(end)], there[order][: len(end)]
        count = int(np.sum(here != end))
        values.insert(0, value[count:])
        derivatives.insert(0, first_derivative[count:])
        here, there = here[:count], there[:count]
        target, value, first_derivative, end, *own = (x[:count] for x in (target, value, first_derivative, end, *own))
        h = np.where(there == end, target, there) - here
        if np.any(np.isfinite(raw(value))):
            value, first_derivative = taylor(here, h, value, first_derivative, *own)
    return joined([value, *values], order), joined([first_derivative, *derivatives], order)
