"""NumPy's functions under the determinism flag.

Each is NumPy's own while nobody asks for a level.  At a level, the policy table says whether NumPy's result keeps its
bits, gives the route that does, or refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ...determinism.flag import IN_FORCE, SWITCHES, current_scope
from ..array.stand_in import StandIn
from ..engine.determinism_route import at_level

__all__ = ["routed", "routed_linalg"]

_TURNS: list[tuple[Callable[[], None], Callable[[], None]]] = []
"""Of every function, what turns it to NumPy's own and what turns it to the one that looks which level is in force."""


def routed(function: Any, operation: str | None = None) -> StandIn:
    """What stands for a function of NumPy that the determinism flag can send elsewhere.

    It calls on without a step through Python while nobody asks for a level.

    Parameters
    ----------
    function : callable
        NumPy's own.
    operation : str, optional
        Its name in the policy table; by default the name of the function.

    Returns
    -------
    StandIn
        With the same signature.
    """
    stand_in = StandIn(function, function)
    looking = _looking(function, operation or function.__name__)
    _TURNS.append((stand_in.turn_to(function), stand_in.turn_to(looking)))
    return stand_in


def _switch(asked: bool) -> None:
    for to_numpy, to_looking in _TURNS:
        (to_looking if asked else to_numpy)()


SWITCHES.append(_switch)


def routed_linalg(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `wirtinger.linalg` that the determinism flag can send elsewhere."""
    return _looking(function, f"linalg.{function.__name__}")


def _looking(function: Any, operation: str) -> Callable[..., Any]:
    """A function that looks which level is in force."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if IN_FORCE[0] and current_scope().setting.level:
            return at_level(function, operation, args, kwargs)
        return function(*args, **kwargs)

    return call


allclose = routed(np.allclose)
amax = routed(np.amax)
amin = routed(np.amin)
argpartition = routed(np.argpartition)
argsort = routed(np.argsort)
average = routed(np.average)
convolve = routed(np.convolve)
corrcoef = routed(np.corrcoef)
correlate = routed(np.correlate)
cov = routed(np.cov)
cross = routed(np.cross)
cumprod = routed(np.cumprod)
cumulative_prod = routed(np.cumulative_prod)
dot = routed(np.dot)
einsum = routed(np.einsum)
empty_like = routed(np.empty_like)
gradient = routed(np.gradient)
histogram = routed(np.histogram)
histogram2d = routed(np.histogram2d)
histogramdd = routed(np.histogramdd)
inner = routed(np.inner)
interp = routed(np.interp)
kron = routed(np.kron)
matmul = routed(np.matmul)
matvec = routed(np.matvec)
max = routed(np.max)
mean = routed(np.mean)
median = routed(np.median)
min = routed(np.min)
nancumprod = routed(np.nancumprod)
nanmax = routed(np.nanmax)
nanmean = routed(np.nanmean)
nanmedian = routed(np.nanmedian)
nanmin = routed(np.nanmin)
nanpercentile = routed(np.nanpercentile)
nanprod = routed(np.nanprod)
nanquantile = routed(np.nanquantile)
nanstd = routed(np.nanstd)
nansum = routed(np.nansum)
nanvar = routed(np.nanvar)
outer = routed(np.outer)
partition = routed(np.partition)
percentile = routed(np.percentile)
polyfit = routed(np.polyfit)
polyval = routed(np.polyval)
prod = routed(np.prod)
ptp = routed(np.ptp)
quantile = routed(np.quantile)
roots = routed(np.roots)
sort = routed(np.sort)
std = routed(np.std)
sum = routed(np.sum)
tensordot = routed(np.tensordot)
trace = routed(np.trace)
trapezoid = routed(np.trapezoid)
unique = routed(np.unique)
unwrap = routed(np.unwrap)
var = routed(np.var)
vdot = routed(np.vdot)
vecdot = routed(np.vecdot)
vecmat = routed(np.vecmat)
