"""Minima: SciPy's methods see numbers, and `grad f(x, a) = 0` differentiates where they end.

An element that rests on its bound stays there, and a constraint that holds with equality goes on to (`optimization`).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import wraps
from typing import Any

import numpy as np
from scipy import optimize

from .... import linalg
from ....complex_autograd.engine.dispatch import lowered
from ....complex_autograd.engine.errors import NotDifferentiableError
from ....complex_autograd.engine.traced import depth_of, raw
from ....complex_autograd.optimization.bounds import differentiated_within, limits_of, margin_of_bounded, pairs_of
from ....complex_autograd.optimization.constraints import Constraint, differentiated_under
from ....complex_autograd.optimization.implicit import differentiated, without_derivatives
from ....complex_autograd.optimization.of_items import one_by_one
from ....complex_autograd.transforms.derivatives import jacobian
from ....complex_autograd.transforms.grad import grad
from .solvers import as_tuple, numbers
from .values import moved_to, replaces

__all__ = ["MINIMIZERS", "moves"]


def moves(x: Any) -> bool:
    """Whether something is being differentiated, in nested lists of whatever."""
    return any(map(moves, x)) if isinstance(x, (list, tuple)) else depth_of(x) > 0


def _at_minimum(name: str, x: Any, loss: Callable[[Any], Any], limits: Any = None, margin: Any = None) -> Any:
    """A minimum with its derivatives."""
    if not moves((loss(x), limits)):
        return x
    if limits is None:
        return differentiated(f"scipy.optimize.{name}", x, grad(loss), is_symmetric=True)
    return differentiated_within(f"scipy.optimize.{name}", x, grad(loss), limits, margin)


def _plain(bounds: Any) -> Any:
    """Bounds for SciPy's solver."""
    if isinstance(bounds, optimize.Bounds):
        return optimize.Bounds(raw(bounds.lb), raw(bounds.ub), bounds.keep_feasible)
    return lowered(bounds)


def _listed(constraints: Any) -> list[Any]:
    return list(constraints) if isinstance(constraints, (list, tuple)) else [constraints]


def _plain_constraint(given: Any) -> Any:
    """A constraint for SciPy's solver."""
    if isinstance(given, dict):
        args = as_tuple(given.get("args", ()))
        functions = {key: numbers(lambda x, f=f: f(x, *args)) for key, f in given.items() if callable(f)}
        return {**given, **functions, "args": ()}
    plain = copy(given)
    vars(plain).update({key: numbers(part) for key, part in vars(given).items()})
    return plain


def _constraint(given: Any) -> Constraint:
    if isinstance(given, dict):
        fun, args = given["fun"], as_tuple(given.get("args", ()))
        return Constraint(lambda x: fun(x, *args), 0.0, 0.0 if given["type"].lower() == "eq" else np.inf)
    return Constraint(given.fun if hasattr(given, "fun") else lambda x: given.A @ x, given.lb, given.ub)


@replaces(optimize.minimize)
def minimize(fun: Any, x0: Any, args: Any = (), method: Any = None, **options: Any) -> Any:
    """With any method, jac, hess, bounds and constraints."""
    args, both = as_tuple(args), options.get("jac") is True

    def loss(x: Any) -> Any:
        return np.sum(fun(x, *args)[0] if both else fun(x, *args))

    given = {**options, "bounds": _plain(options.get("bounds"))}
    for key in ("jac", "hess"):
        if callable(given.get(key)):
            given[key] = numbers(lambda x, f=given[key]: f(x, *args))
    if callable(given.get("hessp")):
        given["hessp"] = numbers(lambda x, p, f=given["hessp"]: f(x, p, *args))
    listed = _listed(options.get("constraints", ()))
    if listed:
        given["constraints"] = [_plain_constraint(each) for each in listed]
    with without_derivatives(fun, args, *options.values()):
        result = optimize.minimize(numbers(lambda x: fun(x, *args)), lowered(x0), (), method, **given)
    limits = None if options.get("bounds") is None else pairs_of(options["bounds"], result.x.size)
    constraints = [_constraint(each) for each in listed]
    if not moves((loss(result.x), limits, [each.of(result.x) for each in constraints])):
        return result
    is_constrained = bool(constraints)
    if limits is not None:
        constraints.append(Constraint(lambda x: x, *limits))
    if is_constrained:
        result.x = differentiated_under("scipy.optimize.minimize", result.x, loss, constraints)
    else:
        result.x = _at_minimum("minimize", result.x, loss, limits)
    result.fun = moved_to(result.fun, loss(result.x))
    if "grad" in result:  # of trust-constr, whose `jac` has the Jacobians of the constraints
        result.grad = moved_to(result.grad, grad(loss)(result.x))
        for i, each in enumerate(constraints):

            def values(x: Any, constraint: Constraint = each) -> Any:
                return constraint.of(x)[0]

            result.constr[i] = moved_to(result.constr[i], values(result.x))
            result.jac[i] = moved_to(result.jac[i], jacobian(values)(result.x))
    elif "jac" in result:
        result.jac = moved_to(result.jac, grad(loss)(result.x))
    return result


def _fmin(name: str, position: int) -> Callable[..., Any]:
    """An older interface: returns the minimum, or it first of more with `full_output`."""
    theirs = getattr(optimize, name)

    @replaces(theirs)
    def find(func: Any, x0: Any, *positional: Any, **options: Any) -> Any:
        head, tail = positional[:position], positional[position:]
        bounds = options.get("bounds")
        args = as_tuple(tail[0] if tail else options.pop("args", ()))
        plain_head = [numbers(lambda x, f=f: f(x, *args)) if callable(f) else f for f in head]
        if callable(options.get("fprime")):
            options["fprime"] = numbers(lambda x, f=options["fprime"]: f(x, *args))
        others = [(), *tail[1:]] if tail else []
        with without_derivatives(func, args, *head, *options.values()):
            found = theirs(
                numbers(lambda x: func(x, *args)), lowered(x0), *plain_head, *lowered(others), **lowered(options)
            )
        x, *rest = found if isinstance(found, tuple) else (found,)
        limits = pairs_of(bounds, x.size) if bounds is not None else None
        x = _at_minimum(name, x, lambda x: np.sum(func(x, *args)), limits)
        return (x, *rest) if rest else x

    return find


def _scalar(name: str) -> Callable[..., Any]:
    """A minimizer of one number that returns it."""
    theirs = getattr(optimize, name)

    @replaces(theirs)
    def find(func: Any, *positional: Any, **options: Any) -> Any:
        args = as_tuple(options.pop("args", ()))
        with without_derivatives(func, args):
            found = theirs(numbers(lambda x: func(x, *args)), *lowered(positional), **lowered(options))
        x, *rest = found if isinstance(found, tuple) else (found,)
        limits = margin = None
        if name == "fminbound":
            limits = limits_of(positional[:2], 1)
            margin = margin_of_bounded(x, positional[3] if len(positional) > 3 else options.get("xtol", 1e-5))
        x = _at_minimum(name, np.array([x]), lambda x: func(x[0], *args), limits, margin)[0]
        return (x, *rest) if rest else x

    return find


@replaces(optimize.minimize_scalar)
def minimize_scalar(fun: Any, bracket: Any = None, bounds: Any = None, args: Any = (), **options: Any) -> Any:
    """With any method and bounds."""
    args = as_tuple(args)
    with without_derivatives(fun, args):
        result = optimize.minimize_scalar(
            numbers(lambda x: fun(x, *args)), lowered(bracket), lowered(bounds), **lowered(options)
        )
    limits = None if bounds is None else limits_of(bounds, 1)
    margin = margin_of_bounded(result.x, (options.get("options") or {}).get("xatol", 1e-5))
    x = _at_minimum("minimize_scalar", np.array([result.x]), lambda x: fun(x[0], *args), limits, margin)[0]
    if depth_of(x):
        result.x, result.fun = x, moved_to(result.fun, fun(x, *args))
    return result


def _half_squares(r: Any) -> Any:
    return np.sum(r**2) / 2


@replaces(optimize.least_squares)
def least_squares(fun: Any, x0: Any, jac: Any = "2-point", bounds: Any = (-np.inf, np.inf), **options: Any) -> Any:
    """With `loss="linear"`."""
    args, named = as_tuple(options.pop("args", ())), options.pop("kwargs", {})

    def residuals(x: Any) -> Any:
        return np.atleast_1d(fun(x, *args, **named))

    derivative = numbers(lambda x: jac(x, *args, **named)) if callable(jac) else jac
    with without_derivatives(fun, args, named, jac):
        result = optimize.least_squares(numbers(residuals), lowered(x0), derivative, _plain(bounds), **lowered(options))
    limits = limits_of(bounds, result.x.size)
    if not moves((residuals(result.x), limits)):
        return result
    if options.get("loss", "linear") != "linear":
        raise NotDifferentiableError("scipy.optimize.least_squares", f"with loss={options['loss']!r}")
    result.x = _at_minimum("least_squares", result.x, lambda x: _half_squares(residuals(x)), limits)
    result.fun = moved_to(result.fun, residuals(result.x))
    result.cost = moved_to(result.cost, _half_squares(result.fun))
    if issubclass(type(result.jac), np.ndarray):
        result.jac = moved_to(result.jac, jacobian(residuals)(result.x))
        result.grad = moved_to(result.grad, result.jac.T @ result.fun)
    return result


@one_by_one
@replaces(optimize.leastsq)
def leastsq(func: Any, x0: Any, args: Any = (), Dfun: Any = None, full_output: bool = False, **options: Any) -> Any:
    """The solution; with `full_output` also `(J^T J)^-1` of the Jacobian `J` there, the residuals and a QR of `J`."""
    args = as_tuple(args)
    with without_derivatives(func, args, Dfun):
        found = optimize.leastsq(
            numbers(lambda x: func(x, *args)), lowered(x0), (), Dfun and numbers(lambda x: Dfun(x, *args)),
            full_output, **lowered(options),
        )  # fmt: skip
    x = _at_minimum("leastsq", found[0], lambda x: _half_squares(func(x, *args)))
    if not (full_output and depth_of(x)):
        return (x, *found[1:])
    j = jacobian(lambda x: func(x, *args))(x)
    covariance = None if found[1] is None else moved_to(found[1], linalg.inv(j.T @ j))
    return (x, covariance, _minpack_output(found[2], func(x, *args), j), *found[3:])


def _minpack_output(found: dict[str, Any], r: Any, j: Any) -> dict[str, Any]:
    """What MINPACK returns of residuals and their Jacobian: `Q^T r` is 0 at all minima, and has no derivative.

    `fjac` holds `R` of the QR factorization of the columns `ipvt`, and below it the vectors of Householder.
    """
    info = {**found, "fvec": moved_to(found["fvec"], r)}
    if "fjac" in found:
        a = j[:, found["ipvt"] - np.min(found["ipvt"])]  # counted from 1 by SciPy before it had MINPACK in C
        for k in range(a.shape[1]):
            length = (-1.0 if a[k, k] < 0 else 1.0) * np.linalg.norm(a[k:, k], axis=0)
            v = a[k:, k] / length + np.eye(len(a) - k)[0]
            a[k:, k + 1 :] -= np.outer(v, v @ a[k:, k + 1 :]) / v[0]
            a[k:, k] = v
            a[k, k] = -length
        info["fjac"] = moved_to(found["fjac"], a.T)
    return info


@replaces(optimize.curve_fit)
def curve_fit(f: Any, xdata: Any, ydata: Any, p0: Any = None, sigma: Any = None, absolute_sigma: bool = False,
              *positional: Any, **options: Any) -> Any:  # fmt: skip
    """The parameters and their covariance, which is `s (J^H J)^-1` of the Jacobian `J` of the scaled residuals."""

    def residuals(p: Any) -> Any:
        r = f(xdata, *p) - ydata
        if sigma is None:
            return r
        if np.ndim(sigma) == 2:
            return linalg.solve_triangular(linalg.cholesky(np.asarray(sigma)), r, lower=True)
        return r / sigma

    jac = numbers(options.pop("jac")) if callable(options.get("jac")) else options.pop("jac", None)
    with without_derivatives(f, xdata, ydata, sigma):
        found = optimize.curve_fit(
            wraps(f)(numbers(f)), lowered(xdata), lowered(ydata), lowered(p0), lowered(sigma), absolute_sigma,
            *positional, jac=jac, **lowered(options),
        )  # fmt: skip
    p, covariance, *rest = found
    bounds = options.get("bounds", positional[1] if len(positional) > 1 else (-np.inf, np.inf))
    x = _at_minimum("curve_fit", p, lambda p: _half_squares(residuals(p)), limits_of(bounds, p.size))
    if depth_of(x):
        j = jacobian(residuals)(x)
        r = residuals(x)
        scale = 1.0 if absolute_sigma else np.sum(r**2) / (np.size(r) - p.size)
        covariance = moved_to(covariance, scale * linalg.inv(j.T @ j))
        if rest:
            rest[0] = _minpack_output(rest[0], r, j)
    return (x, covariance, *rest)


MINIMIZERS: dict[str, Callable[..., Any]] = {
    "curve_fit": curve_fit,
    "least_squares": least_squares,
    "leastsq": leastsq,
    "minimize": minimize,
    "minimize_scalar": minimize_scalar,
    **{name: _fmin(name, 1) for name in ("fmin_bfgs", "fmin_cg", "fmin_l_bfgs_b", "fmin_tnc")},
    "fmin_ncg": _fmin("fmin_ncg", 3),
    **{name: _fmin(name, 0) for name in ("fmin", "fmin_powell")},
    **{name: _scalar(name) for name in ("brent", "fminbound", "golden")},
}
"""By their names."""
