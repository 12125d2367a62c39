"""Legendre functions and spherical harmonics of integer degree and order, in the angle or the argument.

SciPy computes a function and its first two derivatives; the next ones follow from Legendre's equation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ..complex_autograd.array import raw
from ..complex_autograd.dispatch import holds_traced
from ..complex_autograd.errors import NotDifferentiableError
from ..complex_autograd.operands import operands
from .integer_arguments import integers
from .large_arrays import over_cores
from .ufunc_rules import pointwise

__all__ = [
    "assoc_legendre_p",
    "assoc_legendre_p_all",
    "legendre_p",
    "legendre_p_all",
    "sph_harm_y",
    "sph_harm_y_all",
    "sph_legendre_p",
    "sph_legendre_p_all",
]

Equation = Callable[[Any, Any, Any, Any], Any]
"""The third derivative, a function of `(z, w, w_1, w_2)`."""


def in_argument(n: Any, m: Any) -> Equation:
    """Legendre's equation, DLMF 14.2.2, once differentiated.

    With `r = 1 - z**2` and `q = n (n + 1) - m**2 / r`, `r w_3 = 4 z w_2 + (2 - q) w_1 + 2 m**2 z / r**2 w`.
    """

    def third(z: Any, w: Any, w1: Any, w2: Any) -> Any:
        rest = 1 - z * z
        _check_inside(rest, "z = 1 and z = -1")
        square = m * m / rest
        return (4 * z * w2 + (2 - n * (n + 1) + square) * w1 + 2 * square * z / rest * w) / rest

    return third


def in_angle(n: Any, m: Any) -> Equation:
    """The same in the polar angle.

    With `q = n (n + 1) - m**2 / sin**2`, `w_3 = -cot w_2 + (1 / sin**2 - q) w_1 - 2 m**2 cos / sin**3 w`.
    """

    def third(theta: Any, w: Any, w1: Any, w2: Any) -> Any:
        sine = np.sin(theta)
        _check_inside(sine, "the poles")
        cotangent, square = np.cos(theta) / sine, 1 / (sine * sine)
        return -cotangent * w2 + (square * (1 + m * m) - n * (n + 1)) * w1 - 2 * m * m * cotangent * square * w

    return third


def _check_inside(rest: Any, where: str) -> None:
    if np.any(raw(rest) == 0):
        raise NotDifferentiableError(
            "a Legendre function of scipy.special",
            f"from the third order on its derivatives come from a differential equation that is singular at {where}. "
            "Use eval_legendre or eval_gegenbauer there",
        )


def _slope(w: Any, z: Any, *, call: Any, equation: Equation, order: int) -> Any:
    if order < 2:
        return legendre(z, call=call, equation=equation, order=order + 1)
    lower = [legendre(z, call=call, equation=equation, order=k) for k in range(2)]
    return equation(z, *lower, w)


@pointwise(_slope)
def legendre(z: Any, *, call: Any, equation: Equation, order: int) -> Any:
    """A derivative of a Legendre function, where `call(z, diff_n=n)` gives all of them up to order `n <= 2`."""
    return call(z, diff_n=order)[order]


def with_derivatives(call: Any, equation: Equation, z: Any, diff_n: int) -> Any:
    """What SciPy's function returns: the derivatives up to an order along a new first axis."""
    if not holds_traced(z):
        return call(z, diff_n=diff_n)
    (z,) = operands(z)
    return np.stack([legendre(z, call=call, equation=equation, order=k) for k in range(diff_n + 1)])


def _every_degree(n: int, m: int | None, z: Any) -> tuple[Any, Any]:
    """The degrees and orders of tables with axes `(n + 1, 2 m + 1, ...)`, or `(n + 1, ...)` without orders."""
    behind = (1,) * np.ndim(z)
    if m is None:
        return np.arange(n + 1).reshape(-1, *behind), 0
    orders = np.concatenate([np.arange(m + 1), np.arange(-m, 0)])
    return np.arange(n + 1).reshape(-1, 1, *behind), orders.reshape(-1, *behind)


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
    return _harmonic(sph_legendre_p(n, m, theta, diff_n=diff_n), np.asarray(m)[()], phi)


def _harmonic(amplitudes: Any, m: Any, phi: Any) -> Any:
    """`amplitude exp(i m phi)`, its gradient and Hessian in `(theta, phi)`, from the derivatives of the amplitude."""
    wave = np.exp(1j * m * phi)
    a = [amplitude * wave for amplitude in amplitudes]
    turn = 1j * m
    outputs = [a[0]]
    if len(a) > 1:
        outputs.append(np.stack([a[1], turn * a[0]], axis=-1))
    if len(a) > 2:
        mixed = turn * a[1]
        rows = [np.stack([a[2], mixed], axis=-1), np.stack([mixed, turn * turn * a[0]], axis=-1)]
        outputs.append(np.stack(rows, axis=-2))
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


@integers("n")
def legendre_p_all(n: int, z: Any, *, diff_n: int = 0) -> Any:
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
        return special.legendre_p_all(n, z, diff_n=diff_n)

    return with_derivatives(call, in_argument(*_every_degree(n, None, z)), z, diff_n)


@integers("n", "m")
def assoc_legendre_p_all(n: int, m: int, z: Any, *, branch_cut: Any = 2, norm: bool = False, diff_n: int = 0) -> Any:
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
        return special.assoc_legendre_p_all(n, m, z, branch_cut=branch_cut, norm=norm, diff_n=diff_n)

    return with_derivatives(call, in_argument(*_every_degree(n, m, z)), z, diff_n)


@integers("n", "m")
def sph_legendre_p_all(n: int, m: int, theta: Any, *, diff_n: int = 0) -> Any:
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
        return special.sph_legendre_p_all(n, m, theta, diff_n=diff_n)

    return with_derivatives(call, in_angle(*_every_degree(n, m, theta)), theta, diff_n)


@integers("n", "m")
def sph_harm_y_all(n: int, m: int, theta: Any, phi: Any, *, diff_n: int = 0) -> Any:
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
        return special.sph_harm_y_all(n, m, theta, phi, diff_n=diff_n)
    theta, phi = operands(theta, phi)
    theta = theta + 0 * phi
    _, orders = _every_degree(n, m, theta)
    return _harmonic(sph_legendre_p_all(n, m, theta, diff_n=diff_n), orders, phi)
