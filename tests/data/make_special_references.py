"""Reference values and first derivatives of the special functions: mpmath with 50 digits, rounded to double precision.

`python tests/data/make_special_references.py` writes a file a family, `special_<family>.npz`, in this folder; names of
families as arguments write those only.  `special_cases.py` and the files `special_cases_*.py` beside it say what is
computed and where.  It takes some minutes a family, and the same points come out every time.  Points at which mpmath
gives up or takes more than 20 seconds are left out.
"""

from __future__ import annotations

import gc
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import special_cases_complex
import special_cases_functions
import special_cases_integrals
import special_cases_mathieu
import special_cases_noncentral
import special_cases_related
import special_cases_spheroidal
from special_cases import CASES, Case

FURTHER = (
    special_cases_complex,
    special_cases_functions,
    special_cases_integrals,
    special_cases_mathieu,
    special_cases_noncentral,
    special_cases_related,
    special_cases_spheroidal,
)
"""Each adds its cases when it is imported."""

FOLDER = Path(__file__).parent
DIGITS = 50
COUNT = 24
"""So many points are drawn of the ordinary kind and of the hard kind, beside those that a case lists."""
LONGEST, TRIES = 20.0, 1000


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TimeoutError in a block that takes longer, by the clock of this process: others may be at work.

    No garbage is collected meanwhile: an error that is raised in a callback of the collector would be lost.
    """

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, stop)
    gc.disable()
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        gc.enable()


def points_of(case: Case) -> Iterator[tuple[tuple[Any, ...], bool]]:
    """The points, each with whether it is a hard one."""
    source = random.Random(case.name)
    for is_hard, draws, listed in ((False, case.ordinary, ()), (True, case.hard, case.listed)):
        for point in listed:
            yield point, is_hard
        for _ in range(COUNT):
            drawn = (case.prepare(*(draw(source) for draw in draws)) for _ in range(TRIES))
            yield next(point for point in drawn if case.accepts(point, is_hard)), is_hard


def reference(case: Case, point: tuple[Any, ...]) -> list[Any]:
    """The value and the derivatives at a point."""
    args = [mp.mpmathify(x) for x in point]
    return [case.value(*args), *(case.first_derivative(i, args) for i in case.active)]


def is_sound(x: Any, is_complex: bool) -> bool:
    """Whether a number is finite, real where it must be, and not so small that double precision loses bits."""
    is_real = mp.im(x) == 0 or abs(mp.im(x)) < mp.mpf(10) ** (-DIGITS / 2) * abs(x)
    return mp.isfinite(x) and (is_complex or is_real) and (x == 0 or 1e-290 < abs(x) < 1e290)


def rows_of(case: Case, report: Callable[[str], object]) -> dict[str, Any]:
    """The arrays that are stored of a case."""
    points, hard, references = [], [], []
    for point, is_hard in points_of(case):
        try:
            with limited(LONGEST), mp.workdps(DIGITS):
                numbers = reference(case, point)
        except (ArithmeticError, ValueError, TimeoutError, NotImplementedError) as reason:
            report(f"{case.name}{point}: {type(reason).__name__} {reason}")
            continue
        if all(is_sound(x, case.is_complex) for x in numbers):
            points.append(point)
            hard.append(is_hard)
            references.append([complex(x) if case.is_complex else float(mp.re(x)) for x in numbers])
    table, columns = np.array(references), np.array(points)
    parts = {"points": columns, "hard": np.array(hard), "value": table[:, 0], "derivatives": table[:, 1:]}
    parts["active"] = np.array(case.active)
    return {f"{case.name}/{part}": array for part, array in parts.items()}


def main() -> None:
    """Write the files of the families that are asked for."""
    families = {case.family for case in CASES}
    for family in sys.argv[1:] or sorted(families):
        arrays: dict[str, Any] = {}
        for case in CASES:
            if case.family == family:
                arrays |= rows_of(case, lambda line: print(line, file=sys.stderr))
                print(family, case.name, len(arrays[f"{case.name}/hard"]), flush=True)
        np.savez_compressed(FOLDER / f"special_{family}.npz", **arrays)


if __name__ == "__main__":
    main()
