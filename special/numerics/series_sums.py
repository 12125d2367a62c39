"""The sums of series whose terms are stacked coefficients; elements drop out as their sums converge."""

from __future__ import annotations

from typing import Any

import numpy as np

from .series_terms import Terms

_BLOCK = 12
"""Terms of a series between two looks at which elements have converged; in long series a quarter of the terms."""


class _Totals:
    """The sums of terms times powers of a direction, and of the moduli of terms."""

    def __init__(self, terms: Any, z: Any) -> None:
        self.rotates = z.dtype.kind == "c" and terms.dtype.kind != "c"
        self.sizes = np.sum(np.abs(terms), axis=0)
        self.scratch = np.abs(terms)
        self.totals = terms.copy()
        if self.rotates:
            self.totals = np.stack([terms, np.zeros_like(terms)], axis=1)
            modulus = np.abs(z)
            direction = z / np.where(modulus > 0, modulus, 1.0)
            self.cosine, self.sine = np.real(direction).copy(), np.stack([-np.imag(direction), np.imag(direction)])
            self.rotation = np.stack([np.ones_like(modulus), np.zeros_like(modulus)])
            self.spare = np.empty_like(self.totals)

    def add(self, terms: Any) -> None:
        if not self.rotates:
            np.add(self.totals, terms, out=self.totals)
            return
        rotation, spare = self.rotation, self.spare
        np.multiply(rotation[::-1], self.sine, out=spare[0])
        np.multiply(rotation, self.cosine, out=rotation)
        np.add(rotation, spare[0], out=rotation)
        np.multiply(terms[:, None], rotation, out=spare)
        np.add(self.totals, spare, out=self.totals)

    def add_moduli(self, terms: Any, weight: float) -> None:
        np.abs(terms, self.scratch)
        if weight != 1:
            np.multiply(self.scratch, weight, self.scratch)
        for row in self.scratch:
            np.add(self.sizes, row, self.sizes)

    def moduli(self) -> Any:
        if self.rotates:
            return np.sum(np.hypot(self.totals[:, 0], self.totals[:, 1]), axis=0)
        return np.sum(np.abs(self.totals), axis=0)

    def values(self) -> Any:
        return self.totals[:, 0] + 1j * self.totals[:, 1] if self.rotates else self.totals

    def keep(self, indices: Any) -> None:
        self.sizes, self.totals = (np.take(x, indices, axis=-1) for x in (self.sizes, self.totals))
        self.scratch = np.empty_like(self.sizes, shape=(self.totals.shape[0], self.sizes.shape[0]))
        if self.rotates:
            self.cosine, self.sine, self.rotation = (
                np.take(x, indices, axis=-1) for x in (self.cosine, self.sine, self.rotation)
            )
            self.spare = np.empty_like(self.totals)


def summed(series: Terms, z: Any, limit: int, least: float = 1e-18) -> tuple[Any, Any, Any]:
    """The sums of the coefficients, `(count, n)`, the sums of moduli, infinite where the series does not end in time.

    Parameters
    ----------
    series : Terms
        Its terms hold the powers of the modulus of `z`, or of a real `z` itself.
    z : array
        Real or complex; its direction turns the terms.
    limit : int
        So many terms are summed.
    least : float
        The series ends where its terms are so much smaller than the sum.
    """
    count, size = series.terms.shape
    out = np.zeros_like(z + 0.0 * series.terms[0], shape=(count, size))
    moduli = np.zeros_like(series.last_pole)
    sizes = moduli + np.inf
    index = np.cumsum(np.ones_like(z, dtype=np.int64)) - 1
    state = _Totals(series.terms, z)
    next_look = _BLOCK
    for k in range(limit):
        series.advance(k)
        state.add(series.terms)
        if k < 2 or (k < _BLOCK and k % 2):
            state.add_moduli(series.terms, 2.0 if k > 1 else 1.0)
        elif k % 4 == 3:
            state.add_moduli(series.terms, 4.0)
        if k + 1 < min(next_look, limit):
            continue
        next_look = max(next_look + _BLOCK, (5 * next_look) // 4)
        last = series.last_size()
        present = state.moduli()
        has_ended = (last <= least * np.maximum(present, 0.1 * state.sizes)) & (series.last_pole < k - 1)
        leaves = has_ended | ~np.isfinite(state.sizes)
        if k == limit - 1:
            leaves = leaves | True
        elif 3 * np.count_nonzero(leaves) < leaves.shape[0]:
            continue
        (left,), (stays,) = np.nonzero(leaves), np.nonzero(~leaves)
        here = index[left]
        for row, values in zip(out, state.values(), strict=True):
            row[here] = values[left]
        moduli[here] = present[left]
        sizes[here] = np.where(has_ended, state.sizes, np.inf)[left]
        if stays.shape[0] == 0:
            break
        index = index[stays]
        series.keep(stays)
        state.keep(stays)
    return out, moduli, sizes
