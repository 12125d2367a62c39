"""Ufuncs of SciPy whose values are improved here: called as the ufunc is, with its keywords.

`scipy.special` keeps its own objects; those of `wirtinger.special` are made here where SciPy's values are too
inaccurate.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...complex_autograd.array.outputs import check_shape, into
from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.operands import array_in, holds_array, operands
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.ufunc_protocol.calls import with_keywords
from .large_arrays import by_name, threaded
from .masked_calls import masked_call, overrides_ufuncs
from .ufunc_rules import documentation, pointwise

__all__ = ["BetterUfunc", "Improved", "improved_value", "one_or_all", "several"]

_NUMBERS = (float, int, np.float64)


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
        if not keywords and len(args) == self.ufunc.nin and all(type(x) in _NUMBERS for x in args):
            w = self.of_numbers(args)
            if w is not None:
                return w
        return self.called(args, keywords)

    def of_numbers(self, args: Sequence[Any]) -> Any:
        """SciPy's value of real numbers, if it is seen at once to be the value; else None."""
        return None

    def called(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """The value or values of any arguments."""
        nin = self.ufunc.nin
        if len(args) > self.ufunc.nargs:
            return self.ufunc(*args, **keywords)
        if holds_traced([*args, keywords.get("out")]):
            return self._of_traced(args, keywords)
        others = [x for x in args if overrides_ufuncs(x)]
        if others:
            return self._of_others(others, args, keywords)
        if "where" in keywords:
            return masked_call(self, args, **keywords)
        args = tuple(array_in(x) if holds_array(x) else x for x in args)
        targets = args[nin:] or keywords.pop("out", None)
        w = threaded(self.ufunc)(*args[:nin], **keywords)
        if any(issubclass(type(a), np.ndarray) and type(a) is not np.ndarray for a in args[:nin]):
            x = self._of_subclass(w, args[:nin])
        else:
            x = self.improved(w, operands(*args[:nin]))
        if targets is None:
            return x
        return self._written(x, targets, keywords)

    def _of_traced(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """The call of traced arguments, or with a traced array for a result."""
        inputs, keywords = args[: self.ufunc.nin], dict(keywords)
        targets = args[self.ufunc.nin :] or keywords.pop("out", None)
        if len(inputs) != self.ufunc.nin:
            return self.ufunc(*args, **keywords)
        if not holds_traced(list(inputs)):
            x = self(*inputs)
        elif keywords:
            x = with_keywords(self.ufunc, lambda *some: self.traced(some), inputs, **keywords)
        else:
            x = self.traced(self._with_dtypes(inputs))
        return x if targets is None else self._written(x, targets, keywords)

    def _with_dtypes(self, args: Sequence[Any]) -> Sequence[Any]:
        """The arguments; Python's numbers beside single precision have the precision that SciPy gives them."""
        given = [getattr(x, "dtype", type(x)) for x in args]
        kinds = {x.char if isinstance(x, np.dtype) else x for x in given}
        if not kinds & set("efF") or not kinds <= {*"efF", int, float, complex}:
            return args
        dtypes = self.ufunc.resolve_dtypes((*given, *[None] * self.ufunc.nout))
        return [x if hasattr(x, "dtype") else d.type(x) for x, d in zip(args, dtypes, strict=False)]

    def _written(self, x: Any, targets: Any, keywords: Mapping[str, Any]) -> Any:
        """The outputs, written into the arrays that were given for them."""
        targets = targets if isinstance(targets, tuple) else (targets,)
        targets += (None,) * (self.ufunc.nout - len(targets))
        where, casting = keywords.get("where", True), keywords.get("casting", "same_kind")
        pairs = list(zip(targets, several(x), strict=True))
        for target, value in pairs:
            check_shape(value, target, may_stretch=True)
        return one_or_all(tuple(into(target, value, self.ufunc, where, casting) for target, value in pairs))

    def _of_others(self, others: Sequence[Any], args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """What arguments of other packages, a column of a table for one, make of the call: NEP 13."""
        inputs, targets = args[: self.ufunc.nin], args[self.ufunc.nin :] or keywords.pop("out", None)
        if targets is not None:
            keywords["out"] = targets if isinstance(targets, tuple) else (targets,)
        for x in others:
            override = type(x).__array_ufunc__
            w = NotImplemented if override is None else override(x, self, "__call__", *inputs, **keywords)
            if w is not NotImplemented:
                return w
        return self.ufunc(*args, **keywords)

    def _of_subclass(self, w: Any, args: Any) -> Any:
        """The better values of masked arrays and matrices, as such."""
        x = self.improved(_of_each(np.asarray, w), [np.asarray(a) for a in args])
        return one_or_all(tuple(map(_in_the_form_of, several(x), several(w))))

    def improved(self, w: Any, args: Any) -> Any:
        """The better value or values, from SciPy's and the plain arguments."""
        raise NotImplementedError

    def traced(self, args: Sequence[Any]) -> Any:
        """The call of traced arguments: SciPy's value is differentiated, and the better one put in its place."""
        w = self.ufunc(*args)
        better = several(self.improved(_of_each(raw, w), [raw(a) for a in operands(*args)]))
        return one_or_all(tuple(improved_value(x, value=value) for x, value in zip(several(w), better, strict=True)))

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(f, numpy.ufunc)` holds."""
        return np.ufunc

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return by_name, (self.__name__,)

    def __repr__(self) -> str:
        return repr(self.ufunc)


def several(x: Any) -> tuple[Any, ...]:
    """The outputs of a function of one output or more."""
    return x if isinstance(x, tuple) else (x,)


def one_or_all(outputs: tuple[Any, ...]) -> Any:
    """What a function of as many outputs returns."""
    return outputs if len(outputs) > 1 else outputs[0]


def _of_each(function: Callable[[Any], Any], x: Any) -> Any:
    return one_or_all(tuple(map(function, several(x))))


def _in_the_form_of(x: Any, w: Any) -> Any:
    """A value as a masked array where another is one, or of its subclass of arrays."""
    if isinstance(w, np.ma.MaskedArray):
        return np.ma.array(x, mask=w.mask)
    return x.view(type(w)) if issubclass(type(w), np.ndarray) else x


class Improved(BetterUfunc):
    """A ufunc with better values.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose rule gives the derivatives.
    better : callable
        `(w, *args)` of plain arrays: the better value, from SciPy's `w`.
    """

    def __init__(self, ufunc: np.ufunc, better: Callable[..., Any]) -> None:
        super().__init__(ufunc)
        self.better = better

    def improved(self, w: Any, args: Any) -> Any:
        with np.errstate(all="ignore"):
            return self.better(w, *args).astype(w.dtype)[()]
