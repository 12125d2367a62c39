"""Roots of one equation, and of systems: SciPy's solvers see numbers, and the equations differentiate their solution.

A derivative is that of `wirtinger.implicit`: it is taken in whatever the functions read, their closures too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.engine.traced import raw
from ....complex_autograd.optimization.implicit import differentiated, plainly
from .values import replaces

__all__ = ["BRACKETING", "as_tuple", "fixed_point", "fsolve", "newton", "numbers", "root"]


def numbers(f: Any) -> Any:
    """A function whose results are plain, for compiled code; anything else plain."""
    return (lambda *args, **options: lowered(f(*args, **options))) if callable(f) else lowered(f)


def as_tuple(args: Any) -> tuple[Any, ...]:
    """`args=` of SciPy's."""
    return args if isinstance(args, tuple) else (args,)


def _with_root(solver: Callable[..., Any], found: Any, f: Callable[[Any], Any]) -> Any:
    """What a solver of one equation returns, with the derivatives of the root."""
    x, *rest = found if isinstance(found, tuple) else (found,)
    x = differentiated(f"scipy.optimize.{solver.__name__}", np.asarray(x), lambda x: f(x[()]))
    for result in rest:
        if hasattr(result, "root"):
            result.root = x
    return (x, *rest) if rest else x


def _bracketing(solver: Callable[..., Any]) -> Callable[..., Any]:
    """A solver of `f(x, *args) = 0` between two numbers."""

    @replaces(solver)
    def solve(f: Any, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
        args = as_tuple(args)
        with plainly(f, args):
            found = solver(numbers(lambda x: f(x, *args)), raw(a), raw(b), **lowered(options))
        return _with_root(solver, found, lambda x: f(x, *args))

    return solve


BRACKETING = {
    name: _bracketing(getattr(optimize, name)) for name in ("bisect", "brenth", "brentq", "ridder", "toms748")
}
"""By their names."""


@replaces(optimize.newton)
def newton(func: Any, x0: Any, fprime: Any = None, args: Any = (), *positional: Any, **options: Any) -> Any:
    """The secant, Newton's or Halley's method."""
    args = as_tuple(args)

    def plain(f: Any) -> Any:
        return f and numbers(lambda x: f(x, *args))

    if options.get("fprime2"):
        options["fprime2"] = plain(options["fprime2"])
    with plainly(func, args, fprime):
        found = optimize.newton(plain(func), lowered(x0), plain(fprime), (), *positional, **lowered(options))
    return _with_root(optimize.newton, found, lambda x: func(x, *args))


@replaces(optimize.root)
def root(fun: Any, x0: Any, args: Any = (), *positional: Any, **options: Any) -> Any:
    """A system of equations."""
    args = as_tuple(args)
    both = options.get("jac") is True
    options = {name: numbers(value) for name, value in options.items()}
    if callable(options.get("jac")):
        options["jac"] = lambda x, jac=options["jac"]: jac(x, *args)
    with plainly(fun, args):
        result = optimize.root(numbers(lambda x: fun(x, *args)), lowered(x0), (), *positional, **options)
    result.x = differentiated("scipy.optimize.root", result.x, lambda x: fun(x, *args)[0] if both else fun(x, *args))
    return result


@replaces(optimize.fsolve)
def fsolve(func: Any, x0: Any, args: Any = (), fprime: Any = None, full_output: Any = 0, **options: Any) -> Any:
    """A system of equations, by Powell's hybrid method."""
    args = as_tuple(args)
    jacobian = fprime and numbers(lambda x: fprime(x, *args))
    with plainly(func, args, fprime):
        found = optimize.fsolve(
            numbers(lambda x: func(x, *args)), lowered(x0), (), jacobian, full_output, **lowered(options)
        )
    x, *rest = found if full_output else (found,)
    x = differentiated("scipy.optimize.fsolve", x, lambda x: func(x, *args))
    return (x, *rest) if rest else x


@replaces(optimize.fixed_point)
def fixed_point(func: Any, x0: Any, args: Any = (), *positional: Any, **options: Any) -> Any:
    """The solution of `x = func(x, *args)`."""
    args = as_tuple(args)
    with plainly(func, args):
        x = optimize.fixed_point(numbers(lambda x: func(x, *args)), lowered(x0), (), *positional, **lowered(options))
    return differentiated("scipy.optimize.fixed_point", x, lambda x: x - func(x, *args))
