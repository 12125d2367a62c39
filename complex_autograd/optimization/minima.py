"""Minima: `minimize`, `least_squares` and `minimize_scalar` of `scipy.optimize`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...determinism.flag import is_portable
from ..engine.errors import NotDifferentiableError
from ..transforms.arguments import as_array, flatten
from ..transforms.grad import grad, stop_gradient, value_and_grad
from ..transforms.second_derivatives import hvp
from .bounds import differentiated_within, limits_of, margin_of_bounded, pairs_of
from .implicit import differentiated, is_differentiated, without_derivatives
from .of_items import one_by_one
from .packing import Packing, parameters_of
from .residual import Residual
from .scipy_calls import pack_limits, refuse_doubles, refuse_given, unpacked, unpacking

_HESSIAN_VECTOR_METHODS = {"newton-cg", "trust-ncg", "trust-krylov", "trust-constr"}
_HESSIAN_METHODS = {"dogleg", "trust-exact"}
_LIMITS = ("bounds", "constraints")
_GRADIENT_FREE_METHODS = {"nelder-mead", "powell", "cobyla", "cobyqa"}


@one_by_one
def minimize(
    fun: Callable[..., Any],
    x0: Any,
    args: tuple[Any, ...] = (),
    method: str | None = None,
    *,
    callback: Callable[..., Any] | None = None,
    **kwargs: Any,
) -> Any:
    """`scipy.optimize.minimize` with the exact gradient, for complex parameters and trees of arrays.

    Parameters
    ----------
    fun : callable
        `fun(x, *args)`, a real loss that can be differentiated.
    x0 : tree of array
        Where to start; its structure, shapes and dtypes are those of `x`.  A list of numbers is an array.
    args : tuple
        Passed on to `fun`.
    method : str, optional
        As in SciPy.  Methods that use second derivatives get exact Hessian-vector products, or the Hessian.  At the
        determinism level `"portable"` there is "L-BFGS-B" alone, the default there, without bounds and constraints, in
        steps that no CPU and no BLAS changes a bit of.
    callback : callable, optional
        As in SciPy (`callback(xk)` or `callback(intermediate_result=)`), with `x` in the form of `x0`.
    **kwargs
        As in SciPy: `bounds`, `constraints`, `tol`, `options`.  Of a tree the bounds are two trees, `(lower, upper)`,
        whose leaves are broadcast, or numbers for all, or None for none; constraints are dicts or
        `NonlinearConstraint`, with functions of the tree, and get exact Jacobians.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With `x` and `jac` in the form of `x0`.

    Raises
    ------
    TypeError
        If the loss is not one real number, or `jac`, `hess` or `hessp` is given: they are computed here.
    NotDifferentiableError
        If the loss has no derivative; inside a differentiated function also if the Hessian is singular at the minimum,
        or there are `constraints`.
    PrecisionLossError
        Inside a differentiated function, if the solver stopped where the gradient is not 0.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import optimize
    >>> result = optimize.minimize(lambda z: np.sum(np.abs(z - 1j) ** 2), np.zeros(2, complex))
    >>> result.x.round(6) + 0.0
    array([0.+1.j, 0.+1.j])
    """
    from scipy import optimize

    from .limited_memory import minimize_by_lbfgs

    x0 = stop_gradient(parameters_of(x0, "optimize.minimize"))
    is_ours = is_portable() and method in (None, "L-BFGS-B") and all(kwargs.get(name) is None for name in _LIMITS)
    refuse_given(kwargs, "minimize", is_ours)
    packing = Packing(x0)
    with without_derivatives(fun, args):
        pack_limits(packing, kwargs, x0)
    gradient_free = method is not None and method.lower() in _GRADIENT_FREE_METHODS
    both = value_and_grad(fun)

    def loss_and_gradient(vector: Any) -> tuple[float, Any]:
        value, gradient = both(packing.unpack(vector), *args)
        return float(np.reshape(value, ())), packing.pack(gradient)

    def loss(vector: Any) -> float:
        return float(np.reshape(fun(packing.unpack(vector), *args), ()))

    def hessian_vector(vector: Any, direction: Any) -> Any:
        product = hvp(lambda x: fun(x, *args), (packing.unpack(vector),), (packing.unpack(direction),))
        return packing.pack(product)

    def hessian(vector: Any) -> Any:
        return np.stack([hessian_vector(vector, e) for e in np.eye(vector.size)], axis=1)

    if method is not None and method.lower() in _HESSIAN_VECTOR_METHODS:
        kwargs["hessp"] = hessian_vector
    elif method is not None and method.lower() in _HESSIAN_METHODS:
        kwargs["hess"] = hessian
    with without_derivatives(fun, args):
        result = (
            minimize_by_lbfgs(
                loss_and_gradient, packing.pack(x0), unpacking(callback, packing), **_without_limits(kwargs)
            )
            if is_ours
            else optimize.minimize(
                loss if gradient_free else loss_and_gradient,
                packing.pack(x0),
                method=method,
                jac=None if gradient_free else True,
                callback=unpacking(callback, packing),
                **kwargs,
            )
        )
    result = unpacked(result, packing)
    if is_differentiated(fun, args):
        _refuse_constraints(kwargs)
        limits = pairs_of(kwargs["bounds"], packing.size) if kwargs.get("bounds") is not None else None
        result.x = minimum_of_tree("optimize.minimize", result.x, lambda x: fun(x, *args), limits, packing)
        result.fun = fun(result.x, *args)
    return result


@one_by_one
def least_squares(fun: Callable[..., Any], x0: Any, *, args: tuple[Any, ...] = (), **kwargs: Any) -> Any:
    """`scipy.optimize.least_squares` with the exact Jacobian, for complex parameters, residuals, and trees of arrays.

    Parameters
    ----------
    fun : callable
        `fun(x, *args)` returns the residuals: real or complex arrays, or a tree of them.  The sum of `|r|**2` over all
        is minimised (with SciPy's `loss`, each real and imaginary part is one residual).
    x0 : tree of array
        Where to start; a list of numbers is an array.
    args : tuple
        Passed on to `fun`.
    **kwargs
        As in SciPy; the `bounds` of a tree are two trees, as for `minimize`.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With `x` and `grad` in the form of `x0` and `fun` in that of the residuals; `jac` is the real Jacobian.

    Raises
    ------
    TypeError
        If `jac` is given: it is computed here.
    NotDifferentiableError, PrecisionLossError
        As `minimize`; inside a differentiated function also with a `loss` other than "linear".

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import optimize
    >>> t = np.linspace(0, 1, 20)
    >>> data = np.exp((-1 + 6j) * t)
    >>> optimize.least_squares(lambda s: np.exp(s * t) - data, -0.5 + 5j).x.round(6)
    np.complex128(-1+6j)
    """
    from scipy import optimize

    refuse_given(kwargs, "least_squares")
    x0 = stop_gradient(parameters_of(x0, "optimize.least_squares"))
    with without_derivatives(fun, args):
        residual = Residual(lambda x: fun(x, *args), x0)
        pack_limits(residual.x, kwargs, x0)
        result = optimize.least_squares(residual.value, residual.x.pack(x0), jac=residual.jacobian, **kwargs)
    result = unpacked(result, residual.x, residual.out)
    if is_differentiated(fun, args):
        if kwargs.get("loss", "linear") != "linear":
            raise NotDifferentiableError(
                "optimize.least_squares",
                f"it was called with loss={kwargs['loss']!r}. Write the loss out, and call optimize.minimize",
            )
        limits = limits_of(kwargs["bounds"], residual.x.size) if kwargs.get("bounds") is not None else None
        loss = partial(_loss_of_residuals, fun, args)
        result.x = minimum_of_tree("optimize.least_squares", result.x, loss, limits, residual.x)
        result.fun = fun(result.x, *args)
        result.cost = half_squares(result.fun)
    return result


@one_by_one
def minimize_scalar(fun: Callable[..., Any], *, args: tuple[Any, ...] = (), **kwargs: Any) -> Any:
    """`scipy.optimize.minimize_scalar`, differentiated by `fun'(x) = 0`.

    Parameters
    ----------
    fun : callable
        `fun(x, *args)`, a real loss of one real number.
    args : tuple
        Passed on to `fun`.
    **kwargs
        As in SciPy: `bracket`, `bounds`, `method`, `tol`, `options`.

    Returns
    -------
    scipy.optimize.OptimizeResult
        As SciPy's.  What is differentiated inside gets the derivatives of `x` and `fun`; at a bound that of `x` is 0.

    Raises
    ------
    NotDifferentiableError, PrecisionLossError
        Inside a differentiated function, as `minimize`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, optimize
    >>> grad(lambda a: optimize.minimize_scalar(lambda x: x**4 / 4 - a * x, bracket=(0, 2)).x)(8.0).round(9)
    np.float64(0.083333333)
    """
    from scipy import optimize

    refuse_doubles("optimize.minimize_scalar")
    with without_derivatives(fun, args):
        result = optimize.minimize_scalar(lambda x: float(fun(x, *args)), **kwargs)
    if is_differentiated(fun, args):
        limits = limits_of(kwargs["bounds"], 1) if kwargs.get("bounds") is not None else None
        x = np.array([result.x], float)
        margin = margin_of_bounded(x, (kwargs.get("options") or {}).get("xatol", 1e-5))
        result.x = minimum("optimize.minimize_scalar", x, lambda x: fun(x[0], *args), limits, margin)[0]
        result.fun = fun(result.x, *args)
    return result


def minimum(name: str, x: Any, loss: Callable[[Any], Any], limits: tuple[Any, Any] | None, margin: Any = None) -> Any:
    """A minimum with its derivatives: there the gradient is 0, or presses against a bound."""
    gradient = grad(loss)
    if limits is None:
        return differentiated(name, x, gradient, is_symmetric=True)
    return differentiated_within(name, x, gradient, limits, margin)


def minimum_of_tree(
    name: str, x: Any, loss: Callable[[Any], Any], limits: tuple[Any, Any] | None, packing: Packing
) -> Any:
    """The same of a tree, whose limits are those of the vector that it is packed into."""
    if limits is None or packing.is_vector:
        return minimum(name, x, loss, limits)
    vector = minimum(name, packing.pack(x), lambda v: loss(packing.unpack_traced(v)), limits)
    return packing.unpack_traced(vector)


def _loss_of_residuals(fun: Callable[..., Any], args: tuple[Any, ...], x: Any) -> Any:
    return half_squares(fun(x, *args))


def half_squares(residuals: Any) -> Any:
    """`sum |r|**2 / 2`."""
    leaves = flatten(residuals)[0]
    return sum(np.sum(np.real(r) ** 2 + np.imag(r) ** 2) for r in map(as_array, leaves)) / 2


def _without_limits(kwargs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kwargs.items() if name not in _LIMITS}


def _refuse_constraints(kwargs: dict[str, Any]) -> None:
    if np.size(kwargs.get("constraints", ())):
        raise NotDifferentiableError(
            "optimize.minimize",
            "it has constraints. Call wirtinger.scipy.optimize.minimize of a real vector, which is differentiated; "
            "or solve the equations of the minimum and its multipliers: optimize.root, or implicit around the solver",
        )
