"""SciPy's ufuncs whose loops of single precision do not return, or give NaN: those of double precision do their work.

In SciPy 1.17.1 `pro_ang1(1, 2, 1.5, numpy.float32(0.5))` runs for ever, `mathieu_cem(3, numpy.float32(2), 10)` is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...complex_autograd.engine.dispatch import holds_traced

__all__ = ["ThroughDouble", "has_no_single"]

_FAMILIES = ("mathieu_", "obl_", "pro_")


def has_no_single(function: np.ufunc) -> bool:
    """Whether the loops of single precision of a ufunc of SciPy are not to be called."""
    return function.__name__.startswith(_FAMILIES)


class ThroughDouble:
    """A ufunc of SciPy that computes in double precision, and rounds where its result is of single precision.

    Parameters
    ----------
    function : ufunc
        SciPy's own.
    """

    def __init__(self, function: np.ufunc) -> None:
        self.function = function
        self.doubles = "d" * function.nin + "->" + "d" * function.nout

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if holds_traced(list(args)) or not _is_single(self.function, args, keywords):
            return self.function(*args, **keywords)
        rest = {name: x for name, x in keywords.items() if name not in ("dtype", "signature", "sig")}
        w = self.function(*args, **rest, signature=self.doubles)
        return w if rest.get("out") or args[self.function.nin :] else _rounded(w)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)


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


def _rounded(w: Any) -> Any:
    return tuple(_rounded(x) for x in w) if isinstance(w, tuple) else w.astype(np.float32)
