"""Chebyshev functions of real degree by their angle, DLMF 18.5.1 and 18.5.2: values and derivatives, of plain arrays.

With `x = cos(t)` they are `T = cos(n t)` and `U = sin(m t) / sin(t)`, `m = n + 1`.  Between -1 and 1 the angle `s` is
counted from the nearer end: `t = s` at `x >= 0`, and at `x < 0`, where `t = pi - s`,

    T = cos(n pi) cos(n s) + sin(n pi) sin(n s)    and    U = (cos(n pi) sin(m s) - sin(n pi) cos(m s)) / sin(s)

lose nothing next to -1 and at nearly integer degrees.  Elsewhere the angle is complex.  The kernels are given a
number or vector of degrees and a vector of arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ...numerics.regions import beside_cut, by_region
from .chebyshev_far import FAR, t_far, t_in_degree_far, u_far, u_in_degree_far
from .derivatives import vectors

_NEAR_ZERO = 0.25
_FAR_ANGLE = 40.0
"""Imaginary parts of angles, beyond which sines are exponentials."""
_LOW = 8
"""Up to this integer degree complex arguments have sines and cosines by recurrences."""


class Interval(NamedTuple):
    """Between which ends an argument stands, without cancellation next to them.

    Attributes
    ----------
    holds, is_left : callable
        Of the argument: whether it stands between them, and nearer to the left one.
    square, cosine, sine : callable
        Of the argument: `sin(s / 2)**2`, `cos(s)` and `sin(s)`.
    general : callable
        What the kernels by the complex angle are given.
    """

    holds: Callable[[Any], Any]
    is_left: Callable[[Any], Any]
    square: Callable[[Any], Any]
    cosine: Callable[[Any], Any]
    sine: Callable[[Any], Any]
    general: Callable[[Any], Any]

    def angle(self, x: Any) -> Any:
        """`s`."""
        return 2 * np.arcsin(np.sqrt(self.square(x)))


STANDARD: Final = Interval(
    lambda x: np.abs(x) <= 1,
    lambda x: x < 0,
    lambda x: (1 - np.abs(x)) / 2,
    np.abs,
    lambda x: np.sqrt((1 - x) * (1 + x)),
    lambda x: x,
)
SHIFTED: Final = Interval(  # 2 x - 1 has lost tiny x
    lambda x: (x >= 0) & (x <= 1),
    lambda x: x < 0.5,
    lambda x: np.minimum(x, 1 - x),
    lambda x: np.abs(2 * x - 1),
    lambda x: 2 * np.sqrt(x * (1 - x)),
    lambda x: 2 * x - 1,
)
_NEXT_TO_LEFT_END: Final = STANDARD._replace(  # at complex arguments
    holds=lambda x: np.abs(1 + x) <= _NEAR_ZERO,
    is_left=lambda x: np.True_,
    square=lambda x: (1 + x) / 2,
    cosine=lambda x: -x,
)
_NEXT_TO_ZERO: Final = SHIFTED._replace(  # at complex arguments, too
    holds=lambda x: np.abs(x) <= _NEAR_ZERO, is_left=lambda x: np.True_, square=lambda x: x, cosine=lambda x: 1 - 2 * x
)


def _between(
    real: Callable[..., Any], general: Callable[..., Any], far: Callable[..., Any], on: Interval = STANDARD
) -> Callable[..., Any]:
    """The kernel by the real angle between the ends, by powers far to the right, and elsewhere by the complex angle."""

    def kernel(n: Any, x: Any) -> Any:
        x = beside_cut(x, 0.0 if on is SHIFTED else -1.0)
        if x.dtype.kind == "c":
            end = _NEXT_TO_ZERO if on is SHIFTED else _NEXT_TO_LEFT_END
            next_to_end = (end.holds(x), lambda n, x: real(n, x, end))
            return by_region([next_to_end, (True, lambda n, x: general(n, on.general(x)))], n, x)
        within = (on.holds(x), lambda n, x: real(n, x, on))
        beyond = (on.general(x) > FAR, lambda n, x: far(n, on.general(x)))
        return by_region([within, beyond, (True, lambda n, x: np.real(general(n, on.general(x))))], n, x)

    return kernel


def of_arrays(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The function `(n, x)` of plain arrays of any shape."""

    def function(n: Any, x: Any) -> Any:
        shape, columns = vectors(n, x)
        with np.errstate(all="ignore"):
            return np.reshape(kernel(*columns), shape)

    return function


def _angle(x: Any) -> Any:
    """Without cancellation at `x = 1`."""
    return 2 * np.arcsin(np.sqrt((1 - x) / 2 + 0j))


def square_of_angle(x: Any) -> Any:
    """`t**2`, real at real `x > -1`."""
    square = np.square(_angle(x))
    return square if x.dtype.kind == "c" else np.real(square)


def parity(n: Any, is_left: Any) -> tuple[Any, Any]:
    """`cos(n pi)` and `sin(n pi)` on the left, elsewhere 1 and 0; 0 where they are, and accurate next to that."""
    nearest = np.round(n)
    rest, sign = n - nearest, 1 - 2 * (nearest % 2)
    cosine, sine = sign * np.sin(np.pi * (0.5 - np.abs(rest))), sign * np.sin(np.pi * rest)
    return np.where(is_left, cosine, 1.0), np.where(is_left, sine, 0.0)


def _t(n: Any, x: Any, on: Interval) -> Any:
    ns, (a, b) = n * on.angle(x), parity(n, on.is_left(x))
    return a * np.cos(ns) + b * np.sin(ns)


def _u(n: Any, x: Any, on: Interval) -> Any:
    m, sine, (a, b) = n + 1, on.sine(x), parity(n, on.is_left(x))
    ms = m * on.angle(x)
    return np.where((sine == 0) & (b == 0), a * m, (a * np.sin(ms) - b * np.cos(ms)) / sine)


def _t_by_angle(n: Any, x: Any) -> Any:
    return np.cos(n * _angle(x))


def _u_by_angle(n: Any, x: Any) -> Any:
    angle = _angle(x)
    is_one = angle == 0
    ratio = np.sin((n + 1) * angle) / np.where(is_one, 1.0, np.sin(angle))
    return np.where(is_one, n + 1, _unless_far(ratio, n + 1, angle, -1))


def _unless_far(near: Any, m: Any, angle: Any, sign: int) -> Any:
    """`sin(m t) / sin(t)` (sign -1) or `cos(m t) / sin(t)`, far from the interval by the quotient of the exponentials.

    With `e = exp(i s t)`, `s` the sign of `Im t`, so that it is small, and `m > 0` they are
    `e**(1 - m) (1 - e**(2 m)) / (1 - e**2)` and `-i s e**(1 - m) (1 + e**(2 m)) / (1 - e**2)`.
    """
    is_far = np.abs(np.imag(angle)) > _FAR_ANGLE
    if not np.any(is_far):
        return near
    s = np.where(np.imag(angle) >= 0, 1.0, -1.0)
    exponent, size = 1j * s * angle, np.abs(m)
    power = 2 * size * exponent
    both = -np.sign(m) * np.expm1(power) if sign < 0 else -1j * s * (1 + np.exp(power))
    return np.where(is_far, np.exp((1 - size) * exponent) * both / (1 - np.exp(2 * exponent)), near)


chebyshev_t = _between(_t, _t_by_angle, t_far)
chebyshev_u = _between(_u, _u_by_angle, u_far)
shifted_t = _between(_t, _t_by_angle, t_far, SHIFTED)
shifted_u = _between(_u, _u_by_angle, u_far, SHIFTED)


def _of_numbers(real: Callable[..., Any], low: float, on: Interval) -> Callable[[float, float], np.float64]:
    """The same of numbers between `low` and 1; elsewhere NaN."""
    return lambda n, x: np.float64(real(n, np.float64(x), on) if low < x < 1 and abs(n) < np.inf else np.nan)


number_t, number_u = _of_numbers(_t, -1.0, STANDARD), _of_numbers(_u, -1.0, STANDARD)
shifted_number_t, shifted_number_u = _of_numbers(_t, 0.0, SHIFTED), _of_numbers(_u, 0.0, SHIFTED)


def recurrence(first: float) -> Callable[..., Any]:
    """The polynomials 1, `first x`, and by DLMF 18.9.1; integers `n` fall."""

    def polynomial(n: Any, x: Any) -> Any:
        n, below, current = np.broadcast_to(n, x.shape), np.ones_like(x), first * x
        out = np.where(n == 0, below, current)
        for k in range(2, int(np.max(n)) + 1):
            count = np.count_nonzero(n >= k)
            x, below, current = x[:count], current[:count], 2 * x[:count] * current[:count] - below[:count]
            out[:count] = current
        return out

    return polynomial


def _dt(n: Any, x: Any, on: Interval) -> Any:
    s, is_left = on.angle(x), on.is_left(x)
    a, b = parity(n, is_left)
    return np.where(is_left, np.pi - s, -s) * (a * np.sin(n * s) - b * np.cos(n * s))


def _du(n: Any, x: Any, on: Interval) -> Any:
    s, is_left = on.angle(x), on.is_left(x)
    ms, (a, b) = (n + 1) * s, parity(n, is_left)
    return np.where(x == 1, 1.0, np.where(is_left, s - np.pi, s) / on.sine(x)) * (a * np.cos(ms) + b * np.sin(ms))


def _polynomials(n: Any, x: Any) -> tuple[Any, Any] | None:
    """`U_(n-1)` and `T_(n+1)` of one low integer degree, DLMF 18.9.1 and 18.9.9; else None."""
    if type(n) is not float and np.all(n == n[:1]):
        n = float(n[0]) if n.shape[0] else np.nan
    if type(n) is not float or not 0 <= n <= _LOW or not n.is_integer():
        return None
    below, current = -np.ones_like(x), np.zeros_like(x)
    for _ in range(int(n)):
        below, current = current, 2 * x * current - below
    return current, x * (x * current - below) - (1 - x) * (1 + x) * current


def _sine_of_angle(x: Any, half: Any) -> Any:
    """From the sine of the half of it; its cosine is on the side of the cut where the angle is."""
    return half * np.conj(np.sqrt(2 * np.conj(1 + x) + 0j))


def _dt_by_angle(n: Any, x: Any) -> Any:
    half, found = np.sqrt((1 - x) / 2 + 0j), _polynomials(n, x)
    angle = 2 * np.arcsin(half)
    return -angle * (np.sin(n * angle) if found is None else found[0] * _sine_of_angle(x, half))


def _du_by_angle(n: Any, x: Any) -> Any:
    half, found = np.sqrt((1 - x) / 2 + 0j), _polynomials(n, x)
    angle = 2 * np.arcsin(half)
    is_one = angle == 0
    sine = np.where(is_one, 1.0, _sine_of_angle(x, half))
    cosine = np.cos((n + 1) * angle) if found is None else found[1]
    return np.where(is_one, 1.0, angle) * _unless_far(cosine / sine, n + 1, angle, 1)


t_in_degree = of_arrays(_between(_dt, _dt_by_angle, t_in_degree_far))
u_in_degree = of_arrays(_between(_du, _du_by_angle, u_in_degree_far))
shifted_t_in_degree = of_arrays(_between(_dt, _dt_by_angle, t_in_degree_far, SHIFTED))
shifted_u_in_degree = of_arrays(_between(_du, _du_by_angle, u_in_degree_far, SHIFTED))
