"""How equal and nearly equal values are separated: each gets a different rate of change, and becomes a series in `t`.

If values that differ by `gap` are not split, derivatives have an error of `eps / gap`, to the power of their order.  If
they are, the error is a power of a ratio: of the differences within a group of values to those between the groups.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, final

import numpy as np

from ....backends import DIGITS, eps_of
from ....complex_autograd.engine.choices import CHOICES
from ...elementary.triangles import off_diagonal
from ...kernels.tolerances import TIED
from .acceptance import NearlyEqual
from .equal_values import closed, has_near, nearness, widest_nearness
from .laurent import LaurentTrace

_ATTEMPTS: Final = 5
"""How many differences are tried, each a tenth of the one before; the first is ten times the one above."""

_TRUNCATED: Final = 0.75
"""Below `eps` to this power terms are left out."""

_MOST_TERMS: Final = 4
"""How many terms more than derivatives a series may have."""

_LARGEST_KEPT: Final = 64
"""Of matrices with no more elements the groups are kept: in a chain of 3x3 ones most have the same."""


@final
class Splitting:
    """The speeds that keep equal and nearly equal values apart; `Splitting.of` chooses the groups.

    Parameters
    ----------
    values : array (..., n)
        The values, sorted.
    same : array (..., n, n) or None
        1 where they are equal up to rounding.
    depth : int
        How many derivatives are being taken.
    scale : array (..., 1)
        The size of the values.
    within : array (..., n, n)
        1 for values in one group, else 0.
    vanishing : array (..., n) or None
        1 for values in one group with zero, else 0; None if they need not be kept apart from it.
    condition : array (..., n), optional
        The condition numbers of eigenvalues of general matrices, which are in any order, and may be complex.

    Attributes
    ----------
    trace : LaurentTrace
        The level of the series.
    close : array (..., n, n)
        1 for different indices of values in one group, else 0.
    vanishing : array (..., n)
        1 for values in one group with zero, else 0.
    speeds : array (..., n)
        How fast each value moves.
    moved : array (..., n, n)
        The differences of the speeds.
    nearest : float
        The least relative difference inside the groups between values that are not equal.
    is_exact : bool
        Whether all members of the groups are equal up to rounding.
    """

    def __init__(
        self, values: Any, same: Any, depth: int, scale: Any, within: Any, vanishing: Any, condition: Any = None
    ) -> None:
        self.close = within * off_diagonal(within)
        from_zero = vanishing is not None
        self.vanishing = vanishing if from_zero else np.zeros_like(within[..., 0])
        is_descending = values[..., -1] < values[..., 0]
        self.speeds = (scale * _kept(_speeds, within, self.vanishing, is_descending)).astype(values.dtype)
        self.moved = _differences(self.speeds)
        inside, outside = self._distances(values, same, from_zero)
        eps = eps_of(values.dtype)
        shortest = self.nearest = _nearest(inside, scale)
        self.is_exact = not np.isfinite(shortest)
        worst = 1.0 if condition is None else float(np.max(condition))
        rounding = eps * worst
        if CHOICES.other_bases and same is not None:  # of values that differ other vectors were chosen
            rounding += float(np.max(_differences(values) * same / scale[..., None]))
        self.series_error = 10 * rounding * worst * (1 + _nearest(outside, scale) ** -depth)
        more = 0
        if not self.is_exact:
            ratio = _steepest(inside, -1) * _steepest(outside, 1)
            while more < _MOST_TERMS and ratio ** (more + 1) > eps**_TRUNCATED:
                more += 1
            self.series_error += ratio ** (more + 1)
        direct = 20 * rounding * shortest**-depth
        amplified = max(direct, eps * worst ** (2 * depth) * shortest**-depth)
        self.verdict = NearlyEqual(
            (direct, amplified, self.series_error, 4 * rounding / shortest),
            gap=0.0 if self.is_exact else shortest * float(np.max(scale)),
            growth=worst,
        )
        self.trace = LaurentTrace(depth + more, self.verdict)

    def _distances(self, values: Any, same: Any, from_zero: bool) -> tuple[Any, Any]:
        """Distances and the speeds at which they change, inside groups and between them; infinite elsewhere."""
        gaps, moved = _differences(values), self.moved
        unequal = self.close if same is None else self.close * (1 - same)
        inside = [(np.where(unequal > 0, gaps, np.inf), moved)]
        outside = [(np.where(off_diagonal(gaps) > self.close, gaps, np.inf), moved)]
        if from_zero:
            rounding = TIED * values.shape[-1] * eps_of(values.dtype) * np.max(values, axis=-1, keepdims=True)
            alone = (self.vanishing > 0) & (values > rounding)
            speeds = np.abs(self.speeds)[..., None]
            inside.append((np.where(alone, values, np.inf)[..., None], speeds))
            outside.append((np.where(self.vanishing > 0, np.inf, values)[..., None], speeds))
        return inside, outside

    @classmethod
    def of(
        cls, values: Any, same: Any, depth: int, zero: Any = None, from_zero: bool = False, condition: Any = None
    ) -> Splitting | None:
        """The splitting of finite values whose error is the least; None if they are best left as they are."""
        is_tied = same is not None or zero is not None
        worst, widest = 1.0, 10 * nearness(values.dtype, depth == 1, DIGITS.get())
        if condition is not None:
            worst = float(np.max(condition))
            widest = widest_nearness(values.dtype, depth, worst)
        elif not is_tied and not has_near(values, depth, from_zero):
            return None
        scale = np.max(np.abs(values), axis=-1, keepdims=True)
        scale = np.where(scale == 0, 1, scale).astype(scale.dtype)
        found: Splitting | None = None
        before = None
        gaps = np.abs(values[..., 1:] - values[..., :-1]) if condition is None else _differences(values)
        tied: Any = False if same is None else same > 0
        if condition is None and same is not None:
            tied = np.diagonal(tied, 1, -2, -1)
        for k in range(_ATTEMPTS):
            near = widest / 10**k * scale
            joined = (gaps <= (near if condition is None else near[..., None])) | tied
            small = values <= near if from_zero else None
            pattern = joined.tobytes(), None if small is None else small.tobytes()
            if pattern == before:
                continue
            before = pattern
            within = _kept(_groups if condition is None else closed, joined).astype(scale.dtype)
            vanishing: Any = _with_zero(small, within) if from_zero else None
            if not (np.count_nonzero(within) > scale.size * within.shape[-1] or (from_zero and np.any(vanishing))):
                break
            tried = cls(values, same, depth, scale, within, vanishing, condition)
            if found is None or tried.series_error < found.series_error:
                found = tried
            if tried.is_exact:
                break
        if found is None or not (is_tied or worst * found.series_error < found.verdict.amplified):
            return None
        return found


def _kept(function: Callable[..., Any], *patterns: Any) -> Any:
    """A function of arrays that say which values lie together, which are often the same ones: few are kept."""
    if type(patterns[0]) is not np.ndarray or not 0 < patterns[0].size <= _LARGEST_KEPT:
        return function(*patterns)
    return _from_memory(function, *[(x.shape, x.dtype, x.tobytes()) for x in patterns])


@lru_cache(maxsize=256)
def _from_memory(function: Callable[..., Any], *patterns: Any) -> Any:
    return function(*[np.frombuffer(memory, dtype).reshape(shape) for shape, dtype, memory in patterns])


def _groups(joined: Any) -> Any:
    """1 for values in one group, else 0, from which neighbours are."""
    group = np.concatenate([np.zeros_like(joined[..., :1], dtype=int), np.cumsum(~joined, axis=-1)], axis=-1)
    return (group[..., :, None] == group[..., None, :]).astype(float)


def _with_zero(small: Any, within: Any) -> Any:
    """1 for values in one group with zero, else 0."""
    return ((within @ small.astype(within.dtype)[..., None])[..., 0] > 0).astype(within.dtype)


def _speeds(within: Any, vanishing: Any, is_descending: Any) -> Any:
    """Speeds in the order of the values: of mean 0 in each group, and positive in that of zero."""
    count = np.sum(within, axis=-1)
    rank = np.sum(np.tril(within, -1), axis=-1)
    rising = np.where(is_descending, -1, 1)[..., None]
    centred = rising * (rank - (count - 1) / 2) / np.maximum(count - 1, 1)
    return np.where(vanishing > 0, (count - rank) / count, centred).astype(within.dtype)


def _differences(x: Any) -> Any:
    return np.abs(x[..., None, :] - x[..., :, None])


def _steepest(distances: Any, power: int) -> float:
    """The largest ratio of speeds to distances, or of distances to speeds, and at least 1 of the former."""
    found = 0.0 if power < 0 else 1.0
    for gaps, speeds in distances:
        finite = gaps < np.inf
        over, under = (speeds, gaps) if power > 0 else (gaps, speeds)
        ratio = np.where(finite, over, 0) / np.where(finite, under, 1)
        found = max(found, float(np.maximum.reduce(ratio, axis=None, initial=0.0)))
    return found


def _nearest(distances: Any, scale: Any) -> float:
    """The smallest distance, relative to the scale of each item."""
    return min(float(np.minimum.reduce(gaps / scale[..., None], axis=None, initial=np.inf)) for gaps, _ in distances)
