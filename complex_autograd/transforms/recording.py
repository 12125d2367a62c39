"""A function that was run in reverse mode, and its adjoint: for one cotangent, or for many at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ...determinism.flag import IN_FORCE, current_scope
from ..array.tracing import TRACING
from ..engine.batched import walk_batch
from ..engine.errors import Inaccurate, PrecisionLossError
from ..engine.kept_operands import Kept, own, unshared
from ..engine.kinks import KINKS, is_plain, refuse_unknown
from ..engine.reverse import ReverseTrace
from ..engine.space import embed, zeros_of
from ..engine.structural_zeros import CARE, all_finite, asking_for_care, asking_for_series, same_values, walk_carefully
from ..engine.trace import Joint, Node, next_level, walk
from ..engine.traced import Traced, settled
from .arguments import as_array, as_number, lower, result_and_aux
from .pytree import flatten, unflatten


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
        self, f: Callable[..., Any], variables: Sequence[Any], has_aux: bool, kept: Kept | None = None
    ) -> None:
        self._f, self._has_aux, before, kinks = f, has_aux, CARE.sweeps, KINKS.met
        trace = ReverseTrace(next_level(), kept or Kept())
        variables = [own(v) for v in variables]
        traced = [trace.variable(v) for v in variables]
        self._inputs: list[Node] = [v._tangent for v in traced]  # before `f` writes into its arguments
        try:
            with TRACING:
                out = f(*traced)
        finally:
            self._tape = trace.end()
        trace.kept.release()
        self._is_nested = CARE.sweeps != before
        self._has_kinks = KINKS.met != kinks and not KINKS.asked and is_plain(variables)
        self._beside_kinks: Recording | None = None
        self._with_series: Recording | None = None
        if has_aux:
            out, aux = result_and_aux(out)
            aux_leaves, aux_structure = flatten(aux)
            self.aux = unflatten(aux_structure, [lower(x, trace) for x in aux_leaves])
        outputs, self.structure = flatten(out)
        self.leaves = [as_array(lower(x, trace)) for x in outputs]
        self._nodes = [x._tangent if isinstance(x, Traced) and x._tracer is trace else None for x in outputs]
        self._values = variables
        self._lock = threading.RLock()

    def pull(self, cotangents: Sequence[Any], zeros_are_structural: bool = True) -> list[Any]:
        """The cotangent of every variable, from those of the leaves of the output; what is not finite, with care.

        Where these come from another derivative, a zero among them may be a number that happens to be 0.
        """
        CARE.sweeps += 1
        with self._lock:
            if self._with_series is None:
                try:
                    return self._pulled(cotangents, zeros_are_structural)
                except Inaccurate:
                    self._with_series = self._recorded_with_series()
            return self._with_series.pull(cotangents, zeros_are_structural)

    def _pulled(self, cotangents: Sequence[Any], zeros_are_structural: bool) -> list[Any]:
        error: Exception | None = None
        try:
            found = self._sweep(cotangents, CARE.asked, zeros_are_structural)
        except (FloatingPointError, RuntimeWarning) as caught:
            found, error = [], caught
        if error is not None or not all_finite(found):
            found = self._sweep_again(cotangents, zeros_are_structural, error)
        if self._has_kinks and not KINKS.asked:
            self._check_kinks(found, cotangents, zeros_are_structural)
        return _fresh(found, self._values, cotangents)

    def pull_batch(self, number: int, places: Sequence[int], unit: complex) -> list[Any] | None:
        """For every variable the cotangents from unit cotangents at some places of one leaf of the output, together.

        None where one after the other they might say more: where something is not finite, or care was asked for.
        """
        node, x = self._nodes[number], self.leaves[number]
        if CARE.asked or self._has_kinks or node is None or (IN_FORCE[0] and current_scope().setting.level):
            return None
        CARE.sweeps += 1
        units = np.zeros((len(places), prod(x.shape)), x.dtype)
        units[range(len(places)), places] = unit
        with self._lock:
            try:
                node.cotangent = units.reshape(len(places), *x.shape)
                walk_batch(self._tape, len(places))
                found = [each.cotangent for each in self._inputs]
            except (FloatingPointError, RuntimeWarning, Inaccurate):
                return None
            finally:
                for each in self._inputs:
                    each.clear()
        return found if all_finite(found) else None

    @property
    def longest(self) -> int:
        """The number of elements of the largest array that was recorded."""
        return max((prod(node.shape) for node in self._tape if not isinstance(node, Joint)), default=1)

    def _sweep(self, cotangents: Sequence[Any], careful: bool, zeros_are_structural: bool) -> list[Any]:
        seeds = [
            (node, embed(g, x.shape, x.dtype))
            for node, x, g in zip(self._nodes, self.leaves, cotangents, strict=True)
            if node is not None
        ]
        try:
            if careful:
                walk_carefully(self._tape, seeds, zeros_are_structural)
            else:
                for node, g in seeds:
                    node.cotangent = g if node.cotangent is None else node.cotangent + g
                walk(self._tape)
            return [node.total() for node in self._inputs]
        finally:
            for node in self._inputs:
                node.clear()

    def _recorded_with_series(self) -> Recording:
        """The function run again, with series wherever rounding errors may spoil a derivative."""
        with asking_for_series():
            again = Recording(self._f, self._values, self._has_aux)
        if not same_values(again.leaves, self.leaves):
            raise PrecisionLossError(
                "rounding errors spoil a derivative by the values of a tiny matrix, and the function returned another "
                "value when it ran again for a more careful one. Likely cause: it draws random numbers, or changes "
                "what it reads. Scale the matrix, or make the function pure."
            )
        return again

    def _sweep_again(self, cotangents: Sequence[Any], zeros_are_structural: bool, error: Exception | None) -> list[Any]:
        """The cotangents with care, also in the derivatives that the function took; NumPy's error where that fails."""
        with np.errstate(all="ignore"):
            found = self._sweep(cotangents, True, zeros_are_structural)
            if self._is_nested and not CARE.asked and not all_finite(found):
                with asking_for_care():
                    again = Recording(self._f, self._values, self._has_aux)
                if same_values(again.leaves, self.leaves):
                    found = again._sweep(cotangents, True, zeros_are_structural)
        if error is not None and not all_finite(found):
            raise error
        return found

    def _check_kinks(self, found: Sequence[Any], cotangents: Sequence[Any], zeros_are_structural: bool) -> None:
        """Raise if the cotangents that were found depend on second derivatives that are unknown."""
        with np.errstate(all="ignore"):
            if self._beside_kinks is None:
                with asking_for_care(kinks=True):
                    self._beside_kinks = Recording(self._f, self._values, self._has_aux)
            again = self._beside_kinks._sweep(cotangents, True, zeros_are_structural)
        refuse_unknown([*self.leaves, *found], [*self._beside_kinks.leaves, *again], cotangents)


def _fresh(found: Sequence[Any], values: Sequence[Any], given: Sequence[Any]) -> list[Any]:
    """The cotangents as arrays of the caller's own, and as numbers if 0-d."""
    arrays = [zeros_of(value) if g is None else settled(g) for g, value in zip(found, values, strict=True)]
    return [as_number(g) for g in unshared(arrays, given)]
