"""Elementwise functions: each is data, its Wirtinger pair.

For `w = f(z)`, `dw = p dz + q conj(dz)` with `p = df/dz` and `q = df/d(conj z)`; a holomorphic function has `q = 0` and
is declared by `p` alone.  A partial is a function `(w, *args)`, so that it can reuse the value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .array import Traced
from .errors import NotDifferentiableError
from .trace import UFUNCS
from .zero import ZERO

__all__ = ["ELEMENTWISE", "Elementwise", "elementwise", "missing"]

Partial = Callable[..., Any]

ELEMENTWISE: dict[str, Elementwise] = {}
"""Every elementwise function by its name: what the tests walk through."""


class Elementwise:
    """An elementwise function and its partial derivatives.

    Attributes
    ----------
    function : callable
        The ufunc that computes it.
    partials : tuple of callable
        `df/da_i (w, *args)`, holomorphic partials.
    conjugate_partial : callable or None
        `df/d(conj z) (w, z)` of a function of one argument that is not holomorphic.
    real_partial : callable or None
        The derivative `(w, z)` at real `z` of such a function.
    adjoints : tuple of callable or None
        Of a function linear in all its arguments together: the adjoint in each, a function of the cotangent alone.
    linear_in : tuple of int
        The arguments in each of which it is linear while the others are held.
    """

    __slots__ = (
        "adjoints",
        "conjugate_partial",
        "function",
        "joint_adjoint",
        "linear_in",
        "name",
        "partials",
        "real_partial",
    )

    def __init__(
        self,
        function: Any,
        partials: tuple[Partial, ...],
        conjugate_partial: Partial | None,
        real_partial: Partial | None,
        adjoints: tuple[Callable[[Any], Any], ...] | None,
        linear_in: tuple[int, ...],
    ) -> None:
        self.function = function
        self.name = function.__name__
        self.partials = partials
        self.conjugate_partial = conjugate_partial
        self.real_partial = real_partial
        self.adjoints = adjoints
        self.linear_in = linear_in
        self.joint_adjoint = _join(adjoints) if adjoints else None


def _join(adjoints: tuple[Callable[[Any], Any], ...]) -> Callable[[Any], Any]:
    def joint_adjoint(g: Any) -> Any:
        return [adjoint(g) for adjoint in adjoints]

    return joint_adjoint


def missing(function: str, reason: str, argument: str | None = None) -> Partial:
    """A partial derivative that does not exist: it raises when it is asked for."""

    def partial(w: Any, *args: Any) -> Any:
        raise NotDifferentiableError(function, reason, argument)

    return partial


def elementwise(
    function: Any,
    *partials: Partial,
    conjugate: Partial | None = None,
    real: Partial | None = None,
    adjoints: tuple[Callable[[Any], Any], ...] | None = None,
    linear_in: tuple[int, ...] = (),
) -> Callable[..., Any]:
    """Declare the rule of an elementwise function, and return the function that applies it to traced arguments.

    Parameters
    ----------
    function : ufunc
        Computes the value.
    *partials : callable
        `df/da_i`, one an argument, each a function `(w, *args)`.
    conjugate : callable, optional
        `df/d(conj z)` for a function of one argument that is not holomorphic.
    real : callable, optional
        Its derivative at real arguments; required with `conjugate`.
    adjoints, linear_in
        As in `Elementwise`.

    Returns
    -------
    callable
        Applies the function where at least one argument is traced.
    """
    rule = Elementwise(function, partials, conjugate, real, adjoints, linear_in)
    ELEMENTWISE[rule.name] = rule
    call = _unary_call(rule) if len(partials) == 1 else _binary_call(rule)
    UFUNCS[function] = call
    return call


def _unary_call(rule: Elementwise) -> Callable[..., Any]:
    def call(z: Any) -> Any:
        return z.trace.unary(rule, z)

    return call


def _binary_call(rule: Elementwise) -> Callable[..., Any]:
    additive = rule.adjoints is not None

    def call(a: Any, b: Any) -> Any:
        if type(a) is not Traced:
            if a is ZERO:
                return rule.function(ZERO, b) if not additive else _plus_zero(rule, a, b)
            return b.trace.binary(rule, a, b)
        if type(b) is not Traced:
            if b is ZERO:
                return ZERO if not additive else _plus_zero(rule, a, b)
            return a.trace.binary(rule, a, b)
        return (a if a.trace.level >= b.trace.level else b).trace.binary(rule, a, b)

    return call


def _plus_zero(rule: Elementwise, a: Any, b: Any) -> Any:
    if b is ZERO:
        return a
    return rule.adjoints[1](b) if rule.adjoints is not None else ZERO
