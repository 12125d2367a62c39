"""`linearize`: run a function once, keep its differential, and apply that to as many tangents as wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .array import Traced, peel, settled
from .holding import Held
from .pytree import unflatten
from .record import Split, as_array, as_number, lower, run_traced
from .space import embed
from .trace import ENDED_TAPE, Trace, next_level
from .zero import ZERO

__all__ = ["Differential", "linearize"]


class _Step:
    """One recorded operation: how it pushes the tangents of its parents forward."""

    __slots__ = ("parents", "push", "spaces")

    def __init__(self, parents: Sequence[Any], push: Callable[..., Any], spaces: Any) -> None:
        self.parents = parents
        self.push = push
        self.spaces = spaces


class _LinearizeTrace(Trace):
    """Records differentials at the values met; a tangent is `(step, output)`, or a variable's number."""

    __slots__ = ("held", "tape")

    def __init__(self, level: int) -> None:
        self.level = level
        self.tape: list[_Step] = []
        self.held = Held()

    def _record(self, out: Any, parents: Sequence[Any], push: Callable[..., Any]) -> Any:
        several = isinstance(out, tuple)
        spaces = [(x.shape, x.dtype) for x in (out if several else (out,))]
        step = _Step(parents, push, spaces)
        self.tape.append(step)
        if not several:
            return Traced(out, self, (step, 0))
        outputs = [Traced(x, self, (step, k)) if x.dtype.kind in "fc" else x for k, x in enumerate(out)]
        return type(out)(*outputs) if hasattr(out, "_fields") else tuple(outputs)

    def unary(self, rule: Any, z: Any) -> Any:
        value = z.value
        w = rule.function(value)
        if rule.conjugate_partial is None or value.dtype.kind != "c":
            p = (rule.partials[0] if rule.conjugate_partial is None else rule.real_partial)(w, value)
            return self._record(w, [z.tangent], lambda dz: p * dz)
        p, q = rule.partials[0](w, value), rule.conjugate_partial(w, value)
        return self._record(w, [z.tangent], lambda dz: p * dz + q * np.conjugate(dz))

    def binary(self, rule: Any, a: Any, b: Any) -> Any:
        active = [i for i, t in enumerate((a, b)) if type(t) is Traced and t.tracer is self]
        x, y = (t.value if type(t) is Traced and t.tracer is self else peel(t) for t in (a, b))
        w = rule.function(x, y)
        if rule.adjoints is None:
            self.held.hold(x)
            self.held.hold(y)
        partials = [rule.partials[i](w, x, y) for i in active]

        def push(*tangents: Any) -> Any:
            terms = [p * t for p, t in zip(partials, tangents, strict=True)]
            return terms[0] if len(terms) == 1 else terms[0] + terms[1]

        return self._record(w, [(a, b)[i].tangent for i in active], push)

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        active = [i for i, a in enumerate(args) if type(a) is Traced and a.tracer is self]
        values = [a.value if type(a) is Traced and a.tracer is self else peel(a) for a in args]
        out = primitive(*values, **params)
        for v in values:
            self.held.hold(v)

        def push(*moving: Any) -> Any:
            tangents: list[Any] = [ZERO] * len(values)
            for i, t in zip(active, moving, strict=True):
                tangents[i] = t
            return primitive.push(out, values, tangents, params)

        return self._record(out, [args[i].tangent for i in active], push)


class Differential:
    """The differential of a function at one point: real-linear in the tangents."""

    def __init__(self, call: Split, trace: _LinearizeTrace, outputs: Sequence[Any], structure: Any) -> None:
        self._call, self._structure = call, structure
        self._tape, trace.tape = trace.tape, ENDED_TAPE
        self._leaves = [as_array(lower(x, trace)) for x in outputs]
        self._sources = [x.tangent if isinstance(x, Traced) and x.tracer is trace else None for x in outputs]

    @property
    def out(self) -> Any:
        """The value at the point."""
        return unflatten(self._structure, self._leaves)

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the output along tangents of the primals."""
        variables = self._call.tangent_leaves(tangents)
        moved: dict[int, Sequence[Any]] = {}

        def tangent(source: Any) -> Any:
            return variables[source] if isinstance(source, int) else moved[id(source[0])][source[1]]

        for step in self._tape:
            result = step.push(*[tangent(parent) for parent in step.parents])
            results = result if isinstance(result, tuple) else (result,)
            moved[id(step)] = [
                dx if dx is not ZERO and dtype.kind not in "fc" else _in_space(dx, shape, dtype)
                for dx, (shape, dtype) in zip(results, step.spaces, strict=True)
            ]
        pushed = [
            as_number(np.zeros_like(x) if source is None else settled(tangent(source)))
            for x, source in zip(self._leaves, self._sources, strict=True)
        ]
        return unflatten(self._structure, pushed)


def _in_space(dx: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    return np.zeros(shape, dtype) if dx is ZERO else embed(dx, shape, dtype)


def linearize(f: Callable[..., Any], *primals: Any) -> tuple[Any, Differential]:
    """The value of a function, and its differential there as a function of the tangents.

    The function runs once; each call of the differential repeats only the linear operations.

    Parameters
    ----------
    f : callable
        Any function of arrays or trees of arrays, with any such result.
    *primals
        Where.

    Returns
    -------
    out
        `f(*primals)`.
    differential : callable
        `differential(*tangents)` is what `jvp(f, primals, tangents)[1]` is.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import linearize
    >>> out, differential = linearize(lambda x: x**3, np.array([1.0, 2.0]))
    >>> differential(np.array([1.0, 0.5]))
    array([3., 6.])
    """
    call = Split(f, primals, {}, tuple(range(len(primals))))
    trace = _LinearizeTrace(next_level())
    variables = [Traced(x, trace, i) for i, x in enumerate(call.leaves)]
    try:
        outputs, structure = run_traced(call, variables)
    except ValueError as error:
        trace.held.explain(error)
        raise
    finally:
        trace.held.release()
    differential = Differential(call, trace, outputs, structure)
    return differential.out, differential
