"""Legendre functions and spherical harmonics of integer degree and order, in the argument or the angle."""

from __future__ import annotations

from typing import Any

from scipy import special

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.operands import as_operand, operands
from ....complex_autograd.engine.space import Array, Scalar
from ...numerics.devices import also_on_devices
from ...ufuncs.integer_arguments import integers
from ...ufuncs.large_arrays import over_cores
from .equation import harmonic, in_angle, in_argument, with_derivatives

__all__ = ["assoc_legendre_p", "legendre_p", "sph_harm_y", "sph_legendre_p"]

_legendre_p, _assoc_legendre_p, _sph_legendre_p, _sph_harm_y = (
    also_on_devices(function)
    for function in (special.legendre_p, special.assoc_legendre_p, special.sph_legendre_p, special.sph_harm_y)
)


@integers("n")
def legendre_p(n: Array, z: Array, *, diff_n: int = 0) -> Array:
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
        return _legendre_p(n, z, diff_n=diff_n)

    return with_derivatives(call, in_argument(as_operand(n)[()], 0), z, diff_n)


@integers("n", "m")
def assoc_legendre_p(
    n: Array, m: Array, z: Array, *, branch_cut: Scalar = 2, norm: bool = False, diff_n: int = 0
) -> Array:
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
        return _assoc_legendre_p(n, m, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n)

    return with_derivatives(call, in_argument(as_operand(n)[()], as_operand(m)[()]), z, diff_n)


@integers("n", "m")
def sph_legendre_p(n: Array, m: Array, theta: Array, *, diff_n: int = 0) -> Array:
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
        return _sph_legendre_p(n, m, theta, diff_n=diff_n)

    return with_derivatives(call, in_angle(as_operand(n)[()], as_operand(m)[()]), theta, diff_n)


@integers("n", "m")
def sph_harm_y(n: Array, m: Array, theta: Array, phi: Array, *, diff_n: int = 0) -> Array:
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
        Complex, `sph_legendre_p(n, m, theta) exp(i m phi)` (DLMF 14.30.1); with `diff_n > 0` a tuple of it, its
        gradient along a new last axis, and its Hessian along two.

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
            return over_cores(_sph_harm_y)(n, m, theta, phi)
        return _sph_harm_y(n, m, theta, phi, diff_n=diff_n)
    theta, phi = operands(theta, phi)
    return harmonic(sph_legendre_p(n, m, theta, diff_n=diff_n), as_operand(m)[()], phi)
