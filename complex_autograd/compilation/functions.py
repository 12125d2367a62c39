"""Properties of NumPy's functions: what they write into or return views of, and what result shapes depend on."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...backends import device_named
from ...backends.native.ufuncs import is_own
from ..array.inplace import REPLACING
from ..engine.opaque import NEW_ARRAYS
from .instructions import Attribute, Instruction, Method
from .nested import Nested

WRITES_FIRST = {
    operator.ipow,
    operator.setitem,
    *(np.copyto, np.fill_diagonal, np.place, np.put, np.put_along_axis, np.putmask),
    *map(Method, ("fill", "itemset", "partition", "put", "resize", "setfield", "setflags", "sort")),
}
"""Functions and methods that write into their first argument."""

SCATTER_ADD: Final = device_named("cpu").scatter_add
_TRANSFORMS = {np.fft.fft, np.fft.ifft, np.fft.fftn, np.fft.ifftn}
_FRESH = {
    np.all,
    np.any,
    np.argsort,
    np.concatenate,
    np.copy,
    np.cumprod,
    np.cumsum,
    np.dot,
    np.empty_like,
    np.full_like,
    np.isclose,
    np.max,
    np.mean,
    np.min,
    np.ones_like,
    np.prod,
    np.sort,
    np.stack,
    np.sum,
    np.take_along_axis,
    np.tensordot,
    np.vdot,
    np.where,
    np.zeros_like,
    SCATTER_ADD,
    *_TRANSFORMS,
    *REPLACING,
    *map(Method, ("all", "any", "argsort", "copy", "cumsum", "dot", "flatten", "max", "mean", "min", "prod", "sum")),
}
"""Functions whose results have memory of their own, besides ufuncs."""


_HARMLESS = {
    operator.getitem,
    operator.setitem,
    np.broadcast_to,
    np.imag,
    np.moveaxis,
    np.ravel,
    np.real,
    np.reshape,
    np.swapaxes,
    np.transpose,
    *map(Method, ("astype", "conj", "fill", "ravel", "reshape", "transpose")),
}
"""Functions that raise no error at other numbers, besides those whose results are fresh."""

OF_MEMORY = {np.may_share_memory, np.shares_memory}

OF_SPACES = OF_MEMORY | {
    np.can_cast,
    np.common_type,
    np.iscomplexobj,
    np.isrealobj,
    np.ndim,
    np.result_type,
    np.shape,
    np.size,
}
"""Functions of shapes, dtypes and memory, whose results are known."""

OF_STATIC_SHAPE = {
    operator.setitem,
    np.array,
    np.asarray,
    np.asanyarray,
    np.ascontiguousarray,
    np.asfortranarray,
    np.sum,
    np.prod,
    np.max,
    np.min,
    np.mean,
    np.any,
    np.all,
    np.where,
    np.clip,
    np.reshape,
    np.ravel,
    np.transpose,
    np.swapaxes,
    np.moveaxis,
    np.broadcast_to,
    np.concatenate,
    np.stack,
    np.expand_dims,
    np.squeeze,
    np.real,
    np.imag,
    np.zeros_like,
    np.ones_like,
    np.empty_like,
    np.full_like,
    np.copy,
    np.cumsum,
    np.cumprod,
    np.dot,
    np.einsum,
    np.tensordot,
    np.take_along_axis,
    np.sort,
    np.argsort,
    np.isclose,
    np.vdot,
    SCATTER_ADD,
    *_TRANSFORMS,
    *REPLACING,
    *map(Method, ("all", "any", "argsort", "astype", "conj", "copy", "cumsum", "dot", "flatten", "max", "mean", "min")),
    *map(Method, ("prod", "ravel", "reshape", "sum", "transpose")),
}
"""Functions whose results have shapes and dtypes that follow from those of their arguments."""


READING = {operator.getitem, *map(Attribute, ("T", "imag", "mT", "real"))}
"""Functions that only show their arguments."""
VIEWING = READING | {np.broadcast_to, np.moveaxis, np.reshape, np.swapaxes, np.transpose, np.real, np.imag}
VIEWING |= {*map(Method, ("reshape", "transpose"))}
"""Functions that show the memory of their first argument, as long as its strides allow it."""

MAY_RETURN_ARGUMENTS: Final = {
    *(np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.atleast_1d, np.broadcast_to),
    *(np.ravel, np.real, np.reshape, np.fft.fftn, np.fft.ifftn),
}
"""Functions that return an argument itself where its shape and dtype allow it."""

_BEHIND_ALL = 99


def written_by(function: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Iterator[Any]:
    """The arrays that a call writes into."""
    out = kwargs.get("out")
    yield from out if isinstance(out, tuple) else (out,)
    if issubclass(type(function), np.ufunc):
        yield from args[function.nin :]
    else:
        yield from args[_place_of_out(function) :][:1]
    if function in WRITES_FIRST or (_is_method_of_ufunc(function) and function.__name__ == "at"):
        yield args[0]


def _is_method_of_ufunc(function: Any) -> bool:
    return issubclass(type(getattr(function, "__self__", None)), np.ufunc)


_OUT_OF_METHODS = {
    **dict.fromkeys(("all", "any", "argmax", "argmin", "choose", "dot", "max", "min", "ptp", "round"), 2),
    **dict.fromkeys(("clip", "compress", "cumprod", "cumsum", "mean", "prod", "sum", "take"), 3),
    **dict.fromkeys(("std", "var"), 4),
    "trace": 5,
}
"""Where methods have `out`, the array counted."""


def _place_of_out(function: Callable[..., Any]) -> int:
    """Where a function of NumPy has `out` among its positional arguments; behind all where it has none there."""
    if isinstance(function, Method):
        return _OUT_OF_METHODS.get(function.name, _BEHIND_ALL)
    if _is_method_of_ufunc(function):
        return {"reduce": 3, "accumulate": 3, "reduceat": 4}.get(function.__name__, _BEHIND_ALL)
    of_numpy = str(getattr(function, "__module__", None)).startswith("numpy")
    return _place_in_signature(function) if of_numpy else _BEHIND_ALL


@lru_cache(maxsize=1024)  # not of what a program has made: it would live as long as the process
def _place_in_signature(function: Callable[..., Any]) -> int:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    places = [i for i, x in enumerate(parameters) if x.name == "out" and x.kind is x.POSITIONAL_OR_KEYWORD]
    return places[0] if places else _BEHIND_ALL


def is_elementary(function: Callable[..., Any]) -> bool:
    """Whether it is a ufunc or an operator of Python's."""
    is_operator = getattr(function, "__module__", None) == "_operator"
    return issubclass(type(function), np.ufunc) or (is_operator and function is not operator.getitem)


def arity(function: Callable[..., Any]) -> int:
    """The number of arguments of a ufunc, or of an operator of Python's, that only reads them; -1 of all else."""
    return int(function.nin) if type(function) is np.ufunc else _OPERATORS.get(function, -1)


def may_be_left_out(step: Instruction) -> bool:
    """Whether a call whose results nothing uses changes nothing: it raises no error, and no check follows from it."""
    function = step.function
    if isinstance(function, Nested):
        steps = [x for program in function.programs.values() for x in program.steps]
        return all(isinstance(x, Instruction) and may_be_left_out(x) for x in steps)
    return not step.is_checked and (is_fresh(function) or function in _HARMLESS or isinstance(function, Attribute))


def is_fresh(function: Callable[..., Any]) -> bool:
    """Whether what a call returns shares no memory with its arguments."""
    return (
        type(function) is np.ufunc
        or function in _FRESH
        or function in NEW_ARRAYS
        or (getattr(function, "__module__", None) == "_operator" and function is not operator.getitem)
        or _is_method_of_ufunc(function)
        or isinstance(function, Nested)
    )


def depends_on_numbers(function: Any, args: Sequence[Any]) -> bool:
    """Whether shapes or dtypes of what a function returns may depend on more than shapes and dtypes."""
    if is_elementary(function):
        return False
    if function in OF_STATIC_SHAPE:
        return function is np.where and len(args) == 1
    if function is operator.getitem:
        parts = args[1] if type(args[1]) is tuple else (args[1],)
        return any(type(x).__name__ == "Symbol" for x in parts)
    return not isinstance(function, (Attribute, Nested))


INFIX = {
    operator.add: "+",
    operator.sub: "-",
    operator.mul: "*",
    operator.truediv: "/",
    operator.floordiv: "//",
    operator.mod: "%",
    operator.pow: "**",
    operator.matmul: "@",
    operator.and_: "&",
    operator.or_: "|",
    operator.xor: "^",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}

UFUNC_OF = {
    operator.add: np.add,
    operator.sub: np.subtract,
    operator.mul: np.multiply,
    operator.truediv: np.true_divide,
    operator.neg: np.negative,
    operator.abs: np.absolute,
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
    operator.eq: np.equal,
    operator.ne: np.not_equal,
    operator.and_: np.bitwise_and,
    operator.or_: np.bitwise_or,
    operator.xor: np.bitwise_xor,
    operator.invert: np.invert,
}
"""What arrays compute by these operators."""

_UNARY = (operator.neg, operator.abs, operator.invert)
_OPERATORS: Final[dict[Any, int]] = dict.fromkeys([*INFIX, *UFUNC_OF], 2) | dict.fromkeys(_UNARY, 1)
"""The number of their arguments."""

EXACT = {*UFUNC_OF, *UFUNC_OF.values(), np.maximum, np.minimum, np.positive, np.sqrt}
"""Functions that are rounded correctly, each element by itself."""


def is_foreign_to_numpy(function: Any) -> bool:
    """Whether it is a ufunc of another package, which may report errors to Python: neither NumPy's nor our own."""
    is_foreign = issubclass(type(function), np.ufunc) and getattr(np, function.__name__, None) is not function
    return is_foreign and not is_own(function)
