"""Derivatives of the scaled Bessel functions in the argument where it is large, and the mixed ones in the order.

`exp(s) K` varies as slowly as `1 / sqrt(s)`, so that the recurrences of its derivative, which subtract functions of
neighbouring orders, lose a factor of `s`.  In Debye's expansions, in the letters of `debye`,

    exp(-s) I_v(s) = exp(B) / sqrt(2 pi r) F(1 / r),    exp(s) K_v(s) = sqrt(pi / (2 r)) exp(-B) F(-1 / r)

with `B = E - s = v**2 / (r + s) - v arcsinh(v / s)`, nothing cancels: `dB / dv = -arcsinh(v / s)`, of which the
derivative in `v` is `-1 / r`, and `dB / ds = r / s - 1 = v**2 / (s (r + s))`.  Order and argument are a jet.

The first derivative is the value `w` times a continued fraction, Temme, J. Comput. Phys. 19 (1975), p. 324.  With
`U_n = U(v + n + 1/2, 2 v + 1, 2 s)` and `w = exp(s) K_v(s) = sqrt(pi) (2 s)**v U_0`, DLMF 10.39.6, by 13.3.7
and 13.3.22

    U_(n-1) = 2 (s + n) U_n + (v**2 - (n + 1/2)**2) U_(n+1),    s dw / ds = ((1/4 - v**2) U_1 / U_0 - 1/2) w,

and as `exp(-s) I_v(s)` has the same expansion in `-s`, it has the same fraction there to an error of `exp(-2 s)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..numerics.horner import horner
from ..numerics.jets import Index, Jet, compose, exponential, phase_factor, variables
from ..numerics.regions import in_double, with_dtypes
from ..ufuncs.ufunc_rules import Partial, pointwise
from .debye import expansion_jet

_FAR, _WIDE = 40.0, 2.0
"""From this modulus on, and this multiple of the order."""
_DISTANT = 1e3
"""From this modulus on the derivative of I at complex numbers."""
_BESIDE = 1e-300
"""How far beside the imaginary axis."""
_TERMS = 18
"""So many terms of Hankel's expansions suffice there for the orders 0 and 1."""
_LEVELS = 14
"""Of the continued fraction."""


def is_far(v: Any, z: Any, kind: str) -> Any:
    """Where the expansion holds, of finite arguments; for I on the positive axis, for H where it is one exponential."""
    modulus = np.abs(z)
    is_large = (modulus >= _FAR) & (modulus >= _WIDE * np.abs(v)) & np.isfinite(modulus)
    if kind == "i":
        return is_large & (z > 0) if z.dtype.kind != "c" else is_large & False
    if kind == "k":
        return is_large if z.dtype.kind == "c" else is_large & (z > 0)
    return is_large & ((np.real(z) > 0) | (np.imag(z) >= 0 if kind == "h1" else np.imag(z) < 0))


@pointwise(
    lambda w, v, z, *, kind, n, m: scaled_derivative(v, z, kind=kind, n=n + 1, m=m),
    lambda w, v, z, *, kind, n, m: scaled_derivative(v, z, kind=kind, n=n, m=m + 1),
)
def scaled_derivative(v: Any, z: Any, *, kind: str, n: int, m: int) -> Any:
    """The derivative of order `n` in `v` and `m` in `z` of "i", "k", "h1" or "h2", scaled, where it `is_far`.

    `exp(-i z) H1_v(z) = -2 i / pi exp(-i pi v / 2) exp(s) K_v(s)` with `s = -i z`, DLMF 10.27.8, and the conjugate.
    """

    def kernel(v: Any, z: Any) -> Any:
        if kind in "ik":
            return _scaled_jet(v, z, (n, m), 1.0 if kind == "i" else -1.0).derivative(n, m)
        side = -1.0 if kind == "h1" else 1.0
        rotation = phase_factor(variables((n, m), v, z)[0], 0.5 * side) * (2j / math.pi * side)
        return (_scaled_jet(v, 1j * side * z, (n, m), -1.0) * rotation).derivative(n, m) * (1j * side) ** m

    return in_double(kernel, *with_dtypes(v, z))


def _scaled_jet(v: Any, s: Any, orders: tuple[int, int], sign: float) -> Jet:
    n, m = orders
    order, argument = variables(orders, v, s)
    radius = s * np.sqrt(1 + (v / s) ** 2)
    square = order * order + argument * argument

    def root(exponent: float) -> Jet:
        return compose(square, lambda _, k: special.binom(exponent, k) * radius ** (2 * exponent - 2 * k))

    inverse = root(-0.5)
    first_derivative = order * order / (argument * (root(0.5) + argument))
    angle = np.arcsinh(v / s)
    angles = [angle, *(inverse.coefficients[(k, 0)] / (k + 1) for k in range(n - 1))]
    exponents: dict[Index, Any] = {(0, 0): v * v / (radius + s) - v * angle}
    exponents |= {(k + 1, 0): -c / (k + 1) for k, c in enumerate(angles[:n])}
    exponents |= {(i, j + 1): c / (j + 1) for (i, j), c in first_derivative.coefficients.items() if j < m}
    constant = 1 / math.sqrt(2 * math.pi) if sign > 0 else math.sqrt(math.pi / 2)
    tail = expansion_jet(order * order * inverse * inverse, inverse * sign, np.abs(radius))
    return exponential(Jet(exponents, orders) * sign) * tail * root(-0.25) * constant


def _rate(v: Any, s: Any) -> Any:
    """The derivative of `log w` in `s`."""
    square, double, tail = v * v, s + s, 0.0
    for n in range(_LEVELS, 0, -1):
        tail = (square - (n - 0.5) ** 2) / (double + 2 * n + tail)
    return -(tail + 0.5) / s


@pointwise(
    lambda w, v, z, *, value, kind: scaled_derivative(v, z, kind=kind, n=1, m=1),
    lambda w, v, z, *, value, kind: scaled_derivative(v, z, kind=kind, n=0, m=2),
)
def scaled_first_derivative(v: Any, z: Any, *, value: Any, kind: str) -> Any:
    """The derivative in `z` of the same functions from their values, where it `is_far`."""
    side = {"i": -1.0, "k": 1.0, "h1": -1j, "h2": 1j}[kind]
    return in_double(lambda v, z: side * _rate(v, side * z), *with_dtypes(v, z)) * value


def is_far_complex(v: Any, z: Any) -> Any:
    """Where `first_kind_of_complex` has all digits, and differences of I have not."""
    return is_far(v, z, "k") & (np.abs(z) >= _DISTANT) if z.dtype.kind == "c" else False


def first_kind_of_complex(v: Any, z: Any, m: int) -> Any:
    """`exp(-|Re z|) I_v(z)`, or its derivative in `z` without that of the phase, where `is_far_complex`.

    `I_v(z) = -+i / pi (K_v(-z) - exp(+-i pi v) K_v(z))` with the upper signs above the real axis, DLMF 10.34.2.  The
    exponents `z - |Re z|` and `-z - |Re z|` rise by `1 - s` and `-(1 + s)` beside the phase, `s` the sign of `Re z`.
    """
    side, s = np.copysign(1.0, np.imag(raw(z))), np.sign(np.real(raw(z)))
    size = np.abs(np.real(z))
    turn = np.exp(1j * math.pi * side * (v - 2 * np.rint(raw(v) / 2)))
    behind, here = _second_kind(v, -z, m, 1 - s), _second_kind(v, z, m, 1 + s)
    behind = behind if m == 0 else -behind
    return -1j / math.pi * side * (np.exp(z - size) * behind - turn * np.exp(-z - size) * here)


def cylinder_of_complex(v: Any, z: Any, kind: str, m: int) -> Any:
    """`jve` ("j"), `yve`, or the derivative in `z` without that of the phase, where `is_far_complex`.

    With `s` 1 above the real axis and on it, and -1 below, and `t = -i s z`, J is `exp(i s pi v / 2) I_v(t)`, and the
    Hankel function that falls there is `H = -2 i s / pi exp(-i s pi v / 2) K_v(t)`, DLMF 10.27.6 and 10.27.8.  By
    DLMF 10.4.3 then `Y = i s (J - H)`.
    """
    imaginary = np.imag(raw(z))
    s = np.where(imaginary >= 0, 1.0, -1.0)
    t, rate, turn = -1j * s * z, (-1j * s) ** m, _quarter_turns(v, s)
    rising = turn * first_kind_of_complex(v, t, m) * rate
    if kind == "j":
        return rising
    falling = _second_kind(v, t, m, 1 + np.abs(np.sign(imaginary)))
    falling = -2j / math.pi * s / turn * falling * rate
    return 1j * s * (rising - np.exp(-t - np.abs(np.imag(z))) * falling)


def hankel_of_complex(v: Any, z: Any, kind: str, m: int) -> Any:
    """`hankel1e` ("h1") or `hankel2e`, or the derivative in `z`, far out, where neither `is_far` nor right of the axis.

    With `s` -1 for the first and 1 for the second and `t = -i s z` it is, by DLMF 10.11.3 and 10.11.4,
    `-2 i s / pi exp(i s pi v / 2) (K(-t) - 2 cos(pi v) exp(-2 t) K(t))` with `K(t)` for `exp(t) K_v(t)`.  On the
    imaginary axis `-t` is on the cut of `K`, to the side of which a number leads that is too small to count.
    """
    s = -1.0 if kind == "h1" else 1.0
    t = -1j * s * (z - np.where(np.real(raw(z)) == 0, _BESIDE, 0.0))
    remainder = v - 2 * np.rint(raw(v) / 2)
    cosine = np.sin(math.pi * (0.5 - np.abs(remainder)))
    total = (-1.0) ** m * _second_kind(v, -t, m, 0.0) - 2 * cosine * np.exp(-2 * t) * _second_kind(v, t, m, 2.0)
    return -2j * s / math.pi * _quarter_turns(v, s) * total * (-1j * s) ** m


def far_of_complex(v: Any, z: Any, kind: str, m: int) -> Any:
    """The scaled "i", "j", "y", "h1" or "h2", as of these."""
    if kind == "i":
        return first_kind_of_complex(v, z, m)
    return cylinder_of_complex(v, z, kind, m) if kind in "jy" else hankel_of_complex(v, z, kind, m)


def _quarter_turns(v: Any, s: Any) -> Any:
    return np.exp(0.5j * math.pi * s * (v - 4 * np.rint(raw(v) / 4)))


def _second_kind(v: Any, t: Any, m: int, fall: Any) -> Any:
    """`exp(t) K_v(t)`, or its derivative less `fall` times itself."""
    w = scaled_derivative(v, t, kind="k", n=0, m=0)
    return w if m == 0 else scaled_first_derivative(v, t, value=raw(w), kind="k") - fall * w


@pointwise(lambda w, x, *, v, kind, m: of_integer_order(x, v=v, kind=kind, m=m + 1))
def of_integer_order(x: Any, *, v: int, kind: str, m: int) -> Any:
    """The derivative of order `m` of the scaled I or K of the order 0 or 1, far out: DLMF 10.40.1 and 10.40.2."""
    a, coefficients = 1.0, []
    for k in range(_TERMS):
        coefficients.append(a * (-1) ** m * math.prod(k + 0.5 + i for i in range(m)))
        a *= (4 * v * v - (2 * k + 1) ** 2) / (8 * (k + 1)) * (1 if kind == "k" else -1)
    constant = math.sqrt(math.pi / 2) if kind == "k" else 1 / math.sqrt(2 * math.pi)

    def kernel(x: Any) -> Any:
        inverse = 1 / x
        total = horner(coefficients, inverse) * np.sqrt(inverse) * constant
        for _ in range(m):
            total *= inverse
        return total

    return in_double(kernel, *with_dtypes(x))


def or_far(first_derivative: Partial, kind: str, n: int = 0, value: Partial | None = None) -> Partial:
    """The partial in `z` of the derivative of order `n` in `v`, from here where it `is_far`.

    Of the function itself, `value` gives the values along with those of SciPy.
    """

    def partial(w: Any, v: Any, z: Any) -> Any:
        here = is_far(raw(v), raw(z), kind)
        if not np.any(here):
            return first_derivative(w, v, z)
        is_everywhere = bool(np.all(here))
        order, argument = (v, z) if is_everywhere else (np.where(here, v, 0.0), np.where(here, z, 100.0))
        if value is None:
            far = scaled_derivative(order, argument, kind=kind, n=n, m=1)
        else:
            far = scaled_first_derivative(order, argument, value=raw(value(w, v, z)), kind=kind)
        if is_everywhere:
            return far
        return np.where(
            here, far, first_derivative(np.where(here, 1.0, w), np.where(here, 0.0, v), np.where(here, 1.0, z))
        )

    return partial
