"""`scipy.interpolate`: piecewise polynomials, in their coefficients, breakpoints and arguments.

What `PPoly` and `BPoly` are evaluated and integrated by; `CubicSpline`, `PchipInterpolator`, `Akima1DInterpolator` and
`CubicHermiteSpline` are such.  On the interval from `x[i]` to `x[i + 1]` of length h it is

    sum_k c[K - 1 - k, i] s^k,  s = y - x[i]  or  sum_a c[a, i] binomial(n, a) t^a (1 - t)^(n - a),  t = s/h, n = K - 1.

At a breakpoint the derivative is that of the interval on the right.

Examples
--------
>>> import wirtinger as np
>>> from wirtinger.compat.scipy.rules.interpolation.piecewise_polynomials import power_values
>>> c = np.array([[1.0], [0.0]])[:, :, None]  # y - x[0]
>>> np.grad(lambda x: power_values(c, x, np.array([0.5]), 0, True)[0, 0])(np.array([0.0, 1.0]))
array([-1.,  0.])
"""

from __future__ import annotations

from math import comb, factorial
from typing import Any

import numpy as np
import scipy.interpolate._ppoly as _ppoly

from .....complex_autograd.engine.forward import constant
from .....complex_autograd.engine.operands import as_operand
from .....complex_autograd.engine.traced import raw
from ..leaves import leaf, plain_or_none

_MODULE = "scipy.interpolate._ppoly"


def _traced(x: Any) -> Any:
    """An array that can be read by an index that is another one for each item of a mapped function."""
    return constant(as_operand(x))


def _intervals(x: Any, y: Any) -> Any:
    """The interval of each argument; the first and the last one reach on to infinity."""
    x, y = raw(x), raw(y)
    last = len(x) - 1
    ascending = x[-1] >= x[0]
    found = np.searchsorted(x, y, "right") - 1 if ascending else last - np.searchsorted(x[::-1], y, "left")
    return np.clip(found, 0, last - 1)


def _is_inside(x: Any, y: Any) -> Any:
    low, high = min(raw(x)[0], raw(x)[-1]), max(raw(x)[0], raw(x)[-1])
    return (low <= raw(y)) & (raw(y) <= high)


def _outside_nan(values: Any, x: Any, y: Any, extrapolate: bool) -> Any:
    kept = ~np.isnan(raw(y)) if extrapolate else _is_inside(x, y)
    return values if np.all(kept) else np.where(kept[:, None], values, np.nan)


# the derivative of s^k is k (k - 1) .. (k - nu + 1) s^(k - nu), the integral, nu < 0, s^(k - nu) / ((k + 1)..(k - nu))
def _power_factor(k: int, nu: int) -> float:
    if nu >= 0:
        return float(factorial(k) // factorial(k - nu)) if k >= nu else 0.0
    return factorial(k) / factorial(k - nu)


def _sum_of_powers(c: Any, s: Any, nu: int) -> Any:
    """The sum of `c[K - 1 - k] s^k`, or a derivative; `s` has one element for each of the first axis of `c[k]`."""
    count = c.shape[0]
    s = s[:, None]
    value: Any = 0.0 * c[0]
    for k in range(count - 1, max(nu, 0) - 1, -1):
        value = value * s + _power_factor(k, nu) * c[count - 1 - k]
    return value * s ** (-nu) if nu < 0 else value


def power_values(c: Any, x: Any, y: Any, nu: int, extrapolate: bool) -> Any:
    """The values of a piecewise polynomial in powers, or of a derivative, or of a local integral for `nu < 0`."""
    c, x, y = _traced(c), _traced(x), as_operand(y)
    i = _intervals(x, y)
    values = _sum_of_powers(c[:, i, :], y - x[i], nu)
    return _outside_nan(values, x, y, extrapolate)


def _write(values: Any, out: Any) -> None:
    out[...] = values


def _plain_values(function: Any, shape: tuple[int, ...], dtype: Any, *args: Any) -> Any:
    values = np.empty(shape, dtype)
    function(*args, values)
    return values


@leaf(_MODULE)
def evaluate(c: Any, x: Any, xp: Any, nu: int, extrapolate: bool, out: Any) -> None:
    """Write the values of a piecewise polynomial in powers into `out`."""
    plain = plain_or_none(c, x, xp)
    if plain is None:
        _write(power_values(c, x, xp, nu, extrapolate), out)
    else:
        _write(_plain_values(_ppoly.evaluate, out.shape, out.dtype, *_contiguous(plain), nu, extrapolate), out)


def _contiguous(arrays: list[Any]) -> list[Any]:
    return [np.ascontiguousarray(a) for a in arrays]


# d/dt of the Bernstein polynomial of c is that of n (c[a + 1] - c[a]), of degree n - 1, and dt = ds / h
@leaf(_MODULE)
def evaluate_bernstein(c: Any, x: Any, xp: Any, nu: int, extrapolate: bool, out: Any) -> None:
    """Write the values of a piecewise polynomial in the Bernstein basis into `out`."""
    plain = plain_or_none(c, x, xp)
    if plain is not None:
        values = _plain_values(_ppoly.evaluate_bernstein, out.shape, out.dtype, *_contiguous(plain), nu, extrapolate)
        _write(values, out)
        return
    c, x, xp = _traced(c), _traced(x), as_operand(xp)
    i = _intervals(x, xp)
    h = (x[i + 1] - x[i])[:, None]
    t = (xp - x[i])[:, None] / h
    c = c[:, i, :]
    for _ in range(nu):
        degree = c.shape[0] - 1
        c = degree * (c[1:] - c[:-1]) / h if degree else 0.0 * c
    degree = c.shape[0] - 1
    values = sum(comb(degree, a) * c[a] * t**a * (1 - t) ** (degree - a) for a in range(degree + 1))
    _write(_outside_nan(values, x, xp, extrapolate), out)


@leaf(_MODULE)
def integrate(c: Any, x: Any, a: Any, b: Any, extrapolate: bool, out: Any) -> None:
    """Write the integral from `a` to `b`, not below `a`, into `out`: the sum over the intervals between."""
    plain = plain_or_none(c, x, a, b)
    if plain is not None:
        arrays = _contiguous(plain[:2])
        _write(_plain_values(_ppoly.integrate, out.shape, out.dtype, *arrays, *plain[2:], extrapolate), out)
        return
    c, x = as_operand(c), as_operand(x)
    ends = np.stack([as_operand(a) + 0.0, as_operand(b) + 0.0])
    if not extrapolate and not np.all(_is_inside(x, ends)):
        _write(np.full(out.shape, np.nan), out)
        return
    first, last = (int(i) for i in _intervals(x, ends))
    if raw(x)[-1] < raw(x)[0]:
        first, last, sign, ends = last, first, -1.0, ends[::-1]
    else:
        sign = 1.0
    inner = x[first + 1 : last + 1]
    i = np.arange(first, last + 1)
    low, high = np.concatenate([ends[:1], inner]) - x[i], np.concatenate([inner, ends[1:]]) - x[i]
    parts = _sum_of_powers(c[:, i, :], high, -1) - _sum_of_powers(c[:, i, :], low, -1)
    _write(sign * np.sum(parts, axis=0), out)


# The coefficients of s^j, j <= order, of an integral are free but in the first interval: continuity gives them from the
# others, c_j[i + 1] = sum_(m >= j) binomial(m, j) c_m[i] h[i]^(m - j), the highest j first
@leaf(_MODULE)
def fix_continuity(c: Any, x: Any, order: int) -> None:
    """Set the coefficients up to a power so that the polynomial and its derivatives up to that order are continuous."""
    plain = plain_or_none(c, x)
    if plain is not None:
        values = np.ascontiguousarray(plain[0]).copy()
        _ppoly.fix_continuity(values, np.ascontiguousarray(plain[1]), order)
        c[...] = values
        return
    count, x = c.shape[0], as_operand(x)
    h = (x[1:] - x[:-1])[:, None]
    for j in range(order, -1, -1):
        steps = sum(comb(m, j) * c[count - 1 - m] * h ** (m - j) for m in range(j + 1, count))
        start = c[count - 1 - j, :1]
        c[count - 1 - j] = np.concatenate([start, start + np.cumsum(steps[:-1], axis=0)])
