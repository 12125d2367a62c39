"""Calls of the univariate distributions of `scipy.stats`: of each, its methods in every continuous argument."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.stats
from probe import Case
from scipy.stats._distr_params import distcont, distdiscrete

__all__ = ["METHODS", "NAMES", "continuous", "discrete"]

DENSITIES = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf")
QUANTILES = ("ppf", "isf")
MOMENTS = ("mean", "var", "entropy")
METHODS = ("pdf", "pmf", "logpdf", "logpmf", "cdf", "logcdf", "sf", "logsf", "ppf", "isf", "mean", "var", "entropy")
NAMES = {name for name, _ in [*distcont, *distdiscrete] if isinstance(name, str)}
SLOW = {
    "crystalball",
    "exponpow",
    "exponweib",
    "genexpon",
    "genhalflogistic",
    "gompertz",
    "halfgennorm",
    "johnsonsb",
    "kappa4",
    "ksone",
    "kstwo",
    "kstwobign",
    "norminvgauss",
    "powerlognorm",
    "powernorm",
    "studentized_range",
    "levy_stable",
    "genhyperbolic",
    "geninvgauss",
    "gausshyper",
    "vonmises",
    "kappa3",
    "exponnorm",
}
"""Moments of these are integrals, of as many calls: they are not made here."""
WHOLE = {"ksone": 1, "kstwo": 1, "irwinhall": 1}
"""How many of the first shapes of a continuous distribution are whole numbers."""
LOC, SCALE = 0.1, 1.3


def continuous() -> Iterator[Case]:
    for name, shapes in _first_of(distcont):
        if isinstance(name, str):
            yield from _continuous(name, tuple(shapes))


def _continuous(name: str, shapes: tuple[Any, ...]) -> Iterator[Case]:
    distribution = getattr(scipy.stats, name)
    whole = WHOLE.get(name, 0)
    shapes = (*shapes[:whole], *(float(s) for s in shapes[whole:]))
    x = distribution.ppf([0.3, 0.65], *shapes, loc=LOC, scale=SCALE)
    varying = (0, *range(1 + whole, len(shapes) + 3))
    for method in DENSITIES:
        yield Case(f"stats.{name}.{method}", (x, *shapes, LOC, SCALE), argnums=varying)
    for method in QUANTILES:
        yield Case(f"stats.{name}.{method}", (np.array([0.3, 0.65]), *shapes, LOC, SCALE), argnums=varying)
    for method in MOMENTS:
        if name not in SLOW and np.isfinite(getattr(distribution, method)(*shapes)):
            yield Case(f"stats.{name}.{method}", (*shapes, LOC, SCALE), argnums=tuple(range(whole, len(shapes) + 2)))


def discrete() -> Iterator[Case]:
    for name, shapes in _first_of(distdiscrete):
        if not isinstance(name, str) or not any(isinstance(s, float) for s in shapes):
            continue
        distribution = getattr(scipy.stats, name)
        k = distribution.ppf([0.3, 0.8], *shapes)
        varying = tuple(1 + i for i, s in enumerate(shapes) if isinstance(s, float))
        for method in ("pmf", "logpmf", "cdf", "logcdf", "sf", "logsf"):
            inside = k[np.isfinite(getattr(distribution, method)(k, *shapes))]
            if inside.size:
                yield Case(f"stats.{name}.{method}", (inside, *shapes), argnums=varying)
        for method in MOMENTS:
            if not np.isfinite(getattr(distribution, method)(*shapes)):
                continue
            yield Case(f"stats.{name}.{method}", tuple(shapes), argnums=tuple(i - 1 for i in varying))


def _first_of(pairs: list[Any]) -> list[Any]:
    """The first parameters of each distribution."""
    return list({str(name): (name, shapes) for name, shapes in reversed(pairs)}.values())[::-1]
