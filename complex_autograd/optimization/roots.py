"""Roots and fixed points: `root`, `root_scalar` and `fixed_point` of `scipy.optimize`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..transforms.arguments import as_array
from ..transforms.grad import jvp, stop_gradient
from .implicit import differentiated, without_derivatives
from .of_items import one_by_one
from .packing import parameters_of
from .residual import Residual
from .scipy_calls import refuse_doubles, refuse_given, unpacked


@one_by_one
def root(fun: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), method: str = "hybr", **kwargs: Any) -> Any:
    """`scipy.optimize.root` with the exact Jacobian, for complex unknowns and trees of arrays.

    Parameters
    ----------
    fun : callable
        `fun(x, *args)` returns as many real numbers as `x` has; a complex one counts twice.
    x0 : tree of array
        Where to start; a list of numbers is an array.
    args : tuple
        Passed on to `fun`.
    method : {"hybr", "lm", ...}
        As in SciPy; methods other than these two use no Jacobian.
    **kwargs
        As in SciPy.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With `x` in the form of `x0` and `fun` in that of the residual.

    Raises
    ------
    TypeError
        If `fun` does not return as many numbers as `x` has, or `jac` is given: it is computed here.
    NotDifferentiableError
        Inside a differentiated function, if the Jacobian is singular at the solution.
    PrecisionLossError
        There, if the solver stopped where `fun` is not 0.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import optimize
    >>> optimize.root(lambda z: z**2 + 1, 0.5 + 0.5j).x.round(8) + 0.0
    np.complex128(1j)
    """
    from scipy import optimize

    refuse_given(kwargs, "root")
    x0 = stop_gradient(parameters_of(x0, "optimize.root"))
    with without_derivatives(fun, args):
        residual = Residual(lambda x: fun(x, *args), x0)
        if method in ("hybr", "lm"):
            kwargs["jac"] = residual.jacobian
        result = optimize.root(residual.value, residual.x.pack(x0), method=method, **kwargs)
    result = unpacked(result, residual.x, residual.out)
    result.x = differentiated("optimize.root", result.x, lambda x: fun(x, *args))
    return result


@one_by_one
def root_scalar(f: Callable[..., Any], args: tuple[Any, ...] = (), **kwargs: Any) -> Any:
    """`scipy.optimize.root_scalar`, differentiated by `f(x) = 0`.

    Parameters
    ----------
    f : callable
        `f(x, *args)`, a number.
    args : tuple
        Passed on to `f`.
    **kwargs
        As in SciPy: `method`, `bracket`, `x0`, `x1`, `xtol`, `rtol`, `maxiter`, `options`.  Newton's and Halley's
        methods get exact derivatives.

    Returns
    -------
    scipy.optimize.RootResults
        As SciPy's.  What is differentiated inside gets the derivative of `root`.

    Raises
    ------
    TypeError
        If `fprime` or `fprime2` is given: they are computed here.
    NotDifferentiableError, PrecisionLossError
        Inside a differentiated function, as `root`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, optimize
    >>> grad(lambda a: optimize.root_scalar(lambda x: x**3 - a, bracket=(0, 3)).root)(8.0).round(9)
    np.float64(0.083333333)
    """
    from scipy import optimize

    refuse_doubles("optimize.root_scalar")
    for name in ("fprime", "fprime2"):
        if kwargs.get(name) is not None:
            raise TypeError(f"optimize.root_scalar computes {name} itself; call scipy.optimize.root_scalar to give it")

    def value(x: Any) -> Any:
        return np.asarray(f(x, *args))[()]

    def first(x: Any) -> Any:
        return jvp(lambda x: f(x, *args), (x,), (1.0,))[1]

    if str(kwargs.get("method")).lower() in ("newton", "halley"):
        kwargs["fprime"] = lambda x: np.asarray(first(x))[()]
    if str(kwargs.get("method")).lower() == "halley":
        kwargs["fprime2"] = lambda x: np.asarray(jvp(first, (x,), (1.0,))[1])[()]
    with without_derivatives(f, args):
        result = optimize.root_scalar(value, **kwargs)
    result.root = differentiated("optimize.root_scalar", as_array(1.0 * result.root), lambda x: f(x, *args))
    return result


@one_by_one
def fixed_point(func: Callable[..., Any], x0: Any, args: tuple[Any, ...] = (), **kwargs: Any) -> Any:
    """`scipy.optimize.fixed_point`, differentiated by its equation `x = func(x)`.

    Parameters
    ----------
    func : callable
        `func(x, *args)` has the shape of `x`.
    x0 : array_like
        Where to start.
    args : tuple
        Passed on to `func`.
    **kwargs
        As in SciPy: `xtol`, `maxiter`, `method`.

    Returns
    -------
    ndarray or float
        The fixed point.

    Raises
    ------
    NotDifferentiableError, PrecisionLossError
        Inside a differentiated function, as `root`.

    Notes
    -----
    What is differentiated inside gets the derivative of the solution, as `implicit` describes.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, optimize
    >>> grad(lambda a: optimize.fixed_point(lambda x: np.cos(a * x), 0.7))(1.0).round(9)
    np.float64(-0.297474342)
    """
    from scipy import optimize

    refuse_doubles("optimize.fixed_point")
    with without_derivatives(func, args):
        x = optimize.fixed_point(lambda x: np.asarray(func(x, *args)), stop_gradient(x0), **kwargs)[()]
    return differentiated("optimize.fixed_point", x, lambda x: x - func(x, *args))
