"""Programs within programs: the instructions of loops and branches."""

from __future__ import annotations

from typing import Any


class GuardError(Exception):
    """A guard of a program within a program does not hold."""


class UnrollError(BaseException):
    """A derivative needs the care that only single operations can take: loops are recorded step after step then.

    It passes through the user's code, which catches exceptions at most.
    """


class Nested:
    """A loop or a choice: a function that runs programs of its own.

    Attributes
    ----------
    programs : dict
        By the names under which they are shown.
    title : str
        What stands in the place of the name of a function.
    settings : tuple
        What else decides about what it returns.
    """

    def __init__(self, title: str, programs: dict[str, Any], settings: tuple[Any, ...]) -> None:
        self.title = title
        self.programs = programs
        self.settings = settings

    def __call__(self, *args: Any) -> tuple[Any, ...]:
        raise NotImplementedError

    def lines(self) -> list[str]:
        """The programs, as lines of the one that they are in."""
        shown = [(name, str(program).splitlines()) for name, program in self.programs.items()]
        return [f"    {line}" for name, lines in shown for line in (lines[0].replace("program", name, 1), *lines[1:])]
