"""Derivatives that the C library computes in one pass; formulas of NumPy's functions otherwise.

Where the value is being differentiated again, or more digits are asked for, the formula serves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, wraps
from typing import Any

import numpy as np

from ...backends.native.elementary import derivative
from ...backends.native.large_arrays import LARGE, over_threads

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
        pass over the memory; None where the kernel does not serve.
    """

    def serving(args: Sequence[Any]) -> np.ufunc | None:
        chars = [x.dtype.char for x in args if type(x) in _ARRAYS]
        if not chars or (len(chars) < len(args) and not all(type(x) in _ARRAYS or _is_number(x) for x in args)):
            return None
        kernel = derivative(name, nin)
        if kernel is None or not all(char in _types_of(kernel) for char in chars):
            return None
        return None if is_positive and np.any(args[0] <= 0) else kernel

    @wraps(formula)
    def partial(w: Any, *args: Any) -> Any:
        kernel = serving(args)
        return formula(w, *args) if kernel is None else kernel(*args)

    return _with_large(partial, serving)


def by_ufunc_of_last(function: Callable[..., Any], ufunc: Callable[[], np.ufunc | None]) -> Callable[..., Any]:
    """A partial derivative `(w, *args)` that is a function of the last argument, with `of_large` as of `by_kernel`.

    Parameters
    ----------
    function : callable
        The function.
    ufunc : callable
        Returns the ufunc that computes it at plain real arrays; None where there is none.
    """

    def partial(w: Any, *args: Any) -> Any:
        return function(args[-1])

    return _with_large(partial, lambda args: ufunc(), first=-1)


def _with_large(
    partial: Callable[..., Any], serving: Callable[[Sequence[Any]], np.ufunc | None], first: int = 0
) -> Callable[..., Any]:
    """The partial with `of_large`, by the ufunc that serves the arguments from the first on that it depends on."""

    def of_large(args: Sequence[Any], factor: Any = None) -> Any:
        args = args[first:]
        kernel = serving(args) if any(type(x) is np.ndarray and x.size >= LARGE for x in args) else None
        return None if kernel is None else over_threads(kernel, args, factor)

    vars(partial)["of_large"] = of_large
    return partial


@cache
def _types_of(kernel: np.ufunc) -> str:
    """The types that a kernel takes: those that it has loops of, and where these are complex real ones, too."""
    loops = "".join(types[-1] for types in kernel.types)
    return loops + "fd" if "D" in loops else loops


def _is_number(x: Any) -> bool:
    """A number of Python's that one of floating point is equal to, or rounded."""
    return type(x) is float or (type(x) is int and abs(x) < 1 << 63)
