"""Implicit functions: a solution `x(a)` of `F(x, a) = 0`, differentiated independently of its solver.

Where the Jacobian `J = dF/dx` is invertible, `J dx + F_a da = 0` [GW08], section 15.1.  Here this is one step of the
chord method from the solution, with the Jacobian there as a constant,

    x - J^-1 F(x, a),

which has the value `x` and this differential.  Each further step makes one more derivative right: if `y` agrees with
the solution `s(a)` up to order k in `da`, then by the mean value theorem

    (y - J^-1 F(y, a)) - s = (1 - J^-1 F_x(z, a)) (y - s)     for some z between y and s,

whose first factor is of order 1 in `da`, so that the left side is of order k + 2.  The number of steps is the number of
nested derivatives, and none of them differentiates `J`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from ..array.tracing import is_tracing
from ..control_flow.closures import closed_over, standing_for
from ..engine.errors import PrecisionLossError
from ..engine.traced import Traced, depth_of, raw
from ..transforms.arguments import flatten
from ..transforms.grad import stop_gradient
from ..transforms.transformed import TransformedFunction, check_function
from .of_items import one_by_one
from .residual import Residual
from .scipy_calls import refuse_doubles
from .systems import METHODS, System, solved

_STEPS = 5
_CONVERGED = 0.01
"""Of the square root of the rounding error: the length of a last step of Newton's method, relative to the solution."""
_SMALLEST = 1e-8
"""The size that is added to that of a solution, which may be 0."""
_FARTHEST = 1e-3
"""How far from what a solver returned its solution is looked for, relative to it: farther off is another solution."""
_LEAST_SIZE = 0.1
"""The size that is added there to that of a solution, of which solvers know 1e-5 at best where it is 0."""
_NEARBY = 10.0
"""Of the square root of the rounding error: how near to the solution the Jacobian must not become singular."""


def implicit(
    residual: Callable[..., Any], *, linear_solver: str | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a solver differentiable, through the equations that its result satisfies.

    The solver gets plain numbers, and can be any code: compiled code, bisection, a loop until convergence.

    Parameters
    ----------
    residual : callable
        `residual(x, *args, **kwargs)` is 0 where `x` is the solver's result for the same arguments: as many real
        numbers as `x` has, a complex one counting twice, in any tree.  It can be differentiated.
    linear_solver : {"lu", "gmres", "cg"}, optional
        How the linear system of a derivative is solved: by factorizing the dense Jacobian (default up to 1,000
        unknowns), or using only products with it; "cg" requires a symmetric positive definite Jacobian.

    Returns
    -------
    callable
        A decorator for the solver, which returns a tree of arrays `x`.

    Raises
    ------
    NotDifferentiableError
        From the decorated function under a derivative, if the Jacobian is singular at the solution.
    PrecisionLossError
        There, if `x` does not satisfy the equations.

    See Also
    --------
    optimize.root, optimize.fixed_point, optimize.minimize, optimize.least_squares : SciPy's solvers, differentiated so.

    Notes
    -----
    The derivative is that of the solution with respect to the arguments, and to everything that `residual` closes over,
    to any order and in both modes.  The solver's starting point has no derivative.  Values have the solver's bits.

    Examples
    --------
    Kepler's equation, by bisection:

    >>> import wirtinger as np
    >>> from wirtinger import grad, implicit
    >>> @implicit(lambda E, e, M: E - e * np.sin(E) - M)
    ... def eccentric_anomaly(e, M):
    ...     below, above = 0.0, np.pi
    ...     while (E := (below + above) / 2) not in (below, above):
    ...         below, above = (E, above) if E - e * np.sin(E) < M else (below, E)
    ...     return E
    >>> grad(eccentric_anomaly, argnums=1)(0.5, 1.0).round(9)  # 1 / (1 - e cos(E))
    np.float64(1.037362022)
    """
    check_function(residual)
    if linear_solver not in (None, *METHODS):
        raise ValueError(f"linear_solver={linear_solver!r} is none of {', '.join(METHODS)}")

    def decorate(solver: Callable[..., Any]) -> Callable[..., Any]:
        check_function(solver)
        return TransformedFunction(_solution, solver, residual, linear_solver)

    return decorate


@one_by_one
def _solution(
    solver: Callable[..., Any], residual: Callable[..., Any], linear_solver: str | None, /, *args: Any, **kwargs: Any
) -> Any:
    with without_derivatives(solver, args, kwargs):
        numbers, named = stop_gradient((args, kwargs)) if is_tracing() else (args, kwargs)
        x = stop_gradient(solver(*numbers, **named))
    name = getattr(solver, "__name__", "an implicit function")
    return differentiated(name, x, lambda u: residual(u, *args, **kwargs), method=linear_solver)


def is_differentiated(*readers: Any) -> bool:
    """Whether functions are found to read something that has a derivative."""
    return bool(_read_by(readers))


def without_derivatives(*readers: Any) -> AbstractContextManager[None]:
    """A context in which what functions are found to read has no derivative: solvers need numbers.

    What they read in ways that are not found keeps it, and raises where a number is needed.
    """
    moving = _read_by(readers)
    return standing_for([raw(z) for z in moving], moving)


def _read_by(readers: Any) -> list[Any]:
    return [z for z in closed_over(readers) if type(z) is Traced] if is_tracing() else []


def differentiated(
    name: str, x: Any, f: Callable[[Any], Any], *, method: str | None = None, is_symmetric: bool = False
) -> Any:
    """A solution `x` of `f(x) = 0`, a tree of plain arrays, with the derivatives that it has in what `f` closes over.

    Parameters
    ----------
    name : str
        Of the function that found it, for errors.
    x : tree
        The solution.
    f : callable
        The equations.
    method : {"lu", "gmres", "cg"}, optional
        As `System` takes it.
    is_symmetric : bool
        Whether `f` is a gradient.
    """
    order = max(map(depth_of, flatten(f(x))[0]), default=0) if is_tracing() else 0
    if not order:
        return x
    refuse_doubles(f"the derivative of {name}")
    with without_derivatives(f):
        residual = Residual(f, x, at_values=True)
        if residual.out.size != residual.x.size:
            raise TypeError(
                f"the equations of {name} are {residual.out.size} real numbers, and its unknowns {residual.x.size} (a "
                "complex number is two): give one equation for each unknown."
            )
        if not residual.x.size:
            return x
        vector = residual.x.pack(x)
        at, system = _polished(name, residual, vector, method, is_symmetric)
        _check_regular(residual, at, system)
    packing, y = residual.x, at
    for _ in range(order):
        step = solved(residual.out.pack_traced(f(packing.unpack_traced(y))), system=system, transposed=False)
        y = y - (step - raw(step))
    return packing.unpack_traced(vector + (y - at))


def _size(v: Any) -> Any:
    return np.max(np.abs(v), initial=0.0)


def _polished(name: str, residual: Residual, vector: Any, method: str | None, is_symmetric: bool) -> tuple[Any, System]:
    """The solution by Newton's method from what the solver returned, and the system there.

    Solvers end where a tolerance is met, 1e-5 for one: the derivative there would have no more right digits.
    """
    at, scale = vector, _size(vector) + _SMALLEST
    for _ in range(_STEPS):
        system = System(name, residual, at, method, is_symmetric)
        step = system.solve(residual.value(at))
        if not np.all(np.isfinite(step)):
            break
        at = at - step
        if _size(at - vector) > _FARTHEST * (_size(vector) + _LEAST_SIZE):
            break
        if _size(step) <= _CONVERGED * scale * residual.x.tolerance:
            return at, system
    raise PrecisionLossError(
        f"{name} was differentiated where its equations are not satisfied, and Newton's method from there does not "
        "converge. Likely causes: the solver stopped early (its result says success=False), its tolerance is too "
        "large, or the solution is a multiple one. Give a smaller tolerance, a better start, or equations that are "
        "smooth at the solution."
    )


def _check_regular(residual: Residual, at: Any, system: System) -> None:
    """Raise where the Jacobian is another one within the rounding errors of the solution: it is singular nearby.

    At a multiple root the computed Jacobian is not 0 but small, of the size of the error of the root.  The direction
    in which that is seen is the one that the inverse makes long.
    """
    size = _size(at)
    if not size:
        return
    direction = system.solve(np.random.default_rng(0).standard_normal(at.size))
    direction *= _NEARBY * residual.x.tolerance * size / _size(direction)
    beyond = system.solve(residual.differential(at + direction)(direction))
    if not _size(beyond - direction) <= 0.5 * _size(direction):
        raise system.singular()
