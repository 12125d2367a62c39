"""The characteristic values of the spheroidal functions, polished, as functions of `c`.

SciPy's search for one takes longer than the functions themselves.  So where there are many elements of a mode, it is
made at few `c`: a polynomial through these gives the others to 10 digits, and a Rayleigh quotient all digits.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import obl_cv, pro_cv

from ...scipy_repairs.hazards import is_harmless
from ...ufuncs.large_arrays import threaded
from ...ufuncs.modes import by_modes
from ...ufuncs.ufunc_rules import pointwise
from .coefficients import Recurrence, characteristic_derivative

MANY = 100
"""Of so many elements the functions are computed from characteristic values that are found together."""
_WIDTH = 2.0
"""Of the intervals of `c` with a polynomial each: the nearest branch points are 2.6 from the real axis."""
_NODES = 16
"""Where SciPy's values are taken in an interval; of fewer than twice as many elements each is searched for."""


def _derivative(value: Any, c: Any, *, sign: int, m: Any, n: Any) -> Any:
    return characteristic_derivative(sign)(value, m, n, c)


@pointwise(_derivative)
def characteristic_value(c: Any, *, sign: int, m: Any, n: Any) -> Any:
    """The characteristic value of the order `m` and degree `n`; `sign` is 1 for prolate and -1 for oblate functions."""
    known = is_mode(m, n) & is_harmless("cv", m, n, c)
    if np.all(known):
        return by_modes(2, partial(_of_mode, sign), m, n, c)[()]
    m, n, c = (np.where(known, x, 1.0) for x in (m, n, c))
    return np.where(known, by_modes(2, partial(_of_mode, sign), m, n, c), np.nan)[()]


def is_mode(m: Any, n: Any) -> Any:
    """Whether there are functions of the order `m` and the degree `n`."""
    return (m == np.floor(m)) & (n == np.floor(n)) & (m >= 0) & (m <= n)


def _of_mode(sign: int, m: Any, n: Any, c: Any) -> Any:
    if c.shape[0] > 1 and np.ndim(m) == 0 and np.min(c) == np.max(c):
        return _of_mode(sign, m, n, c[:1]) + 0 * c
    value = _searched(sign, m, n, c) if np.ndim(m) else _interpolated(sign, m, n, c)
    square = sign * c * c
    rows = Recurrence(m, n, c)
    of_diagonal, of_matrix = rows.quotients(rows.vector(square, value))
    return of_diagonal + square * of_matrix


def _searched(sign: int, m: Any, n: Any, c: Any) -> Any:
    return threaded(pro_cv if sign == 1 else obl_cv)(m, n, c)


def _interpolated(sign: int, m: float, n: float, c: Any) -> Any:
    """To at least ten digits."""
    number = np.floor(c / _WIDTH)
    value = np.empty_like(c)
    for i in np.unique(number[np.isfinite(number)]):
        here = number == i
        if np.sum(here) < 2 * _NODES:
            value[here] = _searched(sign, m, n, c[here])
        else:
            t = c[here] * (2 / _WIDTH) - (2 * i + 1)
            value[here] = np.polynomial.polynomial.polyval(t, _polynomial(sign, m, n, i))
    return value


@lru_cache(maxsize=4096)
def _polynomial(sign: int, m: float, n: float, i: float) -> Any:
    """The coefficients of the one for `c = (2 i + 1 + t) / 2` times the width, `|t| < 1`."""
    nodes = chebyshev.chebpts1(_NODES)
    values = _searched(sign, m, n, (2 * i + 1 + nodes) * (_WIDTH / 2))
    return chebyshev.cheb2poly(chebyshev.chebfit(nodes, values, _NODES - 1))
