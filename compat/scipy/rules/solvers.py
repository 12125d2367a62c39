"""Roots of one equation, and of systems: SciPy's solvers see numbers, and the equations differentiate their solution.

A derivative is that of `wirtinger.implicit`: it is taken in whatever the functions read, their closures too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from scipy import optimize

from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.engine.errors import NotDifferentiableError, PrecisionLossError
from ....complex_autograd.engine.traced import depth_of, raw
from ....complex_autograd.optimization.implicit import differentiated, without_derivatives
from ....complex_autograd.optimization.of_items import one_by_one
from ....complex_autograd.transforms.grad import jvp
from .values import moved_to, replaces

__all__ = ["BRACKETING", "as_tuple", "fixed_point", "fsolve", "newton", "numbers", "root"]

_STEPS = 5
_CONVERGED = 1e-9
"""The length of a last step of Newton's method, relative to the root."""
_FARTHEST, _LEAST_SIZE = 1e-3, 0.1
"""How far from what a solver returned the root may be, relative to it or to this size."""
_NEARBY = 1e-7
"""How near to a root its equation must not be flat."""


def numbers(f: Any) -> Any:
    """A function whose results are plain, for compiled code; anything else plain."""
    if not callable(f):
        return lowered(f)

    @wraps(f)  # SciPy asks the signature how many parameters there are
    def call(*args: Any, **options: Any) -> Any:
        return lowered(f(*args, **options))

    return call


def as_tuple(args: Any) -> tuple[Any, ...]:
    """`args=` of SciPy's."""
    return args if isinstance(args, tuple) else (args,)


def _with_root(solver: Callable[..., Any], found: Any, f: Callable[[Any], Any]) -> Any:
    """What a solver of one equation returns, with the derivatives of the root."""
    x, *rest = found if isinstance(found, tuple) else (found,)
    name = f"scipy.optimize.{solver.__name__}"
    x = (
        differentiated(name, x, f)
        if np.ndim(x)
        else _differentiated_number(name, (complex if np.iscomplexobj(x) else float)(x), f)
    )
    for result in rest:
        if hasattr(result, "root"):
            result.root = x
    return (x, *rest) if rest else x


def _differentiated_number(name: str, x: complex, f: Callable[[Any], Any]) -> Any:
    """A root with as many derivatives as are being taken, as `solution` gives them, after steps of Newton's method.

    It needs no other value of `f` than traced ones, of which the numbers are taken: whatever `f` reads may move.
    """
    order = depth_of(f(x))
    if not order:
        return x
    at: complex = x
    step: complex = np.inf
    for _ in range(_STEPS):
        value, derivative = _value_and_derivative(f, at)
        step = value / derivative if derivative else np.inf
        if not np.isfinite(step) or abs(at - step - x) > _FARTHEST * (abs(x) + _LEAST_SIZE):
            break
        at = at - step
        if abs(step) <= _CONVERGED * (abs(at) + _CONVERGED):
            break
    nearby = at + _NEARBY * (abs(at) + _NEARBY)
    _, derivative = _value_and_derivative(f, at)
    if not derivative or not abs(_value_and_derivative(f, nearby)[1] - derivative) <= 0.5 * abs(derivative):
        raise NotDifferentiableError(name, "the derivative of the equation is 0 at the root, or next to it")
    off_axis = raw(jvp(f, (at,), (1j,))[1]) if issubclass(type(x), complex) else 1j * derivative
    if not abs(off_axis - 1j * derivative) <= _CONVERGED * abs(derivative):
        raise NotDifferentiableError(
            name,
            "its root is complex, and the equation is no analytic function of it. Solve for the real and the imaginary "
            "part, by scipy.optimize.root or wirtinger.root",
        )
    if not abs(step) <= _CONVERGED * (abs(at) + _CONVERGED):
        raise PrecisionLossError(
            f"{name} was differentiated where its equation is not satisfied, and Newton's method from there does not "
            "converge. Give a smaller tolerance, or an equation that is smooth at the root."
        )
    y: Any = at
    for _ in range(order):
        y = y - f(y) / derivative
    return moved_to(np.asarray(x)[()], np.reshape(y, ())[()])


def _value_and_derivative(f: Callable[[Any], Any], x: complex) -> tuple[complex, complex]:
    value, derivative = jvp(f, (x,), (type(x)(1.0),))
    return type(x)(raw(value)), type(x)(raw(derivative))


def _bracketing(solver: Callable[..., Any]) -> Callable[..., Any]:
    """A solver of `f(x, *args) = 0` between two numbers."""

    @replaces(solver)
    def solve(f: Any, a: Any, b: Any, args: Any = (), **options: Any) -> Any:
        args = as_tuple(args)
        with without_derivatives(f, args):
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
    with without_derivatives(func, args, fprime):
        found = optimize.newton(plain(func), lowered(x0), plain(fprime), (), *positional, **lowered(options))
    return _with_root(optimize.newton, found, lambda x: func(x, *args))


@one_by_one
@replaces(optimize.root)
def root(fun: Any, x0: Any, args: Any = (), *positional: Any, **options: Any) -> Any:
    """A system of equations."""
    args = as_tuple(args)
    both = options.get("jac") is True
    options = {name: numbers(value) for name, value in options.items()}
    if callable(options.get("jac")):
        options["jac"] = lambda x, jac=options["jac"]: jac(x, *args)
    with without_derivatives(fun, args):
        result = optimize.root(numbers(lambda x: fun(x, *args)), lowered(x0), (), *positional, **options)
    result.x = differentiated("scipy.optimize.root", result.x, lambda x: fun(x, *args)[0] if both else fun(x, *args))
    return result


@one_by_one
@replaces(optimize.fsolve)
def fsolve(func: Any, x0: Any, args: Any = (), fprime: Any = None, full_output: Any = 0, **options: Any) -> Any:
    """A system of equations, by Powell's hybrid method."""
    args = as_tuple(args)
    jacobian = fprime and numbers(lambda x: fprime(x, *args))
    with without_derivatives(func, args, fprime):
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
    with without_derivatives(func, args):
        x = optimize.fixed_point(numbers(lambda x: func(x, *args)), lowered(x0), (), *positional, **lowered(options))
    return differentiated("scipy.optimize.fixed_point", x, lambda x: x - func(x, *args))
