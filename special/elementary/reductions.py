"""Sums of exponentials over axes: `logsumexp`, `softmax`, `log_softmax`, for real and complex arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...backends.native.large_arrays import LARGE
from ...complex_autograd.engine.operands import operands
from ...complex_autograd.engine.primitive import primitive
from ...complex_autograd.engine.space import Array, total
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.products.contractions import conjugate
from .exponential_sums import Axis, is_summable, log_of_sum, log_shares, shares

__all__ = ["log_softmax", "logsumexp", "softmax"]


def _shift(a: Any, axis: Axis) -> Any:
    """The largest real part along the axes, 0 where that is infinite."""
    largest = np.max(np.real(a), axis=axis, keepdims=True, initial=-np.inf)
    return np.where(np.isfinite(largest), largest, 0.0)


def _scaled(a: Any, b: Any, axis: Axis) -> tuple[Any, Any]:
    """The shift, and `b exp(a - shift)`, where a weight of 0 takes part in neither."""
    counted = np.where(b == 0, -np.inf, a)
    shift = _shift(raw(counted), axis)
    return shift, b * np.exp(counted - shift)


@primitive
def log_sum_of_exponentials(a: Any, *, axis: Axis, of_modulus: bool = False) -> Any:
    """`log(sum(exp(a)))`, or the logarithm of the modulus of a complex sum, with the axes kept."""
    if is_summable(a):
        return log_of_sum(a, axis)
    if issubclass(type(a), (np.ndarray, np.generic)):
        return _of_scipy(a, None, axis, of_modulus)
    shift = _shift(a, axis)
    sums = np.sum(np.exp(a - shift), axis=axis, keepdims=True)
    return np.log(np.abs(sums) if of_modulus else sums) + shift


def _of_scipy(a: Any, b: Any, axis: Axis, of_modulus: bool) -> Any:
    found = special.logsumexp(a, axis, b, keepdims=True, return_sign=of_modulus)
    return found[0] if of_modulus else found


# exp(x) = sum(exp(a))  =>  dx = sum(s da) with the shares s = exp(a) / sum(exp(a)), 0 where all exp(a) are 0
@log_sum_of_exponentials.differential
def _(x: Any, a: Any, da: Any, *, axis: Axis, of_modulus: bool = False) -> Any:
    dx = total(normalized_exponentials(a, axis=axis, void=0.0) * da, axis, keepdims=True)
    return np.real(dx) if of_modulus else dx


@primitive
def log_sum_exp(a: Any, b: Any, *, axis: Axis, of_modulus: bool = False) -> Any:
    """`log(sum(b exp(a)))`, or the logarithm of the modulus of the sum, with the axes kept."""
    if issubclass(type(a), (np.ndarray, np.generic)):
        return _of_scipy(a, b, axis, of_modulus)
    shift, terms = _scaled(a, b, axis)
    sums = total(terms, axis, keepdims=True)
    return np.log(np.abs(sums) if of_modulus else sums) + shift


# exp(x) = sum(b exp(a)), so dx = sum(exp(a) (b da + db)) / sum(b exp(a)), both sums over exp(shift): a large x is
# too inaccurate for exp(a - x)
@log_sum_exp.differential
def _(x: Any, a: Any, b: Any, da: Any, db: Any, *, axis: Axis, of_modulus: bool = False) -> Any:
    with np.errstate(over="ignore", invalid="ignore"):
        exponentials = np.exp(a - _shift(raw(np.where(b == 0, -np.inf, a)), axis))
        terms = np.where(b == 0, 0.0, b * exponentials)
    sums = np.where(np.isnan(x), np.nan, total(terms, axis, keepdims=True))
    dx = total(_share(terms, sums) * da + _share(exponentials, sums) * db, axis, keepdims=True)
    return np.real(dx) if of_modulus else dx


def _share(term: Any, total: Any) -> Any:
    """`term / total`; no part of nothing is 0."""
    is_void = (raw(term) == 0) & (raw(total) == 0)
    with np.errstate(divide="ignore"):
        return np.where(is_void, 0.0, term / np.where(is_void, 1.0, total)) if np.any(is_void) else term / total


def logsumexp(
    a: Array, axis: Axis = None, b: Array | None = None, keepdims: bool = False, return_sign: bool = False
) -> Array:
    """The logarithm of a sum of exponentials, `log(sum(b exp(a)))`.

    Parameters
    ----------
    a : array_like
        The exponents, real or complex.
    axis : int or tuple of int, optional
        What to sum over; everything by default.
    b : array_like, optional
        Weights of any sign, broadcast against `a`.
    keepdims : bool
        Whether the axes stay, with length one.
    return_sign : bool
        Whether to return the logarithm of the absolute value of the sum, and its sign or phase.

    Returns
    -------
    array or tuple of array
        The logarithm, and the sign where it is asked for.  A negative sum has a real logarithm only with its sign.

    Notes
    -----
    With `x` the value, the derivatives are `b exp(a - x)` in `a` and `exp(a - x)` in `b`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import grad, special
    >>> print(grad(special.logsumexp)(np.array([0.0, 0.0])))
    [0.5 0.5]
    """
    a, b = (operands(a)[0], None) if b is None else operands(a, b)
    if b is None and not return_sign and is_summable(a):
        return _released(log_of_sum(a, axis), axis, keepdims)
    given = (a,) if b is None else (a, b)
    has_phase = return_sign and any(x.dtype.kind == "c" for x in given)
    if not has_phase and all(issubclass(type(x), (np.ndarray, np.generic)) for x in given):
        return special.logsumexp(a, axis, b, keepdims, return_sign)
    a = np.reshape(a, (1,)) if a.ndim == 0 and (b is None or b.ndim == 0) else a
    a = a if a.dtype.kind in "fc" else a * 1.0
    if not return_sign:
        return _released(_logarithm(a, b, axis=axis), axis, keepdims)
    if has_phase:
        x = _logarithm(a + 0j, b, axis=axis, of_modulus=True)
        with np.errstate(over="ignore", invalid="ignore"):  # of infinite terms
            phase = np.sign(total(_scaled(a, 1.0 if b is None else b, axis)[1], axis, keepdims=True))
        return _released(x, axis, keepdims), _released(phase, axis, keepdims)
    a, b = np.broadcast_arrays(a, np.ones_like(raw(a)) if b is None else b)
    sign = np.sign(total(_scaled(raw(a), raw(b), axis)[1], axis, keepdims=True))
    x = log_sum_exp(a, b * np.where(sign == 0, 1.0, sign), axis=axis)
    return _released(x, axis, keepdims), _released(sign, axis, keepdims)


def _logarithm(a: Any, b: Any, **params: Any) -> Any:
    """`log_sum_exp`, without weights where there are none."""
    if b is None:
        return log_sum_of_exponentials(a, **params)
    return log_sum_exp(*np.broadcast_arrays(a, b), **params)


def _released(x: Any, axis: Axis, keepdims: bool) -> Any:
    """The result without the axes that were summed over."""
    return x if keepdims else np.squeeze(x, axis=axis)[()]


@primitive
def normalized_exponentials(a: Any, *, axis: Axis, void: float) -> Any:
    """`exp(a) / sum(exp(a))`; `void` where all are 0."""
    if is_summable(a) and (a.size >= LARGE or void == 0):
        return shares(a, axis, void)
    if issubclass(type(a), (np.ndarray, np.generic)) and a.size > 0 and void != 0:
        return special.softmax(a, axis)
    weights = np.exp(a - _shift(a, axis))
    sums = total(weights, axis, keepdims=True)
    return np.where(sums == 0, void, weights / np.where(sums == 0, 1.0, sums))


# x = exp(a) / sum(exp(a))  =>  dx = x da - x sum(x da)
@normalized_exponentials.differential
def _(x: Any, a: Any, da: Any, *, axis: Axis, void: float) -> Any:
    dx = x * da
    return dx - x * total(dx, axis, keepdims=True)


@normalized_exponentials.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, axis: Axis, void: float) -> Any:
    x = conjugate(x)
    c = x * g
    return (c - x * total(c, axis, keepdims=True),)


def softmax(x: Array, axis: Axis = None) -> Array:
    """The exponentials divided by their sum.

    Parameters
    ----------
    x : array_like
        Real or complex.
    axis : int or tuple of int, optional
        What to sum over; everything by default.

    Returns
    -------
    array
        Of the shape of `x`, `w = exp(x) / sum(exp(x))`.

    Notes
    -----
    Its differential is `w (dx - sum(w dx))`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(special.softmax)(np.array([0.0, 0.0])))
    [[ 0.25 -0.25]
     [-0.25  0.25]]
    """
    (x,) = operands(x)
    return normalized_exponentials(x, axis=axis, void=np.nan)


@primitive
def log_normalized_exponentials(a: Any, *, axis: Axis) -> Any:
    """`a - log(sum(exp(a)))`."""
    if is_summable(a):
        return log_shares(a, axis)
    if issubclass(type(a), (np.ndarray, np.generic)) and a.size > 0:
        return special.log_softmax(a, axis)
    shifted = a - _shift(a, axis)
    with np.errstate(divide="ignore"):
        return shifted - np.log(total(np.exp(shifted), axis, keepdims=True))


# x = a - log(sum(exp(a)))  =>  dx = da - sum(exp(x) da)
@log_normalized_exponentials.differential
def _(x: Any, a: Any, da: Any, *, axis: Axis) -> Any:
    return da - total(normalized_exponentials(a, axis=axis, void=np.nan) * da, axis, keepdims=True)


@log_normalized_exponentials.adjoint_by_hand
def _(g: Any, x: Any, a: Any, *, axis: Axis) -> Any:
    return (g - conjugate(normalized_exponentials(a, axis=axis, void=np.nan)) * total(g, axis, keepdims=True),)


def log_softmax(x: Array, axis: Axis = None) -> Array:
    """The logarithm of `softmax`, accurate where that is 0 or 1 in rounding.

    Parameters
    ----------
    x : array_like
        Real or complex.
    axis : int or tuple of int, optional
        What to sum over; everything by default.

    Returns
    -------
    array
        Of the shape of `x`, `x - log(sum(exp(x)))`.

    Notes
    -----
    Its differential is `dx - sum(softmax(x) dx)`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import jacobian, special
    >>> print(jacobian(special.log_softmax)(np.array([0.0, 0.0])))
    [[ 0.5 -0.5]
     [-0.5  0.5]]
    """
    (x,) = operands(x)
    return log_normalized_exponentials(x, axis=axis)
