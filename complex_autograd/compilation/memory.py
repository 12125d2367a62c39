"""Which values of a program may share memory: each has roots, the values whose memory it may show; and new memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from .functions import is_fresh
from .instructions import Guard, Instruction, Program, values_in

Roots = dict[int, frozenset[int]]


def roots_of(program: Program) -> Roots:
    """Of every value the values whose memory it may show, itself where it has memory of its own."""
    roots: Roots = {x.number: frozenset((x.number,)) for x in program.inputs}
    for step in program.steps:
        if isinstance(step, Guard):
            continue
        of_arguments = frozenset[int]()
        if not is_fresh(step.function):
            of_arguments = of_arguments.union(*[roots[n] for n in read_by(step)])
        for x in values_in(step.outputs):
            if x.number not in roots:
                roots[x.number] = of_arguments or frozenset((x.number,))
    return roots


def read_by(step: Instruction | Guard) -> list[int]:
    """The values that a step reads."""
    if isinstance(step, Guard):
        return [step.value.number]
    return [x.number for x in values_in((step.args, step.kwargs) if step.kwargs else step.args)]


def written_roots(program: Program, roots: Roots) -> frozenset[int]:
    """The values whose memory some instruction writes into."""
    return frozenset[int]().union(
        *[roots[n] for step in program.steps if isinstance(step, Instruction) for n in step.writes]
    )


def owner_of(a: Any) -> Any:
    """What owns the memory that an array shows."""
    while getattr(a, "base", None) is not None:
        a = a.base
    return a


def array_of(shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """An array with the strides that NumPy gave a result, which are those of a permutation of its axes."""
    order = sorted(range(len(shape)), key=lambda i: -strides[i])
    dense: Any = np.empty([shape[i] for i in order], dtype)
    return dense.transpose(np.argsort(order))


def empty(space: tuple[tuple[int, ...], tuple[int, ...], np.dtype[Any]], name: str) -> str:
    """What makes an array of a space of this name."""
    strides = space[1]
    return f"empty({name}[0], {name}[2])" if list(strides) == sorted(strides)[::-1] else f"array_of(*{name})"
