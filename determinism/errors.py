"""Raised, or issued as a warning, when an operation cannot meet the requested level of determinism."""

from __future__ import annotations

from .levels import Level


class DeterminismError(RuntimeError):
    """An operation cannot meet the level of determinism that is in force.

    Attributes
    ----------
    op, backend : str
        The operation, as the policy table names it, and where it was to run.
    asked, best : Level
        The level in force, and the highest level that the operation meets there today.
    reason, hint : str
        Why it stops at `best`, and what to do instead.
    """

    __module__ = "wirtinger"

    def __init__(self, op: str, backend: str, asked: Level, best: Level, reason: str, hint: str) -> None:
        super().__init__(op, backend, asked, best, reason, hint)
        self.op = op
        self.backend = backend
        self.asked = asked
        self.best = best
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        return (
            f"{self.op} on backend '{self.backend}' cannot meet the determinism level '{self.asked}'; "
            f"the best available is '{self.best}'.\n"
            f"Reason: {self.reason}.\n"
            f"Instead: {self.hint}."
        )


class DeterminismWarning(UserWarning):
    """Said once per operation in place of `DeterminismError` where ``warn_only=True``."""

    __module__ = "wirtinger"
