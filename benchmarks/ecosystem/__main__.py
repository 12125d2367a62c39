"""The table of SciPy's functions under a derivative: `python benchmarks/ecosystem` writes `docs/tables/scipy.md`.

Each call runs once; what became of it is kept in a file, from which the next run goes on.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import distributions
import functions_arrays
import functions_numerics
import functions_stats
from page import page_of
from probe import Case, Outcome, probe

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tables" / "scipy.md"


def all_cases() -> Iterator[Case]:
    """Every call of the table, in its order."""
    yield from functions_numerics.CASES
    yield from functions_arrays.CASES
    yield from functions_stats.CASES
    yield from distributions.continuous()
    yield from distributions.discrete()


def named_cases() -> dict[str, Case]:
    """The calls by their names: what is called, and what distinguishes the call from others."""
    found: dict[str, Case] = {}
    for case in all_cases():
        name, count = f"{case.path} {case.note}".strip(), 1
        while name in found:
            count += 1
            name = f"{case.path} {case.note} {count}".replace("  ", " ")
        found[name] = case
    return found


def main() -> int:
    """Probe what the file does not have yet, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", default="scipy_probe.jsonl", help="the file that keeps what became of each call")
    parser.add_argument("--only", default=".", help="a regular expression: only calls whose names match are made")
    parser.add_argument("--again", action="store_true", help="make calls again that were not right")
    options = parser.parse_args()
    cases = named_cases()
    file = Path(options.results)
    known = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        name, status, reason = json.loads(line)
        known[name] = (status, reason)
    with file.open("a") as out:
        for name, case in cases.items():
            done = name in known and not (options.again and known[name][0] != "right")
            if done or not re.search(options.only, name):
                continue
            outcome = probe(case)
            known[name] = (outcome.status, outcome.reason)
            print(name, *known[name], flush=True)
            out.write(json.dumps([name, *known[name]]) + "\n")
            out.flush()
    outcomes = {name: Outcome(case, *known[name]) for name, case in cases.items() if name in known}
    PAGE.write_text(page_of(outcomes))
    return int(any(outcome.status in ("wrong", "different value") for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main())
