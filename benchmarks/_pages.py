"""What the documentation has of benchmarks: `docs/tables/benchmarks.md`, and the tables that pages quote of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

__all__ = ["PAGE", "QUOTES", "quoted", "with_section"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "tables" / "benchmarks.md"
BLOCK = re.compile(r"(?<=<!-- from tables/benchmarks.md -->\n).*?(?=<!-- end -->\n)", re.DOTALL)
Row = dict[str, str]


def with_section(page: str, section: str) -> str:
    """The page with a section in place of the one of its title, or behind all others."""
    title = section.partition("\n")[0]
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    titles = [part.partition("\n")[0] for part in parts]
    at = titles.index(title) if title in titles else len(parts)
    parts[at : at + 1] = [section]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _section(page: str, title: str) -> str:
    match = re.search(rf"^## {re.escape(title)}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if match is None:
        raise LookupError(f"docs/tables/benchmarks.md has no section {title!r}")
    return match[0]


def _measured(section: str) -> str:
    """When and on what, as the section says."""
    when, machine, *_ = section.split("\n\n")[1].split(", ")
    return f"{when.partition(' ')[0]}, {machine}"


def _tables(section: str) -> dict[str, list[Row]]:
    """The tables of a section by what stands before them."""
    found: dict[str, list[Row]] = {}
    for title, table in re.findall(r"^(\S[^|\n]*)\n\n((?:\|.*\n)+)", section + "\n", re.MULTILINE):
        header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines())
        found[title.rstrip(":")] = [dict(zip(header, row, strict=True)) for row in rows]
    return found


def _written(header: list[str], rows: list[list[str]]) -> str:
    """A Markdown table: the first column to the left, the others to the right."""
    rule = "|---" + "|---:" * (len(header) - 1) + "|"
    return "\n".join([f"| {' | '.join(header)} |", rule, *(f"| {' | '.join(row)} |" for row in rows)])


def _seconds(cell: str) -> float:
    number, unit = cell.split()
    return float(number) * {"µs": 1e-6, "ms": 1e-3, "s": 1.0}[unit]


OVERHEAD = {
    "a chain of 200 elementwise operations, n = 10": "mixed float",
    **{f"`{name}`, 3x3": f"{name} 3x3 float, gradient" for name in ("solve", "eigh", "svd", "det")},
}
COST = {
    "`solve`, 300x300": "solve 300x300",
    "a recurrence of 1000 steps, n = 100": "recurrence of 1000 steps, n = 100",
    "elementwise, n = 1e6": "elementwise, n = 1e6",
}
"""Rows of the page of results, and what they are called in the tables."""


def _results(page: str) -> str:
    overhead, cost = _section(page, "Overhead on small arrays"), _section(page, "What a gradient costs")
    lines = []
    for section, chosen in ((overhead, OVERHEAD), (cost, COST)):
        rows = {next(iter(row.values())): row for table in _tables(section).values() for row in table}
        for title, name in chosen.items():
            ours, *peers = (_seconds(rows[name][peer]) for peer in ("wirtinger", "torch", "autograd"))
            lines.append([title, rows[name]["wirtinger"], *(f"{peer / ours:.1f}" for peer in peers)])
    tables = _tables(overhead)
    calls = tables["A call on plain arrays beside NumPy's own"]
    most = max((row["added"] for row in calls if row["target 0.3 µs"] == "met"), key=_seconds)
    others = ", ".join(f"`{row['call']}` {row['added']}" for row in calls if row["target 0.3 µs"] != "met")
    (started,) = tables["The import"]
    return (
        f"`python benchmarks overhead` measures the first {len(OVERHEAD)} rows and what follows the table "
        f"({_measured(overhead)}),\n`python benchmarks gradient_cost` the others ({_measured(cost)}).\n\n"
        + _written(["gradient of", "ours", "PyTorch / ours", "autograd / ours"], lines)
        + f"\n\nA call on plain arrays takes at most {most} more than NumPy's"
        + (f", but for {others}" if others else "")
        + f".\n`import wirtinger` takes {started['best']} beyond NumPy and SciPy.\n"
    )


def _ahead(page: str) -> str:
    section = _section(page, "Linear algebra")
    lines = []
    for title, rows in _tables(section).items():
        cells = []
        for peer in ("torch", "jax"):
            ratios = [float(row[f"{peer} / ours"]) for row in rows if row[f"{peer} / ours"]]
            cells.append(f"{sum(ratio >= 1 for ratio in ratios)} of {len(ratios)}, least {min(ratios):.2f}")
        lines.append([title, *cells])
    return (
        f"In how many rows we are as fast or faster, and the least ratio ({_measured(section)}):\n\n"
        + _written(["", "PyTorch", "JAX"], lines)
        + "\n"
    )


def _compiled(page: str) -> str:
    section = _section(page, "Compiled functions")
    (rows,) = _tables(section).values()
    names = ["gradient of", "compiled", "own kernels", "eager", "jax.jit", "torch", "torch.compile", "autograd"]
    names = [name for name in (*names, "an operation") if name in rows[0]]
    compiling = re.search(r"^Compiling takes .*\n", section, re.MULTILINE)
    behind = re.search(r"^Behind `jax.jit`.*?\n\n(?:\*.*\n)+", section, re.MULTILINE)
    return (
        f"Measured on {_measured(section)}, with what compiling takes for an operation:\n\n"
        + _written(names, [[row[name] for name in names] for row in rows])
        + "\n"
        + "".join(f"\n{found[0]}" for found in (compiling, behind) if found)
    )


QUOTES: dict[str, Callable[[str], str]] = {"results.md": _results, "linalg.md": _ahead, "compile.md": _compiled}
"""The pages that quote, and what stands between their marks."""
SOURCES = {
    "results.md": {"Overhead on small arrays", "What a gradient costs"},
    "linalg.md": {"Linear algebra"},
    "compile.md": {"Compiled functions"},
}
"""The sections that they quote."""


def quoted(name: str, page: str) -> str:
    """The text of a page with what it quotes of the page of benchmarks; as it is where that has no such section yet."""
    text = (DOCS / name).read_text(encoding="utf-8")
    if not BLOCK.search(text):
        raise LookupError(f"docs/{name} has no place for what it quotes")
    if not SOURCES[name] <= set(re.findall(r"^## (.*)", page, re.MULTILINE)):
        return text
    return BLOCK.sub(lambda _: f"\n{QUOTES[name](page)}\n", text)
