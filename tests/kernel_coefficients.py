"""Write the coefficients of the C library: ``python tests/kernel_coefficients.py``.

Each table interpolates a function with 60 digits; beside it stands how far the polynomial with rounded coefficients is
from the function, at most, of 300 points.  The first two coefficients have second parts, `NAME_LOW`.  A test compares
the file with what this writes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import mpmath
from mpmath import mp, mpf

HEADER = Path(__file__).resolve().parents[1] / "backends/native/sources/coefficients.h"
WIDTH = 120

Real = Callable[[mpf], mpf]


def value(powers: Sequence[Any], t: mpf) -> mpf:
    """A polynomial by its coefficients from the lowest, by Horner's rule."""
    x = mpf(0)
    for c in reversed(powers):
        x = c + t * x
    return x


def interpolant(f: Real, low: mpf, high: mpf, degree: int, weight: Real, among: int = 600) -> list[mpf]:
    """The coefficients of the powers of `t = (2 x - low - high) / (high - low)` of a polynomial that interpolates.

    The points are Leja's, of so many zeros of a Chebyshev polynomial: each is where the weight times its distances from
    those before it is greatest, so that the error times the weight is about the same everywhere.
    """
    candidates = [mp.cos(mp.pi * (2 * k + 1) / (2 * among)) for k in range(among)]
    at = [(low + high) / 2 + (high - low) / 2 * t for t in candidates]
    sizes = [weight(x) for x in at]
    powers, basis = [mpf(0)] * (degree + 1), [mpf(1)]
    for _ in range(degree + 1):
        k = max(range(len(sizes)), key=sizes.__getitem__)
        t = candidates[k]
        c = (f(at[k]) - value(powers, t)) / value(basis, t)
        powers = [p + c * b for p, b in zip(powers, [*basis, *[mpf(0)] * degree], strict=False)]
        basis = [a - t * b for a, b in zip([mpf(0), *basis], [*basis, mpf(0)], strict=True)]
        sizes = [size * abs(other - t) for size, other in zip(sizes, candidates, strict=True)]
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


def worst(f: Real, rounded: list[mpf], at: Real, low: mpf, high: mpf, weight: Real) -> mpf:
    """The largest `weight` times error of the polynomial with rounded coefficients."""
    points = [low + (high - low) * (1 - mp.cos(mp.pi * k / 300)) / 2 for k in range(1, 300)]
    return max(abs(weight(x) * (value(rounded, at(x)) - f(x))) for x in points)


OCTAVES = [*[mpf(2) ** k * (1 + mpf(j) / 4) for k in (1, 2, 3, 4) for j in range(4)], mpf(32)]
"""Between which numbers the exponent's last two bits and the two behind them are the same."""


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

    def numbers(self, name: str, what: str, values: Sequence[mpf]) -> None:
        """An array of numbers."""
        self.parts.append(f"// {what}\n{_filled(f'static const double {name}[{len(values)}] = {{', values)}")

    def words(self, name: str, x: Callable[[], mpf], count: int) -> None:
        """The bits of a number below 1, so many times 64, after 64 zeros."""
        with mpmath.workdps(count * 20 + 20):
            digits = int(mp.floor(mp.ldexp(x(), 64 * count)))
        words = [0, *[digits >> 64 * (count - 1 - k) & (1 << 64) - 1 for k in range(count)]]
        text = [", ".join(f"0x{word:016x}ull" for word in words[k : k + 5]) for k in range(0, count + 1, 5)]
        self.parts.append(f"static const uint64_t {name}[{count + 1}] = {{\n    " + ",\n    ".join(text) + "};\n")

    def table(
        self, name: str, what: str, f: Real, low: mpf, high: mpf, degree: int, *, relative_to: Real, t: bool = False
    ) -> None:
        """A polynomial in `x`, or in `t`; its error is told relative to a function that it is part of."""
        low, high = mpf(low), mpf(high)

        def weight(x: mpf) -> mpf:
            return 1 / abs(relative_to(x))

        powers = interpolant(f, low, high, degree, weight)
        powers = powers if t else in_x(powers, low, high)
        rounded = [mpf(float(c)) for c in powers]
        rests = [mpf(float(c - r)) for c, r in zip(powers[:2], rounded, strict=False)]
        at: Real = (lambda x: (2 * x - low - high) / (high - low)) if t else lambda x: x
        error = worst(f, [*map(mp.fadd, rounded, rests), *rounded[2:]], at, low, high, weight)
        seconds = ", ".join(float(c).hex() for c in rests)
        start = f"static const double {name}_LOW[2] = {{{seconds}}}, {name}[{len(powers)}] = {{"
        self.parts.append(f"// {what}: error {mp.nstr(error, 2)}\n{_filled(start, powers)}")

    def rows(self, name: str, what: str, rows: Sequence[Sequence[Any]]) -> None:
        """An even number of rows of 16 numbers, of which lanes look one up each."""
        both = [[*a, *b] for a, b in zip(rows[::2], rows[1::2], strict=True)]
        text = "".join(_filled("    TWO_ROWS(", numbers, "),") for numbers in both)
        self.parts.append(
            f"// {what}\nstatic const double {name}[{len(both)}][32] __attribute__((aligned(64))) = {{\n{text}}};\n"
        )

    def pieces(
        self, name: str, what: str, f: Real, ends: Sequence[mpf], degree: int, *, beside: float = 0, odd: bool = False
    ) -> None:
        """16 polynomials `c[0] + c[1] s + ..` in `s = x - m`, which reach so far beyond their ends: rows `m, c[0], ..`.

        Each `m` is so chosen behind the middle that `c[0]` has 8 bits more than its 53: Gal, ACM Transactions on
        Mathematical Software 17 (1991) 26.  Of an odd function it is nearer to the beginning, for less cancellation,
        and `c[1]` has 2 bits more; that of the first piece is 0.  Errors are relative.
        """
        columns, error = [], mpf(0)
        for low, high in pairwise(ends):
            start, stop, m = max(ends[0], low - mpf(beside)), high + mpf(beside), mpf(0)
            if odd and not low:
                of_x = in_x(interpolant(lambda x: f(x) / x, -stop, stop, degree - 1, one, degree), -stop, stop)
                rounded = [mpf(0), *[mpf(float(c)) for c in of_x]]
            else:
                of_x = in_x(interpolant(f, start, stop, degree, one, degree + 1), start, stop)
                first = low + (high - low) * mpf(3 if odd else 8) / 16
                derivative = [k * c for k, c in enumerate(of_x)][1:]
                near_first = (mpf(float(first + k * (high - low) / 2**15)) for k in range(2**12))
                near_float = (m for m in near_first if _is_nearly_float(value(of_x, m), 8))
                m = next(m for m in near_float if not odd or _is_nearly_float(value(derivative, m), 2))
                rounded = [mpf(float(c)) for c in in_x(of_x, -1 - m, 1 - m)]
            columns.append([m, *rounded])
            found = worst(f, rounded, partial(mp.fadd, -m), start, stop, lambda x: 1 / abs(f(x)))
            error = max(error, found)
        self.rows(name, f"{what}: error {mp.nstr(error, 2)}", list(zip(*columns, strict=True)))


def _is_nearly_float(x: mpf, bits: int) -> bool:
    """With so many bits more."""
    return bool(abs(x - mpf(float(x))) < abs(x) / 2 ** (54 + bits))


def _filled(line: str, values: Sequence[mpf], end: str = "};") -> str:
    """The lines of an array that begins so."""
    lines = []
    for k, c in enumerate(values):
        item = float(c).hex() + (", " if k < len(values) - 1 else end)
        if len(line) + len(item) > WIDTH:
            lines.append(line.rstrip() + "\n")
            line = "    "
        line += item
    return "".join(lines) + line + "\n"


def one(x: mpf) -> mpf:
    """The scale of an absolute error."""
    return mpf(1)


def elementary(tables: Tables) -> None:
    """The exponential function and the logarithm."""
    tables.title("exp and log")
    log2 = mp.log(2)
    tables.pair("LOG2", log2, 40)
    tables.constant("LOG2_INVERSE", 1 / log2)
    tables.pair("LOG2_E", 1 / log2)
    tables.pair("LOG10_E", 1 / mp.log(10))
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
    tables.table(
        "COTH",
        "h coth(h) = 1 + z COTH(z), z = h^2, |h| <= log(2) / 4, relative to 1 / (z h)",
        lambda z: (mp.sqrt(z) * mp.coth(mp.sqrt(z)) - 1) / z,
        mpf(10) ** -25,
        (edge / 2) ** 2,
        4,
        relative_to=lambda z: z**-1.5,
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
    tables.table(
        "LOG_SHORT",
        "the same for numbers of 53 bits",
        lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z,
        mpf(10) ** -25,
        edge,
        6,
        relative_to=lambda z: 2 / z,
    )
    tables.table(
        "LOG_WIDE",
        "the same for |s| <= 1 / 3",
        lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z,
        mpf(10) ** -25,
        mpf(1) / 9,
        9,
        relative_to=lambda z: 2 / z,
    )
    tables.table(
        "LOG_QUOTIENT",
        "log((1 + q/2) / (1 - q/2)) = q + q z LOG_QUOTIENT(z), z = q^2, |q| <= 2/5, relative to 1 / z",
        lambda z: (2 * mp.atanh(mp.sqrt(z) / 2) / mp.sqrt(z) - 1) / z,
        mpf(10) ** -25,
        (mpf(2) / 5 * (1 + mpf(2) ** -20)) ** 2,
        7,
        relative_to=lambda z: 1 / z,
    )
    _powers(tables)
    _logarithms(tables)


def _powers(tables: Tables) -> None:
    """The exponential function by powers `2^(j / 16)`."""
    tables.pair("LOG2_16TH", mp.log(2) / 16)
    powers = [mpf(2) ** (mpf(j) / 16) for j in range(16)]
    what = "numbers of which the bits are those of 2^(j / 16) less j 2^48, and what 2^(j / 16) is more, relative to it"
    of_bits = [struct.unpack("<q", struct.pack("<d", float(x)))[0] - (j << 48) for j, x in enumerate(powers)]
    less = [struct.unpack("<d", struct.pack("<q", bits))[0] for bits in of_bits]
    tables.rows("POWERS", what, [less, [(x - mpf(float(x))) / x for x in powers]])
    edge = mp.log(2) / 32 * (1 + mpf(2) ** -20)
    tables.table(
        "EXP_NEAR",
        "exp(r) = 1 + r + r^2 EXP_NEAR(r), |r| <= log(2) / 32, relative to exp(r) / r^2",
        lambda r: mp.hyp1f1(1, 3, r) / 2,
        -edge,
        edge,
        4,
        relative_to=lambda r: mp.exp(r) / r**2,
    )
    tables.table(
        "EXPM1_NEAR",
        "the same, relative to 1 / r",
        lambda r: mp.hyp1f1(1, 3, r) / 2,
        -edge,
        edge * (1 + mpf(2) ** -20),
        5,
        relative_to=lambda r: 1 / r,
    )


def _logarithms(tables: Tables) -> None:
    """The logarithm by those of 16 numbers `c`, near to the inverses of `1 + j / 16`."""
    unit = mp.log(2) / 16
    tables.pair("LOG2_16TH_38", unit, 38)

    def farthest(c: mpf, j: int) -> mpf:
        return max(abs(c * (1 + (j + end) / 16) - 1) for end in (mpf(-0.5), mpf(0.5)))

    sixty_fourths = [mpf(i) / 64 for i in range(32, 64)]
    inverses = [mpf(1), *[min(sixty_fourths, key=partial(farthest, j=j)) for j in range(1, 16)]]
    values = [-mp.log(c) - j * unit for j, c in enumerate(inverses)]
    highs = [mp.ldexp(mp.nint(mp.ldexp(x, 42)), -42) for x in values]
    what = "c, and -log(c) - j log(2) / 16 as the sum of a multiple of 2^-42 and a number"
    tables.rows(
        "LOGARITHMS_BESIDE", what, [inverses, highs, [x - h for x, h in zip(values, highs, strict=True)], [mpf(0)] * 16]
    )
    tables.table(
        "LOG_NEAR",
        "log(1 + f) = f + f^2 LOG_NEAR(f), -17/512 <= f <= 67/2048, relative to 1 / f",
        lambda f: -mp.hyp2f1(1, 2, 3, -f) / 2,
        -mpf(17) / 512,
        mpf(67) / 2048,
        8,
        relative_to=lambda f: 1 / f,
    )


def trigonometric(tables: Tables) -> None:
    """The trigonometric functions and their inverses."""
    tables.title("trigonometric functions")
    half_pi = mp.pi / 2
    for k in range(3):
        tables.constant(f"HALF_PI_{k}", half_pi)
        half_pi -= mpf(float(half_pi))
    rest = mp.pi / 2 - mpf(float(mp.pi / 2))
    mantissa, exponent = mp.frexp(rest)
    part = mp.ldexp(mp.floor(mp.ldexp(mantissa, 34)), exponent - 34)
    tables.constant("HALF_PI_34_1", part)
    tables.constant("HALF_PI_34_2", rest - part)
    tables.pair("TWO_OVER_PI", 2 / mp.pi)
    sine = lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z
    cosine = lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2
    end = mpf("0.84") ** 2
    tables.table("SIN", "sin(r) = r + r z SIN(z), z = r^2 <= 0.84^2", sine, mpf(10) ** -16, end, 7, relative_to=one)
    tables.table("COS", "cos(r) = 1 - z / 2 + z^2 COS(z)", cosine, mpf(10) ** -10, end, 6, relative_to=one)
    for name, parts in (("CIRCLE", 8), ("HALF_CIRCLE", 16)):
        angles = [2 * mpf(j) / parts for j in range(16)]
        exact = [[mp.sinpi(a / 2) for a in angles], [mp.cospi(a / 2) for a in angles]]
        what = f"the sine and the cosine of j pi / {parts}, and what they are more"
        tables.rows(name, what, [*exact, *[[x - mpf(float(x)) for x in row] for row in exact]])
    end = (mp.pi / 16 * (1 + mpf(2) ** -20)) ** 2
    what = "sin(r) = r + r z SIN_NEAR(z), |r| <= pi / 16, relative to 1 / z"
    tables.table("SIN_NEAR", what, sine, mpf(10) ** -16, end, 3, relative_to=lambda z: 1 / z)
    what = "cos(r) = 1 + z COS_NEAR(z), relative to 1 / z"
    less_one = lambda z: (mp.cos(mp.sqrt(z)) - 1) / z
    tables.table("COS_NEAR", what, less_one, mpf(10) ** -16, end, 4, relative_to=lambda z: 1 / z)
    what = "tan(r) = r + r z TAN_NEAR(z), |r| <= pi / 32, relative to 1 / z"
    of_tangent = lambda z: (mp.tan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z
    tables.table("TAN_NEAR", what, of_tangent, mpf(10) ** -16, end / 4, 4, relative_to=lambda z: 1 / z)
    tables.words("TWO_OVER_PI_BITS", lambda: 2 / mp.pi, 20)
    tangent = mp.tan(mp.pi / 8)
    tables.constant("TAN_PI_8", tangent)
    tables.table(
        "ATAN",
        "arctan(t) = t + t z ATAN(z), z = t^2, |t| <= tan(pi / 8), relative to 1 / z",
        lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z,
        mpf(10) ** -16,
        tangent**2 * (1 + mpf(2) ** -20),
        11,
        relative_to=lambda z: 1 / z,
    )


def error_functions(tables: Tables) -> None:
    """The error functions, the derivative of `erfcx`, and the normal distribution."""
    tables.title("error functions")
    root2, root_pi, density = mp.sqrt(2), mp.sqrt(mp.pi), 1 / mp.sqrt(2 * mp.pi)

    def erfcx(x: mpf) -> mpf:
        if x > 1000:
            return mp.hyp2f0(mpf(1) / 2, 1, -1 / x**2) / (x * root_pi)
        return mp.exp(x * x) * mp.erfc(x)

    def erfcx_derivative(x: mpf) -> mpf:
        if x > 1000:
            return mp.hyp2f0(1, mpf(3) / 2, -1 / x**2) / (x**2 * root_pi)
        return 2 / root_pi - 2 * x * mp.exp(x * x) * mp.erfc(x)

    def by_inverse(name: str, what: str, f: Real, k: int, ends: Any, center: float, degree: int, **more: Any) -> None:
        """A table of `f(x) (x + k)**power` in `y = q - center`, `q = 1 / (x + k)`; `limit` is that at infinity."""
        power, limit, tiny = more.get("power", 1), more["limit"], mpf(10) ** -40
        low, high = [1 / (mpf(end) + k) - mpf(center) for end in reversed(ends)]
        g = lambda y: f(1 / (y + center) - k) / (y + center) ** power if y + center > tiny else limit
        what = f"{what.replace('p(q)', f'{name}(y)')}, y = q - {center}, q = 1 / (x + {k})"
        tables.table(name, what, g, low, high, degree, relative_to=g)

    edge = mp.log(2) / 2 * (1 + mpf(2) ** -20)
    what = "exp(r) = 1 + r + r^2 EXP_SHORT(r), |r| <= log(2) / 2, relative to exp(r) / r^2"
    less_line, relative = lambda r: mp.hyp1f1(1, 3, r) / 2, lambda r: mp.exp(r) / r**2
    tables.table("EXP_SHORT", what, less_line, -edge, edge, 9, relative_to=relative)
    derivative = 2 / root_pi
    tables.pair("ERF_DERIVATIVE", derivative)
    width = mpf("0.3875")
    tables.constant("ERF_WIDTH", width)
    what = "erf(x) = ERF(x), 0 <= x <= 5.93, pieces [0, 3/8 ERF_WIDTH], and of this width"
    tables.pieces("ERF", what, mp.erf, [mpf(0), *[(k + mpf(3) / 8) * width for k in range(16)]], 12, odd=True)
    tables.pair("ROOT_HALF", 1 / root2)
    scale = 30 / mpf(26)
    tables.constant("ERFC_SCALE", scale)
    what = "erfc(x) = 2^200 exp(-x^2) ERFC(x), 0 <= x <= 26, pieces by bits of x ERFC_SCALE + 2"
    tables.pieces("ERFC", what, lambda x: mp.ldexp(erfcx(x), -200), [(end - 2) / scale for end in OCTAVES], 14)
    what = "erfc(x) = exp(-x^2) / (x sqrt(pi)) (1 + z ERFC_FAR(z)), z = 1 / x^2, x >= 26, relative to 1 / z"
    far = lambda z: (erfcx(1 / mp.sqrt(z)) / mp.sqrt(z) * root_pi - 1) / z
    tables.table("ERFC_FAR", what, far, mpf(10) ** -10, mpf(1) / 26**2, 5, relative_to=lambda z: 1 / z)
    what = "erfcx(x) = q p(q), x >= 0"
    by_inverse("ERFCX", what, erfcx, 2, (0, mp.inf), 0.15625, 28, limit=1 / root_pi)
    what = "-erfcx'(x) = q^2 p(q), x >= 0"
    by_inverse("ERFCX_DERIVATIVE", what, erfcx_derivative, 2, (0, mp.inf), 0.140625, 30, limit=1 / root_pi, power=2)
    tables.pair("NDTR_DERIVATIVE", density)
    ratio = lambda x: erfcx(x / root2) / 2
    tables.table(
        "MILLS",
        "ndtr(-x) = exp(-x^2 / 2) MILLS(t) / (1 + x), t = (x - 4) / (x + 4), x >= 0",
        lambda t: density if t >= 1 - mpf(10) ** -40 else ratio(4 * (1 + t) / (1 - t)) * (1 + 4 * (1 + t) / (1 - t)),
        -1,
        1,
        26,
        relative_to=one,
    )


def gamma_functions(tables: Tables) -> None:
    """The logarithm of the gamma function and its derivative."""
    tables.title("gamma functions")

    def over_zeros(y: mpf) -> mpf:
        d = (y - 1) * (y - 2)
        return mp.loggamma(y) / d if abs(d) > mpf(10) ** -25 else (mp.euler if y < 1.5 else 1 - mp.euler)

    tables.table(
        "GAMMALN",
        "gammaln(x) = (x - 1) (x - 2) GAMMALN(t), t = x - 2, 1 <= x <= 3",
        over_zeros,
        1,
        3,
        31,
        relative_to=over_zeros,
        t=True,
    )
    middle = lambda x: mp.loggamma(x) / (x - 2)
    tables.table(
        "GAMMALN_MIDDLE",
        "gammaln(x) = (x - 2) GAMMALN_MIDDLE(t), t = (2 x - 11) / 5, 3 <= x <= 8",
        middle,
        3,
        8,
        29,
        relative_to=middle,
        t=True,
    )
    tables.pair("STIRLING_CONSTANT", mp.log(2 * mp.pi) / 2)

    def stirling(z: mpf) -> mpf:
        x = 1 / mp.sqrt(z)
        return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x

    tables.table(
        "STIRLING",
        "gammaln(x) = (x - 1/2) log(x) - x + log(2 pi) / 2 + u STIRLING(z), u = 1 / x, z = u^2, x >= 8",
        stirling,
        mpf(10) ** -8,
        mpf(1) / 64,
        7,
        relative_to=one,
    )
    root = mp.findroot(mp.digamma, 1.46)
    tables.pair("PSI_ROOT", root)
    over_root = lambda x: mp.digamma(x) / (x - root)
    tables.table(
        "PSI",
        "psi(x) = (x - PSI_ROOT) PSI(t), t = x - 2, 1 <= x <= 3",
        over_root,
        1,
        3,
        32,
        relative_to=over_root,
        t=True,
    )
    tables.table(
        "PSI_MIDDLE",
        "psi(x) = PSI_MIDDLE(t), t = (2 x - 11) / 5, 3 <= x <= 8",
        mp.digamma,
        3,
        8,
        29,
        relative_to=mp.digamma,
        t=True,
    )

    def far(z: mpf) -> mpf:
        x = 1 / mp.sqrt(z)
        return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) / z

    tables.table(
        "PSI_FAR",
        "psi(x) = log(x) - u / 2 - z PSI_FAR(z), u = 1 / x, z = u^2, x >= 8",
        far,
        mpf(10) ** -10,
        mpf(1) / 64,
        8,
        relative_to=one,
    )


def modified_far(f: Callable[[int, mpf], mpf], sign: int, order: int) -> Real:
    """`sqrt(x) exp(-sign x) f(order, x)` as a function of `1 / x`, DLMF 10.40.1 and 10.40.2."""

    def g(u: mpf) -> mpf:
        if u < mpf(10) ** -3:
            scale = 1 / mp.sqrt(2 * mp.pi) if sign > 0 else mp.sqrt(mp.pi / 2)
            terms = [mp.rf(mpf(1) / 2 - order, k) * mp.rf(mpf(1) / 2 + order, k) / mp.factorial(k) for k in range(40)]
            return scale * mp.fsum(a * (sign * u / 2) ** k for k, a in enumerate(terms))
        x = 1 / u
        return mp.exp(-sign * x) * f(order, x) * mp.sqrt(x)

    return g


def modified_bessel(tables: Tables) -> None:
    """The modified Bessel functions of orders 0 and 1."""
    tables.title("modified Bessel functions")
    edge = 9

    gamma = mp.log(2) - mp.euler

    def i_series(order: int) -> Real:
        """`besseli(order, x) (2 / x)^order` as a function of `x^2`, DLMF 10.25.2."""
        return lambda z: mp.hyp0f1(order + 1, z / 4)

    def k0_rest(z: mpf) -> mpf:
        x = mp.sqrt(z)
        return mp.besselk(0, x) + mp.log(x) * mp.besseli(0, x) if x else gamma

    def k1_rest(z: mpf) -> mpf:
        x = mp.sqrt(z)
        return (mp.besselk(1, x) - 1 / x - mp.log(x) * mp.besseli(1, x)) / x if x else (-gamma - mpf(1) / 2) / 2

    tables.table("K_I0", "i0(x) = K_I0(z), z = x^2 <= 1", i_series(0), 0, 1, 7, relative_to=one)
    tables.table("K_I1", "i1(x) = x K_I1(z), z = x^2 <= 1", lambda z: i_series(1)(z) / 2, 0, 1, 7, relative_to=one)
    tables.table("K0_NEAR", "k0(x) = K0_NEAR(z) - log(x) i0(x), z = x^2 <= 1", k0_rest, 0, 1, 8, relative_to=one)
    tables.table(
        "K1_NEAR", "k1(x) = 1 / x + log(x) i1(x) + x K1_NEAR(z), z = x^2 <= 1", k1_rest, 0, 1, 8, relative_to=one
    )
    for order in (0, 1):
        at_far = modified_far(mp.besselk, -1, order)
        tables.table(
            f"K{order}_FAR",
            f"k{order}e(x) = K{order}_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1",
            at_far,
            0,
            1,
            34,
            relative_to=at_far,
            t=True,
        )
    divisors: tuple[tuple[str, Real], ...] = (
        ("(1 + x)", lambda x: 1 + x),
        ("(1 + x / 2)^2", lambda x: (1 + x / 2) ** 2),
    )
    for order, (name, divisor) in enumerate(divisors):

        def near(x: mpf, order: int = order, divisor: Real = divisor) -> mpf:
            return mp.exp(-x) * mp.besseli(order, x) * divisor(x) / x**order

        tables.table(
            f"I{order}_NEAR",
            f"i{order}e(x) = {'x ' * order}I{order}_NEAR(t) / {name}, t = 2 x / {edge} - 1, 0 <= x <= {edge}",
            near,
            mpf(10) ** -20,
            edge,
            34,
            relative_to=near,
            t=True,
        )
        at_far = modified_far(mp.besseli, 1, order)
        tables.table(
            f"I{order}_FAR",
            f"i{order}e(x) = I{order}_FAR(t) / sqrt(x), t = 2 u {edge} - 1, u = 1 / x, x >= {edge}",
            at_far,
            0,
            mpf(1) / edge,
            23,
            relative_to=at_far,
            t=True,
        )


def logarithms(tables: Tables) -> None:
    """The dilogarithm."""
    tables.title("logarithms")
    tables.pair("PI_SQUARED_OVER_6", mp.pi**2 / 6)
    tables.table(
        "DILOGARITHM",
        "spence(exp(-u)) = u - u^2 / 4 + u^3 DILOGARITHM(z), z = u^2, |u| <= log(2), relative to 1 / z",
        lambda z: (mp.polylog(2, 1 - mp.exp(-mp.sqrt(z))) - mp.sqrt(z) + z / 4) / mp.sqrt(z) ** 3,
        mpf(10) ** -8,
        mp.log(2) ** 2 * (1 + mpf(2) ** -20),
        6,
        relative_to=lambda z: 1 / z,
    )


def inverse_error_functions(tables: Tables) -> None:
    """Where `erf` and `erfc` have given values."""
    tables.title("inverse error functions")
    factor = mp.sqrt(mp.pi) / 2

    def erfcinv(p: mpf) -> mpf:
        """By Newton's method for `log(erfc(x)) = log(p)`, which is concave."""
        x = mp.sqrt(-mp.log(p))
        for _ in range(100):
            w = mp.erfc(x)
            step = (mp.log(w) - mp.log(p)) * w * factor * mp.exp(x * x)
            x += step
            if abs(step) < mpf(10) ** -50:
                break
        return x

    def erfinv(w: mpf) -> tuple[mpf, mpf]:
        """`y`, and `erfinv(y)`, where `w` is `-log(1 - y^2)`."""
        y = mp.sqrt(-mp.expm1(-w))
        return y, mp.erfinv(y) if w < 1 else erfcinv(mp.exp(-w) / (1 + y))

    def over_y(w: mpf) -> mpf:
        y, x = erfinv(w)
        return x / y if y else factor

    def derivative(w: mpf) -> mpf:
        return factor * mp.exp(erfinv(w)[1] ** 2 - w)

    short = [round(512 / (1 + (j + 0.5) / 16)) / 512 for j in range(16)]
    what = "numbers c of few bits next to 1 / m, for m of 16 intervals between 1 and 2, and log(c)"
    tables.rows("LOGARITHMS", what, [short, [mp.log(c) for c in short]])
    off = max(abs(m * c - 1) for j, c in enumerate(short) for m in (1 + j / 16, 1 + (j + 1) / 16))
    what = "log(1 + r) = r LOG_ONE_MORE(r), |r| <= 1 / 32, relative to 1 / r"
    more = lambda r: mp.log1p(r) / r if r else mpf(1)
    tables.table("LOG_ONE_MORE", what, more, -mpf(off), mpf(off), 7, relative_to=lambda r: 1 / (r + mpf(10) ** -20))
    most = mp.log(2) * 52 + mpf(1) / 100
    beside, scale = off * (1 + off), 30 / (most + mpf(off))
    tables.constant("ERFINV_SCALE", scale)
    tables.constant("ERFINV_START", 2 + beside * scale)
    ends = [mpf(0), *[(end - 2) / scale - beside for end in OCTAVES[1:]]]
    what = "erfinv(y) = y ERFINV(w), w = -log(1 - y^2) <= 52 log(2), pieces by bits of w ERFINV_SCALE + 2"
    tables.pieces("ERFINV", what, over_y, ends, 12, beside=beside)
    tables.pieces(
        "ERFINV_DERIVATIVE", "erfinv'(y) = ERFINV_DERIVATIVE(w) / (1 - y^2)", derivative, ends, 14, beside=beside
    )
    tables.constant("HALF_ROOT_PI", factor)
    tables.pair("ROOT_2", mp.sqrt(2))
    tables.pair("ROOT_8", mp.sqrt(8))

    def over_root(v: mpf) -> mpf:
        t = 10 * (1 + v) / (1 - v)
        return erfcinv(mp.exp(-t * t)) / t

    what = "erfcinv(exp(-t^2)) = t ERFCINV(s), s = (64 v - 7) / 23, v = (t - 10) / (t + 10), t^2 >= 52 log(2)"
    tables.table("ERFCINV", what, over_root, mpf(-8) / 32, mpf(15) / 32, 20, relative_to=over_root, t=True)

    def of_root(v: mpf) -> mpf:
        t = 10 * (1 + v) / (1 - v)
        return mp.sqrt(mp.pi) * t * mp.exp(erfcinv(mp.exp(-t * t)) ** 2 - t * t)

    what = "the derivative of erfcinv(exp(-t^2)) in t"
    tables.table("ERFCINV_DERIVATIVE", what, of_root, mpf(-8) / 32, mpf(15) / 32, 21, relative_to=of_root, t=True)


def dawson(tables: Tables) -> None:
    """Dawson's integral, DLMF 7.5.1, and its derivative."""
    tables.title("Dawson's integral")

    def integral(x: mpf) -> mpf:
        return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)

    def derivative(x: mpf) -> mpf:
        return 1 - 2 * x * integral(x)

    def series(u: mpf, first: int) -> mpf:
        """`sum (2 k - 1)!! / 2**k u**(k - first)`, for tiny `u`."""
        return mp.fsum(mp.fac2(2 * k - 1) / mpf(2) ** k * u ** (k - first) for k in range(first, first + 28))

    def far(v: mpf) -> mpf:
        x = 1 / mp.sqrt(v)
        return series(v, 1) / 2 if v < mpf(10) ** -4 else (integral(x) * x - mpf(1) / 2) * x * x

    def derivative_far(v: mpf) -> mpf:
        x = 1 / mp.sqrt(v)
        return series(v, 2) if v < mpf(10) ** -4 else (-derivative(x) * x * x - mpf(1) / 2) * x * x

    def beside_half(f: Real) -> Real:
        return lambda v: (mpf(1) / 2 + v * f(v)) / v

    end, tiny = mpf(17) / 16, mpf(10) ** -20
    what = "dawsn(x) = x + x z DAWSON_NEAR(z), z = x^2 <= (17/16)^2, relative to 1 / z"
    near = lambda z: (mp.hyp1f1(1, mpf(3) / 2, -z) - 1) / z
    tables.table("DAWSON_NEAR", what, near, tiny, end**2, 11, relative_to=lambda z: 1 / z)
    what = "dawsn(x) = DAWSON_MIDDLE(y), y = x - 11/4, 17/16 <= x <= 4"
    of_y = lambda y: integral(y + mpf(11) / 4)
    tables.table("DAWSON_MIDDLE", what, of_y, end - mpf(11) / 4, mpf(5) / 4, 29, relative_to=of_y)
    what = "dawsn(x) = u / 2 + u v DAWSON_FAR(t), u = 1 / x, v = u^2, t = 32 v - 1, x >= 4"
    tables.table("DAWSON_FAR", what, far, tiny, mpf(1) / 16, 29, relative_to=beside_half(far), t=True)
    zero, end = mp.findroot(derivative, 0.924) ** 2, mpf(11) / 8
    tables.pair("DAWSON_ZERO", zero)
    over_distance = lambda y: derivative(mp.sqrt(y + 1)) / (y + 1 - zero)
    what = "dawsn'(x) = (z - DAWSON_ZERO) DAWSON_DERIVATIVE_NEAR(y), y = z - 1, z = x^2 <= (11/8)^2"
    tables.table("DAWSON_DERIVATIVE_NEAR", what, over_distance, tiny - 1, end**2 - 1, 15, relative_to=over_distance)
    what = "dawsn'(x) = DAWSON_DERIVATIVE_MIDDLE(y), y = x - 49/16, 11/8 <= x <= 4"
    middle = lambda y: derivative(y + mpf(49) / 16)
    tables.table("DAWSON_DERIVATIVE_MIDDLE", what, middle, end - mpf(49) / 16, mpf(15) / 16, 30, relative_to=middle)
    what = "dawsn'(x) = -v / 2 - v^2 DAWSON_DERIVATIVE_FAR(t), v = 1 / x^2, t = 32 v - 1, x >= 4"
    tables.table(
        "DAWSON_DERIVATIVE_FAR",
        what,
        derivative_far,
        tiny,
        mpf(1) / 16,
        30,
        relative_to=beside_half(derivative_far),
        t=True,
    )


def faddeeva(tables: Tables) -> None:
    """The weights of the trapezoidal rule of step 1/2, and power series."""
    tables.title("Faddeeva's function")
    for name, offset in (("BETWEEN", mpf(1) / 4), ("AT", mpf(0))):
        nodes = [mpf(k) / 2 + offset for k in range(14)]
        weights = [mp.exp(-t * t) / mp.pi / (1 if t else 2) for t in nodes]
        tables.numbers(f"FADDEEVA_{name}", f"exp(-t^2) / pi, t = k / 2 + {mp.nstr(offset, 2)}, at 0 half", weights)
    factor = 2 / mp.sqrt(mp.pi)
    series = [factor * mpf(-2) ** k / mp.fac2(2 * k + 1) for k in range(20)]
    tables.numbers("FADDEEVA_SERIES", "Im wofz(x) = x FADDEEVA_SERIES(z), z = x^2 <= 1", series)
    derivatives = [(2 * k + 1) * c for k, c in enumerate(series)]
    tables.numbers("FADDEEVA_DERIVATIVE", "Im wofz'(x) = FADDEEVA_DERIVATIVE(z)", derivatives)


def bessel(tables: Tables) -> None:
    """The Bessel functions of orders 0 and 1."""
    tables.title("Bessel functions")
    for order in (0, 1):
        zero = mp.besseljzero(order, 1) ** 2

        def series(z: mpf, order: int = order) -> mpf:
            """DLMF 10.2.2 without its first two terms."""
            return mp.hyp1f2(1, 3, order + 3, -z / 4) / (2 ** (order + 4) * 2 * mp.factorial(order + 2))

        what = ("1 - z / 4", "x / 2 - x z / 16")[order]
        tables.table(
            f"J{order}_SMALL",
            f"j{order}(x) = {what} + {'x ' * order}z^2 J{order}_SMALL(z), z = x^2 <= 4",
            series,
            0,
            4,
            7,
            relative_to=one,
        )
        tables.pair(f"J{order}_ZERO", zero)

        def near(z: mpf, order: int = order, zero: mpf = zero) -> mpf:
            return mp.hyp0f1(order + 1, -z / 4) / 2**order / (z - zero) * (16 + z)

        tables.table(
            f"J{order}_NEAR",
            f"j{order}(x) = {'x ' * order}(z - J{order}_ZERO) J{order}_NEAR(t) / (16 + z), "
            "t = (2 z - 29) / 21, 4 <= z = x^2 <= 25",
            near,
            4,
            25,
            13,
            relative_to=near,
            t=True,
        )

    hankel = partial(mp.hankel1, 0), partial(mp.hankel1, 1), lambda x: mp.hankel1(0, x) - mp.hankel1(1, x) / x
    for end, dash, quarters, of_hankel in zip(("_0", "_1", "_D"), ("0", "1", "1'"), (1, 3, 1), hankel, strict=True):

        def scaled(z: mpf, quarters: int = quarters, of_hankel: Any = of_hankel) -> mpf:
            """The Hankel function or its derivative, DLMF 10.18, its phase without `x - quarters pi / 4`."""
            x = 1 / mp.sqrt(z)
            return of_hankel(x) * mp.sqrt(x) * mp.expj(-(x - quarters * mp.pi / 4))

        what = f"hypot(j{dash}(x), y{dash}(x)) = BESSEL_MODULUS{end}(t) / sqrt(x), t = 50 / x^2 - 1, x >= 5"
        modulus = lambda z, scaled=scaled: abs(scaled(z))
        ends = mpf(10) ** -20, mpf(1) / 25
        tables.table(f"BESSEL_MODULUS{end}", what, modulus, *ends, 19, relative_to=one, t=True)
        what = f"the phase of (j{dash}(x), y{dash}(x)) is x - {quarters} pi / 4 + BESSEL_PHASE{end}(t) / x"
        phase = lambda z, scaled=scaled: mp.arg(scaled(z)) / mp.sqrt(z)
        tables.table(f"BESSEL_PHASE{end}", what, phase, *ends, 21, relative_to=one, t=True)

    constant = mp.euler - mp.log(2)

    def y0_series(z: mpf) -> mpf:
        """DLMF 10.8.2, without its logarithm of `x`."""
        return -mp.fsum((-z / 4) ** k / mp.factorial(k) ** 2 * (mp.harmonic(k) - constant) for k in range(60))

    def y1_series(z: mpf) -> mpf:
        """DLMF 10.8.1 so, and without `1 / x`, over `x`."""
        factors = ((mp.harmonic(k) + mp.harmonic(k + 1) - 2 * constant) / (k + 1) for k in range(60))
        return -mp.fsum((-z / 4) ** k / mp.factorial(k) ** 2 * factor for k, factor in enumerate(factors)) / 4

    for order, series_of_y in enumerate((y0_series, y1_series)):
        text = ("log(x) j0(x) + ", "log(x) j1(x) - 1 / x + x ")[order]
        for name, low, high, degree, at in (("SMALL(z)", 0, 4, 9, False), ("NEAR(t)", 4, 25, 14, True)):
            what = f"pi / 2 y{order}(x) = {text}Y{order}_{name}, {low} <= z <= {high}"
            tables.table(f"Y{order}_{name[:-3]}", what, series_of_y, low, high, degree, relative_to=one, t=at)

    zero = mp.besseljzero(1, 1, derivative=1) ** 2
    tables.pair("J1_DERIVATIVE_ZERO", zero)

    def of_j1(z: mpf) -> mpf:
        return (mp.hyp0f1(1, -z / 4) - mp.hyp0f1(2, -z / 4) / 2) / (z - zero) * (16 + z)

    def of_y1(z: mpf) -> mpf:
        """`j1(x) / x` and the derivative of `x` times the series above."""
        factors = ((2 * k + 1) * (mp.harmonic(k) + mp.harmonic(k + 1) - 2 * constant) / (k + 1) for k in range(60))
        rest = -mp.fsum((-z / 4) ** k / mp.factorial(k) ** 2 * factor for k, factor in enumerate(factors)) / 4
        return rest + mp.hyp0f1(2, -z / 4) / 2

    what = "j1'(x) = (z - J1_DERIVATIVE_ZERO) J1_DERIVATIVE(t) / (16 + z), t = 2 z / 25 - 1, z = x^2 <= 25"
    tables.table("J1_DERIVATIVE", what, of_j1, 0, 25, 15, relative_to=one, t=True)
    what = "pi / 2 y1'(x) = log(x) j1'(x) + 1 / z + Y1_DERIVATIVE(t)"
    tables.table("Y1_DERIVATIVE", what, of_y1, 0, 25, 16, relative_to=one, t=True)


def exponential_integrals(tables: Tables) -> None:
    """The exponential integrals, DLMF chapter 6."""
    tables.title("exponential integrals")
    tables.pair("EULER", mp.euler)
    near = lambda x: (mp.e1(x) + mp.log(x) + mp.euler) / x
    tables.table(
        "E1_NEAR",
        "exp1(x) = x E1_NEAR(t) - log(x) - EULER, t = 2 x - 1, x <= 1",
        near,
        mpf(10) ** -20,
        1,
        11,
        relative_to=near,
        t=True,
    )

    def series(u: mpf, sign: int) -> mpf:
        """`sum k! (sign u)**k`, for tiny `u`."""
        return mp.fsum(mp.factorial(k) * (sign * u) ** k for k in range(25))

    def far(v: mpf) -> mpf:
        u = (1 - v) / (3 * (1 + v))
        return (1 + u) * (series(u, -1) if u < mpf(10) ** -4 else mp.e1(1 / u) * mp.exp(1 / u) / u)

    tables.table(
        "E1_FAR",
        "exp1(x) = exp(-x) E1_FAR(t) / (x + 1), t = (4 v - 1) / 3, v = (x - 3) / (x + 3), x >= 1",
        far,
        mpf(-1) / 2,
        1,
        33,
        relative_to=far,
        t=True,
    )
    root = mp.findroot(mp.ei, 0.37)
    tables.pair("EI_ROOT", root)
    beside = lambda x: (mp.ei(x) - mp.log(x / root)) / (x - root) / (x + 6) ** 3
    tables.table(
        "EI_NEAR",
        "expi(x) = log(x / EI_ROOT) + (x - EI_ROOT) (x + 6)^3 EI_NEAR(t), t = x / 3 - 1, x <= 6",
        beside,
        mpf(10) ** -20,
        6,
        24,
        relative_to=beside,
        t=True,
    )

    middle = lambda x: x * mp.exp(-x) * mp.ei(x)
    tables.table(
        "EI_MIDDLE",
        "expi(x) = exp(x) EI_MIDDLE(t) / x, t = x / 4 - 5 / 2, 6 <= x <= 14",
        middle,
        6,
        14,
        27,
        relative_to=middle,
        t=True,
    )

    def growing(u: mpf) -> mpf:
        return series(u, 1) if u < mpf(10) ** -4 else mp.ei(1 / u) * mp.exp(-1 / u) / u

    tables.table(
        "EI_FAR",
        "expi(x) = exp(x) EI_FAR(t) / x, t = 28 / x - 1, x >= 14",
        growing,
        0,
        mpf(1) / 14,
        34,
        relative_to=growing,
        t=True,
    )


def sine_and_cosine_integrals(tables: Tables) -> None:
    """The sine and cosine integrals, and the auxiliary functions of DLMF 6.2.17 and 6.2.18."""
    tables.title("sine and cosine integrals")
    sine = lambda z: mp.si(mp.sqrt(z)) / mp.sqrt(z)
    what = "Si(x) = x SI_NEAR(t), t = z / 8 - 1, z = x^2 <= 16"
    tables.table("SI_NEAR", what, sine, 0, 16, 13, relative_to=sine, t=True)
    root = mp.findroot(mp.ci, 0.6165)
    tables.pair("CI_ROOT", root)
    tables.pair("CI_ROOT_SQUARE", root**2)
    beside = lambda z: (mp.ci(mp.sqrt(z)) - mp.log(z / root**2) / 2) / (z - root**2)
    what = "Ci(x) = log(x / CI_ROOT) + (z - CI_ROOT_SQUARE) CI_NEAR(t)"
    tables.table("CI_NEAR", what, beside, 0, 16, 12, relative_to=beside, t=True)

    def auxiliary(order: int, v: mpf) -> mpf:
        """`x f(x)` or `x^2 g(x)`, by DLMF 6.12.3 and 6.12.4 far out."""
        u = (1 - v) / (6 * (1 + v))
        if u < mpf(10) ** -4:
            return mp.fsum((-1) ** k * mp.factorial(2 * k + order) * u ** (2 * k) for k in range(12))
        found = mp.expint(1, mp.mpc(0, 1 / u)) * mp.expj(1 / u)
        return found.real / u**2 if order else -found.imag / u

    what = "Si(x) = pi / 2 - f cos(x) - g sin(x), Ci(x) = f sin(x) - g cos(x), f = {}, g = {}, x >= 4"
    what = what.format("SICI_F(t) / x", "SICI_G(t) / x^2") + ",\n// t = (5 v - 2) / 3, v = (x - 6) / (x + 6)"
    for order, name in enumerate(("SICI_F", "SICI_G")):
        f = partial(auxiliary, order)
        tables.table(name, "g" if order else what, f, mpf(-1) / 5, 1, 25, relative_to=f, t=True)


def elliptic(tables: Tables) -> None:
    """The complete elliptic integrals of the first and the second kind."""
    tables.title("complete elliptic integrals")
    tables.pair("PI_INVERSE", 1 / mp.pi)

    def logarithmic(y: mpf) -> mpf:
        """The limit at 0 is `log(4)`, DLMF 19.12.1."""
        return mp.ellipk(1 - y) + mp.log(y) * mp.ellipk(y) / mp.pi if y else mp.log(4)

    def less_second(y: mpf) -> mpf:
        """DLMF 19.5.1 and 19.5.2 less one another, over `pi y`."""
        return (mp.ellipk(y) - mp.ellipe(y)) / (mp.pi * y) if y else mpf(1) / 4

    def logarithmic_second(y: mpf) -> mpf:
        """DLMF 19.12.2."""
        return mp.ellipe(1 - y) + mp.log(y) * y * less_second(y) if y else mpf(1)

    def first_less(y: mpf) -> mpf:
        """`(E - (1 - y) K) / y`, DLMF 19.5.1 and 19.5.2."""
        return mp.pi / 4 * mp.hyp2f1(mpf(1) / 2, mpf(1) / 2, 2, y)

    def logarithmic_first_less(y: mpf) -> mpf:
        return mp.ellipe(1 - y) - y * mp.ellipk(1 - y) - y * mp.log(y) * first_less(y) / mp.pi if y else mpf(1)

    def logarithmic_less_second(y: mpf) -> mpf:
        return mp.ellipk(1 - y) - mp.ellipe(1 - y) + mp.log(y) * mp.ellipe(y) / mp.pi if y else mp.log(4) - 1

    for name, what, f in (
        ("ELLIPK", "ellipk(y) = ELLIPK(t), t = 4 y - 1, 0 <= y <= 1/2", mp.ellipk),
        ("ELLIPK_REST", "ellipk(1 - y) = ELLIPK_REST(t) - log(y) ellipk(y) / pi", logarithmic),
        ("ELLIPE", "ellipe(y) = ELLIPE(t)", mp.ellipe),
        ("ELLIPE_REST", "ellipe(1 - y) = ELLIPE_REST(t) - y log(y) ELLIP_D(t) / pi", logarithmic_second),
        ("ELLIP_D", "ellipk(y) - ellipe(y) = y ELLIP_D(t)", lambda y: mp.pi * less_second(y)),
        ("ELLIP_B", "ellipe(y) - (1 - y) ellipk(y) = y ELLIP_B(t)", first_less),
        ("ELLIP_B_REST", "the same of 1 - y: ELLIP_B_REST(t) + y log(y) ELLIP_B(t) / pi", logarithmic_first_less),
        ("ELLIP_D_REST", "ellipk - ellipe of 1 - y: ELLIP_D_REST(t) - log(y) ellipe(y) / pi", logarithmic_less_second),
    ):
        tables.table(name, what, f, 0, mpf(1) / 2, 22, relative_to=f, t=True)


def zeta_function(tables: Tables) -> None:
    """Riemann's zeta function to the right of its pole, and its derivative."""
    tables.title("zeta")

    def less_pole(s: mpf) -> mpf:
        return mp.zeta(s) - 1 / (s - 1)

    def derivative_less_pole(s: mpf) -> mpf:
        return mp.zeta(s, 1, 1) + 1 / (s - 1) ** 2

    def far(s: mpf) -> mpf:
        return (mp.zeta(s) - 1) * 2**s

    def derivative_far(s: mpf) -> mpf:
        return -mp.zeta(s, 1, 1) * 2**s

    def less_first_term(s: mpf) -> mpf:
        return derivative_far(s) - mp.log(2)

    pole = "zeta(s) = 1 / (s - 1) + {}(t)"
    tables.table("ZETA_NEAR", f"{pole.format('ZETA_NEAR')}, 1 <= s <= 8", less_pole, 1, 8, 19, relative_to=one, t=True)
    what = f"{pole.format('ZETA_MIDDLE')}, 8 <= s <= 20"
    tables.table("ZETA_MIDDLE", what, less_pole, 8, 20, 22, relative_to=one, t=True)
    what = "zeta(s) = 1 + ZETA_FAR(t) / 2^s, 20 <= s <= 56"
    tables.table("ZETA_FAR", what, far, 20, 56, 16, relative_to=lambda s: 2**s, t=True)
    what = "zeta'(s) = ZETA_1(t) - 1 / (s - 1)^2, 1 <= s <= 3"
    first = partial(mp.zeta, a=1, n=1)
    tables.table("ZETA_1", what, derivative_less_pole, 1, 3, 13, relative_to=first, t=True)
    for low, high, degree in ((3, 6, 29), (6, 12, 24), (12, 26, 24), (26, 100, 34)):
        what = f"zeta'(s) = -(log(2) + ZETA_{low}(t)) / 2^s, {low} <= s <= {high}"
        tables.table(f"ZETA_{low}", what, less_first_term, low, high, degree, relative_to=derivative_far, t=True)


def derivatives(tables: Tables) -> None:
    """Derivatives that no function above gives without cancellation."""
    tables.title("derivatives")
    trigamma = lambda x: mp.polygamma(1, x)
    for name, low, high, degree in (("TRIGAMMA", 1, 3, 32), ("TRIGAMMA_MIDDLE", 3, 8, 29)):
        what = f"trigamma(x) = {name}(t), t = (2 x - {low + high}) / {high - low}, {low} <= x <= {high}"
        tables.table(name, what, trigamma, low, high, degree, relative_to=trigamma, t=True)

    def far(z: mpf) -> mpf:
        x = 1 / mp.sqrt(z)
        return (trigamma(x) - 1 / x - 1 / (2 * x**2)) * x**3

    what = "trigamma(x) = u + z / 2 + u z TRIGAMMA_FAR(z), u = 1 / x, z = u^2, x >= 8"
    tables.table("TRIGAMMA_FAR", what, far, mpf(10) ** -10, mpf(1) / 64, 8, relative_to=one)

    def difference(kind: str, u: mpf) -> mpf:
        """`x sqrt(x)` times `exp(-x) (i0 - i1)`, or `exp(x) (k1 - k0)`, by DLMF 10.40.1 and 10.40.2 far out."""
        if u < mpf(10) ** -3:
            sign, scale = (1, 1 / mp.sqrt(2 * mp.pi)) if kind == "i" else (-1, -mp.sqrt(mp.pi / 2))
            terms = [
                (mp.rf(mpf(1) / 2, k) ** 2 - mp.rf(-mpf(1) / 2, k) * mp.rf(mpf(3) / 2, k)) / mp.factorial(k)
                for k in range(1, 40)
            ]
            return scale * mp.fsum(a * (sign * u / 2) ** (k + 1) for k, a in enumerate(terms)) / u
        x = 1 / u
        i, k = mp.besseli, mp.besselk
        found = mp.exp(-x) * (i(0, x) - i(1, x)) if kind == "i" else mp.exp(x) * (k(1, x) - k(0, x))
        return found * x * mp.sqrt(x)

    def near(x: mpf) -> mpf:
        return mp.exp(-x) * (mp.besseli(0, x) - mp.besseli(1, x)) * (1 + x) ** 2

    what = "i0e(x) - i1e(x) = I_LESS_NEAR(t) / (1 + x)^2, t = 2 x / 9 - 1, 0 <= x <= 9"
    tables.table("I_LESS_NEAR", what, near, 0, 9, 34, relative_to=near, t=True)
    of_i, of_k = partial(difference, "i"), partial(difference, "k")
    what = "i0e(x) - i1e(x) = u I_LESS_FAR(t) / sqrt(x), t = 18 u - 1, u = 1 / x, x >= 9"
    tables.table("I_LESS_FAR", what, of_i, 0, mpf(1) / 9, 28, relative_to=of_i, t=True)
    what = "k1e(x) - k0e(x) = u K_LESS_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1"
    tables.table("K_LESS_FAR", what, of_k, 0, 1, 39, relative_to=of_k, t=True)

    of_k0, of_k1 = (modified_far(mp.besselk, -1, order) for order in (0, 1))

    def k1_near(z: mpf) -> mpf:
        x = mp.sqrt(z)
        if not x:
            return mpf(1) / 4 - (mp.log(2) - mp.euler) / 2
        i1, k1 = (mp.besseli(0, x) + mp.besseli(2, x)) / 2, -(mp.besselk(0, x) + mp.besselk(2, x)) / 2
        return k1 + 1 / z - mp.log(x) * i1

    def k1_far(u: mpf) -> mpf:
        return of_k0(u) + u * of_k1(u)

    def k1e_far(u: mpf) -> mpf:
        return of_k1(u) - of_k(u)

    i1_series = lambda z: mp.hyp0f1(1, z / 4) - mp.hyp0f1(2, z / 4) / 2
    tables.table("K_I1_DERIVATIVE", "i1'(x) = K_I1_DERIVATIVE(z)", i1_series, 0, 1, 7, relative_to=one)
    what = "k1'(x) = K1_DERIVATIVE_NEAR(z) + log(x) i1'(x) - 1 / z, z = x^2 <= 1"
    tables.table("K1_DERIVATIVE_NEAR", what, k1_near, 0, 1, 8, relative_to=one)
    what = "exp(x) k1'(x) = -K1_DERIVATIVE_FAR(t) / sqrt(x), t = 2 u - 1, u = 1 / x, x >= 1"
    tables.table("K1_DERIVATIVE_FAR", what, k1_far, 0, 1, 38, relative_to=k1_far, t=True)
    what = "k1e'(x) = -u K1E_DERIVATIVE_FAR(t) / sqrt(x)"
    tables.table("K1E_DERIVATIVE_FAR", what, k1e_far, 0, 1, 38, relative_to=k1e_far, t=True)

    def i1_near(x: mpf) -> mpf:
        return mp.exp(-x) * (mp.besseli(0, x) + mp.besseli(2, x)) / 2 * (1 + x)

    far = [modified_far(mp.besseli, 1, order) for order in (0, 1)]

    def i1_far(u: mpf) -> mpf:
        return far[0](u) - u * far[1](u)

    what = "exp(-x) i1'(x) = I1_DERIVATIVE_NEAR(t) / (1 + x), t = 2 x / 9 - 1, 0 <= x <= 9"
    tables.table("I1_DERIVATIVE_NEAR", what, i1_near, 0, 9, 32, relative_to=i1_near, t=True)
    what = "exp(-x) i1'(x) = I1_DERIVATIVE_FAR(t) / sqrt(x), t = 18 u - 1, u = 1 / x, x >= 9"
    tables.table("I1_DERIVATIVE_FAR", what, i1_far, 0, mpf(1) / 9, 24, relative_to=i1_far, t=True)

    def i1e(x: mpf) -> mpf:
        return mp.exp(-x) * (mp.besseli(0, x) - (mp.besseli(1, x) / x if x else mpf(1) / 2) - mp.besseli(1, x))

    peak = mp.findroot(i1e, (mpf(1), mpf(2)), solver="anderson")

    def i1e_near(x: mpf) -> mpf:
        return i1e(x) * (1 + x / 2) ** 3 / (peak - x)

    def i1e_far(u: mpf) -> mpf:
        return far[1](u) - of_i(u)

    tables.pair("I1E_PEAK", peak)
    what = "i1e'(x) = (I1E_PEAK - x) I1E_DERIVATIVE_NEAR(t) / (1 + x / 2)^3, t = 2 x / 9 - 1, 0 <= x <= 9"
    tables.table("I1E_DERIVATIVE_NEAR", what, i1e_near, 0, 9, 32, relative_to=i1e_near, t=True)
    what = "i1e'(x) = -u I1E_DERIVATIVE_FAR(t) / sqrt(x), t = 18 u - 1, u = 1 / x, x >= 9"
    tables.table("I1E_DERIVATIVE_FAR", what, i1e_far, 0, mpf(1) / 9, 24, relative_to=i1e_far, t=True)


START = """\
// Written by `python tests/kernel_coefficients.py`.
#pragma once

// Two rows of 16 numbers for `lookups.h`: one after the other, or by turns.
#ifdef __AVX512F__
#define TWO_ROWS(...) {__VA_ARGS__}
#else
#define TWO_ROWS( \\
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, \\
    b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15) \\
    {a0, b0, a1, b1, a2, b2, a3, b3, a4, b4, a5, b5, a6, b6, a7, b7, \\
     a8, b8, a9, b9, a10, b10, a11, b11, a12, b12, a13, b13, a14, b14, a15, b15}
#endif
"""
FAMILIES = (
    *(elementary, trigonometric, error_functions, gamma_functions, modified_bessel, logarithms),
    *(inverse_error_functions, dawson, faddeeva, bessel, exponential_integrals, sine_and_cosine_integrals, elliptic),
    *(zeta_function, derivatives),
)


def header() -> str:
    """The whole file."""
    with mpmath.workdps(60):
        tables = Tables()
        for family in FAMILIES:
            family(tables)
    return START + "".join(tables.parts)


if __name__ == "__main__":
    HEADER.write_text(header())
