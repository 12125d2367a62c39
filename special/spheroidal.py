"""Spheroidal wave functions with their derivatives in `c` and in the characteristic value.

The coefficients `d_r` of the expansion in Legendre functions solve a three-term recurrence, DLMF 30.8.4, whose matrix
is `T = D + C M` with `C = c**2` for prolate and `-c**2` for oblate functions. Its eigenvalue is the characteristic
value, so `d(lambda) / dC = l @ M @ d / (l @ d)` with the left eigenvector `l`. The vector `d` as a function of
`(lambda, c)` is had from recurrences; the functions are sums with these coefficients, in Flammer's normalisation, as
SciPy has it.

Far out the radial functions are expanded about infinity, which does not need `d`.

The expansion of the radial function of the second kind converges as `x**-2 k`; below 2.5 its Taylor series are
marched inwards, in which direction it grows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import rgamma

from ..complex_autograd.array import raw
from .bessel_sequences import Orders, slopes_of_spherical, spherical_j_sequence, spherical_y_sequence
from .parameters import by_parts, flat, march
from .tridiagonal import null_vector

__all__ = [
    "angular",
    "angular_of_mode",
    "characteristic_slope",
    "is_far_out",
    "polished",
    "radial_of_mode",
    "radial_one",
    "radial_two",
]

_SERIES_FROM = 2.5
_RATIO = 0.5
"""A step of the march at most, as a part of the distance to the next singular point."""
_MOST_LOST = 1e5
"""By how much the terms of a sum may exceed it: 11 digits are right then."""
_NEAR_POLE, _CONCENTRATED, _POLE_TERMS = 0.7, 6.0, 40
"""Of `|x|` and of `c`, from where prolate angular functions are summed about the pole, and so many terms at least."""
_FARTHER, _LONG, _FAR_TERMS = 5.0, 30.0, 40
"""Of `x` and `c x`, from where the radial functions are expanded about infinity, and the number of terms."""
_SPLIT = 2.0**27 + 1
"""It halves the digits of a number."""
_TAYLOR_TERMS = 50
_MOST_STEPS = 5000


class _Recurrence:
    """The rows of `D + C M`: `C a[k] d[k+1] + (D[k] + C b[k]) d[k] + C g[k] d[k-1]`; `d[k] = d_r`, `r = 2 k + p`."""

    def __init__(self, m: Any, n: Any, c: Any) -> None:
        self.m, self.n = raw(m), raw(n)
        self.p = (self.n - self.m) % 2
        count = 30 + int(np.max(self.n) / 2) + int(np.max(np.abs(raw(c))))
        self.orders = [2.0 * k + self.p for k in range(count)]
        m = self.m
        self.diagonal = [(m + r) * (m + r + 1) for r in self.orders]
        self.a = [(2 * m + r + 2) * (2 * m + r + 1) / ((2 * m + 2 * r + 3) * (2 * m + 2 * r + 5)) for r in self.orders]
        self.b = [
            (2 * (m + r) * (m + r + 1) - 2 * m * m - 1) / ((2 * m + 2 * r - 1) * (2 * m + 2 * r + 3))
            for r in self.orders
        ]
        self.g = [r * (r - 1) / ((2 * m + 2 * r - 3) * (2 * m + 2 * r - 1)) for r in self.orders]

    def vector(self, square: Any, value: Any) -> list[Any]:
        """The coefficients up to a factor, for `C = square`.

        The row that is left out is the first from the end where they stop growing, as in SciPy, so that off the
        characteristic value the dependence on it is the same.
        """
        diagonal = [d + square * b - value for d, b in zip(self.diagonal, self.b, strict=True)]
        plain = [raw(x) for x in diagonal]
        middle: Any = np.zeros_like(sum(plain), dtype=np.int64)
        ratio: Any = 0.0
        for k in range(len(plain) - 1, 0, -1):
            ratio = -self.g[k] * raw(square) / (plain[k] + self.a[k] * raw(square) * ratio)
            stops = (middle == 0) & ~(np.abs(ratio) < 1)
            middle = middle + k * stops
        upper, lower = [square * a for a in self.a], [square * g for g in self.g[1:]]
        return null_vector(diagonal, upper, lower, middle)

    def quotients(self, d: list[Any]) -> tuple[Any, Any]:
        """`l @ D @ d` and `l @ M @ d` over `l @ d`, where `l[k] = s[k] d[k]` with `s[k+1] / s[k] = a[k] / g[k+1]`."""
        weight: Any = 1.0
        of_diagonal, of_matrix, total = 0.0, 0.0, 0.0
        last = len(d) - 1
        for k, x in enumerate(d):
            image = self.b[k] * x
            image = image + self.g[k] * d[k - 1] if k else image
            image = image + self.a[k] * d[k + 1] if k < last else image
            left = weight * x
            of_diagonal, of_matrix = of_diagonal + left * self.diagonal[k] * x, of_matrix + left * image
            total = total + left * x
            weight = weight * self.a[k] / self.g[k + 1] if k < last else weight
        return of_diagonal / total, of_matrix / total

    def normalised(self, d: list[Any]) -> list[Any]:
        """Flammer's: the function or its slope at 0 is that of the Legendre function of degree `n`.

        `sum_k t_k d_r = t_j` with `t_k = (-1)**k (r + 2 m + p)! / (2**r ((r - p)/2)! ((r + p)/2 + m)!)`, all of them
        divided by `t_0`, and `j = (n - m - p) / 2`.  NaN where the sum cancels too much.
        """
        m, p = self.m, self.p
        j = (self.n - m - p) // 2
        part: Any = 1.0
        total, size, at_j = 0.0, 0.0, 0.0
        for k, x in enumerate(d):
            term = part * x
            total, size = total + term, size + np.abs(raw(term))
            at_j = at_j + part * (j == k)
            part = -part * (k + m + p + 0.5) / (k + 1)
        scale = np.where(size > _MOST_LOST * np.abs(raw(total)), np.nan, at_j / total)
        return [x * scale for x in d]


def characteristic_slope(sign: int) -> Any:
    """The derivative of the characteristic value in `c`; `sign` is 1 for prolate and -1 for oblate functions."""

    def partial(value: Any, m: Any, n: Any, c: Any) -> Any:
        rows = _Recurrence(m, n, c)
        return 2 * sign * c * rows.quotients(rows.vector(sign * c * c, value))[1]

    return partial


def polished(sign: int, m: Any, n: Any, c: Any, value: Any) -> Any:
    """A characteristic value with its last digits put right by a Rayleigh quotient."""
    square = sign * raw(c) * raw(c)
    rows = _Recurrence(m, n, c)
    of_diagonal, of_matrix = rows.quotients(rows.vector(square, raw(value)))
    return value + (of_diagonal + square * of_matrix - raw(value))


def angular(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The angular function of the first kind and its slope; NaN where the sums cancel too much."""
    rows = _Recurrence(m, n, c)
    m = rows.m
    d = rows.normalised(rows.vector(sign * c * c, value))
    # P_l^m = (1 - x**2)**(m/2) u_l, without the phase (-1)**m; u_m = (2 m - 1)!!
    first: Any = 2**m * rgamma(0.5) / rgamma(m + 0.5) + 0 * x
    below, u, below_slope, u_slope = 0 * first, first, 0 * first, 0 * first
    total, slope, sizes = 0.0, 0.0, [0.0, 0.0]
    for r in range(int(2 * len(d))):
        weight = (rows.p == r % 2) * d[r // 2]
        terms = weight * u, weight * u_slope
        total, slope = total + terms[0], slope + terms[1]
        sizes = [size + np.abs(raw(term)) for size, term in zip(sizes, terms, strict=True)]
        scale = 1 / (r + 1)
        above = ((2 * r + 2 * m + 1) * x * u - (r + 2 * m) * below) * scale
        above_slope = ((2 * r + 2 * m + 1) * (u + x * u_slope) - (r + 2 * m) * below_slope) * scale
        below, u, below_slope, u_slope = u, above, u_slope, above_slope
    cancels = [size > _MOST_LOST * np.abs(raw(w)) for size, w in zip(sizes, (total, slope), strict=True)]
    known = np.where(cancels[0] & cancels[1], np.nan, 1.0)
    total, slope = known * total, known * slope
    rest = 1 - x * x
    return rest ** (m / 2) * total, rest ** (m / 2) * slope - (m != 0) * m * x * rest ** (m / 2 - (m != 0)) * total


def angular_of_mode(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The same at a characteristic value: prolate functions are summed about the pole where they are small."""
    shape, (m, n, c, value, x) = flat(raw(m), raw(n), c, value, x)
    near_pole = (sign == 1) & (np.abs(raw(x)) > _NEAR_POLE) & (raw(c) > _CONCENTRATED)
    parts = [(near_pole, _about_pole), (~near_pole, lambda *args: angular(sign, *args))]
    result, slope = by_parts(parts, m, n, c, value, x)
    return np.reshape(result, shape), np.reshape(slope, shape)


def _about_pole(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`S = a x**p (1 - x**2)**(m/2) f(u)`, `u = 1 - x**2`, with `a` from the sum at `x = 0`; NaN where that cancels.

    By the spheroidal equation, DLMF 30.2.1, `4 (k + 1) (k + m + 1) f_(k+1) = (4 k (k - 1) + (4 m + 4 p + 6) k - L + C)
    f_k - C f_(k-1)`, `C = c**2` and `L = value - (m + p) (m + p + 1)`.
    """
    p = (n - m) % 2
    u = (1 - x) * (1 + x)
    square = c * c
    rest = square - value + (m + p) * (m + p + 1)
    below, term, power = 0.0, 1.0 + 0 * u, 1.0 + 0 * u
    total, slope, at_zero, size = term, 0 * u, term, np.abs(raw(term))
    for k in range(_POLE_TERMS + int(2 * np.max(raw(c)))):
        below, term = (
            term,
            (((4 * (k - 1) + 4 * m + 4 * p + 6) * k + rest) * term - square * below) * (0.25 / ((k + 1) * (k + m + 1))),
        )
        slope = slope + (k + 1) * (power * term)
        power = power * u
        total, at_zero, size = total + power * term, at_zero + term, size + np.abs(raw(term))
    j = (n - m - p) // 2
    value_at_zero = 2**m * rgamma(0.5) / rgamma(m + 0.5) * (2 * m + 1) ** p
    for k in range(int(np.max(j, initial=0))):
        value_at_zero = np.where(k < j, -value_at_zero * (k + m + p + 0.5) / (k + 1), value_at_zero)
    scale = np.where(size > _MOST_LOST * np.abs(raw(at_zero)), np.nan, value_at_zero) / at_zero
    root, odd = u ** (m / 2), np.where(p == 1, x, 1.0)
    result = scale * root * odd * total
    return result, scale * root * (p * total - 2 * x * odd * slope) - m * x / u * result


def _radial_series(sequence: Any, sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The expansion in spherical Bessel functions, DLMF 30.11.3, and its slope; NaN where the sums cancel too much."""
    rows = _Recurrence(m, n, c)
    m, p = rows.m, rows.p
    d = rows.vector(sign * c * c, value)
    u = c * x
    functions = sequence(u, highest=int(np.max(m)) + 2 * len(d) + 2)
    bessel, bessel_slopes = Orders(functions), Orders(slopes_of_spherical(functions))
    part: Any = 1.0
    total, slope, divisor = 0.0, 0.0, 0.0
    sizes: list[Any] = [0.0, 0.0, 0.0]
    phase = 1 - 2 * ((rows.n - m - p) // 2 % 2)
    for k, coefficient in enumerate(d):
        weight = part * coefficient
        order = m + 2 * k + p
        signed = weight * ((-1) ** k * phase)
        terms = _finite(signed, bessel.at(order)), _finite(signed, bessel_slopes.at(order)), weight
        total, slope, divisor = total + terms[0], slope + terms[1], divisor + terms[2]
        sizes = [size + np.abs(raw(term)) for size, term in zip(sizes, terms, strict=True)]
        part = part * (m + k + 1.0) * (m + k + p + 0.5) / ((k + 1.0) * (k + p + 0.5))
    cancels = [size > _MOST_LOST * np.abs(raw(x)) for size, x in zip(sizes, (total, slope, divisor), strict=True)]
    factor = np.where((cancels[0] & cancels[1]) | cancels[2], np.nan, (1 - sign / (x * x)) ** (m / 2) / divisor)
    result = factor * total
    return result, factor * c * slope + sign * m * result / (x * (x * x - sign))


def _rounding(c: Any, x: Any) -> Any:
    """What `c x` loses by rounding, from halves of the digits of both (T. J. Dekker, Numer. Math. 18 (1971) 224)."""
    c_high, x_high = ((_SPLIT * y) - (_SPLIT * y - y) for y in (c, x))
    c_low, x_low = c - c_high, x - x_high
    return ((c_high * x_high - c * x) + c_high * x_low + c_low * x_high) + c_low * x_low


def _finite(weight: Any, function: Any) -> Any:
    """Their product; 0 where the coefficient is so small that the function is infinite."""
    return weight * np.where(np.isfinite(raw(function)), function, 0.0)


def radial_one(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The radial function of the first kind and its slope."""
    return _radial_series(spherical_j_sequence, sign, m, n, c, value, x)


def radial_of_mode(kind: int) -> Any:
    """The kernel of the radial function of the first or second kind at a characteristic value."""
    near = radial_one if kind == 1 else radial_two

    def kernel(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        shape, (m, n, c, value, x) = flat(raw(m), raw(n), c, value, x)
        is_far = is_far_out(raw(c), raw(x))
        parts = [
            (is_far, lambda *args: _about_infinity(sign, kind, *args)),
            (~is_far, lambda *args: near(sign, *args)),
        ]
        result, slope = by_parts(parts, m, n, c, value, x)
        return np.reshape(result, shape), np.reshape(slope, shape)

    return kernel


def is_far_out(c: Any, x: Any) -> Any:
    """Where the expansion about infinity is used."""
    return (x > _FARTHER) & (c * x > _LONG) & (x > c / 4)


def _about_infinity(sign: int, kind: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """`R1 + i R2 = (1 - sign / x**2)**(m/2) exp(i (c x - (n + 1) pi / 2)) / (c x) sum_k b_k x**-k`, or NaN.

    By the equation in `_taylor`, with `s_k = k + m + 1` and `b_0 = 1`, `2 i c (k + 1) b_(k+1) = (s_k (s_k - 2 m - 1) +
    sign c**2 - value + m (m + 1)) b_k + sign (2 i c s_(k-1) b_(k-1) - s_(k-2) (s_(k-2) + 1) b_(k-2))`.
    """
    w = 1 / x
    step = w / (2j * c)
    rest = sign * c * c - value + m * (m + 1)
    terms: list[Any] = [0.0, 0.0, 1.0 + 0j * w]  # b_k x**-k
    total, slope, size = terms[2], -(m + 1) * terms[2], 1.0
    for k in range(_FAR_TERMS):
        s = k + m + 1
        new = (s * (s - 2 * m - 1) + rest) * terms[2] * step
        new = new + sign * (s - 1) * w * w * terms[1] - sign * (s - 2) * (s - 1) * (w * w * step) * terms[0]
        terms = [*terms[1:], new * (1.0 / (k + 1))]
        total, slope = total + terms[2], slope - (s + 1) * terms[2]
        size = np.maximum(size, np.abs(raw(terms[2])))
    has_ended = np.abs(raw(terms[2])) + np.abs(raw(terms[1])) <= 1e-17 * np.abs(raw(total))
    known = np.where(has_ended & (size <= 1000 * np.abs(raw(total))), 1.0, np.nan)
    phase = np.exp(1j * (c * x)) * (1 + 1j * _rounding(raw(c), raw(x))) * (-1j) ** (n + 1)
    scale = known * (1 - sign * w * w) ** (m / 2) * w / c * phase
    result = scale * total
    derivative = scale * (1j * c * total + slope * w) + m * x / (x * x - sign) * result
    part = np.real if kind == 1 else np.imag
    return part(result), part(derivative)


def radial_two(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The radial function of the second kind and its slope."""
    start = np.where(raw(x) < _SERIES_FROM, _SERIES_FROM, x)
    result, slope = _radial_series(spherical_y_sequence, sign, m, n, c, value, start)
    if np.all(raw(x) >= _SERIES_FROM):
        return result, slope
    # in u = (x**2 - sign)**(-m/2) R
    shape, (m, c, value, x, start, result, slope) = flat(raw(m), c, value, x, raw(start), result, slope)
    scale = (start * start - sign) ** (-m / 2)
    u, du = scale * result, scale * (slope - m * start / (start * start - sign) * result)
    u, du = march(_path(raw(value), raw(c), start, raw(x), sign), x, u, du, _taylor, m, c, value, 0 * start + sign)
    rest = x * x - sign
    scale = rest ** (m / 2)
    inner = scale * u, scale * (du + m * x / rest * u)
    outer = raw(x) >= _SERIES_FROM
    result, slope = (np.where(outer, w, v) for w, v in zip((result, slope), inner, strict=True))
    return np.reshape(result, shape), np.reshape(slope, shape)


def _path(value: Any, c: Any, here: Any, end: Any, sign: int) -> list[Any]:
    """The points between which the march goes inwards."""
    here = np.maximum(here, end)
    points = [here]
    while np.any(here != end) and len(points) < _MOST_STEPS:
        room = here - 1 if sign == 1 else np.sqrt(here * here + 1)
        rate = np.sqrt((np.abs(value) + c * c * here * here + 1) / (here * here - sign))
        step = np.minimum(_RATIO * room, 2 / rate)
        here = np.where(here - end > step, here - step, end)
        points.append(here)
    return points


def _taylor(x: Any, h: Any, u: Any, slope: Any, m: Any, c: Any, value: Any, sign: Any) -> tuple[Any, Any]:
    """The solution of `(x**2 - sign) u'' + 2 (m + 1) x u' + (c**2 x**2 - value + m (m + 1)) u = 0`, and its slope.

    With `g_k` the terms of its Taylor series at `x`, `(k + 2) (k + 1) (x**2 - sign) g_(k+2) =
    -2 (k + 1) (k + m + 1) x h g_(k+1) - ((k + m) (k + m + 1) - value + c**2 x**2) h**2 g_k
    - 2 c**2 x h**3 g_(k-1) - c**2 h**4 g_(k-2)`.
    """
    scale = h / (x * x - sign)
    first, square = -2 * x * scale, -h * scale
    second = (c * c * x * x - value) * square
    third = 2 * c * c * x * h * square
    fourth = c * c * h * h * square
    g: list[Any] = [0.0, 0.0, u, slope * h]
    u, rise = g[2] + g[3], g[3]
    for k in range(_TAYLOR_TERMS + 3 * int(np.max(raw(m), initial=0))):
        upper = (k + 1) * (k + m + 1) * first * g[3] + ((k + m) * (k + m + 1) * square + second) * g[2]
        upper = (upper + third * g[1] + fourth * g[0]) * (1.0 / ((k + 2) * (k + 1)))
        g = [*g[1:], upper]
        u = u + upper
        rise = rise + (k + 2) * upper
    return u, rise / h
