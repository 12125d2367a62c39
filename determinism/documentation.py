"""`docs/tables/determinism.md`, written from the policy table."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from .families import FAMILY_OF, MEMBERS, PREFIXES
from .levels import Level
from .table import TABLE

_BACKENDS = {"numpy": "CPU: NumPy and SciPy", "cupy": "NVIDIA GPU: CuPy"}

_HEAD = """\
# What each operation keeps

<!-- Written by `python -m wirtinger.determinism > docs/tables/determinism.md`; a test compares it with the
policy table. -->

[determinism.md](../determinism.md) says what the levels mean.
"""


def policy_table_markdown() -> str:
    """Return the policy table of both backends as Markdown.

    Examples
    --------
    >>> from wirtinger.determinism import policy_table_markdown
    >>> print(policy_table_markdown().splitlines()[0])
    # What each operation keeps
    """
    sections = [[_HEAD, _counts()]]
    sections += [[f"## {title}", "", *_rows(backend), *_routes(backend)] for backend, title in _BACKENDS.items()]
    sections += [["## The families", "", *_families()]]
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def _counts() -> str:
    """How many public operations meet `schedule` and `portable` on the CPU."""
    package = import_module(__package__.partition(".")[0])
    numpys = [op for op in FAMILY_OF if "." not in op and op in package.__all__ and op not in _DEPARTED]
    groups = {
        "NumPy's": numpys,
        "`linalg`'s": [f"linalg.{name}" for name in package.linalg.__all__ if name != "LinAlgError"],
        "`special`'s": [f"special.{name}" for name in package.special.__all__ if name not in _SETTINGS],
    }
    counts, below = [], []
    for name, ops in groups.items():
        lacking = [op for op in ops if TABLE.policy(op, "numpy").level < Level.SCHEDULE]
        counts.append(f"{len(ops) - len(lacking)} of {name} {len(ops)}")
        below += [f"`{op}`" for op in sorted(lacking)]
    fourier = [f"fft.{name}" for name in package.fft.__all__]
    asked = (*numpys, *fourier), groups["`linalg`'s"], groups["`special`'s"]
    real, complex_ = (
        [sum(TABLE.policy(op, "numpy", dtype).level >= Level.PORTABLE for op in ops) for ops in asked]
        for dtype in ("float64", "complex128")
    )
    exceptions = f"; not {', '.join(below)}" if below else ""
    return (
        f"Operations that meet `schedule` on the CPU: {', '.join(counts)}{exceptions}. `portable` is met "
        f"by {real[0]} of NumPy's, {real[1]} of `linalg`'s and {real[2]} of `special`'s for real numbers, those by the "
        f"C library, and by {complex_[0]}, {complex_[1]} and {complex_[2]} for complex ones; "
        "`determinism/golden_digests.txt` names those that a digest is kept of."
    )


_SETTINGS = {"SpecialFunctionError", "SpecialFunctionWarning", "errstate", "geterr", "seterr"}
"""What computes nothing."""

_DEPARTED = {"row_stack"}
"""What NumPy 2.5 has no more: the page is the same with each version."""


def _rows(backend: str) -> Iterator[str]:
    yield "| family or operation | bool, int | real | complex | layout | meets | more takes | why no more as it is |"
    yield "|---|---|---|---|---|---|---|---|"
    for (name, owner), row in TABLE.rows.items():
        if owner == backend:
            levels = " | ".join(map(str, (row.integer, row.real, row.complex)))
            level, wrapper = TABLE.wrappers.get((name, owner), (None, None))
            called = f"{wrapper.__name__} | {level}" if wrapper else "- | -"
            yield f"| {name} | {levels} | {called} | {row.route or '-'} | {row.reason} |"


def _routes(backend: str) -> Iterator[str]:
    existing = [
        f"`{op}` by `{function.__name__}` ({level})"
        for (op, owner), routes in TABLE.routes.items()
        if owner == backend
        for level, function in sorted(routes.items())
    ]
    yield ""
    yield f"Routes that exist: {', '.join(sorted(existing)) or 'none'}. What has none, meets what the table says."


def _families() -> Iterator[str]:
    for family, ops in sorted(MEMBERS.items()):
        yield f"* **{family}**: {', '.join(f'`{op}`' for op in sorted(ops))}"
    for prefix, family in sorted(PREFIXES.items()):
        yield f"* **{family}**: all else in `{prefix}`"
    methods = "`.reduce`, `.accumulate`, `.reduceat` and `.at` of all other ufuncs"
    yield f"* **other ufunc methods**: {methods}; `.at` meets `portable` where the ufunc does"
