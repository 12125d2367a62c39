"""The decorator of every public function of linear algebra.

It applies the determinism flag, and if an item of a stack fails, it names the item or continues without it (`errors=`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final

import numpy as np
from numpy.linalg import LinAlgError

from ...backends import backend_of
from ...complex_autograd.engine.determinism_route import at_level
from ...complex_autograd.engine.hooks import HOOKS
from ...complex_autograd.engine.opaque import RECORDING, opaque_call
from ...complex_autograd.engine.operands import as_operand
from ...complex_autograd.engine.primitive import linear, primitive
from ...complex_autograd.engine.trace import MAPPING
from ...complex_autograd.engine.traced import raw
from ...complex_autograd.transforms.arguments import flatten, unflatten
from ...determinism.docstrings import with_level
from ...determinism.flag import IN_FORCE, current_scope

_ERRORS: Final = ("raise", "nan", "mask")
_ENTRIES: Final = {
    "overwrite": ("bool", "Accepted for compatibility; arguments are never overwritten."),
    "check_finite": ("bool", "Whether to raise `ValueError` if an array has infinities or NaN."),
    "errors": (
        '{"raise", "nan", "mask"}',
        "What to do if items of a stack fail: raise `LinAlgError` with the index of the first as `batch_index`; return",
        "NaN for them; or return NaN and, as a further result, a boolean array that is True for the items that failed.",
    ),
}
"""What documents the parameters that mean the same in every function; those that begin with `overwrite` together."""
Function = Callable[..., Any]


def public(**axes: int) -> Callable[[Function], Function]:
    """Make a function of linear algebra public.

    Parameters
    ----------
    **axes : int
        For each argument that may be a stack the number of axes of one item; only stacks of more axes count.

    Returns
    -------
    callable
        A decorator.  The function gets the keyword `errors`: with "raise", a `LinAlgError` has the index of the first
        item that failed as `batch_index`, and names it; with "nan", the results of the items that fail are NaN, and so
        are their derivatives, unless the loss leaves them out; with "mask", the same and a boolean array that is True
        where an item failed: `result, failed`.
    """

    def declare(function: Function) -> Function:
        name = f"linalg.{function.__name__}"

        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if MAPPING[0] and HOOKS.holds_batches((*args, kwargs)):
                return HOOKS.mapped_linalg(call, function, axes, args, kwargs)
            errors = kwargs.pop("errors", "raise") if kwargs else "raise"
            try:
                if IN_FORCE[0] and current_scope().setting.level:
                    out = at_level(function, name, args, kwargs)
                elif RECORDING[0]:
                    out = opaque_call(function, args, kwargs)
                else:
                    out = function(*args, **kwargs)
            except LinAlgError as error:
                return _Failure(function, axes, args, kwargs).answer(errors, [error])
            return out if errors == "raise" else _without_failure(out, errors, _Failure(function, axes, args, kwargs))

        signature = inspect.signature(function)
        call.__doc__ = with_level(_with_entries(function.__doc__ or "", [*signature.parameters, "errors"]), name)
        keyword = inspect.Parameter("errors", inspect.Parameter.KEYWORD_ONLY, default="raise", annotation=str)
        call.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*signature.parameters.values(), keyword]
        )
        return call

    return declare


def _with_entries(documentation: str, names: Sequence[str]) -> str:
    """A docstring with the parameters that mean the same everywhere as the last ones, if it lists its parameters."""
    before, title, after = documentation.partition("Returns\n")
    if not title or "Parameters\n" not in before:
        return documentation
    listed = {name for line in before.splitlines() if " : " in line for name in line.partition(" : ")[0].split(", ")}
    missing = set(names) - {name.strip() for name in listed}
    indent = before[len(before.rstrip(" ")) :]
    lines = []
    for kind, (type_, *text) in _ENTRIES.items():
        own = sorted(name for name in missing if name == kind or name.startswith(f"{kind}_"))
        lines += [f"{', '.join(own)} : {type_}", *[f"    {line}" for line in text]] if own else []
    entries = "".join(f"\n{indent}{line}" for line in lines)
    return f"{before.rstrip()}{entries}\n\n{indent}{title}{after}"


def refuse_infinite(*arrays: Any) -> None:
    """Raise `ValueError` where an array is not finite, or not of numbers, for `check_finite=True`."""
    if any(x.dtype.kind == "O" for x in arrays):
        raise ValueError(
            "expected an array of numbers, not an object array. Likely causes: rows of different lengths, or None "
            "among the elements. If all elements are numbers, convert it: a.astype(float)"
        )
    if not all(np.all(np.isfinite(raw(x))) for x in arrays):
        raise ValueError("array must not contain infs or NaNs")


def _without_failure(out: Any, errors: str, call: _Failure) -> Any:
    _check(errors)
    return out if errors == "nan" else (out, np.zeros(call.stack, bool))


def _check(errors: str) -> None:
    if errors not in _ERRORS:
        raise ValueError(f"errors={errors!r} is not one of {', '.join(map(repr, _ERRORS))}")


def _of_item(index: tuple[int, ...], error: LinAlgError) -> LinAlgError:
    named = type(error)(f"{error} (item {index if len(index) > 1 else index[0]} of the stack)")
    named.batch_index = index  # type: ignore[attr-defined]
    return named


class _Failure:
    """A call that raised `LinAlgError`, and which items of its stack did it."""

    def __init__(self, function: Function, axes: dict[str, int], args: Any, kwargs: Any) -> None:
        self.function = function
        self.bound = inspect.signature(function).bind(*args, **kwargs)
        self.arrays = {
            key: as_operand(self.bound.arguments[key])
            for key in axes
            if self.bound.arguments.get(key) is not None and not isinstance(self.bound.arguments[key], tuple)
        }
        self.axes = axes
        self.stack = np.broadcast_shapes(*[x.shape[: max(x.ndim - axes[key], 0)] for key, x in self.arrays.items()])

    def answer(self, errors: str, error: list[LinAlgError]) -> Any:
        """What the call returns, or raises, in the end: what is raised is taken out of the list.

        An error that a variable of its own frames held would keep their arrays until the next collection of garbage.
        """
        _check(errors)
        if errors == "raise" and len(getattr(error[0], "batch_index", ())) == len(self.stack) > 0:
            raise error.pop()
        if not self.stack:
            if errors == "raise" or not self.arrays:
                raise error.pop()
            failed: Any = np.True_
        else:
            failed = self._failed(only_first=errors == "raise")
            if not failed.any():
                raise error.pop()
        if errors == "raise":
            index = tuple(int(i) for i in np.argwhere(failed)[0])
            raise _of_item(index, error[0]) from error.pop()
        result = self._called({key: self._with_identity(key, x, failed) for key, x in self.arrays.items()})
        leaves, form = flatten(result)
        floats = [hasattr(x, "dtype") and x.dtype.kind in "fc" for x in leaves]
        ours = [
            nan_where_failed(x, failed=failed) if is_float else x for x, is_float in zip(leaves, floats, strict=True)
        ]
        answer = unflatten(form, ours)
        return answer if errors == "nan" else (answer, failed)

    def _called(self, arrays: dict[str, Any]) -> Any:
        arguments = {**self.bound.arguments, **arrays}
        bound = inspect.BoundArguments(self.bound.signature, arguments)
        return self.function(*bound.args, **bound.kwargs)

    def _failed(self, only_first: bool) -> Any:
        """Which items fail alone: found by halving the stack."""
        failed = np.zeros(self.stack, bool)
        count = failed.size
        items = {}
        for key, x in self.arrays.items():
            item = raw(x).shape[max(x.ndim - self.axes[key], 0) :]
            flat = (count, *item)
            items[key] = np.broadcast_to(raw(x), self.stack + item).reshape(flat) if x.ndim > len(item) else None

        def succeeds(low: int, high: int) -> bool:
            try:
                self._called({key: raw(self.arrays[key]) if x is None else x[low:high] for key, x in items.items()})
            except LinAlgError:
                return False
            return True

        pieces = [(0, count)] if succeeds(0, 0) else []  # else no item is at fault, but the shape of all
        while pieces and not (only_first and failed.any()):
            low, high = pieces.pop()
            if not succeeds(low, high):
                if high - low == 1:
                    failed.flat[low] = True
                else:
                    middle = (low + high) // 2
                    pieces += [(middle, high), (low, middle)]
        return failed

    def _with_identity(self, key: str, x: Any, failed: Any) -> Any:
        stacked = self.axes[key] == 2 and x.ndim >= 2 and x.shape[:-2] == failed.shape
        return identity_where_failed(x, failed=failed) if stacked else x


@primitive
def identity_where_failed(a: Any, *, failed: Any) -> Any:
    """The identity in place of some items of a stack."""
    eye = backend_of(a).namespace.asarray(np.eye(*a.shape[-2:], dtype=a.dtype))
    return np.where(_over(failed, a, 2), eye, a)


@identity_where_failed.differential
def _(x: Any, a: Any, da: Any, *, failed: Any) -> Any:
    return nan_unless_zero(da, failed=failed, axes=2)


@primitive
def nan_where_failed(x: Any, *, failed: Any) -> Any:
    """NaN in place of some items of a stack."""
    return np.where(_over(failed, x, x.ndim - failed.ndim), np.asarray(np.nan, x.dtype), x)


@nan_where_failed.differential
def _(w: Any, x: Any, dx: Any, *, failed: Any) -> Any:
    return nan_unless_zero(dx, failed=failed, axes=x.ndim - failed.ndim)


@linear
def nan_unless_zero(a: Any, *, failed: Any, axes: int) -> Any:
    """NaN in place of some items of a stack, unless they are zero: a loss that leaves them out has a gradient."""
    is_used = np.any(a != 0, axis=tuple(range(-axes, 0)), keepdims=True)
    return np.where(_over(failed, a, axes) & is_used, np.asarray(np.nan, a.dtype), a)


@nan_unless_zero.adjoint(0)
def _(g: Any, a: Any, *, failed: Any, axes: int) -> Any:
    return nan_unless_zero(g, failed=failed, axes=axes)


def _over(failed: Any, x: Any, axes: int) -> Any:
    """Which items failed, where the array lives, with the axes of an item."""
    return backend_of(x).namespace.asarray(failed[(...,) + (None,) * axes])
