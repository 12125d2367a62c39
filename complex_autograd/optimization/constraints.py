"""Minima under constraints: the gradient of the Lagrangian, and the constraints that hold with equality, are equations.

At a minimum `x` of `L` let `h_j(x) = 0` be the constraints that hold with equality.  There are multipliers `p` with

    grad L(x) + sum_j p_j grad h_j(x) = 0,    h(x) = 0.

Their Jacobian in `(x, p)` is regular where the gradients of the `h_j` are independent and the second derivative of the
Lagrangian is positive on what they leave free; and where no multiplier of an inequality is 0, the same ones hold nearby
([NW06], theorem 12.6 and section 18.1).  The multipliers are had from the first equation, by least squares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..array.creation import asarray
from ..engine.errors import NotDifferentiableError
from ..transforms.derivatives import jacobian
from ..transforms.grad import grad, jvp, stop_gradient
from .implicit import differentiated, without_derivatives

_NEAR = 1e-4
"""How near to its limit a constraint may hold with equality, relative to its size: where solvers end."""
_ON = 1e-6
"""How near to it, it does, or is to be refused."""
_PRICED = 1e-6
"""The least multiplier of an inequality that holds with equality, relative to how the gradient of the loss changes."""


class Constraint(NamedTuple):
    """`lower <= f(x) <= upper`, of a real vector and with real vectors, element by element; equal limits are equations.

    Attributes
    ----------
    f : callable
        Returns a number or a vector.
    lower, upper : array_like
        The limits, infinite where there is none.
    """

    f: Callable[[Any], Any]
    lower: Any
    upper: Any

    def of(self, x: Any) -> tuple[Any, Any, Any]:
        """The values, and the limits, in one shape."""
        value = np.reshape(asarray(self.f(x)), -1)
        lower, upper = (np.broadcast_to(asarray(limit, np.float64), value.shape) for limit in (self.lower, self.upper))
        return value, lower, upper


def differentiated_under(name: str, x: Any, loss: Callable[[Any], Any], constraints: Sequence[Constraint]) -> Any:
    """A minimum under constraints, a real vector, with its derivatives.

    Raises
    ------
    NotDifferentiableError
        If an inequality holds with equality and the minimum would be there without it: it leaves to one side only.
    """
    with without_derivatives(loss, constraints):
        held = _held(name, x, loss, constraints)

        def equalities(u: Any) -> Any:
            found = []
            for constraint, (is_lower, is_held) in zip(constraints, held, strict=True):
                value, lower, upper = constraint.of(u)
                found.append(value[is_held] - np.where(is_lower, lower, upper)[is_held])
            return np.concatenate(found)

        p = _multipliers(*map(stop_gradient, (grad(loss)(x), jacobian(equalities)(x))))

    def equations(z: Any) -> Any:
        u, p = z[: x.size], z[x.size :]
        return np.concatenate([grad(lambda u: loss(u) + np.sum(p * equalities(u)))(u), equalities(u)])

    return differentiated(name, np.concatenate([x, p]), equations)[: x.size]


def _multipliers(gradient: Any, rows: Any) -> Any:
    return np.linalg.lstsq(rows.T, -gradient, rcond=None)[0]


def _held(name: str, x: Any, loss: Any, constraints: Sequence[Constraint]) -> list[tuple[Any, Any]]:
    """Of each constraint where its lower limit is the nearer one, and where it holds with equality."""
    found = [[stop_gradient(part) for part in constraint.of(x)] for constraint in constraints]
    value, lower, upper = (np.concatenate(parts) for parts in zip(*found, strict=True))
    rows = np.concatenate([stop_gradient(jacobian(lambda u, c=c: c.of(u)[0])(x)) for c in constraints])
    distance = np.fmin(value - lower, upper - value)
    is_lower = value - lower <= upper - value
    size, is_equation = np.maximum(np.abs(value), 1.0), lower == upper
    is_near = is_equation | (distance <= _NEAR * size)
    moved = np.maximum(np.abs(x), _ON) * np.random.default_rng(0).choice((-1, 1), x.size)
    g, dg = map(stop_gradient, jvp(grad(loss), (x,), (moved,)))
    price = np.zeros_like(value)
    price[is_near] = _multipliers(g, rows[is_near])
    price *= np.where(is_lower, -1, 1) * np.linalg.norm(rows, axis=1)  # positive where the loss presses against it
    is_priced = price > _PRICED * max(np.max(np.abs(g), initial=0.0), np.max(np.abs(dg), initial=0.0))
    is_held = is_equation | (is_near & is_priced)
    if np.any((distance <= _ON * size) & ~is_held):
        raise NotDifferentiableError(
            name,
            "a constraint holds with equality, and the minimum without it is there as well, so that it leaves the "
            "limit to one side only. Leave the constraint out",
        )
    ends = np.cumsum([len(each[0]) for each in found])[:-1]
    return list(zip(np.split(is_lower, ends), np.split(is_held, ends), strict=True))
