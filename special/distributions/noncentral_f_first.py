"""The noncentral F distribution where the first term of its mixture is all of it: at tiny odds, or next to no degrees.

With `a = dfn / 2`, `b = dfd / 2` and the odds `x = dfn f / dfd` the first term is `e**(-nc / 2) x**a / (a B(a, b))`,
next to which `x**(a + 1)` is nothing; SciPy's `x` may be 0 there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ..gamma_and_beta.digamma_differences import digamma_difference

LONGEST = 600.0
"""Of the noncentrality: twice as many terms take too long."""

ORDINARY = 1e-8
"""Of the degrees of freedom of the numerator and of `f`: above, nothing of this is needed."""

_LARGEST_ODDS, _MOST_DEGREES = 1e-30, (20.0, 1e3)
"""With smaller odds and fewer degrees of freedom the second term has no digits."""

_NO_DEGREES, _FARTHEST = 1e-16, 1e290
"""Degrees of freedom that count for nothing, and the odds up to which they do not."""


def odds_of(dfn: Any, dfd: Any, f: Any) -> Any:
    """Of numbers NumPy's, which may be infinite."""
    with np.errstate(all="ignore"):
        return np.divide(dfn * f, dfd)


def is_first_term(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """Whether the odds are tiny."""
    return (
        ((dfn > 0) & (dfn < _MOST_DEGREES[0]))
        & ((dfd > 0) & (dfd < _MOST_DEGREES[1]))
        & ((nc >= 0) & (nc < LONGEST) & (f > 0) & (odds_of(dfn, dfd, f) < _LARGEST_ODDS))
    )


def first_term(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """The distribution function, with `a B(a, b) = gamma(1 + a) gamma(1 + b) (1 + a / b) / gamma(1 + a + b)`."""
    a, b = dfn / 2, dfd / 2
    power = a * (np.log(dfn) + np.log(f) - np.log(dfd))
    beta = special.gammaln(1 + a) + special.gammaln(1 + b) - special.gammaln(1 + a + b)
    with np.errstate(over="ignore"):
        return np.exp(power - nc / 2 - beta - np.log1p(a / b))


def first_in_degrees(dfn: Any, dfd: Any, nc: Any, f: Any, *, in_first: bool) -> Any:
    """Its derivative in `dfn` or `dfd`, on which the odds depend, too."""
    a, b = dfn / 2, dfd / 2
    if in_first:
        rate = np.log(dfn) + np.log(f) - np.log(dfd) + 1 - 1 / (a + b) + digamma_difference(1 + a, b)
    else:
        rate = a / (a + b) * (1 - a - b) / b + digamma_difference(1 + b, a)
    return rate / 2 * first_term(dfn, dfd, nc, f)


def has_no_degrees(dfn: Any, dfd: Any, nc: Any, f: Any) -> Any:
    """Whether `a` and `b` are so small that the first integral is `b / (a + b)`, and the others negligible.

    The relative error is `(a + b) log(x)`, and the others are `b` times such a logarithm.
    """
    odds = odds_of(dfn, dfd, f)
    with np.errstate(over="ignore"):
        rest = np.maximum(dfn, dfd) * np.exp(nc / 2)
    return (dfn > 0) & (dfd > 0) & (nc >= 0) & (rest < _NO_DEGREES) & (odds > 1 / _FARTHEST) & (odds < _FARTHEST)
