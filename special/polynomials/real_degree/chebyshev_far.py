"""Chebyshev functions of real degree right of the interval, where SciPy's series loses digits: by powers.

With `x = (p + 1 / p) / 2`, `u = log(p)` and `m = n + 1` DLMF 18.5.1 and 18.5.2 are `T = cosh(n u)` and
`U = sinh(m u) / sinh(u)`.  The largest power is taken out, so that nothing overflows before the result does.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

FAR: Final = 1.25
"""From this argument on functions are computed by powers."""


def log_of_power(x: Any) -> Any:
    """`u`, without cancellation next to `x = 1`."""
    return 2 * np.arcsinh(np.sqrt((x - 1) / 2))


class _Powers:
    """The powers of `p`, of the half of it, which does not overflow."""

    def __init__(self, x: Any) -> None:
        self._half = 0.5 * x + 0.5 * np.sqrt(x - 1) * np.sqrt(x + 1)
        self.log = log_of_power(x)

    def __call__(self, k: Any) -> Any:
        return self._half**k * 2.0**k


def _sum_of_powers(k: Any, p: _Powers, sign: float) -> Any:
    """`(p**k + sign p**(-k)) / 2` for `k >= 0`."""
    large = p(k)
    return large / 2 + sign / (2 * large)


def t_far(n: Any, x: Any) -> Any:
    """`T`."""
    return _sum_of_powers(np.abs(n), _Powers(x), 1.0)


def t_in_degree_far(n: Any, x: Any) -> Any:
    """`dT / dn = u sinh(n u)`; next to `n = 0` its powers cancel."""
    p = _Powers(x)
    nu = n * p.log
    return p.log * np.where(
        np.abs(nu) < 1, np.sinh(np.clip(nu, -1, 1)), np.sign(n) * _sum_of_powers(np.abs(n), p, -1.0)
    )


def u_far(n: Any, x: Any) -> Any:
    """`U`, odd in `m`."""
    p, m = _Powers(x), np.abs(n + 1)
    return np.sign(n + 1) * _sine_over_sine(m, p)


def derivative_of_t_far(n: Any, x: Any) -> Any:
    """`dT / dx = n sinh(n u) / sinh(u)`."""
    return np.abs(n) * _sine_over_sine(np.abs(n), _Powers(x))


def _sine_over_sine(m: Any, p: _Powers) -> Any:
    """`sinh(m u) / sinh(u) = p**(m-1) (1 - p**(-2m)) / (1 - p**(-2))`."""
    return p(m - 1) * np.expm1(-2 * m * p.log) / np.expm1(-2 * p.log)


def u_in_degree_far(n: Any, x: Any) -> Any:
    """`dU / dn = u cosh(m u) / sinh(u)`, even in `m`."""
    p, m = _Powers(x), np.abs(n + 1)
    return p.log * p(m - 1) * (1 + np.exp(-2 * m * p.log)) / -np.expm1(-2 * p.log)


def derivative_of_u_far(n: Any, x: Any) -> Any:
    """`dU / dx = (m cosh(m u) - U cosh(u)) / sinh(u)**2`, odd in `m`.

    With `e = p**(-2)`, `E = e**m` and `d = 1 - e` it is `2 p**(m-2) s / d**2`, where

        s = m (1 + E) - (1 - E) (1 + e) / d = k (1 + E) + 2 (E - e) / d,    k = m - 1.

    The second form does not cancel next to `m = 1`, where the derivative is 0, nor the first next to `m = 0`.
    """
    p, m = _Powers(x), np.abs(n + 1)
    k, d = np.where(n > -1, n, -2 - n), -np.expm1(-2 * p.log)
    e, power = np.exp(-2 * p.log), np.exp(-2 * m * p.log)
    s = np.where(
        m < 0.5,
        m * (1 + power) + np.expm1(-2 * m * p.log) * (1 + e) / d,
        k * (1 + power) + 2 * e * np.expm1(-2 * k * p.log) / d,
    )
    return np.sign(n + 1) * 2 * p(m - 2) * s / (d * d)
