"""Riccati-Bessel functions, and Jahnke and Emde's lambda functions, of a sequence of orders."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy import special
from scipy.special import hyp0f1

from ...complex_autograd.engine.space import Scalar
from ...complex_autograd.engine.traced import raw
from ..numerics.warned import warn
from ..scipy_repairs.hazards import is_real_number
from ..ufuncs.docstrings import sections
from ..ufuncs.integer_arguments import integers
from ..ufuncs.sequences import Pair, functions_and_derivatives, with_derivative
from ..ufuncs.ufunc_rules import Pointwise

__all__ = ["lmbda", "riccati_jn", "riccati_yn"]


def _family(function: Any) -> Pointwise:
    """`(2 k + 1) S_k' = (k + 1) S_(k-1) - k S_(k+1)`, DLMF 10.51.1 and 10.51.2, with `S_(-1)' = -S_0`."""

    def curvature(w: Any, x: Any, *, n: int) -> Any:
        derivatives = own(x, n=n + 1)[1]
        k = np.arange(1, n + 1)
        return np.concatenate([-w[0][:1], ((k + 1) * derivatives[:-2] - k * derivatives[2:]) / (2 * k + 1)])

    own = with_derivative(lambda x, n: _plain(function)(n, x), curvature)
    return own


_riccati_jn, _riccati_yn = _family(special.riccati_jn), _family(special.riccati_yn)


_SECTIONS = """\
Parameters
----------
n : int
    The last order.
x : float
    The argument.

Returns
-------
{outputs} : array
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
>>> print(jacobian(lambda x: special.{name}(1, x)[0])(2.0))
{shown}
"""


@integers("n")
@sections(_SECTIONS, outputs="jn, jnp", shown="[-0.41614684  0.47389965]")
def riccati_jn(n: int, x: Scalar) -> Pair:
    """Riccati-Bessel functions of the first kind, `x j_k(x)`, of the orders from 0 to `n`."""
    return functions_and_derivatives(partial(_plain(special.riccati_jn), n), partial(_riccati_jn, n=n), x)


@integers("n")
@sections(_SECTIONS, outputs="yn, ynp", shown="[0.90929743 0.76675884]")
def riccati_yn(n: int, x: Scalar) -> Pair:
    """Riccati-Bessel functions of the second kind, `x y_k(x)`, of the orders from 0 to `n`."""
    return functions_and_derivatives(partial(_plain(special.riccati_yn), n), partial(_riccati_yn, n=n), x)


_LARGEST = 1e5
"""Up to there SciPy's `lmbda` returns; beyond, it writes past its arrays."""


def _plain_lambda_functions(v: Any, x: Any) -> Pair:
    """SciPy's, but at `x = 0`, where it has 0 and 1/2 for the functions 1 and their derivatives 0 of integer order."""
    if is_real_number(x) and not abs(x) <= _LARGEST:
        values, derivatives = special.lmbda(v, 1.0)
        warn(
            f"lmbda: the functions and their derivatives at {x} are NaN, for SciPy's algorithm ends the process there. "
            f"Likely cause: an argument that is no number, or beyond {_LARGEST:g}. Take `jv` and `gamma` for it."
        )
        return np.full_like(values, np.nan), np.full_like(derivatives, np.nan)
    found = special.lmbda(v, x)
    return _lambda_functions(v, x) if x == 0 else found


def _plain(function: Any) -> Any:
    """SciPy's function, but NaN at NaN, where it leaves most of its output unwritten."""

    def plain(n: int, x: Any) -> Pair:
        if is_real_number(x) and np.isnan(x):
            values, derivatives = function(n, 1.0)
            return np.full_like(values, np.nan), np.full_like(derivatives, np.nan)
        return function(n, x)

    return plain


def _lambda_functions(v: Any, x: Any) -> Pair:
    if raw(v) < 0:
        raise ValueError("argument must be > 0.")
    degree = int(raw(v))
    orders = v - degree + np.arange(degree + 1)
    z = -x * x / 4
    return hyp0f1(orders + 1, z), -x / (2 * (orders + 1)) * hyp0f1(orders + 2, z)


def lmbda(v: Scalar, x: Scalar) -> Pair:
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
    return functions_and_derivatives(_plain_lambda_functions, _lambda_functions, v, x)
