"""The modified Bessel functions K of the orders `v` and `v + 1`, `|v| <= 1/2`, in the right half-plane.

Near 0 they are Temme's series (N. M. Temme, J. Comput. Phys. 19 (1975) 324),

    K_v = c sum_k p_k f_k,    s K_(v+1) = c sum_k p_k (exp(v L) (E_k + v O_k) - 2 k f_k),    f_k = S E_k + C O_k

with `p_k = (s / 2)**(2 k) / k!`, `1 / gamma(k + 1 - v) = E_k + v O_k`, `c = pi v / sin(pi v)`, `L = log(2 / s)`,
`C = cosh(v L)` and `S = sinh(v L) / v`.

Elsewhere they are integrals along their cut, across which `sqrt(s) K` jumps, from DLMF 10.34.2:

    sqrt(2 s / pi) exp(s) K = 1 - int_0^inf r / (s + t) dt,    r = sqrt(2 t) / pi**1.5 cos(pi v) exp(-t) K_v(t)

and the same of `-s K' = s K_(v+1) - v K` is `s + (4 v**2 + 3) / 8 - int_0^inf q / (s + t) dt`, `q` with `-t K_v'(t)`
for `K_v(t)`.  With `w = 1 / s` the factor `1 / (s + t)` is `w (1 + t conj(w)) / |1 + t w|**2`, so that the sum over the
nodes is one of real numbers.  Its coefficients are polynomials in `v**2`.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from ..numerics.devices import constants_like
from ..numerics.jets import Jet, choose, compose, exponential, variables
from ..numerics.products import times_columns
from ..numerics.regions import by_region

_NEAREST = 1e-290
"""Nearer to 0 than that K counts as infinite."""
_NEAR = 1.0
_TERMS = 11
"""Of Temme's series, which suffice up to there."""
_BLOCK = 512
"""Elements that are summed over the nodes at a time; always so many, for the result not to depend on the others."""
_POWERS = 9
"""Of `4 v**2` in the polynomials."""
_WIDEST = 1.5
"""They interpolate between 0 and here, beyond the 1 that is needed, as derivatives are least accurate at the end."""


def lowest_orders(v: Any, s: Any, n: int) -> tuple[Jet, Jet]:
    """`exp(s) K` of the orders `v` and `v + 1`, `|v| <= 1/2` and `Re s >= 0`, as jets of order `n` in `v`."""
    modulus = np.abs(s)
    regions = [
        (modulus < _NEAREST, lambda v, s: [np.abs(s) * 0.0 + np.inf] * (2 * n + 2)),
        (modulus < _NEAR, lambda v, s: _dense(*_by_series(variables((n,), v)[0], s))),
        (~(modulus < _NEAR), lambda v, s: _dense(*_by_cut(variables((n,), v)[0], s))),
    ]
    both = by_region(regions, v, s)
    own, next_one = (Jet({(k,): c for k, c in enumerate(part)}, (n,)) for part in (both[: n + 1], both[n + 1 :]))
    return own, next_one


def _dense(*jets: Jet) -> list[Any]:
    return [jet.coefficients.get((k,), 0.0 * jet.value) for jet in jets for k in range(jet.orders[0] + 1)]


# near 0


def _by_series(v: Jet, s: Any) -> tuple[Jet, Jet]:
    square = v * v
    even, odd = (_polynomial(coefficients, square) for coefficients in _reciprocal_gamma_parts())
    even_0, odd_0 = even, odd
    quarter, power = s * s / 4, 1.0
    a, b, a_derivative, b_derivative = even, odd, even * 0.0, odd * 0.0
    for k in range(1, _TERMS):
        scale = (k * k - square).reciprocal()
        even, odd = (even * k + square * odd) * scale, (odd * k + even) * scale
        power = power * quarter / k
        a, b = a + even * power, b + odd * power
        a_derivative, b_derivative = a_derivative + even * (2 * k * power), b_derivative + odd * (2 * k * power)
    growth, c, sinc = _hyperbolic(v, np.log(2 / s))
    value = sinc * a + c * b
    following = growth * (a + v * b) - sinc * a_derivative - c * b_derivative
    scale = (even_0 * even_0 - square * odd_0 * odd_0).reciprocal() * np.exp(s)
    return value * scale, following * scale / s


@cache
def _reciprocal_gamma_parts() -> tuple[list[float], list[float]]:
    """`1 / gamma(1 - v) = E + v O`, both in powers of `v**2`; from DLMF 5.7.3."""
    derivatives = [np.euler_gamma, *(float(special.zeta(k)) for k in range(2, 28))]
    c = [1.0]
    for k in range(1, 28):
        c.append(-sum(derivative * c[k - 1 - j] for j, derivative in enumerate(derivatives[:k])) / k)
    return c[0::2], c[1::2]


def _polynomial(coefficients: list[float], x: Jet) -> Jet:
    total = x * 0.0
    for c in reversed(coefficients):
        total = total * x + c
    return total


def _hyperbolic(v: Jet, log: Any) -> tuple[Jet, Jet, Jet]:
    """`exp(v L)`, `cosh(v L)` and `sinh(v L) / v`."""
    x = v * log
    is_small = np.abs(x.value) < 1
    up = exponential(x)
    down = up.reciprocal()
    inverse_factorials = [1 / math.factorial(2 * k + 1) for k in range(9)]
    sinc = _polynomial(inverse_factorials, x * x) * log
    if not np.all(is_small):
        divisor = Jet({**v.coefficients, (0,): np.where(is_small, 1.0, v.value)}, v.orders)
        sinc = choose(is_small, sinc, (up - down) * 0.5 / divisor)
    return up, (up + down) * 0.5, sinc


# elsewhere


@cache
def _nodes() -> tuple[Any, Any]:
    """Nodes `t`, and the coefficients of `r dt` and `q dt` there as polynomials in `4 v**2`, the powers first.

    `t = exp(u - exp(-u) / 6)` makes a sum of equal steps in `u` exponentially convergent.
    """
    h = 0.25
    u = h * np.arange(-20, 12)
    t = np.exp(u - np.exp(-u) / 6)
    points = _WIDEST / 2 * (1 + np.cos(math.pi * (np.arange(_POWERS) + 0.5) / _POWERS))
    v = np.sqrt(points)[:, None] / 2
    steps = h * t * (1 + np.exp(-u) / 6) * np.cos(math.pi * v) * np.sqrt(2 * t) / math.pi**1.5 * np.exp(-2 * t)
    derivatives = (special.kve(1 - v, t) + special.kve(1 + v, t)) / 2 * t
    weights = np.concatenate([steps * special.kve(v, t), steps * derivatives], axis=1)
    return t, np.linalg.solve(np.vander(points, increasing=True), weights).reshape(_POWERS, 2, len(t))


def _by_cut(v: Jet, s: Any) -> tuple[Jet, Jet]:
    w = 1 / s
    square = v * v
    sums = _sums(square.value * 4, w, v.orders[0])
    if w.dtype.kind == "c":
        sums = [parts[:2] + np.conjugate(w) * parts[2:] for parts in sums]
    of_derivative = compose(square * 4, lambda x, k: sums[k][1])
    value = 1.0 - compose(square * 4, lambda x, k: sums[k][0]) * w
    derivative = (square * 0.5 + 0.375 - of_derivative * w) * w + 1.0
    factor = np.sqrt(math.pi / 2 * w)
    return value * factor, (v * value * w + derivative) * factor


def _sums(x: Any, w: Any, n: int) -> list[Any]:
    """The derivatives of order `k <= n` in `x = 4 v**2`, over `k!`, of the sums with `1 / |1 + t w|**2`.

    These are the sums of `r` and `q`, and for complex `w` of `t r` and `t q` behind them.
    """
    is_complex = w.dtype.kind == "c"
    basis, matrix = (constants_like(a, w) for a in _matrices(is_complex))
    one = 1 + 0 * x
    parts = np.stack([one, np.real(w), np.real(w) ** 2 + np.imag(w) ** 2] if is_complex else [one, w])
    count = matrix.shape[0] // _POWERS
    size = x.shape[0]
    padding = -size % _BLOCK
    if padding:
        x, parts = np.pad(x, (0, padding)), np.pad(parts, ((0, 0), (0, padding)), constant_values=1.0)
    found = []
    for i in range(0, size, _BLOCK):
        here = slice(i, i + _BLOCK)
        shares = 1 / (basis @ parts[:, here])
        rows = np.reshape(times_columns(matrix, shares), (_POWERS, count, _BLOCK))
        found.append(_taylor(rows, x[here], n))
    return [np.concatenate(blocks, axis=1)[:, :size] for blocks in zip(*found, strict=True)]


@cache
def _matrices(is_complex: bool) -> tuple[Any, Any]:
    """What gives `|1 + t w|**2`, or `1 + t w`, at the nodes, and from one over that the coefficients of the sums."""
    t, weights = _nodes()
    if is_complex:
        basis, weights = [1 + 0 * t, 2 * t, t * t], np.concatenate([weights, t * weights], axis=1)
    else:
        basis = [1 + 0 * t, t]
    return np.stack(basis, axis=1), weights.reshape(-1, len(t))


def _taylor(coefficients: Any, x: Any, n: int) -> list[Any]:
    """The Taylor coefficients of polynomials at `x`, by synthetic division."""
    total = [coefficients[-1], *[0.0 * coefficients[-1]] * n]
    for c in coefficients[-2::-1]:
        for k in range(n, 0, -1):
            total[k] = total[k] * x + total[k - 1]
        total[0] = total[0] * x + c
    return total
