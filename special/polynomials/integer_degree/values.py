"""Values of functions of a degree where it is an integer: polynomials, real and complex.

SciPy's loops of integers are recurrences, and its real ones of floating type keep their digits.  Of complex arguments
it sums the hypergeometric series about 1, whose terms cancel the more the farther left the argument is: there the
recurrences are ours, on the negative axis as elsewhere, as a polynomial has no cut.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...numerics.regions import part
from ...numerics.warned import warn
from ...ufuncs.large_arrays import threaded
from ..real_degree.degree_sweeps import sweep
from ..real_degree.derivatives import vectors
from . import exact

HIGHEST = 1000
"""The largest degree, up or down, at which the kernels give values."""
_HIGHEST_POLYNOMIAL = 10_000
"""The largest degree at which the recurrences do."""
_LOW, _MODERATE = 5, 5
"""From 0 up to this integer degree, and up to these parameters, SciPy's sum of complex argument keeps its digits."""


class Mirror(NamedTuple):
    """The degrees `n` and `-n - center` give functions that are the same but for the sign."""

    center: float
    sign: float

    def is_zero(self, n: Any) -> Any:
        """Whether a degree gives a function that is its own negative."""
        return (self.sign < 0) & (n == -self.center / 2)


class AtIntegerDegrees:
    """What the values of real degrees are at integer ones."""

    ufunc: np.ufunc
    kernel: Callable[..., Any]
    polynomial: Callable[..., Any] | None
    domain: Callable[..., Any]
    edge: float
    degree: int
    by_recurrence: bool
    mirror: Mirror | None
    outside: exact.Exact | None
    name: str

    def at_integer_degrees(self, *args: Any) -> Any:
        """SciPy's values; its loops for integers are recurrences, and for complex arguments it has none."""
        if self.outside is not None and np.any(self.outside.is_left(*args[:-1])):
            return self._left_too(self.outside, *args)
        if not np.iscomplexobj(args[-1]):
            w = self.of_real(*args)
        else:
            w = self._of_complex(*args) if self._are_ours(*args) else threaded(self.ufunc)(*args)
        return w if np.all(np.isfinite(w)) else self._completed(w, *args)

    def _left_too(self, outside: exact.Exact, *args: Any) -> Any:
        """The same where some parameters are left of the domain; there SciPy's loop for integers is a recurrence."""
        shape, columns = vectors(*args)
        mask = outside.is_left(*columns[:-1])
        if np.any(mask & (columns[self.degree] > exact.HIGHEST)):
            warn(
                f"{self.name}: the value may have lost digits. Likely cause: a degree beyond {exact.HIGHEST}, and "
                "parameters outside of the domain, as alpha <= -1. Use mpmath there."
            )
        inner = self._of_complex if np.iscomplexobj(columns[-1]) else self.of_real
        w = inner(*columns)
        w = w if np.all(np.isfinite(w)) else self._completed(w, *columns)
        with np.errstate(all="ignore"):
            return np.reshape(outside.improved(np.copy(w), *columns), shape)[()]

    def of_real(self, *args: Any) -> Any:
        """SciPy's values of real arguments."""
        n = args[self.degree]
        if self.mirror == Mirror(0, 1) and np.any(n < 0):
            return self.of_real(np.abs(n), *args[1:])
        if not self.by_recurrence:
            return threaded(self.ufunc)(*args)
        if np.ndim(n) == 0:
            return threaded(self.ufunc)(int(n) if 0 <= n <= HIGHEST else n, *args[1:])
        is_inside = np.all((n >= 0) & (n <= HIGHEST))
        return threaded(self.ufunc)(n.astype(np.long) if is_inside else n, *args[1:])

    def _are_ours(self, *args: Any) -> bool:
        """Whether some values of complex arguments are."""
        return bool(np.any(self._cancels(*args)))

    def _cancels(self, *args: Any) -> Any:
        """Where SciPy's sum of complex argument does."""
        n, *parameters, x = args
        out = (n < 0) | (n > _LOW) | np.logical_not(self.is_off_cut(x))
        for parameter in parameters:
            out = out | (np.abs(parameter) > _MODERATE)
        return out

    def _of_complex(self, *args: Any) -> Any:
        """By the recurrence, and at negative degrees the kernel, where SciPy's sum cancels."""
        shape, columns = vectors(*args)
        sign: Any = 1.0
        if self.mirror is not None and np.any(columns[0] < 0):
            center, factor = self.mirror
            is_low = columns[0] < -center / 2
            columns[0] = np.where(is_low, -center - columns[0], columns[0])
            columns[0] = columns[0] if columns[0].ndim else float(columns[0])
            sign = np.where(is_low, factor, 1.0)
        ours, up = self._cancels(*columns), self._has_polynomial(*columns)
        reached = self.reaches(*columns)
        out = np.zeros_like(columns[-1])
        regions = (
            (ours & up, self._by_recurrence),
            (ours & ~up & reached, self.kernel),
            (np.True_, threaded(self.ufunc)),
        )
        rest = np.ones_like(out, dtype=bool)
        with np.errstate(all="ignore"):
            for mask, function in regions:
                if np.any(mask & rest):
                    self.put(out, mask & rest, function, columns)
                rest &= ~mask
            unknown = ours & up & np.isnan(out)
            if np.any(unknown):
                self.put(out, unknown, threaded(self.ufunc), columns)
        return np.reshape(sign * out, shape)[()]

    def _by_recurrence(self, *args: Any) -> Any:
        """NaN where one of its coefficients is infinite, at parameters left of the domain."""
        assert self.polynomial is not None
        try:
            return sweep(self.polynomial, *args)
        except ZeroDivisionError:
            return np.full_like(args[-1], np.nan)

    def _has_polynomial(self, *args: Any) -> Any:
        """Where the recurrence gives values."""
        if self.polynomial is None:
            return np.False_
        n = args[0]
        return (n >= 0) & (n <= _HIGHEST_POLYNOMIAL) & np.isfinite(sum(args))

    def _completed(self, w: Any, *args: Any) -> Any:
        """SciPy's values, and ours where it has none, or infinity: at a high degree, or a negative one."""
        shape, columns = vectors(*args)
        out = np.copy(w).reshape(-1)
        with np.errstate(all="ignore"):
            unknown, up = ~np.isfinite(out), self._has_polynomial(*columns)
            if self.mirror is not None:
                is_zero = unknown & self.mirror.is_zero(columns[0]) & np.isfinite(columns[-1])
                out[is_zero] = 0
                unknown &= ~is_zero
            for mask, function in (
                (unknown & up, self._by_recurrence),
                (unknown & ~up & self.reaches(*columns), self.kernel),
            ):
                if np.any(mask):
                    found = function(*[part(a, mask) for a in columns])
                    out[mask] = np.where(np.isnan(found), out[mask], found)
        return np.reshape(out, shape)[()]

    def put(self, out: Any, mask: Any, function: Any, args: Any) -> None:
        """Write the values of a function where a mask holds."""
        (indices,) = np.nonzero(mask)
        out[indices] = function(*[part(a, indices) for a in args])

    def reaches(self, *args: Any) -> Any:
        """Where the kernel may be asked."""
        n, x = args[self.degree], args[-1]
        return self.is_inside(x) & np.isfinite(sum(args)) & (np.abs(n) <= HIGHEST) & self.domain(*args[:-1])

    def is_inside(self, x: Any) -> Any:
        """Right of the end of the cut, or anywhere else than at that: on the cut the sign of 0 says on which side."""
        return x > self.edge if np.isrealobj(x) else x != self.edge

    def is_off_cut(self, x: Any) -> Any:
        """Right of the end of the cut, or off the real axis."""
        return x > self.edge if np.isrealobj(x) else (x.real > self.edge) | (x.imag != 0)
