"""The frame of a call to one of SciPy's solvers: refused arguments, and results and callbacks in trees."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ...backends import refuse_in_precision
from ...determinism.refusals import refuse_at_portable
from .packing import Packing
from .trees_of_limits import vector_constraints, vector_limits


def refuse_doubles(name: str) -> None:
    """Raise in a block of `precision`."""
    refuse_in_precision(name, "SciPy's solvers, and linear systems of LAPACK's, have doubles only. Call it outside.")


def refuse_given(kwargs: dict[str, Any], function: str, is_ours: bool = False) -> None:
    """Raise where derivatives are given, which are computed here, and where SciPy's steps are not good enough."""
    refuse_doubles(f"optimize.{function}")
    if not is_ours:
        instead = "call optimize.minimize with method='L-BFGS-B' without bounds and constraints"
        refuse_at_portable(f"optimize.{function}", "SciPy takes its steps by BLAS", instead)
    for name in ("jac", "hess", "hessp"):
        if name in kwargs:
            raise TypeError(
                f"optimize.{function} computes {name} itself; call scipy.optimize.{function} to give your own"
            )


def pack_limits(packing: Packing, kwargs: dict[str, Any], x0: Any) -> None:
    """Put bounds and constraints of a tree in the form of its vector; of a real vector they are SciPy's already."""
    if packing.is_vector:
        return
    from scipy.optimize import Bounds

    if kwargs.get("bounds") is not None:
        kwargs["bounds"] = Bounds(*vector_limits(kwargs["bounds"], packing))
    if kwargs.get("constraints") is not None:
        kwargs["constraints"] = vector_constraints(kwargs["constraints"], x0)


def unpacking(callback: Callable[..., Any] | None, packing: Packing) -> Callable[..., Any] | None:
    """The user's callback as one that SciPy calls, with `x` in the form of the tree."""
    if callback is None:
        return None
    if "intermediate_result" in inspect.signature(callback).parameters:

        def with_result(intermediate_result: Any) -> Any:
            return callback(intermediate_result=unpacked(intermediate_result, packing))

        return with_result

    def with_x(xk: Any, *state: Any) -> Any:
        return callback(packing.unpack(xk), *state)

    return with_x


def unpacked(result: Any, packing: Packing, residual: Packing | None = None) -> Any:
    """A copy of SciPy's result with its vectors in the form of the trees that they stand for."""
    result = type(result)(result)
    result.x = packing.unpack(result.x)
    gradient = "grad" if residual is not None else "jac"
    if issubclass(type(result.get(gradient)), np.ndarray) and result[gradient].ndim == 1:
        result[gradient] = packing.unpack(result[gradient])
    if residual is not None:
        result.fun = residual.unpack(result.fun)
    return result
