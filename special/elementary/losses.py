"""Entropies, divergences and the losses of robust regression."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...backends.native.ufuncs import with_kernels
from ...complex_autograd.engine.traced import raw
from ..numerics.regions import by_region, in_double, with_dtypes
from ..ufuncs.kernel_partials import by_kernel
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import pointwise, rule
from .elementary import quotient

__all__ = ["entr", "huber", "kl_div", "pseudo_huber", "rel_entr"]

entr = rule(special.entr, "x", by_kernel("entr", lambda w, x: -np.log(x) - 1))


@pointwise(lambda w, x, y, **known: 1 / x, lambda w, x, y, **known: -1 / y)
def _log_quotient(x: Any, y: Any, *, divergence: Any = None) -> Any:
    """`log(x / y)`, also next to 1, and where the quotient overflows or underflows.

    It is `(w + x - y) / x` where the divergence `w` is known to all digits, unless `x` is small relative to `y`.
    """
    if divergence is None or divergence.dtype.char == "f":
        return in_double(_logarithm, *with_dtypes(x, y))

    def by_divergence(w: Any, x: Any, y: Any) -> Any:
        out = (w + (x - y)) / x
        is_kept = (x > 0.1 * y) & (x > 1e-290) & (out < np.inf)
        return by_region([(is_kept, lambda out, x, y: out), (True, lambda out, x, y: _logarithm(x, y))], out, x, y)

    return in_double(by_divergence, divergence, *with_dtypes(x, y))


def _logarithm(x: Any, y: Any) -> Any:
    """`log(x / y)` by itself.

    Next to 1 it is `log(1 + d)` with `d = (x - y) / y`, whose `x - y` is exact; with the rounded `u = 1 + d` that is
    `log(u) + (d - (u - 1)) / u`.
    """
    d, argument = (x - y) / y, x / y
    is_far = ~((argument > 1e-300) & (argument < 1e300))
    u = 1 + d
    is_near = np.abs(d) < 0.5
    np.copyto(argument, u, where=is_near)
    d -= u - 1
    d /= u
    w = np.log(argument)
    np.add(w, d, out=w, where=is_near)
    w[is_far] = np.log(x[is_far]) - np.log(y[is_far])
    return w


@pointwise(lambda w, x, y: -1 / y, lambda w, x, y: quotient(x, y) / y)
def _one_less_quotient(x: Any, y: Any) -> Any:
    """`1 - x / y`, and 1 where both are 0."""
    with np.errstate(all="ignore"):
        w = (y - x) / y
        return w if np.all(np.isfinite(w)) else np.where(np.isfinite(w), w, 1 - quotient(x, y))


def _by_divergence(w: Any, x: Any, y: Any) -> Any:
    return _log_quotient(x, y, divergence=raw(w))


_kl_div_1 = by_kernel("kl_div_1", lambda w, x, y: _one_less_quotient(x, y), nin=2)
rule(special.kl_div, "x y", by_kernel("kl_div_0", lambda w, x, y: _log_quotient(x, y), nin=2), _kl_div_1)

_SMALL = 1e-5
"""Of the divergence over `y`: beyond, where `x` and `y` differ by 0.4 percent, its errors are less than 1e-13."""


_AT_ONCE, _BLOCK = 1 << 16, 1 << 14
"""So many elements at a time, of all and of the quotients: these stay in the cache."""


def _divergence(x: Any, y: Any) -> Any:
    """The C library's, or `y (q log(q) - (q - 1))` with `q = x / y`: next to 1 its rounding counts once, not twice."""
    kernel = with_kernels(special.kl_div)
    if kernel is not None:
        return kernel(x, y)
    w = np.empty_like(x)
    for start in range(0, len(x), _BLOCK):
        piece = slice(start, start + _BLOCK)
        quotient = x[piece] / y[piece]
        part = np.log(quotient, out=w[piece])
        part *= quotient
        quotient -= 1
        part -= quotient
    (small,) = np.nonzero(w < _SMALL)
    w *= y
    if len(small):
        w[small] = _small_divergence(x[small], y[small])
    if not (np.min(y) > 0 and np.add.reduce(w) < np.inf):
        (extreme,) = np.nonzero((np.minimum(x, y) <= 0) | ~(w < np.inf))
        w[extreme] = _extreme_divergence(x[extreme], y[extreme])
    return w


def _extreme_divergence(x: Any, y: Any) -> Any:
    """SciPy's value at 0 and where an argument is negative; elsewhere where `x / y` overflows or underflows."""
    is_inside = np.minimum(x, y) > 0
    return np.where(is_inside, x * (np.log(x) - np.log(y)) - (x - y), special.kl_div(x, y))


def _small_divergence(x: Any, y: Any) -> Any:
    """`(x - y) (s + s**2 (1 + s) (1/3 + s**2 / 5 + ..))` with `s = (x - y) / (x + y)`, by the series of `atanh(s)`."""
    difference = x - y
    s = difference / (x + y)
    square = s * s
    return difference * (s + square * (1 + s) * (1 / 3 + square * (1 / 5 + square / 7)))


kl_div = PatchedUfunc(
    special.kl_div,
    [(None, _divergence)],
    partials=(by_kernel("kl_div_0", _by_divergence, nin=2), _kl_div_1),
    at_once=_AT_ONCE,
)
"""Next to `x = y` SciPy's terms cancel; where `x / y` underflows its value is infinite, where it overflows, too."""
rel_entr = rule(
    special.rel_entr,
    "x y",
    by_kernel("rel_entr_0", lambda w, x, y: _log_quotient(x, y) + 1, nin=2),
    by_kernel("rel_entr_1", lambda w, x, y: -quotient(x, y), nin=2),
)
huber = rule(
    special.huber,
    "delta r",
    lambda w, delta, r: np.maximum(np.abs(r) - delta, 0.0),
    lambda w, delta, r: np.minimum(np.maximum(r, -delta), delta),
)


def _pseudo_huber_width(w: Any, delta: Any, r: Any) -> Any:
    """`2 w / delta - r**2 / h` with `h = hypot(delta, r)`, put together without a difference."""
    h = _hypotenuse(delta, r)
    return r * (r / h) * (r / (delta + h)) ** 2


def _hypotenuse(delta: Any, r: Any) -> Any:
    """`hypot(delta, r)`, and 1 where both are 0: only quotients with 0 are taken of it."""
    is_zero = (delta == 0) & (r == 0)
    return np.where(is_zero, 1.0, np.hypot(np.where(is_zero, 1.0, delta), r))


@pointwise(
    lambda w, delta, r: (r / _hypotenuse(delta, r)) ** 2 / _hypotenuse(delta, r),
    lambda w, delta, r: -w * (r / _hypotenuse(delta, r)) / _hypotenuse(delta, r),
)
def _share_of_width(delta: Any, r: Any) -> Any:
    """`delta / hypot(delta, r)`."""
    return delta / _hypotenuse(delta, r)


rule(special.pseudo_huber, "delta r", _pseudo_huber_width, lambda w, delta, r: r * _share_of_width(delta, r))
pseudo_huber = PatchedUfunc(
    special.pseudo_huber,
    [(lambda delta, r: (delta > 0) & (r != 0), lambda delta, r: r * (r * (delta / (delta + np.hypot(delta, r)))))],
)
"""In a form that does not overflow."""
