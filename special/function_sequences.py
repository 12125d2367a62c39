"""Functions that SciPy gives for a whole sequence of orders or degrees, or as the coefficients of an expansion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from scipy.special import hyp0f1, obl_cv, pbdv, pbvv, pro_cv

from ..complex_autograd.array import raw
from ..complex_autograd.dispatch import holds_traced
from ..complex_autograd.operands import operands
from .mathieu import fourier_coefficients
from .ufunc_rules import Pointwise, pointwise

__all__ = [
    "lmbda",
    "lqmn",
    "lqn",
    "mathieu_even_coef",
    "mathieu_odd_coef",
    "obl_cv_seq",
    "pbdn_seq",
    "pbdv_seq",
    "pbvv_seq",
    "pro_cv_seq",
    "riccati_jn",
    "riccati_yn",
]

Pair = tuple[Any, Any]


def _scalars(*args: Any) -> list[Any]:
    arrays = operands(*args)
    if any(np.ndim(x) for x in arrays):
        raise ValueError("arguments must be scalars.")
    return arrays


def _with_slope(function: Callable[..., Any], curvature: Callable[..., Any]) -> Pointwise:
    """What returns functions and their slopes, `(z, **params)`, with their second derivatives, `(w, z, **params)`."""

    def value(z: Any, **params: Any) -> Any:
        return function(z, **params)

    return pointwise(lambda w, z, **params: (w[1], curvature(w, z, **params)))(value)


# parabolic cylinder functions


def _orders(v: Any) -> Any:
    """From the fractional part of `v` to `v`, and at least two of them; from the one above where `v` is negative."""
    whole = int(raw(v))
    return v - whole + (raw(v) < whole) + np.arange(max(whole, 1) + 1)


def pbdv_seq(v: Any, x: Any) -> Pair:
    """Parabolic cylinder functions `D` of the orders from the fractional part of `v` to `v`.

    Parameters
    ----------
    v, x : float
        The order and the argument.

    Returns
    -------
    dv, dp : array
        The functions and their derivatives in `x`.

    Notes
    -----
    It is differentiable in `v` and `x`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda x: special.pbdv_seq(1.0, x)[0])(2.0))
    [-0.36787944 -0.36787944]
    """
    if not holds_traced([v, x]):
        return special.pbdv_seq(v, x)  # type: ignore[no-any-return]
    v, x = _scalars(v, x)
    return pbdv(_orders(v), x)  # type: ignore[no-any-return]


def pbvv_seq(v: Any, x: Any) -> Pair:
    """Parabolic cylinder functions `V` of the orders from the fractional part of `v` to `v`.

    Parameters
    ----------
    v, x : float
        The order and the argument.

    Returns
    -------
    dv, dp : array
        The functions and their derivatives in `x`.

    Notes
    -----
    It is differentiable in `v` and `x`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda x: special.pbvv_seq(1.5, x)[0][1])(2.0):.6f}")
    0.810606
    """
    if not holds_traced([v, x]):
        return special.pbvv_seq(v, x)  # type: ignore[no-any-return]
    v, x = _scalars(v, x)
    return pbvv(_orders(v), x)  # type: ignore[no-any-return]


def _weber(w: Any, z: Any, *, n: int) -> Any:
    return (z * z / 4 + np.arange(len(w[0])) - 0.5) * w[0]  # DLMF 12.2.4


_pbdn_negative = _with_slope(lambda z, n: special.pbdn_seq(n, z), _weber)


def pbdn_seq(n: int, z: Any) -> Pair:
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
        return _pbdn_negative(*_scalars(z), n=n) if holds_traced(z) else special.pbdn_seq(n, z)
    (z,) = _scalars(z)
    first = np.exp(-z * z / 4 + 0j)
    values = [first, z * first]
    for k in range(1, int(n)):
        values.append(z * values[k] - k * values[k - 1])
    slopes = [-z / 2 * values[0], *[k * values[k - 1] - z / 2 * values[k] for k in range(1, len(values))]]
    return np.stack(values), np.stack(slopes)


# Riccati-Bessel and lambda functions


def _riccati(w: Any, x: Any, *, n: int) -> Any:
    orders = np.arange(len(w[0]))
    return (orders * (orders + 1) / (x * x) - 1) * w[0]


_riccati_jn = _with_slope(lambda x, n: special.riccati_jn(n, x), _riccati)
_riccati_yn = _with_slope(lambda x, n: special.riccati_yn(n, x), _riccati)


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
    return special.riccati_jn(n, x) if not holds_traced(x) else _riccati_jn(*_scalars(x), n=n)  # type: ignore[no-any-return]


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
    return special.riccati_yn(n, x) if not holds_traced(x) else _riccati_yn(*_scalars(x), n=n)  # type: ignore[no-any-return]


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
    if not holds_traced([v, x]):
        return special.lmbda(v, x)  # type: ignore[no-any-return]
    v, x = _scalars(v, x)
    if raw(v) < 0:
        raise ValueError("argument must be > 0.")
    whole = int(raw(v))
    orders = v - whole + np.arange(whole + 1)
    z = -x * x / 4
    return hyp0f1(orders + 1, z), -x / (2 * (orders + 1)) * hyp0f1(orders + 2, z)


# Legendre functions of the second kind, DLMF 14.2.1 and 14.2.2


def _legendre(w: Any, z: Any, **orders: int) -> Any:
    degree = np.arange(w[0].shape[1 if "m" in orders else 0]).reshape(-1, *(1,) * np.ndim(z))
    order = np.arange(w[0].shape[0]).reshape(-1, 1, *(1,) * np.ndim(z)) if "m" in orders else 0
    rest = 1 - z * z
    return (2 * z * w[1] - (degree * (degree + 1) - order * order / rest) * w[0]) / rest


_lqn = _with_slope(lambda z, n: special.lqn(n, z), _legendre)
_lqmn = _with_slope(lambda z, m, n: special.lqmn(m, n, z), _legendre)


def lqn(n: int, z: Any) -> Pair:
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
    return special.lqn(n, z) if not holds_traced(z) else _lqn(*operands(z), n=n)  # type: ignore[no-any-return]


def lqmn(m: int, n: int, z: Any) -> Pair:
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
    return special.lqmn(m, n, z) if not holds_traced(z) else _lqmn(*operands(z), m=m, n=n)  # type: ignore[no-any-return]


# Mathieu and spheroidal functions


def _fourier(m: Any, q: Any, even: bool, plain: Any) -> Any:
    """As many coefficients as SciPy gives; those beyond ours are below the rounding error."""
    coefficients = fourier_coefficients(np.float64(m), q, even)
    coefficients += [0.0 * q] * (len(plain) - len(coefficients))
    return np.stack(coefficients[: len(plain)])


def mathieu_even_coef(m: int, q: Any) -> Any:
    """Fourier coefficients of the even Mathieu function.

    Parameters
    ----------
    m : int
        The order.
    q : float
        The parameter, not negative.

    Returns
    -------
    array
        The coefficients.

    Notes
    -----
    It is differentiable in `q`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda q: special.mathieu_even_coef(0, q)[0])(1.0):.6f}")
    -0.053256
    """
    if not holds_traced(q):
        return special.mathieu_even_coef(m, q)
    (q,) = _scalars(q)
    return _fourier(m, q, True, special.mathieu_even_coef(m, float(raw(q))))


def mathieu_odd_coef(m: int, q: Any) -> Any:
    """Fourier coefficients of the odd Mathieu function.

    Parameters
    ----------
    m : int
        The order, positive.
    q : float
        The parameter, not negative.

    Returns
    -------
    array
        The coefficients.

    Notes
    -----
    It is differentiable in `q`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(f"{grad(lambda q: special.mathieu_odd_coef(1, q)[0])(1.0):.6f}")
    -0.010485
    """
    if not holds_traced(q):
        return special.mathieu_odd_coef(m, q)
    (q,) = _scalars(q)
    return _fourier(m, q, False, special.mathieu_odd_coef(m, float(raw(q))))


def pro_cv_seq(m: int, n: int, c: Any) -> Any:
    """Characteristic values of the prolate spheroidal functions of order `m` and degrees from `m` to `n`.

    Parameters
    ----------
    m, n : int
        The order and the last degree.
    c : float
        The parameter.

    Returns
    -------
    array
        The characteristic values.

    Notes
    -----
    It is differentiable in `c`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda c: special.pro_cv_seq(0, 1, c))(1.0))
    [0.6103145  1.17222728]
    """
    if not holds_traced(c):
        return special.pro_cv_seq(m, n, c)
    (c,) = _scalars(c)
    return pro_cv(m, np.arange(m, n + 1.0), c)


def obl_cv_seq(m: int, n: int, c: Any) -> Any:
    """Characteristic values of the oblate spheroidal functions of order `m` and degrees from `m` to `n`.

    Parameters
    ----------
    m, n : int
        The order and the last degree.
    c : float
        The parameter.

    Returns
    -------
    array
        The characteristic values.

    Notes
    -----
    It is differentiable in `c`, to any order.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(lambda c: special.obl_cv_seq(0, 1, c))(1.0))
    [-0.7286143  -1.22704303]
    """
    if not holds_traced(c):
        return special.obl_cv_seq(m, n, c)
    (c,) = _scalars(c)
    return obl_cv(m, np.arange(m, n + 1.0), c)
