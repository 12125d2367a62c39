"""The confluent hypergeometric limit function `0F1(; v; z)` of large `v` of both signs, by Debye's expansions.

With `s = sqrt(z)` and DLMF 10.39.9, 10.27.4 and 5.5.3,

    0F1(; v; z) = gamma(v) s**-n I_n(2 s),                                      n = v - 1,
    0F1(; v; z) = s**n / gamma(n) (pi / sin(pi n) I_n(2 s) + 2 K_n(2 s)),       n = 1 - v.

With `q = sqrt(1 + 4 z / n**2)`, `h = (q - 1) / 2` and `m`, what Stirling's formula lacks of `log(gamma(n))`, by DLMF
10.41.3 and 10.41.4

    gamma(v) s**-n I_n      = exp(m) / sqrt(q) exp(n (2 h - log(1 + h))) F(1 / (n q)),
    s**n / gamma(n) 2 K_n   = exp(-m) / sqrt(q) exp(n (log(1 + h) - 2 h)) F(-1 / (n q)),
    s**n / gamma(n) pi I_n  = exp(-m) / sqrt(q) exp(n (log(h) + 2 h + 2)) F(1 / (n q)) / 2.

The exponents of I and of K differ by `n D`, `D = 2 q - log((1 + q) / (1 - q))`, and the smallest terms of F are as
`exp(-abs(n D))`.  Left of the turning point `q = 0`, from Stokes' line `Im D = 0` to the negative axis, I has a second
term: it is `I_n + i / pi exp(i pi n) K_n` above the axis (DLMF 10.40.5), and the conjugate below.  On the axis right of
the turning point the means of both sides are taken: `1 / tan(pi n)` for `1 / sin(pi n)`, and `abs(h)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...bessel.debye import expansion_jet
from ...numerics.hypergeometric_series import moduli
from ...numerics.jets import Jet, choose, compose, cosine_of_pi, exponential, logarithm, sine_of_pi
from ...numerics.regions import by_region
from ...numerics.stirling_powers import stirling_series

LARGE = 60.0
"""From here on, with both signs, the expansions hold to all digits."""

_LEAST = 37.0
"""The modulus of `n D` from which on no digit is lost."""

_ERROR = 1e-11
"""Values whose bound of the relative error is larger are not taken."""

_EPSILON = 2.3e-16
"""The relative error of a rounded exponent."""


def of_large(v: Jet, z: Any) -> tuple[Jet, Any]:
    """The function, and where it is had to 1e-11: not next to the turning point.

    Parameters
    ----------
    v : Jet
        Real, of a modulus of at least 60, not a negative integer.
    z : array
        Real or complex, flat.
    """
    is_positive = v.value > 0
    if z.dtype.kind == "c":
        return by_region([(is_positive, _of_positive), (~is_positive, _of_negative)], v, z)
    oscillates = 4 * z < -np.square(v.value - 1)
    regions = [
        (oscillates, _of_oscillating),
        (~oscillates & is_positive, _of_positive),
        (~oscillates & ~is_positive, _of_negative),
    ]
    return by_region(regions, v, z)


def _of_oscillating(v: Jet, z: Any) -> tuple[Jet, Any]:
    """Of real `z` left of the turning point."""
    w, is_good = of_large(v, z.astype(np.complex128))
    return w.map(np.real), is_good


def _roots(n: Jet, z: Any) -> tuple[Jet, Jet]:
    """`q` and `h`."""
    square = n.reciprocal() * n.reciprocal() * z
    q = _power(square * 4.0 + 1.0, 0.5)
    return q, square * 2.0 / (q + 1.0)


def _power(x: Jet, exponent: float) -> Jet:
    return compose(x, lambda y, k: special.binom(exponent, k) * y ** (exponent - k))


def _log1p(h: Jet) -> Jet:
    """NumPy's keeps no digits of a small complex value."""
    log = logarithm(h + 1.0)
    value = h.value
    if value.dtype.kind == "c":
        x, y = np.real(value), np.imag(value)
        exact = 0.5 * np.log1p(x * (2 + x) + y * y) + 1j * np.arctan2(y, 1 + x)
    else:
        exact = np.log1p(value)
    return log.nilpotent() + exact


def _distance(n: Any, q: Any) -> tuple[Any, Any]:
    """The modulus of `n D`, and on which side of Stokes' line it is: 1 or -1 with the sign of `Im z`, or 0."""
    d = 2 * q - np.log((1 + q + 0j) / (1 - q))
    sign = np.where(np.signbit(np.imag(q)), -1.0, 1.0)
    is_past = (np.imag(d) * sign > 0) & (np.abs(np.imag(q)) > 0) & (np.real(q * q) < 1)
    return np.abs(n * d), np.where(is_past, sign, 0.0)


def _of_positive(v: Jet, z: Any) -> tuple[Jet, Any]:
    n = v - 1.0
    q, h = _roots(n, z)
    far, side = _distance(n.value, q.value)
    exponent, root = n * (h * 2.0 - _log1p(h)), _power(q, -0.5)
    square, inverse, m = (q * q).reciprocal(), (n * q).reciprocal(), stirling_series(n, 6)
    radius = np.minimum(np.abs((n * q).value), far / 2)
    total = exponential(exponent + m) * expansion_jet(square, inverse, radius)
    error = np.abs(total.value * exponent.value)
    if np.any(side):
        other = n * (h * -2.0 - 2.0 - logarithm(choose(side != 0, -h, h * 0.0 + 1.0)))
        second = exponential(other + m) * expansion_jet(square, -inverse, radius)
        total = choose(side != 0, total + second * (1j * side), total)
        error = error + np.where(side != 0, np.abs(second.value * other.value), 0.0)
    return _checked(total * root, error * np.abs(root.value), far)


def _of_negative(v: Jet, z: Any) -> tuple[Jet, Any]:
    n = 1.0 - v
    sine, cosine = sine_of_pi(v), -cosine_of_pi(v)
    q, h = _roots(n, z)
    far, side = _distance(n.value, q.value)
    is_real = z.dtype.kind != "c"
    size = choose(h.value < 0, -h, h) if is_real else h
    log = logarithm(choose(size.value == 0, h * 0.0 + 1.0, size))
    exponent, exponent_of_other = n * (_log1p(h) - h * 2.0), n * (log + h * 2.0 + 2.0)
    half = sine.reciprocal() * 0.5
    square, inverse, m = (q * q).reciprocal(), (n * q).reciprocal(), stirling_series(n, 6)
    radius, root = np.minimum(np.abs((n * q).value), far / 2), _power(q, -0.5)
    first = exponential(exponent - m) * expansion_jet(square, -inverse, radius)
    first = choose(side != 0, first * 0.5 + first * cosine * half * (1j * side), first) if np.any(side) else first
    factor = choose(z < 0, cosine * half, half) if is_real else half
    second = exponential(exponent_of_other - m) * factor * expansion_jet(square, inverse, radius)
    second = choose(size.value == 0, second * 0.0, second)
    sizes = np.abs(log.value) + 2 + 2 * np.abs(h.value)
    error = np.abs(first.value * exponent.value) + np.abs(second.value * n.value) * sizes
    return _checked((first + second) * root, error * np.abs(root.value), far)


def by_bessel(v: Any, z: Any) -> tuple[Jet, Any]:
    """The value alone of real `z < 0`, `v < 0` by Bessel functions, also next to the turning point."""
    n, s = 1 - v, np.sqrt(-z)
    exponent = n * (np.log(s / n) + 1)
    scale = np.exp(exponent - stirling_series(n, 6)) * np.sqrt(n * (math.pi / 2))
    jet = Jet({(0,): v}, (0,))
    tangent = sine_of_pi(jet).value / cosine_of_pi(jet).value
    first, second = special.jv(n, 2 * s) / -tangent, special.yv(n, 2 * s)
    w, error = scale * (first - second), (np.abs(first) + np.abs(second)) * scale * (n + np.abs(exponent))
    return _checked(Jet({(0,): w}, (0,)), error, np.inf)


def _checked(w: Jet, error: Any, far: Any) -> tuple[Jet, Any]:
    """Whether it is certain, or infinite."""
    is_certain = (_EPSILON * error <= _ERROR * moduli(w)) & np.isfinite(moduli(w))
    return w, (is_certain | np.isinf(np.abs(w.value))) & (far > _LEAST)
