"""`solve_ivp`: the derivative of its steps, whose lengths are constants; the ends of the interval may move.

A step is a formula of the state at its start, and is differentiated as such, to any order.  What decides on its length,
an estimate of the error, has no derivative: with that of the lengths, which cancels only as far as the tolerance goes,
the derivative would be a worse one.

Where the interval begins at `t_0` or ends at `t_1`, and these move, the state is carried from `t_0` to its value, and
from the value of `t_1` to it, by one step of the classical Runge-Kutta method; its length is 0, and its derivatives are
right up to the fourth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import integrate

from ....complex_autograd.array.creation import asarray
from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import depth_of, raw
from ....complex_autograd.transforms.grad import stop_gradient
from .values import is_traced, moved_to, replaces

__all__ = ["constant", "odeint", "solve_ivp", "with_our_dot"]

_COMPILED = (
    "it is computed by compiled code: call solve_ivp with a method that is not, as Radau or BDF for stiff equations"
)


def constant(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the lengths of steps, whose result has no derivative."""

    @replaces(theirs)
    def call(*args: Any, **options: Any) -> Any:
        return stop_gradient(theirs(*args, **options))

    return call


class _WithOurDot(np.ndarray):
    def dot(self, b: Any, out: Any = None) -> Any:
        return np.dot(self.view(np.ndarray), b)


def with_our_dot(a: Any) -> Any:
    """A matrix whose method `dot` takes traced arrays, as NumPy's function does."""
    return a.view(_WithOurDot)


def solve_ivp(theirs: Callable[..., Any]) -> Callable[..., Any]:
    """SciPy's function in the copy, with ends that move."""

    @replaces(theirs)
    def solve(fun: Any, t_span: Any, y0: Any, method: Any = "RK45", t_eval: Any = None, *positional: Any,
              **options: Any) -> Any:  # fmt: skip
        args = options.get("args") or ()
        start, end = t_span
        y0 = asarray(y0)

        def f(t: Any, y: Any) -> Any:
            return asarray(fun(t, y, *args))

        if method in ("LSODA", integrate.LSODA) and (depth_of(y0) or depth_of(f(raw(start), y0))):
            raise NotDifferentiableError("scipy.integrate.LSODA", _COMPILED)
        if depth_of(start):
            y0 = _carried(f, start, y0, raw(start) - start)
        at = None if t_eval is None else asarray(t_eval)
        result = theirs(fun, (raw(start), raw(end)), y0, method, raw(at), *positional, **options)
        if at is not None and depth_of(at):
            columns = [_carried(f, raw(t), y, t - raw(t)) for t, y in zip(at, result.y.T, strict=False)]
            result.y = np.stack(columns, axis=1)
            result.t = at[: len(columns)]
        elif depth_of(end) and result.status == 0 and (at is None or (at.size and at[-1] == raw(end))):
            last = _carried(f, raw(end), result.y[:, -1], end - raw(end))
            result.y = np.concatenate([result.y[:, :-1], last[:, None]], axis=1)
            result.t = np.concatenate([result.t[:-1], np.reshape(end, 1)])
        return result

    return solve


def _carried(f: Callable[[Any, Any], Any], t: Any, y: Any, h: Any) -> Any:
    """The state at `t + h`, where `h` is 0."""
    t, h = raw(t) - (h if depth_of(t) else 0.0) + raw(h), h
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return moved_to(raw(y), y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4))


@replaces(integrate.odeint)
def odeint(func: Any, y0: Any, t: Any, args: Any = (), *positional: Any, **options: Any) -> Any:
    """By compiled code: refused under a derivative."""
    args = args if isinstance(args, tuple) else (args,)
    if is_traced((y0, t, *args), {}) or _reads_traced(func, y0, t, args, options):
        raise NotDifferentiableError("scipy.integrate.odeint", _COMPILED)
    return integrate.odeint(func, y0, t, args, *positional, **options)


def _reads_traced(func: Any, y0: Any, t: Any, args: Any, options: dict[str, Any]) -> bool:
    first = (t[0], y0) if options.get("tfirst") else (y0, t[0])
    found = func(*first, *args)
    return holds_traced(list(found) if isinstance(found, tuple) else found)
