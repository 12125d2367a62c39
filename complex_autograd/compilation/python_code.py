"""A program as a Python function: one line an instruction, with buffers for the results of elementwise functions.

A value whose memory nothing can show any more leaves its buffer to a later one with the same shape, dtype and strides:
the layout decides in which order NumPy sums, and so the bits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..engine.reverse import own
from .instructions import Attribute, Guard, Instruction, Method, Parts, Program, Tree, Value, values_in
from .memory import Roots, read_by, roots_of, written_roots
from .nested import GuardError
from .operators import EXACT, INFIX, UFUNC_OF

FAILED = object()
"""What a program returns where a guard does not hold."""

_REAL = {np.dtype(char) for char in "?fd"}


class PythonProgram:
    """A program that runs as generated Python.

    Parameters
    ----------
    program : Program
        Simplified.

    Attributes
    ----------
    source : str
        The function.
    """

    def __init__(self, program: Program) -> None:
        writer = _Writer(program)
        self.source = writer.source
        self._spaces = writer.buffers
        self._spare: list[list[Any]] = []
        exec(compile(self.source, "<wirtinger.compile>", "exec"), writer.names)
        self._run: Callable[..., Any] = writer.names["run"]

    def __call__(self, leaves: Sequence[Any]) -> Any:
        """The leaves of the result; `FAILED` where a guard does not hold.

        Threads that run at once have buffers of their own, which are kept for the next run.
        """
        try:
            buffers = self._spare.pop()
        except IndexError:
            buffers = [_array_of(*space) for space in self._spaces]
        try:
            result = self._run(leaves, buffers)
        except GuardError:
            result = FAILED
        self._spare.append(buffers)
        return result


def _array_of(shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """An array with the strides that NumPy gave a result, which are those of a permutation of its axes."""
    order = sorted(range(len(shape)), key=lambda i: -strides[i])
    dense: Any = np.empty([shape[i] for i in order], dtype)
    return dense.transpose(np.argsort(order))


class _Writer:
    """The source of a program, and what the names in it stand for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names: dict[str, Any] = {"FAILED": FAILED, "Parts": Parts, "is_as": is_as, "own": own}
        self.names |= {"separate": separate, "errstate": np.errstate}
        self.constants: dict[int, str] = {}
        self.buffers: list[tuple[tuple[int, ...], tuple[int, ...], np.dtype[Any]]] = []
        self.lines: list[str] = []
        roots = roots_of(program)
        self._write(roots, _last_uses(program, roots), written_roots(program, roots))
        self.source = "\n".join(self.lines) + "\n"

    def _write(self, roots: Roots, last: dict[int, int], written: frozenset[int]) -> None:
        program, free, held = self.program, dict[Any, list[int]](), dict[int, int]()
        given = "".join(f"v{x.number}, " for x in program.inputs)
        self.lines += ["def run(leaves, buffers):"]
        if given:
            self.lines.append(f"    {given}= leaves")
        self.lines += [f"    v{x.number} = own(v{x.number})" for x in program.inputs if x.number in written]
        errors: tuple[Any, ...] = ()
        for k, step in enumerate(program.steps):
            ending = [root for root in {root for n in read_by(step) for root in roots[n]} if last[root] == k]
            may_overwrite = isinstance(step, Instruction) and self._is_exact(step)
            if may_overwrite:
                self._free(ending, free, held)
            first = len(self.lines)
            if isinstance(step, Guard):
                self._write_guard(step)
            else:
                self._write_instruction(step, last, free, held)
                if step.errors and step.errors != errors:
                    self.names[name := f"e{first}"] = dict(zip(np.geterr(), step.errors, strict=True))
                    self.lines.insert(first, f"    with errstate(**{name}):")
                    first += 1
                errors = step.errors
            if errors:
                self.lines[first:] = [f"    {line}" for line in self.lines[first:]]
            if not may_overwrite:
                self._free(ending, free, held)
        self._write_outputs(roots)

    def _free(self, roots: Iterable[int], free: dict[Any, list[int]], held: dict[int, int]) -> None:
        for root in roots:
            if root in held:
                number = held.pop(root)
                free.setdefault(self.buffers[number], []).append(number)

    def _is_exact(self, step: Instruction) -> bool:
        """Whether it may write over an argument: some of NumPy's loops take another way there, with other bits."""
        made = step.outputs
        return type(made) is Value and self.program.spaces[made.number].dtype in _REAL and step.function in EXACT

    def _write_guard(self, guard: Guard) -> None:
        x, expected = f"v{guard.value.number}", guard.expected
        if guard.kind is bool:
            self.lines.append(f"    if {'not ' if expected else ''}{x}: return FAILED")
        else:
            self.names[name := f"g{len(self.names)}"] = guard
            self.lines.append(f"    if not {name}.holds({x}): return FAILED")

    def _write_instruction(
        self, step: Instruction, last: dict[int, int], free: dict[Any, list[int]], held: dict[int, int]
    ) -> None:
        made = values_in(step.outputs)
        space = self._buffer_space(step)
        if space is not None and last.get(step.outputs.number, -1) < len(self.program.steps):
            if free.get(space):
                number = free[space].pop()
            else:
                number = len(self.buffers)
                self.buffers.append(space)
            held[step.outputs.number] = number
            self.lines.append(f"    v{step.outputs.number} = {self._into_buffer(step, number)}")
            return
        call = self._call(step)
        if type(step.outputs) is Value:
            self.lines.append(f"    v{step.outputs.number} = {call}")
        elif not made:
            self.lines.append(f"    {call}")
        else:
            self.lines.append(f"    {_target(step.outputs)} = {call}")
        if step.is_checked:
            for x in made:
                shape, dtype = self.program.spaces[x.number]
                self.lines.append(f"    if not is_as(v{x.number}, {shape!r}, {self._constant(dtype)}): return FAILED")

    def _buffer_space(self, step: Instruction) -> Any:
        """Shape, strides and dtype of what an elementwise function returns, if a buffer can take it."""
        function: Any = UFUNC_OF.get(step.function, step.function)
        if (
            not issubclass(type(function), np.ufunc)
            or type(step.outputs) is not Value
            or step.kwargs
            or function.signature
        ):
            return None
        number = step.outputs.number
        shape, dtype = self.program.spaces[number]
        strides = self.program.strides.get(number)
        if strides is None or not shape or 0 in shape or dtype.hasobject or 0 in strides:
            return None
        return shape, strides, dtype

    def _into_buffer(self, step: Instruction, number: int) -> str:
        function = UFUNC_OF.get(step.function, step.function)
        out = "out=" if function in (np.maximum, np.minimum) else ""  # which warn of a third argument
        return f"{self._constant(function)}({', '.join(map(self._text, step.args))}, {out}buffers[{number}])"

    def _call(self, step: Instruction) -> str:
        function = step.function
        args = [self._text(x) for x in step.args]
        named = [f"{key}={self._text(x)}" for key, x in step.kwargs.items()]
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
        return f"{self._constant(function)}({', '.join([*args, *named])})"

    def _write_outputs(self, roots: Roots) -> None:
        """What is returned is the caller's own: copies of what shows an argument, a constant or another output."""
        inputs = {x.number for x in self.program.inputs}
        shown: set[int] = set()
        returned = []
        for x in self.program.outputs:
            text = self._text(x)
            if type(x) is Value:
                own = roots[x.number] == {x.number} and x.number not in inputs and not roots[x.number] & shown
                shown |= roots[x.number]
                returned.append(text if own else f"separate({text})")
            else:
                returned.append(f"separate({text})")
        self.lines.append(f"    return [{', '.join(returned)}]")

    def _text(self, tree: Tree) -> str:
        kind = type(tree)
        if kind is Value:
            return f"v{tree.number}"
        if kind is slice:
            return f"slice({self._text(tree.start)}, {self._text(tree.stop)}, {self._text(tree.step)})"
        if kind is Parts:
            return f"Parts({self._constant(tree.kind)}, {self._constant(tree.names)}, {self._text(tree.values)}).made()"
        if issubclass(kind, tuple) and hasattr(kind, "_fields") and values_in(tree):
            return f"{self._constant(kind)}({', '.join(map(self._text, tree))})"
        if kind is tuple and values_in(tree):
            return f"({''.join(f'{self._text(x)}, ' for x in tree)})"
        if kind is list and values_in(tree):
            return f"[{', '.join(map(self._text, tree))}]"
        if kind is dict and values_in(tree):
            return f"{{{', '.join(f'{key!r}: {self._text(x)}' for key, x in tree.items())}}}"
        if tree is None or kind in (bool, int) or (kind is float and np.isfinite(tree)):
            return f"({tree!r})"
        return self._constant(tree)

    def _constant(self, x: Any) -> str:
        if id(x) not in self.constants:
            name = self.constants[id(x)] = f"c{len(self.constants)}"
            self.names[name] = x
        return self.constants[id(x)]


def _target(outputs: Tree) -> str:
    if type(outputs) is Value:
        return f"v{outputs.number}"
    if type(outputs) is tuple or isinstance(outputs, (tuple, list)):
        return f"({''.join(f'{_target(x)}, ' for x in outputs)})"
    return "_"


def _last_uses(program: Program, roots: Roots) -> dict[int, int]:
    """Of every root the last step that may read its memory; of outputs, one behind the last step."""
    last: dict[int, int] = {}
    for k, step in enumerate(program.steps):
        for n in [
            *read_by(step),
            *(x.number for x in values_in(step.outputs if isinstance(step, Instruction) else ())),
        ]:
            last.update(dict.fromkeys(roots[n], k))
    for x in values_in(program.outputs):
        last.update(dict.fromkeys(roots[x.number], len(program.steps)))
    return last


def is_as(x: Any, shape: tuple[int, ...], dtype: Any) -> bool:
    """Whether a value has the shape and dtype that the rest of the program was recorded for."""
    return bool(np.shape(x) == shape and getattr(x, "dtype", type(x)) == dtype)


def separate(x: Any) -> Any:
    """A copy of an array, which shares no memory."""
    return x.copy(order="K") if issubclass(type(x), np.ndarray) else x
