"""The reverse sweep used where a derivative is infinite: it tracks which cotangents are structurally zero.

`where(x > 0, log(x), 0)` does not depend on `log(x)` at `x = 0`, so its derivative there is 0; but the cotangent 0
times the derivative 1 / x is NaN.  Being equal to 0 is not enough: in `sqrt(x)**2` the cotangent `2 sqrt(x)` of the
root is 0 at `x = 0` as well, but the derivative is 1.  So this sweep carries with each cotangent a mask of *live*
elements, those that are not structurally zero.  An element is live

* in the seed, where the seed is not 0;
* after an elementwise operation, where it was live before, unless a constant factor is 0;
* after a linear operation or a choice (`max`, `clip`), where the adjoint is nonzero when applied to generic numbers at
  the live elements;
* after any other operation, everywhere; or nowhere, if nothing was live.

Elements that are not live are set to 0, whatever they were multiplied by.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from .elementwise import CHOOSING, FACTOR_OF, FREE_OF_COEFFICIENTS, PULLBACKS
from .kinks import KINKS
from .operands import arange_like
from .primitive import BOUND_TO_FACTORS
from .space import Array, Cotangent, project
from .trace import Joint, Node, pull_elementwise, pull_linear, pull_one
from .traced import Traced, raw


class _Care(threading.local):
    asked = False
    series = False
    sweeps = 0


CARE = _Care()
"""Whether every sweep in this thread is to be careful, and series are to be used wherever there may be need for them;
and how many sweeps there were."""


@contextmanager
def asking_for_care(kinks: str = "") -> Iterator[None]:
    """Make every sweep careful: where a second derivative is infinite, the first was finite and did not ask for it.

    With `kinks`, also put other "numbers" than 0 in place of second derivatives that are unknown, or other "sides" in
    place of the subgradients of least norm.
    """
    CARE.asked, KINKS.asked = True, kinks
    try:
        with asking_for_series():
            yield
    finally:
        CARE.asked, KINKS.asked = False, ""


@contextmanager
def asking_for_series() -> Iterator[None]:
    """Make rules record series wherever rounding errors may spoil a derivative, not only where they surely do."""
    before, CARE.series = CARE.series, True
    try:
        yield
    finally:
        CARE.series = before


def same_values(arrays: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether a function that ran again returned what it had returned."""
    return len(arrays) == len(others) and all(
        np.shape(a) == np.shape(b) and bool(np.all((raw(a) == raw(b)) | ((raw(a) != raw(a)) & (raw(b) != raw(b)))))
        for a, b in zip(arrays, others, strict=True)
    )


def alive_in(seed: Any) -> Any:
    """Where a cotangent given from outside is not zero by structure: a mask, or True for everywhere."""
    return True if isinstance(seed, Traced) else unless_all(seed != 0)


def walk_carefully(tape: Sequence[Node], seeds: Iterable[tuple[Node, Cotangent]], zeros_are_structural: bool) -> None:
    """Carry cotangents given for nodes of the tape back to its variables, last node first.

    Parameters
    ----------
    tape : sequence of Node
        What was recorded.
    seeds : iterable
        Pairs of a node and its cotangent.
    zeros_are_structural : bool
        Whether zeros in these are.
    """
    alive: dict[Node, Any] = {}
    try:
        for node, g in seeds:
            _receive(node, g, alive_in(g) if zeros_are_structural else True, alive)
        for node in reversed(tape):
            g = node.cotangent
            if g is None:
                continue
            node.cotangent = None
            several = isinstance(node.parents, tuple)
            for part, at in _separate(node, g, alive):
                for parent, c, live in _pulled(node, part, at, several):
                    _receive(parent, c, live, alive)
    except BaseException:
        for node in tape:
            node.cotangent = None
        raise


def _separate(node: Node, g: Cotangent, alive: dict[Node, Any]) -> list[tuple[Any, Any]]:
    """The cotangent of a node, and where it is alive; of several outputs, whether any of theirs is.

    Those of an elementwise operation come one by one, with None in the places of the others.
    """
    if not isinstance(node, Joint):
        return [(g, alive.pop(node))]
    live = [alive.pop(part, False) for part in node.parts]
    if not _is_pullback(node.adjoint):
        return [(g, any(bool(np.any(at)) for at in live))]
    alone = [[c if k == j else None for j in range(len(g))] for k, c in enumerate(g)]
    return [(part, at) for part, at in zip(alone, live, strict=True) if at is not False]


def _is_pullback(adjoint: Any) -> bool:
    return adjoint in PULLBACKS or (type(adjoint) is partial and adjoint.func is pull_elementwise)


def _receive(parent: Node, c: Any, live: Any, alive: dict[Node, Any]) -> None:
    """Add one cotangent to those that a node has received."""
    c = project(c, parent.shape, parent.dtype)
    if live is not True:
        live = unless_all(project(live.astype(float), parent.shape, np.dtype(float)) != 0)
    if parent.cotangent is None:
        parent.cotangent, alive[parent] = c, live
        return
    before = alive[parent]
    parent.cotangent = parent.cotangent + c
    alive[parent] = True if before is True or live is True else unless_all(before | live)


def unless_all(mask: Any) -> Any:
    """A mask of live elements; True for everywhere."""
    return True if bool(np.all(mask)) else mask


def _pulled(node: Node, g: Cotangent, live: Any, several: bool) -> list[tuple[Node, Any, Any]]:
    """The parents of a node that something reaches, each with its cotangent and where that is alive."""
    if live is not True and not bool(np.any(live)):
        return []
    if hasattr(node.adjoint, "refuse_care"):
        node.adjoint.refuse_care()
    KINKS.live = live
    try:
        pulled = node.pull(g)
    finally:
        KINKS.live = True
    parents, cotangents = (node.parents, pulled) if several else ((node.parents,), (pulled,))
    if _is_linear(node.adjoint):
        reached = node.pull(generic_like(g, live, node.shape, node.dtype))
        masks = [c is not None and unless_all(raw(c) != 0) for c in (reached if several else (reached,))]
        cotangents = [
            c if at is True or at is False else np.where(at, c, 0) for c, at in zip(cotangents, masks, strict=True)
        ]
    elif node.adjoint in FREE_OF_COEFFICIENTS:
        masks = [live] * len(parents)
    elif _is_pullback(node.adjoint):
        live = _with_coefficient(node, live)
        masks = [live] * len(parents)
        if live is not True:
            cotangents = [np.where(live, c, 0) for c in cotangents]
    else:
        masks = [True] * len(parents)
    found = zip(parents, cotangents, masks, strict=True)
    return [(parent, c, at) for parent, c, at in found if c is not None and at is not False]


def _is_linear(adjoint: Any) -> bool:
    """Whether the coefficients of an adjoint are constants, so that a 0 among them is one of structure."""
    if type(adjoint) is not partial:
        return adjoint in CHOOSING
    if adjoint.func is pull_linear:
        *_, active, values = adjoint.args
        return not any(isinstance(v, Traced) for i, v in enumerate(values) if i not in active)
    if adjoint.func in BOUND_TO_FACTORS:
        return len(adjoint.args) == 1 and not isinstance(adjoint.args[0], Traced)
    return adjoint.func is pull_one


def _with_coefficient(node: Node, live: Any) -> Any:
    """Where something is alive after a product: not where the other factor is a constant 0."""
    if node.adjoint not in FACTOR_OF:
        return live
    factor = node.known[FACTOR_OF[node.adjoint]]
    return live if isinstance(factor, Traced) else times(live, factor, node.shape)


def times(live: Any, factor: Any, shape: tuple[int, ...]) -> Any:
    """Where a product with a constant is alive; False for nowhere."""
    if np.ndim(factor) == 0:
        return live if factor != 0 else False
    nonzero = np.broadcast_to(factor != 0, shape)
    return unless_all(nonzero if live is True else live & nonzero)


def generic_like(a: Array, live: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Numbers between 1 and 2, as different as the golden ratio makes them, at the live elements; elsewhere zeros."""
    numbers = 1 + np.modf(arange_like(a, math.prod(shape)) * 0.6180339887498949)[0].reshape(shape)
    numbers = numbers * (1 + 0.7j) if dtype.kind == "c" else numbers
    generic = numbers.astype(dtype)
    return generic if live is True else generic * live
