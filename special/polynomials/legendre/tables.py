"""Tables of Legendre functions and spherical harmonics: all degrees up to one, and all orders."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.dispatch import holds_traced
from ....complex_autograd.engine.operands import operands
from ....complex_autograd.engine.space import Array, Scalar
from ....complex_autograd.engine.traced import raw
from ...numerics.devices import also_on_devices, constants_like
from ...ufuncs.integer_arguments import integers
from .equation import harmonic, in_angle, in_argument, with_derivatives

__all__ = ["assoc_legendre_p_all", "legendre_p_all", "sph_harm_y_all", "sph_legendre_p_all"]

_legendre_p_all, _assoc_legendre_p_all, _sph_legendre_p_all, _sph_harm_y_all = (
    also_on_devices(function)
    for function in (
        special.legendre_p_all,
        special.assoc_legendre_p_all,
        special.sph_legendre_p_all,
        special.sph_harm_y_all,
    )
)


def _every_degree(n: int, m: int | None, z: Any) -> tuple[Any, Any]:
    """The degrees and orders of tables with axes `(n + 1, 2 m + 1, ...)`, or `(n + 1, ...)` without orders."""
    plain, behind = raw(z), (1,) * np.ndim(z)
    if m is None:
        return constants_like(np.arange(n + 1).reshape(-1, *behind), plain), 0
    orders = np.concatenate([np.arange(m + 1), np.arange(-m, 0)]).reshape(-1, *behind)
    return constants_like(np.arange(n + 1).reshape(-1, 1, *behind), plain), constants_like(orders, plain)


@integers("n")
def legendre_p_all(n: int, z: Array, *, diff_n: int = 0) -> Array:
    """The Legendre polynomials of all degrees up to `n`, and their derivatives up to order `diff_n`.

    Parameters
    ----------
    n : int
        The highest degree.
    z : array_like
        The argument, real.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array
        The orders from 0 to `diff_n` along a new first axis, the degrees along the second.

    Notes
    -----
    It is differentiable in `z`, to any order; at the ends of the interval twice.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda z: special.legendre_p_all(2, z)[0])(0.5))
    [0.  1.  1.5]
    """

    def call(z: Any, diff_n: int) -> Any:
        return _legendre_p_all(n, z, diff_n=diff_n)

    return with_derivatives(call, in_argument(*_every_degree(n, None, z)), z, diff_n)


@integers("n", "m")
def assoc_legendre_p_all(
    n: int, m: int, z: Array, *, branch_cut: Scalar = 2, norm: bool = False, diff_n: int = 0
) -> Array:
    """The associated Legendre polynomials of all degrees up to `n` and orders up to `m`, and derivatives.

    Parameters
    ----------
    n, m : int
        The highest degree and order.
    z : array_like
        The argument, real or complex.
    branch_cut : {2, 3}
        Where the cuts are for complex `z`.
    norm : bool
        Whether they are normalised.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array
        The orders from 0 to `diff_n` along a new first axis, the degrees along the second, the orders
        `0, .., m, -m, .., -1` along the third.

    Notes
    -----
    It is differentiable in `z`, to any order; at the ends of the interval twice.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda z: special.assoc_legendre_p_all(1, 1, z)[0, 1])(0.6))
    [ 1.     0.75  -0.375]
    """

    def call(z: Any, diff_n: int) -> Any:
        return _assoc_legendre_p_all(n, m, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n)

    return with_derivatives(call, in_argument(*_every_degree(n, m, z)), z, diff_n)


@integers("n", "m")
def sph_legendre_p_all(n: int, m: int, theta: Array, *, diff_n: int = 0) -> Array:
    """The spherical Legendre polynomials of all degrees up to `n` and orders up to `m`, and derivatives.

    Parameters
    ----------
    n, m : int
        The highest degree and order.
    theta : array_like
        The polar angle, real.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array
        The orders from 0 to `diff_n` along a new first axis, the degrees along the second, the orders
        `0, .., m, -m, .., -1` along the third.

    Notes
    -----
    It is differentiable in `theta`, to any order; at the poles twice.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda t: special.sph_legendre_p_all(1, 1, t)[0, 1, 0])(0.5):.6f}")
    -0.234249
    """

    def call(theta: Any, diff_n: int) -> Any:
        return _sph_legendre_p_all(n, m, theta, diff_n=diff_n)

    return with_derivatives(call, in_angle(*_every_degree(n, m, theta)), theta, diff_n)


@integers("n", "m")
def sph_harm_y_all(n: int, m: int, theta: Array, phi: Array, *, diff_n: int = 0) -> Array:
    """The spherical harmonics of all degrees up to `n` and orders up to `m`.

    Parameters
    ----------
    n, m : int
        The highest degree and order.
    theta, phi : array_like
        The polar and the azimuthal angle, real.
    diff_n : {0, 1, 2}
        How many derivatives to return.

    Returns
    -------
    array or tuple of array
        Complex, the degrees along the first axis, the orders `0, .., m, -m, .., -1` along the second; with
        `diff_n > 0` a tuple of it, its gradient along a new last axis, and its Hessian along two.

    Notes
    -----
    It is differentiable in `phi` and `theta` to any order; at the poles twice in `theta`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda t: np.real(special.sph_harm_y_all(1, 1, t, 0.0)[1, 0]))(0.5):.6f}")
    -0.234249
    """
    if not holds_traced([theta, phi]):
        return _sph_harm_y_all(n, m, theta, phi, diff_n=diff_n)
    theta, phi = operands(theta, phi)
    theta = theta + 0 * phi
    _, orders = _every_degree(n, m, theta)
    return harmonic(sph_legendre_p_all(n, m, theta, diff_n=diff_n), orders, phi)
