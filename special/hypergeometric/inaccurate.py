"""Where SciPy's values of hypergeometric functions lose digits, as measured against mpmath.

The `is_usual` ones see in 1 microsecond that the value of numbers is right; without them a call takes 53 to 65 of
`hyp1f1` and `hyp2f1`, and 23 of `hyp0f1`, in place of 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..numerics.regions import by_region, is_near_pole, is_pole
from .confluent.kummer_expansions import FAR_ON_AXIS
from .gauss.shared import FEWEST_VALUES

_AT_ONCE = 8192
"""Elements that are judged at a time, in the cache."""

_NEXT_TO_ONE = 1 - 1e-11
"""From here on to 1 SciPy gives the limit, or infinity."""

_NEAR_POLE = 1e-3
"""So near to a pole of the gamma function values are had without the quotient of two small numbers."""

_BESIDE_ONE, _BESIDE_INTEGER = 0.02, 1e-3
"""So near to `b = 1`, and to an integer `a` or `b - a`, recurrences of SciPy's `hyp1f1` lose what the distance is
smaller than 1; of an integer it loses all beyond this modulus of `z`."""
_EXPONENTIAL = 2.0

_SMALL, _SAME = 0.01, 1e-12
"""Of `c`, and of the distance of another parameter, or of 0, to it, up to which SciPy's function may be a power."""
_LARGEST_OF_USUAL, _FARTHEST_USUAL = 1e5, 1e5
"""Parameters, and moduli of `z` up to which nothing takes SciPy long."""

_LEAST_OF_LARGE = 0.15
"""From this `abs(z)` on recurrences at parameters beyond 8 lose digits where terms of the series differ in sign."""

_BOTH_LARGE = 40.0
"""From here on, both of `a` and `b`, values left of 0 lose digits."""
_PRODUCT = 12.0
"""From this product of a parameter and of the length of a recurrence on errors larger than 1e-12 were measured."""


def is_inaccurate_limit(v: Any, z: Any) -> Any:
    """SciPy's quotients of Bessel functions overflow: from 80 on values are infinite, NaN or 0.

    Next to the poles they lose what the distance is smaller than 1.
    """
    return ((np.abs(v) > 60) | is_near_pole(v, _NEAR_POLE)) & ~is_pole(v)


def is_inaccurate_kummer(a: Any, b: Any, z: Any) -> Any:
    """SciPy's values of complex `z` have errors of any size, at parameters larger than 4 in the whole plane.

    At smaller ones it sums the power series, which cancels by `exp(abs(z) - abs(Re z))`, or a short expansion: measured
    are relative errors of 3e-4 at `abs(z)` from 20 to 30, and of any size from 400 on next to the imaginary axis.  At
    real `z` between -1 and 0 and positive `b` it sums the power series, also at large `a`, where that cancels.  Of
    polynomials left of 0 or with a negative `b`, also after Kummer's transformation, some values are NaN or of any
    size, and next to a pole in `b` some lose what the distance is smaller than 1.  So they do at `a z < 0` next to
    `b = 1`, and where `a`, or `b - a` left of 0, is next to an integer below 1, whose distance the recurrences round.
    Between `b = 0` and 1 and `z = -1` and 0 those of integers `a` from 4 on, or next to one, have no right digit.
    """
    if z.dtype.kind == "c":
        return np.ones_like(z, dtype=bool)
    cancels = (z >= -1) & (z < 0) & (b > 0) & (a * z < -60 - 4 * b)
    cancels_at_pole = (
        is_near_pole(b, _NEAR_POLE) | (is_pole(a) & ((z < 0) | (b < 0))) | ((z < 0) & (b < 0) & is_pole(b - a))
    )
    is_inaccurate = (np.abs(z) > FAR_ON_AXIS) | cancels | cancels_at_pole | _is_beside_integers(a, b, z)
    return is_inaccurate & ~is_pole(b) if np.any(is_inaccurate) else is_inaccurate


def _is_beside_integers(a: Any, b: Any, z: Any) -> Any:
    """The same next to integers."""
    is_beside_one = (np.abs(b - 1) <= _BESIDE_ONE) & (b != 1) & (a * z < 0)
    x, y = np.where(z < 0, b - a, a), np.where(z < 0, a, b - a)
    is_strange = (b > 0) & (b <= 1) & (np.abs(z) <= 1) & (y > 3)
    is_strange &= (np.abs(a - np.rint(a)) <= _BESIDE_INTEGER) & ((z < 0) | (a != np.rint(a)))
    is_far = (np.abs(z) >= _EXPONENTIAL) & (x < 0.5) & (x != np.rint(x)) & (np.abs(x - np.rint(x)) <= _BESIDE_INTEGER)
    return is_beside_one | is_strange | is_far


def is_inaccurate_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    """SciPy's expansions cancel near the unit circle and outside at complex `z`, and where a gap is nearly an integer.

    So do they at large parameters, where its recurrences lose digits.
    """
    if z.dtype.kind == "c":
        return _is_inaccurate_complex_gauss(a, b, c, z) | _is_taken_for_pole(c)
    has_many = np.count_nonzero((z > 0.95) & (z < 1)) >= FEWEST_VALUES
    parts = [slice(i, i + _AT_ONCE) for i in range(0, z.shape[0], _AT_ONCE)]
    pieces = [_is_inaccurate_real_gauss(*[x[part] for x in (a, b, c, z)], has_many=has_many) for part in parts]
    return (pieces[0] if len(pieces) == 1 else np.concatenate(pieces)) | _is_taken_for_pole(c)


def _is_taken_for_pole(c: Any) -> Any:
    """Where SciPy takes a tiny `c` for 0, and the function for infinite."""
    return (np.abs(c) < _SAME) & (c != 0)


def _is_taken_for_power(a: Any, b: Any, c: Any) -> Any:
    """Where SciPy takes a small `c` for a parameter that differs from it, and the function for a power."""
    distance = np.minimum(np.abs(a - c), np.abs(b - c))
    return (distance < _SAME) & (distance > 0) & (np.abs(c) < _SMALL)


def _is_inaccurate_real_gauss(a: Any, b: Any, c: Any, z: Any, *, has_many: Any) -> Any:
    is_inaccurate = _is_taken_for_power(a, b, c)
    (here,) = np.nonzero(z < -2)
    if here.shape[0]:
        is_inaccurate[here] = _has_inaccurate_gap(b[here] - a[here], z[here])
    lowest, highest = min(np.min(x) for x in (a, b, c)), max(np.max(x) for x in (a, b, c))
    (here,) = np.nonzero((z > 0.9) & (z < 1))
    if here.shape[0]:
        gap = c[here] - a[here] - b[here]
        # measured: errors up to 1e-11 for a gap of 1e-4 and any size for smaller ones
        is_inaccurate[here] = _is_nearly_integer(gap, 0.001) & ((z[here] > 0.98) | (lowest < 0)) | (
            z[here] > _NEXT_TO_ONE
        )
        if has_many:
            # SciPy's series have hundreds of terms there, those about 1 few
            is_inaccurate[here] |= ~_is_nearly_integer(gap, 0.02, 0.0) & (z[here] > 0.95)
    if lowest >= -4 and highest <= (4 if lowest < 0 else 8):
        return is_inaccurate
    is_polynomial = is_pole(a) | is_pole(b)
    rules = [(is_polynomial, _is_inaccurate_polynomial), (~is_polynomial, _is_inaccurate_sum)]
    is_inaccurate = (is_inaccurate & (~is_polynomial | (z > 0.9))) | by_region(rules, a, b, c, z)
    return is_inaccurate & ((z < 1) | (is_polynomial & (z > 1)))


def _has_inaccurate_gap(gap: Any, z: Any) -> Any:
    """Measured: elsewhere one error of a thousand is larger than 1e-12, up to 5e-11; it decays as `z**-gap`."""
    most = np.where(z < -20, 0.004, np.where(z < -5, 0.01, 0.03))
    return _is_nearly_integer(gap, np.where(np.abs(gap) > 4.5, 1e-4, most))


def _is_inaccurate_sum(a: Any, b: Any, c: Any, z: Any) -> Any:
    """Measured up to 8: elsewhere one error of three thousand is larger than 1e-12, up to 5e-11.  So are many beyond.

    Up to 20, there are errors of any size in one of three, hardly any where the signs fit.
    """
    have_both = (a < 0) & (b < 0)
    cancels = np.where(z > 0.5, (a < 0) != (b < 0), (z < -1) & (z > -2) & have_both)
    signs_differ = (a < 0) != (b < 0)
    cancels_at_large = (c < 0) | ((np.abs(z) > 0.5) & ~((z > 0.5) & have_both))
    cancels_at_large |= np.where(z > 0, signs_differ & (z > _LEAST_OF_LARGE), have_both & (z < -_LEAST_OF_LARGE))
    are_large = (z < 0) & (np.minimum(a, b) > _BOTH_LARGE)  # measured: errors from 1e-10 to any size
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_next_to_one = (z > 0.9) & (c < 0)
    is_inaccurate = cancels | is_next_to_one | _is_inaccurate_recurrence(a, b, c, z)
    return ((largest > 4) & is_inaccurate) | ((largest > 8) & cancels_at_large) | are_large


def _is_inaccurate_polynomial(a: Any, b: Any, c: Any, z: Any) -> Any:
    """Measured up to a degree of 50: they are right but where SciPy sums them right of 1/2, and below negative `c`.

    It sums where the degree is smaller than another parameter, and takes a recurrence elsewhere left of 1.
    """
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_second = is_pole(b) & ~(is_pole(a) & (a > b))
    degree, other = np.where(is_second, -b, -a), np.where(is_second, a, b)
    is_summed = (degree < np.abs(other)) | (degree <= np.abs(c) + 1) | (z > 1)
    is_inaccurate = ((z > 0.5) & is_summed & (degree > 5)) | ((largest > 8) & _is_long_below(c, c - np.minimum(a, b)))
    is_inaccurate |= (largest > 8) & (a < 0) & (b < 0) & (z < -_LEAST_OF_LARGE)
    return (z > -3) & (is_inaccurate | (largest > 60))


def _is_inaccurate_recurrence(a: Any, b: Any, c: Any, z: Any) -> Any:
    """Where SciPy goes by steps from a parameter far below a negative third one, and loses digits.

    Right of -2 it does so for `2F1(a, b; c)` and `2F1(c - a, c - b; c)`, left of it for the two terms of DLMF 15.8.2,
    and for them after Euler's transformation.
    """
    larger, smaller = np.maximum(a, b), np.minimum(a, b)
    is_far = z < -2
    third = np.where(is_far, smaller - larger + 1, c)
    reach = np.where(
        is_far,
        np.maximum(np.maximum(1, c) - larger, smaller + np.maximum(0, 1 - c)),
        c - np.minimum(smaller, c - larger),
    )
    return _is_long_below(third, reach)


def _is_long_below(third: Any, reach: Any) -> Any:
    """Whether a recurrence of this length is long at a negative third parameter."""
    return (third < 0) & (third * reach <= -_PRODUCT)


def _is_inaccurate_complex_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    is_inaccurate = ((np.abs(z) > 1.5) & _is_nearly_integer(b - a, 0.05)) | (
        (np.abs(z - 1) < 0.15) & _is_nearly_integer(c - a - b, 0.05)
    )
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_large = largest > np.where(np.minimum(np.minimum(a, b), c) < 0, 4.0, 8.0)
    is_polynomial = is_pole(a) | is_pole(b)
    is_large = (is_large & ~is_polynomial) | (is_polynomial & (np.real(z) > 1))
    is_inaccurate |= np.abs(z - 1) < 1 - _NEXT_TO_ONE
    return (z != 1) & (is_inaccurate | is_large | ((np.abs(z) > 0.85) & (np.imag(z) != 0)))


def _is_nearly_integer(x: Any, most: Any, least: float = 1e-300) -> Any:
    gap = np.abs(x - np.rint(x))
    return (gap <= most) & (gap >= least)


def is_right_at_one(*args: Any) -> Any:
    """Where a polynomial of high degree next to 1 was measured: SciPy's real `hyp2f1` is right to 1e-13 there."""
    *parameters, z = args
    if len(parameters) < 3 or z.dtype.kind == "c":
        return np.False_
    a, b, _ = parameters
    is_polynomial = is_pole(a) | is_pole(b)
    return is_polynomial & (z > 0.9) & (z < 1)


def is_usual_limit(v: float, z: Any) -> bool:
    """Of numbers, at once: whether SciPy's value is right.  It is no less so where this does not see it."""
    return abs(v) <= 60 and (v >= 0.5 or abs(v - round(v)) > _NEAR_POLE)


def is_usual_kummer(a: float, b: float, z: Any) -> bool:
    """The same of Kummer's function of real `z`."""
    if type(z) is complex or not (
        abs(z) <= FAR_ON_AXIS and abs(a) <= _LARGEST_OF_USUAL and abs(b) <= _LARGEST_OF_USUAL
    ):
        return False
    if b < 0.5 and not (b != 0 and abs(b - round(b)) > _NEAR_POLE and b - a != round(b - a)):
        return False
    x = b - a if z < 0 else a
    if (x < 0.5 and abs(x - round(x)) <= _BESIDE_INTEGER) or abs(b - 1) <= _BESIDE_ONE or (b <= 1 and abs(z) <= 1):
        return bool(0 <= a <= 3 and b > 0 and z >= -_EXPONENTIAL)
    return (a > 0 or a != round(a) or (z >= 0 and b > 0)) and not -1 <= z < 0 <= -60 - 4 * b - a * z


def is_usual_gauss(a: float, b: float, c: float, z: Any) -> bool:
    """The same of Gauss' function of moderate parameters."""
    lowest, highest = min(a, b, c), max(a, b, c)
    if not (lowest >= -4 and highest <= (4 if lowest < 0 else 8)):
        return False
    if -_SAME < c < _SAME and c != 0:
        return False
    if type(z) is complex:
        return abs(z) <= 0.85
    if -_SMALL < c < _SMALL and (abs(a - c) < _SAME or abs(b - c) < _SAME):
        return False
    if not -2 <= z <= 0.9:
        gap, most = (b - a, 0.03) if z < 0 else (c - a - b, 0.001)
        return -_FARTHEST_USUAL <= z < _NEXT_TO_ONE and abs(gap - round(gap)) > most
    return True
