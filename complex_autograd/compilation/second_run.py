"""The second run of a function that is compiled, compared with the first one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .functions import OF_SPACES
from .instructions import Guard, Instruction, Program, Value, mapped
from .nested import Nested
from .parts import example_of, is_plain
from .recorder import STATIC, Recorder
from .symbols import Symbol


class OtherwiseError(BaseException):
    """The second run of a function does something else; it passes through the user's code."""


class Repeater(Recorder):
    """What compares the second run of a function with the first one, call by call, and computes nothing.

    Parameters
    ----------
    first : Recorder
        Of the first run.
    """

    def __init__(self, first: Recorder) -> None:
        super().__init__(kernel_of=first.kernel_of)
        self._first, self._calls = first.program, iter(first.calls)
        self._symbols: dict[int, Symbol] = {}
        self.numbers, self.flags, self.program.constants = first.numbers, first.flags, first.program.constants

    def inputs(self) -> list[Symbol]:
        """The arguments of the function."""
        return [self._shown(x) for x in self._first.inputs]

    def ends_with(self, outputs: Sequence[Any]) -> bool:
        """Whether nothing else was done before, and these are returned."""
        found = [x._place if type(x) is Symbol else self.kept(x) for x in outputs]
        self._is_over = True
        return self.is_repeatable and next(self._calls, None) is None and _is_same(found, self._first.outputs)

    def _otherwise(self) -> OtherwiseError:
        """The error of what differs, which holds even where it is caught."""
        self.is_repeatable = False
        return OtherwiseError()

    def _record(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], is_constant: bool = False
    ) -> Any:
        function = self._chosen(function, args, kwargs)
        if function in OF_SPACES:
            return function(*mapped(tuple(args), example_of), **mapped(dict(kwargs), example_of))
        if not is_plain(function, args, kwargs):
            args, kwargs = self._opened(function, args, kwargs)
        step = next(self._calls, None)
        if not isinstance(step, Instruction) or not _is_same_function(function, step.function):
            raise self._otherwise()
        if not _is_same(mapped((tuple(args), kwargs), self._encoded), (step.args, step.kwargs)):
            raise self._otherwise()
        return mapped(step.outputs, self._shown)

    def _guarded(self, symbol: Symbol, kind: Callable[[Any], Any], where: str) -> Any:
        if self.is_constant(symbol):
            return kind(symbol._example)
        guard = next(self._calls, None)
        if not isinstance(guard, Guard) or (guard.value, guard.kind) != (symbol._place, kind):
            raise self._otherwise()
        return guard.expected

    def _shown(self, place: Any) -> Any:
        """The symbol of a place in the program."""
        if type(place) is Value and place.number not in self._symbols:
            n = place.number
            example = self.numbers[n] if n in self.numbers else self.program.constants.get(n)
            self._symbols[n] = Symbol(self._unknown(n) if example is None else example, self, place)
        return self._symbols[place.number] if type(place) is Value else place

    def _unknown(self, number: int) -> Any:
        """An array of the form of a value, with any numbers."""
        (shape, dtype), strides = self._first.spaces[number], self._first.strides[number]
        steps = [step * max(n - 1, 0) for n, step in zip(shape, strides, strict=True)]
        memory = np.empty(sum(map(abs, steps)) + dtype.itemsize, "b")
        return np.ndarray(shape, dtype, memory, -sum(step for step in steps if step < 0), strides)


def are_alike(a: Program, b: Program) -> bool:
    """Whether two runs did the same, with the same constants."""
    if len(a.steps) != len(b.steps) or a.spaces != b.spaces:
        return False
    return all(map(_is_same_step, a.steps, b.steps)) and _is_same(a.outputs, b.outputs)


def _is_same_step(x: Instruction | Guard, y: Instruction | Guard) -> bool:
    if isinstance(x, Guard) or isinstance(y, Guard):
        return isinstance(x, Guard) and isinstance(y, Guard) and (x.value, x.kind) == (y.value, y.kind)
    if not _is_same_function(x.function, y.function):
        return False
    return _is_same((x.args, x.kwargs, x.outputs, x.writes), (y.args, y.kwargs, y.outputs, y.writes))


def _is_same_function(x: Any, y: Any) -> bool:
    if x is y or x == y:
        return True
    if isinstance(x, Nested) and isinstance(y, Nested):
        return is_same_nested(x, y)
    code = getattr(x, "__code__", None)
    return code is not None and code is getattr(y, "__code__", None)


def is_same_nested(x: Nested, y: Nested) -> bool:
    """Whether two loops or choices do the same."""
    if type(x) is not type(y) or x.settings != y.settings or x.programs.keys() != y.programs.keys():
        return False
    return all(are_alike(program, y.programs[name]) for name, program in x.programs.items())


def _is_same(x: Any, y: Any) -> bool:
    """Whether two trees of arguments are the same, constants by their bits."""
    if x is y:
        return True
    if type(x) is not type(y):
        return False
    if type(x) is Value:
        return bool(x == y)
    if type(x) is dict:
        return x.keys() == y.keys() and all(_is_same(part, y[key]) for key, part in x.items())
    if issubclass(type(x), (tuple, list)):
        return len(x) == len(y) and all(map(_is_same, x, y))
    if type(x) is slice:
        return _is_same((x.start, x.stop, x.step), (y.start, y.stop, y.step))
    if issubclass(type(x), STATIC):
        a, b = np.asarray(x), np.asarray(y)
        return bool(a.dtype == b.dtype and a.shape == b.shape and (a.dtype.hasobject or a.tobytes() == b.tobytes()))
    return type(x) not in (str, bytes) or bool(x == y)
