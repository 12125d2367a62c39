"""The table of `docs/special.md`: which argument of which function has a derivative.

Written by `python -m wirtinger.special.documentation`, below the text that is there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .ufunc_rules import INTEGER, RULES, Rule, constant

__all__ = ["HEADING", "coverage_table"]

HEADING = "## Every ufunc, argument by argument\n"


def coverage_table() -> str:
    """One row a ufunc, in the order of the alphabet.

    Examples
    --------
    >>> from wirtinger.special.documentation import coverage_table
    >>> next(line for line in coverage_table().splitlines() if line.startswith("| `gammainc` "))
    '| `gammainc` | x |  | a |  |'
    """
    rows = sorted(RULES.items(), key=lambda item: item[0].__name__.lower())
    lines = ["| function | derivative | piecewise constant | not yet | integer |", "|---|---|---|---|---|"]
    lines += [f"| `{function.__name__}` | {' | '.join(_cells(rule))} |" for function, rule in rows]
    return "\n".join(lines) + "\n"


def _cells(rule: Rule) -> list[str]:
    cells: dict[str, list[str]] = {"derivative": [], "constant": [], "not yet": [], "integer": []}
    for name, partial in zip(rule.arguments, rule.partials, strict=True):
        if partial is constant:
            cells["constant"].append(name)
        elif callable(partial):
            cells["derivative"].append(name)
        else:
            cells["integer" if partial == INTEGER else "not yet"].append(name)
    return [", ".join(names) for names in cells.values()]


if __name__ == "__main__":
    page = Path(sys.argv[1])
    text = page.read_text().partition(HEADING)[0]
    page.write_text(text + HEADING + "\n" + coverage_table())
