"""The page `docs/numpy.md`: every callable of NumPy, what it is to differentiation, and how it runs on CUDA."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wirtinger.backends.cuda.routes import Route, route
from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION, Group, Kind

MEANINGS = {
    Kind.RULE: "is differentiated, in both modes and to any order",
    Kind.ZERO: "returns a result with the derivative 0",
    Kind.NONE: "returns plain values, which carry no derivative, or raises `NotDifferentiableError` if one is needed",
    Kind.CREATION: "makes an array",
    Kind.TOOL: "works as with plain values",
}
"""What each kind of callable does with a traced value."""


def route_of(owner: str, group: Group, name: str) -> Route:
    """How a callable runs on CUDA."""
    return route(f"{owner}.{name}", computes=group.kind not in (Kind.CREATION, Kind.TOOL))


def _routes() -> Iterator[tuple[str, Group, Route, list[str]]]:
    """The names that share a group and a route."""
    for owner, groups in CLASSIFICATION.items():
        for group in groups:
            names: dict[Route, list[str]] = {}
            for name in sorted(group.names):
                names.setdefault(route_of(owner, group, name), []).append(name)
            for found in sorted(names, key=lambda route: (route.runs is False, route.runs is None, route.text)):
                yield owner, group, found, names[found]


def classification_markdown() -> str:
    """The table as a page of the documentation (`docs/numpy.md`)."""
    rows = list(_routes())
    counts = {runs: sum(len(names) for _, _, found, names in rows if found.runs is runs) for runs in (True, False)}
    ours = sum(len(names) for _, _, found, names in rows if found.text == "ours")
    total = counts[True] + counts[False]
    lines = [
        "# NumPy's functions and their derivatives",
        "",
        "Every public callable of NumPy, what it is to differentiation, and what computes it on a GPU.",
        f"Written by `python tests/numpy_page.py` with NumPy {np.__version__}. A test compares the page with",
        "NumPy's namespace, and checks that every function with a rule has a sample.",
        "",
        "## How to read the tables",
        "",
        "| derivative | what a call on a traced value does |",
        "|---|---|",
        *(f"| {kind.value} | {MEANINGS[kind]} |" for kind in Kind),
        "",
        "| on CUDA | what computes it for arrays on a GPU |",
        "|---|---|",
        "| CuPy | CuPy's function of that name |",
        "| ours | a kernel of this package, or its program over CuPy's functions |",
        "| with `device=` | makes an array on the GPU if `device=` says so |",
        "| on the host | takes no array of a GPU, and runs on the CPU |",
        "| no | raises `DeviceError`, for the reason given, and names what to call instead |",
        "",
        f"Of the {total} functions that take or make arrays, {counts[True]} run on CUDA ({counts[True] / total:.1%}),",
        f"{ours} of them by this package's own code. A test on CUDA calls each one.",
        "",
    ]
    for owner in CLASSIFICATION:
        lines += [f"## {owner}", "", "| derivative | because | on CUDA | names |", "|---|---|---|---|"]
        for module, group, found, names in rows:
            if module == owner:
                listed = ", ".join(f"`{name}`" for name in names)
                lines.append(f"| {group.kind.value} | {group.reason} | {found.text} | {listed} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(classification_markdown(), end="")
