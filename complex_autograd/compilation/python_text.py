"""Instructions as Python expressions, and what their names refer to; the text form of programs."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

import numpy as np

from .functions import INFIX
from .instructions import Attribute, Instruction, Method, Parts, Program
from .values import Tree, Value, values_in

_REDUCED_BY: Final[dict[Any, np.ufunc]] = {np.sum: np.add, np.prod: np.multiply, np.max: np.maximum, np.min: np.minimum}
_ATTRIBUTES: Final[dict[Any, Attribute]] = {np.real: Attribute("real"), np.imag: Attribute("imag")}


_VALUE: Final = re.compile(r"\b(v\d+)\b")


class Text:
    """Expressions, and the names of what stands in them.

    Attributes
    ----------
    names : dict
        What names stand for.
    lines : list of str
        What is written so far.
    """

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"Parts": Parts}
        self.lines: list[str] = []
        self._constants: dict[int, str] = {}

    def call(self, step: Instruction) -> str:
        function = step.function
        args = [self.text(x) for x in step.args]
        named = [f"{key}={self.text(x)}" for key, x in step.kwargs.items()]
        if function in INFIX:
            return f"{args[0]} {INFIX[function]} {args[1]}"
        if function is operator.getitem:
            return f"{args[0]}[{args[1]}]"
        if function is operator.setitem:
            self.lines.append(f"    {args[0]}[{args[1]}] = {args[2]}")
            return "None"
        if isinstance(function, Attribute):
            return f"{args[0]}.{function.name}"
        if isinstance(function, Method):
            return f"{args[0]}.{function.name}({', '.join([*args[1:], *named])})"
        return f"{self.constant(function)}({', '.join([*args, *named])})"

    def text(self, tree: Tree) -> str:
        kind = type(tree)
        if kind is Value:
            return f"v{tree.number}"
        if kind is slice:
            return f"slice({self.text(tree.start)}, {self.text(tree.stop)}, {self.text(tree.step)})"
        if kind is Parts:
            return f"Parts({self.constant(tree.kind)}, {self.constant(tree.names)}, {self.text(tree.values)}).made()"
        if issubclass(kind, tuple) and hasattr(kind, "_fields") and values_in(tree):
            return f"{self.constant(kind)}({', '.join(map(self.text, tree))})"
        if kind is tuple and values_in(tree):
            return f"({''.join(f'{self.text(x)}, ' for x in tree)})"
        if kind is list and values_in(tree):
            return f"[{', '.join(map(self.text, tree))}]"
        if kind is dict and values_in(tree):
            return f"{{{', '.join(f'{key!r}: {self.text(x)}' for key, x in tree.items())}}}"
        if tree is None or kind in (bool, int) or (kind is float and np.isfinite(tree)):
            return f"({tree!r})"
        return self.constant(tree)

    def constant(self, x: Any) -> str:
        if id(x) not in self._constants:
            name = self._constants[id(x)] = f"c{len(self._constants)}"
            self.names[name] = x
        return self._constants[id(x)]


def direct(step: Instruction, program: Program) -> Instruction:
    """What an instruction comes down to, without the steps in Python of NumPy's function."""
    x = step.args[0] if step.args else None
    if type(x) is not Value or isinstance(program.spaces[x.number].dtype, type):
        return step
    function, kwargs = step.function, step.kwargs
    if function in _ATTRIBUTES and len(step.args) == 1:
        return Instruction(_ATTRIBUTES[function], step.args, kwargs, step.outputs)
    if not program.spaces[x.number].shape or x.number not in program.strides:
        return step
    if function is np.reshape:
        return Instruction(Method("reshape"), step.args, kwargs, step.outputs)
    ufunc = np.add if function == Method("sum") else _REDUCED_BY.get(function)
    if ufunc is not None and len(step.args) == 1 and kwargs.keys() <= {"axis", "keepdims"}:
        return Instruction(ufunc.reduce, step.args, {"axis": None, **kwargs}, step.outputs)
    return step


def target(outputs: Tree) -> str:
    """What a call is assigned to."""
    if type(outputs) is Value:
        return f"v{outputs.number}"
    if type(outputs) is tuple or isinstance(outputs, (tuple, list)):
        return f"({''.join(f'{target(x)}, ' for x in outputs)})"
    return "_"


def with_few_names(lines: Sequence[str]) -> list[str]:
    """The same statements, in which a value leaves its name to a later one: nothing else holds what is not needed."""
    parts = [_VALUE.split(line) for line in lines]  # every other one is a name
    last = {name: k for k, line in enumerate(parts) for name in line[1::2]}
    now, free, numbers = dict[str, str](), list[str](), count()
    for k, line in enumerate(parts):
        named = line[1::2]
        for name in named:
            if name not in now:
                now[name] = free.pop() if free else f"v{next(numbers)}"
        line[1::2] = [now[name] for name in named]
        free += dict.fromkeys(now[name] for name in named if last[name] == k)
    return ["".join(line) for line in parts]


class Lowered:
    """A function as a program, for arguments of given shapes and dtypes.

    Attributes
    ----------
    program : Program
        Its instructions.
    source : str
        The Python function that runs them; where there is a machine, it calls that.
    executor : str
        What runs how many of them.
    """

    def __init__(self, program: Program, source: str, executor: str) -> None:
        self.program = program
        self.source = source
        self.executor = executor

    def as_text(self) -> str:
        """The program, one instruction a line."""
        return str(self.program)
