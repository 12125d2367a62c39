"""Ufuncs of SciPy whose values are improved here: called as the ufunc is, with its keywords.

`scipy.special` keeps its own objects; those of `wirtinger.special` are made here where SciPy's values are too coarse.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..complex_autograd.array import raw
from ..complex_autograd.dispatch import holds_traced
from ..complex_autograd.operands import operands
from .large_arrays import spread
from .masked_calls import masked_call
from .ufunc_rules import documentation, pointwise

__all__ = ["BetterUfunc", "Direct", "Improved"]


@pointwise(lambda x, w, *, value: 1.0)
def improved_value(w: Any, *, value: Any) -> Any:
    """A better value in the place of another, with its derivatives."""
    return value


class _Documentation:
    """The documentation of a ufunc with its derivatives, read when it is asked for: its rule may be declared later."""

    def __init__(self, of_class: str | None) -> None:
        self.of_class = of_class

    def __get__(self, shown: BetterUfunc | None, owner: type) -> str | None:
        return self.of_class if shown is None else documentation(shown.ufunc) + shown.example


class BetterUfunc:
    """Called as a ufunc of SciPy is, with its keywords, and shown as one.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose other attributes (`nin`, `types`, ...) are shown.
    example : str
        What to add to the documentation.
    """

    def __init_subclass__(cls) -> None:
        cls.__doc__ = _Documentation(cls.__doc__)

    def __init__(self, ufunc: np.ufunc, example: str = "") -> None:
        self.ufunc = ufunc
        self.__name__, self.__module__ = ufunc.__name__, "scipy.special"
        self.example = example
        self.__signature__ = inspect.signature(ufunc)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        nin = self.ufunc.nin
        if holds_traced(list(args[:nin])):
            return self.traced(args, keywords)
        if "where" in keywords:
            return masked_call(self, args, **keywords)
        targets = args[nin:] or keywords.pop("out", None)
        w = spread(self.ufunc)(*args[:nin], **keywords)
        if any(isinstance(a, np.ndarray) and type(a) is not np.ndarray for a in args[:nin]):
            x = self._of_subclass(w, args[:nin])
        else:
            x = self.improved(w, operands(*args[:nin]))
        if targets is None:
            return x
        casting = keywords.get("casting", "same_kind")
        return _written(x, targets if isinstance(targets, tuple) else (targets,), casting)

    def _of_subclass(self, w: Any, args: Any) -> Any:
        """The better values of masked arrays and matrices, as such."""
        several = w if isinstance(w, tuple) else (w,)
        plain = tuple(np.asarray(part) for part in several)
        x = self.improved(plain if isinstance(w, tuple) else plain[0], [np.asarray(a) for a in args])
        results = zip(x if isinstance(x, tuple) else (x,), several, strict=True)
        out = tuple(_in_the_form_of(part, form) for part, form in results)
        return out if isinstance(w, tuple) else out[0]

    def improved(self, w: Any, args: Any) -> Any:
        """The better value or values, from SciPy's and the plain arguments."""
        raise NotImplementedError

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """The call of traced arguments."""
        raise NotImplementedError

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(f, numpy.ufunc)` holds."""
        return np.ufunc

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)

    def __repr__(self) -> str:
        return repr(self.ufunc)


def _in_the_form_of(x: Any, w: Any) -> Any:
    """A value as a masked array where another is one, or of its subclass of arrays."""
    if isinstance(w, np.ma.MaskedArray):
        return np.ma.array(x, mask=w.mask)
    return x.view(type(w)) if isinstance(w, np.ndarray) else x


def _written(x: Any, targets: tuple[Any, ...], casting: Any) -> Any:
    values = x if isinstance(x, tuple) else (x,)
    for value, target in zip(values, targets, strict=False):
        if target is not None:
            np.copyto(target, value, casting=casting)
    targets += (None,) * (len(values) - len(targets))
    results = tuple(value if target is None else target for value, target in zip(values, targets, strict=True))
    return results if isinstance(x, tuple) else results[0]


class Improved(BetterUfunc):
    """A ufunc with better values.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose rule gives the derivatives.
    better : callable
        `(w, *args)` of plain arrays: the better value, from SciPy's `w`.
    example : str
        What to add to the documentation.
    """

    def __init__(self, ufunc: np.ufunc, better: Callable[..., Any], example: str = "") -> None:
        super().__init__(ufunc, example)
        self.better = better

    def improved(self, w: Any, args: Any) -> Any:
        with np.errstate(all="ignore"):
            return self.better(w, *args).astype(w.dtype)[()]

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        w = self.ufunc(*args, **keywords)
        plain = [raw(a) for a in operands(*args)]
        where = keywords.get("where", True)
        return improved_value(w, value=np.where(where, self.improved(raw(w), plain), raw(w))[()])


class Direct(Improved):
    """A ufunc with better values; of doubles alone, `better` computes them from None, and SciPy's is not called."""

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if keywords or len(args) != self.ufunc.nin or not all(_is_double(x) for x in args):
            return super().__call__(*args, **keywords)
        with np.errstate(all="ignore"):
            return self.better(None, *args)[()]


def _is_double(x: Any) -> bool:
    return type(x) is float or (type(x) is np.ndarray and x.dtype == np.float64)
