"""What a docstring says of determinism."""

from __future__ import annotations

from collections.abc import Sequence

from .levels import Level
from .table import TABLE


def with_level(documentation: str | None, operation: str) -> str:
    """A docstring with the level that an operation keeps, before its parameters.

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
    return before_parameters(documentation, [f'Determinism: up to "{level}" on a CPU{real} (`docs/determinism.md`).'])


def before_parameters(documentation: str | None, lines: Sequence[str]) -> str:
    """A docstring with lines before its parameters, or at its end where it lists none.

    Examples
    --------
    >>> from wirtinger.determinism.docstrings import before_parameters
    >>> print(before_parameters("A title.", ["A line."]))
    A title.
    <BLANKLINE>
    A line.
    <BLANKLINE>
    """
    text = documentation or ""
    before, title, after = text.partition("Parameters\n")
    if not title:
        return "\n".join([text.rstrip(), "", *lines, ""])
    indent = before[len(before.rstrip(" ")) :]
    shown = "".join(f"{indent}{line}".rstrip() + "\n" for line in [*lines, ""])
    return before[: len(before) - len(indent)] + shown + indent + title + after


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
