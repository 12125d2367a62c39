"""NumPy's elementwise functions that are no ufuncs: `sinc`, `i0`, `nan_to_num`, `real_if_close`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....backends import eps_of, exact, is_precise
from ....backends.constants import constant
from ...array.inplace import write
from ...engine.dispatch import implements
from ...engine.primitive import primitive
from ...engine.traced import raw

# sinc: with f(t) = sin(t) / t, sinc(z) = f(pi z), and its derivatives are those of f

_PI = constant(math.pi, lambda mp: mp.pi)


@primitive
def sinc(z: Any, *, order: int = 0) -> Any:
    """The derivative of `numpy.sinc` of an order."""
    if order == 0:
        return np.sinc(z)
    pi = exact(_PI()) if is_precise() else math.pi
    return pi**order * _sinc_derivative(pi * z, order)


sinc.is_elementwise = True


@sinc.differential
def _(w: Any, z: Any, dz: Any, *, order: int = 0) -> Any:
    return sinc(z, order=order + 1) * dz


def _sinc_derivative(t: Any, order: int) -> Any:
    """The derivative of `sin(t) / t` of any order.

    Differentiating `t f = sin(t)` gives `t f[n] + n f[n - 1] = sin(t + n pi / 2)`: a recurrence in which errors grow by
    `n / t` a step, so that it serves away from 0.  Near 0 the power series does; its terms there hardly cancel.
    """
    radius = 1 + order / 2
    is_near = np.abs(t) < radius
    near, far = np.where(is_near, t, 0.0), np.where(is_near, radius, t)
    s, c = np.sin(far), np.cos(far)
    waves = (s, c, -s, -c)
    recurrence = waves[0] / far
    for n in range(1, order + 1):
        recurrence = (waves[n % 4] - n * recurrence) / far
    return np.where(is_near, _sinc_series(near, order, radius), recurrence)


def _sinc_series(t: Any, order: int, radius: float) -> Any:
    """`sum_m (-1)**((m + order) / 2) t**m / (m! (m + order + 1))`, over the `m` as even or odd as the order."""
    total, one = 0 * t, exact(1) if is_precise() else 1
    square = t * t
    for m in reversed(range(order % 2, _terms(radius), 2)):
        total = total * square + (-1) ** ((m + order) // 2) * one / (math.factorial(m) * (m + order + 1))
    return total * t if order % 2 else total


def _terms(radius: float) -> int:
    """The smallest `m` with `radius**m / m!` below the rounding error."""
    m, term, least = 1, radius, min(1e-18, eps_of(float) / 100)
    while term > least:
        m += 1
        term *= radius / m
    return m


@implements(np.sinc)
def _(x: Any) -> Any:
    return sinc(x)


# i0: DLMF 10.29.1, 2 I[n]' = I[n - 1] + I[n + 1], and I[0]' = I[1]


@primitive(family="compositions")
def bessel_i(x: Any, *, order: int) -> Any:
    """The modified Bessel function `I` of an integer order."""
    if order == 0:
        return np.i0(x)
    from scipy.special import iv

    return iv(order, x).astype(x.dtype)


bessel_i.is_elementwise = True


@bessel_i.differential
def _(w: Any, x: Any, dx: Any, *, order: int) -> Any:
    following = bessel_i(x, order=order + 1)
    return (following if order == 0 else (bessel_i(x, order=order - 1) + following) / 2) * dx


@implements(np.i0)
def _(x: Any) -> Any:
    if x.dtype.kind == "c":
        raise TypeError("i0 not supported for complex values")
    return bessel_i(x, order=0)


# nan_to_num: what is replaced is constant, in the real and the imaginary part separately


@primitive(family="compositions")
def finite(z: Any, *, nan: Any, posinf: Any, neginf: Any) -> Any:
    """`numpy.nan_to_num`."""
    return np.nan_to_num(z, nan=nan, posinf=posinf, neginf=neginf)


finite.chooses = True


@finite.differential
def _(w: Any, z: Any, dz: Any, **replacements: Any) -> Any:
    z = raw(z)
    if z.dtype.kind != "c":
        return np.isfinite(z) * dz
    return np.isfinite(np.real(z)) * np.real(dz) + 1j * (np.isfinite(np.imag(z)) * np.imag(dz))


@implements(np.nan_to_num)
def _(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    replaced = finite(x, nan=nan, posinf=posinf, neginf=neginf)
    if copy:
        return replaced
    write(x, ..., replaced)
    return x


@implements(np.real_if_close)
def _(a: Any, tol: float = 100) -> Any:
    return a if np.iscomplexobj(np.real_if_close(raw(a), tol)) else np.real(a)
