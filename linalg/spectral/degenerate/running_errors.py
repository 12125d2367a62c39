"""Running error analysis of functions of the values of a tiny matrix, before they are combined with the vectors.

All values of such a matrix are close to each other relative to numbers of size one, and the rules divide by their
differences.  If a function of them is as accurate as it is small (`w`, `sqrt(w)`, `w**2`), its errors are small, too;
`exp(w)`, or `log(1 + w)`, has rounding errors of size one or, divided by `w`, far larger ones.  So the values carry a
bound on their rounding errors: for `f(x)` it is `|f'(x)|` times that of `x`, plus `eps |f(x)|`
[N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.3].

The bound of the values themselves is zero: they are the exact values of a matrix within rounding errors of the given
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any, Final, final

import numpy as np

from ....backends import eps_of
from ....backends.blas import sum_of_squares
from ....complex_autograd.engine.errors import Inaccurate
from ....complex_autograd.engine.reverse import ReverseTrace
from ....complex_autograd.engine.structural_zeros import CARE
from ....complex_autograd.engine.trace import ENDED_TAPE, Trace, next_level
from ....complex_autograd.engine.traced import Traced, depth_of, raw
from .equal_values import are_tiny, has_near
from .probes import PROBING

_ACCURATE: Final = 0.64
"""Up to `eps` to this power, relative to the derivative, its rounding errors may be."""


_LEVEL: Final = next_level()
"""Above the levels of all series, which are at most 1, and below those of transforms, which begin later."""


@final
class _Error:
    """What an array carries: a bound of its errors, in units of `eps`; None for what is made of vectors alone."""

    __slots__ = ("bound",)

    def __init__(self, bound: Any) -> None:
        self.bound = bound


@final
class RunningErrors(Trace):
    """Carries the bounds along, while a function is recorded.

    Attributes
    ----------
    worst : float
        The largest bound that anything had, relative to its size, when it met the vectors; infinite where unknown.
    """

    __slots__ = ("_recording", "worst")

    hidden = True

    def __init__(self, recording: ReverseTrace) -> None:
        self._recording = recording
        self.level = _LEVEL
        self.worst = 0.0

    @classmethod
    def of(cls, a: Any, values: Any, from_zero: bool = False) -> RunningErrors | None:
        """The analysis, where it stands in for the series of one tiny matrix; None where it does not."""
        if CARE.series or values.ndim != 1 or not (values.shape[0] > 1 or from_zero) or not are_tiny(values):
            return None
        is_first = isinstance(a, Traced) and isinstance(a._tracer, ReverseTrace) and not isinstance(a._value, Traced)
        if not is_first or depth_of(a) != 1 or has_near(values, 1, from_zero):
            return None
        return cls(a._tracer)

    def values(self, x: Any) -> Traced:
        """The values of the matrix."""
        return Traced(x, self, _Error(np.zeros_like(x)))

    def vectors(self, x: Any) -> Traced:
        """Its vectors."""
        return Traced(x, self, _Error(None))

    def settle(self, x: Any) -> Any:
        return x._value

    def tidied(self, x: Any) -> Any:
        return x._value

    def unary(self, rule: Any, z: Any) -> Any:
        x, bound = z._value, z._tangent.bound
        w = rule.function(x)
        if bound is None or rule.adjoints is not None:
            return Traced(w, self, z._tangent)
        with np.errstate(all="ignore"):
            bound = np.abs(rule.real_partial(w, x)) * bound + np.abs(w)
        return Traced(w, self, _Error(bound))

    def binary(self, rule: Any, a: Any, b: Any) -> Any:
        x, y = without_errors(a), without_errors(b)
        w = rule.function(x, y)
        if self._are_vectors(a) or self._are_vectors(b) or isinstance(w, Traced):
            return self._unknown(w, [a, b])
        with np.errstate(all="ignore"):
            bound = np.abs(w)
            for partial, z in zip(rule.partials, (a, b), strict=True):
                if isinstance(z, Traced):
                    bound = bound + np.abs(partial(w, x, y)) * z._tangent.bound
        return Traced(w, self, _Error(bound))

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        out = primitive(*map(without_errors, args), **params)
        if primitive.linearity != "jointly" or len(args) != 1 or isinstance(out, (tuple, Traced)):
            return self._unknown(out, args)
        x, bound = args[0]._value, args[0]._tangent.bound
        if bound is None:
            return Traced(out, self, args[0]._tangent)
        growth = max(1.0, _largest(out) / (_largest(x) or 1.0))
        return Traced(out, self, _Error(np.full_like(np.abs(out), growth * np.sum(bound + np.abs(x)))))

    def _are_vectors(self, a: Any) -> bool:
        return isinstance(a, Traced) and a._tracer is self and a._tangent.bound is None

    # With vectors the bounds have done their work; with anything else nothing says what becomes of them
    def _unknown(self, out: Any, args: Any) -> Any:
        """The result of an operation from which on no bound is carried along."""
        if self._recording.tape is ENDED_TAPE:  # of cotangents the vectors are all that is judged
            return out
        meet_vectors = any(map(self._are_vectors, args)) and not isinstance(out, Traced)
        for a in args:
            if isinstance(a, Traced) and isinstance(a._tracer, RunningErrors) and a._tangent.bound is not None:
                known = meet_vectors and a._tracer is self
                error, size = _largest(a._tangent.bound), _largest(a._value)
                relative = 0.0 if error == 0 else error / size if size else inf
                a._tracer.worst = max(a._tracer.worst, relative if known else inf)
        return out


def without_errors(x: Any) -> Any:
    """An array without its bound."""
    return x._value if isinstance(x, Traced) and isinstance(x._tracer, RunningErrors) else x


def _largest(x: Any) -> float:
    return float(np.max(np.abs(x), initial=0.0))


def refuse_inaccurate(errors: RunningErrors, of_vectors: Any, quotients: Sequence[Any], found: Sequence[Any]) -> None:
    """Raise if the errors of a cotangent of vectors, divided by gaps, spoil a derivative.

    Parameters
    ----------
    errors : RunningErrors
        Those of what met the vectors.
    of_vectors : array
        The cotangent.
    quotients : sequence of array
        What its errors are multiplied by.
    found : sequence of array
        The derivative, in parts that do not cancel each other.
    """
    if PROBING.active:
        return
    plain = raw(of_vectors)
    length = 8 * eps_of(plain.dtype) * sqrt(sum_of_squares(plain))
    error = length * (1.0 + errors.worst) * max(map(_largest, quotients))
    if not error <= eps_of(plain.dtype) ** _ACCURATE * max(_largest(raw(x)) for x in found):
        raise Inaccurate(error)
