"""Numbers that a document repeats are those of the table or the test that they come from."""

from __future__ import annotations

import re
import sys

import pytest

from package_layout import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
from _pages import QUOTES, quoted, with_section


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def found(pattern: str, name: str) -> tuple[str, ...]:
    """What a pattern finds in a document, without the commas of thousands; line breaks count as spaces."""
    match = re.search(pattern, " ".join(text(name).split()))
    assert match, f"{name} has nothing like {pattern}"
    return tuple(group.replace(",", "") for group in match.groups())


@pytest.mark.parametrize(
    ("page", "says", "source", "has"),
    [
        ("docs/results.md", r"linear algebra: (\d+) functions, (\d+) with a derivative",
         "docs/tables/coverage_linalg.md", r"(\d+) functions; (\d+) have a derivative"),
        ("README.md", r"all (\d+) functions of", "docs/tables/coverage_linalg.md", r"(\d+) functions;"),
        ("CONTRIBUTING.md", r"each of the (\d+) functions of linear algebra",
         "docs/tables/coverage_linalg.md", r"(\d+) functions;"),
        ("docs/results.md", r"(\d+) functions and outputs, ([\d,]+) numbers",
         "docs/tables/accuracy_special.md", r"(\d+) functions and outputs, over (\d+) numbers; \d+ meet their bar, 0"),
        ("docs/scipy.md", r"of ([\d,]+) calls, of which ([\d,]+) have right derivatives",
         "docs/tables/scipy.md", r"\| all \| (\d+) \| (\d+) \| \d+ \| 0 \|"),
        ("docs/linalg.md", r'meet `"schedule"`, (\d+) `"portable"`',
         "docs/tables/determinism.md", r"(\d+) of `linalg`'s and"),
        ("docs/determinism.md",
         r"by (\d+) of NumPy's (\d+) operations, (\d+) of `linalg`'s (\d+) and (\d+) of `special`'s (\d+); "
         r"`portable` by (\d+), (\d+) and (\d+)\.",
         "docs/tables/determinism.md",
         r"(\d+) of NumPy's (\d+), (\d+) of `linalg`'s (\d+), (\d+) of `special`'s (\d+)\. "
         r"`portable` is met by (\d+) of NumPy's, (\d+) of `linalg`'s and (\d+) of"),
        ("docs/special.md", r"The (\d+) ufuncs have (\d+) arguments: (\d+) continuous, (\d+) integer, (\d+) in which",
         "docs/tables/coverage_special.md",
         r"The (\d+) ufuncs have (\d+) arguments: (\d+) continuous, (\d+) integer, (\d+) piecewise"),
    ],
)  # fmt: skip
def test_a_count_is_that_of_its_table(page: str, says: str, source: str, has: str) -> None:
    assert found(says, page) == found(has, source)


@pytest.mark.parametrize("page", QUOTES)
def test_tables_are_those_of_the_benchmarks(page: str) -> None:
    """`python benchmarks quotes` writes them."""
    assert text(f"docs/{page}") == quoted(page, text("docs/tables/benchmarks.md"))


def test_a_section_of_benchmarks_takes_the_place_of_the_one_before() -> None:
    page = text("docs/tables/benchmarks.md")
    titles = re.findall("^## .*", page, re.MULTILINE)
    changed = with_section(page, f"{titles[1]}\n\nnothing\n\n")
    assert re.findall("^## .*", changed, re.MULTILINE) == titles
    assert f"{titles[1]}\n\nnothing\n\n{titles[2]}\n" in changed
    assert with_section(page, "## another\n").endswith("\n\n## another\n")


def test_the_page_of_linear_algebra_says_what_meets_schedule() -> None:
    meeting, all_of_them = found(r"(\d+) of `linalg`'s (\d+)", "docs/tables/determinism.md")
    assert ('all meet `"schedule"`' in text("docs/linalg.md")) == (meeting == all_of_them)


MEASURED = re.compile(
    r"(?<![\w.`])\d[\d.,]* ?(?:µs|us|ms|s|microseconds|GB|MB|%)(?![\w`()])"  # times, memory, shares
    r"|(?<![\w.`])\d[\d.,]* times (?:as|the|its)\b|\b\d[\d,]* of (?:the )?\d[\d,]*\b"  # ratios and counts
)
ACCURACY = re.compile(
    r"\b\d[\d.]*e-\d+|\bunits? in the last place|\bulps?\b"
    r"|(?<!\bat )(?<!\bwith )\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve)(?: right)? digits"
)
CODE = re.compile(r"`[^`]*`|\$[^$]*\$")
"""Settings, limits and mathematics: what is no measurement and looks like one stands as code."""
COMMAND = re.compile(r"`(?:[A-Z_]+=\S+ )*(?:python|make)\s[^`]+`|^```sh$", re.MULTILINE)
WRITTEN = "docs/tables/", "docs/numpy.md"
"""Pages that name the command which writes them in their heads."""
PAGES = [
    page
    for page in ["README.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))]
    if not page.startswith(WRITTEN)
]


@pytest.mark.parametrize("page", PAGES)
def test_what_was_measured_has_its_command_beside_it(page: str) -> None:
    """Times, memory, ratios, counts, accuracies: in a section that names the command which prints or asserts them."""
    for section in re.split(r"^(?=#+ )", text(page), flags=re.MULTILINE):
        prose = re.sub(r"^```\w+$.*?^```$", "", section, flags=re.MULTILINE | re.DOTALL)
        words = " ".join(prose.split())
        measured = MEASURED.findall(words) + ACCURACY.findall(CODE.sub("``", words))
        assert not measured or COMMAND.search(section), (page, section.partition("\n")[0], measured)
