"""The distribution function of Student's t and its inverses.

It is `1 - I / 2` at t > 0 with the shapes df / 2 and 1 / 2 and the odds df / t**2.  About t = 0, where the two terms of
the derivative in df cancel, that is the integral of the one of the density; with tau = sqrt(df) tan(a) the density is
cos(a)**(df - 1) da / B(df / 2, 1 / 2).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy import special
from scipy.special import betainc, xlog1py

from ...complex_autograd.engine.traced import raw
from ...complex_autograd.transforms.forward import derivative_along
from ..gamma_and_beta.beta_quadrature import first_derivative_at_short
from ..gamma_and_beta.digamma_differences import digamma_difference
from ..gamma_and_beta.incomplete import beta_first
from ..numerics.contours import in_double
from ..numerics.stirling_powers import gamma_ratio
from ..ufuncs.distribution_rules import difference_by_tails, distribution
from ..ufuncs.inverse_searches import positive
from ..ufuncs.inverses import inverse
from ..ufuncs.large_arrays import threaded
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.ufunc_rules import RULES, pointwise, rule
from .far_quantiles import far_quantile, far_student_quantile
from .far_tails import HUGE, far_value, with_far_quantiles, with_far_tails

__all__ = ["stdtr", "stdtridf", "stdtrit"]


@pointwise(lambda w, df: w * (digamma_difference(df / 2, 0.5) - 1 / df) / 2)
def _student_scale(df: Any) -> Any:
    """The density at 0."""
    return gamma_ratio(df / 2) / math.sqrt(2 * math.pi)


def _student_density(df: Any, t: Any) -> Any:
    """That of the normal distribution without end of degrees of freedom."""
    is_normal = np.isinf(df)
    if np.any(is_normal):
        limit = np.exp(-t * t / 2) / np.sqrt(2 * np.pi)
        return np.where(is_normal, limit, _student_density(np.where(is_normal, 1.0, df), t))
    return np.exp(-xlog1py((df + 1) / 2, t * t / df)) * _student_scale(df)


def _density_degrees(df: Any, t: Any) -> Any:
    """The derivative of the density in `df`."""
    square = t * t / df
    rate = digamma_difference(df / 2, 0.5) - 1 / df - np.log1p(square) + (df + 1) / df * square / (1 + square)
    return _student_density(df, t) * rate / 2


def _degrees_by_beta(df: Any, t: Any) -> Any:
    """The derivative in `df`, where `t` is not 0."""
    return -np.sign(t) * beta_first(df / 2, 0.5, df / (t * t)) / 4 - _student_density(df, t) * t / (2 * df)


_FAR = 1e-100
"""Of the odds, and of the degrees of freedom: above, what the series needs is a normal number."""


def _degrees_far(df: Any, t: Any) -> Any:
    """The same where the odds are not more than 1, as the density times `|t|` is `x**a y**b / B(a, b)`."""
    derivative, power = first_derivative_at_short(df / 2, np.full_like(df, 0.5), df / (t * t))
    return -np.sign(t) * (derivative / 4 + power / (2 * df))


@cache
def _half_rule() -> list[tuple[float, float]]:
    """The positive nodes of Gauss and Legendre's rule of 24, and their weights."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    return list(zip(nodes[12:].tolist(), weights[12:].tolist(), strict=True))


def _degrees_about_zero(df: Any, t: Any) -> Any:
    """The same by Gauss' rule in `a`, as the integrand is even of that for twice the interval."""
    end = np.arctan(t / np.sqrt(df))
    offset, factor, power = digamma_difference(df / 2, 0.5) - 1 / df, (df + 1) / df, (df - 1) / 2
    total: Any = 0.0
    for point, weight in _half_rule():
        sine = np.sin(end * point)
        square = sine * sine
        log = np.log1p(-square)
        total = total + weight * np.exp(power * log) * (offset + log + factor * square)
    return total * end * _student_scale(df) * np.sqrt(df) / 2


_NEAR_ZERO = 1e-12
"""In place of `t = 0`, where the odds are infinite."""


def _again(w: Any, df: Any, t: Any) -> Any:
    t = t + np.where(t == 0, _NEAR_ZERO, 0.0)
    return derivative_along(lambda df: _degrees_by_beta(df, t), df, raw(df) * 0 + 1)


@pointwise(_again, lambda w, df, t: _density_degrees(df, t))
@in_double
def _student_degrees(df: Any, t: Any) -> Any:
    df, t = np.broadcast_arrays(df, t)
    square = t * t
    is_near = (np.abs(t) <= 4) & (square <= 6 * df) & (df < np.inf)
    is_far = ~is_near & (square >= df) & (df > _FAR * square) & (df > _FAR)
    out = np.empty_like(df)
    for chosen, first_derivative in (
        (is_near, _degrees_about_zero),
        (is_far, _degrees_far),
        (~(is_near | is_far), _degrees_by_beta),
    ):
        if np.any(chosen):
            out[chosen] = first_derivative(df[chosen], t[chosen])
    return np.where(np.isinf(df), 0.0, out)


_DERIVATIVES = _student_degrees, _student_density
_student = distribution(special.stdtr, "df t", *with_far_tails(special.stdtr, _DERIVATIVES), variables="t")


def _of_numbers(df: float, t: float) -> Any:
    """SciPy has no values where the square of `t` overflows."""
    return special.stdtr(df, t) if -HUGE < t < HUGE else None


def _of_arrays(df: Any, t: Any) -> Any:
    if not all(type(x) in (np.ndarray, float, np.float64) for x in (df, t)) or np.asarray(t).dtype.kind != "f":
        return None
    return threaded(special.stdtr)(df, t) if np.max(np.abs(t), initial=0.0) < HUGE else None


def _with_far_tail(w: Any, df: Any, t: Any) -> Any:
    is_far = (np.abs(t) > HUGE) & (np.abs(t) < np.inf) & (df > 0) & (df < np.inf)
    return np.where(is_far, far_value(special.stdtr, df, t), w) if np.any(is_far) else w


stdtr = PatchedUfunc(special.stdtr, better=_with_far_tail, quick=_of_numbers, of_arrays=_of_arrays)
inverse(special.stdtrit, "df p", _student)
rule(special.stdtrit, "df p", *with_far_quantiles(special.stdtr, _DERIVATIVES, RULES[special.stdtrit].partials))
stdtrit = far_quantile(special.stdtrit, far_student_quantile)


_by_tails = difference_by_tails(special.stdtr, lambda df, t: special.stdtr(df, -t))


def _student_difference(p: Any, df: Any, t: Any) -> Any:
    """`stdtr(df, t) - p`; about `t = 0`, where it hardly depends on `df`, by what both differ from 1/2."""
    is_central = np.abs(p - 0.5) < 0.25
    x = np.where(is_central, t * t / (df + t * t), np.nan)
    center = np.sign(t) / 2 * betainc(0.5, df / 2, x) - (p - 0.5)
    return np.where(is_central, center, _by_tails(p, np.where(is_central, np.nan, df), t))


def _guess_of_stdtridf(z: Any, p: Any, t: Any) -> Any:
    """Fisher's expansion of `t` in `1 / df`, solved to second order: Abramowitz and Stegun 26.7.5."""
    excess, z = np.abs(t) - np.abs(z), np.abs(z)
    first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return (first + np.sqrt(first * first + 4 * second * excess)) / (2 * np.where(excess > 0, excess, np.nan))


stdtridf = inverse(
    special.stdtridf,
    "p t",
    _student._replace(difference=_student_difference),
    steps=1,
    search=positive,
    guess=_guess_of_stdtridf,
)
