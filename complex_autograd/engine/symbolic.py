"""Symbolic evaluation of a differential.

A rule is evaluated once on symbolic tangents, which are nodes with a shape and no value.  Every operation that it
applies to them must be linear, and records its adjoint.  Walking the record backwards gives the adjoint of the
differential.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from .errors import LinearityError
from .space import Array, Cotangent, Space, dummy, project
from .trace import Node, Trace, next_level, walk
from .traced import Traced, peel
from .zero import ZERO


class LinearTrace(Trace):
    """Records linear operations on symbolic tangents."""

    __slots__ = ("rule_name", "tape")

    def __init__(self, rule_name: str) -> None:
        self.level = next_level()
        self.rule_name = rule_name
        self.tape: list[Node] = []

    def variable(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Traced:
        """A new symbolic tangent."""
        return Traced(dummy(shape, dtype), self, Node((), None, shape, dtype))

    def _record(self, shape: tuple[int, ...], dtype: np.dtype[Any], parents: Any, adjoint: Any) -> Traced:
        node = Node(parents, adjoint, shape, dtype)
        self.tape.append(node)
        return Traced(dummy(shape, dtype), self, node)

    def _refuse(self, operation: str) -> LinearityError:
        return LinearityError(
            f"the differential of {self.rule_name} applied {operation} to a tangent, which is not linear in it. "
            "A differential may add tangents, multiply them by constants, and apply linear functions to them."
        )

    def unary(self, rule: Any, z: Array) -> Array:
        if rule.adjoints is None:
            raise self._refuse(rule.name)
        return self._record(z.shape, z.dtype, z._tangent, rule.adjoints[0])

    def binary(self, rule: Any, a: Array, b: Array) -> Array:
        active = [i for i, t in enumerate((a, b)) if type(t) is Traced and t._tracer is self]
        x, y = (t._value if type(t) is Traced and t._tracer is self else t for t in (a, b))
        shape, other = np.shape(x), np.shape(y)
        if shape != other:
            shape = np.broadcast_shapes(shape, other)
        dtype = np.result_type(_kind(x), _kind(y))
        if rule.adjoints is not None and len(active) == 2:
            return self._record(shape, dtype, (a._tangent, b._tangent), rule.adjoints[2])
        if len(active) == 2 or active[0] not in rule.linear_in:
            raise self._refuse(rule.name)
        partial = rule.partials[active[0]]

        def adjoint(g: Cotangent) -> Any:
            conjugate = np.conjugate(partial(None, x, y))  # named: as in `pullbacks.py`
            return g * conjugate

        return self._record(shape, dtype, (a, b)[active[0]]._tangent, adjoint)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        active = [i for i, a in enumerate(args) if type(a) is Traced and a._tracer is self]
        if not primitive.is_linear_in(active, args) and not (
            primitive.linearity == "jointly" and _are_zero(a for i, a in enumerate(args) if i not in active)
        ):
            raise self._refuse(primitive.name)
        values = [a._value if type(a) is Traced and a._tracer is self else a for a in args]
        parents = tuple(args[i]._tangent for i in active)
        shape, dtype = primitive.space(values, params)
        return self._record(shape, dtype, parents, primitive.adjoint_at(active, None, values, parents, params))


def _are_zero(constants: Iterable[Any]) -> bool:
    """Whether what stands next to tangents is 0, as the tangent of a constant in `stack([dx, 0])`."""
    return all(type(x) is not Traced and not np.any(x) for x in map(peel, constants))


def _kind(x: Array) -> Any:
    return x if issubclass(type(x), (bool, int, float, complex)) else x.dtype


def adjoint_of_differential(
    name: str, differential: Callable[..., Any], out: Any, active: Sequence[int], spaces: Sequence[Space], count: int
) -> Callable[[Any], Any]:
    """The adjoint of `differential(*tangents)`, from one symbolic evaluation of it.

    Parameters
    ----------
    name : str
        The operation, for error messages.
    differential : callable
        Takes `count` tangents, returns the tangent of the output (a tuple where there are several outputs).
    out : array or tuple of array
        The output.
    active : sequence of int
        The arguments whose cotangents are wanted.
    spaces : sequence
        Of each of these, anything that has its shape and dtype.
    count : int
        The number of tangents that the differential takes.

    Returns
    -------
    callable
        Maps a cotangent (or the list of them) to the list of cotangents of the active arguments.
    """
    trace = LinearTrace(name)
    tangents: list[Any] = [ZERO] * count
    for i, space in zip(active, spaces, strict=True):
        tangents[i] = trace.variable(space.shape, space.dtype)
    result = differential(*tangents)
    pairs = list(zip(result, range(len(result)), strict=True)) if isinstance(out, tuple) else [(result, None)]

    def adjoint(g: Cotangent) -> list[Any]:
        for dx, k in pairs:
            gk = g if k is None else g[k]
            if dx is not ZERO and gk is not None:
                node = dx._tangent
                c = project(gk, node.shape, node.dtype)
                node.cotangent = c if node.cotangent is None else node.cotangent + c
        walk(trace.tape)
        return [tangents[i]._tangent.taken() for i in active]

    return adjoint


def adjoint_when_asked(
    name: str, differential: Callable[..., Any], out: Any, active: Sequence[int], spaces: Sequence[Space], count: int
) -> Callable[[Any], Any]:
    """The same, but the differential is evaluated when the first cotangent comes."""
    recorded: Callable[[Any], Any] | None = None

    def derived_adjoint(g: Cotangent) -> Any:
        nonlocal recorded
        if recorded is None:
            recorded = adjoint_of_differential(name, differential, out, active, spaces, count)
        return recorded(g)

    return derived_adjoint


OF_STACKS: set[Callable[..., Any]] = set()
"""The adjoints by hand that take a batch of cotangents as a stack."""

Rule = TypeVar("Rule", bound=Callable[..., Any])


def of_stacks(rule: Rule) -> Rule:
    """Declare of an adjoint by hand of matrices that its cotangent may have one more axis, the first."""
    OF_STACKS.add(rule)
    return rule


def pull_stacks(adjoint: Callable[[Any], Any], g: Cotangent) -> Any:
    """The adjoint of an operation on matrices, of one cotangent or of a batch."""
    return adjoint(g)
