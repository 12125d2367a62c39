"""Programs: the operations that a function applied to arrays, one instruction each, with every value assigned once.

The arguments of an instruction are trees.  A `Value` in them represents a number or an array that the program computes
or receives; everything else is constant.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from .nested import Nested
from .values import Tree, Value, numbers_in, values_in


class _Named:
    """A function of an array that has a name; there is one of each."""

    __slots__ = ("name",)
    _known: ClassVar[dict[tuple[type, str], Any]] = {}
    name: str

    def __new__(cls, name: str) -> Self:
        found = cls._known.get((cls, name))
        if found is None:
            found = cls._known.setdefault((cls, name), super().__new__(cls))
            found.name = name
        return found  # type: ignore[no-any-return]

    def __reduce__(self) -> Any:
        return type(self), (self.name,)


class Method(_Named):
    """A call of a method of an array, as a function."""

    __slots__ = ()

    def __call__(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(x, self.name)(*args, **kwargs)


class Attribute(_Named):
    """An attribute of an array that is an array, as a function."""

    __slots__ = ()

    def __call__(self, x: Any) -> Any:
        return getattr(x, self.name)


class Parts(NamedTuple):
    """An object of a rule's that holds arrays: factors, a spectrum; every run makes one of the values that it has then.

    Attributes
    ----------
    kind : type
        Its class.
    names : tuple of str
        Of its attributes.
    values : tuple
        These.
    """

    kind: type
    names: tuple[str, ...]
    values: tuple[Any, ...]

    def made(self) -> Any:
        """The object."""
        x: Any = object.__new__(self.kind)
        for name, value in zip(self.names, self.values, strict=True):
            object.__setattr__(x, name, value)
        return x


@dataclass(slots=True)
class Instruction:
    """A call of a function.

    Attributes
    ----------
    function : callable
        What is called.
    args, kwargs
        Trees of values and constants.
    outputs : tree
        What the function returns: values, and None where something else stands.
    writes : tuple of int
        The values whose memory it writes into.
    is_checked : bool
        Whether shapes and dtypes of the outputs may depend on numbers, so that every run has to compare them.
    errors : tuple of str
        What is to be done about floating-point errors, by `numpy.errstate`, where the function has changed that.
    reads, made : sequence of int
        The values in the arguments, and in what is returned.
    """

    function: Callable[..., Any]
    args: tuple[Tree, ...]
    kwargs: dict[str, Tree]
    outputs: Tree
    writes: tuple[int, ...] = ()
    is_checked: bool = False
    errors: tuple[Any, ...] = ()
    reads: Sequence[int] = field(init=False)
    made: Sequence[int] = field(init=False)

    def __post_init__(self) -> None:
        self.reads = numbers_in((*self.args, *self.kwargs.values()) if self.kwargs else self.args)
        self.made = numbers_in(self.outputs)


@dataclass(slots=True)
class Guard:
    """What a program relies on: a value that decided how the function went on must be what it was.

    Attributes
    ----------
    value : Value
        What was looked at.
    kind : callable
        What it was made of it: `bool`, `int`, `float`, `complex`, or `numpy.array` for all its numbers.
    expected
        What came out.
    where : str
        The line that looked.
    reads, made, writes, outputs
        As of instructions.
    """

    value: Value
    kind: Callable[[Any], Any]
    expected: Any
    where: str
    made: ClassVar[tuple[int, ...]] = ()
    writes: ClassVar[tuple[int, ...]] = ()
    outputs: ClassVar[None] = None

    @property
    def reads(self) -> Sequence[int]:
        return self.value

    def holds(self, x: Any) -> bool:
        """Whether it is what it was."""
        found = self.kind(x)
        if self.kind is np.array:
            expected: Any = self.expected
            return bool(found.shape == expected.shape and found.tobytes() == expected.tobytes())
        return bool(found == self.expected or (found != found and self.expected != self.expected))


class Space(NamedTuple):
    """Shape and dtype of a value; of a number of Python's its type in place of the dtype."""

    shape: tuple[int, ...]
    dtype: Any

    def __str__(self) -> str:
        name = self.dtype.__name__ if isinstance(self.dtype, type) else self.dtype.name
        return f"{name}{list(self.shape)}" if self.shape else str(name)


@dataclass(slots=True)
class Program:
    """What a function did, of arguments of given shapes and dtypes.

    Attributes
    ----------
    inputs : list of Value
        One a leaf of the arguments.
    steps : list of Instruction or Guard
        In order.
    outputs : list
        One a leaf of the result: a value, or a constant.
    spaces : dict
        Shape and dtype of every value, by its number.
    strides : dict
        The strides of every array that was computed when the program was recorded, by its number.
    constants : dict
        What follows from nothing that the program is given, by its number.
    """

    inputs: list[Value]
    steps: list[Instruction | Guard] = field(default_factory=list)
    outputs: list[Tree] = field(default_factory=list)
    spaces: dict[int, Space] = field(default_factory=dict)
    strides: dict[int, tuple[int, ...]] = field(default_factory=dict)
    constants: dict[int, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        given = ", ".join(f"v{x.number}: {self.spaces[x.number]}" for x in self.inputs)
        lines = [f"program({given})", *(f"  {self._shown(step)}" for step in self.steps)]
        return "\n".join([*lines, f"  return {', '.join(_shown(x) for x in self.outputs)}"])

    def _shown(self, step: Instruction | Guard) -> str:
        if isinstance(step, Guard):
            expected = "the same numbers" if step.kind is np.array else repr(step.expected)
            return f"guard {step.kind.__name__}({_shown(step.value)}) is {expected}  # {step.where}"
        made = ", ".join(f"v{x.number}: {self.spaces[x.number]}" for x in values_in(step.outputs))
        call = _shown_call(step)
        written = f"  # writes into {', '.join(f'v{n}' for n in step.writes)}" if step.writes else ""
        lines = step.function.lines() if isinstance(step.function, Nested) else []
        return "\n".join([f"{made} = {call}{written}" if made else f"{call}{written}", *lines])


def name_of(function: Any) -> str:
    """What a program calls a function."""
    if isinstance(function, (Method, Attribute)):
        return f".{function.name}"
    if isinstance(function, Nested):
        return function.title
    return str(getattr(function, "__name__", None) or type(function).__name__)


def _shown_call(step: Instruction) -> str:
    if step.function is operator.getitem:
        return f"{_shown(step.args[0])}[{_shown_index(step.args[1])}]"
    if step.function is operator.setitem:
        return f"{_shown(step.args[0])}[{_shown_index(step.args[1])}] = {_shown(step.args[2])}"
    args: Sequence[Any] = step.args
    if isinstance(step.function, Attribute):
        return f"{_shown(args[0])}.{step.function.name}"
    named = [f"{key}={_shown(value)}" for key, value in step.kwargs.items()]
    if isinstance(step.function, Method):
        return f"{_shown(args[0])}.{step.function.name}({', '.join([*map(_shown, args[1:]), *named])})"
    return f"{name_of(step.function)}({', '.join([*map(_shown, args), *named])})"


def _shown_index(index: Tree) -> str:
    if type(index) is tuple:
        return ", ".join(map(_shown_index, index)) or "()"
    if type(index) is slice:
        start, stop, step = ("" if x is None else _shown(x) for x in (index.start, index.stop, index.step))
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    return "..." if index is Ellipsis else _shown(index)


def _shown(x: Tree) -> str:
    kind = type(x)
    if kind is Value:
        return f"v{x.number}"
    if issubclass(kind, np.ndarray):
        return repr(x.item()) if not x.ndim else f"<{Space(x.shape, x.dtype)}>"
    if issubclass(kind, np.generic):
        return repr(x.item())
    if kind in (tuple, list):
        inner = ", ".join(map(_shown, x))
        return f"[{inner}]" if kind is list else f"({inner})"
    if kind is Parts:
        return f"{x.kind.__name__}({', '.join(f'v{value.number}' for value in values_in(x))})"
    if callable(x) and hasattr(x, "__name__"):
        return str(x.__name__)
    return repr(x)
