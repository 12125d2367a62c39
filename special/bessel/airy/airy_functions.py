"""Airy functions and their scaled forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ....complex_autograd.engine.traced import raw
from ...numerics.warned import warn
from ...ufuncs.large_arrays import blocked, threaded
from ...ufuncs.patched_ufunc import PatchedUfunc
from ...ufuncs.ufunc_rules import Pointwise, rule
from ..scaled_derivatives import scaled_derivative
from .airy_far import NEAREST, airy_far, has_lost_phase, missing_phase
from .airy_scaled import better_airye

__all__ = ["airy", "airye"]

# Airy functions Ai, Ai', Bi, Bi', DLMF 9.2.1; scaled by exp(zeta) the first two, zeta = 2/3 z**(3/2), and by
# exp(-|Re zeta|) the others: with s the sign of Re zeta that is exp(-s zeta) and the phase exp(i s Im zeta), where
# dzeta = r dz with r = sqrt(z)


def _root_and_sign(z: Any) -> tuple[Any, Any]:
    if z.dtype.kind == "c":
        root = np.sqrt(z)
        return root, np.sign(np.real(root * z))
    root = np.sqrt(np.maximum(z, 0.0))
    return root, np.sign(root)


def _airye_near(w: Any, z: Any) -> Any:
    root, sign = _root_and_sign(z)
    ai, aip, bi, bip = w
    ai, aip = better_airye(ai, aip, z)
    derivatives = aip + root * ai, z * ai + root * aip
    return *derivatives, bip - sign * root * bi, z * bi - sign * root * bip


# far out these are differences of nearly equal numbers. There, with zeta as the argument `s` of scaled_derivative,
# exp(zeta) Ai = sqrt(z / 3) / pi exp(s) K_1/3 and exp(zeta) Ai' = -z / (pi sqrt(3)) exp(s) K_2/3, DLMF 9.6.2 and 9.6.3,
# and at real z, where no more than exp(-2 s) is missing, exp(-zeta) Bi = 2 sqrt(z / 3) exp(-s) I_1/3 and
# exp(-zeta) Bi' = 2 z / sqrt(3) exp(-s) I_2/3, DLMF 9.6.4 and 9.6.5; d zeta / dz = sqrt(z). Behind the lines
# |ph z| = 2 pi / 3 the phase of s is beyond pi, where 1 / sqrt(s) changes its sign, and the second exponential grows:
# K_v(s) = 2 cos(pi v) K_v(-s) - K_v(s exp(-+2 pi i)), DLMF 10.34.4, with |ph(-s)| <= pi / 2

_FAR, _DISTANT, _FARTHEST = 16.0, 100.0, 1e30
"""From these moduli of `z` on; the second one is that of Bi at complex `z`."""


def _is_far(z: Any) -> Any:
    is_large = np.abs(z) >= _FAR
    return is_large if z.dtype.kind == "c" else is_large & (z > 0)


def _airye_partial(w: Any, z: Any) -> Any:
    is_beyond = np.abs(raw(z)) >= _FARTHEST
    if not np.any(is_beyond):
        return _airye_within(w, z)
    # Ai and Bi are multiples of z**(-1/4), their derivatives of z**(1/4)
    quotients = [side * x / (4 * np.where(is_beyond, z, 1.0)) for side, x in zip((-1, 1, -1, 1), w, strict=True)]
    within = _airye_within([np.where(is_beyond, 0.0, x) for x in w], np.where(is_beyond, 1.0, z))
    return tuple(np.where(is_beyond, x, y) for x, y in zip(quotients, within, strict=True))


def _airye_within(w: Any, z: Any) -> Any:
    here = _is_far(raw(z))
    if not np.any(here):
        return _airye_near(w, z)
    far = np.where(here, z, _FAR)
    ai, aip, bi, bip = (np.where(here, x, 0.0) for x in w)
    derivatives = list(_first_kind_far(ai, aip, far))
    near = _airye_near([np.where(here, 0.0, x) for x in w], np.where(here, 1.0, z))
    if z.dtype.kind == "c":
        derivatives += _second_kind_of_complex(ai, aip, bi, bip, far)
    else:
        root = np.sqrt(far)
        zeta = far * root * (2 / 3)
        first, second = (scaled_derivative(v, zeta, kind="i", n=0, m=1) * root for v in (1 / 3, 2 / 3))
        derivatives += [
            bi / (2 * far) + first * root * (2 / math.sqrt(3)),
            bip / far + second * far * (2 / math.sqrt(3)),
        ]
    return tuple(np.where(here, x, y) for x, y in zip(derivatives, near, strict=True))


def _first_kind_far(ai: Any, aip: Any, z: Any) -> tuple[Any, Any]:
    root = np.sqrt(z)
    zeta = z * root * (2 / 3)
    is_behind = np.real(raw(z)) <= -np.abs(raw(z)) / 2
    turn = np.exp(2 * missing_phase(raw(z), raw(zeta)))

    def derivative(v: float) -> Any:
        first = scaled_derivative(v, zeta, kind="k", n=0, m=1) * root
        if not np.any(is_behind):
            return first
        opposite = np.where(is_behind, -zeta, _FAR)
        change = 2 * scaled_derivative(v, opposite, kind="k", n=0, m=0)
        change = (change - scaled_derivative(v, opposite, kind="k", n=0, m=1)) * np.exp(-2 * opposite) * root * turn
        return np.where(is_behind, 2 * math.cos(math.pi * v) * change - first, first)

    return (
        ai / (2 * z) + derivative(1 / 3) * root / (math.sqrt(3) * math.pi),
        aip / z - derivative(2 / 3) * z / (math.sqrt(3) * math.pi),
    )


def _second_kind_of_complex(ai: Any, aip: Any, bi: Any, bip: Any, z: Any) -> list[Any]:
    """Far out by `Bi(z) = 2 exp(-+i pi / 6) Ai(u) +- i Ai(z)`, `u = z exp(-+2 pi i / 3)`, `zeta(u) = -zeta`.

    It is DLMF 9.2.11, with the upper signs above the real axis.  The rates of both exponents are those beside the
    phase, `(1 - s) r` and `-(1 + s) r`.
    """
    near = _airye_near((ai, aip, bi, bip), z)[2:]
    is_distant = np.abs(raw(z)) >= _DISTANT
    if not np.any(is_distant):
        return list(near)
    z = np.where(is_distant, z, _DISTANT)
    root, sign = _root_and_sign(z)
    zeta = z * root * (2 / 3)
    size = np.abs(np.real(zeta))
    side = np.copysign(1.0, np.imag(raw(z)))
    rotation = np.exp(-2j * math.pi / 3 * side)
    u = z * rotation
    v, dv = airye(u)[:2]
    turn = 2 * np.exp(-1j * math.pi / 6 * side)
    growing, decaying = np.exp(zeta - size) * turn, 1j * side * np.exp(-zeta - size)
    missing = missing_phase(raw(z), raw(zeta))
    more = np.real(missing) * raw(sign)
    growing, decaying = np.exp(missing - more) * growing, np.exp(-missing - more) * decaying
    parts = zip((v, dv), _first_kind_far(v, dv, u), (ai, aip), _first_kind_far(ai, aip, z), strict=True)
    far = [
        growing * rotation**k * (dv * rotation + (1 - sign) * root * v) + (dw - (1 + sign) * root * w) * decaying
        for k, (v, dv, w, dw) in enumerate(parts)
    ]
    return [np.where(is_distant, x, y) for x, y in zip(far, near, strict=True)]


def _airye_phase(w: Any, z: Any) -> Any:
    root, sign = _root_and_sign(z)
    return 0.0 * w[0], 0.0 * w[1], 1j * sign * w[2], 1j * sign * w[3], root


rule(special.airy, "z", lambda w, z: (w[1], z * w[0], w[3], z * w[2]))
rule(special.airye, "z", _airye_partial, phase=_airye_phase)

# below the negative real axis, where the imaginary part is -0, SciPy takes the root above it in some places: there the
# functions are the conjugates of those above


def _is_below_axis(z: Any) -> Any:
    return (np.imag(z) == 0) & np.signbit(np.imag(z)) & (np.real(z) < 0)


def _reflected(function: np.ufunc, z: Any) -> tuple[Any, ...]:
    return tuple(np.conjugate(w) for w in function(np.conjugate(z)))


# beyond SciPy's domain of real numbers, DLMF 9.7.5 to 9.7.8; at 1e6 the third terms are 1e-19

_LARGEST = 1e6


def _is_wrong(z: Any) -> Any:
    if z.dtype.kind != "c":
        return (z > _LARGEST) & np.isfinite(z)
    return _is_below_axis(z) | (np.abs(z) > _LARGEST) & np.isfinite(z)


def _scaled_values(z: Any) -> tuple[Any, ...]:
    return _complex_values(z) if z.dtype.kind == "c" else _far_values(z)


def _complex_values(z: Any) -> tuple[Any, ...]:
    """Far out on the positive axis they are those of real numbers, elsewhere SciPy has no phase, and NaN."""
    below, is_right = _is_below_axis(z), (np.imag(z) == 0) & (np.real(z) > _LARGEST)
    scipy = [np.where(below, np.conjugate(w), w) for w in special.airye(np.where(below, np.conjugate(z), z))]
    real = _far_values(np.where(is_right, np.real(z), _LARGEST))
    values = tuple(np.where(is_right, x, w) for x, w in zip(real, scipy, strict=True))
    _warn_without_phase("airye", z, values)
    return values


def _warn_without_phase(function: str, z: Any, values: Any) -> None:
    if any(np.any(np.isnan(w) & np.isfinite(z)) for w in values):
        warn(
            f"{function}: the value is NaN at arguments so large that it overflows, or that the phase of the function "
            "has no digits in double precision. Take smaller ones, airye where it overflows, or use mpmath there."
        )


def _far_values(x: Any) -> tuple[Any, ...]:
    root = np.sqrt(x)
    inverse = 1.5 / x / root
    fourth = np.sqrt(root)
    scale, derivative_scale = 0.5 / (math.sqrt(math.pi) * fourth), 0.5 / math.sqrt(math.pi) * fourth
    u, v = 5 / 72 * inverse, -7 / 72 * inverse
    return scale * (1 - u), -derivative_scale * (1 - v), 2 * scale * (1 + u), 2 * derivative_scale * (1 + v)


def _airy_of_number(z: Any) -> Any:
    return special.airy(z) if z > -NEAREST else None


def _airy_of_arrays(z: Any) -> Any:
    is_known = type(z) is np.ndarray and z.dtype.kind in "fiu" and not np.any(z <= -NEAREST)
    return threaded(special.airy)(z) if is_known else None


def _better_airy(w: Any, z: Any) -> Any:
    """SciPy's, but below the negative axis, and where their phase has lost digits."""
    here = _is_below_axis(z) if z.dtype.kind == "c" else False
    if np.any(here):
        w = tuple(np.where(here, x, y) for x, y in zip(_reflected(special.airy, z), w, strict=True))
    far = has_lost_phase(z)
    if np.any(far):
        values = airy_far(z[far].astype("D" if z.dtype.kind == "c" else "d"))
        w = tuple(_with(x, far, value) for x, value in zip(w, values, strict=True))
    _warn_without_phase("airy", z, w)
    return w


def _with(w: Any, here: Any, values: Any) -> Any:
    out = np.array(w)
    out[here] = values
    return out[()]


airy = PatchedUfunc(special.airy, better=_better_airy, quick=_airy_of_number, of_arrays=_airy_of_arrays)
airye = PatchedUfunc(
    special.airye,
    [(lambda z: has_lost_phase(z, scaled=True), lambda z: airy_far(z, scaled=True)), (_is_wrong, _scaled_values)],
)
airye.primitive = Pointwise(airye, (blocked(_airye_partial),), blocked(_airye_phase))
