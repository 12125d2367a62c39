"""Legendre functions and spherical harmonics of integer degree and order, in the argument or the angle."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.operands import operands
from ...ufuncs.integer_arguments import integers
from ...ufuncs.large_arrays import over_cores
from .equation import harmonic, in_angle, in_argument, with_derivatives

__all__ = ["assoc_legendre_p", "legendre_p", "sph_harm_y", "sph_legendre_p"]


@integers("n")
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
    It is differentiable in `z`, to any order; at the ends of the interval twice.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda z: special.legendre_p(2, z)[0])(0.5):.6f}")
    1.500000
    """

    def call(z: Any, diff_n: int) -> Any:
        return special.legendre_p(n, z, diff_n=diff_n)

    return with_derivatives(call, in_argument(np.asarray(n)[()], 0), z, diff_n)


@integers("n", "m")
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
    It is differentiable in `z`, to any order; at the ends of the interval twice.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda z: special.assoc_legendre_p(2, 1, z)[0])(0.6):.6f}")
    -1.050000
    """

    def call(z: Any, diff_n: int) -> Any:
        return special.assoc_legendre_p(n, m, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n)

    return with_derivatives(call, in_argument(np.asarray(n)[()], np.asarray(m)[()]), z, diff_n)


@integers("n", "m")
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
    It is differentiable in `theta`, to any order; at the poles twice.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda t: special.sph_legendre_p(1, 0, t)[0])(0.5):.6f}")
    -0.234249
    """

    def call(theta: Any, diff_n: int) -> Any:
        return special.sph_legendre_p(n, m, theta, diff_n=diff_n)

    return with_derivatives(call, in_angle(np.asarray(n)[()], np.asarray(m)[()]), theta, diff_n)


@integers("n", "m")
def sph_harm_y(n: Any, m: Any, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
    """The spherical harmonic of degree `n` and order `m`.

    Parameters
    ----------
    n, m : array_like of int
        Degree and order.
    theta, phi : array_like
        The polar and the azimuthal angle, real.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array or tuple of array
        Complex, `sph_legendre_p(n, m, theta) exp(i m phi)`; with `diff_n > 0` a tuple of it, its gradient along a new
        last axis, and its Hessian along two.

    Notes
    -----
    It is differentiable in `phi` and `theta` to any order; at the poles twice in `theta`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda t: np.real(special.sph_harm_y(1, 0, t, 0.0)))(0.5):.6f}")
    -0.234249
    """
    if not holds_traced([theta, phi]):
        if diff_n == 0:
            return over_cores(special.sph_harm_y)(n, m, theta, phi)
        return special.sph_harm_y(n, m, theta, phi, diff_n=diff_n)
    theta, phi = operands(theta, phi)
    return harmonic(sph_legendre_p(n, m, theta, diff_n=diff_n), np.asarray(m)[()], phi)
