"""Riccati-Bessel functions, and Jahnke and Emde's lambda functions, of a sequence of orders."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import special
from scipy.special import hyp0f1

from ..complex_autograd.array import raw
from .integer_arguments import integers
from .sequences import Pair, functions_and_slopes, with_slope

__all__ = ["lmbda", "riccati_jn", "riccati_yn"]


def _riccati(w: Any, x: Any, *, n: int) -> Any:
    orders = np.arange(len(w[0]))
    return (orders * (orders + 1) / (x * x) - 1) * w[0]


_riccati_jn = with_slope(lambda x, n: special.riccati_jn(n, x), _riccati)
_riccati_yn = with_slope(lambda x, n: special.riccati_yn(n, x), _riccati)


@integers("n")
def riccati_jn(n: int, x: Any) -> Pair:
    """Riccati-Bessel functions of the first kind, `x j_k(x)`, of the orders from 0 to `n`.

    Parameters
    ----------
    n : int
        The last order.
    x : float
        The argument.

    Returns
    -------
    jn, jnp : array
        The functions and their derivatives.

    Raises
    ------
    ValueError
        If an argument is an array, or `n` is negative or not an integer.

    Notes
    -----
    It is differentiable in `x`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda x: special.riccati_jn(1, x)[0])(2.0))
    [-0.41614684  0.47389965]
    """
    return functions_and_slopes(partial(special.riccati_jn, n), partial(_riccati_jn, n=n), x)


@integers("n")
def riccati_yn(n: int, x: Any) -> Pair:
    """Riccati-Bessel functions of the second kind, `x y_k(x)`, of the orders from 0 to `n`.

    Parameters
    ----------
    n : int
        The last order.
    x : float
        The argument.

    Returns
    -------
    yn, ynp : array
        The functions and their derivatives.

    Raises
    ------
    ValueError
        If an argument is an array, or `n` is negative or not an integer.

    Notes
    -----
    It is differentiable in `x`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda x: special.riccati_yn(1, x)[0])(2.0))
    [0.90929743 0.76675884]
    """
    return functions_and_slopes(partial(special.riccati_yn, n), partial(_riccati_yn, n=n), x)


def _lambda_functions(v: Any, x: Any) -> Pair:
    if raw(v) < 0:
        raise ValueError("argument must be > 0.")
    whole = int(raw(v))
    orders = v - whole + np.arange(whole + 1)
    z = -x * x / 4
    return hyp0f1(orders + 1, z), -x / (2 * (orders + 1)) * hyp0f1(orders + 2, z)


def lmbda(v: Any, x: Any) -> Pair:
    """Jahnke and Emde's functions `gamma(k + 1) (2 / x)**k J_k(x)`, `k` from the fractional part of `v` to `v`.

    Parameters
    ----------
    v, x : float
        The order, not negative, and the argument.

    Returns
    -------
    vl, dl : array
        The functions and their derivatives in `x`.

    Raises
    ------
    ValueError
        If an argument is an array, or `v` is negative.

    Notes
    -----
    They are `hyp0f1(k + 1, -x**2 / 4)`, DLMF 10.16.9, which is differentiated, in `v` and in `x`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda x: special.lmbda(1, x)[0])(2.0))
    [-0.57672481 -0.35283403]
    """
    return functions_and_slopes(special.lmbda, _lambda_functions, v, x)
