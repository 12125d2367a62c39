"""The distribution function of noncentral t and its inverses."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import special
from scipy.special import ndtri

from ...complex_autograd.engine.traced import raw
from ..numerics.warned import warn
from ..ufuncs.distribution_rules import distribution
from ..ufuncs.inverse_searches import positive, real
from ..ufuncs.inverses import inverse
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import RULES, rule
from .far_quantiles import far_noncentral_quantile, far_quantile
from .far_tails import HUGE, far_value, with_far_quantiles, with_far_tails
from .noncentral_degrees import degrees_of, guess_of_degrees, has_no_degrees
from .noncentral_student import noncentral_student, student_moment
from .noncentral_student_tail import by_series, has_short_series

__all__ = ["nctdtr", "nctdtridf", "nctdtrinc", "nctdtrit"]

_LOW = 0.005
"""Where our own value is used: the absolute error of SciPy's is up to 6e-16."""
_FAR, _FARTHEST = 2.6, 100.0
"""The centralities with which it is less than that at every `t < 0`, where it is less than `ndtr(-nc)`."""


_FEWEST = 2e-7
"""Degrees of freedom below which the contour of the derivative in them loses digits."""


def _in_degrees(df: Any, nc: Any, t: Any) -> Any:
    if np.any((raw(df) < _FEWEST) & (raw(df) > 0)):
        warn(
            f"the derivative of nctdtr in df may have lost all digits at degrees of freedom below {_FEWEST}. Keep df "
            "above, or use mpmath there."
        )
    return noncentral_student(df, nc, t, order=1)


_DERIVATIVES = (
    _in_degrees,
    lambda df, nc, t: -student_moment(df, nc, t, order=0, power=0),
    lambda df, nc, t: student_moment(df, nc, t, order=0, power=1),
)
_student = distribution(
    special.nctdtr, "df nc t", *with_far_tails(lambda *args: nctdtr(*args), _DERIVATIVES), variables="t"
)

_AT_ONCE = 1 << 17
"""So many elements at a time: few of them are for the kernel, which takes many as quickly as a few."""


_SHORT = 90
"""Sums of so many terms cost less than SciPy's value."""


def _has_lower_tail(df: Any, nc: Any, t: Any) -> Any:
    is_small = (t < 0) & (df > 0) & (nc > _FAR) & (nc < _FARTHEST)
    return is_small | (np.abs(t) > HUGE) | has_short_series(df, nc, t, _SHORT)


def _by_tail(df: Any, nc: Any, t: Any) -> Any:
    is_far = np.abs(t) > HUGE
    if np.any(is_far):
        return np.where(is_far, far_value(_near_tail, df, nc, t), _near_tail(df, nc, np.where(is_far, 1.0, t)))
    return _near_tail(df, nc, t)


def _near_tail(df: Any, nc: Any, t: Any) -> Any:
    df, nc, t = np.broadcast_arrays(df, nc, t)
    out, is_short = np.empty_like(t), has_short_series(df, nc, t)
    out[is_short] = by_series(df[is_short], nc[is_short], t[is_short])
    df, nc, t = df[~is_short], nc[~is_short], t[~is_short]
    is_left = t < 0
    tail = noncentral_student(df, np.where(is_left, nc, -nc), -np.abs(t), order=0)
    out[~is_short] = np.where(is_left, tail, 1 - tail)
    return out


def _infinitely_far(df: Any, nc: Any, t: Any) -> Any:
    """The values where a centrality is infinite, which leaves no doubt; None where none is."""
    if not all(type(x) in (float, int, np.float64, np.ndarray) for x in (df, nc, t)) or not np.any(np.isinf(nc)):
        return None
    is_sure = np.isinf(nc) & np.isfinite(t) & (df > 0)
    found = nctdtr(df, np.where(np.isinf(nc), np.nan, nc), t)
    return np.where(is_sure, np.where(nc > 0, 0.0, 1.0), found)[()]


nctdtr = PatchedUfunc(
    special.nctdtr,
    [(_has_lower_tail, _by_tail)],
    corrections=[(lambda w, df, nc, t: ((t < 0) & ~(w >= _LOW)) | np.isnan(w), _by_tail)],
    at_once=_AT_ONCE,
    quick=_infinitely_far,
    of_arrays=_infinitely_far,
)
_student = _student._replace(value=nctdtr)
inverse(special.nctdtrit, "df nc p", _student)
rule(special.nctdtrit, "df nc p", *with_far_quantiles(nctdtr, _DERIVATIVES, RULES[special.nctdtrit].partials))
nctdtrit = far_quantile(special.nctdtrit, functools.partial(far_noncentral_quantile, distribution=nctdtr))


def _guess_of_nctdtridf(z: Any, p: Any, nc: Any, t: Any) -> Any:
    return np.where(_is_ordinary(nc, t), guess_of_degrees(z, nc, t), np.nan)


def _degrees_of(p: Any, nc: Any, t: Any) -> Any:
    """From the guess, and once more from ordinary degrees where the search from there fails."""
    out = degrees_of(p, nc, t, _guess_of_nctdtridf(ndtri(p), p, nc, t))
    missing = np.flatnonzero(np.isnan(out))
    if len(missing):
        out[missing] = degrees_of(p[missing], nc[missing], t[missing], np.full(len(missing), np.nan))
    return out


def _guess_of_nctdtrinc(z: Any, df: Any, p: Any, t: Any) -> Any:
    """`t (1 - 1 / (4 df)) - nc = z sqrt(1 + t**2 / (2 df))`: Abramowitz and Stegun 26.7.10."""
    return np.where(_is_ordinary(df, t), t * (1 - 1 / (4 * df)) - z * np.sqrt(1 + t * t / (2 * df)), np.nan)


def _is_ordinary(a: Any, t: Any) -> Any:
    """Where SciPy's `nctdtr` takes few steps."""
    return (np.abs(a) < 100) & (np.abs(t) < 100)


nctdtridf = inverse(
    special.nctdtridf,
    "p nc t",
    _student,
    steps=3,
    search=positive,
    guess=_guess_of_nctdtridf,
    first=_degrees_of,
    has_none=has_no_degrees,
)
nctdtrinc = inverse(
    special.nctdtrinc,
    "df p t",
    _student,
    steps=3,
    search=real,
    guess=_guess_of_nctdtrinc,
    at_zero=lambda df, p, t: np.where((df > 0) & (np.abs(t) < np.inf), np.inf, np.nan),
    at_one=lambda df, p, t: np.where((df > 0) & (np.abs(t) < np.inf), -np.inf, np.nan),
)
