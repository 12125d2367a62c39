"""A bridge to `scipy.optimize`: complex parameters and trees of arrays, with exact derivatives.

SciPy's solvers know one real vector.  Here a tree of real and complex arrays is packed into one (a complex number as
its real and imaginary part), so that with the gradient `dL/dx + i dL/dy` packing commutes with differentiation, and
unpacked again in the result.  The solvers run on the host: of parameters on a device that vector is copied there and
back at each evaluation, and everything else stays where it is.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from ...backends import backend_of, device_named
from ...determinism.flag import refuse_at_portable
from ..engine.traced import raw
from .arguments import as_array, flatten, leaves_in, unflatten
from .grad import hvp, value_and_grad, vjp
from .linearize import linearize

__all__ = ["least_squares", "minimize", "root"]

_HESSIAN_VECTOR_METHODS = {"newton-cg", "trust-ncg", "trust-krylov", "trust-constr"}
_HESSIAN_METHODS = {"dogleg", "trust-exact"}
_GRADIENT_FREE_METHODS = {"nelder-mead", "powell", "cobyla", "cobyqa"}


class Packing:
    """How a tree of arrays is laid out in one real vector."""

    def __init__(self, tree: Any) -> None:
        leaves, self.structure = flatten(tree)
        arrays = [as_array(raw(x)) for x in leaves]
        for x in arrays:
            if x.dtype.kind not in "fciub":
                raise TypeError(f"parameters and residuals must be numbers, not dtype {x.dtype}")
        self.spaces = [
            (x.shape, np.result_type(x.dtype, np.float32) if x.dtype.kind in "fc" else np.dtype(float)) for x in arrays
        ]
        backends = [backend_of(x) for x in arrays]
        self.to_host = [backend.to_host for backend in backends]
        self.to_device = [
            device_named(backend.device_of(x)).namespace.asarray for backend, x in zip(backends, arrays, strict=True)
        ]
        self.lengths = [prod(shape) * (2 if dtype.kind == "c" else 1) for shape, dtype in self.spaces]
        self.size = sum(self.lengths)
        self.has_complex = any(dtype.kind == "c" for _, dtype in self.spaces)
        self.is_vector = self.structure is None and len(arrays[0].shape) == 1 and not self.has_complex

    def pack(self, tree: Any) -> Any:
        """The real vector of a tree."""
        parts = []
        for x, (shape, dtype), to_host in zip(leaves_in(self.structure, tree), self.spaces, self.to_host, strict=True):
            if np.shape(x) != shape:
                raise ValueError(f"an array of shape {np.shape(x)} where one of shape {shape} was expected")
            flat = np.ascontiguousarray(to_host(x), np.complex128 if dtype.kind == "c" else np.float64).reshape(-1)
            parts.append(flat.view(np.float64))
        return np.concatenate(parts) if parts else np.zeros(0)

    def unpack(self, vector: Any) -> Any:
        """The tree of a real vector."""
        leaves, start = [], 0
        for (shape, dtype), length, to_device in zip(self.spaces, self.lengths, self.to_device, strict=True):
            part = np.array(vector[start : start + length], np.float64)
            start += length
            values = part.view(np.complex128) if dtype.kind == "c" else part
            leaves.append(to_device(values.reshape(shape).astype(dtype, copy=False))[()])
        return unflatten(self.structure, leaves)


def _array_of_numbers(tree: Any) -> Any:
    """A list of plain numbers as an array, which SciPy takes it for; any other tree as it is."""
    if not isinstance(tree, list) or not tree:
        return tree
    values = [raw(x) for x in tree]
    return np.array(values) if all(issubclass(type(x), (int, float, complex)) for x in values) else tree


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
        As in SciPy.  Methods that use second derivatives get exact Hessian-vector products, or the Hessian.
    callback : callable, optional
        As in SciPy (`callback(xk)` or `callback(intermediate_result=)`), with `x` in the form of `x0`.
    **kwargs
        As in SciPy: `bounds`, `constraints` (both only where `x0` is a real vector), `tol`, `options`.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With `x` and `jac` in the form of `x0`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import optimize
    >>> result = optimize.minimize(lambda z: np.sum(np.abs(z - 1j) ** 2), np.zeros(2, complex))
    >>> result.x.round(6) + 0.0
    array([0.+1.j, 0.+1.j])
    """
    from scipy import optimize

    x0 = _array_of_numbers(x0)
    _refuse_given(kwargs, "minimize")
    packing = Packing(x0)
    _check_vector_only(packing, kwargs)
    gradient_free = method is not None and method.lower() in _GRADIENT_FREE_METHODS
    both = value_and_grad(fun)

    def loss_and_gradient(vector: Any) -> tuple[float, Any]:
        value, gradient = both(packing.unpack(vector), *args)
        return float(value), packing.pack(gradient)

    def loss(vector: Any) -> float:
        return float(fun(packing.unpack(vector), *args))

    def hessian_vector(vector: Any, direction: Any) -> Any:
        return packing.pack(hvp(lambda x: fun(x, *args), (packing.unpack(vector),), (packing.unpack(direction),)))

    def hessian(vector: Any) -> Any:
        return np.stack([hessian_vector(vector, e) for e in np.eye(vector.size)], axis=1)

    if method is not None and method.lower() in _HESSIAN_VECTOR_METHODS:
        kwargs["hessp"] = hessian_vector
    elif method is not None and method.lower() in _HESSIAN_METHODS:
        kwargs["hess"] = hessian
    result = optimize.minimize(
        loss if gradient_free else loss_and_gradient,
        packing.pack(x0),
        method=method,
        jac=None if gradient_free else True,
        callback=_unpacking(callback, packing),
        **kwargs,
    )
    return _unpacked(result, packing)


def _refuse_given(kwargs: dict[str, Any], function: str) -> None:
    refuse_at_portable(f"optimize.{function}", "SciPy takes its steps by BLAS", "write the steps with this package")
    for name in ("jac", "hess", "hessp"):
        if name in kwargs:
            raise TypeError(
                f"optimize.{function} computes {name} itself; call scipy.optimize.{function} to give your own"
            )


def _check_vector_only(packing: Packing, kwargs: dict[str, Any]) -> None:
    for name in ("bounds", "constraints"):
        if kwargs.get(name) is not None and not packing.is_vector:
            raise TypeError(
                f"{name} are defined for a real vector x0 only; reparametrize, or pack x0 into a real vector"
            )


def _unpacking(callback: Callable[..., Any] | None, packing: Packing) -> Callable[..., Any] | None:
    if callback is None:
        return None
    if "intermediate_result" in inspect.signature(callback).parameters:

        def with_result(intermediate_result: Any) -> Any:
            return callback(intermediate_result=_unpacked(intermediate_result, packing))

        return with_result

    def with_x(xk: Any, *state: Any) -> Any:
        return callback(packing.unpack(xk), *state)

    return with_x


def _unpacked(result: Any, packing: Packing, residual: Packing | None = None) -> Any:
    """A copy of SciPy's result with its vectors in the form of the trees that they stand for."""
    result = type(result)(result)
    result.x = packing.unpack(result.x)
    gradient = "grad" if residual is not None else "jac"
    if issubclass(type(result.get(gradient)), np.ndarray) and result[gradient].ndim == 1:
        result[gradient] = packing.unpack(result[gradient])
    if residual is not None:
        result.fun = residual.unpack(result.fun)
    return result


class _Residual:
    """A function between trees as one between real vectors, with its Jacobian."""

    def __init__(self, fun: Callable[..., Any], x0: Any, args: tuple[Any, ...]) -> None:
        self.x = Packing(x0)
        self._fun: Callable[[Any], Any] = lambda x: fun(x, *args)
        self.out = Packing(self._fun(self.x.unpack(self.x.pack(x0))))

    def value(self, vector: Any) -> Any:
        return self.out.pack(self._fun(self.x.unpack(vector)))

    def jacobian(self, vector: Any) -> Any:
        """The dense real Jacobian, column by column or row by row, whichever are fewer."""
        rows = self.out.size
        if vector.size <= rows:
            _, differential = linearize(self._fun, self.x.unpack(vector))
            return np.stack([self.out.pack(differential(self.x.unpack(e))) for e in np.eye(vector.size)], axis=1)
        _, pullback = vjp(self._fun, self.x.unpack(vector))
        return np.stack([self.x.pack(pullback(self.out.unpack(e))[0]) for e in np.eye(rows)], axis=0)


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
        As in SciPy; `bounds` only where `x0` is a real vector.

    Returns
    -------
    scipy.optimize.OptimizeResult
        With `x` and `grad` in the form of `x0` and `fun` in that of the residuals; `jac` is the real Jacobian.

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

    _refuse_given(kwargs, "least_squares")
    x0 = _array_of_numbers(x0)
    residual = _Residual(fun, x0, args)
    _check_vector_only(residual.x, kwargs)
    result = optimize.least_squares(residual.value, residual.x.pack(x0), jac=residual.jacobian, **kwargs)
    return _unpacked(result, residual.x, residual.out)


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

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import optimize
    >>> optimize.root(lambda z: z**2 + 1, 0.5 + 0.5j).x.round(8) + 0.0
    np.complex128(1j)
    """
    from scipy import optimize

    _refuse_given(kwargs, "root")
    x0 = _array_of_numbers(x0)
    residual = _Residual(fun, x0, args)
    if method in ("hybr", "lm"):
        kwargs["jac"] = residual.jacobian
    result = optimize.root(residual.value, residual.x.pack(x0), method=method, **kwargs)
    return _unpacked(result, residual.x, residual.out)
