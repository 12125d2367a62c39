"""Minima at the determinism level `portable`: L-BFGS whose steps are fixed sequences of IEEE operations.

SciPy's takes its steps by BLAS.  The direction is the two-loop recursion of [NW06], algorithm 7.4, with the scale of
(7.20), the step fulfils the strong Wolfe conditions by its algorithms 3.5 and 3.6 with the cubic of (3.59), and sums
are trees.  Options, conditions to end and messages are those of SciPy's method `L-BFGS-B`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from inspect import signature
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult

from ...determinism.portable.reductions import sum as tree_sum

_DEFAULTS = {"maxiter": 15000, "maxfun": 15000, "maxcor": 10, "maxls": 20, "ftol": 2.220446049250313e-09, "gtol": 1e-5}
_DECREASE, _CURVATURE = 1e-3, 0.9
"""The constants of the two Wolfe conditions."""

_CONVERGED = {
    "gradient": "CONVERGENCE: NORM OF PROJECTED GRADIENT <= PGTOL",
    "decrease": "CONVERGENCE: RELATIVE REDUCTION OF F <= FACTR*EPSMCH",
}


class _Point(NamedTuple):
    """A point on a line: the step to it, the point itself, value, gradient, and the derivative along the line."""

    step: float
    x: Any
    value: float
    gradient: Any
    derivative: float


def _dot(x: Any, y: Any) -> float:
    return float(tree_sum(x * y))


def minimize_by_lbfgs(
    both: Callable[[Any], tuple[float, Any]],
    x: Any,
    callback: Callable[..., Any] | None = None,
    *,
    tol: float | None = None,
    options: dict[str, Any] | None = None,
) -> OptimizeResult:
    """Minimize a function of a real vector.

    Parameters
    ----------
    both : callable
        Value and gradient.
    x : array
        Where to start.
    callback : callable, optional
        As SciPy's.
    tol : float, optional
        Both `ftol` and `gtol`.
    options : dict, optional
        Of SciPy's: `maxiter`, `maxfun`, `maxcor`, `maxls`, `ftol`, `gtol`.

    Returns
    -------
    OptimizeResult
    """
    given = {**_DEFAULTS, **({} if tol is None else {"ftol": tol, "gtol": tol}), **(options or {})}
    if others := given.keys() - _DEFAULTS.keys():
        raise TypeError(
            f"optimize.minimize at the determinism level 'portable' takes no options {', '.join(sorted(others))}; it "
            f"takes {', '.join(_DEFAULTS)}"
        )
    return _Minimization(both, given).run(x, callback)


class _Minimization:
    """A function, the options, and how often the function was called."""

    def __init__(self, both: Callable[[Any], tuple[float, Any]], options: dict[str, Any]) -> None:
        self.both, self.options, self.calls = both, options, 0

    def at(self, x: Any) -> tuple[float, Any]:
        """Value and gradient."""
        self.calls += 1
        return self.both(x)

    def run(self, x: Any, callback: Callable[..., Any] | None) -> OptimizeResult:
        """The whole minimization."""
        value, gradient = self.at(x)
        pairs: list[tuple[Any, Any, float]] = []
        steps, status, message = 0, 0, self._converged(value, value, gradient, begins=True)
        while not message:
            found = self._step(x, value, gradient, pairs)
            if found is None and pairs:
                pairs.clear()
                continue
            if found is None:
                status, message = 2, "ABNORMAL: "
                break
            moved, change = found.x - x, found.gradient - gradient
            curvature = _dot(moved, change)
            if curvature > np.finfo(float).eps * _dot(change, change):
                pairs[:] = [*pairs, (moved, change, 1 / curvature)][-self.options["maxcor"] :]
            before, (x, value, gradient) = value, (found.x, found.value, found.gradient)
            steps += 1
            message = self._converged(before, value, gradient)
            try:
                _told(callback, x, value)
            except StopIteration:
                status, message = 99, "`callback` raised `StopIteration`."
            if not message and steps >= self.options["maxiter"]:
                status, message = 1, "STOP: TOTAL NO. OF ITERATIONS REACHED LIMIT"
            elif not message and self.calls > self.options["maxfun"]:
                status, message = 1, "STOP: TOTAL NO. OF F,G EVALUATIONS EXCEEDS LIMIT"
        return OptimizeResult(
            x=x, fun=value, jac=gradient, nit=steps, nfev=self.calls, njev=self.calls, status=status,
            success=status == 0, message=message,
        )  # fmt: skip

    def _converged(self, before: float, value: float, gradient: Any, begins: bool = False) -> str:
        """Why it ends here; empty where it does not."""
        if np.max(np.abs(gradient), initial=0.0) <= self.options["gtol"]:
            return _CONVERGED["gradient"]
        is_small = before - value <= self.options["ftol"] * max(abs(before), abs(value), 1.0)
        return _CONVERGED["decrease"] if is_small and not begins else ""

    def _step(self, x: Any, value: float, gradient: Any, pairs: list[tuple[Any, Any, float]]) -> _Point | None:
        """The point where the Wolfe conditions hold; None where there is none."""
        direction = -_by_two_loops(gradient, pairs)
        start = _Point(0.0, x, value, gradient, _dot(gradient, direction))
        if not start.derivative < 0:
            return None
        length = 1.0 if pairs else min(1.0, 1 / math.sqrt(_dot(direction, direction)))
        return _Line(self, start, direction).search(length)


def _by_two_loops(gradient: Any, pairs: list[tuple[Any, Any, float]]) -> Any:
    """The approximate inverse Hessian times the gradient."""
    q, factors = gradient, []
    for moved, change, inverse in reversed(pairs):
        factors.append(inverse * _dot(moved, q))
        q = q - factors[-1] * change
    if pairs:
        moved, change, inverse = pairs[-1]
        q = q / (inverse * _dot(change, change))
    for (moved, change, inverse), factor in zip(pairs, reversed(factors), strict=True):
        q = q + (factor - inverse * _dot(change, q)) * moved
    return q


class _Line:
    """The points `x + t p`, `t >= 0`."""

    def __init__(self, function: _Minimization, start: _Point, direction: Any) -> None:
        self.function, self.start, self.direction = function, start, direction
        self.left = function.options["maxls"]

    def at(self, step: float) -> _Point:
        """A point."""
        self.left -= 1
        x = self.start.x + step * self.direction
        value, gradient = self.function.at(x)
        return _Point(step, x, value, gradient, _dot(gradient, self.direction))

    def is_low(self, point: _Point) -> bool:
        """Whether the value has decreased enough; not where it is NaN."""
        return point.value <= self.start.value + _DECREASE * point.step * self.start.derivative

    def is_flat(self, point: _Point) -> bool:
        """Whether the derivative has."""
        return abs(point.derivative) <= -_CURVATURE * self.start.derivative

    def search(self, step: float) -> _Point | None:
        """From the start to longer and longer steps, until a minimum lies between two of them."""
        before = self.start
        while self.left > 0:
            here = self.at(step)
            if not self.is_low(here) or (before.step > 0 and here.value >= before.value):
                return self.between(before, here)
            if self.is_flat(here):
                return here
            if here.derivative >= 0:
                return self.between(here, before)
            before, step = here, 2 * step
        return before if before.step > 0 else None

    def between(self, low: _Point, high: _Point) -> _Point | None:
        """A point between two, of which the first is low and descends towards the second."""
        while self.left > 0 and low.step != high.step:
            here = self.at(_cubic_step(low, high))
            if not self.is_low(here) or here.value >= low.value:
                high = here
                continue
            if self.is_flat(here):
                return here
            if here.derivative * (high.step - low.step) >= 0:
                high = low
            low = here
        return low if low.step > 0 else None


def _cubic_step(low: _Point, high: _Point) -> float:
    """The minimum of the cubic through two points, or the middle where it is not well between them."""
    width = high.step - low.step
    bend = low.derivative + high.derivative - 3 * (high.value - low.value) / width
    square = bend * bend - low.derivative * high.derivative
    if 0 <= square < math.inf:
        root = math.copysign(math.sqrt(square), width)
        total = high.derivative - low.derivative + 2 * root
        share = 1 - (high.derivative + root - bend) / total if total else 0.5
        if 0.1 <= share <= 0.9:
            return low.step + share * width
    return low.step + 0.5 * width


def _told(callback: Callable[..., Any] | None, x: Any, value: float) -> None:
    """Call the callback as SciPy does."""
    if callback is None:
        return
    if "intermediate_result" in signature(callback).parameters:
        callback(intermediate_result=OptimizeResult(x=x.copy(), fun=value))
    else:
        callback(x.copy())
