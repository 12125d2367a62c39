"""Kinks in functions that may be smooth: compares their derivatives with the behaviour of the function nearby.

If a derivative changes with the choice of subgradients, either the kink is a true one, as in `abs(x)`: there is no
derivative, and the subgradient of minimal norm is as good as any.  Or the derivative is wrong: a rule sees only one
kink, and not that the derivative of its argument is 0, as in `abs(x**2)`, or that another kink cancels it, as in
`log1p(exp(-abs(x))) + maximum(x, 0)`.  Difference quotients along a direction, on both sides and with two step sizes,
tell which: where the function is smooth they agree, and equal its derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ...backends import eps_of
from ..engine.errors import NotDifferentiableError
from ..engine.kinks import KINKS, generic_direction, largest, refuse_unknown
from ..engine.structural_zeros import asking_for_care
from ..engine.traced import raw
from .arguments import as_array, flatten
from .dependence import Found

_STEP: Final = 0.375
"""`eps` to this power is the larger of two steps beside a point."""

_FINER: Final = 32.0
"""So much smaller is the other one."""

_STRAIGHT: Final = 0.02
"""Where difference quotients on both sides and with both steps differ by less, a function is smooth."""

_SAME: Final = 16.0
"""By less than so many of the smaller steps the derivative by rules differs there from the mean of its quotients."""

_ROUNDING: Final = 1e3
"""So many units of rounding, relative to the largest of the numbers that it is made of, a derivative may be off."""

_SMOOTH = (
    "a second derivative was asked for at a kink of it, and the whole is smooth: beside the point the first derivative "
    "changes at another rate than by the rules, which see each kink alone. Write it without the kink: abs(x)**2 for "
    "abs(x**2), norm(x)**2 for hypot(x**2, y**2) where one of them is 0, x**2 for maximum(x**2, -x**2), "
    "np.logaddexp(0, x) for log1p(exp(-abs(x))) + maximum(x, 0)."
)

Values = Callable[[Sequence[Any]], Sequence[Any]]


class _Beside:
    """The difference quotients of a function beside a point, along a direction.

    Parameters
    ----------
    values : callable
        The leaves of its result, from those of its argument.
    point, leaves : sequence of array
        The leaves of the argument, and of the result there.
    directions : sequence of array
        Along what.
    """

    def __init__(self, values: Values, point: Sequence[Any], leaves: Sequence[Any], directions: Sequence[Any]) -> None:
        here = [raw(w) for w in leaves]
        eps = max((eps_of(a.dtype) for a in (*map(raw, point), *here) if a.dtype.kind in "fc"), default=0.0)
        steps = [sign * eps**_STEP / finer for finer in (1.0, _FINER) for sign in (1.0, -1.0)]
        points = [[x + t * v for x, v in zip(point, directions, strict=True)] for t in steps]
        there: list[Sequence[Any]] = []
        try:
            with np.errstate(all="ignore"):
                there = [values(moved) for moved in points]
        except Exception:  # a function that is not defined there is not smooth
            pass
        shapes = [np.shape(w) for w in here]  # one with a result of other shapes there is not smooth either
        if not there or any([np.shape(raw(w)) for w in found] != shapes for found in there):
            there = [[w * np.nan for w in here]] * len(steps)
        self.directions, self._tolerance, self._rounding = directions, _SAME * steps[2], _ROUNDING * eps
        self.quotients, self.noise, self.is_smooth = [], [], []
        for k, w in enumerate(here):
            rows = [(raw(found[k]) - w) / t for found, t in zip(there, steps, strict=True)]
            quotient, noise = (rows[2] + rows[3]) / 2, 64 * eps * largest(w) / steps[2]
            straight = [np.abs(row - quotient) <= _STRAIGHT * np.abs(quotient) + noise for row in rows[:3]]
            self.quotients.append(quotient)
            self.noise.append(noise)
            self.is_smooth.append(straight[0] & straight[1] & straight[2])

    def changes(self, leaves: Sequence[Any], turned: Sequence[Any]) -> list[Any]:
        """Where the result is another one with other subgradients."""
        pairs = [(raw(w), raw(other)) for w, other in zip(leaves, turned, strict=True)]
        return [np.abs(b - a) > self._tolerance * np.abs(a) + self._rounding * largest(a) for a, b in pairs]

    def refuse_other(
        self, found: Any, turned: Any, quotient: Any, size: float, noise: float, changes: Any, is_smooth: Any
    ) -> None:
        """Raise if a derivative changes with the subgradients where the function is smooth, and is not its quotient.

        Parameters
        ----------
        found, turned, quotient : number or array
            The derivative by rules, with other subgradients, and beside the point.
        size, noise : float
            What rounding errors of the former are relative to, and those of the quotient.
        changes, is_smooth : bool or array
            Where the result changes with the subgradients, and where it is smooth.
        """
        allowed = self._tolerance * np.maximum(np.abs(found), np.abs(quotient)) + noise + self._rounding * size
        changes = changes | (np.abs(turned - found) > allowed)
        if np.any(changes & is_smooth & (np.abs(found - quotient) > allowed)):
            raise NotDifferentiableError(KINKS.side_of, _SMOOTH)


def values_at(f: Callable[..., Any], has_aux: bool, point: Sequence[Any]) -> list[Any]:
    """The leaves of the result of a function, from those of its argument."""
    out = f(*point)
    return [as_array(w) for w in flatten(out[0] if has_aux else out)[0]]


class Reruns:
    """A function that met kinks, run again: with other numbers for what is unknown, and with other subgradients.

    Parameters
    ----------
    before : tuple of int
        `KINKS.met` and `KINKS.sides` before it ran.
    run : callable
        Runs it at the same point: its result, and its derivative, in forward mode with care.
    values : callable
        The leaves of its result, from those of its argument.
    point : sequence of array
        The leaves of its argument.
    """

    def __init__(self, before: tuple[int, int], run: Callable[[], Found], values: Values, point: Sequence[Any]) -> None:
        self._has_unknown, self._has_sides = KINKS.met != before[0], KINKS.sides != before[1]
        self._run, self._values, self._point = run, values, point
        self._found: dict[str, Found] = {}
        self._beside: _Beside | None = None

    def check_forward(self, leaves: Sequence[Any], given: Sequence[Any], pushed: Sequence[Any]) -> None:
        """Raise if tangents depend on what is unknown, or on subgradients where the function is smooth."""
        with np.errstate(all="ignore"):
            self._check_unknown(leaves, given, pushed)
            if not self._has_sides:
                return
            turned = self._again("sides")
            beside = _Beside(self._values, self._point, leaves, given)
            others = self._derivative("sides", given)
            for k, changes in enumerate(beside.changes(leaves, turned.leaves)):
                dw, other, quotient = raw(pushed[k]), raw(others[k]), beside.quotients[k]
                size = max(map(largest, (dw, other, quotient)))
                beside.refuse_other(dw, other, quotient, size, beside.noise[k], changes, beside.is_smooth[k])

    def check(
        self,
        leaves: Sequence[Any],
        given: Sequence[Any],
        pulled: Sequence[Any],
        sweep: Callable[..., Sequence[Any]],
        zeros_are_structural: bool,
    ) -> None:
        """The same of cotangents that were pulled back by a sweep."""
        with np.errstate(all="ignore"):
            how = True, zeros_are_structural
            self._check_unknown(leaves, given, pulled, *how)
            if not self._has_sides:
                return
            turned = self._again("sides")
            beside = self._beside
            if beside is None:
                beside = self._beside = _Beside(self._values, self._point, leaves, list(map(_direction, self._point)))
            given = [raw(g) * at for g, at in zip(given, beside.is_smooth, strict=True)]
            quotients = [np.where(g != 0, quotient, 0) for g, quotient in zip(given, beside.quotients, strict=True)]
            quotient, size = _inner(given, quotients)
            found, size_of_found = _inner(sweep(given, *how), beside.directions)
            other, _ = _inner(self._derivative("sides", given, *how), beside.directions)
            noise = sum(float(np.sum(np.abs(g))) * n for g, n in zip(given, beside.noise, strict=True))
            changes = [at & (g != 0) for at, g in zip(beside.changes(leaves, turned.leaves), given, strict=True)]
            beside.refuse_other(
                found, other, quotient, max(size, size_of_found), noise, any(map(np.any, changes)), True
            )

    def _again(self, kinks: str) -> Found:
        if kinks not in self._found:
            with asking_for_care(kinks):
                self._found[kinks] = self._run()
        return self._found[kinks]

    def _derivative(self, kinks: str, given: Sequence[Any], *how: bool) -> Sequence[Any]:
        with asking_for_care(kinks):
            return self._found[kinks].derivative(given, *how)

    def _check_unknown(self, leaves: Sequence[Any], given: Sequence[Any], found: Sequence[Any], *how: bool) -> None:
        if self._has_unknown:
            other = self._again("numbers")
            refuse_unknown([*leaves, *found], [*other.leaves, *self._derivative("numbers", given, *how)], given)


def _direction(x: Any) -> Any:
    """A generic tangent, each element of its own size; where it is 0 of size 1, or of that of the largest if less."""
    x = raw(x)
    size = np.abs(x)
    return (generic_direction(x) * np.where(size == 0, min(largest(x) or 1.0, 1.0), size)).astype(x.dtype)


def _inner(a: Sequence[Any], b: Sequence[Any]) -> tuple[float, float]:
    """`Re sum(conj(a) b)`, and the sum of the moduli of its terms."""
    total, size = 0.0, 0.0
    for x, y in zip(a, b, strict=True):
        if x is not None:
            terms = np.real(np.conj(raw(x)) * y)
            total, size = total + float(np.sum(terms)), size + float(np.sum(np.abs(terms)))
    return total, size
