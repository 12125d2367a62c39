"""The terms of series in the parameters of hypergeometric functions: the innermost loops.

Where the parameters are real, so are the coefficients of a series, with their derivatives in the parameters.  They are
kept times powers of the modulus of `z`, and a complex `z` only turns them.  All steps work in place on arrays that stay
in the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .jets import Index, Jet

Step = tuple[np.ufunc, Any, Any, Any]
"""A ufunc, its two operands and where its result goes."""


def reached_indices(parameters: Sequence[Jet]) -> list[Index]:
    """The coefficients that differ from 0: those of variables that are in a parameter."""
    orders = parameters[0].orders
    held = {i for p in parameters for k in p.nilpotent().coefficients for i, n in enumerate(k) if n}
    indices = [tuple(int(i) for i in k) for k in np.ndindex(*[n + 1 for n in orders])]
    return [k for k in indices if all(i in held for i, n in enumerate(k) if n)]


class Factor:
    """What multiplies the terms, and divides them: a jet with constant derivatives plus a number.

    Parameters
    ----------
    jet : Jet
        The parameter.
    indices : sequence of Index
        The coefficients that terms have, in their order.
    """

    def __init__(self, jet: Jet, indices: Sequence[Index]) -> None:
        self.value = jet.value
        derivatives = {k: c for k, c in jet.nilpotent().coefficients.items() if c != 0.0}
        self.lower = [
            [
                (indices.index(lower), derivative)
                for step, derivative in derivatives.items()
                if (lower := _less(index, step)) in indices
            ]
            for index in indices
        ]
        self.is_number = not derivatives

    def part(self, chosen: Any, z: Any) -> Factor:
        """The same for some of the elements, those of `z`."""
        factor = Factor.__new__(Factor)
        value = self.value[chosen] if getattr(self.value, "ndim", 0) else self.value
        factor.value, factor.lower, factor.is_number = value + 0.0 * z, self.lower, self.is_number
        return factor

    def product(self, value: Any, terms: Any) -> list[Step]:
        """Multiply the terms in place, each before those that it needs; `value` holds that of the factor."""
        if self.is_number:
            return [(np.multiply, terms, value, terms)]
        steps: list[Step] = []
        for i in reversed(range(len(terms))):
            steps.append((np.multiply, terms[i], value, terms[i]))
            steps += [step for j, derivative in self.lower[i] for step in _sum(terms[i], terms[j], derivative)]
        return steps

    def quotient(self, value: Any, terms: Any) -> list[Step]:
        """Divide in the same way."""
        if self.is_number:
            return [(np.divide, terms, value, terms)]
        steps: list[Step] = []
        for i in range(len(terms)):
            steps += [step for j, derivative in self.lower[i] for step in _sum(terms[i], terms[j], -derivative)]
            steps.append((np.divide, terms[i], value, terms[i]))
        return steps


def _less(index: Index, step: Index) -> Index:
    return tuple(x - y for x, y in zip(index, step, strict=True))


def _sum(target: Any, x: Any, factor: float) -> list[Step]:
    """`target += factor x`."""
    if abs(factor) == 1:
        return [(np.add if factor == 1 else np.subtract, target, x, target)]
    product = np.empty_like(x)
    return [(np.multiply, x, factor, product), (np.add, target, product, target)]


class Terms:
    """The terms of a series, all elements at a time.

    What leads from a term to the next is a list of ufuncs with their operands, made once, so that the loop does nothing
    else.

    Attributes
    ----------
    terms : (count, n) array
        The coefficients of the current term.
    last_pole : (n,) array
        Before this number of terms the series does not end.
    """

    terms: Any
    last_pole: Any

    def advance(self, k: int) -> None:
        """From term `k` to the next."""
        raise NotImplementedError

    def last_size(self) -> Any:
        """The modulus of what goes into the next term."""
        return np.sum(np.abs(self.terms), axis=0)

    def keep(self, indices: Any) -> None:
        """Let the other elements go."""
        raise NotImplementedError


def _first_terms(z: Any, count: int) -> Any:
    terms = np.zeros_like(z, shape=(count, z.shape[0]))
    terms[0] = 1.0
    return terms


class PowerTerms(Terms):
    """`(a_1)_k .. / ((b_1)_k .. k!) z**k`.

    Parameters
    ----------
    upper, lower : sequence of Factor
        The parameters.
    z : array
        Of the type of the parameters.
    count : int
        How many coefficients there are.
    """

    def __init__(self, upper: Sequence[Factor], lower: Sequence[Factor], z: Any, count: int) -> None:
        self.factors = [(p, p.product) for p in upper] + [(p, p.quotient) for p in lower]
        poles = np.stack([-1.0 + 0.0 * z, *[-p.value for p in lower]])
        self.last_pole = np.max(np.real(poles), axis=0)
        self.terms = _first_terms(z, count)
        self.values = np.stack([p.value for p, _ in self.factors])
        self.z = z
        self._prepare()

    def _prepare(self) -> None:
        self.ratio, self.shifted = np.empty_like(self.z), np.empty_like(self.values)
        pairs = list(zip(self.factors, self.shifted, strict=True))
        self.steps = [s for (p, act), value in pairs if p.is_number for s in act(value, self.ratio)]
        self.steps += [s for (p, act), value in pairs if not p.is_number for s in act(value, self.terms)]
        self.steps.append((np.multiply, self.terms, self.ratio, self.terms))

    def advance(self, k: int) -> None:
        np.add(self.values, float(k), self.shifted)
        np.multiply(self.z, 1.0 / (k + 1), self.ratio)
        for act, x, y, out in self.steps:
            act(x, y, out)

    def keep(self, indices: Any) -> None:
        self.terms, self.last_pole, self.values, self.z = (
            np.take(x, indices, axis=-1) for x in (self.terms, self.last_pole, self.values, self.z)
        )
        self._prepare()


class TwoTerms(Terms):
    """Terms that follow from the two before.

    Attributes
    ----------
    before : (count, n) array
        The coefficients of the term before.
    arrays : array
        What the steps read, an element a column.
    """

    before: Any
    arrays: Any

    def _prepare(self) -> None:
        """Make the steps for the current arrays."""
        raise NotImplementedError

    def last_size(self) -> Any:
        return np.sum(np.abs(self.terms), axis=0) + np.sum(np.abs(self.before), axis=0)

    def keep(self, indices: Any) -> None:
        self.terms, self.before, self.last_pole, self.arrays = (
            np.take(x, indices, axis=-1) for x in (self.terms, self.before, self.last_pole, self.arrays)
        )
        self._prepare()


class MiddleTerms(TwoTerms):
    """`d_n t**n` of Buehring's expansion: `n (n + p - q) d_n = (n + p - 1) (s d_(n-1) + (n + p - 2) / 4 d_(n-2))`.

    Parameters
    ----------
    p, shift, gap : Factor
        `p`, `s = (p + q + 1) / 2 - c` and `p - q`.
    t : array
        Of their type.
    count : int
        How many coefficients there are.
    """

    def __init__(self, p: Factor, shift: Factor, gap: Factor, t: Any, count: int) -> None:
        self.factors = p, shift, gap
        self.last_pole = np.maximum(np.real(-gap.value), 10.0)
        self.terms = _first_terms(t, count)
        self.before = 0.0 * self.terms
        self.arrays = np.stack([p.value, shift.value, gap.value, t, 0.25 * t * t])
        self._prepare()

    def _prepare(self) -> None:
        p, shift, gap = self.factors
        self.shifted = self.arrays[:3] + 0.0
        work = np.empty_like(self.terms)
        self.steps = [
            self._steps_of(terms, before, work, p, shift, gap)
            for terms, before in ((self.terms, self.before), (self.before, self.terms))
        ]

    def _steps_of(self, terms: Any, before: Any, work: Any, p: Factor, shift: Factor, gap: Factor) -> list[list[Step]]:
        """The steps before `n + p - 2` becomes `n + p - 1`, and those after it."""
        t, quarter = self.arrays[3], self.arrays[4]
        first: list[Step] = [(np.multiply, terms, t, work), *shift.product(self.arrays[1], work)]
        first += [*p.product(self.shifted[0], before), (np.multiply, before, quarter, before)]
        first.append((np.add, before, work, before))
        return [first, [*p.product(self.shifted[0], before), *gap.quotient(self.shifted[2], before)]]

    def advance(self, k: int) -> None:
        p, gap = self.arrays[0], self.arrays[2]
        first, second = self.steps[0]
        np.add(p, k - 1.0, self.shifted[0])
        for act, x, y, out in first:
            act(x, y, out)
        np.add(p, float(k), self.shifted[0])
        np.add(gap, k + 1.0, self.shifted[2])
        for act, x, y, out in second:
            act(x, y, out)
        np.multiply(self.before, 1.0 / (k + 1), self.before)
        self.terms, self.before = self.before, self.terms
        self.steps.reverse()
