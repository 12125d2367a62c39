"""Better values in the place of SciPy's, whose ufunc is called for the other elements only.

Ufuncs of SciPy with better values compute SciPy's first, as all their keywords and types are SciPy's matter.  Called
with plain arrays of one real type, which is how large ones come, they do without.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import special

from ..backends import in_pieces
from ..complex_autograd.array import raw
from ..complex_autograd.elementwise import missing
from ..complex_autograd.operands import operands
from .improved import BetterUfunc, improved_value
from .large_arrays import QUIET, blocked, spread
from .parameters import double, flat
from .ufunc_rules import RULES, Partial, Pointwise

__all__ = ["Replaced"]

_AT_ONCE = 8192
"""Elements at a time, so that what a kernel works on stays in the cache."""
_SMALLEST_PIECE = 50_000


def _is_direct(function: np.ufunc, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether the arguments are arrays of one real floating type, and numbers, and nothing else is asked for."""
    if keywords or len(args) != function.nin:
        return False
    arrays = [x for x in args if type(x) is np.ndarray and x.ndim and x.size]
    if not arrays or any(type(x) not in (int, float) for x in args if type(x) is not np.ndarray):
        return False
    if len(arrays) != sum(type(x) is np.ndarray for x in args):
        return False
    chars = {x.dtype.char for x in arrays}
    return len(chars) == 1 and chars <= {"f", "d"} and special.geterr() == QUIET


def _direct_values(
    function: np.ufunc, kernel: Callable[..., Any], domain: Callable[..., Any], args: Sequence[Any]
) -> tuple[Any, ...]:
    """The outputs of a kernel in its domain, elsewhere those of SciPy's ufunc.

    Parameters
    ----------
    function : ufunc
        SciPy's own.
    kernel, domain : callable
        Of vectors of double precision: its output or outputs, and where it is used.
    args : sequence
        Arguments for which `_is_direct` holds.

    Returns
    -------
    tuple of array
        One array an output.
    """
    dtype = next(x.dtype for x in args if type(x) is np.ndarray)
    shape = np.broadcast_shapes(*(np.shape(x) for x in args))
    columns = [np.reshape(np.broadcast_to(np.asarray(x, dtype), shape), (-1,)) for x in args]
    mask = _inside(domain, _chosen(columns, slice(None)))
    if not np.any(mask):
        return _several(spread(function)(*args))
    dtypes = function.resolve_dtypes((*[dtype] * function.nin, *[None] * function.nout))[function.nin :]
    outs = [np.empty(columns[0].shape, d) for d in dtypes]

    def block(here: slice) -> None:
        xs, targets = [x[here] for x in columns], [w[here] for w in outs]
        if np.all(mask[here]):
            _write(targets, slice(None), kernel(*_chosen(xs, slice(None))))
            return
        inside, outside = np.nonzero(mask[here])[0], np.nonzero(~mask[here])[0]
        _write(targets, outside, function(*[x[outside] for x in xs]))
        if len(inside):
            _write(targets, inside, kernel(*_chosen(xs, inside)))

    def run(piece: slice) -> None:
        with np.errstate(all="ignore"):
            for i in range(piece.start, piece.stop, _AT_ONCE):
                block(slice(i, min(i + _AT_ONCE, piece.stop)))

    in_pieces(run, mask.size, _SMALLEST_PIECE)
    return tuple(np.reshape(w, shape) for w in outs)


def _inside(domain: Callable[..., Any], vectors: Sequence[Any]) -> Any:
    """Where the kernel is used: in its domain at finite arguments."""
    with np.errstate(all="ignore"):
        return domain(*vectors) & np.isfinite(sum(vectors[1:], vectors[0]))


def _write(targets: Sequence[Any], places: Any, outputs: Any) -> None:
    for target, w in zip(targets, _several(outputs), strict=True):
        target[places] = w


def _chosen(args: Sequence[Any], places: Any) -> list[Any]:
    return [x[places].astype(np.float64, copy=False) for x in args]


def _several(x: Any) -> tuple[Any, ...]:
    """The outputs of a function of one output or more."""
    return x if isinstance(x, tuple) else (x,)


class Replaced(BetterUfunc):
    """A ufunc whose values in a domain are those of a kernel.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's, whose rule gives the derivatives.
    kernel : callable
        Of vectors of double precision: its output, or all of its outputs.
    domain : callable
        Where the kernel is used, of the same arguments; elsewhere the values are SciPy's.
    partials : sequence of callable, optional
        The partials `(w, *args)` instead of those of SciPy's ufunc.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        domain: Callable[..., Any],
        partials: Sequence[Partial] | None = None,
    ) -> None:
        super().__init__(ufunc)
        self.kernel = kernel
        self.domain = domain
        names, declared = RULES[ufunc]
        own = [
            missing(f"scipy.special.{ufunc.__name__}", p, name) if isinstance(p, str) else blocked(p)
            for name, p in zip(names, partials or declared, strict=True)
        ]
        self.primitive = Pointwise(self, own, None)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if not _is_direct(self.ufunc, args, keywords):
            return super().__call__(*args, **keywords)
        outs = _direct_values(self.ufunc, self.kernel, self.domain, args)
        return outs if self.ufunc.nout > 1 else outs[0]

    def improved(self, w: Any, args: Any) -> Any:
        shape, vectors = flat(*[double(x) for x in args])
        inside = _inside(self.domain, vectors)
        if not np.any(inside):
            return w
        outs = [np.copy(np.reshape(np.broadcast_to(x, shape), (-1,))) for x in _several(w)]
        with np.errstate(all="ignore"):
            _write(outs, inside, self.kernel(*[x[inside] for x in vectors]))
        results = tuple(np.reshape(x, shape)[()] for x in outs)
        return results if isinstance(w, tuple) else results[0]

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if not keywords and len(args) == self.ufunc.nin:
            return self.primitive(*operands(*args))
        w = self.ufunc(*args, **keywords)
        plain = [raw(x) for x in operands(*args[: self.ufunc.nin])]
        where = keywords.get("where", True)
        results = tuple(
            improved_value(x, value=np.where(where, better, raw(x))[()])
            for x, better in zip(_several(w), self._better(w, plain), strict=True)
        )
        return results if isinstance(w, tuple) else results[0]

    def _better(self, w: Any, args: Any) -> tuple[Any, ...]:
        return _several(self.improved(tuple(map(raw, w)) if isinstance(w, tuple) else raw(w), args))
