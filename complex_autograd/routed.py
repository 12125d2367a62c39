"""NumPy's functions under the determinism flag.

Each is NumPy's own while the flag is off.  At a level, the policy table says whether NumPy's result keeps its bits,
gives the route that does, or refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ..determinism.flag import IN_FORCE, current_scope
from .leveled import at_level

__all__ = ["RoutedUfunc", "routed", "routed_linalg"]


def routed(function: Callable[..., Any], operation: str | None = None) -> Callable[..., Any]:
    """A function that the determinism flag can send elsewhere.

    Parameters
    ----------
    function : callable
        NumPy's, or one with its semantics.
    operation : str, optional
        Its name in the policy table; by default the name of the function.

    Returns
    -------
    callable
        With the same signature.
    """
    name = operation or function.__name__

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if IN_FORCE[0] and current_scope().setting.level:
            return at_level(function, name, args, kwargs)
        return function(*args, **kwargs)

    return call


def routed_linalg(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of `wirtinger.linalg` that the determinism flag can send elsewhere."""
    return routed(function, f"linalg.{function.__name__}")


class RoutedUfunc(staticmethod):  # type: ignore[type-arg]
    """A NumPy ufunc that the determinism flag can send elsewhere; its attributes and methods are NumPy's.

    It is callable without a step through Python of its own and does not bind as an attribute of a class, as a ufunc.
    """

    def __init__(self, ufunc: np.ufunc) -> None:
        super().__init__(routed(ufunc))
        self.__module__ = "numpy"
        self.ufunc = ufunc

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(matmul, numpy.ufunc)` holds."""
        return np.ufunc

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)

    def __repr__(self) -> str:
        return repr(self.ufunc)


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
matmul = RoutedUfunc(np.matmul)
matvec = RoutedUfunc(np.matvec)
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
vecdot = RoutedUfunc(np.vecdot)
vecmat = RoutedUfunc(np.vecmat)
