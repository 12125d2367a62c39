"""Ufuncs of SciPy with better values, in one class: called as the ufunc is, with its keywords, and shown as one.

`scipy.special` keeps its own objects; those of `wirtinger.special` are made here where SciPy's values are too
inaccurate.  A call tries them in this order, until one has the values: `quick` for numbers, `of_arrays` for
arrays, and for whatever else there is (keywords, lists, masked arrays, columns of tables, traced arrays) `better`,
which is given SciPy's values; without it the three are those of the patches.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...backends import PRECISE, is_precise
from ...complex_autograd.array.outputs import check_shape, into
from ...complex_autograd.engine.determinism_route import at_level
from ...complex_autograd.engine.dispatch import holds_traced
from ...complex_autograd.engine.hooks import HOOKS
from ...complex_autograd.engine.operands import array_in, as_operand, holds_array, operands
from ...complex_autograd.engine.trace import MAPPING, UFUNCS
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.rules.ufunc_protocol.calls import with_keywords
from ...determinism.docstrings import LateDocstring, with_level
from ...determinism.flag import IN_FORCE, current_scope
from ..numerics.devices import is_on_device, overrides_ufuncs
from ..numerics.regions import with_dtypes
from .large_arrays import by_name, threaded
from .masked_calls import masked_call
from .parameters import several
from .patches import AT_ONCE, Bounds, Patch, Patches, is_between, one_or_all
from .ufunc_rules import Partial, Pointwise, documentation, pointwise, with_rule

_NUMBERS = (float, int, np.float64)


@pointwise(lambda x, w, *, value: 1.0)
def improved_value(w: Any, *, value: Any) -> Any:
    """A better value in place of another, with its derivatives."""
    return value


def in_floating(*args: Any) -> list[Any]:
    """The arguments as arrays: numbers next to single precision have it, too."""
    return operands(*with_dtypes(*[x if issubclass(type(x), (int, float)) else as_operand(x) for x in args]))


class PatchedUfunc:
    """A ufunc of SciPy with better values.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose other attributes (`nin`, `types`, ...) are shown, and whose rule gives the derivatives.
    patches, corrections, at_once
        As of `Patches`.
    bounds : sequence of (float, float), optional
        Of each argument: between them the values are SciPy's, called at once.
    unless : callable, optional
        Of arguments between the bounds: whether the other methods are tried all the same.
    better : callable, optional
        `(w, *args)` of plain arrays: the better value or values, from SciPy's `w`.
    quick : callable, optional
        Of plain real numbers: the values, or None where they are not known at once.
    of_arrays : callable, optional
        Of any arguments: the values of plain arrays, and numbers, or None.
    partials : sequence of callable, optional
        The partials `(w, *args)` instead of those of SciPy's ufunc.
    traced : callable, optional
        Of traced arguments: the values with their derivatives; without it, those of the rule.
    substitutes : bool
        Whether the rule is given SciPy's value, and the better one put in place of that.
    operands : callable
        Makes arrays of the arguments for the rule.
    example : str
        What to add to the documentation.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        patches: Sequence[Patch] = (),
        *,
        corrections: Sequence[Patch] = (),
        bounds: Sequence[Bounds] | None = None,
        unless: Callable[..., bool] | None = None,
        at_once: int = AT_ONCE,
        better: Callable[..., Any] | None = None,
        quick: Callable[..., Any] | None = None,
        of_arrays: Callable[..., Any] | None = None,
        partials: Sequence[Partial | str] | None = None,
        traced: Callable[..., Any] | None = None,
        substitutes: bool = False,
        operands: Callable[..., list[Any]] = in_floating,
        example: str = "",
    ) -> None:
        self.ufunc, self.example, self.partials, self.operands = ufunc, example, partials, operands
        self.__name__, self.__module__ = ufunc.__name__, "scipy.special"
        self.__signature__, self.operation = inspect.signature(ufunc), f"special.{ufunc.__name__}"
        self.patches, self.bounds, self.unless = patches, bounds, unless
        is_ours = any(region is None for region, _ in patches)  # everywhere: what SciPy lacks says nothing
        self.plain = threaded(ufunc, warns=not is_ours)
        self.by_patches = by_patches = Patches(ufunc, patches, corrections, at_once) if patches or corrections else None
        self.better: Any = better if by_patches is None else by_patches.better
        self.quick = [f for f in (quick, None if by_patches is None else by_patches.quick) if f is not None]
        self.of_arrays = [f for f in (of_arrays, None if by_patches is None else by_patches.of_arrays) if f is not None]
        self.traced = traced or (self._substituted if substitutes else self._differentiated)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if MAPPING[0] and HOOKS.holds_batches((*args, keywords)):
            return HOOKS.mapped_ufunc(self, "__call__", args, keywords)
        if IN_FORCE[0] and current_scope().setting.level:
            return at_level(self.values, self.operation, args, keywords)
        return self.values(*args, **keywords)

    def values(self, *args: Any, **keywords: Any) -> Any:
        """The value or values, whatever level of determinism is in force."""
        if PRECISE[0] and is_precise():
            is_its_rule = UFUNCS.get(self.ufunc) is self and holds_traced(list(args))
            return self.primitive(*self.operands(*args)) if is_its_rule else self.ufunc(*args, **keywords)
        if not keywords and len(args) == self.ufunc.nin:
            is_plain = self.bounds is not None and all(map(is_between, args, self.bounds))
            if is_plain and (self.unless is None or not self.unless(*args)):
                return self.plain(*args)
            for x in args:
                if type(x) not in _NUMBERS:
                    break
            else:
                for method in self.quick:
                    w = method(*args)
                    if w is not None:
                        return w
            for method in self.of_arrays:
                w = method(*args)
                if w is not None:
                    return w
        return self._called(args, keywords)

    def _called(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """The value or values of any arguments."""
        nin = self.ufunc.nin
        if len(args) > self.ufunc.nargs:
            return self.ufunc(*args, **keywords)
        if holds_traced([*args, keywords.get("out")]):
            return self._of_traced(args, keywords)
        others = [x for x in args if overrides_ufuncs(x)]
        if others:
            if not keywords and len(args) == nin and all(map(is_on_device, others)):
                return self._on_device(args)
            return self._of_others(others, args, keywords)
        if "where" in keywords:
            return masked_call(self, args, **keywords)
        args = tuple(array_in(x) if holds_array(x) else x for x in args)
        targets = args[nin:] or keywords.pop("out", None)
        w = self.plain(*args[:nin], **keywords)
        if any(issubclass(type(a), np.ndarray) and type(a) is not np.ndarray for a in args[:nin]):
            x = self._of_subclass(w, args[:nin])
        else:
            x = self._improved(w, operands(*args[:nin]))
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
            x = with_keywords(self.ufunc, self.traced, inputs, **keywords)
        else:
            x = self.traced(*self._with_dtypes(inputs))
        return x if targets is None else self._written(x, targets, keywords)

    def _with_dtypes(self, args: Sequence[Any]) -> Sequence[Any]:
        """The arguments; Python's numbers next to single precision have the precision that SciPy gives them."""
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

    def _on_device(self, args: Sequence[Any]) -> Any:
        """The values of arrays of a backend, by what it has for SciPy's ufunc."""
        if self.by_patches is not None:
            return self.by_patches.on_device(*args)
        first = next(x for x in args if is_on_device(x))
        args = [x if is_on_device(x) else np.asarray(x)[()] for x in args]
        arrays = [x if is_on_device(x) else np.full_like(first, x, shape=(), dtype=x.dtype) for x in with_dtypes(*args)]
        return self._improved(self.plain(*args), arrays)

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
        x = self._improved(_of_each(np.asarray, w), [np.asarray(a) for a in args])
        return one_or_all(tuple(map(_in_the_form_of, several(x), several(w))))

    def _improved(self, w: Any, args: Any) -> Any:
        """The better value or values, from SciPy's and the plain arguments."""
        with np.errstate(all="ignore"):
            pairs = zip(several(w), several(self.better(w, *args)), strict=True)
            return one_or_all(tuple((x if x.dtype == v.dtype else x.astype(v.dtype))[()] for v, x in pairs))

    @cached_property
    def primitive(self) -> Pointwise:
        """The function with its derivatives."""
        return with_rule(self, self.ufunc, self.partials)

    def _differentiated(self, *args: Any) -> Any:
        return self.primitive(*self.operands(*args))

    def _substituted(self, *args: Any) -> Any:
        """SciPy's value is differentiated, and the better one put in its place."""
        w = self.ufunc(*args)
        better = several(self._improved(_of_each(raw, w), [raw(a) for a in operands(*args)]))
        return one_or_all(tuple(improved_value(x, value=value) for x, value in zip(several(w), better, strict=True)))

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """So that `isinstance(f, numpy.ufunc)` holds."""
        return np.ufunc

    def __getattr__(self, name: str) -> Any:
        return getattr(self.ufunc, name)

    def documentation(self) -> str:
        """The docstring."""
        return with_level(documentation(self.ufunc), self.operation) + self.example

    def __reduce__(self) -> tuple[Any, ...]:
        return by_name, (self.__name__,)

    def __repr__(self) -> str:
        return repr(self.ufunc)


PatchedUfunc.__doc__ = LateDocstring(PatchedUfunc.__doc__)  # type: ignore[assignment]


def _of_each(function: Callable[[Any], Any], x: Any) -> Any:
    return one_or_all(tuple(map(function, several(x))))


def _in_the_form_of(x: Any, w: Any) -> Any:
    """A value as a masked array where another is one, or of its subclass of arrays."""
    if isinstance(w, np.ma.MaskedArray):
        return np.ma.array(x, mask=w.mask)
    return x.view(type(w)) if issubclass(type(w), np.ndarray) else x
