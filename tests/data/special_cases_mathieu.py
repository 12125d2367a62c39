"""References of Mathieu functions: eigenvectors of tridiagonal matrices, Fourier series, series of Bessel functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import mpmath as mp
from scipy.linalg import eigh_tridiagonal
from special_cases import between, either, of, one_of, scales, signed, whole

add = of("mathieu")


def difference(f: Callable[..., Any]) -> Callable[[int, Sequence[Any]], Any]:
    """The derivatives of a smooth function with half of its digits, which double precision does not notice."""

    def derivative(i: int, args: Sequence[Any]) -> Any:
        h = mp.ldexp(abs(args[i]) or mp.mpf(1), -mp.mp.prec // 4)
        above, below = (f(*args[:i], args[i] + step, *args[i + 1 :]) for step in (h, -h))
        return (above - below) / (2 * h)

    return derivative


def first_order(m: int, even: bool) -> int:
    """Of the Fourier series: DLMF 28.4.1 to 28.4.4."""
    return m % 2 if even else 2 - m % 2


def rows(m: int, q: Any, even: bool, count: int) -> tuple[list[Any], list[Any]]:
    """The diagonal and the upper diagonal of the symmetric matrix, DLMF 28.4.5 to 28.4.8."""
    p = first_order(m, even)
    diagonal = [mp.mpf((2 * k + p) ** 2) for k in range(count)]
    upper = [q] * (count - 1)
    if p == 0:
        upper[0] = q * mp.sqrt(2)
    if p == 1:
        diagonal[0] += q if even else -q
    return diagonal, upper


def eigenvalue(diagonal: list[Any], upper: list[Any], index: int) -> Any:
    """Rayleigh quotients of inverse iterations from SciPy's eigenvector."""
    plain = [float(x) for x in diagonal], [float(x) for x in upper]
    _, vectors = eigh_tridiagonal(*plain, select="i", select_range=(index, index))
    v = [mp.mpf(x) for x in vectors[:, 0]]
    last = len(v) - 1
    while True:
        image = [
            d * v[k] + (upper[k - 1] * v[k - 1] if k else 0) + (upper[k] * v[k + 1] if k < last else 0)
            for k, d in enumerate(diagonal)
        ]
        square = mp.fsum(x * x for x in v)
        value = mp.fsum(x * y for x, y in zip(v, image, strict=True)) / square
        residual = mp.sqrt(mp.fsum((y - value * x) ** 2 for x, y in zip(v, image, strict=True)) / square)
        if residual**2 < mp.eps:
            return value
        v = solved(diagonal, upper, value, v)


def solved(diagonal: list[Any], upper: list[Any], value: Any, v: list[Any]) -> list[Any]:
    """What the matrix less `value` maps to `v`, by elimination; of unit size."""
    pivots, rest = [], []
    for k, (d, x) in enumerate(zip(diagonal, v, strict=True)):
        factor = upper[k - 1] / pivots[-1] if k else 0
        pivots.append(d - value - (factor * upper[k - 1] if k else 0))
        rest.append(x - (factor * rest[-1] if k else 0))
    out = [rest[-1] / pivots[-1]]
    for k in reversed(range(len(v) - 1)):
        out.insert(0, (rest[k] - upper[k] * out[0]) / pivots[k])
    size = max(abs(x) for x in out)
    return [x / size for x in out]


@lru_cache(maxsize=64)
def spectrum(m: int, q: Any, even: bool, precision: int) -> tuple[Any, list[Any]]:
    """The characteristic value and the coefficients, each of them with full relative accuracy."""
    p = first_order(m, even)
    index = (m - p) // 2
    with mp.workprec(precision + 80):
        diagonal, upper = rows(m, q, even, precision // 4 + m + 10 + int(2 * mp.sqrt(abs(q))))
        value = eigenvalue(diagonal, upper, index)
        v = from_both_ends([d - value for d in diagonal], upper, index)
        scale = 1 / mp.sqrt(mp.fsum(x * x for x in v))
        sums = mp.fsum(x * (1 if even else 2 * k + p) / (mp.sqrt(2) if k + p == 0 else 1) for k, x in enumerate(v))
        scale = -scale if sums < 0 else scale
        return value, [x * scale / (mp.sqrt(2) if k + p == 0 else 1) for k, x in enumerate(v)]


def from_both_ends(diagonal: list[Any], upper: list[Any], middle: int) -> list[Any]:
    """The vector with 1 in the row `middle` that solves the other rows."""
    v = [mp.mpf(1)]
    ratio, ratios = mp.mpf(0), []
    for k in range(middle):
        ratio = -upper[k] / (diagonal[k] + (upper[k - 1] * ratio if k else 0))
        ratios.append(ratio)
    for ratio in reversed(ratios):
        v.insert(0, v[0] * ratio)
    ratio, ratios = mp.mpf(0), []
    for k in range(len(diagonal) - 1, middle, -1):
        ratio = -upper[k - 1] / (diagonal[k] + (upper[k] * ratio if k < len(upper) else 0))
        ratios.append(ratio)
    for ratio in reversed(ratios):
        v.append(v[-1] * ratio)
    return v


def characteristic(even: bool) -> Any:
    return lambda m, q: spectrum(int(m), q, even, mp.mp.prec)[0]


def angular(even: bool, derivative: int) -> Any:
    """The Fourier series; the angle is in degrees, the derivative with respect to radians."""

    def value(m: Any, q: Any, x: Any) -> Any:
        coefficients = spectrum(int(m), q, even, mp.mp.prec)[1]
        p, angle = first_order(int(m), even), mp.radians(x)
        total = mp.mpf(0)
        for k, c in enumerate(coefficients):
            n = 2 * k + p
            wave = mp.expj(n * angle) * (1j * n if derivative else 1)
            total += c * (wave.real if even else wave.imag)
        return total

    return value


def sequence_j(count: int, z: Any) -> list[Any]:
    """J_0, J_1, ... downwards from the last two."""
    out = [mp.besselj(count - 2, z), mp.besselj(count - 1, z)]
    for n in range(count - 2, 0, -1):
        out.insert(0, 2 * n / z * out[0] - out[1])
    return out


def sequence_y(count: int, z: Any) -> list[Any]:
    out = [mp.bessely(0, z), mp.bessely(1, z)]
    for n in range(1, count - 1):
        out.append(2 * n / z * out[-1] - out[-2])
    return out


@lru_cache(maxsize=16)
def sequences(sequence: Any, count: int, z: Any, precision: int) -> tuple[dict[int, Any], dict[int, Any]]:
    """Of negative orders too, and the derivatives, DLMF 10.6.1."""
    f = dict(enumerate(sequence(count + 2, z)))
    f |= {-n: (-1) ** n * x for n, x in f.items()}
    return f, {n: (f[n - 1] - f[n + 1]) / 2 for n in range(-count, count + 1)}


def radial(even: bool, sequence: Any, derivative: int) -> Any:
    """DLMF 28.24.2 to 28.24.5 with the index s of the largest coefficient."""

    def value(m: Any, q: Any, x: Any) -> Any:
        with mp.workprec(mp.mp.prec + 60):
            p = first_order(int(m), even)
            coefficients = spectrum(int(m), q, even, mp.mp.prec)[1]
            s = max(range(len(coefficients)), key=lambda k: abs(coefficients[k]))
            small, large = mp.sqrt(q) * mp.exp(-x), mp.sqrt(q) * mp.exp(x)
            count = len(coefficients) + s + p + 1
            j, j_derivative = sequences(sequence_j, count, small, mp.mp.prec)
            f, f_derivative = sequences(sequence, count, large, mp.mp.prec)
            mirror = 1 if even else -1

            def pair(a: int, b: int) -> Any:
                return large * j[a] * f_derivative[b] - small * j_derivative[a] * f[b] if derivative else j[a] * f[b]

            total = mp.fsum(
                (-1) ** k * c * (pair(k - s, k + s + p) + mirror * pair(k + s + p, k - s))
                for k, c in enumerate(coefficients)
            )
            divisor = coefficients[s] * (2 if s + p == 0 else 1)
            return (-1) ** ((int(m) - p) // 2) * total / divisor

    return value


def add_smooth(name: str, value: Any, where: Any, active: tuple[int, ...]) -> None:
    add(name, value, *where, active=active, derivative=difference(value))


FLAT = either(signed(scales(1e-4, 0.1)), between(10, 60), between(-60, -10), between(60, 300))
for name, even in (("mathieu_a", True), ("mathieu_b", False)):
    lowest = 0 if even else 1
    VALUES = (whole(lowest, 8), signed(between(0.1, 10))), (whole(lowest, 30), FLAT)
    add_smooth(name, characteristic(even), VALUES, (1,))
ANGLE = between(-180, 360)
RIGHT_ANGLE = either(one_of(0.0, 45.0), signed(scales(0.01, 10)), lambda s: s.choice((90, 180)) + s.uniform(-0.1, 0.1))
LESS_FLAT = either(signed(scales(1e-4, 0.1)), between(10, 60), between(-60, -10))
for name, even in (("mathieu_cem", True), ("mathieu_sem", False)):
    lowest = 0 if even else 1
    ANGULAR = (whole(lowest, 8), signed(between(0.1, 10)), ANGLE), (whole(lowest, 25), LESS_FLAT, RIGHT_ANGLE)
    for k in range(2):
        add_smooth(f"{name}[{k}]", angular(even, k), ANGULAR, (1, 2))
for name, even, sequence in (
    ("mathieu_modcem1", True, sequence_j),
    ("mathieu_modcem2", True, sequence_y),
    ("mathieu_modsem1", False, sequence_j),
    ("mathieu_modsem2", False, sequence_y),
):
    lowest = 0 if even else 1
    RADIAL = (
        (whole(lowest, 8), between(0.1, 10), between(0, 2)),
        (whole(lowest, 20), either(scales(1e-3, 0.1), between(10, 100)), either(scales(1e-3, 0.1), between(1, 3))),
    )
    for k in range(2):
        add_smooth(f"{name}[{k}]", radial(even, sequence, k), RADIAL, (1, 2))
