"""`checkpoint`: recompute instead of storing.

Reverse mode runs the function once for its value, and again on the way back for its derivative.  Both runs are recorded
in the same way, so they return the same bits unless the function depends on something besides its arguments; in that
case the second run raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from itertools import zip_longest
from typing import Any

import numpy as np

from ..engine.errors import TraceError
from ..engine.kinks import KINKS
from ..engine.opaque import RECORDING, is_symbolic
from ..engine.reverse import ReverseTrace, Signed, own
from ..engine.structural_zeros import asking_for_care
from ..engine.traced import Traced, raw, top_trace
from .arguments import as_array, flatten, unflatten
from .recording import Recording
from .transformed import TransformedFunction, check_function


class _ClosesOverTracedError(Exception):
    """A checkpointed function uses traced values that are not among its arguments."""


class _Recomputed:
    """A whole function as one operation of reverse mode, which remembers its arguments only.

    Arguments that it writes into are outputs as well.
    """

    name = "checkpoint"
    linearity = ""
    chooses = is_elementwise = False

    def __init__(self, f: Callable[..., Any], check_variables: Callable[[], None]) -> None:
        self.f = f
        self.check_variables = check_variables
        self.checksum: int | None = None
        self.asks_for_kinks = ""

    def __call__(self, *leaves: Any) -> tuple[Any, ...]:
        top = top_trace(leaves)
        if type(top) is ReverseTrace:
            return top.apply(self, leaves, {})  # type: ignore[no-any-return]
        if top is not None:
            outputs = Recording(self.f, leaves, has_aux=False).leaves  # at a level that ends: what is kept is noticed
            above = top_trace(outputs)
            if above is not None and above.level > top.level:
                raise _ClosesOverTracedError
            return tuple(outputs)
        kept, self.asks_for_kinks = Signed(), KINKS.asked
        outputs = Recording(self.f, leaves, has_aux=False, kept=kept).leaves
        self.checksum = kept.checksum
        if top_trace(outputs) is not None:
            raise _ClosesOverTracedError
        return tuple(outputs)

    def adjoint_at(
        self, active: Sequence[int], out: Any, values: Sequence[Any], spaces: Sequence[Any], params: Any
    ) -> Callable[[Any], Any]:
        def adjoint(g: Any) -> Any:
            self.check_variables()
            kept = Signed()
            with asking_for_care(self.asks_for_kinks) if self.asks_for_kinks and not KINKS.asked else nullcontext():
                recording = Recording(self.f, values, has_aux=False, kept=kept)
            if self.checksum not in (None, kept.checksum):
                raise TraceError(_ANOTHER.format(what="computed with other numbers"))
            _check_same_bits(out, recording.leaves)
            given = [np.zeros_like(x) if gk is None else gk for x, gk in zip(recording.leaves, g, strict=True)]
            pulled = recording.pull(given, zeros_are_structural=False)
            return [pulled[i] for i in active]

        return adjoint


_ANOTHER = (
    "the function given to checkpoint {what} when it was run again for the derivative, which would be wrong. It must "
    "depend on its arguments alone. Likely causes: a variable that has changed since (bind it: lambda u, k=k: ...), a "
    "random generator (draw before, and pass the numbers), an attribute or an array that was written to between the "
    "calls (pass it as an argument)."
)


def _check_same_bits(out: Sequence[Any], again: Sequence[Any]) -> None:
    """Raise if a second run returned anything else than the first."""
    missing = np.empty(0)
    for i, (a, b) in enumerate(zip_longest(map(raw, out), map(raw, again), fillvalue=missing)):
        if a is missing or b is missing or a.shape != b.shape or a.dtype != b.dtype or a.tobytes() != b.tobytes():
            raise TraceError(_ANOTHER.format(what=f"returned another result (in its output {i})"))


def _numbers_read(f: Any) -> Iterator[tuple[str, Any]]:
    """The numbers that a Python function reads from enclosing functions and from its module, by name."""
    code = getattr(f, "__code__", None)
    if code is None:
        return
    for name, cell in zip(code.co_freevars, f.__closure__ or (), strict=True):
        with suppress(ValueError):  # not assigned yet
            yield name, cell.cell_contents
    for name in code.co_names:
        if name in f.__globals__:
            yield name, f.__globals__[name]


def _snapshot(f: Any) -> dict[str, Any]:
    kinds = (bool, int, float, complex, str, np.generic)
    return {name: value for name, value in _numbers_read(f) if isinstance(value, kinds)}


def checkpoint(f: Callable[..., Any]) -> Callable[..., Any]:
    """Trade time for memory: reverse mode remembers only the arguments of `f` and runs it again on the way back.

    Parameters
    ----------
    f : callable
        Any function of arrays or trees of arrays, with any such result; positional arguments are differentiated.  Its
        result must depend only on its arguments.

    Returns
    -------
    callable
        The same function with the same derivatives.

    Raises
    ------
    TraceError
        On the way back, if `f` returns a different result: it reads a variable that has changed, draws random numbers,
        ...

    Notes
    -----
    Traced values must be passed as arguments.  If `f` closes over others, it is recorded as usual: the result is right,
    but no memory is saved.  The same holds in forward mode, which stores nothing, and in compiled functions, where
    both runs would be the same instructions: there `scan` and `fori_loop` save memory with `checkpoint=True`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import checkpoint, grad
    >>> grad(checkpoint(lambda x: np.exp(np.sin(x))))(0.0)
    np.float64(1.0)
    """
    check_function(f)
    return TransformedFunction(_checkpointed, f)


def _checkpointed(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    leaves, structure = flatten(args)
    moving = [i for i, x in enumerate(leaves) if isinstance(x, Traced)]
    if type(top_trace(leaves)) is not ReverseTrace or (RECORDING[0] and is_symbolic(list(map(raw, leaves)))):
        return f(*args, **kwargs)
    before, rebuild = _snapshot(f), None
    given = leaves
    saved = [x if isinstance(x, Traced) else own(x) for x in leaves]
    written: list[int] = []

    def flat(*values: Any) -> list[Any]:
        nonlocal rebuild, written, given
        filled = list(given)
        given = [x if isinstance(x, Traced) else own(x) for x in saved]
        for i, x in zip(moving, values, strict=True):
            filled[i] = x
        before_writes = [x._value for x in values]
        outputs, rebuild = flatten(f(*unflatten(structure, filled), **kwargs))
        pairs = zip(values, before_writes, strict=True)
        written = [i for i, (x, value) in enumerate(pairs) if x._value is not value]
        return [as_array(x) for x in outputs] + [values[i] for i in written]

    def check_variables() -> None:
        now = _snapshot(f)
        for name, value in before.items():
            if name not in now or (now[name] is not value and now[name] != value):
                raise TraceError(
                    f"the function given to checkpoint reads the variable {name!r}, which was {value!r} when it "
                    f"ran and is {now.get(name)!r} now that it is run again for the derivative. Bind it: "
                    f"lambda u, {name}={name}: ..., or pass it as an argument."
                )

    try:
        outputs = _Recomputed(flat, check_variables)(*[leaves[i] for i in moving])
    except _ClosesOverTracedError:
        return f(*args, **kwargs)
    count = len(outputs) - len(written)
    for i, x in zip(written, outputs[count:], strict=True):
        leaves[moving[i]][...] = x
    return unflatten(rebuild, outputs[:count])
