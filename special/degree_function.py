"""Functions of a degree with better values than SciPy's, where SciPy sums a series that cancels.

Each element is computed in one way only: SciPy's where that is accurate, our kernel or recurrence elsewhere.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..complex_autograd.operands import operands
from .degree_slopes import in_pieces, vectors
from .degree_sweeps import sweep
from .improved import Improved
from .jet_vectors import part
from .large_arrays import spread
from .ufunc_rules import Pointwise, with_rule

__all__ = ["WIDEST", "DegreeFunction"]

_HIGHEST = 1000
"""The largest degree, up or down, at which the values are ours."""
WIDEST = 1000
"""The largest argument and parameter."""
_LOW = 5
"""Up to this whole degree SciPy's sum of complex argument keeps its digits, as measured."""


def _everywhere(*parameters: Any) -> Any:
    return True


def _nowhere(*args: Any) -> Any:
    return np.False_


def _is_double(x: Any) -> bool:
    """A number or a plain array that makes the result one of double precision."""
    is_array = type(x) in (np.ndarray, np.float64, np.complex128)
    return x.dtype.char in "dDl" and x.dtype.isnative if is_array else type(x) in (int, float, complex)


class DegreeFunction(Improved):
    """SciPy's function with the values of a kernel where the degree is not whole.

    That is right of the edge or off the real axis, and where the domain holds the degree and the parameters; but not
    where SciPy's are accurate.  Each element is computed in one way only.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    kernel : callable
        Gives the values, of numbers or vectors of parameters and a vector of arguments.
    edge : float
        Where the cut ends.
    domain, accurate : callable
        Masks, of all arguments but the last, and of all arguments.
    degree : int
        The position of the degree.
    highest : float
        The largest degree, up or down.
    by_recurrence : bool
        Whether SciPy's recurrence for integers is used at degrees that are whole, but of floating type.
    polynomial : callable, optional
        Gives the values at whole degrees and complex arguments, as `sweep` takes it.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        edge: float,
        domain: Any = _everywhere,
        accurate: Any = _nowhere,
        degree: int = 0,
        highest: float = _HIGHEST,
        by_recurrence: bool = False,
        polynomial: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(ufunc, self._in_place_of)
        self.kernel, self.edge, self.domain, self.accurate = kernel, edge, domain, accurate
        self.degree, self.highest, self.by_recurrence = degree, highest, by_recurrence
        self.polynomial = polynomial

    @functools.cached_property
    def primitive(self) -> Pointwise:
        """The function with its derivatives."""
        return with_rule(self, self.ufunc)

    def called(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        if keywords or len(args) != self.ufunc.nin or not all(_is_double(x) for x in args):
            return super().called(args, keywords)
        return self._values(*args)

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if keywords or len(args) > self.ufunc.nin:
            return super().traced(args, keywords)
        return self.primitive(*operands(*args))

    def _in_place_of(self, w: Any, *args: Any) -> Any:
        return self._values(*[x[()] for x in args])

    def _values(self, *args: Any) -> Any:
        n = args[self.degree]
        if np.all(n == np.floor(n)):
            return self._at_whole_degrees(*args)
        if all(type(x) in (float, int) for x in args) and not self._holds(*map(np.float64, args)):
            return self.ufunc(*args)
        shape, columns = vectors(*args)
        with np.errstate(all="ignore"):
            return np.reshape(self._by_parts(*columns), shape)[()]

    def _by_parts(self, *args: Any) -> Any:
        """Each element in its way; SciPy's, too, where the kernel gives no number."""
        ours = self._holds(*args)
        if np.all(ours):
            out = in_pieces(self.kernel, *args)
        else:
            out = np.zeros_like(args[-1])
            self._put(out, ~ours, self._by_scipy, args)
            if np.any(ours):
                self._put(out, ours, lambda *own: in_pieces(self.kernel, *own), args)
        lost = ours & ~np.isfinite(out)
        if np.any(lost):
            self._put(out, lost, self.ufunc, args)
        return out

    def _put(self, out: Any, mask: Any, function: Any, args: Any) -> None:
        out[mask] = function(*[part(a, mask) for a in args])

    def _by_scipy(self, *args: Any) -> Any:
        n = args[self.degree]
        if np.ndim(n) == 0:
            return self.ufunc(*args)
        out = np.zeros_like(args[-1])
        is_whole = n == np.floor(n)
        for mask, function in ((is_whole, self._at_whole_degrees), (~is_whole, self.ufunc)):
            if np.any(mask):
                self._put(out, mask, function, args)
        return out

    def _at_whole_degrees(self, *args: Any) -> Any:
        """SciPy's values; its loops for integers are recurrences, and for complex arguments it has none."""
        n = args[self.degree]
        if np.iscomplexobj(args[-1]):
            w = self._of_complex(*args) if np.any(np.abs(n) > _LOW) else spread(self.ufunc)(*args)
        elif self.by_recurrence and np.all((n >= 0) & (n <= _HIGHEST)):
            return self.ufunc(int(n) if np.ndim(n) == 0 else n.astype(np.int64), *args[1:])
        else:
            w = spread(self.ufunc)(*args)
        return self._completed(w, *args) if np.any(np.isnan(w)) else w

    def _of_complex(self, *args: Any) -> Any:
        """By the recurrence, and at negative degrees the kernel, where SciPy's sum cancels."""
        shape, columns = vectors(*args)
        n, inside = columns[self.degree], self._reaches(*columns)
        ours, up = inside & (np.abs(n) > _LOW), np.greater(n, 0) & bool(self.polynomial)
        out = np.zeros_like(columns[-1])
        by_recurrence = functools.partial(sweep, self.polynomial)
        ways = (ours & up, by_recurrence), (ours & ~up, self.kernel), (~ours, self.ufunc)
        with np.errstate(all="ignore"):
            for mask, function in ways:
                if np.any(mask):
                    self._put(out, mask, function, columns)
        return np.reshape(out, shape)[()]

    def _completed(self, w: Any, *args: Any) -> Any:
        """SciPy's values, and the kernel's where it has none: at a high degree, or a negative one."""
        shape, columns = vectors(*args)
        out = np.array(w).reshape(-1)
        lost = np.isnan(out) & self._reaches(*columns)
        with np.errstate(all="ignore"):
            if np.any(lost):
                self._put(out, lost, self.kernel, columns)
        return np.reshape(out, shape)[()]

    def _reaches(self, *args: Any) -> Any:
        """Where the kernel may be asked."""
        n, x = args[self.degree], args[-1]
        off_cut = (np.real(x) > self.edge) | (np.imag(x) != 0)
        return off_cut & np.isfinite(sum(args)) & (np.abs(n) <= _HIGHEST) & self.domain(*args[:-1])

    def _holds(self, *args: Any) -> Any:
        """Where the kernel is used."""
        n, x = args[self.degree], args[-1]
        off_cut = (np.real(x) > self.edge) | (np.imag(x) != 0)
        ours = (n != np.floor(n)) & np.isfinite(n) & off_cut & self.domain(*args[:-1])
        for parameter in [v for k, v in enumerate(args) if k != self.degree]:
            ours = ours & (np.abs(parameter) <= WIDEST)
        ours = ours & ~self.accurate(*args)
        too_high = ours & (np.abs(n) > self.highest)
        if np.any(too_high):
            warnings.warn(
                f"{self.__name__}: SciPy's value is returned at a degree beyond {self.highest} that is not whole, "
                "where its series loses digits, or all of them",
                RuntimeWarning,
                stacklevel=5,
            )
        return ours & ~too_high
