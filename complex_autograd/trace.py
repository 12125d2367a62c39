"""Nodes, traces and levels: what remembers a computation.

A traced value pairs a plain value with its *tangent* at one level of differentiation.  In forward mode the tangent is
an array.  In reverse mode it is a `Node`: the same tangent, symbolic, which knows the adjoint of the operation that
made it.  Levels nest: the value of a traced value may itself be traced at a lower level, so any transform can be
applied to any other, and the largest level among the arguments decides who handles an operation first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .errors import TraceError
from .space import project

__all__ = ["ENDED_TAPE", "ESCAPED", "FUNCTIONS", "UFUNCS", "Joint", "Node", "Trace", "next_level", "walk"]

UFUNCS: dict[Any, Callable[..., Any]] = {}
"""What a NumPy ufunc does to traced arguments."""

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""What any other function (NumPy's by itself, `operator.getitem`, ...) does to traced arguments."""

next_level: Callable[[], int] = itertools.count(1).__next__
"""A new level, larger than all before it; unique over threads, so that no two traces are ever confused."""


class Node:
    """One symbolic tangent: its space, its parents, and the adjoint that carries a cotangent to them.

    `parents` is one node, or a tuple of nodes; `adjoint` maps a cotangent to one cotangent, or to as many.
    """

    __slots__ = ("adjoint", "cotangent", "dtype", "parents", "shape")

    cotangent: Any

    def __init__(self, parents: Any, adjoint: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.parents = parents
        self.adjoint = adjoint
        self.shape = shape
        self.dtype = dtype
        self.cotangent = None


class Trace:
    """One level of differentiation: it decides what an operation records.

    Its final classes are `ConstantTrace`, `ForwardTrace`, `ReverseTrace`, `LinearTrace`, and linalg's `LaurentTrace`.
    """

    __slots__ = ("level",)

    level: int
    hidden = False
    """Whether a rule made the level, below those of the transforms, which a result must not show."""

    def unary(self, rule: Any, z: Any) -> Any:
        """Apply an elementwise function to one traced argument."""
        raise NotImplementedError

    def binary(self, rule: Any, a: Any, b: Any) -> Any:
        """Apply an elementwise function of two arguments, of which at least one is traced at this level."""
        raise NotImplementedError

    def left(self, rule: Any, a: Any, b: Any) -> Any:
        """Apply an elementwise function of two arguments, of which the second is a plain value."""
        return self.binary(rule, a, b)

    def right(self, rule: Any, a: Any, b: Any) -> Any:
        """Apply an elementwise function of two arguments, of which the first is a plain value."""
        return self.binary(rule, a, b)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Apply any other primitive."""
        raise NotImplementedError

    def settle(self, x: Any) -> Any:
        """A result without this level, which is hidden."""
        raise NotImplementedError

    def tidied(self, x: Any) -> Any:
        """A result that is still being differentiated, at this level, which is hidden."""
        raise NotImplementedError


ESCAPED = (
    "a traced value was used after the function that it was traced in had returned. Likely cause: it was kept in a "
    "global variable, a closure or an attribute. Return it from the function instead, with has_aux=True."
)


class _EndedTape:
    """Stands in for the tape of a trace that has ended, so that a value which escaped from it is noticed."""

    def append(self, node: Any) -> None:
        raise TraceError(ESCAPED)


ENDED_TAPE: Any = _EndedTape()


class Joint(Node):
    """The node of an operation with several outputs: its cotangent is the list of those of its parts."""

    __slots__ = ("parts",)

    def __init__(self, parents: Any, adjoint: Any, parts: list[Node]) -> None:
        self.parts = parts
        self.parents = parents
        self.adjoint = adjoint

    @property
    def cotangent(self) -> Any:
        """The cotangents of the outputs, None for each that nothing depends on; None if that holds for all."""
        cotangents = [part.cotangent for part in self.parts]
        return None if all(g is None for g in cotangents) else cotangents

    @cotangent.setter
    def cotangent(self, nothing: None) -> None:
        for part in self.parts:
            part.cotangent = None


def walk(tape: Sequence[Node]) -> None:
    """Carry the cotangents that were set on nodes of the tape back to its variables, last node first.

    The order is that of creation reversed, so sums are formed in the same order every time.
    """
    try:
        for node in reversed(tape):
            g = node.cotangent
            if g is None:
                continue
            node.cotangent = None
            parents = node.parents
            if type(parents) is Node:
                c = node.adjoint(g)
                if c is None:
                    continue
                if type(c) is complex or c.shape != parents.shape or c.dtype is not parents.dtype:
                    c = project(c, parents.shape, parents.dtype)
                parents.cotangent = c if parents.cotangent is None else parents.cotangent + c
            else:
                for parent, c in zip(parents, node.adjoint(g), strict=True):
                    if c is not None:
                        if type(c) is complex or c.shape != parent.shape or c.dtype is not parent.dtype:
                            c = project(c, parent.shape, parent.dtype)
                        parent.cotangent = c if parent.cotangent is None else parent.cotangent + c
    except BaseException:
        for node in tape:
            node.cotangent = None
        raise
