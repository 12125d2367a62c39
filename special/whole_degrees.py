"""Derivatives of orthogonal polynomials in degree and parameters at whole degrees, of plain vectors.

There they need a recurrence and one transcendental function, and no jets as the kernels of `polynomial_degree.py` and
`laguerre_degree.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import psi

from .degree_sweeps import sweep
from .jet_vectors import split
from .polynomial_degree import value_at_one
from .whole_jacobi import (
    Direction,
    far_start,
    is_far,
    jacobi_along,
    leading,
    legendre_in_degree,
    near_start,
    off_cut,
    phi_along,
    within_reach,
)
from .whole_laguerre import keeps_digits, laguerre_in_degree, laguerre_in_parameter

__all__ = ["WHOLE_DEGREES", "AtWholeDegrees"]

_HIGHEST = 10_000
"""The largest degree."""
_LARGEST = 1e15
"""The largest parameter, so that its powers are numbers."""


class AtWholeDegrees(NamedTuple):
    """A derivative at whole degrees.

    Attributes
    ----------
    kernel : callable
        As `sweep` takes it, of all arguments; where there is a start, of that too.
    domain : callable
        A mask of the same arguments, whose degrees are whole.
    jacobi : callable or None
        Of a derivative in the degree that starts from a series: the parameters and the argument of Jacobi's function.
    """

    kernel: Callable[..., Any]
    domain: Callable[..., Any]
    jacobi: Callable[..., Any] | None = None

    def holds(self, n: Any, *args: Any) -> Any:
        """Where it is used."""
        is_whole = (n >= 0) & (n <= _HIGHEST) & (n == np.floor(n))
        return is_whole & self.domain(n, *args) if np.any(is_whole) else is_whole

    def __call__(self, n: Any, *args: Any) -> Any:
        """The derivative, of numbers and vectors, the last of which is a vector."""
        if self.jacobi is None:
            return sweep(self.kernel, n, *args)
        _, beta, x = self.jacobi(*args)
        return split(is_far(n, beta, x), self._far, self._near, n, *args)

    def _far(self, n: Any, *args: Any) -> Any:
        return sweep(self.kernel, n, *args, *far_start(*self.jacobi(*args)))

    def _near(self, n: Any, *args: Any) -> Any:
        return sweep(self.kernel, n, *args, *near_start(*self.jacobi(*args)))


DEGREE, ALPHA, BETA = Direction(1, 0, 0), Direction(0, 1, 0), Direction(0, 0, 1)


def _jacobi(along: Direction) -> AtWholeDegrees:
    def kernel(n: Any, alpha: Any, beta: Any, x: Any, *start: Any) -> Any:
        return jacobi_along(n, alpha, beta, x, along, *start)[1]

    return _within(kernel, along, lambda alpha, beta, x: (alpha, beta, x))


def _within(kernel: Callable[..., Any], along: Direction, of: Callable[..., Any]) -> AtWholeDegrees:
    def domain(n: Any, *args: Any) -> Any:
        alpha, beta, x = of(*args)
        is_regular = (alpha > -1) & (alpha + beta > -2) & (np.abs(alpha) <= _LARGEST) & (np.abs(beta) <= _LARGEST)
        return is_regular & within_reach(beta, x) if along.n else is_regular & np.isfinite(x)

    return AtWholeDegrees(kernel, domain, of if along.n else None)


def _gegenbauer(along: Direction) -> AtWholeDegrees:
    def of(alpha: Any, x: Any) -> Any:
        return alpha - 0.5, alpha - 0.5, x

    def kernel(n: Any, alpha: Any, x: Any, *start: Any) -> Any:
        value, slope = phi_along(n, *of(alpha, x), along, *start)
        end, turn = leading(n, 2 * alpha - 1, x, along._replace(alpha=2 * along.alpha))
        return slope * end + value * turn

    return _within(kernel, along, of)


def _shifted_jacobi(along: Direction, dp: float) -> AtWholeDegrees:
    """Jacobi's over the leading coefficient `gamma(2 n + p) / (gamma(n + p) gamma(n + 1))`."""

    def of(p: Any, q: Any, x: Any) -> Any:
        return p - q, q - 1, 2 * x - 1

    def kernel(n: Any, p: Any, q: Any, x: Any, *start: Any) -> Any:
        value, slope = jacobi_along(n, *of(p, q, x), along, *start)
        rise = (2 * along.n + dp) * psi(2 * n + p) - (along.n + dp) * psi(n + p) - along.n * psi(n + 1)
        return (slope - value * rise) / value_at_one(n, n + p - 1)

    return _within(kernel, along, of)


WHOLE_DEGREES: dict[tuple[str, str], AtWholeDegrees] = {
    ("eval_legendre", "n"): AtWholeDegrees(legendre_in_degree, lambda n, x: off_cut(x) & np.isfinite(x)),
    ("eval_sh_legendre", "n"): AtWholeDegrees(
        lambda n, x: legendre_in_degree(n, 2 * x - 1), lambda n, x: off_cut(2 * x - 1) & np.isfinite(x)
    ),
    ("eval_gegenbauer", "n"): _gegenbauer(DEGREE),
    ("eval_gegenbauer", "alpha"): _gegenbauer(Direction(0, 1, 1)),
    ("eval_jacobi", "n"): _jacobi(DEGREE),
    ("eval_jacobi", "alpha"): _jacobi(ALPHA),
    ("eval_jacobi", "beta"): _jacobi(BETA),
    ("eval_sh_jacobi", "n"): _shifted_jacobi(DEGREE, 0),
    ("eval_sh_jacobi", "p"): _shifted_jacobi(ALPHA, 1),
    ("eval_sh_jacobi", "q"): _shifted_jacobi(Direction(0, -1, 1), 0),
    ("eval_genlaguerre", "n"): AtWholeDegrees(
        laguerre_in_degree, lambda n, alpha, x: (alpha > -1) & (alpha <= _LARGEST) & keeps_digits(n, x)
    ),
    ("eval_genlaguerre", "alpha"): AtWholeDegrees(
        laguerre_in_parameter, lambda n, alpha, x: np.isfinite(alpha) & np.isfinite(x)
    ),
    ("eval_laguerre", "n"): AtWholeDegrees(lambda n, x: laguerre_in_degree(n, 0.0, x), lambda n, x: keeps_digits(n, x)),
}
"""By the names of functions and arguments."""
