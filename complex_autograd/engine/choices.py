"""Arbitrary choices of vectors, and how a derivative that depends on them is detected.

A rule can tell whether a loss `f(a, v)` of a matrix and its vectors depends on the choice of `v` at `a`, but not
whether it does at `a + da`.  For example `sum(b * (H(v) @ a @ v))` with equal eigenvalues does, since `a + da` is not
diagonal in the vectors chosen for `a`.  The computed derivative then depends on the choice, and none is linear in `da`.
So if vectors of equal values were chosen, and nothing shows that they were only used to form functions of the matrix,
the transform computes its result again with other choices, and refuses it if it changes.

The same is done for the phases of complex vectors where a cotangent does not show that a loss depends on them.  LAPACK
makes one element of each vector real; as a function of the phase, the real part of this element is at its maximum, so
its derivative along the phase is 0.  In forward mode there is no cotangent, and only values can tell: the function runs
again without a derivative, provided that the vectors it computes are known to be those of the first run.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ...backends import backend_of, eps_of
from ...backends.asking import plain
from .structural_zeros import generic_like
from .traced import Traced, raw

_STEP_EXPONENT: Final = 0.25
"""`eps` to this power is how far from the point, relative to it, the size of a derivative is looked at."""

_GOLDEN: Final = 2.399963229728653
"""The golden angle, whose multiples are all different."""

_PHASE_SCALE: Final = 1e4
"""So many radians are between some phases and the next ones, so that these are unrelated."""

_SHAKEN: Final = 4.0
"""By so many units of rounding phases are moved to see what rounding errors make of a value."""


class _Choices(threading.local):
    made = 0
    unclear = 0
    used = 0
    phased = 0
    hidden = 0
    plain = 0
    decompositions: dict[Any, Any] | None = None
    others = False
    other_bases = False
    others_given = 0
    variant = 0
    fixed = False
    perturbed = False
    underived = False


CHOICES: Final = _Choices()
"""How often this thread chose vectors of equal values, did so or went on where nothing shows later what they are used
for, and had a cotangent of them; how often it gave out vectors with phases, had a cotangent that may hide that a loss
depends on these, and gave out some of plain matrices; and what it found for which matrices.  And whether it is to
choose others: other phases, but for those that a convention fixes, and other bases too; to perturb
matrices; and whether the function runs without a derivative, so that plain matrices are those that had one."""


def remembered(decompose: Callable[..., Any], a: Any, *options: Any) -> Any:
    """Values and vectors of a traced matrix, from its numbers; remembered, where they have phases.

    So a function that runs again only to be looked at with other phases decomposes no matrix twice.
    """
    found = decompose(a, *options)
    if type(a) is np.ndarray and found[-1].dtype.kind == "c" and not CHOICES.others:
        if CHOICES.decompositions is None:
            CHOICES.decompositions = {}
        CHOICES.decompositions[_name_of(decompose, a, options)] = found
    return found


def recalled(decompose: Callable[..., Any], a: Any, *options: Any, traced: tuple[Any, ...] = ()) -> Any:
    """Values and vectors of a plain matrix; copies of those that were found where it had a derivative.

    Where that is done with other options that have the same result, they are `traced`.
    """
    if CHOICES.underived and CHOICES.decompositions is not None and type(a) is np.ndarray:
        found = CHOICES.decompositions.get(_name_of(decompose, a, traced or options))
        if found is not None:
            return type(found)(*[x.copy() for x in found])
    return decompose(a, *options)


def _name_of(decompose: Callable[..., Any], a: Any, options: tuple[Any, ...]) -> Any:
    return decompose, options, a.shape, a.dtype, hash(a.tobytes())


@contextmanager
def other_choices(of_bases: bool = True, variant: int = 0) -> Iterator[None]:
    """Choose other phases of vectors, and other vectors of equal values.

    The phases of variants 1, 2, .. are those of variant 0 but for rounding errors; -1 are those that vectors have.
    """
    CHOICES.others, CHOICES.other_bases, CHOICES.variant, CHOICES.others_given = True, of_bases, variant, 0
    try:
        yield
    finally:
        CHOICES.others = CHOICES.other_bases = False


_UNCHANGED: Final = nullcontext()


def fixed_phases(are_fixed: bool) -> AbstractContextManager[None]:
    """Take the phases of vectors as LAPACK returns them, where a convention makes them part of the result."""
    return _with_fixed_phases() if are_fixed else _UNCHANGED


@contextmanager
def _with_fixed_phases() -> Iterator[None]:
    before, CHOICES.fixed = CHOICES.fixed, True
    try:
        yield
    finally:
        CHOICES.fixed = before


@contextmanager
def perturbed_matrices() -> Iterator[None]:
    """Decompose perturbed matrices in place of those that are asked for."""
    CHOICES.perturbed = True
    try:
        yield
    finally:
        CHOICES.perturbed = False


def perturbed_matrix(a: Any) -> Any:
    """A matrix, or while `CHOICES.perturbed` one moved by more than a small parameter that is below rounding may be."""
    return perturbed_point([a], len(a.shape) - 2)[0] if CHOICES.perturbed else a


def other_phases(v: Any) -> Any:
    """Factors (..., 1, n) that make the phases of the columns others; None where these are to stay as they are.

    They differ from column to column, from matrix to matrix of a stack, and from call to call: so a loss is seen that
    depends on the phases of some vectors only together, whichever they are.
    """
    if v.dtype.kind != "c" or not CHOICES.others or CHOICES.fixed or CHOICES.variant < 0:
        return None
    CHOICES.others_given += 1
    x = plain(raw(v))
    asked = ((*v.shape[:-2], 1, v.shape[-1]), v.dtype, eps_of(v.dtype), CHOICES.others_given, CHOICES.variant)
    if type(x) is np.ndarray:
        return _phases_on_host(*asked)
    return _phases(backend_of(x).namespace, *asked)


def _phases(namespace: Any, shape: tuple[int, ...], dtype: np.dtype[Any], eps: float, call: int, variant: int) -> Any:
    """The phases that a call gives, moved by rounding errors in all variants but 0."""
    number = namespace.arange(1, math.prod(shape) + 1).reshape(shape) * _GOLDEN
    phases = np.exp(1j * _PHASE_SCALE * np.sin(number + call))
    if variant:
        moved = np.exp(1j * _PHASE_SCALE * np.sin(number + call + variant / 8))
        phases = phases * (1 + _SHAKEN * eps * moved)
    return phases.astype(dtype)


@lru_cache
def _phases_on_host(*arguments: Any) -> Any:
    return _phases(np, *arguments)


def given_phases(v: Any) -> Any:
    """The same, where vectors are given out that have phases."""
    CHOICES.phased += has_phases(v.dtype)
    return other_phases(v)


def plain_phases(v: Any) -> Any:
    """The same of vectors of plain matrices, which are constants but where the function runs without a derivative."""
    CHOICES.plain += has_phases(v.dtype)
    return other_phases(v) if CHOICES.underived else None


def has_phases(dtype: np.dtype[Any]) -> bool:
    """Whether vectors have phases that nothing fixes."""
    return dtype.kind == "c" and not CHOICES.fixed


def is_single(leaves: Sequence[Any], items: int) -> bool:
    """Whether outputs are one number: what is made of others, as of vectors themselves, the caller knows.

    So many first axes are those of mapped functions, for each of whose items they are one number.
    """
    return len(leaves) == 1 and math.prod(leaves[0].shape[items:]) == 1


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


def perturbed_point(arrays: Sequence[Any], items: int) -> list[Any]:
    """A perturbed point, relative to the size of each item."""
    moved = []
    for x in arrays:
        size = largest(x, items)
        step = eps_of(x.dtype) ** _STEP_EXPONENT * np.where(size > 0, size, 1.0)
        step = np.reshape(step, (*step.shape, *(1,) * (len(x.shape) - items)))
        moved.append(x + step.astype(x.dtype) * generic_like(x, True, x.shape, x.dtype))
    return moved


def largest(x: Any, items: int = 0) -> Any:
    """The largest finite modulus in each item of an array, below all levels; so many first axes are those of items."""
    plain = np.abs(raw(x))
    return np.max(plain, axis=tuple(range(items, plain.ndim)), initial=0.0, where=np.isfinite(plain))
