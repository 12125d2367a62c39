"""Distribution functions and their inverses in any argument, by the implicit function theorem.

A distribution function `F(t_1, .., t_n)` is declared once, by its partial derivatives.  An inverse returns `t_i` where
`F = p`; it takes the names of the arguments of `F`, with one more name for `p`, in any order, and lacks that of `t_i`.
At the value `u` its derivatives are `du / dp = 1 / F_i` and `du / dt_k = -F_k / F_i`.

Where SciPy finds `u` by a search that ends early, the derivatives are taken at a value refined by the secant method.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...complex_autograd.engine.traced import raw
from ...complex_autograd.transforms.grad import stop_gradient
from ..numerics.contours import BLOCK, in_double
from ..scipy_repairs.safe_ufunc import safe_ufunc
from .distribution_rules import Distribution, Reading
from .inverse_searches import AT_ONCE, Guess, Search, found_from, real, refined, refined_number
from .patched_ufunc import PatchedUfunc, improved_value, in_floating
from .ufunc_rules import Partial, rule, with_rule


def _solver(
    ufunc: np.ufunc,
    solution: Callable[..., Any],
    at_number: Callable[..., Any],
    block: int,
    example: str,
    farthest: float,
    partials: Sequence[Partial | str],
) -> PatchedUfunc:
    """An inverse whose values, and those in its rule, solve the equation; where there is no solution they are SciPy's.

    Parameters
    ----------
    ufunc : ufunc
        SciPy's.
    solution : callable
        Of vectors: the solution, NaN where there is none.
    at_number : callable
        Of SciPy's value and numbers: the solution if it is found at once, else NaN.
    block : int
        How many elements to compute at a time.
    example : str
        What to add to the documentation.
    farthest : float
        SciPy's values beyond are NaN.
    partials : sequence of callable
        `(u, *args)` of a solution `u`.
    """
    plain, tried = safe_ufunc(ufunc), safe_ufunc(ufunc, warns=False)

    @in_double(block=block)
    def solve(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return solution(*np.broadcast_arrays(*args))

    def completed(u: Any, *args: Any) -> Any:
        unknown = np.isnan(u)
        if not np.any(unknown):
            return u
        out = np.copy(u)
        given = plain(*[x[unknown] for x in np.broadcast_arrays(*args)])
        out[unknown] = np.where(np.abs(given) > farthest, np.nan, given)
        return out[()]

    def quick(*args: float) -> Any:
        numbers = [np.float64(x) for x in args]
        with np.errstate(all="ignore"):
            u = at_number(tried(*numbers), numbers)
        return None if np.isnan(u) else u

    def traced(*args: Any) -> Any:
        inputs = in_floating(*args)
        u = differentiated(*inputs)
        found = raw(u)
        value = completed(found, *[raw(x) for x in inputs])
        return u if value is found else improved_value(u, value=value)

    solve.__name__ = ufunc.__name__
    differentiated = with_rule(solve, ufunc, partials)
    return PatchedUfunc(
        ufunc,
        [(None, lambda *args: completed(solution(*args), *args))],
        quick=quick,
        traced=traced,
        at_once=block,
        example=example,
    )


def inverse(
    function: Any,
    names: str,
    of: Distribution,
    steps: int | None = None,
    search: Search | None = None,
    guess: Guess | None = None,
    at_zero: Callable[..., Any] | None = None,
    at_one: Callable[..., Any] | None = None,
    first: Callable[..., Any] | None = None,
    has_none: Callable[..., Any] | None = None,
    end: str = "",
    farthest: float = np.inf,
    example: str = "",
) -> Any:
    """Declare the rule of an inverse, and return the function with better values.

    Where SciPy finds the value by a search, `steps` of the secant method refine it before derivatives are taken, and
    these are NaN where there is no solution; where SciPy's search fails although there is one, `search` is ours.  A
    value without solution stays SciPy's.  With a `guess` SciPy is asked only where the search from there does not end;
    `at_zero` and `at_one` give the value where the probability is 0 or 1, or NaN.  `first` finds the value by itself,
    or returns NaN; `has_none` says of the arguments where there surely is no solution.  `end` names the argument with
    which an end of the support moves.  Where there is no solution and SciPy's search runs beyond `farthest`, the value
    is NaN.
    """
    reading = Reading(tuple(names.split()), of)
    least = -np.inf if search is real else 0.0

    def partial_in(name: str) -> Partial | str:
        derivative = of.partials[of.names.index(name)] if name in of.names else None
        if isinstance(derivative, str):
            return derivative

        def partial(u: Any, *args: Any) -> Any:
            if np.all(np.isnan(raw(u))):
                return np.nan * u
            point = reading.point(u, args)
            density = reading.density(*point)
            if derivative is None:
                return 1 / density
            return _unless_fixed(
                -derivative(*point) / density, raw(u), raw(args[reading.probability]), float(name == end)
            )

        return partial

    partials = [partial_in(name) for name in reading.names]
    if steps is None:
        return rule(function, names, *partials)

    tried = safe_ufunc(function, warns=False)

    def solution(*args: Any, near: Any = None) -> Any:
        out = np.full_like(args[0], np.nan) if first is None else first(*args)
        unknown = np.isnan(out)
        for x in args:
            unknown &= ~np.isnan(x)
        if has_none is not None:
            unknown &= ~has_none(*args)
        if guess is not None and np.any(unknown):
            out[unknown] = found_from(reading, [x[unknown] for x in args], guess, least)
        for end, at_end in enumerate((at_zero, at_one)):
            if at_end is not None:
                out = np.where(args[reading.probability] == end, at_end(*args), out)
        unknown &= np.isnan(out)
        if np.any(unknown):
            rest = [x[unknown] for x in args]
            out[unknown] = refined(reading, tried(*rest) if near is None else near[unknown], rest, steps, search)
        return out

    def solved(w: Any, args: tuple[Any, ...]) -> Any:
        near, *vectors = (np.reshape(x, (-1,)) for x in np.broadcast_arrays(*stop_gradient((w, *args))))
        with np.errstate(all="ignore"):
            value = solution(*[x * np.float64(1) for x in vectors], near=near)
        return improved_value(w, value=np.reshape(value.astype(near.dtype), np.shape(raw(w))))

    def at_solution(partial: Partial | str) -> Partial | str:
        return partial if isinstance(partial, str) else lambda w, *args: partial(solved(w, args), *args)

    rule(function, names, *map(at_solution, partials))
    at_number = functools.partial(refined_number, reading)
    block = BLOCK if search is None else AT_ONCE
    return _solver(function, solution, at_number, block, example, farthest, partials)


def _unless_fixed(derivative: Any, u: Any, p: Any, at_end: float) -> Any:
    """The derivative; that of the end where the value stands at an end of the support, be it infinite."""
    is_fixed = ((p == 0) | (p == 1)) & ~np.isnan(u)
    return np.where(is_fixed & np.isnan(raw(derivative)), at_end, derivative) if np.any(is_fixed) else derivative
