"""Recording a program: a function is run on symbols, and must do the same a second time.

What it draws at random, or counts, would otherwise stand in the program as a constant in silence.
"""

from __future__ import annotations

import random
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...backends.native.chosen import Chooser, as_called
from ..array.tracing import DEPTH, LOCK
from ..engine.errors import TraceError
from ..engine.opaque import RECORDING
from ..engine.reverse import own
from ..engine.traced import Traced, peel, raw
from ..transforms.arguments import flatten
from ..transforms.recording import TRACING
from .instructions import Guard, Instruction, Program, Value
from .nested import Nested, UnrollError
from .recorder import STATIC, Recorder
from .symbols import Symbol


class _Depth(threading.local):
    value = 0
    recorder: Recorder | None = None
    is_unrolling = False


_DEPTH = _Depth()
"""Whether this thread is recording a function."""


def is_recording() -> bool:
    """Whether this thread is recording a function: one that is called in it is a part of it."""
    return _DEPTH.value > 0


def current_recorder() -> Recorder | None:
    """The recorder that loops are recorded by: of the function, the step or the branch that this thread is recording.

    None where it records nothing, or loops step after step.
    """
    recorder = None if _DEPTH.is_unrolling else _DEPTH.recorder
    while recorder is not None and recorder.inner is not None:
        recorder = recorder.inner
    return recorder


@contextmanager
def _recording(recorder: Recorder) -> Iterator[None]:
    with LOCK:
        RECORDING[0] += 1
    _DEPTH.value += 1
    outer = _DEPTH.recorder, DEPTH.recorded, DEPTH.keep
    _DEPTH.recorder, DEPTH.recorded, DEPTH.keep = recorder, DEPTH.value, recorder.made
    try:
        yield
    finally:
        _DEPTH.recorder, DEPTH.recorded, DEPTH.keep = outer
        _DEPTH.value -= 1
        with LOCK:
            RECORDING[0] -= 1


class Recording:
    """A function that was run once on symbols.

    Attributes
    ----------
    program : Program
        What it did.
    structure
        The structure of its result.
    examples : list
        The leaves of its result in this run.
    is_declined : bool
        Whether the function did what no program can hold: an operation raised, which it noticed and went on; its result
        depends on values that are being differentiated, which it closes over, or is no number.
    """

    def __init__(self, f: Callable[..., Any], leaves: Sequence[Any], kernel_of: Chooser) -> None:
        recorder = Recorder(kernel_of=kernel_of)
        symbols = [recorder.symbol(_example(x)) for x in leaves]
        recorder.program.inputs = [x._place for x in symbols]
        with TRACING, _recording(recorder):
            out = f(symbols)
        outputs, self.structure = flatten(out)
        plain = [raw(x) for x in outputs]
        self.examples = [x._example if type(x) is Symbol else x for x in plain]
        recorder.program.outputs = [x._place if type(x) is Symbol else recorder.kept(x) for x in plain]
        self.program = recorder.end()
        self.is_declined = recorder.has_failed or not all(map(_is_number, plain))
        self.is_declined |= any(type(peel(x)) is Traced for x in outputs)


def _example(x: Any) -> Any:
    """A copy of an argument, which is read-only where that is."""
    copy = own(x)
    if type(x) is np.ndarray:
        copy.flags.writeable = x.flags.writeable
    return copy


def _is_number(x: Any) -> bool:
    return type(x) is Symbol or type(x) in _IMMUTABLE or issubclass(type(x), (np.generic, np.ndarray))


_IMMUTABLE = (bool, int, float, complex, str, bytes, type(None))


def recorded(
    f: Callable[[Sequence[Any]], Any], leaves: Sequence[Any], may_draw: bool, kernel_of: Chooser = as_called
) -> Recording:
    """Run a function on symbols, twice.

    Parameters
    ----------
    f : callable
        Of the list of the leaves of its arguments.
    leaves : sequence
        Arrays and numbers.
    may_draw : bool
        Whether it may draw from a global generator of random numbers, perhaps the same twice by chance.
    kernel_of : callable
        As of `Recorder`.

    Raises
    ------
    TraceError
        If it does not do the same twice.
    """
    try:
        return _recorded_twice(f, leaves, may_draw, kernel_of)
    except UnrollError:
        _DEPTH.is_unrolling = True
    try:
        return _recorded_twice(f, leaves, may_draw, kernel_of)
    finally:
        _DEPTH.is_unrolling = False


def _recorded_twice(
    f: Callable[[Sequence[Any]], Any], leaves: Sequence[Any], may_draw: bool, kernel_of: Chooser
) -> Recording:
    states = [_generators() if may_draw else ""]
    first = Recording(f, leaves, kernel_of)
    if first.is_declined:
        return first
    states.append(_generators() if may_draw else "")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        second = Recording(f, leaves, kernel_of)
    first.is_declined = may_draw and states[0] != states[1] != _generators()
    if not are_alike(first.program, second.program):
        raise TraceError(
            "the function did not do the same in two runs with the same arguments, so a program of it would be wrong. "
            "Likely causes: it draws random numbers, counts, reads a clock or memory of numpy.empty, or changes what "
            "it closes over. Draw outside, and pass what was drawn as an argument."
        )
    return first


def _generators() -> str:
    """The states of the global generators of random numbers, Python's and NumPy's."""
    keys: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    return f"{random.getstate()} {keys['state']['key'].tobytes()!r} {keys['state']['pos']} {keys['gauss']}"


def are_alike(a: Program, b: Program) -> bool:
    """Whether two runs did the same, with the same constants."""
    if len(a.steps) != len(b.steps) or a.spaces != b.spaces:
        return False
    return all(map(_is_same_step, a.steps, b.steps)) and _is_same(a.outputs, b.outputs)


def _is_same_step(x: Instruction | Guard, y: Instruction | Guard) -> bool:
    if isinstance(x, Guard) or isinstance(y, Guard):
        return isinstance(x, Guard) and isinstance(y, Guard) and (x.value, x.kind) == (y.value, y.kind)
    if isinstance(x.function, Nested) and isinstance(y.function, Nested):
        if not is_same_nested(x.function, y.function):
            return False
    elif x.function is not y.function and x.function != y.function:
        codes = [getattr(step.function, "__code__", None) for step in (x, y)]
        if codes[0] is None or codes[0] is not codes[1]:
            return False
    return _is_same((x.args, x.kwargs, x.outputs, x.writes), (y.args, y.kwargs, y.outputs, y.writes))


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


def refuse_eager() -> None:
    """Raise the error of a call that would run the function itself, by NumPy's kernels."""
    raise TraceError(
        "this call of a function that was compiled with kernels='own' would run the function itself, with other bits. "
        "Likely causes: an argument is being differentiated or mapped over, has a subclass of arrays or lies on a GPU; "
        "arguments share memory; it is called in another compiled function; numpy.errstate asks for errors; the level "
        "of determinism is 'portable'; or the function does what no program can hold (docs/compile.md). Compile the "
        "outermost function, or leave kernels='numpy'."
    )
