"""Legendre functions of the second kind, of all degrees and orders up to some; DLMF 14.2.1 and 14.2.2."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.operands import operands
from ....complex_autograd.engine.space import Array
from ...ufuncs.integer_arguments import integers
from ...ufuncs.sequences import Pair, with_derivative

__all__ = ["lqmn", "lqn"]


def _legendre(w: Any, z: Any, **orders: int) -> Any:
    degree = np.arange(w[0].shape[1 if "m" in orders else 0]).reshape(-1, *(1,) * np.ndim(z))
    order = np.arange(w[0].shape[0]).reshape(-1, 1, *(1,) * np.ndim(z)) if "m" in orders else 0
    rest = 1 - z * z
    return (2 * z * w[1] - (degree * (degree + 1) - order * order / rest) * w[0]) / rest


def _of_degrees(n: Any, z: Any) -> Any:
    """SciPy's, which at degrees up to 0 or 1 alone is 0 in place of degree 0 beyond 1.021, with wrong derivatives."""
    if n not in (0, 1) or np.iscomplexobj(z):
        return special.lqn(n, z)
    return tuple(w[: int(n) + 1] for w in special.lqn(2, z))


_lqn = with_derivative(lambda z, n: _of_degrees(n, z), _legendre)
_lqmn = with_derivative(lambda z, m, n: special.lqmn(m, n, z), _legendre)


@integers("n")
def lqn(n: int, z: Array) -> Pair:
    """Legendre functions of the second kind of the degrees from 0 to `n`.

    Parameters
    ----------
    n : int
        The last degree.
    z : array_like
        The argument, real or complex.

    Returns
    -------
    qn, qd : array
        The functions and their derivatives, the degrees along the first axis.

    Notes
    -----
    It is differentiable in `z`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda z: special.lqn(1, z)[0])(0.5))
    [1.33333333 1.21597281]
    """
    functions, derivatives = _lqn(*operands(z), n=n) if holds_traced(z) else _of_degrees(n, z)
    return functions, derivatives


@integers("m", "n")
def lqmn(m: int, n: int, z: Array) -> Pair:
    """Associated Legendre functions of the second kind of the orders from 0 to `m` and degrees from 0 to `n`.

    Parameters
    ----------
    m, n : int
        The last order and degree.
    z : array_like
        The argument, real or complex.

    Returns
    -------
    q, qd : array
        The functions and their derivatives, the orders along the first axis, the degrees along the second.

    Notes
    -----
    It is differentiable in `z`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda z: special.lqmn(0, 1, z)[0])(0.5))
    [[1.33333333 1.21597281]]
    """
    functions, derivatives = _lqmn(*operands(z), m=m, n=n) if holds_traced(z) else special.lqmn(m, n, z)
    return functions, derivatives
