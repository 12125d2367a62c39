"""The recorder of a program: receives the operations applied to symbols, and the requests for their values."""

from __future__ import annotations

import operator
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...backends.native.chosen import Chooser, as_called
from ...backends.numpy_versions import errors_in_force
from ..array.call_sites import is_own
from ..engine.errors import TraceError
from ..engine.reverse import own
from .environment import has_same_bits
from .frames import asked_of_memory, asked_of_number, caller, used_too_late, who_looks, written_into_plain
from .functions import (
    MAY_RETURN_ARGUMENTS,
    OF_MEMORY,
    OF_SPACES,
    OF_STATIC_SHAPE,
    READING,
    depends_on_numbers,
    is_elementary,
    is_fresh,
    written_by,
)
from .instructions import Guard, Instruction, Method, Program, Space, name_of
from .memory import owner_of, with_usual_dtype
from .nested import GuardError, Nested
from .parts import Given, count_of_data, example_of, is_plain, is_setting, opened, place_of
from .symbols import Symbol, are_among
from .values import Value, mapped

STATIC = (np.ndarray, np.generic, bool, int, float, complex)


class SymbolError(TraceError):
    """A function that is being compiled asked for a number that is known only when it runs."""

    __module__ = "wirtinger"


class Recorder:
    """What a function does to symbols, in order.

    Attributes
    ----------
    outer, inner : Recorder or None
        That of the function around, for a loop's step or a branch; and, while one is recorded, that of it.
    kernel_of : callable
        What is recorded in the place of a function.
    calls : list of Instruction or Guard
        All that came, with what the program need not do, and answers about memory.
    numbers, flags : dict
        The values that are no arrays, and the flags that were asked for, by their place.
    is_repeatable : bool
        Whether a second run can be compared with this one without computing: nothing was written into.
    parts : list
        Steps of loops, and branches, that were recorded.
    """

    def __init__(self, outer: Recorder | None = None, kernel_of: Chooser = as_called) -> None:
        self.kernel_of: Chooser = outer.kernel_of if outer else kernel_of
        self.inner: Recorder | None = None
        self.outer, self.program = outer, Program([])
        self.calls: list[Instruction | Guard] = []
        self.numbers, self.flags = dict[int, Any](), dict[int, Any]()
        self.has_failed = self._is_over = False
        self.is_repeatable = True
        self.parts: list[Any] = []
        self._filters, self._errors = warnings.filters, errors_in_force()
        self._kept, self._written = dict[int, tuple[Any, Any]](), dict[int, Any]()

    def made(self, array: Any) -> Symbol:
        """A new array of the function's own, which it may write into; its numbers are known until it does."""
        return self._record(np.copy, (with_usual_dtype(array),), {}, is_constant=True)  # type: ignore[no-any-return]

    def is_constant(self, symbol: Symbol) -> bool:
        """Whether a value follows from nothing that the program is given."""
        return symbol._place.number in self.program.constants and not self.has_written(symbol)

    def has_written(self, symbol: Symbol) -> bool:
        """Whether something was written into the memory of a value."""
        return id(owner_of(symbol._example)) in self._written

    def symbol(self, example: Any) -> Symbol:
        """A new value of the program."""
        spaces, kind = self.program.spaces, type(example)
        number = len(spaces)
        if kind is np.ndarray:
            spaces[number] = Space(example.shape, example.dtype)
            self.program.strides[number] = example.strides
        else:
            spaces[number] = Space(getattr(example, "shape", ()), getattr(example, "dtype", kind))
            self.numbers[number] = example
        return Symbol(example, self, Value(number))

    def record(self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Do an operation to the examples, and record it."""
        if self.inner is not None:
            return self.inner.record(function, args, kwargs)
        return self._record(function, args, kwargs)

    def _record(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], is_constant: bool = False
    ) -> Any:
        function, errors = self._chosen(function, args, kwargs), errors_in_force()
        if warnings.filters is not self._filters or not LOUD.isdisjoint(errors):
            self.has_failed = True  # a warning or a floating-point error may decide how the function goes on
        if function in OF_SPACES:
            found = function(*mapped(tuple(args), example_of), **mapped(dict(kwargs), example_of))
            if function in OF_MEMORY:
                self.is_repeatable &= all(type(x) is Symbol for x in args)
                self.calls.append(Instruction(function, tuple(map(place_of, args)), kwargs, found))
            return found
        errors = () if errors == self._errors else errors
        if is_plain(function, args, kwargs):
            return self._record_elementary(function, args, errors)
        args, kwargs = self._opened(function, args, kwargs)
        given = Given(function, args, kwargs, self._encoded)
        known, constants = given.symbols, given.constants
        written = [x for x in written_by(function, given.args, given.kwargs) if type(x) is np.ndarray]
        if written and any(id(x) not in known for x in written):
            if is_own(caller(sys._getframe(1))):
                raise TypeError(f"{name_of(function)} in a rule wrote a symbol into a plain array")
            raise self._refused(written_into_plain(function, sys._getframe(1)))
        is_known = is_fresh(function) or function in OF_STATIC_SHAPE or function in READING
        before = [] if is_known else [(x, x.copy()) for x in [y._example for y in known.values()] + constants
                                      if type(x) is np.ndarray]  # fmt: skip
        try:
            made = function(*given.args, **given.kwargs)
        except Exception as error:
            self.has_failed |= not isinstance(error, GuardError)
            self.is_repeatable = False
            raise
        if not is_constant and self.program.constants:
            is_constant = bool(known) and all(map(self.is_constant, known.values()))
        writes: tuple[int, ...] = ()
        if written or before:
            others = [pair for pair in before if not any(pair[0] is y for y in written)]
            changed = written + [x for x, copy in others if x.tobytes() != copy.tobytes()]
            self.has_failed |= any(id(x) not in known for x in changed)
            writes = tuple(known[id(x)]._place.number for x in changed if id(x) in known)
            self._written |= {} if is_constant else {id(owner): owner for owner in map(owner_of, changed)}
        is_itself = function is np.real and made is given.args[0]
        out = args[0] if is_itself else self._outputs(made, known, is_constant)
        places, is_checked = mapped(out, place_of), depends_on_numbers(function, args)
        step = Instruction(function, given.places, given.named, places, writes, is_checked, errors)
        self.calls.append(step)
        self.is_repeatable &= not writes
        if writes or function not in MAY_RETURN_ARGUMENTS or not are_among(out, known.values()):
            self.program.steps.append(step)
        if constants and not is_fresh(function) and not writes:
            out = mapped(out, lambda x: self._apart(x, constants))
        return out

    def _chosen(self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Callable[..., Any]:
        if self._is_over:
            raise used_too_late()
        if function is np.empty_like:  # what stands in unset memory is no part of a program
            function = np.zeros_like
        return self.kernel_of(function, args, kwargs)  # type: ignore[no-any-return]

    def _opened(self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Arguments without objects that hold symbols, and with the numbers that decide about shapes."""
        args, is_set = opened(tuple(args)), is_setting(kwargs)
        if not is_set:
            kwargs = opened(kwargs)
        if self.outer is not None:
            args, kwargs = mapped(args, self.adopted), kwargs if is_set else mapped(kwargs, self.adopted)
        if function is operator.getitem or function is operator.setitem:
            if not is_setting(args[1]):
                args = (args[0], mapped(args[1], self._without_constants), *args[2:])
        elif not is_elementary(function) and not isinstance(function, Nested):
            of_data = count_of_data(function)
            args = (*args[:of_data], *mapped(args[of_data:], self._without_integers))
            kwargs = kwargs if is_set else mapped(kwargs, self._without_integers)
        return args, kwargs

    def _record_elementary(self, function: Callable[..., Any], args: Sequence[Any], errors: tuple[Any, ...]) -> Any:
        """The same for a ufunc or an operator of Python's, which reads arrays and numbers and writes nothing."""
        args = args if self.outer is None else [*map(self.adopted, args)]
        places = tuple(map(self._encoded, args))
        try:
            made = function(*[x._example if type(x) is Symbol else x for x in args])
        except Exception:
            self.has_failed = True
            raise
        symbols = [x for x in args if type(x) is Symbol] if self.program.constants else []
        out = self._outputs(made, {}, bool(symbols) and all(map(self.is_constant, symbols)))
        step = Instruction(function, places, {}, mapped(out, place_of), errors=errors)
        self.calls.append(step)
        self.program.steps.append(step)
        return out

    def _apart(self, x: Any, constants: Sequence[Any]) -> Any:
        """A symbol that may show the memory of a constant, as one that has its own."""
        if type(example_of(x)) is not np.ndarray or not any(np.may_share_memory(x._example, y) for y in constants):
            return x
        self.is_repeatable = False
        return self.record(Method("copy"), (x,), {"order": "K"})

    def _without_constants(self, x: Any) -> Any:
        """What an index holds, as numbers where these are known."""
        return own(x._example) if type(x) is Symbol and self.is_constant(x) else x

    def _without_integers(self, x: Any) -> Any:
        """A symbol of one integer as that number, with a guard: a function may take it for an axis or a length."""
        if type(x) is Symbol and type(x._example) is not np.ndarray and not x.shape and x.dtype.kind in "iu":
            self._guarded(x, int, "an integer among arguments")
            return x._example
        return x

    def adopted(self, x: Any) -> Any:
        """What stands in this program for a symbol of the one around it."""
        return x

    def kept(self, x: Any) -> Any:
        """A constant as it is now: its owner may write into it."""
        if type(x) is not np.ndarray:
            return x
        known = self._kept.get(id(x))
        if known is None or known[0] is not x or not has_same_bits(x, known[1]):
            known = self._kept[id(x)] = x, own(with_usual_dtype(x))
        return known[1]

    def refused_attribute(self, name: str) -> SymbolError:
        """The error of an attribute that leads to numbers or to memory."""
        return self._refused(asked_of_memory(name, sys._getframe(2)))

    def _refused(self, message: str) -> SymbolError:
        self.has_failed = True
        return SymbolError(message)

    def _outputs(self, x: Any, known: dict[int, Symbol], is_constant: bool) -> Any:
        if known and id(x) in known and type(x) is np.ndarray:
            return known[id(x)]
        if issubclass(type(x), STATIC):
            symbol = self.symbol(x)
            if is_constant:
                self.program.constants[symbol._place.number] = x
            return symbol
        if type(x) in (tuple, list, dict) or hasattr(type(x), "_fields"):
            return mapped(x, lambda part: self._outputs(part, known, is_constant))
        if x is not None and x is not NotImplemented:
            self.has_failed = True  # bytes, text: what no program computes
        return x

    def _encoded(self, x: Any) -> Any:
        if type(x) is Symbol:
            if x._recorder is not self:
                raise TraceError(
                    "values of two functions that are being compiled were combined. Likely cause: one function keeps a "
                    "value in a global variable, a closure or an attribute that the other reads. Pass it as an "
                    "argument."
                )
            return x._place
        return self.kept(x)

    def looked_at(self, symbol: Symbol, kind: Callable[[Any], Any]) -> Any:
        """A concrete number of a symbol: for code of this package, with a guard; the user's raises."""
        if self.is_constant(symbol):
            return kind(symbol._example)
        frame = who_looks(sys._getframe(2))
        if not is_own(frame):
            raise self._refused(asked_of_number(kind, frame))
        return self._guarded(symbol, kind, f"{frame.f_globals.get('__name__')}:{frame.f_lineno}")

    def _guarded(self, symbol: Symbol, kind: Callable[[Any], Any], where: str) -> Any:
        found = kind(symbol._example)
        if self.is_constant(symbol):
            return found
        self.calls.append(Guard(symbol._place, kind, found, where))
        self.program.steps.append(self.calls[-1])
        return found

    def end(self) -> Program:
        """The program; no more is recorded."""
        self._is_over, known = True, self.program.constants.items()
        self.program.constants = {n: x for n, x in known if id(owner_of(x)) not in self._written}
        return self.program


LOUD = {"raise", "call", "log"}
"""What may be done about floating-point errors besides warnings."""
