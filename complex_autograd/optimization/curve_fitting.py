"""`curve_fit`: SciPy's parameters and covariance, with derivatives in the data from the equations of the minimum."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..engine.dispatch import lowered
from ..engine.errors import NotDifferentiableError
from ..engine.operands import as_operand
from ..engine.primitive import Primitive
from ..engine.traced import raw
from ..transforms.derivatives import jacobian
from .bounds import limits_of
from .implicit import is_differentiated, without_derivatives
from .minima import half_squares, minimum
from .scipy_calls import refuse_doubles


def curve_fit(
    f: Callable[..., Any],
    xdata: Any,
    ydata: Any,
    p0: Any = None,
    sigma: Any = None,
    absolute_sigma: bool = False,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """`scipy.optimize.curve_fit`, differentiated in `xdata`, `ydata`, `sigma` and all that `f` closes over.

    Parameters
    ----------
    f : callable
        `f(xdata, *parameters)`, which can be differentiated.
    xdata, ydata : array_like
        The data; `xdata` may be anything that `f` takes.
    p0 : array_like, optional
        Where to start, which has no derivative.
    sigma : array_like, optional
        The standard deviations of `ydata`, or its covariance matrix.
    absolute_sigma : bool
        As in SciPy.
    *args, **kwargs
        As in SciPy: `check_finite`, `bounds`, `method`, `jac`, `full_output`, `nan_policy`.

    Returns
    -------
    tuple
        As SciPy's: the parameters and their covariance, with derivatives; with `full_output` what else it has.  The
        covariance is infinite, and its derivative NaN, where there are no more data than parameters to estimate it by,
        unless `absolute_sigma`.

    Raises
    ------
    NotDifferentiableError
        If a parameter is on its bound and would be there without it, or the problem is singular.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, optimize
    >>> t = np.linspace(0, 1, 5)
    >>> y = np.exp(-2 * t)
    >>> def rate(y):
    ...     return optimize.curve_fit(lambda t, k: np.exp(-k * t), t, y)[0][0]
    >>> grad(rate)(y).round(3) + 0.0
    array([ 0.   , -1.47 , -1.783, -1.622, -1.312])
    """
    from scipy import optimize

    traced = is_differentiated(f, (xdata, ydata, sigma))
    with without_derivatives(f):

        @wraps(f)
        def plain_f(x: Any, *parameters: Any) -> Any:
            return raw(f(x, *parameters))

        data = lowered((xdata, ydata, p0, sigma))
        found = optimize.curve_fit(plain_f, *data, absolute_sigma, *args, **kwargs)
    if not traced:
        return found
    refuse_doubles("optimize.curve_fit")
    if kwargs.get("nan_policy") == "omit":
        raise NotDifferentiableError("optimize.curve_fit", 'nan_policy="omit" drops data. Drop them before')
    bounds = kwargs.get("bounds", args[1] if len(args) > 1 else None)
    p, theirs = found[0], found[1]
    weigh = _weights(sigma)
    y = as_operand(ydata)

    def residuals(p: Any) -> Any:
        return weigh(np.ravel(f(xdata, *p) - y))

    limits = None if bounds is None else limits_of(bounds, p.size)
    p = minimum("optimize.curve_fit", p, lambda p: half_squares(residuals(p)), limits)
    if not absolute_sigma and y.size <= p.size:
        return (p, inestimable(p, value=theirs), *found[2:])
    covariance = _covariance(residuals, p, absolute_sigma)
    return (p, theirs + (covariance - raw(covariance)), *found[2:])


def _inestimable(p: Any, *, value: Any) -> Any:
    return value


inestimable = Primitive(_inestimable, registered=False, family="data movement")
"""The covariance of parameters that leave no residuals to estimate it by: infinite, and without a derivative."""


@inestimable.differential
def _(x: Any, p: Any, dp: Any, *, value: Any) -> Any:
    return np.sum(dp) * np.full(value.shape, np.nan)


def _weights(sigma: Any) -> Callable[[Any], Any]:
    """What divides residuals by their standard deviations."""
    if sigma is None:
        return lambda r: r
    sigma = as_operand(sigma)
    if sigma.ndim < 2:
        return lambda r: r / sigma
    factor = np.linalg.cholesky(sigma)
    return lambda r: np.linalg.solve(factor, r)


def _covariance(residuals: Callable[[Any], Any], p: Any, absolute: bool) -> Any:
    """The inverse of `J^T J`, times the mean square of the residuals unless their deviations are absolute."""
    j = jacobian(residuals)(p)
    covariance = np.linalg.inv(j.T @ j)
    m, n = j.shape
    return covariance if absolute else covariance * (2.0 * half_squares(residuals(p)) / (m - n))
