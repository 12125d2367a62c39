"""Write the coefficients of the C library: ``python tests/kernel_coefficients.py``.

Each table interpolates a function at Chebyshev points with 60 digits; beside it stands how far the polynomial with
rounded coefficients is from the function, at most, of 1000 points.  A test compares the file with what this writes.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import mpmath
from mpmath import mp, mpf

HEADER = Path(__file__).resolve().parents[1] / "backends/native/sources/coefficients.h"
WIDTH = 120

Real = Callable[[mpf], mpf]


def interpolant(f: Real, low: mpf, high: mpf, degree: int) -> list[mpf]:
    """The coefficients of the powers of `t = (2 x - low - high) / (high - low)`, of the interpolating polynomial."""
    count = degree + 1
    angles = [mp.pi * (2 * k + 1) / (2 * count) for k in range(count)]
    values = [f((low + high) / 2 + (high - low) / 2 * mp.cos(angle)) for angle in angles]
    samples = list(zip(values, angles, strict=True))
    weights = [2 * mp.fdot((v, mp.cos(j * angle)) for v, angle in samples) / count for j in range(count)]
    weights[0] /= 2
    powers, before, last = [mpf(0)] * count, [mpf(1)], [mpf(0), mpf(1)]
    for weight in weights:
        for i, c in enumerate(before):
            powers[i] += weight * c
        following = [mpf(0), *[2 * c for c in last]]
        for i, c in enumerate(before):
            following[i] -= c
        before, last = last, following
    return powers


def in_x(powers: list[mpf], low: mpf, high: mpf) -> list[mpf]:
    """The coefficients of the powers of `x`, from those of `t`."""
    middle, half = (low + high) / 2, (high - low) / 2
    out: list[mpf] = []
    for c in reversed(powers):
        shifted = [mpf(0)] * (len(out) + 1)
        for i, a in enumerate(out):
            shifted[i + 1] += a / half
            shifted[i] -= a * middle / half
        shifted[0] += c
        out = shifted
    return out


def worst(f: Real, powers: list[mpf], low: mpf, high: mpf, is_in_x: bool, weight: Real) -> mpf:
    """The largest `weight` times error of the polynomial with rounded coefficients."""
    rounded = [mpf(float(c)) for c in reversed(powers)]
    points = [low + (high - low) * (1 - mp.cos(mp.pi * k / 1000)) / 2 for k in range(1, 1000)]
    at = (lambda x: x) if is_in_x else lambda x: (2 * x - low - high) / (high - low)
    return max(abs(weight(x) * (mp.polyval(rounded, at(x)) - f(x))) for x in points)


class Tables:
    """The text of the header, table by table."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def title(self, text: str) -> None:
        """A headline."""
        self.parts.append(f"\n// {text}\n")

    def constant(self, name: str, x: mpf) -> None:
        """A number."""
        self.parts.append(f"#define {name} {float(x).hex()}\n")

    def pair(self, name: str, x: mpf, bits: int = 53) -> None:
        """A number as the sum of two, the first of so many bits."""
        mantissa, exponent = mp.frexp(x)
        high = float(mp.ldexp(mp.nint(mp.ldexp(mantissa, bits)), exponent - bits))
        self.constant(f"{name}_HI", high)
        self.constant(f"{name}_LO", x - mpf(high))

    def table(
        self, name: str, what: str, f: Real, low: mpf, high: mpf, degree: int, *, relative_to: Real, t: bool = False
    ) -> None:
        """A polynomial in `x`, or in `t`; its error is told relative to a function that it is part of."""
        low, high = mpf(low), mpf(high)
        powers = interpolant(f, low, high, degree)
        powers = powers if t else in_x(powers, low, high)
        error = mp.nstr(worst(f, powers, low, high, not t, lambda x: 1 / relative_to(x)), 2)
        lines, numbers = [f"// {what}: error {error}\n"], [float(c).hex() for c in powers]
        line = f"static const double {name}[{len(powers)}] = {{"
        for k, number in enumerate(numbers):
            item = number + (", " if k < degree else "};")
            if len(line) + len(item) > WIDTH:
                lines.append(line.rstrip() + "\n")
                line = "    "
            line += item
        self.parts.append("".join(lines) + line + "\n")


def one(x: mpf) -> mpf:
    """The scale of an absolute error."""
    return mpf(1)


def elementary(tables: Tables) -> None:
    """The exponential function and the logarithm."""
    tables.title("exp and log")
    log2 = mp.log(2)
    tables.pair("LOG2", log2, 40)
    tables.constant("LOG2_INVERSE", 1 / log2)
    edge = log2 / 2 * (1 + mpf(2) ** -20)
    tables.table(
        "EXP",
        "exp(r) = 1 + r + r^2 EXP(r), |r| <= log(2) / 2, relative to exp(r) / r^2",
        lambda r: mp.hyp1f1(1, 3, r) / 2,
        -edge,
        edge,
        10,
        relative_to=lambda r: mp.exp(r) / r**2,
    )
    edge = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1) * (1 + mpf(2) ** -20)) ** 2
    tables.table(
        "LOG",
        "log((1 + s) / (1 - s)) = 2 s + s z LOG(z), z = s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1), relative to 2 / z",
        lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z,
        mpf(10) ** -25,
        edge,
        8,
        relative_to=lambda z: 2 / z,
    )


def header() -> str:
    """The whole file."""
    with mpmath.workdps(60):
        tables = Tables()
        for family in (elementary,):
            family(tables)
    return "// Written by `python tests/kernel_coefficients.py`.\n#pragma once\n" + "".join(tables.parts)


if __name__ == "__main__":
    HEADER.write_text(header())
