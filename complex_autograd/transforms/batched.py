"""The reverse sweep for many cotangents at once, for Jacobians: each carries one more axis, the first.

The adjoint of an elementwise operation is itself elementwise, so it takes them all as it is; the rearrangements, sums
and products with constants that programs consist of have their adjoints for a batch here.  Any other operation pulls
one cotangent after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..array.indexing import getitem, keeps_place, masked, parts_of, scatter
from ..array.structure import astype, broadcast_to, copied, flattened, imag, real, reshape, transpose
from ..engine.elementwise import FREE_OF_COEFFICIENTS, PULLBACKS
from ..engine.primitive import pull_linear
from ..engine.space import cast, project
from ..engine.trace import Joint, Node, pull_one
from ..rules.products.contractions import conjugate
from ..rules.products.matrix_products import H, both_of_matrices, first_of_matrices, second_of_matrices
from ..rules.products.products import dot
from ..rules.reductions.cumulative import cumsum_along
from ..rules.reductions.sums import counted, kept, mean_over, spread, sum_over
from ..rules.shape.arranging import roll
from ..rules.shape.joining import concatenate, stack
from ..rules.shape.selection import chosen

__all__ = ["walk_batch"]

BATCHED: dict[Any, Callable[..., Any]] = {}
"""Of linear operations of one argument: the adjoint `(g, a, **params)` of a batch; None where it has no such form."""

BATCHED_JOINT: dict[Any, Callable[..., Any]] = {}
"""The same for several arguments: `(g, active, values, **params)`, a list with a cotangent for each active one."""


def walk_batch(tape: Sequence[Node], count: int) -> None:
    """Carry the batches of `count` cotangents that were set on nodes of the tape back to its variables."""
    try:
        for node in reversed(tape):
            g = node.cotangent
            if g is None:
                continue
            node.cotangent = None
            several = isinstance(node.parents, tuple)
            parents = node.parents if several else (node.parents,)
            for parent, c in zip(parents, _pulled(node, g, count, several), strict=True):
                if c is not None:
                    c = projected(c, parent, count)
                    parent.cotangent = c if parent.cotangent is None else parent.cotangent + c
    except BaseException:
        for node in tape:
            node.clear()
        raise


def _pulled(node: Node, g: Any, count: int, several: bool) -> Sequence[Any]:
    """A batch of cotangents for each parent."""
    adjoint, found = node.adjoint, None
    if isinstance(node, Joint):
        return _one_by_one(node, g, count)
    if adjoint in PULLBACKS or adjoint in FREE_OF_COEFFICIENTS:
        found = node.pull(g)
        found = found if several else [found]
        if any(c is not None and np.shape(c) != g.shape for c in found):
            found = None
    elif type(adjoint) is partial:
        found = _of_linear(node, adjoint, g)
    return _one_by_one(node, g, count) if found is None else found


def _of_linear(node: Node, adjoint: Any, g: Any) -> Any:
    """A batch for each parent of a linear operation that has an adjoint for it."""
    if adjoint.func is pull_one:
        rule, a, params = adjoint.args
        found = BATCHED[rule](g, a, **params) if rule in BATCHED else None
        return None if found is None else [found]
    if adjoint.func is first_of_matrices:
        return [_first(adjoint.args[0], g)]
    if adjoint.func is second_of_matrices:
        return [_second(adjoint.args[0], g)]
    if adjoint.func is both_of_matrices:
        a, b = adjoint.args
        return [_first(b, g), _second(a, g)]
    if adjoint.func is pull_linear:
        _, primitive, params, active, values = adjoint.args
        return BATCHED_JOINT[primitive](g, active, values, **params) if primitive in BATCHED_JOINT else None
    return None


def _first(b: Any, g: Any) -> Any:
    return g @ H(b) if b.ndim > 1 else g[..., None] * conjugate(b)


def _second(a: Any, g: Any) -> Any:
    return H(a) @ g if g.ndim > 2 else g @ conjugate(a)


def _one_by_one(node: Node, g: Any, count: int) -> list[Any]:
    """Pull one cotangent of a batch after the other."""
    several = isinstance(node.parents, tuple)
    parents = node.parents if several else (node.parents,)
    columns: list[list[Any]] = [[] for _ in parents]
    for k in range(count):
        pulled = node.pull([None if part is None else part[k] for part in g] if isinstance(g, list) else g[k])
        for column, parent, c in zip(columns, parents, pulled if several else (pulled,), strict=True):
            column.append(np.zeros(parent.shape, parent.dtype) if c is None else project(c, parent.shape, parent.dtype))
    return [np.stack(column) for column in columns]


def projected(c: Any, parent: Node, count: int) -> Any:
    """The orthogonal projection of each cotangent of a batch onto the space of a node."""
    shape = (count, *parent.shape)
    if c.shape != shape:
        extra = len(c.shape) - len(shape)
        if extra > 0:
            c = np.sum(c, axis=tuple(range(1, 1 + extra)))
        stretched = tuple(i for i, (n, m) in enumerate(zip(c.shape, shape, strict=True)) if n != m)
        if stretched:
            c = np.sum(c, axis=stretched, keepdims=True)
    return cast(c, parent.dtype)


def batched(operation: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the adjoint for a batch of a linear operation."""

    def declare(rule: Callable[..., Any]) -> Callable[..., Any]:
        if operation.joint_adjoint is None and len(operation.adjoints) == 1:
            BATCHED[operation.adjoints[0]] = rule
        else:
            BATCHED_JOINT[operation] = rule
        return rule

    return declare


for _same in (astype, broadcast_to, copied, real, imag, masked):
    BATCHED[_same.adjoints[0]] = _same.adjoints[0]  # elementwise, or the identity


def _later(axes: Any) -> Any:
    """Axes counted from the front, behind that of the batch."""
    return tuple(i + 1 for i in axes)


def _reduced_axes(a: Any, axis: Any) -> tuple[int, ...]:
    return tuple(range(len(a.shape))) if axis is None else axis if isinstance(axis, tuple) else (axis,)


@batched(reshape)
def _(g: Any, a: Any, *, shape: Any, order: Any = "C") -> Any:
    return np.reshape(g, (len(g), *a.shape)) if order == "C" else None


@batched(flattened)
def _(g: Any, a: Any, *, order: Any) -> Any:
    return np.reshape(g, (len(g), *a.shape)) if order == "C" else None


@batched(transpose)
def _(g: Any, a: Any, *, axes: tuple[int, ...] | None = None) -> Any:
    n = len(a.shape)
    inverse = range(n)[::-1] if axes is None else np.argsort([i % n for i in axes]).tolist()
    return np.transpose(g, (0, *_later(inverse)))


@batched(sum_over)
def _(g: Any, a: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    return np.broadcast_to(np.reshape(g, (len(g), *kept(a.shape, axis))), (len(g), *a.shape))


@batched(mean_over)
def _(g: Any, a: Any, *, axis: Any = None, keepdims: bool = False) -> Any:
    g = g / max(counted(a.shape, axis), 1)
    return np.broadcast_to(np.reshape(g, (len(g), *kept(a.shape, axis))), (len(g), *a.shape))


@batched(spread)
def _(g: Any, a: Any, *, axis: Any, shape: tuple[int, ...]) -> Any:
    axes = [i % len(shape) for i in _reduced_axes(g[0], axis)]
    return np.reshape(np.sum(g, axis=_later(axes)), (len(g), *a.shape))


@batched(getitem)
def _(g: Any, a: Any, *, index: Any) -> Any:
    if not keeps_place(index):
        return None
    return scatter(g, index=(slice(None), *parts_of(index)), shape=(len(g), *a.shape))


@batched(cumsum_along)
def _(g: Any, a: Any, *, axis: int | None) -> Any:
    if axis is None and len(a.shape) != 1:
        return None
    along = 1 + (axis or 0) % len(a.shape)
    return np.flip(np.cumsum(np.flip(g, along), axis=along), along)


@batched(roll)
def _(g: Any, a: Any, *, shift: Any, axis: Any) -> Any:
    if len(a.shape) == 1 and isinstance(shift, int):
        return np.roll(g, -shift, 1)
    if axis is None:
        return None
    axes = [i % len(a.shape) for i in (axis if isinstance(axis, tuple) else (axis,))]
    shifts = shift if isinstance(shift, tuple) else (shift,) * len(axes)
    return np.roll(g, [-s for s in shifts], _later(axes)) if len(shifts) == len(axes) else None


@batched(concatenate)
def _(g: Any, active: Any, values: Any, *, axis: int) -> Any:
    along = axis % len(values[0].shape)
    stops = np.cumsum([a.shape[along] for a in values]).tolist()
    before = (slice(None),) * (along + 1)
    return [g[(*before, slice(stops[i] - values[i].shape[along], stops[i]))] for i in active]


@batched(stack)
def _(g: Any, active: Any, values: Any, *, axis: int) -> Any:
    before = (slice(None),) * (1 + axis % (len(values[0].shape) + 1))
    return [g[(*before, i)] for i in active]


@batched(chosen)
def _(g: Any, active: Any, values: Any, *, condition: Any) -> Any:
    return [masked(g, condition=~condition if i else condition) for i in active]


@batched(dot)
def _(g: Any, active: Any, values: Any) -> Any:
    a, b = values
    return [g @ conjugate(a)] if list(active) == [1] and a.ndim == 2 and b.ndim == 1 else None
