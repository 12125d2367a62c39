"""Values and first derivatives of special functions against the stored references; the page that lists the errors."""

from __future__ import annotations

import re
import sys

import mpmath as mp
import pytest

from special_accuracy import BARS, DATA, PAGE, accuracy_page, measurements, references
from special_accuracy_exceptions import EXCEPTIONS
from wirtinger.backends.native.library import library, state

sys.path.insert(0, str(DATA))
import make_special_references as script
from make_special_references import CASES

REFERENCES = references()
LEAST_POINTS = 40


@pytest.mark.parametrize("name", REFERENCES)
def test_errors_are_below_their_bars(name):
    too_large = [m for m in measurements() if m.name == name and not m.mixed <= m.bar]
    assert not too_large


def test_exceptions_are_needed():
    missed = {(m.name, m.quantity, m.kind) for m in measurements() if m.mixed > BARS[m.kind]}
    assert set(EXCEPTIONS) == missed
    assert all(reason for _, reason in EXCEPTIONS.values())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_there_are_enough_points(case):
    stored = REFERENCES[case.name]
    assert len(stored["points"]) >= LEAST_POINTS
    assert tuple(stored["active"]) == case.active


@pytest.mark.parametrize("case", CASES[::7], ids=lambda case: case.name)
def test_the_script_still_makes_what_is_stored(case):
    point, is_hard = next(iter(script.points_of(case)))
    stored = REFERENCES[case.name]
    assert point == tuple(stored["points"][0])
    assert is_hard == stored["hard"][0]
    with mp.workdps(script.DIGITS):
        value, *derivatives = script.reference(case, point)
    assert [complex(value), *map(complex, derivatives)] == pytest.approx(
        [stored["value"][0], *stored["derivatives"][0]], rel=1e-15
    )


def rows(page):
    """The cells of the table by function and quantity."""
    cells = (line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `"))
    return {(row[0], row[1]): row[2:] for row in cells if len(row) == 4}


def numbers(cell):
    return [float(text) for text in re.findall(r"\d+e[+-]\d+", cell)] or [0.0]


ROUNDING = 1e-13
"""The bar of ordinary regions.  Errors below are a few roundings, which differ from processor to processor: NumPy's
elementary functions are vectorized, to 4 units in the last place, where there is AVX-512 (numpy/numpy#23523)."""


@pytest.mark.skipif(library() is None, reason=f"the page is that of the C library: {state()}")
def test_the_page_is_up_to_date():
    written, measured = rows(PAGE.read_text()), rows(accuracy_page(measurements()))
    assert list(written) == list(measured), "run python tests/special_accuracy.py"
    for key, cells in measured.items():
        for now, then in zip(cells, written[key], strict=True):
            a, b = numbers(now)[0], numbers(then)[0]
            assert max(a, b) <= max(4 * min(a, b), ROUNDING), (
                f"{key}: {then} is {now} now; run python tests/special_accuracy.py"
            )
