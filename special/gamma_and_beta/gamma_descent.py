"""Derivatives of the incomplete gamma functions in their shape along the path of steepest descent.

On `s = s0 r(theta) e**(i theta)`, `s0 = a / y`, `r = theta / sin(theta)`, the exponent of the integral `K(a, 0, y)` of
`gamma_shape` is real.  It is `-a q**2` with `q**2 = 1 - theta cot(theta) + log(r)`, so in the variable `q` the nodes of
the trapezoidal rule are the same for all `y` and for a range of `a`.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ..numerics.devices import constants_like
from ..numerics.products import times_columns
from ..numerics.stirling_powers import log_less_excess

_DEPTH = 38.0
"""`exp(-38)` is below the rounding error."""
_SPACING = 0.363
"""Of the nodes for shapes from 1 to 2, as far as the exponent is concerned; it is fine enough for 2."""
_COARSEST = 0.29
"""The other saddle points of the exponent, at `q**2 = 2 pi i k`, are at least 1.77 from the path."""
_CHUNK = 1024
"""So many elements at a time: what is computed of them at all nodes stays in the cache."""


class _Nodes(NamedTuple):
    """The spacing of the nodes in `q`; at the nodes `log(s / s0)`, `1 - s / s0`, and `ds / s0` with the weight."""

    spacing: float
    logarithm: Any
    gap: Any
    step: Any


@cache
def _nodes(level: int) -> _Nodes:
    """The midpoints for shapes from `2**level` to twice that, to where the integrand of the first is negligible."""
    h = min(_SPACING / math.sqrt(2**level), _COARSEST)
    q = (np.arange(math.ceil(math.sqrt(_DEPTH / 2**level) / h)) + np.longdouble(0.5)) * h
    angle = np.minimum(math.sqrt(2) * q, math.pi - np.minimum(math.pi / (2 + q * q), 2))
    for _ in range(60):
        sine, cotangent = np.sin(angle), 1 / np.tan(angle)
        derivative = angle / sine**2 + 1 / angle - 2 * cotangent
        excess = 1 - angle * cotangent + np.log(angle / sine) - q * q
        angle = np.clip(angle - excess / derivative, angle / 2, (angle + math.pi) / 2)
    modulus = angle / np.sin(angle)
    gap = 1 - angle / np.tan(angle) - 1j * angle
    direction = modulus * (1 / angle - 1 / np.tan(angle)) + 1j * modulus
    step = direction * (np.cos(angle) + 1j * np.sin(angle)) * (h * 2 * q / derivative)
    return _Nodes(h, *[np.array(column, complex) for column in (np.log(modulus) + 1j * angle, gap, step)])


@cache
def _coefficients(order: int, power: int, level: int, is_small: bool) -> tuple[Any, Any]:
    """At the nodes the coefficients of the integrand: of its numerator, and of `|D|**2`.

    With the gap `D = s0 gap - shift` it is `step (-log s)**order D**-power`, and `1 / D = conj(D) / |D|**2`.  The
    numerator is a polynomial in `log(s0)**j` times the `_products` of `s0` and `-shift`.
    """
    nodes, p = _nodes(level), abs(power)
    gap = np.conjugate(nodes.gap) if power > 0 else nodes.gap
    step = nodes.step * (1 - nodes.gap) if is_small else nodes.step
    columns = [
        (math.comb(order, j) * math.comb(p, i) * (-1) ** order * step * nodes.logarithm ** (order - j) * gap**i).imag
        for j in range(order + 1)
        for i in range(p + 1)
    ]
    squares = [np.ones(len(gap)), 2 * gap.real, np.abs(gap) ** 2]
    return np.stack(columns, axis=1), np.stack(squares, axis=1)


def _powers(x: Any, n: int) -> Any:
    """`x**i` for all `i` to `n`."""
    rows = np.ones_like(x, shape=(n + 1, *x.shape))
    for i in range(n):
        np.multiply(rows[i], x, out=rows[i + 1])
    return rows


def _products(x: Any, y: Any, n: int) -> Any:
    """`x**i y**(n - i)` for all `i`."""
    rows = _powers(x, n)
    rows *= _powers(y, n)[::-1]
    return rows


def _along(m: Any, shift: Any, s0: Any, log_s0: Any, order: int, power: int, level: int, is_small: bool) -> Any:
    """The sum over the nodes, by products of matrices."""
    coefficients, squares = _coefficients(order, power, level, is_small)
    shift = -shift
    powers = _powers(log_s0, order)[:, None] * _products(s0, shift, abs(power))
    values = times_columns(constants_like(coefficients, m), np.reshape(powers, (-1, *m.shape)))
    if power > 0:
        values /= times_columns(constants_like(squares, m), _products(s0, shift, 2))
    return np.einsum("ki,ki->i", gaussian(m * _nodes(level).spacing ** 2, len(values)), values)


def gaussian(width: Any, count: int) -> Any:
    """`exp(-width (k + 1/2)**2)` for all `k`: the ratios of neighbours are the powers of one number."""
    values = np.empty_like(width, shape=(count, *width.shape))
    step = np.exp(-2 * width)
    ratio = np.ones_like(step)
    values[0] = np.exp(-width / 4)
    for k in range(1, count):
        np.multiply(ratio, step, out=ratio)
        np.multiply(values[k - 1], ratio, out=values[k])
    return values


def descent(a: Any, y: Any, order: int, power: int) -> Any:
    """`K(a, 0, y; order, power)`, of vectors; where `a` is small the path is that of `a + 1`."""
    is_small = a < 1
    m = a + is_small
    shift, s0 = (m - y) / y, m / y
    log_s0 = log_shifted(shift, s0)
    total = np.empty_like(m)
    kind = np.frexp(m)[1] - (1 + is_small)
    for number in range(int(np.min(kind, initial=0)), int(np.max(kind, initial=-1)) + 1):
        indices = np.flatnonzero(kind == number)
        for k in range(0, len(indices), _CHUNK):
            at = indices[k : k + _CHUNK]
            total[at] = _along(m[at], shift[at], s0[at], log_s0[at], order, power, max(number, 0), number < 0)
    return np.exp(m * log_less_excess(y / m, (y - m) / m)) * np.where(is_small, s0 * s0, s0) / math.pi * total


def log_shifted(shift: Any, s0: Any) -> Any:
    """`log(1 + shift)`, where `s0` is `1 + shift` rounded."""
    return np.log(s0) + (shift - (s0 - 1)) / s0
