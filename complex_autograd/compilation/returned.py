"""What a program returns: arrays that are the caller's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .instructions import Guard, Instruction, Program
from .memory import Roots, of_constants
from .values import LEAVES, Tree, Value, mapped

_LINEAR_ALGEBRA = f"{__name__.partition('.')[0]}.linalg."


def texts_of_returned(program: Program, roots: Roots, text: Callable[[Tree], str]) -> list[str]:
    """Expressions for the results: copies of what may show an argument, a constant or another result."""
    makers = {n: step for step in program.steps if not isinstance(step, Guard) for n in step.made}
    lent = of_constants(program) | {x.number for x in program.inputs}
    shown, earlier, found = set[int](), list[int](), list[str]()
    for x in program.outputs:
        if type(x) is not Value:
            found.append(f"separate({text(x)})")
            continue
        n = x.number
        if roots[n] == {n} and n not in lent and not roots[n] & shown:
            found.append(text(x))
        elif n in makers and _is_of_linear_algebra(makers[n], program.strides):
            others = (*makers[n].reads, *earlier)
            found.append(f"unless_new(v{n}, {', '.join(f'v{k}' for k in dict.fromkeys(others))})")
        else:
            found.append(f"separate({text(x)})")
        shown |= roots[n]
        earlier.append(n)
    return found


def _is_of_linear_algebra(step: Instruction, strides: Mapping[int, Any]) -> bool:
    """Whether it is such a function of arrays of the program: those that own their memory are arguments, or new."""
    if not str(getattr(step.function, "__module__", None)).startswith(_LINEAR_ALGEBRA):
        return False
    leaves = list[Any]()
    mapped((step.args, step.kwargs), leaves.append)
    is_simple = all(type(x) in LEAVES and type(x) is not np.ndarray for x in leaves)
    return bool(step.reads) and is_simple and all(n in strides for n in step.reads)


def unless_new(x: Any, *others: Any) -> Any:
    """An array that owns its memory and is none of some others, or a copy."""
    is_new = type(x) is np.ndarray and x.base is None and not any(x is y for y in others)
    return x if is_new else separate(x)


def separate(x: Any) -> Any:
    """A copy of an array, which shares no memory."""
    return x.copy(order="K") if issubclass(type(x), np.ndarray) else x
