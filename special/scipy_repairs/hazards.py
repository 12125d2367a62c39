"""SciPy's ufuncs that are not to be called with all arguments: some write beyond their arrays, some do not return."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from ...complex_autograd.engine.dispatch import holds_traced
from ..numerics.warned import warn
from .endless_chi_squared import is_endless_chi_squared
from .endless_loops import (
    is_endless_gauss,
    is_endless_kummer,
    is_endless_laguerre,
    is_endless_legendre,
    is_endless_polynomial,
)
from .negative_c import Reflected
from .overruns import is_harmless, is_harmless_mathieu, is_resolved

__all__ = ["Guarded", "guard_of"]

_NUMBERS = (int, float, complex)
_SPHEROIDAL = ("obl_", "pro_")
_MOST_ORDERS = 1e6
"""Of parabolic cylinder functions, all of which SciPy computes for one."""


class Guard(NamedTuple):
    """Where a ufunc is not to be called, and by which harmless arguments others are replaced there."""

    is_harmful: Callable[..., Any]
    harmless: dict[int, float]
    reason: str | None
    """What a warning says; None where better values follow, or their own warning."""


def _writes_beyond(name: str, m: Any, n: Any, c: Any, *others: Any) -> Any:
    return ~is_harmless(name, m, n, c)


def _mathieu_writes_beyond(m: Any, q: Any, x: Any) -> Any:
    return ~is_harmless_mathieu(m, q)


def _modified_mathieu_is_lost(m: Any, q: Any, x: Any) -> Any:
    return ~is_harmless_mathieu(m, q) | ~is_resolved(q, x) | np.isnan(x)


def _takes_memory(v: Any, x: Any) -> Any:
    return np.abs(v) > _MOST_ORDERS


def guard_of(function: np.ufunc) -> Guard | None:
    """What a ufunc of SciPy has to be kept from, if anything."""
    name = function.__name__
    if name.startswith(_SPHEROIDAL):
        reason = "c, m and n are so large that SciPy's function would write beyond its arrays"
        return Guard(partial(_writes_beyond, name), {0: 1.0, 1: 1.0, 2: 1.0}, reason)
    if name.startswith("mathieu_mod"):
        reason = "m, q or x is so large that SciPy has no coefficients, or no digits"
        return Guard(_modified_mathieu_is_lost, {0: 1.0, 1: 1.0, 2: 0.0}, reason)
    if name.startswith("mathieu_") and function.nin == 3:
        return Guard(_mathieu_writes_beyond, {0: 1.0, 1: 1.0}, "m or q is so large that SciPy has no coefficients")
    if name in ("pbdv", "pbvv"):
        return Guard(_takes_memory, {0: 1.0}, "v is so large that SciPy's function runs out of memory")
    if name.startswith("chndtr"):
        harmless = {0: 1.0} if name == "chndtrinc" else {2: 0.0}
        reason = "x and nc are so large that SciPy's loop over the Poisson mixture does not return"
        return Guard(partial(is_endless_chi_squared, name), harmless, reason)
    if name == "lpmv":
        return Guard(is_endless_legendre, {0: 0.0}, "m is so large that SciPy's loop over the orders takes minutes")
    if name in ("eval_laguerre", "eval_genlaguerre"):
        return Guard(is_endless_laguerre, {0: 0.0}, None)
    if name.startswith("eval_") and "D" in function.types[-1]:
        return Guard(is_endless_polynomial, {0: 0.0}, None)
    if function is special.hyp1f1:
        return Guard(is_endless_kummer, {2: 0.0}, None)
    return Guard(is_endless_gauss, {3: 0.0}, None) if function is special.hyp2f1 else None


class Guarded:
    """A ufunc of SciPy that is NaN where it is not to be called.

    Parameters
    ----------
    function : ufunc
        SciPy's own, or what is called in its place.
    guard : Guard
        Where that is.
    """

    def __init__(self, function: Any, guard: Guard) -> None:
        self.function = function
        self.of_numbers = Reflected(function) if function.__name__.startswith(_SPHEROIDAL) else function
        self.guard = guard

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        inputs = args[: self.function.nin]
        if len(inputs) < self.function.nin or holds_traced(list(inputs)):
            return self.function(*args, **keywords)
        is_harmful, harmless, reason = self.guard
        plain = [np.asarray(_within_range(x)) for x in inputs]
        if any(x.dtype.kind not in "biufc" for x in plain):
            return self.function(*args, **keywords)  # which says that it has no loop for these
        with np.errstate(all="ignore"):
            here = is_harmful(*plain)
        if not np.any(here):
            return self.of_numbers(*args, **keywords)
        if reason is not None and np.any(np.isfinite(sum(plain)) & here):
            warn(f"{self.function.__name__} is NaN where {reason}")
        replaced = [_replaced(x, here, harmless[i], inputs) if i in harmless else x for i, x in enumerate(inputs)]
        w = self.of_numbers(*replaced, *args[self.function.nin :], **keywords)
        return tuple(_without(x, here) for x in w) if isinstance(w, tuple) else _without(w, here)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def _within_range(x: Any) -> Any:
    """A number that NumPy has no integer for as the one of floating point that SciPy's loop is given."""
    if type(x) is not int or abs(x) < 2**63:
        return x
    return float(x) if abs(x) < 2**1023 else math.inf if x > 0 else -math.inf


def _replaced(x: Any, here: Any, harmless: float, inputs: Sequence[Any]) -> Any:
    """One of the inputs in the form in which it was given, but harmless in some places."""
    if here.ndim == 0:
        return type(x)(harmless) if issubclass(type(x), _NUMBERS) else np.full_like(x, harmless)
    w = x + np.zeros(here.shape, _precision(inputs) if issubclass(type(x), _NUMBERS) else np.asarray(x).dtype)
    w.view(np.ndarray)[here] = harmless
    return w


def _precision(inputs: Sequence[Any]) -> Any:
    """The real type that a number beside the other inputs has."""
    return np.result_type(*[i.real if issubclass(type(i), _NUMBERS) else np.asarray(i).real.dtype for i in inputs])


def _without(w: Any, here: Any) -> Any:
    """NaN in some places."""
    if not issubclass(type(w), np.ndarray):
        return w.dtype.type(np.nan) if here else w
    w.view(np.ndarray)[np.broadcast_to(here, w.shape)] = np.nan
    return w
