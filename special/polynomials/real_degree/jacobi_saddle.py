"""Ways from 1 to points next to -1 of the complex plane along which Jacobi functions of large parameters keep digits.

The two solutions of Jacobi's equation are to each other as the exponential of `2 n + s` times the integral of
`w / (x**2 - 1)`, `w**2 = (x - low) (x - high)`, by the method of Liouville and Green, DLMF 2.7(iii); here `s = alpha +
beta`, and the turning points `low, high` are the zeros of `((beta - alpha) - s x)**2 - 4 n (n + s) (1 - x**2)`.
Rounding errors start both solutions.  So on the way the real part of that integral may rise first, and fall then, but
never the other way round: it rises from 1 to the turning points, stays on the level curve through the lower one up to
the phase of `1 + x` at the end, and goes straight to the end.  There at one phase it rises with the modulus of `1 + x`,
as long as the end stands left of the turning point.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ....complex_autograd.engine.traced import raw
from .jacobi_series import march

_LEAST, _LOWEST = 0.5, 1e-3
"""The smallest `alpha` and `n` on the way, for 1 is no point of it, and the turning points are two."""
_FEWEST_POINTS, _POINTS_PER_ROOT = 6, 1.0
"""On the level curve: chords between as many points as the root of a parameter asks for do not leave it."""
_HALVINGS, _SHORTEST = 50, 1e-9
"""A step has a length, also where the end is real."""


class _Level(NamedTuple):
    """What the integral needs."""

    n: Any
    alpha: Any
    beta: Any

    @property
    def total(self) -> Any:
        return 2 * self.n + self.alpha + self.beta

    def turning_points(self) -> tuple[Any, Any]:
        """The middle of them, and half of their distance."""
        n, alpha, beta = self
        middle = (beta - alpha) * (alpha + beta) / self.total**2
        product = (n * (n + alpha + beta)) * ((n + alpha) * (n + beta))
        return middle, 4 * np.sqrt(product) / self.total**2

    def integral(self, x: Any) -> Any:
        """Its real part, times `2 n + s`: with `w = 2 alpha / (2 n + s)` at 1, and `-2 beta / (2 n + s)` at -1."""
        middle, half = self.turning_points()
        w = np.sqrt(x - (middle + half)) * np.sqrt(x - (middle - half))
        out = self.total * np.log(np.abs(x - middle + w))
        for end, parameter, at_end in (
            (1, self.alpha, 2 * self.alpha / self.total),
            (-1, self.beta, -2 * self.beta / self.total),
        ):
            ratio = (at_end**2 + (end - middle) * (x - end) + at_end * w) / (x - end)
            out = out - parameter * np.log(np.abs(ratio))
        return out


def _level(n: Any, alpha: Any, beta: Any) -> _Level:
    return _Level(np.maximum(n, _LOWEST), np.maximum(alpha, _LEAST), beta)


def lower_turning_point(n: Any, alpha: Any, beta: Any) -> Any:
    """`(1 + low) / 2`, of plain `beta > 0`."""
    middle, half = _level(n, alpha, beta).turning_points()
    return (1 + middle - half) / 2


def path_around(
    numbers: tuple[Any, Any, Any], value: Any, derivative: Any, parameters: Any, start: Any, rest: Any
) -> Any:
    """The function at `1 - z = rest`.

    Parameters
    ----------
    numbers : tuple of float, array or Jet
        The parameters of the hypergeometric function.
    value, derivative : array or Jet
        At `1 - z = start`.
    parameters : tuple of array
        Plain `n, alpha, beta`.
    start, rest : array
        The first is real and not left of the turning point, the second complex and not right of it.
    """
    first = lower_turning_point(*parameters) + 0 * start
    here = np.minimum(first, start * (1 - _SHORTEST)) + 0j
    value, derivative = march(*numbers, value, derivative, start, here)
    largest = float(np.max([np.max(np.abs(p)) for p in parameters]))
    count = _FEWEST_POINTS + int(_POINTS_PER_ROOT * np.sqrt(largest))
    for k in range(1, count + 1):
        phase = np.angle(raw(rest)) * (k / count) ** 2
        there = _on_level(phase, _level(*parameters), first) * (1 - (k + 1) * _SHORTEST)
        value, derivative = march(*numbers, value, derivative, here, there)
        here = there
    return march(*numbers, value, derivative, here, rest)[0]


def _on_level(phase: Any, level: _Level, first: Any) -> Any:
    """The point of a phase on the level curve, by halving an interval of `log(abs(1 + x))`."""
    height = level.integral(2 * first - 1 + 0j)
    high = np.minimum(np.log(first / np.maximum(np.cos(phase), first)), 0.0)
    low = np.log(first) - 3 - 3 * (level.total - level.beta) / level.beta
    for _ in range(_HALVINGS):
        between = (low + high) / 2
        is_high = level.integral(2 * np.exp(between + 1j * phase) - 1) > height
        low, high = np.where(is_high, low, between), np.where(is_high, between, high)
    return np.exp(high + 1j * phase)
