"""Parabolic cylinder functions of a sequence of orders."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import special
from scipy.special import pbdv, pbvv

from ....complex_autograd.engine.space import Scalar
from ....complex_autograd.engine.traced import raw
from ...ufuncs.docstrings import sections
from ...ufuncs.integer_arguments import integers
from ...ufuncs.sequences import Pair, functions_and_derivatives, scalars, with_derivative

__all__ = ["pbdn_seq", "pbdv_seq", "pbvv_seq"]


def _orders(v: Any) -> Any:
    """From the fractional part of `v` to `v`, and at least two of them; from the one above where `v` is negative."""
    order = int(raw(v))
    return v - order + (raw(v) < order) + np.arange(max(order, 1) + 1)


_SECTIONS = """\
Parameters
----------
v, x : float
    The order and the argument.  A negative order gives two functions, as in SciPy: those of the orders
    `v - floor(v)` and one more.

Returns
-------
dv, dp : array
    The functions and their derivatives in `x`.

Raises
------
ValueError
    If an argument is an array.

Notes
-----
It is differentiable in `v` and `x`, to any order.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger import jacobian, special
>>> print(jacobian(lambda x: special.{name}(1.0, x)[0])(2.0))
{shown}
"""


@sections(_SECTIONS, shown="[-0.36787944 -0.36787944]")
def pbdv_seq(v: Scalar, x: Scalar) -> Pair:
    """Parabolic cylinder functions `D` of the orders from the fractional part of `v` to `v`."""

    def ours(v: Any, x: Any) -> Any:
        return pbdv(_orders(v), x)

    return functions_and_derivatives(special.pbdv_seq, ours, v, x)


@sections(_SECTIONS, shown="[0.7808209 0.7808209]")
def pbvv_seq(v: Scalar, x: Scalar) -> Pair:
    """Parabolic cylinder functions `V` of the orders from the fractional part of `v` to `v`."""

    def ours(v: Any, x: Any) -> Any:
        return pbvv(_orders(v), x)

    return functions_and_derivatives(special.pbvv_seq, ours, v, x)


def _weber(w: Any, z: Any, *, n: int) -> Any:
    return (z * z / 4 + np.arange(len(w[0])) - 0.5) * w[0]  # DLMF 12.2.4


_pbdn_negative = with_derivative(lambda z, n: special.pbdn_seq(n, z), _weber)


@integers("n")
def pbdn_seq(n: int, z: Scalar) -> Pair:
    """Parabolic cylinder functions `D` of the orders from 0 to `n`.

    Parameters
    ----------
    n : int
        The last order.
    z : complex
        The argument.

    Returns
    -------
    dv, dp : array
        The functions and their derivatives in `z`.

    Raises
    ------
    ValueError
        If an argument is an array.

    Notes
    -----
    It is differentiable in `z`, to any order.  For `n >= 0` these are elementary functions, computed by their
    recurrence DLMF 12.8.1; SciPy 1.17 returns wrong values of them off the real axis.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda z: np.real(special.pbdn_seq(1, z)[0][0]))(2.0):.6f}")
    -0.367879
    """
    if n < 0 or n != int(n):
        return functions_and_derivatives(partial(special.pbdn_seq, n), partial(_pbdn_negative, n=n), z)
    z = 1.0 * scalars(z)[0]
    first = np.exp(-z * z / 4 + 0j)
    values = [first, z * first]
    for k in range(1, int(n)):
        values.append(z * values[k] - k * values[k - 1])
    derivatives = [-z / 2 * values[0], *[k * values[k - 1] - z / 2 * values[k] for k in range(1, len(values))]]
    return np.stack(values), np.stack(derivatives)
