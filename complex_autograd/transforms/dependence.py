"""Whether a derivative depends on arbitrary choices: computes it again with other choices (`choices`), and compares.

The comparison reduces each array to a single truth value, so that a compiled function keeps its program for other
numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple

import numpy as np

from ..engine.choices import CHOICES, is_single, largest, other_choices, perturbed_matrices, perturbed_point
from ..engine.errors import DifferentiationError, GaugeError
from ..engine.opaque import RECORDING
from ..engine.reverse import own
from ..engine.traced import parts_of
from .arguments import as_array, flatten

_SAME: Final = 0.38
"""Up to `eps` to this power, relative to the largest number, two results are the same."""

_EPS: Final = float(np.finfo(np.float64).eps)

_ROUNDING: Final = 64.0
"""Up to this many times the rounding errors that are seen, values with other phases are the same."""

_FLOOR: Final = 0.75
"""Below `eps` to this power nothing is seen, as losses are of size one; of derivatives, times the cotangent."""


class Found(NamedTuple):
    """The values of a function, and what computes its derivative from the cotangents or tangents given."""

    leaves: Sequence[Any]
    derivative: Callable[..., Sequence[Any]]


class Phases(NamedTuple):
    """A function that gave out vectors with phases: how often of traced matrices, of plain ones, and in a sweep.

    Of its arrays, so many first axes are those of mapped functions; `decompositions` are what `remembered` kept.
    """

    f: Callable[..., Any]
    has_aux: bool
    items: int
    traced: int
    plain: int
    decompositions: dict[Any, Any] | None
    swept: int = 0

    def values(self, point: Sequence[Any]) -> Sequence[Any] | None:
        """The values without a derivative, with the phases asked for; None where that is not sure."""
        if self.plain or self.swept or RECORDING[0]:  # a program calls plain functions later, without other phases
            return None
        before, CHOICES.underived = CHOICES.phased + CHOICES.plain, True
        outer, CHOICES.decompositions = CHOICES.decompositions, self.decompositions
        try:
            out = self.f(*map(own, point))
            values = [as_array(x) for x in flatten(out[0] if self.has_aux else out)[0]]
            return values if CHOICES.phased + CHOICES.plain - before == self.traced else None
        except Exception:  # where only a transform runs it, or tells why it does not
            return None
        finally:
            CHOICES.underived, CHOICES.decompositions = False, outer


def refuse_dependent(
    found: Found,
    run: Callable[[Sequence[Any]], Found],
    point: Sequence[Any],
    given: Sequence[Any],
    otherwise: Found | None,
    phases: Phases | None,
    items: int,
) -> Found:
    """Raise if a derivative is another one with other choices; what was found with these.

    Parameters
    ----------
    found : Found
        What was found.
    run : callable
        Returns the same at a point.
    point : sequence of array
        The point.
    given : sequence of array
        The cotangents or tangents that derivatives are linear in.
    otherwise : Found or None
        What is found with other choices, where that is known.
    phases : Phases or None
        The function, where nothing was chosen but phases.
    items : int
        How many first axes of every array are those of mapped functions: each item is compared on its own.
    """
    if phases is not None:
        return _refuse_phases(found, lambda: run(point), phases, point, otherwise, items)

    def perturbed() -> Found:
        """By which it is measured what is zero but for rounding."""
        with perturbed_matrices():
            return run(perturbed_point(point, items))

    with other_choices():
        otherwise = otherwise or run(point)
        _refuse_chosen(found.leaves, found.derivative(given), otherwise, given, perturbed, items)
    return otherwise


def _refuse_chosen(
    leaves: Sequence[Any],
    derivative: Sequence[Any],
    again: Found,
    given: Sequence[Any],
    perturbed: Callable[[], Found],
    items: int,
) -> None:
    """Raise if a derivative is another one with other choices."""
    if not _are_same(leaves, again.leaves, 1.0, items=items) and not _are_same(
        leaves, again.leaves, 1.0, _measured(lambda: perturbed().leaves, leaves), items
    ):
        if not is_single(leaves, items):
            return
        raise GaugeError(
            "a derivative was asked for of a function that makes use of the vectors of equal (or zero) eigenvalues or "
            "singular values, and that returned another value when they were chosen otherwise. Likely causes: it "
            "depends on their choice, which is arbitrary; or it draws random numbers, or changes what it reads. Use "
            + _REMEDY
        )
    size, other = reduce(np.maximum, [largest(g, items) for g in given], 0.0), again.derivative(given)
    if not _are_same(derivative, other, size, items=items) and not _are_same(
        derivative, other, size, _measured(lambda: perturbed().derivative(given), derivative), items
    ):
        raise GaugeError(
            "a derivative was asked for that does not exist: it depends on the choice of the vectors of equal (or "
            "zero) eigenvalues or singular values, which is arbitrary, though the value does not. Likely cause: a "
            "matrix, or a function of it, is written in its own vectors, as H(v) @ a @ v, which is diagonal whatever "
            "the choice; but a + da is diagonal in none but its own. Use the eigenvalues in its place, or " + _REMEDY
        )


def _refuse_phases(
    found: Found, run: Callable[[], Found], phases: Phases, point: Sequence[Any], otherwise: Found | None, items: int
) -> Found:
    """Raise if the value of a function is another one with other phases, by more than rounding errors make of it.

    These are measured: by the values where the same phases are moved by rounding errors.
    """
    with_derivative: list[Found] = []

    def values(variant: int) -> Sequence[Any]:
        if not with_derivative:
            with other_choices(of_bases=False, variant=variant):
                plain = phases.values(point)
            if plain is not None:
                return plain
        with other_choices(of_bases=False, variant=variant):
            with_derivative.append(run())
        return with_derivative[-1].leaves

    others = values(0) if otherwise is None else otherwise.leaves
    known = otherwise or (with_derivative[0] if with_derivative else found)
    if _are_same(found.leaves, others, 0.0, items=items, exactly=True):
        return known
    again = values(-1)
    if not _are_same(found.leaves, again, 1.0, items=items):
        return known
    if _are_apart(again, others, [values(variant) for variant in range(1, 5)], items):
        raise GaugeError(
            "a derivative was asked for of a function that depends on the phases of complex eigenvectors, singular "
            "vectors or the columns of a Schur form, which are arbitrary: it returned another value when they were "
            "others. Where a convention is meant, gauge='max-real' or 'lapack' fixes one. Or use a quantity that does "
            "not depend on them: abs(v), v @ diag(f(w)) @ H(v), or a function of the matrix. Vectors that meet have to "
            "come from one call: two calls with the same matrix may return other phases."
        )
    return known


def _are_apart(found: Sequence[Any], others: Sequence[Any], moved: Sequence[Sequence[Any]], items: int) -> bool:
    """Whether arrays are others by far more than what the same with rounding errors differ among each other."""
    parts = [[part for x in arrays for part in parts_of(x)] for arrays in (found, others, *moved)]
    return any(_is_apart(*same, items=items) for same in zip(*parts, strict=True) if same[0].dtype.kind in "fc")


def _is_apart(a: Any, b: Any, *moved: Any, items: int) -> bool:
    rounding = float(np.finfo(a.dtype).eps) * np.maximum(largest(a, items), largest(b, items))
    for x in moved:
        rounding = np.maximum(rounding, _distance(x, b, items))
    return bool(np.any(_distance(a, b, items) > _ROUNDING * rounding))


def _distance(a: Any, b: Any, items: int) -> Any:
    """By how much the finite elements of each item differ at most."""
    return largest(np.where(np.isfinite(b), a - b, 0.0), items)


def _measured(compute: Callable[[], Sequence[Any]], found: Sequence[Any]) -> Sequence[Any]:
    """What is computed, and what was found where that fails."""
    try:
        with np.errstate(all="ignore"):
            return compute()
    except (ArithmeticError, ValueError, DifferentiationError):
        return found


_REMEDY: Final = (
    "v @ diag(f(w)) @ H(v), v @ H(v) over all columns of equal values, or a function of the matrix; along one "
    "direction there is jvp."
)


def _are_same(
    found: Sequence[Any],
    again: Sequence[Any],
    unit: Any,
    measures: Sequence[Any] = (),
    items: int = 0,
    exactly: bool = False,
) -> bool:
    """Whether arrays, and how they move, are the same: relative to size, the unit, the measures; or to last digits."""
    if not measures and len(found) == len(again) == 1 and type(found[0]) is type(again[0]) is np.float64:
        return math.isclose(found[0], again[0], rel_tol=_relative(_EPS, exactly), abs_tol=_EPS**_FLOOR * unit)
    pairs = [list(map(parts_of, arrays)) for arrays in (found, again, measures or found)]
    return all(
        _is_same(x, y, measure, unit, items, exactly)
        for parts in zip(*pairs, strict=True)
        for x, y, measure in zip(*parts, strict=True)
        if x.dtype.kind in "fc"
    )


def _is_same(a: Any, b: Any, measure: Any, unit: Any, items: int, exactly: bool) -> bool:
    eps = float(np.finfo(a.dtype).eps)
    size = np.maximum(np.maximum(largest(a, items), largest(b, items)), largest(measure, items))
    return bool(np.all(_distance(a, b, items) <= _relative(eps, exactly) * size + eps**_FLOOR * unit))


def _relative(eps: float, exactly: bool) -> float:
    return _ROUNDING * eps if exactly else eps**_SAME
