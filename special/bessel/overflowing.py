"""Bessel functions of orders so high, beside their arguments, that they overflow: values, and signs of infinite parts.

Next to `z = 0`, as far as the order dominates, H1, -H2 and i Y are the same function, for J does not count beside it,
and it is K of `-i z`, DLMF 10.27.8.  By Debye's expansions, in the letters of `debye`,

    K_v(z) = sqrt(pi / 2) L_v(z),    L_v(z) = r**(-1/2) exp(v log((v + r) / z) - r) F(-1 / r),    r = sqrt(v**2 + z**2),

and `Y = -sqrt(2 / pi) L` with `r = sqrt(v**2 - z**2)`; but for `F` the derivative of `log L` in `v` is
`log((v + r) / z)`, that in `z` is `-r / z`.  Functions of the order `-m` are, by DLMF 10.4.6, 10.4.7 and 10.27.2,

    H1 = exp(i pi m) H1_m,    H2 = exp(-i pi m) H2_m,    Y = cos(pi m) Y_m,    J = -sin(pi m) Y_m,
    I = 2 / pi sin(pi m) K_m,    K = K_m.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ..numerics.jets import unit_number
from ..numerics.warned import warn
from .debye import SMALLEST_RADIUS, expansion

_LARGEST = math.log(np.finfo(float).max)
_DOMINANT = 20.0
"""From this logarithm of `L` on the other solution has no digit beside it."""
_UNSURE = 0.2
"""By how much the logarithm of a modulus may be off without `F`."""
_TINY = 1e-8
"""Up to this argument the power series is its first term."""
_SCALE = math.sqrt(2 / math.pi)
_NAN = complex(math.nan, math.nan)
_RATES = {"k": 1.0, "h1": -1j, "h2": 1j}
"""Of the exponents of the factors that make scaled functions, which are holomorphic."""


def dominated_by_order(v: Any, z: Any, kind: str, scaled: bool) -> Any:
    """The function at finite vectors, where its order dominates; elsewhere it is NaN."""
    size, unit, root = _leading(v, z + 0j, kind, scaled)
    tail = _tail(np.abs(v), z, root)
    is_infinite = size > _LARGEST + _UNSURE
    w = times_exponential(np.where(np.isnan(tail) & is_infinite, unit, unit * tail), size)
    return _of_kind(w, z, kind)


def _infinite_derivative(v: Any, z: Any, kind: str, scaled: bool, in_order: bool) -> Any:
    """The first derivative in `v` or `z` of real functions where it is infinite, or NaN."""
    size, unit, _ = _leading(v, z + 0j, kind, scaled, in_order=in_order, in_argument=not in_order)
    is_infinite = size + np.log(np.abs(unit)) > _LARGEST + _UNSURE
    return np.real(times_exponential(np.where(is_infinite, unit, _NAN), size))


def _of_kind(w: Any, z: Any, kind: str) -> Any:
    """Real functions are so at real arguments."""
    return w if z.dtype.kind == "c" or kind in ("h1", "h2") else w.real


def with_infinite_derivatives(found: Any, v: Any, z: Any, kind: str, scaled: bool, in_order: bool) -> Any:
    """Infinities in place of NaN where a real derivative overflows; a complex one has none, and there is a warning."""
    here = is_inside(v, z, kind) & np.isnan(found)
    if not np.any(here):
        return found
    ours = np.full_like(found, np.nan)
    if z.dtype.kind != "c" and kind not in ("h1", "h2"):
        ours[here] = _infinite_derivative(v[here], z[here], kind, scaled, in_order)
    if np.any(here & np.isnan(ours)):
        warn(
            f"a derivative of a Bessel function (kind {kind}) is NaN at finite arguments. Likely cause: it overflows, "
            "at a high order, or far from the real axis. Take a scaled function or a lower order, or use mpmath there."
        )
    return np.where(here, ours, found)


def is_inside(v: Any, z: Any, kind: str) -> Any:
    """Where the function of finite arguments is no pole, and is real at real ones."""
    finite = np.isfinite(v) & np.isfinite(z) & (z != 0)
    return finite & (z > 0) if z.dtype.kind != "c" and kind not in ("h1", "h2") else finite


def times_exponential(w: Any, exponent: Any) -> Any:
    """`w exp(exponent)`; where that overflows its parts are infinite, or 0 where those of `w` are."""
    half = np.exp(0.5 * exponent)
    if w.dtype.kind != "c":
        return np.where(w == 0, 0.0, w * half * half)
    out = np.empty_like(w)
    out.real, out.imag = (np.where(part == 0, 0.0, part * half * half) for part in (w.real, w.imag))
    return out


def _leading(
    v: Any, z: Any, kind: str, scaled: bool, *, in_order: bool = False, in_argument: bool = False
) -> tuple[Any, Any, Any]:
    """The logarithm of a modulus, the number to multiply it by, NaN where the order does not dominate, and `r`.

    They are those of the function or of a derivative without `F`.
    """
    order = np.abs(v)
    ratio = z / order
    root = order * np.sqrt(1 + (ratio * ratio if kind in "ik" else -ratio * ratio))
    logarithm = np.log(order + root) - np.log(z)
    exponent = order * np.log(order + root) - root - order * np.log(np.abs(z)) - np.log(root) / 2
    dominates = np.real(exponent) > _DOMINANT
    turns, factor, change = _reflected(v, order, kind)
    rate = -root / z
    if scaled:
        growth, phase_rate = _scale(z, kind)
        exponent, rate = exponent + growth, rate + phase_rate
    if in_order:
        factor = np.copysign(1.0, v) * (factor * logarithm + change)
    unit = unit_number(order * (turns - _half_turns(z))) * np.exp(1j * np.imag(exponent)) * factor
    return np.real(exponent), np.where(dominates, unit * rate if in_argument else unit, _NAN), root


def _tail(order: Any, z: Any, root: Any) -> Any:
    """`F`, NaN where it is not known; of low orders the quotient of `gamma(v)` and the first term of its expansion."""
    q = (order / root) ** 2
    holds = np.abs(root) >= SMALLEST_RADIUS * np.maximum(1.0, np.abs(q))
    high = np.where(holds, expansion(np.where(holds, q, 1.0), -1 / np.where(holds, root, SMALLEST_RADIUS)), _NAN)
    is_low = order < SMALLEST_RADIUS
    low = np.where(is_low, order, 1.0)
    stirling = special.gammaln(low) - (low - 0.5) * np.log(low) + low - 0.5 * math.log(2 * math.pi)
    return np.where(is_low, np.where(np.abs(z) < _TINY, np.exp(stirling), _NAN), high)


def _reflected(v: Any, order: Any, kind: str) -> tuple[Any, Any, Any]:
    """`t`, `c` and the derivative of `c` in `|v|`: `L` of the order `|v|` is multiplied by `exp(i pi |v| t) c`."""
    is_negative = v < 0
    turn = unit_number(np.where(is_negative, order, 0.0))
    cosine, sine, pi = turn.real, turn.imag, np.where(is_negative, math.pi, 0.0)
    turns, factor, change = {
        "h1": (1.0 * is_negative, -1j, pi),
        "h2": (-1.0 * is_negative, 1j, pi),
        "y": (0.0, -cosine, pi * sine),
        "j": (0.0, sine, pi * cosine),
        "i": (0.0, sine, pi * cosine),
        "k": (0.0, math.pi / 2, 0.0),
    }[kind]
    return turns, factor * _SCALE, change * _SCALE


def _half_turns(z: Any) -> Any:
    """The phase of a number over pi, exact on the axes."""
    x, y = np.real(z), np.imag(z)
    on_real_axis = np.where(x < 0, np.copysign(1.0, y), 0.0)
    return np.where(y == 0, on_real_axis, np.where(x == 0, np.sign(y) / 2, np.angle(z) / math.pi))


def _scale(z: Any, kind: str) -> tuple[Any, Any]:
    """The exponent of the factor of a scaled function, and what it adds to the derivative of the logarithm."""
    if kind in _RATES:
        return _RATES[kind] * z, _RATES[kind]
    if kind == "i":
        return -np.abs(np.real(z)), -np.sign(np.real(z))
    return -np.abs(np.imag(z)), 1j * np.sign(np.imag(z))
