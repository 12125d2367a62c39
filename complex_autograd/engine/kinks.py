"""Second derivatives at kinks: where they are unknown, and how a result that depends on one is detected.

A length `r = |z|` has a kink at `z = 0`, but `f(r)` has none if `f` is even, as `cosh` is.  Its gradient is `g u` with
`g = f'(r)` and the direction `u = z / r`, and the differential of the gradient at 0 is `f''(0) dz`.  The product rule
cannot find it, since it multiplies `g = 0` by the infinite derivative of the direction.  There the second derivative is
*unknown*.  Where `g` is not 0 the kink is a true one; its second derivative is taken as that of nearby points, 0.

An unknown derivative often does not affect the result: it is masked, has a weight of 0, or `z` does not move.  So it is
taken as 0, and the fact is recorded.  The outermost transform then computes its result again, with other numbers in
place of the unknown ones and with structural zeros (`structural_zeros`).  If the result changes, it is refused.

Forward mode reaches the kink before it knows `g`.  There a kink is recorded wherever `z = 0`, and the second time the
differential is obtained from reverse mode, row by row (`push_by_rows`).

If `g` is not 0 but the derivative of `z` is, as in `|x**2|`, the function may be smooth, and kinks may cancel, as in
`log1p(exp(-|x|)) + maximum(x, 0)`.  Then the derivative depends on the subgradient.  So where a length is 0 or numbers
tie, the result is computed again with another subgradient in place of the one of minimal norm.  If the result changes,
finite differences along a direction decide: if the first derivative is as smooth on both sides as at the point, and its
derivative differs from the computed one, the result is refused (`beside`).

Functions that drop zeros from their result, such as `polymul` with leading zeros, have a jump of a similar kind: the
result is longer at nearby points, and there is no derivative if a dropped element moves (`at_jump`).  The eigenvalues
of a defective matrix, and multiple roots, vary like a root of the perturbation (`at_branch_point`).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...backends import eps_of
from .errors import NotDifferentiableError
from .operands import arange_like
from .traced import Traced, raw


class _Kinks(threading.local):
    met = 0
    about: tuple[str, str, str | None] = "", "", None
    sides = 0
    side_of = ""
    asked = ""
    live: Any = True


KINKS = _Kinks()
"""How many unknown derivatives this thread met, the last one's function, reason and argument; how many kinks under
another derivative, and the last one's function; what is to be other than usual: "numbers" in place of what is unknown,
or "sides" in place of the subgradients of least norm; and where the cotangent that is being carried is alive."""

_KINK = (
    "a second derivative was asked for where it is 0, which is a kink, and where the first derivative of what is "
    "made of it is 0 too, so that the product rule multiplies 0 by infinity. Where the whole is smooth, write it "
    "without the kink: abs(x)**2 for abs(x) * abs(x), norm(x)**2 / s**2 for (norm(x) / s)**2, cosh(x) for "
    "cosh(abs(x)), np.var(x) for np.std(x)**2; or np.sum(np.abs(x)**2), x**2 + y**2, np.real(z * np.conj(z)). "
    "Where it is not smooth (abs(x) * x), take a side: np.where(x < 0, -x, x) for abs(x)."
)


def note_kink(r: Any, z: Any, function: str, may_be_unknown: bool = True) -> None:
    """Note that a length `r` of `z` was differentiated in forward mode, if it is 0 where `z` may move."""
    if type(z) is Traced and not np.all(raw(r)):
        if may_be_unknown:
            _note(function, _KINK)
        note_side(function)


def note_side(function: str) -> None:
    """Note that a kink of a function was met where a derivative of its derivative is taken."""
    KINKS.sides += 1
    KINKS.side_of = function


def _note(function: str, reason: str, argument: str | None = None) -> None:
    KINKS.met += 1
    KINKS.about = function, reason, argument


def at_jump(x: Any, left_out: Any, function: str, reason: str) -> Any:
    """A result, whose derivative in elements that were left out of it is unknown.

    Parameters
    ----------
    x : array
        The result.
    left_out : array
        The zeros that are not in it.
    function, reason : str
        What left them out, and why there is no derivative, for the error.
    """
    return _moving_as(np.expm1, x, left_out, (function, reason, None))  # of every order its derivative at 0 is 1


def at_branch_point(x: Any, a: Any, error: NotDifferentiableError) -> Any:
    """A result that moves as a root of the change of an array, so that its derivative in it is infinite.

    Parameters
    ----------
    x, a : array
        The result, and an argument of what computed it.
    error : NotDifferentiableError
        What is said where the result of a transform depends on the derivative.
    """
    return _moving_as(np.sqrt, x, a, (error.function, error.reason, error.argument))


def _moving_as(function: Any, x: Any, a: Any, about: tuple[str, str, str | None]) -> Any:
    """A result `x`, to which a function of how `a` moves is added where unknown derivatives are to be other than 0."""
    if type(a) is not Traced or not a.size:
        return x
    _note(*about)
    if KINKS.asked != "numbers":
        return x
    da, unit = a - raw(a), 1 + 2j if x.dtype.kind == "c" else 1
    moved = np.sum(_generic(a) * (np.real(da) + 2 * np.imag(da)))
    return x + (unit * _generic(x)).astype(x.dtype) * function(moved)


def _generic(a: Any) -> Any:
    """Numbers between 1 and 2, as different as the golden ratio makes them, in the shape of a real or complex array."""
    return (1 + np.modf(arange_like(a, math.prod(a.shape)) * 0.6180339887498949)[0]).reshape(a.shape)


def unknown_at(g: Any, r: Any, z: Any, function: str, may_be_unknown: bool = True) -> Any:
    """The factor of `direction_at_kink(z)` in the cotangent of `z`, beside the term `g u`; None where that is all.

    Parameters
    ----------
    g, r : array
        The cotangent of a length, and the length.
    z : array
        Of what, real or complex.
    function : str
        The function that computed it, for the error.
    may_be_unknown : bool
        Whether a function of it can have a second derivative where it is 0.
    """
    if (type(z) is not Traced and KINKS.asked != "sides") or np.all(raw(r)):
        return None
    zero = (raw(r) == 0) & KINKS.live
    if not np.any(zero):
        return None
    note_side(function)
    if KINKS.asked == "sides":
        return g * zero
    unknown = zero & (raw(g) == 0)
    if not may_be_unknown or not np.any(unknown):
        return None
    _note(function, _KINK)
    return _generic(r).astype(r.dtype) * unknown if KINKS.asked else None


def weights_of_ties(a: Any, hits: Any, function: str) -> Any:
    """The elements of an array that were chosen, 1 each, or with other weights for another subgradient."""
    note_side(function)
    return hits * _generic(a) if KINKS.asked == "sides" else hits


def tie_offset(ties: Any, function: str, *arguments: Any) -> Any:
    """By how much one of two numbers has more than half of the derivative: 0, but with another subgradient at ties.

    Parameters
    ----------
    ties : array of bool
        Where they are equal.
    function : str
        The function that chose one, for the error.
    *arguments : array
        The numbers.
    """
    if not are_kinks_noted(*arguments) or not np.any(ties):
        return 0.0
    note_side(function)
    return 0.3 * ties if KINKS.asked == "sides" else 0.0


def are_kinks_noted(*arguments: Any) -> bool:
    """Whether a kink in these arguments is to be noted, or to have another subgradient."""
    return any(type(a) is Traced for a in arguments) or KINKS.asked == "sides"


def subgradient_offset(r: Any, z: Any) -> Any:
    """What is added to the subgradient of least norm of a length `r` of `z`, for another one where it is 0; or None."""
    return generic_direction(z) / 2 * (raw(r) == 0) if KINKS.asked == "sides" else None


def direction_at_kink(z: Any) -> Any:
    """What a length moves along where it is 0: along `z`, or along what is another subgradient."""
    return generic_direction(z) / 2 if KINKS.asked == "sides" else z


def is_plain(arrays: Sequence[Any]) -> bool:
    """Whether no derivative is taken outside of the one with these variables."""
    return not any(isinstance(x, Traced) for x in arrays)


def refuse_unknown(found: Sequence[Any], again: Sequence[Any], given: Sequence[Any]) -> None:
    """Raise if a result is another one with other numbers in place of the unknown derivatives.

    What is zero but for rounding is measured by the largest of the results and of the tangents or cotangents `given`.
    """
    size = max((largest(raw(a)) for a in (*found, *again, *given)), default=0.0)
    if all(_is_same(raw(a), raw(b), size) for a, b in zip(found, again, strict=True)):
        return
    raise NotDifferentiableError(*KINKS.about)


def largest(a: Any) -> float:
    """The largest finite absolute value of an array."""
    if a is None or a.dtype.kind not in "fc":
        return 0.0
    return float(np.max(np.abs(np.where(np.isfinite(a), a, 0)), initial=0.0))


def _is_same(a: Any, b: Any, largest: float) -> bool:
    """Whether two results differ by no more than what rounding leaves of unknown numbers that cancel."""
    if a is None or b is None:
        return a is b or not np.any(b if a is None else a)
    if a.dtype.kind not in "fc":
        return True
    eps = eps_of(a.dtype)
    finite = np.isfinite(a) & np.isfinite(b)
    x, y = np.where(finite, a, 0), np.where(finite, b, 0)
    size = np.maximum(np.abs(x), np.abs(y))
    allowed = math.sqrt(eps) / 16 * size + 1e3 * eps * largest
    return bool(np.all(np.isfinite(a) == np.isfinite(b)) and np.all(np.abs(x - y) <= allowed))


def generic_direction(x: Any) -> Any:
    """Generic numbers in the shape of an array, complex ones if it is complex."""
    return (_generic(x) * (0.6 + 0.8j if x.dtype.kind == "c" else 1.0)).astype(x.dtype)
