"""Roots of one equation: SciPy's solvers see numbers, and their solution has the derivatives that the equation gives it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from scipy import optimize

from ....complex_autograd.array.tracing import is_tracing
from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.engine.traced import raw
from ....complex_autograd.optimization.implicit import differentiated, plainly

__all__ = ["BRACKETING", "newton"]


def _bracketing(solver: Callable[..., Any]) -> Callable[..., Any]:
    """A solver of `f(x, *args) = 0` between two numbers."""

    @wraps(solver)
    def solve(f: Any, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
        if not is_tracing():
            return solver(f, a, b, args=args, **options)
        args = args if isinstance(args, tuple) else (args,)
        a, b, options = lowered(a), lowered(b), lowered(options)
        with plainly(f, args):
            found = solver(lambda x: raw(f(x, *args)), a, b, **options)
        x, *rest = found if isinstance(found, tuple) else (found,)
        x = differentiated(f"scipy.optimize.{solver.__name__}", np.asarray(x), lambda x: f(x, *args))
        return (x, *rest) if rest else x

    return solve


BRACKETING = {name: _bracketing(getattr(optimize, name)) for name in ("bisect", "brenth", "brentq", "ridder", "toms748")}
"""By their names."""


@wraps(optimize.newton)
def newton(func: Any, x0: Any, fprime: Any = None, args: Any = (), *positional: Any, **options: Any) -> Any:
    """The secant, Newton's or Halley's method."""
    if not is_tracing():
        return optimize.newton(func, x0, fprime, args, *positional, **options)
    args = args if isinstance(args, tuple) else (args,)

    def plain(f: Any) -> Any:
        return f and (lambda x, *_: raw(f(x, *args)))

    if options.get("fprime2"):
        options["fprime2"] = plain(options["fprime2"])
    with plainly(func, args, fprime):
        found = optimize.newton(plain(func), lowered(x0), plain(fprime), (), *positional, **lowered(options))
    x, *rest = found if isinstance(found, tuple) else (found,)
    x = differentiated("scipy.optimize.newton", np.asarray(x), lambda x: func(x, *args))
    return (x, *rest) if rest else x
