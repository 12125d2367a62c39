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
from ..complex_autograd.dispatch import holds_traced
from ..complex_autograd.operands import operands
from . import confluent_limit, gauss, kummer
from .gauss_shared import FEWEST, shared_values
from .hypergeometric_series import AT_ONCE, ends
from .improved import Improved
from .kummer import FAR_ON_AXIS
from .large_arrays import QUIET, SMALLEST_PIECE
from .parameter_families import ParameterFamily
from .ufunc_rules import Pointwise, with_rule

__all__ = ["hyp0f1", "hyp1f1", "hyp2f1"]

_LARGE = 300
"""Parameters up to here are compared."""

_DOUBTFUL = 100
"""From here on, and at complex arguments, SciPy's values that have nothing to compare with are reported."""

_AGREEMENT, _AGREEMENT_BELOW = 2e-13, 2e-11
"""Up to this relative difference both are right, and the value stays SciPy's; where the last parameter is negative,
between its poles, ours has errors of 1e-11 as well."""

_FEW = 8
"""Where less than one in so many is coarse SciPy's values are had of all."""

_AGREEMENT_WITH_ROUGH, _FAIR_LOSS, _ROUGH_LOSS = 1e-12, 4e3, 1e6
"""The same of values that have lost so much: those of the first loss are had to 1e-12, the others only confirm."""

_FARTHEST, _LARGEST_OF_SCALING, _LARGEST_OF_RECURRENCES = 1e6, 1e7, 1e5
"""Beyond these moduli of an argument and of parameters calls of SciPy were measured to take a millisecond or more."""

_NUMBERS = (int, float, complex)
_OF_ARRAYS = np.ndarray.__array_ufunc__


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
    is_endless : callable
        Of all arguments: where SciPy's loops take minutes or years; values are `certain`, or NaN with a warning.
    shared : callable, optional
        Values of parameters that are numbers at many real arguments, NaN where it has none.
    last : callable, optional
        Values for a high price, where the family has none either.
    rough : callable, optional
        `(*args, loss)`: values that may have cancelled so much, NaN where it has none.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        is_coarse: Callable[..., Any],
        certain: Callable[..., Any],
        family: ParameterFamily,
        is_endless: Callable[..., Any],
        last: Callable[..., Any] | None = None,
        shared: Callable[..., Any] | None = None,
        rough: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(ufunc, self._better)
        self.is_coarse = is_coarse
        self.is_endless = is_endless
        self.last, self.shared, self.rough = last, shared, rough
        self.certain = certain
        self.family = family

    @cached_property
    def primitive(self) -> Pointwise:
        """The function with its derivatives."""
        return with_rule(self, self.ufunc)

    def of_numbers(self, args: Sequence[Any]) -> Any:
        numbers = [np.array([x], np.float64) for x in args]
        with np.errstate(all="ignore"):
            is_coarse = (np.isfinite(sum(numbers)) & self.is_coarse(*numbers)) | self.is_endless(*numbers)
        return None if is_coarse else self.ufunc(*args)

    def called(self, args: Sequence[Any], keywords: dict[str, Any]) -> Any:
        if not keywords and self._is_direct(args):
            return self._values(None, args)
        inputs = args[: self.ufunc.nin]
        if holds_traced(list(inputs)) or not all(map(_is_plain, inputs)):
            return super().called(args, keywords)
        plain = [np.asarray(x) for x in inputs]
        with np.errstate(all="ignore"):
            is_endless = np.asarray(self.is_endless(*plain))
        if not np.any(is_endless):
            return super().called(args, keywords)
        others = _with_zeros(inputs[-1], is_endless, plain)
        w = super().called((*inputs[:-1], others, *args[self.ufunc.nin :]), keywords)
        return self._with_values(w, is_endless & keywords.get("where", True), plain)

    def _with_values(self, w: Any, here: Any, args: Sequence[Any]) -> Any:
        """What a call of the ufunc gave, with the values of some places put into it."""
        values = self._values(None, [x.astype("D" if x.dtype.kind == "c" else "d") for x in args])
        with np.errstate(over="ignore"):
            if not isinstance(w, np.ndarray):
                return w.dtype.type(values)
            np.copyto(w.view(np.ndarray), values, where=here, casting="same_kind")
        return w

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
        known = None if w is None else flat.pop().copy()
        out = np.empty_like(flat[-1])
        numbers = self._shared_parameters(args) if w is None else None

        def run(piece: slice) -> None:
            with np.errstate(all="ignore"):
                for i in range(piece.start, piece.stop, AT_ONCE):
                    here = slice(i, min(i + AT_ONCE, piece.stop))
                    parts = [x[here] for x in flat]
                    if numbers is None:
                        out[here] = self._block(None if known is None else known[here], parts, is_number=not shape)
                    else:
                        out[here] = self._shared_block(numbers, parts)

        if out.size:
            in_pieces(run, out.size, SMALLEST_PIECE)
        return np.reshape(out, shape)[()]

    def _shared_parameters(self, args: Sequence[Any]) -> list[float] | None:
        """The parameters, if they are numbers beside enough real arguments."""
        *parameters, z = args
        if self.shared is None or np.size(z) < FEWEST or z.dtype.kind == "c" or any(map(np.ndim, parameters)):
            return None
        return [float(p) for p in parameters]

    def _shared_block(self, numbers: Sequence[float], args: Sequence[Any]) -> Any:
        out = self.shared(*numbers, args[-1])
        (others,) = np.nonzero(np.isnan(out))
        if others.shape[0]:
            out[others] = self._block(None, [x[others] for x in args], is_number=False)
        return out

    def _block(self, w: Any, args: Sequence[Any], *, is_number: bool) -> Any:
        is_kept = is_number and w is not None
        is_endless = self.is_endless(*args)
        is_coarse = self.is_coarse(*args) | is_endless
        (here,) = np.nonzero(is_coarse)
        is_taken = np.isfinite(sum(x[here] for x in args)) | is_endless[here]
        is_coarse[here], here = is_taken, here[is_taken]
        if w is None and _FEW * here.shape[0] <= is_coarse.shape[0]:
            w = self._theirs(args, is_endless)
        if here.shape[0] == 0:
            return w
        coarse = [x[here] for x in args]
        better = self.certain(*coarse)
        (lost,) = np.nonzero(np.isnan(better))
        if w is None:
            others, w = ~is_coarse, np.empty_like(args[-1])
            others[here[lost]] = True
            w[others] = self._theirs([x[others] for x in args], is_endless[others])
        theirs = w[here]
        if is_kept:
            better = _kept(theirs, better, coarse[-2])
        if lost.shape[0]:
            better[lost] = theirs[lost]
            rest = [x[lost] for x in coarse]
            # of few elements those that are only had faster are not among them
            (doubtful,) = np.nonzero(self.is_coarse(*rest) | self.is_endless(*rest))
            places = lost[doubtful]
            better[places] = self._compared(theirs[places], [x[doubtful] for x in rest])
        w[here] = better
        return w

    def _theirs(self, args: Sequence[Any], is_endless: Any) -> Any:
        """SciPy's values, NaN where it would take too long."""
        if not np.any(is_endless):
            return self.ufunc(*args)
        *parameters, z = args
        return np.where(is_endless, np.nan, self.ufunc(*parameters, np.where(is_endless, 0.0, z)))

    def _confirmed(self, w: Any, args: Sequence[Any]) -> Any:
        """SciPy's where values agree that may have cancelled much; else such a value of little loss; else NaN."""
        better = np.full_like(w, np.nan)
        if self.rough is None:
            return better
        for loss in (_FAIR_LOSS, _ROUGH_LOSS):
            (here,) = np.nonzero(np.isnan(better))
            if here.shape[0]:
                rough, theirs = self.rough(*[x[here] for x in args], loss), w[here]
                agrees = np.abs(rough - theirs) <= _AGREEMENT_WITH_ROUGH * np.abs(theirs)
                better[here] = np.where(agrees, theirs, rough if loss == _FAIR_LOSS else np.nan)
        return better

    def _compared(self, w: Any, args: Sequence[Any]) -> Any:
        """SciPy's, but ours where they differ; a warning where there is nothing to compare with."""
        if not w.shape[0]:
            return w
        better = self._confirmed(w, args)
        is_moderate = sum(np.abs(p) > _LARGE for p in args[:-1]) == 0
        (places,) = np.nonzero(is_moderate & np.isnan(better))
        if places.shape[0]:
            better[places] = self.family.value(*[x[places] for x in args])
            places = places[np.isnan(better[places])]
            if self.last is not None and places.shape[0]:
                better[places] = self.last(*[x[places] for x in args])
        is_known = np.isfinite(better)
        # of positive parameters SciPy's `hyp0f1` fails by 0, NaN and infinity alone
        is_right = (w != 0) & (args[0] > 0) if len(args) == 2 else _is_right_at_one(*args)
        is_large = sum(np.abs(p) > _DOUBTFUL for p in args[:-1]) > 0
        is_doubtful = np.isfinite(w) & ~is_right & ~ends(args[-2]) & (is_large | (w.dtype.kind == "c"))
        # SciPy's `hyp2f1` is NaN at such parameters, and its tests allow no warning
        is_lost = self.is_endless(*args) & np.isfinite(sum(args)) & (len(args) < 4)
        if np.any(~is_known & (is_doubtful | is_lost)):
            warnings.warn(
                f"{self.ufunc.__name__}: SciPy's value may be wrong, or takes so long that it is NaN here, and there "
                "is none to compare it with. Likely cause: large parameters, where all expansions cancel. Take more "
                "moderate ones, or use mpmath there.",
                special.SpecialFunctionWarning,
                stacklevel=2,
            )
        return np.where(is_known, _kept(w, better, args[-2]), w)


def _is_right_at_one(*args: Any) -> Any:
    """Where a polynomial of high degree next to 1 was measured: SciPy's real `hyp2f1` is right to 1e-13 there."""
    *parameters, z = args
    if len(parameters) < 3 or z.dtype.kind == "c":
        return np.False_
    a, b, _ = parameters
    is_polynomial = ends(a) | ends(b)
    return is_polynomial & (z > 0.9) & (z < 1)


def _kept(w: Any, better: Any, last: Any) -> Any:
    """SciPy's value where it agrees with the better one; `last` is the last parameter."""
    agreement = np.where(last < 0, _AGREEMENT_BELOW, _AGREEMENT)
    return np.where((np.abs(better - w) <= agreement * np.abs(better)) & np.isfinite(better), w, better)


def _is_plain(x: Any) -> bool:
    """Whether no other package answers a call of a ufunc with it."""
    return getattr(type(x), "__array_ufunc__", _OF_ARRAYS) is _OF_ARRAYS


def _with_zeros(z: Any, here: Any, args: Sequence[Any]) -> Any:
    """The last argument in the form in which it was given, but 0 in some places."""
    if here.ndim == 0:
        return type(z)(0) if isinstance(z, _NUMBERS) else np.zeros_like(z)
    x = z + np.zeros(here.shape, np.result_type(*args) if isinstance(z, _NUMBERS) else args[-1].dtype)
    x.view(np.ndarray)[here] = 0.0
    return x


def _is_double(x: Any, char: str, number: type) -> bool:
    return type(x) in (number, np.float64) or (type(x) is np.ndarray and x.dtype.char == char)


def _is_coarse_limit(v: Any, z: Any) -> Any:
    """SciPy's quotients of Bessel functions overflow: from 80 on values are infinite, NaN or 0."""
    return (np.abs(v) > 60) & ~ends(v)


def _is_coarse_kummer(a: Any, b: Any, z: Any) -> Any:
    """SciPy's values of complex `z` have errors of any size, at parameters larger than 4 in the whole plane.

    At smaller ones it sums the power series, which cancels by `exp(abs(z) - abs(Re z))`, or a short expansion: measured
    are relative errors of 3e-4 at `abs(z)` from 20 to 30, and of any size from 400 on next to the imaginary axis.
    """
    return np.full_like(z, z.dtype.kind == "c", dtype=bool) | ((np.abs(z) > FAR_ON_AXIS) & ~ends(b))


def _is_endless_kummer(a: Any, b: Any, z: Any) -> Any:
    """At real `z` it divides by `exp` of some hundreds until its exponent is small, else it goes down to small `a`."""
    if z.dtype.kind == "c":
        return (np.maximum(np.abs(a), np.abs(b - a)) > _LARGEST_OF_RECURRENCES) & (z != 0)
    return ((np.abs(z) > _FARTHEST) | (np.abs(a) > _LARGEST_OF_SCALING)) & ~ends(b) & (z != 0)


def _is_endless_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    if z.dtype.kind != "c":
        return _ends_always(a, z)
    return (np.maximum(np.abs(a), np.abs(b)) > _LARGEST_OF_RECURRENCES) & (z != 0)


def _ends_always(v: Any, z: Any) -> Any:
    return np.zeros(np.broadcast_shapes(v.shape, z.shape), bool)


def _is_coarse_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    """SciPy's expansions cancel near the unit circle and outside at complex `z`, and where a gap is nearly whole.

    So do they at large parameters.  Measured at random ones up to 4, 8 and 20, in one of a thousand, of fifty and of
    three relative errors are larger than 1e-12, up to 2e-10, 3e-7 and any size; hardly any where the signs fit.
    """
    if z.dtype.kind == "c":
        return _is_coarse_complex_gauss(a, b, c, z)
    is_coarse = np.zeros_like(z, dtype=bool)
    (here,) = np.nonzero(z < -1.5)
    if here.shape[0]:
        is_coarse[here] = _is_nearly_whole(b[here] - a[here], 0.05)
    lowest, highest = min(np.min(x) for x in (a, b, c)), max(np.max(x) for x in (a, b, c))
    (here,) = np.nonzero((z > 0.9) & (z < 1))
    if here.shape[0]:
        gap = c[here] - a[here] - b[here]
        # measured: errors up to 1e-11 for a gap of 1e-4 and any size for smaller ones
        is_coarse[here] = _is_nearly_whole(gap, 0.001) & ((z[here] > 0.98) | (lowest < 0))
        if z.shape[0] >= FEWEST:
            # SciPy's series have hundreds of terms there, those about 1 few
            is_coarse[here] |= ~_is_nearly_whole(gap, 0.02, 0.0) & (z[here] > 0.95)
    if lowest >= -4 and highest <= (4 if lowest < 0 else 8):
        return is_coarse
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_negative, is_negative_too = a < 0, b < 0
    is_far, is_right, have_both = np.abs(z) > 0.5, z > 0.5, is_negative & is_negative_too
    cancels = (c < 0) | (is_far & np.where(is_right, is_negative != is_negative_too, have_both))
    cancels_at_large = (c < 0) | (is_far & ~(is_right & have_both))
    is_coarse |= (z < 1) & (((largest > 4) & cancels) | ((largest > 8) & cancels_at_large))
    # polynomials are right at small parameters, and far out at all
    return is_coarse & (~(ends(a) | ends(b)) | ((largest > 8) & (z > -3)) | (z > 0.9))


def _is_coarse_complex_gauss(a: Any, b: Any, c: Any, z: Any) -> Any:
    is_coarse = ((np.abs(z) > 1.5) & _is_nearly_whole(b - a, 0.05)) | (
        (np.abs(z - 1) < 0.15) & _is_nearly_whole(c - a - b, 0.05)
    )
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.abs(c))
    is_large = largest > np.where(np.minimum(np.minimum(a, b), c) < 0, 4.0, 8.0)
    is_large = is_large & ~(ends(a) | ends(b))
    return (z != 1) & (is_coarse | is_large | ((np.abs(z) > 0.85) & (np.imag(z) != 0)))


def _is_nearly_whole(x: Any, most: float, least: float = 1e-300) -> Any:
    gap = np.abs(x - np.rint(x))
    return (gap <= most) & (gap >= least)


hyp0f1 = _BetterValues(
    special.hyp0f1, _is_coarse_limit, confluent_limit.certain_values, confluent_limit.CONFLUENT_LIMIT, _ends_always
)
hyp1f1 = _BetterValues(
    special.hyp1f1, _is_coarse_kummer, kummer.certain_values, kummer.KUMMER, _is_endless_kummer, kummer.last_values
)
hyp2f1 = _BetterValues(
    special.hyp2f1,
    _is_coarse_gauss,
    gauss.certain_values,
    gauss.GAUSS,
    _is_endless_gauss,
    gauss.last_values,
    shared_values,
    gauss.rough_values,
)
