"""`linearize`: runs a function once, keeps its differential, and applies it to any number of tangents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any

import numpy as np

from ..batching.items import active_axes, inside
from ..engine.choices import CHOICES, is_single, shows_choice
from ..engine.errors import NotDifferentiableError
from ..engine.kinks import KINKS, is_plain
from ..engine.reverse import Kept, own, unshared
from ..engine.structural_zeros import CARE, alive_in, asking_for_care, same_values
from ..engine.trace import ENDED_TAPE, Trace, next_level
from ..engine.traced import Traced, all_finite, peel, settled
from ..engine.zero import ZERO
from .arguments import Split, as_number, flatten, unflatten
from .beside import Reruns, values_at
from .dependence import Found, Phases, refuse_dependent
from .forward import push_by_rows
from .of_items import OfItems
from .recording import TRACING, lowered
from .special_values import without_special_values
from .steps import Moving, Step, push_step, push_step_carefully, tangent_or_zeros
from .transformed import check_function


class _LinearizeTrace(Trace):
    """Records differentials at the values met; a tangent is `(step, output)`, or a variable's number."""

    __slots__ = ("kept", "tape")

    def __init__(self, level: int) -> None:
        self.level = level
        self.tape: list[Step] = []
        self.kept = Kept()

    def _record(self, operation: Any, out: Any, parents: Sequence[Any], push: Callable[..., Any]) -> Any:
        several = isinstance(out, tuple)
        spaces = [(x.shape, x.dtype) for x in (out if several else (out,))]
        step = Step(parents, push, spaces, operation)
        self.tape.append(step)
        if not several:
            return Traced(out, self, (step, 0))
        outputs = [Traced(x, self, (step, k)) if x.dtype.kind in "fc" else x for k, x in enumerate(out)]
        return type(out)(*outputs) if hasattr(out, "_fields") else tuple(outputs)

    def _keep(self, a: Any, value: Any) -> Any:
        """What a step may read of an operand: its value where that was made here, else a copy."""
        return value if type(a) is Traced and a._tracer is self else self.kept.keep(value)

    def unary(self, rule: Any, z: Any) -> Any:
        value = z._value
        w = rule.function(value)
        if rule.conjugate_partial is None or value.dtype.kind != "c":
            p = (rule.partials[0] if rule.conjugate_partial is None else rule.real_partial)(w, value)
            return self._record(rule, w, [z._tangent], lambda dz: p * dz)
        p, q = rule.partials[0](w, value), rule.conjugate_partial(w, value)

        def differential(dz: Any) -> Any:
            conjugate = np.conjugate(dz)
            return p * dz + q * conjugate

        return self._record(rule, w, [z._tangent], differential)

    def binary(self, rule: Any, a: Any, b: Any) -> Any:
        active = [i for i, t in enumerate((a, b)) if type(t) is Traced and t._tracer is self]
        x, y = (t._value if type(t) is Traced and t._tracer is self else peel(t) for t in (a, b))
        w = rule.function(x, y)
        if rule.adjoints is None:
            x, y = self._keep(a, x), self._keep(b, y)
        products = [_product(rule, i, (w, x, y)) for i in active]

        def push(*tangents: Any) -> Any:
            terms = [product(t) for product, t in zip(products, tangents, strict=True)]
            return terms[0] if len(terms) == 1 else terms[0] + terms[1]

        product = self._record(rule, w, [(a, b)[i]._tangent for i in active], push)
        other = (x, y)[1 - active[0]]
        if rule.function is np.multiply and len(active) == 1 and not isinstance(other, Traced):
            self.tape[-1].factor = other
        return product

    def apply(self, primitive: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        active = [i for i, a in enumerate(args) if type(a) is Traced and a._tracer is self]
        values = [a._value if type(a) is Traced and a._tracer is self else peel(a) for a in args]
        out = primitive(*values, **params)
        values = [self._keep(a, v) for a, v in zip(args, values, strict=True)]
        params = self.kept.keep_all(params)

        def push(*moving: Any) -> Any:
            tangents: list[Any] = [ZERO] * len(values)
            for i, t in zip(active, moving, strict=True):
                tangents[i] = t
            return primitive.push(out, values, tangents, params)

        return self._record(primitive, out, [args[i]._tangent for i in active], push)


def _product(rule: Any, i: int, known: tuple[Any, Any, Any]) -> Callable[[Any], Any]:
    """The product with a partial, which is computed once where it is a factor."""
    if rule.are_products_own:
        return partial(rule.products[i], known)
    p = rule.partials[i](*known)
    return lambda tangent: p * tangent


class Differential:
    """The differential of a function at one point: real-linear in the tangents."""

    def __init__(self, call: Split, has_aux: bool = False, items: int = 0) -> None:
        try:
            self._record(call, has_aux, items)
        except NotDifferentiableError as error:
            without_special_values(
                error, call.f, lambda f: self._record(call.of(f), has_aux, items), lambda _: self._leaves
            )

    def _record(self, call: Split, has_aux: bool, items: int) -> None:
        trace = _LinearizeTrace(next_level())
        before, made, unclear, kinks = CARE.sweeps, CHOICES.made, CHOICES.unclear, (KINKS.met, KINKS.sides)
        phased, plain_ones = CHOICES.phased, CHOICES.plain
        decompositions, CHOICES.decompositions = CHOICES.decompositions, None
        f: Callable[..., Any] = (lambda *leaves: call(*leaves)[0]) if has_aux else call
        try:
            with TRACING:
                out = f(*[Traced(own(x), trace, i) for i, x in enumerate(call.leaves)])
        finally:
            self._tape, trace.tape = trace.tape, ENDED_TAPE
            decompositions, CHOICES.decompositions = CHOICES.decompositions, decompositions
        trace.kept.clear()
        outputs, self._structure = flatten(out)
        self._call, self._has_aux, self._items, self._is_nested = call, has_aux, items, CARE.sweeps != before
        is_checked = (KINKS.met, KINKS.sides) != kinks and not KINKS.asked and is_plain(call.leaves)
        self._has_choices = CHOICES.made != made and shows_choice(unclear, outputs)
        self._otherwise: Found | None = None
        self._leaves = [lowered(x, trace) for x in outputs]
        self._has_phases = CHOICES.phased != phased and is_single(self._leaves, items)
        if self._has_phases:
            counts = CHOICES.phased - phased, CHOICES.plain - plain_ones
            self._phases = Phases(f, False, items, *counts, decompositions)
        if is_checked or self._has_choices or self._has_phases:
            call.leaves = [own(x) for x in call.leaves]
        self._reruns = reruns_of(call, has_aux, kinks) if is_checked else None
        self._sources = [x._tangent if isinstance(x, Traced) and x._tracer is trace else None for x in outputs]

    @property
    def out(self) -> Any:
        """The value at the point, which the caller may write into."""
        return unflatten(self._structure, [own(x) for x in self._leaves])

    def __call__(self, *tangents: Any) -> Any:
        """The tangent of the output along tangents of the primals."""
        variables = self._call.tangent_leaves(tangents)
        return unflatten(self._structure, unshared(self._pushed(variables), variables))

    def _pushed(self, variables: Sequence[Any]) -> list[Any]:
        """The tangents of the leaves of the output, from those of the leaves of the primals."""
        error: list[Exception] = []
        try:
            pushed = self._push(variables, push_step)
        except (FloatingPointError, RuntimeWarning) as caught:
            pushed = []
            error.append(caught)
        if error or not all_finite(pushed):
            pushed = self._push_again(variables, error)
        if self._reruns is not None and not KINKS.asked:
            self._reruns.check_forward(self._leaves, variables, pushed)
        if (self._has_choices or self._has_phases) and not CHOICES.others:
            self._check_choices(pushed, variables)
        return pushed

    def _check_choices(self, pushed: Sequence[Any], tangents: Sequence[Any]) -> None:
        """Raise if the tangents that were found are others with other vectors of equal values, or other phases."""

        def run(point: Sequence[Any]) -> Found:
            there = copy(self._call)
            there.leaves = list(point)
            differential = Differential(there, self._has_aux, self._items)
            return Found(differential._leaves, differential._pushed)

        found, phases = Found(self._leaves, lambda given: pushed), None if self._has_choices else self._phases
        self._otherwise = refuse_dependent(
            found, run, self._call.leaves, tangents, self._otherwise, phases, self._items
        )

    def _push(self, variables: Sequence[Any], push: Callable[..., Any]) -> list[Any]:
        moved: dict[int, Sequence[Any]] = {}

        def tangent(source: Any) -> Any:
            return variables[source] if isinstance(source, int) else moved[id(source[0])][source[1]]

        for step in self._tape:
            moved[id(step)] = push(step, [tangent(parent) for parent in step.parents])
        return [
            as_number(np.zeros_like(x) if source is None else settled(tangent_or_zeros(tangent(source), x)))
            for x, source in zip(self._leaves, self._sources, strict=True)
        ]

    def _push_again(self, variables: Sequence[Any], error: list[Exception]) -> list[Any]:
        """The tangents with care, also in the derivatives that the function took; NumPy's error where that fails."""
        moving = [Moving(dv, alive_in(dv)) for dv in variables]
        with np.errstate(all="ignore"):
            pushed = self._push(moving, push_step_carefully)
            if self._is_nested and not CARE.asked and not all_finite(pushed):
                with asking_for_care():
                    again = Differential(self._call, self._has_aux)
                if same_values(again._leaves, self._leaves):
                    pushed = again._push(moving, push_step_carefully)
        if error and not all_finite(pushed):
            raise error.pop()
        return pushed


def linearize(f: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[..., Any]]:
    """The value of a function, and its differential there as a function of the tangents.

    The function runs once; each call of the differential repeats only the linear operations.

    Parameters
    ----------
    f : callable
        Any function of arrays or trees of arrays, with any such result.
    *primals
        Where to evaluate it.

    Returns
    -------
    out
        `f(*primals)`.
    differential : callable
        `differential(*tangents)` is what `jvp(f, primals, tangents)[1]` is, and raises what that raises.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import linearize
    >>> out, differential = linearize(lambda x: x**3, np.array([1.0, 2.0]))
    >>> differential(np.array([1.0, 0.5]))
    array([3., 6.])
    """
    check_function(f)
    call = Split(f, primals, {}, tuple(range(len(primals))))
    if active_axes():
        return _linearize_items(call)
    return _linearized(call)


def _linearized(call: Split, items: int = 0) -> tuple[Any, Callable[..., Any]]:
    """What `linearize` returns; so many first axes of the arrays are those of mapped functions."""
    if KINKS.asked:
        return call(*call.leaves), lambda *tangents: push_by_rows(call, call.tangent_leaves(tangents), False)[1]
    differential = Differential(call, items=items)
    return differential.out, differential


def _linearize_items(call: Split) -> tuple[Any, Callable[..., Any]]:
    """What `linearize` returns inside of a mapped function."""
    items = OfItems(call)
    arrays = items.arrays(call.leaves)
    with inside(()):
        of_all = Split(items.f, tuple(arrays), {}, tuple(range(len(arrays))))
        out, differential_of_all = _linearized(of_all, len(items.axes))

    def differential(*tangents: Any) -> Any:
        moving = items.arrays(call.tangent_leaves(tangents))
        with inside(()):
            pushed = differential_of_all(*moving)
        return items.tree(pushed)

    return items.tree(out), differential


def push_with_care(call: Split, tangents: Sequence[Any], out: Any, dout: Any, has_aux: bool) -> Any:
    """The tangent of `jvp` that is not finite again, with care; the same one if the function returns another value."""
    differential = Differential(call, has_aux)
    leaves, structure = flatten(out)
    if not same_values(differential._leaves, leaves):
        return dout
    return unflatten(structure, differential._push_again(tangents, []))


def reruns_of(call: Split, has_aux: bool, before: tuple[int, int]) -> Reruns:
    """What runs a function again that met kinks after so many."""

    def run() -> Found:
        again = Differential(call, has_aux)
        push = partial(again._push, push=push_step_carefully)
        return Found(again._leaves, lambda tangents: push([Moving(dv, alive_in(dv)) for dv in tangents]))

    return Reruns(before, run, partial(values_at, call, has_aux), call.leaves)
