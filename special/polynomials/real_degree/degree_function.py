"""Functions of a degree with better values than SciPy's, where SciPy sums a series that cancels.

Each element is computed in one way only: SciPy's where that is accurate, our kernel or recurrence elsewhere.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....backends import get_num_threads
from ....complex_autograd.engine.operands import operands
from ...numerics.regions import by_region, part
from ...numerics.warned import warn
from ...ufuncs.large_arrays import threaded
from ...ufuncs.patched_ufunc import PatchedUfunc
from ..integer_degree.exact import Exact
from ..integer_degree.values import HIGHEST, AtIntegerDegrees, Mirror
from .degree_sweeps import in_blocks
from .derivatives import in_pieces, vectors

WIDEST = 1000
"""The largest argument and parameter."""
_LARGE = 200
"""Where the kernel gives no number at a larger parameter, SciPy's value is none either, or wrong."""
_LARGE_OF_SERIES = 20_000
"""Beyond this parameter SciPy's Laguerre functions lose more than 4 digits of it."""
_FEW = 0.05
"""Up to this share of elements of ours all are given to SciPy's function, too."""


def _everywhere(*parameters: Any) -> Any:
    return True


def _nowhere(*args: Any) -> Any:
    return np.False_


def _never(*args: Any) -> bool:
    return False


def _has_no_fraction(n: Any) -> Any:
    return n == np.floor(n)


def _is_integral(n: Any) -> bool:
    """Whether all degrees are integers."""
    if type(n) in (int, np.int64):
        return True
    if issubclass(type(n), float):
        return n.is_integer()
    if n.dtype.kind in "iu":
        return True
    if n.size and not _has_no_fraction(n.flat[0]):
        return False
    return bool(np.all(_has_no_fraction(n)))


def _is_double(x: Any) -> bool:
    """A number or a plain array that makes the result one of double precision."""
    is_array = type(x) in (np.ndarray, np.float64, np.complex128, np.int64)
    return x.dtype.char in "dDl" and x.dtype.isnative if is_array else type(x) in (int, float, complex)


class _DegreeValues(AtIntegerDegrees):
    """SciPy's values, and those of a kernel where the degree is not an integer.

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
    farthest : float
        The largest argument.
    is_far : callable
        Where the kernel is used at larger ones, a mask of all arguments.
    by_recurrence : bool
        Whether SciPy's recurrence for integers is used at integer degrees of floating type.
    polynomial : callable, optional
        Gives the values at integer degrees and complex arguments, as `sweep` takes it.
    is_sorted : bool
        Whether the kernel is given pieces in the order of the arguments.
    kernel_of_numbers : callable, optional
        Gives the values of numbers, or NaN where it has none.
    mirror : Mirror, optional
        Which two degrees give the same function, or the same with the other sign.
    are_tame : callable
        Whether SciPy's values of all elements are accurate, seen by the least and the largest arguments.
    is_wrong : callable
        Where SciPy's values do not stand in for the kernel's, a mask of all arguments.
    loses : callable
        Where SciPy's values lose digits outside of the domain, a mask of all arguments.
    outside : Exact, optional
        Gives the values at integer degrees left of the domain, where SciPy's lose digits.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        kernel: Callable[..., Any],
        edge: float,
        domain: Any = _everywhere,
        accurate: Any = _nowhere,
        degree: int = 0,
        highest: float = HIGHEST,
        farthest: float = WIDEST,
        is_far: Callable[..., Any] = _nowhere,
        by_recurrence: bool = False,
        polynomial: Callable[..., Any] | None = None,
        is_sorted: bool = True,
        kernel_of_numbers: Callable[..., Any] | None = None,
        mirror: Mirror | None = None,
        are_tame: Callable[..., bool] = _never,
        is_wrong: Callable[..., Any] = _nowhere,
        loses: Callable[..., Any] = _nowhere,
        outside: Exact | None = None,
    ) -> None:
        self.ufunc, self.kernel, self.edge, self.domain, self.accurate = ufunc, kernel, edge, domain, accurate
        self.name = ufunc.__name__
        self.degree, self.highest, self.farthest, self.by_recurrence = degree, highest, farthest, by_recurrence
        self.polynomial, self.are_tame, self.is_wrong, self.loses = polynomial, are_tame, is_wrong, loses
        self.kernel_of_numbers, self.mirror, self.outside = kernel_of_numbers, mirror, outside
        self.is_far = is_far
        self.in_pieces = functools.partial(in_pieces, kernel, is_sorted=is_sorted)

    def quick(self, *args: float) -> Any:
        """The value of numbers, or None."""
        n = args[self.degree]
        if _is_integral(n):
            if self.outside is not None and self.outside.is_left(*args[:-1]):
                return None
            if 0 <= n <= HIGHEST and self.degree == 0:
                w = self.ufunc(int(n) if self.by_recurrence else n, *args[1:])
            else:
                w = self.of_real(*args)
        elif self.kernel_of_numbers is not None:
            w = self.kernel_of_numbers(*args)
        elif self.accurate(*map(float, args)):
            w = self.ufunc(*args)
        else:
            return None
        return w if math.isfinite(w) else None

    def of_arrays(self, *args: Any) -> Any:
        """The values of plain arrays of double precision, or None."""
        if not all(_is_double(x) for x in args):
            return None
        if np.iscomplexobj(args[self.degree]):
            return self.ufunc(*args)  # which says that it has no loop for these
        return self._values(*args)

    def better(self, w: Any, *args: Any) -> Any:
        """The values of arrays, of which SciPy's are not needed."""
        return self._values(*[x[()] for x in args])

    def _values(self, *args: Any) -> Any:
        if _is_integral(args[self.degree]):
            return self.at_integer_degrees(*args)
        if self.are_tame(*args):
            return (self.ufunc if get_num_threads() == 1 else threaded(self.ufunc))(*args)
        if all(type(x) in (float, int) for x in args) and not self._holds(*map(np.float64, args)):
            return self._plain(*args)
        shape, columns = vectors(*args)
        with np.errstate(all="ignore"):
            return np.reshape(self._by_parts(*columns), shape)[()]

    def _by_parts(self, *args: Any) -> Any:
        """Each element in its way; SciPy's, too, where the kernel gives no number."""
        ours = self._holds(*args)
        count = np.count_nonzero(ours)
        if count == 0:
            return self._by_scipy(*args)
        if count == len(ours):
            out = self.in_pieces(*args)
        elif count <= _FEW * len(ours):
            out = self._by_scipy(*args)
            self.put(out, ours, self.in_pieces, args)
        else:
            out = np.empty_like(args[-1])
            self.put(out, ~ours, self._by_scipy, args)
            self.put(out, ours, self.in_pieces, args)
        unknown = ours & ~np.isfinite(out)
        if np.any(unknown):
            is_wrong = unknown & (np.isnan(out) & self.is_wrong(*args) | self._is_large(_LARGE, *args))
            out[is_wrong] = np.nan
            self.put(out, unknown & ~is_wrong, self._plain, args)
            if np.any(is_wrong):
                warn(
                    f"{self.name}: the value is NaN where it could not be computed accurately. Likely cause: a "
                    f"parameter beyond {_LARGE}, or a negative degree and a large parameter at complex arguments next "
                    "to -1. Use mpmath there."
                )
        return out

    def _by_scipy(self, *args: Any) -> Any:
        n = args[self.degree]
        is_integral = np.ndim(n) > 0 and in_blocks(_has_no_fraction, n)
        if not np.any(is_integral):
            return self._plain(*args)
        return by_region([(is_integral, self.at_integer_degrees), (True, self._plain)], *args)

    def _plain(self, *args: Any) -> Any:
        """SciPy's values: as its `1 - x` has no -0, on a cut they are those below, of both zeros."""
        w, x = threaded(self.ufunc)(*args), args[-1]
        if np.isrealobj(x):
            return w
        is_above = (np.imag(x) == 0) & ~np.signbit(np.imag(x)) & (np.real(x) < self.edge)
        return np.where(is_above, np.conj(w), w)[()] if np.any(is_above) else w

    def _is_large(self, bound: float, *args: Any) -> Any:
        """Where a parameter is finite, and larger than a bound."""
        is_large: Any = np.False_
        if self.by_recurrence or self.domain is _everywhere:
            return is_large
        for parameter in [v for k, v in enumerate(args[:-1]) if k != self.degree]:
            is_large = is_large | (np.abs(parameter) > bound) & np.isfinite(parameter)
        return is_large

    def _holds(self, *args: Any) -> Any:
        """Where the kernel is used."""
        out = ~in_blocks(self.accurate, *args)
        if not np.any(out):
            return out
        if np.all(out):
            return in_blocks(self._is_inside, *args)
        (indices,) = np.nonzero(out)
        out[indices] = self._is_inside(*[part(a, indices) for a in args])
        return out

    def _is_inside(self, *args: Any) -> Any:
        """Where it could be."""
        n, x = args[self.degree], args[-1]
        ours = (n != np.floor(n)) & np.isfinite(n) & self.is_inside(x)
        is_held = self.domain(*args[:-1])
        if np.any(ours & np.logical_not(is_held) & self.loses(*args)):
            warn(
                f"{self.name}: SciPy's value is returned, which may have lost digits. Likely cause: a degree that "
                "is not an integer, and parameters outside of the domain, as alpha <= -1. Use mpmath there."
            )
        ours = ours & is_held
        too_large = ours & np.isfinite(x) & self._is_large(WIDEST, *args)
        bound = WIDEST
        if self.by_recurrence:
            bound = _LARGE_OF_SERIES
            for parameter in [v for k, v in enumerate(args[:-1]) if k != self.degree]:
                too_large = too_large | ours & np.isfinite(x) & (parameter > bound) & np.isfinite(parameter)
        if np.any(too_large):
            warn(
                f"{self.name}: SciPy's value is returned at a parameter beyond {bound} and a degree that is no "
                "integer, where it may have lost digits, or all of them. Use mpmath there.",
                RuntimeWarning,
            )
        ours = ours & ((np.abs(x) <= self.farthest) | self.is_far(*args))
        for parameter in [v for k, v in enumerate(args[:-1]) if k != self.degree]:
            ours = ours & (np.abs(parameter) <= WIDEST)
        too_high = ours & (np.abs(n) > self.highest)
        if np.any(too_high):
            warn(
                f"{self.name}: SciPy's value is returned at a degree beyond {self.highest} that is no integer, "
                "where its series loses digits, or all of them",
                RuntimeWarning,
            )
        return ours & ~too_high


def degree_function(*args: Any, **options: Any) -> PatchedUfunc:
    """The function with better values; the parameters are those of `_DegreeValues`."""
    values = _DegreeValues(*args, **options)
    return PatchedUfunc(
        values.ufunc, better=values.better, quick=values.quick, of_arrays=values.of_arrays, operands=operands
    )
