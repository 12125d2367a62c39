"""The reverse sweep for many cotangents at once, as Jacobians need it: each cotangent has one more axis, the first.

The adjoint of an elementwise operation is itself elementwise, so it applies to all cotangents unchanged.  Common
rearrangements, sums and products with constants declare a batched adjoint (`Primitive.batched`), and some operations on
matrices that their adjoint takes stacks (`of_stacks`).  Any other operation pulls back one cotangent after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .elementwise import FREE_OF_COEFFICIENTS, PULLBACKS
from .primitive import BATCHED, BOUND_TO_FACTORS
from .space import Cotangent, cast, project
from .symbolic import pull_stacks
from .trace import Joint, Node, pull_linear, pull_one


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


def _pulled(node: Node, g: Cotangent, count: int, several: bool) -> Sequence[Any]:
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


def _of_linear(node: Node, adjoint: Any, g: Cotangent) -> Any:
    """A batch for each parent of a linear operation that has an adjoint for it."""
    if adjoint.func is pull_one:
        rule, a, params = adjoint.args
        found = BATCHED[rule](g, a, **params) if rule in BATCHED else None
        return None if found is None else [found]
    if adjoint.func in BOUND_TO_FACTORS or adjoint.func is pull_stacks:
        found = adjoint(g)
        return found if isinstance(node.parents, tuple) else [found]
    if adjoint.func is pull_linear:
        _, primitive, params, active, values = adjoint.args
        return BATCHED[primitive](g, active, values, **params) if primitive in BATCHED else None
    return None


def _one_by_one(node: Node, g: Cotangent, count: int) -> list[Any]:
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
