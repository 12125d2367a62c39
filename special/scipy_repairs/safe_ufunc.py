"""SciPy's ufuncs kept from what `hazards` names: NaN there, double precision for single, and positive `c` for negative.

Each call goes through the three in this order; all keywords and forms of arguments are those of the ufunc.  Of the
others, those that the C library has a kernel for are computed by it, and some have values of ours in places
(`corrected`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...backends import PRECISE, is_precise
from ...backends.native.ufuncs import with_kernels
from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.opaque import RECORDING, is_symbolic, opaque_call
from ...complex_autograd.engine.traced import peel
from ..numerics.devices import is_on_device, overrides_ufuncs
from ..numerics.warned import warn
from .corrections import corrected
from .hazards import changes_sign, has_wrong_singles, hazard_of, is_even_in_c

_NUMBERS = (int, float, complex)


def safe_ufunc(function: np.ufunc, warns: bool = True) -> Any:
    """What is called in place of one of SciPy's ufuncs, which may be itself.

    Without `warns`, NaN is no result: a search of ours goes on from there.
    """
    name = function.__name__
    if hazard_of(name) or has_wrong_singles(name):
        return _Safe(function, warns)
    served = with_kernels(function)
    return corrected(function) if served is None else _Served(function, served)


class _Served:
    """A ufunc of SciPy whose values the C library computes; arrays of other packages are given SciPy's own."""

    def __init__(self, function: np.ufunc, served: np.ufunc) -> None:
        self.function, self.served = function, served

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if RECORDING[0] and is_symbolic((args, keywords)):
            return self.served(*map(peel, args), **keywords)
        out = keywords.get("out")
        for x in args if out is None else (*args, *out) if type(out) is tuple else (*args, out):
            if overrides_ufuncs(x):
                return self.function(*args, **keywords)
        return self.served(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


class _Safe:
    """A ufunc of SciPy that is never called where it fails."""

    def __init__(self, function: np.ufunc, warns: bool) -> None:
        self.function, self.warns = function, warns
        name = function.__name__
        self.hazard, self.is_even = hazard_of(name), is_even_in_c(name)
        self.doubles = "d" * function.nin + "->" + "d" * function.nout if has_wrong_singles(name) else None

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if PRECISE[0] and is_precise():
            return self.function(*args, **keywords)
        if RECORDING[0] and is_symbolic((args, keywords)):
            return opaque_call(self, args, keywords)
        if self.hazard is None:
            return self._in_double(args, keywords)
        inputs = args[: self.function.nin]
        if len(inputs) < self.function.nin or holds_traced(list(inputs)):
            return self.function(*args, **keywords)
        is_harmful, harmless, reason = self.hazard
        if any(map(is_on_device, inputs)):
            plain = [x if is_on_device(x) else np.asarray(_within_range(x))[()] for x in inputs]
        else:
            plain = [np.asarray(_within_range(x)) for x in inputs]
        if any(x.dtype.kind not in "biufc" for x in plain):
            return self.function(*args, **keywords)  # which says that it has no loop for these
        with np.errstate(all="ignore"):
            here = is_harmful(*plain)
        if not np.any(here):
            return self._called(args, keywords)
        if self.warns and reason is not None and np.any(np.isfinite(sum(plain)) & here):
            warn(f"{self.function.__name__} is NaN where {reason}")
        replaced = [_replaced(x, here, harmless[i], inputs) if i in harmless else x for i, x in enumerate(inputs)]
        w = self._called((*replaced, *args[self.function.nin :]), keywords)
        return _each(lambda x: _without(x, here), w)

    def _called(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The values where there is no hazard; those of negative `c` by those of positive ones."""
        if not self.is_even:
            return self._in_double(args, keywords)
        m, n, c, *others = args
        if np.iscomplexobj(c) or not np.any(np.less(c, 0)):
            return self._in_double(args, keywords)
        flips = changes_sign(self.function.__name__, *[x if is_on_device(x) else np.asarray(x)[()] for x in (n, c)])
        size = abs(c) if issubclass(type(c), (int, float)) else np.abs(c)
        return _each(lambda x: _flipped(x, flips), self._in_double((m, n, size, *others), keywords))

    def _in_double(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The same by the loops of double precision alone, rounded where the result is of single precision."""
        is_open = self.doubles is not None and not holds_traced(list(args)) and not any(map(is_on_device, args))
        if not is_open or not _is_single(self.function, args, keywords):
            return self.function(*args, **keywords)
        rest = {name: x for name, x in keywords.items() if name not in ("dtype", "signature", "sig")}
        w = self.function(*args, **rest, signature=self.doubles)
        is_given = rest.get("out") or args[self.function.nin :]
        return w if is_given else _each(lambda x: x.astype(np.float32), w)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


def _each(function: Any, w: Any) -> Any:
    return tuple(map(function, w)) if isinstance(w, tuple) else function(w)


def _is_single(function: np.ufunc, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a call would reach the loop of single precision."""
    inputs = args[: function.nin]
    loop = {name: keywords[name] for name in ("signature", "sig") if name in keywords}
    if "dtype" in keywords:
        loop = {"signature": (*[None] * function.nin, *[np.dtype(keywords["dtype"])] * function.nout)}
    if not loop and (any(_is_double(x) for x in inputs) or all(type(x) in (int, float) for x in inputs)):
        return False
    given = [type(x) if type(x) in (int, float) else getattr(x, "dtype", None) or np.asarray(x).dtype for x in inputs]
    resolved = function.resolve_dtypes((*given, *[None] * function.nout), casting="same_kind", **loop)
    return bool(resolved[0].char == "f")


def _is_double(x: Any) -> bool:
    return getattr(getattr(x, "dtype", None), "char", "") == "d"


def _within_range(x: Any) -> Any:
    """A number that NumPy has no integer for as the one of floating point that SciPy's loop is given."""
    if type(x) is not int or abs(x) < 2**63:
        return x
    return float(x) if abs(x) < 2**1023 else math.inf if x > 0 else -math.inf


def _replaced(x: Any, here: Any, harmless: float, inputs: Sequence[Any]) -> Any:
    """One of the inputs in the form in which it was given, but harmless in some places."""
    if is_on_device(here):
        return np.where(here, harmless, x)
    if here.ndim == 0:
        return type(x)(harmless) if issubclass(type(x), _NUMBERS) else np.full_like(x, harmless)
    w = x + np.zeros(here.shape, _precision(inputs) if issubclass(type(x), _NUMBERS) else np.asarray(x).dtype)
    w.view(np.ndarray)[here] = harmless
    return w


def _precision(inputs: Sequence[Any]) -> Any:
    """The real type that a number next to the other inputs has."""
    return np.result_type(*[i.real if issubclass(type(i), _NUMBERS) else np.asarray(i).real.dtype for i in inputs])


def _without(w: Any, here: Any) -> Any:
    """NaN in some places."""
    if is_on_device(w):
        return np.where(here, w.dtype.type(np.nan), w)
    if not issubclass(type(w), np.ndarray):
        return w.dtype.type(np.nan) if here else w
    w.view(np.ndarray)[np.broadcast_to(here, w.shape)] = np.nan
    return w


def _flipped(w: Any, flips: Any) -> Any:
    """With another sign in some places."""
    if is_on_device(w):
        return np.where(flips, -w, w)
    if not issubclass(type(w), np.ndarray):
        return -w if flips else w
    values = w.view(np.ndarray)
    np.negative(values, out=values, where=np.broadcast_to(flips, w.shape))
    return w
