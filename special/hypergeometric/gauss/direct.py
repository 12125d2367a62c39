"""Values of Gauss' function `2F1(a, b; c; z)` of many real elements, by the series of `gauss_mapped` in place.

The elements are sorted by the modulus of zeta, so that those of a piece need about the same number of terms.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gamma, rgamma

from ...numerics.regions import by_region, is_pole
from ...polynomials.real_degree.degree_sweeps import in_order
from .mapped import mapped_modulus

__all__ = ["direct_values"]

_FAR, _NEAREST = -6.0, 0.95
"""Between these `z` the series in zeta takes less time than SciPy, as measured; further out that in `1 / z`."""
_FARTHEST = 1e4
_FROM_WHOLE = 0.02
"""That is taken where two exponents differ by a number so far from whole."""
_AT_ONCE = 1 << 15
"""Elements that are sorted at a time."""
_LARGEST = 30.0
"""Parameters up to here are tried."""
_LOSS = 400.0
"""The terms of a sum may be larger than the sum by this factor."""
_NEGLIGIBLE = 1e-17
_AT_A_TIME = 8
"""Terms between two looks at whether they count."""
_MOST = 200


def direct_values(a: Any, b: Any, c: Any, z: Any) -> Any:
    """The function; NaN where another way is better.

    Parameters
    ----------
    a, b, c, z : array
        Of double precision, flat.
    """
    out = np.empty_like(z)
    for i in range(0, z.shape[0], _AT_ONCE):
        block = slice(i, i + _AT_ONCE)
        own = [x[block] for x in (a, b, c, z)]
        kinds = _kind(*own)
        out[block] = by_region([(kinds == k, _WAYS[k]) for k in np.flatnonzero(np.bincount(kinds))], *own)
    return out


def _kind(a: Any, b: Any, c: Any, z: Any) -> Any:
    """Which of the ways is tried: none for polynomials, which SciPy has fast, also after Euler's transformation."""
    is_moderate = (np.abs(z) <= _FARTHEST) & (np.abs(a) <= _LARGEST) & (np.abs(b) <= _LARGEST) & (np.abs(c) <= _LARGEST)
    if np.min(c) <= 0:
        is_moderate &= ~is_pole(c)
    kind = (is_moderate & (z < _NEAREST)).astype(np.int8)
    if np.min(z) < _FAR:
        gap = np.abs(a - b)
        is_far = is_moderate & (z < _FAR)
        kind[is_far] = np.where(np.abs(gap - np.rint(gap)) > _FROM_WHOLE, 2, 0)[is_far]
    for x in (a, b, c - a, c - b):
        if np.min(x) <= 0:
            kind[is_pole(x)] = 0
    return kind


def _nothing(a: Any, b: Any, c: Any, z: Any) -> Any:
    return np.full_like(z, np.nan)


def _mapped(a: Any, b: Any, c: Any, z: Any) -> Any:
    return in_order(_of_piece, mapped_modulus(z), a, b, c, z)


def _of_piece(a: Any, b: Any, c: Any, z: Any) -> Any:
    """By that of the four series of `gauss_mapped.mapped` which cancels least."""
    below = 1 / (1 + np.sqrt(1 - z))
    excess = c - a - b
    needs_euler, is_less = excess < 0, a <= b
    is_first = (z >= 0) == (is_less != needs_euler)
    p, q = np.where(is_first, a, b), np.where(is_first, b, a)
    np.subtract(c, p, p, where=needs_euler)
    np.subtract(c, q, q, where=needs_euler)
    exponent = p * np.log1p(-0.5 * z * below)
    exponent *= -2
    if np.any(needs_euler):
        exponent += np.minimum(excess, 0.0) * np.log1p(-z)
    return _series(p, q, c, z * below * below) * np.exp(exponent)


def _series(p: Any, q: Any, c: Any, zeta: Any) -> Any:
    """`g` of a piece; NaN where it has not converged, or has cancelled."""
    half = 0.5 * c
    linear, square, rest = 4 * zeta * (q - half), 4 * zeta * zeta, p - half
    before, term = np.ones_like(zeta), linear * p / c
    total, size = 1 + term, 1 + np.abs(term)
    work, other = np.empty_like(zeta), np.empty_like(zeta)
    n, pole = 1, float(np.max(-c))
    while n < _MOST:
        for n in range(n, n + _AT_A_TIME):  # noqa: B020
            np.add(p, 0.5 * (n - 1), work)
            np.add(rest, 0.5 * n, other)
            work *= other
            work *= square
            before *= work
            np.add(p, n, work)
            work *= linear
            work *= term
            before += work
            np.add(c, n, work)
            work *= n + 1
            before /= work
            before, term = term, before
            total += term
            if n < 4 or n % 4 == 0:
                np.abs(term, work)
                work *= 1 if n < 4 else 4
                size += work
        n += 1
        np.abs(before, other)
        other += np.abs(term, work)
        np.abs(total, work)
        work *= _NEGLIGIBLE
        if n > pole and np.all((other <= work) | np.isnan(other)):
            return np.where(size <= _LOSS * np.abs(total), total, np.nan)
    return np.full_like(zeta, np.nan)


def _far(a: Any, b: Any, c: Any, z: Any) -> Any:
    return in_order(_in_two_terms, z, a, b, c, z)


def _in_two_terms(a: Any, b: Any, c: Any, z: Any) -> Any:
    """DLMF 15.8.2, of a piece."""
    end = gamma(c)
    gap = b - a
    turn = gamma(gap)
    other = -np.pi / (gap * np.sin(np.pi * (gap - 2 * np.rint(0.5 * gap))) * turn)  # DLMF 5.5.1 and 5.5.3
    (first, size), (second, other_size) = _term(a, b, c, z, end * turn), _term(b, a, c, z, end * other)
    total = first + second
    return np.where(size + other_size <= _LOSS * np.abs(total), total, np.nan)


def _term(a: Any, b: Any, c: Any, z: Any, factor: Any) -> tuple[Any, Any]:
    """`factor / (gamma(b) gamma(c - a)) (-z)**-a 2F1(a, a - c + 1; a - b + 1; 1 / z)`, and its size."""
    upper, lower, y = a - c + 1, a - b + 1, 1 / z
    term, total, size = np.ones_like(z), np.ones_like(z), np.ones_like(z)
    work = np.empty_like(z)
    k, pole = 0, float(np.max(-lower))
    while k < _MOST:
        for k in range(k, k + _AT_A_TIME):  # noqa: B020
            for p in (a, upper):
                np.add(p, k, work)
                term *= work
            term *= y
            np.add(lower, k, work)
            work *= k + 1
            term /= work
            total += term
            size += np.abs(term, work)
        k += 1
        if k > pole and np.all(work <= _NEGLIGIBLE * size):
            break
    else:
        size += np.inf
    factor = factor * rgamma(b) * rgamma(c - a) * (-z) ** -a
    return factor * total, np.abs(factor) * size


_WAYS = [_nothing, _mapped, _far]
