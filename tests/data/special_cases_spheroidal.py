"""References of spheroidal wave functions in Flammer's normalisation, DLMF chapter 30.

The coefficients of the series in Legendre and in spherical Bessel functions solve a recurrence of three terms; with
the sign 1 for prolate and -1 for oblate functions in `square = sign c**2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import mpmath as mp
from special_cases import between, either, of, scales, signed, whole
from special_cases_mathieu import difference, eigenvalue

add = of("spheroidal")

SERIES_FROM = 2.5
"""From here on the series of the second kind is summed; further in the equation is marched."""

ROUNDINGS = mp.mpf(2) ** -44
"""Of a characteristic value, relative: with a smaller square of `c` it does not tell the degree's row from others."""


def rows(m: int, n: int, square: Any, count: int) -> tuple[list[Any], list[Any], list[Any]]:
    """The coefficients of `d[k + 1]`, `d[k]` and `d[k - 1]` with r = 2 k + p, DLMF 30.8.4 in Flammer's letters."""
    upper, diagonal, lower = [], [], []
    for r in range((n - m) % 2, 2 * count, 2):
        t = mp.mpf(m + r)
        upper.append(square * (2 * m + r + 2) * (2 * m + r + 1) / ((2 * t + 3) * (2 * t + 5)))
        diagonal.append(t * (t + 1) + square * (2 * t * (t + 1) - 2 * m * m - 1) / ((2 * t - 1) * (2 * t + 3)))
        lower.append(square * r * (r - 1) / ((2 * t - 3) * (2 * t - 1)))
    return upper, diagonal, lower


def count_of(n: int, square: Any, precision: int) -> int:
    return precision // 4 + n + 10 + int(2 * mp.sqrt(abs(square)))


@lru_cache(maxsize=64)
def value_of_modes(m: int, n: int, square: Any, precision: int) -> Any:
    with mp.workprec(precision + 80):
        upper, diagonal, lower = rows(m, n, square, count_of(n, square, precision))
        sign = mp.sign(square)
        symmetric = [sign * mp.sqrt(a * g) for a, g in zip(upper, lower[1:], strict=False)]
        return eigenvalue(diagonal, symmetric, (n - m) // 2)


@lru_cache(maxsize=64)
def coefficients(m: int, n: int, square: Any, value: Any, precision: int) -> list[Any]:
    """Up to a factor, each with full relative accuracy.

    Every row holds but the first from the end that does not make them smaller: so SciPy defines them where the value
    is not the characteristic one.  Where `square` is less than roundings of the value, it is the row of the degree.
    """
    with mp.workprec(precision + 80):
        upper, diagonal, lower = rows(m, n, square, count_of(n, square, precision))
        diagonal = [x - value for x in diagonal]
        falling, middle = [mp.mpf(0)], len(diagonal) - 1
        is_lost = abs(square) < ROUNDINGS * abs(value) and abs(value - n * (n + 1)) < ROUNDINGS * abs(value)
        while middle > 0:
            ratio = -lower[middle] / (diagonal[middle] + upper[middle] * falling[0])
            if abs(ratio) >= 1 or (is_lost and middle == (n - m) // 2):
                break
            falling.insert(0, ratio)
            middle -= 1
        rising = []
        for k in range(middle):
            rising.append(-upper[k] / (diagonal[k] + (lower[k] * rising[-1] if k else 0)))
        d = [mp.mpf(1)]
        for ratio in reversed(rising):
            d.insert(0, d[0] * ratio)
        for ratio in falling[:-1]:
            d.append(d[-1] * ratio)
        return d


def solved(m: Any, n: Any, square: Any, value: Any) -> tuple[int, int, Any, list[Any]]:
    m, n = int(m), int(n)
    value = value_of_modes(m, n, square, mp.mp.prec) if value is None else value
    return m, n, value, coefficients(m, n, square, value, mp.mp.prec)


def angular(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The sum of `d_r P_(m+r)^m`, with `P_m^m = (2 m - 1)!! (1 - x**2)**(m / 2)`; at 0 as the one of degree n."""
    m, n, _, d = solved(m, n, sign * c * c, value)
    p = (n - m) % 2
    scale, size, part = mp.mpf(0), mp.mpf(0), mp.mpf(1)
    for k, x_k in enumerate(d):
        size += part if k == (n - m - p) // 2 else 0
        scale += part * x_k
        part *= -(k + m + p + mp.mpf(1) / 2) / (k + 1)
    below, here = mp.mpf(0), mp.fac2(2 * m - 1) * (1 - x * x) ** (mp.mpf(m) / 2)
    total, first_derivative = mp.mpf(0), mp.mpf(0)
    for r in range(2 * len(d) - 1):
        t = m + r
        if r % 2 == p:
            total += d[r // 2] * here
            first_derivative += d[r // 2] * ((t + m) * below - t * x * here) / (1 - x * x)
        below, here = here, ((2 * t + 1) * x * here - (t + m) * below) / (r + 1)
    return total * size / scale, first_derivative * size / scale


def series(sign: int, sequence: Any, m: int, n: int, c: Any, d: list[Any], x: Any) -> tuple[Any, Any]:
    """The expansion in spherical Bessel functions, DLMF 30.11.3, and its derivative."""
    p = (n - m) % 2
    count = m + 2 * len(d) + 2
    f = [mp.sqrt(mp.pi / (2 * c * x)) * y for y in sequence(count, c * x)]
    total, first_derivative, divisor = mp.mpf(0), mp.mpf(0), mp.mpf(0)
    for k, x_k in enumerate(d):
        t = m + 2 * k + p
        weight = x_k * mp.rf(2 * k + p + 1, 2 * m)
        signed_weight = weight * (-1) ** (k - (n - m - p) // 2)
        total += signed_weight * f[t]
        first_derivative += signed_weight * ((f[t - 1] if t else 0) * t - (t + 1) * f[t + 1]) / (2 * t + 1)
        divisor += weight
    factor = (1 - sign / (x * x)) ** (mp.mpf(m) / 2) / divisor
    return factor * total, factor * (c * first_derivative + sign * m * total / (x * (x * x - sign)))


def shifted_y(count: int, z: Any) -> list[Any]:
    """`Y_(n + 1/2)`, upwards."""
    root = mp.sqrt(2 / (mp.pi * z))
    out = [-mp.cos(z) * root, -(mp.cos(z) / z + mp.sin(z)) * root]
    for n in range(1, count - 1):
        out.append((2 * n + 1) / z * out[-1] - out[-2])
    return out


def shifted_j(count: int, z: Any) -> list[Any]:
    """`J_(n + 1/2)`, downwards."""
    out = [mp.besselj(count - mp.mpf(3) / 2, z), mp.besselj(count - mp.mpf(1) / 2, z)]
    for n in range(count - 2, 0, -1):
        out.insert(0, (2 * n + 1) / z * out[0] - out[1])
    return out


def marched(
    sign: int, m: int, c: Any, value: Any, start: Any, end: Any, r: Any, first_derivative: Any
) -> tuple[Any, Any]:
    """The solution of the radial equation at `end`: Taylor series of `u = (x**2 - sign)**(-m / 2) R`."""
    power, x = mp.mpf(m) / 2, start
    rest = x * x - sign
    u, u_derivative = rest**-power * r, rest**-power * (first_derivative - m * x / rest * r)
    while x != end:
        room = x - 1 if sign == 1 else mp.sqrt(x * x + 1)
        h = max(end - x, -room / 3)
        rest = x * x - sign
        t = [mp.mpf(0), mp.mpf(0), u, u_derivative * h]
        new, rise, k = t[2] + t[3], t[3], 0
        while k < 10 + m or max(abs(y) for y in t) > mp.eps * abs(new) / 1000:
            above = -2 * (k + 1) * (k + m + 1) * x * h * t[3]
            above -= ((k + m) * (k + m + 1) - value + c * c * x * x) * h**2 * t[2]
            above -= c * c * (2 * x * h**3 * t[1] + h**4 * t[0])
            t = [*t[1:], above / ((k + 2) * (k + 1) * rest)]
            new += t[3]
            rise += (k + 2) * t[3]
            k += 1
        x, u, u_derivative = x + h, new, rise / h
        x = end if abs(x - end) < mp.eps * 100 else x
    rest = x * x - sign
    return rest**power * u, rest**power * (u_derivative + m * x / rest * u)


def radial(kind: int) -> Any:
    def function(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        if c <= 0:
            raise ValueError("c must be positive")
        with mp.workprec(mp.mp.prec + 40):
            m, n, value, d = solved(m, n, sign * c * c, value)
            if kind == 1:
                return series(sign, shifted_j, m, n, c, d, x)
            start = max(x, mp.mpf(SERIES_FROM))
            r, first_derivative = series(sign, shifted_y, m, n, c, d, start)
            return marched(sign, m, c, value, start, x, r, first_derivative)

    return function


def second_derivative(sign: int, is_radial: bool, args: Sequence[Any], r: Any, first_derivative: Any) -> Any:
    """By the differential equation, DLMF 30.2.1; the radial oblate functions have i x in place of x."""
    m, n, c, x = args
    value = value_of_modes(int(m), int(n), sign * c * c, mp.mp.prec)
    if is_radial and sign == -1:
        return ((value - c * c * x * x - m * m / (1 + x * x)) * r - 2 * x * first_derivative) / (1 + x * x)
    rest = 1 - x * x
    return (2 * x * first_derivative - (value - sign * c * c * x * x - m * m / rest) * r) / rest


def declare(name: str, function: Any, where: Any, where_of_value: Any) -> None:
    """The cases of a function of `(m, n, c, x)` and of the one of `(m, n, c, cv, x)`, two outputs each."""
    sign = 1 if name.startswith("pro") else -1

    def modes(m: float, more: float, c: float, x: float) -> tuple[float, ...]:
        return m, m + more, c, x

    def modes_and_value(m: float, more: float, c: float, x: float) -> tuple[float, ...]:
        with mp.workdps(30):
            value = value_of_modes(int(m), int(m + more), sign * mp.mpf(c) ** 2, mp.mp.prec)
        return m, m + more, c, float(value), x

    for k in range(2):

        def own(m: Any, n: Any, c: Any, x: Any, k: int = k) -> Any:
            return function(sign, m, n, c, None, x)[k]

        def derivative(i: int, args: Sequence[Any], k: int = k, own: Any = own) -> Any:
            if i == 2:
                return difference(own)(i, args)
            r, first_derivative = function(sign, *args[:3], None, args[3])
            return second_derivative(sign, "rad" in name, args, r, first_derivative) if k else first_derivative

        def of_value(m: Any, n: Any, c: Any, cv: Any, x: Any, k: int = k) -> Any:
            return function(sign, m, n, c, cv, x)[k]

        add(f"{name}[{k}]", own, *where, active=(2, 3), derivative=derivative, prepare=modes)
        further = {"derivative": difference(of_value), "prepare": modes_and_value}
        add(f"{name}_cv[{k}]", of_value, *where_of_value, active=(2, 3, 4), **further)


ORDER, MORE, HARD_ORDER, HARD_MORE = whole(0, 4), whole(0, 5), whole(0, 10), whole(0, 12)
WAVE, HARD_WAVE = between(0.1, 6), either(scales(0.01, 0.1), between(6, 30))
for name, sign in (("pro_cv", 1), ("obl_cv", -1)):

    def characteristic(m: Any, n: Any, c: Any, sign: int = sign) -> Any:
        return value_of_modes(int(m), int(n), sign * c * c, mp.mp.prec)

    VALUES = (ORDER, MORE, WAVE), (HARD_ORDER, HARD_MORE, HARD_WAVE)
    further = {"derivative": difference(characteristic), "prepare": lambda m, more, c: (m, m + more, c)}
    add(name, characteristic, *VALUES, active=(2,), **further)

INSIDE = between(-0.95, 0.95), signed(either(scales(1e-4, 0.05), between(0.95, 0.9999)))
RANGES = {
    "pro_ang1": INSIDE,
    "obl_ang1": INSIDE,
    "pro_rad1": (between(1.1, 8), either(between(1.001, 1.1), between(8, 60))),
    "obl_rad1": (between(0.1, 8), either(scales(1e-3, 0.1), between(8, 60))),
}
FAR = between(2.6, 8), between(8, 60)
for kind, function in (
    ("ang1", angular),
    ("rad1", radial(1)),
    ("rad2", radial(2)),
):
    for shape in ("pro", "obl"):
        ordinary, hard = RANGES[f"{shape}_{kind.replace('2', '1')}"]
        far = FAR if kind == "rad2" else (ordinary, hard)
        declare(
            f"{shape}_{kind}",
            function,
            ((ORDER, MORE, WAVE, ordinary), (HARD_ORDER, HARD_MORE, HARD_WAVE, hard)),
            ((ORDER, MORE, WAVE, far[0]), (HARD_ORDER, HARD_MORE, HARD_WAVE, far[1])),
        )
