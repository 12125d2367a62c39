"""Decides what a derivative computed with Laurent series finally is: the series, or the directly computed value.

For a loss that has a derivative, the poles cancel up to rounding errors, and the term of order 0 is the derivative.
The sizes of the terms tell which of the two is more accurate, and whether either is accurate enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final, final

import numpy as np

from ....backends import eps_of
from ....complex_autograd.engine.errors import NO_DERIVATIVE, DifferentiationError, GaugeError, PrecisionLossError
from ....complex_autograd.engine.traced import Traced, raw, settled
from .levels import with_plain_terms

# Powers of `eps`, the rounding error
_REFUSED: Final = 0.38
"""From this relative error on, a derivative is not given."""

_CANCELLED: Final = 0.7
"""Poles up to this, relative to the largest term, are rounding errors."""

_FLOOR: Final = 0.75
"""Below this nothing is seen next to losses of size one."""

_UNSEEN: Final = 0.6
"""The same for the largest error that is possible at all."""

_SPOILED: Final = 1e-3
"""How large that may be, relative to the largest term."""

_MARGIN: Final = 30.0
"""How much larger than estimated errors may be."""

_ALIKE: Final = 1e-2
"""Up to this difference, relative to the derivative, its series and what is computed directly are alike."""

_ACCURATE: Final = 0.575
"""Up to `eps` to this power, relative to the largest term, the terms left out of the series of a tiny matrix do."""

_TOLERABLE: Final = 0.38
"""The same where what is computed directly has larger errors."""


def norm(x: Any) -> float:
    """The largest modulus."""
    if type(x) is np.ndarray:
        return float(np.maximum.reduce(np.abs(x), axis=None, initial=0.0))
    return float(np.max(np.abs(x), initial=0.0))


def _series_at(verdict: Any, x: Any) -> Any:
    """The series that an array has at the level of a verdict, or None."""
    return x._tangent if type(x) is Traced and getattr(x._tracer, "verdict", None) is verdict else None


def _peak_at(verdict: Any, x: Any) -> float:
    """How large what cancels in an array is, at the level of a verdict."""
    own = _series_at(verdict, x)
    return 0.0 if own is None else own.peak


def _zeroth(x: Traced) -> Any:
    """The term of order 0."""
    terms = x._tangent.terms
    return terms[0] if 0 in terms else np.zeros_like(raw(x))


@final
class NearlyEqual:
    """The verdict where some values of a matrix are equal or nearly so.

    Parameters
    ----------
    errors : tuple of four floats
        `direct_error`, of what is computed at `t = 0`, where that is not NaN, relative to the terms of the series;
        `amplified`, the same of a loss without poles, in which cancels what the condition of the vectors amplifies;
        `series_error`, of what the series give; `vector_error`, of single vectors of nearly equal values.
    gap : float
        The least difference between values that are nearly equal.
    growth : float
        The condition of the vectors, with which rounding errors in poles grow.

    Attributes
    ----------
    noise : float
        The rounding errors in poles that come from cotangents, as far as a rule knows them.
    """

    __slots__ = ("amplified", "direct_error", "gap", "growth", "noise", "series_error", "vector_error")

    kind = "nearly equal"

    def __init__(self, errors: tuple[float, float, float, float], *, gap: float, growth: float) -> None:
        self.direct_error, self.amplified, self.series_error, self.vector_error = errors
        self.gap, self.growth, self.noise = gap, growth, 0.0

    def settle(self, x: Traced) -> Any:
        """What an array is at `t = 0`: the term of order 0 where the poles cancel, else what was computed there."""
        x = with_plain_terms(x)
        limit, size, is_regular = self._limit(x)
        if limit is x._value:
            return limit
        direct, series, eps = raw(x._value), raw(limit), eps_of(raw(x._value).dtype)
        noise, is_unknown = self._noise(x, eps), np.any(np.isnan(direct))
        if is_unknown and np.any(np.isnan(series)):
            return x._value
        if is_unknown and not is_regular:
            raise GaugeError(
                "numpy.linalg: a derivative was asked for of something that depends on the choice of the vectors of "
                "equal (or zero) eigenvalues or singular values, which is arbitrary, or on single ones of equal "
                "values. It does not exist. Use a quantity that does not depend on the choice: abs(v), v @ H(v) over "
                "all columns of equal values, v @ diag(f(w)) @ H(v), or a function of the matrix."
            )
        error = self.direct_error * size
        with np.errstate(invalid="ignore"):
            difference = norm(series - direct)
        allowed = _MARGIN * (error + self.series_error * size + self.direct_error / eps * noise) + eps**_FLOOR
        is_right = is_regular and self.growth * noise <= _SPOILED * size + eps**_UNSEEN
        if is_right and (is_unknown or difference <= allowed):
            return limit if is_unknown or self.series_error < self.amplified else x._value
        if difference <= _ALIKE * norm(direct):  # the error of a loss without poles, which is amplified
            error = max(error, min(difference, self.amplified * size))
        if is_unknown or is_regular or self.vector_error > eps**_REFUSED or error > eps**_REFUSED * norm(direct):
            raise PrecisionLossError(
                "numpy.linalg: rounding errors dominate a derivative. Likely causes: the loss distinguishes the "
                f"vectors of nearly equal values (they differ by {self.gap:.1e}), or eigenvalues or singular values "
                "are tiny relative to what the loss computes from them. Use a quantity that does not depend on the "
                "choice of vectors, such as v @ diag(f(w)) @ H(v), or a function of the matrix; or scale the matrix."
            )
        return x._value

    def is_regular(self, x: Traced) -> bool:
        """Whether the poles are rounding errors."""
        try:
            return self._limit(with_plain_terms(x))[2]
        except NO_DERIVATIVE:
            return False

    def tidied(self, x: Any) -> Any:
        """A result that is still being differentiated: without poles, if they are rounding errors."""
        limit, _, is_regular = self._limit(x)
        return self.regular(x) if is_regular and limit is not x._value else x

    def regular(self, x: Any) -> Any:
        """An array without the poles, which are rounding errors."""
        terms = x._tangent.terms
        if x._tangent.lowest >= 0 and terms.get(0) is x._value:
            return x
        value = self.settle(x)
        if value is x._value:  # of what tells nearly equal values apart there is no such series
            return x._tracer.series(value, {-1: np.nan * value, 0: value}, x._tangent.top)
        return x._tracer.series(value, {0: value, **{n: y for n, y in terms.items() if n > 0}}, x._tangent.top)

    def peak_of_sum(self, args: Sequence[Any]) -> float:
        """The largest modulus of poles that a sum comes from."""
        return max([_peak_at(self, x) for x in args])

    def peak_of_product(self, args: Sequence[Any], terms: dict[int, Any]) -> float:
        """The largest modulus of poles that a product comes from."""
        own = max([norm(raw(x)) for n, x in terms.items() if n < 0], default=0.0)
        peaks = [_peak_at(self, x) for x in args]
        if not any(peaks):
            return own
        sizes = [self._size(x) for x in args]
        return max([own, *(prod([*sizes[:i], y, *sizes[i + 1 :]]) for i, y in enumerate(peaks))])

    def _size(self, x: Any) -> float:
        own = _series_at(self, x)
        if own is None:
            return norm(raw(x))
        if own.largest is None:
            own.largest = max([norm(raw(y)) for y in own.terms.values()], default=0.0)
        return float(own.largest)

    def _noise(self, x: Traced, eps: float) -> float:
        """The rounding errors that poles may have."""
        return max(self.noise, eps * float(x._tangent.peak))

    def _limit(self, x: Traced) -> tuple[Any, float, bool]:
        """The term of order 0, the largest modulus in all terms, and whether the poles are rounding errors."""
        sizes = {n: norm(raw(y)) for n, y in x._tangent.terms.items()}
        poles, size = max((y for n, y in sizes.items() if n < 0), default=0.0), max(sizes.values(), default=0.0)
        eps = eps_of(raw(x._value).dtype)
        rounding = eps**_CANCELLED * size + eps**_FLOOR
        is_regular = poles <= rounding + _MARGIN * (self.series_error * size + self.growth * self._noise(x, eps))
        return _zeroth(x), size, is_regular


# Of a loss that changes on the scale of numbers of size one, terms of order n are as small as the n-th power of the
# values, and the first one left out is the error.  Of one that changes on the scale of the values they are all of one
# size; then rounding errors do not harm what is computed directly, and the series says nothing, but that the two differ
# by no more than its terms.
@final
class Tiny:
    """The verdict where all values of a matrix are tiny, and the series takes them for nearly equal.

    Parameters
    ----------
    unit : float
        The largest modulus of the values.
    kept : int
        How many terms the series has beyond those needed for equal values.

    Attributes
    ----------
    problem : DifferentiationError or None
        Why something could not be computed directly, and is NaN.
    """

    __slots__ = ("kept", "problem", "unit")

    kind = "tiny"

    def __init__(self, unit: float, kept: int) -> None:
        self.unit, self.kept = unit, kept
        self.problem: DifferentiationError | None = None

    def settle(self, x: Traced) -> Any:
        """The term of order 0 where the series converges, else what was computed directly."""
        series = _zeroth(x)
        if series is x._value:
            return series
        eps = eps_of(raw(x._value).dtype)
        error, size = self._error(x)
        is_regular = self.is_regular(x) and np.all(np.isfinite(raw(series)))
        is_noise = eps * x._tangent.peak > error * self.unit
        if is_regular and error <= eps ** (_TOLERABLE if is_noise else _ACCURATE) * size:
            return series
        direct = settled(x._value)
        if self.problem is not None and np.any(np.isnan(raw(direct))):
            raise self.problem
        if is_regular and not norm(raw(series) - raw(direct)) <= error:
            raise PrecisionLossError(
                "numpy.linalg: rounding errors dominate a derivative. Likely cause: all values of a matrix are at most "
                f"{self.unit:.1e}, and the loss computes something from them that hardly depends on them, such as "
                "v @ diag(w**6 + 1) @ H(v). Scale the matrix, or use a function of the matrix."
            )
        return direct

    def tidied(self, x: Any) -> Any:
        """A result that is still being differentiated: without poles, if they are rounding errors."""
        below = x._value
        if isinstance(below, Traced) and below._tracer.hidden:
            try:
                below = below._tracer.tidied(below)
            except NO_DERIVATIVE as problem:  # of what the series may do without
                self.problem, below = problem, np.nan * raw(below)
        terms = x._tangent.terms
        if self.is_regular(x):
            terms = {n: y for n, y in terms.items() if n >= 0}
        return x._tracer.series(below, terms, x._tangent.top, x._tangent.peak)

    def regular(self, x: Any) -> Any:
        """An array without the poles, which are rounding errors; without a series where they are not."""
        if x._tangent.lowest >= 0:
            return x
        terms = {n: y for n, y in x._tangent.terms.items() if n >= 0}
        if not self.is_regular(x):
            terms = dict.fromkeys((-1, 0), np.nan * raw(x))
        return x._tracer.series(x._value, terms, x._tangent.top, x._tangent.peak)

    def _error(self, x: Traced) -> tuple[float, float]:
        """The error of the term of order 0, and the largest modulus of the terms that tell it."""
        sizes = {n: norm(raw(y)) for n, y in x._tangent.terms.items() if 0 <= n <= self.kept + 1}
        error = max((y * self.unit ** (self.kept + 1 - n) for n, y in sizes.items()), default=0.0)
        return _MARGIN * error, max(sizes.values(), default=0.0)

    def peak_of_sum(self, args: Sequence[Any]) -> float:
        """How large what cancels in a sum is."""
        return max(map(self._largest, args))

    def peak_of_product(self, args: Sequence[Any], terms: dict[int, Any]) -> float:
        """How large what cancels in a product is, which may be a sum of products."""
        return prod(map(self._largest, args))

    def _largest(self, x: Any) -> float:
        """How large an array and what cancels in it are, which a series remembers."""
        own = _series_at(self, x)
        if own is None:
            return norm(raw(x))
        if own.largest is None:
            own.largest = max(self._size(own.terms), own.peak)
        return float(own.largest)

    def _size(self, terms: dict[int, Any], top: int = 0) -> float:
        """The largest modulus, at `t = 1 / unit`, of terms up to an order."""
        return max([norm(raw(y)) * self.unit**-n for n, y in terms.items() if n <= top], default=0.0)

    def is_regular(self, x: Traced) -> bool:
        """Whether the poles are rounding errors."""
        rounding = _MARGIN * eps_of(raw(x._value).dtype) * float(x._tangent.peak)
        return self._size(x._tangent.terms, top=-1) <= self._error(x)[0] + rounding
