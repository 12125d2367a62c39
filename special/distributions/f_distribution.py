"""The distribution function of F and its inverses.

It is the beta distribution with the shapes dfn / 2 and dfd / 2 at the odds dfn x / dfd.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...complex_autograd.engine.traced import raw
from ..gamma_and_beta.beta_quantile import log_odds
from ..gamma_and_beta.densities import odds_density
from ..gamma_and_beta.incomplete import beta_first, beta_second
from ..numerics.warned import warn
from ..ufuncs.distribution_rules import complement, difference_by_tails, distribution
from ..ufuncs.inverse_searches import positive
from ..ufuncs.inverses import inverse
from ..ufuncs.patched_ufunc import PatchedUfunc
from ..ufuncs.patches import ANY

__all__ = ["fdtr", "fdtrc", "fdtri", "fdtridfd"]


_TINY, _NEGLIGIBLE = np.finfo(np.float64).tiny, 1e-20
"""Products below the first underflow; odds below the other do not count next to 1."""


def _odds(dfn: Any, dfd: Any, x: Any) -> Any:
    """`dfn x / dfd`; NaN where that underflows, as a small power of it does not."""
    odds = dfn * x / dfd
    is_underflowed = np.abs(raw(odds)) < _TINY
    if np.any(is_underflowed):
        is_underflowed &= (raw(x) > 0) & (raw(dfn) > 0) & np.isfinite(raw(dfd))
    if not np.any(is_underflowed):
        return odds
    warn(
        "fdtr, or a function that is computed by it: a derivative is NaN where dfn x / dfd underflows. Likely cause: "
        "dfn or x near the smallest numbers. Take larger ones, or mpmath."
    )
    return np.where(is_underflowed, np.nan, odds)


def _fisher_density(dfn: Any, dfd: Any, x: Any) -> Any:
    return odds_density(dfn / 2, dfd / 2, _odds(dfn, dfd, x)) * dfn / dfd


def times_density(density: Any, x: Any) -> Any:
    """`density x`, and 0 where `x` is, even if the density is infinite there."""
    is_end = (raw(x) == 0) & np.isinf(raw(density))
    return np.where(is_end, 0.0, density) * x if np.any(is_end) else density * x


def _numerator_degrees(dfn: Any, dfd: Any, x: Any) -> Any:
    change = times_density(_fisher_density(dfn, dfd, x), x) / dfn
    return beta_first(dfn / 2, dfd / 2, _odds(dfn, dfd, x)) / 2 + change


def _denominator_degrees(dfn: Any, dfd: Any, x: Any) -> Any:
    change = times_density(_fisher_density(dfn, dfd, x), x) / dfd
    return beta_second(dfn / 2, dfd / 2, _odds(dfn, dfd, x)) / 2 - change


_fisher = distribution(
    special.fdtr, "dfn dfd x", _numerator_degrees, _denominator_degrees, _fisher_density, variables="x"
)
complement(special.fdtrc, _fisher)


def _underflows(dfn: Any, dfd: Any, x: Any) -> Any:
    return (dfn > 0) & (dfd > 0) & (x > 0) & (dfn * x < _TINY) & (dfn * x <= _NEGLIGIBLE * dfd)


def _logarithm(dfn: Any, dfd: Any, x: Any) -> Any:
    """Of the first term of DLMF 8.17.8, `y**a / (a B(a, b))`, with the odds for `y`: right to 1e-13.

    At small `a` the logarithm of `a B(a, b)` is a Taylor series.
    """
    a, b = dfn / 2, dfd / 2
    first, second = np.euler_gamma + special.psi(b + 1), special.zeta(2, 1) - special.zeta(2, b + 1)
    series = np.log1p(a / b) - a * (first - a / 2 * second)
    return a * (np.log(dfn) + np.log(x) - np.log(dfd)) - np.where(a < _SMALL, series, np.log(a) + special.betaln(a, b))


_SMALL = 1e-5
_BOUNDS = (1e-20, np.inf), (-np.inf, 1e100), (1e-100, np.inf)


def _are_tiny(dfn: Any, dfd: Any, x: Any) -> Any:
    """Where of DLMF 8.17.20 the power alone counts, which is `dfd / (dfn + dfd)`."""
    return (dfn > 0) & (dfd > 0) & (dfn + dfd < 1e-20) & (x > 0)


fdtr = PatchedUfunc(
    special.fdtr,
    [(_are_tiny, lambda dfn, dfd, x: dfd / (dfn + dfd)), (_underflows, lambda *args: np.exp(_logarithm(*args)))],
    bounds=_BOUNDS,
)
fdtrc = PatchedUfunc(
    special.fdtrc,
    [(_are_tiny, lambda dfn, dfd, x: dfn / (dfn + dfd)), (_underflows, lambda *args: -np.expm1(_logarithm(*args)))],
    bounds=_BOUNDS,
)
inverse(special.fdtri, "dfn dfd p", _fisher)

_LEAST = 1e-10
"""Of the probability: of a smaller one SciPy's search for the odds may end in NaN."""

fdtri = PatchedUfunc(
    special.fdtri,
    [
        (
            lambda dfn, dfd, p: (p < _LEAST) & (p > 0) & (dfn > 0) & (dfd > 0),
            lambda dfn, dfd, p: dfd / dfn * np.exp(log_odds(dfn / 2, dfd / 2, p, is_upper=False)),
        )
    ],
    bounds=[ANY, ANY, (_LEAST, np.inf)],
)


def denominator_degrees(z: Any, variance: Any, x: Any) -> Any:
    """Paulson's normal approximation, Ann. Math. Stat. 13 (1942) 233, solved for `2 / (9 dfd)`.

    `variance` is that of the cube root of the numerator, whose mean is `1 - variance`.
    """
    root = np.cbrt(x)
    excess = 1 - (1 - variance) / root
    inverse = excess + z * z / 2 - z * np.sqrt(excess + z * z / 4 + variance / (root * root))
    return 2 / (9 * np.where(inverse > 0, inverse, np.nan))


TWO_DEGREES = """\n
Which of two solutions
----------------------
Where `p` is small, the distribution function rises in `dfd` and then falls, so that two values give the same `p`.  One
of them is returned, with its derivatives: mostly the smaller one, but the larger one where that is found first or the
smaller one is below 1e-5.  Where the two nearly coincide, or both are outside of 1e-5 to 1e5, neither may be found: the
value is then SciPy's, 1e-100, 1e100 or NaN, and the derivatives are NaN.
"""
"""What the documentation of the inverses in `dfd` says besides."""

fdtridfd = inverse(
    special.fdtridfd,
    "dfn p x",
    _fisher._replace(difference=difference_by_tails(special.fdtr, special.fdtrc)),
    steps=1,
    search=positive,
    guess=lambda z, dfn, p, x: denominator_degrees(z, 2 / (9 * dfn), x),
    example=TWO_DEGREES,
)
