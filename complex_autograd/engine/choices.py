"""Arbitrary choices: the vectors of equal values, and how a derivative that depends on them is noticed.

A rule sees whether a loss `f(a, v)` of a matrix and its vectors depends on the choice of `v` at `a`.  It does not see
whether it does at `a + da`: `sum(b * (H(v) @ a @ v))` with equal eigenvalues does, as `a + da` is not diagonal in the
vectors chosen for `a`.  Then what is found depends on the choice, and no derivative is linear in `da`.  So where
vectors of equal values were chosen, and nothing shows that they made functions of the matrix alone, the transform
computes its result again with other choices, and refuses it if it is another one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import numpy as np

from .errors import DifferentiationError, GaugeError
from .structural_zeros import generic_like
from .traced import Traced, parts_of, raw

_SAME: Final = 0.38
"""Up to `eps` to this power, relative to the largest number, two results are the same."""

_FLOOR: Final = 0.75
"""Below `eps` to this power nothing is seen, as losses are of size one; of derivatives, times the cotangent."""

_BESIDE: Final = 0.25
"""`eps` to this power is how far beside the point, relative to it, the size of a derivative is looked at."""


class _Choices(threading.local):
    made = 0
    unclear = 0
    felt = 0
    others = False


CHOICES: Final = _Choices()
"""How often this thread chose vectors of equal values, did so or went on where nothing shows later what they are used
for, and had a cotangent of them; and whether it is to choose others."""


@contextmanager
def other_choices() -> Iterator[None]:
    """Choose other vectors of equal values."""
    CHOICES.others = True
    try:
        yield
    finally:
        CHOICES.others = False


def shows_choice(unclear: int, outputs: Sequence[Any]) -> bool:
    """Whether outputs may depend on a choice that was made since `CHOICES.unclear` was so many."""
    return not CHOICES.others and (CHOICES.unclear != unclear or any(map(is_unclear, outputs)))


def is_unclear(x: Any) -> bool:
    """Whether nothing shows what an array is made of at one of its hidden levels."""
    while isinstance(x, Traced):
        if x._tracer.hidden and x._tracer.is_unclear(x):
            return True
        x = x._value
    return False


class Found(NamedTuple):
    """The values of a function, and what computes its derivative."""

    leaves: Sequence[Any]
    derivative: Callable[[], Sequence[Any]]


def refuse_chosen(
    leaves: Sequence[Any],
    derivative: Sequence[Any],
    again: Found,
    given: Sequence[Any],
    beside: Callable[[], Found],
) -> None:
    """Raise if a derivative is another one with other choices.

    Parameters
    ----------
    leaves, derivative : sequence of array
        The values of the function, and what was found.
    again : Found
        The same with other choices.
    given : sequence of array
        The cotangents or tangents that derivatives are linear in.
    beside : callable
        Returns the same at a point beside, by which it is measured what is zero but for rounding.
    """
    if not _are_same(leaves, again.leaves, 1.0) and not _are_same(
        leaves, again.leaves, 1.0, _measured(lambda: beside().leaves, leaves)
    ):
        if len(leaves) > 1 or raw(leaves[0]).size > 1:
            return  # outputs that are vectors themselves: what is made of them, the caller knows
        raise GaugeError(
            "a derivative was asked for of a function that makes use of the vectors of equal (or zero) eigenvalues or "
            "singular values, and that returned another value when they were chosen otherwise. Likely causes: it "
            "depends on their choice, which is arbitrary; or it draws random numbers, or changes what it reads. Use "
            + _REMEDY
        )
    size, other = max(map(_largest, given), default=0.0), again.derivative()
    if not _are_same(derivative, other, size) and not _are_same(
        derivative, other, size, _measured(lambda: beside().derivative(), derivative)
    ):
        raise GaugeError(
            "a derivative was asked for that does not exist: it depends on the choice of the vectors of equal (or "
            "zero) eigenvalues or singular values, which is arbitrary, though the value does not. Likely cause: a "
            "matrix, or a function of it, is written in its own vectors, as H(v) @ a @ v, which is diagonal whatever "
            "the choice; but a + da is diagonal in none but its own. Use the eigenvalues in its place, or " + _REMEDY
        )


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


def moved_beside(arrays: Sequence[Any]) -> list[Any]:
    """A point beside another one."""
    moved = []
    for x in arrays:
        step = float(np.finfo(x.dtype).eps) ** _BESIDE * (_largest(x) or 1.0)
        moved.append(x + step * generic_like(x, True, x.shape, x.dtype))
    return moved


def _largest(x: Any) -> float:
    """The largest finite modulus of an array, below all levels."""
    plain = np.abs(raw(x))
    return float(np.max(plain, initial=0.0, where=np.isfinite(plain)))


def _are_same(found: Sequence[Any], again: Sequence[Any], unit: float, measures: Sequence[Any] = ()) -> bool:
    """Whether arrays, and how they move, are the same but for rounding: beside themselves, the unit, the measures."""
    pairs = [list(map(parts_of, arrays)) for arrays in (found, again, measures or found)]
    return all(
        _is_same(x, y, measure, unit)
        for parts in zip(*pairs, strict=True)
        for x, y, measure in zip(*parts, strict=True)
        if x.dtype.kind in "fc"
    )


def _is_same(a: Any, b: Any, measure: Any, unit: float) -> bool:
    size = max(_largest(a), _largest(b), _largest(measure))
    difference = np.where(np.isfinite(a) & np.isfinite(b), np.abs(a - b), 0.0)
    eps = float(np.finfo(a.dtype).eps)
    return bool(np.max(difference, initial=0.0) <= eps**_SAME * size + eps**_FLOOR * unit)
