"""Values of Gauss' function `2F1(a, b; c; z)` by expansions that show whether they have cancelled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...numerics.hypergeometric_series import try_in_turn
from ...numerics.jets import Jet, variables
from ...numerics.regions import is_near_pole, is_pole, within
from ..integer_sums import series_in_integers
from .choice import (
    LONG_MAPPED_RADIUS,
    MAPPED_RADIUS,
    NEARLY_INTEGER,
    STEPS,
    Method,
    first_methods,
    gap_of,
    on_sheet,
)
from .expansions import about_middle, about_middle_with_euler, plain, polynomial
from .mapped import mapped, mapped_modulus
from .polynomials import polynomial_about_one

_NEAR_POLE = 1e-3
_SLOWEST = 0.99
"""Up to this modulus the power series is summed where nothing else is accurate."""
_ERROR = 1e-12
"""A bound of the error that cancellation leaves in extended precision."""


def certain_values(a: Any, b: Any, c: Any, z: Any) -> Any:
    """The function by an expansion that shows that it has not cancelled; NaN where none does."""
    is_on_sheet, modulus = on_sheet(z), mapped_modulus(z)
    is_beyond_middle = is_on_sheet & (np.abs(z - 0.5) > 0.7) & (gap_of(b - a) > NEARLY_INTEGER)
    methods = [
        (_is_short(a, b) & (np.real(z) > 1), polynomial_about_one),
        (_is_short(a, b), polynomial),
        *first_methods(a, b, c, z),
        ((np.abs(z) <= 0.6) | is_pole(a) | is_pole(b), plain),
        (is_beyond_middle, about_middle),
        (is_beyond_middle, about_middle_with_euler),
        (is_on_sheet & (modulus > MAPPED_RADIUS) & (modulus <= LONG_MAPPED_RADIUS), mapped),
    ]
    w = _values(methods, a, b, c, z)
    here = is_near_pole(c, _NEAR_POLE) & ~is_pole(c) & (_is_beside_pole(a) | _is_beside_pole(b))
    if not np.any(here):
        return w
    exact = within(here, last_values, a, b, c, z)
    return np.where(np.isnan(exact), w, exact)


def _is_beside_pole(a: Any) -> Any:
    """Where a term of the series is small, and those behind it are not if `c` is next to a pole as well."""
    return is_near_pole(a, _NEAR_POLE) & ~is_pole(a)


def extended_values(a: Any, b: Any, c: Any, z: Any) -> Any:
    """The same in extended precision, where it is enough for 12 digits."""
    loss = _ERROR / float(np.finfo(np.longdouble).eps)
    is_mapped = on_sheet(z) & (mapped_modulus(z) <= LONG_MAPPED_RADIUS)
    methods = [
        (_is_short(a, b), lambda a, b, c, z: polynomial(a, b, c, z, loss)),
        (is_mapped, lambda a, b, c, z: mapped(a, b, c, z, loss)),
    ]
    longer = [x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble) for x in (a, b, c, z)]
    return _values(methods, *longer).astype(z.dtype)


def last_values(a: Any, b: Any, c: Any, z: Any) -> Any:
    """The function by its power series in integers, also after Pfaff's transformation; NaN where that is too long."""

    def series(a: Any, b: Any, c: Any, z: Any) -> Any:
        return series_in_integers([a, b], [c], z)

    def transformed(a: Any, b: Any, c: Any, z: Any) -> Any:
        return (1 - z) ** -a * series(a, c - b, c, z / (z - 1))

    w = within((np.abs(z) <= _SLOWEST) | _is_short(a, b), series, a, b, c, z)
    is_left = np.isnan(w) & (np.abs(z) <= _SLOWEST * np.abs(z - 1))
    return np.where(is_left, within(is_left, transformed, a, b, c, z), w)


def _values(methods: Sequence[Method], *args: Any) -> Any:
    def on_values(method: Any) -> Any:
        return lambda a, b, c, z: method(*variables((0, 0, 0), a, b, c), z)

    def unknown(a: Any, b: Any, c: Any, z: Any) -> Jet:
        return Jet({(0, 0, 0): np.full_like(z, np.nan)}, (0, 0, 0))

    return try_in_turn([(where, on_values(method)) for where, method in methods], unknown, *args)[0]


def _is_short(a: Any, b: Any) -> Any:
    """Whether it is a polynomial of low degree."""
    return (is_pole(a) & (a > -STEPS)) | (is_pole(b) & (b > -STEPS))
