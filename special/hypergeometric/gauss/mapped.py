"""Gauss' function `2F1(a, b; c; z)` of jets by a power series that converges on the whole cut plane.

With `s = sqrt(1 - z)`, `zeta = (1 - s) / (1 + s)` maps the plane without `[1, inf)` on the unit disc: -1 to -0.17,
1/2 to 0.17, 0.9 to 0.52, and `exp(i pi / 3)` to `0.27 i`.  In zeta the hypergeometric equation has the singular points
0, 1, -1 and infinity, and `g = (1 + zeta)**(-2 a) 2F1` solves Heun's equation, DLMF 31.2.1.  So its coefficients obey

    (n + 1) (n + c) g_(n+1) = 4 (b - c/2) (n + a) g_n + 4 (a + (n - 1)/2) (a - c/2 + n/2) g_(n-1),  g_0 = 1.

The same holds with `a` and `b` exchanged and after Euler's transformation, DLMF 15.8.1; one of these four series hardly
ever cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ...numerics.hypergeometric_series import length_of, moduli, sums
from ...numerics.jets import Jet, exponential
from ...numerics.regions import by_region, part
from ...numerics.series_terms import Factor, Step, Terms, TwoTerms, reached_indices
from ...numerics.shared_series import MOST, are_numbers, recurrence, summed_by_horner, unit

_LOSS = 400.0
"""The terms of a sum may be larger than the sum by this factor."""

_TERMS = 1200
"""So many are summed at most."""

_FAR_BELOW, _ROUNDINGS = -8.0, 8.0
"""At smaller `c` errors of the first coefficients may outgrow them on the way to the one where `n + c` is smallest: the
sum is checked as W. Kahan does, at parameters that are larger by so many roundings."""
_UNSTEADY = 1e-11
"""What may change with them, relative."""


class MappedTerms(TwoTerms):
    """`g_n zeta**n`.

    Parameters
    ----------
    a, rest, shift, c : Factor
        `a`, `a - c/2`, `b - c/2` and `c`.
    zeta : array
        Of their type.
    count : int
        How many coefficients there are.
    """

    def __init__(self, a: Factor, rest: Factor, shift: Factor, c: Factor, *, zeta: Any, count: int) -> None:
        self.factors = a, rest, shift, c
        self.last_pole = np.maximum(-1.0, np.real(-c.value))
        self.terms = np.zeros_like(zeta, shape=(count, zeta.shape[0]))
        self.terms[0] = 1.0
        self.before = 0.0 * self.terms
        fixed = shift.value if shift.is_number else 1.0
        powers = [4.0 * zeta * fixed, 4.0 * zeta * zeta]
        self.arrays = np.stack([*powers, a.value, rest.value, shift.value, c.value])
        self._prepare()

    def _prepare(self) -> None:
        a, rest, _, c = self.factors
        self.ratios, self.below = np.empty_like(self.arrays[:2]), np.empty_like(self.arrays[0])
        self.shifted = np.empty_like(self.arrays[:3])
        of_term, of_before = self.ratios
        self.numbers: list[Step] = []
        if c.is_number:
            self.numbers.append((np.divide, self.arrays[:2], self.below, self.ratios))
        if a.is_number:
            self.numbers.append((np.multiply, of_term, self.shifted[0], of_term))
            self.numbers.append((np.multiply, of_before, self.shifted[1], of_before))
        if rest.is_number:
            self.numbers.append((np.multiply, of_before, self.shifted[2], of_before))
        work = np.empty_like(self.terms)
        pairs = (self.terms, self.before), (self.before, self.terms)
        self.steps = [self._steps_of(terms, before, work) for terms, before in pairs]

    def _steps_of(self, terms: Any, before: Any, work: Any) -> list[Step]:
        """The next term, in place of the one before."""
        a, rest, shift, c = self.factors
        steps: list[Step] = [(np.multiply, terms, self.ratios[0], work), (np.multiply, before, self.ratios[1], before)]
        if not a.is_number:
            steps += [*a.product(self.shifted[0], work), *a.product(self.shifted[1], before)]
        if not shift.is_number:
            steps += shift.product(self.arrays[4], work)
        if not rest.is_number:
            steps += rest.product(self.shifted[2], before)
        steps.append((np.add, before, work, before))
        return steps if c.is_number else steps + c.quotient(self.below, before)

    def advance(self, k: int) -> None:
        steady, (a, rest, _, c) = self.arrays[:2], self.arrays[2:]
        np.add(a, float(k), self.shifted[0])
        np.add(a, 0.5 * (k - 1), self.shifted[1])
        np.add(rest, 0.5 * k, self.shifted[2])
        np.add(c, float(k), self.below)
        if self.factors[3].is_number:
            np.multiply(self.below, k + 1.0, self.below)
        else:
            np.multiply(steady, 1.0 / (k + 1), self.ratios)
        for act, x, y, out in self.numbers:
            act(x, y, out)
        for act, x, y, out in self.steps[0]:
            act(x, y, out)
        self.terms, self.before = self.before, self.terms
        self.steps.reverse()


def _series(a: Jet, b: Jet, c: Jet, zeta: Any, loss: float) -> tuple[Jet, Any]:
    """`g`, and where its series has converged and has not cancelled."""
    half = c * 0.5
    parameters = a, a - half, b - half, c
    if are_numbers(parameters):
        return summed_by_horner(_coefficients(*parameters), zeta, loss)
    indices = reached_indices(parameters)
    factors = [Factor(p, indices) for p in parameters]
    length = length_of(zeta, parameters)

    def terms(part: Any) -> Terms:
        own = [p.part(part, length[part]) for p in factors]
        return MappedTerms(*own, zeta=length[part], count=len(indices))

    totals, moduli, sizes = sums(terms, zeta, _TERMS)
    return Jet(dict(zip(indices, totals, strict=True)), a.orders), np.isfinite(sizes) & (sizes <= loss * moduli)


def _coefficients(a: Jet, rest: Jet, shift: Jet, c: Jet) -> Jet:
    """`g_n` of parameters that are numbers."""
    n = np.arange(MOST - 1.0)
    below = 4.0 / ((c + n) * (n + 1.0))
    first, second = shift * (a + n) * below, (a + (n - 1) / 2) * (rest + n / 2) * below
    return recurrence([first, second], unit(a.orders))


def one_minus(z: Any) -> Any:
    """`1 - z`; on the cut the zero imaginary part keeps its sign, which says on which side."""
    return -(z - 1)


def mapped_modulus(z: Any) -> Any:
    """The modulus of zeta."""
    root = np.sqrt(one_minus(z))
    return np.abs(z) / np.abs(1 + root) ** 2


def _mapped(a: Jet, b: Jet, c: Jet, z: Any, loss: float, excess: Jet | None = None) -> tuple[Jet, Any]:
    """`(1 + zeta)**(2 a) g`, and times `(1 - z)**excess` after Euler's transformation."""
    below = 1 / (1 + np.sqrt(one_minus(z)))
    log1p = special.log1p if z.dtype.char == "D" else np.log1p
    total, succeeds = _series(a, b, c, z * below * below, loss)
    exponent = a * (-2.0 * log1p(-0.5 * z * below))
    if excess is not None:
        exponent = exponent + excess * log1p(-z)
    return total * exponential(exponent), succeeds


def mapped(a: Jet, b: Jet, c: Jet, z: Any, loss: float = _LOSS) -> tuple[Jet, Any]:
    """The function off the cut, by the series that cancels least, and where it has not cancelled."""
    total, succeeds = _by_least_cancelling(a, b, c, z, loss)
    (here,) = np.nonzero(succeeds & (c.value < _FAR_BELOW))
    if here.shape[0]:
        first, second, third, point, known = (part(x, here) for x in (a, b, c, z, total))
        scale = 1 + _ROUNDINGS * np.finfo(z.dtype).eps
        other, _ = _by_least_cancelling(first * scale, second * scale, third, point, loss)
        changes = known - other
        succeeds = np.array(succeeds)
        succeeds[here] = moduli(changes) <= _UNSTEADY * moduli(known)
    return total, succeeds


def _by_least_cancelling(a: Jet, b: Jet, c: Jet, z: Any, loss: float) -> tuple[Jet, Any]:
    """One of the four.

    Positive terms need `b - c/2` of the sign of zeta and a large `a - c/2`, both for the parameters of the series.
    """
    x, y = a.value, b.value
    needs_euler = x + y > c.value
    is_first = (np.real(z) >= 0) == ((x <= y) != needs_euler)
    if not are_numbers((a, b, c)) and not any(p.nilpotent().coefficients for p in (a, b, c)):
        return _of_values(np.where(is_first, x, y), np.where(is_first, y, x), c, z, loss, needs_euler)

    def with_euler(a: Jet, b: Jet, c: Jet, z: Any) -> tuple[Jet, Any]:
        return _mapped(c - a, c - b, c, z, loss, c - a - b)

    return by_region(
        [
            (~needs_euler & is_first, lambda a, b, c, z: _mapped(a, b, c, z, loss)),
            (~needs_euler & ~is_first, lambda a, b, c, z: _mapped(b, a, c, z, loss)),
            (needs_euler & is_first, with_euler),
            (needs_euler & ~is_first, lambda a, b, c, z: with_euler(b, a, c, z)),
        ],
        *(a, b, c, z),
    )


def _of_values(first: Any, second: Any, c: Jet, z: Any, loss: float, needs_euler: Any) -> tuple[Jet, Any]:
    """The four cases in one, of parameters that are not differentiated."""

    def chosen(x: Any, other: Any) -> Jet:
        return Jet({(0,) * len(c.orders): np.where(needs_euler, x, other)}, c.orders)

    p, q = chosen(c.value - first, first), chosen(c.value - second, second)
    return _mapped(p, q, c, z, loss, chosen(c.value - first - second, 0.0))
