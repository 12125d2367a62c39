"""Bessel functions and their scaled forms, in the argument and, by `bessel_order`, in the order.

DLMF 10.6.1 and 10.29.1 give the derivatives.  The factors `exp(-|Im z|)` of `jve` and `yve`, and `exp(-|Re z|)` of
`ive`, are not holomorphic: with `D` the scaled derivative and `s` the sign in the exponent, the differential of `jve`
is `(D + i s w) dz - i s w Re(dz)`, that of `ive` `(D - s w) dz + i s w Im(dz)`; real arguments have one partial.
"""

from __future__ import annotations

from cmath import isfinite
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ...backends.native.ufuncs import with_kernels
from ...complex_autograd.engine.traced import Traced, raw
from ..numerics.regions import in_double, with_dtypes
from ..ufuncs.kernel_partials import by_kernel, by_ufunc_of_last
from ..ufuncs.large_arrays import threaded
from ..ufuncs.ufunc_rules import INTEGER, Partial, pointwise, rule
from .bessel_order_rules import modulus_exponent, order_partial, phase
from .high_orders import better_value, high_orders
from .huge_orders import HUGE, with_huge_orders
from .overflowing import with_infinite_derivatives
from .scaled_derivatives import far_of_complex, is_far, is_far_complex, of_integer_order, or_far
from .unscaled_values import SCALED

__all__ = [
    "hankel1", "hankel1e", "hankel2", "hankel2e", "i0", "i0e", "i1", "i1e", "iv", "ive", "j0", "j1", "jn", "jv", "jve",
    "k0", "k0e", "k1", "k1e", "kn", "kv", "kve", "y0", "y1", "yn", "yv", "yve",
]  # fmt: skip

jve, yve, hankel1e, hankel2e, ive, kve = SCALED.values()
iv = high_orders(special.iv, "i", scaled=False)

_NEXT = 1e-3
"""So near to integer orders."""


def _cylinder(f: Any) -> Partial:
    """The derivative of the cylinder functions J, Y, H, DLMF 10.6.1."""

    def partial(w: Any, v: Any, z: Any) -> Any:
        return (f(v - 1, z) - f(v + 1, z)) / 2

    return partial


def _by_next(derivative: Partial, f: Any, sign: float) -> Partial:
    """`v / z w + sign f(v + 1)` of J (sign -1) and I next to 0 and negative integer orders, DLMF 10.6.2 and 10.29.2.

    There the leading term of their series is proportional to the distance of `v` from an integer, which `v - 1`
    rounds, and `v + 1` does not.
    """

    def partial(w: Any, v: Any, z: Any) -> Any:
        order = raw(v)
        here = (order < _NEXT) & (order != np.rint(order)) & (np.abs(order - np.rint(order)) < _NEXT)
        here = here & ((np.abs(raw(z)) < np.abs(order)) | (np.abs(order) < _NEXT)) & (raw(z) != 0)
        if not np.any(here):
            return derivative(w, v, z)
        near, x = np.where(here, v, 0.5), np.where(here, z, 1.0)
        value = better_value(f, w, v, z)
        ours = np.where(here, value, 0.0) * near / x + sign * f(near + 1, x)
        return np.where(here, ours, derivative(w, np.where(here, 0.5, v), np.where(here, 1.0, z)))

    return partial


def or_of_huge_order(derivative: Partial, kind: str, scaled: bool = False) -> Partial:
    """The same, and of huge orders the derivative of integrals."""

    def in_argument(w: Any, v: Any, z: Any) -> Any:
        found = derivative(w, v, z)
        return with_huge_orders(found, v, z, kind, scaled) if np.any(np.abs(raw(v)) >= HUGE) else found

    return in_argument


def or_infinite(derivative: Partial, kind: str, scaled: bool = False) -> Partial:
    """The same, infinite where what it subtracts is."""

    def in_argument(w: Any, v: Any, z: Any) -> Any:
        with np.errstate(invalid="ignore"):
            found = derivative(w, v, z)
        is_known = type(found) is Traced or (issubclass(type(found), np.generic) and isfinite(found))
        if is_known or not np.any(np.isnan(found)):
            return found
        kernel = partial(with_infinite_derivatives, kind=kind, scaled=scaled, in_order=False)
        return in_double(kernel, *with_dtypes(found, v, z))

    return in_argument


_jv = threaded(special.jv)
jn = jv = rule(
    special.jv, "v z", order_partial("j"), or_infinite(or_of_huge_order(_by_next(_cylinder(_jv), _jv, -1.0), "j"), "j")
)
yv, hankel1, hankel2 = (
    rule(f, "v z", order_partial(kind), or_infinite(or_of_huge_order(_cylinder(threaded(f)), kind), kind))
    for f, kind in ((special.yv, "y"), (special.hankel1, "h1"), (special.hankel2, "h2"))
)
rule(
    special.iv,
    "v z",
    order_partial("i"),
    or_infinite(_by_next(lambda w, v, z: (iv(v - 1, z) + iv(v + 1, z)) / 2, iv, 1.0), "i"),
)
kv = rule(special.kv, "v z", order_partial("k"), or_infinite(lambda w, v, z: -(kv(v - 1, z) + kv(v + 1, z)) / 2, "k"))
yn = rule(special.yn, "n x", INTEGER, or_infinite(lambda w, n, x: (yn(n - 1, x) - yn(n + 1, x)) / 2, "y"))
kn = rule(special.kn, "n x", INTEGER, lambda w, n, x: -(kv(n - 1, x) + kv(n + 1, x)) / 2)


_ELSEWHERE = -1e3
"""A point at which the expansions of complex numbers hold."""


def _or_far_complex(derivative: Partial, kind: str) -> Partial:
    """The same, and far out at complex numbers the derivative of the two exponentials that the function is."""

    def partial(w: Any, v: Any, z: Any) -> Any:
        here = is_far_complex(raw(v), raw(z))
        if not np.any(here):
            return derivative(w, v, z)
        ours = far_of_complex(np.where(here, v, 0.0), np.where(here, z, _ELSEWHERE), kind, m=1)
        if np.all(here):
            return ours
        return np.where(here, ours, derivative(np.where(here, 1.0, w), np.where(here, 0.0, v), np.where(here, 1.0, z)))

    return partial


# scaled, holomorphic; far out their derivatives are differences of nearly equal functions

rule(
    special.kve,
    "v z",
    order_partial("k", True),
    or_infinite(
        or_far(
            lambda w, v, z: better_value(kve, w, v, z) - (kve(v - 1, z) + kve(v + 1, z)) / 2,
            "k",
            value=partial(better_value, kve),
        ),
        "k",
        scaled=True,
    ),
)


def _without_phase(f: Any, sign: float) -> Partial:
    derivative = _cylinder(f)
    return lambda w, v, z: derivative(w, v, z) - 1j * sign * better_value(f, w, v, z)


for _function, _kind, _sign in ((hankel1e, "h1", 1.0), (hankel2e, "h2", -1.0)):
    rule(
        _function.ufunc,
        "v z",
        order_partial(_kind, True),
        or_infinite(
            or_far(
                or_of_huge_order(_or_far_complex(_without_phase(_function, _sign), _kind), _kind, scaled=True),
                _kind,
                value=partial(better_value, _function),
            ),
            _kind,
            scaled=True,
        ),
    )

# scaled, not holomorphic; where z = 0 they are the others, of which SciPy knows all limits


def _or_at_zero(derivative: Partial, unscaled: Partial) -> Partial:
    def partial(w: Any, v: Any, z: Any) -> Any:
        at_zero = z == 0
        if not np.any(at_zero):
            return derivative(w, v, z)
        zero, other = np.where(at_zero, z, 1.0), np.where(at_zero, 1.0, z)
        return np.where(at_zero, unscaled(w, v, zero), derivative(w, v, other))

    return partial


def _with_phase(f: Any, kind: str) -> Partial:
    return lambda w, v, z: phase(better_value(f, w, v, z), v, z, kind=kind)


def _modulated(f: Any, unscaled: Any, kind: str) -> Partial:
    """The partial of `f(v, z) = F(v, z) exp(-|Im z|)`, F a cylinder function; at real `z` the factor is 1."""
    derivative = _or_at_zero(_by_next(_cylinder(f), f, -1.0) if f is jve else _cylinder(f), _cylinder(unscaled))

    def partial(w: Any, v: Any, z: Any) -> Any:
        if z.dtype.kind != "c":
            return derivative(w, v, z)
        return derivative(w, v, z) + modulus_exponent(z, kind) * better_value(f, w, v, z)

    return partial


for _function, _unscaled, _kind in ((jve, jv, "j"), (yve, yv, "y")):
    rule(
        _function.ufunc,
        "v z",
        order_partial(_kind, True),
        or_infinite(
            or_of_huge_order(_or_far_complex(_modulated(_function, _unscaled, _kind), _kind), _kind, scaled=True),
            _kind,
            scaled=True,
        ),
        phase=_with_phase(_function, _kind),
    )


def _of_first(w: Any, v: Any, z: Any) -> Any:
    derivative = _by_next(lambda w, v, z: (ive(v - 1, z) + ive(v + 1, z)) / 2, ive, 1.0)
    return derivative(w, v, z) + modulus_exponent(z, "i") * better_value(ive, w, v, z)


rule(
    special.ive,
    "v z",
    order_partial("i", True),
    or_infinite(
        _or_at_zero(
            or_far(_or_far_complex(_of_first, "i"), "i", value=partial(better_value, ive)),
            lambda w, v, z: (iv(v - 1, z) + iv(v + 1, z)) / 2,
        ),
        "i",
        scaled=True,
    ),
    phase=_with_phase(ive, "i"),
)

# orders 0 and 1 at real arguments; DLMF 10.6.2, 10.6.3, 10.29.2, 10.29.3. The derivatives of order 1 come from its
# value; the second derivatives from functions of higher order, as in those quotients all digits would be lost near 0


def _over(w: Any, x: Any) -> Any:
    """`w / x`; and 1/2 where `x` is 0, or where `w` is infinite and the quotient does not count."""
    is_special = (x == 0) | np.isinf(w)
    if not np.any(is_special):
        return w / x
    return np.where(is_special, 0.5, w / np.where(is_special, 1.0, x))


@pointwise(lambda w, x, value: (jv(3, x) - 3 * j1(x)) / 4)
def _derivative_of_j1(x: Any, *, value: Any) -> Any:
    return j0(x) - _over(value, x)


@pointwise(lambda w, x, value: (iv(3, x) + 3 * i1(x)) / 4)
def _derivative_of_i1(x: Any, *, value: Any) -> Any:
    return i0(x) - _over(value, x)


@pointwise(lambda w, x, value: (7 * i1e(x) + ive(3, x)) / 4 - np.sign(x) * (i0e(x) + ive(2, x)))
def _derivative_of_i1e(x: Any, *, value: Any) -> Any:
    return i0e(x) - _over(value, x) - np.sign(x) * value


def _or_far_of(v: int, kind: str, derivative: Partial) -> Partial:
    """The same of the integer order 0 or 1; `exp(-|x|) I_0` is even, and of the order 1 it is odd."""

    def partial(w: Any, x: Any) -> Any:
        size = x if kind == "k" else np.abs(x)
        here = is_far(v, raw(size), kind)
        if not np.any(here):
            return derivative(w, x)
        far = of_integer_order(np.where(here, size, 100.0), v=v, kind=kind, m=1)
        if kind == "i" and v == 0:
            far = far * np.sign(x)
        return far if np.all(here) else np.where(here, far, derivative(np.where(here, 1.0, w), np.where(here, 1.0, x)))

    return partial


j1 = rule(special.j1, "x", by_kernel("j1", lambda w, x: _derivative_of_j1(x, value=raw(w))))
j0 = rule(special.j0, "x", by_ufunc_of_last(j1, lambda: with_kernels(special.j1), is_minus=True))
y1 = rule(special.y1, "x", by_kernel("y1", lambda w, x: y0(x) - w / x))
y0 = rule(special.y0, "x", by_ufunc_of_last(y1, lambda: with_kernels(special.y1), is_minus=True))
i1 = rule(special.i1, "x", by_kernel("i1", lambda w, x: _derivative_of_i1(x, value=raw(w))))
i0 = rule(special.i0, "x", by_ufunc_of_last(i1, lambda: with_kernels(special.i1)))
k1 = rule(special.k1, "x", by_kernel("k1", lambda w, x: -k0(x) - w / x))
k0 = rule(special.k0, "x", by_ufunc_of_last(k1, lambda: with_kernels(special.k1), is_minus=True))
i0e = rule(special.i0e, "x", by_kernel("i0e", _or_far_of(0, "i", lambda w, x: i1e(x) - np.sign(x) * w)))
i1e = rule(special.i1e, "x", by_kernel("i1e", _or_far_of(1, "i", lambda w, x: _derivative_of_i1e(x, value=raw(w)))))
k0e = rule(special.k0e, "x", by_kernel("k0e", _or_far_of(0, "k", lambda w, x: w - k1e(x)), is_positive=True))
k1e = rule(
    special.k1e, "x", by_kernel("k1e", _or_far_of(1, "k", lambda w, x: w * (1 - 1 / x) - k0e(x)), is_positive=True)
)
