"""Better values of hypergeometric functions, where SciPy's algorithms lose digits.

A series that shows by its moduli that it has not cancelled gives the values of arrays alone.  Elsewhere SciPy's are
compared with those of the algorithms for derivatives; and a number keeps SciPy's where they agree, as in SciPy's tests.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from ..backends import in_pieces
from ..complex_autograd.operands import operands
from . import confluent_limit, gauss, kummer
from .hypergeometric_series import AT_ONCE
from .improved import Improved
from .large_arrays import QUIET, SMALLEST_PIECE
from .parameter_families import ParameterFamily
from .ufunc_rules import Pointwise, with_rule

__all__ = ["hyp0f1", "hyp1f1", "hyp2f1"]

_LARGE = 300
"""Parameters up to here are compared."""

_DOUBTFUL = 100
"""From here on SciPy's values that have nothing to compare with are reported."""

_AGREEMENT, _AGREEMENT_BELOW = 2e-13, 2e-11
"""Up to this relative difference both are right, and the value stays SciPy's; where the last parameter is negative,
between its poles, ours has errors of 1e-11 as well."""


class _BetterValues(Improved):
    """A ufunc of real parameters and one argument, real or complex, that has better values.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    is_coarse : callable
        Of all arguments: where SciPy's values lose digits.
    certain : callable
        Values that need no comparison, within that; NaN where there are none.
    family : ParameterFamily
        What SciPy's values are compared with elsewhere.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        is_coarse: Callable[..., Any],
        certain: Callable[..., Any],
        family: ParameterFamily,
    ) -> None:
        super().__init__(ufunc, self._better)
        self.is_coarse = is_coarse
        self.certain = certain
        self.family = family

    @cached_property
    def primitive(self) -> Pointwise:
        """The function with its derivatives."""
        return with_rule(self, self.ufunc)

    def of_numbers(self, args: Sequence[Any]) -> Any:
        numbers = [np.array([x], np.float64) for x in args]
        with np.errstate(all="ignore"):
            is_coarse = np.isfinite(sum(numbers)) & self.is_coarse(*numbers)
        return None if is_coarse else self.ufunc(*args)

    def called(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        if keywords or not self._is_direct(args):
            return super().called(args, keywords)
        return self._values(None, args)

    def traced(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        if not keywords and len(args) == self.ufunc.nin:
            return self.primitive(*operands(*args))
        return super().traced(args, keywords)

    def _is_direct(self, args: Sequence[Any]) -> bool:
        """Whether they are arrays, and numbers, in double precision, the parameters real."""
        if len(args) != self.ufunc.nin or not any(np.ndim(x) for x in args) or special.geterr() != QUIET:
            return False
        *parameters, z = args
        is_double = _is_double(z, "D", complex) or _is_double(z, "d", float)
        return is_double and all(_is_double(p, "d", float) for p in parameters)

    def _better(self, w: Any, *args: Any) -> Any:
        return self._values(w, args).astype(w.dtype)

    def _values(self, w: Any, args: Sequence[Any]) -> Any:
        """The values; `w`, where it is not None, are SciPy's."""
        given = [x[()] if hasattr(x, "dtype") else x for x in (args if w is None else (*args, w))]
        columns = [np.reshape(x, (-1,)) for x in np.broadcast_arrays(*given)]
        shape = np.broadcast_shapes(*(np.shape(x) for x in given))
        flat = [x.astype("D" if x.dtype.kind == "c" else "d", copy=False) for x in columns]
        known = None if w is None else flat.pop()
        out = np.empty_like(flat[-1])

        def run(piece: slice) -> None:
            with np.errstate(all="ignore"):
                for i in range(piece.start, piece.stop, AT_ONCE):
                    here = slice(i, min(i + AT_ONCE, piece.stop))
                    parts = [x[here] for x in flat]
                    out[here] = self._block(None if known is None else known[here], parts, is_number=not shape)

        if out.size:
            in_pieces(run, out.size, SMALLEST_PIECE)
        return np.reshape(out, shape)[()]

    def _block(self, w: Any, args: Sequence[Any], *, is_number: bool) -> Any:
        is_coarse = self.is_coarse(*args) & np.isfinite(sum(args))
        (here,) = np.nonzero(is_coarse)
        if here.shape[0] == 0:
            return self.ufunc(*args) if w is None else w
        out, others = np.empty_like(args[-1]), ~is_coarse
        certain = self.certain(*[x[here] for x in args])
        out[here] = _kept(w[here], certain, args[-2][here]) if is_number else certain
        others[here] = ~np.isfinite(certain)
        if np.any(others):
            rest = [x[others] for x in args]
            theirs = self.ufunc(*rest) if w is None else w[others]
            out[others] = self._compared(theirs, is_coarse[others], rest)
        return out

    def _compared(self, w: Any, here: Any, args: Sequence[Any]) -> Any:
        """SciPy's, but ours where they differ; a warning where there is nothing to compare with."""
        is_moderate = sum(np.abs(p) > _LARGE for p in args[:-1]) == 0
        better = np.full_like(w, np.nan)
        (places,) = np.nonzero(here & is_moderate)
        if places.shape[0]:
            better[places] = self.family.value(*[x[places] for x in args])
        is_known = np.isfinite(better)
        is_large = sum(np.abs(p) > _DOUBTFUL for p in args[:-1]) > 0
        # of positive parameters SciPy's `hyp0f1` fails by 0, NaN and infinity alone
        is_right = (w != 0) & (args[0] > 0) if len(args) == 2 else _is_right_at_one(*args)
        if np.any(here & is_large & ~is_known & np.isfinite(w) & ~is_right):
            warnings.warn(
                f"{self.ufunc.__name__}: SciPy's value may be wrong, and there is none to compare it with. Likely "
                "cause: large parameters, where all expansions cancel. Take more moderate ones, or use mpmath there.",
                special.SpecialFunctionWarning,
                stacklevel=2,
            )
        return np.where(here & is_known, _kept(w, better, args[-2]), w)


def _is_right_at_one(*args: Any) -> Any:
    """Where a polynomial of high degree next to 1 was measured: SciPy's real `hyp2f1` is right to 1e-13 there."""
    *parameters, z = args
    if len(parameters) < 3 or z.dtype.kind == "c":
        return np.False_
    a, b, _ = parameters
    ends = ((a <= 0) & (a == np.rint(a))) | ((b <= 0) & (b == np.rint(b)))
    return ends & (z > 0.9) & (z < 1)


def _kept(w: Any, better: Any, last: Any) -> Any:
    """SciPy's value where it agrees with the better one; `last` is the last parameter."""
    agreement = np.where(last < 0, _AGREEMENT_BELOW, _AGREEMENT)
    return np.where(np.abs(better - w) <= agreement * np.abs(better), w, better)


def _is_double(x: Any, char: str, number: type) -> bool:
    return type(x) is number or (type(x) is np.ndarray and x.dtype.char == char)


def _is_coarse_limit(v: Any, z: Any) -> Any:
    """SciPy's quotients of Bessel functions overflow: from 80 on values are infinite, NaN or 0."""
    return np.abs(v) > 60


def _is_coarse_kummer(a: Any, b: Any, z: Any) -> Any:
    """SciPy's values of complex `z` have errors of any size, at parameters larger than 4 in the whole plane.

    At smaller ones it sums the power series, which cancels by `exp(abs(z) - abs(Re z))`, or a short expansion: measured
    are relative errors of 3e-4 at `abs(z)` from 20 to 30, and of any size from 400 on next to the imaginary axis.
    """
    return np.full_like(z, z.dtype.kind == "c", dtype=bool)


def _is_coarse_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    """SciPy's expansions cancel near the unit circle and outside at complex `z`, and where a gap is nearly whole.

    So do they at large parameters.  Measured at random ones up to 4, 8 and 20, in one of a thousand, of fifty and of
    three relative errors are larger than 1e-12, up to 2e-10, 3e-7 and any size; hardly any where the signs fit.
    """
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_coarse = ((np.abs(z) > 1.5) & _is_nearly_whole(b - a)) | ((np.abs(z - 1) < 0.15) & _is_nearly_whole(c - a - b))
    if z.dtype.kind == "c":
        is_large = largest > np.where(np.minimum(np.minimum(a, b), c) < 0, 4.0, 8.0)
        is_large = is_large & ~(_ends(a) | _ends(b))
        return (z != 1) & (is_coarse | is_large | ((np.abs(z) > 0.85) & (np.imag(z) != 0)))
    is_negative, is_negative_too = a < 0, b < 0
    is_far, is_right, have_both = np.abs(z) > 0.5, z > 0.5, is_negative & is_negative_too
    cancels = (c < 0) | (is_far & np.where(is_right, is_negative != is_negative_too, have_both))
    cancels_at_large = (c < 0) | (is_far & ~(is_right & have_both))
    has_long_series = ~(_ends(a) | _ends(b)) | (largest > 8) | (z > 0.9)
    return (z < 1) & (is_coarse | (largest > 4) & cancels | (largest > 8) & cancels_at_large) & has_long_series


def _ends(a: Any) -> Any:
    """Whether the series is a polynomial."""
    return (a <= 0) & (a == np.round(a))


def _is_nearly_whole(x: Any) -> Any:
    gap = np.abs(x - np.round(x))
    return (gap < 0.05) & (gap > 0)


hyp0f1 = _BetterValues(
    special.hyp0f1, _is_coarse_limit, confluent_limit.certain_values, confluent_limit.CONFLUENT_LIMIT
)
hyp1f1 = _BetterValues(special.hyp1f1, _is_coarse_kummer, kummer.certain_values, kummer.KUMMER)
hyp2f1 = _BetterValues(special.hyp2f1, _is_coarse_gauss, gauss.certain_values, gauss.GAUSS)
