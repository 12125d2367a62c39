"""Do our gradients agree with PyTorch's, for every function that both have?

Run `python benchmarks/parity/compare.py`, or with part of a function's name to see each of its cases.  Every pair of
the table is evaluated on random float64 and complex128 arrays: its value, the gradient of a random real loss of its
results (with arrays of every memory layout), and the Hessian of that loss times a random vector, forward over reverse
and reverse over reverse.  The exit code is 1 if anything differs that the table does not explain, or if a function
that both have was forgotten.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from _timing import conditions, table  # isort: split

import pairs
from _comparison import TOLERANCE, Result, compare
from _coverage import forgotten, not_compared

ORDERS = ("value", "first", "second")


def all_results(part: str = "") -> list[Result]:
    """The results of all pairs whose name contains the part."""
    for module in pkgutil.iter_modules(pairs.__path__):
        importlib.import_module(f"pairs.{module.name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            compare(pair, kind, seed)
            for seed, pair in enumerate(pairs.PAIRS)
            if part in pair.name
            for kind in pair.kinds
        ]


def is_wrong(result: Result) -> bool:
    """Whether we fail, or differ without an explanation, or against a difference quotient; or nothing was compared."""
    if result.pair.differs:
        return bool(result.error) or result.supported_by_differences == "PyTorch's"
    return not (result.agrees and result.compared)


def by_function(results: list[Result]) -> dict[str, list[Result]]:
    groups = defaultdict(list)
    for result in results:
        groups[result.pair.name].append(result)
    return dict(sorted(groups.items()))


def worst(results: list[Result], order: str) -> str:
    """The largest difference in one order; a blank where PyTorch has nothing to compare with."""
    found = [result.differences[order] for result in results if order in result.differences]
    return f"{max(found):.0e}" if found else ""


def summary_by_function(results: list[Result]) -> str:
    rows = []
    for name, group in by_function(results).items():
        explained = [result for result in group if result.pair.differs]
        compared = [result for result in group if not result.pair.differs]
        good = sum(not is_wrong(result) for result in compared)
        remark = f"{len(explained)} explained" if explained else ""
        rows.append([f"`{name}`", f"{good} of {len(compared)}", *(worst(compared, order) for order in ORDERS), remark])
    return table(["function", "agree", *ORDERS, "differ"], rows)


def describe(result: Result) -> str:
    """One case in one line: where it differs and whom a difference quotient supports, or what went wrong."""
    shapes = ", ".join(str(list(a.shape)) for a in result.pair.draw(result.kind, 0))
    differences = ", ".join(f"{order} {difference:.0e}" for order, difference in result.differences.items())
    parts = [f"{result.pair.place} {result.pair.name} ({shapes}; {result.kind}): {differences}"]
    if result.error:
        parts.append(f"ours raises {result.error}")
    if result.supported_by_differences:
        parts.append(f"a difference quotient supports {result.supported_by_differences}")
    parts += [f"PyTorch, {order}: {reason}" for order, reason in result.unsupported.items()]
    return "; ".join(parts)


def main(part: str = "") -> int:
    """Print the tables; the number of what is wrong."""
    results = all_results(part)
    wrong = [result for result in results if is_wrong(result)]
    explained = [result for result in results if result.pair.differs]
    stale = [result for result in explained if result.agrees]
    print("## Agreement with PyTorch\n")
    print(conditions("numpy", "scipy", "torch") + "\n")
    print(
        f"{len(by_function(results))} functions in {len(results)} cases: the largest differences of the value, the "
        "gradient and the Hessian times a vector, relative to the largest element. "
        f"Up to {TOLERANCE:.0e} is agreement.\n"
    )
    print(summary_by_function(results) + "\n")
    sections = {
        "Differ, and the table says why": [f"{describe(r)}. {r.pair.differs}" for r in explained if not r.agrees],
        "Not compared": [] if part else not_compared(),
        "**Agree after all**: remove the explanation": [describe(r) for r in stale],
        "**Wrong**": [describe(r) for r in wrong],
        "**Forgotten**": [] if part else forgotten(),
    }
    for title, lines in sections.items():
        if lines:
            print(f"{title}:\n\n" + "\n".join(f"* {line}" for line in lines) + "\n")
    if part:
        print("\n".join(describe(result) for result in results))
    failures = len(wrong) + len(stale) + len(sections["**Forgotten**"])
    second = sum("second" in result.differences for result in results)
    print(
        f"{len(results)} cases, {second} of them in second order; {len(explained)} differ for a known reason; "
        f"{failures} failures"
    )
    return failures


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
