"""Reverse mode: one node per operation, walked backwards in the order of creation; and the plain arrays that it keeps.

Chains of small operations spend most of their time in the methods for elementwise functions, so these only record the
arrays and the adjoint that was built when the function was declared.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from ...backends.memory import OWN_DATA, WRITEABLE
from ...backends.native.large_arrays import LARGE, copied
from ...determinism.flag import FIXED, is_fixed
from ...determinism.layouts import canonical
from .opaque import RECORDING, is_on_host, opaque_call
from .pullbacks import times_known
from .space import Array
from .trace import ENDED_TAPE, Joint, Node, Trace, pull_one
from .traced import Traced, peel, raw

_new = object.__new__

_SHORT = 1024
"""Up to how many elements an array is copied at every use."""

_OWN = OWN_DATA | WRITEABLE

_NO_ARRAYS: set[type] = {bool, int, float, complex, np.float64, np.complex128}
"""The types met so far that hold no memory of a caller's."""


def own(a: Any) -> Any:
    """An array of a caller's as one that nobody else can write into."""
    kind = type(a)
    if kind in _NO_ARRAYS:
        return a
    if kind is Traced:
        return _own_traced(a)
    if kind is not np.ndarray and (issubclass(kind, np.generic) or not hasattr(a, "dtype")):
        _NO_ARRAYS.add(kind)
        return a
    if not (kind is np.ndarray or (RECORDING[0] and is_on_host(a) and hasattr(a, "strides"))):
        return a.copy(order="K")
    if FIXED[0] and is_fixed():
        return canonical(a.copy())
    strides = a.strides
    if 0 not in strides:
        copy = copied(a) if kind is np.ndarray and a.size >= LARGE else a.copy(order="K")
        if copy.strides == strides:
            return copy
    return opaque_call(_with_gaps, (a,), {})


def _own_traced(a: Traced) -> Traced:
    """A value of an outer level: a write gives the array that is written into another value, not its copies."""
    copy = Traced(own(a._value) if a._tangent is None else a._value, a._tracer, a._tangent)
    if hasattr(a, "length_of"):
        copy.length_of = a.length_of
    return copy


def _with_gaps(a: Any) -> Any:
    """A copy with the strides of an array that skips memory: they decide whether `reshape` returns a view."""
    steps = [(n - 1) * step for n, step in zip(a.shape, a.strides, strict=True)]
    before, behind = -sum(step for step in steps if step < 0), sum(step for step in steps if step > 0)
    memory = np.empty(before + behind + a.itemsize, np.uint8)
    copy: Any = np.ndarray(a.shape, a.dtype, memory, before, a.strides)
    copy[...] = a
    return copy


def unshared(arrays: Sequence[Any], given: Sequence[Any]) -> list[Any]:
    """Arrays as the caller's own: writable, and sharing memory neither with each other nor with what was given."""
    taken = {*map(id, given)}
    result = []
    for a in arrays:
        is_array = type(a) is np.ndarray or (RECORDING[0] and is_on_host(a))
        if id(a) in taken or (is_array and a.flags.num & _OWN != _OWN):
            a = a.copy()
        taken.add(id(a))
        result.append(a)
    return result


class Kept(dict[int, tuple["weakref.ref[Any]", bytearray, Any, Any]]):
    """The plain arrays that one recording reads again: it is emptied when the function has returned.

    The derivative of `buffer * x` needs `buffer` as it was, though its owner may write into it at any time.  It is kept
    by copy, which costs a fraction of the operation that reads it.  A long array that is used again serves from the
    copy that there is, if it still has the same bits.
    """

    __slots__ = ()

    def keep(self, a: Any) -> Any:
        """What the derivative may read in place of an operand."""
        if type(a) is not np.ndarray:
            return own(a)
        if FIXED[0] and is_fixed():
            a = canonical(a)
        if a.size <= _SHORT or a.dtype.hasobject:
            return a.copy(order="K")
        known = self.get(id(a))
        dense = a if a.flags.forc else a.copy(order="K")
        layout, now = (a.shape, a.strides, a.dtype), dense.ravel(order="K").view(np.uint8).data
        if known is not None and known[0]() is a and known[2] == layout and known[1] == now:
            return known[3]
        memory = bytearray(now)  # compares with `now` at the speed of memory
        copy: Any = np.ndarray(a.shape, a.dtype, memory, 0, dense.strides)
        self[id(a)] = weakref.ref(a), memory, layout, copy
        return copy

    def keep_all(self, params: dict[str, Any]) -> dict[str, Any]:
        """The same for the parameters of an operation."""
        for value in params.values():
            if type(value) is np.ndarray:
                return {name: self.keep(v) for name, v in params.items()}
        return params


class Signed(Kept):
    """The same, with a checksum of all that was kept: two runs of a function that read the same have the same."""

    __slots__ = ("checksum",)

    def __init__(self) -> None:
        super().__init__()
        self.checksum = 0

    def keep(self, a: Any) -> Any:
        kept = super().keep(a)
        plain = raw(kept)
        if issubclass(type(plain), (np.ndarray, np.generic, int, float, complex)):
            self.checksum = crc32(np.asarray(plain).tobytes(), self.checksum)
        return kept


class ReverseTrace(Trace):
    """Records one node an operation on a tape."""

    __slots__ = ("kept", "tape")

    def __init__(self, level: int, kept: Kept) -> None:
        self.level = level
        self.tape: list[Node] = []
        self.kept = kept

    def variable(self, value: Array) -> Traced:
        """A new independent variable."""
        return Traced(value, self, Node((), None, value.shape, value.dtype))

    def end(self) -> list[Node]:
        """End the recording and hand over the tape."""
        tape, self.tape = self.tape, ENDED_TAPE
        return tape

    def record(
        self, w: Array, parents: Any, adjoint: Callable[..., Any], product: Any = None, known: Any = None
    ) -> Traced:
        """The result of an operation, traced, and its node on the tape."""
        node = _new(Node)  # which is filled in here: to call the class takes twice as long
        node.parents = parents
        node.adjoint = adjoint
        node.product = product
        node.known = known
        node.shape = w.shape
        node.dtype = w.dtype
        node.cotangent = None
        node.is_conjugate = False
        self.tape.append(node)
        result = _new(Traced)
        result._value = w
        result._tracer = self
        result._tangent = node
        return result

    def unary(self, rule: Any, z: Array) -> Array:
        value, parent = z._value, z._tangent
        w = rule.function(value)
        node = _new(Node)  # as in `record`, which would be one more call
        node.parents = parent
        node.adjoint, node.product = rule.by_dtype[parent.dtype][0]
        node.known = (w, value) if rule.adjoints is None else None
        node.shape = parent.shape
        node.dtype = w.dtype
        node.cotangent = None
        node.is_conjugate = False
        self.tape.append(node)
        result = _new(Traced)
        result._value = w
        result._tracer = self
        result._tangent = node
        return result

    def with_partial(self, z: Array, w: Array, partial: Array) -> Array:
        """The value of a function of one real argument, of which the partial derivative is known, too."""
        return self.record(w, z._tangent, times_known, None, (partial,))

    def left(self, rule: Any, a: Array, b: Array) -> Array:
        value = a._value
        w = rule.function(value, b)
        adjoint, product = rule.by_dtype[w.dtype][0]
        if 0 in rule.linear_in:  # of what else there is the partial reads nothing
            known: Any = (None, None, self.kept.keep(b))
        else:
            known = (w, value, self.kept.keep(b)) if rule.adjoints is None else None
        return self.record(w, a._tangent, adjoint, product, known)

    def right(self, rule: Any, a: Array, b: Array) -> Array:
        value = b._value
        w = rule.function(a, value)
        adjoint, product = rule.by_dtype[w.dtype][1]
        if 1 in rule.linear_in:
            known: Any = (None, self.kept.keep(a), None)
        else:
            known = (w, self.kept.keep(a), value) if rule.adjoints is None else None
        return self.record(w, b._tangent, adjoint, product, known)

    def binary(self, rule: Any, a: Array, b: Array) -> Array:
        if type(a) is not Traced or a._tracer is not self:
            return self.right(rule, peel(a), b)
        if type(b) is not Traced or b._tracer is not self:
            return self.left(rule, a, peel(b))
        x, y = a._value, b._value
        w = rule.function(x, y)
        adjoint, product = rule.by_dtype[w.dtype][2]
        known = (w if len(rule.linear_in) < 2 else None, x, y) if rule.adjoints is None else None
        return self.record(w, (a._tangent, b._tangent), adjoint, product, known)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        if len(args) == 1 and primitive.linearity and primitive.joint_adjoint is None:
            return self._linear(primitive, args[0], params)
        active, values, nodes = [], [], []
        for i, a in enumerate(args):
            if type(a) is Traced and a._tracer is self:
                active.append(i)
                values.append(a._value)
                nodes.append(a._tangent)
            else:
                values.append(peel(a))
        out = primitive(*values, **params)
        if len(active) < len(args):
            values = [self.kept.keep(v) if i not in active else v for i, v in enumerate(values)]
        params = self.kept.keep_all(params) if params else params
        parents = tuple(nodes)
        adjoint = primitive.adjoint_at(active, out, values, parents, params)
        if not isinstance(out, tuple):
            return self.record(out, parents, adjoint)
        parts = [Node((), None, x.shape, x.dtype) for x in out]
        self.tape.append(Joint(parents, adjoint, parts))
        outputs = [Traced(x, self, part) if x.dtype.kind in "fc" else x for x, part in zip(out, parts, strict=True)]
        return type(out)(*outputs) if hasattr(out, "_fields") else tuple(outputs)

    def _linear(self, primitive: Any, a: Array, params: dict[str, Any]) -> Any:
        """Apply a linear operation of one argument: most of indexing and reshaping, so it takes the short way."""
        value, parent = a._value, a._tangent
        rule = primitive.adjoints[0]
        stand_in = parent if primitive.linearity == "jointly" else value
        adjoint = partial(pull_one, rule, stand_in, self.kept.keep_all(params))
        return self.record(primitive(value, **params), parent, adjoint)
