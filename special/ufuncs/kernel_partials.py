"""Derivatives that the C library computes in one pass; formulas of NumPy's functions otherwise.

Where the value is being differentiated again, or more digits are asked for, the formula serves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from ...backends.native.elementary import derivative
from ...backends.native.large_arrays import LARGE, over_threads

_PLAIN = (np.ndarray, np.float64, np.float32, np.complex128, np.complex64)


def by_kernel(name: str, formula: Callable[..., Any], *, is_positive: bool = False) -> Callable[..., Any]:
    """A partial derivative `(w, z)` of a function of one argument.

    Parameters
    ----------
    name : str
        The function, as `backends.native.elementary.derivative` calls it.
    formula : callable
        The same at all arguments.
    is_positive : bool
        Whether the kernel is for positive arguments alone.

    Returns
    -------
    callable
        Its attribute `of_large` is the same at a list of large arguments, times a factor where one is given, in one
        pass over the memory; None where the kernel does not serve.
    """

    @wraps(formula)
    def partial(w: Any, z: Any) -> Any:
        if type(z) in _PLAIN and z.dtype.char in "fdFD":
            kernel = derivative(name)
            has_loop = kernel is not None and (z.dtype.kind == "f" or "D->D" in kernel.types)
            if kernel is not None and has_loop and not (is_positive and np.any(z <= 0)):
                return kernel(z)
        return formula(w, z)

    def serves(args: Sequence[Any]) -> bool:
        return not is_positive or not np.any(args[0] <= 0)

    return _with_large(partial, lambda: derivative(name), serves)


def by_kernel_of_two(name: str, formula: Callable[..., Any]) -> Callable[..., Any]:
    """A partial derivative `(w, x, y)` of a function of two arguments, of which one may be a number of Python's.

    Parameters
    ----------
    name : str
        The function and the position of the argument, as `xlogy_1`.
    formula : callable
        The same at all arguments.

    Returns
    -------
    callable
        With `of_large`, as that of `by_kernel`.
    """

    @wraps(formula)
    def partial(w: Any, x: Any, y: Any) -> Any:
        if (_is_real(x) or _is_real(y)) and all(_is_real(a) or _is_number(a) for a in (x, y)):
            kernel = derivative(name, 2)
            if kernel is not None:
                return kernel(x, y)
        return formula(w, x, y)

    return _with_large(partial, lambda: derivative(name, 2))


def by_function_of_last(function: Any, ufunc: Callable[[], np.ufunc | None]) -> Callable[..., Any]:
    """A partial derivative `(w, *args)` that is a function of the last argument, with `of_large` as of `by_kernel`.

    Parameters
    ----------
    function : callable
        The function.
    ufunc : callable
        Returns the ufunc that computes it at plain real arrays; None where there is no library.
    """

    def partial(w: Any, *args: Any) -> Any:
        return function(args[-1])

    return _with_large(partial, ufunc, last=True)


def _with_large(
    partial: Callable[..., Any],
    ufunc: Callable[[], np.ufunc | None],
    serves: Callable[[Sequence[Any]], bool] = lambda args: True,
    last: bool = False,
) -> Callable[..., Any]:
    def of_large(args: Sequence[Any], factor: Any = None) -> Any:
        args = args[-1:] if last else args
        is_large = any(type(x) is np.ndarray and x.size >= LARGE for x in args)
        kernel = ufunc() if is_large else None
        return None if kernel is None or not serves(args) else over_threads(kernel, args, factor)

    vars(partial)["of_large"] = of_large
    return partial


def _is_real(x: Any) -> bool:
    return type(x) in _PLAIN and x.dtype.char in "df"


def _is_number(x: Any) -> bool:
    """A number of Python's that one of floating point is equal to, or rounded."""
    return type(x) is float or (type(x) is int and abs(x) < 1 << 63)
