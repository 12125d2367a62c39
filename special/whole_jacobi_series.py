"""What derivatives of Jacobi polynomials in the degree need beside the recurrence, of plain vectors.

The power series of `jacobi_series.py` at degree 0, and its Taylor series, with their derivatives in the degree.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .jacobi_series import beginning, step_terms, steps_to
from .jacobi_sums import MOST_TERMS, TERMS, active
from .jet_vectors import part

__all__ = ["distance", "march_in_degree", "reaches", "rises_at_degree_0"]

_LIMIT = 0.98
"""The largest `abs(zeta)` at which the power series is used."""
_LEFTMOST = -0.9997
"""There `zeta` is nearly that."""
_DEPARTURE = 0.35
_LOSS = 4.0
"""Nor is it where `|1 - z|**-beta` is less than its largest value on the circle by more than the exponential of it."""
_CLOSE = 0.1
"""A derivative is not divided by a factor that is less than this."""


def distance(x: Any) -> Any:
    """`|zeta|` at `x = 1 - 2 z`."""
    return np.abs((1 - x) / 2 / np.square(1 + np.sqrt((1 + x) / 2)))


def reaches(beta: Any, x: Any) -> Any:
    """Whether the power series gives the derivatives at degree 0: it ends, and where `abs(x) > 1` loses no digits."""
    if x.dtype.kind == "f" and np.all((x > _LEFTMOST) & (x <= 1)):
        return np.True_
    size = distance(x)
    loss = np.maximum(beta, 0.25) * (4 * np.arctanh(np.minimum(size, _LIMIT)) + np.log(np.abs(1 + x) / 2))
    return (size <= _LIMIT) & ((loss <= _LOSS) | (size <= _DEPARTURE))


def rises_at_degree_0(alpha: Any, beta: Any, z: Any, rest: Any) -> tuple[Any, Any]:
    """Of `F(-n, n + alpha + beta + 1; alpha + 1; z)` and `z dF / dz / (alpha + beta + 1)` the derivatives in `n` at 0.

    All are plain vectors; the elements that need the most terms stand first.  With `u_k = k t_k / a` at `a = 0`,
    `(k + alpha) u_k = 2 (alpha + 2 beta + 1) zeta u_(k-1) + (k - alpha - 2) zeta**2 u_(k-2)`, where `u_0` counts as 2.
    """
    zeta = z / np.square(1 + np.sqrt(rest))
    first, square = (2 * (alpha + 2 * beta + 1)) * zeta, zeta * zeta
    before, term = np.full_like(z, 2.0), first / (alpha + 1)
    value, slope = term.copy(), term.copy()
    going, done = slice(len(z)), 2
    while going.stop and done < MOST_TERMS:
        u, v, y, y2, a, w, dw = (part(p, going) for p in (term, before, first, square, alpha, value, slope))
        for k in range(done, done + TERMS):
            v *= y2
            v *= (k - 2) - a
            v += u * y
            v /= a + k
            dw += v
            w += v * (1 / k)
            u, v = v, u
        done += TERMS
        going = active(u, v, dw)
    slope = (slope * ((1 + zeta) / (1 - zeta)) + 2 * zeta / (1 - zeta)) / (alpha + beta + 1)
    (close,) = np.nonzero(np.abs(alpha + beta + 1 + 0 * z.real) < _CLOSE)
    if len(close):  # there z / (alpha + 1) F(1, alpha + beta + 2; alpha + 2; z)
        c, other, y = (part(p, close) for p in (alpha + 2, alpha + beta + 2, z))
        slope[close] = y / (c - 1) * beginning(1.0, other, c, y, 1 - y)[0]
    return -(2 * np.log1p(zeta) + value), -slope


def march_in_degree(
    n: Any, alpha: Any, beta: Any, value: Any, turn: Any, slope: Any, bend: Any, start: Any, rest: Any
) -> tuple[Any, Any]:
    """`phi_n` and its derivative in `n` at `1 - z = rest`, of plain vectors.

    Parameters
    ----------
    value, turn : array
        Both at `1 - z = start`.
    slope, bend : array
        Their derivatives in `1 - z`.
    """
    way = np.log(rest / start)
    count = np.maximum(steps_to(n * (n + (alpha + beta + 1)), start, way), 1.0)
    order = np.argsort(-count)
    count, way, start, rest, n, a, b = (part(p, order) for p in (count, way, start, rest, n, alpha, beta))
    state = np.stack([value, turn, slope, bend])[:, order]
    for k in range(int(count[0])):
        size = np.searchsorted(-count, -k)
        arguments = (part(p, slice(size)) for p in (n, a, b, start, way, count))
        state[:, :size] = _taylor_in_degree(state[:, :size], k, *arguments)
    out = np.empty_like(state)
    out[:, order] = state
    return out[0], out[1]


def _taylor_in_degree(state: Any, step: int, n: Any, alpha: Any, beta: Any, start: Any, way: Any, count: Any) -> Any:
    """As `_taylor`, with the derivative of its recurrence in `n`."""
    left = start * np.exp(way * (step / count))
    h = start * np.exp(way * ((step + 1) / count)) - left
    total = alpha + beta + 1
    scale = h / ((1 - left) * left)
    linear, constant = (1 - 2 * left) * scale, ((total + 1) * (1 - left) - (alpha + 1)) * scale
    square = h * scale
    product, along, total = -n * (n + total) * square, -(2 * n + total) * square, total * square
    ratio = float(np.max(np.abs(h) / np.minimum(np.abs(1 - left), np.abs(left))))
    g, f = state[:2], state[2:] * h
    value, rise = g + f, f.copy()
    for k in range(step_terms(np.max(np.abs(beta)), np.max(alpha) + 1, ratio)):
        upper = (product + (k * square + total) * k) * g
        upper -= ((constant + k * linear) * (k + 1)) * f
        upper[1] += along * g[0]
        upper *= 1 / ((k + 2) * (k + 1))
        g, f = f, upper
        value += f
        rise += (k + 2) * f
    return np.concatenate([value, rise / h])
