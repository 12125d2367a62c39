"""Powers of lengths, which are smooth where the length is not.

For the length `r = |a|` of a number or a vector and `n >= 2`, `r**n` is twice differentiable, also at `a = 0`:

    d(r^n) = n <r^(n-2) a, da>,        d(r^m a) = r^m da + m r^(m-2) a <a, da>,

where `<a, b> = Re sum(conj(a) b)`.  The product rule does not show it: `n r^(n-1) dr` has the right first derivative
there and the wrong second one.  So a length records what it is the length of, and its powers have their own rule
where it is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...engine.primitive import primitive
from ...engine.traced import Traced, raw


def remember(w: Any, rule: Callable[..., Any], *args: Any) -> Any:
    """A length that remembers of what it is.

    Parameters
    ----------
    w : Traced
        The length.
    rule : callable
        `rule(raised, n, *args)` is `raised(w)`, its power with the exponent `n >= 2`, or None.
    *args : array
        Of what, and whatever else the rule takes.
    """
    w.length_of = w._value, rule, *map(_as_it_is, args)
    return w


def _as_it_is(a: Any) -> Any:
    """An argument that does not change when it is written to."""
    return Traced(a._value, a._tracer, a._tangent) if type(a) is Traced else a


def power_of_length(power: Callable[..., Any], w: Any, *exponent: Any) -> Any:
    """The power of a length by a rule of its own; None where `w` is no length, or the general rule is as good.

    Parameters
    ----------
    power : callable
        The function that was called: `numpy.square`, or a function of powers.
    w : Traced
        Its argument.
    *exponent : number
        At least 2; none for the square.
    """
    known = getattr(w, "length_of", None)
    if known is None or known[0] is not w._value or w._tracer.is_outermost:
        return None
    return known[1](power, exponent, w._value, *known[2:])


def has_zeros(r: Any) -> bool:
    """Whether a length is 0 anywhere."""
    r = raw(r)
    return bool(r == 0) if issubclass(type(r), np.generic) else not np.all(r)  # of a number in a tenth of the time


def _length(a: Any, axes: tuple[int, ...]) -> Any:
    """The length over some axes, which stay with length one; of each number where there are none."""
    return np.linalg.vector_norm(a, axis=axes, keepdims=True) if axes else np.absolute(a)


def _inner(a: Any, da: Any, axes: tuple[int, ...]) -> Any:
    product = np.real(np.conj(a) * da)
    return np.sum(product, axis=axes, keepdims=True) if axes else product


def _derivative(w: Any, a: Any, da: Any, *, kernel: Callable[..., Any], n: float, axes: tuple[int, ...]) -> Any:
    return np.reshape(n * _inner(_along(a, n - 2, axes), da, axes), w.shape)


@primitive(family="compositions")
def length_power(a: Any, *, kernel: Callable[..., Any], n: float, axes: tuple[int, ...]) -> Any:
    """The n-th power of the length over some axes, as the kernel computes it."""
    return kernel(a)


@primitive(family="compositions")
def modulus_power(a: Any, *, kernel: Callable[..., Any], n: float, axes: tuple[int, ...]) -> Any:
    """The same for numbers, without axes: an elementwise function."""
    return kernel(a)


length_power.differential(_derivative)
modulus_power.differential(_derivative)
modulus_power.is_elementwise = True


@primitive(family="compositions")
def radial(a: Any, *, m: float, axes: tuple[int, ...]) -> Any:
    """A vector times the m-th power of its length, for positive `m`."""
    return a * _length(a, axes) ** m


@primitive(family="compositions")
def radial_modulus(a: Any, *, m: float, axes: tuple[int, ...]) -> Any:
    """The same for numbers."""
    return a * np.absolute(a) ** m


# x = r^m a with r = |a|, and dr = Re <u, da> with u = a / r  =>  dx = r^m da + m r^m u Re <u, da>
@radial.differential
@radial_modulus.differential
def _(x: Any, a: Any, da: Any, *, m: float, axes: tuple[int, ...]) -> Any:
    r = _length(a, axes)
    if m >= 2:
        turning = _along(a, m - 2, axes) * _inner(a, da, axes)
    else:
        u = a / (r + (raw(r) == 0))
        turning = r**m * u * _inner(u, da, axes)
    return r**m * da + m * turning


radial_modulus.is_elementwise = True


def _along(a: Any, m: float, axes: tuple[int, ...]) -> Any:
    """`r^m a`."""
    return a if m == 0 else (radial if axes else radial_modulus)(a, m=m, axes=axes)
