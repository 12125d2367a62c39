"""Ellipsoidal harmonics (Lame functions) with their derivatives in `h2`, `k2` and `s`.

A Lame function of degree `n` is `s**a (s**2 - h2)**(b/2) (s**2 - k2)**(c/2) Q(s**2)` with `a, b, c` in {0, 1} and a
polynomial `Q`, monic as SciPy has it. In powers of `y = s**2 - h2` its coefficients are an eigenvector of a tridiagonal
matrix that follows from Lame's equation; with `u = -h2` and `v = k2 - h2` the other singular points, it reads

    y (y - u) (y - v) Q'' + (b_2 y**2 + b_1 y + b_0) Q' + (n_1 y + n_0 + value) Q = 0.

The eigenvalue as a function of `h2` and `k2` is had by Newton's steps from its plain value, each of which doubles the
order to which it is right.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.errors import NotDifferentiableError
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.space import Array, Scalar
from ...complex_autograd.engine.traced import raw
from ..numerics.devices import constants_like, is_on_device
from ..numerics.tridiagonal import counted, next_row, null_vector, row_before
from ..ufuncs.integer_arguments import integers
from ..ufuncs.parameters import depth_of, flat

__all__ = ["ellip_harm", "ellip_harm_2", "ellip_normal"]

_NEAREST = 1.01
"""The least `s / k` at which the quadrature of the second kind is right to rounding."""
_ANGLES = (np.arange(200)[:, None] + 0.5) * (math.pi / 400)
"""The midpoint rule on a quarter of the period."""


@cache
def _legendre() -> tuple[Any, Any]:
    """The nodes of Gauss and Legendre's rule between 0 and 1, and their weights, as columns."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    return (1 + nodes[:, None]) / 2, weights[:, None] / 2


def _exponents(n: int, p: int) -> tuple[tuple[int, int, int], int]:
    """The exponents `(a, b, c)` of the function of number `p`, counted from 1, and its number within its class."""
    r = n // 2
    sizes = [(n % 2, 0, 0, r + 1), ((n - 1) % 2, 1, 0, n - r), ((n - 1) % 2, 0, 1, n - r), (n % 2, 1, 1, r)]
    index = p - 1
    for a, b, c, size in sizes:
        if index < size:
            return (a, b, c), index
        index -= size
    raise ValueError(f"p must be between 1 and 2 n + 1 = {2 * n + 1}, got {p}.")


def _matrix(n: int, exponents: tuple[int, int, int], h2: Any, k2: Any) -> tuple[Any, Any, Any]:
    """The rows, so that the eigenvalue is minus `value`: left of the diagonal, on it, and right of it."""
    a, b, c = exponents
    u, v = -h2, k2 - h2
    b2 = 1.5 + a + b + c
    b1 = -(0.5 + b) * (u + v) - (0.5 + a) * v - (0.5 + c) * u
    b0 = (0.5 + b) * u * v
    ab, bc, ac = (x * y / 2 + (x + y) / 4 for x, y in ((a, b), (b, c), (a, c)))
    n1 = -n * (n + 1) / 4 + ab + bc + ac
    n0 = -n * (n + 1) / 4 * h2 - ab * v - bc * u
    j = counted((n - a - b - c) // 2 + 1, raw(h2))
    lower = (j - 1) * (j - 2) + b2 * (j - 1) + n1
    return lower, n0 + j * b1 - j * (j - 1) * (u + v), (j + 1) * (j * (u * v) + b0)


def _coefficients(n: int, p: int, h2: Any, k2: Any) -> Any:
    """Those of `Q` in powers of `y`, the last of them 1."""
    exponents, index = _exponents(n, p)
    lower, diagonal, upper = _matrix(n, exponents, h2, k2)
    size = diagonal.shape[0]
    plain, off = raw(diagonal).T, np.sqrt(raw(upper)[:-1] * lower[1:]).T
    rows = constants_like(np.arange(size), plain)
    symmetric = np.zeros_like(plain, shape=(*plain.shape, size))
    symmetric[:, rows, rows] = plain
    symmetric[:, rows[:-1], rows[1:]] = symmetric[:, rows[1:], rows[:-1]] = off
    values, vectors = np.linalg.eigh(symmetric)
    value, middle = values[:, size - 1 - index], np.argmax(np.abs(vectors[:, :, size - 1 - index]), axis=-1)
    for _ in range(1 + math.ceil(math.log2(1 + depth_of(h2, k2)))):
        vector = null_vector(lower, diagonal - value, upper, middle=middle)
        value = value + _correction(lower, diagonal - value, upper, vector, middle)
    vector = null_vector(lower, diagonal - value, upper, middle=middle)
    return vector / vector[-1]


def _correction(lower: Any, diagonal: Any, upper: Any, vector: Any, middle: Any) -> Any:
    """Newton's step: the residual of the row that was left out, times `left[middle] / (left @ vector)`.

    The left eigenvector is `weight[j] vector[j]` with `weight[j+1] / weight[j] = upper[j] / lower[j+1]`.
    """
    ratios = upper[:-1] / lower[1:]
    weight = np.cumprod(np.concatenate([np.ones_like(raw(diagonal)[:1]), ratios]), axis=0)
    residual = diagonal * vector + upper * next_row(vector) + lower * row_before(vector)
    here = np.where(counted(diagonal.shape[0], middle) == middle, 1.0, 0.0)
    return np.sum(here * residual, axis=0) * np.sum(here * weight, axis=0) / np.sum(weight * vector * vector, axis=0)


def _lame(n: int, p: int, h2: Any, k2: Any, s: Any, signm: Any, signn: Any) -> Any:
    (a, b, c), _ = _exponents(n, p)
    y = s * s - h2
    total: Any = 0.0 * s
    for coefficient in _coefficients(n, p, h2, k2)[::-1]:
        total = total * y + coefficient
    total = total * s if a else total
    total = total * signm * np.sqrt(np.abs(y)) if b else total
    return total * signn * np.sqrt(np.abs(s * s - k2)) if c else total


def _second_kind(n: int, p: int, h2: Any, k2: Any, s: Any) -> Any:
    """`(2 n + 1) E(s) int_0^(1/s) du / (E(1/u)**2 sqrt((1 - k2 u**2) (1 - h2 u**2)))`, by Gauss-Legendre quadrature."""
    if np.any(raw(s * s) < _NEAREST**2 * raw(k2)):
        raise NotDifferentiableError(
            "scipy.special.ellip_harm_2", f"its integral is too nearly singular where s < {_NEAREST} sqrt(k2)", "s"
        )
    nodes, weights = (constants_like(x, raw(s)) for x in _legendre())
    t = s / nodes
    inverse = 1 / (t * t)
    values = _lame(n, p, h2, k2, t, 1, 1)
    integrand = weights / (values * values * np.sqrt((1 - k2 * inverse) * (1 - h2 * inverse)))
    return (2 * n + 1) * _lame(n, p, h2, k2, s, 1, 1) * np.sum(integrand, axis=0) / s


def _norm(n: int, p: int, h2: Any, k2: Any) -> Any:
    """`8 int_0^h dx int_h^k dy (y**2 - x**2) (E(x) E(y))**2 / sqrt((k2 - y**2) (y**2 - h2) (h2 - x**2) (k2 - x**2))`.

    With `x = h sin t` and `y**2 = h2 + (k2 - h2) sin(t)**2` the integrands are smooth and periodic.
    """
    square = constants_like(np.sin(_ANGLES) ** 2, raw(h2))
    x2, y2 = h2 * square, h2 + (k2 - h2) * square
    inner = _lame(n, p, h2, k2, np.sqrt(x2), 1, 1) ** 2 / np.sqrt(k2 - x2)
    outer = _lame(n, p, h2, k2, np.sqrt(y2), 1, 1) ** 2 / np.sqrt(y2)
    means = [np.mean(f, axis=0) * (math.pi / 2) for f in (y2 * outer, inner, outer, x2 * inner)]
    return 8 * (means[0] * means[1] - means[2] * means[3])


def _is_scipys(*args: Any) -> bool:
    """Whether SciPy computes it: numbers and arrays of NumPy's, of which nothing is differentiated."""
    return not holds_traced(args) and not any(map(is_on_device, args))


@integers("n", "p", "signm", "signn")
def ellip_harm(h2: Array, k2: Array, n: Scalar, p: Scalar, s: Array, signm: Scalar = 1, signn: Scalar = 1) -> Array:
    """Ellipsoidal harmonic function `E_n^p(s)`, or Lame function of the first kind.

    Parameters
    ----------
    h2, k2 : array_like
        The squares of the two parameters, `0 < h2 < k2`.
    n, p : int
        The degree, and the number of the function from 1 to `2 n + 1`; arrays where nothing is differentiated, on the
        CPU.
    s : array_like
        The coordinate.
    signm, signn : {1, -1}
        The signs of the two roots.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    It is differentiable in `h2`, `k2` and `s`, to any order.  Number and scale are those of J. Bardhan, M. Knepley,
    Comput. Sci. Discov. 5 (2012) 014006; Lame's equation is DLMF 29.2.1, in other letters.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda s: special.ellip_harm(5.0, 8.0, 1, 1, s))(2.5):.6f}")
    1.000000
    """
    if _is_scipys(h2, k2, s):
        return special.ellip_harm(h2, k2, n, p, s, signm, signn)
    h2, k2, s = operands(h2, k2, s)
    shape, (h2, k2, s) = flat(h2, k2, s)
    return np.reshape(_lame(int(n), int(p), h2, k2, s, signm, signn), shape)


@integers("n", "p")
def ellip_harm_2(h2: Array, k2: Array, n: Scalar, p: Scalar, s: Array) -> Array:
    """Ellipsoidal harmonic function `F_n^p(s)`, or Lame function of the second kind.

    Parameters
    ----------
    h2, k2 : array_like
        The squares of the two parameters, `0 < h2 < k2`.
    n, p : int
        The degree, and the number of the function from 1 to `2 n + 1`; arrays where nothing is differentiated, on the
        CPU.
    s : array_like
        The coordinate, larger than `sqrt(k2)`.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Raises
    ------
    NotDifferentiableError
        If it is differentiated where `s < 1.01 sqrt(k2)`.

    Notes
    -----
    It is differentiable in `h2`, `k2` and `s`, to any order.  Number and scale are those of J. Bardhan, M. Knepley,
    Comput. Sci. Discov. 5 (2012) 014006; Lame's equation is DLMF 29.2.1, in other letters.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda s: special.ellip_harm_2(5.0, 8.0, 1, 1, s))(10.0):.6f}")
    -0.002168
    """
    if _is_scipys(h2, k2, s):
        return special.ellip_harm_2(h2, k2, n, p, s)
    h2, k2, s = operands(h2, k2, s)
    shape, (h2, k2, s) = flat(h2, k2, s)
    return np.reshape(_second_kind(int(n), int(p), h2, k2, s), shape)


@integers("n", "p")
def ellip_normal(h2: Array, k2: Array, n: Scalar, p: Scalar) -> Array:
    """The normalisation constant of an ellipsoidal harmonic function.

    Parameters
    ----------
    h2, k2 : array_like
        The squares of the two parameters, `0 < h2 < k2`.
    n, p : int
        The degree, and the number of the function from 1 to `2 n + 1`; arrays where nothing is differentiated, on the
        CPU.

    Returns
    -------
    array
        Of the broadcast shape of the arguments.

    Notes
    -----
    It is differentiable in `h2` and `k2`, to any order.  It is that of J. Bardhan, M. Knepley, Comput. Sci. Discov. 5
    (2012) 014006.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda h2: special.ellip_normal(h2, 8.0, 1, 1))(5.0):.6f}")
    33.510322
    """
    if _is_scipys(h2, k2):
        return special.ellip_normal(h2, k2, n, p)
    h2, k2 = operands(h2, k2)
    shape, (h2, k2) = flat(h2, k2)
    return np.reshape(_norm(int(n), int(p), h2, k2), shape)
