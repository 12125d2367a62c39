"""`docs/numpy.md`, written from the table of NumPy's functions."""

from __future__ import annotations

import numpy as np

from .functions import CLASSIFICATION


def classification_markdown() -> str:
    """The table as a page of the documentation (`docs/numpy.md`)."""
    lines = [
        "# Every public callable of NumPy, and its derivative",
        "",
        f"Written by `python -m {__package__}.documentation` with NumPy {np.__version__}; a test",
        "compares it with what NumPy has, and every function with a rule with its samples.",
        "",
    ]
    for owner, groups in CLASSIFICATION.items():
        lines += [f"## {owner}", "", "| derivative | because | names |", "|---|---|---|"]
        for group in groups:
            listed = ", ".join(f"`{name}`" for name in sorted(group.names))
            lines.append(f"| {group.kind.value} | {group.reason} | {listed} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(classification_markdown(), end="")
