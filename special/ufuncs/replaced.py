"""Better values in the place of SciPy's, whose ufunc is called for the other elements only.

Ufuncs of SciPy with better values compute SciPy's first, as all their keywords and types are SciPy's matter.  Called
with plain numbers and arrays of one real type, which is how most calls come, they do without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from ...backends import in_pieces
from ...complex_autograd.engine.operands import as_operand, operands
from ..numerics.regions import with_dtypes
from .improved import BetterUfunc, one_or_all, several
from .large_arrays import QUIET, SMALLEST_PIECE, threaded
from .parameters import double, flat
from .ufunc_rules import Partial, with_rule

__all__ = ["AT_ONCE", "Replaced"]

AT_ONCE = 8192
"""Elements at a time, so that what a kernel works on stays in the cache."""


def _common_type(args: Sequence[Any]) -> type | None:
    """The real type that SciPy computes in, None where something else than numbers and plain arrays is given.

    None, too, for Python's numbers beside single precision: some loops of SciPy take them to double precision.
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


def _are_finite(vectors: Sequence[Any]) -> Any:
    return np.isfinite(sum(vectors[1:], vectors[0]))


def _places(mask: Any) -> Any:
    return slice(None) if np.all(mask) else np.nonzero(mask)[0]


def _write(targets: Sequence[Any], places: Any, outputs: Any) -> None:
    for target, w in zip(targets, several(outputs), strict=True):
        target[places] = w


class Replaced(BetterUfunc):
    """A ufunc whose values in a domain are those of a kernel.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose rule gives the derivatives.
    kernel : callable
        Of vectors of double precision: its output, or all of its outputs.
    domain : callable, optional
        Where the kernel is used, of the same arguments if they are finite; elsewhere the values are SciPy's.  Without
        it the kernel is used everywhere.
    partials : sequence of callable, optional
        The partials `(w, *args)` instead of those of SciPy's ufunc.
    is_inaccurate : callable, optional
        Where the kernel is used besides, of SciPy's outputs and the arguments.
    at_once : int
        How many elements the kernel is given at a time.
    example : str
        What to add to the documentation.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        domain: Callable[..., Any] | None = None,
        partials: Sequence[Partial | str] | None = None,
        *,
        is_inaccurate: Callable[..., Any] | None = None,
        at_once: int = AT_ONCE,
        example: str = "",
    ) -> None:
        super().__init__(ufunc, example)
        self.kernel = kernel
        self.domain = domain
        self.is_inaccurate = is_inaccurate
        self.at_once = at_once
        self.primitive = with_rule(self, ufunc, partials)

    def called(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        dtype = None if keywords or len(args) != self.ufunc.nin else _common_type(args)
        if dtype is None or special.geterr() != QUIET:
            return super().called(args, keywords)
        shape = np.broadcast_shapes(*map(np.shape, args))
        columns = [np.reshape(np.broadcast_to(np.asarray(x, dtype), shape), (-1,)) for x in args]
        outs = [np.empty(columns[0].shape, d) for d in self._types_of(dtype)]
        in_pieces(lambda piece: self._fill(outs, columns, piece), columns[0].size, SMALLEST_PIECE)
        return one_or_all(tuple(np.reshape(w, shape)[()] for w in outs))

    def of_numbers(self, args: Sequence[Any]) -> Any:
        numbers = [np.array([x], np.float64) for x in args]
        with np.errstate(all="ignore"):
            is_finite = _are_finite(numbers)
            if not (is_finite and (self.domain is None or self.domain(*numbers))):
                w = threaded(self.ufunc)(*args)
                outs = [np.atleast_1d(x) for x in several(w)]
                if not (is_finite and self.is_inaccurate is not None and self.is_inaccurate(*outs, *numbers)):
                    return w
            if special.geterr() != QUIET:
                return None
            outs = [np.empty(1, dtype) for dtype in self.doubles]
            _write(outs, slice(None), self.kernel(*numbers))
        return one_or_all(tuple(w[0] for w in outs))

    @cached_property
    def doubles(self) -> tuple[Any, ...]:
        """The types of the outputs in double precision."""
        return self._types_of(np.float64)

    def _types_of(self, dtype: type) -> tuple[Any, ...]:
        nin, nout = self.ufunc.nin, self.ufunc.nout
        return tuple(self.ufunc.resolve_dtypes((*[np.dtype(dtype)] * nin, *[None] * nout))[nin:])

    def improved(self, w: Any, args: Any) -> Any:
        shape, vectors = flat(*[double(x) for x in args])
        outs = [np.reshape(np.copy(np.broadcast_to(x, shape)), (-1,)) for x in several(w)]
        self._fill(outs, vectors, slice(0, len(vectors[0])), are_scipys=True)
        return one_or_all(tuple(np.reshape(x, shape)[()] for x in outs))

    def traced(self, args: Sequence[Any]) -> Any:
        return self.primitive(*self.operands(args))

    @staticmethod
    def operands(args: Sequence[Any]) -> list[Any]:
        """The arguments as arrays: numbers beside single precision have it, too."""
        return operands(*with_dtypes(*[x if issubclass(type(x), (int, float)) else as_operand(x) for x in args]))

    def _fill(self, outs: Sequence[Any], args: Sequence[Any], piece: slice, are_scipys: bool = False) -> None:
        """Write the values of a piece of vectors; the outputs may be SciPy's already."""
        with np.errstate(all="ignore"):
            for i in range(piece.start, piece.stop, self.at_once):
                here = slice(i, min(i + self.at_once, piece.stop))
                self._fill_block([w[here] for w in outs], [x[here] for x in args], are_scipys)

    def _fill_block(self, outs: Sequence[Any], args: Sequence[Any], are_scipys: bool) -> None:
        vectors = [x if x.dtype.char == "d" else double(x) for x in args]
        all_finite = bool(np.isfinite(sum(np.add.reduce(x) for x in vectors)))
        if all_finite and self.domain is None:
            _write(outs, slice(None), self.kernel(*vectors))
            return
        are_finite = True if all_finite else _are_finite(vectors)
        own = are_finite if self.domain is None else self.domain(*vectors) & are_finite
        if not np.all(own):
            rest = _places(~own)
            if not are_scipys:
                _write(outs, rest, threaded(self.ufunc)(*[x[rest] for x in args]))
            if self.is_inaccurate is not None:
                is_inaccurate = self.is_inaccurate(*[x[rest] for x in (*outs, *vectors)])
                own[rest] = is_inaccurate & (all_finite or are_finite[rest])
        if np.any(own):
            ours = _places(own)
            _write(outs, ours, self.kernel(*[x[ours] for x in vectors]))
