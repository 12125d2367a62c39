"""Nodes, traces and levels: what remembers a computation.

A traced value pairs a plain value with its *tangent* at one level of differentiation.  In forward mode the tangent is
an array.  In reverse mode it is a `Node`: the same tangent, symbolic, which knows the adjoint of the operation that
made it.  Levels nest: the value of a traced value may itself be traced at a lower level, so any transform can be
applied to any other, and the largest level among the arguments decides who handles an operation first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .errors import TraceError
from .space import project

__all__ = [
    "ENDED_TAPE",
    "ESCAPED",
    "FUNCTIONS",
    "IN_PLACE",
    "UFUNCS",
    "Joint",
    "Node",
    "Trace",
    "next_level",
    "pull_one",
    "walk",
]

UFUNCS: dict[Any, Callable[..., Any]] = {}
"""What a NumPy ufunc does to traced arguments."""

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""What any other function (NumPy's by itself, `operator.getitem`, ...) does to traced arguments."""

IN_PLACE: dict[Any, Callable[..., bool]] = {}
"""Of adjoints of linear operations of one argument: what adds one to an array in place, and says whether it could."""

next_level: Callable[[], int] = itertools.count(1).__next__
"""A new level, larger than all before it; unique over threads, so that no two traces are ever confused."""


_conjugate = np.conjugate


class Node:
    """One symbolic tangent: its space, its parents, and the adjoint that carries a cotangent to them.

    `parents` is one node, or a tuple of nodes; `adjoint` maps a cotangent to one cotangent, or to as many; its first
    argument is `known`, the values that it needs, unless that is None.

    The adjoint of a complex derivative `p` is `g -> conj(p) g`, which on conjugates is a product alone, `h -> p h`.  So
    a node receives its cotangent in two parts, `cotangent` and the conjugate of `conjugate`, None for 0; `product`,
    where there is one, carries conjugates to the parents as `adjoint` carries cotangents.
    """

    __slots__ = ("adjoint", "conjugate", "cotangent", "dtype", "known", "parents", "product", "shape")

    conjugate: Any
    cotangent: Any
    known: Any
    product: Any

    def __init__(self, parents: Any, adjoint: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.parents = parents
        self.adjoint = adjoint
        self.shape = shape
        self.dtype = dtype
        self.cotangent = self.conjugate = self.known = self.product = None

    def pull(self, g: Any) -> Any:
        """The cotangents of the parents."""
        return self.adjoint(g) if self.known is None else self.adjoint(self.known, g)

    def total(self) -> Any:
        """Both parts of the cotangent together."""
        if self.conjugate is None:
            return self.cotangent
        g = _conjugate(self.conjugate)
        return g if self.cotangent is None else self.cotangent + g

    def clear(self) -> None:
        """Forget the cotangent."""
        self.cotangent = self.conjugate = None


class Trace:
    """One level of differentiation: it decides what an operation records.

    Its final classes are `ConstantTrace`, `ForwardTrace`, `ReverseTrace`, `LinearTrace`, and linalg's `LaurentTrace`
    and `RunningErrors`.
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
        self.conjugate = self.known = self.product = None

    @property
    def cotangent(self) -> Any:
        """The cotangents of the outputs, None for each that nothing depends on; None if that holds for all."""
        cotangents = [part.total() for part in self.parts]
        return None if all(g is None for g in cotangents) else cotangents

    @cotangent.setter
    def cotangent(self, nothing: None) -> None:
        for part in self.parts:
            part.clear()


def walk(tape: Sequence[Node]) -> None:
    """Carry the cotangents that were set on nodes of the tape back to its variables, last node first.

    The order is that of creation reversed, so sums are formed in the same order every time.
    """
    own: set[Node] = set()  # the nodes whose cotangent is a sum formed here, which nothing else shows
    try:
        for node in reversed(tape):
            g = node.cotangent
            if node.product is not None or node.conjugate is not None:
                g = _carry_conjugate(node, g)
            if g is None:
                continue
            node.cotangent = None
            parents, known = node.parents, node.known
            if known is None and type(parents) is Node and parents in own and _added(node, g, parents.cotangent):
                continue
            c = node.adjoint(g) if known is None else node.adjoint(known, g)
            if type(parents) is Node:
                if c is None:
                    continue
                shape = parents.shape
                if (
                    type(c) is complex
                    or c.dtype is not parents.dtype
                    or ((shape is not node.shape or not shape) and c.shape != shape)  # the same tuple: elementwise
                ):
                    c = project(c, parents.shape, parents.dtype)
                if parents.cotangent is None:
                    parents.cotangent = c
                else:
                    _add(parents, c, own)
            else:
                for parent, part in zip(parents, c, strict=True):
                    if part is not None:
                        if type(part) is complex or part.shape != parent.shape or part.dtype is not parent.dtype:
                            part = project(part, parent.shape, parent.dtype)
                        if parent.cotangent is None:
                            parent.cotangent = part
                        else:
                            _add(parent, part, own)
    except BaseException:
        for node in tape:
            node.clear()
        raise


def _add(parent: Node, c: Any, own: set[Node]) -> None:
    """Add to the cotangent that a node has, in place where it is the node's own."""
    total = parent.cotangent
    if parent in own and type(total) is type(c) is np.ndarray:
        np.add(total, c, out=total)
    else:
        parent.cotangent = total + c
        own.add(parent)


def _added(node: Node, g: Any, total: Any) -> bool:
    """Add what a node carries to its parent to the parent's own cotangent in place; whether that could be done.

    Reading an element of an array so costs no array in the sweep: a loop over the elements takes linear time.
    """
    adjoint = node.adjoint
    if type(total) is not np.ndarray or type(adjoint) is not partial or adjoint.func is not pull_one:
        return False
    rule, _, params = adjoint.args
    return rule in IN_PLACE and IN_PLACE[rule](total, g, **params)


def pull_one(rule: Callable[..., Any], a: Any, params: dict[str, Any], g: Any) -> Any:
    """The adjoint of a linear operation of one argument."""
    return rule(g, a, **params)


def _carry_conjugate(node: Node, g: Any) -> Any:
    """Carry the conjugate of a cotangent to the parents and return None; return the cotangent where that serves better.

    It does where no conjugate has been received and none would be passed on by the parent.
    """
    h, product, parents, known = node.conjugate, node.product, node.parents, node.known
    if product is None:
        g = node.total()
        node.conjugate = None
        return g
    is_single = type(parents) is Node
    if h is None:
        if g is None or known is None or (parents if is_single else parents[0]).product is None:
            return g
        h = _conjugate(g)
    elif g is not None:
        h = h + _conjugate(g)
    node.cotangent = node.conjugate = None
    carried = product(h) if known is None else product(known, h)
    if not is_single:
        for parent, c in zip(parents, carried, strict=True):
            _receive_conjugate(parent, c)
    elif node.shape and node.shape is parents.shape and carried.dtype is parents.dtype:
        parents.conjugate = carried if parents.conjugate is None else parents.conjugate + carried
    else:
        _receive_conjugate(parents, carried)
    return None


def _receive_conjugate(parent: Node, c: Any) -> None:
    """Add to the conjugate of a cotangent, or to the cotangent where that is real."""
    if type(c) is complex or c.shape != parent.shape or c.dtype is not parent.dtype:
        c = project(c, parent.shape, parent.dtype)
        if parent.dtype.kind != "c":
            parent.cotangent = c if parent.cotangent is None else parent.cotangent + c
            return
    parent.conjugate = c if parent.conjugate is None else parent.conjugate + c
