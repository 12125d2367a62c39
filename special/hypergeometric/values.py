"""Better values of hypergeometric functions, where SciPy's algorithms lose digits.

A series that shows by its moduli that it has not cancelled gives the values of arrays alone.  Elsewhere SciPy's are
compared with those of the algorithms for derivatives; and a number keeps SciPy's where they agree, as in SciPy's tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from ...backends import in_pieces
from ...backends.scipy_errors import is_quiet
from ...complex_autograd.engine.operands import operands
from ..numerics.hypergeometric_series import AT_ONCE
from ..numerics.regions import is_pole
from ..numerics.warned import warn
from ..scipy_repairs.hazards import is_endless_gauss, is_endless_kummer, never
from ..ufuncs.large_arrays import SMALLEST_PIECE, threaded
from ..ufuncs.parameter_families import ParameterFamily
from ..ufuncs.patched_ufunc import PatchedUfunc
from .confluent import kummer, kummer_direct, kummer_values
from .confluent import limit_function as confluent_limit
from .gauss import derivatives as gauss
from .gauss import values as gauss_values
from .gauss.shared import FEWEST_VALUES, shared_values, shares
from .inaccurate import (
    is_inaccurate_gauss,
    is_inaccurate_kummer,
    is_inaccurate_limit,
    is_right_at_one,
    is_usual_gauss,
    is_usual_kummer,
    is_usual_limit,
)

__all__ = ["hyp1f1", "hyp2f1"]

_LARGE = 300
"""Parameters up to here are compared."""

_DOUBTFUL, _FAR_BELOW = 100, -8.0
"""From here on, at complex arguments, and of `hyp2f1` below this last parameter, SciPy's values that have nothing to
compare with are reported."""

_AGREEMENT, _AGREEMENT_BELOW = 2e-13, 2e-11
"""Up to this relative difference both are right, and the value stays SciPy's; where the last parameter is negative,
between its poles, ours has errors of 1e-11 as well."""

_MANY = 2000
"""From so many real arguments on direct values are had faster than SciPy's."""

_SINGLE = 4
"""Up to so many elements the series in integers takes less time than the family."""

_FEW = 8
"""Where less than one in so many is doubtful SciPy's values are had of all."""


class _BetterValues:
    """The better values of a ufunc of real parameters and one argument, real or complex.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    is_inaccurate : callable
        Of all arguments: where SciPy's values lose digits.
    certain : callable
        Values that need no comparison, within that; NaN where there are none.
    family : ParameterFamily
        What SciPy's values are compared with elsewhere.
    is_endless : callable
        Of all arguments: where SciPy's loops take minutes or years; values are `certain`, or NaN with a warning.
    shared : callable, optional
        Values of parameters that are numbers at many real arguments, NaN where it has none.
    is_usual : callable
        Of numbers, in a microsecond: where SciPy's value is seen to be right.
    last : callable, optional
        Values for a high price, where the family has none either.
    extended : callable, optional
        Values in extended precision, for a price that is lower than that of the family, NaN where it has none.
    direct : callable, optional
        Values of many real elements, for a price that is lower than SciPy's, NaN where it has none.
    """

    def __init__(
        self,
        ufunc: np.ufunc,
        is_inaccurate: Callable[..., Any],
        certain: Callable[..., Any],
        family: ParameterFamily,
        is_endless: Callable[..., Any],
        is_usual: Callable[..., bool],
        last: Callable[..., Any] | None = None,
        shared: Callable[..., Any] | None = None,
        extended: Callable[..., Any] | None = None,
        direct: Callable[..., Any] | None = None,
    ) -> None:
        self.ufunc, self.is_inaccurate = ufunc, is_inaccurate
        self.is_endless, self.is_usual = is_endless, is_usual
        self.last, self.shared, self.extended, self.direct = last, shared, extended, direct
        self.certain = certain
        self.family = family

    def patched(self) -> PatchedUfunc:
        """The ufunc with these values."""
        return PatchedUfunc(
            self.ufunc, better=self._better, quick=self._of_numbers, of_arrays=self._of_arrays, operands=operands
        )

    def _of_numbers(self, *args: float) -> Any:
        if self.is_usual(*args):
            return self.ufunc(*args)
        numbers = [np.array([x], np.float64) for x in args]
        with np.errstate(all="ignore"):
            return None if self._has_better(*numbers) else self.ufunc(*args)

    def _of_arrays(self, *args: Any) -> Any:
        return self._values(None, args) if self._is_direct(args) else None

    def _is_direct(self, args: Sequence[Any]) -> bool:
        """Whether they are arrays, and numbers, in double precision, the parameters real."""
        if not any(np.ndim(x) for x in args) or not is_quiet():
            return False
        *parameters, z = args
        is_double = _is_double(z, "D", complex) or _is_double(z, "d", float)
        return is_double and all(_is_double(p, "d", float) for p in parameters)

    def _has_better(self, *args: Any) -> Any:
        return (self.is_inaccurate(*args) & np.isfinite(sum(args))) | self.is_endless(*args)

    def _better(self, w: Any, *args: Any) -> Any:
        return self._values(w, args)

    def _values(self, w: Any, args: Sequence[Any]) -> Any:
        """The values; `w`, where it is not None, are SciPy's."""
        given = [x[()] if hasattr(x, "dtype") else x for x in (args if w is None else (*args, w))]
        columns = [np.reshape(x, (-1,)) for x in np.broadcast_arrays(*given)]
        shape = np.broadcast_shapes(*(np.shape(x) for x in given))
        flat = [x.astype("D" if x.dtype.kind == "c" else "d", copy=False) for x in columns]
        known = None if w is None else flat.pop().copy()
        out = np.empty_like(flat[-1])
        shared = self._of_shared_parameters(args) if w is None else None

        def run(piece: slice) -> None:
            with np.errstate(all="ignore"):
                for i in range(piece.start, piece.stop, AT_ONCE):
                    here = slice(i, min(i + AT_ONCE, piece.stop))
                    parts = [x[here] for x in flat]
                    if shared is None:
                        out[here] = self._block(None if known is None else known[here], parts, is_number=not shape)
                    else:
                        out[here] = self._shared_block(shared, parts)

        if out.size:
            in_pieces(run, out.size, SMALLEST_PIECE)
        return np.reshape(out, shape)[()]

    def _of_shared_parameters(self, args: Sequence[Any]) -> Callable[[Any], Any] | None:
        """The values by the last argument alone, if the parameters are numbers together with enough real ones."""
        *parameters, z = args
        if self.shared is None or not shares(parameters, z, FEWEST_VALUES):
            return None
        return partial(self.shared, *map(float, parameters))

    def _shared_block(self, shared: Callable[[Any], Any], args: Sequence[Any]) -> Any:
        out = shared(args[-1])
        (others,) = np.nonzero(np.isnan(out))
        if others.shape[0]:
            out[others] = self._block(None, [x[others] for x in args], is_number=False)
        return out

    def _block(self, w: Any, args: Sequence[Any], *, is_number: bool) -> Any:
        z = args[-1]
        if w is not None or self.direct is None or z.shape[0] < _MANY or z.dtype.kind == "c":
            return self._corrected(w, args, is_number=is_number)
        out = self.direct(*args)
        (others,) = np.nonzero(np.isnan(out))
        if others.shape[0] == out.shape[0]:
            return self._corrected(None, args, is_number=False)
        if others.shape[0]:
            out[others] = self._corrected(None, [x[others] for x in args], is_number=False)
        return out

    def _corrected(self, w: Any, args: Sequence[Any], *, is_number: bool) -> Any:
        """SciPy's values, and others where these are doubtful."""
        is_kept = is_number and w is not None
        is_inaccurate = self._has_better(*args)
        (here,) = np.nonzero(is_inaccurate)
        if here.shape[0] == 0:
            return self.ufunc(*args) if w is None else w
        if w is None and _FEW * here.shape[0] <= is_inaccurate.shape[0]:
            w = threaded(self.ufunc)(*args)
        doubtful = [x[here] for x in args]
        better = self.certain(*doubtful)
        (missing,) = np.nonzero(np.isnan(better))
        if w is None:
            others, w = ~is_inaccurate, np.empty_like(args[-1])
            others[here[missing]] = True
            w[others] = threaded(self.ufunc)(*[x[others] for x in args])
        theirs = w[here]
        if is_kept:
            better = _kept(theirs, better, doubtful[-2])
        if missing.shape[0]:
            better[missing] = theirs[missing]
            rest = [x[missing] for x in doubtful]
            # of few elements those that are only had faster are not among them
            (again,) = np.nonzero(self._has_better(*rest))
            indices = missing[again]
            better[indices] = self._compared(theirs[indices], [x[again] for x in rest])
        w[here] = better
        return w

    def _compared(self, w: Any, args: Sequence[Any]) -> Any:
        """SciPy's, but ours where they differ; a warning where there is nothing to compare with."""
        if not w.shape[0]:
            return w
        better = np.full_like(w, np.nan) if self.extended is None else self.extended(*args)
        is_moderate = sum(np.abs(p) > _LARGE for p in args[:-1]) == 0
        (indices,) = np.nonzero(is_moderate & np.isnan(better))
        methods = [method for method in (self.family.value, self.last) if method is not None]
        for method in reversed(methods) if indices.shape[0] <= _SINGLE else methods:
            if indices.shape[0]:
                better[indices] = method(*[x[indices] for x in args])
                indices = indices[np.isnan(better[indices])]
        is_known = np.isfinite(better)
        # of positive parameters SciPy's `hyp0f1` fails by 0, NaN and infinity alone
        is_right = (w != 0) & (args[0] > 0) if len(args) == 2 else is_right_at_one(*args)
        is_large = sum(np.abs(p) > _DOUBTFUL for p in args[:-1]) > 0
        is_large |= (args[-2] < _FAR_BELOW) if len(args) == 4 else False
        is_doubtful = np.isfinite(w) & ~is_right & ~is_pole(args[-2]) & (is_large | (w.dtype.kind == "c"))
        # SciPy's `hyp2f1` is NaN at such parameters, and its tests allow no warning
        is_missing = (self.is_endless(*args) | np.isnan(w)) & np.isfinite(sum(args)) & (len(args) < 4)
        if np.any(~is_known & (is_doubtful | (is_missing & ~is_pole(args[-2])))):
            warn(
                f"{self.ufunc.__name__}: SciPy's value may be wrong, or takes so long that it is NaN here, and there "
                "is none to compare it with. Likely cause: large parameters, where all expansions cancel. Take more "
                "moderate ones, or use mpmath there."
            )
        return np.where(is_known, _kept(w, better, args[-2]), w)


def _kept(w: Any, better: Any, last: Any) -> Any:
    """SciPy's value where it agrees with the better one; `last` is the last parameter."""
    agreement = np.where(last < 0, _AGREEMENT_BELOW, _AGREEMENT)
    return np.where((np.abs(better - w) <= agreement * np.abs(better)) & np.isfinite(better), w, better)


def _is_double(x: Any, char: str, number: type) -> bool:
    return type(x) in (number, np.float64) or (type(x) is np.ndarray and x.dtype.char == char)


hyp0f1 = _BetterValues(
    special.hyp0f1,
    is_inaccurate_limit,
    confluent_limit.certain_values,
    confluent_limit.CONFLUENT_LIMIT,
    never,
    is_usual_limit,
    confluent_limit.last_values,
).patched()
hyp1f1 = _BetterValues(
    special.hyp1f1,
    is_inaccurate_kummer,
    kummer_values.certain_values,
    kummer.KUMMER,
    is_endless_kummer,
    is_usual_kummer,
    kummer_values.last_values,
    direct=kummer_direct.direct_values,
).patched()
hyp2f1 = _BetterValues(
    special.hyp2f1,
    is_inaccurate_gauss,
    gauss_values.certain_values,
    gauss.GAUSS,
    is_endless_gauss,
    is_usual_gauss,
    gauss_values.last_values,
    shared_values,
    gauss_values.extended_values,
).patched()
