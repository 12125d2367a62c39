"""Runs a function under a trace, the first step of every transform; in reverse mode, also returns its adjoint.

The state that a trace needs while the function runs is restored even if the function raises.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

import numpy as np

from ...backends.asking import asking_at_portable, plain
from ...backends.memory import keep_freed_memory
from ...determinism.flag import FIXED, IN_FORCE, current_scope, is_fixed
from ...determinism.layouts import canonical
from ..array.conversion_hints import explain
from ..array.tracing import ANYWHERE, BEGINNINGS, DEPTH, LOCK
from ..engine.batched import walk_batch
from ..engine.choices import CHOICES, is_single, shows_choice
from ..engine.errors import Inaccurate, NotDifferentiableError, PrecisionLossError
from ..engine.kinks import KINKS, is_plain
from ..engine.operands import without_objects, without_traced_objects
from ..engine.reverse import Kept, ReverseTrace, own, unshared
from ..engine.space import zeros_of
from ..engine.structural_zeros import CARE, asking_for_care, asking_for_series, same_values, walk_carefully
from ..engine.trace import Joint, Node, next_level, walk
from ..engine.traced import Traced, all_finite, settled
from .arguments import as_array, as_number, flatten, unflatten
from .beside import Reruns, values_at
from .dependence import Found, Phases, refuse_dependent
from .special_values import without_special_values


class _Tracing:
    """The extent of a function under differentiation; an error that leaves it names what lost a traced value."""

    def __enter__(self) -> None:
        DEPTH.value += 1
        with LOCK:
            ANYWHERE[0] += 1
            while BEGINNINGS:
                BEGINNINGS.pop()()

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        DEPTH.value -= 1
        with LOCK:
            ANYWHERE[0] -= 1
        if error is not None:
            explain(error, traceback)


BEGINNINGS.append(keep_freed_memory)
TRACING = _Tracing()
"""The extent of a function that is being differentiated, for a `with` statement."""


def lowered(x: Any, trace: Any) -> Any:
    """An output at the level below its trace, as something that has a shape and a dtype; constants as plain values."""
    if not isinstance(x, Traced):
        return without_objects(as_array(plain(x) if FIXED[0] else x))
    while isinstance(x, Traced) and (x._tracer is trace or x._tangent is None):
        x = x._value
    return settled(x) if isinstance(x, Traced) else plain(x) if FIXED[0] else x


def pair_of(out: Any) -> tuple[Any, Any]:
    """What a function with `has_aux=True` returns; an error if it is no pair."""
    if isinstance(out, tuple) and len(out) == 2:
        return out
    count = len(out) if isinstance(out, tuple) else 1
    raise TypeError(f"with has_aux=True the function must return a pair, (result, aux), and it returned {count}")


def result_and_aux(out: Any, trace: Any) -> tuple[Any, Any]:
    """What a function with `has_aux=True` returns, in its two parts, the second without its trace."""
    out, aux = pair_of(out)
    leaves, structure = flatten(aux)
    values = [lowered(x, trace) if isinstance(x, Traced) else without_traced_objects(x) for x in leaves]
    return out, unflatten(structure, values)


class Recording:
    """A function that was run once in reverse mode: its output, and the adjoint of its differential.

    Attributes
    ----------
    leaves : list of array
        The leaves of the output.
    structure
        The structure of the output.
    aux
        What the function returned besides, with its traced values lowered.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        variables: Sequence[Any],
        has_aux: bool,
        kept: Kept | None = None,
        are_owned: bool = False,
        items: int = 0,
    ) -> None:
        try:
            self._record(f, variables, has_aux, kept, are_owned, items)
        except NotDifferentiableError as error:
            rest = variables, has_aux, None, are_owned, items
            without_special_values(error, f, lambda f: self._record(f, *rest), lambda _: self.leaves)

    def _record(self, f: Any, variables: Any, has_aux: bool, kept: Any, are_owned: bool, items: int) -> None:
        self._f, self._has_aux, self._items, before, kinks = f, has_aux, items, CARE.sweeps, (KINKS.met, KINKS.sides)
        trace = ReverseTrace(next_level(), Kept() if kept is None else kept)
        variables = [*variables] if are_owned else [*map(own, variables)]
        traced = [*map(trace.variable, variables)]
        self._inputs: list[Node] = [v._tangent for v in traced]  # before `f` writes into its arguments
        made, unclear, phased, constant = CHOICES.made, CHOICES.unclear, CHOICES.phased, CHOICES.plain
        decompositions, CHOICES.decompositions = CHOICES.decompositions, None
        try:
            with TRACING:
                out = f(*traced)
        finally:
            self._tape = trace.end()
            decompositions, CHOICES.decompositions = CHOICES.decompositions, decompositions
        trace.kept.clear()
        self._is_nested = CARE.sweeps != before
        is_checked = (KINKS.met, KINKS.sides) != kinks and not KINKS.asked and is_plain(variables)
        self._reruns: Reruns | None = None
        if is_checked:
            run, values = partial(_rerun, f, variables, has_aux, items), partial(values_at, f, has_aux)
            self._reruns = Reruns(kinks, run, values, variables)
        self._with_series: Recording | None = None
        self._otherwise: dict[bool, Found] = {}
        if has_aux:
            out, self.aux = result_and_aux(out, trace)
        outputs, self.structure = flatten(out)
        self._vectors = CHOICES.phased - phased, CHOICES.plain - constant, decompositions
        self._has_choices = CHOICES.made != made and shows_choice(unclear, outputs)
        self.leaves = [lowered(x, trace) for x in outputs]
        self._nodes = [x._tangent if isinstance(x, Traced) and x._tracer is trace else None for x in outputs]
        self._values, self._lock = variables, threading.RLock()

    def pull(self, cotangents: Sequence[Any], zeros_are_structural: bool = True) -> list[Any]:
        """The cotangent of every variable, from those of the leaves of the output; what is not finite, with care.

        Each is an element of the space of its leaf.  Where they come from another derivative, a zero among them may be
        a number that happens to be 0.
        """
        CARE.sweeps += 1
        used, hidden, phased = CHOICES.used, CHOICES.hidden, CHOICES.phased
        if FIXED[0] and is_fixed():
            cotangents = asking_at_portable([*map(canonical, cotangents)])
        with self._lock:
            if self._with_series is not None:
                return self._with_series.pull(cotangents, zeros_are_structural)
            error: list[Exception] = []  # an error that a frame of its own held would keep the tape in a cycle
            try:
                try:
                    found = self._sweep(cotangents, CARE.asked, zeros_are_structural)
                except (FloatingPointError, RuntimeWarning) as caught:
                    found = []
                    error.append(caught)
                if error or not all_finite(found):
                    found = self._sweep_again(cotangents, zeros_are_structural, error)
                if self._reruns is not None and not KINKS.asked:
                    self._reruns.check(self.leaves, cotangents, found, self._sweep, zeros_are_structural)
                arrays = [zeros_of(x) if g is None else settled(g) for g, x in zip(found, self._values, strict=True)]
                arrays = plain(arrays) if FIXED[0] else arrays
                is_used = self._has_choices and CHOICES.used != used
                is_phased = self._vectors[0] or CHOICES.phased != phased
                is_hidden = CHOICES.hidden != hidden and is_phased and is_single(self.leaves, self._items)
                if (is_used or is_hidden) and not CHOICES.others:
                    phases = Phases(self._f, self._has_aux, self._items, *self._vectors, CHOICES.phased - phased)
                    self._check_choices(arrays, cotangents, zeros_are_structural, None if is_used else phases)
                return [*map(as_number, unshared(arrays, cotangents))]
            except Inaccurate:
                self._with_series = self._recorded_with_series()
            return self._with_series.pull(cotangents, zeros_are_structural)

    def pull_directly(self, cotangents: Sequence[Any]) -> list[Any] | None:
        """The same by one sweep, be it finite or not; None where that needs care."""
        CARE.sweeps += 1
        used, hidden = CHOICES.used, CHOICES.hidden
        if FIXED[0] and is_fixed():
            cotangents = asking_at_portable([*map(canonical, cotangents)])
        with self._lock:
            try:
                found = self._sweep(cotangents, careful=False, zeros_are_structural=False)
            except (FloatingPointError, RuntimeWarning, Inaccurate):
                return None
        if CHOICES.hidden != hidden or (self._has_choices and CHOICES.used != used):
            return None
        arrays = [zeros_of(x) if g is None else settled(g) for g, x in zip(found, self._values, strict=True)]
        return plain(arrays) if FIXED[0] else arrays

    def pull_batch(self, number: int, entries: Sequence[int], unit: complex) -> list[Any] | None:
        """For every variable the cotangents from unit cotangents at some entries of one leaf of the output, together.

        None where one after the other they might say more: where something is not finite, or care was asked for.
        """
        node, x = self._nodes[number], self.leaves[number]
        if (
            CARE.asked
            or self._reruns is not None
            or self._has_choices
            or node is None
            or (IN_FORCE[0] and current_scope().setting.level)
        ):
            return None
        CARE.sweeps += 1
        units = np.zeros((len(entries), prod(x.shape)), x.dtype)
        units[range(len(entries)), entries] = unit
        with self._lock:
            try:
                node.cotangent = units.reshape(len(entries), *x.shape)
                walk_batch(self._tape, len(entries))
                found = [each.cotangent for each in self._inputs]
            except (FloatingPointError, RuntimeWarning, Inaccurate):
                return None
            finally:
                for each in self._inputs:
                    each.clear()
        return found if all_finite(found) else None

    @property
    def is_constant(self) -> bool:
        """Whether no output depends on the variables."""
        return all(node is None for node in self._nodes)

    @property
    def longest(self) -> int:
        """The number of elements of the largest array that was recorded."""
        return max((prod(node.shape) for node in self._tape if not isinstance(node, Joint)), default=1)

    def _sweep(self, cotangents: Sequence[Any], careful: bool, zeros_are_structural: bool) -> list[Any]:
        seeds = zip(self._nodes, cotangents, strict=True)
        try:
            if careful:
                walk_carefully(self._tape, [(n, g) for n, g in seeds if n is not None], zeros_are_structural)
            else:
                for node, g in seeds:
                    if node is not None:
                        node.cotangent = g if node.cotangent is None else node.cotangent + g
                walk(self._tape)
            return [node.taken() for node in self._inputs]
        except BaseException:
            for node in self._inputs:
                node.clear()
            raise

    def _again(self, point: Sequence[Any]) -> Recording:
        """The function run again, at this point or another one."""
        return Recording(self._f, point, self._has_aux, items=self._items)

    def _recorded_with_series(self) -> Recording:
        """The function run again, with series wherever rounding errors may dominate a derivative."""
        with asking_for_series():
            again = self._again(self._values)
        if not same_values(again.leaves, self.leaves):
            raise PrecisionLossError(
                "rounding errors dominate a derivative at a tiny matrix, or at equal values, and a more accurate run "
                "of the function gave another result. Likely cause: it draws random numbers, or changes what it reads. "
                "Scale the matrix, or make the function pure."
            )
        return again

    def _sweep_again(self, cotangents: Sequence[Any], zeros_are_structural: bool, error: list[Exception]) -> list[Any]:
        """The cotangents with care, also in the derivatives that the function took; NumPy's error where that fails."""
        with np.errstate(all="ignore"):
            found = self._sweep(cotangents, True, zeros_are_structural)
            if self._is_nested and not CARE.asked and not all_finite(found):
                with asking_for_care():
                    again = self._again(self._values)
                if same_values(again.leaves, self.leaves):
                    found = again._sweep(cotangents, True, zeros_are_structural)
        if error and not all_finite(found):
            raise error.pop()
        return found

    def _check_choices(
        self, found: list[Any], cotangents: Sequence[Any], zeros_are_structural: bool, phases: Phases | None
    ) -> None:
        """Raise if the cotangents that were found are others with other vectors of equal values, or other phases."""

        def run(point: Sequence[Any]) -> Found:
            recording = self._again(point)
            return Found(recording.leaves, lambda given: recording.pull(given, zeros_are_structural))

        here, known = Found(self.leaves, lambda given: found), self._otherwise.get(phases is None)
        self._otherwise[phases is None] = refuse_dependent(
            here, run, self._values, cotangents, known, phases, self._items
        )


def _rerun(f: Callable[..., Any], variables: Sequence[Any], has_aux: bool, items: int) -> Found:
    again = Recording(f, variables, has_aux, items=items)
    return Found(again.leaves, again._sweep)
