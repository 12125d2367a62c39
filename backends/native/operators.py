"""Python's operators of numbers of NumPy's as loops: those that have the same bits, and report the same errors."""

from __future__ import annotations

from collections.abc import Collection, Set
from typing import Any, Final

import numpy as np

from .inner_loops import COMPARISONS, Loop, own_loop
from .machine import are_products_plain

_OF_REAL: Final = COMPARISONS | {np.add, np.subtract, np.multiply, np.divide, np.negative, np.absolute, np.power}
_OF_COMPLEX: Final = {np.add, np.subtract, np.negative, np.equal, np.not_equal}
_PRODUCTS: Final = {np.multiply, np.divide}
"""The same, where NumPy has the bits of the loops."""
_OF_INTEGERS: Final = COMPARISONS | {np.add, np.subtract, np.multiply}
"""The same by loops of the library's: overflow is reported as that of floating-point numbers is."""
_OF_TRUTH: Final = {np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert, np.equal, np.not_equal}


def is_loop_of_operator(ufunc: np.ufunc, types: Set[str], constants: Collection[Any]) -> bool:
    """Whether a loop has the bits, and the warnings, of an operator.

    Parameters
    ----------
    ufunc : numpy.ufunc
        That of arrays by this operator.
    types : set of str
        The letters of the types of NumPy's among the arguments.
    constants : collection
        The arguments that are known.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.operators import is_loop_of_operator
    >>> is_loop_of_operator(numpy.add, {"d"}, [1]), is_loop_of_operator(numpy.divide, {"l"}, [2])
    (True, False)
    """
    if types in ({"f"}, {"d"}):
        return ufunc in _OF_REAL
    if types in ({"F"}, {"D"}, {"d", "D"}):
        return ufunc in _OF_COMPLEX or (ufunc in _PRODUCTS and are_products_plain())
    if types == {"l"}:
        return ufunc in _OF_INTEGERS and all(map(_is_int64, constants))
    return types == {"?"} and ufunc in _OF_TRUTH and all(type(x) in (bool, np.bool) for x in constants)


def _is_int64(x: Any) -> bool:
    return type(x) is np.int64 or (type(x) is int and -(1 << 63) <= x < 1 << 63)


def loop_of_operator(ufunc: np.ufunc, dtype: np.dtype[Any]) -> Loop | None:
    """The library's loop for an operator, where that of NumPy's arrays has other bits, or does not report its errors.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.backends.native.operators import loop_of_operator
    >>> loop_of_operator(numpy.add, numpy.dtype(float)) is None
    True
    """
    if ufunc is np.multiply and dtype.kind == "c":
        return own_loop("product", dtype)
    return own_loop(ufunc.__name__, dtype) if ufunc is np.power or dtype.char == "l" else None
