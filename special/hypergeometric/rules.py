"""Hypergeometric functions and Wright's function, in their parameters and in the argument.

The parameters have algorithms of their own: `confluent`, `gauss` and `wright`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.trace import UFUNCS
from ...complex_autograd.engine.traced import raw
from ..numerics.regions import is_near_pole, is_pole
from ..numerics.warned import warn
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import ANY, up_to
from ..ufuncs.ufunc_rules import Partial, rule
from .confluent.kummer import KUMMER
from .confluent.limit_function import CONFLUENT_LIMIT
from .confluent.tricomi import TINY, TRICOMI
from .gauss.derivatives import GAUSS
from .values import hyp0f1, hyp1f1, hyp2f1
from .wright import LARGE_A, LARGE_B, LOG_WRIGHT, WRIGHT, is_inaccurate_wright, log_wright_value, wright_value

__all__ = ["hyp0f1", "hyperu", "log_wright_bessel", "wright_bessel"]


def _derivative_in_argument(function: Any) -> Partial:
    """`a .. / c f(a + 1, .., c + 1, z)`; of polynomials of degree 0 and 1 the derivative itself."""

    def partial(w: Any, *args: Any) -> Any:
        *upper, lower, z = args
        with np.errstate(divide="ignore", invalid="ignore"):
            factor = math.prod(upper) / lower
            derivative = factor * function(*[p + 1.0 for p in (*upper, lower)], z)
        is_constant = (w == 1) & (sum(p == 0 for p in upper) > 0)
        is_linear = sum(p == -1 for p in upper) > 0
        if not np.any(is_constant | is_linear):
            return derivative
        short = np.where(is_constant, 0.0, factor)
        return np.where((is_constant | is_linear) & ~np.isfinite(derivative), short, derivative)[()]

    return partial


def _derivative_of_kummer(w: Any, a: Any, b: Any, z: Any) -> Any:
    """DLMF 13.3.15; by the family where `b + 1` or `a + 1` rounds, and `b + 1` or `b - a` is next to a pole."""
    derivative = _derivative_in_argument(hyp1f1)(w, a, b, z)
    first, second = raw(a), raw(b)
    rounds = ((first + 1.0) - 1.0 != first) | ((second + 1.0) - 1.0 != second)
    is_beside = is_near_pole(second + 1.0, _BESIDE_POLE) & ~is_pole(second)
    is_beside_both = (second > 0.5) & is_near_pole(second - first, _BESIDE_POLE) & (np.real(raw(z)) < 0)
    here = rounds & (is_beside | is_beside_both)
    if not np.any(here):
        return derivative
    exact: Any = _KUMMER_IN_ARGUMENT(w, *(np.where(here, t, 1.0) for t in (a, b, z)))
    found: Any = np.where(here, exact, derivative)
    return found[()]


_KUMMER_IN_ARGUMENT = KUMMER.partial(2)
_BESIDE_POLE = 1e-3
"""So near, roundings of parameters count."""


rule(special.hyp0f1, "v z", CONFLUENT_LIMIT.partial(0), lambda w, v, z: hyp0f1(v + 1.0, z) / v)  # DLMF 16.3.1
rule(
    special.hyp1f1,
    "a b z",
    KUMMER.partial(0),
    KUMMER.partial(1),
    _derivative_of_kummer,
)
UFUNCS[special.hyp1f1] = hyp1f1
"""SciPy's own is not called where its loops take years."""
rule(
    special.hyp2f1,
    "a b c z",
    GAUSS.partial(0),
    GAUSS.partial(1),
    GAUSS.partial(2),
    _derivative_in_argument(hyp2f1),  # DLMF 15.5.1
)

# Tricomi's function

rule(
    special.hyperu,
    "a b x",
    TRICOMI.partial(0),
    TRICOMI.partial(1),
    lambda w, a, b, x: -a * hyperu(a + 1.0, b + 1.0, x),  # DLMF 13.3.22
)


_LARGEST, _LEAST = 1000, 0.1
"""Beyond this `|a|` and `b` no values are known to be right, but those of `a` above the other, by the integral."""


def _tricomi(a: Any, b: Any, x: Any) -> Any:
    w = TRICOMI.value(a, b, x)
    is_far = (a <= _LEAST) & ((np.abs(a) > _LARGEST) | (b > _LARGEST))
    is_unknown = is_far | np.isnan(w)
    if np.any(is_unknown & (is_far | (b > _LARGEST) | (x < TINY))):
        warn(
            f"hyperu: SciPy's value is returned, which may have lost all digits, or be NaN. Likely cause: parameters "
            f"beyond {_LARGEST}, or x < {TINY} and b next to 1. Take b = 1, a larger x, or mpmath."
        )
    is_unknown |= ~np.isfinite(w) & (b <= _LARGEST)
    w[is_unknown] = special.hyperu(a[is_unknown], b[is_unknown], x[is_unknown])
    return w


def _is_improved(a: Any, b: Any, x: Any) -> Any:
    """Where our values are right, or warn; SciPy's at `x < 1e-10` and `b` next to 0, 2 and -2 have no right digit."""
    return (x > 0) & ((x > TINY) | (b != 1))


hyperu = PatchedUfunc(special.hyperu, [(_is_improved, _tricomi)])

# phi(a, b; x) = sum_k x**k / (k! gamma(a k + b)), DLMF 10.46.1

_LARGE_LOG = 2e4
"""Of values, whose differences have fewer than 11 digits beyond."""


def _derivative_of_log_wright(w: Any, a: Any, b: Any, x: Any) -> Any:
    is_large = np.abs(raw(w)) > _LARGE_LOG
    if not np.any(is_large):
        return np.exp(log_wright_bessel(a, a + b, x) - w)
    large = LOG_WRIGHT.partial(2)(w, *(np.where(is_large, t, 1.0) for t in (a, b, x)))
    if np.any(np.isnan(raw(large)) & np.isfinite(raw(w))):
        warn(
            "log_wright_bessel: the derivative in x is NaN where values are so large that their differences have no "
            "digits, and the series is too long. Take smaller arguments, or use mpmath there."
        )
    if np.all(is_large):
        return large
    a, b, x = (np.where(is_large, 1.0, t) for t in (a, b, x))
    return np.where(is_large, large, np.exp(log_wright_bessel(a, a + b, x) - np.where(is_large, 0.0, w)))


rule(
    special.wright_bessel, "a b x", WRIGHT.partial(0), WRIGHT.partial(1), lambda w, a, b, x: wright_bessel(a, a + b, x)
)
rule(special.log_wright_bessel, "a b x", LOG_WRIGHT.partial(0), LOG_WRIGHT.partial(1), _derivative_of_log_wright)
_BOUNDS = (up_to(LARGE_A), up_to(LARGE_B), ANY)
wright_bessel = PatchedUfunc(special.wright_bessel, [(is_inaccurate_wright, wright_value)], bounds=_BOUNDS)
log_wright_bessel = PatchedUfunc(special.log_wright_bessel, [(is_inaccurate_wright, log_wright_value)], bounds=_BOUNDS)
