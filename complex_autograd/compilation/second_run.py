"""The second run of a function that is being compiled, compared with the first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .functions import OF_MEMORY, OF_SPACES
from .instructions import Guard, Instruction, Program
from .nested import Nested
from .parts import example_of, is_plain
from .recorder import STATIC, Recorder
from .symbols import Symbol
from .values import Value, mapped


class OtherwiseError(BaseException):
    """The second run of a function does something else; it passes through the user's code."""


class Repeater(Recorder):
    """What compares the second run of a function with the first one, call by call, and computes nothing.

    Parameters
    ----------
    first : Recorder
        Of the first run.
    outer : Recorder or None
        As of `Recorder`.
    """

    def __init__(self, first: Recorder, outer: Recorder | None = None) -> None:
        super().__init__(outer, first.kernel_of)
        self._first, self._calls = first.program, iter(first.calls)
        self._parts = iter(first.parts)
        self._symbols: dict[int, Symbol] = {}
        self._unknown: dict[Any, Any] = {}
        self.numbers, self.flags, self.program.constants = first.numbers, first.flags, first.program.constants

    def inputs(self) -> list[Symbol]:
        """The arguments of the function."""
        return [self.shown(x) for x in self._first.inputs]

    def ends_with(self, outputs: Sequence[Any]) -> bool:
        """Whether nothing else was done before, and these are returned."""
        self._is_over = True
        return self.is_repeatable and next(self._calls, None) is None and _is_same(outputs, self._first.outputs)

    def next_part(self) -> Any:
        """The next step or branch that was recorded."""
        part = next(self._parts, None)
        if part is None:
            raise self.otherwise()
        return part

    def otherwise(self) -> OtherwiseError:
        """The error of what differs, which holds even where it is caught."""
        self.is_repeatable = False
        return OtherwiseError()

    def _record(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], is_constant: bool = False
    ) -> Any:
        function = self._chosen(function, args, kwargs)
        if function in _OF_FORMS:
            return function(*mapped(tuple(args), example_of), **mapped(dict(kwargs), example_of))
        if not is_plain(function, args, kwargs):
            args, kwargs = self._opened(function, args, kwargs)
        elif self.outer is not None:
            args = [*map(self.adopted, args)]
        step = next(self._calls, None)
        if not isinstance(step, Instruction) or not _is_same_function(function, step.function):
            raise self.otherwise()
        if not _are_same(args, step.args) or ((kwargs or step.kwargs) and not _is_same(kwargs, step.kwargs)):
            raise self.otherwise()
        made = step.outputs
        return self.shown(made) if type(made) is Value else mapped(made, self.shown)

    def _guarded(self, symbol: Symbol, kind: Callable[[Any], Any], where: str) -> Any:
        if self.is_constant(symbol):
            return kind(symbol._example)
        if kind is not np.array:
            kind(symbol._example)  # raises where it did
        guard = next(self._calls, None)
        if not isinstance(guard, Guard) or (guard.value, guard.kind) != (symbol._place, kind):
            raise self.otherwise()
        return guard.expected

    def shown(self, place: Any) -> Any:
        """The symbol of a place in the program."""
        if type(place) is not Value:
            return place
        known = self._symbols.get(place.number)
        if known is None:
            known = self._symbols[place.number] = Symbol(self._example(place.number), self, place)
        return known

    def _example(self, number: int) -> Any:
        """The number that a value was, or the constant that it is; or zeros of its form."""
        if number in self.numbers:
            return self.numbers[number]
        if number in self.program.constants:
            return self.program.constants[number]
        (shape, dtype), strides = self._first.spaces[number], self._first.strides[number]
        form = shape, dtype, strides
        if form not in self._unknown:
            steps = [step * max(n - 1, 0) for n, step in zip(shape, strides, strict=True)]
            memory = np.zeros(sum(map(abs, steps)) + dtype.itemsize, "b")
            self._unknown[form] = np.ndarray(shape, dtype, memory, -sum(step for step in steps if step < 0), strides)
        return self._unknown[form]


_OF_FORMS = OF_SPACES - OF_MEMORY


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
    if x is y:
        return True
    if type(x) is not type(y) or x.settings != y.settings or x.programs.keys() != y.programs.keys():
        return False
    pairs = [(program, y.programs[name]) for name, program in x.programs.items()]
    return all(a is b or are_alike(a, b) for a, b in pairs)


def _are_same(x: Sequence[Any], y: Sequence[Any]) -> bool:
    """Whether so many trees are the same as others; the most are the same objects."""
    return len(x) == len(y) and all(a is b or _is_same(a, b) for a, b in zip(x, y, strict=True))


def _is_same(x: Any, y: Any) -> bool:
    """Whether two trees of arguments are the same: symbols by their places, constants by their bits."""
    kind = type(x)
    if kind is Symbol:
        return isinstance(x._recorder, Repeater) and (x._place is y or bool(x._place == y))
    if x is y:
        return True
    if kind is not type(y):
        return False
    if kind is Value:
        return bool(x == y)
    if kind is int or (kind is float and x != 0 and x == x):
        return bool(x == y)
    if kind is dict:
        return x.keys() == y.keys() and _are_same([*x.values()], [y[key] for key in x])
    if issubclass(kind, (tuple, list)):
        return _are_same(x, y)
    if kind is slice:
        return _is_same((x.start, x.stop, x.step), (y.start, y.stop, y.step))
    if issubclass(kind, STATIC):
        a, b = np.asarray(x), np.asarray(y)
        return bool(a.dtype == b.dtype and a.shape == b.shape and (a.dtype.hasobject or a.tobytes() == b.tobytes()))
    return kind not in (str, bytes) or bool(x == y)
