"""Traces that nothing ends, and the pass back to their variable: what code does by autograd's inner names.

start = new_box(x, 0, VJPNode.new_root())
end = f(start)
gradient = backward_pass(new_box(g, 0, VJPNode.new_root()), end._node)._value
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...complex_autograd.engine.forward import CONSTANT
from ...complex_autograd.engine.reverse import Kept, ReverseTrace, own
from ...complex_autograd.engine.trace import Node, next_level, walk
from ...complex_autograd.engine.traced import Traced, raw
from ...complex_autograd.transforms.arguments import as_variable
from .primitives import conjugate

__all__ = ["VJPNode", "backward_pass", "rooted_box"]


class VJPNode:
    """The node of a traced value, to begin a trace with `autograd.tracer.new_box`."""

    @classmethod
    def new_root(cls) -> VJPNode:
        """That of an independent variable."""
        return cls()


class RootedTrace(ReverseTrace):
    """A trace of one variable, which lasts as long as what it has recorded.

    Attributes
    ----------
    root : Node
        Of the variable.
    """

    __slots__ = ("root",)
    root: Node


def rooted_box(value: Any) -> Any:
    """A value to differentiate, in a trace of its own."""
    trace = RootedTrace(next_level(), Kept())
    box = trace.variable(own(as_variable(value, 0)))
    trace.root = box._tangent
    return box


setattr(Traced, "_node", property(lambda x: x))  # noqa: B010  (what `backward_pass` takes, which knows its trace)


def backward_pass(g: Any, end_node: Any) -> Any:
    """The cotangent of the variable that `new_box(x, 0, node)` made, from that of a result of it; a box if that is one.

    Parameters
    ----------
    g : array or Box
        The cotangent of the result.
    end_node
        The attribute `_node` of the result.

    Raises
    ------
    TypeError
        If the result does not come from such a variable, as what this returns does not.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger.compat.autograd.core import VJPNode, backward_pass
    >>> from wirtinger.compat.autograd.tracer import new_box
    >>> x = new_box(np.array([2.0, 3.0]), 0, VJPNode.new_root())
    >>> backward_pass(np.ones(2), (x**2)._node)
    array([4., 6.])
    """
    trace = getattr(end_node, "_tracer", None)
    if not isinstance(trace, RootedTrace):
        raise TypeError(
            "backward_pass takes the _node of what was computed from a box of new_box(x, 0, VJPNode.new_root()); "
            "elsewhere call make_vjp(f, x), which returns the same as a function of g"
        )
    end_node._tangent.cotangent = conjugate(raw(g))
    try:
        walk(trace.tape)
        found = trace.root.taken()
    except BaseException:
        for node in (trace.root, *trace.tape):
            node.clear()
        raise
    found = np.zeros(trace.root.shape, trace.root.dtype) if found is None else conjugate(found)
    return Traced(found, CONSTANT, None) if isinstance(g, Traced) else found
