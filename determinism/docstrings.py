"""The sentence about determinism in docstrings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .levels import Level
from .table import TABLE

_SECTION: Final = re.compile(r"^( *)(?:Parameters|Returns|Raises|Notes|Examples)\n *---", re.MULTILINE)


def with_level(documentation: str | None, operation: str) -> str:
    """A docstring with the level that an operation keeps, before its first section.

    Parameters
    ----------
    documentation : str or None
        The docstring.
    operation : str
        Named as in `policy`.

    Examples
    --------
    >>> from wirtinger.determinism.docstrings import with_level
    >>> print(with_level("The square root.", "sqrt"))
    The square root.
    <BLANKLINE>
    Determinism: up to "schedule" on a CPU, for real numbers up to "portable" (`docs/determinism.md`).
    <BLANKLINE>
    """
    level = TABLE.policy(operation, "numpy").level
    of_real = level if level == Level.PORTABLE else TABLE.policy(operation, "numpy", "float64").level
    real = f', for real numbers up to "{of_real}"' if of_real > level else ""
    return before_sections(documentation, [f'Determinism: up to "{level}" on a CPU{real} (`docs/determinism.md`).'])


def before_sections(documentation: str | None, lines: Sequence[str]) -> str:
    """A docstring with lines before its first section, or at its end where it has none.

    Examples
    --------
    >>> from wirtinger.determinism.docstrings import before_sections
    >>> print(before_sections("A title.", ["A line."]))
    A title.
    <BLANKLINE>
    A line.
    <BLANKLINE>
    """
    text = documentation or ""
    section = _SECTION.search(text)
    if section is None:
        return "\n".join([text.rstrip(), "", *lines, ""])
    shown = "".join(f"{section[1]}{line}".rstrip() + "\n" for line in [*lines, ""])
    return text[: section.start()] + shown + text[section.start() :]


class LateDocstring:
    """The docstring of a class, and of its instances what their method `documentation` returns when it is asked for.

    Examples
    --------
    >>> from wirtinger.determinism.docstrings import LateDocstring
    >>> class Named:
    ...     __doc__ = LateDocstring("Something with a name.")
    ...     def documentation(self):
    ...         return "Of this one."
    >>> Named.__doc__, Named().__doc__
    ('Something with a name.', 'Of this one.')
    """

    def __init__(self, of_class: str | None) -> None:
        self.of_class = of_class

    def __get__(self, shown: object, owner: type) -> str | None:
        return self.of_class if shown is None else shown.documentation()  # type: ignore[attr-defined]
