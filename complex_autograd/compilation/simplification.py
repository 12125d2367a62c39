"""What leaves the bits of a program as they are: constants folded, equal calls once, no idle copies, no dead code."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from .folding import Folding
from .functions import may_be_left_out
from .instructions import Guard, Instruction, Method, Program, Value, mapped, values_in
from .memory import Roots, read_by, roots_of, written_roots

_COPIES = {Method("copy"), np.copy}


def simplified(program: Program) -> Program:
    """The same program, shorter.

    Parameters
    ----------
    program : Program
        As it was recorded.
    """
    roots = roots_of(program)
    return _without_dead_code(_shortened(program, roots, written_roots(program, roots)), roots)


def _shortened(program: Program, roots: Roots, written: frozenset[int]) -> Program:
    """Leave out what is known, and replace a call by an earlier one with the same arguments, a copy by its original.

    That is done where nothing is written.  A second guard of the same value says nothing new.
    """
    folding = Folding(program, roots, written)
    replaced_by, known = folding.known, dict[Hashable, Any]()
    steps: list[Instruction | Guard] = []

    def replaced(x: Any) -> Any:
        return replaced_by.get(x.number, x) if type(x) is Value else x

    def is_written(step: Instruction) -> bool:
        return any(roots[n] & written for n in (*read_by(step), *(x.number for x in values_in(step.outputs))))

    for step in program.steps:
        if isinstance(step, Guard):
            value = replaced(step.value)
            key: Hashable = (value, step.kind, "guard") if type(value) is Value else None
            if key is not None and (key not in known or roots[value.number] & written):
                known[key] = None
                steps.append(Guard(value, step.kind, step.expected, step.where))
            continue
        if replaced_by and not replaced_by.keys().isdisjoint(read_by(step)):
            step = Instruction(
                step.function,
                mapped(step.args, replaced),
                mapped(step.kwargs, replaced),
                step.outputs,
                tuple(replaced(Value(n)).number for n in step.writes),
                step.is_checked,
                step.errors,
            )
        made = step.outputs
        if step.writes:
            steps.append(step)
            continue
        is_single = type(made) is Value
        inside = [made] if is_single else values_in(made)
        if replaced_by and inside and all(x.number in replaced_by for x in inside):
            continue
        found = folding.result(step, made) if is_single else None
        if found is None and written and is_written(step):
            steps.append(step)
            continue
        if found is None:
            found = _copied(program, step)
        if found is not None:
            replaced_by[made.number] = found
            continue
        key = _key(step)
        if key in known:
            replaced_by.update((x.number, y) for x, y in zip(inside, values_in(known[key]), strict=True))
            continue
        known[key] = made
        steps.append(step)
    outputs = [mapped(x, replaced) for x in program.outputs]
    return Program(program.inputs, steps, outputs, program.spaces, program.strides)


def _copied(program: Program, step: Instruction) -> Value | None:
    """What a copy is a copy of, if it has the same strides."""
    is_copy = step.function in _COPIES or (step.function is np.array and len(step.args) == 1 and not step.kwargs)
    if not is_copy or type(step.args[0]) is not Value:
        return None
    x, copy = step.args[0], step.outputs
    return x if program.strides.get(x.number) == program.strides.get(copy.number) else None


def _key(step: Instruction) -> Hashable:
    """Equal for calls that return the same."""
    return step.function, step.errors, tuple(map(_hashable, step.args)), _hashable(step.kwargs) if step.kwargs else None


def _hashable(tree: Any) -> Hashable:
    """Equal for equal values, and constants of the same type and bits."""
    kind = type(tree)
    if kind is Value:
        return tree  # type: ignore[no-any-return]
    if kind in (int, bool, str, type(None)):
        return kind, tree
    if kind is float:
        return kind, tree or str(tree), tree == tree  # -0.0 is not 0.0
    if kind is complex or issubclass(kind, np.inexact):
        return kind, np.asarray(tree).tobytes()  # -0.0 is not 0.0
    if kind is slice:
        return kind, _hashable((tree.start, tree.stop, tree.step))
    if kind is dict:
        return kind, tuple((key, _hashable(part)) for key, part in tree.items())
    if issubclass(kind, (tuple, list)):
        return kind, tuple(map(_hashable, tree))
    return "object", id(tree)


def _without_dead_code(program: Program, roots: Roots) -> Program:
    """Leave out what no output, no guard and no write that is seen later depends on, and what cannot raise."""
    live = {x.number for x in values_in(program.outputs)}
    seen = set[int]().union(*[roots[n] for n in live])
    steps: list[Instruction | Guard] = []
    for step in reversed(program.steps):
        if (
            isinstance(step, Instruction)
            and may_be_left_out(step.function, step.is_checked)
            and not (
                any(x.number in live for x in values_in(step.outputs))
                or not all(roots[n].isdisjoint(seen) for n in step.writes)
            )
        ):
            continue
        steps.append(step)
        for n in read_by(step):
            live.add(n)
            seen |= roots[n]
    return Program(program.inputs, steps[::-1], program.outputs, program.spaces, program.strides)
