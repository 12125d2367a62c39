"""The page `docs/numpy.md`: every callable of NumPy, what it is to differentiation, and how it runs on CUDA."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wirtinger.backends.cuda.routes import Route, route
from wirtinger.complex_autograd.namespace.functions import CLASSIFICATION, Group, Kind


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
        "# Every public callable of NumPy, and its derivative",
        "",
        f"Written by `python tests/numpy_page.py` with NumPy {np.__version__}; a test",
        "compares it with what NumPy has, and every function with a rule with its samples.",
        "",
        f"{counts[True]} of the {total} that take or make arrays run on CUDA ({counts[True] / total:.1%}): {ours} are",
        "ours, kernels or programs over CuPy's, and the others are CuPy's of their name. Where one does not, a",
        "`DeviceError` says why, and names the explicit way. A test of CUDA calls each.",
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
