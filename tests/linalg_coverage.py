"""The page `docs/tables/coverage_linalg.md`: for each function what is tested of it.

Written by `python tests/linalg_coverage.py`.  A cell is filled where the registries have a case or a sample for it;
`test_linalg_cases.py` and `test_every_op.py` run all of them.
"""

from __future__ import annotations

from pathlib import Path

import samples
from linalg_cases import CASES, Case
from wirtinger.determinism import policy

PAGE = Path(__file__).parent.parent / "docs" / "tables" / "coverage_linalg.md"

HEAD = """# Linear algebra: what is tested of each function

Written by `python tests/linalg_coverage.py`; a test compares it with the registries. *Value*: one item against its
origin, in single and double precision. *Batch*: a stack against its items, and an empty stack. *Complex*: the same
and the derivatives with complex data. *Reverse*, *forward*, *second*: `gradcheck` of its samples (the number in
brackets), with the adjoint identity, on NumPy arrays and on a strict array type. *Determinism*: the level that it meets
on the CPU.

"""


def coverage_page() -> str:
    """The page, from the registries."""
    with_derivative = sum(not case.reason for case in CASES.values())
    lines = [
        f"{len(CASES)} functions; {with_derivative} have a derivative by nature.\n",
        "| function | from | value | batch | complex | reverse | forward | second | determinism |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [f"| `{name}` | {', '.join(case.origins)} | {' | '.join(_cells(case))} |" for name, case in CASES.items()]
    return HEAD + "\n".join(lines) + "\n"


def _cells(case: Case) -> list[str]:
    own = case.name.removeprefix("np.")
    spellings = {f"numpy.{own}"} if case.name.startswith("np.") else {f"numpy.linalg.{own}", f"linalg.{own}"}
    found = [s for s in samples.SAMPLES if s.name in spellings]
    batch = "yes" if case.stacks else "as the origin"
    is_complex = "yes" if "c" in case.kinds else "real by nature"
    derivative = [f"none: {case.reason}", "", ""] if case.reason else [f"yes ({len(found)})"] * 3
    level = policy(own if case.name.startswith("np.") else f"linalg.{own}", "numpy").level.name.lower()
    return ["yes", batch, is_complex, *derivative, level]


if __name__ == "__main__":
    PAGE.write_text(coverage_page())
