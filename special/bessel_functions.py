"""Bessel functions and their scaled forms, in the argument and, by `bessel_order`, in the order.

DLMF 10.6.1 and 10.29.1 give the derivatives.  The factors `exp(-|Im z|)` of `jve` and `yve`, and `exp(-|Re z|)` of
`ive`, are not holomorphic: with `D` the scaled derivative and `s` the sign in the exponent, the partials of `jve` are
`D + i s w / 2` and `-i s w / 2`, those of `ive` `D - s w / 2` and `-s w / 2`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import (
    hankel1,
    hankel1e,
    hankel2,
    hankel2e,
    i0,
    i0e,
    i1,
    i1e,
    iv,
    ive,
    j0,
    j1,
    jn,
    jv,
    jve,
    k0,
    k0e,
    k1,
    k1e,
    kn,
    kv,
    kve,
    y0,
    y1,
    yn,
    yv,
    yve,
)

from .bessel_order import order_partial
from .ufunc_rules import INTEGER, Partial, rule

__all__ = [
    "hankel1",
    "hankel1e",
    "hankel2",
    "hankel2e",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "iv",
    "ive",
    "j0",
    "j1",
    "jn",
    "jv",
    "jve",
    "k0",
    "k0e",
    "k1",
    "k1e",
    "kn",
    "kv",
    "kve",
    "y0",
    "y1",
    "yn",
    "yv",
    "yve",
]


def _cylinder(f: Any) -> Partial:
    """The derivative of the cylinder functions J, Y, H, DLMF 10.6.1."""

    def partial(w: Any, v: Any, z: Any) -> Any:
        return (f(v - 1, z) - f(v + 1, z)) / 2

    return partial


for _function, _kind in ((jv, "j"), (yv, "y"), (hankel1, "h1"), (hankel2, "h2")):
    rule(_function, "v z", order_partial(_kind), _cylinder(_function))
rule(iv, "v z", order_partial("i"), lambda w, v, z: (iv(v - 1, z) + iv(v + 1, z)) / 2)
rule(kv, "v z", order_partial("k"), lambda w, v, z: -(kv(v - 1, z) + kv(v + 1, z)) / 2)
rule(yn, "n x", INTEGER, lambda w, n, x: (yv(n - 1, x) - yv(n + 1, x)) / 2)
rule(kn, "n x", INTEGER, lambda w, n, x: -(kv(n - 1, x) + kv(n + 1, x)) / 2)

# scaled, holomorphic

rule(kve, "v z", order_partial("k", True), lambda w, v, z: w - (kve(v - 1, z) + kve(v + 1, z)) / 2)
for _function, _kind, _sign in ((hankel1e, "h1", 1), (hankel2e, "h2", -1)):
    _slope = _cylinder(_function)
    rule(
        _function,
        "v z",
        order_partial(_kind, True),
        lambda w, v, z, slope=_slope, sign=_sign: slope(w, v, z) - 1j * sign * w,
    )

# scaled, not holomorphic


def _modulated(f: Any) -> tuple[Partial, Partial]:
    """The partials of `f(v, z) = F(v, z) exp(-|Im z|)`, F a cylinder function; at real `z` the factor is 1."""
    slope = _cylinder(f)

    def partial(w: Any, v: Any, z: Any) -> Any:
        if z.dtype.kind != "c":
            return slope(w, v, z)
        return slope(w, v, z) + 0.5j * np.sign(np.imag(z)) * w

    def conjugate(w: Any, v: Any, z: Any) -> Any:
        return 0.0 * w if z.dtype.kind != "c" else -0.5j * np.sign(np.imag(z)) * w

    return partial, conjugate


for _function, _kind in ((jve, "j"), (yve, "y")):
    _partial, _conjugate = _modulated(_function)
    rule(_function, "v z", order_partial(_kind, True), _partial, conjugate=_conjugate)
rule(
    ive,
    "v z",
    order_partial("i", True),
    lambda w, v, z: (ive(v - 1, z) + ive(v + 1, z) - np.sign(np.real(z)) * w) / 2,
    conjugate=lambda w, v, z: -0.5 * np.sign(np.real(z)) * w,
)

# orders 0 and 1 at real arguments; DLMF 10.6.3, 10.29.3

rule(j0, "x", lambda w, x: -j1(x))
rule(j1, "x", lambda w, x: (j0(x) - jv(2, x)) / 2)
rule(y0, "x", lambda w, x: -y1(x))
rule(y1, "x", lambda w, x: y0(x) - w / x)
rule(i0, "x", lambda w, x: i1(x))
rule(i1, "x", lambda w, x: (i0(x) + iv(2, x)) / 2)
rule(k0, "x", lambda w, x: -k1(x))
rule(k1, "x", lambda w, x: -k0(x) - w / x)
rule(i0e, "x", lambda w, x: i1e(x) - np.sign(x) * w)
rule(i1e, "x", lambda w, x: (i0e(x) + ive(2, x)) / 2 - np.sign(x) * w)
rule(k0e, "x", lambda w, x: w - k1e(x))
rule(k1e, "x", lambda w, x: w * (1 - 1 / x) - k0e(x))
