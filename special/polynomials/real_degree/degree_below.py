"""Orthogonal polynomials one degree below a given one, of which the derivatives are multiples.

Of an integer degree that is one number, and of parameters that are numbers, they come by a recurrence whose
coefficients are numbers, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import Traced, raw
from .degree_sweeps import sweep

_HIGHEST = 1000
_SMALL = 1e-2
_NUMBERS = (int, float, np.float64, np.int64)


def lowered(n: Any) -> Any:
    """The degree below; where it is differentiated also that below 0, where functions vanish but vary with it."""
    return n - 1 if isinstance(n, Traced) else n - 1 + (n == 0)


def is_linear(n: Any) -> bool:
    """Whether all degrees are 0 or 1, and constants."""
    return not isinstance(n, Traced) and bool(np.all((n == 0) | (n == 1)))


def _is_number(x: Any) -> bool:
    return type(x) in _NUMBERS or (type(x) is np.ndarray and x.ndim == 0 and x.dtype.char in "ld")


def _nowhere(*args: Any) -> bool:
    return False


def _restored(n: Any, small: Any) -> Any:
    """Of small degrees the quotient by what `n - 1` has left of them: next to -1 the functions are in proportion."""
    left = (n - 1) + 1
    has_rest = small & (raw(left) != 0)
    return np.where(has_rest, n, 1.0) / np.where(has_rest, left, 1.0)


def degree_below(
    function: Callable[..., Any], kernel: Callable[..., Any] | None = None, is_left: Callable[..., Any] = _nowhere
) -> Callable[..., Any]:
    """The function one degree lower.

    Parameters
    ----------
    function : callable
        Of any degree, parameters and argument.
    kernel : callable, optional
        The polynomials of integer degree, as `sweep` takes it.
    is_left : callable
        Whether numbers, the degree and the parameters, are where that loses digits.

    Returns
    -------
    callable
        Of the arguments of the function.  Degree 0 is not lowered, as what it stands for is multiplied by 0; one
        below 1 all polynomials are 1.
    """

    def below(n: Any, *args: Any) -> Any:
        if is_linear(n):
            return 1.0
        small = (raw(n) != 0) & (np.abs(raw(n)) < _SMALL)
        value = at_lower(n, *args)
        return value * _restored(n, small) if np.any(small) else value

    def at_lower(n: Any, *args: Any) -> Any:
        if not _is_number(n):
            return function(lowered(n), *args)
        *parameters, x = args
        is_vector = type(x) is np.ndarray and x.ndim > 0 and x.dtype.char in "dD"
        is_swept = 1 < n <= _HIGHEST and n == np.floor(n) and all(map(_is_number, parameters))
        if kernel is None or not is_vector or not is_swept or is_left(n, *parameters):
            return function(n - 1, *args)
        with np.errstate(all="ignore"):
            found = sweep(kernel, float(n) - 1, *map(float, parameters), np.reshape(x, (-1,)))
        return np.reshape(found, x.shape)

    return below
