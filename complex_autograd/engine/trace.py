"""Nodes, traces and levels: how a computation is recorded.

A traced value pairs a plain value with its *tangent* at one level of differentiation.  In forward mode the tangent is
an array.  In reverse mode it is a `Node`, a symbolic tangent with the adjoint of the operation that created it.
Levels nest: the value of a traced value may itself be traced at a lower level, so transforms can be applied to each
other, and the highest level among the arguments of an operation handles it first.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import local
from typing import Any, Final

import numpy as np

from .errors import TraceError
from .space import Array, Cotangent

UFUNCS: dict[Any, Callable[..., Any]] = {}
"""What a NumPy ufunc does to traced arguments."""

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""What any other function (NumPy's, `operator.getitem`, ...) does to traced arguments."""

UFUNC_METHODS: dict[str, Callable[..., Any]] = {}
"""What the methods of ufuncs ("reduce", "at", ...) do to traced arguments, of which the ufunc is the first."""

GENERALIZED: dict[np.ufunc, Callable[..., Any]] = {}
"""Calls of generalized ufuncs of traced arguments with the keywords `axes`, `axis` and `keepdims`."""

IN_PLACE: dict[Any, Callable[..., Any]] = {}
"""By adjoint of a linear operation of one argument: a function that adds it to an array in place, or returns None."""

OVERWRITING: dict[Any, Callable[..., Any]] = {}
"""By operation that writes into an array: an adjoint that may overwrite the cotangent, which nothing else refers to."""

MAPPING = [0]
"""The number of functions being mapped over items in all threads: faster to read than any argument."""

next_level: Callable[[], int] = itertools.count(1).__next__
"""A new level, higher than all before it; unique across threads, so that no two traces are ever confused."""


@dataclass(init=False, repr=False, eq=False, slots=True)
class Hooks:
    """Functions of the layers above, which the engine calls without importing them: each layer sets its own.

    Reading one that no import has set raises `AttributeError` with its name.
    """

    # methods and attributes of traced arrays, of that name: `complex_autograd.array` and `rules.shape`
    astype: Callable[[Any, Any, Any, Any, bool], Any]
    copy: Callable[[Any, Any], Any]
    flat: Callable[[Any], Any]
    flatten: Callable[[Any, Any], Any]
    item: Callable[..., Any]
    plain_memory: Callable[[Any, Any, bool | None], Any]  # of a constant: what `__array__` returns
    resize: Callable[[Any, tuple[int, ...]], None]
    set_shape: Callable[[Any, Any], None]
    to_device: Callable[[Any, Any], Any]
    tolist: Callable[[Any], Any]
    view: Callable[[Any, Any, Any], Any]
    write: Callable[[Any, Any, Any], None]  # of a target, an index and values: what `target[index] = values` does
    # calls on traced values: `engine.dispatch`, `array.outputs`, `array.inplace`, `rules.ufunc_protocol`, `compat`
    are_foreign: Callable[
        [Iterable[type]], bool
    ]  # whether a type of another package wraps results of NumPy's functions
    call_function: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    call_ufunc: Callable[[Any, str, tuple[Any, ...], dict[str, Any]], Any]
    call_with_out: Callable[[Any, Sequence[Any], dict[str, Any]], Any]
    in_place: Callable[[Any, Any, Any], Any]
    is_constant: Callable[[str, Any], bool]  # whether a conversion ("int", ...) in a frame gives a constant
    sparse_operator: Callable[[str, Any, Any], Any]
    # batches, while something is mapped over: `complex_autograd.batching`
    all_items: Callable[[Any], Any]  # the plain array of all items
    holds_batches: Callable[[Any], bool]  # whether a value, or one in trees among several, is mapped
    indices_of_items: Callable[[Any], Sequence[Any]]
    mapped_composition: Callable[[Any, Any, dict[str, Any]], Any]
    mapped_elements: Callable[[Any, Any, dict[str, Any]], Any]
    mapped_function: Callable[[Any, Any, dict[str, Any]], Any]
    mapped_linalg: Callable[..., Any]
    mapped_primitive: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]
    mapped_ufunc: Callable[[Any, str, tuple[Any, ...], dict[str, Any]], Any]
    unbatched: Callable[[Any], Any]


HOOKS: Final = Hooks()

_conjugate = np.conjugate


class Node:
    """One symbolic tangent: its space, its parents, and the adjoint that carries a cotangent to them.

    `parents` is one node, or a tuple of nodes; `adjoint` maps a cotangent to one cotangent, or to one per node.  If
    `known`, the values that the adjoint needs, is not None, it is passed as the first argument.

    The adjoint of a complex derivative `p` is `g -> conj(p) g`, which acts on conjugates as a product, `h -> p h`.
    `product`, if not None, carries conjugates to the parents as `adjoint` carries cotangents; a node whose
    `is_conjugate` is set has received the conjugate of its cotangent.  This reduces the time of gradients of complex
    chains by 5 to 20 % at n = 10, and does not change it at n = 1,000.
    """

    __slots__ = ("adjoint", "cotangent", "dtype", "is_conjugate", "known", "parents", "product", "shape")

    cotangent: Cotangent
    is_conjugate: bool
    known: Any
    product: Any

    def __init__(self, parents: Any, adjoint: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
        self.parents = parents
        self.adjoint = adjoint
        self.shape = shape
        self.dtype = dtype
        self.cotangent = self.known = self.product = None
        self.is_conjugate = False

    def pull(self, g: Cotangent) -> Any:
        """The cotangents of the parents."""
        return self.adjoint(g) if self.known is None else self.adjoint(self.known, g)

    def taken(self) -> Any:
        """The cotangent, in whichever form it was received; the node forgets it."""
        g = _conjugate(self.cotangent) if self.is_conjugate else self.cotangent
        self.cotangent, self.is_conjugate = None, False
        return g

    def clear(self) -> None:
        """Forget the cotangent."""
        self.cotangent, self.is_conjugate = None, False


class Trace:
    """One level of differentiation: it decides what an operation records.

    Its final classes are `ConstantTrace`, `ForwardTrace`, `ReverseTrace`, `LinearTrace`, `MappedTrace`, those of
    `linearize` and of subclasses of arrays, and linalg's `LaurentTrace` and `RunningErrors`.
    """

    __slots__ = ("level",)

    level: int
    hidden = False
    """Whether a rule created the level, below those of the transforms; it must not appear in a result."""
    is_outermost = False
    """Whether its values are batches, which contain the values of all other levels."""

    def unary(self, rule: Any, z: Array) -> Array:
        """Apply an elementwise function to one traced argument."""
        raise NotImplementedError

    def binary(self, rule: Any, a: Array, b: Array) -> Array:
        """Apply an elementwise function of two arguments, of which at least one is traced at this level."""
        raise NotImplementedError

    def left(self, rule: Any, a: Array, b: Array) -> Array:
        """Apply an elementwise function of two arguments, of which the second is a plain value."""
        return self.binary(rule, a, b)

    def right(self, rule: Any, a: Array, b: Array) -> Array:
        """Apply an elementwise function of two arguments, of which the first is a plain value."""
        return self.binary(rule, a, b)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Apply any other primitive."""
        raise NotImplementedError

    def settle(self, x: Array) -> Array:
        """A result without this hidden level."""
        raise NotImplementedError

    def tidied(self, x: Array) -> Array:
        """A result at this hidden level that is still being differentiated."""
        raise NotImplementedError

    def moves(self, x: Array, dx: Array) -> None:
        """Record the tangent of an array at this hidden level."""

    def is_unclear(self, x: Array) -> bool:
        """Whether it is unknown what an array at this hidden level was computed from."""
        return False

    def check(self, x: Array) -> None:
        """Raise if a batch has escaped from the function that was mapped."""

    def refuse(self, kind: str) -> None:
        """Raise if values of this trace have no single number, which a conversion of this kind needs."""


ESCAPED = (
    "a traced value was used after the function that it was traced in had returned. Likely cause: it was kept in a "
    "global variable, a closure or an attribute. Return it from the function instead, with has_aux=True."
)


class _EndedTape(local):
    """Stands in for the tape of a trace that has ended, so that a value which escaped from it is noticed."""

    rules = 0  # of others that run and may hold such values: there these are constants

    def append(self, node: Any) -> None:
        if not self.rules:
            raise TraceError(ESCAPED)


ENDED_TAPE: Any = _EndedTape()


class Joint(Node):
    """The node of an operation with several outputs: its cotangent is the list of those of its parts."""

    __slots__ = ("parts",)

    def __init__(self, parents: Any, adjoint: Any, parts: list[Node]) -> None:
        self.parts = parts
        self.parents = parents
        self.adjoint = adjoint
        self.known = self.product = None
        self.is_conjugate = False

    @property
    def cotangent(self) -> Any:
        """The cotangents of the outputs, None for each that nothing depends on; None if that holds for all."""
        cotangents = [_conjugate(x.cotangent) if x.is_conjugate else x.cotangent for x in self.parts]
        for g in cotangents:
            if g is not None:
                return cotangents
        return None

    @cotangent.setter
    def cotangent(self, nothing: None) -> None:
        for part in self.parts:
            part.cotangent, part.is_conjugate = None, False


def pull_one(rule: Callable[..., Any], a: Array, params: dict[str, Any], g: Cotangent) -> Any:
    """The adjoint of a linear operation of one argument."""
    return rule(g, a, **params)


def pull_linear(
    adjoint: Callable[[Any], Any],
    primitive: Any,
    params: dict[str, Any],
    active: Sequence[int],
    values: Sequence[Any],
    g: Cotangent,
) -> Any:
    """The adjoint of an operation that is linear in its active arguments, with coefficients from the other values."""
    return adjoint(g)


def pull_elementwise(adjoint: Callable[[Any], Any], g: Cotangent) -> Any:
    """The adjoint of an elementwise operation."""
    return adjoint(g)
