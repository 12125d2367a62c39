"""What the hypergeometric functions share: their power series, and the choice among several ways.

Both work on jets of the parameters.  The series says how much it cancels, so that another way can be taken where it
does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .jets import Index, Jet
from .series_sums import summed
from .series_terms import Factor, PowerTerms, Terms, reached_indices
from .shared_series import are_numbers, power_coefficients, summed_by_horner
from .warned import warn

Attempt = Callable[..., tuple[Jet, Any]]

_PIECE = 8192
"""Elements of a series at a time, so that what it works on stays in the cache."""

AT_ONCE = 1 << 18
"""Elements at a time, of which some take rare ways."""


def power_series(
    upper: Sequence[Jet], lower: Sequence[Jet], z: Any, limit: int, loss: float = 100.0, least: float = 1e-18
) -> tuple[Jet, Any]:
    """`sum_k (a_1)_k .. / ((b_1)_k .. k!) z**k`, DLMF 16.2.1, and where it has converged without cancellation.

    It is taken to cancel where the sum of moduli is larger than the modulus of the sum by the factor `loss`.  The
    parameters are arrays with constant derivatives, or numbers.  Terms smaller than the sum by the factor `least` end
    it.
    """
    if are_numbers([*upper, *lower]):
        return summed_by_horner(power_coefficients(upper, lower), z, loss)
    indices = reached_indices([*upper, *lower])
    rows = [[Factor(p, indices) for p in parameters] for parameters in (upper, lower)]
    length = length_of(z, (*upper, *lower))

    def terms(part: Any) -> Terms:
        first, second = ([p.part(part, length[part]) for p in row] for row in rows)
        return PowerTerms(first, second, length[part], len(indices))

    totals, moduli, sizes = sums(terms, z, limit, least)
    return Jet(dict(zip(indices, totals, strict=True)), upper[0].orders if upper else lower[0].orders), np.isfinite(
        sizes
    ) & (sizes <= loss * moduli)


def length_of(z: Any, parameters: Sequence[Jet]) -> Any:
    """What the terms hold powers of: the modulus of a complex `z` together with real parameters."""
    rotates = z.dtype.kind == "c" and all(p.value.dtype.kind != "c" for p in parameters)
    return np.abs(z) if rotates else z + 0.0 * sum(p.value for p in parameters)


def sums(terms: Callable[[Any], Terms], z: Any, limit: int, least: float = 1e-18) -> list[Any]:
    """What `summed` gives, piece by piece: in each those whose series converge at about the same rate."""
    size = z.shape[0]
    if size <= _PIECE:
        return list(summed(terms(slice(None)), z, limit, least))
    order = np.argsort(np.minimum(np.abs(z) * 4096, 60000).astype(np.uint16), kind="stable")
    parts = [order[i : i + _PIECE] for i in range(0, size, _PIECE)]
    pieces = [summed(terms(part), z[part], limit, least) for part in parts]
    rank = np.empty_like(order)
    rank[order] = np.cumsum(np.ones_like(order)) - 1
    results = []
    for columns in zip(*pieces, strict=True):
        joined = np.concatenate(columns, axis=-1)
        results.append(np.take(joined, rank, axis=-1))
    return results


def moduli(jet: Jet) -> Any:
    """The sum of the moduli of the coefficients."""
    parts = list(jet.coefficients.values())
    return sum((np.abs(c) for c in parts[1:]), np.abs(parts[0]))


def put(jet: Jet, here: Any, part: Jet) -> None:
    """Write some of the elements of a jet whose coefficients are arrays."""
    for k, c in part.coefficients.items():
        jet.coefficients[k][here] = c


def try_in_turn(attempts: Sequence[tuple[Any, Attempt]], last: Callable[..., Jet], *args: Any) -> list[Any]:
    """Each element from the first attempt that succeeds there, or else the last resort: the coefficients in a row.

    An attempt is a pair: a mask, where to make it, and a function of flat arrays: it gives a jet and a mask of success.
    """
    outs: list[Any] = []
    remaining = np.ones_like(args[0], dtype=bool)
    for where, attempt in attempts:
        (indices,) = np.nonzero(remaining & where)
        for i in range(0, indices.shape[0], AT_ONCE):
            here = indices[i : i + AT_ONCE]
            jet, succeeds = attempt(*[a[here] for a in args])
            outs = _put(outs, here, jet, remaining.shape)
            remaining[here] = np.logical_not(succeeds)
    if np.any(remaining):
        outs = _put(outs, remaining, last(*[a[remaining] for a in args]), remaining.shape)
    return outs


def _put(outs: list[Any], here: Any, jet: Jet, shape: tuple[int, ...]) -> list[Any]:
    coefficients = dense(jet)
    if not outs:
        outs = [np.zeros_like(c, shape=shape) for c in coefficients]
    for out, c in zip(outs, coefficients, strict=True):
        out[here] = c
    return outs


def _indices(orders: Index) -> list[Index]:
    return [tuple(int(i) for i in k) for k in np.ndindex(*[n + 1 for n in orders])]


def dense(jet: Jet) -> list[Any]:
    """All coefficients in a row, as arrays of the same shape."""
    zero = 0.0 * jet.value
    return [jet.coefficients.get(k, zero) + zero for k in _indices(jet.orders)]


def sparse(coefficients: Sequence[Any], orders: Index) -> Jet:
    """The jet with these coefficients in a row."""
    return Jet(dict(zip(_indices(orders), coefficients, strict=True)), orders)


def nan_where_unknown(function: str, result: Jet, is_unknown: Any) -> Jet:
    """NaN, with a warning if derivatives are asked for, where no method gives them."""
    if any(result.orders) and np.any(is_unknown):
        warn(
            f"{function}: a derivative in a parameter could not be computed accurately and is NaN. Likely cause: large "
            "parameters, where all expansions cancel. Take more moderate ones, or compute there with mpmath."
        )
    return result + np.where(is_unknown, np.nan, 0.0)
