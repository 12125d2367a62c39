"""Special values: `if c == 0` in third-party code, where the number `c` is being differentiated and equals 0.

The branch for `c = 0` gives the right value, but not the derivative in `c`.  Near 0 the function is what the other
branch computes.  If that branch has a finite value at 0 too, equal to the value of the function, it also has the
right derivative there.  So a transform that meets such a comparison runs its function twice more: as written, and
with the answer that holds in general, `c != 0`.  If the values differ by more than rounding errors, or the second run
fails, the comparison is refused: `sin(c) / c` is not defined at 0.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from ..engine.errors import NotDifferentiableError
from ..engine.traced import raw

__all__ = ["ANSWERS", "in_general", "without_special_values"]

_Result = TypeVar("_Result")

_RELATIVE = 0.6
"""`eps` to this power, relative to the largest element, is by how much the values of both branches may differ."""

_MOST = 1000
"""So many more comparisons than as it is written, and ten times as many: a function that asks on does not end."""


class _Answers(threading.local):
    given: str = ""
    asked = 0
    most = 0


ANSWERS = _Answers()
"""What comparisons of this thread answer where a moving value is the one that is treated apart: `"as written"`, what
holds `"in general"`, or nothing where they are refused; how often they were asked, and how often they may be."""


@contextmanager
def _answering(given: str, most: int = 0) -> Iterator[None]:
    before = ANSWERS.given, ANSWERS.asked, ANSWERS.most
    ANSWERS.given, ANSWERS.asked, ANSWERS.most = given, 0, most
    try:
        yield
    finally:
        ANSWERS.given, ANSWERS.asked, ANSWERS.most = before


def in_general(f: Callable[..., Any], most: int = _MOST) -> Callable[..., Any]:
    """A function with the answers that hold in general."""

    def call(*args: Any, **kwargs: Any) -> Any:
        with _answering("in general", most), np.errstate(all="ignore"):
            return f(*args, **kwargs)

    return call


def without_special_values(
    error: NotDifferentiableError,
    f: Callable[..., Any],
    run: Callable[[Callable[..., Any]], _Result],
    leaves: Callable[[_Result], Sequence[Any]],
) -> _Result:
    """What `run(f)` returns with the answers that hold in general; the error where there is none.

    Parameters
    ----------
    error : NotDifferentiableError
        What `run(f)` has raised.
    f : callable
        The function that is differentiated.
    run : callable
        Differentiates a function.
    leaves : callable
        The values of the function in what `run` returned.
    """
    if not error.is_at_special_value:
        try:
            raise error
        finally:
            del error  # else the frame would hold what holds it
    asked = 0

    def written(*args: Any, **kwargs: Any) -> Any:
        nonlocal asked
        with _answering("as written"):
            try:
                return f(*args, **kwargs)
            finally:
                asked = ANSWERS.asked

    values = [np.copy(raw(x)) for x in leaves(run(written))]
    try:
        found = run(in_general(f, _MOST + 10 * asked))
    except Exception:
        raise error from None
    if not _are_same(values, [raw(x) for x in leaves(found)]):
        raise error
    return found


def _are_same(values: Sequence[Any], others: Sequence[Any]) -> bool:
    return len(values) == len(others) and all(map(_is_same, values, others))


def _is_same(a: Any, b: Any) -> bool:
    if np.shape(a) != np.shape(b):
        return False
    if a.dtype.kind not in "fc":
        return bool(np.all(a == b))
    is_finite = np.isfinite(a)
    if not np.all(np.where(is_finite, np.isfinite(b), (a == b) | ((a != a) & (b != b)))):
        return False
    size = np.max(np.abs(a), where=is_finite, initial=0.0)
    return bool(np.all(np.abs(a - b)[is_finite] <= float(np.finfo(a.dtype).eps) ** _RELATIVE * size))
