"""The page `docs/tables/coverage_linalg.md`: for each function what is tested of it.

Written by `python tests/linalg_coverage.py`.  A cell is filled where the registries have a case or a sample for it;
`test_linalg_cases.py` and `test_every_op.py` run all of them.
"""

from __future__ import annotations

from pathlib import Path

import cuda_routes
import samples
from linalg_cases import CASES, Case
from wirtinger.backends.cuda.routes import Route, route
from wirtinger.determinism import policy

PAGE = Path(__file__).parent.parent / "docs" / "tables" / "coverage_linalg.md"

HEAD = """# Linear algebra: what is tested of each function

Written by `python tests/linalg_coverage.py`; a test compares it with the registries. *Value*: one item against its
origin, in single and double precision. *Batch*: a stack against its items, and an empty stack. *Complex*: the same
and the derivatives with complex data. *Reverse*, *forward*, *second*: `gradcheck` of its samples (the number in
brackets), with the adjoint identity, on NumPy arrays and on a strict array type. *Determinism*: the level that it meets
on the CPU. *CUDA*: what of ours computes it there, value and gradient, CuPy where nothing of ours is needed, or why
it does not run; `tests/cuda` runs each.

"""


def coverage_page() -> str:
    """The page, from the registries."""
    with_derivative = sum(not case.reason for case in CASES.values())
    routes = {name: route_of(case) for name, case in CASES.items()}
    run, fail = (sum(found.runs is wanted for found in routes.values()) for wanted in (True, False))
    lines = [
        f"{len(CASES)} functions; {with_derivative} have a derivative by nature. On CUDA {run} run, {fail} do not, and",
        f"{len(CASES) - run - fail} take no array.",
        "",
        "| function | from | value | batch | complex | reverse | forward | second | determinism | CUDA |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name, case in CASES.items():
        cells = [", ".join(case.origins), *_cells(case), routes[name].text]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return HEAD + "\n".join(lines) + "\n"


def route_of(case: Case) -> Route:
    """How a function runs on CUDA."""
    if case.name.startswith("np."):
        return route(f"numpy.{case.name[3:]}")
    found = [sample for sample in samples.SAMPLES if sample.name in _spellings(case)]
    used = cuda_routes.used_by_samples(found) if found else cuda_routes.used_by_calls(case.call, case.arguments("d"))
    return cuda_routes.cell(f"linalg.{case.name}", used)


def _spellings(case: Case) -> set[str]:
    own = case.name.removeprefix("np.")
    return {f"numpy.{own}"} if case.name.startswith("np.") else {f"numpy.linalg.{own}", f"linalg.{own}"}


def _cells(case: Case) -> list[str]:
    own = case.name.removeprefix("np.")
    found = [s for s in samples.SAMPLES if s.name in _spellings(case)]
    batch = "yes" if case.stacks else "as the origin"
    is_complex = "yes" if "c" in case.kinds else "real by nature"
    derivative = [f"none: {case.reason}", "none", "none"] if case.reason else [f"yes ({len(found)})"] * 3
    level = policy(own if case.name.startswith("np.") else f"linalg.{own}", "numpy").level.name.lower()
    return ["yes", batch, is_complex, *derivative, level]


if __name__ == "__main__":
    PAGE.write_text(coverage_page())
