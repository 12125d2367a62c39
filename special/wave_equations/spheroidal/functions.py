"""The spheroidal wave functions with their derivatives in `c` and in the characteristic value, in their domains.

The coefficients of their expansions as functions of the characteristic value and of `c` are had from recurrences; the
functions are sums with these coefficients, in Flammer's normalisation, as SciPy has it.

Far out the radial functions are expanded about infinity, which does not need the coefficients.  The expansion of the
radial function of the second kind converges as `x**-2 k`; below 2.5 its Taylor series are marched inwards, in which
direction it grows.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ....complex_autograd.engine.traced import raw
from ...bessel.bessel_sequences import spherical_y_sequence
from ...numerics.regions import Regions, by_region
from ...ufuncs.modes import by_modes, completed
from ...ufuncs.parameters import flat
from .equation import marched
from .oblate_near_zero import first_kind_from_zero, may_start_at_zero, second_kind_from_zero
from .parity import of_parity
from .radial import about_infinity, about_one, radial_series, spherical_j

SERIES_FROM, _SHORT_FROM = 2.5, 40.0
"""Of `x`, from where the series of the second kind converges, and by so few terms that none overflows."""
_FARTHER, _LONG = 5.0, 30.0
"""Of `x` and `c x`, from where the radial functions are expanded about infinity."""
_CANCELS, _NEAR_ONE = 10.0, 0.02
"""Of `c`, from where the series of prolate functions cancels, and of `x - 1`, up to where there is one about 1."""
_TINY = 1e-9
"""Of `c` and `c x`."""
_MANY_ZEROS = 10
"""Of `n - m`, beyond which the series of prolate functions cancels near 1 for every `c`."""


@of_parity("rad1")
def radial_one(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any, is_given: bool = True) -> tuple[Any, Any]:
    """The radial function of the first kind and its derivative, for a value that is given."""
    return radial_series(spherical_j, sign, m, n, c, value, x, is_given=is_given)


def radial_of_mode(kind: int) -> Any:
    """The kernel of the radial function of the first or second kind at a characteristic value."""

    @of_parity(f"rad{kind}")
    def kernel(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        shape, args = flat(raw(m), raw(n), c, value, x)
        least = _TINY / np.maximum(raw(args[-1]), 1.0)
        is_tiny = (kind == 2) & (raw(args[2]) < least)
        if np.any(is_tiny):
            parts: Regions = [
                (is_tiny, partial(_singular, of_vectors, sign)),
                (~is_tiny, lambda *others: of_vectors(sign, *others[:-1])),
            ]
            result, derivative = by_region(parts, *args, least)
        else:
            result, derivative = of_vectors(sign, *args)
        return np.reshape(result, shape), np.reshape(derivative, shape)

    def of_vectors(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
        is_far, cancels = _elsewhere(kind, sign, m, n, raw(c), raw(value), raw(x))
        near = partial(radial_one if kind == 1 else radial_two, sign, is_given=False)
        from_zero = first_kind_from_zero if kind == 1 else second_kind_from_zero
        is_near_zero = may_start_at_zero(sign, raw(c), raw(value), raw(x)) & ~is_far
        parts: Regions = [
            (is_far, partial(about_infinity, sign, kind)),
            (cancels, _from_one if kind == 1 else _from_far_out),
            (is_near_zero, from_zero),
            (~is_far & ~cancels & ~is_near_zero, near),
        ]
        result, derivative = completed(by_region(parts, m, n, c, value, x), near, m, n, c, value, x)
        if (sign == 1) == (kind == 2):
            march = _from_far_out if sign == 1 else _from_series
            return completed((result, derivative), march, m, n, c, value, x)
        return result, derivative

    return kernel


def _singular(kernel: Any, sign: int, m: Any, n: Any, c: Any, value: Any, x: Any, least: Any) -> tuple[Any, Any]:
    """The second kind where `(c x)**2` is negligible: as `y_n`, it is a multiple of `c**-(n + 1)` there."""
    result, derivative = kernel(sign, m, n, least, value, x)
    growth = (least / c) ** (n + 1)
    return growth * result, growth * derivative


def _elsewhere(kind: int, sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """Where the functions of a mode are expanded about infinity, and where their series in Bessel functions cancels."""
    is_far = is_far_out(c, x)
    cancels = (sign == 1) & (x > 1) & ~is_far & (c > _CANCELS)
    return is_far, cancels | is_small(sign, m, n, x) if kind == 1 else cancels & (value < c**2)


def is_summed(kind: int, sign: int, m: Any, n: Any, c: Any, value: Any, x: Any) -> Any:
    """Where they are their series in Bessel functions at `x` itself."""
    is_far, cancels = _elsewhere(kind, sign, m, n, c, value, x)
    return ~is_far & ~cancels & (x >= (0 if kind == 1 else SERIES_FROM))


def is_small(sign: int, m: Any, n: Any, x: Any) -> Any:
    """Where prolate functions of the first kind are small between the points where they oscillate and 1."""
    return (sign == 1) & (n - m > _MANY_ZEROS) & (x > 1) & (x < SERIES_FROM)


def _from_one(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The prolate radial function of the first kind, marched outwards: its series in Bessel functions cancels there."""
    near = 1 + np.minimum(_NEAR_ONE, (m + 1) / (np.abs(raw(value)) + raw(c) ** 2))
    start = np.where(raw(x) < near, x, near)
    return _marched(1, m, c, value, x, start, *about_one(m, n, c, value, start))


def _from_far_out(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The prolate radial function of the second kind, marched inwards."""
    start = np.maximum(np.maximum(_FARTHER, _LONG / raw(c)), raw(c) / 4) * 1.001
    return _inwards(1, m, c, value, x, start, *about_infinity(1, 2, m, n, c, value, start))


def _from_series(m: Any, n: Any, c: Any, value: Any, x: Any) -> tuple[Any, Any]:
    """The oblate radial function of the first kind where it oscillates down to 0, marched inwards."""
    start = np.maximum(raw(x), SERIES_FROM)
    result, derivative = _inwards(-1, m, c, value, x, start, *radial_one(-1, m, n, c, value, start, is_given=False))
    known = np.where(raw(value) < 0, 1.0, np.nan)
    return known * result, known * derivative


def is_far_out(c: Any, x: Any) -> Any:
    """Where the expansion about infinity is used."""
    return np.greater(x, _FARTHER) & (c * x > _LONG) & (x > c / 4)


@of_parity("rad2")
def radial_two(sign: int, m: Any, n: Any, c: Any, value: Any, x: Any, is_given: bool = True) -> tuple[Any, Any]:
    """The radial function of the second kind and its derivative, for a value that is given; NaN up to 1 if prolate."""
    shape, args = flat(raw(m), raw(n), c, value, x)
    found = _second_kind(SERIES_FROM, sign, is_given, *args)
    result, derivative = completed(found, partial(_second_kind, _SHORT_FROM, sign, is_given), *args)
    return np.reshape(result, shape), np.reshape(derivative, shape)


def _second_kind(
    first: float, sign: int, is_given: bool, m: Any, n: Any, c: Any, value: Any, x: Any
) -> tuple[Any, Any]:
    """The same by the series at `first` or beyond, and by a march from there."""
    start = np.where(raw(x) < first, first, x)
    result, derivative = radial_series(spherical_y_sequence, sign, m, n, c, value, start, is_given=is_given)
    if np.all(raw(x) >= first):
        return result, derivative
    is_outside = (raw(x) <= 1) & (sign == 1)
    known = np.where(is_outside, np.nan, 1.0)
    result, derivative = known * result, known * derivative
    is_inner = (raw(x) < first) & ~is_outside
    (here,), (others,) = np.nonzero(is_inner), np.nonzero(~is_inner)
    if not here.shape[0]:
        return result, derivative
    here = here[np.argsort(raw(x)[here])]
    m, *inner = (w[here] for w in (m, c, value, x, start, result, derivative))
    inner = by_modes(1, partial(_inwards, sign), m, *inner)
    order = np.argsort(np.concatenate([here, others]))
    result, derivative = (
        np.concatenate([part, w[others]])[order] for w, part in zip((result, derivative), inner, strict=True)
    )
    return result, derivative


def _inwards(
    sign: int, m: Any, c: Any, value: Any, x: Any, start: Any, result: Any, derivative: Any
) -> tuple[Any, Any]:
    """`R` at `x` and its derivative, from those at `start`."""
    return _marched(sign, m, c, value, x, start, *_reduced(sign, m, start, result, derivative))


def _reduced(sign: int, m: Any, x: Any, result: Any, derivative: Any) -> tuple[Any, Any]:
    """`u = (x**2 - sign)**(-m/2) R` and its derivative."""
    rest = (x - 1) * (x + 1) if sign == 1 else x * x + 1
    scale = rest ** (-m / 2)
    return scale * result, scale * (derivative - m * x / rest * result)


def _marched(sign: int, m: Any, c: Any, value: Any, x: Any, start: Any, u: Any, du: Any) -> tuple[Any, Any]:
    """`R` at `x` and its derivative, from `u` and its derivative at `start`."""
    u, du = marched(sign, m, c * c, value, x, start, u, du)
    rest = (x - 1) * (x + 1) if sign == 1 else x * x + 1
    scale = rest ** (m / 2)
    return scale * u, scale * (du + m * x / rest * u)
