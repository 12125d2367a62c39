"""Better values in place of SciPy's in some places: lists of masks and kernels, for numbers and for arrays.

SciPy's ufunc is called for the other elements only; where there are corrections alone, for all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...backends import in_pieces
from ...backends.scipy_errors import is_quiet
from ..scipy_repairs.safe_ufunc import safe_ufunc
from .large_arrays import SMALLEST_PIECE, threaded
from .parameters import double, flat, several

Patch = tuple[Callable[..., Any] | None, Callable[..., Any]]
Bounds = tuple[float, float]
ANY = (-np.inf, np.inf)
AT_ONCE = 8192
"""Elements at a time, so that what a kernel works on stays in the cache."""
_BLOCK = 1 << 15
"""Elements that are looked at together for corrections."""


def up_to(high: float) -> Bounds:
    """The bounds of what is not greater."""
    return -np.inf, high


def of_arguments(mask: Callable[..., Any]) -> Callable[..., Any]:
    """A mask of the arguments of a function of one output as one of corrections."""
    return lambda w, *args: mask(*args)


def one_or_all(outputs: tuple[Any, ...]) -> Any:
    """What a function of as many outputs returns."""
    return outputs if len(outputs) > 1 else outputs[0]


class Patches:
    """The values of a ufunc, those of kernels of some elements.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    patches : sequence of (mask, kernel)
        Both are functions of vectors of double precision.  An element whose arguments are finite has the value, or the
        values, of the first kernel whose mask holds it, and SciPy's where none does; the mask None holds all.
    corrections : sequence of (mask, kernel)
        Of the others, whose masks are given SciPy's outputs before the arguments.  Without patches SciPy's values are
        had of all elements at once, then those of the kernels that are finite, and the masks take numbers as well.
    at_once : int
        How many elements the kernels are given at a time.
    """

    def __init__(self, ufunc: np.ufunc, patches: Sequence[Patch], corrections: Sequence[Patch], at_once: int) -> None:
        self.ufunc, self.safe, self.plain, self.at_once = ufunc, safe_ufunc(ufunc), threaded(ufunc), at_once
        self.patches, self.corrections = patches, corrections
        if not patches:
            self.corrections = [(mask, _where_finite(kernel, ufunc)) for mask, kernel in corrections]

    def quick(self, *args: Any) -> Any:
        """The values of numbers, None while SciPy's errors are shown."""
        return self._of_numbers(args) if self.patches else self._corrected_number(args)

    def _corrected_number(self, args: Sequence[Any]) -> Any:
        w = self.safe(*args)
        numbers = [np.float64(x) for x in args]
        with np.errstate(all="ignore"):
            is_ours = np.isfinite(sum(numbers)) and any(mask(w, *numbers) for mask, _ in self.corrections if mask)
        return None if is_ours else w

    def _of_numbers(self, args: Sequence[Any]) -> Any:
        numbers = [np.array([x], np.float64) for x in args]
        with np.errstate(all="ignore"):
            is_finite = _are_finite(numbers)
            kernel = _chosen(self.patches, numbers) if is_finite else None
            if kernel is None:
                w = self.plain(*args)
                if is_finite and self.corrections:
                    kernel = _chosen(self.corrections, [*[np.atleast_1d(x) for x in several(w)], *numbers])
                if kernel is None:
                    return w
            if not is_quiet():
                return None
            outs = [np.empty(1, dtype) for dtype in self._doubles]
            _write(outs, slice(None), kernel(*numbers))
        return one_or_all(tuple(w[0] for w in outs))

    def of_arrays(self, *args: Any) -> Any:
        """The values of plain arrays of one real type, and numbers; None where something else is among them."""
        if not self.patches and _are_double(args):
            return self._corrected(args)
        dtype = _common_type(args)
        if dtype is None or not is_quiet():
            return None
        shape = np.broadcast_shapes(*map(np.shape, args))
        columns: list[Any] = [np.reshape(np.broadcast_to(np.asarray(x, dtype), shape), (-1,)) for x in args]
        outs = [np.empty(columns[0].shape, d) for d in self._types_of(dtype)]
        in_pieces(lambda piece: self._fill(outs, columns, piece), columns[0].size, SMALLEST_PIECE)
        return one_or_all(tuple(np.reshape(w, shape)[()] for w in outs))

    def _corrected(self, args: Sequence[Any]) -> Any:
        w = self.plain(*args)
        with np.errstate(all="ignore"):
            if any(np.ndim(x) and (x.shape != w.shape or not x.flags.c_contiguous) for x in (*args, w)):
                self._correct(w, args)
                return w
            values, columns = w.reshape(-1), [x.reshape(-1) if np.ndim(x) else x for x in args]
            for i in range(0, w.size, _BLOCK):
                here = slice(i, i + _BLOCK)
                self._correct(values[here], [x[here] if np.ndim(x) else x for x in columns])
        return w

    def _correct(self, w: Any, args: Sequence[Any]) -> None:
        for mask, kernel in self.corrections:
            here = True if mask is None else mask(w, *args)
            if np.count_nonzero(here):
                here = np.broadcast_to(here & np.isfinite(sum(args)), w.shape)
                w[here] = kernel(*[np.broadcast_to(x, w.shape)[here] for x in args])

    def better(self, w: Any, *args: Any) -> Any:
        """The values, from SciPy's and the arguments as arrays."""
        shape, vectors = flat(*[double(x) for x in args])
        outs = [np.reshape(np.copy(np.broadcast_to(x, shape)), (-1,)) for x in several(w)]
        self._fill(outs, vectors, slice(0, len(vectors[0])), are_scipys=True)
        return one_or_all(tuple(np.reshape(x, shape)[()] for x in outs))

    def on_device(self, *args: Any) -> Any:
        """The values of arrays of a backend, by what it has for SciPy's ufunc; NaN where that is needed nowhere."""
        given = [getattr(x, "dtype", type(x)) for x in args]
        dtypes = self.ufunc.resolve_dtypes((*given, *[None] * self.ufunc.nout))[self.ufunc.nin :]
        shape, vectors = flat(*[double(x) for x in args])
        has_all = bool(self.patches) and self.patches[0][0] is None
        outs = [np.full_like(vectors[0], np.nan, dtype="D" if d.kind == "c" else "d") for d in dtypes]
        with np.errstate(all="ignore"):
            self._fill_block(outs, vectors, are_scipys=has_all)
        return one_or_all(tuple(np.reshape(w.astype(d), shape) for w, d in zip(outs, dtypes, strict=True)))

    @cached_property
    def _doubles(self) -> tuple[Any, ...]:
        """The types of the outputs in double precision."""
        return self._types_of(np.float64)

    def _types_of(self, dtype: type) -> tuple[Any, ...]:
        nin, nout = self.ufunc.nin, self.ufunc.nout
        return tuple(self.ufunc.resolve_dtypes((*[np.dtype(dtype)] * nin, *[None] * nout))[nin:])

    def _fill(self, outs: Sequence[Any], args: Sequence[Any], piece: slice, are_scipys: bool = False) -> None:
        """Write the values of a piece of vectors; the outputs may be SciPy's already."""
        with np.errstate(all="ignore"):
            for i in range(piece.start, piece.stop, self.at_once):
                here = slice(i, min(i + self.at_once, piece.stop))
                self._fill_block([w[here] for w in outs], [x[here] for x in args], are_scipys)

    def _fill_block(self, outs: Sequence[Any], args: Sequence[Any], are_scipys: bool) -> None:
        vectors = [x if x.dtype.char == "d" else double(x) for x in args]
        all_finite = bool(np.isfinite(sum(np.add.reduce(x) for x in vectors)))
        if all_finite and self.patches and self.patches[0][0] is None:
            _write(outs, slice(None), self.patches[0][1](*vectors))
            return
        finite: Any = np.True_ if all_finite else _are_finite(vectors)
        owned: dict[Callable[..., Any], Any] = {}
        free: Any = None if self.patches else np.ones_like(vectors[0], dtype=bool)
        for mask, kernel in self.patches:
            own = finite if mask is None else mask(*vectors) & finite
            owned[kernel] = own = own if free is None else own & free
            free = ~own if free is None else free & ~own
        if np.count_nonzero(free):
            rest = _indices(free)
            if not are_scipys:
                _write(outs, rest, self.plain(*[x[rest] for x in args]))
            for mask, kernel in self.corrections:
                own = np.zeros_like(free)
                found = True if mask is None else mask(*[x[rest] for x in (*outs, *vectors)])
                own[rest] = found & (all_finite or finite[rest])
                owned[kernel] = own | owned[kernel] if kernel in owned else own
        for kernel, own in owned.items():
            if np.count_nonzero(own):
                ours = _indices(own)
                _write(outs, ours, kernel(*[x[ours] for x in vectors]))


def _chosen(patches: Sequence[Patch], args: Sequence[Any]) -> Callable[..., Any] | None:
    """The kernel of the first mask that holds vectors of one element."""
    for mask, kernel in patches:
        if mask is None or mask(*args):
            return kernel
    return None


def _where_finite(kernel: Callable[..., Any], ufunc: np.ufunc) -> Callable[..., Any]:
    """The kernel, but SciPy's values where it overflows on its way."""

    def value(*args: Any) -> Any:
        w = kernel(*args)
        is_finite = np.isfinite(w)
        return w if np.all(is_finite) else np.where(is_finite, w, ufunc(*args))

    return value


def _common_type(args: Sequence[Any]) -> type | None:
    """The real type that SciPy computes in, None where something else than numbers and plain arrays is given.

    None, too, for Python's numbers next to single precision: some loops of SciPy take them to double precision.
    """
    chars = set()
    for x in args:
        if type(x) in (np.ndarray, np.float64, np.float32):
            chars.add(x.dtype.char)
        elif type(x) in (int, float):
            chars.add("p")
        else:
            return None
    if chars == {"f"}:
        return np.float32
    return np.float64 if chars <= set("dlqp") else None


def _are_double(args: Any) -> bool:
    """Whether they are arrays of double precision, and numbers."""
    arrays = [x for x in args if type(x) is np.ndarray]
    is_double = all(x.dtype == np.float64 and x.ndim for x in arrays)
    return bool(arrays) and is_double and all(type(x) in (float, int, np.ndarray) for x in args)


def is_between(x: Any, bounds: Bounds) -> bool:
    """Whether a plain number or array is between bounds; what is not a number may be anywhere in an array."""
    low, high = bounds
    kind = type(x)
    if kind is float or kind is int or kind is np.float64:
        return bool(low <= x <= high)
    if kind is not np.ndarray or x.dtype.kind not in "fiu":
        return False
    is_above = high < np.inf and np.count_nonzero(x > np.float64(high))
    return not is_above and not (low > -np.inf and np.count_nonzero(x < np.float64(low)))


def _are_finite(vectors: Sequence[Any]) -> Any:
    return np.isfinite(sum(vectors[1:], vectors[0]))


def _indices(mask: Any) -> Any:
    return slice(None) if np.count_nonzero(mask) == mask.size else np.nonzero(mask)[0]


def _write(targets: Sequence[Any], indices: Any, outputs: Any) -> None:
    for target, w in zip(targets, several(outputs), strict=True):
        target[indices] = w
