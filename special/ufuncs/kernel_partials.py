"""Derivatives that the C library computes in one pass; formulas of NumPy's functions otherwise.

Where the value is being differentiated again, or more digits are asked for, the formula serves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any

import numpy as np

from ...backends.native.elementary import derivative
from ...backends.native.large_arrays import LARGE, over_threads, with_derivative
from ...complex_autograd.engine.opaque import is_symbolic

_ARRAYS = (np.ndarray, np.float64, np.float32, np.complex128, np.complex64)


def by_kernel(name: str, formula: Callable[..., Any], *, nin: int = 1, is_positive: bool = False) -> Callable[..., Any]:
    """A partial derivative `(w, *args)`, by a kernel where it has a loop for the types of the arguments.

    Parameters
    ----------
    name : str
        The function, as `backends.native.elementary.derivative` calls it; of several arguments with the position of
        one, as `xlogy_1`.
    formula : callable
        The same at all arguments.
    nin : int
        How many arguments the function takes; of several some may be numbers of Python's.
    is_positive : bool
        Whether the kernel is for positive arguments alone.

    Returns
    -------
    callable
        Its attribute `of_large` is the same at a list of large arguments, times a factor where one is given, in one
        pass over the memory, and `of_symbols` at arguments that are recorded; None where the kernel does not serve.  Of
        one argument there is `with_value`, as `engine.pullbacks` has it.
    """

    def serving(args: Sequence[Any], are_symbols: bool = False) -> np.ufunc | None:
        arrays = [x for x in args if type(x) in _ARRAYS or (are_symbols and is_symbolic(x))]
        if not arrays or (len(arrays) < len(args) and len(arrays) + sum(map(_is_number, args)) < len(args)):
            return None
        kernel = derivative(name, nin)
        if kernel is None or not all(x.dtype.char in _types_of(kernel) for x in arrays):
            return None
        return None if is_positive and (are_symbols or np.any(args[0] <= 0)) else kernel

    @wraps(formula)
    def partial(w: Any, *args: Any) -> Any:
        kernel = serving(args)
        return formula(w, *args) if kernel is None else kernel(*args)

    if nin == 1:
        vars(partial)["with_value"] = lambda z: with_derivative(name, z) if _is_large(z) else None
    return _with_large(partial, serving)


def by_ufunc_of_last(
    function: Callable[..., Any], ufunc: Callable[[], np.ufunc | None], *, is_minus: bool = False
) -> Callable[..., Any]:
    """A partial derivative `(w, *args)` that is a function of the last argument, with the attributes of `by_kernel`.

    Parameters
    ----------
    function : callable
        The function, or minus it.
    ufunc : callable
        Returns the ufunc that computes the function at plain real arrays; None where there is none.
    is_minus : bool
        Whether the derivative is minus the function.
    """

    def partial(w: Any, *args: Any) -> Any:
        return -function(args[-1]) if is_minus else function(args[-1])

    return _with_large(partial, lambda args, are_symbols=False: ufunc(), first=-1, is_minus=is_minus)


def _with_large(
    partial: Callable[..., Any], serving: Callable[..., np.ufunc | None], first: int = 0, is_minus: bool = False
) -> Callable[..., Any]:
    """The partial with its attributes, by the ufunc that serves the arguments from the first on that it depends on."""

    def of_large(args: Sequence[Any], factor: Any = None) -> Any:
        args = args[first:]
        kernel = serving(args) if any(map(_is_large, args)) else None
        x = None if kernel is None else over_threads(kernel, args, factor)
        return np.negative(x, out=x) if is_minus and x is not None else x

    def of_symbols(args: Sequence[Any]) -> Any:
        args = args[first:]
        kernel = serving(args, are_symbols=True) if is_symbolic(args) else None
        x = None if kernel is None else kernel(*args)
        return -x if is_minus and x is not None else x

    vars(partial).update(of_large=of_large, of_symbols=of_symbols)
    return partial


@cache
def _types_of(kernel: np.ufunc) -> str:
    """The types that a kernel takes: those that it has loops of, and where these are complex real ones, too."""
    loops = "".join(types[-1] for types in kernel.types)
    return loops + "fd" if "D" in loops else loops


def _is_large(x: Any) -> bool:
    return type(x) is np.ndarray and x.size >= LARGE


def _is_number(x: Any) -> bool:
    """A number of Python's that one of floating point is equal to, or rounded."""
    return type(x) is float or (type(x) is int and abs(x) < 1 << 63)
