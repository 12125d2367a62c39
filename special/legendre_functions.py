"""Legendre functions and spherical harmonics of integer degree and order, in the angle or the argument.

SciPy computes the function and its first two derivatives, so these are what can be differentiated.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ..complex_autograd.dispatch import holds_traced
from ..complex_autograd.errors import NotDifferentiableError
from ..complex_autograd.operands import operands
from .ufunc_rules import pointwise

__all__ = ["assoc_legendre_p", "legendre_p", "sph_harm_y", "sph_legendre_p"]


def _next_order(order: int, name: str) -> int:
    if order == 2:
        raise NotDifferentiableError(
            f"scipy.special.{name}", "only two derivatives are available yet. Use lpmv or eval_legendre for more"
        )
    return order + 1


@pointwise(lambda w, z, *, call, name, order: legendre(z, call=call, name=name, order=_next_order(order, name)))
def legendre(z: Any, *, call: Any, name: str, order: int) -> Any:
    """A derivative of a Legendre function, where `call(z, diff_n=n)` gives all of them up to order `n`."""
    return call(z, diff_n=order)[order]


def _with_derivatives(call: Any, name: str, z: Any, diff_n: int) -> Any:
    if not holds_traced(z):
        return call(z, diff_n=diff_n)
    (z,) = operands(z)
    orders = [legendre(z, call=call, name=name, order=n) for n in range(diff_n + 1)]
    return np.stack(orders)


def legendre_p(n: Any, z: Any, *, diff_n: int = 0) -> Any:
    """The Legendre polynomial of degree `n`, and its derivatives up to order `diff_n`.

    Parameters
    ----------
    n : array_like of int
        The degree.
    z : array_like
        The argument, real.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array
        The orders from 0 to `diff_n` along a new first axis.

    Notes
    -----
    It is differentiable in `z`, as long as the orders do not exceed 2.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda z: special.legendre_p(2, z)[0])(0.5):.6f}")
    1.500000
    """
    return _with_derivatives(lambda z, diff_n: special.legendre_p(n, z, diff_n=diff_n), "legendre_p", z, diff_n)


def assoc_legendre_p(n: Any, m: Any, z: Any, *, branch_cut: Any = 2, norm: bool = False, diff_n: int = 0) -> Any:
    """The associated Legendre polynomial of degree `n` and order `m`, and its derivatives up to order `diff_n`.

    Parameters
    ----------
    n, m : array_like of int
        Degree and order.
    z : array_like
        The argument, real or complex.
    branch_cut : {2, 3}
        Where the cuts are for complex `z`.
    norm : bool
        Whether it is normalised.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array
        The orders from 0 to `diff_n` along a new first axis.

    Notes
    -----
    It is differentiable in `z`, as long as the orders do not exceed 2.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda z: special.assoc_legendre_p(2, 1, z)[0])(0.6):.6f}")
    -1.050000
    """

    def call(z: Any, diff_n: int) -> Any:
        return special.assoc_legendre_p(n, m, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n)

    return _with_derivatives(call, "assoc_legendre_p", z, diff_n)


def sph_legendre_p(n: Any, m: Any, theta: Any, *, diff_n: int = 0) -> Any:
    """The spherical Legendre polynomial of degree `n` and order `m`, and its derivatives up to order `diff_n`.

    Parameters
    ----------
    n, m : array_like of int
        Degree and order.
    theta : array_like
        The polar angle, real.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array
        The orders from 0 to `diff_n` along a new first axis.

    Notes
    -----
    It is differentiable in `theta`, as long as the orders do not exceed 2.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda t: special.sph_legendre_p(1, 0, t)[0])(0.5):.6f}")
    -0.234249
    """

    def call(theta: Any, diff_n: int) -> Any:
        return special.sph_legendre_p(n, m, theta, diff_n=diff_n)

    return _with_derivatives(call, "sph_legendre_p", theta, diff_n)


def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
    """The spherical harmonic of degree `n` and order `m`.

    Parameters
    ----------
    n, m : array_like of int
        Degree and order.
    theta, phi : array_like
        The polar and the azimuthal angle, real.
    diff_n : {0, 1, 2}
        How many derivatives to return; 0 under differentiation.

    Returns
    -------
    array
        Complex, `sph_legendre_p(n, m, theta) exp(i m phi)`.

    Raises
    ------
    NotDifferentiableError
        If the derivatives returned by `diff_n` are to be differentiated.

    Notes
    -----
    It is differentiable in `phi` to any order, in `theta` twice.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda t: np.real(special.sph_harm_y(1, 0, t, 0.0)))(0.5):.6f}")
    -0.234249
    """
    if not holds_traced([theta, phi]):
        return special.sph_harm_y(n, m, theta, phi, diff_n=diff_n)
    if diff_n:
        raise NotDifferentiableError("scipy.special.sph_harm_y", "not available yet with diff_n > 0: use jacobian")
    theta, phi = operands(theta, phi)
    (amplitude,) = sph_legendre_p(n, m, theta)
    return amplitude * np.exp(1j * np.asarray(m) * phi)
