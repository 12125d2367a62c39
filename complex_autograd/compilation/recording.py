"""Recording a program: runs a function on symbols; it must do the same whenever it is run.

Random draws and counters would otherwise silently become constants of the program.  If everything that the function
reads is watched and unchanged, it does the same; otherwise a second run is compared with the first.
"""

from __future__ import annotations

import random
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...backends.memory import WRITEABLE
from ...backends.native.chosen import Chooser, as_called
from ..array.tracing import DEPTH, LOCK
from ..engine.choices import CHOICES
from ..engine.errors import TraceError
from ..engine.opaque import RECORDING
from ..engine.reverse import own
from ..engine.traced import Traced, peel, raw
from ..transforms.arguments import flatten
from ..transforms.recording import TRACING
from .environment import Environment
from .nested import UnrollError
from .recorder import Recorder
from .second_run import OtherwiseError, Repeater, are_alike
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

    def __init__(self, f: Callable[..., Any], leaves: Sequence[Any], recorder: Recorder) -> None:
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
        copy.flags.writeable = bool(x.flags.num & WRITEABLE)
    return copy


def _is_number(x: Any) -> bool:
    return type(x) is Symbol or type(x) in _IMMUTABLE or issubclass(type(x), (np.generic, np.ndarray))


_IMMUTABLE = (bool, int, float, complex, str, bytes, type(None))


def recorded(
    f: Callable[[Sequence[Any]], Any], leaves: Sequence[Any], environment: Environment, kernel_of: Chooser = as_called
) -> Recording:
    """Run a function on symbols, and a second time where what it reads has changed, or cannot all be watched.

    Parameters
    ----------
    f : callable
        Of the list of the leaves of its arguments.
    leaves : sequence
        Arrays and numbers.
    environment : Environment
        What it reads besides its arguments, as that was before.
    kernel_of : callable
        As of `Recorder`.

    Raises
    ------
    TraceError
        If it does not do the same twice.
    """
    try:
        return _recorded(f, leaves, environment, kernel_of)
    except UnrollError:
        _DEPTH.is_unrolling = True
    try:
        return _recorded(f, leaves, environment, kernel_of)
    finally:
        _DEPTH.is_unrolling = False


def _recorded(
    f: Callable[[Sequence[Any]], Any], leaves: Sequence[Any], environment: Environment, kernel_of: Chooser
) -> Recording:
    may_draw = environment.may_draw  # perhaps the same twice by chance
    states = [_generators() if may_draw else ""]
    recorder, chosen = Recorder(kernel_of=kernel_of), _choices()
    first = Recording(f, leaves, recorder)
    if first.is_declined or not (may_draw or environment.is_open or environment.has_changed()):
        return first
    states.append(_generators() if may_draw else "")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if recorder.is_repeatable and chosen == _choices():  # else it depends on numbers what is computed again
            is_same = _is_repeated(f, Repeater(recorder))
        else:
            second = Recording(f, leaves, Recorder(kernel_of=kernel_of))
            is_same = are_alike(first.program, second.program)
    first.is_declined = may_draw and states[0] != states[1] != _generators()
    if not is_same:
        raise TraceError(
            "the function did not do the same in two runs with the same arguments, so a program of it would be wrong. "
            "Likely causes: it draws random numbers, counts, reads a clock or memory of numpy.empty, or changes what "
            "it closes over. Draw outside, and pass what was drawn as an argument."
        )
    return first


def _is_repeated(f: Callable[..., Any], repeater: Repeater) -> bool:
    """Whether a function does again what it did."""
    try:
        with TRACING, _recording(repeater):
            out = f(repeater.inputs())
        return repeater.ends_with([raw(x) for x in flatten(out)[0]])
    except OtherwiseError:
        return False


def _choices() -> tuple[int, ...]:
    """How many vectors were chosen that are arbitrary."""
    return CHOICES.made, CHOICES.phased, CHOICES.plain, CHOICES.hidden, CHOICES.used


def _generators() -> str:
    """The states of the global generators of random numbers, Python's and NumPy's."""
    keys: Any = np.random.get_state(legacy=False)  # noqa: NPY002
    return f"{random.getstate()} {keys['state']['key'].tobytes()!r} {keys['state']['pos']} {keys['gauss']}"


def refuse_eager() -> None:
    """Raise the error of a call that would run the function itself, by NumPy's kernels."""
    raise TraceError(
        "this call of a function compiled with kernels='own' would run the function itself, whose bits differ. Likely "
        "causes: an argument is being differentiated or mapped over, is a subclass of arrays, or is on a GPU; "
        "arguments share memory; it is called in another compiled function; numpy.errstate asks for errors; the "
        "determinism level is 'portable'; or the function cannot be compiled (docs/compile.md). Compile the outermost "
        "function, or leave kernels='numpy'."
    )
