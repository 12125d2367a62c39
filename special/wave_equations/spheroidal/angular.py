"""The spheroidal angular functions: sums of Legendre functions, and of powers of the distance to the poles."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.special import rgamma

from ....complex_autograd.engine.traced import raw
from ...numerics.regions import by_region
from ...numerics.tridiagonal import counted, row_before, rows_at
from ...ufuncs.modes import by_modes, completed
from ...ufuncs.parameters import flat
from ...ufuncs.ufunc_rules import pointwise
from .coefficients import MOST_CANCELLED, Recurrence, products
from .equation import marched
from .parity import of_parity
from .radial import pole_series, powers_of

_FIRST_CANCELLED = 1e3
"""By how much the terms of the series may exceed it where there is another way, the march."""
_NEAR_POLE, _CONCENTRATED, _POLE_TERMS = 0.7, 6.0, 40
"""Of `|x|` and of `c`, from where prolate angular functions are summed about the pole, and so many terms at least."""


@of_parity("ang1")
def angular(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any, is_given: bool = True) -> tuple[Any, Any]:
    """The angular function of the first kind and its derivative for a given value; NaN where the sums cancel."""
    return by_modes(2, partial(_angular_series, sign, is_given), m, n, c, value, x)


# P_l^m = (1 - x**2)**(m/2) u_r without the phase (-1)**m, where u_r of r = l - m is the derivative of P_l of order m;
# so the derivative of u_r is u_(r-1) of m + 1


def _at_zero(m: Any, count: int, like: Any) -> Any:
    """`u_r(0)`, where `u_0 = (2 m - 1)!!`."""
    rows = [2**m * rgamma(0.5) / rgamma(m + 0.5) * np.ones_like(like, shape=(1,))]
    rows.append(0 * rows[0])
    for r in range(1, count - 1):
        rows.append(-rows[r - 1] * ((r + 2 * m) / (r + 1)))
    return np.stack(rows)


def _derivatives(w: Any, x: Any, *, m: Any, count: int) -> Any:
    return row_before(_excess(x, m=m + 1, count=count) + _at_zero(m + 1, count, raw(x)))


@pointwise(_derivatives)
def _excess(x: Any, *, m: Any, count: int) -> Any:
    """`u_r(x) - u_r(0)` of `r < count`, by the recurrence in `r`."""
    at_zero = _at_zero(m, count, x)
    rows = np.zeros_like(x, shape=(count, *x.shape))
    rows[1] = (2 * m + 1) * x * at_zero[0]
    for r in range(1, count - 1):
        risen = ((2 * r + 2 * m + 1) / (r + 1)) * x * (rows[r] + at_zero[r])
        rows[r + 1] = risen - ((r + 2 * m) / (r + 1)) * rows[r - 1]
    return rows


def _angular_series(sign: int, is_given: bool, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The sum of Legendre functions.

    The normalisation fixes the function or its derivative at 0: what they are more at `x` is summed.  So next to 0
    their derivatives in `c` do not come from terms that cancel.
    """
    rows = Recurrence(m, n, c)
    most = MOST_CANCELLED if is_given else _FIRST_CANCELLED
    d = rows.normalised(rows.vector(sign * c * c, value, is_given), most)
    count = 2 * d.shape[0]
    terms = d * rows_at(_excess(x, m=m, count=count), rows.r)
    derivatives = d * rows_at(row_before(_excess(x, m=m + 1, count=count)), rows.r)
    r = counted(count, raw(x))
    fixed = np.sum(np.where(r == n - m, _at_zero(m, count, raw(x)), 0.0), axis=0)
    fixed_derivative = np.sum(np.where(r == n - m - 1, _at_zero(m + 1, count, raw(x)), 0.0), axis=0)
    total, derivative = np.sum(terms, axis=0) + fixed, np.sum(derivatives, axis=0) + fixed_derivative
    cancels = [
        np.sum(np.abs(raw(part)), axis=0) + np.abs(rest) > most * np.abs(raw(w))
        for part, rest, w in ((terms, fixed, total), (derivatives, fixed_derivative, derivative))
    ]
    known = np.where(cancels[0] & cancels[1], np.nan, 1.0)
    total, derivative = known * total, known * derivative
    rest = (1 - x) * (1 + x)
    return rest ** (m / 2) * total, rest ** (m / 2) * derivative - (m != 0) * m * x * rest ** (m / 2 - (m != 0)) * total


@of_parity("ang1")
def angular_of_mode(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The same at a characteristic value.

    Prolate functions are summed about the pole where they are small; where the sums cancel, the equation is marched
    from `x = 0` to where the functions stop oscillating.
    """
    shape, args = flat(raw(m), raw(n), c, value, x)
    near_pole = is_near_pole(sign, raw(args[2]), raw(args[-1])) & _is_beyond(sign, *args)
    parts = [(near_pole, partial(by_modes, 2, _about_pole)), (~near_pole, partial(angular, sign, is_given=False))]
    result, derivative = completed(by_region(parts, *args), partial(_marched_angular, sign), *args)
    return np.reshape(result, shape), np.reshape(derivative, shape)


def is_near_pole(sign: int, c: Any, x: Any) -> Any:
    """Where functions of a mode that decrease are summed about the pole."""
    return (sign == 1) & (c > _CONCENTRATED) & (np.abs(x) > _NEAR_POLE)


def _marched_angular(sign: int, *args: Any) -> tuple[Any, Any]:
    is_beyond = _is_beyond(sign, *args)
    kernels = [(is_beyond, _beyond_oscillation), (~is_beyond, _from_zero)]
    return by_region([(here, partial(by_modes, 2, partial(kernel, sign))) for here, kernel in kernels], *args)


def _is_beyond(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> Any:
    return np.abs(raw(x)) > _end_of_oscillation(m, sign * raw(c) ** 2, raw(value))


def _end_of_oscillation(m: Any, square: Any, value: Any) -> Any:
    """Where the functions begin to decrease: the last zero of `value - square x**2 - m**2 / (1 - x**2)`."""
    total = value + square
    root = np.sqrt(np.fmax(total * total - 4 * square * (value - m * m), 0.0))
    return np.sqrt(np.clip((total - root) / (2 * square), 0.0, 1.0))


def value_at_zero(m: Any, n: Any, k: Any, p: Any) -> Any:
    """The function of degree `n` at 0, or its derivative: that of the Legendre function."""
    parts = products(-(k + m + p + 0.5) / (k + 1))
    value = np.sum(np.where(2 * k + p == n - m, parts, 0.0), axis=0)
    return 2**m * rgamma(0.5) / rgamma(m + 0.5) * (2 * m + 1) ** p * value


def _from_zero(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The equation marched from `x = 0`."""
    p = (n - m) % 2
    zero = 0 * raw(x)
    first = value_at_zero(m, n, counted(int(np.max(n - m, initial=0)) + 1, zero), p) + zero
    u, du = np.where(p == 0, first, 0.0), np.where(p == 1, first, 0.0)
    u, du = marched(1, m, sign * c * c, value, x, zero, u, du)
    rest = (1 - x) * (1 + x)
    return rest ** (m / 2) * u, rest ** (m / 2) * (du - m * x / rest * u)


def _beyond_oscillation(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The sum about the pole, which the march to where that begins tells up to a factor."""
    end = np.copysign(_end_of_oscillation(m, sign * raw(c) ** 2, raw(value)), raw(x))
    known, _ = _from_zero(sign, m, n, c, value, end)
    there, _ = _pole_sum(sign, m, n, c, value, end)
    result, derivative = _pole_sum(sign, m, n, c, value, x)
    return known / there * result, known / there * derivative


def _pole_sum(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`x**p (1 - x**2)**(m/2) f(1 - x**2)` and its derivative, multiples of the function and its."""
    p = (n - m) % 2
    u = (1 - x) * (1 + x)
    k, f = pole_series(_pole_count(m, n, c), m, p, sign * c * c, value)
    powers = powers_of(u, len(k))
    total, derivative = np.sum(f * powers, axis=0), np.sum(k * f * row_before(powers), axis=0)
    root, odd = u ** (m / 2), np.where(p == 1, x, 1.0)
    return root * odd * total, root * (p * total - 2 * x * odd * derivative) - m * x / u * (root * odd * total)


def _pole_count(m: Any, n: Any, c: Any) -> int:
    return max(_POLE_TERMS + int(2 * np.max(raw(c), initial=0.0)), int(np.max(n - m, initial=0)) + 1)


def _about_pole(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The same of a prolate function, which its value at `x = 0` tells; NaN where the sum cancels there."""
    k, f = pole_series(_pole_count(m, n, c), m, (n - m) % 2, c * c, value)
    at_zero, size = np.sum(f, axis=0), np.sum(np.abs(raw(f)), axis=0)
    known = np.where(size > MOST_CANCELLED * np.abs(raw(at_zero)), np.nan, value_at_zero(m, n, k, (n - m) % 2))
    result, derivative = _pole_sum(1, m, n, c, value, x)
    return known / at_zero * result, known / at_zero * derivative
