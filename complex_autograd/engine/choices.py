"""Arbitrary choices: the vectors of equal values, and how a derivative that depends on them is noticed.

A rule sees whether a loss `f(a, v)` of a matrix and its vectors depends on the choice of `v` at `a`.  It does not see
whether it does at `a + da`: `sum(b * (H(v) @ a @ v))` with equal eigenvalues does, as `a + da` is not diagonal in the
vectors chosen for `a`.  Then what is found depends on the choice, and no derivative is linear in `da`.  So where
vectors of equal values were chosen, and nothing shows that they made functions of the matrix alone, the transform
computes its result again with other choices, and refuses it if it is another one.

The same is done for the phases of complex vectors where a cotangent does not show that a loss depends on them: LAPACK
makes an element of each vector real, and the real part of this one is as large as it can be, so that its derivative
along the phase is 0.  In forward mode no cotangent shows anything.
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

_GOLDEN: Final = 2.399963229728653
"""The golden angle, whose multiples are all different."""


class _Choices(threading.local):
    made = 0
    unclear = 0
    felt = 0
    phased = 0
    hidden = 0
    others = False
    other_bases = False
    fixed = False
    beside = False


CHOICES: Final = _Choices()
"""How often this thread chose vectors of equal values, did so or went on where nothing shows later what they are used
for, and had a cotangent of them; how often it gave out vectors with phases, and had a cotangent that may hide that a
loss depends on these.  And whether it is to choose others: other phases, but for those that a convention fixes, and
other bases too; and to move matrices beside themselves."""


@contextmanager
def other_choices(of_bases: bool = True) -> Iterator[None]:
    """Choose other phases of vectors, and other vectors of equal values."""
    CHOICES.others, CHOICES.other_bases = True, of_bases
    try:
        yield
    finally:
        CHOICES.others = CHOICES.other_bases = False


@contextmanager
def fixed_phases(are_fixed: bool) -> Iterator[None]:
    """Take the phases of vectors as LAPACK returns them, since a convention makes them part of the result."""
    before, CHOICES.fixed = CHOICES.fixed, CHOICES.fixed or are_fixed
    try:
        yield
    finally:
        CHOICES.fixed = before


@contextmanager
def _matrices_beside() -> Iterator[None]:
    """Decompose matrices that lie beside those that are given."""
    CHOICES.beside = True
    try:
        yield
    finally:
        CHOICES.beside = False


def matrix_beside(a: Any) -> Any:
    """A matrix as it is given, or one beside it: a small parameter may move it by less than rounding does."""
    return moved_beside([a])[0] if CHOICES.beside else a


def other_phases(n: int, dtype: np.dtype[Any]) -> Any:
    """Factors of `n` vectors that make their phases others; None where these are to stay as they are."""
    if dtype.kind != "c" or not CHOICES.others or CHOICES.fixed:
        return None
    return np.exp(1j * (1 + np.arange(n) * _GOLDEN)).astype(dtype)


def given_phases(n: int, dtype: np.dtype[Any]) -> Any:
    """The same, where vectors are given out that have phases."""
    CHOICES.phased += has_phases(dtype)
    return other_phases(n, dtype)


def has_phases(dtype: np.dtype[Any]) -> bool:
    """Whether vectors have phases that nothing fixes."""
    return dtype.kind == "c" and not CHOICES.fixed


def is_single(leaves: Sequence[Any]) -> bool:
    """Whether outputs are one number: what is made of others, as of vectors themselves, the caller knows."""
    return len(leaves) == 1 and raw(leaves[0]).size == 1


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
    """The values of a function, and what computes its derivative from the cotangents or tangents given."""

    leaves: Sequence[Any]
    derivative: Callable[[Sequence[Any]], Sequence[Any]]


def refuse_dependent(
    found: Found,
    run: Callable[[Sequence[Any]], Found],
    point: Sequence[Any],
    given: Sequence[Any],
    otherwise: Found | None,
    only_phases: bool,
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
    only_phases : bool
        Whether nothing was chosen but phases.
    """

    def beside() -> Found:
        """By which it is measured what is zero but for rounding."""
        with _matrices_beside():
            return run(moved_beside(point))

    with other_choices(of_bases=not only_phases):
        if otherwise is None:
            otherwise = run(point)
        if only_phases:
            _refuse_phases(found.leaves, otherwise.leaves, lambda: run(point).leaves, beside)
        else:
            _refuse_chosen(found.leaves, found.derivative(given), otherwise, given, beside)
    return otherwise


def _refuse_chosen(
    leaves: Sequence[Any],
    derivative: Sequence[Any],
    again: Found,
    given: Sequence[Any],
    beside: Callable[[], Found],
) -> None:
    """Raise if a derivative is another one with other choices."""
    if not _are_same(leaves, again.leaves, 1.0) and not _are_same(
        leaves, again.leaves, 1.0, _measured(lambda: beside().leaves, leaves)
    ):
        if not is_single(leaves):
            return
        raise GaugeError(
            "a derivative was asked for of a function that makes use of the vectors of equal (or zero) eigenvalues or "
            "singular values, and that returned another value when they were chosen otherwise. Likely causes: it "
            "depends on their choice, which is arbitrary; or it draws random numbers, or changes what it reads. Use "
            + _REMEDY
        )
    size, other = max(map(_largest, given), default=0.0), again.derivative(given)
    if not _are_same(derivative, other, size) and not _are_same(
        derivative, other, size, _measured(lambda: beside().derivative(given), derivative)
    ):
        raise GaugeError(
            "a derivative was asked for that does not exist: it depends on the choice of the vectors of equal (or "
            "zero) eigenvalues or singular values, which is arbitrary, though the value does not. Likely cause: a "
            "matrix, or a function of it, is written in its own vectors, as H(v) @ a @ v, which is diagonal whatever "
            "the choice; but a + da is diagonal in none but its own. Use the eigenvalues in its place, or " + _REMEDY
        )


def _refuse_phases(
    leaves: Sequence[Any], otherwise: Sequence[Any], again: Callable[[], Sequence[Any]], beside: Callable[[], Found]
) -> None:
    """Raise if the value of a function is another one with other phases, and no other one with the same."""
    if _are_same(leaves, otherwise, 1.0):
        return
    with fixed_phases(True):
        if not _are_same(leaves, again(), 1.0):
            return
    if not _are_same(leaves, otherwise, 1.0, _measured(lambda: beside().leaves, leaves)):
        raise GaugeError(
            "a derivative was asked for of a function that depends on the phases of complex eigenvectors, singular "
            "vectors or the columns of a Schur form, which are arbitrary: it returned another value when they were "
            "others. Where a convention is meant, gauge='max-real' or 'lapack' fixes one. Or use a quantity that does "
            "not depend on them: abs(v), v @ diag(f(w)) @ H(v), or a function of the matrix."
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
