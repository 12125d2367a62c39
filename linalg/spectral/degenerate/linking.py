"""A decomposition that follows another one: it takes its argument without the levels of the first.

Otherwise a chain of decompositions with split values, see `laurent`, would compute with a series in one number per
decomposition, whose terms are series in the next.  A smooth function of a matrix has its derivatives at `t = 0`, and
its adjoint maps cotangents there without poles: if the argument is such a function, the levels are not needed.

The adjoint applied to a probe, a random cotangent, tells whether it is.  If the argument depends on the choice of the
vectors of equal values, as `H(v) @ b @ v` does, the result has poles, which cancel only together with the rest of the
loss; if it depends on single values, it is diagonal in exactly these vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....complex_autograd.engine.choices import CHOICES, is_unclear
from ....complex_autograd.engine.errors import NO_DERIVATIVE
from ....complex_autograd.engine.forward import ForwardTrace
from ....complex_autograd.engine.primitive import Primitive
from ....complex_autograd.engine.reverse import ReverseTrace
from ....complex_autograd.engine.trace import Node, walk
from ....complex_autograd.engine.traced import Traced, raw, settled
from .laurent import LaurentTrace, expansion
from .probes import dependent, meaningless, probing
from .roles import FUNCTION


def linked(a: Any, basis_of: Callable[[Any, Any], Any], basis: Any) -> tuple[Any, Any]:
    """The argument of a decomposition, without hidden levels where it is a smooth function; and its basis.

    `basis_of(a, moving)` is the basis at `a`, chosen by how the second array moves; `basis` the one that is known, or
    None.  Through a decomposition whose values lie apart the series of other arguments go term by term.
    """
    levels = _levels(a)
    if levels:
        return _after(a, levels, basis_of)
    basis = basis or basis_of(a, a)
    if not isinstance(a, Traced) or basis.is_clear:
        return a, basis
    return _begun(_link(a), basis)


def _after(a: Traced, levels: frozenset[LaurentTrace], basis_of: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The same of an array that has hidden levels."""
    recordings = _recordings(a)
    probed = frozenset(level for level in levels if level.start and level.start[0] in recordings)
    unknown = probed - _known(a)
    if not (_is_regular(a) and all(_is_smooth(x, unknown) for x in recordings.values())):
        basis = basis_of(a, raw(a))
        if basis.is_clear:
            return a, basis
        raise dependent()
    CHOICES.unclear += is_unclear(a)
    linked = _link(a)
    basis = basis_of(linked, linked)
    if probed != levels and basis.layers is None:  # forward mode
        still = basis_of(a, raw(a))
        if still.is_clear and not _are_many(levels):
            return a, still
        if still.layers is not None:
            basis = still  # which has levels, so that what depends on it is known as such
    return _begun(linked, basis, levels - probed)


def _begun(a: Any, basis: Any, after: frozenset[LaurentTrace] = frozenset()) -> tuple[Any, Any]:
    """An argument and its basis, whose levels know where they begin, and those that the argument was taken without."""
    if basis.layers is not None:
        first = next(iter(_recordings(a)), None)
        basis.layers.begin(None if first is None else (first, len(first.tape)), after)
    return a, basis


def _levels(a: Any) -> frozenset[LaurentTrace]:
    """The hidden levels of an array, and those that these come after."""
    while isinstance(a, Traced):
        if isinstance(a._tracer, LaurentTrace):
            return frozenset({a._tracer}).union(a._tracer.after, *map(_levels, a._tangent.terms.values()))
        a = a._value
    return frozenset()


def _known(a: Any) -> set[Any]:
    """The levels for which an array is known to be a function of the matrix."""
    found = set()
    while isinstance(a, Traced):
        if isinstance(a._tracer, LaurentTrace) and a._tangent.role is FUNCTION:
            found.add(a._tracer)
        a = a._value
    return found


def _are_many(levels: frozenset[LaurentTrace]) -> bool:
    """Whether levels are of more than one decomposition."""
    kinds = [level.verdict.kind for level in levels]
    return any(kinds.count(kind) > 1 for kind in kinds)


def _is_regular(a: Any) -> bool:
    """Whether neither an array nor how it moves has poles."""
    if not isinstance(a, Traced):
        return True
    if isinstance(a._tracer, LaurentTrace):
        return bool(a._tracer.verdict.is_regular(a))
    return _is_regular(a._value) and (not isinstance(a._tracer, ForwardTrace) or _is_regular(a._tangent))


def _recordings(a: Any) -> dict[ReverseTrace, Traced]:
    """The traces that cotangents come back to, the highest first, with the array as it is there."""
    found = {}
    while isinstance(a, Traced):
        if isinstance(a._tracer, ReverseTrace):
            found[a._tracer] = a
        a = a._value
    return found


def _is_smooth(a: Traced, levels: frozenset[LaurentTrace]) -> bool:
    """Whether an array that is recorded depends neither on the choice of vectors nor on single values of a group."""
    trace: Any = a._tracer
    tape = trace.tape
    starts = [level.start[1] for level in levels if level.start is not None and level.start[0] is a._tracer]
    if not starts:
        return True
    own = tape[min(starts) :]
    a._tangent.cotangent = meaningless(raw(a))
    before = {id(node): node for each in own for node in _parents(each)}
    for node in own:
        before.pop(id(node), None)
    try:
        with probing():
            walk(own)
        return all(_is_regular(node.cotangent) for node in before.values())
    except NO_DERIVATIVE:
        return False
    finally:
        a._tangent.clear()
        for node in before.values():
            node.clear()


def _parents(node: Node) -> tuple[Node, ...]:
    return node.parents if isinstance(node.parents, tuple) else (node.parents,)


def _without_levels(x: Any) -> Any:
    return x


_link = Primitive(_without_levels, "jointly", registered=False)


@_link.adjoint(0)
def _(g: Any, x: Any) -> Any:
    return _link(g)


@expansion(_link)
def _(trace: LaurentTrace, x: Any) -> Any:
    return _link(settled(x))
