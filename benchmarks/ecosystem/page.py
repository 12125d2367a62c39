"""The page of the documentation that says what became of each call."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from probe import Outcome

__all__ = ["page_of"]

HEAD = """\
# SciPy under a derivative

<!-- Written by `python benchmarks/ecosystem`, which makes the calls. -->

What `wirtinger.scipy` does ([how](../scipy.md)): each function is called on plain arguments, where it must return
the bits of SciPy, and on traced ones, where its derivative along a direction in all continuous arguments at once must
agree, forward and in reverse, with differences of eighth order of the function of SciPy.
"""
MARKS = {"right": "✓", "refused": "**r**"}


def page_of(outcomes: Mapping[str, Outcome]) -> str:
    """The page, from the outcome of each call."""
    methods = {name: o for name, o in outcomes.items() if _is_method(name)}
    functions = {name: o for name, o in outcomes.items() if name not in methods}
    return "\n".join([HEAD, _counts(functions, methods), _functions(functions), _distributions(methods)])


def _is_method(name: str) -> bool:
    from distributions import METHODS, NAMES

    parts = name.split(".")
    return len(parts) == 3 and parts[0] == "stats" and parts[1] in NAMES and parts[2] in METHODS


def _counts(functions: Mapping[str, Outcome], methods: Mapping[str, Outcome]) -> str:
    lines = ["| | calls | right | refused | wrong |", "|---|---|---|---|---|"]
    groups = {"functions": functions, "methods of distributions": methods, "all": {**functions, **methods}}
    for title, group in groups.items():
        count = Counter(outcome.status for outcome in group.values())
        wrong = count["wrong"] + count["different value"]
        lines.append(f"| {title} | {len(group)} | {count['right']} | {count['refused']} | {wrong} |")
    return "\n".join([*lines, ""])


def _functions(functions: Mapping[str, Outcome]) -> str:
    right, others = defaultdict(list), []
    for name, outcome in functions.items():
        module, _, rest = name.partition(".")
        if outcome.status == "right":
            right[module].append(f"`{rest}`")
        else:
            others.append(f"| `{name}` | {_reason(outcome)} |")
    lines = ["## Functions", "", "Right:", "", "| module | functions |", "|---|---|"]
    lines += [f"| `{module}` | {', '.join(names)} |" for module, names in sorted(right.items())]
    lines += ["", "Refused:", "", "| function | why |", "|---|---|", *sorted(others), ""]
    return "\n".join(lines)


def _distributions(methods: Mapping[str, Outcome]) -> str:
    from distributions import METHODS

    table: dict[str, dict[str, Outcome]] = defaultdict(dict)
    for name, outcome in methods.items():
        _, distribution, method = name.split(".")
        table[distribution][method] = outcome
    lines = [
        "## Distributions",
        "",
        "In the variable (of a continuous one), every continuous shape, `loc` and `scale`; **r** is refused, a blank",
        "was not called: the method is infinite there, or an integral that takes long.",
        "",
        "| distribution | " + " | ".join(METHODS) + " |",
        "|---|" + "---|" * len(METHODS),
    ]
    for distribution, row in table.items():
        cells = [
            "" if m not in row else {"right": "✓", "refused": "**r**"}.get(row[m].status, "wrong") for m in METHODS
        ]
        lines.append(f"| `{distribution}` | " + " | ".join(cells) + " |")
    reasons = [
        f"| `{name.removeprefix('stats.')}` | {_reason(outcome)} |"
        for name, outcome in methods.items()
        if outcome.status != "right"
    ]
    return "\n".join([*lines, "", "| refused | why |", "|---|---|", *reasons, ""])


def _reason(outcome: Outcome) -> str:
    text = re.sub(r"\s*\([\w/.]+, line \d+[^)]*\)*.*$", "", outcome.reason).replace("|", "\\|")
    prefix = "" if outcome.status == "refused" else f"**{outcome.status}**: "
    return prefix + text[:200]
