"""Which kernels the elementary functions of a program have: those of NumPy, or those of the C library."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from .elementary import ELEMENTARY, elementary
from .library import state

Kernels: TypeAlias = Literal["numpy", "own"]
Chooser: TypeAlias = Callable[[Any, Sequence[Any], dict[str, Any]], Any]

_OWN: Final = {getattr(np, name): name for name in ELEMENTARY}
_PRODUCTS: Final = (-1, 0, 0.5, 1, 2)
"""The exponents of which NumPy's arrays have reciprocals, ones, roots, themselves and squares."""


def chooser_of(kernels: str) -> Chooser:
    """What takes a function that is to be recorded, with its arguments, and returns the one that is.

    Raises
    ------
    ValueError
        If there are no kernels of that name.
    RuntimeError
        If there is no C library.
    """
    if kernels == "numpy":
        return as_called
    if kernels != "own":
        raise ValueError(f"kernels={kernels!r} is not a choice: pass 'numpy', or 'own' for those of the C library")
    if elementary("exp") is None:
        raise RuntimeError(
            f"the kernels 'own' are those of the C library, of which there is {state()}. Build it with a C compiler "
            "(in a checkout: make kernels), or leave kernels='numpy'."
        )
    return of_library


def as_called(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The function itself."""
    return function


def of_library(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The library's ufunc in the place of NumPy's, where results are real, in double or single precision."""
    if function is operator.pow and type(args[1]) in (int, float) and args[1] in _PRODUCTS:
        return function
    ufunc = np.power if function is operator.pow else function
    if type(ufunc) is not np.ufunc or ufunc not in _OWN or not kwargs.keys() <= {"out", "where"}:
        return function
    types = [
        type(x) if type(x) in (bool, int, float, complex) else getattr(x, "dtype", None) for x in args[: ufunc.nin]
    ]
    if any(x is None for x in types):  # to which a dtype of float64 is equal
        return function
    letter = ufunc.resolve_dtypes((*types, None))[-1].char
    return elementary(_OWN[ufunc]) if letter in "fd" else function
