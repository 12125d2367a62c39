"""Numbers that a document repeats are those of the table or the test that they come from."""

from __future__ import annotations

import re

import pytest

from package_layout import ROOT


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


ROWS = {
    "a chain of 200 elementwise operations, n = 10": "mixed float",
    "`solve`, 3x3": "solve 3x3 float, gradient",
    "`eigh`, 3x3": "eigh 3x3 float, gradient",
    "`svd`, 3x3": "svd 3x3 float, gradient",
    "`det`, 3x3": "det 3x3 float, gradient",
    "`solve`, 300x300": "solve 300x300",
    "a recurrence of 1000 steps, n = 100": "recurrence of 1000 steps, n = 100",
    "elementwise, n = 1e6": "elementwise, n = 1e6",
}
"""What a row of the page of results is called in the tables of benchmarks."""
UNITS = {"µs": 1e-6, "ms": 1e-3}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def seconds(cell: str) -> float:
    number, unit = cell.split()
    return float(number) * UNITS[unit]


def test_times_are_those_of_the_benchmarks() -> None:
    """To the digits that they are given with."""
    page, tables = ([cells(line) for line in text(f"docs/{name}").splitlines() if line.startswith("|")]
                    for name in ("results.md", "tables/benchmarks.md"))  # fmt: skip
    times = {row[0]: row for row in tables}
    rows = [row for row in page if row[0] in ROWS]
    assert len(rows) == len(ROWS)
    for row in rows:
        ours, torch, autograd = map(seconds, times[ROWS[row[0]]][1:4])
        assert seconds(row[1]) == pytest.approx(ours, rel=0.006)
        assert float(row[2]) == pytest.approx(torch / ours, abs=0.055)
        assert float(row[3]) == pytest.approx(autograd / ours, abs=0.055)


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
