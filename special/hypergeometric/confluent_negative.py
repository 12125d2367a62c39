"""The confluent hypergeometric limit function `0F1(; v; z)` at large negative `v`, where its series cancels.

With `n = 1 - v`, `s = sqrt(z)` and DLMF 10.39.9, 10.27.4 and 5.5.3,

    0F1(; v; z) = s**n / gamma(n) (pi / sin(pi n) I_n(2 s) + 2 K_n(2 s)),

and at negative `z`, `s = sqrt(-z)`, the same with `pi / tan(pi n) J_n(2 s) - pi Y_n(2 s)`.  By Debye's expansions, DLMF
10.41.3 and 10.41.4, and Stirling's, with `q = sqrt(1 + 4 z / n**2)` and `h = (q - 1) / 2` it is

    exp(-m) / sqrt(q) (exp(n (log(1 + h) - 2 h)) F(-1 / (n q))
                       + exp(n (log(h) + 2 h + 2)) / (2 sin(pi n)) F(1 / (n q))),

where `m` is what Stirling's formula lacks of `log(gamma(n))`; at negative `z` it has `1 / tan` and `abs(h)`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ..bessel.debye import expansion
from ..numerics.hypergeometric_series import by_cases
from ..numerics.jets import Jet
from ..numerics.stirling_powers import stirling_series

__all__ = ["LARGE", "of_large_negative"]

LARGE = 60.0
"""From here on, with the other sign, the expansions hold to all digits."""

_ERROR = 1e-11
"""Values whose bound of the relative error is larger are not taken."""

_EPSILON = 2.3e-16
"""The relative error of a rounded exponent."""


def of_large_negative(v: Any, z: Any) -> tuple[Jet, Any]:
    """The function, and where it is had to 1e-11: not next to the turning point of complex `z`.

    Parameters
    ----------
    v : array
        Real, at most -60, not whole.
    z : array
        Real or complex, flat.
    """
    q, h = _roots(1 - v, z)
    # the terms are smallest where they are as the exponential of the difference of the two exponents
    gap = (1 - v) * np.real(_log1p(h) - np.log(-h) - 2 * q)
    is_inside = (np.real(z) >= 0) | (np.abs(gap) > 37)
    beyond = ~is_inside & (z.dtype.kind != "c")
    ways = [(is_inside, _by_debye), (beyond, _by_bessel), (~is_inside & ~beyond, _unknown)]
    return by_cases(ways, v, z)


def _roots(n: Any, z: Any) -> tuple[Any, Any]:
    """`q` and `h`."""
    q = np.sqrt(1 + 4 * z / (n * n))
    return q, 2 * z / (n * n) / (1 + q)


def _unknown(v: Any, z: Any) -> tuple[Jet, Any]:
    return _jet(np.full_like(z, np.nan))


def _jet(w: Any) -> tuple[Jet, Any]:
    return Jet({(0,): w}, (0,)), np.isfinite(w)


def _by_debye(v: Any, z: Any) -> tuple[Jet, Any]:
    n = 1 - v
    sine, cosine = _of_turns(v)
    q, h = _roots(n, z)
    is_real = z.dtype.kind != "c"
    size = np.abs(h) if is_real else h
    log = np.log(np.where(size == 0, 1.0, size))
    exponent, exponent_of_other = n * (_log1p(h) - 2 * h), n * (log + 2 * h + 2)
    factor = np.where(z < 0, cosine, 1.0) / (2 * sine) if is_real else 1 / (2 * sine)
    m = stirling_series(n, 6)
    square, inverse = 1 / (q * q), 1 / (n * q)
    first = np.exp(exponent - m) * expansion(square, -inverse)
    second = np.where(size == 0, 0.0, np.exp(exponent_of_other - m) * factor * expansion(square, inverse))
    error = np.abs(first) * np.abs(exponent) + np.abs(second) * n * (np.abs(log) + 2 + 2 * np.abs(h))
    return _jet(_checked((first + second) / np.sqrt(q), _EPSILON * error / np.sqrt(np.abs(q))))


def _by_bessel(v: Any, z: Any) -> tuple[Jet, Any]:
    n, s = 1 - v, np.sqrt(-z)
    sine, cosine = _of_turns(v)
    exponent = n * (np.log(s / n) + 1)
    scale = np.exp(exponent - stirling_series(n, 6)) * np.sqrt(n * (math.pi / 2))
    first, second = cosine / sine * special.jv(n, 2 * s), special.yv(n, 2 * s)
    error = (np.abs(first) + np.abs(second)) * scale * (n + np.abs(exponent))
    return _jet(_checked(scale * (first - second), _EPSILON * error))


def _log1p(h: Any) -> Any:
    """NumPy's keeps no digits of a small complex `h`."""
    if h.dtype.kind != "c":
        return np.log1p(h)
    x, y = np.real(h), np.imag(h)
    return 0.5 * np.log1p(x * (2 + x) + y * y) + 1j * np.arctan2(y, 1 + x)


def _checked(w: Any, error: Any) -> Any:
    """What is certain, and what is infinite."""
    return np.where((error <= _ERROR * np.abs(w)) | np.isinf(w), w, np.nan)


def _of_turns(v: Any) -> tuple[Any, Any]:
    """Sine and cosine of `pi (1 - v)`."""
    whole = np.rint(v)
    sign = 1 - 2 * np.remainder(whole, 2)
    angle = math.pi * (v - whole)
    return sign * np.sin(angle), -sign * np.cos(angle)
