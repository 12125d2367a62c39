"""A level below all others, on which arrays are Laurent series in a number `t`.

Where eigenvalues are equal or nearly so, the rules divide by their differences.  So the values are replaced by `w + t
b` with distinct numbers `b`, and whatever is computed from them is a series in `t`.  The matrix `v diag(w + t b)
H(v)` has no equal eigenvalues, and the ordinary rules hold at it, to any order [K95, II.1]; they divide by powers of
`t`.  For a loss that has a derivative the poles cancel, and the derivative is the term of order 0.

If values differ by a small `d`, the series of `1 / (d + t b)` is the one that converges for `|t|` larger than `d /
b`.  A sum of such terms that is regular for all small `t` also has its value at `t = 0` as the term of order 0 of
this series.

Each array also carries its value at `t = 0`, computed directly as well as possible, which is NaN where the series is
needed.  It is used for a loss that distinguishes nearly equal values, for which poles therefore remain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, final

import numpy as np

from ....complex_autograd.engine.primitive import Primitive
from ....complex_autograd.engine.trace import next_level
from ....complex_autograd.engine.traced import Traced
from ....complex_autograd.engine.zero import ZERO
from ....determinism.flag import IN_FORCE
from ...kernels.partly_linear import PartlyLinear
from .probes import refuse_mixed
from .roles import CONSTANT, FUNCTION, role_of_elementwise, role_of_result
from .series_arithmetic import SeriesArithmetic

_EXPANSIONS: dict[Primitive, Callable[..., Any]] = {}
"""Primitives that have series of their own."""


def expansion(primitive: Primitive) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the series of a primitive: `(trace, *args, **params)`."""

    def declare(rule: Callable[..., Any]) -> Callable[..., Any]:
        _EXPANSIONS[primitive] = rule
        return rule

    return declare


@final
class LaurentTrace(SeriesArithmetic):
    """Computes with series.

    Parameters
    ----------
    order : int
        The highest order that is kept.
    verdict : NearlyEqual or Tiny
        What says in the end whether the series is the result.

    Attributes
    ----------
    start : tuple or None
        The trace that records what has this level, and the length of its tape when it began.
    after : frozenset of LaurentTrace
        Where nothing is recorded: the levels that the argument of a decomposition, for which this one was made, was
        taken without.
    """

    __slots__ = ("after", "start")

    hidden = True

    def __init__(self, order: int, verdict: Any) -> None:
        self.level = 1 / next_level()  # type: ignore[assignment]  # between the constants and all other levels
        self.order, self.verdict = order, verdict
        self.start: tuple[Any, int] | None = None
        self.after: frozenset[LaurentTrace] = frozenset()

    def _marked(self, x: Any, role_of: Any, operation: Any, args: Sequence[Any], *params: Any) -> Any:
        """A result, with its role, which that of its arguments says."""
        roles = []
        for a in args:
            role = a._tangent.role if type(a) is Traced and a._tracer is self else CONSTANT
            if role is None:
                return x
            roles.append(role)
        role = role_of(operation, roles, args, *params)
        for part in x if isinstance(x, tuple) else (x,):
            if self._has(part):
                part._tangent.role = role
        return x

    def settle(self, x: Any) -> Any:
        """What an array is at `t = 0`, without this level."""
        return self.verdict.settle(x)

    def tidied(self, x: Any) -> Any:
        """A result that is still being differentiated: without poles, if they are rounding errors."""
        return self.verdict.tidied(x)

    def moves(self, x: Any, dx: Any) -> None:
        """A function of the matrix moves as one."""
        if x._tangent.role is FUNCTION and self._has(dx):
            dx._tangent.role = FUNCTION

    def is_unclear(self, x: Any) -> bool:
        """Whether an array may depend on the choice of the vectors of equal values."""
        return self.verdict.kind == "nearly equal" and x._tangent.role is None

    def unary(self, rule: Any, z: Any) -> Any:
        return self._marked(self._unary(rule, z), role_of_elementwise, rule.function, [z])

    def _unary(self, rule: Any, z: Any) -> Any:
        if rule.adjoints is not None:
            return self._mapped(rule.function, z, z._tangent.peak)

        def push(w: Any, z: Any, dz: Any) -> Any:
            if z.dtype.kind != "c":
                return rule.real_partial(w, z) * dz
            if rule.conjugate_partial is None:
                return rule.partials[0](w, z) * dz
            return rule.partials[0](w, z) * dz + rule.conjugate_partial(w, z) * np.conjugate(dz)

        return self._composed(rule.function, push, [z])

    def binary(self, rule: Any, a: Any, b: Any) -> Any:
        a, b = self._own(a), self._own(b)
        if _meet(a, b):
            return rule.function(_apart(a), _apart(b))
        return self._marked(self._binary(rule, a, b), role_of_elementwise, rule.function, [a, b])

    def _binary(self, rule: Any, a: Any, b: Any) -> Any:
        refuse_mixed(self, (a, b))
        if rule.adjoints is not None:
            return self._jointly(rule.function, [a, b])
        if (0 in rule.linear_in and not self._has(b)) or (1 in rule.linear_in and not self._has(a)):
            return self._each(rule.function, [a, b])
        if len(rule.linear_in) == 2:
            return self._each(rule.function, [a, b])
        if rule.function is np.divide:
            return self._divided(a, self.verdict.regular(b))

        def push(w: Any, a: Any, b: Any, da: Any, db: Any) -> Any:
            dw = ZERO if da is ZERO else rule.partials[0](w, a, b) * da
            return dw if db is ZERO else dw + rule.partials[1](w, a, b) * db

        return self._composed(rule.function, push, [a, b])

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        rule = _EXPANSIONS.get(primitive)
        if rule is not None:
            return rule(self, *args, **params)
        own = [self._own(a) for a in args]
        if _meet(*own):
            return primitive(*[_apart(a) for a in own], **params)
        return self._marked(self._applied(primitive, own, params), role_of_result, primitive, own, params)

    def _applied(self, primitive: Any, own: list[Any], params: dict[str, Any]) -> Any:
        refuse_mixed(self, own)
        function = primitive if IN_FORCE[0] or not self._are_plain(own) else primitive.function
        if params:
            function = partial(function, **params)

        def push(out: Any, *rest: Any) -> Any:
            return primitive.push(out, rest[: len(own)], rest[len(own) :], params)

        if primitive.linearity == "jointly":
            return self._jointly(function, own)
        if primitive.linearity == "each" or primitive.is_linear_in([i for i, a in enumerate(own) if self._has(a)], own):
            return self._each(function, own)
        last = own[-1]
        if not isinstance(primitive, PartlyLinear) or not self._has(last):
            return self._composed(function, push, own)
        if all(list(a._tangent.terms) == [0] for a in own[:-1] if self._has(a)):
            return self._each(function, own)
        if last._tangent.lowest >= 0 or self.verdict.is_regular(last):
            return self._composed(function, push, own)
        poles = -last._tangent.lowest  # it is linear in the last argument, so that a power of t goes through
        regular = [self.verdict.regular(a) if self._has(a) else a for a in own[:-1]]
        found = self._expanded(function, push, [*regular, self._shifted(last, poles)])
        value = function(*[self._value(a) for a in own])
        return self.series(value, self._shifted(found, -poles)._tangent.terms, found._tangent.top)


# What is added to a function of it, as in `a + root(a)`, has the levels of an earlier decomposition, and the sum would
# have those of all: a series in one number, the terms of which are series in the next.
def _meet(*args: Any) -> bool:
    """Whether a function of a matrix meets what has the levels of another decomposition."""
    hidden = [a for a in args if type(a) is Traced and a._tracer.hidden]
    return len({a._tracer for a in hidden}) > 1 and any(_is_function(a) for a in hidden)


def _is_function(a: Any) -> bool:
    return type(a) is Traced and type(a._tracer) is LaurentTrace and a._tangent.role is FUNCTION


def _apart(a: Any) -> Any:
    """A function of a matrix without the levels of its decomposition, which it has no need of."""
    while _is_function(a):
        a = a._tracer.settle(a)
    return a
