"""The differential of a function along tangents, from forward mode or from the rows of its derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...backends.asking import asking_at_portable, plain
from ...determinism.flag import FIXED, is_fixed
from ...determinism.layouts import canonical
from ..engine.choices import CHOICES, is_single, shows_choice
from ..engine.errors import NotDifferentiableError
from ..engine.forward import ForwardTrace
from ..engine.trace import next_level
from ..engine.traced import Traced, raw, settled
from .arguments import Split, as_number, flatten, unflatten
from .dependence import Found, Phases, refuse_dependent
from .recording import TRACING, Recording, lowered, result_and_aux
from .special_values import without_special_values


def push_forward(
    f: Callable[..., Any], variables: Sequence[Any], tangents: Sequence[Any], has_aux: bool, items: int = 0
) -> tuple[Any, Any, Any]:
    """Run a function in forward mode: its output, the tangent of that, and what it returned besides.

    So many first axes of its arrays are those of mapped functions.
    """
    try:
        return _push_forward(f, variables, tangents, has_aux, items)
    except NotDifferentiableError as error:
        return without_special_values(
            error,
            f,
            lambda f: _push_forward(f, variables, tangents, has_aux, items),
            lambda found: flatten(found[0])[0],
        )


def _push_forward(
    f: Callable[..., Any], variables: Sequence[Any], tangents: Sequence[Any], has_aux: bool, items: int
) -> tuple[Any, Any, Any]:
    trace, made, unclear = ForwardTrace(next_level()), CHOICES.made, CHOICES.unclear
    phased, plain_ones = CHOICES.phased, CHOICES.plain
    decompositions, CHOICES.decompositions = CHOICES.decompositions, None
    if FIXED[0] and is_fixed():
        variables, tangents = [*map(canonical, variables)], asking_at_portable([*map(canonical, tangents)])
    try:
        with TRACING:
            out = f(*[trace.variable(v, dv) for v, dv in zip(variables, tangents, strict=True)])
    finally:
        trace.ended = True
        decompositions, CHOICES.decompositions = CHOICES.decompositions, decompositions
    out, aux = result_and_aux(out, trace) if has_aux else (out, None)
    outputs, structure = flatten(out)
    values = [lowered(x, trace) for x in outputs]
    pushed = [
        as_number(plain(settled(x._tangent)) if isinstance(x, Traced) and x._tracer is trace else np.zeros_like(v))
        for x, v in zip(outputs, values, strict=True)
    ]
    is_chosen = CHOICES.made != made and shows_choice(unclear, outputs)
    if is_chosen or (CHOICES.phased != phased and not CHOICES.others and is_single(values, items)):

        def run(point: Sequence[Any]) -> Found:
            out, dout, _ = _push_forward(f, point, tangents, has_aux, items)
            return Found(flatten(out)[0], lambda given: flatten(dout)[0])

        phases = Phases(f, has_aux, items, CHOICES.phased - phased, CHOICES.plain - plain_ones, decompositions)
        found = Found(values, lambda given: pushed)
        refuse_dependent(found, run, variables, tangents, None, None if is_chosen else phases, items)
    return unflatten(structure, values), unflatten(structure, pushed), aux


def derivative_along(f: Callable[..., Any], z: Any, dz: Any) -> Any:
    """The tangent of a function of one array, for rules: `jvp` without its second look at what is not finite."""
    return push_forward(f, (z,), (dz,), has_aux=False)[1]


def push_by_rows(call: Split, tangents: Sequence[Any], has_aux: bool) -> tuple[Any, Any, Any]:
    """What `push_forward` returns, by one sweep of reverse mode an element of the output.

    With `<a, b> = Re sum(conj(a) b)`, the part of `J(dz)` along a unit `e` is `<e, J(dz)> = <J*(e), dz>`.
    """
    recording = Recording(call, call.leaves, has_aux)
    leaves = recording.leaves
    zeros = [np.zeros_like(raw(w)) for w in leaves]
    pushed = []
    for k, w in enumerate(leaves):
        parts = []
        for unit in (1, 1j) if w.dtype.kind == "c" else (1,):
            rows = []
            for entry in np.ndindex(w.shape):
                e = np.zeros_like(zeros[k])
                e[entry] = unit
                pulled = recording.pull([*zeros[:k], e, *zeros[k + 1 :]])
                rows.append(sum(np.sum(np.real(np.conj(c) * dz)) for c, dz in zip(pulled, tangents, strict=True)))
            parts.append(unit * np.reshape(np.stack(rows), w.shape) if rows else zeros[k])
        dw = parts[0] if len(parts) == 1 else parts[0] + parts[1]
        pushed.append(as_number(dw.astype(w.dtype)))
    structure = recording.structure
    return unflatten(structure, leaves), unflatten(structure, pushed), recording.aux if has_aux else None
