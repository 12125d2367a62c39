"""The pages of `docs/special/`: every name is on one of them, with the arguments that it has, and each is explained."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

import numpy as np
import pytest

from package_layout import ROOT
from wirtinger import special
from wirtinger.special.ufuncs.ufunc_rules import INTEGER, RULES, constant

INDEX = ROOT / "docs" / "special.md"
PAGES = sorted((ROOT / "docs" / "special").glob("*.md"))
NAME = re.compile(r"`(\w+)(?:\(([^`]*)\))?`")
ENTRY = re.compile(r"([\w, ]+): (.*)")


class Row(NamedTuple):
    """What a table says of a function: its arguments, and of each of them how it is differentiated."""

    page: str
    arguments: list[str] | None
    entries: dict[str, str]


def rows() -> list[tuple[str, Row]]:
    """Every name in the first cell of a table."""
    found = []
    for page in [INDEX, *PAGES]:
        for line in page.read_text().splitlines():
            cells = line.strip("|").split(" | ")
            if not line.startswith("| `"):
                continue
            assert len(cells) == 3, f"{page.name}: {line}"
            entries = {}
            for entry in cells[2].strip().split("; "):
                if match := ENTRY.fullmatch(entry):
                    entries.update(dict.fromkeys(match[1].split(", "), match[2]))
            for name, arguments in NAME.findall(cells[0]):
                row = Row(page.name, arguments.split(", ") if arguments else None, entries)
                found.append((name, row))
    return found


ROWS = rows()
BY_NAME = dict(ROWS)
FUNCTIONS = [name for name, row in ROWS if row.arguments is not None]


def ufunc_of(name: str) -> np.ufunc | None:
    """SciPy's ufunc that a name stands for."""
    f = getattr(special, name)
    f = getattr(f, "function", getattr(f, "ufunc", f))
    return f if f in RULES else None


def test_every_public_name_is_on_one_page():
    assert sorted(name for name, _ in ROWS) == sorted(special.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_page_names_the_arguments(name):
    row = BY_NAME[name]
    ufunc = ufunc_of(name)
    if ufunc is None:
        assert set(row.arguments) <= set(inspect.signature(getattr(special, name)).parameters)
    else:
        assert tuple(row.arguments) == RULES[ufunc].arguments


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_page_says_of_each_argument_how_it_is_differentiated(name):
    row = BY_NAME[name]
    assert set(row.arguments) <= set(row.entries)
    ufunc = ufunc_of(name)
    if ufunc is not None:
        for argument, partial in zip(*RULES[ufunc], strict=True):
            entry = row.entries[argument]
            assert entry.startswith("integer") == (partial == INTEGER), argument
            assert entry.startswith("constant") == (partial is constant), argument


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_index_leads_to_every_page(page):
    assert f"(special/{page.name})" in INDEX.read_text()


@pytest.mark.parametrize("page", [INDEX, *PAGES], ids=lambda page: page.name)
def test_every_page_has_an_example(page):
    assert "```pycon\n>>> import" in page.read_text()
