"""The distribution function of noncentral F and its inverses.

It is the noncentral beta distribution with shapes dfn / 2 and dfd / 2 at the odds dfn f / dfd.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.traced import raw
from ..gamma_and_beta.beta_shape import noncentral_beta_integral, short_beta_derivative
from ..gamma_and_beta.densities import from_zero, odds_density
from ..gamma_and_beta.poisson_mixtures import beta_is_short
from ..gamma_and_beta.positive_mixtures import (
    TINIEST,
    beta_mixture_lower,
    beta_mixture_upper,
    beta_mixture_weights,
    odds_mixture_density,
    odds_mixture_is_short,
)
from ..numerics.contours import LONG_BLOCK, in_double
from ..numerics.warned import warn
from ..ufuncs.distribution_rules import Reading, distribution
from ..ufuncs.inverse_searches import positive, refined
from ..ufuncs.inverses import inverse
from ..ufuncs.patched_ufunc import PatchedUfunc, improved_value
from ..ufuncs.patches import ANY, up_to
from .f_distribution import TWO_DEGREES, times_density
from .noncentral_f_degrees import denominator_degrees_of
from .noncentral_f_first import LONGEST, ORDINARY, first_in_degrees, first_term, has_no_degrees, is_first_term, odds_of
from .noncentral_tails import NEXT_TO_1, STEPS, quantile_next_to_1, with_upper_tail

__all__ = ["ncfdtr", "ncfdtri", "ncfdtridfd", "ncfdtridfn", "ncfdtrinc"]

Derivative = Callable[..., Any]

_FEW, _FEW_BOTH = 0.02, 0.1
"""Where one of the degrees of freedom is less, or both are, the contours of higher derivatives lose digits."""
_NEAR_ZERO = 1e-300
"""In place of `f = 0` where the quotient by it has a limit."""


def _beta(dfn: Any, dfd: Any, nc: Any, f: Any, orders: tuple[int, int]) -> Any:
    return noncentral_beta_integral(dfn / 2, dfd / 2, nc / 2, odds_of(dfn, dfd, f), orders=orders, pole=True) / 2


def _fisher_shapes(dfn: Any, dfd: Any, nc: Any, f: Any) -> tuple[Any, ...]:
    return dfn / 2, dfd / 2, nc / 2, odds_of(dfn, dfd, f)


def _by_length(is_short: Derivative, short: Derivative, long: Derivative, first: Derivative) -> Derivative:
    """A sum along the mixture where that is short, in vectors; elsewhere, and for what is derived from it, `long`.

    Where the first term is all of it, that of the first.
    """

    @in_double(block=LONG_BLOCK)
    def plain(*args: Any, **params: Any) -> Any:
        args = np.broadcast_arrays(*args)
        is_first = is_first_term(*args)
        mask = is_short(*_fisher_shapes(*args)) & ~is_first
        out = np.empty_like(args[-1])
        for chosen, derivative in ((is_first, first), (mask, short), (~mask & ~is_first, long)):
            if np.any(chosen):
                out[chosen] = derivative(*[x[chosen] for x in args], **params)
        return out

    def derivative(*args: Any, **params: Any) -> Any:
        if not holds_traced(list(args)):
            return plain(*args, **params)
        degrees = raw(args[0]), raw(args[1])
        if np.any((np.minimum(*degrees) < _FEW) | (np.maximum(*degrees) < _FEW_BOTH)):
            warn(
                "second derivatives of ncfdtr have few digits, or are NaN, at degrees of freedom one of which is below "
                f"{_FEW}, or both below {_FEW_BOTH}. Keep dfn and dfd above, or take differences of the first "
                "derivatives, which have all their digits."
            )
        return improved_value(long(*args, **params), value=plain(*map(raw, args), **params))

    return derivative


def _long_density(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    def inside(f: Any) -> Any:
        odds = odds_of(dfn, dfd, f)
        integral = noncentral_beta_integral(dfn / 2, dfd / 2 + 1, nc / 2, odds, orders=(0, 0), pole=False)
        return dfd / 2 * (1 + odds) / f * integral

    return from_zero(
        inside, lambda j: odds_density(dfn / 2 + j, dfd / 2, odds_of(dfn, dfd, f)) * odds_of(dfn, dfd, 1.0), nc, f
    )


_fisher_density = _by_length(
    odds_mixture_is_short,
    lambda *args: odds_mixture_density(*_fisher_shapes(*args)) / args[-1],
    _long_density,
    lambda dfn, dfd, nc, f: first_term(dfn, dfd, nc, f) * (dfn / 2) / f,
)


def _long_centrality(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    odds = odds_of(dfn, dfd, f + _NEAR_ZERO * (raw(f) == 0))
    integral = noncentral_beta_integral(dfn / 2 + 1, dfd / 2, nc / 2, odds, orders=(0, 0), pole=False)
    with np.errstate(all="ignore"):
        return -(1 + odds) / odds * integral / 2


_fisher_centrality = _by_length(
    odds_mixture_is_short,
    lambda *args: beta_mixture_weights(*_fisher_shapes(*args)) / -2,
    _long_centrality,
    lambda *args: first_term(*args) / -2,
)


def _degrees_in_two(dfn: Any, dfd: Any, nc: Any, f: Any, *, in_first: bool) -> Any:
    """The derivative in `dfn` or `dfd`: that of the beta distribution in its shape, and what the odds change."""
    change = times_density(_fisher_density(dfn, dfd, nc, f), f)
    if in_first:
        return _beta(dfn, dfd, nc, f, (1, 0)) + change / dfn
    return _beta(dfn, dfd, nc, f, (0, 1)) - change / dfd


_degrees = _by_length(
    beta_is_short,
    lambda *args, in_first: short_beta_derivative(*_fisher_shapes(*args), in_first=in_first) / 2,
    _degrees_in_two,
    first_in_degrees,
)


_fisher = distribution(
    special.ncfdtr,
    "dfn dfd nc f",
    functools.partial(_degrees, in_first=True),
    functools.partial(_degrees, in_first=False),
    _fisher_centrality,
    _fisher_density,
    variables="f",
)
_LEAST = 1e-4
"""Of the degrees of freedom of the denominator: with fewer SciPy's value loses digits, at 1e-12 all but five."""


def _is_heavy(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    odds = odds_of(dfn, dfd, f)
    is_inside = (np.minimum(dfn, dfd) > TINIEST) & (odds > 0) & (odds < np.inf)
    return is_inside & (dfd < _LEAST) & (nc >= 0) & (nc < LONGEST)


ncfdtr = PatchedUfunc(
    special.ncfdtr,
    [
        (is_first_term, first_term),
        (has_no_degrees, lambda dfn, dfd, nc, f: np.exp(-nc / 2) / (1 + dfn / dfd)),
        (_is_heavy, lambda *args: beta_mixture_lower(*_fisher_shapes(*args))),
    ],
    bounds=[(ORDINARY, np.inf), (_LEAST, np.inf), ANY, (ORDINARY, np.inf)],
)
_by_tails = with_upper_tail(
    _fisher,
    lambda dfn, dfd, nc, f: odds_mixture_is_short(*_fisher_shapes(dfn, dfd, nc, f)),
    lambda dfn, dfd, nc, f: beta_mixture_upper(*_fisher_shapes(dfn, dfd, nc, f)),
    lambda dfn, dfd, nc, f: -2 * _beta(dfn, dfd, nc, f, (0, 0)),
)
inverse(special.ncfdtri, "dfn dfd nc p", _fisher)

_HEAVY = 0.5
"""Below so many degrees of freedom of the denominator quantiles may have any size, and SciPy's search ends early."""

ncfdtri = PatchedUfunc(
    special.ncfdtri,
    [
        (
            lambda dfn, dfd, nc, p: (
                (dfn > 0) & (dfd > 0) & (nc >= 0) & (p > 0) & (p < 1) & ((dfd < _HEAVY) | (p > NEXT_TO_1))
            ),
            quantile_next_to_1(special.ncfdtri, Reading(("dfn", "dfd", "nc", "p"), _by_tails)),
        )
    ],
    bounds=[ANY, (_HEAVY, np.inf), ANY, up_to(NEXT_TO_1)],
)


def _deviate(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """About the `z` where `ncfdtr = ndtr(z)`: Severo and Zelen, Biometrika 47 (1960) 411, A&S 26.6.27."""
    root, total = np.cbrt(dfn * f / (dfn + nc)), dfn + nc
    first, second = 2 * (dfn + 2 * nc) / (9 * total * total), 2 / (9 * dfd)
    return ((1 - second) * root - 1 + first) / np.sqrt(first + second * root * root)


_HALVINGS = 7


def _solved(deviate: Callable[[Any], Any], z: Any) -> Any:
    """Where `deviate` is about `z`, from 1e-3 to 1e3: by halving the interval of the logarithm, then linearly."""
    low, high = np.full_like(z, -7.0), np.full_like(z, 7.0)
    at_low, at_high = deviate(np.exp(low)), deviate(np.exp(high))
    is_rising = at_high > at_low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        at_middle = deviate(np.exp(middle))
        is_above = (at_middle > z) == is_rising
        low, at_low = np.where(is_above, low, middle), np.where(is_above, at_low, at_middle)
        high, at_high = np.where(is_above, middle, high), np.where(is_above, at_middle, at_high)
    return np.exp(low + (high - low) * (z - at_low) / (at_high - at_low))


_MOST_DEGREES = 1e16
"""Of the denominator: the distribution is that of infinitely many; where that is beyond `p` there is no solution."""


def _denominator_degrees(*args: Any) -> Any:
    """As they are found of the lower tail, but next to 1 refined by the upper one."""
    out, p = denominator_degrees_of(*args), args[1]
    at = np.flatnonzero(p > NEXT_TO_1)
    if len(at):
        reading = Reading(("dfn", "p", "nc", "f"), _by_tails)
        out[at] = refined(reading, out[at], [x[at] for x in args], STEPS, None)
    return out


ncfdtridfd = inverse(
    special.ncfdtridfd,
    "dfn p nc f",
    _by_tails,
    steps=3,
    search=positive,
    first=_denominator_degrees,
    farthest=_MOST_DEGREES,
    example=TWO_DEGREES,
)
ncfdtridfn = inverse(
    special.ncfdtridfn,
    "p dfd nc f",
    _by_tails,
    steps=3,
    search=positive,
    guess=lambda z, p, dfd, nc, f: _solved(lambda dfn: _deviate(dfn, dfd, nc, f), z),
)
ncfdtrinc = inverse(
    special.ncfdtrinc,
    "dfn dfd p f",
    _by_tails,
    steps=3,
    search=positive,
    at_zero=lambda dfn, dfd, p, f: np.where((dfn > 0) & (dfd > 0) & (f > 0), np.inf, np.nan),
    guess=lambda z, dfn, dfd, p, f: _solved(lambda nc: _deviate(dfn, dfd, nc, f), z),
)
