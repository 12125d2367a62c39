"""Primitives: operations that have a derivative rule.

A primitive takes arrays by position and parameters by keyword.  Its rule is one of

* *linear* or *multilinear*: the adjoint in each argument is given; the differential follows from linearity;
* a *differential*: a function `(x, *args, *tangents, **params)` built from operations that are linear in the tangents.
  Forward mode evaluates it; reverse mode evaluates it once on symbolic tangents and walks the record backwards;
* a differential with an explicit adjoint, `(g, x, *args, **params)`, for speed or to check the cotangent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, overload

import numpy as np

from ...backends.asking import asking_at_portable
from ...determinism.families import FAMILY_OF
from ...determinism.flag import FIXED, IN_FORCE, current_scope
from .determinism_route import at_level, operation_of
from .errors import NotDifferentiableError
from .hooks import HOOKS
from .opaque import RECORDING, opaque_adjoint, opaque_call
from .operands import refuse_traced_objects, space_by_running
from .space import Cotangent, Space
from .symbolic import OF_STACKS, adjoint_when_asked, pull_stacks
from .trace import MAPPING, pull_elementwise, pull_linear
from .traced import Traced
from .zero import ZERO, zero_like

_OBJECT = np.dtype(object)

PRIMITIVES: dict[str, Primitive] = {}
"""Every primitive by its name: what the tests walk through."""

Function = Callable[..., Any]

BATCHED: dict[Any, Function] = {}
"""By adjoints in one argument, and by primitives with several: the adjoints of batches."""

BOUND_TO_FACTORS: set[Function] = set()
"""The adjoints of products that are bound to the factors they multiply by, which take batches of cotangents too."""


class Primitive:
    """An operation with a rule.

    Parameters
    ----------
    function : callable
        Computes the value from plain arrays.
    linearity : {"", "jointly", "each"}
        Whether the operation is linear in all its arguments together, or in each of them separately.
    registered : bool
        Whether it is the package's own, which the tests walk through.
    family : str, optional
        Its family in the policy table of determinism, where that does not follow from its name or its package.

    Attributes
    ----------
    chooses : bool
        Whether the result is made of elements of the arguments: a derivative 0 says that an element has no part in it.
    is_elementwise : bool
        Whether each element of the outputs depends on that of each argument, broadcast, in its place alone.
    is_opaque : bool
        Whether a program has it as one operation although it is linear.
    """

    __slots__ = (
        "_differential",
        "_hand_adjoint",
        "_space",
        "adjoints",
        "chooses",
        "function",
        "is_elementwise",
        "is_opaque",
        "joint_adjoint",
        "linearity",
        "name",
        "operation",
    )

    def __init__(
        self, function: Function, linearity: str = "", registered: bool = True, family: str | None = None
    ) -> None:
        self.function = function
        self.linearity = linearity
        self.name = function.__name__
        self.operation = operation_of(self.name, function)
        self.adjoints: dict[int, Function] = {}
        self.joint_adjoint: Function | None = None
        self._differential: Function | None = None
        self._hand_adjoint: Function | None = None
        self._space: Function | None = None
        self.chooses = self.is_elementwise = self.is_opaque = False
        if registered:
            PRIMITIVES[self.name] = self
        if family is not None:
            FAMILY_OF[self.operation] = family

    def __call__(self, *args: Any, **params: Any) -> Any:
        if MAPPING[0] and HOOKS.holds_batches((*args, params)):
            return HOOKS.mapped_primitive(self, args, params)
        top, level = None, -1
        for a in args:
            if type(a) is np.ndarray:
                continue
            if isinstance(a, Traced) and a._tracer.level > level:
                top, level = a._tracer, a._tracer.level
            elif a is ZERO and (self.linearity == "each" or len(args) == 1):
                return ZERO
        if top is None:
            if IN_FORCE[0] and current_scope().setting.level:
                return at_level(self.function, self.operation, args, params)
            if RECORDING[0] and self._decides_by_numbers:
                return opaque_call(self.function, args, params)
            return self.function(*args, **params)
        for a in args:
            if type(a) is np.ndarray and a.dtype is _OBJECT:
                refuse_traced_objects(self.name, a)
        return top.apply(self, args, params)

    # declaring the rule

    def adjoint(self, position: int, takes_batches: bool = False) -> Callable[[Function], Function]:
        """Declare the adjoint in one argument of a (multi)linear operation: `(g, *args, **params)`.

        If it `takes_batches`, it is that of a batch of cotangents as well.
        """

        def declare(rule: Function) -> Function:
            self.adjoints[position] = rule
            return self.batched(rule) if takes_batches else rule

        return declare

    def adjoint_of_all(self, rule: Function) -> Function:
        """Declare the adjoint in all arguments at once of a linear operation with any number of them."""
        self.joint_adjoint = rule
        return rule

    def batched(self, rule: Function) -> Function:
        """Declare the adjoint of a batch of cotangents, which has one more axis, the first.

        Of one argument it is `(g, a, **params)`; of several `(g, active, values, **params)`, a list with a batch for
        each active one.  It returns None where it has no such form.
        """
        is_single = self.joint_adjoint is None and len(self.adjoints) == 1
        BATCHED[self.adjoints[0] if is_single else self] = rule
        return rule

    def differential(self, rule: Function) -> Function:
        """Declare the differential `(x, *args, *tangents, **params)`."""
        self._differential = rule
        return rule

    def adjoint_by_hand(self, rule: Function) -> Function:
        """Declare the adjoint of the differential, `(g, x, *args, **params)`, to be used instead of the derived one.

        It records nothing: 1.3 to 2.6 times as fast at n = 3.  And it sees the cotangent, which a check needs.
        """
        self._hand_adjoint = rule
        return rule

    def space_of(self, rule: Function) -> Function:
        """Declare how to find the shape and dtype of the result, `(*args, **params)`, without computing it."""
        self._space = rule
        return rule

    # using the rule

    def is_linear_in(self, active: Sequence[int], args: Sequence[Any]) -> bool:
        """Whether the operation is linear in the active arguments taken together."""
        return bool(self.linearity) and len(active) == (1 if self.linearity == "each" else len(args))

    def space(self, args: Sequence[Any], params: dict[str, Any]) -> tuple[tuple[int, ...], np.dtype[Any]]:
        """The shape and dtype of the result."""
        return self._space(*args, **params) if self._space else space_by_running(self.function, args, params)

    def push(self, out: Any, values: Sequence[Any], tangents: Sequence[Any], params: dict[str, Any]) -> Any:
        """The tangent of the output; `ZERO` stands for the tangent of a constant."""
        if self.linearity == "jointly":
            tangents = [zero_like(v) if t is ZERO else t for v, t in zip(values, tangents, strict=True)]
            return self(*tangents, **params)
        if self.linearity == "each":
            total: Any = ZERO
            for i, t in enumerate(tangents):
                if t is not ZERO:
                    total = total + self(*values[:i], t, *values[i + 1 :], **params)
            return total
        if self._differential is None:
            raise NotDifferentiableError(self.name, f"it was given no rule. Declare one: @{self.name}.differential")
        if RECORDING[0] and self._decides_by_numbers:
            return opaque_call(self._differential, (out, *values, *tangents), params)
        if FIXED[0]:
            out, values, tangents = asking_at_portable((out, [*values], [*tangents]))
        return self._differential(out, *values, *tangents, **params)

    def adjoint_at(
        self, active: Sequence[int], out: Any, values: Sequence[Any], spaces: Sequence[Space], params: dict[str, Any]
    ) -> Callable[[Any], Any]:
        """The adjoint of the differential at a point, as a function of the cotangent: one cotangent an active argument.

        `spaces` has the shape and dtype of each active argument.  A jointly linear operation gets these in place of
        the arguments, so that its node keeps no array alive.
        """
        if self.linearity == "jointly":
            stand_ins = list(values)
            for i, space in zip(active, spaces, strict=True):
                stand_ins[i] = space
            values = stand_ins
        if FIXED[0]:
            out, values = asking_at_portable((out, [*values]))
        if self.joint_adjoint is not None:
            rule = self.joint_adjoint

            def all_adjoints(g: Cotangent) -> list[Any]:
                cotangents = rule(g, *values, **params)
                return [cotangents[i] for i in active]

            return self._marked(all_adjoints, active, values, params)
        if self.linearity:
            rules = [self.adjoints[i] for i in active]

            def each_adjoint(g: Cotangent) -> list[Any]:
                return [rule(g, *values, **params) for rule in rules]

            return self._marked(each_adjoint, active, values, params)
        if RECORDING[0] and self._decides_by_numbers:
            return opaque_adjoint(self._adjoint_of_rule, active, out, values, spaces, params)
        return self._adjoint_of_rule(active, out, values, spaces, params)

    @property
    def _decides_by_numbers(self) -> bool:
        """Whether its rule may look at the numbers of its arguments."""
        return self.is_opaque or (not self.linearity and not self.is_elementwise)

    def _adjoint_of_rule(
        self, active: Sequence[int], out: Any, values: Sequence[Any], spaces: Sequence[Space], params: dict[str, Any]
    ) -> Callable[[Any], Any]:
        """The adjoint by hand, or the one that follows from the differential."""
        if self._hand_adjoint is not None:
            by_hand = self._hand_adjoint

            def hand_adjoint(g: Cotangent) -> list[Any]:
                cotangents = by_hand(g, out, *values, **params)
                return [cotangents[i] for i in active]

            if by_hand in OF_STACKS:
                return partial(pull_stacks, hand_adjoint)
            return self._marked(hand_adjoint, active, values, params) if self.chooses else hand_adjoint

        def differential(*tangents: Any) -> Any:
            return self.push(out, values, tangents, params)

        derived_adjoint = adjoint_when_asked(self.name, differential, out, active, spaces, len(values))
        if self.is_elementwise:
            return partial(pull_elementwise, derived_adjoint)
        return self._marked(derived_adjoint, active, values, params) if self.chooses else derived_adjoint

    def _marked(
        self, adjoint: Function, active: Sequence[int], values: Sequence[Any], params: dict[str, Any]
    ) -> Function:
        """The adjoint of a linear operation or a choice, which shows it where the coefficients are the other values."""
        constant = self.linearity == "jointly" or len(active) == 1
        return partial(pull_linear, adjoint, self, params, active, values) if constant else adjoint

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"


class _Declaration:
    """Makes a primitive of a function, as a decorator, which may be given the family of the operation first."""

    def __init__(self, linearity: str, family: str | None = None) -> None:
        self.linearity, self.family = linearity, family

    @overload
    def __call__(self, function: Function) -> Primitive: ...

    @overload
    def __call__(self, *, family: str) -> _Declaration: ...

    def __call__(self, function: Function | None = None, *, family: str | None = None) -> Primitive | _Declaration:
        if function is None:
            return _Declaration(self.linearity, family)
        return Primitive(function, self.linearity, family=family or self.family)


primitive = _Declaration("")
"""Declares an operation whose rule is a differential."""

linear = _Declaration("jointly")
"""Declares an operation that is linear in all its arguments together."""

multilinear = _Declaration("each")
"""Declares an operation that is linear in each of its arguments."""
