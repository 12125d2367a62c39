"""Large arrays over all cores: SciPy's ufuncs and the partial derivatives of the rules, both elementwise.

SciPy's loops compute each element alone, so pieces give the same bits as the whole.  What is not a plain C-contiguous
array, has keywords, or runs under a `scipy.special.errstate`, which holds for the calling thread only, stays whole.
"""

from __future__ import annotations

from cmath import isfinite
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Self, TypeVar

import numpy as np

from ...backends import get_num_threads, in_pieces
from ...backends.native.large_arrays import LARGE, over_threads
from ...backends.scipy_errors import is_quiet
from ...complex_autograd.array.stand_in import DocumentedFunction, StandIn
from ...complex_autograd.engine.opaque import RECORDING, opaque_call
from ...complex_autograd.engine.traced import Traced
from ...complex_autograd.namespace.routed import UfuncMethods, turning
from ...determinism.docstrings import LateDocstring
from ..scipy_repairs.corrections import NUMBERS, SMALL, CorrectedUfunc, largest
from ..scipy_repairs.safe_ufunc import safe_ufunc
from .masked_calls import masked_call
from .recorded_calls import recorded_call

F = TypeVar("F", bound=Callable[..., Any])

SMALLEST_PIECE = 50_000
"""A thread is given so many elements at least."""
_BLOCK = 1 << 13
"""So many elements at a time go through a partial derivative: its intermediate results stay in the cache, and are too
small for NumPy to take their memory for products of complex numbers, see `pullbacks.py`."""
_NUMBERS = (int, float, complex)


@cache
def threaded(function: np.ufunc, warns: bool = True) -> _Threaded:
    """A ufunc of SciPy that uses all cores for large arrays; it equals SciPy's own.

    Parameters
    ----------
    function : ufunc
        SciPy's own.
    warns : bool
        As of `safe_ufunc`.
    """
    plain = safe_ufunc(function, warns)
    call = _call_of_one(plain) if function.nin == 1 else _call_of_several(plain)
    if type(plain) is CorrectedUfunc:
        call = _call_of_few(plain, call)
    call.__name__ = call.__qualname__ = function.__name__
    return _Threaded(function, call)


class _Threaded(DocumentedFunction, UfuncMethods, StandIn):
    """A ufunc of `scipy.special`, which does not say where it stands: pickled by its name.

    Attributes
    ----------
    values : callable
        What computes them whatever level of determinism is in force.
    """

    def __new__(cls, function: Any, call: Any) -> Self:
        self = super().__new__(cls, function, call, f"special.{function.__name__}")
        self.__dict__["values"] = call
        return turning(self, self.operation)

    def __reduce__(self) -> tuple[Any, ...]:
        return by_name, (self.function.__name__,)


_Threaded.__doc__ = LateDocstring(_Threaded.__doc__)  # type: ignore[assignment]
_Threaded.__name__ = _Threaded.__qualname__ = "ufunc"  # which `help` shows


def by_name(name: str) -> Any:
    """The public function of that name, for pickles."""
    return getattr(import_module(__package__.rpartition(".")[0]), name)


def _call_of_one(function: np.ufunc) -> Callable[..., Any]:
    def call(x: Any, *others: Any, **keywords: Any) -> Any:
        if "where" in keywords:
            return masked_call(function, (x, *others), **keywords)
        if others or keywords:
            return function(x, *others, **keywords)
        if type(x) is np.ndarray and x.size >= LARGE:
            return _in_parallel(function, (x,))
        return recorded_call(call, function, (x,)) if RECORDING[0] else function(x)

    return call


def _call_of_several(function: np.ufunc) -> Callable[..., Any]:
    count = function.nin

    def call(*args: Any, **keywords: Any) -> Any:
        if "where" in keywords:
            return masked_call(function, args, **keywords)
        if keywords or len(args) != count:
            return function(*args, **keywords)
        for x in args:
            if type(x) is np.ndarray and x.size >= LARGE:
                return _in_parallel(function, args)
        return recorded_call(call, function, args) if RECORDING[0] else function(*args)

    return call


def _call_of_few(function: CorrectedUfunc, call: Callable[..., Any]) -> Callable[..., Any]:
    """A call with SciPy's values at once of numbers and small arrays that are near, and of traced arrays.

    `jv` of a number takes 1.25 microseconds with it, and 1.88 without.
    """
    scipys, near, count = function.function, function.correction.near, function.nin

    if callable(near):
        are_near = near

        def call_of_numbers(*args: Any, **keywords: Any) -> Any:
            if not keywords and len(args) == count:
                for x in args:
                    if type(x) not in NUMBERS:
                        return scipys(*args) if type(x) is Traced else call(*args)
                if are_near(*args):
                    return scipys(*args)
            return call(*args, **keywords)

        return call_of_numbers

    def call_of_few(*args: Any, **keywords: Any) -> Any:
        if not keywords and len(args) == count:
            x, first = args[-1], args[0]
            if type(x) is Traced or type(first) is Traced:
                return scipys(*args)
            is_array = type(x) is np.ndarray
            is_small = x.size <= SMALL if is_array else type(x) in NUMBERS
            is_small = is_small and (type(first) is not np.ndarray or first.size <= SMALL)
            if is_small and (largest(x) if is_array else abs(x)) < near:
                w = scipys(*args)
                is_finite = issubclass(type(w), np.generic) and isfinite(w)
                return w if is_finite else function.unless_finite(w, args)
        return call(*args, **keywords)

    return call_of_few


def _in_parallel(function: np.ufunc, args: Sequence[Any]) -> Any:
    shape = _common_shape(args)
    if shape is None or get_num_threads() == 1 or not is_quiet():
        return function(*args)
    given = [x.dtype if hasattr(x, "dtype") else type(x) for x in args]
    kernel = getattr(function, "served", None)
    found = None if kernel is None or kernel.nout > 1 else over_threads(kernel, args)
    if found is not None:
        return found
    try:
        dtypes = function.resolve_dtypes((*given, *[None] * function.nout))
    except TypeError:
        return function(*args)
    results = [np.empty(shape, dtype) for dtype in dtypes[function.nin :]]
    columns = [_column(x) for x in args]
    targets = [w.reshape(-1) for w in results]

    def run(piece: slice) -> None:
        function(*[_part(x, piece) for x in columns], out=tuple(w[piece] for w in targets))

    in_pieces(run, targets[0].size, SMALLEST_PIECE)
    return tuple(results) if len(results) > 1 else results[0]


def block_size(count: int) -> Callable[[F], F]:
    """A partial derivative whose blocks, in `blocked`, have so many elements."""

    def declare(partial: F) -> F:
        vars(partial)["at_once"] = count
        return partial

    return declare


def blocked(partial: Callable[..., Any], name: str = "derivative") -> Callable[..., Any]:
    """A partial derivative `(w, *args)` that goes through large arrays block by block, over all cores.

    Parameters
    ----------
    partial : callable
        Elementwise; its result is an array, a number, or a tuple of these.
    name : str
        What a program calls it.
    """
    at_once = getattr(partial, "at_once", _BLOCK)
    of_large, of_symbols = getattr(partial, "of_large", None), getattr(partial, "of_symbols", None)

    def block_by_block(w: Any, *args: Any) -> Any:
        first = w[0] if type(w) is tuple else w
        if type(first) is not np.ndarray or first.size < LARGE:
            return partial(w, *args)
        if of_large is not None and (found := of_large(args)) is not None:
            return found
        values = w if type(w) is tuple else (w,)
        shape = _common_shape((*values, *args))
        if shape is None:
            return partial(w, *args)
        outputs, inputs = [_column(x) for x in values], [_column(x) for x in args]

        def at(k: int) -> Any:
            block = slice(k * at_once, (k + 1) * at_once)
            parts = [_part(x, block) for x in outputs]
            return partial(tuple(parts) if type(w) is tuple else parts[0], *[_part(x, block) for x in inputs])

        start, count = at(0), -(-first.size // at_once)
        if type(start) is not tuple:
            return _filled([start], lambda k: [at(k)], count, first.size, at_once, shape)[0]
        return tuple(_filled(start, at, count, first.size, at_once, shape))

    def derivative(w: Any, *args: Any) -> Any:
        if not RECORDING[0]:
            return block_by_block(w, *args)
        found = None if of_symbols is None else of_symbols(args)
        return opaque_call(block_by_block, (w, *args), {}) if found is None else found

    block_by_block.__name__ = name
    return derivative


def over_cores(function: Callable[..., Any]) -> Callable[..., Any]:
    """A plain elementwise function of SciPy's that is no ufunc, over all cores where an argument is a large array."""

    def call(*args: Any) -> Any:
        large = [i for i, x in enumerate(args) if type(x) is np.ndarray and x.size >= LARGE]
        if not large or get_num_threads() == 1 or not is_quiet():
            return function(*args)
        i = large[0]
        in_order = blocked(lambda x, *others: function(*others[:i], x, *others[i:]))
        return in_order(args[i], *args[:i], *args[i + 1 :])

    return call


def _common_shape(args: Sequence[Any]) -> tuple[int, ...] | None:
    """The shape of the arrays among plain arguments; None where they differ, or something else stands among them."""
    shape: tuple[int, ...] | None = None
    for x in args:
        if type(x) in _NUMBERS or issubclass(type(x), np.number):
            continue
        if type(x) is not np.ndarray or x.dtype.kind not in "fciu":
            return None
        if x.ndim:
            if not x.flags.c_contiguous or shape not in (None, x.shape):
                return None
            shape = x.shape
    return shape


def _column(x: Any) -> Any:
    return x.reshape(-1) if type(x) is np.ndarray and x.ndim else x


def _part(x: Any, piece: slice) -> Any:
    return x[piece] if type(x) is np.ndarray and x.ndim else x


def _filled(
    start: Sequence[Any],
    at: Callable[[int], Sequence[Any]],
    count: int,
    size: int,
    at_once: int,
    shape: tuple[int, ...],
) -> list[Any]:
    """Arrays of the results of all blocks, the first of which is given; a result without axes stands for itself."""
    filled = [np.empty(size, x.dtype) if getattr(x, "ndim", 0) else None for x in start]
    others: list[tuple[int, int, Any]] = []
    """What is of another type than the first block."""

    def put(k: int, results: Sequence[Any]) -> None:
        for i, (target, x) in enumerate(zip(filled, results, strict=True)):
            if target is not None and getattr(x, "dtype", target.dtype) != target.dtype:
                others.append((i, k, x))
            elif target is not None:
                target[k * at_once : (k + 1) * at_once] = x

    def run(numbers: slice) -> None:
        for k in range(numbers.start + 1, numbers.stop + 1):
            put(k, at(k))

    put(0, start)
    in_pieces(run, count - 1, 1)
    for i, k, x in others:
        filled[i] = filled[i].astype(np.result_type(filled[i], x), copy=False)  # type: ignore[union-attr]
        filled[i][k * at_once : (k + 1) * at_once] = x  # type: ignore[index]
    return [x if target is None else target.reshape(shape) for target, x in zip(filled, start, strict=True)]
