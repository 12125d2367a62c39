"""One call of SciPy's on traced arguments: is it SciPy's bit for bit on plain ones, and are its derivatives right?"""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise
from types import FrameType
from typing import Any

import numpy
import scipy

import wirtinger

__all__ = ["Case", "Outcome", "probe"]

RIGHT, REFUSED, WRONG, DIFFERENT = "right", "refused", "wrong", "different value"
TOLERANCE = 2e-6
"""Of a derivative relative to the largest of its elements: what differences of eighth order leave, with room."""
SECONDS = 20


@dataclass(frozen=True)
class Case:
    """A call: the function by its path below `scipy`, and its arguments.

    Attributes
    ----------
    argnums : tuple of int
        Which arguments vary; by default all that are floating-point numbers or arrays of such.
    result : callable
        What of the result is looked at.
    through : callable, optional
        What calls the function, of the namespace and the arguments.
    note : str
        What distinguishes the call from others of the function.
    reference : callable, optional
        What differences are taken of, as `through`: a more accurate call.
    """

    path: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    argnums: tuple[int, ...] | None = None
    result: Callable[[Any], Any] = lambda result: result
    through: Callable[..., Any] | None = None
    note: str = ""
    reference: Callable[..., Any] | None = None

    @property
    def varying(self) -> tuple[int, ...]:
        if self.argnums is not None:
            return self.argnums
        return tuple(i for i, a in enumerate(self.args) if _is_floating(a))

    def call(self, namespace: Any, *varying: Any) -> list[Any]:
        """The arrays of the result."""
        args = list(self.args)
        for i, value in zip(self.varying, varying, strict=True):
            args[i] = value
        if self.through is not None:
            return list(_arrays(self.result(self.through(namespace, *args))))
        function = reduce(getattr, self.path.split("."), namespace)
        return list(_arrays(self.result(function(*args, **self.kwargs))))


@dataclass(frozen=True)
class Outcome:
    """What became of a case: its status, and why it was refused or by how much it is wrong."""

    case: Case
    status: str
    reason: str = ""


def probe(case: Case) -> Outcome:
    """Call the function on plain arguments and on traced ones, forward and reverse."""
    at = [numpy.asarray(case.args[i])[()] for i in case.varying]
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        theirs = case.call(scipy, *at)
        try:
            ours = case.call(wirtinger.scipy, *at)
        except Exception as error:
            return Outcome(case, DIFFERENT, f"{type(error).__name__}: {_first_line(error)}")
        if not _same(theirs, ours):
            return Outcome(case, DIFFERENT, f"{theirs} {ours}")
        try:
            with limited(SECONDS):
                return _derivatives(case, at)
        except wirtinger.DifferentiationError as error:
            return Outcome(case, REFUSED, f"{type(error).__name__}: {_first_line(error)}")
        except Exception as error:
            return Outcome(case, REFUSED, f"({type(error).__name__}): {_first_line(error)}")


def _derivatives(case: Case, at: Sequence[Any]) -> Outcome:
    rng = numpy.random.default_rng(7)
    direction = [rng.uniform(0.5, 1.0, numpy.shape(a)) for a in at]
    if any(numpy.iscomplexobj(a) for a in at):
        direction = [d + 1j * rng.uniform(0.5, 1.0, d.shape) if numpy.iscomplexobj(a) else d
                     for a, d in zip(at, direction, strict=True)]  # fmt: skip

    def moved(t: float) -> list[Any]:
        there = [a + t * d for a, d in zip(at, direction, strict=True)]
        return case.call(scipy, *there) if case.reference is None else list(_arrays(case.reference(scipy, *there)))

    def traced(*varying: Any) -> Any:
        return tuple(case.call(wirtinger.scipy, *varying))

    _, forward = wirtinger.jvp(traced, at, [d.astype(a.dtype) for a, d in zip(at, direction, strict=True)])
    values, pull = wirtinger.vjp(traced, *at)
    expected = _differences(moved)
    if not any(numpy.any(numpy.abs(e) > 0) for e in expected):
        return Outcome(case, WRONG, "the derivative is 0 here, which shows nothing")
    for got, wanted in zip(forward, expected, strict=True):
        if not _close(got, wanted):
            return Outcome(case, WRONG, f"forward: {numpy.asarray(got)} instead of {wanted}")
    weights = [rng.uniform(0.5, 1.0, numpy.shape(v)) for v in values]
    gradient = pull(tuple(w.astype(v.dtype) for w, v in zip(weights, values, strict=True)))
    gradient = gradient if isinstance(gradient, tuple) else (gradient,)
    paired = sum(numpy.sum((numpy.conj(g) * d).real) for g, d in zip(gradient, direction, strict=True))
    total = sum(numpy.sum((numpy.conj(w) * e).real) for w, e in zip(weights, expected, strict=True))
    size = sum(numpy.sum(numpy.abs(w * e)) for w, e in zip(weights, expected, strict=True))
    if not abs(paired - total) <= 4 * TOLERANCE * size:
        return Outcome(case, WRONG, f"reverse: {paired} instead of {total}")
    return Outcome(case, RIGHT)


WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
"""Of the central differences at 1, 2, 3 and 4 steps: of eighth order."""


def _differences(moved: Callable[[float], list[Any]]) -> list[Any]:
    """The derivative at 0, with the step from those tried at which two neighbours agree best."""
    found = []
    for step in (1e-2, 2e-3, 4e-4):
        sums: list[Any] = [0.0] * len(moved(0.0))
        for k, weight in enumerate(WEIGHTS, 1):
            above, below = moved(k * step), moved(-k * step)
            sums = [s + weight * (a - b) / step for s, a, b in zip(sums, above, below, strict=True)]
        found.append(sums)
    errors = [max((numpy.max(numpy.abs(x - y), initial=0.0) for x, y in zip(a, b, strict=True)), default=0.0)
              for a, b in pairwise(found)]  # fmt: skip
    errors = [e if numpy.isfinite(e) else numpy.inf for e in errors]
    return found[int(numpy.argmin(errors)) + 1]


def _close(got: Any, wanted: Any) -> bool:
    size = numpy.max(numpy.abs(wanted), initial=0.0)
    return numpy.shape(got) == numpy.shape(wanted) and bool(numpy.all(numpy.abs(got - wanted) <= TOLERANCE * size))


def _same(theirs: Sequence[Any], ours: Sequence[Any]) -> bool:
    return len(theirs) == len(ours) and all(
        type(a) is type(b) and numpy.shape(a) == numpy.shape(b) and numpy.array_equal(a, b, equal_nan=True)
        for a, b in zip(theirs, ours, strict=True)
    )


def _arrays(tree: Any) -> Iterator[Any]:
    """The floating-point arrays of a tree."""
    if isinstance(tree, (tuple, list)):
        for item in tree:
            yield from _arrays(item)
    elif isinstance(tree, (float, complex)) or getattr(getattr(tree, "dtype", None), "kind", "") in ("f", "c"):
        yield tree


def _is_floating(a: Any) -> bool:
    return isinstance(a, (float, complex)) or getattr(getattr(a, "dtype", None), "kind", "") in ("f", "c")


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise TimeoutError after so many seconds of the processor's."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {seconds} s")

    previous = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
